/* The best moves of a position, in every game. It stands on the public API alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/stopwatch.h"
#include "cli/analysis/each.h"
#include "cli/analysis/known.h"
#include "cli/commands.h"
#include "formats/line.h"

#define MOST_LINES 64
#define USUAL_SECONDS 5.0
#define KEEP_EVERY 10.0 /* seconds of a long search, between two entries in the database */
#define MOST_BALANCE 20000
#define NO_BALANCE (MOST_BALANCE + 1)

struct analysis {
    sortie_game_info info;
    sortie_limits limits;
    sortie_engine_options options;
    sortie_result *told; /* owned; the lines of the depth under way, for --all and the progress line */
    int told_count;
    bool all;  /* print every depth, not only the last */
    bool json; /* print lines as JSON */
    bool stats;
    double start;
    int wanted;              /* lines to print */
    int balance;             /* print the moves nearest to it; NO_BALANCE: the best */
    const char *database;    /* its file; NULL: none */
    struct known *known;     /* owned; NULL: no database */
    double kept;             /* when it got something last */
    bool from[MOST_LINES];   /* which lines the database had */
    const struct each *each; /* the position of a game that is under way; NULL: there is only one */
    sortie_engine *engine;   /* owned */
    const char *forbidden;   /* squares the side to move may not play, with blanks between them; may be NULL */
};

static void add_line(struct text *text, const struct analysis *analysis, const sortie_result *line, int number) {
    double seconds = line->wall_seconds > 1e-6 ? line->wall_seconds : 1e-6;
    if (analysis->each) {
        text_addf(text, "%3d %-4s ", analysis->each->ply, analysis->each->played);
    }
    text_addf(text, "depth %2d  line %d  ", line->depth, number + 1);
    cli_add_value(text, &analysis->info, line);
    if (line->draw >= 0.005) {
        text_addf(text, " (draw %.0f%%)", 100 * line->draw);
    }
    if (analysis->from[number]) {
        text_addf(text, "  nodes %llu  known  pv ", (unsigned long long)line->nodes);
    } else {
        text_addf(text, "  nodes %llu  nps %.0f  time %.3f  pv ", (unsigned long long)line->nodes,
                  (double)line->nodes / seconds, line->wall_seconds);
    }
    line_join(line->line_moves, line->line_length, strchr(line->move, ' ') ? ", " : " ", text);
    text_add_char(text, '\n');
}

/* The squares that are forbidden, as a list of strings. */
static void add_forbidden_json(struct json *json, const char *squares) {
    json_open_list(json, "forbidden");
    while (*squares) {
        size_t length = strcspn(squares, " ");
        json_bytes(json, NULL, squares, length);
        squares += length + (squares[length] == ' ');
    }
    json_close_list(json);
}

static void add_line_json(struct text *text, const struct analysis *analysis, const sortie_result *line, int number) {
    bool exact = line->proved && line->lower == line->upper;
    struct json json = {text, false};
    json_open_object(&json, NULL);
    if (analysis->each) {
        json_int(&json, "ply", analysis->each->ply);
        json_string(&json, "played", analysis->each->played);
    }
    json_int(&json, "line", number + 1);
    json_string(&json, "move", line->move);
    json_int(&json, "value", line->value);
    if (line->win + line->draw + line->loss > 0) {
        json_number(&json, "win", line->win, 4);
        json_number(&json, "draw", line->draw, 4);
        json_number(&json, "loss", line->loss, 4);
    }
    json_bool(&json, "exact", exact);
    json_int(&json, "depth", line->depth);
    json_int(&json, "nodes", (int64_t)line->nodes);
    json_number(&json, "seconds", line->wall_seconds, 6);
    if (analysis->from[number]) {
        json_bool(&json, "known", true);
    }
    line_list(line->line_moves, line->line_length, "pv", &json);
    if (analysis->forbidden && number == 0) {
        add_forbidden_json(&json, analysis->forbidden);
    }
    json_close_object(&json);
    text_add_char(text, '\n');
}

static void print_lines(const struct analysis *analysis, const sortie_result *lines, int count) {
    struct text text = TEXT_EMPTY;
    for (int i = 0; i < count; i++) {
        if (analysis->json) {
            add_line_json(&text, analysis, &lines[i], i);
        } else {
            add_line(&text, analysis, &lines[i], i);
        }
    }
    cli_progress(NULL);
    fputs(text_string(&text), stdout);
    fflush(stdout);
    text_free(&text);
}

static void show_progress(const struct analysis *analysis, const sortie_result *best) {
    struct text text = TEXT_EMPTY;
    double spent = clock_wall() - analysis->start;
    if (analysis->each) {
        text_addf(&text, "position %d of %d  ", analysis->each->number, analysis->each->count);
    }
    text_addf(&text, "depth %d  %s  ", best->depth, best->move);
    cli_add_value(&text, &analysis->info, best);
    text_addf(&text, "  %.1f million nodes", (double)best->nodes / 1e6);
    if (analysis->limits.wall_seconds > spent) {
        text_addf(&text, "  %.0f s left", analysis->limits.wall_seconds - spent);
    }
    cli_progress(text_string(&text));
    text_free(&text);
}

/* A long search is not lost when it is killed: the lines of the last depth are kept. */
static void keep_meanwhile(struct analysis *analysis) {
    double now = clock_wall();
    if (analysis->known && now - analysis->kept >= KEEP_EVERY) {
        known_keep(analysis->known, analysis->told, analysis->told_count);
        analysis->kept = now;
    }
}

static void take_report(void *user, const sortie_result *report) {
    struct analysis *analysis = user;
    if (report->line >= MOST_LINES) {
        return;
    }
    if (report->line == 0 && analysis->told_count > 0) {
        keep_meanwhile(analysis);
    }
    if (analysis->all && report->line == 0 && analysis->told_count > 0) {
        print_lines(analysis, analysis->told, analysis->told_count);
    }
    analysis->told[report->line] = *report;
    analysis->told_count = report->line + 1;
    if (cli_shows_progress()) {
        show_progress(analysis, &analysis->told[0]);
    }
}

/* -- which lines are wanted -- */

static int distance(const struct analysis *analysis, const sortie_result *line) {
    return abs(line->value - analysis->balance);
}

/* Puts the moves nearest to the balance first; equals stay in their order. */
static void sort_by_balance(struct analysis *analysis, sortie_result *lines, int count) {
    for (int i = 1; i < count; i++) {
        sortie_result line = lines[i];
        bool from = analysis->from[i];
        int at = i;
        for (; at > 0 && distance(analysis, &lines[at - 1]) > distance(analysis, &line); at--) {
            lines[at] = lines[at - 1];
            analysis->from[at] = analysis->from[at - 1];
        }
        lines[at] = line;
        analysis->from[at] = from;
    }
}

/* The empty squares of a Gomoku board on which the side to move may not play; NULL when there are none. */
static char *find_forbidden(const sortie_position *position) {
    int size = sortie_position_rows(position);
    struct text squares = TEXT_EMPTY;
    int actions = sortie_position_actions(position);
    uint8_t *mask = malloc((size_t)actions);
    uint8_t *inks = malloc((size_t)actions);
    bool renju =
        strcmp(sortie_position_game(position), "gomoku") == 0 && strcmp(sortie_position_rules(position), "renju") == 0;
    if (renju && mask && inks && sortie_position_mask(position, mask, actions) == actions &&
        sortie_position_board(position, inks, actions) == actions) {
        for (int i = 0; i < size * size; i++) {
            sortie_move name;
            if (!mask[i] && inks[i] == SORTIE_INK_EMPTY &&
                sortie_position_action_name(position, i, name, NULL) == SORTIE_OK) {
                text_addf(&squares, "%s%s", squares.length ? " " : "", name);
            }
        }
    }
    free(mask);
    free(inks);
    return squares.data;
}

/* -- one position -- */

/* Searches, unless the database has the answer. */
static sortie_status search(struct analysis *analysis, const sortie_position *position, sortie_result *lines,
                            int *count, sortie_error *error) {
    const sortie_limits *limits = &analysis->limits;
    analysis->told_count = 0;
    analysis->start = analysis->kept = clock_wall();
    if (analysis->known && limits->multi_pv == 1 && limits->goal == SORTIE_BEST &&
        known_recall(analysis->known, limits->depth, limits->nodes, &lines[0])) {
        analysis->from[0] = true;
        *count = 1;
        return SORTIE_OK;
    }
    lines[0].size = sizeof lines[0];
    cli_watch(analysis->engine);
    sortie_status status = sortie_engine_analyze(analysis->engine, position, limits, lines, MOST_LINES, count, error);
    cli_watch(NULL);
    return status;
}

/* Keeps what was found, and takes what is known deeper. */
static int exchange(struct analysis *analysis, sortie_result *lines, int count) {
    int exit_status = 0;
    if (analysis->known && !analysis->from[0]) {
        exit_status = known_keep(analysis->known, lines, count);
        known_improve(analysis->known, lines, count, analysis->from);
    }
    if (analysis->balance != NO_BALANCE) {
        sort_by_balance(analysis, lines, count);
    }
    return exit_status;
}

static int analyze(struct analysis *analysis, const sortie_position *position) {
    sortie_error error = {0};
    sortie_result *lines = calloc(MOST_LINES, sizeof *lines);
    int count = 0;
    int exit_status = 0;
    memset(analysis->from, 0, sizeof analysis->from);
    if (!lines || (analysis->known && !known_begin(analysis->known, position))) {
        free(lines);
        return cli_no_memory();
    }
    sortie_status status = search(analysis, position, lines, &count, &error);
    cli_progress(NULL);
    if (status == SORTIE_OK) {
        char *forbidden = find_forbidden(position);
        exit_status = exchange(analysis, lines, count);
        analysis->forbidden = forbidden;
        if (forbidden && !analysis->json && !analysis->each) {
            printf("forbidden: %s\n", forbidden);
        }
        print_lines(analysis, lines, count < analysis->wanted ? count : analysis->wanted);
        analysis->forbidden = NULL;
        free(forbidden);
    }
    free(lines);
    return status == SORTIE_OK ? exit_status : cli_refuse(NULL, &error, status);
}

/* -- the command -- */

/* With a fixed depth or number of nodes the answer shall be the same everywhere: one thread, the usual table. */
static void set_limits(struct analysis *analysis, bool exact) {
    sortie_limits *limits = &analysis->limits;
    bool fixed = limits->depth || limits->nodes;
    if (!fixed && !exact && !(limits->wall_seconds > 0)) {
        limits->wall_seconds = USUAL_SECONDS;
    }
    if (!fixed) {
        cli_use_machine(&analysis->options, limits->wall_seconds);
    }
    limits->method = SORTIE_ENGINE;
    limits->goal = exact ? SORTIE_EXACT : SORTIE_BEST;
    limits->on_info = take_report;
    limits->user = analysis;
    analysis->wanted = limits->multi_pv;
    limits->multi_pv = analysis->balance == NO_BALANCE ? limits->multi_pv : MOST_LINES;
}

/* Makes what every position needs, once the first is there. */
static int begin(struct analysis *analysis) {
    sortie_error error = {0};
    analysis->told = calloc(MOST_LINES, sizeof *analysis->told);
    if (!analysis->told) {
        return cli_no_memory();
    }
    int exit_status = analysis->database ? known_open(&analysis->known, analysis->database) : 0;
    if (exit_status != 0) {
        return exit_status;
    }
    sortie_status status = sortie_engine_new(&analysis->options, &analysis->engine, &error);
    return status == SORTIE_OK ? 0 : cli_refuse(NULL, &error, status);
}

static int visit(void *user, const struct each *each) {
    struct analysis *analysis = user;
    int exit_status = analysis->engine ? 0 : begin(analysis);
    analysis->each = each;
    exit_status = exit_status ? exit_status : analyze(analysis, each->position);
    return exit_status == 0 && cli_interrupted() ? CLI_INTERRUPTED : exit_status;
}

static int run_one(struct analysis *analysis, const char *file, const struct cli_source *source) {
    sortie_position *position = NULL;
    int exit_status = cli_read_position(file, source, &position);
    if (exit_status != 0) {
        return exit_status;
    }
    sortie_game_about(sortie_position_game(position), &analysis->info, NULL);
    if (sortie_position_is_over(position)) {
        exit_status = cli_refuse(
            file, &(sortie_error){.text = "expected a position with a move left, the game is over"}, SORTIE_BAD_INPUT);
    } else {
        exit_status = begin(analysis);
        exit_status = exit_status ? exit_status : analyze(analysis, position);
    }
    sortie_position_free(position);
    return exit_status;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct analysis analysis = {.info = SORTIE_INIT(sortie_game_info),
                                .limits = SORTIE_INIT(sortie_limits),
                                .options = SORTIE_INIT(sortie_engine_options),
                                .balance = NO_BALANCE};
    sortie_limits *limits = &analysis.limits;
    struct cli_source source = {0};
    bool exact = false;
    bool each = false;
    limits->multi_pv = 1;
    const struct cli_option table[] = {
        {"lines", 'n', CLI_INT, &limits->multi_pv, "N", "report on the N best moves (default 1)", 1, MOST_LINES},
        {"time", 't', CLI_SECONDS, &limits->wall_seconds, "SECONDS", "think so long (default 5 s)", 0, 0},
        {"depth", 'd', CLI_INT, &limits->depth, "PLIES", "or so deep", 0, 0},
        {"nodes", 0, CLI_COUNT, &limits->nodes, "N", "or so many nodes", 0, 0},
        {"exact", 'x', CLI_FLAG, &exact, NULL, "or until the value of every move is proved", 0, 0},
        {"balance", 0, CLI_INT, &analysis.balance, "VALUE", "show the moves whose value is nearest to it: 0 is even",
         -MOST_BALANCE, MOST_BALANCE},
        {"database", 0, CLI_STRING, &analysis.database, "FILE",
         "keep what is found there, and take what is known deeper", 0, 0},
        {"each", 0, CLI_FLAG, &each, NULL, "analyze every position of a recorded game or tree (Gomoku)", 0, 0},
        {"all", 'a', CLI_FLAG, &analysis.all, NULL, "print every depth, not only the last", 0, 0},
        {"stats", 0, CLI_FLAG, &analysis.stats, NULL, "then print what the search counted (Gomoku)", 0, 0},
        {"json", 0, CLI_FLAG, &analysis.json, NULL, "print one JSON object a line", 0, 0},
        CLI_SOURCE_OPTIONS(source),
        CLI_ENGINE_OPTIONS(analysis.options),
        {0},
    };
    const char *file = "input.txt";
    int exit_status;
    if (!cli_parse_file(command, table, argc, argv, &file, &exit_status)) {
        return exit_status;
    }
    set_limits(&analysis, exact);
    sortie_game_about("gomoku", &analysis.info, NULL);
    exit_status = each ? each_position(file, &source, visit, &analysis) : run_one(&analysis, file, &source);
    if (exit_status == 0 && analysis.stats && analysis.engine) {
        char *counters = sortie_engine_counters(analysis.engine);
        fputs(counters ? counters : "", stdout);
        sortie_free(counters);
    }
    sortie_engine_free(analysis.engine);
    known_close(analysis.known);
    free(analysis.told);
    return exit_status;
}

const struct cli_command cli_analyze = {
    .name = "analyze",
    .summary = "show the best moves of a position with their lines",
    .usage = "[FILE] [-n LINES] [-t SECONDS | -d PLIES | --nodes N | --exact] [--database FILE [--each]] ...",
    .details =
        "Thinks about a position of any game (default input.txt; a course file, sortie's own text or SGF) and\n"
        "prints, for each of the best moves, the depth, the value for the side to move (a margin, exact where it\n"
        "is proved, or the chance to win), nodes, nodes a second, and the line that is expected. Uses all cores\n"
        "and a part of the free memory; with --depth or --nodes one thread, so that the answer is the same\n"
        "everywhere. Ctrl-C prints the best so far.\n"
        "\n"
        "--database FILE keeps the values of the position and of its moves ('sortie database' looks at them). What\n"
        "it knows as deep as --depth or --nodes asks for is not searched again; a line it knows deeper than the\n"
        "search takes the place of what was found, and is marked 'known'. With --each every position of a game or\n"
        "a tree is analyzed in turn, from its ends to its beginning; interrupted, the same command goes on.\n"
        "--balance shows the moves after which the position is nearest to a value, in place of the best ones; in\n"
        "Gomoku 200 is won 73 times of 100. In renju the squares forbidden to the side to move are listed.\n",
    .example =
        "  printf 'gomoku freestyle 15\\nH8 I9 J8\\n' | sortie analyze - -n 3 --nodes 50K\n"
        "  printf 'war stake 3 X\\n12 70 61\\n8 22 63\\n14 88 49\\n...\\n...\\n...\\n' | sortie analyze - -n 3\n",
    .run = run,
};
