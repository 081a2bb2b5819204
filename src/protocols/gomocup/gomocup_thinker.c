#include "protocols/gomocup/gomocup_thinker.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/assert.h"
#include "base/stopwatch.h"
#include "protocols/gomocup/bell.h"
#include "system/host.h"
#include "system/thread.h"

/* What a delay counts one move later: a delay of 20 ms has faded to 2 ms after some 75 moves. */
#define FADING 0.97
#define MEASURING_SLEEPS 4
#define LEAST_SECONDS 0.001

struct thinker {
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows up to `over_at` */
    pthread_cond_t wanted;
    bool quit;
    unsigned asked;   /* searches asked for so far: the number of the last one */
    unsigned running; /* the number of the one under way, or of the last one; it may be behind */
    unsigned ended;   /* searches up to this number are over */
    unsigned stopped; /* searches up to this number are to end */
    bool known;       /* `best` is a report of the last one asked for */
    struct search_result best;
    struct engine *engine;
    struct gomoku_position position;
    struct search_limits limits;
    struct gomoku_wishes wishes;
    double begun_at;
    double started_late; /* of the searching thread, measured at its last start */
    double over_at;      /* when the search ended */

    struct bell news; /* rung when the search asked for is over */
    struct search_control control;
    struct thinker_listener listener;
    double delay;
};

static void note_delay(struct thinker *thinker, double delay) {
    thinker->delay = delay > thinker->delay ? delay : thinker->delay;
}

/* -- the thread that searches -- */

static void note_report(void *user, const struct search_result *report) {
    struct thinker *thinker = user;
    pthread_mutex_lock(&thinker->lock);
    if (thinker->running == thinker->asked) {
        thinker->best = report->line == 0 ? *report : thinker->best;
        thinker->known = thinker->known || report->line == 0;
        if (thinker->stopped < thinker->running) {
            thinker->listener.report(thinker->listener.user, report);
        }
    }
    pthread_mutex_unlock(&thinker->lock);
}

static void note_root(void *user, game_move move, enum gomoku_root_news news) {
    struct thinker *thinker = user;
    pthread_mutex_lock(&thinker->lock);
    if (thinker->running == thinker->asked && thinker->stopped < thinker->running) {
        thinker->listener.root(thinker->listener.user, move, news);
    }
    pthread_mutex_unlock(&thinker->lock);
}

/* What is left of a time that this much of is gone. */
static double time_less(double seconds, double gone) {
    return seconds - gone > LEAST_SECONDS ? seconds - gone : LEAST_SECONDS;
}

/* Runs the search asked for; the lock is held before and after. What this thread was late by is taken off its time. */
static void search_once(struct thinker *thinker) {
    ASSERT_HELD(&thinker->lock);
    ASSERT(thinker->asked != thinker->ended);
    struct engine *engine = thinker->engine;
    struct gomoku_position position = thinker->position;
    struct search_limits limits = thinker->limits;
    struct gomoku_wishes wishes = thinker->wishes;
    unsigned number = thinker->running = thinker->asked;
    thinker->started_late = clock_wall() - thinker->begun_at;
    if (limits.wall_seconds > 0) {
        limits.wall_seconds = time_less(limits.wall_seconds, thinker->started_late);
    }
    if (limits.wall_seconds_left > 0) {
        limits.wall_seconds_left = time_less(limits.wall_seconds_left, thinker->started_late);
    }
    atomic_store(&thinker->control.stop, thinker->stopped >= number);
    pthread_mutex_unlock(&thinker->lock);
    struct search_result result;
    limits.wishes = &wishes;
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = limits};
    bool good = engine_go(engine, &gomoku_game, (const struct game_position *)&position, &request, &thinker->control,
                          &result, NULL) == STATUS_OK;
    pthread_mutex_lock(&thinker->lock);
    thinker->ended = number;
    if (number == thinker->asked) {
        thinker->best = good ? result : thinker->best;
        thinker->known = good || thinker->known;
        thinker->over_at = clock_wall();
        bell_ring(&thinker->news);
    }
}

static void *search(void *argument) {
    struct thinker *thinker = argument;
    pthread_mutex_lock(&thinker->lock);
    while (!thinker->quit) {
        if (thinker->ended == thinker->asked) {
            pthread_cond_wait(&thinker->wanted, &thinker->lock);
        } else {
            search_once(thinker);
        }
    }
    pthread_mutex_unlock(&thinker->lock);
    return NULL;
}

/* -- the thread that answers -- */

struct thinker *thinker_new(const struct thinker_listener *listener) {
    struct thinker *thinker = calloc(1, sizeof *thinker);
    if (!thinker) {
        return NULL;
    }
    thinker->control.info = note_report;
    thinker->control.user = thinker;
    thinker->wishes = (struct gomoku_wishes){.root = note_root, .user = thinker};
    thinker->listener = *listener;
    pthread_mutex_init(&thinker->lock, NULL);
    pthread_cond_init(&thinker->wanted, NULL);
    if (!bell_open(&thinker->news)) {
        free(thinker);
        return NULL;
    }
    if (thread_start(&thinker->thread, search, thinker) != 0) {
        bell_close(&thinker->news);
        free(thinker);
        return NULL;
    }
    host_ask_for_short_slices();
    return thinker;
}

void thinker_free(struct thinker *thinker) {
    if (!thinker) {
        return;
    }
    thinker_stop(thinker);
    pthread_mutex_lock(&thinker->lock);
    thinker->quit = true;
    pthread_cond_signal(&thinker->wanted);
    pthread_mutex_unlock(&thinker->lock);
    pthread_join(thinker->thread, NULL);
    bell_close(&thinker->news);
    pthread_cond_destroy(&thinker->wanted);
    pthread_mutex_destroy(&thinker->lock);
    free(thinker);
}

void thinker_begin(struct thinker *thinker, struct engine *engine, const struct gomoku_position *position,
                   const struct search_limits *limits, const uint64_t *closed, const uint64_t *book_seed) {
    ASSERT(engine && position->winner == GOMOKU_NO_WINNER);
    pthread_mutex_lock(&thinker->lock);
    thinker->stopped = thinker->asked;
    if (thinker->ended != thinker->asked) {
        atomic_store(&thinker->control.stop, true);
    }
    bell_hush(&thinker->news);
    thinker->asked++;
    thinker->engine = engine;
    thinker->position = *position;
    thinker->limits = *limits;
    thinker->wishes.closed = closed;
    thinker->wishes.book = book_seed != NULL;
    thinker->wishes.book_seed = book_seed ? *book_seed : 0;
    thinker->known = false;
    thinker->begun_at = clock_wall();
    thinker->delay *= FADING;
    pthread_cond_signal(&thinker->wanted);
    pthread_mutex_unlock(&thinker->lock);
}

void thinker_stop(struct thinker *thinker) {
    pthread_mutex_lock(&thinker->lock);
    thinker->stopped = thinker->asked;
    atomic_store(&thinker->control.stop, true);
    pthread_mutex_unlock(&thinker->lock);
}

/* The search is over: how late were both threads? This one only if it slept when the search ended: nobody was in a
 * hurry to hear of an end that was long ago. */
static void measure_end(struct thinker *thinker, double asleep_since) {
    double now = clock_wall();
    bell_hush(&thinker->news);
    pthread_mutex_lock(&thinker->lock);
    note_delay(thinker, thinker->started_late);
    if (thinker->over_at >= asleep_since) {
        note_delay(thinker, now - thinker->over_at);
    }
    pthread_mutex_unlock(&thinker->lock);
}

enum thinker_news thinker_watch(struct thinker *thinker, double due, const struct bell_input *input) {
    ASSERT(due >= 0);
    for (;;) {
        double asleep_since = clock_wall();
        enum bell_news news = bell_wait(&thinker->news, due > 0 ? due - asleep_since : 1000, input);
        if (news == BELL_RUNG) {
            measure_end(thinker, asleep_since);
            return THINKER_OVER;
        }
        if (news == BELL_INPUT) {
            return THINKER_INPUT;
        }
        double now = clock_wall();
        if (due > 0 && now >= due) {
            note_delay(thinker, now - due);
            return THINKER_DUE;
        }
    }
}

void thinker_best(struct thinker *thinker, struct search_result *result) {
    pthread_mutex_lock(&thinker->lock);
    bool known = thinker->known;
    *result = thinker->best;
    pthread_mutex_unlock(&thinker->lock);
    if (!known) {
        game_move move = gomoku_quick_move(&thinker->position, thinker->wishes.closed);
        *result = (struct search_result){.move = move, .pv_length = 1, .pv = {move}};
    }
}

double thinker_delay(const struct thinker *thinker) {
    return thinker->delay;
}

void thinker_measure(struct thinker *thinker) {
    for (int i = 0; i < MEASURING_SLEEPS; i++) {
        struct timespec moment = {.tv_nsec = 1000000};
        double before = clock_wall();
        nanosleep(&moment, NULL);
        note_delay(thinker, clock_wall() - before - 1e-3);
    }
}
