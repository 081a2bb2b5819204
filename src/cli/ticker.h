/* A progress line that goes on while a search has nothing to report: drawn again each second by a thread of its own. */
#ifndef SORTIE_CLI_TICKER_H
#define SORTIE_CLI_TICKER_H

#include <pthread.h>
#include <stdbool.h>

struct ticker {
    void (*draw)(void *user); /* called with `lock` held */
    void *user;
    pthread_mutex_t lock; /* for what `draw` looks at */
    pthread_cond_t ended;
    pthread_t thread;
    bool ticking; /* there is such a thread */
    bool over;
};

/* Begins where progress is shown; elsewhere, and where there is no thread to be had, only the lock works. */
void ticker_start(struct ticker *ticker, void (*draw)(void *user), void *user);
void ticker_stop(struct ticker *ticker);

#endif
