#include "cli/ticker.h"

#include <time.h>

#include "cli/cli.h"

static void *tick(void *argument) {
    struct ticker *ticker = argument;
    struct timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    pthread_mutex_lock(&ticker->lock);
    while (!ticker->over) {
        next.tv_sec++;
        while (!ticker->over && pthread_cond_timedwait(&ticker->ended, &ticker->lock, &next) == 0) {
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
    pthread_cond_init(&ticker->ended, NULL);
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
