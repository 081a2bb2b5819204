/* A program as built against the first header: its structs are what that header had, and end where it ended. It is
 * built with the library of today and must go on working. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct options_0_1 {
    size_t size;
    int threads;
};

struct limits_0_1 {
    size_t size;
    int method;
    int goal;
    int depth;
};

struct result_0_1 {
    size_t size;
    char move[32];
    int value;
};

extern int sortie_position_parse(const char *bytes, size_t length, void **out, void *error);
extern int sortie_engine_new(const struct options_0_1 *options, void **out, void *error);
extern int sortie_engine_go(void *engine, const void *position, const struct limits_0_1 *limits,
                            struct result_0_1 *result, void *error);

int main(void) {
    static const char file[] = "3\nALPHABETA\nX\n9\n12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n";
    struct options_0_1 options = {sizeof options, 1};
    struct limits_0_1 limits = {sizeof limits, 2, 0, 9};
    struct {
        struct result_0_1 result;
        char guard[64];
    } frame;
    void *position;
    void *engine;
    memset(&frame, 7, sizeof frame);
    frame.result.size = sizeof frame.result;
    int status = sortie_position_parse(file, sizeof file - 1, &position, NULL);
    status = status ? status : sortie_engine_new(&options, &engine, NULL);
    status = status ? status : sortie_engine_go(engine, position, &limits, &frame.result, NULL);
    for (size_t i = 0; i < sizeof frame.guard; i++) {
        status = frame.guard[i] == 7 ? status : 9;
    }
    printf("%s %d\n", frame.result.move, frame.result.value);
    return status;
}
