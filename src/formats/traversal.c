#include "formats/traversal.h"

#include "games/war/war.h"

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

static void write_step(const struct traversal_log *log, const struct textbook_step *step) {
    char line[96];
    char *out = line;
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
    fwrite_unlocked(line, 1, (size_t)(out - line), log->stream);
}

static void on_step(void *user, const struct textbook_step *step) {
    write_step(user, step);
}

static void on_after_child(void *user, const struct textbook_step *step, bool cut) {
    (void)cut;
    write_step(user, step);
}

void traversal_log_begin(struct traversal_log *log, FILE *stream, int size, bool bounds) {
    *log = (struct traversal_log){.stream = stream, .size = size, .bounds = bounds};
    log->visitor =
        (struct textbook_visitor){.user = log, .enter = on_step, .leaf = on_step, .after_child = on_after_child};
    fputs(bounds ? "Node,Depth,Value,Alpha,Beta\n" : "Node,Depth,Value\n", stream);
}
