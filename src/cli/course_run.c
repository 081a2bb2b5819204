#include "cli/course_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "formats/line.h"
#include "system/file.h"

/* What starting this program takes at least, in CPU seconds: the system's clock may stand at 0 until its next tick. */
#define LEAST_START 0.001

/* One run: everything it owns, so that leaving early is one call. */
struct run {
    const struct course_options *options;
    sortie_course *course;
    sortie_course_info info;
    sortie_engine *engine;
    struct file_out answer_out;
    struct file_out log_out;
    int log_cause;        /* why the log could not be written, or 0 */
    double begun;         /* when the search began */
    double reported;      /* when progress was last shown */
    int reports;          /* so many so far */
    int root_moves;       /* of so many, for the textbook's searches */
    bool own;             /* the caller's limits replace what the file asks for */
    sortie_result result; /* of the first move */
    char *answer;
};

static void run_free(struct run *run) {
    cli_watch(NULL);
    file_out_abandon(&run->answer_out);
    file_out_abandon(&run->log_out);
    sortie_free(run->answer);
    sortie_engine_free(run->engine);
    sortie_course_free(run->course);
}

static bool is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Opens a file to be written: `wanted` when given (or inside it, when it is a folder), else the course's name. */
static int open_target(struct file_out *out, const char *wanted, const char *name) {
    struct error error = {0};
    struct text path = TEXT_EMPTY;
    if (wanted && is_folder(wanted)) {
        text_addf(&path, "%s/%s", wanted, name);
    } else {
        text_add_string(&path, wanted ? wanted : name);
    }
    enum status status = file_out_open(out, text_string(&path), &error);
    int exit_status = status == STATUS_OK ? 0 : cli_fail(text_string(&path), &error, status);
    text_free(&path);
    return exit_status;
}

/* Where the log goes: beside an answer that was sent to a folder, else to its own name. */
static const char *log_target(const struct course_options *options) {
    if (options->log) {
        return options->log;
    }
    return options->output && is_folder(options->output) ? options->output : NULL;
}

/* At most ten lines a second, and none when there is no terminal. */
static void report_progress(void *user, const sortie_result *report) {
    struct run *run = user;
    double now = clock_wall();
    run->reports++;
    if (!cli_shows_progress() || now - run->reported < 0.1) {
        return;
    }
    run->reported = now;
    char line[160];
    int length = snprintf(line, sizeof line, "depth %d  value %d  %s  %llu nodes", report->depth, report->value,
                          report->move, (unsigned long long)report->nodes);
    /* The textbook's searches report after each move of the root, all of which take about as long. */
    if (run->info.method != SORTIE_ENGINE && run->reports < run->root_moves) {
        double left = (now - run->begun) * (run->root_moves - run->reports) / run->reports;
        snprintf(line + length, sizeof line - (size_t)length, "  %d of %d moves, about %.0f s left", run->reports,
                 run->root_moves, left);
    }
    cli_progress(line);
}

/* A full disk ends the search: without its log the answer is worth nothing. */
static void write_log(void *user, const char *bytes, size_t length) {
    struct run *run = user;
    if (fwrite(bytes, 1, length, run->log_out.stream) < length && !run->log_cause) {
        run->log_cause = errno;
        sortie_engine_stop(run->engine);
    }
}

/* Reads the file and opens what will be written, before any time is spent on searching. */
static int prepare(struct run *run) {
    const struct course_options *options = run->options;
    sortie_error error = {0};
    int exit_status = cli_read_course(options->input, &options->source, &run->course);
    if (exit_status != 0) {
        return exit_status;
    }
    sortie_course_about(run->course, &run->info, NULL);
    if (!options->to_stdout) {
        exit_status = open_target(&run->answer_out, options->output, run->info.answer_file);
    }
    if (exit_status == 0) {
        sortie_status status = sortie_engine_new(&options->engine, &run->engine, &error);
        exit_status = status == SORTIE_OK ? 0 : cli_refuse(NULL, &error, status);
    }
    return exit_status;
}

/* A method of the textbook has one right answer, and an unfinished search does not know it: what is there stays, and
 * nothing is written. The engine has a move at any time. */
static int end_interrupted(bool engine) {
    if (engine) {
        fprintf(stderr, "sortie: interrupted, answering with the best move so far\n");
        return 0;
    }
    fprintf(stderr, "sortie: interrupted before the search was through: nothing is written\n");
    return CLI_INTERRUPTED;
}

static int search(struct run *run) {
    const struct course_options *options = run->options;
    sortie_limits limits = options->limits;
    limits.size = sizeof limits;
    limits.method = SORTIE_ENGINE;
    limits.on_info = report_progress;
    limits.user = run;
    limits.whole_line = options->json;
    sortie_course_orders orders = {.size = sizeof orders, .limits = &limits, .user = run};
    run->own = sortie_limits_replace_file(&limits);
    if (run->info.log_file && !run->own && !options->to_stdout) {
        int exit_status = open_target(&run->log_out, log_target(options), run->info.log_file);
        if (exit_status != 0) {
            return exit_status;
        }
        orders.on_log = write_log;
    }
    sortie_error error = {0};
    sortie_position *position = NULL;
    if (sortie_course_position(run->course, &position, NULL) == SORTIE_OK) {
        run->root_moves = sortie_position_moves(position, NULL, 0);
    }
    sortie_position_free(position);
    run->begun = clock_wall();
    double spent = clock_cpu();
    orders.cpu_seconds_spent = spent > LEAST_START ? spent : LEAST_START;
    run->result.size = sizeof run->result;
    cli_watch(run->engine);
    sortie_status status = sortie_course_answer(run->course, run->engine, &orders, &run->answer, &run->result, &error);
    cli_watch(NULL);
    cli_progress(NULL);
    if (status != SORTIE_OK) {
        return cli_refuse(NULL, &error, status);
    }
    return cli_interrupted() ? end_interrupted(run->own || run->info.method == SORTIE_ENGINE) : 0;
}

/* What the plain search of the textbook looks at, which students compare with their own; the answer was found with
 * short cuts and is written already. */
static sortie_status count_plainly(struct run *run, sortie_result *plain) {
    sortie_position *position = NULL;
    sortie_status status = sortie_course_position(run->course, &position, NULL);
    if (status == SORTIE_OK) {
        sortie_limits limits = SORTIE_INIT(sortie_limits);
        limits.method = run->info.method;
        limits.depth = run->info.depth;
        limits.textbook_counts = 1;
        limits.on_info = report_progress;
        limits.user = run;
        run->begun = clock_wall();
        run->reports = 0;
        cli_watch(run->engine);
        status = sortie_engine_go(run->engine, position, &limits, plain, NULL);
        cli_watch(NULL);
        cli_progress(NULL);
    }
    sortie_position_free(position);
    return status;
}

static void print_counts(const sortie_result *result) {
    fprintf(stderr, "nodes %llu\nleaves %llu\ncutoffs %llu\n", (unsigned long long)result->nodes,
            (unsigned long long)result->leaves, (unsigned long long)result->cutoffs);
}

/* Nodes, leaves and cut-offs are always the textbook's where the file asks for a method of the textbook. */
static int print_stats(struct run *run) {
    const sortie_result *result = &run->result;
    if (run->own || run->info.method == SORTIE_ENGINE) {
        print_counts(result);
    } else {
        sortie_result plain = SORTIE_INIT(sortie_result);
        sortie_status status = count_plainly(run, &plain);
        if (status != SORTIE_OK) {
            return cli_no_memory();
        }
        if (cli_interrupted()) {
            fprintf(stderr, "sortie: interrupted before the textbook's nodes were counted\n");
        } else {
            print_counts(&plain);
        }
        fprintf(stderr, "searched %llu nodes, by short cuts that change no answer\n",
                (unsigned long long)result->nodes);
    }
    fprintf(stderr, "depth %d\nvalue %d\ntime %.3f s (cpu %.3f s)\n", result->depth, result->value,
            result->wall_seconds, result->cpu_seconds);
    return cli_interrupted() ? CLI_INTERRUPTED : 0;
}

static int print_json(const struct run *run) {
    const sortie_result *result = &run->result;
    sortie_position *position;
    if (sortie_course_position(run->course, &position, NULL) != SORTIE_OK) {
        return cli_no_memory();
    }
    struct text json = TEXT_EMPTY;
    struct json writer = {&json, false};
    json_open_object(&writer, NULL);
    json_string(&writer, "game", sortie_position_game(position));
    json_string(&writer, "move", result->move);
    json_int(&writer, "value", result->value);
    json_int(&writer, "depth", result->depth);
    json_int(&writer, "nodes", (int64_t)result->nodes);
    json_number(&writer, "seconds", result->wall_seconds, 6);
    line_list(result->line_moves, result->line_length, "pv", &writer);
    json_close_object(&writer);
    text_add_char(&json, '\n');
    sortie_position_free(position);
    return cli_print(&json);
}

/* Renames both files into place; the log is finished first, so that a full disk leaves both old files. */
static int commit(struct run *run) {
    struct error error = {0};
    enum status status = STATUS_OK;
    if (run->log_cause) {
        status = error_machine(&error, "cannot be written: %s", strerror(run->log_cause));
    } else if (run->log_out.stream) {
        status = file_out_finish(&run->log_out, &error);
    }
    fputs(run->answer, run->answer_out.stream);
    if (status == STATUS_OK) {
        status = file_out_commit(&run->answer_out, &error);
    }
    if (status == STATUS_OK && run->log_out.target) {
        status = file_out_commit(&run->log_out, &error);
    }
    return status == STATUS_OK ? 0 : cli_fail(run->info.answer_file, &error, status);
}

int course_run(const struct course_options *options) {
    struct run run = {.options = options, .info = SORTIE_INIT(sortie_course_info)};
    cli_control(); /* from here on an interruption leaves no unfinished file */
    int exit_status = prepare(&run);
    if (exit_status == 0) {
        exit_status = search(&run);
    }
    if (exit_status == 0 && options->to_stdout && !options->json) {
        fputs(run.answer, stdout);
    } else if (exit_status == 0 && !options->to_stdout) {
        exit_status = commit(&run);
    }
    if (exit_status == 0 && options->json) {
        exit_status = print_json(&run);
    }
    if (exit_status == 0 && options->stats) {
        exit_status = print_stats(&run);
    }
    run_free(&run);
    return exit_status;
}
