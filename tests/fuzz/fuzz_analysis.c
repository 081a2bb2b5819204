/* Any bytes as a remark of a position: what its last line says is written and read again, and says the same. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "analysis/key.h"
#include "analysis/remark.h"
#include "games/gomoku/rules/gomoku.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Squares of a line that can be turned come back when they are turned back. */
static void turn_line(const struct game_position *position, const struct text *line) {
    struct key key = {0};
    struct text in = TEXT_EMPTY;
    struct text out = TEXT_EMPTY;
    struct text again = TEXT_EMPTY;
    key_make(&key, &gomoku_game, position);
    if (key_line(&key, text_string(line), line->length, false, &in)) {
        if (!key_line(&key, text_string(&in), in.length, true, &out) ||
            !key_line(&key, text_string(&out), out.length, false, &again) ||
            strcmp(text_string(&in), text_string(&again)) != 0) {
            __builtin_trap();
        }
    }
    text_free(&in);
    text_free(&out);
    text_free(&again);
    key_free(&key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct gomoku_position position;
    struct remark remark;
    struct remark again;
    struct text text = TEXT_EMPTY;
    struct analysis analysis = {0};
    gomoku_clear(&position, 15, GOMOKU_RENJU);
    gomoku_put(&position, 7);
    remark_read(&remark, (const char *)data, size);
    if (remark.length > size) {
        __builtin_trap();
    }
    turn_line((const struct game_position *)&position, &remark.line);
    analysis.valued = remark.valued;
    analysis.value = remark.value;
    text_add(&analysis.comment, (const char *)data, remark.length);
    text_add(&analysis.label, text_string(&remark.label), remark.label.length);
    remark_write(&gomoku_game, (const struct game_position *)&position, &analysis, &text);
    remark_read(&again, text_string(&text), text.length);
    if (remark.valued && (!again.valued || memcmp(&again.value.value, &remark.value.value, sizeof(int)) != 0 ||
                          again.value.depth != remark.value.depth || again.value.nodes != remark.value.nodes ||
                          again.value.proved != remark.value.proved)) {
        __builtin_trap();
    }
    remark_free(&remark);
    remark_free(&again);
    analysis_free(&analysis);
    text_free(&text);
    return 0;
}
