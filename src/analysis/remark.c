#include "analysis/remark.h"

#include <string.h>

#include "base/number.h"

#define BEGIN "[sortie: "
#define WIN_LEAST (GAME_WIN_VALUE - 1000)

/* -- writing -- */

void remark_add_value(const struct game *game, const struct game_position *position, const struct analysis_value *value,
                      struct text *text) {
    bool wins = game->properties->score_kind == GAME_SCORE_WIN;
    bool settled = analysis_is_settled(game, value);
    if (wins && value->value >= WIN_LEAST) {
        text_addf(text, "wins in %d", (GAME_WIN_VALUE - value->value + 1) / 2);
    } else if (wins && value->value <= -WIN_LEAST) {
        text_addf(text, "loses in %d", (GAME_WIN_VALUE + value->value + 1) / 2);
    } else if (wins && game->chances) {
        double chances[3];
        game->chances(position, value->value, chances);
        text_addf(text, "%.1f%%", 100 * (chances[0] + chances[1] / 2));
    } else {
        text_addf(text, "%+d", value->value);
    }
    text_add_string(text, settled ? " proved" : "");
}

void remark_write(const struct game *game, const struct game_position *position, const struct analysis *analysis,
                  struct text *text) {
    text_add(text, text_string(&analysis->comment), analysis->comment.length);
    if (!analysis->valued && !analysis->label.length) {
        return;
    }
    text_add_string(text, analysis->comment.length ? "\n" BEGIN : BEGIN);
    text_add_string(text, game->properties->sides[game->to_move(position)]);
    if (analysis->valued) {
        const struct analysis_value *value = &analysis->value;
        text_add_char(text, ' ');
        remark_add_value(game, position, value, text);
        text_addf(text, ", value %d, depth %d, nodes %llu", value->value, value->depth,
                  (unsigned long long)value->nodes);
        if (value->proved) {
            text_addf(text, ", bounds %d %d", value->lower, value->upper);
        }
        if (analysis->line_length > 0) {
            text_add_string(text, ", line ");
            line_join(analysis->line, analysis->line_length, " ", text);
        }
    }
    text_add_string(text, analysis->label.length ? ", label " : "");
    for (size_t i = 0; i < analysis->label.length; i++) {
        char c = analysis->label.data[i];
        text_add_char(text, c == '\n' || c == '\r' ? ' ' : c);
    }
    text_add_char(text, ']');
}

/* -- reading -- */

/* A whole number between two bounds at the beginning of a text; how long it is, 0 when it is none. */
static size_t read_number(const char *at, const char *end, int64_t least, int64_t most, int64_t *number) {
    const char *from = at;
    bool minus = at < end && *at == '-';
    int64_t value = 0;
    for (at += minus; at < end && number_is_digit(*at) && at - from < 18 + minus; at++) {
        value = value * 10 + (*at - '0');
    }
    value = minus ? -value : value;
    *number = value < least ? least : value > most ? most : value;
    return at - from > minus ? (size_t)(at - from) : 0;
}

/* Takes "depth 14" and the like; what is not known is passed over. */
static void take_item(struct remark *remark, const char *at, const char *end) {
    int64_t first;
    int64_t second;
    if (end - at > 6 && memcmp(at, "value ", 6) == 0 &&
        read_number(at + 6, end, -GAME_INFINITY, GAME_INFINITY, &first)) {
        remark->value.value = (int)first;
        remark->valued = true;
    } else if (end - at > 6 && memcmp(at, "depth ", 6) == 0 && read_number(at + 6, end, 0, 100000, &first)) {
        remark->value.depth = (int)first;
    } else if (end - at > 6 && memcmp(at, "nodes ", 6) == 0 && read_number(at + 6, end, 0, INT64_MAX, &first)) {
        remark->value.nodes = (uint64_t)first;
    } else if (end - at > 7 && memcmp(at, "bounds ", 7) == 0) {
        size_t used = read_number(at + 7, end, -GAME_INFINITY, GAME_INFINITY, &first);
        if (used && at + 8 + used < end && read_number(at + 8 + used, end, -GAME_INFINITY, GAME_INFINITY, &second) &&
            first <= second) {
            remark->value.proved = true;
            remark->value.lower = (int)first;
            remark->value.upper = (int)second;
        }
    } else if (end - at > 5 && memcmp(at, "line ", 5) == 0) {
        remark->line.length = 0;
        for (at += 5; at < end; at++) {
            text_add_char(&remark->line, *at == ' ' ? ',' : *at);
        }
    }
}

static void take_items(struct remark *remark, const char *at, const char *end) {
    while (at < end) {
        if (end - at > 6 && memcmp(at, "label ", 6) == 0) { /* the last, which may have commas in it */
            size_t length = (size_t)(end - at) - 6;
            remark->label.length = 0;
            text_add(&remark->label, at + 6, length < ANALYSIS_MOST_LABEL ? length : ANALYSIS_MOST_LABEL);
            return;
        }
        const char *comma = memchr(at, ',', (size_t)(end - at));
        take_item(remark, at, comma ? comma : end);
        for (at = comma ? comma + 1 : end; at < end && *at == ' '; at++) {
        }
    }
}

void remark_read(struct remark *remark, const char *bytes, size_t length) {
    *remark = (struct remark){0};
    for (; length > 0 && number_is_space(bytes[length - 1]); length--) {
    }
    remark->length = length;
    size_t from = length;
    for (; from > 0 && bytes[from - 1] != '\n' && bytes[from - 1] != '\r'; from--) {
    }
    size_t begin = sizeof BEGIN - 1;
    if (length - from <= begin || memcmp(bytes + from, BEGIN, begin) != 0 || bytes[length - 1] != ']') {
        return;
    }
    take_items(remark, bytes + from + begin, bytes + length - 1);
    for (; from > 0 && number_is_space(bytes[from - 1]); from--) {
    }
    remark->length = from;
}

void remark_free(struct remark *remark) {
    text_free(&remark->line);
    text_free(&remark->label);
}
