#include "search/perft.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/stopwatch.h"
#include "cli/commands.h"

/* Prints the count below each legal move. */
static int divide(const struct course_request *request, int depth, const atomic_bool *stop, uint64_t *total) {
    const struct game *game = request->game;
    game_move *moves = malloc((size_t)game->properties->most_moves * sizeof *moves);
    if (!moves) {
        return cli_no_memory();
    }
    int count = game->moves(request->position, moves);
    enum status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct game_undo undo;
        char text[32];
        game->move_text(request->position, moves[i], text);
        game->play(request->position, moves[i], &undo);
        uint64_t leaves = 0;
        status = perft(game, request->position, depth - 1, stop, &leaves);
        game->undo(request->position, &undo);
        if (status == STATUS_OK) {
            printf("%s: %llu\n", text, (unsigned long long)leaves);
            *total += leaves;
        }
    }
    free(moves);
    return status == STATUS_OK ? 0 : cli_no_memory();
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct cli_source source = {0};
    int depth = 3;
    bool each = false;
    const struct cli_option table[] = {
        {"depth", 'd', CLI_INT, &depth, "PLIES", "how deep to count (default 3)", 0, 1000},
        {"divide", 0, CLI_FLAG, &each, NULL, "show the count below each move", 0, 0},
        CLI_SOURCE_OPTIONS(source),
        {0},
    };
    const char *file = "input.txt";
    int exit_status;
    if (!cli_parse_file(command, table, argc, argv, &file, &exit_status)) {
        return exit_status;
    }
    struct course_request request;
    exit_status = cli_read_request(file, &source, true, &request);
    if (exit_status != 0) {
        return exit_status;
    }
    const atomic_bool *stop = &cli_control()->stop;
    double start = clock_wall();
    if (each && depth > 0) {
        uint64_t total = 0;
        exit_status = divide(&request, depth, stop, &total);
        if (exit_status == 0) {
            printf("perft %d: %llu\n", depth, (unsigned long long)total);
        }
    } else {
        for (int i = 1; i <= depth && exit_status == 0 && !cli_interrupted(); i++) {
            uint64_t leaves = 0;
            if (perft(request.game, request.position, i, stop, &leaves) != STATUS_OK) {
                exit_status = cli_no_memory();
            } else if (!cli_interrupted()) {
                printf("perft %d: %llu\n", i, (unsigned long long)leaves);
                fflush(stdout);
            }
        }
    }
    if (cli_shows_progress()) {
        fprintf(stderr, "%.3f s\n", clock_wall() - start);
    }
    course_request_free(&request);
    return exit_status;
}

const struct cli_command cli_perft = {
    .name = "perft",
    .summary = "count the lines of play of each length",
    .usage = "[FILE] [-d PLIES] [--divide]",
    .details = "Counts the leaves of the full game tree below a position, depth by depth: the usual check that a\n"
               "move generator is right.\n",
    .example = "  printf 'war sneak 2 X\\n3 1\\n2 5\\n..\\n.O\\n' | sortie perft - -d 3\n",
    .run = run,
};
