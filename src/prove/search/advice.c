#include "prove/search/advice.h"

#include <stdlib.h>

#include "base/rng.h"
#include "game/levels.h"
#include "games/gomoku/search/search.h"

#define ENTRIES ((size_t)1 << 15)
#define GROUP 4
#define LEAST_NOTED 4000  /* less work than that is not worth a place */
#define FIRST_WORK 100000 /* the engine is asked for the first time after so many steps, some 0.07 s, */
#define HOLD_FIRST 10000  /* or so many of holding, some 0.03 s, */
#define NEXT_WORK 4       /* and again after so many times as many */
#define WORK_A_NODE 8     /* steps for which the engine gets a node, */
#define HOLD_A_NODE 32    /* and in holding */
#define MOST_NODES 5000000

bool adviser_make(struct adviser *adviser, size_t hash_bytes, const atomic_bool *stop, bool hold) {
    *adviser = (struct adviser){.hash_bytes = hash_bytes,
                                .first_work = hold ? HOLD_FIRST : FIRST_WORK,
                                .work_a_node = hold ? HOLD_A_NODE : WORK_A_NODE,
                                .control = {.also = stop}};
    adviser->entries = calloc(ENTRIES, sizeof *adviser->entries);
    return adviser->entries != NULL;
}

void adviser_free(struct adviser *adviser) {
    game_tuned(&gomoku_game)->searcher_free(adviser->searcher);
    free(adviser->entries);
}

/* -- what is noted -- */

static struct advice *group_of(const struct adviser *adviser, uint64_t key) {
    return &adviser->entries[(rng_mix(key) & (ENTRIES / GROUP - 1)) * GROUP];
}

static struct advice *find(const struct adviser *adviser, uint64_t key) {
    struct advice *group = group_of(adviser, key);
    for (int i = 0; i < GROUP; i++) {
        if (group[i].key == key) {
            return &group[i];
        }
    }
    return NULL;
}

uint16_t adviser_move(const struct adviser *adviser, uint64_t key) {
    const struct advice *entry = find(adviser, key);
    return entry ? entry->move : NO_SQUARE;
}

void adviser_note(struct adviser *adviser, uint64_t key, uint64_t work) {
    struct advice *entry = find(adviser, key);
    if (work < LEAST_NOTED) {
        return;
    }
    if (!entry) {
        struct advice *group = group_of(adviser, key);
        entry = group;
        for (int i = 1; i < GROUP; i++) {
            entry = group[i].work < entry->work ? &group[i] : entry;
        }
        *entry = (struct advice){.key = key, .move = NO_SQUARE};
    }
    entry->work += work;
}

uint64_t adviser_wait(const struct adviser *adviser, uint64_t key, uint64_t work, uint64_t patience) {
    const struct advice *entry = find(adviser, key);
    uint64_t due = entry && entry->asked ? NEXT_WORK * entry->asked : patience * adviser->first_work;
    uint64_t spent = (entry ? entry->work : 0) + work;
    return spent < due ? due - spent : 0;
}

/* -- asking -- */

void adviser_ask(struct adviser *adviser, const struct gomoku_position *position, uint64_t key, const uint16_t *turned,
                 double seconds) {
    struct error error;
    struct search_result result;
    struct advice *entry = find(adviser, key);
    const struct game *game = game_tuned(&gomoku_game);
    if (!adviser->searcher) {
        adviser->searcher = game->searcher_new(&(struct searcher_options){.hash_bytes = adviser->hash_bytes}, &error);
    }
    if (!entry) {
        return;
    }
    entry->asked = entry->work;
    if (!adviser->searcher) {
        return; /* without memory for an engine there is no advice */
    }
    uint64_t nodes = entry->work / adviser->work_a_node;
    struct search_limits limits = {.nodes = nodes < MOST_NODES ? nodes : MOST_NODES, .wall_seconds = seconds};
    game->think(adviser->searcher, (const struct game_position *)position, &limits, &adviser->control, &result);
    adviser->asked++;
    adviser->nodes += result.nodes;
    entry->move = turned[result.move];
}
