/* An SQLite file of ours: opened, locked, checked and written by statements. It may come from anybody: a file is
 * believed only when it has our mark and exactly our tables. One process at a time may write to it, and the lock goes
 * with the process, however it ends; a kind that is shared may be written by several, a transaction at a time.
 *
 * Messages do not name the file; the caller knows it. */
#ifndef SORTIE_RESULTS_DATABASE_H
#define SORTIE_RESULTS_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct database_table {
    const char *name;
    const char *sql; /* letter by letter what makes it */
};

/* What makes a file ours. */
struct database_kind {
    const char *what;   /* "a results file" */
    const char *writer; /* who keeps others out: "a match"; NULL: nobody, it is shared */
    int mark;           /* SQLite's application_id */
    int version;        /* of the tables */
    const struct database_table *tables;
    int table_count;
};

enum database_mode {
    DATABASE_MAKE,  /* for writing; a file that is not there or empty is fine */
    DATABASE_WRITE, /* for writing; it must be ours already */
    DATABASE_READ   /* only look */
};

struct database {
    const struct database_kind *kind;
    sqlite3 *handle; /* owned */
    int lock;        /* the file itself, locked while somebody writes; -1: only reading, or shared */
    bool empty;      /* nothing was in it when it was opened */
    bool logged;     /* by a write-ahead log */
};

/* Afterwards database_close in any case. */
enum status database_open(struct database *database, const struct database_kind *kind, const char *path,
                          enum database_mode mode, struct error *error);
void database_close(struct database *database);

/* What the last statement that failed says. A file that is damaged is bad input; everything else, a full disk for
 * instance, is a failure of the machine. */
enum status database_failed(const struct database *database, struct error *error);
enum status database_run(const struct database *database, const char *sql, struct error *error);
enum status database_prepare(const struct database *database, const char *sql, sqlite3_stmt **statement,
                             struct error *error);
/* Runs a statement that gives no rows, and finalizes it. */
enum status database_finish(const struct database *database, sqlite3_stmt *statement, struct error *error);
/* The first column of the first row as a number; DATABASE_NO_NUMBER when there is none. */
#define DATABASE_NO_NUMBER INT64_MIN
int64_t database_number(const struct database *database, const char *sql);
/* Whether the last thing that failed did so for what the machine lacks: memory, or a disk that can be read. */
bool database_machine_failed(const struct database *database);

/* A transaction: begin, then end with how it went so far, which keeps all of it or nothing. Ending tells how it went
 * in the end. */
enum status database_begin(struct database *database, struct error *error);
enum status database_end(struct database *database, enum status status, struct error *error);

/* Makes our tables in an empty file, inside a transaction. */
enum status database_make_tables(struct database *database, struct error *error);

#endif
