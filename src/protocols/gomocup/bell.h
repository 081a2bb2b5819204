/* A bell one thread rings and another waits for, together with something to read and a moment. */
#ifndef SORTIE_PROTOCOLS_GOMOCUP_BELL_H
#define SORTIE_PROTOCOLS_GOMOCUP_BELL_H

#include <stdbool.h>
#include <stddef.h>

struct bell {
    int ends[2];  /* a pipe: a byte comes when it is rung; elsewhere unused */
    void *handle; /* the system's own, where there are no such pipes */
};

/* False when the system has none left. */
bool bell_open(struct bell *bell);
void bell_close(struct bell *bell);
void bell_ring(struct bell *bell);
/* Forgets that it was rung. */
void bell_hush(struct bell *bell);

enum bell_news { BELL_SILENT, BELL_RUNG, BELL_INPUT };

/* Something to read that can be waited for together with a bell: a pipe, a terminal or a file. */
struct bell_input {
    int descriptor;
    struct bell_reader *reader; /* where nothing can be waited for that a thread of its own does not read */
};

/* False when the system has no memory or thread left. */
bool bell_input_open(struct bell_input *input, int descriptor);
void bell_input_close(struct bell_input *input);
/* Waits for something to come and takes it: how many bytes, 0 at the end or after a failure, -1 when it was disturbed
 * and is to be called again. */
long bell_input_read(struct bell_input *input, char *bytes, size_t size);
/* Whether it would not have to wait. */
bool bell_input_ready(const struct bell_input *input);

/* Sleeps until the bell is rung, something can be read from `input` (NULL: whatever comes), or the seconds are over;
 * may return early. */
enum bell_news bell_wait(struct bell *bell, double seconds, const struct bell_input *input);

#endif
