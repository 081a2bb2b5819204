#include "prove/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/stopwatch.h"
#include "games/laser/rules/laser.h"
#include "games/war/rules/war.h"
#include "prove/certificate.h"

#define MOST_SQUARES (VALUES_MOST_SIZE * VALUES_MOST_SIZE)
#define LEAST_ROOM 4096  /* entries of the table to begin with */
#define LOOK_EVERY 16384 /* positions between two looks at the stop flag */

enum { HERO, VILLAIN };

/* Who holds the squares; in Laser, whose beams cover them, so that a square may be both's. */
struct state {
    uint64_t own[2];
};

/* A state without what can change no more. */
struct outline {
    uint64_t free;
    uint64_t own[2]; /* of the squares that a free one reaches */
    int32_t settled; /* the part of the hero's margin that is certain */
    int32_t worst;   /* the rest lies between these */
    int32_t best;
};

struct entry {
    uint64_t free; /* 0: no entry */
    uint64_t own[2];
    int32_t lower; /* of the hero's margin without what is settled */
    int32_t upper;
    int32_t shown; /* the margin the proof being written shows for it */
    uint32_t name;
    uint8_t side;
    uint8_t best;    /* move */
    uint8_t written; /* in the pass of this number */
    bool referred;   /* to, in the first pass */
};

struct solver {
    const struct values_request *request;
    struct values_report *report;
    struct certificate certificate;
    bool writing; /* not in the first pass, which only finds out what needs a name */
    struct entry *entries;
    size_t room; /* a power of two */
    size_t count;
    uint64_t near[MOST_SQUARES]; /* the squares a move reaches, its own not among them */
    uint64_t playable;
    int32_t values[MOST_SQUARES];
    int32_t sums[MOST_SQUARES / 8][256]; /* values by eight squares */
    int squares;
    int pass;
    double deadline; /* of the wall clock; 0: none */
    bool laser;
    uint64_t shown; /* nodes of the proof */
    bool stopped;
    bool no_memory;
};

/* -- the board -- */

bool values_know(const struct game *game) {
    return game == &war_game || game == &laser_game;
}

bool values_take(const struct game *game, const struct game_position *position) {
    return values_know(game) && game->size(position) <= VALUES_MOST_SIZE;
}

static int32_t weigh(const struct solver *solver, uint64_t squares) {
    int32_t sum = 0;
    for (int i = 0; squares; i++, squares >>= 8) {
        sum += solver->sums[i][squares & 255];
    }
    return sum;
}

static void prepare_sums(struct solver *solver) {
    for (int i = 0; i < MOST_SQUARES / 8; i++) {
        for (int byte = 1; byte < 256; byte++) {
            int lowest = bits_first((uint64_t)byte);
            solver->sums[i][byte] = solver->sums[i][byte & (byte - 1)] + solver->values[8 * i + lowest];
        }
    }
}

static void load_war(struct solver *solver, struct state *sides) {
    const struct war_position *war = (const struct war_position *)solver->request->position;
    for (int square = 0; square < solver->squares; square++) {
        int beside[4];
        for (int i = war_neighbours(war->size, square, beside) - 1; i >= 0; i--) {
            solver->near[square] |= 1ULL << beside[i];
        }
        solver->values[square] = war->values[square];
    }
    sides->own[0] = war->own[0][0];
    sides->own[1] = war->own[1][0];
}

static void load_laser(struct solver *solver, struct state *sides) {
    const struct laser_position *laser = (const struct laser_position *)solver->request->position;
    for (int square = 0; square < solver->squares; square++) {
        uint64_t beams[LASER_WORDS] = {0};
        laser_add_beams(laser, square, beams);
        solver->near[square] = beams[0] & ~(1ULL << square);
        solver->values[square] = 1;
    }
    solver->playable &= ~laser->blocks[0];
    sides->own[0] = laser->covered[0][0];
    sides->own[1] = laser->covered[1][0];
}

/* The position from the hero's side. */
static struct state load(struct solver *solver, int hero) {
    const struct values_request *request = solver->request;
    struct state sides = {0};
    int size = request->game->size(request->position);
    solver->laser = request->game == &laser_game;
    solver->squares = size * size;
    solver->playable = solver->squares == 64 ? ~0ULL : (1ULL << solver->squares) - 1;
    (solver->laser ? load_laser : load_war)(solver, &sides);
    prepare_sums(solver);
    return (struct state){{sides.own[hero], sides.own[1 - hero]}};
}

static struct state play(const struct solver *solver, const struct state *state, int side, int square) {
    struct state after = *state;
    uint64_t near = solver->near[square];
    after.own[side] |= 1ULL << square;
    if (solver->laser) {
        after.own[side] |= near;
    } else if (near & state->own[side]) {
        after.own[side] |= near & state->own[1 - side];
        after.own[1 - side] &= ~near;
    }
    return after;
}

static struct outline outline_of(const struct solver *solver, const struct state *state) {
    struct outline outline = {.free = solver->playable & ~(state->own[0] | state->own[1])};
    uint64_t live = outline.free;
    for (uint64_t left = outline.free; left;) {
        live |= solver->near[bits_pop(&left)];
    }
    for (int side = 0; side < 2; side++) {
        outline.own[side] = state->own[side] & live;
        outline.settled += (side == HERO ? 1 : -1) * weigh(solver, state->own[side] & ~live);
    }
    int32_t all = weigh(solver, live);
    outline.worst = (solver->laser ? weigh(solver, outline.own[HERO]) : 0) - all;
    outline.best = all - (solver->laser ? weigh(solver, outline.own[VILLAIN]) : 0);
    return outline;
}

/* -- the table -- */

static size_t slot_of(const struct solver *solver, const struct outline *outline, int side) {
    uint64_t hash = rng_mix(rng_mix(outline->free ^ (uint64_t)side) ^ outline->own[0]);
    size_t slot = rng_mix(hash ^ outline->own[1]) & (solver->room - 1);
    for (;; slot = (slot + 1) & (solver->room - 1)) {
        const struct entry *entry = &solver->entries[slot];
        if (entry->free == 0 || (entry->free == outline->free && entry->side == side &&
                                 memcmp(entry->own, outline->own, sizeof entry->own) == 0)) {
            return slot;
        }
    }
}

/* Doubles the room. */
static void make_room(struct solver *solver) {
    struct entry *old = solver->entries;
    size_t old_room = solver->room;
    size_t room = old ? 2 * old_room : LEAST_ROOM;
    size_t memory = solver->request->memory;
    if (old && memory && room * sizeof *old > memory) {
        solver->stopped = true;
        return;
    }
    solver->entries = calloc(room, sizeof *solver->entries);
    if (!solver->entries) {
        solver->entries = old;
        solver->no_memory = solver->stopped = true;
        return;
    }
    solver->room = room;
    for (size_t i = 0; old && i < old_room; i++) {
        if (old[i].free) {
            struct outline outline = {.free = old[i].free, .own = {old[i].own[0], old[i].own[1]}};
            solver->entries[slot_of(solver, &outline, old[i].side)] = old[i];
        }
    }
    free(old);
}

/* The entry of a state that is not over, made if there is none; it may move when another is made. */
static struct entry *entry_of(struct solver *solver, const struct outline *outline, int side) {
    struct entry *entry = &solver->entries[slot_of(solver, outline, side)];
    if (entry->free == 0 && solver->count >= solver->room / 2) {
        make_room(solver);
        entry = &solver->entries[slot_of(solver, outline, side)];
    }
    if (entry->free == 0) {
        *entry = (struct entry){.free = outline->free,
                                .own = {outline->own[0], outline->own[1]},
                                .lower = outline->worst,
                                .upper = outline->best,
                                .side = (uint8_t)side,
                                .best = (uint8_t)bits_first(outline->free)};
        solver->count++;
    }
    return entry;
}

/* -- the search -- */

static void look_up(struct solver *solver) {
    const struct values_request *request = solver->request;
    if ((request->stop && atomic_load_explicit(request->stop, memory_order_relaxed)) ||
        (solver->deadline > 0 && clock_wall() > solver->deadline)) {
        solver->stopped = true;
    }
    if (request->progress) {
        request->progress(request->user, solver->report);
    }
}

/* The free squares, those that bring most at once first, and `first` before them all. */
static int order_moves(const struct solver *solver, const struct state *state, int side, uint64_t left, int first,
                       uint8_t *moves) {
    int32_t gains[MOST_SQUARES] = {0};
    int count = 0;
    while (left) {
        int square = bits_pop(&left);
        struct state after = play(solver, state, side, square);
        int32_t gain =
            square == first ? INT32_MAX : weigh(solver, after.own[side]) - weigh(solver, after.own[1 - side]);
        int place = count++;
        for (; place > 0 && gains[place - 1] < gain; place--) {
            gains[place] = gains[place - 1];
            moves[place] = moves[place - 1];
        }
        gains[place] = gain;
        moves[place] = (uint8_t)square;
    }
    return count;
}

/* Whether the hero can end with `margin` or more. */
static bool reaches(struct solver *solver, const struct state *state, int side, int32_t margin) {
    struct outline outline = outline_of(solver, state);
    int32_t need = margin - outline.settled;
    if (need <= outline.worst || need > outline.best || solver->stopped) {
        return need <= outline.worst;
    }
    const struct entry *known = entry_of(solver, &outline, side);
    if (need <= known->lower || need > known->upper) {
        return need <= known->lower;
    }
    if (++solver->report->positions % LOOK_EVERY == 0) {
        look_up(solver);
    }
    uint8_t moves[MOST_SQUARES];
    int count = order_moves(solver, state, side, outline.free, known->best, moves);
    bool good = side == VILLAIN;
    int best = moves[0];
    for (int i = 0; i < count && good == (side == VILLAIN); i++) {
        struct state after = play(solver, state, side, moves[i]);
        good = reaches(solver, &after, 1 - side, margin);
        best = moves[i];
    }
    if (!solver->stopped) {
        struct entry *entry = entry_of(solver, &outline, side);
        entry->lower = good ? need : entry->lower;
        entry->upper = good ? entry->upper : need - 1;
        entry->best = (uint8_t)(good == (side == HERO) ? best : entry->best);
    }
    return good;
}

/* Narrows the bounds of the report to the value, the side to move being the hero. */
static void find_value(struct solver *solver, const struct state *state) {
    struct values_report *report = solver->report;
    struct outline outline = outline_of(solver, state);
    report->lower = outline.settled + outline.worst;
    report->upper = outline.settled + outline.best;
    while (report->lower < report->upper && !solver->stopped) {
        int32_t middle = report->lower + (report->upper - report->lower + 1) / 2;
        bool good = reaches(solver, state, HERO, middle);
        if (!solver->stopped) {
            report->lower = good ? middle : report->lower;
            report->upper = good ? report->upper : middle - 1;
        }
    }
}

/* -- the certificate -- */

/* Whether a node needs no proof of its own: it is certain, or written already. */
static bool is_easy(struct solver *solver, const struct state *state, int side, int32_t margin) {
    struct outline outline = outline_of(solver, state);
    int32_t need = margin - outline.settled;
    if (need <= outline.worst) {
        return true;
    }
    if (outline.free == 0) {
        return false;
    }
    const struct entry *entry = &solver->entries[slot_of(solver, &outline, side)];
    return entry->free && entry->written == solver->pass && need <= entry->shown;
}

/* A move that keeps the margin, one that makes the proof short if there is any. */
static int choose(struct solver *solver, const struct state *state, uint64_t left, int best, int32_t margin) {
    for (uint64_t easy = left; easy;) {
        int square = bits_pop(&easy);
        struct state after = play(solver, state, HERO, square);
        if (is_easy(solver, &after, VILLAIN, margin)) {
            return square;
        }
    }
    uint8_t moves[MOST_SQUARES];
    int count = order_moves(solver, state, HERO, left, best, moves);
    for (int i = 0; i < count; i++) {
        struct state after = play(solver, state, HERO, moves[i]);
        if (reaches(solver, &after, VILLAIN, margin)) {
            return moves[i];
        }
    }
    return best; /* only when stopped */
}

static void write_node(struct solver *solver, const struct state *state, int side, int32_t margin);

static void write_after(struct solver *solver, const struct state *state, int side, int square, int32_t margin) {
    struct state after = play(solver, state, side, square);
    write_node(solver, &after, 1 - side, margin);
}

static void write_code(struct solver *solver, enum certificate_code code) {
    if (solver->writing) {
        certificate_code(&solver->certificate, code);
    }
}

/* The node of a state whose margin is reached. */
static void write_node(struct solver *solver, const struct state *state, int side, int32_t margin) {
    struct outline outline = outline_of(solver, state);
    int32_t need = margin - outline.settled;
    if (need <= outline.worst) {
        write_code(solver, CERTIFICATE_BOUND);
        return;
    }
    struct entry *entry = entry_of(solver, &outline, side);
    if (++solver->shown % LOOK_EVERY == 0) {
        look_up(solver);
    }
    if (solver->stopped) {
        return;
    }
    if (entry->written == solver->pass && need <= entry->shown) {
        entry->referred = true;
        if (solver->writing) {
            certificate_refer(&solver->certificate, entry->name);
        }
        return;
    }
    bool named = entry->referred;
    if (named) {
        write_code(solver, CERTIFICATE_NAME);
    }
    if (side == HERO) {
        int square = choose(solver, state, outline.free, entry->best, margin);
        if (solver->writing) {
            certificate_move(&solver->certificate, square);
        }
        write_after(solver, state, HERO, square, margin);
    } else {
        write_code(solver, CERTIFICATE_COVER);
        for (uint64_t left = outline.free; left;) {
            write_after(solver, state, VILLAIN, bits_pop(&left), margin);
        }
    }
    entry = entry_of(solver, &outline, side);
    entry->written = (uint8_t)solver->pass;
    entry->shown = need;
    entry->name = named && solver->writing ? certificate_named(&solver->certificate) : 0;
}

static void write_head(struct solver *solver, int hero, int32_t margin) {
    const struct values_request *request = solver->request;
    const struct game *game = request->game;
    int size = game->size(request->position);
    uint8_t board[MOST_SQUARES];
    for (int square = 0; square < solver->squares; square++) {
        struct game_cell cell;
        game->cell(request->position, square / size, square % size, &cell);
        board[square] = cell.ink == GAME_INK_FIRST    ? 1
                        : cell.ink == GAME_INK_SECOND ? 2
                        : cell.ink == GAME_INK_BLOCK  ? 3
                                                      : 0;
    }
    struct certificate_claim claim = {
        .game = game->properties->name,
        .rule = solver->laser ? "standard" : game->properties->variants[game->variant(request->position)],
        .size = size,
        .to_move = game->to_move(request->position),
        .hero = hero,
        .kind = CERTIFICATE_MARGIN,
        .margin = margin,
        .board = board,
        .values = solver->laser ? NULL : solver->values,
    };
    certificate_begin(&solver->certificate, request->stream, &claim);
}

/* Shows that the hero reaches the margin: once to see what needs a name, once in writing. */
static void write_proof(struct solver *solver, const struct state *state, int hero, int32_t margin) {
    int side = hero == solver->request->game->to_move(solver->request->position) ? HERO : VILLAIN;
    reaches(solver, state, side, margin);
    for (solver->pass = 1; solver->pass <= 2 && !solver->stopped; solver->pass++) {
        if (solver->pass == 2) {
            write_head(solver, hero, margin);
            solver->writing = true;
        }
        write_node(solver, state, side, margin);
    }
    if (!solver->stopped) {
        certificate_end(&solver->certificate);
        solver->report->bytes += solver->certificate.bytes;
        solver->report->moves += solver->certificate.moves;
    }
}

/* Everything that is about one side as the hero: the value where that is the side to move, and its certificate. */
static enum status prove_side(const struct values_request *request, struct values_report *report, int hero,
                              double deadline, struct error *error) {
    struct solver *solver = calloc(1, sizeof *solver);
    if (!solver) {
        return error_machine(error, "out of memory");
    }
    solver->request = request;
    solver->report = report;
    solver->deadline = deadline;
    struct state state = load(solver, hero);
    make_room(solver);
    bool mover = hero == request->game->to_move(request->position);
    if (mover && !solver->stopped) {
        find_value(solver, &state);
    }
    if (request->stream && !solver->stopped) {
        write_proof(solver, &state, hero, mover ? report->lower : -report->upper);
    }
    report->settled = !solver->stopped;
    enum status status = solver->no_memory ? error_machine(error, "out of memory") : STATUS_OK;
    free(solver->entries);
    free(solver);
    return status;
}

enum status values_prove(const struct values_request *request, struct values_report *report, struct error *error) {
    int mover = request->game->to_move(request->position);
    double deadline = request->seconds > 0 ? clock_wall() + request->seconds : 0;
    *report = (struct values_report){0};
    enum status status = prove_side(request, report, mover, deadline, error);
    if (status == STATUS_OK && report->settled && request->stream) {
        status = prove_side(request, report, 1 - mover, deadline, error);
    }
    return status;
}
