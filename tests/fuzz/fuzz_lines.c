/* Any lines as those of a manager of the line protocol: no crash, no hang, and every answer is one of the protocol's.
 * What is tried is the conversation: the search is one that answers the first legal move at once. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "protocols/lines/lines.h"
#include "sortie/sortie.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_LENGTH 2000

sortie_status __wrap_sortie_engine_analyze(sortie_engine *engine, const sortie_position *position,
                                           const sortie_limits *limits, sortie_result *lines, int capacity, int *count,
                                           sortie_error *error);
sortie_status __wrap_sortie_engine_go(sortie_engine *engine, const sortie_position *position,
                                      const sortie_limits *limits, sortie_result *result, sortie_error *error);

sortie_status __wrap_sortie_engine_go(sortie_engine *engine, const sortie_position *position,
                                      const sortie_limits *limits, sortie_result *result, sortie_error *error) {
    (void)engine, (void)error;
    sortie_move moves[1];
    if (limits->depth < 0 || limits->multi_pv > 64 || sortie_position_moves(position, moves, 1) < 1) {
        __builtin_trap();
    }
    memcpy(result->move, moves[0], sizeof moves[0]);
    memcpy(result->line_moves[0], moves[0], sizeof moves[0]);
    result->line_length = 1;
    if (limits->on_info) {
        limits->on_info(limits->user, result);
    }
    return SORTIE_OK;
}

sortie_status __wrap_sortie_engine_analyze(sortie_engine *engine, const sortie_position *position,
                                           const sortie_limits *limits, sortie_result *lines, int capacity, int *count,
                                           sortie_error *error) {
    *count = 1;
    return capacity < 1 ? SORTIE_FAIL : __wrap_sortie_engine_go(engine, position, limits, lines, error);
}

static void listen(void *user, const char *line) {
    (void)user;
    static const char *const known[] = {"id ",   "game ", "option ",   "sortieok", "readyok",
                                        "info ", "show ", "bestmove ", "showok",   "error "};
    for (const char *at = line; *at; at++) {
        if (*at < ' ' || *at > '~') {
            __builtin_trap();
        }
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strncmp(line, known[i], strlen(known[i])) == 0) {
            return;
        }
    }
    __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct lines_options options = {.hash_mib = 1, .overhead = -1, .answer = listen};
    size = size < MOST_LENGTH ? size : MOST_LENGTH;
    struct lines *lines = lines_new(&options, NULL);
    const char *bytes = (const char *)data;
    size_t from = 0;
    bool more = lines != NULL;
    for (size_t i = 0; i <= size && more; i++) {
        if (i == size || bytes[i] == '\n') {
            more = lines_take(lines, bytes + from, i - from);
            from = i + 1;
        }
    }
    lines_free(lines);
    return 0;
}
