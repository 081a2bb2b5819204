/* The rules of the war board, its text and its notation, as the game interface asks for them. */
#include "games/war/rules/war.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"

static struct war_position *war(struct game_position *position) {
    return (struct war_position *)position;
}

static const struct war_position *war_const(const struct game_position *position) {
    return (const struct war_position *)position;
}

int war_neighbours(int size, int square, int neighbours[4]) {
    ASSERT(square >= 0 && square < size * size);
    int column = square % size;
    int count = 0;
    if (square >= size) {
        neighbours[count++] = square - size;
    }
    if (column > 0) {
        neighbours[count++] = square - 1;
    }
    if (column < size - 1) {
        neighbours[count++] = square + 1;
    }
    if (square < size * (size - 1)) {
        neighbours[count++] = square + size;
    }
    return count;
}

void war_clear(struct war_position *position, int size, int variant) {
    ASSERT(size >= war_game.properties->least_size && size <= WAR_MOST_SIZE);
    ASSERT(variant == WAR_STAKE || variant == WAR_SNEAK);
    memset(position, 0, sizeof *position);
    position->size = (uint8_t)size;
    position->variant = (uint8_t)variant;
    position->empty = size * size;
    for (int square = 0; square < size * size; square++) {
        position->values[square] = 1;
    }
}

static void flip_bit(struct war_position *position, int side, int square) {
    position->own[side][square >> 6] ^= 1ULL << (square & 63);
}

void war_put(struct war_position *position, int side, int square) {
    ASSERT(side == WAR_X || side == WAR_O);
    ASSERT(!war_taken(position, square));
    ASSERT(position->empty > 0);
    flip_bit(position, side, square);
    position->score += side == WAR_X ? position->values[square] : -position->values[square];
    position->empty--;
}

bool war_can_raid(const struct war_position *position, int side, int square) {
    ASSERT(!war_taken(position, square));
    int neighbours[4];
    int count = war_neighbours(position->size, square, neighbours);
    for (int i = 0; i < count; i++) {
        if (war_owns(position, side, neighbours[i])) {
            return true;
        }
    }
    return false;
}

void war_square_text(int size, int square, char text[8]) {
    ASSERT(square >= 0 && square < size * size);
    int row = square / size + 1;
    *text++ = (char)('A' + square % size);
    if (row >= 10) {
        *text++ = (char)('0' + row / 10);
    }
    *text++ = (char)('0' + row % 10);
    *text = '\0';
}

/* -- positions -- */

static enum status war_start(struct game_position *out, int size, int variant, struct error *error) {
    if (size < 1 || size > WAR_MOST_SIZE) {
        return error_at(error, 0, 0, "expected a board size of 1 to %d, got %d", WAR_MOST_SIZE, size);
    }
    war_clear(war(out), size, variant);
    return STATUS_OK;
}

static enum status war_start_random(struct game_position *out, int size, int variant, struct rng *rng,
                                    struct error *error) {
    enum status status = war_start(out, size, variant, error);
    if (status != STATUS_OK) {
        return status;
    }
    for (int square = 0; square < size * size; square++) {
        war(out)->values[square] = 1 + (int32_t)rng_below(rng, 99);
    }
    return STATUS_OK;
}

static int war_size(const struct game_position *position) {
    return war_const(position)->size;
}

static int war_variant(const struct game_position *position) {
    return war_const(position)->variant;
}

/* -- rules -- */

static int war_to_move(const struct game_position *position) {
    return war_const(position)->to_move;
}

static bool war_over(const struct game_position *position) {
    return war_const(position)->empty == 0;
}

/* Stake-Raid: all Stakes row by row, then all Raids row by row. Sneak-Raid: one move a square, row by row. */
static int war_moves(const struct game_position *position, game_move *moves) {
    const struct war_position *w = war_const(position);
    int squares = w->size * w->size;
    int count = 0;
    if (w->variant == WAR_SNEAK) {
        for (int square = 0; square < squares; square++) {
            if (!war_taken(w, square)) {
                moves[count++] = (game_move)square | (war_can_raid(w, w->to_move, square) ? WAR_RAID : 0);
            }
        }
        return count;
    }
    for (int square = 0; square < squares; square++) {
        if (!war_taken(w, square)) {
            moves[count++] = (game_move)square;
        }
    }
    int stakes = count;
    for (int i = 0; i < stakes; i++) {
        if (war_can_raid(w, w->to_move, (int)moves[i])) {
            moves[count++] = moves[i] | WAR_RAID;
        }
    }
    return count;
}

static bool war_legal(const struct game_position *position, game_move move) {
    const struct war_position *w = war_const(position);
    int squares = w->size * w->size;
    if ((move & ~WAR_RAID) >= (game_move)squares || war_taken(w, (int)(move & ~WAR_RAID))) {
        return false;
    }
    int square = (int)(move & ~WAR_RAID);
    bool raid = (move & WAR_RAID) != 0;
    bool can_raid = war_can_raid(w, w->to_move, square);
    return w->variant == WAR_SNEAK ? raid == can_raid : !raid || can_raid;
}

/* Undo words: the square, the flipped neighbours (bit i: the i-th), the score before. */
static void war_play(struct game_position *position, game_move move, struct game_undo *undo) {
    ASSERT(war_game.legal(position, move));
    struct war_position *w = war(position);
    int side = w->to_move;
    int square = (int)(move & ~WAR_RAID);
    uint64_t flipped = 0;
    undo->words[2] = (uint64_t)(int64_t)w->score;
    war_put(w, side, square);
    if (move & WAR_RAID) {
        int neighbours[4];
        int count = war_neighbours(w->size, square, neighbours);
        for (int i = 0; i < count; i++) {
            if (war_owns(w, 1 - side, neighbours[i])) {
                flip_bit(w, side, neighbours[i]);
                flip_bit(w, 1 - side, neighbours[i]);
                w->score += (side == WAR_X ? 2 : -2) * w->values[neighbours[i]];
                flipped |= 1ULL << i;
            }
        }
    }
    w->to_move = (uint8_t)(1 - side);
    undo->words[0] = (uint64_t)square;
    undo->words[1] = flipped;
}

static void war_undo(struct game_position *position, const struct game_undo *undo) {
    struct war_position *w = war(position);
    int side = 1 - w->to_move;
    int square = (int)undo->words[0];
    int neighbours[4];
    war_neighbours(w->size, square, neighbours);
    for (uint64_t flipped = undo->words[1]; flipped;) {
        int i = bits_pop(&flipped);
        flip_bit(w, side, neighbours[i]);
        flip_bit(w, 1 - side, neighbours[i]);
    }
    flip_bit(w, side, square);
    w->score = (int32_t)(int64_t)undo->words[2];
    w->empty++;
    w->to_move = (uint8_t)side;
}

static game_score war_score(const struct game_position *position) {
    return war_const(position)->score;
}

static uint64_t war_hash(const struct game_position *position) {
    const struct war_position *w = war_const(position);
    uint64_t hash = rng_mix((uint64_t)w->size << 16 | (uint64_t)w->variant << 8 | w->to_move);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < WAR_WORDS; i++) {
            hash = rng_mix(hash ^ w->own[side][i]);
        }
    }
    for (int square = 0; square < w->size * w->size; square++) {
        hash = rng_mix(hash ^ (uint64_t)(uint32_t)w->values[square]);
    }
    return hash;
}

/* -- text and notation -- */

static void war_write(const struct game_position *position, struct text *text) {
    const struct war_position *w = war_const(position);
    text_addf(text, "war %s %d %c\n", w->variant == WAR_SNEAK ? "sneak" : "stake", w->size,
              w->to_move == WAR_X ? 'X' : 'O');
    war_write_values(w, text);
    war_write_board(w, '.', text);
}

void war_write_values(const struct war_position *w, struct text *text) {
    int size = w->size;
    for (int square = 0; square < size * size; square++) {
        text_addf(text, "%d%c", (int)w->values[square], square % size == size - 1 ? '\n' : ' ');
    }
}

void war_write_board(const struct war_position *w, char empty, struct text *text) {
    int size = w->size;
    for (int square = 0; square < size * size; square++) {
        text_add_char(text, war_owns(w, WAR_X, square) ? 'X' : war_owns(w, WAR_O, square) ? 'O' : empty);
        if (square % size == size - 1) {
            text_add_char(text, '\n');
        }
    }
}

enum status war_read_side(struct reader *reader, int *side, struct error *error) {
    static const char expected[] = "the side to play, X or O";
    enum status status = reader_need_line(reader, expected, error);
    if (status != STATUS_OK) {
        return status;
    }
    if (!reader_line_is(reader, "X") && !reader_line_is(reader, "O")) {
        return reader_expected(reader, expected, error);
    }
    *side = reader->line[0] == 'X' ? WAR_X : WAR_O;
    return STATUS_OK;
}

static enum status war_read(struct game_position *position, struct reader *reader, struct error *error) {
    struct war_position *w = war(position);
    const char *word;
    enum status status = reader_need_line(reader, "'war' and a rule set", error);
    if (status != STATUS_OK) {
        return status;
    }
    if (reader_word(reader, &word) != 3 || memcmp(word, "war", 3) != 0) {
        reader->cursor = 0;
        return reader_expected(reader, "'war'", error);
    }
    reader_skip_blanks(reader);
    size_t start = reader->cursor;
    size_t length = reader_word(reader, &word);
    int variant = game_find_variant(&war_game, word, length);
    if (variant < 0) {
        reader->cursor = start;
        return reader_expected(reader, "the rule set 'stake' or 'sneak'", error);
    }
    int64_t size;
    status = reader_integer(reader, 1, WAR_MOST_SIZE, "the board size, 1 to 26", &size, error);
    if (status != STATUS_OK) {
        return status;
    }
    reader_skip_blanks(reader);
    start = reader->cursor;
    if (reader_word(reader, &word) != 1 || (*word != 'X' && *word != 'O')) {
        reader->cursor = start;
        return reader_expected(reader, "the side to move, X or O", error);
    }
    int to_move = *word == 'X' ? WAR_X : WAR_O;
    status = reader_need_line_end(reader, "the end of the line", error);
    war_clear(w, (int)size, variant);
    if (status == STATUS_OK) {
        status = war_read_values(w, reader, error);
    }
    if (status == STATUS_OK) {
        status = war_read_board(w, reader, '.', error);
    }
    if (status == STATUS_OK) {
        status = reader_need_end(reader, error);
    }
    w->to_move = (uint8_t)to_move;
    return status;
}

enum status war_read_values(struct war_position *w, struct reader *reader, struct error *error) {
    ASSERT(w->empty == w->size * w->size);
    int64_t total = 0;
    for (int row = 0; row < w->size; row++) {
        char expected[80];
        snprintf(expected, sizeof expected, "row %d of the values (%d positive integers)", row + 1, w->size);
        enum status status = reader_need_line(reader, expected, error);
        for (int column = 0; column < w->size && status == STATUS_OK; column++) {
            int64_t value;
            snprintf(expected, sizeof expected, "value %d of %d, a positive integer", column + 1, w->size);
            size_t start = reader->cursor;
            status = reader_integer(reader, 1, WAR_MOST_TOTAL, expected, &value, error);
            if (status == STATUS_OK && total + value > WAR_MOST_TOTAL) {
                reader->cursor = start;
                reader_skip_blanks(reader);
                return reader_expected(reader, "values that add up to at most 1000000000", error);
            }
            if (status == STATUS_OK) {
                total += value;
                w->values[row * w->size + column] = (int32_t)value;
            }
        }
        if (status == STATUS_OK) {
            snprintf(expected, sizeof expected, "the end of the line after %d values", w->size);
            status = reader_need_line_end(reader, expected, error);
        }
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

enum status war_read_board(struct war_position *w, struct reader *reader, char empty, struct error *error) {
    ASSERT(w->empty == w->size * w->size);
    for (int row = 0; row < w->size; row++) {
        char expected[80];
        snprintf(expected, sizeof expected, "row %d of the board (%d of X, O and %c)", row + 1, w->size, empty);
        enum status status = reader_need_line(reader, expected, error);
        if (status != STATUS_OK) {
            return status;
        }
        for (int column = 0; column < w->size; column++) {
            reader->cursor = (size_t)column;
            char c = reader->cursor < reader->length ? reader->line[reader->cursor] : '\0';
            if (c == 'X' || c == 'O') {
                war_put(w, c == 'X' ? WAR_X : WAR_O, row * w->size + column);
            } else if (c != empty) {
                snprintf(expected, sizeof expected, "X, O or %c (%d squares a row)", empty, w->size);
                return reader_expected(reader, expected, error);
            }
        }
        reader->cursor = (size_t)w->size;
        if (reader->cursor < reader->length) {
            snprintf(expected, sizeof expected, "the end of the line after %d squares", w->size);
            return reader_expected(reader, expected, error);
        }
    }
    return STATUS_OK;
}

static void war_move_text(const struct game_position *position, game_move move, char text[32]) {
    const struct war_position *w = war_const(position);
    char square[8];
    war_square_text(w->size, (int)(move & ~WAR_RAID), square);
    const char *kind = move & WAR_RAID ? "Raid" : w->variant == WAR_SNEAK ? "Sneak" : "Stake";
    snprintf(text, 32, "%s %s", square, kind);
}

static bool war_word_is(const char *bytes, size_t length, const char *word) {
    return strlen(word) == length && memcmp(bytes, word, length) == 0;
}

/* "B3", or "B3 Raid". Without the kind, Sneak-Raid knows it; Stake-Raid takes a Stake. */
static enum status war_parse_move(const struct game_position *position, const char *bytes, size_t length,
                                  game_move *move, struct error *error) {
    const struct war_position *w = war_const(position);
    struct reader reader;
    reader_init(&reader, bytes, length);
    reader_next_line(&reader);
    const char *word;
    size_t word_length = reader_word(&reader, &word);
    int column = word_length ? (word[0] & ~0x20) - 'A' : -1;
    int row = 0;
    for (size_t i = 1; i < word_length && row < 100; i++) {
        row = word[i] >= '0' && word[i] <= '9' ? row * 10 + (word[i] - '0') : 100;
    }
    if (column < 0 || column >= w->size || row < 1 || row > w->size || word[1] == '0') {
        return error_at(error, 1, 1, "expected a square from A1 to %c%d", 'A' + w->size - 1, w->size);
    }
    int square = (row - 1) * w->size + column;
    if (war_taken(w, square)) {
        return error_at(error, 1, 1, "expected an empty square, %.*s is taken", (int)word_length, word);
    }
    reader_skip_blanks(&reader);
    int at = (int)reader.cursor + 1;
    word_length = reader_word(&reader, &word);
    bool can_raid = war_can_raid(w, w->to_move, square);
    bool raid;
    if (word_length == 0) {
        raid = w->variant == WAR_SNEAK && can_raid;
    } else if (war_word_is(word, word_length, "Raid")) {
        raid = true;
    } else if (war_word_is(word, word_length, w->variant == WAR_SNEAK ? "Sneak" : "Stake")) {
        raid = false;
    } else {
        return error_at(error, 1, at, "expected %s or Raid", w->variant == WAR_SNEAK ? "Sneak" : "Stake");
    }
    if (reader_skip_blanks(&reader) || reader_next_line(&reader)) {
        return error_at(error, 1, at, "expected nothing after the move");
    }
    *move = (game_move)square | (raid ? WAR_RAID : 0);
    if (!war_legal(position, *move)) {
        return error_at(error, 1, at,
                        raid ? "expected an own piece beside a raided square"
                             : "expected a Raid: the square is beside an own piece");
    }
    return STATUS_OK;
}

static void war_cell(const struct game_position *position, int row, int column, struct game_cell *cell) {
    const struct war_position *w = war_const(position);
    int square = row * w->size + column;
    memset(cell, 0, sizeof *cell);
    if (war_owns(w, WAR_X, square)) {
        cell->ink = GAME_INK_FIRST;
        cell->glyph = 'X';
    } else if (war_owns(w, WAR_O, square)) {
        cell->ink = GAME_INK_SECOND;
        cell->glyph = 'O';
    } else {
        cell->ink = GAME_INK_EMPTY;
        cell->glyph = w->variant == WAR_SNEAK ? '*' : '.';
    }
    snprintf(cell->label, sizeof cell->label, "%d", (int)w->values[square]);
}

static void war_inks(const struct game_position *position, uint8_t *inks) {
    const struct war_position *w = war_const(position);
    for (int square = 0; square < w->size * w->size; square++) {
        inks[square] = war_owns(w, WAR_X, square)   ? GAME_INK_FIRST
                       : war_owns(w, WAR_O, square) ? GAME_INK_SECOND
                                                    : GAME_INK_EMPTY;
    }
}

static void war_values(const struct game_position *position, int32_t *values) {
    const struct war_position *w = war_const(position);
    memcpy(values, w->values, (size_t)(w->size * w->size) * sizeof *values);
}

/* A Stake or a Sneak on every square, then a Raid on every square. */
static int war_actions(const struct game_position *position) {
    return 2 * war_const(position)->size * war_const(position)->size;
}

static int war_action(const struct game_position *position, game_move move) {
    return (int)(move & ~WAR_RAID) + (move & WAR_RAID ? war_actions(position) / 2 : 0);
}

static game_move war_action_move(const struct game_position *position, int action) {
    int squares = war_actions(position) / 2;
    return (game_move)(action % squares) | (action >= squares ? WAR_RAID : 0);
}

static const struct game_properties war_properties = {
    .name = "war",
    .title = "War board",
    .variants = {"stake", "sneak", NULL},
    .sides = {"X", "O"},
    .least_size = 1,
    .most_size = WAR_MOST_SIZE,
    .usual_size = 5,
    .most_moves = 2 * WAR_MOST_SQUARES,
    .most_plies = WAR_MOST_SQUARES,
    .position_size = sizeof(struct war_position),
    .score_kind = GAME_SCORE_MARGIN,
    .shows = GAME_SHOWS_VALUES,
};

const struct game war_game = {
    .properties = &war_properties,
    .start = war_start,
    .start_random = war_start_random,
    .read = war_read,
    .write = war_write,
    .size = war_size,
    .variant = war_variant,
    .to_move = war_to_move,
    .over = war_over,
    .moves = war_moves,
    .legal = war_legal,
    .play = war_play,
    .undo = war_undo,
    .score = war_score,
    .evaluate = war_score,
    .hash = war_hash,
    .move_text = war_move_text,
    .parse_move = war_parse_move,
    .cell = war_cell,
    .inks = war_inks,
    .values = war_values,
    .actions = war_actions,
    .action = war_action,
    .action_move = war_action_move,
    .textbook = war_textbook,
    .searcher_new = war_searcher_new,
    .searcher_free = war_searcher_free,
    .searcher_clear = war_searcher_clear,
    .think = war_think,
};
