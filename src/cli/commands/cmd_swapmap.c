#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "cli/commands.h"
#include "cli/crew.h"
#include "formats/swapmap.h"
#include "games/gomoku/book/book.h"
#include "games/gomoku/rules/gomoku.h"
#include "prove/crew/swapmap_run.h"
#include "system/file.h"

#define MOST_BYTES ((size_t)1 << 16)

static enum status save(const char *file, const struct text *text, struct error *error) {
    return text->broken ? error_machine(error, "out of memory")
                        : file_write(file, text_string(text), text->length, error);
}

static enum status save_map(const char *file, const struct swapmap *map, struct error *error) {
    struct text text = TEXT_EMPTY;
    swapmap_write(map, &text);
    enum status status = save(file, &text, error);
    text_free(&text);
    return status;
}

/* Prints a finished square and saves the map; what is no regular file is written once, at the end. */
static enum status take_square(void *user, const struct swapmap *map, int index, struct error *error) {
    const char *const *file = user;
    const struct swapmap_entry *entry = &map->entries[index];
    char name[8];
    gomoku_square_text(GOMOKU_SWAP_SIZE, gomoku_swap_square(index), name);
    printf("%-3s value %6d  depth %2d  games +%d =%d -%d  share %d\n", name, entry->value, entry->depth, entry->won,
           entry->drawn, entry->lost, swapmap_share(map, index));
    fflush(stdout);
    return file_is_replaced(*file) ? save_map(*file, map, error) : STATUS_OK;
}

static int count_known(const struct swapmap *map) {
    int known = 0;
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        known += map->entries[i].known;
    }
    return known;
}

/* Finds out about all targets before hours of work. */
static int check_targets(const char *const files[], int count) {
    for (int i = 0; i < count; i++) {
        struct error error = {0};
        enum status status = files[i] ? file_check(files[i], &error) : STATUS_OK;
        if (status != STATUS_OK) {
            return cli_fail(files[i], &error, status);
        }
    }
    return 0;
}

/* Writes one of the derived files. */
static int write_derived(const struct swapmap *map, const char *file,
                         void (*write)(const struct swapmap *map, struct text *text)) {
    struct text text = TEXT_EMPTY;
    struct error error = {0};
    if (!file) {
        return 0;
    }
    write(map, &text);
    enum status status = save(file, &text, &error);
    text_free(&text);
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

static int read_map(const char *file, struct swapmap *map) {
    struct error error = {0};
    char *bytes;
    size_t length;
    enum status status = file_read(file, MOST_BYTES, &bytes, &length, &error);
    if (status == STATUS_OK) {
        status = swapmap_parse(bytes, length, map, &error);
        free(bytes);
    }
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

/* Marks the squares that certificates settle, which are believed once they are checked. */
static int take_proofs(const char *file, struct swapmap *map) {
    struct error error = {0};
    struct book book = {0};
    char *bytes;
    size_t length;
    /* Read first: that a file is too long shows before the long check. */
    enum status status = file_read(file, BOOK_MOST_BYTES, &bytes, &length, &error);
    if (status != STATUS_OK) {
        return cli_fail(file, &error, status);
    }
    int exit_status = cli_verify_file(file, false);
    if (exit_status == 0 && !book_read(&book, (const uint8_t *)bytes, length)) {
        exit_status = cli_usage("%s: expected certificates of wins at freestyle Gomoku", file);
    }
    for (int i = 0; exit_status == 0 && i < GOMOKU_SWAP_SQUARES; i++) {
        enum gomoku_swap_proof proof = book_first_stone(&book, gomoku_swap_square(i));
        if (proof) {
            map->entries[i].proof = proof;
            map->entries[i].claim = GOMOKU_SWAP_OPEN;
        }
    }
    book_free(&book);
    free(bytes);
    return exit_status;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct swapmap map = {0};
    struct swapmap_settings wanted = {.nodes = 20000, .hash_bytes = (size_t)64 << 20, .jobs = 1};
    struct swapmap_settings *settings = &wanted;
    const char *output = NULL;
    const char *resume = NULL;
    const char *table_file = NULL;
    const char *svg_file = NULL;
    const char *proofs = NULL;
    const struct cli_option table[] = {
        {"time", 't', CLI_SECONDS, &settings->search.wall_seconds, "SECONDS", "search each square so long (default 5)",
         0, 0},
        {"depth", 'd', CLI_INT, &settings->search.depth, "PLIES", "search each square no deeper", 0, 0},
        {"games", 'g', CLI_INT, &settings->games, "COUNT", "also play games, COUNT in all from each square (default 0)",
         0, SWAPMAP_MOST_GAMES},
        {"nodes", 'n', CLI_COUNT, &settings->nodes, "COUNT", "nodes a move in those games (default 20000)", 0, 0},
        {"jobs", 'j', CLI_INT, &settings->jobs, "COUNT", "squares worked on at once (default 1)", 1, SWAPMAP_MOST_JOBS},
        {"hash", 0, CLI_SIZE, &settings->hash_bytes, "SIZE", "memory of each job's table (default 64M)", 0, 0},
        {"output", 'o', CLI_STRING, &output, "FILE", "the map (default swapmap.txt)", 0, 0},
        {"resume", 'r', CLI_STRING, &resume, "FILE",
         "carry on with the map in FILE; what it holds is kept, and games are added", 0, 0},
        {"proofs", 0, CLI_STRING, &proofs, "FILE", "mark the squares that certificates of 'sortie prove --map' settle",
         0, 0},
        {"table", 0, CLI_STRING, &table_file, "FILE", "write the finished map as C source", 0, 0},
        {"svg", 0, CLI_STRING, &svg_file, "FILE", "write a picture of the map", 0, 0},
        {0},
    };
    int operands;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (operands > 0) {
        return cli_usage("swapmap: expected no file here, found '%s'; see --resume and --output", argv[0]);
    }
    bool timed = settings->search.wall_seconds > 0;
    if (!timed && !settings->search.depth) {
        settings->search.wall_seconds = 5;
    }
    exit_status = cli_join_crew("swapmap", &settings->crew);
    if (exit_status) {
        return exit_status;
    }
    struct error error = {0};
    if (settings->crew && settings->crew->rank() > 0) {
        enum status helped = swapmap_help(settings, cli_control(), &error);
        return helped == STATUS_OK ? 0 : cli_fail(NULL, &error, helped);
    }
    if (resume && (exit_status = read_map(resume, &map)) != 0) {
        return exit_status;
    }
    if (proofs && (exit_status = take_proofs(proofs, &map)) != 0) {
        return exit_status;
    }
    const char *file = output ? output : resume ? resume : "swapmap.txt";
    exit_status = check_targets((const char *const[]){file, svg_file, table_file}, 3);
    if (exit_status) {
        return exit_status;
    }
    if (!map.comment[0]) {
        char limit[32];
        if (timed || !settings->search.depth) {
            snprintf(limit, sizeof limit, "for %.3g s", settings->search.wall_seconds);
        } else {
            snprintf(limit, sizeof limit, "to depth %d", settings->search.depth);
        }
        snprintf(map.comment, sizeof map.comment,
                 "sortie %s: each square searched %s, games with %llu to %llu nodes a move", SORTIE_VERSION, limit,
                 (unsigned long long)settings->nodes, 2 * (unsigned long long)settings->nodes);
    }
    bool at_end = !file_is_replaced(file);
    enum status status = swapmap_run(settings, &map, cli_control(), take_square, &file, &error);
    if (status == STATUS_OK && (at_end || proofs || output)) {
        status = save_map(file, &map, &error);
    }
    if (status != STATUS_OK) {
        return cli_fail(file, &error, status);
    }
    int known = count_known(&map);
    exit_status = write_derived(&map, svg_file, swapmap_write_svg);
    if (known < GOMOKU_SWAP_SQUARES) {
        struct clean_line name;
        fprintf(stderr, "sortie: swapmap: %d of %d squares are done; carry on with --resume %s\n", known,
                GOMOKU_SWAP_SQUARES, clean_string(&name, file));
        return cli_interrupted() ? CLI_INTERRUPTED : STATUS_FAIL;
    }
    return exit_status ? exit_status : write_derived(&map, table_file, swapmap_write_table);
}

const struct cli_command cli_swapmap = {
    .name = "swapmap",
    .summary = "find out what a first stone is worth on each square, for the swap",
    .usage = "[--time SECONDS] [--depth PLIES] [--games COUNT] [--resume FILE] [OPTIONS]",
    .details =
        "Searches the position with one stone, the other side to move, for each of the 36 squares that differ by\n"
        "symmetry, and plays games of the engine with itself from there. The map is saved after every square, so\n"
        "that a run that was stopped can be carried on. 'share' is the chance of the stone's owner in thousandths.\n",
    .example = "  sortie swapmap --depth 3 --output map.txt --svg map.svg\n",
    .run = run,
};
