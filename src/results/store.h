/* The results file: one SQLite database a match. It may come from anybody: nothing in it is believed unchecked. Every
 * game is one row, written in one transaction when it ends; its number in the plan is the row's key, so that no game
 * can be stored twice. */
#ifndef SORTIE_RESULTS_STORE_H
#define SORTIE_RESULTS_STORE_H

#include "results/record.h"

struct store;

enum store_mode {
    STORE_NEW,      /* for a new match, whose tables store_put_plan makes; STATUS_BAD_INPUT when there is one */
    STORE_CARRY_ON, /* open a match to add games to it */
    STORE_READ      /* only look */
};

/* Messages do not name the file; the caller knows it. */
enum status store_open(struct store **store, const char *path, enum store_mode mode, struct error *error);
void store_close(struct store *store);

/* Keeps the plan; with `games` alone changed when the match was there already. */
enum status store_put_plan(struct store *store, const struct plan *plan, struct error *error);
/* The plan, checked as one from the command line is. */
enum status store_get_plan(struct store *store, struct plan *plan, struct error *error);

/* Several records at once become one transaction. */
enum status store_add(struct store *store, const struct record *records, int count, struct error *error);

/* Calls `each` for every game in the order of the plan; stops early when it returns false. The record is valid
 * only during the call, and is one that `plan` can have brought forth; a row that is not is STATUS_BAD_INPUT. `whole`:
 * with positions, moves, times and standard error; otherwise those are empty. */
enum status store_each(struct store *store, const struct plan *plan, bool whole,
                       bool (*each)(void *user, const struct record *record), void *user, struct error *error);

#endif
