/* sortie report: what a results file says, as a page, as text, as CSV, as files of games. */
#include <stdio.h>
#include <string.h>

#include "base/clean.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "results/report.h"
#include "system/file.h"

struct report_options {
    const char *output;
    const char *sgf;
    const char *positions;
    bool csv;
    bool text;
    int most_games;
};

static int write_out(const char *file, const struct text *text) {
    struct error error = {0};
    if (text->broken) {
        return cli_no_memory();
    }
    if (!file || strcmp(file, "-") == 0) {
        fwrite(text_string(text), 1, text->length, stdout);
        return 0;
    }
    enum status status = file_write(file, text_string(text), text->length, &error);
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

/* results.db gives results.html. */
static void page_name(const char *database, struct text *name) {
    size_t length = strlen(database);
    const char *slash = strrchr(database, '/');
    const char *dot = strrchr(database, '.');
    if (dot && (!slash || dot > slash + 1) && dot != database) {
        length = (size_t)(dot - database);
    }
    text_add(name, database, length);
    text_add_string(name, ".html");
}

static int export_games(struct report *report, const struct report_options *options) {
    struct error error = {0};
    int written = 0;
    const char *folder = options->sgf ? options->sgf : options->positions;
    enum status status = options->sgf ? report_sgf(report, folder, &written, &error)
                                      : report_positions(report, folder, &written, &error);
    if (status != STATUS_OK) {
        return cli_fail(folder, &error, status);
    }
    struct clean_line name;
    printf("%d files in %s\n", written, clean_string(&name, folder));
    return 0;
}

static int make_report(struct report *report, const struct report_options *options, const char *database) {
    struct text text = TEXT_EMPTY;
    struct text name = TEXT_EMPTY;
    struct error error = {0};
    enum status status = STATUS_OK;
    int exit_status = 0;
    if (options->sgf || options->positions) {
        return export_games(report, options);
    }
    if (options->text) {
        report_text(report, &text);
    } else if (options->csv) {
        status = report_csv(report, &text, &error);
    } else {
        page_name(database, &name);
        status = name.broken ? error_machine(&error, "out of memory")
                             : report_html(report, options->most_games, &text, &error);
    }
    if (status != STATUS_OK) {
        exit_status = cli_fail(database, &error, status);
    } else {
        const char *page = name.length > 0 ? text_string(&name) : NULL;
        const char *file = options->output ? options->output : page;
        exit_status = write_out(file, &text);
        if (!exit_status && page && strcmp(file, "-") != 0) {
            struct clean_line line;
            printf("%s: %lld games\n", clean_string(&line, file), (long long)report->standings.games);
        }
    }
    text_free(&text);
    text_free(&name);
    return exit_status;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct report_options options = {.most_games = 5000};
    const struct cli_option table[] = {
        {"output", 'o', CLI_STRING, &options.output, "FILE", "write to FILE (- is standard output)", 0, 0},
        {"text", 0, CLI_FLAG, &options.text, NULL, "plain text instead of a page", 0, 0},
        {"csv", 0, CLI_FLAG, &options.csv, NULL, "one line a game instead of a page", 0, 0},
        {"sgf", 0, CLI_STRING, &options.sgf, "FOLDER", "write every game as an SGF file (Gomoku)", 0, 0},
        {"positions", 0, CLI_STRING, &options.positions, "FOLDER", "write every position as a course's input file", 0,
         0},
        {"most-games", 0, CLI_INT, &options.most_games, "COUNT", "games in the page's viewer (default 5000)", 0, 0},
        {0},
    };
    int count;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &count, &exit_status)) {
        return exit_status;
    }
    if (count != 1) {
        return cli_usage("report: expected one results file, found %d", count);
    }
    if (options.text + options.csv + (options.sgf != NULL) + (options.positions != NULL) > 1) {
        return cli_usage("report: give only one of --text, --csv, --sgf and --positions");
    }
    struct error error = {0};
    struct store *store = NULL;
    struct report report;
    enum status status = store_open(&store, argv[0], STORE_READ, &error);
    if (status == STATUS_OK) {
        status = report_open(&report, store, &error);
    }
    if (status != STATUS_OK) {
        exit_status = cli_fail(argv[0], &error, status);
    } else {
        exit_status = make_report(&report, &options, argv[0]);
        report_close(&report);
    }
    store_close(store);
    return exit_status;
}

const struct cli_command cli_report = {
    .name = "report",
    .summary = "make a page with tables, ratings and every game from a results file",
    .usage = "RESULTS.db [-o FILE] [OPTIONS]",
    .details = "Writes one HTML page that needs nothing else: standings, ratings with error bars, cross table, how\n"
               "games were lost, time use, and a viewer to step through every game. RESULTS.db may belong to a match\n"
               "that is still running.\n",
    .example = "  sortie match engine:depth=2 greedy random --rounds 3 --db report-example.db\n"
               "  sortie report report-example.db\n"
               "  sortie report report-example.db --text\n",
    .run = run,
};
