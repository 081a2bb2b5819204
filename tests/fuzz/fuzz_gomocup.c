/* Any lines as a Gomocup manager's or an analysis board's: no crash, no hang, and every answer is one of the
 * protocol's. Thinking is kept to a few nodes and milliseconds, memory to little. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "protocols/gomocup/gomocup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    if (sscanf(line, "%d,%d", &x, &y) != 2 || x < 0 || y < 0 || x > 19 || y > 19) {
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

/* One line, with the limits set anew before. */
static bool say(struct gomocup *gomocup, const char *line, size_t length) {
    static const char *const limits[] = {"INFO max_node 50", "INFO timeout_turn 4", "INFO max_memory 30000000"};
    if (asks_for_threads(line, length)) {
        return true;
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits && !is_in_block(line, length); i++) {
        gomocup_line(gomocup, limits[i], strlen(limits[i]));
    }
    return gomocup_line(gomocup, line, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct gomocup_options options = {.hash_bytes = (size_t)1 << 20, .answer = listen};
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
