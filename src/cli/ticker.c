#include "cli/ticker.h"

#include "base/condition.h"
#include "cli/cli.h"

static void *tick(void *argument) {
    struct ticker *ticker = argument;
    double next = clock_wall();
    pthread_mutex_lock(&ticker->lock);
    while (!ticker->over) {
        next += 1.0;
        while (!ticker->over && condition_wait(&ticker->ended, &ticker->lock, next)) {
        }
        if (!ticker->over) {
            ticker->draw(ticker->user);
        }
    }
    pthread_mutex_unlock(&ticker->lock);
    return NULL;
}

void ticker_start(struct ticker *ticker, void (*draw)(void *user), void *user) {
    *ticker = (struct ticker){.draw = draw, .user = user};
    pthread_mutex_init(&ticker->lock, NULL);
    condition_init(&ticker->ended);
    ticker->ticking = cli_shows_progress() && pthread_create(&ticker->thread, NULL, tick, ticker) == 0;
}

void ticker_stop(struct ticker *ticker) {
    if (ticker->ticking) {
        pthread_mutex_lock(&ticker->lock);
        ticker->over = true;
        pthread_cond_signal(&ticker->ended);
        pthread_mutex_unlock(&ticker->lock);
        pthread_join(ticker->thread, NULL);
    }
    pthread_cond_destroy(&ticker->ended);
    pthread_mutex_destroy(&ticker->lock);
}
