/* What the files of the public API share: the handles, and the way between its structs and the inner ones. */
#ifndef SORTIE_API_API_H
#define SORTIE_API_API_H

#include <assert.h>
#include <stddef.h>

#include "engine/engine.h"
#include "sortie/sortie.h"

/* What stands for the same on both sides has the same number, so that a cast is enough between them. */
#define API_SAME(outer, inner) _Static_assert((int)(outer) == (int)(inner), #outer " is not " #inner)
API_SAME(SORTIE_OK, STATUS_OK);
API_SAME(SORTIE_FAIL, STATUS_FAIL);
API_SAME(SORTIE_BAD_INPUT, STATUS_BAD_INPUT);
API_SAME(SORTIE_GREEDY, TEXTBOOK_GREEDY);
API_SAME(SORTIE_MINIMAX, TEXTBOOK_MINIMAX);
API_SAME(SORTIE_ALPHABETA, TEXTBOOK_ALPHABETA);
API_SAME(SORTIE_ENGINE, SEARCH_ENGINE);
API_SAME(SORTIE_BEST, SEARCH_BEST);
API_SAME(SORTIE_EXACT, SEARCH_EXACT);
API_SAME(SORTIE_WIN, SEARCH_WIN);
API_SAME(SORTIE_INK_EMPTY, GAME_INK_EMPTY);
API_SAME(SORTIE_INK_FIRST, GAME_INK_FIRST);
API_SAME(SORTIE_INK_SECOND, GAME_INK_SECOND);
API_SAME(SORTIE_INK_BLOCK, GAME_INK_BLOCK);
API_SAME(SORTIE_INK_FIRST_FIELD, GAME_INK_FIRST_FIELD);
API_SAME(SORTIE_INK_SECOND_FIELD, GAME_INK_SECOND_FIELD);
API_SAME(SORTIE_INK_BOTH_FIELD, GAME_INK_BOTH_FIELD);

struct api_ply {
    struct game_undo undo;
    game_move move;
};

struct sortie_position {
    const struct game *game;
    struct game_position *board; /* owned */
    struct api_ply *plies;       /* owned; grows as moves are played */
    int played;
    int capacity;
};

struct sortie_engine {
    struct engine *engine; /* owned */
    int threads;           /* as asked for; 0: one */
    size_t hash_bytes;     /* 0: a default */
    struct search_control control;
    atomic_bool armed; /* a stop counts already for the search to come */
    atomic_bool busy;  /* between api_begin and api_end */
};

/* A caller's error is filled where the cause is known: both structs are the same bytes, and statuses the same numbers.
 */
static_assert(sizeof(sortie_error) == sizeof(struct error) &&
                  offsetof(sortie_error, line) == offsetof(struct error, line) &&
                  offsetof(sortie_error, column) == offsetof(struct error, column) &&
                  offsetof(sortie_error, text) == offsetof(struct error, text),
              "the public error is the inner one");
static_assert((int)SORTIE_OK == STATUS_OK && (int)SORTIE_FAIL == STATUS_FAIL &&
                  (int)SORTIE_BAD_INPUT == STATUS_BAD_INPUT,
              "the public status is the inner one");
static inline struct error *api_error(sortie_error *error) {
    return (struct error *)error;
}
sortie_status api_bad(sortie_error *error, const char *text);
sortie_status api_no_memory(sortie_error *error);

/* Fills *known, of `known_size` bytes, from a caller's struct: a shorter one leaves the rest zero, a longer one must be
 * zero behind what is known here. False when the size was not set or something unknown is asked for. */
bool api_take(void *known, size_t known_size, const void *given);
/* Fills a caller's struct from ours as far as both go, keeping the caller's size. False when its size was not set. */
bool api_give(void *given, const void *known, size_t known_size);

/* A handle that takes over `board`; NULL when memory runs out. */
sortie_position *api_wrap(const struct game *game, struct game_position *board);
/* A copy of a bare board in a handle. */
sortie_status api_wrap_copy(const struct game *game, const struct game_position *board, sortie_position **out,
                            sortie_error *error);
/* Plays a legal move. */
sortie_status api_play(sortie_position *position, game_move move, sortie_error *error);
/* Reads what a caller says of a start (NULL: nothing) and finds the game and its rule set. */
sortie_status api_start(const char *game, const sortie_start *start, const struct game **found, sortie_start *asked,
                        int *variant, sortie_error *error);

/* The planes a game is seen by, as their names are given by index, and one side's view of a board. `scratch` is room
 * for as many values as squares. */
int api_planes(const struct game *game);
void api_see(const struct game *game, const struct game_position *board, int32_t *scratch, uint8_t *planes);
/* One byte an action; `scratch` is room for properties->most_moves. */
void api_mask(const struct game *game, const struct game_position *board, game_move *scratch, uint8_t *mask);

/* Hands a finished text over to the caller; NULL when it is broken. */
char *api_release(struct text *text);

/* Before and after all searches of one call. The first refuses an engine that is searching already, in another thread
 * or in the one that called back, and forgets an earlier stop unless the engine is armed. */
sortie_status api_begin(sortie_engine *engine, sortie_error *error);
void api_end(sortie_engine *engine);

/* Reads and checks a caller's limits. */
sortie_status api_limits(const sortie_limits *given, sortie_limits *limits, sortie_error *error);
struct search_limits api_search_limits(const sortie_limits *limits);

/* Turns an inner result about `board` into a public one. `scratch` is room for a board. */
void api_translate(const struct game *game, const struct game_position *board, struct game_position *scratch,
                   const struct search_result *from, sortie_result *to);

/* One search of a call already under way: it does not forget an earlier stop. `visitor` may be NULL. */
sortie_status api_search(sortie_engine *engine, const struct game *game, const struct game_position *board,
                         const struct engine_request *request, const sortie_limits *limits,
                         struct search_result *result, sortie_error *error);

#endif
