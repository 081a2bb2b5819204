/* Proof numbers: what the searches of this folder share. Numbers are kept from the view of the side to move: `phi` is
 * how hard it seems to reach its aim, `delta` how hard to see that it cannot; 0 is done, PN_NEVER impossible. A node's
 * phi is the least delta of its children; its delta is the greatest phi of its children plus one for every further
 * child that is still open, which counts transpositions less often than a sum does. */
#ifndef SORTIE_PROVE_SEARCH_PN_H
#define SORTIE_PROVE_SEARCH_PN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/gomoku/rules/gomoku.h"

#define PN_NEVER 100000000u

struct pn_value {
    uint32_t phi;
    uint32_t delta;
};

#define PN_REACHED ((struct pn_value){0, PN_NEVER}) /* the side to move reaches its aim */
#define PN_FAILED ((struct pn_value){PN_NEVER, 0})

static inline bool pn_is_settled(struct pn_value value) {
    return value.phi == 0 || value.delta == 0;
}

/* What a table knows of a position. */
struct pn_entry {
    uint64_t key;
    struct pn_value value;
    uint32_t work; /* nodes it took: what took little is forgotten first */
    uint16_t move; /* that reached the aim; NO_SQUARE when there is none */
};

/* A table of fixed size. When it is full, what took least work makes room. */
struct pn_table {
    struct pn_entry *entries; /* owned */
    size_t mask;              /* of the first entry of a group */
    uint64_t probes;
    uint64_t hits;
};

/* As many entries as fit into `bytes`; false when there is no memory. */
bool pn_table_make(struct pn_table *table, size_t bytes);
void pn_table_free(struct pn_table *table);
void pn_table_clear(struct pn_table *table);

/* Fetches what finding a key will read. */
void pn_table_prepare(const struct pn_table *table, uint64_t key);
const struct pn_entry *pn_table_find(struct pn_table *table, uint64_t key);
void pn_table_keep(struct pn_table *table, const struct pn_entry *entry);

struct pn_child {
    uint16_t square;
    uint8_t weight;        /* how many times its delta counts among its brothers, the prover's business; 0: once */
    bool advised;          /* by the engine */
    struct pn_value value; /* from the child's own view */
};

struct pn_children {
    int count;
    int best;            /* the child to search next */
    bool patient;        /* stay with a child for long: all of them will have to be settled anyway */
    uint32_t open;       /* how many are not reached by their side */
    uint32_t next_delta; /* the second least delta */
    struct pn_child list[GOMOKU_MOST_SQUARES];
};

/* The node's numbers by its children's; fills `best`, `open` and `next_delta`. */
struct pn_value pn_gather(struct pn_children *children);

/* How far beyond the second best a child is searched, in hundredths of it: in holding, and where wins by threats are
 * made again, which must stay as they were. Going on at once with what became better takes fewer positions to win. */
#define PN_SLACK 25
#define PN_NO_SLACK 0

/* The limits up to which the best child may be searched, given the node's own. */
struct pn_value pn_limits(const struct pn_children *children, struct pn_value limits, uint32_t slack);

#endif
