#include "cli/course_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "formats/traversal.h"

/* One run: everything it owns, so that leaving early is one call. */
struct run {
    const struct course_options *options;
    struct course_request request;
    struct engine *engine;
    struct file_out answer_out;
    struct file_out log_out;
    double reported;             /* when progress was last shown */
    struct search_result result; /* of the first move */
    struct text answer;
};

static void run_free(struct run *run) {
    file_out_abandon(&run->answer_out);
    file_out_abandon(&run->log_out);
    text_free(&run->answer);
    engine_free(run->engine);
    course_request_free(&run->request);
}

static const char *answer_name(const struct run *run) {
    const struct course_format *format = run->request.format;
    return run->request.battle && format->battle_file ? format->battle_file : format->answer_file;
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
static void report_progress(void *user, const struct search_result *report) {
    struct run *run = user;
    double now = clock_wall();
    if (!cli_shows_progress() || now - run->reported < 0.1) {
        return;
    }
    run->reported = now;
    char move[32];
    run->request.game->move_text(run->request.position, report->move, move);
    char line[160];
    snprintf(line, sizeof line, "depth %d  value %d  %s  %llu nodes", report->depth, (int)report->value, move,
             (unsigned long long)report->nodes);
    cli_progress(line);
}

/* How the engine is limited: by the command line, else by the file, else by a usual time. */
static struct search_limits limits_of(const struct run *run, const struct course_player *player) {
    struct search_limits limits = run->options->limits;
    bool given =
        limits.depth || limits.nodes || limits.wall_seconds > 0 || limits.cpu_seconds > 0 || limits.goal != SEARCH_BEST;
    if (!given && player->cpu_seconds_left > 0) {
        limits.cpu_seconds_left = player->cpu_seconds_left;
    } else if (!given && player->wall_seconds > 0) {
        limits.wall_seconds = player->wall_seconds;
    } else if (!given) {
        limits.depth = 1; /* a file with no CPU second left: the quickest legal answer */
    }
    return limits;
}

/* A method of the textbook has one right answer, and an unfinished search does not know it: what is there stays, and
 * nothing is written. The engine has a move at any time. */
static int end_interrupted(const struct engine_request *request) {
    if (request->method == SEARCH_ENGINE) {
        fprintf(stderr, "sortie: interrupted, answering with the best move so far\n");
        return 0;
    }
    fprintf(stderr, "sortie: interrupted before the search was through: nothing is written\n");
    return CLI_INTERRUPTED;
}

static int choose(struct run *run, const struct game_position *position, const struct course_player *player,
                  const struct textbook_visitor *visitor, struct search_result *result) {
    struct engine_request request = {.method = run->options->engine ? SEARCH_ENGINE : player->method,
                                     .depth = player->depth,
                                     .visitor = visitor,
                                     .limits = limits_of(run, player)};
    struct search_control *control = cli_control();
    control->info = report_progress;
    control->user = run;
    struct error error = {0};
    enum status status = engine_go(run->engine, run->request.game, position, &request, control, result, &error);
    control->info = NULL;
    if (status == STATUS_OK && request.method != SEARCH_ENGINE && run->options->json) {
        struct textbook_request textbook = {.method = request.method, .depth = request.depth, .stop = &control->stop};
        textbook_line(run->request.game, position, &textbook, result);
    }
    cli_progress(NULL);
    if (status != STATUS_OK) {
        return cli_fail(NULL, &error, status);
    }
    return cli_interrupted() ? end_interrupted(&request) : 0;
}

/* Chooses one move, with the log where the course wants one. */
static int answer_move(struct run *run) {
    const struct course_request *request = &run->request;
    struct traversal_log log;
    bool with_log = request->log && !run->options->engine && !run->options->to_stdout;
    if (with_log) {
        int exit_status = open_target(&run->log_out, log_target(run->options), request->format->log_file);
        if (exit_status != 0) {
            return exit_status;
        }
        traversal_log_begin(&log, run->log_out.stream, request->game->size(request->position),
                            request->players[0].method == TEXTBOOK_ALPHABETA);
    }
    int exit_status =
        choose(run, request->position, &request->players[0], with_log ? &log.visitor : NULL, &run->result);
    if (exit_status != 0) {
        return exit_status;
    }
    struct game_position *after = malloc(request->game->properties->position_size);
    if (!after) {
        return cli_fail(NULL, &(struct error){.text = "out of memory"}, STATUS_FAIL);
    }
    struct game_undo undo;
    memcpy(after, request->position, request->game->properties->position_size);
    request->game->play(after, run->result.move, &undo);
    request->format->answer(request->game, request->position, run->result.move, after, &run->answer);
    free(after);
    return 0;
}

/* Plays on to the end of the game, the two players in turn. */
static int answer_battle(struct run *run) {
    const struct course_request *request = &run->request;
    struct game_position *position = malloc(request->game->properties->position_size);
    if (!position) {
        return cli_fail(NULL, &(struct error){.text = "out of memory"}, STATUS_FAIL);
    }
    memcpy(position, request->position, request->game->properties->position_size);
    int exit_status = 0;
    for (int turn = 0; exit_status == 0 && !request->game->over(position); turn++) {
        struct search_result result;
        exit_status = choose(run, position, &request->players[turn % 2], NULL, turn ? &result : &run->result);
        if (exit_status == 0) {
            struct game_undo undo;
            request->game->play(position, turn ? result.move : run->result.move, &undo);
            request->format->board(position, &run->answer);
        }
    }
    free(position);
    return exit_status;
}

static void print_stats(const struct search_result *result) {
    fprintf(stderr, "nodes %llu\nleaves %llu\ncutoffs %llu\ndepth %d\nvalue %d\ntime %.3f s (cpu %.3f s)\n",
            (unsigned long long)result->nodes, (unsigned long long)result->leaves, (unsigned long long)result->cutoffs,
            result->depth, (int)result->value, result->wall_seconds, result->cpu_seconds);
}

static void print_json(const struct run *run) {
    const struct game *game = run->request.game;
    const struct search_result *result = &run->result;
    struct game_position *position = malloc(game->properties->position_size);
    if (!position) {
        return;
    }
    memcpy(position, run->request.position, game->properties->position_size);
    struct text json = TEXT_EMPTY;
    char move[32];
    game->move_text(position, result->move, move);
    text_add_string(&json, "{\"game\": ");
    text_add_json(&json, game->properties->name);
    text_add_string(&json, ", \"move\": ");
    text_add_json(&json, move);
    text_addf(&json, ", \"value\": %d, \"depth\": %d, \"nodes\": %llu, \"seconds\": %.6f, \"pv\": [",
              (int)result->value, result->depth, (unsigned long long)result->nodes, result->wall_seconds);
    for (int i = 0; i < result->pv_length && game->legal(position, result->pv[i]); i++) {
        struct game_undo undo;
        game->move_text(position, result->pv[i], move);
        text_add_string(&json, i ? ", " : "");
        text_add_json(&json, move);
        game->play(position, result->pv[i], &undo);
    }
    text_add_string(&json, "]}\n");
    fputs(text_string(&json), stdout);
    text_free(&json);
    free(position);
}

/* Renames both files into place; the log is finished first, so that a full disk leaves both old files. */
static int commit(struct run *run) {
    struct error error = {0};
    enum status status = STATUS_OK;
    if (run->log_out.stream) {
        status = file_out_finish(&run->log_out, &error);
    }
    fwrite(run->answer.data, 1, run->answer.length, run->answer_out.stream);
    if (status == STATUS_OK) {
        status = file_out_commit(&run->answer_out, &error);
    }
    if (status == STATUS_OK && run->log_out.target) {
        status = file_out_commit(&run->log_out, &error);
    }
    return status == STATUS_OK ? 0 : cli_fail(answer_name(run), &error, status);
}

int course_run(const struct course_options *options) {
    struct run run = {.options = options};
    cli_control(); /* from here on an interruption leaves no unfinished file */
    int exit_status = cli_read_request(options->input, options->format, false, &run.request);
    if (exit_status != 0) {
        return exit_status;
    }
    if (!options->to_stdout) {
        exit_status = open_target(&run.answer_out, options->output, answer_name(&run));
    }
    run.engine = engine_new(&options->searcher);
    if (exit_status == 0 && !run.engine) {
        exit_status = cli_fail(NULL, &(struct error){.text = "out of memory"}, STATUS_FAIL);
    }
    if (exit_status == 0) {
        exit_status = run.request.battle ? answer_battle(&run) : answer_move(&run);
    }
    if (exit_status == 0 && run.answer.broken) {
        exit_status = cli_fail(NULL, &(struct error){.text = "out of memory"}, STATUS_FAIL);
    }
    if (exit_status == 0 && options->to_stdout && !options->json) {
        fwrite(run.answer.data, 1, run.answer.length, stdout);
    } else if (exit_status == 0 && !options->to_stdout) {
        exit_status = commit(&run);
    }
    if (exit_status == 0 && options->json) {
        print_json(&run);
    }
    if (exit_status == 0 && options->stats) {
        print_stats(&run.result);
    }
    run_free(&run);
    return exit_status;
}
