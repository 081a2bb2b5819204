/* The best moves of a position, in every game. It stands on the public API alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/stopwatch.h"
#include "cli/commands.h"
#include "formats/line.h"

#define MOST_LINES 64
#define USUAL_SECONDS 5.0

struct analysis {
    sortie_game_info info;
    sortie_limits limits;
    sortie_result *told; /* owned; the lines of the depth under way, for --all and the progress line */
    int told_count;
    bool all;  /* print every depth, not only the last */
    bool json; /* print lines as JSON */
    bool stats;
    double start;
};

static void add_line(struct text *text, const struct analysis *analysis, const sortie_result *line, int number) {
    double seconds = line->wall_seconds > 1e-6 ? line->wall_seconds : 1e-6;
    text_addf(text, "depth %2d  line %d  ", line->depth, number + 1);
    cli_add_value(text, &analysis->info, line);
    if (line->draw >= 0.005) {
        text_addf(text, " (draw %.0f%%)", 100 * line->draw);
    }
    text_addf(text, "  nodes %llu  nps %.0f  time %.3f  pv ", (unsigned long long)line->nodes,
              (double)line->nodes / seconds, line->wall_seconds);
    line_join(line->line_moves, line->line_length, strchr(line->move, ' ') ? ", " : " ", text);
    text_add_char(text, '\n');
}

static void add_line_json(struct text *text, const sortie_result *line, int number) {
    bool exact = line->proved && line->lower == line->upper;
    struct json json = {text, false};
    json_open_object(&json, NULL);
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
    line_list(line->line_moves, line->line_length, "pv", &json);
    json_close_object(&json);
    text_add_char(text, '\n');
}

static void print_lines(const struct analysis *analysis, const sortie_result *lines, int count) {
    struct text text = TEXT_EMPTY;
    for (int i = 0; i < count; i++) {
        if (analysis->json) {
            add_line_json(&text, &lines[i], i);
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
    text_addf(&text, "depth %d  %s  ", best->depth, best->move);
    cli_add_value(&text, &analysis->info, best);
    text_addf(&text, "  %.1f million nodes", (double)best->nodes / 1e6);
    if (analysis->limits.wall_seconds > spent) {
        text_addf(&text, "  %.0f s left", analysis->limits.wall_seconds - spent);
    }
    cli_progress(text_string(&text));
    text_free(&text);
}

static void take_report(void *user, const sortie_result *report) {
    struct analysis *analysis = user;
    if (report->line >= MOST_LINES) {
        return;
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

static int analyze(struct analysis *analysis, const sortie_position *position, const sortie_engine_options *options) {
    sortie_error error = {0};
    sortie_engine *engine = NULL;
    sortie_result *lines = calloc(MOST_LINES, sizeof *lines);
    analysis->told = calloc(MOST_LINES, sizeof *lines);
    sortie_status status = lines && analysis->told ? sortie_engine_new(options, &engine, &error) : SORTIE_FAIL;
    int count = 0;
    if (status == SORTIE_OK) {
        lines[0].size = sizeof lines[0];
        analysis->start = clock_wall();
        cli_watch(engine);
        status = sortie_engine_analyze(engine, position, &analysis->limits, lines, MOST_LINES, &count, &error);
        cli_watch(NULL);
        cli_progress(NULL);
    } else if (!lines || !analysis->told) {
        snprintf(error.text, sizeof error.text, "out of memory");
    }
    if (status == SORTIE_OK) {
        print_lines(analysis, lines, count);
    }
    if (status == SORTIE_OK && analysis->stats) {
        char *counters = sortie_engine_counters(engine);
        fputs(counters ? counters : "", stdout);
        sortie_free(counters);
    }
    sortie_engine_free(engine);
    free(lines);
    free(analysis->told);
    return status == SORTIE_OK ? 0 : cli_refuse(NULL, &error, status);
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct analysis analysis = {.info = SORTIE_INIT(sortie_game_info), .limits = SORTIE_INIT(sortie_limits)};
    sortie_limits *limits = &analysis.limits;
    sortie_engine_options options = SORTIE_INIT(sortie_engine_options);
    struct cli_source source = {0};
    bool exact = false;
    limits->multi_pv = 1;
    const struct cli_option table[] = {
        {"lines", 'n', CLI_INT, &limits->multi_pv, "N", "report on the N best moves (default 1)", 1, MOST_LINES},
        {"time", 't', CLI_SECONDS, &limits->wall_seconds, "SECONDS", "think so long (default 5 s)", 0, 0},
        {"depth", 'd', CLI_INT, &limits->depth, "PLIES", "or so deep", 0, 0},
        {"nodes", 0, CLI_COUNT, &limits->nodes, "N", "or so many nodes", 0, 0},
        {"exact", 'x', CLI_FLAG, &exact, NULL, "or until the value of every move is proved", 0, 0},
        {"all", 'a', CLI_FLAG, &analysis.all, NULL, "print every depth, not only the last", 0, 0},
        {"stats", 0, CLI_FLAG, &analysis.stats, NULL, "then print what the search counted (Gomoku)", 0, 0},
        {"json", 0, CLI_FLAG, &analysis.json, NULL, "print one JSON object a line", 0, 0},
        CLI_SOURCE_OPTIONS(source),
        CLI_ENGINE_OPTIONS(options),
        {0},
    };
    const char *file = "input.txt";
    int exit_status;
    if (!cli_parse_file(command, table, argc, argv, &file, &exit_status)) {
        return exit_status;
    }
    sortie_position *position = NULL;
    exit_status = cli_read_position(file, &source, &position);
    if (exit_status != 0) {
        return exit_status;
    }
    /* With a fixed depth or number of nodes the answer shall be the same everywhere: one thread, the usual table. */
    bool fixed = limits->depth || limits->nodes;
    if (!fixed && !exact && !(limits->wall_seconds > 0)) {
        limits->wall_seconds = USUAL_SECONDS;
    }
    if (!fixed) {
        cli_use_machine(&options, limits->wall_seconds);
    }
    limits->method = SORTIE_ENGINE;
    limits->goal = exact ? SORTIE_EXACT : SORTIE_BEST;
    limits->on_info = take_report;
    limits->user = &analysis;
    sortie_game_about(sortie_position_game(position), &analysis.info, NULL);
    if (sortie_position_is_over(position)) {
        exit_status = cli_refuse(
            file, &(sortie_error){.text = "expected a position with a move left, the game is over"}, SORTIE_BAD_INPUT);
    } else {
        exit_status = analyze(&analysis, position, &options);
    }
    sortie_position_free(position);
    return exit_status;
}

const struct cli_command cli_analyze = {
    .name = "analyze",
    .summary = "show the best moves of a position with their lines",
    .usage = "[FILE] [-n LINES] [-t SECONDS | -d PLIES | --nodes N | --exact] [--all] [--stats]",
    .details =
        "Thinks about a position of any game (default input.txt; a course file, sortie's own text or SGF) and\n"
        "prints, for each of the best moves, the depth, the value for the side to move (a margin, exact where it\n"
        "is proved, or the chance to win), nodes, nodes a second, and the line that is expected. Uses all cores\n"
        "and a part of the free memory; with --depth or --nodes one thread, so that the answer is the same\n"
        "everywhere. Ctrl-C prints the best so far.\n",
    .example =
        "  printf 'gomoku freestyle 15\\nH8 I9 J8\\n' | sortie analyze - -n 3 --nodes 50K\n"
        "  printf 'war stake 3 X\\n12 70 61\\n8 22 63\\n14 88 49\\n...\\n...\\n...\\n' | sortie analyze - -n 3\n",
    .run = run,
};
