/* Any bytes as a record of a game, in every format: no crash; what is read is written in every format that holds it,
 * and what was written is read again and is the same position. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "formats/records/records.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes the game in a format, if that can hold it, and reads it back. */
static void there_and_back(const struct gametree *tree, const struct record_format *format) {
    static struct gomoku_position before;
    static struct gomoku_position after;
    struct text text = TEXT_EMPTY;
    struct gametrees again = {0};
    struct error error = {0};
    if (format->write(tree, GOMOKU_FREESTYLE, &text, &error) != STATUS_OK) {
        if (!error.text[0]) {
            __builtin_trap();
        }
    } else if (format->read(&again, text_string(&text), text.length, tree->size, &error) != STATUS_OK ||
               again.count != 1) {
        __builtin_trap();
    } else if (gametree_position(tree, GOMOKU_FREESTYLE, &before, &error) == STATUS_OK &&
               (gametree_position(&again.items[0], GOMOKU_FREESTYLE, &after, &error) != STATUS_OK ||
                before.size != after.size || memcmp(before.board, after.board, sizeof before.board) != 0)) {
        /* a line may be won early by other rules, which lib, pos and offset do not hold */
        if (tree->rules < 0 || tree->rules == GOMOKU_FREESTYLE || format->holds & GAMETREE_RULES) {
            __builtin_trap();
        }
    }
    text_free(&text);
    gametrees_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (const struct record_format *const *format = record_formats(); *format; format++) {
        struct gametrees trees = {0};
        struct error error = {0};
        if ((*format)->read(&trees, (const char *)data, size, 0, &error) != STATUS_OK) {
            if (!error.text[0] || trees.count) {
                __builtin_trap();
            }
            continue;
        }
        for (const struct record_format *const *target = record_formats(); *target; target++) {
            there_and_back(&trees.items[0], *target);
        }
        gametrees_free(&trees);
    }
    return 0;
}
