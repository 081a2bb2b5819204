/* Any lines as a Gomocup manager's or an analysis board's: no crash, no hang, and every answer is one of the
 * protocol's. What is tried is the conversation: in most inputs the engine is one that answers the first legal move at
 * once (see tests/CMakeLists.txt), in one of 512 the real one, kept to a few nodes and milliseconds. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"
#include "games/gomoku/rules/gomoku.h"
#include "protocols/gomocup/gomocup.h"
#include "protocols/gomocup/gomocup_store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REAL_EVERY 512
#define MOST_LENGTH 1100
#define TIMES_LONGER 3 /* it has a thread for each input */

enum status __wrap_engine_go(struct engine *engine, const struct game *game, const struct game_position *position,
                             const struct engine_request *request, struct search_control *control,
                             struct search_result *result, struct error *error);
enum status __real_engine_go(struct engine *engine, const struct game *game, const struct game_position *position,
                             const struct engine_request *request, struct search_control *control,
                             struct search_result *result, struct error *error);
enum status __wrap_engine_prepare(struct engine *engine, const struct game *game, struct error *error);
enum status __real_engine_prepare(struct engine *engine, const struct game *game, struct error *error);

struct thinker;
void __wrap_thinker_measure(struct thinker *thinker);
void __real_thinker_measure(struct thinker *thinker);

game_score __wrap_gomoku_evaluate(const struct game_position *position);
game_score __real_gomoku_evaluate(const struct game_position *position);

size_t __wrap_machine_free_memory(void);
size_t __real_machine_free_memory(void);
int __wrap_machine_cores(void);
int __real_machine_cores(void);

static bool real; /* whether this input's engine is */

/* Swap2 asks about hundreds of openings. */
game_score __wrap_gomoku_evaluate(const struct game_position *position) {
    return real ? __real_gomoku_evaluate(position) : gomoku_const(position)->order[0];
}

/* Both read files of the system. */
size_t __wrap_machine_free_memory(void) {
    return real ? __real_machine_free_memory() : (size_t)1 << 30;
}

int __wrap_machine_cores(void) {
    return real ? __real_machine_cores() : 2;
}

/* How late the machine wakes a thread takes milliseconds to find out. */
void __wrap_thinker_measure(struct thinker *thinker) {
    if (real) {
        __real_thinker_measure(thinker);
    }
}

enum status __wrap_engine_prepare(struct engine *engine, const struct game *game, struct error *error) {
    return real ? __real_engine_prepare(engine, game, error) : STATUS_OK;
}

enum status __wrap_engine_go(struct engine *engine, const struct game *game, const struct game_position *position,
                             const struct engine_request *request, struct search_control *control,
                             struct search_result *result, struct error *error) {
    if (real) {
        return __real_engine_go(engine, game, position, request, control, result, error);
    }
    game_move moves[GOMOKU_MOST_SQUARES];
    int count = game->moves(position, moves);
    *result = (struct search_result){.move = count > 0 ? moves[0] : GAME_NO_MOVE, .depth = 1, .nodes = 1};
    return count > 0 ? STATUS_OK : STATUS_FAIL;
}

static void listen(void *user, const char *line) {
    (void)user;
    static const char *const known[] = {"OK",    "ERROR", "UNKNOWN",  "MESSAGE", "DEBUG",
                                        "INFO ", "name=", "FORBID .", "SWAP"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strncmp(line, known[i], strlen(known[i])) == 0) {
            return;
        }
    }
    int x;
    int y;
    if (sscanf(line, "%d,%d", &x, &y) != 2 || x < 0 || y < 0 || x > 21 || y > 21) {
        __builtin_trap();
    }
}

/* A line that asks for hundreds of threads costs only time. */
static bool asks_for_threads(const char *line, size_t length) {
    static const char name[] = "THREAD_NUM";
    for (size_t i = 0; i + sizeof name - 1 <= length; i++) {
        size_t same = 0;
        while (same < sizeof name - 1 && (line[i + same] & ~32) == (name[same] & ~32)) {
            same++;
        }
        if (same == sizeof name - 1) {
            return true;
        }
    }
    return false;
}

/* Whether it may be a line of a block, where nothing else must come between. */
static bool is_in_block(const char *line, size_t length) {
    return length > 0 && (line[0] == '-' || line[0] == 'd' || line[0] == 'D' || (line[0] >= '0' && line[0] <= '9'));
}

/* One line; before it the limits are set anew, for the engine that obeys them. */
static bool say(struct gomocup *gomocup, const char *line, size_t length) {
    static const char *const limits[] = {"INFO max_node 50", "INFO timeout_turn 4", "INFO max_memory 30000000"};
    if (asks_for_threads(line, length)) {
        return true;
    }
    for (size_t i = 0; real && i < sizeof limits / sizeof *limits && !is_in_block(line, length); i++) {
        gomocup_line(gomocup, limits[i], strlen(limits[i]));
    }
    return gomocup_line(gomocup, line, length);
}

/* A database that says the same of every position and forgets what it is told. */
static int opened;

static enum status stub_open(void **store, const char *path, bool make, struct error *error) {
    (void)path, (void)make, (void)error;
    *store = &opened;
    return STATUS_OK;
}

static void stub_close(void *store) {
    (void)store;
}

static enum status stub_get(void *store, const struct gomoku_position *position, struct gomocup_entry *entry,
                            struct error *error) {
    (void)store, (void)error;
    *entry = (struct gomocup_entry){
        .here = true, .valued = true, .value = position->count * 1000 - 20000, .depth = 5, .comment = "a \"b\"\n\\"};
    return STATUS_OK;
}

static enum status stub_squares(void *store, const struct gomoku_position *position,
                                void (*tell)(void *user, int square, const struct gomocup_entry *entry,
                                             const char *mark),
                                void *user, struct error *error) {
    struct gomocup_entry entry;
    stub_get(store, position, &entry, error);
    tell(user, 0, &entry, "x");
    return STATUS_OK;
}

static enum status stub_set_value(void *store, const struct gomoku_position *position, int value, int depth,
                                  struct error *error) {
    (void)store, (void)position, (void)depth, (void)error;
    return value > GAME_WIN_VALUE || value < -GAME_WIN_VALUE ? STATUS_FAIL : STATUS_OK;
}

static enum status stub_set_label(void *store, const struct gomoku_position *position, const char *text,
                                  struct error *error) {
    (void)store, (void)position;
    return text ? STATUS_OK : error_machine(error, "no text");
}

static enum status stub_set_comment(void *store, const struct gomoku_position *position, const char *text,
                                    size_t length, struct error *error) {
    (void)store, (void)position, (void)text;
    return length < 1000 ? STATUS_OK : error_at(error, 0, 0, "too long");
}

static enum status stub_set_mark(void *store, const struct gomoku_position *position, int square, const char *text,
                                 struct error *error) {
    (void)store, (void)text, (void)error;
    if (square < 0 || position->board[square] != GOMOKU_EMPTY) {
        __builtin_trap();
    }
    return STATUS_OK;
}

static enum status stub_forget(void *store, const struct gomoku_position *position, struct error *error) {
    (void)store, (void)position, (void)error;
    return STATUS_OK;
}

static enum status stub_forget_behind(void *store, const struct gomoku_position *position,
                                      const struct gomocup_filter *filter, int64_t *gone, struct error *error) {
    (void)store, (void)position, (void)error;
    *gone = filter->plies;
    return STATUS_OK;
}

static enum status stub_keep(void *store, const struct gomoku_position *position, const struct search_result *lines,
                             int count, bool whole, struct error *error) {
    (void)store, (void)position, (void)lines, (void)count, (void)whole, (void)error;
    return STATUS_OK;
}

static enum status stub_read_lib(void *store, const char *path, int variant, int64_t *count, struct error *error) {
    (void)store, (void)path, (void)error;
    *count = variant;
    return STATUS_OK;
}

static enum status stub_write_lib(void *store, const char *path, const struct gomoku_position *position, int64_t *count,
                                  struct error *error) {
    (void)store, (void)path, (void)error;
    *count = position->count;
    return STATUS_OK;
}

static enum status stub_merge(void *store, const char *path, int64_t *count, struct error *error) {
    (void)store, (void)count;
    return error_at(error, 0, 0, "expected another file than %.20s", path);
}

static const struct gomocup_store stub = {
    .open = stub_open,
    .close = stub_close,
    .get = stub_get,
    .squares = stub_squares,
    .set_value = stub_set_value,
    .set_label = stub_set_label,
    .set_comment = stub_set_comment,
    .set_mark = stub_set_mark,
    .forget = stub_forget,
    .forget_behind = stub_forget_behind,
    .keep = stub_keep,
    .read_lib = stub_read_lib,
    .write_lib = stub_write_lib,
    .merge = stub_merge,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct gomocup_options options = {.hash_bytes = (size_t)1 << 20, .answer = listen, .store = &stub};
    size = size < MOST_LENGTH ? size : MOST_LENGTH;
    real = size % REAL_EVERY == REAL_EVERY - 1;
    struct gomocup *gomocup = gomocup_new(&options, NULL);
    const char *bytes = (const char *)data;
    size_t from = 0;
    bool more = gomocup != NULL;
    for (size_t i = 0; i <= size && more; i++) {
        if (i == size || bytes[i] == '\n') {
            more = say(gomocup, bytes + from, i - from);
            from = i + 1;
        }
    }
    gomocup_free(gomocup);
    return 0;
}
