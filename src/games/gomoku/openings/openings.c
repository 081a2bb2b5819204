#include "games/gomoku/openings/openings.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "game/symmetry.h"

void openings_free(struct openings *book) {
    free(book->positions);
    text_free(&book->comment);
    *book = (struct openings){0};
}

/* -- images -- */

/* Turns stones, X and O in turn, and puts those of each colour in order. */
static void turn_stones(int size, int symmetry, const uint16_t *stones, int count, uint16_t *turned) {
    for (int i = 0; i < count; i++) {
        uint16_t square = (uint16_t)symmetry_turn(size, symmetry, stones[i]);
        int at = i;
        for (; at >= 2 && turned[at - 2] > square; at -= 2) {
            turned[at] = turned[at - 2];
        }
        turned[at] = square;
    }
}

/* Which of two lists of squares comes first: below 0, 0, above 0. */
static int compare_squares(const uint16_t *a, const uint16_t *b, int count) {
    for (int i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

/* The least image of the stones, and the symmetries that lead to it. */
static unsigned fold_stones(int size, const uint16_t *stones, int count, uint16_t *least) {
    unsigned leading = 0;
    for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
        uint16_t turned[OPENINGS_MOST_STONES];
        turn_stones(size, symmetry, stones, count, turned);
        int order = symmetry == 0 ? -1 : compare_squares(turned, least, count);
        if (order < 0) {
            memcpy(least, turned, (size_t)count * sizeof *least);
            leading = 0;
        }
        leading |= order <= 0 ? 1u << symmetry : 0;
    }
    return leading;
}

unsigned openings_fold(const struct gomoku_position *position, struct openings_position *folded) {
    ASSERT(position->count <= OPENINGS_MOST_STONES);
    uint16_t stones[OPENINGS_MOST_STONES] = {0};
    int next[3] = {0, 0, 1}; /* where the next stone of each colour goes */
    for (int square = 0; square < position->size * position->size; square++) {
        int stone = position->board[square];
        if (stone != GOMOKU_EMPTY) {
            stones[next[stone]] = (uint16_t)square;
            next[stone] += 2;
        }
    }
    *folded = (struct openings_position){
        .variant = position->variant,
        .size = position->size,
        .stones = (uint8_t)position->count,
    };
    return fold_stones(position->size, stones, position->count, folded->squares);
}

unsigned openings_keep(const struct openings_position *position) {
    uint16_t least[OPENINGS_MOST_STONES] = {0};
    unsigned leading = fold_stones(position->size, position->squares, position->stones, least);
    return compare_squares(least, position->squares, position->stones) == 0 ? leading : 0;
}

int openings_least_image(const struct openings_position *position, unsigned keep, int square) {
    int least = square;
    for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
        if (keep >> symmetry & 1) {
            int image = symmetry_turn(position->size, symmetry, square);
            least = image < least ? image : least;
        }
    }
    return least;
}

bool openings_contains_turned(const struct openings_position *position, const struct openings_position *part,
                              int symmetry) {
    for (int i = 0; i < part->stones; i++) {
        int square = symmetry_turn(part->size, symmetry, part->squares[i]);
        bool there = false;
        for (int k = i & 1; k < position->stones; k += 2) {
            there = there || position->squares[k] == square;
        }
        if (!there) {
            return false;
        }
    }
    return true;
}

bool openings_contains(const struct openings_position *position, const struct openings_position *part) {
    for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
        if (openings_contains_turned(position, part, symmetry)) {
            return true;
        }
    }
    return false;
}

/* -- the list -- */

int openings_compare(const struct openings_position *a, const struct openings_position *b) {
    int order = a->variant != b->variant ? a->variant - b->variant
                : a->size != b->size     ? a->size - b->size
                                         : a->stones - b->stones;
    return order != 0 ? order : compare_squares(a->squares, b->squares, a->stones);
}

/* How many positions come before this one. */
static size_t place_of(const struct openings *book, const struct openings_position *position) {
    size_t low = 0;
    size_t high = book->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (openings_compare(&book->positions[middle], position) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int openings_find(const struct openings *book, const struct openings_position *folded) {
    size_t at = place_of(book, folded);
    return at < book->count && openings_compare(&book->positions[at], folded) == 0 ? (int)at : -1;
}

bool openings_play(const struct openings_position *position, struct gomoku_position *board) {
    gomoku_clear(board, position->size, position->variant);
    for (int i = 0; i < position->stones; i++) {
        if (position->squares[i] >= position->size * position->size ||
            board->board[position->squares[i]] != GOMOKU_EMPTY || board->winner != GOMOKU_NO_WINNER) {
            return false;
        }
        gomoku_put(board, position->squares[i]);
    }
    return board->winner == GOMOKU_NO_WINNER;
}

bool openings_put(struct openings *book, const struct openings_position *position) {
    size_t at = place_of(book, position);
    if (at < book->count && openings_compare(&book->positions[at], position) == 0) {
        book->positions[at] = *position;
        return true;
    }
    if (book->count >= OPENINGS_MOST_POSITIONS) {
        return false;
    }
    if (book->count == book->room) {
        size_t room = book->room ? 2 * book->room : 64;
        struct openings_position *larger = realloc(book->positions, room * sizeof *larger);
        if (!larger) {
            return false;
        }
        book->positions = larger;
        book->room = room;
    }
    memmove(&book->positions[at + 1], &book->positions[at], (book->count - at) * sizeof *book->positions);
    book->positions[at] = *position;
    book->count++;
    return true;
}

bool openings_add_move(struct openings_position *position, int square, int value) {
    if (position->move_count >= OPENINGS_MOST_MOVES) {
        return false;
    }
    int at = position->move_count++;
    for (; at > 0 && position->moves[at - 1].value < value; at--) {
        position->moves[at] = position->moves[at - 1];
    }
    position->moves[at] =
        (struct openings_move){.square = (uint16_t)square, .value = value, .worth = value, .child = -1};
    return true;
}

/* -- what it is worth -- */

/* The position after a move, or -1. */
static int find_child(const struct openings *book, const struct openings_position *position, int square) {
    if (position->stones >= OPENINGS_MOST_STONES) {
        return -1;
    }
    struct gomoku_position board;
    struct openings_position child;
    if (!openings_play(position, &board)) {
        return -1;
    }
    gomoku_put(&board, square);
    openings_fold(&board, &child);
    return openings_find(book, &child);
}

/* A position whose children are done. */
static void settle_position(struct openings *book, struct openings_position *position) {
    position->behind = position->effort;
    for (int i = 0; i < position->move_count; i++) {
        struct openings_move *move = &position->moves[i];
        move->child = find_child(book, position, move->square);
        move->worth = move->value;
        if (move->child >= 0) {
            const struct openings_position *child = &book->positions[move->child];
            position->behind += child->behind;
            move->worth = child->move_count > 0 ? -child->worth : move->value;
        }
        position->worth = i == 0 || move->worth > position->worth ? move->worth : position->worth;
    }
}

void openings_settle(struct openings *book) {
    for (size_t i = book->count; i-- > 0;) { /* children have more stones: they stand behind */
        settle_position(book, &book->positions[i]);
    }
}
