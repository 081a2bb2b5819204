#include "formats/records/psq.h"

#include <string.h>

#include "base/number.h"
#include "formats/records/sgf.h"

#define HEAD "Piskvorky"

bool psq_sniff(const char *bytes, size_t length) {
    size_t mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return length - mark >= strlen(HEAD) && memcmp(bytes + mark, HEAD, strlen(HEAD)) == 0;
}

/* Digits at the cursor, at most nine of them; -1 when there are none. */
static int take_number(struct reader *reader) {
    int number = -1;
    for (int digits = 0; reader->cursor < reader->length && number_is_digit(reader->line[reader->cursor]) && digits < 9;
         digits++) {
        number = (number < 0 ? 0 : number) * 10 + (reader->line[reader->cursor++] - '0');
    }
    return number;
}

static bool take(struct reader *reader, char c) {
    bool there = reader->cursor < reader->length && (reader->line[reader->cursor] | 0x20) == (c | 0x20);
    reader->cursor += there;
    return there;
}

/* "11:11, 0": what is kept, and which of the two players named below began. Both may be missing. Earlier versions of
 * this program wrote the number of the rules there; those that cannot be a player's are still known. */
static bool take_rest(struct gametree *tree, struct reader *reader, bool *second_began) {
    const char *at = reader->line + reader->cursor;
    size_t left = reader->length - reader->cursor;
    const char *comma = left ? memchr(at, ',', left) : NULL;
    size_t first = comma ? (size_t)(comma - at) : left;
    bool done = first == 0 || gametree_put_text(tree, 0, "XPH", at, first);
    if (comma) {
        reader->cursor += first + 1;
        reader_skip_blanks(reader);
        const char *rules = reader->line + reader->cursor;
        size_t length = reader->length - reader->cursor;
        bool player = length == 1 && (rules[0] == '0' || rules[0] == '1');
        *second_began = player && rules[0] == '1';
        tree->rules = length && !player ? sgf_rules(rules, length) : GAMETREE_RULES_UNSAID;
        tree->rules_line = (uint32_t)reader->line_number;
        tree->rules_column = (uint32_t)reader->cursor + 1;
        done = done && (tree->rules != GAMETREE_RULES_STRANGE || gametree_put_text(tree, 0, "RU", rules, length));
    }
    return done;
}

static enum status read_head(struct gametrees *trees, struct gametree *tree, struct reader *reader, bool *second_began,
                             struct error *error) {
    enum status status = reader_need_line(reader, "'" HEAD "' and the board's size", error);
    if (status != STATUS_OK) {
        return status;
    }
    if (reader->length < strlen(HEAD) || memcmp(reader->line, HEAD, strlen(HEAD)) != 0) {
        return reader_expected(reader, "'" HEAD "' and the board's size", error);
    }
    reader->cursor = strlen(HEAD);
    reader_skip_blanks(reader);
    size_t start = reader->cursor;
    int columns = take_number(reader);
    int rows = take(reader, 'x') ? take_number(reader) : -1;
    if (columns != rows || rows < GOMOKU_LEAST_SIZE || rows > GOMOKU_MOST_SIZE) {
        return error_at(error, reader->line_number, (int)start + 1, "expected a square board of %d to %d, as in 15x15",
                        GOMOKU_LEAST_SIZE, GOMOKU_MOST_SIZE);
    }
    tree->size = rows;
    reader_skip_blanks(reader);
    if (take(reader, ',')) {
        reader_skip_blanks(reader);
        return take_rest(tree, reader, second_began) ? STATUS_OK : gametrees_refuse(trees, error);
    }
    return reader_need_line_end(reader, "a comma or the end of the line", error);
}

/* Whether a line begins as one of a move does; its numbers. The time may be missing. */
static bool is_move(struct reader *reader, int numbers[3]) {
    reader_skip_blanks(reader);
    numbers[0] = take_number(reader);
    reader_skip_blanks(reader);
    bool comma = numbers[0] >= 0 && take(reader, ',');
    reader_skip_blanks(reader);
    numbers[1] = comma ? take_number(reader) : -1;
    reader_skip_blanks(reader);
    bool timed = numbers[1] >= 0 && take(reader, ',');
    reader_skip_blanks(reader);
    numbers[2] = timed ? take_number(reader) : 0;
    return numbers[1] >= 0;
}

static enum status add_move(struct gametrees *trees, struct gametree *tree, struct reader *reader, const int numbers[3],
                            struct error *error) {
    int column = numbers[0] - 1;
    int row = numbers[1] - 1;
    if (numbers[2] < 0 || reader_skip_blanks(reader)) {
        return reader_expected(reader, "the milliseconds of the move", error);
    }
    if (column < 0 || column >= tree->size || row < 0 || row >= tree->size) {
        return error_at(error, reader->line_number, 1, "expected a column and a row of 1 to %d", tree->size);
    }
    uint32_t last = tree->node_count - 1;
    uint32_t node = gametree_add_move(tree, last, tree->nodes[last].turn, row * tree->size + column);
    if (!node) {
        return gametrees_refuse(trees, error);
    }
    tree->nodes[node].line = (uint32_t)reader->line_number;
    tree->nodes[node].column = 1;
    char time[16];
    number_format(time, sizeof time, "%d", numbers[2]);
    return numbers[2] == 0 || gametree_put_text(tree, node, "XMS", time, strlen(time)) ? STATUS_OK
                                                                                       : gametrees_refuse(trees, error);
}

/* Whether a line is the number of how a game ended, which stands behind the names, or alone. */
static bool is_ending(const struct reader *reader) {
    size_t at = reader->length > 1 && reader->line[0] == '-';
    while (at < reader->length && number_is_digit(reader->line[at])) {
        at++;
    }
    return at == reader->length;
}

/* The lines behind the moves: two names, X's first unless the second player began, and what else there is. */
static enum status read_tail(struct gametrees *trees, struct gametree *tree, struct reader *reader, bool second_began,
                             struct error *error) {
    static const char *const names[2][2] = {{"PB", "PW"}, {"PW", "PB"}};
    int line = 0;
    do {
        line = line == 0 && reader->length > 0 && is_ending(reader) ? 2 : line;
        if (reader->length > 0 &&
            !gametree_put_text(tree, 0, line < 2 ? names[second_began][line] : "XPL", reader->line, reader->length)) {
            return gametrees_refuse(trees, error);
        }
        line += reader->length > 0;
    } while (reader_next_line(reader));
    return STATUS_OK;
}

enum status psq_read(struct gametrees *trees, const char *bytes, size_t length, struct error *error) {
    struct reader reader;
    size_t mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    reader_init(&reader, bytes + mark, length - mark);
    struct gametree *tree = gametrees_add(trees);
    if (!tree) {
        return gametrees_refuse(trees, error);
    }
    bool second_began = false;
    enum status status = read_head(trees, tree, &reader, &second_began, error);
    bool moves = true;
    while (status == STATUS_OK && moves && reader_next_line(&reader)) {
        int numbers[3];
        moves = reader.length == 0 || is_move(&reader, numbers);
        status = !moves          ? read_tail(trees, tree, &reader, second_began, error)
                 : reader.length ? add_move(trees, tree, &reader, numbers, error)
                                 : STATUS_OK;
    }
    if (status != STATUS_OK) {
        gametrees_free(trees);
    }
    return status;
}

/* -- writing -- */

/* A property's text on one line, or the text that stands for it where it is none or would be read as something else. */
static void add_line(const struct gametree *tree, const struct gametree_property *property,
                     bool (*fits)(const char *line, size_t length), const char *otherwise, struct text *text) {
    struct text line = TEXT_EMPTY;
    if (property) {
        gametree_add_text(tree, property, &line);
    }
    bool blank = true;
    for (size_t i = 0; i < line.length; i++) {
        line.data[i] = (char)((unsigned char)line.data[i] < ' ' ? ' ' : line.data[i]);
        blank = blank && line.data[i] == ' ';
    }
    text_add_string(text, !blank && fits(line.data, line.length) ? text_string(&line) : otherwise);
    text_spend(&line, text);
}

/* The middle of the head ends at a comma. */
static bool fits_head(const char *line, size_t length) {
    return !memchr(line, ',', length);
}

static bool fits_time(const char *line, size_t length) {
    size_t digits = 0;
    while (digits < length && number_is_digit(line[digits])) {
        digits++;
    }
    return digits == length && digits <= 9;
}

/* The moves end at the first line that is none. */
static bool fits_tail(const char *line, size_t length) {
    struct reader reader;
    int numbers[3];
    reader_init(&reader, line, length);
    return reader_next_line(&reader) && !is_move(&reader, numbers);
}

static bool fits_name(const char *line, size_t length) {
    struct reader reader;
    reader_init(&reader, line, length);
    return fits_tail(line, length) && reader_next_line(&reader) && !is_ending(&reader);
}

static void add_head(const struct gametree *tree, const struct gomoku_position *position, struct text *text) {
    text_addf(text, HEAD " %dx%d, ", position->size, position->size);
    add_line(tree, gametree_find(tree, 0, "XPH"), fits_head, "11:11", text);
    text_add_string(text, ", 0\n");
}

/* Names, where there are any, and the lines that were kept. */
static void add_tail(const struct gametree *tree, struct text *text) {
    const struct gametree_property *names[2] = {gametree_find(tree, 0, "PB"), gametree_find(tree, 0, "PW")};
    const struct gametree_property *line = gametree_find(tree, 0, "XPL");
    for (int i = 0; i < 2 && (names[0] || names[1]); i++) {
        add_line(tree, names[i], fits_name, "?", text);
        text_add_char(text, '\n');
    }
    for (; line; line = gametree_next(tree, line)) {
        if (gametree_named(tree, line, "XPL")) {
            add_line(tree, line, fits_tail, "?", text);
            text_add_char(text, '\n');
        }
    }
}

void psq_write(const struct gametree *tree, const struct gomoku_position *position, struct text *text) {
    uint32_t node = 0;
    add_head(tree, position, text);
    for (int i = 0; i < position->count; i++) {
        int square = position->order[i];
        const struct gametree_property *time = NULL;
        if (i >= position->setup) {
            do {
                node = tree->nodes[node].child;
            } while (node && tree->nodes[node].square != square);
            time = node ? gametree_find(tree, node, "XMS") : NULL;
        }
        text_addf(text, "%d,%d,", square % position->size + 1, square / position->size + 1);
        add_line(tree, time, fits_time, "0", text);
        text_add_char(text, '\n');
    }
    add_tail(tree, text);
}
