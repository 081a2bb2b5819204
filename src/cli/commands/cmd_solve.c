/* The exact value of a position, and of each of its moves. It stands on the public API, apart from --whole. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/stopwatch.h"
#include "cli/commands.h"
#include "cli/solving/solve_whole.h"
#include "cli/ticker.h"
#include "formats/line.h"
#include "system/machine.h"

/* A game that no search can be sure to see the end of is given up after so long, unless --time says otherwise. */
#define USUAL_SECONDS 60
#define USUAL_SECONDS_A_MOVE 2

/* What one run of the command works with. */
struct solving {
    sortie_position *position;
    sortie_game_info info;
    sortie_engine *engine;
    sortie_limits limits;
    bool all;
    bool json;
    double start;
    double each_seconds; /* for each move with --all; 0: as for the position */
    char label[64];      /* what is being solved, for the progress line */
    int done;            /* with --all: so many moves */
    int count;           /* of so many; 0: the position itself is being solved */
    double widest;       /* the bounds nothing needs to be proved for, as far as the game tells them */
    struct ticker ticker;
    bool reported; /* something, which is `report` */
    sortie_result report;
};

static int sign_of(const sortie_result *result) {
    return result->lower > 0 ? 1 : result->upper < 0 ? -1 : 0;
}

static const char *outcome(const sortie_result *result) {
    static const char *const names[] = {"loss", "draw", "win"};
    return names[1 + sign_of(result)];
}

/* Bounds as people read them: one number when they meet. A game that is won or lost and nothing between has none to
 * show before that is known. */
static void add_bounds(struct text *text, const struct solving *solving, const sortie_result *result) {
    if (result->lower == result->upper) {
        text_addf(text, "%d", result->lower);
    } else if (!solving->info.margin && result->lower <= 0 && result->upper >= 0) {
        text_add_string(text, "unknown");
    } else {
        text_addf(text, "%d to %d", result->lower, result->upper);
    }
}

/* A guess of what is left, 0 where there is none: by the moves done with --all, else by how often the bounds must still
 * be halved if each time takes as long as the mean one so far. */
static double seconds_left(const struct solving *solving, const sortie_result *report, double seconds) {
    if (solving->limits.wall_seconds > 0) {
        return solving->limits.wall_seconds - seconds;
    }
    if (solving->count > 0) {
        return solving->done > 0 ? seconds * (solving->count - solving->done) / solving->done : 0;
    }
    double now = log2((double)report->upper - report->lower + 1);
    double first = log2(2.0 * solving->widest + 1);
    return report->proved && now > 0 && first > now ? seconds * now / (first - now) : 0;
}

/* What is known and how long it took, also while the search has nothing new to say. */
static void draw_progress(void *user) {
    struct solving *solving = user;
    const sortie_result *report = &solving->report;
    double seconds = clock_wall() - solving->start;
    struct text line = TEXT_EMPTY;
    text_addf(&line, "%svalue ", solving->label);
    if (solving->reported) {
        add_bounds(&line, solving, report);
        text_addf(&line, "  %.1f million nodes", (double)report->nodes / 1e6);
    } else {
        text_add_string(&line, "unknown");
    }
    text_addf(&line, "  %.0f s", seconds);
    double left = solving->reported ? seconds_left(solving, report, seconds) : 0;
    if (left > 0) {
        text_addf(&line, ", about %.0f s left", left);
    }
    cli_progress(text_string(&line));
    text_free(&line);
}

static void report_progress(void *user, const sortie_result *report) {
    struct solving *solving = user;
    if (!cli_shows_progress()) {
        return;
    }
    pthread_mutex_lock(&solving->ticker.lock);
    solving->widest = report->upper > solving->widest ? report->upper : solving->widest;
    solving->report = *report;
    solving->reported = true;
    draw_progress(solving);
    pthread_mutex_unlock(&solving->ticker.lock);
}

/* Solves the position as it stands now. */
static int solve_one(struct solving *solving, sortie_result *result) {
    sortie_error error = {0};
    *result = SORTIE_INIT(sortie_result);
    solving->reported = false;
    ticker_start(&solving->ticker, draw_progress, solving);
    sortie_status status = sortie_engine_go(solving->engine, solving->position, &solving->limits, result, &error);
    ticker_stop(&solving->ticker);
    cli_progress(NULL);
    return status == SORTIE_OK ? 0 : cli_refuse(NULL, &error, status);
}

/* With --win, and in a game without a margin, a proof is complete as soon as the sign is known. */
static bool is_solved(const struct solving *solving, const sortie_result *result) {
    bool sign = (solving->limits.goal == SORTIE_WIN || !solving->info.margin) && sign_of(result) != 0;
    return result->proved && (sign || result->lower == result->upper);
}

/* "win in at most 3 moves": the value of such a game is the number of plies to its end, counted from a win. */
static void add_distance(struct text *text, const sortie_result *result) {
    int plies = SORTIE_WIN_VALUE - (result->lower > 0 ? result->lower : -result->upper);
    int moves = (plies + 1) / 2;
    text_add_string(text, outcome(result));
    if (sign_of(result) != 0) {
        text_addf(text, " in %s%d move%s", plies <= 2 ? "" : "at most ", moves, moves == 1 ? "" : "s");
    }
}

static void add_value(struct text *text, const struct solving *solving, const sortie_result *result) {
    if (!is_solved(solving, result)) {
        add_bounds(text, solving, result);
        text_add_string(text, " (not solved)");
    } else if (!solving->info.margin) {
        add_distance(text, result);
    } else if (solving->limits.goal == SORTIE_WIN) {
        text_add_string(text, outcome(result));
    } else {
        text_addf(text, "%d", result->lower);
    }
}

/* What is known of a value, inside an object. */
static void add_json_value(struct json *json, const struct solving *solving, const sortie_result *result) {
    bool solved = is_solved(solving, result);
    json_bool(json, "solved", solved);
    if (solved) {
        json_string(json, "outcome", outcome(result));
    }
    json_int(json, "lower", result->lower);
    json_int(json, "upper", result->upper);
}

/* Begins the one JSON object that is printed; the caller adds the moves and ends it. */
static void begin_json(struct json *json, const struct solving *solving, const sortie_result *result) {
    json_open_object(json, NULL);
    json_string(json, "game", solving->info.name);
    json_string(json, "move", result->move);
    add_json_value(json, solving, result);
    json_int(json, "nodes", (int64_t)result->nodes);
    json_number(json, "seconds", result->wall_seconds, 6);
    line_list(result->line_moves, result->line_length, "pv", json);
}

static int print_answer(const struct solving *solving, const sortie_result *result) {
    struct text text = TEXT_EMPTY;
    text_add_string(&text, "value  ");
    add_value(&text, solving, result);
    text_addf(&text, " for %s\nbest   %s\nline   ", solving->info.sides[sortie_position_to_move(solving->position)],
              result->move);
    line_join(result->line_moves, result->line_length, ", ", &text);
    text_addf(&text, "\nnodes  %llu\ntime   %.3f s (cpu %.3f s)\n", (unsigned long long)result->nodes,
              result->wall_seconds, result->cpu_seconds);
    return cli_print(&text);
}

/* A value as it is one ply before: where the way to the end counts, it is a ply longer. A bound that says nothing
 * stays. */
static int one_ply_before(const struct solving *solving, int value) {
    if (solving->info.margin || value == 0 || value <= -SORTIE_WIN_VALUE || value >= SORTIE_WIN_VALUE) {
        return -value;
    }
    return value > 0 ? 1 - value : -1 - value;
}

/* The exact value of a move that has been played: minus that of the position behind it. */
static int solve_played(struct solving *solving, int mover, sortie_result *result) {
    if (sortie_position_is_over(solving->position)) {
        int score = sortie_position_score(solving->position);
        score = mover == 0 ? score : -score;
        if (!solving->info.margin && score != 0) {
            score = score > 0 ? SORTIE_WIN_VALUE - 1 : 1 - SORTIE_WIN_VALUE;
        }
        *result = (sortie_result){.proved = 1, .lower = score, .upper = score};
        return 0;
    }
    int exit_status = solve_one(solving, result);
    int lower = result->lower;
    result->lower = one_ply_before(solving, result->upper);
    result->upper = one_ply_before(solving, lower);
    return exit_status;
}

/* One move's value: a line, or an object in `json`. */
static void tell_move(const struct solving *solving, const char *move, const sortie_result *result, struct json *json) {
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
    sortie_position *position = solving->position;
    int mover = sortie_position_to_move(position);
    int count = sortie_position_moves(position, NULL, 0);
    sortie_move *moves = count > 0 ? malloc((size_t)count * sizeof *moves) : NULL;
    if (!moves || sortie_position_moves(position, moves, count) != count) {
        free(moves);
        return cli_no_memory();
    }
    if (solving->each_seconds > 0) {
        solving->limits.wall_seconds = solving->each_seconds;
    }
    int exit_status = 0;
    for (int i = 0; i < count && exit_status == 0 && !cli_interrupted(); i++) {
        sortie_error error = {0};
        sortie_result result;
        solving->done = i;
        solving->count = count;
        snprintf(solving->label, sizeof solving->label, "%d of %d  %s  ", i + 1, count, moves[i]);
        sortie_status status = sortie_position_play(position, moves[i], &error);
        exit_status = status == SORTIE_OK ? solve_played(solving, mover, &result) : cli_refuse(NULL, &error, status);
        sortie_position_undo(position, NULL);
        if (exit_status == 0) {
            tell_move(solving, moves[i], &result, json);
        }
    }
    free(moves);
    return exit_status;
}

/* Prints the answer, and the value of every move when that was asked for: lines as they come, or one JSON object. */
static int tell(struct solving *solving, const sortie_result *result) {
    if (!solving->json) {
        int exit_status = print_answer(solving, result);
        return exit_status == 0 && solving->all ? tell_all(solving, NULL) : exit_status;
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
        text_add_char(&text, '\n');
        return cli_print(&text);
    }
    text_free(&text);
    return exit_status;
}

#define LEAST_TABLE ((size_t)1 << 20)
#define BYTES_A_POSITION 32

/* What a table for all positions of the board takes: a square holds one of three things, and either side may be to
 * move. Small boards need next to nothing. */
static size_t most_needed(const sortie_position *position) {
    int squares = sortie_position_rows(position) * sortie_position_columns(position);
    size_t bytes = (size_t)2 * BYTES_A_POSITION;
    for (int i = 0; i < squares && bytes < SIZE_MAX / 3; i++) {
        bytes *= 3;
    }
    return bytes < LEAST_TABLE ? LEAST_TABLE : bytes;
}

/* By search. */
static int solve(struct solving *solving, const char *file, const struct cli_source *source,
                 sortie_engine_options *options) {
    sortie_error error = {0};
    sortie_course *course = NULL;
    int exit_status = cli_read_course(file, source, &course);
    if (exit_status != 0) {
        return exit_status;
    }
    sortie_status status = sortie_course_position(course, &solving->position, &error);
    sortie_course_free(course);
    if (status == SORTIE_OK) {
        sortie_game_about(sortie_position_game(solving->position), &solving->info, NULL);
        size_t needed = options->hash_bytes ? SIZE_MAX : most_needed(solving->position); /* who says a size gets it */
        options->hash_bytes =
            options->hash_bytes || !solving->info.margin ? options->hash_bytes : machine_proof_share();
        cli_use_machine(options, 0);
        options->hash_bytes = options->hash_bytes < needed ? options->hash_bytes : needed;
        status = sortie_engine_new(options, &solving->engine, &error);
    }
    if (status != SORTIE_OK) {
        sortie_position_free(solving->position);
        return cli_refuse(NULL, &error, status);
    }
    if (!solving->info.margin && !(solving->limits.wall_seconds > 0)) {
        solving->limits.wall_seconds = USUAL_SECONDS;
        solving->each_seconds = USUAL_SECONDS_A_MOVE;
    }
    sortie_result result;
    solving->start = clock_wall();
    cli_watch(solving->engine);
    exit_status = solve_one(solving, &result);
    exit_status = exit_status ? exit_status : tell(solving, &result);
    cli_watch(NULL);
    sortie_engine_free(solving->engine);
    sortie_position_free(solving->position);
    return exit_status;
}

/* By all positions of the boards at once. */
static int solve_at_once(const struct solve_whole *whole, const struct cli_source *source, char *const *files,
                         int count, const sortie_engine_options *options) {
    struct engine *engine =
        engine_new(&(struct searcher_options){.threads = options->threads, .hash_bytes = options->hash_bytes});
    if (!engine) {
        return cli_no_memory();
    }
    int exit_status = solve_whole(whole, source, files, count, engine);
    engine_free(engine);
    return exit_status;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct solving solving = {.info = SORTIE_INIT(sortie_game_info), .limits = SORTIE_INIT(sortie_limits)};
    sortie_limits *limits = &solving.limits;
    sortie_engine_options options = SORTIE_INIT(sortie_engine_options);
    struct cli_source source = {0};
    struct solve_whole whole = {0};
    bool win = false;
    bool all_positions = false;
    const struct cli_option table[] = {
        {"all", 'a', CLI_FLAG, &solving.all, NULL, "also the exact value of every legal move", 0, 0},
        {"win", 'w', CLI_FLAG, &win, NULL, "prove only win, draw or loss: far sooner than the margin", 0, 0},
        CLI_ENGINE_OPTIONS(options),
        {"time", 't', CLI_SECONDS, &limits->wall_seconds, "SECONDS",
         "give up after so long, with bounds (Gomoku: 60 by default)", 0, 0},
        {"json", 0, CLI_FLAG, &solving.json, NULL, "print the answer as JSON", 0, 0},
        {"whole", 0, CLI_FLAG, &all_positions, NULL, "a war board by all its positions at once, not by search", 0, 0},
        {"on", 0, CLI_STRING, &whole.on, "MACHINE", "with --whole: cpu or cuda (default: a card that has room)", 0, 0},
        {"map", 0, CLI_STRING, &whole.map, "DIR", "with --whole: draw the values of all first moves to DIR/NAME.svg", 0,
         0},
        {"speed", 0, CLI_FLAG, &whole.speed, NULL, "with --whole: also how fast, against the memory's speed", 0, 0},
        CLI_SOURCE_OPTIONS(source),
        {0},
    };
    char usual[] = "input.txt";
    char *file = usual;
    char **files = &file;
    int count;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &count, &exit_status)) {
        return exit_status;
    }
    files = count > 0 ? argv : files;
    if (count > 1 && !whole.map) {
        return cli_usage("solve: expected one file, found also '%s'", argv[1]);
    }
    if (!all_positions && (whole.map || whole.on || whole.speed)) {
        return cli_usage("solve: --%s goes with --whole", whole.map ? "map" : whole.on ? "on" : "speed");
    }
    if (all_positions) {
        cli_use_machine(&options, 0);
        whole.all = solving.all || whole.map;
        whole.json = solving.json;
        whole.threads = options.threads;
        return solve_at_once(&whole, &source, files, count > 0 ? count : 1, &options);
    }
    limits->method = SORTIE_ENGINE;
    limits->goal = win ? SORTIE_WIN : SORTIE_EXACT;
    limits->on_info = report_progress;
    limits->user = &solving;
    return solve(&solving, files[0], &source, &options);
}

const struct cli_command cli_solve = {
    .name = "solve",
    .summary = "find the exact value of a position under perfect play",
    .usage = "[FILE...] [--all] [--win] [OPTIONS]",
    .details = "Searches to the end of the game and prints the final margin under perfect play from the view of the\n"
               "side to move, a best move, the line of best play, nodes and time. Ctrl-C prints the bounds proved so\n"
               "far. In Gomoku a win or a loss is proved with a number of moves it takes at most, and a draw when\n"
               "few squares are left; without --time it is given up after 60 s, and with --all after 2 s a move.\n"
               "--whole works out every position of a war board instead, which takes memory (34.5 GB for an empty\n"
               "5x5) and no search; under mpirun the processes share it. With --map several files may be given.\n",
    .example = "  printf 'war stake 3 X\\n12 70 61\\n8 22 63\\n14 88 49\\n...\\n...\\n...\\n' | sortie solve - --all\n",
    .run = run,
};
