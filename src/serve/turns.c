#include "serve/turns.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/condition.h"

/* One who waits, on its own stack. */
struct waiting {
    struct waiting *next;
};

struct turns {
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct waiting *first;
    bool taken;
    double since; /* by clock_wall */
};

struct turns *turns_new(void) {
    struct turns *turns = calloc(1, sizeof *turns);
    if (turns) {
        pthread_mutex_init(&turns->lock, NULL);
        condition_init(&turns->changed);
    }
    return turns;
}

void turns_free(struct turns *turns) {
    if (turns) {
        ASSERT(!turns->first);
        pthread_cond_destroy(&turns->changed);
        pthread_mutex_destroy(&turns->lock);
        free(turns);
    }
}

static void queue_up(struct turns *turns, struct waiting *self) {
    struct waiting **end = &turns->first;
    while (*end) {
        end = &(*end)->next;
    }
    *end = self;
}

static void leave_queue(struct turns *turns, const struct waiting *self) {
    struct waiting **at = &turns->first;
    while (*at != self) {
        at = &(*at)->next;
    }
    *at = self->next;
}

bool turns_take(struct turns *turns, double seconds) {
    double until = clock_wall() + seconds;
    struct waiting self = {NULL};
    pthread_mutex_lock(&turns->lock);
    queue_up(turns, &self);
    while ((turns->taken || turns->first != &self) && condition_wait(&turns->changed, &turns->lock, until)) {
    }
    bool mine = !turns->taken && turns->first == &self;
    leave_queue(turns, &self);
    if (mine) {
        turns->taken = true;
        turns->since = clock_wall();
    }
    pthread_cond_broadcast(&turns->changed); /* there is another first one */
    pthread_mutex_unlock(&turns->lock);
    return mine;
}

void turns_give_back(struct turns *turns) {
    pthread_mutex_lock(&turns->lock);
    ASSERT(turns->taken);
    turns->taken = false;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
}

bool turns_are_over(struct turns *turns) {
    pthread_mutex_lock(&turns->lock);
    bool over = turns->first && clock_wall() - turns->since > TURNS_SECONDS;
    pthread_mutex_unlock(&turns->lock);
    return over;
}
