/* Any lines as a Gomocup manager's: no crash, no hang, and every answer is one of the protocol's. Thinking is kept to
 * a few nodes. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "protocols/gomocup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void listen(void *user, const char *line) {
    (void)user;
    static const char *const known[] = {"OK", "ERROR", "UNKNOWN", "MESSAGE", "DEBUG", "name="};
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct gomocup_options options = {.hash_bytes = (size_t)1 << 20, .answer = listen};
    struct gomocup *gomocup = gomocup_new(&options, NULL);
    const char *bytes = (const char *)data;
    size_t from = 0;
    bool more = gomocup != NULL;
    for (size_t i = 0; i <= size && more; i++) {
        if (i == size || bytes[i] == '\n') {
            static const char nodes[] = "INFO max_node 50";
            gomocup_line(gomocup, nodes, sizeof nodes - 1);
            more = gomocup_line(gomocup, bytes + from, i - from);
            from = i + 1;
        }
    }
    gomocup_free(gomocup);
    return 0;
}
