#include "games/gomoku/openings/file.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/crc64.h"
#include "base/reader.h"

#define FIRST_LINE "sortie-book 1"
#define DIGITS 16
#define MOST_VALUE GAME_WIN_VALUE
#define MOST_COMMENT 20000 /* bytes that are kept */

/* A file being read. */
struct scan {
    struct reader reader;
    struct openings *book;
    struct error *error;
    int variant; /* of the section; -1: none yet */
    int size;
    uint64_t digest; /* of the lines so far */
};

static void add_to_digest(struct scan *scan) {
    scan->digest = crc64_add(scan->digest, (const uint8_t *)scan->reader.line, scan->reader.length);
    scan->digest = crc64_add(scan->digest, (const uint8_t *)"\n", 1);
}

/* Moves to the next line that is not blank; false at the end. */
static bool next_line(struct scan *scan) {
    while (reader_next_line(&scan->reader)) {
        if (scan->reader.length > 0) {
            return true;
        }
        add_to_digest(scan);
    }
    return false;
}

/* Puts the cursor back to where a word began, and says what was expected there. */
static enum status expected_at(struct scan *scan, size_t start, const char *what) {
    scan->reader.cursor = start;
    return reader_expected(&scan->reader, what, scan->error);
}

static enum status read_comment(struct scan *scan) {
    struct text *comment = &scan->book->comment;
    if (comment->length + scan->reader.length < MOST_COMMENT && !memchr(scan->reader.line, 0, scan->reader.length)) {
        text_add(comment, scan->reader.line, scan->reader.length);
        text_add_char(comment, '\n');
    }
    return comment->broken ? error_machine(scan->error, "out of memory") : STATUS_OK;
}

static enum status read_board_line(struct scan *scan) {
    const char *word;
    int64_t size;
    struct reader *reader = &scan->reader;
    reader_word(reader, &word); /* gomoku */
    reader_skip_blanks(reader);
    size_t start = reader->cursor;
    size_t length = reader_word(reader, &word);
    int variant = game_find_variant(&gomoku_game, word, length);
    if (variant < 0) {
        return expected_at(scan, start, "the rule set 'freestyle', 'exact', 'renju' or 'caro'");
    }
    enum status status =
        reader_integer(reader, GOMOKU_LEAST_SIZE, GOMOKU_MOST_SIZE, "the board size, 5 to 22", &size, scan->error);
    if (status == STATUS_OK) {
        status = reader_need_line_end(reader, "the end of the line", scan->error);
    }
    if (status == STATUS_OK && (variant < scan->variant || (variant == scan->variant && size <= scan->size))) {
        return expected_at(scan, 0, "boards in order: freestyle, exact, renju, caro, each from the smallest on");
    }
    scan->variant = variant;
    scan->size = (int)size;
    return status;
}

/* Reads a square of the board at the cursor. */
static enum status read_square(struct scan *scan, int *square, size_t *start) {
    const char *word;
    char what[64];
    reader_skip_blanks(&scan->reader);
    *start = scan->reader.cursor;
    size_t length = reader_word(&scan->reader, &word);
    *square = gomoku_parse_square(scan->size, word, length);
    if (*square >= 0) {
        return STATUS_OK;
    }
    snprintf(what, sizeof what, "a square from A1 to %c%d", 'A' + scan->size - 1, scan->size);
    return expected_at(scan, *start, what);
}

/* Whether this word alone stands at the cursor, which is then behind it. */
static bool take_word(struct scan *scan, const char *wanted) {
    const char *word;
    reader_skip_blanks(&scan->reader);
    size_t start = scan->reader.cursor;
    size_t length = reader_word(&scan->reader, &word);
    if (length == strlen(wanted) && memcmp(word, wanted, length) == 0) {
        return true;
    }
    scan->reader.cursor = start;
    return false;
}

/* The stones of a position up to its =, on a board. */
static enum status read_stones(struct scan *scan, struct openings_position *position, struct gomoku_position *board) {
    gomoku_clear(board, scan->size, scan->variant);
    while (!take_word(scan, "=")) {
        int square;
        size_t start;
        enum status status = read_square(scan, &square, &start);
        if (status != STATUS_OK) {
            return status;
        }
        if (board->count >= OPENINGS_MOST_STONES) {
            return expected_at(scan, start, "'=' after 40 stones at most");
        }
        if (board->board[square] != GOMOKU_EMPTY) {
            return expected_at(scan, start, "an empty square");
        }
        gomoku_put(board, square);
        position->squares[position->stones++] = (uint16_t)square;
        if (board->winner != GOMOKU_NO_WINNER) {
            return expected_at(scan, start, "a position that nobody has won");
        }
    }
    return STATUS_OK;
}

/* The moves of a position and their values. */
static enum status read_moves(struct scan *scan, struct openings_position *position,
                              const struct gomoku_position *board, unsigned keep) {
    while (reader_skip_blanks(&scan->reader) || position->move_count == 0) {
        int square;
        int64_t value;
        size_t start;
        enum status status = read_square(scan, &square, &start);
        if (status != STATUS_OK) {
            return status;
        }
        if (board->board[square] != GOMOKU_EMPTY || gomoku_forbidden_at(board, square)) {
            return expected_at(scan, start, "a legal move");
        }
        if (openings_least_image(position, keep, square) != square) {
            return expected_at(scan, start, "the first of the squares that are images of this one");
        }
        for (int i = 0; i < position->move_count; i++) {
            if (position->moves[i].square == square) {
                return expected_at(scan, start, "each move once");
            }
        }
        status = reader_integer(&scan->reader, -MOST_VALUE, MOST_VALUE, "the move's value", &value, scan->error);
        if (status != STATUS_OK) {
            return status;
        }
        if (position->move_count > 0 && position->moves[position->move_count - 1].value < value) {
            return expected_at(scan, start, "the moves in the order of their values, the best first");
        }
        if (!openings_add_move(position, square, (int)value)) {
            return expected_at(scan, start, "12 moves at most");
        }
    }
    return STATUS_OK;
}

/* What stands behind the = of a position. */
static enum status read_searched(struct scan *scan, struct openings_position *position,
                                 const struct gomoku_position *board, unsigned keep) {
    int64_t depth, effort;
    if (take_word(scan, "?")) {
        return reader_need_line_end(&scan->reader, "the end of the line", scan->error);
    }
    enum status status =
        reader_integer(&scan->reader, 0, UINT16_MAX, "the depth of the search, or ?", &depth, scan->error);
    if (status == STATUS_OK) {
        status = reader_integer(&scan->reader, 0, UINT32_MAX, "thousands of nodes", &effort, scan->error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    position->depth = (uint16_t)depth;
    position->effort = (uint32_t)effort;
    position->proved = take_word(scan, "proved");
    if (!take_word(scan, ":")) {
        return expected_at(scan, scan->reader.cursor, "':' and moves");
    }
    return read_moves(scan, position, board, keep);
}

static enum status read_position(struct scan *scan) {
    struct openings_position position = {.variant = (uint8_t)scan->variant, .size = (uint8_t)scan->size};
    struct gomoku_position board;
    if (scan->variant < 0) {
        return expected_at(scan, 0, "'gomoku', a rule set and a size before the first position");
    }
    enum status status = read_stones(scan, &position, &board);
    if (status != STATUS_OK) {
        return status;
    }
    unsigned keep = openings_keep(&position);
    if (!keep) {
        return expected_at(scan, 0, "the first of the position's images, its stones in the order of the squares");
    }
    const struct openings *book = scan->book;
    if (book->count > 0 && openings_compare(&book->positions[book->count - 1], &position) >= 0) {
        return expected_at(scan, 0, "positions in order, each once");
    }
    if (book->count >= OPENINGS_MOST_POSITIONS) {
        return expected_at(scan, 0, "at most a million positions");
    }
    if (gomoku_game.over((const struct game_position *)&board)) {
        return expected_at(scan, 0, "a position with a move left");
    }
    status = read_searched(scan, &position, &board, keep);
    if (status == STATUS_OK && !openings_put(scan->book, &position)) {
        return error_machine(scan->error, "out of memory");
    }
    return status;
}

/* The last line: the digest of those before it. */
static enum status read_digest(struct scan *scan) {
    char wanted[DIGITS + 1];
    struct reader *reader = &scan->reader;
    const char *word;
    reader_word(reader, &word); /* digest */
    reader_skip_blanks(reader);
    size_t start = reader->cursor;
    size_t length = reader_word(reader, &word);
    snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)scan->digest);
    if (length != DIGITS || memcmp(word, wanted, DIGITS) != 0) {
        char what[64];
        snprintf(what, sizeof what, "the digest %s of the lines before", wanted);
        return expected_at(scan, start, what);
    }
    scan->book->digest = scan->digest;
    enum status status = reader_need_line_end(reader, "the end of the line", scan->error);
    return status == STATUS_OK ? reader_need_end(reader, scan->error) : status;
}

static enum status read_lines(struct scan *scan) {
    while (next_line(scan)) {
        const char *word;
        scan->reader.cursor = 0;
        reader_skip_blanks(&scan->reader);
        size_t start = scan->reader.cursor;
        size_t length = reader_word(&scan->reader, &word);
        scan->reader.cursor = start;
        if (length == 6 && memcmp(word, "digest", 6) == 0) {
            return read_digest(scan);
        }
        add_to_digest(scan);
        enum status status = word[0] == '#'                                  ? read_comment(scan)
                             : length == 6 && memcmp(word, "gomoku", 6) == 0 ? read_board_line(scan)
                                                                             : read_position(scan);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return reader_need_line(&scan->reader, "a position, or 'digest' as the last line", scan->error);
}

enum status openings_parse(const char *bytes, size_t length, struct openings *book, struct error *error) {
    ASSERT(book->count == 0);
    struct scan scan = {.book = book, .error = error, .variant = -1};
    reader_init(&scan.reader, bytes, length);
    enum status status = reader_need_line(&scan.reader, "'" FIRST_LINE "'", error);
    if (status == STATUS_OK && !reader_line_is(&scan.reader, FIRST_LINE)) {
        status = expected_at(&scan, 0, "'" FIRST_LINE "'");
    }
    if (status == STATUS_OK) {
        add_to_digest(&scan);
        status = read_lines(&scan);
    }
    if (status == STATUS_OK) {
        openings_settle(book);
    } else {
        openings_free(book);
    }
    return status;
}

/* -- writing -- */

void openings_write_squares(const struct openings_position *position, struct text *text) {
    for (int i = 0; i < position->stones; i++) {
        char name[8];
        gomoku_square_text(position->size, position->squares[i], name);
        text_addf(text, i ? " %s" : "%s", name);
    }
}

static void write_position(const struct openings_position *position, struct text *text) {
    openings_write_squares(position, text);
    text_add_string(text, position->stones ? " = " : "= ");
    if (position->move_count == 0) {
        text_add_string(text, "?\n");
        return;
    }
    text_addf(text, "%d %u%s :", position->depth, position->effort, position->proved ? " proved" : "");
    for (int i = 0; i < position->move_count; i++) {
        char name[8];
        gomoku_square_text(position->size, position->moves[i].square, name);
        text_addf(text, " %s %d", name, (int)position->moves[i].value);
    }
    text_add_char(text, '\n');
}

void openings_write(struct openings *book, struct text *text) {
    size_t begun = text->length;
    text_add_string(text, FIRST_LINE "\n");
    text_add_string(text, text_string(&book->comment));
    for (size_t i = 0; i < book->count; i++) {
        const struct openings_position *position = &book->positions[i];
        const struct openings_position *last = i > 0 ? &book->positions[i - 1] : NULL;
        if (!last || last->variant != position->variant || last->size != position->size) {
            text_addf(text, "gomoku %s %d\n", gomoku_game.properties->variants[position->variant], position->size);
        }
        write_position(position, text);
    }
    if (!text->broken) {
        book->digest = crc64_add(0, (const uint8_t *)text->data + begun, text->length - begun);
        text_addf(text, "digest %016llx\n", (unsigned long long)book->digest);
    }
}
