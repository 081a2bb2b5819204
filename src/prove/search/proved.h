/* What is proved, position by position: the key and the hero's move, in memory and, where asked for, in a store
 * (ledger.h) that survives a process that is killed and that others may add to at the same time. */
#ifndef SORTIE_PROVE_SEARCH_PROVED_H
#define SORTIE_PROVE_SEARCH_PROVED_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "prove/search/ledger.h"

struct proved_item {
    uint64_t key;  /* 0: free */
    uint32_t move; /* or whatever else belongs to a key */
};

#define PROVED_PARTS 64

/* A part of it by key, so that many threads seldom want the same one. */
struct proved_part {
    pthread_mutex_t lock;
    struct proved_item *items; /* owned */
    size_t room;               /* a power of two */
    size_t used;
};

/* Several threads may find and add at once. */
struct proved {
    struct proved_part parts[PROVED_PARTS];
    pthread_mutex_t lock; /* of what follows */
    _Atomic size_t count;
    struct ledger ledger; /* owned; none: memory only */
    struct text *added;   /* borrowed: where records of what is new go too; NULL: nowhere */
    struct proved *whole; /* borrowed: what is proved is there, and here only the store of a part of it; NULL: here */
};

void proved_init(struct proved *proved);
/* Takes in what the store holds and adds to it from now on; it is made where there is none. STATUS_BAD_INPUT when the
 * file is something else. What is damaged in it is left out: proved->ledger.scan says how much. */
enum status proved_open(struct proved *proved, const char *path, struct error *error);
/* False when the file could not be written to the end. */
bool proved_close(struct proved *proved);

/* The move, or -1. */
int64_t proved_find(struct proved *proved, uint64_t key);
void proved_add(struct proved *proved, uint64_t key, uint32_t move);
/* The same, and into the store also what is known already. */
void proved_keep(struct proved *proved, uint64_t key, uint32_t move);

/* Everything as the records of a store, for another process, and back: false when the bytes are no whole records, and
 * then those in front of the bad one are there. */
void proved_write(const struct proved *proved, struct text *records);
bool proved_take(struct proved *proved, const char *bytes, size_t length);

/* Hands what was added to the system, and takes in what others added to the store. */
void proved_flush(struct proved *proved);

#endif
