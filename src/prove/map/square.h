/* One square of the map: what is kept about it, and the searches for who wins there. */
#ifndef SORTIE_PROVE_MAP_SQUARE_H
#define SORTIE_PROVE_MAP_SQUARE_H

#include "prove/crew/jobs.h"
#include "prove/map/map.h"

#define MAP_MOST_PATH 1024
#define MAP_MOST_LINE 240

enum map_claim { CLAIM_OTHER, CLAIM_OWNER, CLAIM_COUNT };

struct square {
    int index;    /* of gomoku_swap_square; -1: the empty board, whose core is only a guide */
    char name[8]; /* of its files */
    enum map_state state;
    struct proved view; /* its store; what is proved is in the whole */
    bool stores;        /* there is a file */
    struct jobs trees[CLAIM_COUNT];
    bool made[CLAIM_COUNT];
    int found;       /* the claim that is true, its proof not built yet; CLAIM_COUNT: none */
    int asking;      /* threads */
    bool busy;       /* its core is being built or learned */
    bool learns;     /* from its core */
    int failed;      /* builds */
    int rounds;      /* how often it was left for others */
    int answered;    /* replies, when it last got on */
    double since;    /* CPU seconds of searching since then */
    double searched; /* and in all */
    double noted;    /* when its line was last written; 0: never */
    char line[MAP_MOST_LINE];
};

/* Opens what the folder has of a square; NULL: nothing is kept. `whole` gets what is proved. */
enum status square_open(struct square *square, int index, const char *folder, struct proved *whole,
                        struct error *error);
/* Opens or makes its store, unless that is done. */
enum status square_store(struct square *square, const char *folder, struct error *error);
/* False when the store could not be written to the end. */
bool square_close(struct square *square);

/* The position with its stone. */
void square_position(const struct square *square, struct gomoku_position *position);
/* The side that wins by a claim. */
int square_hero(enum map_claim claim);

/* Makes the search for a claim, if it is not there. */
enum status square_search(struct square *square, enum map_claim claim, const char *folder, const atomic_bool *stop,
                          struct error *error);
void square_end_search(struct square *square);

/* Writes the line about an open square. */
void square_describe(struct square *square, const char *folder);

/* It is settled: keeps the core, the line, and of the store only these records. */
enum status square_settle(struct square *square, enum map_claim claim, const char *folder, const struct text *core,
                          const struct text *records, struct error *error);

/* Puts the records of a store into the square's. */
bool square_keep(struct square *square, const struct text *records);

/* Reads the core that the folder has; the caller frees the bytes. */
enum status square_read_core(const struct square *square, const char *folder, char **bytes, size_t *length,
                             struct error *error);

#endif
