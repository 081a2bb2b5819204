#include "match/runner.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stopwatch.h"
#include "match/worker.h"

#define MOST_WORKERS 256
#define UNPLAYED (-1)

struct run {
    const struct plan *plan;
    struct store *store;
    const struct runner_options *options;
    struct runner_state *state;
    int8_t *points;    /* of the plan's lower player, by game; UNPLAYED */
    int64_t next;      /* the first game that may still have to be handed out */
    int64_t judged;    /* pairs the SPRT has looked at */
    int64_t done_here; /* games of this run, for the pace */
    double begun;
    double shown;
    struct worker workers[MOST_WORKERS];
    int worker_count;
};

/* -- results -- */

/* Goes on over the pairs in the order of the plan as far as they are complete. */
static void judge(struct run *run) {
    struct runner_state *state = run->state;
    const struct plan *plan = run->plan;
    while (plan->has_sprt && state->verdict == RATING_OPEN && run->judged < plan->games / 2 &&
           run->points[2 * run->judged] != UNPLAYED && run->points[2 * run->judged + 1] != UNPLAYED) {
        state->judged.count[run->points[2 * run->judged] + run->points[2 * run->judged + 1]] += 1;
        state->ratio = rating_log_likelihood_ratio(&state->judged, plan->sprt.elo0, plan->sprt.elo1);
        state->verdict = rating_sprt_verdict(&plan->sprt, state->ratio);
        run->judged++;
    }
}

static void take(struct run *run, const struct record *record) {
    run->points[record->index] =
        (int8_t)(record->players[0] < record->players[1] ? record->points : 2 - record->points);
    standings_add(run->state->standings, run->plan, record);
    run->state->done++;
    run->state->left--;
}

static bool take_stored(void *user, const struct record *record) {
    take(user, record);
    return true;
}

static void show(struct run *run, bool now) {
    double time = clock_wall();
    if (!run->options->progress || (!now && time - run->shown < 0.2)) {
        return;
    }
    run->shown = time;
    run->state->seconds_left =
        run->done_here > 0 ? (time - run->begun) / (double)run->done_here * (double)run->state->left : -1;
    run->options->progress(run->options->user, run->state);
}

/* -- workers -- */

/* The next game nobody has played or plays; -1 when there is none. */
static int64_t next_game(struct run *run) {
    while (run->next < run->plan->games && run->points[run->next] != UNPLAYED) {
        run->next++;
    }
    return run->next < run->plan->games ? run->next++ : -1;
}

static void give_game(struct run *run, struct worker *worker) {
    if (run->state->verdict != RATING_OPEN) {
        return;
    }
    int64_t game = next_game(run);
    if (game >= 0 && !worker_give(worker, game)) {
        worker->busy = true; /* it is gone; its socket will say so, and the game is dealt with there */
    }
}

/* Collects what the workers have to say now, stores it in one transaction and hands out new games. */
static enum status collect(struct run *run, const struct pollfd *polls, struct error *error) {
    struct record records[MOST_WORKERS];
    int count = 0;
    enum status status = STATUS_OK;
    for (int i = 0; i < run->worker_count && status == STATUS_OK; i++) {
        struct worker *worker = &run->workers[i];
        if (!polls[i].revents || !worker->busy) {
            continue;
        }
        enum worker_news news = worker_hear(worker, &records[count], error);
        if (news == WORKER_GONE) {
            status = worker_bury(worker, run->plan, &records[count], error);
        } else if (news == WORKER_FAILED) {
            status = STATUS_FAIL;
        }
        if (status == STATUS_OK) {
            count++;
            give_game(run, worker);
        }
    }
    if (count > 0) {
        enum status stored = store_add(run->store, records, count, status == STATUS_OK ? error : NULL);
        status = status == STATUS_OK ? stored : status;
    }
    for (int i = 0; i < count; i++) {
        take(run, &records[i]);
        record_free(&records[i]);
        run->done_here++;
    }
    judge(run);
    return status;
}

static bool anybody_busy(const struct run *run) {
    for (int i = 0; i < run->worker_count; i++) {
        if (run->workers[i].busy) {
            return true;
        }
    }
    return false;
}

static enum status play_on(struct run *run, struct error *error) {
    enum status status = STATUS_OK;
    struct pollfd polls[MOST_WORKERS];
    while (status == STATUS_OK && anybody_busy(run) && run->state->verdict == RATING_OPEN &&
           !(run->options->stop && atomic_load(run->options->stop))) {
        for (int i = 0; i < run->worker_count; i++) {
            polls[i] = (struct pollfd){.fd = run->workers[i].busy ? run->workers[i].socket : -1, .events = POLLIN};
        }
        int ready = poll(polls, (nfds_t)run->worker_count, 200);
        if (ready < 0 && errno != EINTR) {
            status = error_machine(error, "poll: %s", strerror(errno));
        } else if (ready > 0) {
            status = collect(run, polls, error);
        }
        show(run, false);
    }
    return status;
}

/* -- a crew -- */

static int64_t next_for_crew(void *user) {
    struct run *run = user;
    return run->state->verdict == RATING_OPEN ? next_game(run) : -1;
}

static enum status take_from_crew(void *user, const struct text *answer, struct error *error) {
    struct run *run = user;
    struct record record;
    if (!record_unpack(&record, text_string(answer), answer->length)) {
        return error_machine(error, "a helper's answer is no record of a game");
    }
    bool fits = record_check(&record, run->plan, true, error) == STATUS_OK && record.index < run->next &&
                run->points[record.index] == UNPLAYED;
    enum status status = fits ? store_add(run->store, &record, 1, error)
                              : error_machine(error, "a helper played a game it was not given");
    if (status == STATUS_OK) {
        take(run, &record);
        run->done_here++;
        judge(run);
    }
    record_free(&record);
    return status;
}

static bool crew_ended(void *user) {
    const struct run *run = user;
    return run->state->verdict != RATING_OPEN || (run->options->stop && atomic_load(run->options->stop));
}

static void show_crew(void *user) {
    show(user, false);
}

/* The helpers play; this process only keeps the store. */
static enum status lead(struct run *run, struct error *error) {
    struct text brief = TEXT_EMPTY;
    runner_write_brief(run->plan, &brief);
    struct crew_work work = {
        .brief = &brief,
        .next = next_for_crew,
        .take = take_from_crew,
        .ended = crew_ended,
        .tick = show_crew,
        .user = run,
    };
    enum status status = crew_lead(run->options->crew, &work, error);
    text_free(&brief);
    return status;
}

void runner_write_brief(const struct plan *plan, struct text *brief) {
    text_addf(brief, "%lld %s\n", (long long)plan->games, plan->results ? plan->results : "");
    plan_write(plan, brief);
}

enum status runner_read_brief(struct plan *plan, struct text *brief, struct error *error) {
    char *line = brief->data;
    char *end = line ? memchr(line, '\n', brief->length) : NULL;
    char *results = NULL;
    long long games = end ? strtoll(line, &results, 10) : 0;
    if (!end || games < 1 || games > PLAN_MOST_GAMES || *results != ' ') {
        return error_machine(error, "the leader sent no plan");
    }
    *end = '\0';
    enum status status = plan_read(plan, end + 1, brief->length - (size_t)(end + 1 - line), error);
    plan->games = games;
    plan->results = results[1] ? results + 1 : NULL;
    return status == STATUS_OK ? plan_check(plan, error) : status;
}

/* One game, by a helper's worker. */
struct helping {
    const struct plan *plan;
    struct worker worker;
};

static enum status play_for_crew(void *user, const struct crew_unit *unit, struct text *answer, struct error *error) {
    struct helping *helping = user;
    struct record record = {0};
    enum status status = STATUS_OK;
    if (unit->number < 0 || unit->number >= helping->plan->games) {
        return error_machine(error, "there is no such game");
    }
    enum worker_news news =
        worker_give(&helping->worker, unit->number) ? worker_hear(&helping->worker, &record, error) : WORKER_GONE;
    if (news == WORKER_GONE) {
        status = worker_bury(&helping->worker, helping->plan, &record, error);
    } else if (news == WORKER_FAILED) {
        status = STATUS_FAIL;
    }
    if (status == STATUS_OK) {
        record_pack(&record, answer);
    }
    record_free(&record);
    return status;
}

enum status runner_help(const struct plan *plan, const struct crew_link *crew, struct error *error) {
    struct helping helping = {.plan = plan};
    enum status status = worker_start(&helping.worker, plan, error);
    if (status == STATUS_OK) {
        status = crew_help(crew, play_for_crew, &helping, error);
    }
    worker_end(&helping.worker, false, NULL);
    return status;
}

/* -- all of it -- */

/* Wardens of killed workers become our children: wait until they have cleared up. */
static void wait_for_orphans(void) {
    for (int turn = 0; turn < 5000; turn++) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);
        if (pid < 0 && errno != EINTR) {
            return;
        }
        if (pid == 0) {
            struct timespec moment = {0, 1000000};
            nanosleep(&moment, NULL);
        }
    }
}

enum status runner_run(const struct plan *plan, struct store *store, const struct runner_options *options,
                       struct standings *standings, struct runner_state *state, struct error *error) {
    struct run *run = calloc(1, sizeof *run);
    int8_t *points = malloc((size_t)plan->games);
    enum status status = run && points ? standings_new(standings, plan, error) : error_machine(error, "out of memory");
    if (status != STATUS_OK) {
        free(run);
        free(points);
        return status;
    }
    *state = (struct runner_state){.plan = plan, .standings = standings, .left = plan->games, .seconds_left = -1};
    *run = (struct run){.plan = plan, .store = store, .options = options, .state = state, .points = points};
    memset(points, UNPLAYED, (size_t)plan->games);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    status = store_each(store, plan, false, take_stored, run, error);
    judge(run);
    run->begun = clock_wall();
    int wanted = options->concurrency < MOST_WORKERS ? options->concurrency : MOST_WORKERS;
    wanted = options->crew ? 0 : wanted;
    for (int i = 0; i < wanted && i < state->left && state->verdict == RATING_OPEN && status == STATUS_OK; i++) {
        status = worker_start(&run->workers[run->worker_count++], plan, error);
        if (status == STATUS_OK) {
            give_game(run, &run->workers[i]);
        }
    }
    if (status == STATUS_OK) {
        show(run, true);
        status = options->crew ? lead(run, error) : play_on(run, error);
    }
    bool early = anybody_busy(run);
    for (int i = 0; i < run->worker_count; i++) {
        worker_end(&run->workers[i], early, NULL);
    }
    wait_for_orphans();
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    standings_finish(standings);
    if (status == STATUS_OK) {
        show(run, true);
    }
    free(run);
    free(points);
    return status;
}
