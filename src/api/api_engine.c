/* The public C API: the engine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "formats/line.h"
#include "game/levels.h"
#include "games/gomoku/rules/gomoku.h"
#include "system/machine.h"

#define MOST_THREADS 256

static sortie_status read_options(const sortie_engine_options *options, struct searcher_options *inner,
                                  sortie_error *error) {
    sortie_engine_options known = {0};
    if (options && !api_take(&known, sizeof known, options)) {
        return api_bad(error, "expected the options' size to be set, and nothing in them this version does not know");
    }
    if (known.threads < SORTIE_ALL_CORES || known.threads > MOST_THREADS) {
        return api_bad(error, "expected 0 to 256 threads, or SORTIE_ALL_CORES");
    }
    inner->threads = known.threads == SORTIE_ALL_CORES ? machine_cores() : known.threads;
    inner->threads = inner->threads > MOST_THREADS ? MOST_THREADS : inner->threads;
    inner->hash_bytes = known.hash_bytes == SORTIE_SHARE_OF_MEMORY
                            ? machine_table_share(60, inner->threads > 0 ? inner->threads : 1)
                            : known.hash_bytes;
    return SORTIE_OK;
}

sortie_status sortie_engine_new(const sortie_engine_options *options, sortie_engine **out, sortie_error *error) {
    struct searcher_options inner = {0};
    sortie_status status = read_options(options, &inner, error);
    if (status != SORTIE_OK) {
        return status;
    }
    sortie_engine *engine = calloc(1, sizeof *engine);
    if (engine) {
        engine->engine = engine_new(&inner);
        engine->threads = inner.threads;
        engine->hash_bytes = inner.hash_bytes;
    }
    if (!engine || !engine->engine) {
        free(engine);
        return api_no_memory(error);
    }
    *out = engine;
    return SORTIE_OK;
}

void sortie_engine_free(sortie_engine *engine) {
    if (engine) {
        engine_free(engine->engine);
        free(engine);
    }
}

void sortie_engine_stop(sortie_engine *engine) {
    atomic_store(&engine->control.stop, true);
}

void sortie_engine_arm(sortie_engine *engine) {
    atomic_store(&engine->control.stop, false);
    atomic_store(&engine->armed, true);
}

void sortie_engine_clear(sortie_engine *engine) {
    engine_clear(engine->engine);
}

char *sortie_engine_counters(const sortie_engine *engine) {
    struct text text = TEXT_EMPTY;
    engine_stats(engine->engine, &text);
    return api_release(&text);
}

sortie_status api_begin(sortie_engine *engine, sortie_error *error) {
    if (atomic_exchange(&engine->busy, true)) {
        return api_bad(error,
                       "the engine is searching already: it does one search at a time, and a copy that fork made "
                       "of it during one is of no use");
    }
    if (!atomic_exchange(&engine->armed, false)) {
        atomic_store(&engine->control.stop, false);
    }
    return SORTIE_OK;
}

void api_end(sortie_engine *engine) {
    atomic_store(&engine->busy, false);
}

/* -- limits -- */

static bool is_seconds(double seconds) {
    return isfinite(seconds) && seconds >= 0;
}

sortie_status api_limits(const sortie_limits *given, sortie_limits *limits, sortie_error *error) {
    if (!api_take(limits, sizeof *limits, given)) {
        return api_bad(error, "expected the limits' size to be set, and nothing in them this version does not know");
    }
    if ((unsigned)limits->method > SORTIE_ENGINE) {
        return api_bad(error, "expected a method: greedy, minimax, alpha-beta or the engine");
    }
    if ((unsigned)limits->goal > SORTIE_WIN) {
        return api_bad(error, "expected a goal: the best move, the exact value, or win, draw or loss");
    }
    if (!is_seconds(limits->wall_seconds) || !is_seconds(limits->cpu_seconds) ||
        !is_seconds(limits->cpu_seconds_left) || !is_seconds(limits->wall_seconds_left)) {
        return api_bad(error, "expected limits in seconds that are not negative");
    }
    if (limits->depth < 0 || limits->multi_pv < 0) {
        return api_bad(error, "expected a depth and a number of lines that are not negative");
    }
    return SORTIE_OK;
}

struct search_limits api_search_limits(const sortie_limits *limits) {
    return (struct search_limits){.goal = (enum search_goal)limits->goal,
                                  .depth = limits->depth,
                                  .nodes = limits->nodes,
                                  .wall_seconds = limits->wall_seconds,
                                  .cpu_seconds = limits->cpu_seconds,
                                  .cpu_seconds_left = limits->cpu_seconds_left,
                                  .wall_seconds_left = limits->wall_seconds_left,
                                  .multi_pv = limits->multi_pv};
}

/* -- results and reports -- */

void api_translate(const struct game *game, const struct game_position *board, struct game_position *scratch,
                   const struct search_result *from, sortie_result *to) {
    memset(to, 0, sizeof *to);
    to->size = sizeof *to;
    to->value = (int)from->value;
    to->proved = from->certainty == SEARCH_PROVED;
    to->lower = (int)from->lower;
    to->upper = (int)from->upper;
    to->depth = from->depth;
    to->line = from->line;
    to->nodes = from->nodes;
    to->leaves = from->leaves;
    to->cutoffs = from->cutoffs;
    to->wall_seconds = from->wall_seconds;
    to->cpu_seconds = from->cpu_seconds;
    if (game->chances) {
        double chances[3];
        game->chances(board, from->value, chances);
        to->win = chances[0];
        to->draw = chances[1];
        to->loss = chances[2];
    }
    game->move_text(board, from->move, to->move);
    to->line_length = line_name(game, board, from->pv, from->pv_length, scratch, to->line_moves, SORTIE_MOST_LINE);
}

/* What a report or a step needs to be passed on. */
struct listener {
    const struct game *game;
    const struct game_position *board;
    const sortie_limits *limits;
    struct game_position *scratch; /* owned; for the lines of reports */
    /* Only where steps are listened to: the walk so far. */
    struct game_position *walk; /* owned */
    struct game_undo *undos;    /* owned; one a ply */
    sortie_move *moves;         /* owned; one a ply, that led to it */
    int plies;
};

static void pass_on_info(void *user, const struct search_result *report) {
    const struct listener *listener = user;
    sortie_result result;
    api_translate(listener->game, listener->board, listener->scratch, report, &result);
    listener->limits->on_info(listener->limits->user, &result);
}

/* Goes back on the walk until `plies` moves are left. */
static void walk_back(struct listener *listener, int plies) {
    while (listener->plies > plies) {
        listener->game->undo(listener->walk, &listener->undos[--listener->plies]);
    }
}

static void pass_on_step(struct listener *listener, const struct textbook_step *from, sortie_step_kind kind) {
    sortie_step step = {.size = sizeof step,
                        .kind = kind,
                        .depth = from->depth,
                        .value = from->value,
                        .alpha = from->alpha,
                        .beta = from->beta};
    if (from->depth > 0) {
        memcpy(step.move, listener->moves[from->depth - 1], sizeof step.move);
    }
    listener->limits->on_step(listener->limits->user, &step);
}

/* A new node: its move is played on the walk, so that its name is told as of the position it is played in. */
static void pass_on_node(struct listener *listener, const struct textbook_step *step, sortie_step_kind kind) {
    if (step->depth > 0) {
        walk_back(listener, step->depth - 1);
        listener->game->move_text(listener->walk, step->move, listener->moves[step->depth - 1]);
        listener->game->play(listener->walk, step->move, &listener->undos[listener->plies++]);
    }
    pass_on_step(listener, step, kind);
}

static void on_enter(void *user, const struct textbook_step *step) {
    pass_on_node(user, step, SORTIE_ENTER);
}

static void on_leaf(void *user, const struct textbook_step *step) {
    pass_on_node(user, step, SORTIE_LEAF);
}

static void on_after_child(void *user, const struct textbook_step *step, bool cut) {
    walk_back(user, step->depth);
    pass_on_step(user, step, cut ? SORTIE_CUT : SORTIE_RETURN);
}

static void listener_free(struct listener *listener) {
    free(listener->scratch);
    free(listener->walk);
    free(listener->undos);
    free(listener->moves);
}

static bool listener_new(struct listener *listener, bool steps) {
    const struct game_properties *properties = listener->game->properties;
    size_t plies = (size_t)properties->most_plies + 1;
    listener->scratch = malloc(properties->position_size);
    bool good = listener->scratch;
    if (steps) {
        listener->walk = malloc(properties->position_size);
        listener->undos = malloc(plies * sizeof *listener->undos);
        listener->moves = malloc(plies * sizeof *listener->moves);
        good = good && listener->walk && listener->undos && listener->moves;
    }
    if (!good) {
        listener_free(listener);
    } else if (steps) {
        memcpy(listener->walk, listener->board, properties->position_size);
    }
    return good;
}

sortie_status api_search(sortie_engine *engine, const struct game *game, const struct game_position *board,
                         const struct engine_request *request, const sortie_limits *limits,
                         struct search_result *result, sortie_error *error) {
    bool textbook = request->method != SEARCH_ENGINE;
    bool steps = textbook && limits->on_step && !request->visitor;
    struct listener listener = {.game = game, .board = board, .limits = limits};
    if (!listener_new(&listener, steps)) {
        return api_no_memory(error);
    }
    const struct textbook_visitor visitor = {
        .user = &listener, .enter = on_enter, .leaf = on_leaf, .after_child = on_after_child};
    static const struct textbook_visitor silent = {0}; /* whoever is watched takes no short cuts */
    struct engine_request asked = *request;
    struct gomoku_wishes wishes = {.book = true, .book_seed = limits->book_seed};
    if (limits->book && game == &gomoku_game) {
        asked.limits.wishes = &wishes;
    }
    if (steps) {
        asked.visitor = &visitor;
    } else if (textbook && limits->textbook_counts && !request->visitor) {
        asked.visitor = &silent;
    }
    engine->control.info = limits->on_info ? pass_on_info : NULL;
    engine->control.user = &listener;
    enum status status = engine_go(engine->engine, game, board, &asked, &engine->control, result, api_error(error));
    engine->control.info = NULL;
    if (status == STATUS_OK && textbook && limits->whole_line) {
        struct textbook_request line = {.method = asked.method, .depth = asked.depth, .stop = &engine->control.stop};
        textbook_line(game_tuned(game), board, &line, result);
    }
    listener_free(&listener);
    return (sortie_status)status;
}

sortie_status sortie_engine_go(sortie_engine *engine, const sortie_position *position, const sortie_limits *limits,
                               sortie_result *result, sortie_error *error) {
    sortie_limits known;
    sortie_status status = api_limits(limits, &known, error);
    if (status != SORTIE_OK) {
        return status;
    }
    if (position->game->over(position->board)) {
        return api_bad(error, "expected a position with a move left, the game is over");
    }
    if (!api_give(result, &(sortie_result){0}, sizeof(size_t))) {
        return api_bad(error, "expected the result's size to be set");
    }
    struct game_position *scratch = malloc(position->game->properties->position_size);
    if (!scratch) {
        return api_no_memory(error);
    }
    struct engine_request request = {.method = (enum search_method)known.method,
                                     .depth = known.depth > 0 ? known.depth : 1,
                                     .limits = api_search_limits(&known)};
    struct search_result found;
    status = api_begin(engine, error);
    if (status != SORTIE_OK) {
        free(scratch);
        return status;
    }
    status = api_search(engine, position->game, position->board, &request, &known, &found, error);
    api_end(engine);
    if (status == SORTIE_OK) {
        sortie_result told;
        api_translate(position->game, position->board, scratch, &found, &told);
        api_give(result, &told, sizeof told);
    }
    free(scratch);
    return status;
}
