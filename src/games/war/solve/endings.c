/* Works out all endings, one number of empty squares after the other.
 *
 * A set of empty squares with n pieces beside it has 2^n values. The move to a square s looks up the set without s.
 * The pieces not beside s keep their owners. The pieces beside s become all the mover's, if one of them was (a Raid);
 * otherwise none is and none becomes. So the place to look at is a sum of one term for each piece, and the values that
 * differ in the first three pieces only are found within sixteen neighbours: sixteen values, two such groups, are
 * worked out at a time, or twice as many with one piece more. */
#include "games/war/solve/endings.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "games/war/solve/endings_lanes.h"
#include "system/pages.h"

#define MIDDLE_BITS 6 /* pieces whose terms are tabled */
#define MOST_PIECES 24
#define MOST_LEFT 12
#define MOST_THREADS 9               /* more wait for memory */
#define LOOK_SETS 8192               /* sets measured between two looks at the clock */
#define LOOK_BYTES ((size_t)1 << 20) /* of values made between two looks; memory touched for the first time */

/* -- numbers of sets -- */

/* How many sets of `of` squares have `take`. */
static uint64_t endings_choose(int of, int take) {
    uint64_t ways = 1;
    for (int i = 1; i <= take; i++) {
        ways = ways * (uint64_t)(of - take + i) / (uint64_t)i;
    }
    return take > of ? 0 : ways;
}

uint64_t endings_sets(const struct solve_graph *graph, int left) {
    ASSERT(left >= 0 && left <= ENDINGS_MOST_EMPTIES);
    return endings_choose(graph->empties, left);
}

/* Sets of `left` squares are numbered in the order of their bits as a number: the i-th lowest square at place p adds
 * p over i. */
void endings_number_sets(struct endings_numbers *numbers, int left) {
    ASSERT(left >= 0 && left <= ENDINGS_MOST_EMPTIES);
    uint32_t over[ENDINGS_MOST_EMPTIES][MOST_LEFT + 2]; /* places over squares */
    for (int place = 0; place < ENDINGS_MOST_EMPTIES; place++) {
        over[place][0] = 1;
        for (int i = 1; i <= left; i++) {
            over[place][i] = place ? over[place - 1][i - 1] + over[place - 1][i] : 0;
        }
    }
    for (unsigned half = 0; half < 1u << ENDINGS_HALF; half++) {
        uint32_t low = 0;
        uint32_t high = 0;
        int below = left - bits_count(half);
        int i = 0;
        for (uint64_t rest = half; rest && below >= 0;) {
            int place = bits_pop(&rest);
            i++;
            low += over[place][i];
            high += over[place + ENDINGS_HALF][below + i];
        }
        numbers->low[half] = low;
        numbers->high[half] = high;
    }
}

static uint64_t next_set(uint64_t set) {
    uint64_t lowest = set & (~set + 1);
    uint64_t ripple = set + lowest;
    return ripple | ((set ^ ripple) / lowest) >> 2;
}

uint64_t endings_pieces_beside(const struct solve_graph *graph, uint64_t empty) {
    uint64_t beside = 0;
    for (uint64_t rest = empty; rest;) {
        beside |= graph->beside[bits_pop(&rest)];
    }
    return beside & ~empty;
}

/* How many values the sets of `left` squares have, as endings_count. Notes where each begins if asked to. */
static uint64_t endings_measure(const struct solve_graph *graph, int left, uint32_t *starts,
                                struct search_clock *clock) {
    uint64_t sets = endings_sets(graph, left);
    uint64_t set = ((uint64_t)1 << left) - 1;
    uint64_t units = 1;
    for (uint64_t i = 0; i < sets; i++) {
        int pieces = bits_count(endings_pieces_beside(graph, set));
        if (pieces > MOST_PIECES || ((i + 1) % LOOK_SETS == 0 && clock_over(clock))) {
            return UINT64_MAX;
        }
        if (starts) {
            starts[i] = (uint32_t)units;
        }
        units += (((uint64_t)1 << pieces) + ENDINGS_UNIT - 1) / ENDINGS_UNIT;
        set = left ? next_set(set) : set;
    }
    return (units + 1) * ENDINGS_UNIT;
}

uint64_t endings_count(const struct solve_graph *graph, int left, struct search_clock *clock) {
    return endings_measure(graph, left, NULL, clock);
}

/* -- one set -- */

/* What a move needs to know about the pieces in front of the set's values. */
struct step {
    const int16_t *source; /* the window of the place that terms are subtracted from */
    struct pick_lanes pick;
    lanes raid_gain;   /* of the first three pieces */
    lanes raids;       /* lanes in which one of these makes a Raid */
    int32_t value;     /* of the square */
    int32_t raid_most; /* its value and twice those of all pieces beside it */
    int32_t raid_term; /* places: of the pieces beside the square once they are the mover's, and the square */
    int32_t stake_term;
    int32_t terms[MOST_PIECES]; /* by piece: its place in the set looked up; 0 for those beside the square */
    int32_t flips[MOST_PIECES]; /* by piece: twice its value, if it is beside the square */
    int32_t middle_terms[1 << MIDDLE_BITS];
    int32_t middle_flips[1 << MIDDLE_BITS];
};

/* What one piece adds to the sums. */
static void endings_add_piece(const struct step *step, int piece, int32_t *term, int32_t *flips) {
    *term += step->terms[piece];
    *flips += step->flips[piece];
}

static void step_make(struct step *step, const struct endings *from, const struct solve_graph *graph, uint64_t empty,
                      uint64_t pieces, int square, int middles) {
    uint64_t left = empty & ~(1ULL << square);
    uint64_t after = endings_pieces_beside(graph, left);
    uint64_t beside = graph->beside[square];
    int count = bits_count(pieces);
    step->source = endings_of(from, (uint32_t)left) + ((1 << bits_count(after)) - 1) - (WINDOW - 1);
    step->value = step->raid_most = graph->value[square];
    step->raid_term = step->stake_term = 0;
    int place = 0;
    for (uint64_t rest = after; rest; place++) {
        int piece = bits_pop(&rest);
        step->stake_term += piece == square ? 1 << place : 0;
        step->raid_term += piece == square || beside >> piece & 1 ? 1 << place : 0;
    }
    uint64_t rest = pieces;
    for (int i = 0; i < MOST_PIECES; i++) {
        step->terms[i] = step->flips[i] = 0;
        if (i >= count) {
            continue;
        }
        int piece = bits_pop(&rest);
        if (beside >> piece & 1) {
            step->flips[i] = 2 * graph->value[piece];
            step->raid_most += step->flips[i];
        } else {
            step->terms[i] = 1 << bits_count(after & ((1ULL << piece) - 1));
        }
    }
    int places[LANES];
    int16_t raid_gain[LANES];
    int16_t raids[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        int32_t term = 0;
        int32_t flips = 0;
        for (int i = 0; i < LANE_BITS; i++) {
            if (lane >> i & 1) {
                endings_add_piece(step, i, &term, &flips);
            }
        }
        term -= lane >= LANES / 2 ? step->terms[LANE_BITS - 1] : 0;
        places[lane] = WINDOW - 1 - term;
        raid_gain[lane] = (int16_t)-flips;
        raids[lane] = flips ? -1 : 0;
    }
    pick_make(&step->pick, places);
    step->raid_gain = lanes_from(raid_gain);
    step->raids = lanes_from(raids);
    step->middle_terms[0] = step->middle_flips[0] = 0;
    for (int middle = 1; middle < middles; middle++) {
        int before = middle & (middle - 1);
        int piece = LANE_BITS + bits_first((uint64_t)middle);
        step->middle_terms[middle] = step->middle_terms[before] + step->terms[piece];
        step->middle_flips[middle] = step->middle_flips[before] + step->flips[piece];
    }
}

void endings_fill(const struct endings *from, const struct solve_graph *graph, uint64_t empty, int16_t *values) {
    ASSERT(bits_count(empty) == from->left + 1);
    struct step steps[MOST_LEFT];
    int squares = 0;
    uint64_t pieces = endings_pieces_beside(graph, empty);
    int count = bits_count(pieces);
    int middles = 1 << (count <= LANE_BITS ? 0 : count - LANE_BITS < MIDDLE_BITS ? count - LANE_BITS : MIDDLE_BITS);
    for (uint64_t rest = empty; rest; squares++) {
        step_make(&steps[squares], from, graph, empty, pieces, bits_pop(&rest), middles);
    }
    int uppers = 1 << (count > LANE_BITS + MIDDLE_BITS ? count - LANE_BITS - MIDDLE_BITS : 0);
    for (int upper = 0; upper < uppers; upper++) {
        int32_t upper_terms[MOST_LEFT] = {0};
        int32_t upper_flips[MOST_LEFT] = {0};
        for (int i = 0; upper >> i; i++) {
            for (int s = 0; s < squares && upper >> i & 1; s++) {
                endings_add_piece(&steps[s], LANE_BITS + MIDDLE_BITS + i, &upper_terms[s], &upper_flips[s]);
            }
        }
        for (int middle = 0; middle < middles; middle++, values += LANES) {
            lanes best = lanes_all(INT16_MIN);
            for (int s = 0; s < squares; s++) {
                const struct step *step = &steps[s];
                const int16_t *source = step->source - upper_terms[s] - step->middle_terms[middle];
                int32_t flips = upper_flips[s] + step->middle_flips[middle];
                int32_t high = step->terms[LANE_BITS - 1];
                lanes raid =
                    lanes_subtract(lanes_add(lanes_all(step->raid_most - flips), step->raid_gain),
                                   lanes_pick(&step->pick, source - step->raid_term, source - step->raid_term - high));
                if (!flips) {
                    lanes stake =
                        lanes_subtract(lanes_all(step->value), lanes_pick(&step->pick, source - step->stake_term,
                                                                          source - step->stake_term - high));
                    raid = lanes_choose(step->raids, raid, stake);
                }
                best = lanes_greater(best, raid);
            }
            lanes_to(values, best);
        }
    }
}

/* -- all sets -- */

/* A thread's share of the sets. */
struct share {
    const struct endings *from;
    const struct endings *to;
    const struct solve_graph *graph;
    struct search_clock *clock;
    _Atomic uint64_t *next; /* first set not yet taken */
    uint64_t sets;
};

/* The set of `left` squares that has this number. */
static uint64_t set_of(uint64_t number, int left) {
    uint64_t set = 0;
    for (int i = left; i > 0; i--) {
        int place = i - 1;
        while (endings_choose(place + 1, i) <= number) {
            place++;
        }
        number -= endings_choose(place, i);
        set |= 1ULL << place;
    }
    return set;
}

static void fill_share(void *user, int index) {
    (void)index;
    const struct share *share = user;
    const uint64_t batch = 64;
    for (;;) {
        uint64_t first = atomic_fetch_add_explicit(share->next, batch, memory_order_relaxed);
        if (first >= share->sets || clock_over(share->clock)) {
            return;
        }
        uint64_t set = set_of(first, share->to->left);
        uint32_t looked = share->to->starts[first];
        for (uint64_t i = first; i < first + batch && i < share->sets; i++) {
            uint32_t start = share->to->starts[i];
            if ((size_t)(start - looked) * ENDINGS_UNIT * sizeof *share->to->values >= LOOK_BYTES) {
                looked = start;
                if (clock_over(share->clock)) {
                    return;
                }
            }
            endings_fill(share->from, share->graph, set, share->to->values + (size_t)start * ENDINGS_UNIT);
            set = next_set(set);
        }
    }
}

static bool open_sets(struct endings *endings, const struct solve_graph *graph, int left, struct search_clock *clock) {
    uint64_t sets = endings_sets(graph, left);
    endings->left = left;
    endings_number_sets(&endings->numbers, left);
    endings->starts = malloc(sets * sizeof *endings->starts);
    if (!endings->starts) {
        return false;
    }
    uint64_t values = endings_measure(graph, left, endings->starts, clock);
    if (values == UINT64_MAX) {
        return false;
    }
    endings->mapped = values * sizeof *endings->values;
    endings->values = pages_new(endings->mapped);
    return endings->values != NULL;
}

void endings_free(struct endings *endings) {
    free(endings->starts);
    if (endings->values) {
        pages_free(endings->values, endings->mapped);
    }
    endings->starts = NULL;
    endings->values = NULL;
    endings->left = 0;
}

/* The next number of squares. */
static bool make_next(const struct endings *from, struct endings *to, const struct solve_graph *graph,
                      struct team *team, struct search_clock *clock) {
    if (!open_sets(to, graph, from->left + 1, clock)) {
        return false;
    }
    _Atomic uint64_t next = 0;
    struct share share = {from, to, graph, clock, &next, endings_sets(graph, to->left)};
    team_run(team, share.sets >= 512 ? MOST_THREADS : 1, fill_share, &share);
    return !clock_stopped(clock);
}

void endings_make(struct endings *endings, const struct solve_graph *graph, size_t most_bytes, uint64_t most_values,
                  struct team *team, struct search_clock *clock) {
    endings->left = 0;
    int left = 0;
    uint64_t all = 0;
    if (graph->empties > ENDINGS_MOST_EMPTIES || graph->total > 8000) {
        return;
    }
    while (left < MOST_LEFT && left < graph->empties) {
        uint64_t values = endings_count(graph, left + 1, clock);
        if (values > most_values - all || values * sizeof(int16_t) > most_bytes) {
            break;
        }
        all += values;
        left++;
    }
    struct endings *before = left > 0 ? calloc(1, sizeof *before) : NULL;
    if (!before) {
        return;
    }
    bool whole = open_sets(before, graph, 0, clock);
    for (int i = 1; whole && i <= left; i++) {
        whole = make_next(before, endings, graph, team, clock);
        if (whole && i < left) {
            endings_free(before);
            *before = *endings;
            endings->values = NULL;
            endings->starts = NULL;
        }
    }
    endings_free(before);
    free(before);
    if (!whole) {
        endings_free(endings);
    }
}
