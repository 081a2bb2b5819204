#include "prove/crew/prove_crew.h"

#include <stdlib.h>

#include "base/stopwatch.h"
#include "prove/crew/jobs.h"
#include "prove/crew/jobs_wire.h"

#define FIRST_MILLISECONDS 200 /* of a job; the longer a claim has been worked on, the longer, up to */
#define MOST_MILLISECONDS 2000
#define JOB_HASH ((size_t)64 << 20) /* of a helper's tables, unless told */
#define TOP_HASH ((size_t)8 << 20)  /* of the leader's for each claim */
#define LOSING_WEIGHT 4
#define LEAST_SECONDS 0.001
#define TREE_BITS 8 /* of a job's number; the rest is the node */

/* One claim about one target. */
struct claim_tree {
    struct jobs jobs;
    int target;
    enum question_answer answer;
    double spent; /* milliseconds given out */
    bool done;
};

struct leading {
    const struct prove_crew *crew;
    struct claim_tree *trees; /* owned */
    int count;
    struct text log; /* records of all that is proved, in the order it came */
    size_t *told;    /* owned: how much of it each helper has */
    int64_t milliseconds;
    struct gomoku_position position; /* of the job that is given out */
    uint64_t nodes;                  /* by all helpers */
    int under_way;
    int open; /* targets */
    double end;
    enum status status;
    struct error *error;
};

/* -- one claim is settled -- */

/* No more is asked about a target. */
static void close_target(struct leading *leading, int target) {
    for (int i = 0; i < leading->count; i++) {
        leading->trees[i].done = leading->trees[i].done || leading->trees[i].target == target;
    }
    leading->open--;
}

/* Adds what a search took to what is known of a target. */
static void add_counts(struct question *question, const struct job_result *result) {
    question->counts.nodes += result->nodes;
    question->threat_nodes += result->threat_nodes;
    question->probes += result->probes;
    question->hits += result->hits;
}

/* Of the whole; never none, which would be no limit. */
static double seconds_left(const struct leading *leading) {
    double left = leading->end - clock_wall();
    return left > LEAST_SECONDS ? left : LEAST_SECONDS;
}

/* Puts the proof together out of what was proved, and the certificate. */
static void finish(struct leading *leading, struct claim_tree *tree) {
    const struct prove_crew *crew = leading->crew;
    struct prove_target *target = &crew->targets[tree->target];
    struct question_settings settings = *crew->settings;
    settings.progress = NULL;
    settings.threads = 1;
    settings.seconds = settings.seconds > 0 ? seconds_left(leading) : 0;
    settings.nodes = 0;
    for (int answer = 0; answer < ANSWER_COUNT; answer++) {
        settings.wanted[answer] = answer == (int)tree->answer;
    }
    struct job_result before = {.nodes = target->question.counts.nodes,
                                .threat_nodes = target->question.threat_nodes,
                                .probes = target->question.probes,
                                .hits = target->question.hits};
    tree->done = true;
    leading->status =
        question_ask(&target->question, &target->position, &settings, crew->proved, crew->certificates, leading->error);
    add_counts(&target->question, &before);
    if (leading->status == STATUS_OK && target->question.answer != ANSWER_NONE) {
        close_target(leading, tree->target);
        if (crew->settled) {
            crew->settled(crew->user, tree->target);
        }
    }
}

/* -- jobs -- */

/* How much a claim has had; one that the side to move loses is rarely true and gets less. */
static double share_of(const struct claim_tree *tree) {
    return tree->spent * (tree->answer == ANSWER_LOSES ? LOSING_WEIGHT : 1);
}

/* The claim that has had least so far. */
static struct claim_tree *choose_tree(const struct leading *leading, const bool *passed) {
    struct claim_tree *least = NULL;
    for (int i = 0; i < leading->count; i++) {
        struct claim_tree *tree = &leading->trees[i];
        if (!tree->done && !passed[i] && (!least || share_of(tree) < share_of(least))) {
            least = tree;
        }
    }
    return least;
}

/* How long a claim's next job may take; 0: there is no time any more. */
static int64_t job_time(const struct leading *leading, const struct claim_tree *tree) {
    const struct question_settings *settings = leading->crew->settings;
    double most = FIRST_MILLISECONDS + tree->spent / 4;
    most = most < MOST_MILLISECONDS ? most : MOST_MILLISECONDS;
    double left = settings->seconds > 0 ? (leading->end - clock_wall()) * 1000 : most;
    if (settings->nodes && leading->nodes >= settings->nodes) {
        return 0;
    }
    return (int64_t)(left < most ? left : most);
}

static int64_t next_job(void *user) {
    struct leading *leading = user;
    bool passed[1 << TREE_BITS] = {false};
    for (struct claim_tree *tree = choose_tree(leading, passed); tree && leading->status == STATUS_OK;
         tree = choose_tree(leading, passed)) {
        leading->milliseconds = job_time(leading, tree);
        int32_t node = leading->milliseconds > 0 ? jobs_next(&tree->jobs, &leading->position) : JOB_NONE;
        if (node != JOB_NONE) {
            tree->spent += (double)leading->milliseconds;
            leading->under_way++;
            return (int64_t)node << TREE_BITS | (tree - leading->trees);
        }
        if (jobs_outcome(&tree->jobs) == PROVE_YES) {
            finish(leading, tree);
        }
        passed[tree - leading->trees] = true;
    }
    return -1;
}

static void add_job(void *user, int64_t unit, int helper, struct text *message) {
    struct leading *leading = user;
    const struct question_settings *settings = leading->crew->settings;
    const struct claim_tree *tree = &leading->trees[unit & ((1 << TREE_BITS) - 1)];
    const struct prove_settings *claim = &tree->jobs.prover.settings;
    bool hero_moves = claim->hero == (leading->position.count & 1);
    if (leading->log.broken) {
        message->broken = true;
        return;
    }
    struct job_order order = {
        .answer = claim->claim == PROVE_HOLD ? ANSWER_HOLDS
                  : hero_moves               ? ANSWER_WINS
                                             : ANSWER_LOSES,
        .milliseconds = leading->milliseconds,
        .nodes = settings->nodes ? settings->nodes - leading->nodes : 0,
        .position = leading->position,
        .records = text_string(&leading->log) + leading->told[helper],
        .length = leading->log.length - leading->told[helper],
    };
    job_order_write(&order, message);
    leading->told[helper] = leading->log.length;
}

static enum status take_result(void *user, const struct text *answer, struct error *error) {
    struct leading *leading = user;
    struct job_result result;
    leading->under_way--;
    if (job_result_read(&result, text_string(answer), answer->length, error) != STATUS_OK ||
        !proved_take(leading->crew->proved, result.records, result.length)) {
        return error_machine(error, "a helper's answer is no result of a job");
    }
    proved_flush(leading->crew->proved);
    int64_t number = result.job & ((1 << TREE_BITS) - 1);
    struct claim_tree *tree = number < leading->count ? &leading->trees[number] : NULL;
    if (!tree || result.job >> TREE_BITS > INT32_MAX ||
        !jobs_take(&tree->jobs, (int32_t)(result.job >> TREE_BITS), result.numbers)) {
        return error_machine(error, "a helper did a job it was not given");
    }
    leading->nodes += result.nodes;
    add_counts(&leading->crew->targets[tree->target].question, &result);
    if (!tree->done && jobs_outcome(&tree->jobs) == PROVE_YES) {
        finish(leading, tree);
    }
    return leading->status;
}

static bool has_ended(void *user) {
    const struct leading *leading = user;
    return leading->open == 0 || leading->status != STATUS_OK || atomic_load(leading->crew->settings->stop);
}

static void tick(void *user) {
    const struct leading *leading = user;
    const struct prove_crew *crew = leading->crew;
    if (crew->progress) {
        crew->progress(crew->user, leading->under_way, leading->nodes, crew->proved->count);
    }
}

/* -- all of it -- */

static bool make_trees(struct leading *leading) {
    const struct prove_crew *crew = leading->crew;
    bool split = crew->count * ANSWER_COUNT < crew->link->size(); /* otherwise there is enough for everybody */
    leading->trees = calloc((size_t)crew->count * ANSWER_COUNT, sizeof *leading->trees);
    leading->told = calloc((size_t)crew->link->size(), sizeof *leading->told);
    if (!leading->trees || !leading->told) {
        return false;
    }
    for (int i = 0; i < crew->count; i++) {
        for (int answer = 0; answer < ANSWER_COUNT; answer++) {
            if (!crew->targets[i].wanted[answer]) {
                continue;
            }
            struct claim_tree *tree = &leading->trees[leading->count++];
            struct prove_settings settings = {.hash_bytes = TOP_HASH, .stop = crew->settings->stop};
            tree->target = i;
            tree->answer = (enum question_answer)answer;
            question_claim(tree->answer, &crew->targets[i].position, &settings.claim, &settings.hero);
            if (!jobs_make(&tree->jobs, &crew->targets[i].position, &settings, crew->proved, split)) {
                return false;
            }
        }
    }
    return true;
}

/* The numbers of every claim, for those that stay open. */
static void fill_numbers(const struct leading *leading) {
    struct prove_target *targets = leading->crew->targets;
    for (int i = 0; i < leading->count; i++) {
        const struct claim_tree *tree = &leading->trees[i];
        struct pn_value root = tree->jobs.nodes[0].value;
        bool hero_moves = prover_hero_moves(&tree->jobs.prover);
        targets[tree->target].question.numbers[tree->answer] =
            hero_moves ? root : (struct pn_value){root.delta, root.phi};
    }
}

enum status prove_crew_lead(const struct prove_crew *crew, struct error *error) {
    struct leading leading = {.crew = crew, .open = crew->count, .error = error};
    struct text brief = TEXT_EMPTY;
    double start = clock_wall();
    leading.end = start + crew->settings->seconds;
    for (int i = 0; i < crew->count; i++) {
        crew->targets[i].question = (struct question){.answer = ANSWER_NONE, .found = ANSWER_NONE, .move = NO_SQUARE};
    }
    bool made = make_trees(&leading);
    enum status status = made ? STATUS_OK : error_machine(error, "no memory to prove anything");
    if (made) {
        text_add_string(&brief, "prove");
        proved_write(crew->proved, &leading.log);
        crew->proved->added = &leading.log;
        struct crew_work work = {.brief = &brief,
                                 .next = next_job,
                                 .add = add_job,
                                 .take = take_result,
                                 .ended = has_ended,
                                 .tick = tick,
                                 .user = &leading};
        status = crew_lead(crew->link, &work, error);
        status = status == STATUS_OK ? leading.status : status;
        crew->proved->added = NULL;
        fill_numbers(&leading);
        crew->targets[0].question.seconds = clock_wall() - start;
    }
    for (int i = 0; i < leading.count; i++) {
        jobs_free(&leading.trees[i].jobs);
    }
    free(leading.trees);
    free(leading.told);
    text_free(&leading.log);
    text_free(&brief);
    return status;
}

/* -- helping -- */

struct helping {
    const struct question_settings *settings;
    struct proved proved;
    struct text added;
};

static enum status do_job(void *user, const struct crew_unit *unit, struct text *answer, struct error *error) {
    struct helping *helping = user;
    struct job_order order;
    struct question question;
    if (job_order_read(&order, unit->bytes, unit->length, error) != STATUS_OK ||
        !proved_take(&helping->proved, order.records, order.length)) {
        return error_machine(error, "the leader sent no job");
    }
    struct question_settings settings = *helping->settings;
    settings.seconds = (double)order.milliseconds / 1000;
    settings.build_seconds = settings.seconds; /* what is not built by then is taken apart */
    settings.nodes = order.nodes;
    settings.hash_bytes = settings.hash_bytes ? settings.hash_bytes : JOB_HASH;
    settings.progress = NULL;
    for (int i = 0; i < ANSWER_COUNT; i++) {
        settings.wanted[i] = i == (int)order.answer;
    }
    helping->proved.added = &helping->added;
    enum status status = question_ask(&question, &order.position, &settings, &helping->proved, NULL, error);
    helping->proved.added = NULL;
    if (status == STATUS_OK && helping->added.broken) {
        status = error_machine(error, "out of memory");
    }
    struct job_result result = {
        .job = unit->number,
        .numbers = question.answer == ANSWER_NONE ? question.numbers[order.answer] : PN_REACHED,
        .nodes = question.counts.nodes,
        .threat_nodes = question.threat_nodes,
        .probes = question.probes,
        .hits = question.hits,
        .records = text_string(&helping->added),
        .length = helping->added.length,
    };
    if (result.numbers.phi == 0 && question.answer == ANSWER_NONE) {
        result.numbers.phi = 1; /* found, but the proof could not be built in time */
    }
    job_result_write(&result, answer);
    text_free(&helping->added);
    return status;
}

enum status prove_crew_help(const struct crew_link *link, const struct question_settings *settings,
                            struct error *error) {
    struct helping helping = {.settings = settings};
    struct text brief = TEXT_EMPTY;
    enum status status = STATUS_OK;
    proved_init(&helping.proved);
    if (crew_brief(link, &brief)) {
        status = crew_help(link, do_job, &helping, error);
    }
    proved_close(&helping.proved);
    text_free(&brief);
    return status;
}
