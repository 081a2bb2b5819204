/* Between two looks at the clock a search does only so much. Counted, not timed: the first write to a huge page of a
 * table makes the system clear it, so no search writes to more than a new one or two without a look in between; and no
 * count of positions goes on for long.
 *
 * The linker sends mmap and the looks here (tests/CMakeLists.txt). Large blocks are handed out write-protected, and
 * the fault that the first write to a huge page causes is counted. */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "game/registry.h"
#include "games/gomoku/search/search.h"
#include "games/war/solve/endings.h"
#include "support/random_position.h"
#include "system/pages.h"

#define LARGE ((size_t)1 << 24) /* blocks from here on are asked for in huge pages */
#define MOST_FRESH 2 /* one of a table, and one of the endings that the solver of the war board makes meanwhile */
#define MOST_BLOCKS 16
#define HUGE_BYTES ((uintptr_t)1 << PAGES_HUGE_BITS)

/* -- what is counted -- */

struct block {
    uintptr_t from;
    uintptr_t end;
};

static struct block blocks[MOST_BLOCKS];
static int block_count;
static volatile int fresh;      /* huge pages written to for the first time since the last look */
static volatile int most_fresh; /* the most of them */
static volatile int all_fresh;
static uint64_t looks;

static void note_look(void) {
    looks++;
    fresh = 0;
}

/* A write to a block: opens the huge page, or as much of it as belongs to the block. */
static void on_fault(int number, siginfo_t *info, void *context) {
    (void)context;
    uintptr_t at = (uintptr_t)info->si_addr;
    for (int i = 0; i < block_count; i++) {
        if (at >= blocks[i].from && at < blocks[i].end) {
            uintptr_t from = at & ~(HUGE_BYTES - 1);
            uintptr_t end = from + HUGE_BYTES < blocks[i].end ? from + HUGE_BYTES : blocks[i].end;
            from = from < blocks[i].from ? blocks[i].from : from;
            mprotect((void *)from, end - from, PROT_READ | PROT_WRITE);
            fresh = fresh + 1;
            all_fresh = all_fresh + 1;
            most_fresh = fresh > most_fresh ? fresh : most_fresh;
            return;
        }
    }
    signal(number, SIG_DFL); /* a fault like any other */
}

void *__real_mmap(void *at, size_t length, int protection, int flags, int file, off_t offset);
int __real_munmap(void *at, size_t length);
bool __real_clock_over(struct search_clock *clock);
void __real_clock_look(struct search_clock *clock, struct clock_meter *meter, uint64_t nodes);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *at, size_t length);
bool __wrap_clock_over(struct search_clock *clock);
void __wrap_clock_look(struct search_clock *clock, struct clock_meter *meter, uint64_t nodes);

void *__wrap_mmap(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    bool watched = length >= LARGE && block_count < MOST_BLOCKS;
    void *memory = __real_mmap(at, length, watched ? PROT_READ : protection, flags, file, offset);
    if (watched && memory != MAP_FAILED) {
        blocks[block_count++] = (struct block){(uintptr_t)memory, (uintptr_t)memory + length};
    }
    return memory;
}

int __wrap_munmap(void *at, size_t length) {
    for (int i = 0; i < block_count; i++) {
        if (blocks[i].from == (uintptr_t)at) {
            blocks[i] = blocks[--block_count];
        }
    }
    return __real_munmap(at, length);
}

bool __wrap_clock_over(struct search_clock *clock) {
    note_look();
    return __real_clock_over(clock);
}

void __wrap_clock_look(struct search_clock *clock, struct clock_meter *meter, uint64_t nodes) {
    note_look();
    __real_clock_look(clock, meter, nodes);
}

/* Begins anew. The handler is set here, since the test library has one of its own in every test. */
static void start_counting(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    fresh = most_fresh = all_fresh = 0;
    looks = 0;
}

/* -- searches -- */

struct scene {
    const char *game;
    int size;
    int plies;     /* played at random */
    bool stranger; /* as if the game had no engine of its own */
    struct search_limits limits;
};

static const struct scene scenes[] = {
    {"war", 8, 10, false, {.nodes = 200000}},
    {"war", 5, 4, false, {.goal = SEARCH_EXACT, .nodes = 4000000}},
    {"war", 6, 4, false, {.goal = SEARCH_EXACT, .nodes = 400000}},
    {"laser", 12, 0, false, {.goal = SEARCH_EXACT, .nodes = 100000}},
    {"laser", 16, 0, false, {.nodes = 20000}},
    {"gomoku", 15, 5, false, {.nodes = 20000}},
    {"war", 8, 0, true, {.nodes = 200000}},
    {"laser", 16, 0, true, {.nodes = 50000}},
    {"gomoku", 15, 6, true, {.nodes = 6000}},
};

static void test_one_fresh_page_between_two_looks(void **state) {
    (void)state;
    struct rng rng = {17};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        const struct scene *scene = &scenes[i];
        struct game game = *game_find(scene->game, strlen(scene->game));
        game.think = scene->stranger ? NULL : game.think;
        struct game_position *position = calloc(1, game.properties->position_size);
        struct engine *engine = engine_new(&(struct searcher_options){.threads = 1, .hash_bytes = (size_t)256 << 20});
        assert_non_null(position);
        assert_non_null(engine);
        random_position(&game, scene->size, scene->plies, &rng, position);
        struct engine_request request = {.method = SEARCH_ENGINE, .limits = scene->limits};
        struct search_result result;
        start_counting();
        assert_int_equal(engine_go(engine, &game, position, &request, NULL, &result, NULL), STATUS_OK);
        int least = scene->stranger ? 1 : 8; /* the search over the interface takes no more than it needs */
        if (most_fresh > MOST_FRESH || all_fresh < least) {
            fail_msg("scene %zu, %s %d: %d fresh pages between two looks, %d in all", i, scene->game, scene->size,
                     most_fresh, all_fresh);
        }
        engine_free(engine);
        free(position);
    }
}

/* Nor are they touched when an engine is made, for the second time either, nor when a fresh one is cleared. */
static void test_new_engines_touch_little(void **state) {
    (void)state;
    const char *const names[] = {"war", "laser", "gomoku"};
    for (int i = 0; i < 6; i++) {
        const struct game *game = game_find(names[i % 3], strlen(names[i % 3]));
        struct engine *engine = engine_new(&(struct searcher_options){.threads = 2, .hash_bytes = (size_t)256 << 20});
        assert_non_null(engine);
        start_counting();
        assert_int_equal(engine_prepare(engine, game, NULL), STATUS_OK);
        assert_int_equal(all_fresh, 0);
        engine_free(engine);
    }
}

/* -- other work -- */

/* A board with a corner free and no row to be won elsewhere: each position is quickly searched and slowly looked over.
 */
static void fill_board(struct gomoku_position *position) {
    struct game_position *generic = (struct game_position *)position;
    assert_int_equal(gomoku_game.start_random(generic, 15, 0, &(struct rng){3}, NULL), STATUS_OK);
    position->count = 0;
    for (int square = 0; square < 225; square++) {
        int row = square / 15;
        int column = square % 15;
        bool empty = row < 6 && column < 6;
        position->board[square] = (uint8_t)(empty ? GOMOKU_EMPTY : 1 + ((column + 2 * row) / 2) % 2);
        position->count = (uint16_t)(position->count + !empty);
    }
}

static void test_endings_of_gomoku_look_often(void **state) {
    (void)state;
    struct gomoku_position position;
    struct search_clock clock = {0};
    uint64_t visited;
    uint16_t move = 0;
    fill_board(&position);
    start_counting();
    ending_is_drawn(&position, &clock, 12000, &move, &visited);
    assert_true(visited > 10000);
    assert_true(looks >= visited / 40);
}

static void test_counting_endings_looks_often(void **state) {
    (void)state;
    struct rng rng = {5};
    const struct game *war = game_find("war", 3);
    struct game_position *position = calloc(1, war->properties->position_size);
    struct search_clock clock = {0};
    struct solve_graph graph;
    assert_non_null(position);
    assert_int_equal(war->start_random(position, 5, 0, &rng, NULL), STATUS_OK);
    assert_true(solve_graph_from(&graph, (const struct war_position *)position));
    start_counting();
    assert_true(endings_count(&graph, 6, &clock) > 1000000);
    assert_true(looks * 10000 >= endings_sets(&graph, 6));
    free(position);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_fresh_page_between_two_looks),
        cmocka_unit_test(test_new_engines_touch_little),
        cmocka_unit_test(test_endings_of_gomoku_look_often),
        cmocka_unit_test(test_counting_endings_looks_often),
    };
    setenv("SORTIE_LEVEL", "plain", 1); /* what the other levels call is hidden from the linker */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
