#include "connect4/connect4.h"

#include <stdio.h>
#include <string.h>

#define LEAST 4 /* columns and rows */

static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}}; /* column and row of a line's next square */

static struct connect4_position *own(struct game_position *position) {
    return (struct connect4_position *)position;
}

static const struct connect4_position *own_const(const struct game_position *position) {
    return (const struct connect4_position *)position;
}

/* Who has a disc there; 0 for nobody and beside the board. */
static int disc_at(const struct connect4_position *c4, int column, int row) {
    return column >= 0 && column < c4->columns && row >= 0 && row < c4->rows ? c4->discs[column][row] : 0;
}

/* -- positions -- */

static void clear(struct connect4_position *c4, int columns, int rows) {
    memset(c4, 0, sizeof *c4);
    c4->columns = (uint8_t)columns;
    c4->rows = (uint8_t)rows;
}

/* The usual board has a row less than columns. */
static enum status connect4_start(struct game_position *position, int size, int variant, struct error *error) {
    (void)variant;
    if (size < LEAST + 1 || size > CONNECT4_MOST) {
        return error_at(error, 0, 0, "expected %d to %d columns, found %d", LEAST + 1, CONNECT4_MOST, size);
    }
    clear(own(position), size, size - 1);
    return STATUS_OK;
}

static int connect4_size(const struct game_position *position) {
    return own_const(position)->columns;
}

static struct game_shape connect4_shape(const struct game_position *position) {
    return (struct game_shape){.rows = own_const(position)->rows, .columns = own_const(position)->columns};
}

static int connect4_variant(const struct game_position *position) {
    (void)position;
    return 0;
}

/* -- rules -- */

static int connect4_to_move(const struct game_position *position) {
    return own_const(position)->count & 1;
}

static bool connect4_over(const struct game_position *position) {
    const struct connect4_position *c4 = own_const(position);
    return c4->winner || c4->count == c4->columns * c4->rows;
}

static bool connect4_legal(const struct game_position *position, game_move move) {
    const struct connect4_position *c4 = own_const(position);
    return !c4->winner && move < c4->columns && c4->heights[move] < c4->rows;
}

static int connect4_moves(const struct game_position *position, game_move *moves) {
    int count = 0;
    for (game_move column = 0; column < own_const(position)->columns; column++) {
        if (connect4_legal(position, column)) {
            moves[count++] = column;
        }
    }
    return count;
}

/* Whether the disc there stands in a row of four. */
static bool makes_four(const struct connect4_position *c4, int column, int row) {
    int side = c4->discs[column][row];
    for (int i = 0; i < 4; i++) {
        int length = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int k = sign; disc_at(c4, column + k * steps[i][0], row + k * steps[i][1]) == side; k += sign) {
                length++;
            }
        }
        if (length >= 4) {
            return true;
        }
    }
    return false;
}

static void connect4_play(struct game_position *position, game_move move, struct game_undo *undo) {
    struct connect4_position *c4 = own(position);
    int row = c4->heights[move]++;
    int side = 1 + (c4->count & 1);
    (void)undo; /* the moves tell */
    c4->discs[move][row] = (uint8_t)side;
    c4->moves[c4->count++] = (uint8_t)move;
    c4->winner = makes_four(c4, (int)move, row) ? (uint8_t)side : 0;
}

static void connect4_undo(struct game_position *position, const struct game_undo *undo) {
    (void)undo;
    struct connect4_position *c4 = own(position);
    int column = c4->moves[--c4->count];
    c4->moves[c4->count] = 0;
    c4->discs[column][--c4->heights[column]] = 0;
    c4->winner = 0;
}

static game_score connect4_score(const struct game_position *position) {
    int winner = own_const(position)->winner;
    return winner == 1 ? 1 : winner == 2 ? -1 : 0;
}

/* Every four squares in a line that only one side has discs on count for it, by the number of discs. */
static game_score connect4_evaluate(const struct game_position *position) {
    const struct connect4_position *c4 = own_const(position);
    static const int worth[4] = {0, 1, 4, 16};
    int value = 0;
    for (int line = 0; line < 4 * c4->columns * c4->rows; line++) {
        int column = line / 4 % c4->columns;
        int row = line / 4 / c4->columns;
        const int *step = steps[line % 4];
        int count[3] = {0, 0, 0};
        for (int k = 0; k < 4; k++) {
            count[disc_at(c4, column + k * step[0], row + k * step[1])]++;
        }
        bool inside = column + 3 * step[0] < c4->columns && row + 3 * step[1] < c4->rows && row + 3 * step[1] >= 0;
        if (inside && count[0] > 0 && (!count[1] || !count[2])) {
            value += worth[count[1]] - worth[count[2]];
        }
    }
    return c4->winner ? connect4_score(position) * GAME_WIN_VALUE : value;
}

static uint64_t connect4_hash(const struct game_position *position) {
    const struct connect4_position *c4 = own_const(position);
    uint64_t hash = rng_mix((uint64_t)c4->columns << 8 | c4->rows);
    for (int i = 0; i < c4->columns * c4->rows; i++) {
        hash ^= rng_mix((uint64_t)i << 2 | c4->discs[i % c4->columns][i / c4->columns]);
    }
    return hash;
}

/* -- text and notation: a column is a letter -- */

static void connect4_move_text(const struct game_position *position, game_move move, char text[32]) {
    (void)position;
    snprintf(text, 32, "%c", 'A' + (int)(move & 31));
}

static enum status connect4_parse_move(const struct game_position *position, const char *bytes, size_t length,
                                       game_move *move, struct error *error) {
    const struct connect4_position *c4 = own_const(position);
    game_move column = length == 1 ? (game_move)((bytes[0] & ~0x20) - 'A') : GAME_NO_MOVE;
    if (!connect4_legal(position, column)) {
        return error_at(error, 1, 1, "expected a column from A to %c with room in a game that is not over",
                        'A' + c4->columns - 1);
    }
    *move = column;
    return STATUS_OK;
}

/* "connect4 plain COLUMNS ROWS", then the moves. */
static void connect4_write(const struct game_position *position, struct text *text) {
    const struct connect4_position *c4 = own_const(position);
    text_addf(text, "connect4 plain %d %d\n", c4->columns, c4->rows);
    for (int i = 0; i < c4->count; i++) {
        text_addf(text, "%c%c", 'A' + c4->moves[i], i == c4->count - 1 ? '\n' : ' ');
    }
}

static enum status read_head(int64_t *columns, int64_t *rows, struct reader *reader, struct error *error) {
    static const char expected[] = "'connect4 plain', columns and rows";
    const char *word;
    enum status status = reader_need_line(reader, expected, error);
    if (status == STATUS_OK && (reader_word(reader, &word) != 8 || memcmp(word, "connect4", 8) != 0 ||
                                reader_word(reader, &word) != 5 || memcmp(word, "plain", 5) != 0)) {
        reader->cursor = 0;
        status = reader_expected(reader, expected, error);
    }
    if (status == STATUS_OK) {
        status = reader_integer(reader, LEAST, CONNECT4_MOST, "the number of columns, 4 to 10", columns, error);
    }
    if (status == STATUS_OK) {
        status = reader_integer(reader, LEAST, CONNECT4_MOST, "the number of rows, 4 to 10", rows, error);
    }
    return status == STATUS_OK ? reader_need_line_end(reader, "the end of the line", error) : status;
}

static enum status connect4_read(struct game_position *position, struct reader *reader, struct error *error) {
    int64_t columns = 0;
    int64_t rows = 0;
    enum status status = read_head(&columns, &rows, reader, error);
    clear(own(position), (int)columns, (int)rows);
    while (status == STATUS_OK && reader_next_line(reader)) {
        while (status == STATUS_OK && reader_skip_blanks(reader)) {
            const char *word;
            struct game_undo undo;
            game_move move = GAME_NO_MOVE;
            size_t start = reader->cursor;
            status = connect4_parse_move(position, reader->line + start, reader_word(reader, &word), &move, error);
            if (status == STATUS_OK) {
                connect4_play(position, move, &undo);
            } else if (error) {
                error->line = reader->line_number;
                error->column = (int)start + 1;
            }
        }
    }
    return status;
}

/* Rows are drawn from the top. */
static void connect4_cell(const struct game_position *position, int row, int column, struct game_cell *cell) {
    const struct connect4_position *c4 = own_const(position);
    int up = c4->rows - 1 - row;
    memset(cell, 0, sizeof *cell);
    cell->ink = (enum game_ink[]){GAME_INK_EMPTY, GAME_INK_FIRST, GAME_INK_SECOND}[c4->discs[column][up]];
    cell->glyph = ".XO"[c4->discs[column][up]];
    cell->last = c4->count > 0 && column == c4->moves[c4->count - 1] && up == c4->heights[column] - 1;
}

/* Two discs anywhere. */
static enum status connect4_start_random(struct game_position *position, int size, int variant, struct rng *rng,
                                         struct error *error) {
    enum status status = connect4_start(position, size, variant, error);
    for (int i = 0; status == STATUS_OK && i < 2; i++) {
        struct game_undo undo;
        connect4_play(position, rng_below(rng, (uint32_t)size), &undo);
    }
    return status;
}

static const struct game_properties properties = {
    .name = "connect4",
    .title = "Connect Four",
    .variants = {"plain", NULL},
    .sides = {"X", "O"},
    .least_size = LEAST + 1,
    .most_size = CONNECT4_MOST,
    .usual_size = 7,
    .most_moves = CONNECT4_MOST,
    .most_plies = CONNECT4_MOST * CONNECT4_MOST,
    .position_size = sizeof(struct connect4_position),
    .score_kind = GAME_SCORE_WIN,
};

const struct game connect4_game = {
    .properties = &properties,
    .start = connect4_start,
    .start_random = connect4_start_random,
    .read = connect4_read,
    .write = connect4_write,
    .size = connect4_size,
    .shape = connect4_shape,
    .variant = connect4_variant,
    .to_move = connect4_to_move,
    .over = connect4_over,
    .moves = connect4_moves,
    .legal = connect4_legal,
    .play = connect4_play,
    .undo = connect4_undo,
    .score = connect4_score,
    .evaluate = connect4_evaluate,
    .hash = connect4_hash,
    .move_text = connect4_move_text,
    .parse_move = connect4_parse_move,
    .cell = connect4_cell,
};
