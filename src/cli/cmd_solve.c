#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/machine.h"
#include "cli/commands.h"
#include "cli/solve_whole.h"
#include "engine/engine.h"
#include "formats/line.h"

/* A game that no search can be sure to see the end of is given up after so long, unless --time says otherwise. */
#define USUAL_SECONDS 60
#define USUAL_SECONDS_A_MOVE 2

/* What one run of the command works with. */
struct solving {
    struct course_request request;
    struct engine *engine;
    struct search_limits limits;
    bool all;
    bool json;
    double start;
    double each_seconds; /* for each move with --all; 0: as for the position */
    char label[64];      /* what is being solved, for the progress line */
    int done;            /* with --all: so many moves */
    int count;           /* of so many; 0: the position itself is being solved */
    double widest;       /* the bounds nothing needs to be proved for, as far as the game tells them */
};

static const char *outcome(game_score value) {
    return value > 0 ? "win" : value < 0 ? "loss" : "draw";
}

/* Bounds as people read them: one number when they meet. A game that is won or lost and nothing between has none to
 * show before that is known. */
static void add_bounds(struct text *text, const struct solving *solving, const struct search_result *result) {
    if (result->lower == result->upper) {
        text_addf(text, "%d", (int)result->lower);
    } else if (solving->request.game->properties->score_kind != GAME_SCORE_MARGIN && result->lower <= 0 &&
               result->upper >= 0) {
        text_add_string(text, "unknown");
    } else {
        text_addf(text, "%d to %d", (int)result->lower, (int)result->upper);
    }
}

/* A guess of what is left, 0 where there is none: by the moves done with --all, else by how often the bounds must still
 * be halved if each time takes as long as the mean one so far. */
static double seconds_left(const struct solving *solving, const struct search_result *report, double seconds) {
    if (solving->limits.wall_seconds > 0) {
        return solving->limits.wall_seconds - seconds;
    }
    if (solving->count > 0) {
        return solving->done > 0 ? seconds * (solving->count - solving->done) / solving->done : 0;
    }
    double now = log2((double)report->upper - report->lower + 1);
    double first = log2(2.0 * solving->widest + 1);
    return report->certainty == SEARCH_PROVED && now > 0 && first > now ? seconds * now / (first - now) : 0;
}

static void report_progress(void *user, const struct search_result *report) {
    struct solving *solving = user;
    if (!cli_shows_progress()) {
        return;
    }
    solving->widest = report->upper > solving->widest ? report->upper : solving->widest;
    double seconds = clock_wall() - solving->start;
    struct text line = TEXT_EMPTY;
    text_addf(&line, "%svalue ", solving->label);
    add_bounds(&line, solving, report);
    text_addf(&line, "  %.1f million nodes  %.1f million a second  %.1f s", (double)report->nodes / 1e6,
              seconds > 0 ? (double)report->nodes / 1e6 / seconds : 0.0, seconds);
    double left = seconds_left(solving, report, seconds);
    if (left > 0) {
        text_addf(&line, ", about %.0f s left", left);
    }
    cli_progress(text_string(&line));
    text_free(&line);
}

static int solve_one(struct solving *solving, const struct game_position *position, struct search_result *result) {
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = solving->limits};
    struct search_control *control = cli_control();
    struct error error = {0};
    control->info = report_progress;
    control->user = solving;
    enum status status = engine_go(solving->engine, solving->request.game, position, &request, control, result, &error);
    control->info = NULL;
    if (cli_shows_progress()) {
        cli_progress(NULL);
    }
    return status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
}

static bool has_margin(const struct solving *solving) {
    return solving->request.game->properties->score_kind == GAME_SCORE_MARGIN;
}

static bool is_exact(const struct search_result *result) {
    return result->certainty == SEARCH_PROVED && result->lower == result->upper;
}

/* With --win, and in a game without a margin, a proof is complete as soon as the sign is known. */
static bool is_solved(const struct solving *solving, const struct search_result *result) {
    bool sign = (solving->limits.goal == SEARCH_WIN || !has_margin(solving)) && result->certainty == SEARCH_PROVED &&
                (result->lower > 0 || result->upper < 0);
    return sign || is_exact(result);
}

/* "win in at most 3 moves": the value of such a game is the number of plies to its end, counted from a win. */
static void add_distance(struct text *text, const struct search_result *result) {
    int plies = GAME_WIN_VALUE - (int)(result->lower > 0 ? result->lower : -result->upper);
    int moves = (plies + 1) / 2;
    text_add_string(text, outcome(result->lower > 0 ? 1 : result->upper < 0 ? -1 : 0));
    if (result->lower > 0 || result->upper < 0) {
        text_addf(text, " in %s%d move%s", plies <= 2 ? "" : "at most ", moves, moves == 1 ? "" : "s");
    }
}

static void add_value(struct text *text, const struct solving *solving, const struct search_result *result) {
    if (!is_solved(solving, result)) {
        add_bounds(text, solving, result);
        text_add_string(text, " (not solved)");
    } else if (!has_margin(solving)) {
        add_distance(text, result);
    } else if (solving->limits.goal == SEARCH_WIN) {
        text_add_string(text, outcome(result->lower > 0 ? 1 : result->upper < 0 ? -1 : 0));
    } else {
        text_addf(text, "%d", (int)result->lower);
    }
}

/* What is known of a value, inside an object. */
static void add_json_value(struct json *json, const struct solving *solving, const struct search_result *result) {
    bool solved = is_solved(solving, result);
    json_bool(json, "solved", solved);
    if (solved) {
        json_string(json, "outcome", outcome(result->lower > 0 ? 1 : result->upper < 0 ? -1 : 0));
    }
    json_int(json, "lower", result->lower);
    json_int(json, "upper", result->upper);
}

/* Begins the one JSON object that is printed; the caller adds the moves and ends it. */
static void begin_json(struct json *json, const struct solving *solving, const struct search_result *result) {
    const struct game *game = solving->request.game;
    char move[32];
    game->move_text(solving->request.position, result->move, move);
    json_open_object(json, NULL);
    json_string(json, "game", game->properties->name);
    json_string(json, "move", move);
    add_json_value(json, solving, result);
    json_int(json, "nodes", (int64_t)result->nodes);
    json_number(json, "seconds", result->wall_seconds, 6);
    line_json(game, solving->request.position, result->pv, result->pv_length, json, "pv");
}

static void print_answer(const struct solving *solving, const struct search_result *result) {
    const struct game *game = solving->request.game;
    char move[32];
    struct text text = TEXT_EMPTY;
    game->move_text(solving->request.position, result->move, move);
    text_add_string(&text, "value  ");
    add_value(&text, solving, result);
    text_addf(&text, " for %s\nbest   %s\nline   ", game->properties->sides[game->to_move(solving->request.position)],
              move);
    line_write(game, solving->request.position, result->pv, result->pv_length, ", ", &text);
    text_addf(&text, "\nnodes  %llu\ntime   %.3f s (cpu %.3f s)\n", (unsigned long long)result->nodes,
              result->wall_seconds, result->cpu_seconds);
    fputs(text_string(&text), stdout);
    text_free(&text);
}

/* A value as it is one ply before: where the way to the end counts, it is a ply longer. A bound that says nothing
 * stays. */
static game_score one_ply_before(const struct solving *solving, game_score value) {
    if (has_margin(solving) || value == 0 || value <= -GAME_WIN_VALUE || value >= GAME_WIN_VALUE) {
        return -value;
    }
    return value > 0 ? 1 - value : -1 - value;
}

/* The exact value of one move: minus that of the position behind it. */
static int solve_move(struct solving *solving, struct game_position *after, struct search_result *result) {
    const struct game *game = solving->request.game;
    if (game->over(after)) {
        game_score score = game->score(after);
        memset(result, 0, sizeof *result);
        result->certainty = SEARCH_PROVED;
        score = game->to_move(after) == 1 ? score : -score; /* of the side that moved */
        if (!has_margin(solving) && score != 0) {
            score = score > 0 ? GAME_WIN_VALUE - 1 : 1 - GAME_WIN_VALUE;
        }
        result->lower = result->upper = score;
        return 0;
    }
    int exit_status = solve_one(solving, after, result);
    game_score lower = result->lower;
    result->lower = one_ply_before(solving, result->upper);
    result->upper = one_ply_before(solving, lower);
    return exit_status;
}

/* One move's value: a line, or an object in `json`. */
static void tell_move(const struct solving *solving, const char *move, const struct search_result *result,
                      struct json *json) {
    if (json) {
        json_open_object(json, NULL);
        json_string(json, "move", move);
        add_json_value(json, solving, result);
        json_close_object(json);
        return;
    }
    struct text text = TEXT_EMPTY;
    add_value(&text, solving, result);
    printf("%s: %s\n", move, text_string(&text));
    fflush(stdout);
    text_free(&text);
}

/* Every legal move with its exact value, in the game's order; `json` is NULL for lines. */
static int tell_all(struct solving *solving, struct json *json) {
    const struct game *game = solving->request.game;
    game_move *moves = malloc((size_t)game->properties->most_moves * sizeof *moves);
    int exit_status = moves ? 0 : cli_fail(NULL, &(struct error){.text = "out of memory"}, STATUS_FAIL);
    int count = moves ? game->moves(solving->request.position, moves) : 0;
    if (solving->each_seconds > 0) {
        solving->limits.wall_seconds = solving->each_seconds;
    }
    for (int i = 0; i < count && exit_status == 0 && !cli_interrupted(); i++) {
        char move[32];
        struct game_undo undo;
        struct search_result result;
        game->move_text(solving->request.position, moves[i], move);
        solving->done = i;
        solving->count = count;
        snprintf(solving->label, sizeof solving->label, "%d of %d  %s  ", i + 1, count, move);
        game->play(solving->request.position, moves[i], &undo);
        exit_status = solve_move(solving, solving->request.position, &result);
        game->undo(solving->request.position, &undo);
        if (exit_status == 0) {
            tell_move(solving, move, &result, json);
        }
    }
    free(moves);
    return exit_status;
}

/* Prints the answer, and the value of every move when that was asked for: lines as they come, or one JSON object. */
static int tell(struct solving *solving, const struct search_result *result) {
    if (!solving->json) {
        print_answer(solving, result);
        return solving->all ? tell_all(solving, NULL) : 0;
    }
    struct text text = TEXT_EMPTY;
    struct json json = {.text = &text};
    int exit_status = 0;
    begin_json(&json, solving, result);
    if (solving->all) {
        json_open_list(&json, "moves");
        exit_status = tell_all(solving, &json);
        json_close_list(&json);
    }
    json_close_object(&json);
    if (exit_status == 0) {
        printf("%s\n", text_string(&text));
    }
    text_free(&text);
    return exit_status;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct solving solving = {.limits = {.goal = SEARCH_EXACT}};
    struct searcher_options searcher = {.threads = machine_cores(), .hash_bytes = machine_table_share(0, 1)};
    const char *format = NULL;
    struct solve_whole whole = {0};
    bool win = false;
    bool all_positions = false;
    const struct cli_option table[] = {
        {"all", 'a', CLI_FLAG, &solving.all, NULL, "also the exact value of every legal move", 0, 0},
        {"win", 'w', CLI_FLAG, &win, NULL, "prove only win, draw or loss: far sooner than the margin", 0, 0},
        CLI_ENGINE_OPTIONS(searcher),
        {"time", 't', CLI_SECONDS, &solving.limits.wall_seconds, "SECONDS",
         "give up after so long, with bounds (Gomoku: 60 by default)", 0, 0},
        {"json", 0, CLI_FLAG, &solving.json, NULL, "print the answer as JSON", 0, 0},
        {"whole", 0, CLI_FLAG, &all_positions, NULL, "a war board by all its positions at once, not by search", 0, 0},
        {"on", 0, CLI_STRING, &whole.on, "MACHINE", "with --whole: cpu or cuda (default: a card that has room)", 0, 0},
        {"format", 0, CLI_STRING, &format, "NAME", "take the file as NAME: stake, sneak, laser, position", 0, 0},
        {0},
    };
    const char *file = "input.txt";
    int exit_status;
    if (!cli_parse_file(command, table, argc, argv, &file, &exit_status)) {
        return exit_status;
    }
    solving.limits.goal = win ? SEARCH_WIN : SEARCH_EXACT;
    exit_status = cli_read_request(file, format, false, &solving.request);
    if (exit_status != 0) {
        return exit_status;
    }
    if (!has_margin(&solving) && !(solving.limits.wall_seconds > 0)) {
        solving.limits.wall_seconds = USUAL_SECONDS;
        solving.each_seconds = USUAL_SECONDS_A_MOVE;
    }
    solving.engine = engine_new(&searcher);
    solving.start = clock_wall();
    struct search_result result;
    if (!solving.engine) {
        exit_status = cli_fail(NULL, &(struct error){.text = "out of memory"}, STATUS_FAIL);
    } else if (all_positions) {
        whole.all = solving.all;
        whole.json = solving.json;
        whole.threads = searcher.threads;
        exit_status = solve_whole(&whole, &solving.request, solving.engine);
    } else {
        exit_status = solve_one(&solving, solving.request.position, &result);
    }
    if (exit_status == 0 && !all_positions) {
        exit_status = tell(&solving, &result);
    }
    engine_free(solving.engine);
    course_request_free(&solving.request);
    return exit_status;
}

const struct cli_command cli_solve = {
    .name = "solve",
    .summary = "find the exact value of a position under perfect play",
    .usage = "[FILE] [--all] [--win] [OPTIONS]",
    .details = "Searches to the end of the game and prints the final margin under perfect play from the view of the\n"
               "side to move, a best move, the line of best play, nodes and time. Ctrl-C prints the bounds proved so\n"
               "far. In Gomoku a win or a loss is proved with a number of moves it takes at most, and a draw when\n"
               "few squares are left; without --time it is given up after 60 s, and with --all after 2 s a move.\n",
    .example = "  printf 'war stake 3 X\\n12 70 61\\n8 22 63\\n14 88 49\\n...\\n...\\n...\\n' | sortie solve - --all\n",
    .run = run,
};
