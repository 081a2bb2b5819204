#include "prove/map/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/condition.h"
#include "games/gomoku/rules/swap_table.h"
#include "prove/map/build.h"
#include "prove/map/square.h"
#include "search/team.h"

#define SQUARES (GOMOKU_SWAP_SQUARES + 1) /* and the empty board */
#define USUAL_HASH ((size_t)64 << 20)     /* for a thread */
#define AT_ONCE 3                         /* squares share the threads */
#define STEPS_A_SECOND 1500000.0          /* of a prover: seconds are work, however busy the machine is */
#define FIRST_SECONDS 10.0                /* for a question; */
#define NEXT_SECONDS 4                    /* times as many for the same the next time */
#define LEAST_GAIN 1000.0                 /* CPU seconds without a reply answered, before others have their turn */
#define BOTH_ROUNDS 2                     /* turns after which the unlikely claim is looked at, too */
#define MOST_FAILED 3
#define NAP 0.2
#define TELL_SECONDS 0.2
#define NOTE_SECONDS 10.0 /* between two lines about an open square */
#define NEIGHBOUR 150     /* what a settled neighbour counts beside the estimate */

struct drive {
    const struct map_settings *settings;
    struct proved proved; /* all of it, in memory */
    struct square squares[SQUARES];
    pthread_mutex_t lock; /* of the squares and what follows */
    pthread_cond_t changed;
    atomic_bool stop;
    double end;
    double told;
    int busy; /* threads that are asking */
    enum status status;
    struct error *error;
};

/* What a thread does next. */
enum work { WORK_NONE, WORK_LEARN, WORK_BUILD, WORK_ASK };

struct task {
    enum work work;
    struct square *square;
    enum map_claim claim;
    int32_t leaf;
    double seconds;
    struct gomoku_position position;
    struct drive *drive;
};

static bool is_over(struct drive *drive) {
    if (clock_wall() >= drive->end || (drive->settings->stop && atomic_load(drive->settings->stop))) {
        atomic_store(&drive->stop, true);
    }
    return atomic_load(&drive->stop);
}

/* Ends all of it. */
static void give_up(struct drive *drive, enum status status, const struct error *error) {
    if (drive->status == STATUS_OK) {
        drive->status = status;
        *drive->error = *error;
    }
    atomic_store(&drive->stop, true);
}

/* -- progress -- */

/* Says what is done; the lock must be held. */
static void show(struct drive *drive, const char *more) {
    double now = clock_wall();
    if (!drive->settings->progress || now - drive->told < TELL_SECONDS) {
        return;
    }
    drive->told = now;
    struct text line = TEXT_EMPTY;
    int settled = 0;
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        const struct square *square = &drive->squares[i];
        settled += square->state != MAP_OPEN;
        for (int claim = 0; claim < CLAIM_COUNT; claim++) {
            if (square->made[claim] && square->state == MAP_OPEN && square->since > 0) {
                int answered;
                int replies;
                jobs_count(&square->trees[claim], &answered, &replies);
                text_addf(&line, "%s %d/%d  ", square->name, answered, replies);
            }
        }
    }
    text_addf(&line, "%d settled  %zu proved  %d asking%s  %.0f s left", settled, (size_t)drive->proved.count,
              drive->busy, more, drive->end - now);
    drive->settings->progress(drive->settings->user, text_string(&line));
    text_free(&line);
}

/* While a question is asked. */
static void show_asking(void *user, const struct prover *prover) {
    struct task *task = user;
    (void)prover;
    is_over(task->drive);
    if (task->drive->settings->progress && pthread_mutex_trylock(&task->drive->lock) == 0) {
        show(task->drive, "");
        pthread_mutex_unlock(&task->drive->lock);
    }
}

/* While a proof is built. */
static void show_building(void *user, uint64_t bytes) {
    const struct task *task = user;
    is_over(task->drive);
    if (task->drive->settings->progress && pthread_mutex_trylock(&task->drive->lock) == 0) {
        char more[60];
        snprintf(more, sizeof more, "  %s: %.1f MB of the proof", task->square->name, (double)bytes / 1e6);
        show(task->drive, more);
        pthread_mutex_unlock(&task->drive->lock);
    }
}

/* -- what next -- */

static enum map_claim likely_claim(const struct square *square) {
    return gomoku_swap_share[square->index] > 500 ? CLAIM_OWNER : CLAIM_OTHER;
}

/* How many of the squares around it are settled as this one is likely to be. */
static int count_neighbours(const struct drive *drive, const struct square *square) {
    int at = gomoku_swap_square(square->index);
    enum map_state wanted = likely_claim(square) == CLAIM_OWNER ? MAP_OWNER_WINS : MAP_OTHER_WINS;
    int count = 0;
    for (int i = 0; i < 9; i++) {
        int row = at / GOMOKU_SWAP_SIZE + i / 3 - 1;
        int column = at % GOMOKU_SWAP_SIZE + i % 3 - 1;
        if (row >= 0 && column >= 0) { /* the squares of the map are in the top left quarter */
            count += drive->squares[gomoku_swap_index(row * GOMOKU_SWAP_SIZE + column)].state == wanted;
        }
    }
    return count;
}

/* Whether a square, or an image of it, is among those named to work on. */
static bool is_wanted(const struct drive *drive, const struct square *square) {
    const char *only = drive->settings->only;
    while (only && *only) {
        size_t word = strcspn(only, ",");
        int named = gomoku_parse_square(GOMOKU_SWAP_SIZE, only, word);
        if (named >= 0 && gomoku_swap_index(named) == square->index) {
            return true;
        }
        only += word + (only[word] == ',');
    }
    return !drive->settings->only;
}

/* The open squares, those that promise most first: that were not left yet, have settled neighbours and are far from
 * even. */
static int list_open(struct drive *drive, struct square *open[GOMOKU_SWAP_SQUARES]) {
    int promise[GOMOKU_SWAP_SQUARES] = {0};
    int count = 0;
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        struct square *square = &drive->squares[i];
        if (square->state != MAP_OPEN || square->found != CLAIM_COUNT || !is_wanted(drive, square)) {
            continue;
        }
        int value =
            abs(gomoku_swap_share[i] - 500) + NEIGHBOUR * count_neighbours(drive, square) - 100000 * square->rounds;
        int at = count++;
        for (; at > 0 && promise[at - 1] < value; at--) {
            promise[at] = promise[at - 1];
            open[at] = open[at - 1];
        }
        promise[at] = value;
        open[at] = square;
    }
    return count;
}

/* Writes down now and then how a square stands: a run may be killed. The lock must be held. */
static void note(const struct drive *drive, struct square *square) {
    double now = clock_wall();
    if (square->noted == 0 || now - square->noted >= NOTE_SECONDS) {
        square->noted = now;
        square_describe(square, drive->settings->folder);
    }
}

static bool find_question(struct drive *drive, struct square *square, struct task *task) {
    for (int i = 0; i < CLAIM_COUNT && square->found == CLAIM_COUNT; i++) {
        enum map_claim claim = i == 0 ? likely_claim(square) : CLAIM_COUNT - 1 - likely_claim(square);
        struct error error = {0};
        if (i > 0 && square->rounds < BOTH_ROUNDS) {
            break;
        }
        enum status status = square_search(square, claim, drive->settings->folder, &drive->stop, &error);
        if (status != STATUS_OK) {
            give_up(drive, status, &error);
            return false;
        }
        struct jobs *jobs = &square->trees[claim];
        int32_t leaf = jobs_next(jobs, &task->position);
        if (jobs_outcome(jobs) == PROVE_YES) {
            square->found = (int)claim;
        } else if (leaf != JOB_NONE) {
            task->square = square;
            task->claim = claim;
            task->leaf = leaf;
            task->seconds = FIRST_SECONDS;
            for (int tried = jobs->nodes[leaf].tried; tried > 0; tried--) {
                task->seconds *= NEXT_SECONDS;
            }
            task->work = WORK_ASK;
            square->asking++;
            note(drive, square);
            return true;
        }
    }
    return false;
}

/* What has a core that was not learned, or a proof to be built; the former keeps all others waiting. */
static bool find_square(struct drive *drive, enum work work, struct task *task) {
    for (int i = 0; i < SQUARES; i++) {
        struct square *square = &drive->squares[i];
        bool due = work == WORK_LEARN
                       ? square->learns
                       : square->state == MAP_OPEN && square->found != CLAIM_COUNT && square->failed < MOST_FAILED;
        if (due && !square->busy) {
            square->busy = true;
            task->square = square;
            task->claim = (enum map_claim)square->found;
            task->work = work;
            return true;
        }
    }
    return false;
}

static bool somebody_learns(const struct drive *drive) {
    bool any = false;
    for (int i = 0; i < SQUARES; i++) {
        any = any || drive->squares[i].learns;
    }
    return any;
}

/* Whether there is nothing left to wait for. */
static bool is_done(const struct drive *drive) {
    bool any = drive->busy > 0;
    for (int i = 0; i < SQUARES; i++) {
        const struct square *square = &drive->squares[i];
        bool open = i < GOMOKU_SWAP_SQUARES && square->state == MAP_OPEN && is_wanted(drive, square) &&
                    square->failed < MOST_FAILED;
        any = any || square->busy || square->learns || open;
    }
    return !any;
}

/* The next task; the lock must be held. */
static void find_task(struct drive *drive, struct task *task) {
    struct square *open[GOMOKU_SWAP_SQUARES];
    *task = (struct task){.work = WORK_NONE, .drive = drive};
    if (find_square(drive, WORK_LEARN, task) || somebody_learns(drive) || find_square(drive, WORK_BUILD, task)) {
        return;
    }
    int count = list_open(drive, open);
    int share = (drive->settings->threads + AT_ONCE - 1) / AT_ONCE;
    for (int i = 0; i < 2 * count && task->work == WORK_NONE && !is_over(drive); i++) {
        struct square *square = open[i % count];
        if (i < count && square->asking >= share) {
            continue; /* the second time through all that have a question are asked */
        }
        if (!find_question(drive, square, task) && square->found != CLAIM_COUNT) {
            find_square(drive, WORK_BUILD, task);
        }
    }
}

/* -- doing it -- */

static struct prover *make_prover(const struct task *task, const struct gomoku_position *position, double seconds) {
    struct drive *drive = task->drive;
    struct prover *prover = calloc(1, sizeof *prover);
    size_t bytes = drive->settings->hash_bytes / (size_t)drive->settings->threads;
    struct prove_settings settings = {
        .claim = PROVE_WIN,
        .hero = square_hero(task->claim),
        .hash_bytes = drive->settings->hash_bytes ? bytes : USUAL_HASH,
        .seconds = seconds,
        .stop = &drive->stop,
        .progress = show_asking,
        .user = (void *)(uintptr_t)task,
    };
    /* What a question proves on the way stays in the square's store, whether it is settled or not. */
    struct proved *proved = task->work == WORK_ASK ? &task->square->view : &drive->proved;
    if (prover && !prover_make(prover, position, &settings, proved)) {
        prover_free(prover);
        free(prover);
        return NULL;
    }
    return prover;
}

static void drop_prover(struct prover *prover) {
    prover_free(prover);
    free(prover);
}

/* Searches for so much work; where the moves that were tried do not do it, more are tried. */
static enum prove_outcome search(struct prover *prover, double seconds, double end) {
    uint64_t last = (uint64_t)(seconds * STEPS_A_SECOND);
    enum prove_outcome outcome = PROVE_NO;
    while (outcome == PROVE_NO) {
        double left = end - clock_wall();
        uint64_t steps = prover_steps(prover);
        if (steps >= last || left <= 0 || prover->settings.width >= prover->board->squares) {
            return PROVE_OPEN;
        }
        prover_allow(prover, left, 0, last - steps);
        outcome = prover_run(prover);
        if (outcome == PROVE_NO) {
            prover_widen(prover);
        }
    }
    return outcome;
}

/* What came of a question: the numbers for the hero, and the engine's move. */
struct reply {
    struct pn_value numbers;
    uint16_t advice;
    double seconds;
    enum status status;
    struct error error;
};

static void ask(const struct task *task, struct reply *answer) {
    double start = clock_thread();
    struct prover *prover = make_prover(task, &task->position, 0);
    *answer = (struct reply){.numbers = {1, 1}, .advice = NO_SQUARE};
    if (!prover) {
        answer->status = error_machine(&answer->error, "no memory to prove anything");
        return;
    }
    bool proved = search(prover, task->seconds, task->drive->end) == PROVE_YES;
    bool hero_moves = prover_hero_moves(prover);
    struct pn_value root = prover->root;
    answer->numbers = proved ? PN_REACHED : hero_moves ? root : (struct pn_value){root.delta, root.phi};
    answer->numbers.phi += !proved && answer->numbers.phi == 0;
    if (hero_moves) {
        int symmetry;
        uint16_t move = adviser_move(&prover->adviser, prover_key(prover, &symmetry));
        answer->advice = move == NO_SQUARE ? NO_SQUARE : prover->returned[symmetry][move];
    }
    drop_prover(prover);
    answer->seconds = clock_thread() - start;
}

/* Notes what came of a question; the lock must be held. */
static void take_answer(struct drive *drive, const struct task *task, struct reply *answer) {
    struct square *square = task->square;
    struct jobs *jobs = &square->trees[task->claim];
    int answered;
    int replies;
    if (answer->status != STATUS_OK) {
        give_up(drive, answer->status, &answer->error);
    }
    square->asking--;
    square->searched += answer->seconds;
    square->since += answer->seconds;
    if (square->state != MAP_OPEN || square->found != CLAIM_COUNT || !square->made[task->claim]) {
        return;
    }
    jobs->nodes[task->leaf].advice = answer->advice;
    jobs_take(jobs, task->leaf, answer->numbers);
    proved_flush(&square->view);
    note(drive, square);
    if (jobs_outcome(jobs) == PROVE_YES) {
        square->found = (int)task->claim;
    }
    jobs_count(jobs, &answered, &replies);
    if (answered > square->answered) {
        square->answered = answered;
        square->since = 0;
    } else if (square->since > LEAST_GAIN * (1 << (square->rounds < 10 ? square->rounds : 10))) {
        square->rounds++;
        square->since = 0;
    }
}

/* Builds the proof of a square, has it checked and keeps its core. */
static void build_square(struct drive *drive, struct task *task) {
    struct square *square = task->square;
    struct gomoku_position position;
    struct error error = {0};
    double start = clock_wall();
    square_position(square, &position);
    struct prover *prover = make_prover(task, &position, drive->end - clock_wall());
    struct build build = {.position = &position,
                          .hero = square_hero(task->claim),
                          .prover = prover,
                          .stop = &drive->stop,
                          .progress = show_building,
                          .user = task};
    enum status status = prover ? build_proof(&build, &error) : error_machine(&error, "no memory to build a proof");
    if (prover) {
        drop_prover(prover);
    }
    pthread_mutex_lock(&drive->lock);
    if (status == STATUS_OK) {
        snprintf(square->line, sizeof square->line,
                 "won for the %s; core %zu bytes, certificate %llu bytes, %llu positions; searched %.0f s, built and "
                 "checked in %.0f s",
                 task->claim == CLAIM_OWNER ? "stone's owner" : "other side", build.core.length,
                 (unsigned long long)build.bytes, (unsigned long long)build.positions, square->searched,
                 clock_wall() - start);
        status = square_settle(square, task->claim, drive->settings->folder, &build.core, &build.records, &error);
        drive->settings->told(drive->settings->user,
                              &(struct map_news){.index = square->index, .state = square->state, .line = square->line},
                              false);
    } else if (!atomic_load(&drive->stop)) {
        square->failed++; /* once more, with what was found meanwhile */
        square_keep(square, &build.records);
        status = status == STATUS_BAD_INPUT && square->failed < MOST_FAILED ? STATUS_OK : status;
    } else {
        square_keep(square, &build.records);
        status = STATUS_OK;
    }
    if (status != STATUS_OK) {
        give_up(drive, status, &error);
    }
    square->busy = false;
    pthread_mutex_unlock(&drive->lock);
    build_free(&build);
}

/* Makes the proof of a core for the moves it tells. */
static void learn(struct drive *drive, struct task *task) {
    struct square *square = task->square;
    struct error error = {0};
    struct text records = TEXT_EMPTY;
    struct unfold asked = {.records = &records, .stop = &drive->stop, .progress = show_building, .user = task};
    char *bytes = NULL;
    size_t length = 0;
    enum status status = square_read_core(square, drive->settings->folder, &bytes, &length, &error);
    status = status == STATUS_OK ? unfold_core(bytes, length, &asked, &error) : status;
    pthread_mutex_lock(&drive->lock);
    if (status == STATUS_OK) {
        square_keep(square, &records);
    } else if (!atomic_load(&drive->stop)) {
        struct error named = {0};
        error_fill(&named, 0, 0, "%s.core: %.200s", square->name, error.text);
        give_up(drive, status, &named);
    }
    square->learns = square->busy = false;
    pthread_mutex_unlock(&drive->lock);
    text_free(&records);
    free(bytes);
}

/* One thread's work, to the end. */
static void work(void *user, int index) {
    struct drive *drive = user;
    (void)index;
    pthread_mutex_lock(&drive->lock);
    while (!is_over(drive) && !is_done(drive)) {
        struct task task;
        find_task(drive, &task);
        show(drive, "");
        if (task.work == WORK_NONE) {
            condition_wait(&drive->changed, &drive->lock, clock_wall() + NAP);
            continue;
        }
        drive->busy++;
        pthread_mutex_unlock(&drive->lock);
        struct reply answer;
        if (task.work == WORK_ASK) {
            ask(&task, &answer);
        } else if (task.work == WORK_BUILD) {
            build_square(drive, &task);
        } else {
            learn(drive, &task);
        }
        pthread_mutex_lock(&drive->lock);
        if (task.work == WORK_ASK) {
            take_answer(drive, &task, &answer);
        }
        drive->busy--;
        pthread_cond_broadcast(&drive->changed);
    }
    pthread_mutex_unlock(&drive->lock);
}

/* -- all of it -- */

/* Tells how all squares stand, and closes them. */
static void finish(struct drive *drive, int count, int *open) {
    *open = 0;
    for (int i = 0; i < count; i++) {
        struct square *square = &drive->squares[i];
        if (i < GOMOKU_SWAP_SQUARES) {
            square_describe(square, drive->settings->folder);
            *open += square->state == MAP_OPEN;
            drive->settings->told(
                drive->settings->user,
                &(struct map_news){.index = square->index, .state = square->state, .line = square->line}, true);
        }
        if (!square_close(square)) {
            give_up(drive, STATUS_FAIL, &(struct error){.text = "a store could not be written to the end"});
        }
    }
}

enum status map_prove(const struct map_settings *settings, int *open, size_t *proved, struct error *error) {
    struct drive *drive = calloc(1, sizeof *drive);
    struct team *team = team_new(settings->threads);
    int count = 0;
    enum status status = drive && team ? STATUS_OK : error_machine(error, "no memory to prove anything");
    if (status == STATUS_OK) {
        drive->settings = settings;
        drive->error = error;
        drive->end = clock_wall() + settings->seconds;
        proved_init(&drive->proved);
        pthread_mutex_init(&drive->lock, NULL);
        condition_init(&drive->changed);
        for (; count < SQUARES && status == STATUS_OK; count++) {
            status = square_open(&drive->squares[count], count < GOMOKU_SWAP_SQUARES ? count : -1, settings->folder,
                                 &drive->proved, error);
        }
        drive->status = status;
        if (status == STATUS_OK) {
            team_run(team, settings->threads, work, drive);
        }
        finish(drive, count, open);
        status = drive->status;
        *proved = drive->proved.count;
        proved_close(&drive->proved);
        pthread_cond_destroy(&drive->changed);
        pthread_mutex_destroy(&drive->lock);
    }
    if (team) {
        team_free(team);
    }
    free(drive);
    return status;
}
