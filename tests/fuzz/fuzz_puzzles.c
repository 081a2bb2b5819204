/* Any bytes as a file of puzzles: no crash, and a fault has its place and its words. */
#include "puzzle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct puzzles puzzles = {0};
    struct error error = {0};
    if (puzzles_read((const char *)data, size, &puzzles, &error) != STATUS_OK &&
        (error.text[0] == '\0' || error.line < 1 || error.column < 1)) {
        __builtin_trap();
    }
    for (int i = 0; i < puzzles.count; i++) {
        if (puzzles.list[i].stars < 1 || puzzles.list[i].stars > PUZZLE_STARS) {
            __builtin_trap();
        }
    }
    puzzles_free(&puzzles);
    return 0;
}
