#include "prove/question.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/stopwatch.h"
#include "prove/write.h"
#include "search/team.h"

#define USUAL_HASH ((size_t)256 << 20)
#define FIRST_STEPS 20000 /* of the first round */
#define ROUND_GROWTH 4

struct asking;

/* The searches for one answer: they share what is proved and end together. */
struct attempt {
    struct asking *asking;
    enum question_answer answer;
    struct prover *provers; /* owned, one a thread */
    int count;
    _Atomic int outcome; /* of enum prove_outcome */
};

struct asking {
    const struct question_settings *settings;
    struct team *team;
    struct attempt attempts[ANSWER_COUNT];
    int count;
    double start;
};

static void tell_progress(void *user, const struct prover *prover) {
    const struct attempt *attempt = user;
    const struct question_settings *settings = attempt->asking->settings;
    settings->progress(settings->user, attempt->answer, prover);
}

void question_claim(enum question_answer answer, const struct gomoku_position *position, enum prove_claim *claim,
                    int *hero) {
    int side = position->count & 1;
    *claim = answer == ANSWER_HOLDS ? PROVE_HOLD : PROVE_WIN;
    *hero = answer == ANSWER_WINS ? side : 1 - side;
}

#define MOST_EMPTY_TO_HOLD 100

void question_usual(const struct gomoku_position *position, bool wanted[ANSWER_COUNT]) {
    wanted[ANSWER_WINS] = wanted[ANSWER_LOSES] = true;
    wanted[ANSWER_HOLDS] = position->size * position->size - position->count <= MOST_EMPTY_TO_HOLD;
}

/* -- making -- */

static bool make_attempt(struct asking *asking, struct attempt *attempt, const struct gomoku_position *position,
                         struct proved *proved, size_t bytes) {
    const struct question_settings *settings = asking->settings;
    struct prove_settings wanted = {
        .hash_bytes = bytes / (size_t)team_size(asking->team),
        .stop = settings->stop,
        .workers = team_size(asking->team),
        .progress = settings->progress ? tell_progress : NULL,
        .user = attempt,
    };
    question_claim(attempt->answer, position, &wanted.claim, &wanted.hero);
    attempt->asking = asking;
    attempt->outcome = PROVE_OPEN;
    attempt->provers = calloc((size_t)wanted.workers, sizeof *attempt->provers);
    for (; attempt->provers && attempt->count < wanted.workers; attempt->count++) {
        wanted.worker = attempt->count;
        wanted.progress = wanted.worker == 0 ? wanted.progress : NULL;
        if (!prover_make(&attempt->provers[attempt->count], position, &wanted, proved)) {
            attempt->count++; /* to be freed with the others */
            return false;
        }
    }
    return attempt->provers != NULL;
}

static void free_attempt(struct attempt *attempt) {
    for (int i = 0; i < attempt->count; i++) {
        prover_free(&attempt->provers[i]);
    }
    free(attempt->provers);
}

/* -- rounds -- */

/* One thread's part; whoever settles it ends the others'. */
static void work(void *user, int index) {
    struct attempt *attempt = user;
    enum prove_outcome outcome = prover_run(&attempt->provers[index]);
    if (outcome == PROVE_OPEN) {
        return;
    }
    int expected = PROVE_OPEN;
    atomic_compare_exchange_strong(&attempt->outcome, &expected, (int)outcome);
    for (int i = 0; i < attempt->count; i++) {
        prover_end(&attempt->provers[i]);
    }
}

/* Lets all threads of an attempt search for so long. Where the moves that were tried do not do it, more are
 * tried from now on. */
static void run_round(struct attempt *attempt, double seconds, uint64_t nodes, uint64_t steps) {
    for (int i = 0; i < attempt->count; i++) {
        prover_allow(&attempt->provers[i], seconds, nodes, steps);
    }
    team_run(attempt->asking->team, attempt->count, work, attempt);
    if (attempt->outcome == PROVE_NO && attempt->provers[0].settings.width < attempt->provers[0].board->squares) {
        attempt->outcome = PROVE_OPEN;
        for (int i = 0; i < attempt->count; i++) {
            prover_widen(&attempt->provers[i]);
        }
    }
}

static uint64_t nodes_so_far(const struct asking *asking) {
    uint64_t nodes = 0;
    for (int i = 0; i < asking->count; i++) {
        for (int j = 0; j < asking->attempts[i].count; j++) {
            nodes += asking->attempts[i].provers[j].counts.nodes;
        }
    }
    return nodes;
}

/* Whether there is time and a number of nodes left, and how much: 0 where there is no limit. */
static bool has_time(const struct asking *asking, double *seconds, uint64_t *nodes) {
    const struct question_settings *settings = asking->settings;
    *seconds = settings->seconds > 0 ? settings->seconds - (clock_wall() - asking->start) : 0;
    if ((settings->seconds > 0 && *seconds <= 0) || atomic_load(settings->stop)) {
        return false;
    }
    uint64_t spent = nodes_so_far(asking);
    if (settings->nodes && spent >= settings->nodes) {
        return false;
    }
    *nodes = settings->nodes ? settings->nodes - spent : 0;
    return true;
}

/* The attempt that has its answer, or NULL. */
static struct attempt *run_rounds(struct asking *asking) {
    for (uint64_t steps = FIRST_STEPS;; steps *= ROUND_GROWTH) {
        bool open = false;
        for (int i = 0; i < asking->count; i++) {
            struct attempt *attempt = &asking->attempts[i];
            if (attempt->outcome != PROVE_OPEN) {
                continue;
            }
            double seconds;
            uint64_t nodes;
            if (!has_time(asking, &seconds, &nodes)) {
                return NULL;
            }
            run_round(attempt, seconds, nodes, attempt->answer == ANSWER_LOSES ? steps / ROUND_GROWTH : steps);
            if (attempt->outcome == PROVE_YES) {
                return attempt;
            }
            open = open || attempt->outcome == PROVE_OPEN;
        }
        if (!open) {
            return NULL;
        }
    }
}

/* -- the answer -- */

static void add_counts(struct question *question, const struct prover *prover) {
    question->counts.nodes += prover->counts.nodes;
    question->counts.wins += prover->counts.wins;
    question->counts.adapted += prover->counts.adapted;
    question->counts.covered += prover->counts.covered;
    question->counts.bare += prover->counts.bare;
    question->counts.answered += prover->counts.answered;
    question->threat_nodes += prover->threats.nodes;
    question->asked += prover->adviser.asked;
    question->engine_nodes += prover->adviser.nodes;
    question->probes += prover->table.probes;
    question->hits += prover->table.hits;
}

static void fill_counts(struct question *question, const struct asking *asking) {
    for (int i = 0; i < asking->count; i++) {
        const struct attempt *attempt = &asking->attempts[i];
        const struct prover *first = &attempt->provers[0];
        for (int j = 0; j < attempt->count; j++) {
            add_counts(question, &attempt->provers[j]);
        }
        question->numbers[attempt->answer] =
            prover_hero_moves(first) ? first->root : (struct pn_value){first->root.delta, first->root.phi};
    }
}

#define LEAST_SECONDS 0.001

/* What is left of the time for the building; 0: there is no limit. */
static double seconds_to_build(const struct asking *asking) {
    const struct question_settings *settings = asking->settings;
    double left = settings->seconds + settings->build_seconds - (clock_wall() - asking->start);
    return settings->seconds <= 0 ? 0 : left > LEAST_SECONDS ? left : LEAST_SECONDS;
}

/* Writes the certificate behind what is in the stream, or leaves the stream as it was. */
static enum status write_certificate(struct question *question, struct prover *prover, const struct tree *tree,
                                     int32_t root, FILE *stream, struct error *error) {
    struct certificate certificate;
    long start = ftell(stream);
    enum write_outcome outcome = write_proof(prover, tree, root, stream, start < 0, &certificate);
    if (outcome == WRITE_DONE) {
        question->certificate_bytes = certificate.bytes;
        question->certificate_moves = certificate.moves;
        return STATUS_OK;
    }
    question->answer = ANSWER_NONE;
    if (outcome == WRITE_NO_MEMORY) {
        return error_machine(error, "no memory for the certificate");
    }
    bool back = fflush(stream) == 0 && fseek(stream, start, SEEK_SET) == 0;
    back = back && (fileno(stream) < 0 || ftruncate(fileno(stream), start) == 0); /* memory ends where the stream is */
    return back ? STATUS_OK : error_machine(error, "cannot take back half a certificate");
}

/* Builds the proof and writes it, if the time suffices. */
static enum status build(struct question *question, struct attempt *attempt, FILE *stream, struct error *error) {
    struct prover *prover = &attempt->provers[0];
    struct tree tree = {0};
    enum status status = STATUS_OK;
    question->found = attempt->answer;
    prover_allow(prover, seconds_to_build(attempt->asking), 0, 0);
    int32_t root = prover_build(prover, &tree);
    if (tree.broken) {
        status = error_machine(error, "no memory for the proof");
    } else if (root != TREE_NONE) {
        question->answer = attempt->answer;
        question->move = prover_hero_moves(prover) ? tree.nodes[root].move : NO_SQUARE;
        status = stream ? write_certificate(question, prover, &tree, root, stream, error) : STATUS_OK;
    }
    question->built = prover->built;
    proved_flush(prover->proved);
    tree_free(&tree);
    return status;
}

enum status question_ask(struct question *question, const struct gomoku_position *position,
                         const struct question_settings *settings, struct proved *proved, FILE *stream,
                         struct error *error) {
    *question = (struct question){.answer = ANSWER_NONE, .found = ANSWER_NONE, .move = NO_SQUARE};
    struct asking asking = {.settings = settings, .team = team_new(settings->threads), .start = clock_wall()};
    size_t bytes = settings->hash_bytes ? settings->hash_bytes : USUAL_HASH;
    int wanted = settings->wanted[0] + settings->wanted[1] + settings->wanted[2];
    bool made = asking.team != NULL;
    for (int answer = 0; answer < ANSWER_COUNT && made; answer++) {
        if (settings->wanted[answer]) {
            struct attempt *attempt = &asking.attempts[asking.count++];
            attempt->answer = (enum question_answer)answer;
            made = make_attempt(&asking, attempt, position, proved, bytes / (size_t)wanted);
        }
    }
    enum status status = made ? STATUS_OK : error_machine(error, "no memory to prove anything");
    if (made) {
        struct attempt *found = run_rounds(&asking);
        question->seconds = clock_wall() - asking.start;
        status = found ? build(question, found, stream, error) : STATUS_OK;
        fill_counts(question, &asking);
    }
    for (int i = 0; i < asking.count; i++) {
        free_attempt(&asking.attempts[i]);
    }
    if (asking.team) {
        team_free(asking.team);
    }
    return status;
}
