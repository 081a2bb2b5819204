#include "prove/search/pairing.h"

#include <limits.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"

#define REST 4 /* steps for which squares just paired stay so; up to 3 more by chance */

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* What a line without a pair costs, by how many of its squares are outside all pairs. */
static const int line_cost[6] = {32, 16, 8, 4, 2, 1};

/* -- lines -- */

static int stone_at(const struct gboard *board, int row, int column) {
    return (int)(board->lines[0][row] >> (2 * (GBOARD_MARGIN + column)) & 3);
}

/* Takes in five squares in a row unless the defender has one of them. */
static void add_line(struct pairing_lines *lines, const struct gboard *board, int defender, int row, int column,
                     const int step[2]) {
    int line = lines->count;
    int room = 0;
    for (int i = 0; i < 5; i++) {
        int r = row + i * step[0];
        int c = column + i * step[1];
        int stone = stone_at(board, r, c);
        if (stone == defender + 1) {
            return;
        }
        if (stone == GOMOKU_EMPTY) {
            lines->squares[line][room++] = (uint16_t)(r * board->size + c);
        }
    }
    for (int i = 0; i < room; i++) {
        lines->through[lines->squares[line][i]].words[line / 64] |= 1ULL << line % 64;
    }
    lines->room[line] = (uint8_t)room;
    lines->count++;
}

void pairing_lines_make(struct pairing_lines *lines, const struct gboard *board, int defender) {
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int size = board->size;
    lines->board_squares = board->squares;
    lines->count = 0;
    memset(lines->through, 0, sizeof lines->through[0] * (size_t)board->squares);
    for (int direction = 0; direction < 4; direction++) {
        for (int row = 0; row + 4 * steps[direction][0] < size; row++) {
            for (int column = 0; column < size; column++) {
                int end = column + 4 * steps[direction][1];
                if (end >= 0 && end < size) {
                    add_line(lines, board, defender, row, column, steps[direction]);
                }
            }
        }
    }
    lines->words = (lines->count + 63) / 64;
}

/* -- the pairs' books, for 64 lines at once -- */

/* A square of these lines joins a pair, or leaves one. */
ALWAYS_INLINE void count_outside(struct pairing_word *words, const struct line_set *lines, int count, bool joins) {
    for (int i = 0; i < count; i++) {
        uint64_t carry = lines->words[i];
        for (int bit = 0; bit < 3; bit++) {
            uint64_t old = words[i].outside[bit];
            words[i].outside[bit] = old ^ carry;
            carry &= joins ? ~old : old;
        }
    }
}

/* The lines through both squares get a pair. A line has room for two. */
ALWAYS_INLINE void serve(struct pairing_word *words, const struct line_set *a, const struct line_set *b, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t both = a->words[i] & b->words[i];
        words[i].twice |= words[i].served & both;
        words[i].served |= both;
    }
}

ALWAYS_INLINE void unserve(struct pairing_word *words, const struct line_set *a, const struct line_set *b, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t both = a->words[i] & b->words[i];
        words[i].served &= ~(both & ~words[i].twice);
        words[i].twice &= ~both;
    }
}

/* The open lines without a pair that have so many squares outside all pairs. */
static uint64_t lines_with(const struct pairing_word *word, int outside) {
    uint64_t lines = word->open & ~word->served;
    for (int bit = 0; bit < 3; bit++) {
        lines &= outside >> bit & 1 ? word->outside[bit] : ~word->outside[bit];
    }
    return lines;
}

ALWAYS_INLINE int words_cost(const struct pairing_word *words, int count) {
    int cost = 0;
    for (int i = 0; i < count; i++) {
        uint64_t lines = words[i].open & ~words[i].served;
        uint64_t odd = words[i].outside[0];
        uint64_t high = lines & words[i].outside[2];           /* five or four squares: 1 or 2 */
        uint64_t middle = lines & ~high & words[i].outside[1]; /* three or two: 4 or 8 */
        uint64_t low = lines & ~high & ~middle;                /* one or none: 16 or 32 */
        cost += 2 * bits_count(high) - bits_count(high & odd) + 4 * bits_count(middle) + 4 * bits_count(middle & ~odd);
        cost += low ? 16 * (bits_count(low) + bits_count(low & ~odd)) : 0;
    }
    return cost;
}

/* Takes a pair apart. */
static void part(const struct pairing_lines *lines, struct pairing_state *state, int a) {
    int b = state->partner[a];
    unserve(state->words, &lines->through[a], &lines->through[b], lines->words);
    count_outside(state->words, &lines->through[a], lines->words, false);
    count_outside(state->words, &lines->through[b], lines->words, false);
    state->partner[a] = state->partner[b] = -1;
}

/* Makes a pair of two squares, whatever pairs they were in before. */
static void join(const struct pairing_lines *lines, struct pairing_state *state, int a, int b) {
    const int both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (state->partner[both[i]] >= 0) {
            part(lines, state, both[i]);
        }
        count_outside(state->words, &lines->through[both[i]], lines->words, true);
    }
    serve(state->words, &lines->through[a], &lines->through[b], lines->words);
    state->partner[a] = (int16_t)b;
    state->partner[b] = (int16_t)a;
    state->cost = words_cost(state->words, lines->words);
}

void pairing_copy(const struct pairing_lines *lines, struct pairing_state *to, const struct pairing_state *from) {
    memcpy(to->words, from->words, sizeof to->words[0] * (size_t)lines->words);
    memcpy(to->partner, from->partner, sizeof to->partner[0] * (size_t)lines->board_squares);
    to->cost = from->cost;
}

void pairing_start(const struct pairing_lines *lines, struct pairing_state *state) {
    memset(state, 0, sizeof *state);
    memset(state->partner, -1, sizeof state->partner);
    for (int line = 0; line < lines->count; line++) {
        struct pairing_word *word = &state->words[line / 64];
        uint64_t bit = 1ULL << line % 64;
        word->open |= bit;
        for (int i = 0; i < 3; i++) {
            word->outside[i] |= lines->room[line] >> i & 1 ? bit : 0;
        }
    }
    state->cost = words_cost(state->words, lines->words);
}

void pairing_block(const struct pairing_lines *lines, struct pairing_state *state, int square) {
    if (state->partner[square] >= 0) {
        part(lines, state, square);
    }
    for (int i = 0; i < lines->words; i++) {
        state->words[i].open &= ~lines->through[square].words[i];
    }
    state->cost = words_cost(state->words, lines->words);
}

void pairing_leave(const struct pairing_lines *lines, struct pairing_state *state, int square) {
    count_outside(state->words, &lines->through[square], lines->words, false);
    state->partner[square] = -1;
    state->cost = words_cost(state->words, lines->words);
}

void pairing_take(const struct pairing_lines *lines, struct pairing_state *state, int square) {
    if (state->partner[square] >= 0) {
        part(lines, state, square);
    }
    count_outside(state->words, &lines->through[square], lines->words, true);
    state->partner[square] = (int16_t)square;
    state->cost = words_cost(state->words, lines->words);
}

void pairing_costs(const struct pairing_lines *lines, const struct pairing_state *state, int *costs) {
    memset(costs, 0, sizeof costs[0] * (size_t)lines->board_squares);
    for (int word = 0; word < lines->words; word++) {
        for (int outside = 0; outside < 6; outside++) {
            for (uint64_t left = lines_with(&state->words[word], outside); left;) {
                int line = word * 64 + bits_pop(&left);
                for (int i = 0; i < lines->room[line]; i++) {
                    costs[lines->squares[line][i]] += line_cost[outside];
                }
            }
        }
    }
}

bool pairing_holds(const struct pairing_lines *lines, const struct pairing_state *state, bool defender_moves) {
    if (state->cost >= PAIRING_UNIT || defender_moves || 2 * state->cost < PAIRING_UNIT) {
        return state->cost < PAIRING_UNIT;
    }
    int costs[GOMOKU_MOST_SQUARES];
    pairing_costs(lines, state, costs);
    for (int square = 0; square < lines->board_squares; square++) {
        if (state->partner[square] < 0 && state->cost + costs[square] >= PAIRING_UNIT) {
            return false;
        }
    }
    return true;
}

/* -- the search -- */

/* An open line without a pair, the likelier the more it costs. */
static int pick_line(const struct pairing_lines *lines, const struct pairing_state *state, uint64_t chance) {
    int at = (int)(chance % (uint64_t)state->cost);
    for (int word = 0; word < lines->words; word++) {
        for (int outside = 0; outside < 6; outside++) {
            uint64_t some = lines_with(&state->words[word], outside);
            int cost = line_cost[outside] * bits_count(some);
            if (at >= cost) {
                at -= cost;
                continue;
            }
            for (int skip = at / line_cost[outside]; skip > 0; skip--) {
                some &= some - 1;
            }
            return word * 64 + bits_first(some);
        }
    }
    return -1;
}

/* Takes a square out of its pair, if it is in one, to become one of another pair's. */
ALWAYS_INLINE void free_square(const struct pairing_lines *lines, struct pairing_word *words, int count, int square,
                               int partner) {
    if (partner >= 0) {
        unserve(words, &lines->through[square], &lines->through[partner], count);
        count_outside(words, &lines->through[partner], count, false);
    } else {
        count_outside(words, &lines->through[square], count, true);
    }
}

/* The two squares of a line whose pair would cost least, of those that do not rest; false: there are none. `count` is
 * how many words the lines take. */
ALWAYS_INLINE bool least_pair(const struct pairing_lines *lines, const struct pairing_state *state, int line,
                              const bool *resting, uint64_t chance, int pair[2], int count) {
    const uint16_t *squares = lines->squares[line];
    size_t bytes = sizeof state->words[0] * (size_t)count;
    struct pairing_word first[PAIRING_WORDS];
    struct pairing_word second[PAIRING_WORDS];
    int least = INT_MAX;
    for (int i = 0; i < lines->room[line]; i++) {
        if (resting[i]) {
            continue;
        }
        memcpy(first, state->words, bytes);
        free_square(lines, first, count, squares[i], state->partner[squares[i]]);
        for (int j = i + 1; j < lines->room[line]; j++) {
            if (resting[j]) {
                continue;
            }
            memcpy(second, first, bytes);
            free_square(lines, second, count, squares[j], state->partner[squares[j]]);
            serve(second, &lines->through[squares[i]], &lines->through[squares[j]], count);
            int cost = 8 * words_cost(second, count) + (int)(chance >> (3 * i + j) & 7); /* ties by chance */
            if (cost < least) {
                least = cost;
                pair[0] = squares[i];
                pair[1] = squares[j];
            }
        }
    }
    return least < INT_MAX;
}

/* The same, with loops of known length where lines are few: all of it is registers then. */
static bool best_pair(const struct pairing_lines *lines, const struct pairing_state *state, int line,
                      const bool *resting, uint64_t chance, int pair[2]) {
    return lines->words == 1   ? least_pair(lines, state, line, resting, chance, pair, 1)
           : lines->words == 2 ? least_pair(lines, state, line, resting, chance, pair, 2)
                               : least_pair(lines, state, line, resting, chance, pair, lines->words);
}

/* Takes pairs apart that serve nothing. */
static void drop_idle(const struct pairing_lines *lines, struct pairing_state *state) {
    struct pairing_state before;
    for (int a = 0; a < lines->board_squares; a++) {
        if (state->partner[a] > a) {
            pairing_copy(lines, &before, state);
            part(lines, state, a);
            state->cost = words_cost(state->words, lines->words);
            if (state->cost > before.cost) {
                pairing_copy(lines, state, &before);
            }
        }
    }
}

/* What pairs may cost after so many steps: of those that cost more, one in a hundred came to hold within a thousand. */
static int most_hopeful(int step) {
    return step < 10 ? INT_MAX : step < 30 ? 72 : step < 100 ? 64 : 56;
}

/* Looks for better pairs, to the last step unless they hold, or as long as they are `hopeful`. */
static void improve(const struct pairing_lines *lines, struct pairing_state *state, int steps, uint64_t seed,
                    bool defender_moves, bool hopeful) {
    struct pairing_state best;
    int rests[GOMOKU_MOST_SQUARES] = {0}; /* up to which step */
    bool holds = pairing_holds(lines, state, defender_moves);
    pairing_copy(lines, &best, state);
    for (int step = 0; step < steps && !holds && (!hopeful || best.cost <= most_hopeful(step)); step++) {
        seed = rng_mix(seed);
        int line = pick_line(lines, state, seed >> 32);
        bool resting[5];
        int pair[2] = {0};
        for (int i = 0; i < lines->room[line]; i++) {
            int square = lines->squares[line][i];
            resting[i] = rests[square] > step || state->partner[square] == square;
        }
        if (!best_pair(lines, state, line, resting, seed, pair)) {
            continue;
        }
        join(lines, state, pair[0], pair[1]);
        rests[pair[0]] = rests[pair[1]] = step + REST + (int)(seed & 3);
        if (state->cost < best.cost) {
            pairing_copy(lines, &best, state);
            holds = pairing_holds(lines, &best, defender_moves);
        }
    }
    pairing_copy(lines, state, &best);
    drop_idle(lines, state);
}

void pairing_improve(const struct pairing_lines *lines, struct pairing_state *state, int steps, uint64_t seed,
                     bool defender_moves) {
    improve(lines, state, steps, seed, defender_moves, false);
}

void pairing_attempt(const struct pairing_lines *lines, struct pairing_state *state, int steps, uint64_t seed) {
    improve(lines, state, steps, seed, false, true);
}

void pairing_list(const struct pairing_lines *lines, const struct pairing_state *state, struct pairing *pairing) {
    pairing->count = 0;
    for (int square = 0; square < lines->board_squares; square++) {
        if (state->partner[square] > square) {
            pairing->squares[2 * pairing->count] = (uint16_t)square;
            pairing->squares[2 * pairing->count + 1] = (uint16_t)state->partner[square];
            pairing->count++;
        }
    }
}
