/* The exact solver's table, threads and instances; the search itself is in solve.inc. */
#include "games/war/solve/solve.h"

#include <stdlib.h>
#include <string.h>

#if defined(__BMI2__) || defined(__AVX512DQ__)
#include <immintrin.h>
#endif
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include "base/assert.h"
#include "base/bits.h"
#include "base/rng.h"
#include "games/war/solve/endings_asked.h"
#include "system/pages.h"

/* Where the search changes its ways, by the number of empty squares. Found by solving boards with 4 and 6 squares
 * filled with each value; docs/war.md has the figures. */
enum {
    SOLVE_BOUNDED = 6,               /* where no endings are known, up to here bounds are tried before anything else */
    SOLVE_TABLED = 6,                /* where no endings are known, from here on the table is used */
    SOLVE_BEFORE = 3,                /* with endings, from so many squares more than they have */
    SOLVE_PROMISED = 8,              /* from here on moves are sorted by an evaluation of what follows */
    SOLVE_POLLED = 8,                /* from here on the clock is looked at */
    SOLVE_FETCHED = 3,               /* so many positions behind moves are looked up before all others */
    SOLVE_SHARED = 10,               /* from here on threads avoid each other */
    SOLVE_HELPED = SOLVE_SHARED + 3, /* from here on a question is worth waking other threads for */
    SOLVE_LAST = 4,                  /* up to here plain loops are quicker than anything that has to be set up */
    SOLVE_AT_MOST = 5 /* so many squares have an upper bound that ends often enough to be worth its time */
};

/* The sort's evaluation, in parts of SORT_UNIT: what the other side's pieces beside a square are worth to who raids
 * there (the table has them twice, so 50 stands for the 100 of docs/war.md), and a square that one side alone stands
 * beside, in mean values. The best of those tried there. */
enum { SORT_FLIPS = 50, SORT_ALONE = 29, SORT_UNIT = 64 };

/* Tables by the four neighbours of a square, by their owners (which of them are own, above which are the other's), by
 * a byte of squares, and by five squares at a time: 32 by 32 small numbers stay in the nearest cache. */
enum {
    NEIGHBOURS = 4,
    NEIGHBOUR_SETS = 1 << NEIGHBOURS,
    OWNER_SETS = NEIGHBOUR_SETS * NEIGHBOUR_SETS,
    BYTE_SETS = 256,
    PACK_BITS = 5,
    PACK_SETS = 1 << PACK_BITS
};

#define SOLVE_LOOK_STEP 4096 /* nodes between two looks at the clock */
#define SOLVE_BUSY 4096      /* places for the marks of threads: some thousand times as many as there are threads */
#define LEAST_TABLE 4096     /* bytes */
#define LINE_WORDS 8         /* of a line of the table */

/* Odd numbers whose products have well mixed upper bits: 2^32 and 2^64 divided by the golden ratio, and one more. */
#define SPREAD_32 0x9e3779b1u
#define SPREAD_64 0x9e3779b97f4a7c15ULL
#define SPREAD_CHECK 0xd6e8feb86659fd93ULL

/* One cache line: eight entries of one word, or four of two. */
struct solve_line {
    _Atomic uint64_t words[LINE_WORDS];
};

struct solve_worker {
    const void *tables; /* of the instance in use */
    const struct endings *endings;
    struct asked_endings *asked; /* of one square more; NULL: there are none */
    int16_t *scratch;            /* for making those */
    int known;                   /* empty squares of the endings; 0: none are known */
    int tabled;                  /* from so many empty squares on the table is used */
    struct solve_line *lines;
    atomic_bool *touched; /* huge pages of them */
    uint64_t line_mask;
    int empties;    /* of the graph */
    int line_bits;  /* lines are 1 << line_bits */
    int place_bits; /* small boards: bits of what is filed, */
    int near_bits;  /* of which these lie side by side */
    uint32_t part_masks[SOLVE_MOST_SQUARES + 1];
    uint64_t nodes; /* since the beginning of the graph */
    int answer;     /* the move of the position last left that proved its value, -1: it needed none */
    struct search_clock *clock;
    struct clock_meter meter;
    const atomic_bool *done; /* another thread has the answer */
    _Atomic uint64_t *busy;  /* NULL with one thread */
};

static inline bool solve_halted(const struct solve_worker *worker) {
    return clock_stopped(worker->clock) || atomic_load_explicit(worker->done, memory_order_relaxed);
}

/* Looks at the clock now and then. */
static inline bool solve_stopped(struct solve_worker *worker) {
    clock_tick(worker->clock, &worker->meter, worker->nodes);
    return solve_halted(worker);
}

/* -- which positions other threads are at -- */

static inline uint64_t solve_mark(uint64_t empty, uint64_t own) {
    return rng_mix(empty * SPREAD_64 ^ own) | 1;
}

static inline bool solve_busy(const struct solve_worker *worker, uint64_t mark) {
    return atomic_load_explicit(&worker->busy[mark >> 32 & (SOLVE_BUSY - 1)], memory_order_relaxed) == mark;
}

static inline void solve_busy_begin(const struct solve_worker *worker, uint64_t mark) {
    atomic_store_explicit(&worker->busy[mark >> 32 & (SOLVE_BUSY - 1)], mark, memory_order_relaxed);
}

static inline void solve_busy_end(const struct solve_worker *worker, uint64_t mark) {
    atomic_store_explicit(&worker->busy[mark >> 32 & (SOLVE_BUSY - 1)], 0, memory_order_relaxed);
}

/* The first bits of `from` that stand in `set`, packed to the low end: as many as `mask` has. */
static inline unsigned pick_first(uint64_t set, uint64_t from, unsigned mask) {
#ifdef __BMI2__
    return (unsigned)_pext_u64(from, set) & mask;
#else
    unsigned packed = 0;
    for (unsigned place = 1; place & mask && set; set &= set - 1, place <<= 1) {
        packed |= from & set & (~set + 1) ? place : 0;
    }
    return packed;
#endif
}

/* -- the table of small boards: one word an entry -- */

/* An entry: own pieces 25 bits, bound 14, best square 5, count of empty squares 5, kind of the bound 1, and 14 bits
 * that tell the line's positions apart. Nothing is hashed away, so an entry is never mistaken. */
#define SMALL_SQUARES 25
#define SMALL_TOTAL 8000 /* of all values, so that every bound fits */
#define SMALL_BOUND_BITS 14
#define SMALL_ZERO (1 << (SMALL_BOUND_BITS - 1)) /* added to a bound, so that none is negative */
#define SMALL_BOUND_MASK ((1 << SMALL_BOUND_BITS) - 1)
#define SMALL_COUNT_MASK 31
/* Where the parts begin. */
enum {
    SMALL_BOUND_AT = SMALL_SQUARES,
    SMALL_SQUARE_AT = SMALL_BOUND_AT + SMALL_BOUND_BITS,
    SMALL_COUNT_AT = SMALL_SQUARE_AT + 5,
    SMALL_KIND_AT = SMALL_COUNT_AT + 5,
    SMALL_TAG_AT = SMALL_KIND_AT + 1
};
#define SMALL_OWN ((1u << SMALL_SQUARES) - 1)
#define SMALL_TAG_BITS 14
#define SMALL_PART_BITS 3  /* at most so many owners decide where a position is filed */
#define SMALL_PART_FROM 11 /* squares taken, from two more on: the first owner decides, then a second, a third */
#define SMALL_NEAR_BITS 6  /* the squares of least value, whose sets share a page of memory */

static inline uint64_t small_pack(uint32_t own, int32_t bound, bool lower, int square, int count, uint64_t tag) {
    return (uint64_t)own | (uint64_t)(uint32_t)(bound + SMALL_ZERO) << SMALL_BOUND_AT |
           (uint64_t)square << SMALL_SQUARE_AT | (uint64_t)count << SMALL_COUNT_AT | (uint64_t)lower << SMALL_KIND_AT |
           tag << SMALL_TAG_AT;
}

static inline int32_t small_bound(uint64_t entry) {
    return (int32_t)(entry >> SMALL_BOUND_AT & SMALL_BOUND_MASK) - SMALL_ZERO;
}

static inline bool small_is_lower(uint64_t entry) {
    return entry >> SMALL_KIND_AT & 1;
}

/* Where a position is filed: by its empty squares, and with few of them, when there are few sets and many positions of
 * each, also by the owners of the most valuable pieces beside them. This is scattered one to one over numbers of as
 * many bits, except that sets which differ only in the squares of least value, those taken last, share a page of
 * memory. */
static inline uint32_t small_place(const struct solve_worker *worker, uint32_t empty, uint32_t own, uint32_t other,
                                   int count) {
    uint32_t owners = pick_first(own | other, own, worker->part_masks[count]);
    int near = worker->near_bits;
    int far = worker->place_bits - near;
    uint32_t mask = ((uint32_t)1 << far) - 1;
    uint32_t place = empty & (((uint32_t)1 << (worker->empties - near)) - 1);
    place = (place | owners << (worker->empties - near)) * 0x9e3779b1u & mask;
    place ^= place >> ((far + 1) / 2);
    place = place * 0x85ebca6bu & mask;
    return place << near | empty >> (worker->empties - near);
}

/* Where to look for a position: its line, and what the line's place does not tell. */
struct solve_place {
    struct solve_line *line;
    uint64_t tag;
};

static inline struct solve_place small_find(const struct solve_worker *worker, uint32_t empty, uint32_t own,
                                            uint32_t other, int count) {
    uint32_t place = small_place(worker, empty, own, other, count);
    return (struct solve_place){&worker->lines[place & worker->line_mask], (uint64_t)place >> worker->line_bits};
}

#ifdef __AVX512DQ__

/* A line at once. What other threads write there meanwhile is seen a whole word at a time. */
static inline __m512i small_words(const struct solve_line *line) {
    return _mm512_load_si512((const void *)line);
}

/* The first word of those in the mask. */
static inline uint64_t small_first(__m512i words, __mmask8 mask) {
    return (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(_mm512_maskz_compress_epi64(mask, words)));
}

/* A bound that answers whether the value is more than alpha, or GAME_INFINITY. */
static inline int32_t small_look(struct solve_place place, uint32_t own, int32_t alpha, int *square) {
    __m512i words = small_words(place.line);
    __mmask8 same =
        _mm512_cmpeq_epi64_mask(_mm512_srli_epi64(words, SMALL_TAG_AT), _mm512_set1_epi64((long long)place.tag));
    same &= _mm512_test_epi64_mask(words, words);
    if (!same) {
        return GAME_INFINITY;
    }
    __m512i mine = _mm512_set1_epi64(own);
    __m512i theirs = _mm512_and_si512(words, _mm512_set1_epi64(SMALL_OWN));
    __m512i bounds = _mm512_and_si512(_mm512_srli_epi64(words, SMALL_BOUND_AT), _mm512_set1_epi64(SMALL_BOUND_MASK));
    __mmask8 lower = _mm512_test_epi64_mask(words, _mm512_set1_epi64(1LL << SMALL_KIND_AT));
    __mmask8 above = _mm512_cmpgt_epi64_mask(bounds, _mm512_set1_epi64(alpha + SMALL_ZERO));
    __m512i more = _mm512_andnot_si512(theirs, mine);
    __m512i less = _mm512_andnot_si512(mine, theirs);
    __mmask8 no_more = _mm512_testn_epi64_mask(more, more);
    __mmask8 no_less = _mm512_testn_epi64_mask(less, less);
    __mmask8 answers = same & ((lower & above & no_less) | (__mmask8)(~lower & ~above & no_more));
    if (answers) {
        return small_bound(small_first(words, answers));
    }
    unsigned equal = same & no_more & no_less;
    if (equal) {
        *square = (int)(small_first(words, (__mmask8)(1u << (31 - __builtin_clz(equal)))) >> 39 & 31);
    }
    return GAME_INFINITY;
}

/* Whether there may be an upper bound for these empty squares. */
static inline bool small_is_filed(struct solve_place place) {
    return _mm512_cmpeq_epi64_mask(_mm512_srli_epi64(small_words(place.line), SMALL_KIND_AT),
                                   _mm512_set1_epi64((long long)place.tag << 1)) != 0;
}

/* An upper bound of at most `enough`, or GAME_INFINITY. */
static inline int32_t small_look_most(struct solve_place place, uint32_t own, int32_t enough) {
    __m512i words = small_words(place.line);
    __mmask8 found =
        _mm512_cmpeq_epi64_mask(_mm512_srli_epi64(words, SMALL_KIND_AT), _mm512_set1_epi64((long long)place.tag << 1));
    if (!found) {
        return GAME_INFINITY;
    }
    __m512i more = _mm512_andnot_si512(words, _mm512_set1_epi64(own));
    __m512i bounds = _mm512_and_si512(_mm512_srli_epi64(words, SMALL_BOUND_AT), _mm512_set1_epi64(SMALL_BOUND_MASK));
    found &= _mm512_testn_epi64_mask(more, more) & _mm512_test_epi64_mask(words, words) &
             _mm512_cmple_epi64_mask(bounds, _mm512_set1_epi64(enough + SMALL_ZERO));
    return found ? small_bound(small_first(words, found)) : GAME_INFINITY;
}

#else

static inline int32_t small_look(struct solve_place place, uint32_t own, int32_t alpha, int *square) {
    for (int i = 0; i < LINE_WORDS; i++) {
        uint64_t entry = atomic_load_explicit(&place.line->words[i], memory_order_relaxed);
        if (entry >> SMALL_TAG_AT != place.tag || !entry) {
            continue;
        }
        uint32_t entry_own = (uint32_t)entry & SMALL_OWN;
        int32_t bound = small_bound(entry);
        if (small_is_lower(entry) ? bound > alpha && !(entry_own & ~own) : bound <= alpha && !(own & ~entry_own)) {
            return bound;
        }
        if (entry_own == own) {
            *square = (int)(entry >> 39 & 31);
        }
    }
    return GAME_INFINITY;
}

static inline bool small_is_filed(struct solve_place place) {
    (void)place;
    return true;
}

static inline int32_t small_look_most(struct solve_place place, uint32_t own, int32_t enough) {
    for (int i = 0; i < LINE_WORDS; i++) {
        uint64_t entry = atomic_load_explicit(&place.line->words[i], memory_order_relaxed);
        if (((entry >> SMALL_KIND_AT ^ place.tag << 1) | (own & ~(uint32_t)entry)) == 0 && entry &&
            small_bound(entry) <= enough) {
            return small_bound(entry);
        }
    }
    return GAME_INFINITY;
}

#endif

/* Stores over an entry that the new one makes useless, else over that of the fewest empty squares. True where there was
 * none before. */
static inline bool small_keep(struct solve_place place, int count, uint32_t own, int32_t bound, bool lower,
                              int square) {
    int start = (int)(own * SPREAD_32 >> 29); /* one of the eight */
    int victim = start;
    uint64_t fewest = SMALL_COUNT_MASK + 1;
    bool fresh = false;
    for (int n = 0; n < LINE_WORDS; n++) {
        int i = (start + n) & (LINE_WORDS - 1);
        uint64_t entry = atomic_load_explicit(&place.line->words[i], memory_order_relaxed);
        if (!entry) {
            victim = i;
            fresh = true;
            break;
        }
        uint32_t entry_own = (uint32_t)entry & SMALL_OWN;
        if (entry >> SMALL_TAG_AT == place.tag && small_is_lower(entry) == lower &&
            (lower ? small_bound(entry) <= bound && !(own & ~entry_own)
                   : small_bound(entry) >= bound && !(entry_own & ~own))) {
            victim = i;
            break;
        }
        uint64_t entry_count = entry >> SMALL_COUNT_AT & SMALL_COUNT_MASK;
        if (entry_count < fewest) {
            fewest = entry_count;
            victim = i;
        }
    }
    atomic_store_explicit(&place.line->words[victim], small_pack(own, bound, lower, square, count, place.tag),
                          memory_order_relaxed);
    return fresh;
}

/* -- the table of larger boards: two words an entry -- */

/* The own pieces; then the bound in 22 bits, its kind in 1, and 41 bits that check the rest: empty squares, own
 * pieces, bound. An entry torn by two threads fails that check like one of another position. */
#define WIDE_TOTAL 2000000 /* of all values, so that every bound fits */
#define WIDE_BOUND_BITS 22
#define WIDE_ZERO (1 << (WIDE_BOUND_BITS - 1)) /* added to a bound, so that none is negative */
#define WIDE_BOUND_MASK ((1 << WIDE_BOUND_BITS) - 1)
#define WIDE_LOW_MASK ((uint64_t)(1 << (WIDE_BOUND_BITS + 1)) - 1) /* the bound and its kind */
#define WIDE_PLACE_SHIFT 20 /* the line is chosen by other bits than those the check begins with */

static inline uint64_t wide_hash(uint64_t empty) {
    return rng_mix(empty);
}

static inline uint64_t wide_second(uint64_t hash, uint64_t own, uint64_t low) {
    uint64_t check = (hash ^ own) * SPREAD_CHECK ^ low * SPREAD_64;
    check = (check ^ check >> 32) * SPREAD_CHECK;
    return ((check ^ check >> 29) & ~WIDE_LOW_MASK) | low;
}

static inline struct solve_place wide_find(const struct solve_worker *worker, uint64_t empty, uint64_t own,
                                           uint64_t other, int count) {
    (void)own;
    (void)count;
    (void)other;
    uint64_t hash = wide_hash(empty);
    return (struct solve_place){&worker->lines[hash >> WIDE_PLACE_SHIFT & worker->line_mask], hash};
}

static inline int32_t wide_bound(uint64_t second) {
    return (int32_t)(second & WIDE_BOUND_MASK) - WIDE_ZERO;
}

static inline bool wide_is_lower(uint64_t second) {
    return second >> WIDE_BOUND_BITS & 1;
}

static inline int32_t wide_look(struct solve_place place, uint64_t own, int32_t alpha, int *square) {
    (void)square;
    for (int i = 0; i < LINE_WORDS; i += 2) {
        uint64_t entry_own = atomic_load_explicit(&place.line->words[i], memory_order_relaxed);
        uint64_t second = atomic_load_explicit(&place.line->words[i + 1], memory_order_relaxed);
        int32_t bound = wide_bound(second);
        if ((wide_is_lower(second) ? bound > alpha && !(entry_own & ~own) : bound <= alpha && !(own & ~entry_own)) &&
            wide_second(place.tag, entry_own, second & 0x7fffff) == second) {
            return bound;
        }
    }
    return GAME_INFINITY;
}

static inline bool wide_is_filed(struct solve_place place) {
    (void)place;
    return true;
}

static inline int32_t wide_look_most(struct solve_place place, uint64_t own, int32_t enough) {
    for (int i = 0; i < LINE_WORDS; i += 2) {
        uint64_t entry_own = atomic_load_explicit(&place.line->words[i], memory_order_relaxed);
        uint64_t second = atomic_load_explicit(&place.line->words[i + 1], memory_order_relaxed);
        if (!wide_is_lower(second) && wide_bound(second) <= enough && !(own & ~entry_own) &&
            wide_second(place.tag, entry_own, second & 0x7fffff) == second) {
            return wide_bound(second);
        }
    }
    return GAME_INFINITY;
}

/* Stores over an entry that the new one makes useless, else over any. True where there was none before. */
static inline bool wide_keep(struct solve_place place, int count, uint64_t own, int32_t bound, bool lower, int square) {
    (void)count;
    (void)square;
    if (bound < -WIDE_TOTAL || bound > WIDE_TOTAL) {
        return false;
    }
    bool fresh = false;
    int victim = (int)(own * SPREAD_64 >> 62) * 2; /* one of the four */
    for (int i = 0; i < LINE_WORDS; i += 2) {
        uint64_t entry_own = atomic_load_explicit(&place.line->words[i], memory_order_relaxed);
        uint64_t second = atomic_load_explicit(&place.line->words[i + 1], memory_order_relaxed);
        if (!second || (wide_is_lower(second) == lower &&
                        (lower ? wide_bound(second) <= bound && !(own & ~entry_own)
                               : wide_bound(second) >= bound && !(entry_own & ~own)) &&
                        wide_second(place.tag, entry_own, second & 0x7fffff) == second)) {
            victim = i;
            fresh = !second;
            break;
        }
    }
    uint64_t low = (uint64_t)(uint32_t)(bound + WIDE_ZERO) | (uint64_t)lower << WIDE_BOUND_BITS;
    atomic_store_explicit(&place.line->words[victim], own, memory_order_relaxed);
    atomic_store_explicit(&place.line->words[victim + 1], wide_second(place.tag, own, low), memory_order_relaxed);
    return fresh;
}

/* -- the two instances -- */

#define S(name) small_##name
#define MOST_BITS SMALL_SQUARES
#define WORD uint32_t
#define WORD_BYTES 4
#define first_square(set) __builtin_ctz(set)
#include "games/war/solve/solve.inc"
#undef S
#undef WORD
#undef WORD_BYTES
#undef MOST_BITS
#undef first_square

#define S(name) wide_##name
#define MOST_BITS SOLVE_MOST_SQUARES
#define WORD uint64_t
#define WORD_BYTES 8
#define first_square(set) __builtin_ctzll(set)
#include "games/war/solve/solve.inc"
#undef S
#undef WORD
#undef WORD_BYTES
#undef MOST_BITS
#undef first_square

/* -- the graph -- */

int solve_graph_find(const struct solve_graph *graph, int board_square) {
    ASSERT(board_square >= 0 && board_square < WAR_MOST_SQUARES);
    for (int square = 0; square < graph->empties; square++) {
        if (graph->board_square[square] == board_square) {
            return square;
        }
    }
    return -1;
}

bool solve_graph_from(struct solve_graph *graph, const struct war_position *position) {
    int size = position->size;
    int squares = size * size;
    int number[WAR_MOST_SQUARES];
    memset(graph, 0, sizeof *graph);
    for (int square = 0; square < squares; square++) {
        number[square] = -1;
        if (war_taken(position, square)) {
            continue;
        }
        if (graph->squares == SOLVE_MOST_SQUARES) {
            return false;
        }
        int at = graph->squares++;
        for (; at > 0 && position->values[graph->board_square[at - 1]] < position->values[square]; at--) {
            graph->board_square[at] = graph->board_square[at - 1];
        }
        graph->board_square[at] = (uint16_t)square;
    }
    graph->empties = graph->squares;
    graph->empty = graph->empties == 64 ? UINT64_MAX : ((uint64_t)1 << graph->empties) - 1;
    graph->board = rng_mix((uint64_t)size);
    for (int square = 0; square < squares; square++) {
        graph->board = rng_mix(graph->board ^ (uint64_t)(uint32_t)position->values[square]);
    }
    for (int square = 0; square < squares; square++) {
        if (!war_taken(position, square)) {
            continue;
        }
        int neighbours[NEIGHBOURS];
        int count = war_neighbours(size, square, neighbours);
        bool open = false;
        for (int i = 0; i < count; i++) {
            open = open || !war_taken(position, neighbours[i]);
        }
        bool mine = war_owns(position, position->to_move, square);
        if (!open) {
            graph->settled += mine ? position->values[square] : -position->values[square];
            continue;
        }
        if (graph->squares == SOLVE_MOST_SQUARES) {
            return false;
        }
        uint64_t bit = 1ULL << graph->squares;
        graph->own |= mine ? bit : 0;
        graph->other |= mine ? 0 : bit;
        graph->board_square[graph->squares++] = (uint16_t)square;
    }
    for (int i = 0; i < graph->squares; i++) {
        number[graph->board_square[i]] = i;
        graph->value[i] = position->values[graph->board_square[i]];
        graph->total += graph->value[i];
    }
    for (int i = 0; i < graph->empties; i++) {
        int neighbours[NEIGHBOURS];
        int count = war_neighbours(size, graph->board_square[i], neighbours);
        for (int j = 0; j < count; j++) {
            graph->beside[i] |= 1ULL << number[neighbours[j]];
        }
    }
    return true;
}

/* -- the solver -- */

struct war_solver {
    struct solve_line *lines; /* owned; NULL before the first graph */
    atomic_bool *touched;     /* owned; which huge pages of them were written to */
    size_t table_bytes;       /* the most to take */
    size_t mapped;            /* bytes of `lines` */
    int line_bits;
    bool is_small; /* which instance the graph needs */
    struct team *team;
    struct solve_graph graph;
    struct search_clock *clock;
    atomic_bool done;
    struct small_tables small_tables;
    struct wide_tables wide_tables;
    struct endings endings;
    struct asked_endings asked;
    int16_t *scratch; /* owned; a part for each thread */
    _Atomic uint64_t busy[SOLVE_BUSY];
    struct solve_worker workers[]; /* one a thread */
};

struct war_solver *war_solver_new(size_t table_bytes, struct team *team) {
    struct war_solver *solver = calloc(1, sizeof *solver + (size_t)team_size(team) * sizeof solver->workers[0]);
    if (solver) {
        solver->table_bytes = table_bytes < LEAST_TABLE ? LEAST_TABLE : table_bytes;
        solver->team = team;
    }
    return solver;
}

static void close_table(struct war_solver *solver) {
    if (solver->lines) {
        pages_free(solver->lines, solver->mapped);
    }
    free(solver->touched);
    solver->lines = NULL;
    solver->touched = NULL;
}

void war_solver_free(struct war_solver *solver) {
    if (solver) {
        close_table(solver);
        asked_close(&solver->asked);
        endings_free(&solver->endings);
        free(solver->scratch);
        free(solver);
    }
}

#define LEAST_LINE_BITS 4
#define MOST_LINE_BITS 32 /* 256 GiB */
#define WIDE_LINES 2 /* bits: a line of a larger board holds half as many entries, and sets share lines by chance */
static bool map_table(struct war_solver *solver, int bits) {
    solver->line_bits = bits;
    solver->mapped = sizeof(struct solve_line) << bits;
    solver->touched = calloc(pages_huge_count(solver->mapped), sizeof *solver->touched);
    solver->lines = solver->touched ? pages_new(solver->mapped) : NULL;
    if (!solver->lines) {
        close_table(solver);
    }
    return solver->lines != NULL;
}

/* Fresh memory for every graph: what a line means depends on it. More than a line for every set of empty squares is
 * hardly used, so small graphs take little; what the table must tell apart sets the least. */
static bool open_table(struct war_solver *solver) {
    close_table(solver);
    int empties = solver->graph.empties;
    size_t left = solver->table_bytes - (solver->endings.left ? solver->endings.mapped : 0);
    int bits = LEAST_LINE_BITS;
    while (bits < empties + (solver->is_small ? 0 : WIDE_LINES) && bits < MOST_LINE_BITS &&
           (sizeof(struct solve_line) << (bits + 1)) <= left) {
        bits++;
    }
    int least = solver->is_small ? empties + SMALL_PART_BITS - SMALL_TAG_BITS : 4;
    least = least < 4 ? 4 : least;
    bits = bits < least ? least : bits;
    while (!map_table(solver, bits) && bits > least) { /* there is less memory than was promised */
        bits--;
    }
    return solver->lines != NULL;
}

#define ENDINGS_EIGHTHS 5 /* of the memory may go to endings; the rest is the table and those asked for */

/* Endings are worth a small part of what solving will take: it visits some 10,000 nodes with 13 empty squares and 2.6
 * times as many with each more, and ten values cost about a tenth of a node. Those of six squares on an empty 5x5 board
 * are the most: 2.2 GB. */
static void make_endings(struct war_solver *solver, const struct solve_graph *graph, struct search_clock *clock) {
    enum { AT = 13, MOST = 30, VALUES = 100000, GROWTH = 13, OF = 5 }; /* 13 / 5 is 2.6 */
    uint64_t values = VALUES;
    for (int i = AT; i < graph->empties && i < MOST; i++) {
        values = values * GROWTH / OF;
    }
    for (int i = graph->empties; i < AT; i++) {
        values = values * OF / GROWTH;
    }
    asked_close(&solver->asked);
    endings_free(&solver->endings);
    endings_make(&solver->endings, graph, solver->table_bytes / 8 * ENDINGS_EIGHTHS, values, solver->team, clock);
}

/* What neither the endings nor the table need is for endings that the search asks for. */
static void open_asked(struct war_solver *solver) {
    size_t taken = solver->mapped + (solver->endings.left ? solver->endings.mapped : 0);
    if (!solver->scratch) {
        solver->scratch = malloc((size_t)team_size(solver->team) * ASKED_SCRATCH * sizeof *solver->scratch);
    }
    if (solver->scratch && solver->table_bytes > taken) {
        asked_open(&solver->asked, &solver->endings, &solver->graph, solver->table_bytes - taken, solver->clock);
    }
}

void war_solver_forget(struct war_solver *solver) {
    close_table(solver);
}

/* Rewrites a graph in the numbers of the last one, if all that matters in it mattered there. */
static bool carry_over(const struct solve_graph *last, struct solve_graph *graph) {
    if (graph->board != last->board) {
        return false;
    }
    struct solve_graph carried = *last;
    carried.settled = graph->settled;
    carried.own = carried.other = carried.empty = 0;
    for (int i = 0; i < graph->squares; i++) {
        int number = 0;
        while (number < last->squares && last->board_square[number] != graph->board_square[i]) {
            number++;
        }
        if (number == last->squares || (graph->empty >> i & 1 && number >= last->empties)) {
            return false;
        }
        uint64_t bit = 1ULL << number;
        carried.own |= graph->own >> i & 1 ? bit : 0;
        carried.other |= graph->other >> i & 1 ? bit : 0;
        carried.empty |= graph->empty >> i & 1 ? bit : 0;
    }
    *graph = carried;
    return true;
}

bool war_solver_begin(struct war_solver *solver, struct solve_graph *graph, struct search_clock *clock) {
    bool carried = solver->lines && carry_over(&solver->graph, graph);
    solver->graph = *graph;
    solver->clock = clock;
    for (int i = 0; i < team_size(solver->team); i++) {
        solver->workers[i].clock = clock;
        solver->workers[i].nodes = 0;
        solver->workers[i].meter = (struct clock_meter){.step = SOLVE_LOOK_STEP};
    }
    if (carried) {
        return true;
    }
    solver->is_small = graph->squares <= SMALL_SQUARES && graph->total <= SMALL_TOTAL;
    make_endings(solver, graph, clock);
    if (!open_table(solver)) {
        return false;
    }
    open_asked(solver);
    if (solver->is_small) {
        small_prepare(&solver->small_tables, graph);
    } else {
        wide_prepare(&solver->wide_tables, graph);
    }
    for (int i = 0; i < team_size(solver->team); i++) {
        struct solve_worker *worker = &solver->workers[i];
        memset(worker, 0, sizeof *worker);
        worker->tables = solver->is_small ? (const void *)&solver->small_tables : &solver->wide_tables;
        worker->endings = &solver->endings;
        worker->asked = solver->asked.from ? &solver->asked : NULL;
        worker->scratch = worker->asked ? solver->scratch + (size_t)i * ASKED_SCRATCH : NULL;
        worker->known = solver->endings.left;
        worker->tabled = worker->known ? worker->known + SOLVE_BEFORE : SOLVE_TABLED;
        worker->lines = solver->lines;
        worker->touched = solver->touched;
        worker->line_bits = solver->line_bits;
        worker->line_mask = ((uint64_t)1 << solver->line_bits) - 1;
        worker->empties = graph->empties;
        worker->place_bits = graph->empties + SMALL_PART_BITS;
        worker->near_bits = graph->empties > 2 * SMALL_NEAR_BITS ? SMALL_NEAR_BITS : 0;
        for (int count = 0; count <= graph->empties; count++) {
            int bits = (graph->empties - count - SMALL_PART_FROM) / 2;
            bits = bits < 0 ? 0 : bits > SMALL_PART_BITS ? SMALL_PART_BITS : bits;
            worker->part_masks[count] = ((uint32_t)1 << bits) - 1;
        }
        worker->clock = clock;
        worker->meter = (struct clock_meter){.step = SOLVE_LOOK_STEP};
        worker->done = &solver->done;
    }
    return true;
}

struct solve_position war_solver_root(const struct war_solver *solver) {
    const struct solve_graph *graph = &solver->graph;
    struct solve_position position = {graph->own, graph->other, graph->empty, graph->settled};
    for (int i = 0; i < graph->squares; i++) {
        position.score += graph->own >> i & 1 ? graph->value[i] : graph->other >> i & 1 ? -graph->value[i] : 0;
    }
    return position;
}

struct solve_position war_solver_play(const struct war_solver *solver, const struct solve_position *position,
                                      int square, bool raid) {
    ASSERT(square >= 0 && square < SOLVE_MOST_SQUARES);
    ASSERT(position->empty >> square & 1);
    const struct solve_graph *graph = &solver->graph;
    uint64_t beside = graph->beside[square];
    uint64_t flipped = raid && (position->own & beside) ? position->other & beside : 0;
    uint64_t bit = 1ULL << square;
    struct solve_position after = {position->other ^ flipped, position->own | flipped | bit, position->empty ^ bit,
                                   -(position->score + graph->value[square])};
    while (flipped) {
        after.score -= 2 * graph->value[bits_pop(&flipped)];
    }
    return after;
}

void war_solver_suggest(struct war_solver *solver, const struct solve_position *position, int square) {
    ASSERT(square >= 0 && square < SOLVE_MOST_SQUARES);
    ASSERT(position->empty >> square & 1);
    if (!solver->is_small) {
        return; /* entries of larger boards have no room for a move */
    }
    /* Filed with a bound that no value is below. */
    const struct solve_worker *worker = &solver->workers[0];
    uint32_t empty = (uint32_t)position->empty;
    uint32_t frontier = small_spread(&solver->small_tables, empty) & ~empty;
    uint32_t own = (uint32_t)position->own & frontier;
    uint32_t other = (uint32_t)position->other & frontier;
    int count = bits_count(position->empty);
    if (count >= worker->tabled) {
        small_keep(small_find(worker, empty, own, other, count), count, own, -SMALL_TOTAL, true, square);
    }
}

/* A question all threads try to answer; the first answer counts. */
struct question {
    struct war_solver *solver;
    const struct solve_position *position;
    int32_t alpha;
    int32_t answer; /* written by the thread that sets `done` */
    int square;
};

/* One thread's search for the answer, in the instance the graph needs. */
static int32_t search_answer(struct war_solver *solver, struct solve_worker *worker, const struct solve_position *p,
                             int32_t alpha) {
    int count = bits_count(p->empty);
    worker->answer = -1;
    if (solver->is_small) {
        uint32_t empty = (uint32_t)p->empty;
        uint32_t frontier = small_spread(&solver->small_tables, empty) & ~empty;
        return small_test(worker, (uint32_t)p->own & frontier, (uint32_t)p->other & frontier, empty, count, p->score,
                          alpha);
    }
    uint64_t frontier = wide_spread(&solver->wide_tables, p->empty) & ~p->empty;
    return wide_test(worker, p->own & frontier, p->other & frontier, p->empty, count, p->score, alpha);
}

static void solve_ask(void *user, int index) {
    struct question *question = user;
    struct war_solver *solver = question->solver;
    struct solve_worker *worker = &solver->workers[index];
    int32_t value = search_answer(solver, worker, question->position, question->alpha);
    clock_tell(worker->clock, &worker->meter, worker->nodes);
    if (!clock_stopped(worker->clock) && !atomic_exchange(&solver->done, true)) {
        question->answer = value;
        question->square = value > question->alpha ? worker->answer : -1;
    }
}

int32_t war_solver_test(struct war_solver *solver, const struct solve_position *position, int32_t alpha, int *square) {
    ASSERT((position->own & position->other) == 0);
    ASSERT(((position->own | position->other) & position->empty) == 0);
    int threads = bits_count(position->empty) >= SOLVE_HELPED ? team_size(solver->team) : 1;
    struct question question = {.solver = solver, .position = position, .alpha = alpha, .square = -1};
    atomic_store_explicit(&solver->done, false, memory_order_relaxed);
    for (int i = 0; i < SOLVE_BUSY; i++) {
        atomic_store_explicit(&solver->busy[i], 0, memory_order_relaxed);
    }
    for (int i = 0; i < threads; i++) {
        solver->workers[i].busy = threads > 1 ? solver->busy : NULL;
    }
    team_run(solver->team, threads, solve_ask, &question);
    *square = question.square;
    return question.answer;
}

uint64_t war_solver_nodes(const struct war_solver *solver) {
    uint64_t nodes = 0;
    for (int i = 0; i < team_size(solver->team); i++) {
        nodes += solver->workers[i].nodes;
    }
    return nodes;
}
