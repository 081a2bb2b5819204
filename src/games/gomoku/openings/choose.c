#include "games/gomoku/openings/choose.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "game/symmetry.h"
#include "games/gomoku/openings/installed.h"

#define EQUAL 8 /* moves that are worth this much less than the best one serve too: 1 % */
/* What a search looks at in a second, in thousands of nodes, as far as a book must match it: its nodes stand in several
 * positions along the lines, which counts more than as many in one. */
#define THOUSANDS_A_SECOND 250
#define SHARE_OF_LEFT 20  /* of the time left for a game a move gets this part */
#define CANNOT_TELL 8     /* within so much of even three stones are answered by two more */
#define EVEN 16           /* so far from even is even for swap2 */
#define EVEN_STONE 16     /* so much further from even than the best one a first stone serves too */
#define LEAST_BEHIND 4000 /* thousands of nodes before the book has a say about a first stone */
#define SWAP2_STONES 3    /* of which an opening of swap2 begins */

/* One of the symmetries of a mask. */
static int draw_symmetry(unsigned mask, struct rng *rng) {
    ASSERT(mask);
    for (uint32_t skip = rng ? rng_below(rng, (uint32_t)bits_count(mask)) : 0; skip > 0; skip--) {
        mask &= mask - 1;
    }
    return bits_first(mask);
}

/* The square that a symmetry takes to this one. */
static int turn_back(int size, int symmetry, int square) {
    int from = 0;
    while (symmetry_turn(size, symmetry, from) != square) {
        from++;
        ASSERT(from < size * size);
    }
    return from;
}

/* Moves by their worth. */
static void sort_moves(struct openings_position *position) {
    for (int i = 1; i < position->move_count; i++) {
        struct openings_move move = position->moves[i];
        int at = i;
        for (; at > 0 && position->moves[at - 1].worth < move.worth; at--) {
            position->moves[at] = position->moves[at - 1];
        }
        position->moves[at] = move;
    }
}

bool openings_ask(const struct openings *book, const struct gomoku_position *position, struct rng *rng,
                  struct openings_position *said) {
    if (book->count == 0 || position->count > OPENINGS_MOST_STONES) {
        return false;
    }
    unsigned leading = openings_fold(position, said);
    int found = openings_find(book, said);
    if (found < 0 || book->positions[found].move_count == 0) {
        return false;
    }
    *said = book->positions[found];
    int symmetry = draw_symmetry(leading, rng);
    for (int i = 0; i < said->move_count; i++) {
        said->moves[i].square = (uint16_t)turn_back(position->size, symmetry, said->moves[i].square);
    }
    sort_moves(said);
    return true;
}

/* Whether a move serves as well as the best one: a little less may do where its position was looked at. */
static bool serves(const struct openings *book, const struct openings_position *said, int move) {
    const struct openings_move *best = &said->moves[0];
    const struct openings_move *other = &said->moves[move];
    return move == 0 || (other->worth >= best->worth - EQUAL && other->child >= 0 &&
                         book->positions[other->child].move_count > 0 && abs(best->worth) < OPENINGS_DECIDED);
}

/* The line the book expects after the first move. */
static void add_line(const struct openings *book, const struct gomoku_position *position,
                     struct search_result *result) {
    struct gomoku_position board = *position;
    struct openings_position said;
    gomoku_put(&board, (int)result->move);
    while (board.winner == GOMOKU_NO_WINNER && openings_ask(book, &board, NULL, &said)) {
        result->pv[result->pv_length++] = said.moves[0].square;
        gomoku_put(&board, said.moves[0].square);
    }
}

bool openings_choose(const struct openings *book, const struct gomoku_position *position, uint64_t effort,
                     struct rng *rng, struct search_result *result) {
    struct openings_position said;
    if (!openings_ask(book, position, rng, &said) || said.behind < effort) {
        return false;
    }
    int serving[OPENINGS_MOST_MOVES] = {0};
    uint32_t count = 0;
    for (int i = 0; i < said.move_count; i++) {
        if (serves(book, &said, i)) {
            serving[count++] = i;
        }
    }
    const struct openings_move *move = &said.moves[serving[rng_below(rng, count)]];
    ASSERT(position->board[move->square] == GOMOKU_EMPTY);
    *result = (struct search_result){
        .move = move->square,
        .value = move->worth,
        .certainty = SEARCH_HEURISTIC,
        .lower = -GAME_WIN_VALUE,
        .upper = GAME_WIN_VALUE,
        .depth = said.depth,
        .pv_length = 1,
        .pv = {move->square},
    };
    add_line(book, position, result);
    return true;
}

/* How long a search within the limits would take, in seconds. */
static double seconds_of(const struct search_limits *limits) {
    double seconds = limits->wall_seconds > 0 ? limits->wall_seconds : limits->cpu_seconds;
    double left = limits->wall_seconds_left > 0 ? limits->wall_seconds_left : limits->cpu_seconds_left;
    double share = left / SHARE_OF_LEFT;
    return left > 0 && (seconds <= 0 || share < seconds) ? share : seconds;
}

bool openings_choose_within(const struct openings *book, const struct gomoku_position *position,
                            const struct search_limits *limits, struct search_result *result) {
    const struct gomoku_wishes *wishes = limits->wishes;
    double seconds = seconds_of(limits);
    if (!wishes || !wishes->book || wishes->closed || limits->depth > 0 || limits->nodes > 0 || limits->multi_pv > 1 ||
        limits->goal != SEARCH_BEST || seconds <= 0 || position->winner != GOMOKU_NO_WINNER) {
        return false;
    }
    struct rng rng = {rng_mix(wishes->book_seed + position->count)};
    return openings_choose(book, position, (uint64_t)(seconds * THOUSANDS_A_SECOND), &rng, result);
}

bool gomoku_booked(const struct game_position *position, const struct search_limits *limits,
                   struct search_result *result) {
    const struct gomoku_wishes *wishes = limits->wishes;
    return wishes && wishes->book &&
           openings_choose_within(openings_installed(), gomoku_const(position), limits, result);
}

/* -- swap2 -- */

static bool same_board(const struct openings_position *position, const struct gomoku_position *board, int stones) {
    return position->variant == board->variant && position->size == board->size && position->stones == stones &&
           position->move_count > 0;
}

/* The stones of a position that are not on the board, X and O in turn as they are to be played. */
static void add_stones(const struct openings_position *position, const struct gomoku_position *board, int symmetry,
                       struct swap2_answer *answer) {
    struct gomoku_position now = *board;
    while (now.count < position->stones) {
        for (int k = now.count & 1; k < position->stones; k += 2) {
            int square = turn_back(now.size, symmetry, position->squares[k]);
            if (now.board[square] == GOMOKU_EMPTY) {
                gomoku_put(&now, square);
                answer->squares[answer->count++] = square;
                break;
            }
        }
    }
}

/* Adds so many stones that an even position of the book is on the board: any of them by chance, none chosen before
 * another. */
static bool go_even(const struct openings *book, const struct gomoku_position *board, int stones, struct rng *rng,
                    struct swap2_answer *answer) {
    uint32_t count = 0;
    struct openings_position part = {.size = board->size, .stones = (uint8_t)board->count};
    memcpy(part.squares, board->order, board->count * sizeof part.squares[0]);
    const struct openings_position *chosen = NULL;
    int chosen_way = 0;
    for (size_t i = 0; i < book->count; i++) {
        const struct openings_position *position = &book->positions[i];
        if (!same_board(position, board, board->count + stones) || abs(position->worth) > EVEN) {
            continue;
        }
        for (int way = 0; way < SYMMETRY_COUNT; way++) {
            if (openings_contains_turned(position, &part, way) && rng_below(rng, ++count) == 0) {
                chosen = position;
                chosen_way = way;
            }
        }
    }
    if (chosen) {
        add_stones(chosen, board, chosen_way, answer);
    }
    return chosen != NULL;
}

bool openings_swap2(const struct openings *book, const struct gomoku_position *position, struct rng *rng,
                    struct swap2_answer *answer) {
    ASSERT(position->count == 0 || position->count == 3 || position->count == 5);
    struct openings_position said;
    *answer = (struct swap2_answer){0};
    if (position->count == 0) {
        return go_even(book, position, SWAP2_STONES, rng, answer);
    }
    if (!openings_ask(book, position, rng, &said)) {
        return false;
    }
    bool may_add = position->count == SWAP2_STONES;
    if (may_add && abs(said.worth) <= CANNOT_TELL && go_even(book, position, 2, rng, answer)) {
        return true;
    }
    answer->swap = said.worth < 0;
    if (!answer->swap) {
        answer->squares[answer->count++] = said.moves[0].square;
    }
    return true;
}

/* -- the course's swap -- */

bool openings_first_stone(const struct openings *book, const struct gomoku_position *empty, struct rng *rng,
                          int *square) {
    ASSERT(empty->count == 0);
    int least = GAME_WIN_VALUE;
    for (size_t i = 0; i < book->count; i++) {
        const struct openings_position *position = &book->positions[i];
        if (same_board(position, empty, 1) && position->behind >= LEAST_BEHIND && abs(position->worth) < least) {
            least = abs(position->worth);
        }
    }
    int found[GOMOKU_MOST_SQUARES];
    uint32_t count = 0;
    for (size_t i = 0; i < book->count; i++) {
        const struct openings_position *position = &book->positions[i];
        if (same_board(position, empty, 1) && position->behind >= LEAST_BEHIND &&
            abs(position->worth) <= least + EVEN_STONE) {
            found[count++] = position->squares[0];
        }
    }
    if (count == 0) {
        return false;
    }
    *square = symmetry_turn(empty->size, (int)rng_below(rng, SYMMETRY_COUNT), found[rng_below(rng, count)]);
    return true;
}

bool openings_take_stone(const struct openings *book, const struct gomoku_position *position, bool *take) {
    ASSERT(position->count == 1);
    struct openings_position said;
    if (!openings_ask(book, position, NULL, &said) || said.behind < LEAST_BEHIND) {
        return false;
    }
    *take = said.worth < 0; /* whose move it is stands worse: the stone's owner better */
    return true;
}
