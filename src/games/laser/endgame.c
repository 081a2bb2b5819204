#include "games/laser/endgame.h"

#include "base/bits.h"

#define INLINE static inline __attribute__((always_inline))

/* Below every value, with room to subtract. */
#define WORST (-4096)

/* The functions come in two copies, one a side, so that swapping sides costs nothing. `mine` are the squares the
 * side to move can still cover, `theirs` those of the other side. */
INLINE uint64_t beams_of(const struct laser_last *square, int side) {
    return side ? square->second : square->first;
}

INLINE int index_of(uint32_t squares) {
    return __builtin_ctz(squares);
}

INLINE int greater(int a, int b) {
    return a > b ? a : b;
}

/* Exact value of two free squares. If they see each other only one is played; else both are, one by each side. */
INLINE int value_of_two(const struct laser_last *squares, int a, int b, uint64_t mine, uint64_t theirs, int side) {
    int gain_a = bits_count(beams_of(&squares[a], side) & mine);
    int gain_b = bits_count(beams_of(&squares[b], side) & mine);
    if (squares[a].sees >> b & 1) {
        return greater(gain_a, gain_b);
    }
    return greater(gain_a - bits_count(beams_of(&squares[b], !side) & theirs),
                   gain_b - bits_count(beams_of(&squares[a], !side) & theirs));
}

/* Exact value of three free squares. */
INLINE int value_of_three(const struct laser_last *squares, uint32_t free, uint64_t mine, uint64_t theirs, int side) {
    int best = WORST;
    for (uint32_t rest = free; rest; rest &= rest - 1) {
        int move = index_of(rest);
        uint64_t beams = beams_of(&squares[move], side);
        int value = bits_count(beams & mine);
        uint32_t left = free & ~squares[move].sees;
        uint32_t second = left & (left - 1);
        if (second) {
            value -= value_of_two(squares, index_of(left), index_of(second), theirs, mine & ~beams, !side);
        } else if (left) {
            value -= bits_count(beams_of(&squares[index_of(left)], !side) & theirs);
        }
        best = greater(best, value);
    }
    return best;
}

/* How many moves can still be made, at most: squares that all see each other hold one emitter between them, so
 * the free squares are divided greedily into such groups. */
INLINE int most_moves(const struct laser_last *squares, uint32_t free) {
    int groups = 0;
    while (free) {
        groups++;
        uint32_t group = free;
        do {
            int square = index_of(group);
            free &= ~(1u << square);
            group &= squares[square].sees & ~(1u << square);
        } while (group);
    }
    return groups;
}

/* The other side's three most gainful squares: the replies worth assuming in a bound. */
struct replies {
    int squares[3]; /* the gain in the upper bits, the index in the lower 8; 0 for none */
};

INLINE struct replies find_replies(const struct laser_last *squares, uint32_t free, uint64_t theirs, int side) {
    struct replies replies = {{0, 0, 0}};
    int *top = replies.squares;
    for (uint32_t rest = free; rest; rest &= rest - 1) {
        int square = index_of(rest);
        int entry = bits_count(beams_of(&squares[square], !side) & theirs) << 8 | square;
        if (entry > top[2]) {
            top[2] = entry;
            if (entry > top[1]) {
                top[2] = top[1];
                top[1] = entry;
                if (entry > top[0]) {
                    top[1] = top[0];
                    top[0] = entry;
                }
            }
        }
    }
    return replies;
}

static int search_first(const struct laser_last *squares, uint32_t free, uint64_t mine, uint64_t theirs, int beta,
                        uint64_t *nodes);
static int search_second(const struct laser_last *squares, uint32_t free, uint64_t mine, uint64_t theirs, int beta,
                         uint64_t *nodes);

/* The value of one move: at once when at most three squares are left behind it, else by searching on. */
INLINE int value_of_move(const struct laser_last *squares, uint32_t free, int move, int gain, uint64_t mine,
                         uint64_t theirs, int beta, uint64_t *nodes, int side) {
    uint32_t left = free & ~squares[move].sees;
    if (!left) {
        return gain;
    }
    uint32_t second = left & (left - 1);
    if (!second) {
        return gain - bits_count(beams_of(&squares[index_of(left)], !side) & theirs);
    }
    mine &= ~beams_of(&squares[move], side);
    uint32_t third = second & (second - 1);
    if (!third) {
        return gain - value_of_two(squares, index_of(left), index_of(second), theirs, mine, !side);
    }
    if (!(third & (third - 1))) {
        return gain - value_of_three(squares, left, theirs, mine, !side);
    }
    return gain - (side ? search_first : search_second)(squares, left, theirs, mine, gain - beta + 1, nodes);
}

/* An upper bound of a move's value: the other side answers with its most gainful squares in turn, and this side
 * gains no more than `later` with what is left after that, or exactly what one or two squares are worth. */
INLINE int bound_of_move(const struct laser_last *squares, uint32_t free, int move, int gain, int later,
                         struct replies replies, uint64_t mine, uint64_t theirs, int beta, int side) {
    int bound = gain + later;
    uint32_t left = free & ~squares[move].sees;
    mine &= ~beams_of(&squares[move], side);
    for (int i = 0; i < 3 && bound >= beta; i++) {
        int reply = replies.squares[i] & 255;
        if (!(left >> reply & 1)) {
            continue;
        }
        int value = gain - (replies.squares[i] >> 8);
        uint32_t last = left & ~squares[reply].sees;
        if (last) {
            uint32_t second = last & (last - 1);
            if (!second) {
                value += bits_count(beams_of(&squares[index_of(last)], side) & mine);
            } else if (!(second & (second - 1))) {
                value += value_of_two(squares, index_of(last), index_of(second), mine,
                                      theirs & ~beams_of(&squares[reply], !side), side);
            } else {
                value += later;
            }
        }
        bound = value < bound ? value : bound;
    }
    return bound;
}

/* Four or more free squares. */
INLINE int search(const struct laser_last *squares, uint32_t free, uint64_t mine, uint64_t theirs, int beta,
                  uint64_t *nodes, int side) {
    ++*nodes;

    /* 1. The move to try first: one that gains much and, three times as important, leaves little to answer
     *    with. It suffices in 99 of 100 nodes that have a sufficient move at all. */
    uint8_t gains[LASER_ENDGAME_MOST] = {0};
    int best_key = INT32_MIN;
    int most_gain = 0;
    for (uint32_t rest = free; rest; rest &= rest - 1) {
        int square = index_of(rest);
        int gain = bits_count(beams_of(&squares[square], side) & mine);
        int key = (gain - 3 * __builtin_popcount(free & ~squares[square].sees)) * 256 + square;
        gains[square] = (uint8_t)gain;
        most_gain = greater(most_gain, gain);
        best_key = greater(best_key, key);
    }
    int first = best_key & 255;
    int best = value_of_move(squares, free, first, gains[first], mine, theirs, beta, nodes, side);
    if (best >= beta) {
        return best;
    }

    /* 2. Then all others, in any order: they will fail as well. Most need no search: a bound shows it. */
    int later = ((most_moves(squares, free) + 1) / 2 - 1) * most_gain;
    struct replies replies = find_replies(squares, free, theirs, side);
    for (uint32_t rest = free & ~(1u << first); rest; rest &= rest - 1) {
        int move = index_of(rest);
        int value = bound_of_move(squares, free, move, gains[move], later, replies, mine, theirs, beta, side);
        if (value >= beta) {
            value = value_of_move(squares, free, move, gains[move], mine, theirs, beta, nodes, side);
        }
        best = greater(best, value);
        if (best >= beta) {
            break;
        }
    }
    return best;
}

static int search_first(const struct laser_last *squares, uint32_t free, uint64_t mine, uint64_t theirs, int beta,
                        uint64_t *nodes) {
    return search(squares, free, mine, theirs, beta, nodes, 0);
}

static int search_second(const struct laser_last *squares, uint32_t free, uint64_t mine, uint64_t theirs, int beta,
                         uint64_t *nodes) {
    return search(squares, free, mine, theirs, beta, nodes, 1);
}

int laser_endgame(const struct laser_last *squares, uint32_t free, uint64_t first, uint64_t second, int beta,
                  uint64_t *nodes) {
    int count = __builtin_popcount(free);
    if (count > 3) {
        return search_first(squares, free, first, second, beta, nodes);
    }
    ++*nodes;
    if (count == 3) {
        return value_of_three(squares, free, first, second, 0);
    }
    return value_of_two(squares, index_of(free), index_of(free & (free - 1)), first, second, 0);
}
