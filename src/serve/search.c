#include "serve/search.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/condition.h"
#include "system/thread.h"

#define SILENCE_MS 50
#define MOST_WAITING ((size_t)1 << 20) /* reports beyond that are dropped: the reader is too slow for them */

struct search {
    struct ask ask;
    sortie_engine *engine;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t news;
    struct text waiting; /* lines not yet read */
    bool done;
};

static void wait_a_moment(struct search *search, int milliseconds) {
    condition_wait(&search->news, &search->lock, clock_wall() + 1e-3 * milliseconds);
}

static void take_report(void *user, const sortie_result *report) {
    struct search *search = user;
    pthread_mutex_lock(&search->lock);
    if (search->waiting.length < MOST_WAITING) {
        ask_write_result("info", report, &search->waiting);
    }
    pthread_cond_signal(&search->news);
    pthread_mutex_unlock(&search->lock);
}

static void *run(void *user) {
    struct search *search = user;
    struct text answer = TEXT_EMPTY;
    ask_answer(&search->ask, search->engine, &answer);
    pthread_mutex_lock(&search->lock);
    text_add(&search->waiting, text_string(&answer), answer.length);
    search->done = true;
    pthread_cond_signal(&search->news);
    pthread_mutex_unlock(&search->lock);
    text_free(&answer);
    return NULL;
}

struct search *search_start(struct ask *ask, sortie_engine *engine) {
    struct search *search = calloc(1, sizeof *search);
    if (!search) {
        ask_free(ask);
        return NULL;
    }
    search->ask = *ask;
    search->ask.limits.on_info = take_report;
    search->ask.limits.user = search;
    search->engine = engine;
    pthread_mutex_init(&search->lock, NULL);
    condition_init(&search->news);
    sortie_engine_arm(engine); /* the visitor may leave before the thread has come to the search */
    if (thread_start(&search->thread, run, search) != 0) {
        ask_free(&search->ask);
        free(search);
        return NULL;
    }
    return search;
}

size_t search_read(struct search *search, char *buffer, size_t most) {
    pthread_mutex_lock(&search->lock);
    if (search->waiting.length == 0 && !search->done) {
        wait_a_moment(search, SILENCE_MS);
    }
    size_t length = search->waiting.length < most ? search->waiting.length : most;
    if (length > 0) {
        memcpy(buffer, search->waiting.data, length);
        memmove(search->waiting.data, search->waiting.data + length, search->waiting.length - length);
        search->waiting.length -= length;
    } else if (!search->done) {
        buffer[length++] = '\n';
    }
    pthread_mutex_unlock(&search->lock);
    return length;
}

void search_free(struct search *search) {
    pthread_mutex_lock(&search->lock);
    sortie_engine_stop(search->engine);
    while (!search->done) {
        pthread_cond_wait(&search->news, &search->lock);
    }
    pthread_mutex_unlock(&search->lock);
    pthread_join(search->thread, NULL);
    pthread_cond_destroy(&search->news);
    pthread_mutex_destroy(&search->lock);
    text_free(&search->waiting);
    ask_free(&search->ask);
    free(search);
}
