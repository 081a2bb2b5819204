/* The file behind what is proved: a head of sixteen bytes, then records of sixteen bytes, each with a check of its own.
 * It only ever grows, by one append of whole records at a time, so that several processes may write to one store and
 * each reads what the others add. Bytes that are no record (a bad bit, a record torn by an end in the middle of it) are
 * passed over one by one until a record begins again: only what is damaged is lost, wherever the next one stands. */
#ifndef SORTIE_PROVE_SEARCH_LEDGER_H
#define SORTIE_PROVE_SEARCH_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

#define LEDGER_RECORD_BYTES 16
#define LEDGER_MOST_WAITING 4096 /* bytes of records that are not in the file yet */

void ledger_put_record(unsigned char record[LEDGER_RECORD_BYTES], uint64_t key, uint32_t move);
/* False when these bytes are no record. */
bool ledger_get_record(const unsigned char record[LEDGER_RECORD_BYTES], uint64_t *key, uint32_t *move);

/* Reading through a store: what was found so far. */
struct ledger_scan {
    uint64_t at;      /* how far it is read, in bytes */
    uint64_t gap;     /* of them, how many right before are no record */
    uint64_t good;    /* records */
    uint64_t bad;     /* and places for one where there is none */
    uint64_t skipped; /* bytes there, those behind the last record not counted */
    void (*take)(void *user, uint64_t key, uint32_t move);
    void (*skip)(void *user, uint64_t at, uint64_t bytes); /* or NULL */
    void *user;
};

/* Zero is a store in memory only, which keeps nothing. */
struct ledger {
    FILE *file; /* owned */
    struct ledger_scan scan;
    unsigned char added[LEDGER_MOST_WAITING];
    size_t added_bytes;
    bool failed; /* some could not be written */
};

/* Takes in what the store holds, by `take`, and adds to it from now on; it is made where there is none.
 * STATUS_BAD_INPUT when the file is something else. `take` is also told what other processes add later. */
enum status ledger_open(struct ledger *ledger, const char *path, void (*take)(void *, uint64_t, uint32_t), void *user,
                        struct error *error);
/* Adds a record, which is in the file at the latest after some more or an exchange. */
void ledger_add(struct ledger *ledger, uint64_t key, uint32_t move);
/* Takes in what others have added, and hands what was added here to the system. */
void ledger_exchange(struct ledger *ledger);
/* False when the file could not be written to the end. */
bool ledger_close(struct ledger *ledger);

/* Reads a store through and changes nothing: fills *scan, whose functions are the caller's, and *torn, the bytes behind
 * the last record. */
enum status ledger_check(const char *path, struct ledger_scan *scan, uint64_t *torn, struct error *error);

#endif
