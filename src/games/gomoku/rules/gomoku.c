/* The rules of Gomoku, its text and its notation, as the game interface asks for them. */
#include "games/gomoku/rules/gomoku.h"
#include "base/assert.h"
#include "games/gomoku/rules/foul.h"

#include <stdio.h>
#include <string.h>

static struct gomoku_position *gomoku(struct game_position *position) {
    return (struct gomoku_position *)position;
}

static bool on_board(int size, int row, int column) {
    return row >= 0 && row < size && column >= 0 && column < size;
}

static const int rule_numbers[GOMOKU_VARIANTS] = {0, 1, 4, 8};

int gomoku_rule_number(int variant) {
    ASSERT(variant >= 0 && variant < GOMOKU_VARIANTS);
    return rule_numbers[variant];
}

int gomoku_variant_of_rule(int number) {
    for (int variant = 0; variant < GOMOKU_VARIANTS; variant++) {
        if (rule_numbers[variant] == number) {
            return variant;
        }
    }
    return -1;
}

/* -- positions -- */

void gomoku_clear(struct gomoku_position *position, int size, int variant) {
    ASSERT(size >= GOMOKU_LEAST_SIZE && size <= GOMOKU_MOST_SIZE);
    ASSERT(variant >= 0 && variant < GOMOKU_VARIANTS);
    memset(position, 0, sizeof *position);
    position->size = (uint8_t)size;
    position->variant = (uint8_t)variant;
}

/* Stones of the colour of `square` in a straight line from it, itself not counted; *end is what stands behind them,
 * GOMOKU_EMPTY where the board ends. */
static int run_length(const struct gomoku_position *position, int square, int down, int right, int *end) {
    int size = position->size;
    int row = square / size + down;
    int column = square % size + right;
    int length = 0;
    while (on_board(size, row, column) && position->board[row * size + column] == position->board[square]) {
        length++;
        row += down;
        column += right;
    }
    *end = on_board(size, row, column) ? position->board[row * size + column] : GOMOKU_EMPTY;
    return length;
}

/* Whether a row of so many of a colour wins; `shut`: the other colour stands at both ends. */
static bool row_wins(int variant, int colour, int length, bool shut) {
    switch (variant) {
    case GOMOKU_EXACT:
        return length == 5;
    case GOMOKU_RENJU:
        return colour == GOMOKU_X ? length == 5 : length >= 5;
    case GOMOKU_CARO:
        return length > 5 || (length == 5 && !shut);
    default:
        return length >= 5;
    }
}

bool gomoku_wins_at(const struct gomoku_position *position, int square) {
    ASSERT(square >= 0 && square < position->size * position->size);
    ASSERT(position->board[square] != GOMOKU_EMPTY);
    static const int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int i = 0; i < 4; i++) {
        int down = directions[i][0];
        int right = directions[i][1];
        int before, behind;
        int length = 1 + run_length(position, square, down, right, &behind) +
                     run_length(position, square, -down, -right, &before);
        bool shut = before != GOMOKU_EMPTY && behind != GOMOKU_EMPTY;
        if (row_wins(position->variant, position->board[square], length, shut)) {
            return true;
        }
    }
    return false;
}

const char *gomoku_forbidden_at(const struct gomoku_position *position, int square) {
    ASSERT(position->board[square] == GOMOKU_EMPTY);
    if (position->variant != GOMOKU_RENJU || position->count & 1) {
        return NULL;
    }
    uint8_t board[GOMOKU_MOST_SQUARES];
    memcpy(board, position->board, (size_t)(position->size * position->size));
    enum gomoku_foul foul = gomoku_foul_at(board, position->size, square);
    return foul == GOMOKU_NO_FOUL ? NULL : gomoku_foul_name(foul);
}

/* Whether the side to move may play on the empty square. */
static bool is_allowed(const struct gomoku_position *position, int square) {
    return position->variant != GOMOKU_RENJU || !gomoku_forbidden_at(position, square);
}

void gomoku_put(struct gomoku_position *position, int square) {
    ASSERT(square >= 0 && square < position->size * position->size);
    ASSERT(position->board[square] == GOMOKU_EMPTY);
    ASSERT(position->winner == GOMOKU_NO_WINNER);
    ASSERT(position->count < position->size * position->size);
    uint8_t stone = (uint8_t)(1 + (position->count & 1));
    position->board[square] = stone;
    position->order[position->count++] = (uint16_t)square;
    if (gomoku_wins_at(position, square)) {
        position->winner = stone;
    }
}

enum status gomoku_set_board(struct gomoku_position *position, int size, int variant, const uint8_t *board,
                             struct error *error) {
    ASSERT(size >= GOMOKU_LEAST_SIZE && size <= GOMOKU_MOST_SIZE);
    int squares = size * size;
    int stones[3] = {0, 0, 0};
    gomoku_clear(position, size, variant);
    for (int square = 0; square < squares; square++) {
        stones[board[square]]++;
    }
    if (stones[GOMOKU_X] != stones[GOMOKU_O] && stones[GOMOKU_X] != stones[GOMOKU_O] + 1) {
        return error_at(error, 0, 0, "expected as many X as O or one X more, got %d X and %d O", stones[GOMOKU_X],
                        stones[GOMOKU_O]);
    }
    memcpy(position->board, board, (size_t)squares);
    position->count = (uint16_t)(stones[GOMOKU_X] + stones[GOMOKU_O]);
    position->setup = position->count;
    int next[3] = {0, 0, 1}; /* where in `order` the next stone of each colour goes */
    bool won[3] = {false, false, false};
    for (int square = 0; square < squares; square++) {
        int stone = board[square];
        if (stone != GOMOKU_EMPTY) {
            position->order[next[stone]] = (uint16_t)square;
            next[stone] += 2;
            won[stone] = won[stone] || gomoku_wins_at(position, square);
        }
    }
    int to_move = 1 + (position->count & 1);
    if (won[to_move]) {
        return error_at(error, 0, 0, "expected no five of %c, whose move it is", to_move == GOMOKU_X ? 'X' : 'O');
    }
    position->winner = (uint8_t)(won[3 - to_move] ? 3 - to_move : GOMOKU_NO_WINNER);
    return STATUS_OK;
}

static enum status gomoku_start(struct game_position *out, int size, int variant, struct error *error) {
    if (size < GOMOKU_LEAST_SIZE || size > GOMOKU_MOST_SIZE) {
        return error_at(error, 0, 0, "expected a board size of %d to %d, got %d", GOMOKU_LEAST_SIZE, GOMOKU_MOST_SIZE,
                        size);
    }
    gomoku_clear(gomoku(out), size, variant);
    return STATUS_OK;
}

static enum status gomoku_start_random(struct game_position *out, int size, int variant, struct rng *rng,
                                       struct error *error) {
    enum status status = gomoku_start(out, size, variant, error);
    if (status == STATUS_OK) {
        gomoku_random_opening(gomoku(out), rng);
    }
    return status;
}

static int gomoku_size(const struct game_position *position) {
    return gomoku_const(position)->size;
}

static int gomoku_variant(const struct game_position *position) {
    return gomoku_const(position)->variant;
}

/* -- rules -- */

static int gomoku_to_move(const struct game_position *position) {
    return gomoku_const(position)->count & 1;
}

static bool gomoku_over(const struct game_position *position) {
    const struct gomoku_position *g = gomoku_const(position);
    if (g->winner != GOMOKU_NO_WINNER || g->count == g->size * g->size) {
        return true;
    }
    if (g->variant != GOMOKU_RENJU) {
        return false;
    }
    for (int square = 0; square < g->size * g->size; square++) {
        if (g->board[square] == GOMOKU_EMPTY && is_allowed(g, square)) {
            return false;
        }
    }
    return true;
}

/* The empty squares row by row, without those that are forbidden. */
static int gomoku_moves(const struct game_position *position, game_move *moves) {
    const struct gomoku_position *g = gomoku_const(position);
    int count = 0;
    if (g->winner != GOMOKU_NO_WINNER) {
        return 0;
    }
    for (int square = 0; square < g->size * g->size; square++) {
        if (g->board[square] == GOMOKU_EMPTY && is_allowed(g, square)) {
            moves[count++] = (game_move)square;
        }
    }
    return count;
}

static bool gomoku_legal(const struct game_position *position, game_move move) {
    const struct gomoku_position *g = gomoku_const(position);
    return g->winner == GOMOKU_NO_WINNER && move < (game_move)(g->size * g->size) && g->board[move] == GOMOKU_EMPTY &&
           is_allowed(g, (int)move);
}

/* The order of moves is the history already: undo only needs to know that nobody had won. */
static void gomoku_play(struct game_position *position, game_move move, struct game_undo *undo) {
    undo->words[0] = gomoku_const(position)->winner;
    gomoku_put(gomoku(position), (int)move);
}

static void gomoku_undo(struct game_position *position, const struct game_undo *undo) {
    ASSERT(gomoku_const(position)->count > 0);
    struct gomoku_position *g = gomoku(position);
    g->count--;
    g->board[g->order[g->count]] = GOMOKU_EMPTY;
    g->order[g->count] = 0;
    g->winner = (uint8_t)undo->words[0];
}

static game_score gomoku_score(const struct game_position *position) {
    int winner = gomoku_const(position)->winner;
    return winner == GOMOKU_X ? 1 : winner == GOMOKU_O ? -1 : 0;
}

static uint64_t gomoku_hash(const struct game_position *position) {
    const struct gomoku_position *g = gomoku_const(position);
    uint64_t hash = rng_mix((uint64_t)g->size << 8 | g->variant);
    for (int square = 0; square < g->size * g->size; square++) {
        if (g->board[square] != GOMOKU_EMPTY) {
            hash ^= rng_mix((uint64_t)square << 2 | g->board[square]);
        }
    }
    return hash;
}

/* -- text and notation -- */

void gomoku_square_text(int size, int square, char text[8]) {
    ASSERT(square >= 0 && square < size * size);
    snprintf(text, 8, "%c%d", 'A' + square % size, (square / size + 1) & 0xff);
}

int gomoku_parse_square(int size, const char *bytes, size_t length) {
    if (length < 2 || length > 3 || bytes[1] == '0') {
        return -1;
    }
    int column = (bytes[0] & ~0x20) - 'A';
    int row = 0;
    for (size_t i = 1; i < length; i++) {
        if (bytes[i] < '0' || bytes[i] > '9') {
            return -1;
        }
        row = row * 10 + (bytes[i] - '0');
    }
    return on_board(size, row - 1, column) ? (row - 1) * size + column : -1;
}

/* The drawn stones, if there were any, as rows of X, O and dots; then the moves, ten a line. */
static void gomoku_write(const struct game_position *position, struct text *text) {
    const struct gomoku_position *g = gomoku_const(position);
    int size = g->size;
    text_addf(text, "gomoku %s %d\n", gomoku_game.properties->variants[g->variant], size);
    if (g->setup > 0) {
        char drawn[GOMOKU_MOST_SQUARES];
        memset(drawn, '.', sizeof drawn);
        for (int i = 0; i < g->setup; i++) {
            drawn[g->order[i]] = i & 1 ? 'O' : 'X';
        }
        for (int row = 0; row < size; row++) {
            text_add(text, drawn + row * size, (size_t)size);
            text_add_char(text, '\n');
        }
    }
    for (int i = g->setup; i < g->count; i++) {
        char square[8];
        gomoku_square_text(size, g->order[i], square);
        text_add_string(text, square);
        text_add_char(text, i == g->count - 1 || (i - g->setup) % 10 == 9 ? '\n' : ' ');
    }
}

/* The reader stands on the first row of a drawn board. */
static enum status gomoku_read_board(struct gomoku_position *position, int size, int variant, struct reader *reader,
                                     struct error *error) {
    uint8_t board[GOMOKU_MOST_SQUARES];
    char expected[80];
    int first_line = reader->line_number;
    for (int row = 0; row < size; row++) {
        if (row > 0) {
            snprintf(expected, sizeof expected, "row %d of the board (%d of X, O and .)", row + 1, size);
            enum status status = reader_need_line(reader, expected, error);
            if (status != STATUS_OK) {
                return status;
            }
        }
        for (int column = 0; column < size; column++) {
            reader->cursor = (size_t)column;
            char c = reader->cursor < reader->length ? reader->line[reader->cursor] : '\0';
            if (c != 'X' && c != 'O' && c != '.') {
                snprintf(expected, sizeof expected, "X, O or . (%d squares a row)", size);
                return reader_expected(reader, expected, error);
            }
            board[row * size + column] = c == 'X' ? GOMOKU_X : c == 'O' ? GOMOKU_O : GOMOKU_EMPTY;
        }
        reader->cursor = (size_t)size;
        if (reader->cursor < reader->length) {
            snprintf(expected, sizeof expected, "the end of the line after %d squares", size);
            return reader_expected(reader, expected, error);
        }
    }
    enum status status = gomoku_set_board(position, size, variant, board, error);
    if (status != STATUS_OK && error) {
        error->line = first_line;
        error->column = 1;
    }
    return status;
}

/* Plays the moves on the current line. */
static enum status read_moves(struct gomoku_position *position, struct reader *reader, struct error *error) {
    while (reader_skip_blanks(reader)) {
        const char *word;
        char expected[80];
        size_t start = reader->cursor;
        size_t length = reader_word(reader, &word);
        int square = gomoku_parse_square(position->size, word, length);
        reader->cursor = start;
        if (square < 0) {
            snprintf(expected, sizeof expected, "a square from A1 to %c%d", 'A' + position->size - 1, position->size);
            return reader_expected(reader, expected, error);
        }
        if (position->winner != GOMOKU_NO_WINNER) {
            return reader_expected(reader, "no move after the five that won", error);
        }
        if (position->board[square] != GOMOKU_EMPTY) {
            return reader_expected(reader, "an empty square", error);
        }
        const char *forbidden = gomoku_forbidden_at(position, square);
        if (forbidden) {
            snprintf(expected, sizeof expected, "a square renju allows, where X does not make %s", forbidden);
            return reader_expected(reader, expected, error);
        }
        reader->cursor = start + length;
        gomoku_put(position, square);
    }
    return STATUS_OK;
}

static enum status gomoku_read(struct game_position *position, struct reader *reader, struct error *error) {
    struct gomoku_position *g = gomoku(position);
    const char *word;
    enum status status = reader_need_line(reader, "'gomoku' and a rule set", error);
    if (status != STATUS_OK) {
        return status;
    }
    if (reader_word(reader, &word) != 6 || memcmp(word, "gomoku", 6) != 0) {
        reader->cursor = 0;
        return reader_expected(reader, "'gomoku'", error);
    }
    reader_skip_blanks(reader);
    size_t start = reader->cursor;
    size_t length = reader_word(reader, &word);
    int variant = game_find_variant(&gomoku_game, word, length);
    if (variant < 0) {
        reader->cursor = start;
        return reader_expected(reader, "the rule set 'freestyle', 'exact', 'renju' or 'caro'", error);
    }
    int64_t size;
    status = reader_integer(reader, GOMOKU_LEAST_SIZE, GOMOKU_MOST_SIZE, "the board size, 5 to 22", &size, error);
    if (status == STATUS_OK) {
        status = reader_need_line_end(reader, "the end of the line", error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    gomoku_clear(g, (int)size, variant);
    bool first = true;
    while (status == STATUS_OK && reader_next_line(reader)) {
        if (!reader_skip_blanks(reader)) {
            continue;
        }
        const char *second = reader->cursor + 1 < reader->length ? reader->line + reader->cursor + 1 : ".";
        bool drawn = first && (*second < '0' || *second > '9'); /* a square has a digit there */
        status = drawn ? gomoku_read_board(g, (int)size, variant, reader, error) : read_moves(g, reader, error);
        first = false;
    }
    return status;
}

static void gomoku_move_text(const struct game_position *position, game_move move, char text[32]) {
    char square[8];
    gomoku_square_text(gomoku_const(position)->size, (int)move, square);
    snprintf(text, 32, "%s", square);
}

static enum status gomoku_parse_move(const struct game_position *position, const char *bytes, size_t length,
                                     game_move *move, struct error *error) {
    const struct gomoku_position *g = gomoku_const(position);
    struct reader reader;
    const char *word;
    reader_init(&reader, bytes, length);
    reader_next_line(&reader);
    reader_skip_blanks(&reader);
    int at = (int)reader.cursor + 1;
    size_t word_length = reader_word(&reader, &word);
    int square = gomoku_parse_square(g->size, word, word_length);
    if (square < 0) {
        return error_at(error, 1, at, "expected a square from A1 to %c%d", 'A' + g->size - 1, g->size);
    }
    if (g->board[square] != GOMOKU_EMPTY) {
        return error_at(error, 1, at, "expected an empty square, %.*s is taken", (int)word_length, word);
    }
    if (reader_skip_blanks(&reader) || reader_next_line(&reader)) {
        return error_at(error, 1, (int)reader.cursor + 1, "expected nothing after the move");
    }
    if (g->winner != GOMOKU_NO_WINNER) {
        return error_at(error, 1, at, "expected no move: the game is over");
    }
    const char *forbidden = gomoku_forbidden_at(g, square);
    if (forbidden) {
        return error_at(error, 1, at, "expected a square renju allows, on %.*s X makes %s", (int)word_length, word,
                        forbidden);
    }
    *move = (game_move)square;
    return STATUS_OK;
}

static void gomoku_cell(const struct game_position *position, int row, int column, struct game_cell *cell) {
    const struct gomoku_position *g = gomoku_const(position);
    int square = row * g->size + column;
    memset(cell, 0, sizeof *cell);
    cell->ink = g->board[square] == GOMOKU_X   ? GAME_INK_FIRST
                : g->board[square] == GOMOKU_O ? GAME_INK_SECOND
                                               : GAME_INK_EMPTY;
    cell->glyph = ".XO"[g->board[square]];
    cell->forbidden =
        g->winner == GOMOKU_NO_WINNER && g->board[square] == GOMOKU_EMPTY && gomoku_forbidden_at(g, square);
    for (int i = g->setup; i < g->count; i++) {
        if (g->order[i] == square) {
            snprintf(cell->label, sizeof cell->label, "%d", i + 1);
            cell->last = i == g->count - 1;
        }
    }
}

_Static_assert((int)GOMOKU_EMPTY == GAME_INK_EMPTY && (int)GOMOKU_X == GAME_INK_FIRST &&
                   (int)GOMOKU_O == GAME_INK_SECOND,
               "stones are inks");
static void gomoku_inks(const struct game_position *position, uint8_t *inks) {
    const struct gomoku_position *g = gomoku_const(position);
    memcpy(inks, g->board, (size_t)(g->size * g->size));
}

static const struct game_properties gomoku_properties = {
    .name = "gomoku",
    .title = "Gomoku",
    .variants = {"freestyle", "exact", "renju", "caro", NULL},
    .sides = {"X", "O"},
    .least_size = GOMOKU_LEAST_SIZE,
    .most_size = GOMOKU_MOST_SIZE,
    .usual_size = 15,
    .most_moves = GOMOKU_MOST_SQUARES,
    .most_plies = GOMOKU_MOST_SQUARES,
    .position_size = sizeof(struct gomoku_position),
    .score_kind = GAME_SCORE_WIN,
    .stones_on_points = true,
    .many_lines = true,
};

const struct game gomoku_game = {
    .properties = &gomoku_properties,
    .start = gomoku_start,
    .start_random = gomoku_start_random,
    .read = gomoku_read,
    .write = gomoku_write,
    .size = gomoku_size,
    .variant = gomoku_variant,
    .to_move = gomoku_to_move,
    .over = gomoku_over,
    .moves = gomoku_moves,
    .legal = gomoku_legal,
    .play = gomoku_play,
    .undo = gomoku_undo,
    .score = gomoku_score,
    .evaluate = gomoku_evaluate,
    .chances = gomoku_chances,
    .hash = gomoku_hash,
    .move_text = gomoku_move_text,
    .parse_move = gomoku_parse_move,
    .cell = gomoku_cell,
    .inks = gomoku_inks,
    .known_prepare = gomoku_known_prepare,
    .known = gomoku_known,
    .known_add = gomoku_known_add,
    .booked = gomoku_booked,
    .searcher_new = gomoku_searcher_new,
    .searcher_free = gomoku_searcher_free,
    .searcher_clear = gomoku_searcher_clear,
    .searcher_stats = gomoku_searcher_stats,
    .think = gomoku_think,
};
