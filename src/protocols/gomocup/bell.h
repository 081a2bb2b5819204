/* A bell one thread rings and another waits for, together with something to read and a moment. */
#ifndef SORTIE_PROTOCOLS_GOMOCUP_BELL_H
#define SORTIE_PROTOCOLS_GOMOCUP_BELL_H

#include <stdbool.h>

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

/* Sleeps until the bell is rung, something can be read from `input` (a descriptor, or -1), or the seconds are over; may
 * return early. */
enum bell_news bell_wait(struct bell *bell, double seconds, int input);

#endif
