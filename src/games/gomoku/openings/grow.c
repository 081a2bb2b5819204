#include "games/gomoku/openings/grow.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "game/symmetry.h"

/* What a line pays, in units of value (200 are a factor of e in the odds). By judgement: a line of ten best moves is
 * left for one that is 8 % worse on its first move. */
#define COST_OF_PLY 15
#define COST_OF_NEXT 20 /* how far behind the last known move the next one is expected */
#define EVEN 16         /* as in choose.c: an opening this near to even costs nothing */
#define NEVER INT32_MAX
#define REACH 4 /* how far from the others a stone of an opening is put */

/* The best step so far. */
struct choice {
    int cost;
    int position; /* index; -1: none */
    int move;     /* index of its move whose position comes next; -1: another move of the position, or its first */
};

static void consider(struct choice *choice, int cost, size_t position, int move) {
    if (cost < choice->cost) {
        *choice = (struct choice){.cost = cost, .position = (int)position, .move = move};
    }
}

static bool is_decided(int value) {
    return abs(value) >= OPENINGS_DECIDED;
}

/* Looks at what can be done with one position, and tells its children what the line to them costs. */
static void look_at(struct openings *book, size_t index, int most_stones, struct choice *choice) {
    const struct openings_position *position = &book->positions[index];
    if (position->move_count == 0) {
        consider(choice, -1, index, -1);
        return;
    }
    /* Nobody opens with what is not even. */
    int uneven = abs(position->worth) > EVEN ? abs(position->worth) - EVEN : 0;
    int cost = position->cost != NEVER ? position->cost : uneven;
    if (is_decided(position->worth) || position->stones >= most_stones) {
        return;
    }
    int lowest = position->moves[position->move_count - 1].value;
    for (int i = 0; i < position->move_count; i++) {
        const struct openings_move *move = &position->moves[i];
        int way = cost + COST_OF_PLY + position->worth - move->worth;
        if (move->child >= 0) {
            struct openings_position *child = &book->positions[move->child];
            child->cost = way < child->cost ? way : child->cost;
        } else if (!is_decided(move->worth)) {
            consider(choice, way, index, i);
        }
    }
    if (position->move_count < OPENINGS_MOST_MOVES && !is_decided(lowest)) {
        consider(choice, cost + COST_OF_PLY + COST_OF_NEXT + position->worth - lowest, index, -1);
    }
}

/* Closes the moves a position has, with all their images. */
static void close_moves(struct openings_step *step) {
    const struct openings_position *position = &step->position;
    unsigned keep = openings_keep(position);
    memset(step->closed, 0, sizeof step->closed);
    for (int i = 0; i < position->move_count; i++) {
        for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
            if (keep >> symmetry & 1) {
                int square = symmetry_turn(position->size, symmetry, position->moves[i].square);
                step->closed[square >> 6] |= UINT64_C(1) << (square & 63);
            }
        }
    }
    step->widen = position->move_count > 0;
}

/* Whether the position of a step has a square left to search; false: it is no step. */
static bool has_open_move(const struct openings_step *step) {
    for (int square = 0; square < step->board.size * step->board.size; square++) {
        if (step->board.board[square] == GOMOKU_EMPTY && !gomoku_is_closed(step->closed, square) &&
            !gomoku_forbidden_at(&step->board, square)) {
            return true;
        }
    }
    return false;
}

bool openings_next(struct openings *book, int most_stones, struct openings_step *step) {
    ASSERT(most_stones < OPENINGS_MOST_STONES);
    struct choice choice = {.cost = NEVER, .position = -1};
    for (size_t i = 0; i < book->count; i++) {
        book->positions[i].cost = NEVER;
    }
    for (size_t i = 0; i < book->count; i++) { /* parents come first, having fewer stones */
        look_at(book, i, most_stones, &choice);
    }
    if (choice.position < 0) {
        return false;
    }
    const struct openings_position *position = &book->positions[choice.position];
    step->cost = choice.cost;
    step->position = *position;
    openings_play(position, &step->board);
    if (choice.move >= 0) {
        gomoku_put(&step->board, position->moves[choice.move].square);
        openings_fold(&step->board, &step->position);
        openings_play(&step->position, &step->board);
    }
    close_moves(step);
    return has_open_move(step);
}

bool openings_learn(struct openings *book, const struct openings_step *step, const struct search_result *result) {
    struct openings_position position = step->position;
    int square = openings_least_image(&position, openings_keep(&position), (int)result->move);
    uint64_t effort = position.effort + (result->nodes + 999) / 1000;
    position.effort = effort < UINT32_MAX ? (uint32_t)effort : UINT32_MAX;
    position.depth = (uint16_t)(result->depth > position.depth ? result->depth : position.depth);
    openings_add_move(&position, square, (int)result->value);
    if (position.moves[0].square == square) {
        position.proved = result->certainty == SEARCH_PROVED;
    }
    if (!openings_put(book, &position)) {
        return false;
    }
    openings_settle(book);
    return true;
}

bool openings_want(struct openings *book, const struct gomoku_position *position, bool *added) {
    struct openings_position folded;
    *added = false;
    if (position->count >= OPENINGS_MOST_STONES) {
        return false;
    }
    openings_fold(position, &folded);
    struct gomoku_position board;
    if (!openings_play(&folded, &board) || openings_find(book, &folded) >= 0) {
        return true; /* what is over needs no book */
    }
    *added = true;
    return openings_put(book, &folded);
}

/* An empty square at most REACH from a stone; on an empty board any. */
static int draw_square(struct rng *rng, const struct gomoku_position *position) {
    int size = position->size;
    for (;;) {
        if (position->count == 0) {
            return (int)rng_below(rng, (uint32_t)(size * size));
        }
        int stone = position->order[rng_below(rng, position->count)];
        int row = stone / size + (int)rng_below(rng, 2 * REACH + 1) - REACH;
        int column = stone % size + (int)rng_below(rng, 2 * REACH + 1) - REACH;
        if (row >= 0 && row < size && column >= 0 && column < size &&
            position->board[row * size + column] == GOMOKU_EMPTY &&
            !gomoku_forbidden_at(position, row * size + column)) {
            return row * size + column;
        }
    }
}

void openings_draw(struct rng *rng, const struct gomoku_position *position, int stones, struct gomoku_position *drawn) {
    *drawn = *position;
    for (int i = 0; i < stones; i++) {
        gomoku_put(drawn, draw_square(rng, drawn));
    }
}
