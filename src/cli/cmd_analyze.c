#include <math.h>
#include <stdio.h>

#include "cli/commands.h"
#include "games/gomoku/gomoku.h"
#include "games/gomoku/gomoku_stats.h"

struct analysis {
    const struct game *game;
    const struct game_position *position;
    struct search_result lines[64]; /* the last report on each line */
    int count;
    int last_depth;
    bool all; /* print every depth, not only the last */
};

/* The value for people: a win chance, or how many moves a proven win takes. */
static void value_text(const struct game *game, const struct search_result *line, char text[40]) {
    int value = line->value;
    bool wins = game->properties->score_kind == GAME_SCORE_WIN;
    if (wins && value >= GAME_WIN_VALUE - 1000) {
        snprintf(text, 40, "wins in %d", (GAME_WIN_VALUE - value + 1) / 2);
    } else if (wins && value <= 1000 - GAME_WIN_VALUE) {
        snprintf(text, 40, "loses in %d", (GAME_WIN_VALUE + value + 1) / 2);
    } else if (wins) {
        snprintf(text, 40, "%.1f%%", 100.0 / (1.0 + exp(-value / 200.0)));
    } else {
        snprintf(text, 40, "%+d", value);
    }
}

static void print_lines(const struct analysis *analysis) {
    for (int i = 0; i < analysis->count; i++) {
        const struct search_result *line = &analysis->lines[i];
        char value[40];
        value_text(analysis->game, line, value);
        double seconds = line->wall_seconds > 1e-6 ? line->wall_seconds : 1e-6;
        printf("depth %2d  line %d  %s  nodes %llu  nps %.0f  time %.3f  pv", line->depth, i + 1, value,
               (unsigned long long)line->nodes, (double)line->nodes / seconds, line->wall_seconds);
        for (int j = 0; j < line->pv_length; j++) {
            char move[32];
            analysis->game->move_text(analysis->position, line->pv[j], move);
            printf(" %s", move);
        }
        printf("\n");
    }
    fflush(stdout);
}

static void take_report(void *user, const struct search_result *report) {
    struct analysis *analysis = user;
    if (report->line >= 64) {
        return;
    }
    if (analysis->all && report->line == 0 && analysis->count > 0) {
        print_lines(analysis);
    }
    analysis->lines[report->line] = *report;
    analysis->count = report->line == 0 && analysis->all   ? 1
                      : report->line + 1 > analysis->count ? report->line + 1
                                                           : analysis->count;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct searcher_options searcher_options = {0};
    struct search_limits limits = {.multi_pv = 1};
    const char *format = NULL;
    bool all = false;
    bool stats = false;
    const struct cli_option table[] = {
        {"lines", 'n', CLI_INT, &limits.multi_pv, "N", "report on the N best moves (default 1)", 1, 64},
        {"time", 't', CLI_SECONDS, &limits.wall_seconds, "SECONDS", "think so long (default 5 s)", 0, 0},
        {"depth", 'd', CLI_INT, &limits.depth, "PLIES", "or so deep", 0, 0},
        {"nodes", 0, CLI_COUNT, &limits.nodes, "N", "or so many nodes", 0, 0},
        {"threads", 0, CLI_INT, &searcher_options.threads, "N", "search with N threads (default 1)", 1, 256},
        {"hash", 0, CLI_SIZE, &searcher_options.hash_bytes, "MIB", "memory for tables", 0, 0},
        {"all", 'a', CLI_FLAG, &all, NULL, "print every depth, not only the last", 0, 0},
        {"stats", 0, CLI_FLAG, &stats, NULL, "then print what the search counted", 0, 0},
        {"format", 0, CLI_STRING, &format, "NAME", "take the file as NAME: position, sgf, ...", 0, 0},
        {0},
    };
    const char *file = "input.txt";
    int exit_status;
    if (!cli_parse_file(command, table, argc, argv, &file, &exit_status)) {
        return exit_status;
    }
    struct course_request request;
    exit_status = cli_read_request(file, format, false, &request);
    if (exit_status != 0) {
        return exit_status;
    }
    if (request.game != &gomoku_game) {
        course_request_free(&request);
        return cli_usage("analyze: expected a position of Gomoku; sortie solve is for the other games");
    }
    if (!limits.depth && !limits.nodes && !(limits.wall_seconds > 0)) {
        limits.wall_seconds = 5;
    }
    struct error error = {0};
    struct searcher *searcher = request.game->searcher_new(&searcher_options, &error);
    if (!searcher) {
        course_request_free(&request);
        return cli_fail(NULL, &error, STATUS_FAIL);
    }
    static struct analysis analysis;
    analysis = (struct analysis){.game = request.game, .position = request.position, .all = all};
    struct search_control *control = cli_control();
    control->info = take_report;
    control->user = &analysis;
    struct search_result result;
    request.game->think(searcher, request.position, &limits, control, &result);
    control->info = NULL;
    if (analysis.count <= 1) { /* the final word, with the totals of all threads */
        analysis.lines[0] = result;
        analysis.count = 1;
    }
    print_lines(&analysis);
    if (stats) {
        struct text text = {0};
        gomoku_searcher_stats(searcher, &text);
        fwrite(text.data, 1, text.length, stdout);
        text_free(&text);
    }
    request.game->searcher_free(searcher);
    course_request_free(&request);
    return 0;
}

const struct cli_command cli_analyze = {
    .name = "analyze",
    .summary = "show the best moves of a Gomoku position",
    .usage = "[FILE] [-n LINES] [-t SECONDS | -d PLIES | --nodes N] [--all] [--stats]",
    .details = "Thinks about a Gomoku position (default input.txt; sortie's own text or SGF) and prints, for each of\n"
               "the best moves, the depth, the chance to win, nodes, nodes a second, and the line that is expected.\n",
    .example = "  printf 'gomoku freestyle 15\\nH8 I9 J8\\n' | sortie analyze - -n 3 --nodes 50K\n",
    .run = run,
};
