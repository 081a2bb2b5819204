/* The façade behind every front door: give it a position and say how to choose, it answers with a move. It
 * keeps one searcher a game, so that what was learnt on one move helps on the next. */
#ifndef SORTIE_ENGINE_ENGINE_H
#define SORTIE_ENGINE_ENGINE_H

#include "search/limits.h"
#include "search/textbook.h"

struct engine;

struct engine_request {
    enum search_method method;
    /* For the textbook methods: */
    int depth;
    const struct textbook_visitor *visitor;
    /* For the engine: */
    struct search_limits limits;
};

/* NULL only when memory runs out. */
struct engine *engine_new(const struct searcher_options *options);
void engine_free(struct engine *engine);

/* Searches and fills *result. The game must not be over. A game without an engine of its own is searched
 * by search/deepen.h. `control` may be NULL. Fails only when memory does. */
enum status engine_go(struct engine *engine, const struct game *game, const struct game_position *position,
                      const struct engine_request *request, struct search_control *control,
                      struct search_result *result, struct error *error);

/* Makes a game's searcher now and has the book read, so that no search pays for it. */
enum status engine_prepare(struct engine *engine, const struct game *game, struct error *error);

/* Appends what the searchers counted in their last searches, for people. */
void engine_stats(const struct engine *engine, struct text *text);

/* Forgets what was learnt: the next search is as the first of a new engine. */
void engine_clear(struct engine *engine);

#endif
