/* Makes the page's puzzles, and proves them again.
 *
 *   sortie-puzzles make FILE SEED PROOF [COUNT]   COUNT puzzles (1000): wins of Gomoku from the engine's games against
 *                                                 itself and from the certificate in PROOF, best moves of the war board
 *                                                 by both rule sets and of Laser Checkmate. The same seed, count and
 *                                                 certificate make the same file on any machine.
 *   sortie-puzzles check FILE [STEP]              proves every STEP-th puzzle of FILE again (default: all of them)
 *
 * What stands in a file, and what it says, is in puzzle.h. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "puzzle.h"
#include "system/file.h"

#define USUAL_COUNT 1000
#define MOST_COUNT 20000
#define MOST_BYTES ((size_t)16 << 20)

/* Of 100 puzzles so many are wins from games, wins from the proof, best moves of stake, sneak and laser. */
static const int parts[] = {46, 8, 17, 16, 13};

static int usage(void) {
    fprintf(stderr, "usage: sortie-puzzles make FILE SEED PROOF [COUNT]\n"
                    "       sortie-puzzles check FILE [STEP]\n");
    return 2;
}

static bool read_number(const char *text, uint64_t most, uint64_t *value) {
    char *end;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && *value <= most;
}

static int by_hardness(const void *a, const void *b) {
    const struct puzzle *one = a;
    const struct puzzle *two = b;
    return one->hard != two->hard ? one->hard - two->hard : one->order - two->order;
}

/* Sorts the puzzles of one game and gives a fifth of them each number of stars. */
static void grade(struct puzzle *list, int count) {
    qsort(list, (size_t)count, sizeof *list, by_hardness);
    for (int i = 0; i < count; i++) {
        list[i].stars = 1 + i * PUZZLE_STARS / count;
    }
}

/* Finds them all, game by game. */
static bool find(struct puzzles *puzzles, uint64_t seed, int count, const char *proof) {
    int numbers[5];
    int ends[4];
    for (int i = 0; i < 5; i++) {
        numbers[i] = count * parts[i] / 100;
    }
    numbers[0] = count - numbers[1] - numbers[2] - numbers[3] - numbers[4];
    bool fine = wins_find(puzzles, seed, numbers[0], numbers[1], proof);
    ends[0] = puzzles->count;
    fine = fine && margins_find(puzzles, seed, "war", "stake", numbers[2]);
    ends[1] = puzzles->count;
    fine = fine && margins_find(puzzles, seed, "war", "sneak", numbers[3]);
    ends[2] = puzzles->count;
    fine = fine && margins_find(puzzles, seed, "laser", NULL, numbers[4]);
    ends[3] = puzzles->count;
    for (int i = 0, from = 0; fine && i < 4; from = ends[i], i++) {
        grade(puzzles->list + from, ends[i] - from);
    }
    return fine;
}

static int make(const char *path, uint64_t seed, const char *proof, int count) {
    struct puzzles puzzles = {0};
    struct file_out out;
    struct error error;
    if (file_check(path, &error) != STATUS_OK) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        return 2;
    }
    int status = find(&puzzles, seed, count, proof) ? 0 : 1;
    if (status == 0 && file_out_open(&out, path, &error) != STATUS_OK) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        status = 1;
    } else if (status == 0) {
        fprintf(out.stream, "# %d puzzles, made by: sortie-puzzles make FILE %llu PROOF %d\n", puzzles.count,
                (unsigned long long)seed, count);
        for (int i = 0; i < puzzles.count; i++) {
            puzzle_write(out.stream, &puzzles.list[i]);
        }
        status = file_out_commit(&out, &error) == STATUS_OK ? 0 : 1;
    }
    puzzles_free(&puzzles);
    return status;
}

static int check(const char *path, int step) {
    struct puzzles puzzles = {0};
    struct error error;
    char *bytes;
    size_t length;
    if (file_read(path, MOST_BYTES, &bytes, &length, &error) != STATUS_OK) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        return 2;
    }
    int status = (int)puzzles_read(bytes, length, &puzzles, &error);
    if (status != 0) {
        fprintf(stderr, "%s:%d:%d: %s\n", path, error.line, error.column, error.text);
    }
    int proved = 0;
    for (int i = 0; i < puzzles.count && status == 0; i += step) {
        const struct puzzle *puzzle = &puzzles.list[i];
        const char *why;
        if (!(puzzle->kind == PUZZLE_WIN ? wins_check(puzzle, &why) : margins_check(puzzle, &why))) {
            fprintf(stderr, "%s: puzzle %d: %s\n", path, i + 1, why);
            status = 2;
        }
        proved++;
    }
    if (status == 0) {
        printf("%d of %d puzzles proved\n", proved, puzzles.count);
    }
    puzzles_free(&puzzles);
    free(bytes);
    return status;
}

int main(int argc, char **argv) {
    uint64_t seed = 0;
    uint64_t number = 0;
    if (argc >= 5 && argc <= 6 && strcmp(argv[1], "make") == 0 && read_number(argv[3], UINT32_MAX, &seed)) {
        number = USUAL_COUNT;
        return argc == 5 || (read_number(argv[5], MOST_COUNT, &number) && number > 0)
                   ? make(argv[2], seed, argv[4], (int)number)
                   : usage();
    }
    if (argc >= 3 && argc <= 4 && strcmp(argv[1], "check") == 0) {
        number = 1;
        return argc == 3 || (read_number(argv[3], MOST_COUNT, &number) && number > 0) ? check(argv[2], (int)number)
                                                                                      : usage();
    }
    return usage();
}
