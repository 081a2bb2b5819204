/* Running a class: workers take one submission after the other, build it and run it over the cases that are not
 * judged yet. Each worker is a thread with a warden of its own; what is found out is written by whoever found it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/condition.h"
#include "grade/games/grade_play.h"
#include "grade/grade.h"
#include "grade/grade_judge.h"
#include "grade/grade_store.h"
#include "grade/grade_try.h"
#include "grade/grade_wire.h"
#include "players/course_turn.h"

#define MOST_WORKERS 256

struct class_run;

struct worker {
    struct class_run *run;
    struct warden *warden; /* NULL: none that works */
    pthread_t thread;
};

/* Results that are judged and not written yet, by their place in the grade. A flush to the disk takes as long as many a
 * program: workers do not wait for it, and what came in meanwhile is flushed together. */
struct queue {
    int *places; /* owned */
    int count;
    int room;
};

/* All but the options, and the store, which has a lock of its own, is guarded by the lock while workers run. */
struct class_run {
    struct grade *grade;
    struct grade_options own;            /* what the caller said, and the course */
    const struct grade_options *options; /* these */
    struct grade_store *store;           /* NULL: a helper's, whose leader has it */
    struct worker workers[MOST_WORKERS];
    int worker_count;
    struct queue unwritten;
    pthread_mutex_t store_lock; /* taken before the other one, if both are */
    pthread_mutex_t lock;
    pthread_cond_t news; /* a result came in or a worker ended */
    int next;            /* the next submission to take */
    int busy;            /* workers that run */
    int done;            /* cases judged */
    const char *current; /* name of the submission judged last */
    enum status status;  /* the first failure of the machine */
    struct error error;
};

/* -- one run of one program -- */

/* How a case is called: the words, and "-i input.txt" where the course wants it. */
static void words_for(const struct grade_case *one, const char *command, const char **words, int most) {
    int count = 0;
    for (const char *word = command; *word && count < most - 3; word += strlen(word) + 1) {
        words[count++] = word;
    }
    const struct game *game = one->request.game;
    if (course_format_of(game, game->variant(one->request.position))->input_argument) {
        words[count++] = "-i";
        words[count++] = "input.txt";
    }
    words[count] = NULL;
}

static enum status run_words(struct warden *warden, const struct grade_case *one, const char *const *words,
                             const struct grade_options *options, struct warden_report *report, struct text *errors,
                             struct error *error) {
    struct warden_limits limits = options->limits;
    grade_time_limits(one, options, &limits);
    enum status status = warden_clean(warden, error);
    if (status == STATUS_OK) {
        status = warden_put(warden, "input.txt", text_string(&one->input), one->input.length, error);
    }
    return status == STATUS_OK ? warden_run(warden, words, &limits, report, errors, error) : status;
}

/* Where the line begins that names the last exception of a Java trace; NULL when there is none. */
static const char *find_exception(const char *errors) {
    static const char *const heads[] = {"Caused by: ", "Exception in thread "};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof heads / sizeof *heads && !found; i++) {
        for (const char *at = errors; (at = strstr(at, heads[i])) != NULL; at++) {
            found = at == errors || at[-1] == '\n' ? at : found;
        }
    }
    /* One that the program printed itself: the line before its places. */
    const char *before = errors;
    for (const char *line = errors; !found && (line = strchr(line, '\n')) != NULL; before = line) {
        line++;
        found = strncmp(line, "\tat ", 4) == 0 && strncmp(before, "\tat ", 4) != 0 ? before : NULL;
    }
    return found;
}

/* Keeps the end of a long standard error: there it says what went wrong. A Java trace ends with places, so its
 * exception is kept before them. */
static void keep_errors(const struct text *errors, struct grade_result *result) {
    const char *from = text_string(errors);
    const char *exception = find_exception(from);
    size_t head = exception ? strcspn(exception, "\n") : 0;
    size_t most = sizeof result->errors / 2;
    head = head < most ? head : most;
    size_t room = sizeof result->errors - 8 - head;
    const char *mark = "";
    if (errors->length >= room) {
        from += errors->length - room;
        const char *line = strchr(from, '\n');
        from = line && line[1] ? line + 1 : from;
        mark = "...";
    }
    bool cut = exception && exception < from;
    snprintf(result->errors, sizeof result->errors, "%.*s%s%s%s", cut ? (int)head : 0, cut ? exception : "",
             cut ? "\n" : "", mark, from);
}

/* Plays the games of a case. Each game's fault is told among its facts; the first is the result's. */
static enum status run_game(struct warden *warden, const struct grade_case *one, const char *command,
                            const struct grade_options *options, struct grade_result *result, struct error *error) {
    struct grade_played played = {0};
    struct grade_fact fact;
    struct grade_play play = {.game = one->game,
                              .request = &one->request,
                              .command = command,
                              .warden = warden,
                              .limits = options->limits,
                              .time = grade_game_time(one->game, &one->request, options->clock, options->grace),
                              .stop = options->stop};
    enum status status = grade_play(&play, &played, error);
    *result = (struct grade_result){.wall_seconds = played.wall_seconds, .cpu_seconds = played.cpu_seconds};
    if (status == STATUS_OK) {
        keep_errors(&played.errors, result);
        const char *at = text_string(&played.facts);
        while (result->fault == PLAYER_NO_FAULT && grade_facts_next(&at, &fact)) {
            result->fault = fact.fault;
        }
        result->facts = played.facts.data;
        played.facts = TEXT_EMPTY;
        result->done = true;
        grade_weigh(one, result);
    }
    text_free(&played.facts);
    text_free(&played.errors);
    return status;
}

enum status grade_run_case(struct warden *warden, const struct grade_case *one, const char *command,
                           const struct grade_options *options, struct grade_result *result, struct error *error) {
    if (one->game) {
        return run_game(warden, one, command, options, result, error);
    }
    const char *words[64];
    struct warden_report report;
    struct text errors = TEXT_EMPTY;
    words_for(one, command, words, 64);
    enum status status = run_words(warden, one, words, options, &report, &errors, error);
    *result = (struct grade_result){0};
    if (status == STATUS_OK) {
        keep_errors(&errors, result);
        if (options->load) {
            atomic_fetch_add(&options->load->starved_ms, (uint64_t)(1e3 * report.starved_seconds));
            atomic_fetch_add(&options->load->used_ms, (uint64_t)(1e3 * (report.user_seconds + report.system_seconds)));
        }
        status = errors.broken ? error_machine(error, "out of memory")
                               : grade_judge(warden, one, options, &report, result, error);
    }
    text_free(&errors);
    return status;
}

/* -- answers that the cases did not bring -- */

static enum status find_answer(struct warden *warden, struct grade_case *one, const struct grade_options *options,
                               struct error *error) {
    struct warden_report report;
    const char *const words[] = {options->self, "move", NULL};
    struct warden_view view = {0};
    warden_view_add(&view, options->self, NULL);
    enum status status = warden_show(warden, &view, error);
    if (status == STATUS_OK) {
        status = run_words(warden, one, words, options, &report, NULL, error);
    }
    for (int i = 0; i < GRADE_MOST_FILES && status == STATUS_OK; i++) {
        struct grade_expected *expected = &one->expected[one->expected_count];
        *expected = (struct grade_expected){.name = grade_answer_files[i]};
        enum warden_file file =
            report.end == WARDEN_EXITED && report.code == 0
                ? warden_get(warden, grade_answer_files[i], GRADE_MOST_FILE_BYTES, &expected->text, error)
                : WARDEN_FILE_MISSING;
        one->expected_count += file == WARDEN_FILE_READ;
        status = file == WARDEN_FILE_FAILED ? STATUS_FAIL : STATUS_OK;
        if (file != WARDEN_FILE_READ) {
            text_free(&expected->text);
        }
    }
    if (status == STATUS_OK && one->expected_count == 0) {
        return error_machine(error, "case %.120s has no answer and none was found within %g s", one->name,
                             options->seconds);
    }
    return status;
}

static bool stopped(const struct class_run *run) {
    return run->options->stop && atomic_load(run->options->stop);
}

static enum status find_answers(struct class_run *run, struct error *error) {
    enum status status = STATUS_OK;
    for (int i = 0; i < run->grade->case_count && status == STATUS_OK && !stopped(run); i++) {
        struct grade_case *one = &run->grade->cases[i];
        if (one->expected_count > 0 || grade_is_free(one) || one->game) {
            continue;
        }
        status = grade_store_load_answers(run->store, one, error);
        if (status == STATUS_OK && one->expected_count == 0) {
            status = find_answer(run->workers[0].warden, one, run->options, error);
            status = status == STATUS_OK ? grade_store_add_answers(run->store, one, error) : status;
        }
    }
    return status;
}

/* -- workers -- */

static bool is_whole(const struct grade *grade, int submission) {
    for (int i = 0; i < grade->case_count; i++) {
        if (!grade->results[submission * grade->case_count + i].done) {
            return false;
        }
    }
    return true;
}

/* The next submission that is not judged whole; -1: none, or it is time to end. */
static int take_submission(struct class_run *run) {
    int taken = -1;
    pthread_mutex_lock(&run->lock);
    while (taken < 0 && run->next < run->grade->submission_count && !stopped(run)) {
        taken = is_whole(run->grade, run->next) ? -1 : run->next;
        run->next++;
    }
    pthread_mutex_unlock(&run->lock);
    return taken;
}

/* Remembers the first failure of the machine; the lock is held. What fails because everything is to stop is none. */
static void remember(struct class_run *run, enum status status, const struct error *error) {
    if (status != STATUS_OK && run->status == STATUS_OK && !stopped(run)) {
        run->status = status;
        run->error = *error;
    }
}

/* Whether what is known of a submission goes to the results file. What hangs on a tool this machine lacks or on an
 * answer somebody must give does not: with these it is judged again. */
static bool is_kept(const struct class_run *run, const struct grade_submission *submission) {
    return run->store && grade_verdict(submission) == GRADE_JUDGED;
}

/* Queues a result for the store; the lock is held. */
static void put_off(struct class_run *run, int place) {
    struct queue *queue = &run->unwritten;
    if (queue->count == queue->room) {
        int room = queue->room ? 2 * queue->room : 64;
        int *larger = realloc(queue->places, (size_t)room * sizeof *larger);
        struct error error = {0};
        if (!larger) {
            remember(run, error_machine(&error, "out of memory"), &error);
            return;
        }
        queue->places = larger;
        queue->room = room;
    }
    queue->places[queue->count++] = place;
}

/* Takes a result over; who watches writes it down. Where that fails, the result still counts for the tables; true to go
 * on. */
static bool keep(void *user, int submission, int case_number, const struct grade_result *result) {
    struct class_run *run = user;
    struct grade *grade = run->grade;
    int place = submission * grade->case_count + case_number;
    pthread_mutex_lock(&run->lock);
    if (!grade_result_copy(&grade->results[place], result)) {
        struct error error = {0};
        remember(run, error_machine(&error, "out of memory"), &error);
    }
    if (is_kept(run, &grade->submissions[submission])) {
        put_off(run, place);
    } else {
        run->done++;
    }
    run->current = grade->submissions[submission].name;
    pthread_cond_signal(&run->news);
    pthread_mutex_unlock(&run->lock);
    return !stopped(run);
}

static bool keep_build(void *user, const struct grade_submission *submission) {
    struct class_run *run = user;
    if (is_kept(run, submission)) {
        struct error error = {0};
        pthread_mutex_lock(&run->store_lock);
        enum status status = grade_store_add_build(run->store, submission, &error);
        pthread_mutex_lock(&run->lock);
        remember(run, status, &error);
        pthread_mutex_unlock(&run->lock);
        pthread_mutex_unlock(&run->store_lock);
    }
    return !stopped(run);
}

/* Writes what is queued in one transaction; the lock is held, but not meanwhile. */
static void write_results(struct class_run *run) {
    struct queue now = run->unwritten;
    struct error error = {0};
    if (now.count == 0) {
        return;
    }
    run->unwritten = (struct queue){0};
    pthread_mutex_unlock(&run->lock);
    pthread_mutex_lock(&run->store_lock);
    enum status status = grade_store_add_results(run->store, run->grade, now.places, now.count, &error);
    pthread_mutex_unlock(&run->store_lock);
    free(now.places);
    pthread_mutex_lock(&run->lock);
    remember(run, status, &error);
    run->done += now.count; /* what is on the disk, or never will be */
}

/* Says of a submission that the machine failed it. */
static void give_up(struct class_run *run, int number, const struct error *error) {
    struct grade_submission *submission = &run->grade->submissions[number];
    pthread_mutex_lock(&run->lock);
    if (!stopped(run)) {
        snprintf(submission->unjudged, sizeof submission->unjudged, "%s", error->text);
        remember(run, STATUS_FAIL, error);
    }
    pthread_mutex_unlock(&run->lock);
}

/* Builds a submission and judges what is missing of it. Only a failure of the machine is an error. */
static enum status judge_submission(struct worker *worker, int number, struct error *error) {
    struct class_run *run = worker->run;
    struct grade_keeper keeper = {keep_build, keep, run};
    return grade_try(worker->warden, run->grade, number, run->options, &keeper, error);
}

/* A thread's last words. */
static void leave(struct class_run *run, enum status status, const struct error *error) {
    pthread_mutex_lock(&run->lock);
    remember(run, status, error);
    run->busy--;
    pthread_cond_signal(&run->news);
    pthread_mutex_unlock(&run->lock);
}

/* After a failure: a warden that cannot even make a new world is done with. */
static void drop_broken(struct worker *worker) {
    if (!stopped(worker->run) && warden_clean(worker->warden, NULL) != STATUS_OK) {
        pthread_mutex_lock(&worker->run->lock); /* so that nobody abandons it meanwhile */
        warden_stop(worker->warden);
        worker->warden = NULL;
        pthread_mutex_unlock(&worker->run->lock);
    }
}

static void *work(void *user) {
    struct worker *worker = user;
    for (int number; worker->warden && (number = take_submission(worker->run)) >= 0;) {
        struct error error = {0};
        if (judge_submission(worker, number, &error) != STATUS_OK) {
            give_up(worker->run, number, &error);
            drop_broken(worker);
        }
    }
    leave(worker->run, STATUS_OK, NULL);
    return NULL;
}

/* What one worker does before all others begin. */
static void *work_out_answers(void *user) {
    struct worker *worker = user;
    struct error error = {0};
    leave(worker->run, find_answers(worker->run, &error), &error);
    return NULL;
}

/* Shows how far it is until all workers have ended; when asked to stop, the programs under way are ended. */
static void watch(struct class_run *run) {
    const struct grade_options *options = run->options;
    int total = run->grade->submission_count * run->grade->case_count;
    bool abandoned = false;
    pthread_mutex_lock(&run->lock);
    while (run->busy > 0) {
        if (run->unwritten.count == 0) {
            condition_wait(&run->news, &run->lock, clock_wall() + 0.1);
        }
        write_results(run);
        if (options->progress) {
            options->progress(options->user, run->grade, run->done, total, run->current ? run->current : "");
        }
        for (int i = 0; i < run->worker_count && stopped(run) && !abandoned; i++) {
            if (run->workers[i].warden) {
                warden_abandon(run->workers[i].warden);
            }
        }
        abandoned = stopped(run);
    }
    write_results(run);
    pthread_mutex_unlock(&run->lock);
}

/* Lets the first `count` workers do something and waits for them. */
static void let_work(struct class_run *run, int count, void *(*what)(void *)) {
    int started = 0;
    run->busy = count;
    while (started < count && pthread_create(&run->workers[started].thread, NULL, what, &run->workers[started]) == 0) {
        started++;
    }
    pthread_mutex_lock(&run->lock);
    run->busy -= count - started;
    if (started == 0 && count > 0) {
        run->status = error_machine(&run->error, "cannot start a thread");
    }
    pthread_mutex_unlock(&run->lock);
    watch(run);
    for (int i = 0; i < started; i++) {
        pthread_join(run->workers[i].thread, NULL);
    }
}

/* -- a crew -- */

static int64_t next_for_crew(void *user) {
    return take_submission(user);
}

/* Keeps what a helper found out. */
static enum status take_from_crew(void *user, const struct text *answer, struct error *error) {
    struct class_run *run = user;
    struct grade *grade = run->grade;
    struct grade_judged judged;
    enum status status = grade_read_judged(grade, answer, &judged, error);
    if (status != STATUS_OK) {
        return status;
    }
    struct grade_submission *submission = &grade->submissions[judged.submission];
    text_free(&submission->build.messages);
    submission->build = judged.build;
    bool going = judged.unjudged[0] || keep_build(run, submission);
    if (judged.unjudged[0]) {
        error_fill(error, 0, 0, "%s", judged.unjudged);
        give_up(run, judged.submission, error);
    }
    for (int i = 0; i < grade->case_count && going; i++) {
        if (judged.results[i].done && !grade->results[judged.submission * grade->case_count + i].done) {
            going = keep(run, judged.submission, i, &judged.results[i]);
        }
    }
    for (int i = 0; i < grade->case_count; i++) {
        grade_result_free(&judged.results[i]);
    }
    free(judged.results);
    pthread_mutex_lock(&run->lock);
    write_results(run);
    pthread_mutex_unlock(&run->lock);
    return STATUS_OK;
}

static bool crew_ended(void *user) {
    return stopped(user);
}

static void show_crew(void *user) {
    const struct class_run *run = user;
    const struct grade_options *options = run->options;
    if (options->progress) {
        options->progress(options->user, run->grade, run->done, run->grade->submission_count * run->grade->case_count,
                          run->current ? run->current : "");
    }
}

/* The helpers build and judge; this process keeps the store. */
static void lead(struct class_run *run) {
    struct text brief = TEXT_EMPTY;
    struct error error = {0};
    grade_write_brief(run->grade, &brief);
    struct crew_work leading = {
        .brief = &brief,
        .next = next_for_crew,
        .take = take_from_crew,
        .ended = crew_ended,
        .tick = show_crew,
        .user = run,
    };
    enum status status = crew_lead(run->options->crew, &leading, &error);
    text_free(&brief);
    if (status != STATUS_OK && run->status == STATUS_OK) {
        run->status = status;
        run->error = error;
    }
}

static enum status judge_for_crew(void *user, const struct crew_unit *unit, struct text *answer, struct error *error) {
    struct class_run *run = user;
    int64_t number = unit->number;
    if (number < 0 || number >= run->grade->submission_count) {
        return error_machine(error, "there is no such submission");
    }
    enum status status = STATUS_OK;
    struct error cause = {0};
    if (judge_submission(&run->workers[0], (int)number, &cause) != STATUS_OK) {
        give_up(run, (int)number, &cause);
        drop_broken(&run->workers[0]);
        /* A helper has one thread: it may start another. */
        status = run->workers[0].warden ? STATUS_OK : warden_start(&run->workers[0].warden, error);
    }
    grade_write_judged(run->grade, (int)number, answer);
    return status;
}

enum status grade_help(struct grade *grade, const struct grade_options *options, struct error *error) {
    struct class_run *run = calloc(1, sizeof *run);
    struct text brief = TEXT_EMPTY;
    grade->results = calloc((size_t)grade->submission_count * (size_t)grade->case_count, sizeof *grade->results);
    if (!run || !grade->results) {
        free(run);
        return error_machine(error, "out of memory");
    }
    *run = (struct class_run){.grade = grade, .own = *options, .options = &run->own, .worker_count = 1};
    run->own.course = grade_course_of(grade);
    run->workers[0].run = run;
    pthread_mutex_init(&run->store_lock, NULL);
    pthread_mutex_init(&run->lock, NULL);
    condition_init(&run->news);
    enum status status = warden_start(&run->workers[0].warden, error);
    if (status == STATUS_OK && crew_brief(options->crew, &brief)) {
        status = grade_read_brief(grade, &brief, error);
        status = status == STATUS_OK ? crew_help(options->crew, judge_for_crew, run, error) : status;
    }
    warden_stop(run->workers[0].warden);
    pthread_cond_destroy(&run->news);
    pthread_mutex_destroy(&run->lock);
    pthread_mutex_destroy(&run->store_lock);
    free(run->unwritten.places);
    text_free(&brief);
    free(run);
    return status;
}

/* -- all of it -- */

/* How many submissions there is something to do for. */
static int open_submissions(struct class_run *run) {
    int count = 0;
    for (int i = 0; i < run->grade->submission_count; i++) {
        count += !is_whole(run->grade, i);
    }
    for (int i = 0; i < run->grade->submission_count * run->grade->case_count; i++) {
        run->done += run->grade->results[i].done;
    }
    return count;
}

/* Starts the wardens that are missing; the caller has one thread. */
static enum status start_wardens(struct class_run *run, struct error *error) {
    enum status status = STATUS_OK;
    for (int i = 0; i < run->worker_count && status == STATUS_OK; i++) {
        run->workers[i].run = run;
        if (!run->workers[i].warden) {
            status = warden_start(&run->workers[i].warden, error);
        }
    }
    return status;
}

/* Says of everybody who is left that there is nothing to judge them with. */
static void give_up_rest(struct class_run *run, const struct error *error) {
    for (int number; (number = take_submission(run)) >= 0;) {
        give_up(run, number, error);
    }
}

/* Judges everybody. A worker whose warden fails ends; when all have ended, those get new ones and go on with who is
 * left. Each round takes at least one submission off. */
static void judge_all(struct class_run *run) {
    struct error error = {0};
    run->grade->begun = true;
    do {
        let_work(run, run->worker_count, work);
        if (run->next < run->grade->submission_count && start_wardens(run, &error) != STATUS_OK) {
            give_up_rest(run, &error);
        }
    } while (run->next < run->grade->submission_count && !stopped(run) && run->worker_count > 0);
}

/* How many workers there is something to do for. */
static int count_workers(struct class_run *run) {
    int most = run->options->crew ? 1 : run->options->workers; /* one works out answers in any case */
    int wanted = open_submissions(run);
    wanted = wanted < most ? wanted : most;
    return wanted < MOST_WORKERS ? wanted : MOST_WORKERS;
}

/* Everything between loading what is known and the end. */
static enum status run_class(struct class_run *run, struct error *error) {
    run->worker_count = count_workers(run);
    /* All wardens are forked before the first thread is there. */
    enum status status = start_wardens(run, error);
    if (status != STATUS_OK) {
        return status;
    }
    if (run->worker_count > 0) {
        let_work(run, 1, work_out_answers);
    }
    if (run->status == STATUS_OK && !stopped(run)) {
        if (run->options->crew) {
            run->grade->begun = true;
            lead(run);
        } else {
            judge_all(run);
        }
    }
    return STATUS_OK;
}

enum status grade_run(struct grade *grade, const struct grade_options *options, struct grade_store *store,
                      struct error *error) {
    struct class_run *run = calloc(1, sizeof *run);
    grade->results = calloc((size_t)grade->submission_count * (size_t)grade->case_count, sizeof *grade->results);
    if (!run || !grade->results) {
        free(run);
        return error_machine(error, "out of memory");
    }
    *run = (struct class_run){.grade = grade, .own = *options, .options = &run->own, .store = store};
    run->own.course = grade_course_of(grade);
    pthread_mutex_init(&run->store_lock, NULL);
    pthread_mutex_init(&run->lock, NULL);
    condition_init(&run->news);
    enum status status = grade_store_load(store, grade, error);
    if (status == STATUS_OK) {
        status = run_class(run, error);
    }
    for (int i = 0; i < run->worker_count; i++) {
        warden_stop(run->workers[i].warden);
    }
    if (status == STATUS_OK && run->status != STATUS_OK) {
        status = run->status;
        *error = run->error;
    }
    pthread_cond_destroy(&run->news);
    pthread_mutex_destroy(&run->lock);
    pthread_mutex_destroy(&run->store_lock);
    free(run->unwritten.places);
    free(run);
    return status;
}
