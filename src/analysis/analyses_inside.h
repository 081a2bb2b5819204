/* What the files of the database share; no other room needs it. */
#ifndef SORTIE_ANALYSIS_ANALYSES_INSIDE_H
#define SORTIE_ANALYSIS_ANALYSES_INSIDE_H

#include "analysis/analyses.h"
#include "analysis/key.h"
#include "games/gomoku/rules/gomoku.h"
#include "results/database.h"

enum statement {
    STATEMENT_GET,
    STATEMENT_PUT,
    STATEMENT_DELETE,
    STATEMENT_MARK,
    STATEMENT_UNMARK,
    STATEMENT_UNMARK_ALL,
    STATEMENT_MARKS,
    STATEMENT_RECORD,
    STATEMENTS
};

struct analyses {
    struct database database;
    sqlite3_stmt *statements[STATEMENTS]; /* owned; NULL until they are needed */
    struct key key;                       /* of the position asked about last */
    bool begun;                           /* a transaction of many changes is under way */
};

/* Positions that were met already, by their keys. */
struct key_set {
    uint64_t *digests; /* owned; 0: free */
    size_t count;
    size_t capacity;
};

/* Adds a key; *known says whether it was there. False when there is no memory. */
bool key_set_add(struct key_set *set, const struct text *key, bool *known);
void key_set_free(struct key_set *set);

/* Looks the position up whose key stands in analyses->key. */
enum status analyses_get_keyed(struct analyses *analyses, const struct game *game, const struct game_position *position,
                               struct analysis *found, struct error *error);

/* A row of the table; squares and moves are those of the named image. */
struct row {
    bool here;
    bool valued;
    struct analysis_value value;
    int64_t written;
    int64_t games;
    int64_t won[2];
    struct text line;
    struct text label;
    struct text comment;
};

void row_free(struct row *row);
/* Takes a row out of a query whose columns begin at `first`. */
void row_take(struct row *row, sqlite3_stmt *statement, int first);
enum status row_get(struct analyses *analyses, const struct text *key, struct row *row, struct error *error);
enum status row_put(struct analyses *analyses, const struct text *key, const struct row *row, struct error *error);

enum status analyses_statement(struct analyses *analyses, enum statement which, sqlite3_stmt **statement,
                               struct error *error);
/* Runs one without rows; `second` and `third` may be NULL. */
enum status analyses_run(struct analyses *analyses, enum statement which, const struct text *key, const char *second,
                         const char *third, size_t third_length, struct error *error);

#endif
