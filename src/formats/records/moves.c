#include "formats/records/moves.h"

#include <string.h>

#include "base/assert.h"
#include "base/number.h"

/* The first line with something on it, or false. */
static bool first_line(struct reader *reader, const char *bytes, size_t length) {
    size_t mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    reader_init(reader, bytes + mark, length - mark);
    while (reader_next_line(reader)) {
        if (reader_skip_blanks(reader)) {
            return true;
        }
    }
    return false;
}

static char peek(const struct reader *reader) {
    return reader->cursor < reader->length ? reader->line[reader->cursor] : '\0';
}

/* -- letters and numbers -- */

/* A letter and one or two digits at the cursor; false when something else is there. */
static bool take_square(struct reader *reader, int *column, int *row) {
    size_t at = reader->cursor;
    char letter = at < reader->length ? (char)(reader->line[at] | 0x20) : '\0';
    size_t digits = 0;
    *row = 0;
    while (at + 1 + digits < reader->length && number_is_digit(reader->line[at + 1 + digits]) && digits < 3) {
        *row = *row * 10 + (reader->line[at + 1 + digits] - '0');
        digits++;
    }
    *column = letter - 'a';
    if (letter < 'a' || letter > 'z' || digits < 1 || digits > 2) {
        return false;
    }
    *row -= 1;
    reader->cursor = at + 1 + digits;
    return true;
}

bool pos_sniff(const char *bytes, size_t length) {
    struct reader reader;
    int column;
    int row;
    return first_line(&reader, bytes, length) && take_square(&reader, &column, &row) &&
           (reader_skip_blanks(&reader) ? peek(&reader) == ',' || take_square(&reader, &column, &row) : true);
}

/* Blanks and commas may stand between squares. */
static bool between(struct reader *reader) {
    while (reader_skip_blanks(reader) && peek(reader) == ',') {
        reader->cursor++;
    }
    return reader->cursor < reader->length;
}

/* How large the board must be for a line. */
static int size_needed(struct reader reader) {
    int most = GAMETREE_USUAL_SIZE;
    int column;
    int row;
    while (between(&reader) && take_square(&reader, &column, &row)) {
        int larger = column > row ? column : row;
        most = larger >= most ? larger + 1 : most;
    }
    static const int sizes[] = {GAMETREE_USUAL_SIZE, 19, 20, GOMOKU_MOST_SIZE};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (most <= sizes[i]) {
            return sizes[i];
        }
    }
    return GOMOKU_MOST_SIZE;
}

/* Adds a stone to a line of them; the error names the place in the text. */
static enum status add_stone(struct gametrees *trees, struct gametree *tree, const struct reader *reader, size_t start,
                             int column, int row, struct error *error) {
    bool inside = column >= 0 && column < tree->size && row >= 0 && row < tree->size;
    if (!inside) {
        return error_at(error, reader->line_number, (int)start + 1, "expected a square of a board of %dx%d", tree->size,
                        tree->size);
    }
    uint32_t last = tree->node_count - 1;
    char colour = tree->nodes[last].turn;
    uint32_t node = gametree_add_move(tree, last, colour, row * tree->size + column);
    if (!node) {
        return gametrees_refuse(trees, error);
    }
    tree->nodes[node].line = (uint32_t)reader->line_number;
    tree->nodes[node].column = (uint32_t)start + 1;
    return STATUS_OK;
}

static enum status read_squares(struct gametrees *trees, struct reader *reader, int size, struct error *error) {
    struct gametree *tree = gametrees_add(trees);
    if (!tree) {
        return gametrees_refuse(trees, error);
    }
    tree->size = size ? size : size_needed(*reader);
    enum status status = STATUS_OK;
    while (status == STATUS_OK && between(reader)) {
        size_t start = reader->cursor;
        int column;
        int row;
        status = take_square(reader, &column, &row) ? add_stone(trees, tree, reader, start, column, row, error)
                                                    : reader_expected(reader, "a square such as h8", error);
    }
    return status;
}

/* -- offsets -- */

/* A number with an optional sign at the cursor. */
static bool take_offset(struct reader *reader, int *value) {
    reader_skip_blanks(reader);
    bool negative = peek(reader) == '-';
    size_t at = reader->cursor + negative;
    int digits = 0;
    *value = 0;
    for (; at < reader->length && number_is_digit(reader->line[at]) && digits < 3; at++, digits++) {
        *value = *value * 10 + (reader->line[at] - '0');
    }
    *value = negative ? -*value : *value;
    reader->cursor = digits > 0 ? at : reader->cursor;
    return digits > 0;
}

static bool take_comma(struct reader *reader) {
    bool there = reader_skip_blanks(reader) && peek(reader) == ',';
    reader->cursor += there;
    return there;
}

bool offset_sniff(const char *bytes, size_t length) {
    struct reader reader;
    int value;
    return first_line(&reader, bytes, length) && take_offset(&reader, &value) && take_comma(&reader) &&
           take_offset(&reader, &value);
}

static enum status read_offsets(struct gametrees *trees, struct reader *reader, int size, struct error *error) {
    struct gametree *tree = gametrees_add(trees);
    if (!tree) {
        return gametrees_refuse(trees, error);
    }
    tree->size = size ? size : GAMETREE_USUAL_SIZE;
    enum status status = STATUS_OK;
    do {
        int column;
        int row;
        reader_skip_blanks(reader);
        size_t start = reader->cursor;
        if (!take_offset(reader, &column) || !take_comma(reader) || !take_offset(reader, &row)) {
            return reader_expected(reader, "two numbers with a comma between them for each stone", error);
        }
        int middle = tree->size / 2;
        status = add_stone(trees, tree, reader, start, middle + column, middle + row, error);
    } while (status == STATUS_OK && take_comma(reader) && reader_skip_blanks(reader));
    return status == STATUS_OK ? reader_need_line_end(reader, "a comma or the end of the line", error) : status;
}

/* -- both -- */

typedef enum status read_line(struct gametrees *trees, struct reader *reader, int size, struct error *error);

static enum status read_lines(read_line *read, struct gametrees *trees, const char *bytes, size_t length, int size,
                              struct error *error) {
    ASSERT(size == 0 || (size >= GOMOKU_LEAST_SIZE && size <= GOMOKU_MOST_SIZE));
    struct reader reader;
    enum status status = STATUS_OK;
    bool more = first_line(&reader, bytes, length);
    if (!more) {
        return error_at(error, 1, 1, "expected a line of squares, the file is empty");
    }
    for (; more && status == STATUS_OK; more = reader_next_line(&reader)) {
        status = reader_skip_blanks(&reader) ? read(trees, &reader, size, error) : STATUS_OK;
    }
    if (status != STATUS_OK) {
        gametrees_free(trees);
    }
    return status;
}

enum status pos_read(struct gametrees *trees, const char *bytes, size_t length, int size, struct error *error) {
    return read_lines(read_squares, trees, bytes, length, size, error);
}

enum status offset_read(struct gametrees *trees, const char *bytes, size_t length, int size, struct error *error) {
    return read_lines(read_offsets, trees, bytes, length, size, error);
}

void pos_write(const struct gomoku_position *position, struct text *text) {
    for (int i = 0; i < position->count; i++) {
        int square = position->order[i];
        text_addf(text, "%c%d", 'a' + square % position->size, square / position->size + 1);
    }
    text_add_char(text, '\n');
}

void offset_write(const struct gomoku_position *position, struct text *text) {
    int middle = position->size / 2;
    for (int i = 0; i < position->count; i++) {
        int square = position->order[i];
        text_addf(text, "%s%d,%d", i ? ", " : "", square % position->size - middle, square / position->size - middle);
    }
    text_add_char(text, '\n');
}
