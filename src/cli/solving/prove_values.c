#include "cli/solving/prove_values.h"

#include <stdio.h>

#include "base/stopwatch.h"
#include "prove/values.h"
#include "system/file.h"

#define USUAL_HASH ((size_t)256 << 20)

static void show_progress(void *user, const struct values_report *report) {
    const double *start = user;
    if (cli_shows_progress()) {
        char line[120];
        snprintf(line, sizeof line, "value %d to %d  %.1f million positions  %.0f s", (int)report->lower,
                 (int)report->upper, (double)report->positions / 1e6, clock_wall() - *start);
        cli_progress(line);
    }
}

static void print_report(const struct course_request *request, const struct values_report *report, bool written,
                         double seconds) {
    const struct game *game = request->game;
    const char *side = game->properties->sides[game->to_move(request->position)];
    if (report->settled) {
        printf("proved: %s ends %d ahead, %s to move\n", side, (int)report->lower, side);
    } else {
        printf("open: %s ends %d to %d ahead, %s to move\n", side, (int)report->lower, (int)report->upper, side);
    }
    if (report->settled && written) {
        printf("proof   %llu moves in %llu bytes\n", (unsigned long long)report->moves,
               (unsigned long long)report->bytes);
    }
    printf("search  %llu positions, %.1f s\n", (unsigned long long)report->positions, seconds);
}

int prove_values(const struct course_request *request, const struct prove_values_options *options) {
    if (!values_take(request->game, request->position)) {
        return values_know(request->game)
                   ? cli_usage("prove: expected a board of at most %dx%d squares", VALUES_MOST_SIZE, VALUES_MOST_SIZE)
                   : cli_usage("prove: there is no prover for %s, only for Gomoku, the war board and Laser Checkmate",
                               request->game->properties->title);
    }
    struct file_out out = {0};
    struct error error = {0};
    enum status status = options->output ? file_out_open(&out, options->output, &error) : STATUS_OK;
    if (status != STATUS_OK) {
        return cli_fail(options->output, &error, status);
    }
    double start = clock_wall();
    struct values_request ask = {
        .game = request->game,
        .position = request->position,
        .stream = out.stream,
        .memory = options->hash_bytes ? options->hash_bytes : USUAL_HASH,
        .seconds = options->seconds,
        .stop = &cli_control()->stop,
        .progress = show_progress,
        .user = &start,
    };
    struct values_report report;
    status = values_prove(&ask, &report, &error);
    if (cli_shows_progress()) {
        cli_progress(NULL);
    }
    if (status == STATUS_OK && options->output && report.settled) {
        status = file_out_commit(&out, &error);
    } else if (options->output) {
        file_out_abandon(&out);
    }
    if (status != STATUS_OK) {
        return cli_fail(options->output, &error, status);
    }
    print_report(request, &report, options->output != NULL, clock_wall() - start);
    return report.settled ? 0 : options->open_status;
}
