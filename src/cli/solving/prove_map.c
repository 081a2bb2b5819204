#include "cli/solving/prove_map.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "games/gomoku/rules/gomoku.h"
#include "games/gomoku/rules/swap_table.h"
#include "prove/map/map.h"
#include "system/file.h"

/* A line a square: as soon as it is settled, and all in the end. */
static void print_square(void *user, const struct map_news *news, bool end) {
    char name[8];
    (void)user;
    if (cli_shows_progress()) {
        cli_progress(NULL);
    }
    gomoku_square_text(GOMOKU_SWAP_SIZE, gomoku_swap_square(news->index), name);
    printf("%s%-3s %s\n", end ? "" : "settled: ", name, news->line);
    fflush(stdout);
}

static void show_progress(void *user, const char *line) {
    (void)user;
    if (cli_shows_progress()) {
        cli_progress(line);
    }
}

/* Whether all are squares of the board; the map has one of the images of each. */
static bool are_squares(const char *only) {
    while (*only) {
        size_t length = strcspn(only, ",");
        if (gomoku_parse_square(GOMOKU_SWAP_SIZE, only, length) < 0) {
            return false;
        }
        only += length + (only[length] == ',');
    }
    return true;
}

int prove_map_here(const struct prove_map_options *options) {
    struct error error = {0};
    struct map_settings settings = {
        .folder = options->folder,
        .seconds = options->seconds,
        .threads = options->threads,
        .hash_bytes = options->hash_bytes,
        .only = options->only,
        .stop = &cli_control()->stop,
        .told = print_square,
        .progress = show_progress,
    };
    int open = 0;
    size_t proved = 0;
    if (options->only && !are_squares(options->only)) {
        return cli_usage("prove: expected --only with squares such as G8,F8 (columns A to O, rows 1 to 15), found '%s'",
                         options->only);
    }
    enum status status = options->folder ? file_make_folder(options->folder, &error) : STATUS_OK;
    status = status == STATUS_OK ? map_prove(&settings, &open, &proved, &error) : status;
    if (cli_shows_progress()) {
        cli_progress(NULL);
    }
    if (status != STATUS_OK) {
        return cli_fail(options->folder, &error, status);
    }
    printf("%d of %d squares settled, %zu positions proved\n", GOMOKU_SWAP_SQUARES - open, GOMOKU_SWAP_SQUARES, proved);
    return open > 0 ? options->still_open : 0;
}
