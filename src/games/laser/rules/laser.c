/* The rules of Laser Checkmate, its text and its notation, as the game interface asks for them. The searches
 * do not come through here: they work on precomputed beams (beams.h). */
#include "games/laser/rules/laser.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"

static struct laser_position *laser(struct game_position *position) {
    return (struct laser_position *)position;
}

static const struct laser_position *laser_const(const struct game_position *position) {
    return (const struct laser_position *)position;
}

void laser_clear(struct laser_position *position, int size) {
    ASSERT(size >= laser_game.properties->least_size && size <= LASER_MOST_SIZE);
    memset(position, 0, sizeof *position);
    position->size = (uint8_t)size;
}

void laser_add_beams(const struct laser_position *position, int square, uint64_t beams[LASER_WORDS]) {
    ASSERT(square >= 0 && square < position->size * position->size);
    int size = position->size;
    laser_add(beams, square);
    for (int direction = 0; direction < 9; direction++) {
        int down = direction / 3 - 1;
        int right = direction % 3 - 1;
        int row = square / size;
        int column = square % size;
        for (int step = 0; step < LASER_RANGE && direction != 4; step++) {
            row += down;
            column += right;
            if (row < 0 || row >= size || column < 0 || column >= size ||
                laser_has(position->blocks, row * size + column)) {
                break;
            }
            laser_add(beams, row * size + column);
        }
    }
}

static int count_set(const uint64_t set[LASER_WORDS]) {
    int count = 0;
    for (int i = 0; i < LASER_WORDS; i++) {
        count += bits_count(set[i]);
    }
    return count;
}

/* The free squares in one word of the sets: legal moves for either side. */
static uint64_t free_word(const struct laser_position *position, int word) {
    int used = position->size * position->size - 64 * word;
    uint64_t board = used >= 64 ? ~0ULL : used > 0 ? (1ULL << used) - 1 : 0;
    return board & ~(position->blocks[word] | position->covered[0][word] | position->covered[1][word]);
}

int laser_count_lit_emitters(const struct laser_position *position) {
    int lit = 0;
    for (int square = 0; square < position->size * position->size; square++) {
        if (!laser_has(position->emitters[0], square) && !laser_has(position->emitters[1], square)) {
            continue;
        }
        /* Seeing is mutual: an emitter is lit exactly when it lights another one. */
        uint64_t beams[LASER_WORDS] = {0};
        laser_add_beams(position, square, beams);
        for (int i = 0; i < LASER_WORDS; i++) {
            beams[i] &= position->emitters[0][i] | position->emitters[1][i];
        }
        lit += count_set(beams) > 1;
    }
    return lit;
}

/* -- positions -- */

static enum status laser_start(struct game_position *out, int size, int variant, struct error *error) {
    (void)variant;
    if (size < 1 || size > LASER_MOST_SIZE) {
        return error_at(error, 0, 0, "expected a board size of 1 to %d, got %d", LASER_MOST_SIZE, size);
    }
    laser_clear(laser(out), size);
    return STATUS_OK;
}

/* Blocks at random on 0 to 16 of 100 squares, 8 on average, and no emitters. */
static enum status laser_start_random(struct game_position *out, int size, int variant, struct rng *rng,
                                      struct error *error) {
    enum status status = laser_start(out, size, variant, error);
    if (status != STATUS_OK) {
        return status;
    }
    uint32_t squares = (uint32_t)(size * size);
    uint32_t blocks = rng_below(rng, squares * 16 / 100 + 1);
    while (blocks > 0) {
        int square = (int)rng_below(rng, squares);
        if (!laser_has(laser(out)->blocks, square)) {
            laser_add(laser(out)->blocks, square);
            blocks--;
        }
    }
    return STATUS_OK;
}

static int laser_size(const struct game_position *position) {
    return laser_const(position)->size;
}

static int laser_variant(const struct game_position *position) {
    (void)position;
    return 0;
}

/* -- rules -- */

static int laser_to_move(const struct game_position *position) {
    return laser_const(position)->to_move;
}

static bool laser_over(const struct game_position *position) {
    for (int word = 0; word < LASER_WORDS; word++) {
        if (free_word(laser_const(position), word)) {
            return false;
        }
    }
    return true;
}

/* Row by row. */
static int laser_moves(const struct game_position *position, game_move *moves) {
    int count = 0;
    for (int word = 0; word < LASER_WORDS; word++) {
        for (uint64_t squares = free_word(laser_const(position), word); squares;) {
            moves[count++] = (game_move)(64 * word + bits_pop(&squares));
        }
    }
    return count;
}

static bool laser_legal(const struct game_position *position, game_move move) {
    return move < LASER_MOST_SQUARES && (free_word(laser_const(position), (int)(move >> 6)) >> (move & 63) & 1);
}

_Static_assert((LASER_WORDS + 1) * sizeof(uint64_t) <= sizeof(struct game_undo), "undo has room");

/* Undo words: what the side covered before, and the square. */
static void laser_play(struct game_position *position, game_move move, struct game_undo *undo) {
    ASSERT(laser_game.legal(position, move));
    struct laser_position *l = laser(position);
    int side = l->to_move;
    memcpy(undo->words, l->covered[side], sizeof l->covered[side]);
    undo->words[LASER_WORDS] = move;
    laser_add(l->emitters[side], (int)move);
    laser_add_beams(l, (int)move, l->covered[side]);
    l->to_move = (uint8_t)(1 - side);
}

static void laser_undo(struct game_position *position, const struct game_undo *undo) {
    struct laser_position *l = laser(position);
    int side = 1 - l->to_move;
    int square = (int)undo->words[LASER_WORDS];
    memcpy(l->covered[side], undo->words, sizeof l->covered[side]);
    l->emitters[side][square >> 6] &= ~(1ULL << (square & 63));
    l->to_move = (uint8_t)side;
}

static game_score laser_score(const struct game_position *position) {
    return count_set(laser_const(position)->covered[0]) - count_set(laser_const(position)->covered[1]);
}

static uint64_t laser_hash(const struct game_position *position) {
    const struct laser_position *l = laser_const(position);
    uint64_t hash = rng_mix((uint64_t)l->size << 8 | l->to_move);
    for (int i = 0; i < LASER_WORDS; i++) {
        hash = rng_mix(hash ^ l->blocks[i]);
        hash = rng_mix(hash ^ l->covered[0][i]);
        hash = rng_mix(hash ^ l->covered[1][i]);
    }
    return hash;
}

/* -- text and notation -- */

void laser_write_rows(const struct laser_position *l, struct text *text) {
    for (int square = 0; square < l->size * l->size; square++) {
        text_add_char(text, laser_has(l->blocks, square)        ? '3'
                            : laser_has(l->emitters[0], square) ? '1'
                            : laser_has(l->emitters[1], square) ? '2'
                                                                : '0');
        if (square % l->size == l->size - 1) {
            text_add_char(text, '\n');
        }
    }
}

static void laser_write(const struct game_position *position, struct text *text) {
    const struct laser_position *l = laser_const(position);
    text_addf(text, "laser %d %d\n", l->size, l->to_move + 1);
    laser_write_rows(l, text);
}

enum status laser_read_rows(struct laser_position *l, struct reader *reader, struct error *error) {
    for (int row = 0; row < l->size; row++) {
        char expected[80];
        snprintf(expected, sizeof expected, "row %d of the board (%d digits of 0 to 3)", row + 1, l->size);
        enum status status = reader_need_line(reader, expected, error);
        if (status != STATUS_OK) {
            return status;
        }
        reader_skip_blanks(reader);
        for (int column = 0; column < l->size; column++, reader->cursor++) {
            int square = row * l->size + column;
            char c = reader->cursor < reader->length ? reader->line[reader->cursor] : '\0';
            if (c == '1' || c == '2') {
                laser_add(l->emitters[c - '1'], square);
            } else if (c == '3') {
                laser_add(l->blocks, square);
            } else if (c != '0') {
                snprintf(expected, sizeof expected, "a digit of 0 to 3 (%d squares a row)", l->size);
                return reader_expected(reader, expected, error);
            }
        }
        snprintf(expected, sizeof expected, "the end of the line after %d squares", l->size);
        status = reader_need_line_end(reader, expected, error);
        if (status != STATUS_OK) {
            return status;
        }
    }
    for (int square = 0; square < l->size * l->size; square++) {
        for (int side = 0; side < 2; side++) {
            if (laser_has(l->emitters[side], square)) {
                laser_add_beams(l, square, l->covered[side]);
            }
        }
    }
    return STATUS_OK;
}

static enum status laser_read(struct game_position *position, struct reader *reader, struct error *error) {
    struct laser_position *l = laser(position);
    const char *word;
    enum status status = reader_need_line(reader, "'laser', the board size and the side to move", error);
    if (status != STATUS_OK) {
        return status;
    }
    if (reader_word(reader, &word) != 5 || memcmp(word, "laser", 5) != 0) {
        reader->cursor = 0;
        return reader_expected(reader, "'laser'", error);
    }
    int64_t size;
    int64_t side;
    status = reader_integer(reader, 1, LASER_MOST_SIZE, "the board size, 1 to 32", &size, error);
    if (status != STATUS_OK) {
        return status;
    }
    laser_clear(l, (int)size);
    status = reader_integer(reader, 1, 2, "the side to move, 1 or 2", &side, error);
    if (status != STATUS_OK) {
        return status;
    }
    l->to_move = (uint8_t)(side - 1);
    status = reader_need_line_end(reader, "the end of the line", error);
    if (status == STATUS_OK) {
        status = laser_read_rows(l, reader, error);
    }
    if (status == STATUS_OK) {
        status = reader_need_end(reader, error);
    }
    return status;
}

static void laser_move_text(const struct game_position *position, game_move move, char text[32]) {
    int size = laser_const(position)->size;
    snprintf(text, 32, "%d %d", (int)move / size, (int)move % size);
}

/* "3 4": the row and the column, both from 0. */
static enum status laser_parse_move(const struct game_position *position, const char *bytes, size_t length,
                                    game_move *move, struct error *error) {
    const struct laser_position *l = laser_const(position);
    struct reader reader;
    reader_init(&reader, bytes, length);
    enum status status = reader_need_line(&reader, "a row and a column", error);
    int64_t place[2];
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        char expected[48];
        snprintf(expected, sizeof expected, "the %s, 0 to %d", i == 0 ? "row" : "column", l->size - 1);
        status = reader_integer(&reader, 0, l->size - 1, expected, &place[i], error);
    }
    if (status == STATUS_OK) {
        status = reader_need_line_end(&reader, "nothing after the row and the column", error);
    }
    if (status == STATUS_OK) {
        status = reader_need_end(&reader, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    int row = (int)place[0];
    int column = (int)place[1];
    *move = (game_move)(row * l->size + column);
    if (!laser_legal(position, *move)) {
        bool block = laser_has(l->blocks, (int)*move);
        return error_at(error, 1, 1, "expected a free square, %d %d %s", row, column,
                        block ? "is a block" : "is covered by a beam");
    }
    return STATUS_OK;
}

static enum game_ink laser_ink(const struct laser_position *l, int square) {
    static const enum game_ink fields[4] = {GAME_INK_EMPTY, GAME_INK_FIRST_FIELD, GAME_INK_SECOND_FIELD,
                                            GAME_INK_BOTH_FIELD};
    int sides = (laser_has(l->covered[0], square) ? 1 : 0) + (laser_has(l->covered[1], square) ? 2 : 0);
    return laser_has(l->blocks, square)        ? GAME_INK_BLOCK
           : laser_has(l->emitters[0], square) ? GAME_INK_FIRST
           : laser_has(l->emitters[1], square) ? GAME_INK_SECOND
                                               : fields[sides];
}

static void laser_cell(const struct game_position *position, int row, int column, struct game_cell *cell) {
    const struct laser_position *l = laser_const(position);
    memset(cell, 0, sizeof *cell);
    cell->ink = laser_ink(l, row * l->size + column);
    cell->glyph = cell->ink == GAME_INK_BLOCK    ? '3'
                  : cell->ink == GAME_INK_FIRST  ? '1'
                  : cell->ink == GAME_INK_SECOND ? '2'
                                                 : '0';
}

static void laser_inks(const struct game_position *position, uint8_t *inks) {
    const struct laser_position *l = laser_const(position);
    for (int square = 0; square < l->size * l->size; square++) {
        inks[square] = (uint8_t)laser_ink(l, square);
    }
}

static const struct game_properties laser_properties = {
    .name = "laser",
    .title = "Laser Checkmate",
    .variants = {"standard", NULL},
    .sides = {"1", "2"},
    .least_size = 1,
    .most_size = LASER_MOST_SIZE,
    .usual_size = 10,
    .most_moves = LASER_MOST_SQUARES,
    .most_plies = LASER_MOST_PLIES,
    .position_size = sizeof(struct laser_position),
    .score_kind = GAME_SCORE_MARGIN,
    .shows = GAME_SHOWS_BLOCKS | GAME_SHOWS_FIELDS,
    .numbered_from_zero = true,
};

const struct game laser_game = {
    .properties = &laser_properties,
    .start = laser_start,
    .start_random = laser_start_random,
    .read = laser_read,
    .write = laser_write,
    .size = laser_size,
    .variant = laser_variant,
    .to_move = laser_to_move,
    .over = laser_over,
    .moves = laser_moves,
    .legal = laser_legal,
    .play = laser_play,
    .undo = laser_undo,
    .score = laser_score,
    .evaluate = laser_score,
    .hash = laser_hash,
    .move_text = laser_move_text,
    .parse_move = laser_parse_move,
    .cell = laser_cell,
    .inks = laser_inks,
    .textbook = laser_textbook,
    .searcher_new = laser_searcher_new,
    .searcher_free = laser_searcher_free,
    .searcher_clear = laser_searcher_clear,
    .think = laser_think,
};
