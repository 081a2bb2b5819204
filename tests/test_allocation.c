/* Memory that runs out, at every single allocation of the core: a piece of work is done again and again, the first
 * allocation failing the first time, the second the second time, until it gets through. It must end each time, either
 * with a failure that is told or with the right answer, and leak nothing (which the sanitizer's run sees).
 *
 * The linker sends malloc and its kin here (tests/CMakeLists.txt); starting a thread counts too. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "base/json.h"
#include "engine/bench.h"
#include "engine/engine.h"
#include "formats/board.h"
#include "formats/course_answer.h"
#include "formats/draw.h"
#include "formats/records/sgf.h"
#include "game/registry.h"
#include "games/gomoku/rules/gomoku.h"
#include "protocols/gomocup/gomocup.h"
#include "search/perft.h"
#include "sortie/sortie.h"
#include "support/scale.h"

/* -- the allocator -- */

static atomic_long countdown = -1; /* allocations until one fails; below 0: none does */

/* Whether this is the one that fails. Those behind it are given again. */
static bool refuses(void) {
    return atomic_load(&countdown) >= 0 && atomic_fetch_sub(&countdown, 1) == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_mmap(void *at, size_t length, int protection, int flags, int file, off_t offset);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int file, off_t offset);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user);

void *__wrap_malloc(size_t size) {
    return refuses() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return refuses() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    return refuses() ? NULL : __real_realloc(old, size);
}

void *__wrap_mmap(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    return refuses() ? MAP_FAILED : __real_mmap(at, length, protection, flags, file, offset);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user) {
    return refuses() ? EAGAIN : __real_pthread_create(thread, attributes, start, user);
}

/* -- running a piece of work -- */

/* Does the work and puts what it says into *said; false when it tells of a failure. */
typedef bool piece_of_work(const void *input, char said[2048]);

/* What is told must be the same as without a failure, where the work says that all went well. */
static void fail_everywhere(const char *name, piece_of_work *work, const void *input) {
    char right[2048] = "";
    char said[2048] = "";
    atomic_store(&countdown, -1);
    assert_true(work(input, right));
    long n = 0;
    long told = 0;
    for (bool through = false; !through; n++) {
        said[0] = '\0';
        atomic_store(&countdown, n);
        bool good = work(input, said);
        through = atomic_exchange(&countdown, -1) >= 0; /* not reached any more */
        told += !good;
        if (good && strcmp(said, right) != 0) {
            fail_msg("%s: allocation %ld failed, and the answer was\n%s\ninstead of\n%s", name, n + 1, said, right);
        }
    }
    print_message("%-28s %4ld allocations, %4ld failures told\n", name, n - 1, told);
    assert_true(n > 1); /* it does allocate */
}

static const char *const texts[] = {
    "war stake 3 X\n12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n",
    "war sneak 4 O\n1 2 3 4\n5 6 7 8\n9 8 7 6\n5 4 3 2\nX..O\n.OX.\n....\nX..O\n",
    "laser 5 1\n00003\n00000\n03000\n00000\n00020\n",
    "gomoku freestyle 9\nE5 D4 E4 E6 D5\n",
};
#define TEXTS (sizeof texts / sizeof *texts)

/* Does the work with the texts above, and with a small board of every game there is, drawn by chance. */
static void fail_with_every_game(const char *name, piece_of_work *work) {
    for (size_t i = 0; i < TEXTS; i++) {
        fail_everywhere(name, work, texts[i]);
    }
    for (const struct game *const *game = game_list(); *game; game++) {
        const struct game_properties *properties = (*game)->properties;
        struct game_position *position = test_calloc(1, properties->position_size);
        struct text text = TEXT_EMPTY;
        int size = properties->least_size > 4 ? properties->least_size : 4;
        while (!game_takes_size(*game, size)) {
            size++;
        }
        assert_int_equal((*game)->start_random(position, size, 0, &(struct rng){1}, NULL), STATUS_OK);
        (*game)->write(position, &text);
        fail_everywhere(name, work, text_string(&text));
        text_free(&text);
        test_free(position);
    }
}

static const char *const files[] = {
    "3\nMINIMAX\nX\n2\n12 70 61\n8 22 63\n14 88 49\n...\n.O.\n...\n",
    "3\nALPHABETA\nO\n3\n12 70 61\n8 22 63\n14 88 49\n...\nX..\n...\n",
    "3\nX\n2\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\nX****\n*****\n**O**\n*****\n****X\n",
    "4\nX\n1\n1\nO\n3\n2\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\nX*XOX\nOXOXO\n**OXO\nXOXOX\nOXO*X\n",
    "4\n0000\n0300\n0000\n0000\n",
    "(;FF[4]GM[4]SZ[9];B[ee];W[dd];B[ed])",
    "gomoku freestyle 9\nE5 D4 E4\n",
};
#define FILES (sizeof files / sizeof *files)

/* -- what is done -- */

/* Tells one text from another. */
static void add_up(void *user, const char *bytes, size_t length) {
    size_t *sum = user;
    for (size_t i = 0; i < length; i++) {
        *sum = *sum * 31 + (unsigned char)bytes[i];
    }
}

static bool read_and_draw(const void *input, char said[2048]) {
    struct course_request request;
    struct error error = {0};
    if (course_parse_any(input, strlen(input), NULL, &request, &error) != STATUS_OK) {
        assert_string_equal(error.text, "out of memory");
        return false;
    }
    struct text text = TEXT_EMPTY;
    struct json json = {&text, false};
    board_json(&json, NULL, request.game, request.position);
    request.game->write(request.position, &text);
    draw_terminal(request.game, request.position, true, &text);
    draw_svg(request.game, request.position, &text);
    bool good = !text.broken;
    size_t sum = 0;
    add_up(&sum, text_string(&text), text.length);
    snprintf(said, 2048, "%zx of %zu bytes: %.1900s", sum, text.length, text_string(&text));
    text_free(&text);
    course_request_free(&request);
    return good;
}

/* The engine within fixed nodes, with two threads so that one can be refused. Which move a helper's finds lead to is
 * left open; that it is a legal one is not. */
static bool think(const void *input, char said[2048]) {
    struct course_request request;
    struct error error = {0};
    if (course_parse_any(input, strlen(input), NULL, &request, &error) != STATUS_OK) {
        return false;
    }
    struct engine *engine = engine_new(&(struct searcher_options){.threads = 2, .hash_bytes = (size_t)1 << 20});
    struct engine_request wanted = {.method = SEARCH_ENGINE, .limits = {.nodes = 300}};
    struct search_result result = {0};
    bool good =
        engine && engine_go(engine, request.game, request.position, &wanted, NULL, &result, &error) == STATUS_OK;
    if (good) {
        assert_true(request.game->legal(request.position, result.move));
    } else if (engine) {
        assert_true(error.text[0] != '\0');
    }
    snprintf(said, 2048, "a legal move");
    engine_free(engine);
    course_request_free(&request);
    return good;
}

static bool solve(const void *input, char said[2048]) {
    struct course_request request;
    struct error error = {0};
    if (course_parse_any(input, strlen(input), NULL, &request, &error) != STATUS_OK) {
        return false;
    }
    struct engine *engine = engine_new(&(struct searcher_options){.threads = 1, .hash_bytes = (size_t)1 << 20});
    struct engine_request wanted = {.method = SEARCH_ENGINE, .limits = {.goal = SEARCH_EXACT}};
    struct search_result result = {0};
    bool good =
        engine && engine_go(engine, request.game, request.position, &wanted, NULL, &result, &error) == STATUS_OK;
    good = good && result.certainty == SEARCH_PROVED &&
           result.lower == result.upper; /* or it says that it is not solved */
    snprintf(said, 2048, "%d", (int)result.value);
    engine_free(engine);
    course_request_free(&request);
    return good;
}

static bool count_lines(const void *input, char said[2048]) {
    struct course_request request;
    struct error error = {0};
    if (course_parse_any(input, strlen(input), NULL, &request, &error) != STATUS_OK) {
        return false;
    }
    uint64_t leaves = 0;
    enum status status = perft(request.game, request.position, 2, NULL, &leaves);
    snprintf(said, 2048, "%llu", (unsigned long long)leaves);
    course_request_free(&request);
    return status == STATUS_OK;
}

/* A course file through the public API, from bytes to bytes. */
static bool answer_file(const void *input, char said[2048]) {
    sortie_course *course = NULL;
    sortie_engine *engine = NULL;
    sortie_error error = {0};
    char *answer = NULL;
    size_t sum = 0;
    sortie_engine_options options = {.size = sizeof options, .hash_bytes = (size_t)1 << 20};
    sortie_limits limits = {.size = sizeof limits, .method = SORTIE_ENGINE, .whole_line = 1};
    sortie_course_orders orders = {.size = sizeof orders, .limits = &limits, .on_log = add_up, .user = &sum};
    sortie_result result = {.size = sizeof result};
    sortie_status status = sortie_course_parse(input, strlen(input), NULL, &course, &error);
    sortie_course_info info = {.size = sizeof info};
    if (status == SORTIE_OK && sortie_course_about(course, &info, NULL) == SORTIE_OK && info.method == SORTIE_ENGINE) {
        limits.nodes = 300;
    }
    if (status == SORTIE_OK) {
        status = sortie_engine_new(&options, &engine, &error);
    }
    if (status == SORTIE_OK) {
        status = sortie_course_answer(course, engine, &orders, &answer, &result, &error);
    }
    if (status == SORTIE_OK) {
        snprintf(said, 2048, "%s %zx %.1900s", result.move, sum, answer);
    } else {
        assert_int_equal(status, SORTIE_FAIL);
        assert_true(error.text[0] != '\0');
    }
    sortie_free(answer);
    sortie_engine_free(engine);
    sortie_course_free(course);
    return status == SORTIE_OK;
}

/* Playing, taking back, texts and analysis through the public API. */
static bool use_position(const void *input, char said[2048]) {
    sortie_position *position = NULL;
    sortie_position *copy = NULL;
    sortie_engine *engine = NULL;
    sortie_error error = {0};
    sortie_result lines[2] = {{.size = sizeof lines[0]}, {.size = sizeof lines[0]}};
    sortie_limits limits = {.size = sizeof limits, .method = SORTIE_ENGINE, .nodes = 200, .multi_pv = 2};
    sortie_move moves[4];
    int count = 0;
    sortie_status status = sortie_position_parse(input, strlen(input), &position, &error);
    if (status == SORTIE_OK && sortie_position_moves(position, moves, 4) < 0) {
        status = SORTIE_FAIL;
    }
    status = status == SORTIE_OK ? sortie_position_play(position, moves[0], &error) : status;
    status = status == SORTIE_OK ? sortie_position_undo(position, &error) : status;
    status = status == SORTIE_OK ? sortie_position_copy(position, &copy, &error) : status;
    status = status == SORTIE_OK ? sortie_engine_new(NULL, &engine, &error) : status;
    status = status == SORTIE_OK ? sortie_engine_analyze(engine, copy, &limits, lines, 2, &count, &error) : status;
    char *text = status == SORTIE_OK ? sortie_position_text(copy) : NULL;
    char *svg = status == SORTIE_OK ? sortie_position_svg(copy) : NULL;
    bool good = status == SORTIE_OK && text && svg;
    size_t sum = 0;
    add_up(&sum, svg ? svg : "", svg ? strlen(svg) : 0);
    snprintf(said, 2048, "%.100s %zx", text ? text : "", sum);
    sortie_free(text);
    sortie_free(svg);
    sortie_engine_free(engine);
    sortie_position_free(copy);
    sortie_position_free(position);
    return good;
}

/* -- conversations -- */

struct heard {
    int moves;
    int errors;
};

static void listen(void *user, const char *line) {
    struct heard *heard = user;
    int x;
    int y;
    heard->moves += sscanf(line, "%d,%d", &x, &y) == 2;
    heard->errors += strncmp(line, "ERROR", 5) == 0;
}

/* A brain without memory says so, or answers all the same; it never falls silent. */
static bool play_gomocup(const void *input, char said[2048]) {
    static const char *const lines[] = {"INFO timeout_turn 50", "INFO max_node 200", "START 15", "BEGIN"};
    (void)input;
    struct heard heard = {0};
    struct gomocup_options options = {.threads = 2, .hash_bytes = (size_t)4 << 20, .answer = listen, .user = &heard};
    struct gomocup *gomocup = gomocup_new(&options, NULL);
    for (size_t i = 0; gomocup && i < sizeof lines / sizeof *lines; i++) {
        gomocup_line(gomocup, lines[i], strlen(lines[i]));
        gomocup_wait(gomocup);
    }
    gomocup_free(gomocup);
    assert_true(!gomocup || heard.moves == 1 || heard.errors > 0);
    snprintf(said, 2048, "a move");
    return heard.moves == 1;
}

static bool find_forced(const void *input, char said[2048]) {
    struct gomoku_position position;
    struct reader reader;
    struct gomoku_forced forced;
    struct error error = {0};
    reader_init(&reader, input, strlen(input));
    assert_int_equal(gomoku_game.read((struct game_position *)&position, &reader, &error), STATUS_OK);
    enum status status = gomoku_find_forced(&position, true, 2000, NULL, &forced, &error);
    snprintf(said, 2048, "%d", (int)forced.answer);
    return status == STATUS_OK;
}

static bool judge_answer(const void *input, char said[2048]) {
    struct course_request request;
    struct error error = {0};
    if (course_parse(input, strlen(input), NULL, &request, &error) != STATUS_OK) {
        return false;
    }
    char detail[200];
    game_move move = GAME_NO_MOVE;
    static const char answer[] = "X****\n*X***\n**O**\n*****\n****X\n";
    enum course_verdict verdict = course_judge(request.format, request.game, request.position, answer, strlen(answer),
                                               &move, detail, sizeof detail);
    snprintf(said, 2048, "%d %u", (int)verdict, move);
    course_request_free(&request);
    return strcmp(detail, "out of memory") != 0;
}

/* -- the tests -- */

static void test_texts(void **state) {
    (void)state;
    fail_with_every_game("read and draw", read_and_draw);
    fail_with_every_game("perft", count_lines);
}

static void test_searches(void **state) {
    (void)state;
    fail_with_every_game("think", think);
    fail_everywhere("solve war", solve, texts[0]);
    fail_everywhere("solve laser", solve, texts[2]);
    fail_everywhere("solve connect4", solve, "connect4 plain 4 4\nA B C D A B C D\n");
    fail_everywhere("solve othello", solve, "othello plain 4 O\nXXX.\nXOXX\nXXO.\nX..O\n");
    fail_everywhere("forced win", find_forced, texts[3]);
}

static void test_course_files(void **state) {
    (void)state;
    for (size_t i = 0; i < FILES; i++) {
        fail_everywhere("answer a file", answer_file, files[i]);
    }
    fail_everywhere("judge an answer", judge_answer, files[2]);
}

static void test_positions(void **state) {
    (void)state;
    fail_with_every_game("use a position", use_position);
}

static void test_gomocup(void **state) {
    (void)state;
    fail_everywhere("gomocup", play_gomocup, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),     cmocka_unit_test(test_searches), cmocka_unit_test(test_course_files),
        cmocka_unit_test(test_positions), cmocka_unit_test(test_gomocup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
