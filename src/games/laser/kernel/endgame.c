#include "games/laser/kernel/endgame.h"

#include "base/assert.h"
#include "base/bits.h"

#define INLINE static inline __attribute__((always_inline))

/* Below every value, with room to subtract. */
#define WORST (-4096)
/* The place of no square: it covers nothing. */
#define NOBODY LASER_ENDGAME_MOST

/* From so many free squares on the first move is chosen with care: of the squares whose plain key is so close to the
 * best one, by what can still be reached. */
#define CAREFUL_SQUARES 12
#define CAREFUL_MARGIN 3
/* From so many free squares on a reply is followed up when the plain bound does not do, and from so many left behind
 * it the next reply is. */
#define FOLLOW_UP_SQUARES 6
#define FOLLOW_ON_SQUARES 4
/* So many moves are worth choosing from. */
#define CHOICE 5

/* The functions come in two copies, one a side, so that swapping sides costs nothing. `mine` are the squares the
 * side to move can still cover, `theirs` those of the other side. Most of the time goes into mispredicted branches,
 * so what is short is done without any. */

INLINE int index_of(uint32_t squares) {
    return __builtin_ctz(squares);
}

/* The first square, or NOBODY. */
INLINE int index_or_nobody(uint32_t squares) {
    return __builtin_ctz(squares | 1u << NOBODY);
}

INLINE uint32_t without_first(uint32_t squares) {
    return squares & (squares - 1);
}

INLINE int count_of(uint32_t squares) {
    return __builtin_popcount(squares);
}

INLINE int greater(int a, int b) {
    return a > b ? a : b;
}

INLINE int smaller(int a, int b) {
    return a < b ? a : b;
}

INLINE bool is_more_than_three(uint32_t squares) {
    return without_first(without_first(without_first(squares))) != 0;
}

/* Everything emitters of one side and of the other on the squares would cover; four squares at a time. */
struct reaches {
    uint64_t own;
    uint64_t other;
};

INLINE struct reaches reaches_of(const uint64_t *own, const uint64_t *other, uint32_t squares) {
    struct reaches reaches = {0, 0};
    do {
        uint32_t second = without_first(squares);
        uint32_t third = without_first(second);
        uint32_t fourth = without_first(third);
        int a = index_or_nobody(squares);
        int b = index_or_nobody(second);
        int c = index_or_nobody(third);
        int d = index_or_nobody(fourth);
        reaches.own |= own[a] | own[b] | own[c] | own[d];
        reaches.other |= other[a] | other[b] | other[c] | other[d];
        squares = without_first(fourth);
    } while (squares);
    return reaches;
}

INLINE uint64_t reach_of(const uint64_t *own, uint32_t squares) {
    return reaches_of(own, own, squares).own;
}

/* Exact value of at most three free squares; for three without a branch. Only when none of them sees another are all
 * three played, and the side to move gets two. */
INLINE int value_to_three(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int side) {
    const uint64_t *own = last->beams[side];
    const uint64_t *other = last->beams[!side];
    uint32_t second = without_first(free);
    int a = index_or_nobody(free);
    if (!second) {
        return bits_count(own[a] & mine);
    }
    uint32_t third = without_first(second);
    int b = index_of(second);
    /* All ones where two squares do not see each other. */
    int apart_ab = (int)(last->sees[b] >> a & 1) - 1;
    if (!third) {
        return greater(bits_count(own[a] & mine) - (bits_count(other[b] & theirs) & apart_ab),
                       bits_count(own[b] & mine) - (bits_count(other[a] & theirs) & apart_ab));
    }
    int c = index_of(third);
    uint64_t by_a = own[a] & mine;
    uint64_t by_b = own[b] & mine;
    uint64_t by_c = own[c] & mine;
    int gain_a = bits_count(by_a);
    int gain_b = bits_count(by_b);
    int gain_c = bits_count(by_c);
    int loss_a = bits_count(other[a] & theirs);
    int loss_b = bits_count(other[b] & theirs);
    int loss_c = bits_count(other[c] & theirs);
    int apart_ac = (int)(last->sees[c] >> a & 1) - 1;
    int apart_bc = (int)(last->sees[c] >> b & 1) - 1;
    int apart = apart_ab & apart_ac & apart_bc;
    /* What the last of three squares adds for the side to move. */
    int gain_ab = bits_count(by_a | by_b);
    int gain_ac = bits_count(by_a | by_c);
    int gain_bc = bits_count(by_b | by_c);
    int value_a = smaller(gain_a - (loss_b & apart_ab) + (apart & (gain_ac - gain_a)),
                          gain_a - (loss_c & apart_ac) + (apart & (gain_ab - gain_a)));
    int value_b = smaller(gain_b - (loss_a & apart_ab) + (apart & (gain_bc - gain_b)),
                          gain_b - (loss_c & apart_bc) + (apart & (gain_ab - gain_b)));
    int value_c = smaller(gain_c - (loss_a & apart_ac) + (apart & (gain_bc - gain_c)),
                          gain_c - (loss_b & apart_bc) + (apart & (gain_ac - gain_c)));
    return greater(greater(value_a, value_b), value_c);
}

static int search_first(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int beta);
static int search_second(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int beta);
static int refute_first(const struct laser_last *last, uint32_t free, uint32_t open, uint64_t mine, uint64_t theirs,
                        int beta);
static int refute_second(const struct laser_last *last, uint32_t free, uint32_t open, uint64_t mine, uint64_t theirs,
                         int beta);

/* The value of a position that probably reaches beta. */
INLINE int likely_value(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int beta,
                        int side) {
    if (!is_more_than_three(free)) {
        return value_to_three(last, free, mine, theirs, side);
    }
    return (side ? search_second : search_first)(last, free, mine, theirs, beta);
}

/* The value of a position that probably does not. */
INLINE int doubtful_value(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int beta,
                          int side) {
    if (!is_more_than_three(free)) {
        return value_to_three(last, free, mine, theirs, side);
    }
    return (side ? refute_second : refute_first)(last, free, free, mine, theirs, beta);
}

/* Squares that see few others make 24 of them a long search: 0.4 s on a board of 32x32. So where at least so many are
 * free, the clock is asked. */
#define ASKED_SQUARES 14

INLINE bool is_over(const struct laser_last *last, uint32_t free) {
    return count_of(free) >= ASKED_SQUARES && last->is_over && last->is_over(last->user);
}

/* -- refuting many moves at once -- */

static int bound_first(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int enough,
                       int moves);
static int bound_second(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int enough,
                        int moves);

/* An upper bound for a side that makes two or more moves in a row on the free squares, then moves in turn; any bound
 * from `enough` on is as good as none. The other side has a reply in mind:
 * 1. If all the moves stay out of its way, it is played. From the squares left behind it the side to move covers at
 *    most all it can reach. If that is too much, let that side make one more move in a row there.
 * 2. Otherwise one of the moves is a square in its way, and it does not matter when it is made: say, first. */
INLINE int bound_in_a_row(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int enough,
                          int moves, int side) {
    const uint64_t *own = last->beams[side];
    const uint64_t *other = last->beams[!side];
    if (!free) {
        return 0;
    }
    int best_key = INT32_MIN;
    for (uint32_t rest = free; rest; rest = without_first(rest)) {
        int square = index_of(rest);
        int key = (bits_count(other[square] & theirs) + 3 * count_of(free & last->sees[square])) * 256 + square;
        best_key = greater(best_key, key);
    }
    int reply = best_key & 255;
    uint32_t left = free & ~last->sees[reply];
    int loss = bits_count(other[reply] & theirs);
    int bound = bits_count(reach_of(own, left) & mine) - loss;
    if (bound >= enough && count_of(left) >= FOLLOW_ON_SQUARES) {
        bound =
            (side ? bound_second : bound_first)(last, left, mine, theirs & ~other[reply], enough + loss, moves + 1) -
            loss;
    }
    for (uint32_t rest = free & ~left; rest && bound < enough; rest = without_first(rest)) {
        int move = index_of(rest);
        int gain = bits_count(own[move] & mine);
        uint32_t then = free & ~last->sees[move];
        int value = moves == 2 ? doubtful_value(last, then, mine & ~own[move], theirs, enough - gain, side)
                               : (side ? bound_second : bound_first)(last, then, mine & ~own[move], theirs,
                                                                     enough - gain, moves - 1);
        bound = greater(bound, gain + value);
    }
    return bound;
}

static int bound_first(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int enough,
                       int moves) {
    return bound_in_a_row(last, free, mine, theirs, enough, moves, 0);
}

static int bound_second(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int enough,
                        int moves) {
    return bound_in_a_row(last, free, mine, theirs, enough, moves, 1);
}

/* An upper bound for all moves that leave the reply on the board: the side to move gains no more than all it can
 * reach from the squares the reply leaves, or, where that is not below beta, than what two moves in a row bring. */
INLINE int bound_with_reply(const struct laser_last *last, uint32_t left, int reply, uint64_t reach, uint64_t mine,
                            uint64_t theirs, int beta, bool follow_up, int side) {
    const uint64_t *other = last->beams[!side];
    int loss = bits_count(other[reply] & theirs);
    int bound = bits_count(reach & mine);
    if (bound - loss >= beta && follow_up) {
        bound = (side ? bound_second : bound_first)(last, left, mine, theirs & ~other[reply], beta + loss, 2);
    }
    return bound - loss;
}

/* How good a move looks: what it gains, and what it takes away from the answers to it. */
INLINE int plain_key(const struct laser_last *last, uint32_t free, int square, uint64_t mine, int side) {
    return bits_count(last->beams[side][square] & mine) + 2 * count_of(free & last->sees[square]);
}

/* The most promising of the moves, with its key in front. */
INLINE int promising(const struct laser_last *last, uint32_t free, uint32_t open, uint64_t mine, int side) {
    int best_key = INT32_MIN;
    for (uint32_t rest = open; rest; rest = without_first(rest)) {
        int square = index_of(rest);
        best_key = greater(best_key, plain_key(last, free, square, mine, side) * 256 + square);
    }
    return best_key;
}

/* The value of the best of the `open` moves, which probably does not reach beta. At least four squares are free.
 *
 * The other side is so far ahead in most of these positions (9 squares at the median) that one reply refutes
 * many moves: whatever does not take it away. The free squares see few others, so two replies leave little. */
INLINE int refute(const struct laser_last *last, uint32_t free, uint32_t open, uint64_t mine, uint64_t theirs, int beta,
                  int side) {
    const uint64_t *own = last->beams[side];
    const uint64_t *other = last->beams[!side];
    const uint32_t *sees = last->sees;
    bool follow_up = count_of(free) >= FOLLOW_UP_SQUARES;
    int best = WORST;
    ++*last->nodes;
    if (is_over(last, free)) {
        return best;
    }

    /* 1. The reply that gains much and takes much away. */
    int keys[LASER_ENDGAME_MOST];
    int best_key = INT32_MIN;
    for (uint32_t rest = free; rest; rest = without_first(rest)) {
        int square = index_of(rest);
        uint32_t left = free & ~sees[square];
        keys[square] = (bits_count(other[square] & theirs) - 4 * count_of(left)) * 256 + square;
        best_key = greater(best_key, left & open ? keys[square] : INT32_MIN);
    }

    /* 2. Moves that leave it; and meanwhile the reply to most of the others. */
    if (best_key != INT32_MIN) {
        int reply = best_key & 255;
        uint32_t left = free & ~sees[reply];
        uint32_t others = open & ~left;
        uint64_t reach = 0;
        best_key = INT32_MIN;
        for (uint32_t rest = left; rest; rest = without_first(rest)) {
            int square = index_of(rest);
            uint32_t refuted = others & ~sees[square];
            int key = keys[square] + 4 * 256 * count_of(refuted);
            reach |= own[square];
            best_key = greater(best_key, refuted ? key : INT32_MIN);
        }
        int bound = bound_with_reply(last, left, reply, reach, mine, theirs, beta, follow_up, side);
        if (bound < beta) {
            best = greater(best, bound);
            open = others;
            if (!open) {
                return best;
            }
        } else {
            best_key = INT32_MIN;
        }
    }

    /* 3. The other reply. */
    if (best_key != INT32_MIN) {
        int reply = best_key & 255;
        uint32_t left = free & ~sees[reply];
        int bound = bound_with_reply(last, left, reply, reach_of(own, left), mine, theirs, beta, follow_up, side);
        if (bound < beta) {
            best = greater(best, bound);
            open &= ~left;
        }
    }

    /* 4. What is still open is searched: in a good order, since the expectation may be wrong. */
    while (open) {
        int move = count_of(open) >= CHOICE ? promising(last, free, open, mine, side) & 255 : index_of(open);
        int gain = bits_count(own[move] & mine);
        int value = gain - likely_value(last, free & ~sees[move], theirs, mine & ~own[move], gain - beta + 1, !side);
        best = greater(best, value);
        if (best >= beta) {
            break;
        }
        open &= ~(1u << move);
    }
    return best;
}

/* -- finding one good move -- */

/* Among the squares whose plain key is at least `least`, the best one by what either side can still reach behind
 * it. */
INLINE int careful_choice(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int least,
                          int side) {
    const uint64_t *own = last->beams[side];
    const uint64_t *other = last->beams[!side];
    int best_key = INT32_MIN;
    for (uint32_t rest = free; rest; rest = without_first(rest)) {
        int square = index_of(rest);
        if (plain_key(last, free, square, mine, side) >= least) {
            uint32_t left = free & ~last->sees[square];
            struct reaches reaches = reaches_of(own, other, left);
            int key = 2 * bits_count(own[square] & mine) - count_of(left) +
                      bits_count(reaches.own & mine & ~own[square]) - 2 * bits_count(reaches.other & theirs);
            best_key = greater(best_key, key * 256 + square);
        }
    }
    return best_key & 255;
}

/* Four or more free squares. One move first; where any move suffices, this one does in 9 of 10 nodes. Otherwise the
 * others will probably fail as well. */
INLINE int search(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int beta, int side) {
    const uint64_t *own = last->beams[side];
    ++*last->nodes;
    if (is_over(last, free)) {
        return WORST;
    }
    int best_key = promising(last, free, free, mine, side);
    int first = best_key & 255;
    if (count_of(free) >= CAREFUL_SQUARES) {
        first = careful_choice(last, free, mine, theirs, (best_key >> 8) - CAREFUL_MARGIN, side);
    }
    int gain = bits_count(own[first] & mine);
    int value =
        gain - doubtful_value(last, free & ~last->sees[first], theirs, mine & ~own[first], gain - beta + 1, !side);
    if (value >= beta) {
        return value;
    }
    uint32_t others = free & ~(1u << first);
    return greater(value, (side ? refute_second : refute_first)(last, free, others, mine, theirs, beta));
}

static int search_first(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int beta) {
    return search(last, free, mine, theirs, beta, 0);
}

static int search_second(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int beta) {
    return search(last, free, mine, theirs, beta, 1);
}

static int refute_first(const struct laser_last *last, uint32_t free, uint32_t open, uint64_t mine, uint64_t theirs,
                        int beta) {
    return refute(last, free, open, mine, theirs, beta, 0);
}

static int refute_second(const struct laser_last *last, uint32_t free, uint32_t open, uint64_t mine, uint64_t theirs,
                         int beta) {
    return refute(last, free, open, mine, theirs, beta, 1);
}

/* All squares are free; the place of no square covers nothing. */
static uint32_t endgame_start(struct laser_last *last, int count) {
    last->beams[0][NOBODY] = 0;
    last->beams[1][NOBODY] = 0;
    return (1u << count) - 1;
}

int laser_endgame(struct laser_last *last, int count, uint64_t first, uint64_t second, int beta, bool doubtful) {
    ASSERT(count >= 0 && count <= LASER_ENDGAME_MOST);
    uint32_t free = endgame_start(last, count);
    return doubtful ? doubtful_value(last, free, first, second, beta, 0)
                    : likely_value(last, free, first, second, beta, 0);
}

int laser_endgame_row(struct laser_last *last, int count, uint64_t first, uint64_t second, int enough, int moves) {
    ASSERT(count >= 0 && count <= LASER_ENDGAME_MOST);
    ASSERT(moves >= 2);
    return bound_first(last, endgame_start(last, count), first, second, enough, moves);
}
