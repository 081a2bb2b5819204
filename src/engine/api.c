/* The public C API: handles around the game interface and the engine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "formats/course.h"
#include "formats/draw.h"
#include "games/registry.h"
#include "sortie/sortie.h"

struct sortie_position {
    const struct game *game;
    struct game_position *board; /* owned */
    struct game_undo *undos;     /* owned; grows as moves are played */
    int played;
    int capacity;
};

struct sortie_engine {
    struct engine *engine; /* owned */
    struct search_control control;
};

const char *sortie_version(void) {
    return SORTIE_VERSION;
}

void sortie_free(char *text) {
    free(text);
}

/* Copies an inner error out; statuses have the same numbers on both sides. */
static sortie_status hand_out(enum status status, const struct error *inner, sortie_error *error) {
    if (status != STATUS_OK && error) {
        error->line = inner->line;
        error->column = inner->column;
        snprintf(error->text, sizeof error->text, "%s", inner->text);
    }
    return (sortie_status)status;
}

static sortie_status bad(sortie_error *error, const char *text) {
    struct error inner = {0};
    enum status status = error_at(&inner, 0, 0, "%s", text);
    return hand_out(status, &inner, error);
}

static sortie_status no_memory(sortie_error *error) {
    struct error inner = {0};
    enum status status = error_machine(&inner, "out of memory");
    return hand_out(status, &inner, error);
}

/* -- games -- */

const char *sortie_game_name(int index) {
    const struct game *const *games = game_list();
    for (int i = 0; games[i]; i++) {
        if (i == index) {
            return games[i]->properties->name;
        }
    }
    return NULL;
}

const char *sortie_game_rules(const char *game, int index) {
    const struct game *found = game ? game_find(game, strlen(game)) : NULL;
    for (int i = 0; found && i < 4 && found->properties->variants[i]; i++) {
        if (i == index) {
            return found->properties->variants[i];
        }
    }
    return NULL;
}

/* -- positions -- */

/* A handle that takes over `board`. */
static sortie_position *wrap(const struct game *game, struct game_position *board) {
    sortie_position *position = calloc(1, sizeof *position);
    if (position) {
        position->game = game;
        position->board = board;
    }
    return position;
}

sortie_status sortie_position_start(const char *game, const char *rules, int size, sortie_position **out,
                                    sortie_error *error) {
    const struct game *found = game ? game_find(game, strlen(game)) : NULL;
    if (!found) {
        return bad(error, "expected the name of a game");
    }
    int variant = rules ? game_find_variant(found, rules, strlen(rules)) : 0;
    if (variant < 0) {
        return bad(error, "expected the name of a rule set");
    }
    struct error inner = {0};
    struct game_position *board = calloc(1, found->properties->position_size);
    if (!board) {
        return no_memory(error);
    }
    enum status status = found->start(board, size ? size : found->properties->usual_size, variant, &inner);
    if (status != STATUS_OK) {
        free(board);
        return hand_out(status, &inner, error);
    }
    *out = wrap(found, board);
    if (!*out) {
        free(board);
        return no_memory(error);
    }
    return SORTIE_OK;
}

sortie_status sortie_position_parse(const char *bytes, size_t length, sortie_position **out, sortie_error *error) {
    struct course_request request;
    struct error inner = {0};
    enum status status = course_parse_any(bytes, length, NULL, &request, &inner);
    if (status != STATUS_OK) {
        return hand_out(status, &inner, error);
    }
    *out = wrap(request.game, request.position);
    if (!*out) {
        course_request_free(&request);
        return no_memory(error);
    }
    return SORTIE_OK;
}

sortie_status sortie_position_copy(const sortie_position *position, sortie_position **out) {
    size_t bytes = position->game->properties->position_size;
    struct game_position *board = malloc(bytes);
    struct game_undo *undos = position->played ? malloc((size_t)position->played * sizeof *undos) : NULL;
    sortie_position *copy = board && (undos || !position->played) ? wrap(position->game, board) : NULL;
    if (!copy) {
        free(board);
        free(undos);
        return SORTIE_FAIL;
    }
    memcpy(board, position->board, bytes);
    if (undos) {
        memcpy(undos, position->undos, (size_t)position->played * sizeof *undos);
    }
    copy->undos = undos;
    copy->played = copy->capacity = position->played;
    *out = copy;
    return SORTIE_OK;
}

void sortie_position_free(sortie_position *position) {
    if (position) {
        free(position->board);
        free(position->undos);
        free(position);
    }
}

const char *sortie_position_game(const sortie_position *position) {
    return position->game->properties->name;
}

int sortie_position_size(const sortie_position *position) {
    return position->game->size(position->board);
}

int sortie_position_to_move(const sortie_position *position) {
    return position->game->to_move(position->board);
}

int sortie_position_is_over(const sortie_position *position) {
    return position->game->over(position->board);
}

int sortie_position_score(const sortie_position *position) {
    return (int)position->game->score(position->board);
}

int sortie_position_moves(const sortie_position *position, sortie_move *moves, int capacity) {
    game_move *codes = malloc((size_t)position->game->properties->most_moves * sizeof *codes);
    if (!codes) {
        return 0;
    }
    int count = position->game->moves(position->board, codes);
    for (int i = 0; i < count && i < capacity; i++) {
        position->game->move_text(position->board, codes[i], moves[i]);
    }
    free(codes);
    return count;
}

sortie_status sortie_position_play(sortie_position *position, const char *move, sortie_error *error) {
    struct error inner = {0};
    game_move code;
    enum status status = position->game->parse_move(position->board, move, strlen(move), &code, &inner);
    if (status != STATUS_OK) {
        return hand_out(status, &inner, error);
    }
    if (position->played == position->capacity) {
        int capacity = position->capacity ? 2 * position->capacity : 32;
        struct game_undo *undos = realloc(position->undos, (size_t)capacity * sizeof *undos);
        if (!undos) {
            return no_memory(error);
        }
        position->undos = undos;
        position->capacity = capacity;
    }
    position->game->play(position->board, code, &position->undos[position->played++]);
    return SORTIE_OK;
}

sortie_status sortie_position_undo(sortie_position *position, sortie_error *error) {
    if (position->played == 0) {
        return bad(error, "expected a move to take back, none was played");
    }
    position->game->undo(position->board, &position->undos[--position->played]);
    return SORTIE_OK;
}

/* Hands a finished text over to the caller. */
static char *release(struct text *text) {
    char *data = text->broken ? NULL : text->data;
    if (!data) {
        text_free(text);
    }
    return data;
}

char *sortie_position_text(const sortie_position *position) {
    struct text text = TEXT_EMPTY;
    position->game->write(position->board, &text);
    return release(&text);
}

char *sortie_position_svg(const sortie_position *position) {
    struct text text = TEXT_EMPTY;
    draw_svg(position->game, position->board, &text);
    return release(&text);
}

/* -- the engine -- */

sortie_status sortie_engine_new(const sortie_engine_options *options, sortie_engine **out, sortie_error *error) {
    struct searcher_options inner = {0};
    if (options && options->size < sizeof *options) {
        return bad(error, "expected the options' size to be set");
    }
    if (options) {
        inner.threads = options->threads;
        inner.hash_bytes = options->hash_bytes;
    }
    sortie_engine *engine = calloc(1, sizeof *engine);
    if (engine) {
        engine->engine = engine_new(&inner);
    }
    if (!engine || !engine->engine) {
        free(engine);
        return no_memory(error);
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

void sortie_engine_clear(sortie_engine *engine) {
    engine_clear(engine->engine);
}

/* What a report needs to be translated. */
struct listener {
    const sortie_position *position;
    const sortie_limits *limits;
    struct game_position *scratch;
};

static void translate(const struct listener *listener, const struct search_result *from, sortie_result *to) {
    const struct game *game = listener->position->game;
    memset(to, 0, sizeof *to);
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
    game->move_text(listener->position->board, from->move, to->move);
    memcpy(listener->scratch, listener->position->board, game->properties->position_size);
    for (int i = 0; i < from->pv_length && i < SORTIE_MOST_LINE && game->legal(listener->scratch, from->pv[i]); i++) {
        struct game_undo undo;
        game->move_text(listener->scratch, from->pv[i], to->line_moves[i]);
        game->play(listener->scratch, from->pv[i], &undo);
        to->line_length = i + 1;
    }
}

static void pass_on(void *user, const struct search_result *report) {
    const struct listener *listener = user;
    sortie_result result;
    translate(listener, report, &result);
    listener->limits->on_info(listener->limits->user, &result);
}

sortie_status sortie_engine_go(sortie_engine *engine, const sortie_position *position, const sortie_limits *limits,
                               sortie_result *result, sortie_error *error) {
    if (!limits || limits->size < sizeof *limits) {
        return bad(error, "expected the limits' size to be set");
    }
    if (position->game->over(position->board)) {
        return bad(error, "expected a position with a move left, the game is over");
    }
    struct listener listener = {position, limits, malloc(position->game->properties->position_size)};
    if (!listener.scratch) {
        return no_memory(error);
    }
    struct engine_request request = {
        .method = (enum search_method)limits->method,
        .depth = limits->depth > 0 ? limits->depth : 1,
        .limits = {.goal = (enum search_goal)limits->goal,
                   .depth = limits->depth,
                   .nodes = limits->nodes,
                   .wall_seconds = limits->wall_seconds,
                   .cpu_seconds = limits->cpu_seconds,
                   .cpu_seconds_left = limits->cpu_seconds_left,
                   .multi_pv = limits->multi_pv},
    };
    engine->control.info = limits->on_info ? pass_on : NULL;
    engine->control.user = &listener;
    struct error inner = {0};
    struct search_result found;
    enum status status =
        engine_go(engine->engine, position->game, position->board, &request, &engine->control, &found, &inner);
    atomic_store(&engine->control.stop, false); /* a stop counts for one search */
    if (status == STATUS_OK) {
        translate(&listener, &found, result);
    }
    free(listener.scratch);
    return hand_out(status, &inner, error);
}
