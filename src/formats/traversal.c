#include "formats/traversal.h"

#include "base/assert.h"
#include "games/war/rules/war.h"

/* No line of the log is longer. */
#define MOST_LINE 96

/* Lines are put together by hand: a log of a hundred million of them spends its time here. */
static char *add_text(char *out, const char *text) {
    while (*text) {
        *out++ = *text++;
    }
    return out;
}

static char *add_number(char *out, game_score value) {
    if (value == GAME_INFINITY || value == -GAME_INFINITY) {
        return add_text(out, value > 0 ? "Infinity" : "-Infinity");
    }
    uint32_t magnitude = value < 0 ? (uint32_t)-value : (uint32_t)value;
    char digits[12];
    int count = 0;
    do {
        digits[count++] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude);
    if (value < 0) {
        *out++ = '-';
    }
    while (count) {
        *out++ = digits[--count];
    }
    return out;
}

void traversal_log_end(struct traversal_log *log) {
    ASSERT(log->length <= sizeof log->waiting);
    log->sink(log->user, log->waiting, log->length);
    log->length = 0;
}

static void write_step(struct traversal_log *log, const struct textbook_step *step) {
    if (log->length + MOST_LINE > sizeof log->waiting) {
        traversal_log_end(log);
    }
    char *out = log->waiting + log->length;
    if (step->move == GAME_NO_MOVE) {
        out = add_text(out, "root");
    } else {
        char square[8];
        war_square_text(log->size, (int)(step->move & ~WAR_RAID), square);
        out = add_text(out, square);
    }
    *out++ = ',';
    out = add_number(out, step->depth);
    *out++ = ',';
    out = add_number(out, step->value);
    if (log->bounds) {
        *out++ = ',';
        out = add_number(out, step->alpha);
        *out++ = ',';
        out = add_number(out, step->beta);
    }
    *out++ = '\n';
    log->length = (size_t)(out - log->waiting);
}

static void on_step(void *user, const struct textbook_step *step) {
    write_step(user, step);
}

static void on_after_child(void *user, const struct textbook_step *step, bool cut) {
    (void)cut;
    write_step(user, step);
}

void traversal_log_begin(struct traversal_log *log, traversal_sink *sink, void *user, int size, bool bounds) {
    ASSERT(sink);
    ASSERT(size >= 1);
    log->sink = sink;
    log->user = user;
    log->size = size;
    log->bounds = bounds;
    log->visitor =
        (struct textbook_visitor){.user = log, .enter = on_step, .leaf = on_step, .after_child = on_after_child};
    char *end = add_text(log->waiting, bounds ? "Node,Depth,Value,Alpha,Beta\n" : "Node,Depth,Value\n");
    log->length = (size_t)(end - log->waiting);
}
