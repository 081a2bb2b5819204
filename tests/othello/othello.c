#include "othello/othello.h"

#include <stdio.h>
#include <string.h>

#define RANDOM_PLIES 4 /* of a start by chance; on the smallest board eight squares are left then */

static const int steps[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};

static struct othello_position *own(struct game_position *position) {
    return (struct othello_position *)position;
}

static const struct othello_position *own_const(const struct game_position *position) {
    return (const struct othello_position *)position;
}

/* Whose disc is there; 0 for nobody and beside the board. */
static int disc_at(const struct othello_position *othello, int row, int column) {
    bool inside = row >= 0 && row < othello->size && column >= 0 && column < othello->size;
    return inside ? othello->discs[row * othello->size + column] : 0;
}

/* -- positions -- */

static bool othello_takes_size(int size) {
    return size % 2 == 0;
}

static enum status othello_start(struct game_position *position, int size, int variant, struct error *error) {
    (void)variant;
    if (!game_takes_size(&othello_game, size)) {
        return error_at(error, 0, 0, "expected an even board size of %d to %d, found %d", OTHELLO_LEAST, OTHELLO_MOST,
                        size);
    }
    struct othello_position *othello = own(position);
    *othello = (struct othello_position){.size = (uint8_t)size, .side = 1};
    int middle = (size / 2 - 1) * (size + 1); /* the upper left one of the four squares there */
    othello->discs[middle] = othello->discs[middle + size + 1] = 2;
    othello->discs[middle + 1] = othello->discs[middle + size] = 1;
    return STATUS_OK;
}

static int othello_size(const struct game_position *position) {
    return own_const(position)->size;
}

static int othello_variant(const struct game_position *position) {
    (void)position;
    return 0;
}

/* -- rules -- */

static int othello_to_move(const struct game_position *position) {
    return own_const(position)->side - 1;
}

/* How many discs a disc of `side` on the square would turn in one direction. */
static int turned(const struct othello_position *othello, int square, int side, const int step[2]) {
    int row = square / othello->size;
    int column = square % othello->size;
    int count = 0;
    while (disc_at(othello, row + (count + 1) * step[0], column + (count + 1) * step[1]) == 3 - side) {
        count++;
    }
    return disc_at(othello, row + (count + 1) * step[0], column + (count + 1) * step[1]) == side ? count : 0;
}

static bool turns_any(const struct othello_position *othello, int square, int side) {
    for (int i = 0; !othello->discs[square] && i < 8; i++) {
        if (turned(othello, square, side, steps[i])) {
            return true;
        }
    }
    return false;
}

static bool can_turn(const struct othello_position *othello, int side) {
    for (int square = 0; square < othello->size * othello->size; square++) {
        if (turns_any(othello, square, side)) {
            return true;
        }
    }
    return false;
}

static bool othello_over(const struct game_position *position) {
    return !can_turn(own_const(position), 1) && !can_turn(own_const(position), 2);
}

static bool othello_legal(const struct game_position *position, game_move move) {
    const struct othello_position *othello = own_const(position);
    if (move == OTHELLO_PASS) {
        return !can_turn(othello, othello->side) && can_turn(othello, 3 - othello->side);
    }
    return move < (game_move)(othello->size * othello->size) && turns_any(othello, (int)move, othello->side);
}

static int othello_moves(const struct game_position *position, game_move *moves) {
    const struct othello_position *othello = own_const(position);
    int count = 0;
    for (int square = 0; square < othello->size * othello->size; square++) {
        if (turns_any(othello, square, othello->side)) {
            moves[count++] = (game_move)square;
        }
    }
    if (count == 0 && can_turn(othello, 3 - othello->side)) {
        moves[count++] = OTHELLO_PASS;
    }
    return count;
}

/* Moves as numbers: the squares, and behind them the pass. */
static int othello_actions(const struct game_position *position) {
    return own_const(position)->size * own_const(position)->size + 1;
}

static int othello_action(const struct game_position *position, game_move move) {
    return move == OTHELLO_PASS ? othello_actions(position) - 1 : (int)move;
}

static game_move othello_action_move(const struct game_position *position, int action) {
    return action == othello_actions(position) - 1 ? OTHELLO_PASS : (game_move)action;
}

/* What undo needs: the move, and how many discs turned in each direction. */
static void othello_play(struct game_position *position, game_move move, struct game_undo *undo) {
    struct othello_position *othello = own(position);
    undo->words[0] = move;
    for (int i = 0; move != OTHELLO_PASS && i < 8; i++) {
        int count = turned(othello, (int)move, othello->side, steps[i]);
        int stride = steps[i][0] * othello->size + steps[i][1];
        for (int k = 1; k <= count; k++) {
            othello->discs[(int)move + k * stride] = othello->side;
        }
        undo->words[1 + i] = (uint64_t)count;
    }
    if (move != OTHELLO_PASS) {
        othello->discs[move] = othello->side;
    }
    othello->side = 3 - othello->side;
}

static void othello_undo(struct game_position *position, const struct game_undo *undo) {
    struct othello_position *othello = own(position);
    int square = (int)undo->words[0];
    for (int i = 0; square != OTHELLO_PASS && i < 8; i++) {
        int stride = steps[i][0] * othello->size + steps[i][1];
        for (int k = 1; k <= (int)undo->words[1 + i]; k++) {
            othello->discs[square + k * stride] = othello->side;
        }
    }
    if (square != OTHELLO_PASS) {
        othello->discs[square] = 0;
    }
    othello->side = 3 - othello->side;
}

static game_score othello_score(const struct game_position *position) {
    const struct othello_position *othello = own_const(position);
    game_score margin = 0;
    for (int i = 0; i < OTHELLO_SQUARES; i++) {
        margin += (othello->discs[i] == 1) - (othello->discs[i] == 2);
    }
    return margin;
}

static uint64_t othello_hash(const struct game_position *position) {
    const struct othello_position *othello = own_const(position);
    uint64_t hash = rng_mix((uint64_t)othello->size << 8 | othello->side);
    for (int i = 0; i < othello->size * othello->size; i++) {
        hash ^= rng_mix((uint64_t)(i + 1) << 16 | othello->discs[i]);
    }
    return hash;
}

/* -- text and notation: a square is a letter and a row from the top -- */

static void othello_move_text(const struct game_position *position, game_move move, char text[32]) {
    int size = own_const(position)->size;
    if (move == OTHELLO_PASS) {
        snprintf(text, 32, "pass");
    } else {
        snprintf(text, 32, "%c%d", 'A' + (int)move % size, (int)move / size + 1);
    }
}

/* The move a word means, legal or not; GAME_NO_MOVE where it means none. */
static game_move move_of(const struct othello_position *othello, const char *bytes, size_t length) {
    if (length == 4 && memcmp(bytes, "pass", 4) == 0) {
        return OTHELLO_PASS;
    }
    int column = length > 0 ? (bytes[0] & ~0x20) - 'A' : -1;
    int row = 0;
    for (size_t i = 1; i < length && i < 4; i++) {
        row = bytes[i] >= '0' && bytes[i] <= '9' && (row || bytes[i] != '0') ? row * 10 + bytes[i] - '0' : 1000;
    }
    bool inside = column >= 0 && column < othello->size && row >= 1 && row <= othello->size && length <= 3;
    return inside ? (game_move)((row - 1) * othello->size + column) : GAME_NO_MOVE;
}

static enum status othello_parse_move(const struct game_position *position, const char *bytes, size_t length,
                                      game_move *move, struct error *error) {
    game_move meant = move_of(own_const(position), bytes, length);
    if (!othello_legal(position, meant)) {
        return error_at(error, 1, 1, "expected a square where discs turn, such as C4, or 'pass' where there is none");
    }
    *move = meant;
    return STATUS_OK;
}

/* "othello plain SIZE SIDE", then the rows. */
static void othello_write(const struct game_position *position, struct text *text) {
    const struct othello_position *othello = own_const(position);
    text_addf(text, "othello plain %d %c\n", othello->size, ".XO"[othello->side]);
    for (int i = 0; i < othello->size * othello->size; i++) {
        text_addf(text, "%c%s", ".XO"[othello->discs[i]], (i + 1) % othello->size ? "" : "\n");
    }
}

static bool next_is(struct reader *reader, const char *expected) {
    const char *word;
    size_t length = reader_word(reader, &word);
    return length == strlen(expected) && memcmp(word, expected, length) == 0;
}

static enum status read_head(struct othello_position *othello, struct reader *reader, struct error *error) {
    static const char expected[] = "'othello plain', an even size of 4 to 10, and X or O";
    int64_t size = 0;
    enum status status = reader_need_line(reader, expected, error);
    if (status == STATUS_OK && !(next_is(reader, "othello") && next_is(reader, "plain"))) {
        reader->cursor = 0;
        status = reader_expected(reader, expected, error);
    }
    if (status == STATUS_OK) {
        reader_skip_blanks(reader);
        size_t before = reader->cursor;
        status = reader_integer(reader, OTHELLO_LEAST, OTHELLO_MOST, "an even size, 4 to 10", &size, error);
        if (status == STATUS_OK && !game_takes_size(&othello_game, (int)size)) {
            reader->cursor = before;
            status = reader_expected(reader, "an even size, 4 to 10", error);
        }
    }
    if (status == STATUS_OK) {
        const char *word;
        reader_skip_blanks(reader);
        size_t before = reader->cursor;
        bool one = reader_word(reader, &word) == 1 && (*word == 'X' || *word == 'O');
        othello->size = (uint8_t)size;
        othello->side = one && *word == 'X' ? 1 : 2;
        reader->cursor = one ? reader->cursor : before;
        status = one ? reader_need_line_end(reader, "the end of the line", error)
                     : reader_expected(reader, "X or O, the side to move", error);
    }
    return status;
}

static enum status othello_read(struct game_position *position, struct reader *reader, struct error *error) {
    struct othello_position *othello = own(position);
    memset(othello, 0, sizeof *othello);
    enum status status = read_head(othello, reader, error);
    for (int row = 0; status == STATUS_OK && row < othello->size; row++) {
        status = reader_need_line(reader, "a row of the board", error);
        for (int column = 0; status == STATUS_OK && column < othello->size; column++) {
            char c = (size_t)column < reader->length ? reader->line[column] : '\0';
            if (c != '.' && c != 'X' && c != 'O') {
                reader->cursor = (size_t)column;
                status = reader_expected(reader, "a square: X, O or .", error);
            }
            othello->discs[row * othello->size + column] = c == 'X' ? 1 : c == 'O' ? 2 : 0;
        }
        if (status == STATUS_OK) {
            reader->cursor = othello->size;
            status = reader_need_line_end(reader, "the end of the row", error);
        }
    }
    return status == STATUS_OK ? reader_need_end(reader, error) : status;
}

static void othello_cell(const struct game_position *position, int row, int column, struct game_cell *cell) {
    int disc = disc_at(own_const(position), row, column);
    memset(cell, 0, sizeof *cell);
    cell->ink = (enum game_ink[]){GAME_INK_EMPTY, GAME_INK_FIRST, GAME_INK_SECOND}[disc];
    cell->glyph = ".XO"[disc];
}

/* A few moves by chance. */
static enum status othello_start_random(struct game_position *position, int size, int variant, struct rng *rng,
                                        struct error *error) {
    enum status status = othello_start(position, size, variant, error);
    for (int i = 0; status == STATUS_OK && i < RANDOM_PLIES; i++) {
        game_move moves[OTHELLO_SQUARES];
        struct game_undo undo;
        int count = othello_moves(position, moves);
        othello_play(position, moves[rng_below(rng, (uint32_t)count)], &undo);
    }
    return status;
}

static const struct game_properties properties = {
    .name = "othello",
    .title = "Othello",
    .variants = {"plain", NULL},
    .sides = {"X", "O"},
    .least_size = OTHELLO_LEAST,
    .most_size = OTHELLO_MOST,
    .usual_size = 8,
    .most_moves = OTHELLO_SQUARES,
    .most_plies = 2 * OTHELLO_SQUARES, /* nobody passes twice in a row */
    .position_size = sizeof(struct othello_position),
    .score_kind = GAME_SCORE_MARGIN,
};

const struct game othello_game = {
    .properties = &properties,
    .takes_size = othello_takes_size,
    .start = othello_start,
    .start_random = othello_start_random,
    .read = othello_read,
    .write = othello_write,
    .size = othello_size,
    .variant = othello_variant,
    .to_move = othello_to_move,
    .over = othello_over,
    .moves = othello_moves,
    .legal = othello_legal,
    .play = othello_play,
    .undo = othello_undo,
    .score = othello_score,
    .evaluate = othello_score,
    .hash = othello_hash,
    .move_text = othello_move_text,
    .parse_move = othello_parse_move,
    .cell = othello_cell,
    .actions = othello_actions,
    .action = othello_action,
    .action_move = othello_action_move,
};
