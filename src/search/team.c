#include "search/team.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/assert.h"
#include "system/machine.h"
#include "system/thread.h"

struct member {
    struct team *team;
    int index;
    uint64_t seen; /* the last round it knows of */
    pthread_t thread;
};

struct team {
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t called;
    pthread_cond_t finished;
    uint64_t round;
    int count;   /* threads of the round, the caller included */
    int working; /* of its helpers, still at work */
    bool dismissed;
    team_work *work;
    void *user;
    long process; /* whose threads the helpers are */
    int size;
    int hired;               /* helpers alive */
    struct member helpers[]; /* room for size - 1 */
};

/* A team without helpers yet. */
static void assemble(struct team *team) {
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->called, NULL);
    pthread_cond_init(&team->finished, NULL);
    team->process = machine_process();
    team->hired = 0;
}

struct team *team_new(int threads) {
    int size = threads < 1 ? 1 : threads > TEAM_MOST ? TEAM_MOST : threads;
    struct team *team = calloc(1, sizeof *team + (size_t)(size - 1) * sizeof team->helpers[0]);
    if (team) {
        team->size = size;
        assemble(team);
    }
    return team;
}

/* After fork the child has the team but none of its helpers, and their locks as they happened to be: it begins anew. */
static void notice_fork(struct team *team) {
    if (team->process != machine_process()) {
        assemble(team);
    }
}

int team_size(const struct team *team) {
    ASSERT(team->size >= 1 && team->size <= TEAM_MOST);
    return team->size;
}

/* A helper's life: waits for a round, takes its part in it, waits for the next. */
static void *team_serve(void *argument) {
    ASSERT(((struct member *)argument)->index >= 1);
    struct member *member = argument;
    struct team *team = member->team;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (team->round == member->seen && !team->dismissed) {
            pthread_cond_wait(&team->called, &team->lock);
        }
        if (team->dismissed) {
            break;
        }
        member->seen = team->round;
        if (member->index < team->count) {
            pthread_mutex_unlock(&team->lock);
            team->work(team->user, member->index);
            pthread_mutex_lock(&team->lock);
            if (--team->working == 0) {
                pthread_cond_signal(&team->finished);
            }
        }
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

/* Starts helpers until there are enough for `count` threads, or the system refuses. The lock is held. */
static void hire(struct team *team, int count) {
    ASSERT_HELD(&team->lock);
    ASSERT(count <= team->size);
    while (team->hired < count - 1) {
        struct member *member = &team->helpers[team->hired];
        *member = (struct member){.team = team, .index = team->hired + 1, .seen = team->round};
        if (thread_start(&member->thread, team_serve, member) != 0) {
            return;
        }
        team->hired++;
    }
}

int team_run(struct team *team, int count, team_work *work, void *user) {
    ASSERT(work);
    count = count > team->size ? team->size : count;
    if (count > 1) {
        notice_fork(team);
        pthread_mutex_lock(&team->lock);
        hire(team, count);
        count = team->hired + 1 < count ? team->hired + 1 : count;
        team->count = count;
        team->working = count - 1;
        team->work = work;
        team->user = user;
        team->round++;
        pthread_cond_broadcast(&team->called);
        pthread_mutex_unlock(&team->lock);
    }
    work(user, 0);
    if (count > 1) {
        pthread_mutex_lock(&team->lock);
        while (team->working > 0) {
            pthread_cond_wait(&team->finished, &team->lock);
        }
        pthread_mutex_unlock(&team->lock);
    }
    return count < 1 ? 1 : count;
}

void team_free(struct team *team) {
    if (!team) {
        return;
    }
    notice_fork(team);
    pthread_mutex_lock(&team->lock);
    team->dismissed = true;
    pthread_cond_broadcast(&team->called);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->hired; i++) {
        pthread_join(team->helpers[i].thread, NULL);
    }
    pthread_cond_destroy(&team->finished);
    pthread_cond_destroy(&team->called);
    pthread_mutex_destroy(&team->lock);
    free(team);
}
