#include "games/war/whole/whole_solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/stopwatch.h"

/* Positions a second of this machine's processor, about. */
#define PROCESSOR_PACE 4e10

/* A guess may take as long as a pass does, but there is no sense in less or more than this. */
#define LEAST_GUESS_SECONDS 0.3
#define MOST_GUESS_SECONDS 10.0

struct solving {
    const struct whole_request *request;
    struct whole_solution *solution;
    struct whole_pass *pass; /* on the processor */
    void *state;             /* of the backend */
    double words;            /* that a pass makes */
};

/* Tells how far the pass is. */
static void whole_tick(void *user, uint64_t words_made) {
    const struct solving *solving = user;
    const struct whole_request *request = solving->request;
    request->progress(request->user, solving->solution, (double)words_made / solving->words);
}

static int32_t whole_limit(int32_t value, int32_t least, int32_t most) {
    return value < least ? least : value > most ? most : value;
}

/* A target answered: where it is reached the value is at least so much, elsewhere at least 2 less, since all final
 * margins of a board are odd or all even. */
static void learn(struct whole_bounds *bounds, int32_t target, bool reached) {
    if (reached) {
        bounds->lower = target > bounds->lower ? target : bounds->lower;
    } else {
        bounds->upper = target - 2 < bounds->upper ? target - 2 : bounds->upper;
    }
}

static bool is_known(const struct whole_bounds *bounds) {
    return bounds->lower >= bounds->upper;
}

static enum status whole_ask(struct solving *solving, int32_t target, bool *reached, bool *finished,
                             struct error *error) {
    const struct whole_request *request = solving->request;
    struct whole_solution *solution = solving->solution;
    struct whole_answers answers;
    struct whole_watch watch = {request->stop, request->progress ? whole_tick : NULL, solving};
    double start = clock_wall();
    enum status status = STATUS_OK;
    *finished = true;
    if (request->backend) {
        status = request->backend->run(solving->state, target, &watch, &answers, finished, error);
    } else {
        *finished = whole_pass_run(solving->pass, target, &watch, &answers);
    }
    if (status != STATUS_OK || !*finished) {
        return status;
    }
    solution->passes++;
    solution->seconds += clock_wall() - start;
    learn(&solution->value, target, answers.root);
    const struct whole_board *board = &request->layout->board;
    bool keeps = board->side == WAR_X; /* for X a move that reaches the target proves it, for O one that does not */
    bool proves = keeps ? target == solution->value.lower : target - 2 == solution->value.upper;
    for (int square = 0; square < board->squares; square++) {
        if (board->filled >> square & 1) {
            continue;
        }
        bool after = answers.moves[1] >> square & 1;
        learn(&solution->moves[1][square], target, after);
        learn(&solution->moves[0][square], target, answers.moves[0] >> square & 1);
        if (after == keeps && answers.root == keeps && proves) {
            solution->best = square;
        }
    }
    *reached = answers.root;
    return STATUS_OK;
}

/* The next target for bounds: the one between them nearest to where the value is thought to be. */
static int32_t aim(const struct whole_bounds *bounds, int32_t at) {
    int32_t steps = (at - bounds->lower) / 2;
    return whole_limit(bounds->lower + 2 * steps, bounds->lower + 2, bounds->upper);
}

/* Where the value may be. It is asked for when it is known where the passes run, since their pace says how long it is
 * worth thinking about. */
static int32_t whole_guess(const struct solving *solving) {
    const struct whole_request *request = solving->request;
    double pace = request->backend ? request->backend->pace : PROCESSOR_PACE;
    double seconds = solving->solution->positions / pace;
    seconds = seconds < LEAST_GUESS_SECONDS ? LEAST_GUESS_SECONDS : seconds;
    seconds = seconds > MOST_GUESS_SECONDS ? MOST_GUESS_SECONDS : seconds;
    return request->guess ? request->guess(request->user, seconds) : 0;
}

/* Walks from the guess with growing steps until the answer changes, then halves. */
static enum status whole_close_in(struct solving *solving, bool *finished, struct error *error) {
    struct whole_bounds *value = &solving->solution->value;
    int32_t target = aim(value, whole_guess(solving));
    int32_t step = 2;
    bool turned = false;
    bool before = false;
    for (int i = 0; !is_known(value); i++) {
        bool reached;
        enum status status = whole_ask(solving, target, &reached, finished, error);
        if (status != STATUS_OK || !*finished) {
            return status;
        }
        turned |= i > 0 && reached != before;
        before = reached;
        int32_t next = reached ? target + step : target - step;
        step *= 3;
        target = aim(value, turned ? value->lower + (value->upper - value->lower + 2) / 2 : next);
    }
    return STATUS_OK;
}

/* Halves the widest bounds left, until every move's value is known. One pass answers for all of them. */
static enum status close_in_all(struct solving *solving, bool *finished, struct error *error) {
    const struct whole_board *board = &solving->request->layout->board;
    for (;;) {
        struct whole_bounds *widest = NULL;
        for (int move = 0; move < 2 * board->squares; move++) {
            int square = move / 2;
            struct whole_bounds *bounds = &solving->solution->moves[move & 1][square];
            bool open = !(board->filled >> square & 1) && !is_known(bounds);
            if (open && (!widest || bounds->upper - bounds->lower > widest->upper - widest->lower)) {
                widest = bounds;
            }
        }
        if (!widest) {
            return STATUS_OK;
        }
        bool reached;
        int32_t middle = widest->lower + (widest->upper - widest->lower + 2) / 2;
        enum status status = whole_ask(solving, aim(widest, middle), &reached, finished, error);
        if (status != STATUS_OK || !*finished) {
            return status;
        }
    }
}

/* The positions of the layer of k. */
static double layer_positions(const struct whole_layout *layout, int k) {
    return ldexp((double)layout->high_rank[k][layout->high_sets], layout->board.pieces + k);
}

static void count_work(const struct whole_layout *layout, struct whole_solution *solution) {
    solution->bytes = whole_layout_bytes(layout);
    for (int k = 0; k <= layout->board.empties; k++) {
        solution->positions += layer_positions(layout, k);
        solution->joined += layer_positions(layout, k) * (layout->board.empties - k);
    }
}

/* Says where it was solved and closes the backend. */
static void tell_of_machine(struct solving *solving) {
    const struct whole_request *request = solving->request;
    const struct whole_backend *backend = request->backend;
    struct whole_solution *solution = solving->solution;
    if (!backend) {
        solution->bandwidth = request->measure ? whole_pass_bandwidth(solving->pass) : 0;
        return;
    }
    solution->bandwidth = request->measure && backend->bandwidth ? backend->bandwidth(solving->state) : 0;
    snprintf(solution->machine, sizeof solution->machine, "%s", backend->describe(solving->state));
    solution->traffic = backend->traffic ? backend->traffic(solving->state) : 0;
    backend->close(solving->state);
}

enum status whole_solve(const struct whole_request *request, struct whole_solution *solution, struct error *error) {
    const struct whole_board *board = &request->layout->board;
    struct solving solving = {.request = request, .solution = solution};
    memset(solution, 0, sizeof *solution);
    solution->best = -1;
    solution->value = (struct whole_bounds){board->settled - board->total, board->settled + board->total};
    for (int square = 0; square < board->squares; square++) {
        solution->moves[0][square] = solution->moves[1][square] = solution->value;
    }
    count_work(request->layout, solution);
    for (int k = 0; k < board->empties; k++) {
        solving.words += (double)request->layout->layer_words[k];
    }
    if (request->backend) {
        solving.state = request->backend->open(&request->layout->board, error);
        if (!solving.state) {
            return STATUS_FAIL;
        }
    } else {
        solving.pass = whole_pass_new(request->layout, request->threads, false, request->kernel);
        if (!solving.pass) {
            return error_machine(error, "out of memory: %.1f GB are needed", (double)solution->bytes / 1e9);
        }
    }
    bool finished = true;
    enum status status = whole_close_in(&solving, &finished, error);
    if (status == STATUS_OK && finished && request->all) {
        status = close_in_all(&solving, &finished, error);
    }
    tell_of_machine(&solving);
    whole_pass_free(solving.pass);
    return status;
}
