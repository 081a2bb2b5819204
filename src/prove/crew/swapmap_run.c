#include "prove/crew/swapmap_run.h"

#include <pthread.h>
#include <stdlib.h>

#include "crew/wire.h"
#include "engine/engine.h"
#include "games/gomoku/rules/gomoku.h"
#include "system/thread.h"

#define GAMES_A_UNIT 4
/* A game that lasts so long is called a draw: neither side gets through any more. */
#define LONGEST_GAME 150
/* Values beyond this say that the game is decided. */
#define DECIDED (GAME_WIN_VALUE - 1000)

/* The work is cut into units of a few seconds each: one search of a square's value, or a few games from it. */
struct unit {
    int index;
    int first_game; /* -1: the search */
    int games;
    bool answered; /* by a helper */
};

#define MOST_UNITS (GOMOKU_SWAP_SQUARES * (SWAPMAP_MOST_GAMES / GAMES_A_UNIT + 2))

struct work {
    const struct swapmap_settings *settings;
    struct swapmap *map; /* a square changes there when all its units are done */
    struct swapmap_entry open[GOMOKU_SWAP_SQUARES];
    int units_left[GOMOKU_SWAP_SQUARES];
    struct unit *units; /* owned */
    int unit_count;
    int next;                       /* unit to hand out */
    struct search_control *control; /* whose stop ends everything */
    swapmap_done *done;
    void *user;
    enum status status;
    struct error *error;
    pthread_mutex_t lock;
};

static bool stopped(const struct work *work) {
    return atomic_load(&work->control->stop);
}

/* One game of the engine with itself from the lone stone; *outcome is 1, 0, -1 for the owner of the stone. Each game
 * has a different number of nodes a move, which is enough to make it a different game. */
static enum status play_game(struct engine *engine, const struct work *work, int square, int game, int *outcome,
                             struct error *error) {
    const struct swapmap_settings *settings = work->settings;
    struct gomoku_position position;
    gomoku_clear(&position, GOMOKU_SWAP_SIZE, GOMOKU_FREESTYLE);
    gomoku_put(&position, square);
    struct engine_request request = {.method = SEARCH_ENGINE};
    request.limits.nodes = settings->nodes + settings->nodes * (uint64_t)(game * 37 % 1000) / 1000;
    engine_clear(engine);
    while (position.winner == GOMOKU_NO_WINNER && position.count < LONGEST_GAME && !stopped(work)) {
        struct search_result result;
        int owner_moves = position.count % 2 == 0 ? 1 : -1;
        enum status status = engine_go(engine, &gomoku_game, (const struct game_position *)&position, &request,
                                       work->control, &result, error);
        if (status != STATUS_OK) {
            return status;
        }
        if (result.value > DECIDED || result.value < -DECIDED) {
            *outcome = result.value > 0 ? owner_moves : -owner_moves;
            return STATUS_OK;
        }
        gomoku_put(&position, (int)result.move);
    }
    *outcome = position.winner == GOMOKU_X ? 1 : position.winner == GOMOKU_O ? -1 : 0;
    return STATUS_OK;
}

/* The values of the last two depths. */
struct last_values {
    int depth;
    game_score value[2]; /* the newest first */
    const atomic_bool *interrupt;
    struct search_control *control;
};

static void on_info(void *user, const struct search_result *report) {
    struct last_values *last = user;
    if (report->depth > last->depth) {
        last->value[1] = last->depth ? last->value[0] : report->value;
        last->depth = report->depth;
    }
    last->value[0] = report->value;
    if (atomic_load(last->interrupt)) {
        atomic_store(&last->control->stop, true);
    }
}

/* The value of the lone stone for its owner. A search of odd depth gives the first mover one move more than its
 * opponent and an even one does not, which is worth more than most squares are; the mean of two depths is free of it.
 */
static enum status search_value(struct engine *engine, const struct work *work, int square, struct swapmap_entry *entry,
                                struct error *error) {
    struct gomoku_position position;
    struct search_result result = {0};
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = work->settings->search};
    struct search_control control = {.info = on_info};
    struct last_values last = {.interrupt = &work->control->stop, .control = &control};
    control.user = &last;
    gomoku_clear(&position, GOMOKU_SWAP_SIZE, GOMOKU_FREESTYLE);
    gomoku_put(&position, square);
    engine_clear(engine);
    enum status status =
        engine_go(engine, &gomoku_game, (const struct game_position *)&position, &request, &control, &result, error);
    entry->value = last.depth ? -(last.value[0] + last.value[1]) / 2 : -(int)result.value;
    entry->depth = result.depth;
    entry->nodes = result.nodes;
    return status;
}

/* Does one unit and puts what came out into *part. */
static enum status do_unit(struct engine *engine, const struct work *work, const struct unit *unit,
                           struct swapmap_entry *part, struct error *error) {
    int square = gomoku_swap_square(unit->index);
    enum status status = unit->first_game < 0 ? search_value(engine, work, square, part, error) : STATUS_OK;
    for (int i = 0; i < unit->games && status == STATUS_OK; i++) {
        int outcome = 0;
        status = play_game(engine, work, square, unit->first_game + i, &outcome, error);
        part->won += outcome > 0;
        part->drawn += outcome == 0;
        part->lost += outcome < 0;
    }
    return status;
}

/* Takes the finished unit in; the lock is held. */
static void finish_unit(struct work *work, const struct unit *unit, const struct swapmap_entry *part) {
    int index = unit->index;
    struct swapmap_entry *entry = &work->open[index];
    if (unit->first_game < 0) {
        entry->value = part->value;
        entry->depth = part->depth;
        entry->nodes = part->nodes;
    }
    entry->won += part->won;
    entry->drawn += part->drawn;
    entry->lost += part->lost;
    if (--work->units_left[index] > 0) {
        return;
    }
    entry->known = true;
    work->map->entries[index] = *entry;
    work->status = work->done(work->user, work->map, index, work->error);
}

static void *labour(void *argument) {
    struct work *work = argument;
    struct searcher_options options = {.threads = 1, .hash_bytes = work->settings->hash_bytes};
    struct engine *engine = engine_new(&options);
    pthread_mutex_lock(&work->lock);
    if (!engine) {
        work->status = error_machine(work->error, "out of memory");
    }
    while (work->status == STATUS_OK && work->next < work->unit_count && !stopped(work)) {
        const struct unit *unit = &work->units[work->next++];
        pthread_mutex_unlock(&work->lock);
        struct swapmap_entry part = {0};
        struct error error = {0};
        enum status status = do_unit(engine, work, unit, &part, &error);
        pthread_mutex_lock(&work->lock);
        if (status != STATUS_OK) {
            work->status = status;
            *work->error = error;
        } else if (!stopped(work) && work->status == STATUS_OK) {
            finish_unit(work, unit, &part);
        }
    }
    pthread_mutex_unlock(&work->lock);
    engine_free(engine);
    return NULL;
}

/* -- a crew -- */

/* A unit as a number, and back. */
static int64_t unit_number(const struct unit *unit) {
    return unit->index | (int64_t)(unit->first_game + 1) << 8 | (int64_t)unit->games << 32;
}

static struct unit unit_of(int64_t number) {
    return (struct unit){
        .index = (int)(number & 255), .first_game = (int)(number >> 8 & 0xffffff) - 1, .games = (int)(number >> 32)};
}

static int64_t next_for_crew(void *user) {
    struct work *work = user;
    bool more = work->status == STATUS_OK && work->next < work->unit_count && !stopped(work);
    return more ? unit_number(&work->units[work->next++]) : -1;
}

/* The unit of that number, where it was given out and not answered yet; NULL otherwise. */
static struct unit *find_given(const struct work *work, int64_t number) {
    for (int i = 0; i < work->next; i++) {
        if (unit_number(&work->units[i]) == number) {
            return work->units[i].answered ? NULL : &work->units[i];
        }
    }
    return NULL;
}

/* A helper's answer: the unit's number and what came out. */
static void write_answer(int64_t number, const struct swapmap_entry *part, struct text *answer) {
    wire_add_number(answer, number);
    wire_add_number(answer, part->value);
    wire_add_number(answer, part->depth);
    wire_add_number(answer, (int64_t)part->nodes);
    wire_add_number(answer, part->won);
    wire_add_number(answer, part->drawn);
    wire_add_number(answer, part->lost);
}

static bool read_answer(const struct text *answer, int64_t *number, struct swapmap_entry *part) {
    struct wire wire;
    wire_init(&wire, text_string(answer), answer->length);
    *number = wire_number(&wire, 0, INT64_MAX);
    *part = (struct swapmap_entry){0};
    part->value = (int)wire_number(&wire, -GAME_WIN_VALUE, GAME_WIN_VALUE);
    part->depth = (int)wire_number(&wire, 0, GOMOKU_MOST_SQUARES);
    part->nodes = (uint64_t)wire_number(&wire, 0, INT64_MAX);
    part->won = (int)wire_number(&wire, 0, GAMES_A_UNIT);
    part->drawn = (int)wire_number(&wire, 0, GAMES_A_UNIT);
    part->lost = (int)wire_number(&wire, 0, GAMES_A_UNIT);
    return wire_end(&wire);
}

static enum status take_from_crew(void *user, const struct text *answer, struct error *error) {
    struct work *work = user;
    struct swapmap_entry part;
    int64_t number;
    if (!read_answer(answer, &number, &part)) {
        return error_machine(error, "a helper's answer is no part of the map");
    }
    struct unit *unit = find_given(work, number);
    if (!unit || part.won + part.drawn + part.lost != unit->games) {
        return error_machine(error, "a helper answered for a square it was not given");
    }
    unit->answered = true;
    finish_unit(work, unit, &part);
    return work->status;
}

static bool crew_ended(void *user) {
    return stopped(user);
}

/* The helpers do the jobs; this process keeps the map. */
static enum status lead(struct work *work) {
    struct text brief = TEXT_EMPTY;
    text_add_string(&brief, "swapmap");
    struct crew_work leading = {
        .brief = &brief, .next = next_for_crew, .take = take_from_crew, .ended = crew_ended, .user = work};
    enum status status = crew_lead(work->settings->crew, &leading, work->error);
    text_free(&brief);
    return status;
}

struct helping {
    struct work work;
    struct engine *engine;
};

static enum status do_for_crew(void *user, const struct crew_unit *given, struct text *answer, struct error *error) {
    struct helping *helping = user;
    struct unit unit = unit_of(given->number);
    struct swapmap_entry part = {0};
    if (unit.index >= GOMOKU_SWAP_SQUARES || unit.games < 0 || unit.games > GAMES_A_UNIT) {
        return error_machine(error, "there is no such square");
    }
    enum status status = do_unit(helping->engine, &helping->work, &unit, &part, error);
    if (status != STATUS_OK) {
        return status;
    }
    write_answer(given->number, &part, answer);
    return STATUS_OK;
}

enum status swapmap_help(const struct swapmap_settings *settings, struct search_control *control, struct error *error) {
    struct searcher_options options = {.threads = 1, .hash_bytes = settings->hash_bytes};
    struct helping helping = {.work = {.settings = settings, .control = control}, .engine = engine_new(&options)};
    struct text brief = TEXT_EMPTY;
    enum status status = helping.engine ? STATUS_OK : error_machine(error, "out of memory");
    if (status == STATUS_OK && crew_brief(settings->crew, &brief)) {
        status = crew_help(settings->crew, do_for_crew, &helping, error);
    }
    text_free(&brief);
    engine_free(helping.engine);
    return status;
}

/* -- all of it -- */

/* Lists what is missing: squares that are not known, and games that a known square has too few of. */
static void plan_units(struct work *work) {
    for (int index = 0; index < GOMOKU_SWAP_SQUARES; index++) {
        const struct swapmap_entry *entry = &work->map->entries[index];
        int before = work->unit_count;
        work->open[index] = *entry;
        if (!entry->known) {
            work->units[work->unit_count++] = (struct unit){.index = index, .first_game = -1};
        }
        for (int game = entry->won + entry->drawn + entry->lost; game < work->settings->games; game += GAMES_A_UNIT) {
            int left = work->settings->games - game;
            work->units[work->unit_count++] =
                (struct unit){.index = index, .first_game = game, .games = left < GAMES_A_UNIT ? left : GAMES_A_UNIT};
        }
        work->units_left[index] = work->unit_count - before;
    }
}

enum status swapmap_run(const struct swapmap_settings *settings, struct swapmap *map, struct search_control *control,
                        swapmap_done *done, void *user, struct error *error) {
    struct work state = {.settings = settings, .map = map, .control = control, .done = done, .user = user};
    struct work *work = &state;
    work->error = error;
    pthread_t threads[SWAPMAP_MOST_JOBS];
    int started = 0;
    work->units = calloc(MOST_UNITS, sizeof *work->units);
    if (!work->units) {
        return work->status = error_machine(work->error, "out of memory");
    }
    plan_units(work);
    if (settings->crew) {
        work->status = lead(work);
        free(work->units);
        return work->status;
    }
    pthread_mutex_init(&work->lock, NULL);
    while (started < work->settings->jobs && thread_start(&threads[started], labour, work) == 0) {
        started++;
    }
    if (started == 0) {
        labour(work);
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_mutex_destroy(&work->lock);
    free(work->units);
    return work->status;
}
