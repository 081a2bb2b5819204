#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/solve_whole.h"
#include "engine/engine.h"

/* What one run of the command works with. */
struct solving {
    struct course_request request;
    struct engine *engine;
    struct search_limits limits;
    bool all;
    bool json;
    double start;
    char label[64]; /* what is being solved, for the progress line */
};

static const char *outcome(game_score value) {
    return value > 0 ? "win" : value < 0 ? "loss" : "draw";
}

/* Bounds as people read them: one number when they meet. */
static void add_bounds(struct text *text, game_score lower, game_score upper) {
    if (lower == upper) {
        text_addf(text, "%d", (int)lower);
    } else if (lower == -GAME_INFINITY && upper == GAME_INFINITY) {
        text_add_string(text, "unknown");
    } else {
        text_addf(text, "%d to %d", (int)lower, (int)upper);
    }
}

static void report_progress(void *user, const struct search_result *report) {
    const struct solving *solving = user;
    if (!cli_shows_progress()) {
        return;
    }
    double seconds = clock_wall() - solving->start;
    struct text line = TEXT_EMPTY;
    text_addf(&line, "%svalue ", solving->label);
    add_bounds(&line, report->lower, report->upper);
    text_addf(&line, "  %.1f million nodes  %.1f million a second  %.1f s", (double)report->nodes / 1e6,
              seconds > 0 ? (double)report->nodes / 1e6 / seconds : 0.0, seconds);
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

static bool is_exact(const struct search_result *result) {
    return result->certainty == SEARCH_PROVED && result->lower == result->upper;
}

/* With --win a proof is complete as soon as the sign is known. */
static bool is_solved(const struct solving *solving, const struct search_result *result) {
    bool sign = solving->limits.goal == SEARCH_WIN && result->certainty == SEARCH_PROVED &&
                (result->lower > 0 || result->upper < 0);
    return sign || is_exact(result);
}

static void add_value(struct text *text, const struct solving *solving, const struct search_result *result) {
    if (!is_solved(solving, result)) {
        add_bounds(text, result->lower, result->upper);
        text_add_string(text, " (not solved)");
    } else if (solving->limits.goal == SEARCH_WIN) {
        text_add_string(text, outcome(result->lower > 0 ? 1 : result->upper < 0 ? -1 : 0));
    } else {
        text_addf(text, "%d", (int)result->lower);
    }
}

/* The principal variation in the game's notation, separated by `between`. */
static void add_variation(struct text *text, const struct solving *solving, const struct search_result *result,
                          bool quoted, const char *between) {
    const struct game *game = solving->request.game;
    struct game_position *position = malloc(game->properties->position_size);
    if (!position) {
        return;
    }
    memcpy(position, solving->request.position, game->properties->position_size);
    for (int i = 0; i < result->pv_length && game->legal(position, result->pv[i]); i++) {
        char move[32];
        struct game_undo undo;
        game->move_text(position, result->pv[i], move);
        text_add_string(text, i ? between : "");
        (quoted ? text_add_json : text_add_string)(text, move);
        game->play(position, result->pv[i], &undo);
    }
    free(position);
}

static void print_answer(const struct solving *solving, const struct search_result *result) {
    const struct game *game = solving->request.game;
    char move[32];
    struct text text = TEXT_EMPTY;
    game->move_text(solving->request.position, result->move, move);
    if (solving->json) {
        text_add_string(&text, "{\"game\": ");
        text_add_json(&text, game->properties->name);
        text_add_string(&text, ", \"move\": ");
        text_add_json(&text, move);
        text_addf(&text,
                  ", \"solved\": %s, \"lower\": %d, \"upper\": %d, \"nodes\": %llu, \"seconds\": %.6f, \"pv\": [",
                  is_solved(solving, result) ? "true" : "false", (int)result->lower, (int)result->upper,
                  (unsigned long long)result->nodes, result->wall_seconds);
        add_variation(&text, solving, result, true, ", ");
        text_add_string(&text, "]}\n");
    } else {
        text_add_string(&text, "value  ");
        add_value(&text, solving, result);
        text_addf(&text, " for %s\nbest   %s\nline   ",
                  game->properties->sides[game->to_move(solving->request.position)], move);
        add_variation(&text, solving, result, false, ", ");
        text_addf(&text, "\nnodes  %llu\ntime   %.3f s (cpu %.3f s)\n", (unsigned long long)result->nodes,
                  result->wall_seconds, result->cpu_seconds);
    }
    fputs(text_string(&text), stdout);
    text_free(&text);
}

/* The exact value of one move: minus that of the position behind it. */
static int solve_move(struct solving *solving, struct game_position *after, struct search_result *result) {
    const struct game *game = solving->request.game;
    if (game->over(after)) {
        game_score score = game->score(after);
        memset(result, 0, sizeof *result);
        result->certainty = SEARCH_PROVED;
        result->lower = result->upper = game->to_move(after) == 1 ? score : -score; /* of the side that moved */
        return 0;
    }
    int exit_status = solve_one(solving, after, result);
    game_score lower = result->lower;
    result->lower = -result->upper;
    result->upper = -lower;
    return exit_status;
}

/* Every legal move with its exact value, one a line, in the game's order. */
static int print_all(struct solving *solving) {
    const struct game *game = solving->request.game;
    game_move *moves = malloc((size_t)game->properties->most_moves * sizeof *moves);
    int exit_status = moves ? 0 : cli_fail(NULL, &(struct error){.text = "out of memory"}, STATUS_FAIL);
    int count = moves ? game->moves(solving->request.position, moves) : 0;
    for (int i = 0; i < count && exit_status == 0 && !cli_interrupted(); i++) {
        char move[32];
        struct game_undo undo;
        struct search_result result;
        struct text text = TEXT_EMPTY;
        game->move_text(solving->request.position, moves[i], move);
        snprintf(solving->label, sizeof solving->label, "%d of %d  %s  ", i + 1, count, move);
        game->play(solving->request.position, moves[i], &undo);
        exit_status = solve_move(solving, solving->request.position, &result);
        game->undo(solving->request.position, &undo);
        add_value(&text, solving, &result);
        if (exit_status == 0) {
            printf("%s: %s\n", move, text_string(&text));
            fflush(stdout);
        }
        text_free(&text);
    }
    free(moves);
    return exit_status;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct solving solving = {.limits = {.goal = SEARCH_EXACT}};
    struct searcher_options searcher = {.hash_bytes = (size_t)1 << 30};
    const char *format = NULL;
    struct solve_whole whole = {0};
    bool win = false;
    bool all_positions = false;
    const struct cli_option table[] = {
        {"all", 'a', CLI_FLAG, &solving.all, NULL, "also the exact value of every legal move", 0, 0},
        {"win", 'w', CLI_FLAG, &win, NULL, "prove only win, draw or loss: far sooner than the margin", 0, 0},
        {"threads", 0, CLI_INT, &searcher.threads, "COUNT", "threads (default 1)", 1, 256},
        {"hash", 0, CLI_SIZE, &searcher.hash_bytes, "SIZE", "memory of the table (default 1G)", 0, 0},
        {"time", 't', CLI_SECONDS, &solving.limits.wall_seconds, "SECONDS", "give up after so long, with bounds", 0, 0},
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
        print_answer(&solving, &result);
    }
    if (exit_status == 0 && solving.all && !all_positions) {
        exit_status = print_all(&solving);
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
               "far.\n",
    .example = "  printf 'war stake 3 X\\n12 70 61\\n8 22 63\\n14 88 49\\n...\\n...\\n...\\n' | sortie solve - --all\n",
    .run = run,
};
