#include "match/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID 1936683636 /* the letters "sort" */
#define FORMAT_VERSION 1

struct store {
    sqlite3 *database;
    sqlite3_stmt *insert;
    bool logged; /* by a write-ahead log */
    int lock;    /* the file itself, locked while a match runs; -1: only reading */
};

#define AS_TEXT(number) #number
#define AS_NUMBER(macro) AS_TEXT(macro)

static const char schema[] = "PRAGMA application_id=" AS_NUMBER(
    APPLICATION_ID) ";"
                    "PRAGMA user_version=" AS_NUMBER(
                        FORMAT_VERSION) ";"
                                        "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
                                        "CREATE TABLE players(id INTEGER PRIMARY KEY, name TEXT NOT NULL, spec TEXT "
                                        "NOT NULL);"
                                        "CREATE TABLE games("
                                        "  id INTEGER PRIMARY KEY," /* its number in the plan, from 0 */
                                        "  first INTEGER NOT NULL REFERENCES players(id),"
                                        "  second INTEGER NOT NULL REFERENCES players(id),"
                                        "  start INTEGER NOT NULL,"
                                        "  points INTEGER NOT NULL," /* of the first side, in halves */
                                        "  cause TEXT NOT NULL,"     /* 'rules' or the fault */
                                        "  loser INTEGER,"           /* the side at fault, 0 or 1 */
                                        "  score INTEGER,"           /* by the rules */
                                        "  plies INTEGER NOT NULL,"
                                        "  wall_first REAL NOT NULL, wall_second REAL NOT NULL,"
                                        "  cpu_first REAL NOT NULL, cpu_second REAL NOT NULL,"
                                        "  slowest_first REAL NOT NULL, slowest_second REAL NOT NULL,"
                                        "  position TEXT NOT NULL, moves TEXT NOT NULL, times TEXT NOT NULL,"
                                        "  detail TEXT NOT NULL, stderr_first BLOB NOT NULL, stderr_second BLOB NOT "
                                        "NULL,"
                                        "  ended TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')));";

/* Every statement that fails ends here: the text is SQLite's own. A file that is damaged is bad input; everything else,
 * a full disk for instance, is a failure of the machine. */
static enum status broken(struct store *store, struct error *error) {
    int code = sqlite3_extended_errcode(store->database) & 0xff;
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_FORMAT || code == SQLITE_ERROR ||
        code == SQLITE_TOOBIG || code == SQLITE_MISMATCH) {
        return error_at(error, 0, 0, "expected a results file, this one is damaged: %s",
                        sqlite3_errmsg(store->database));
    }
    int cause = code == SQLITE_IOERR ? sqlite3_system_errno(store->database) : 0;
    return error_machine(error, "%s%s%s", sqlite3_errmsg(store->database), cause ? ": " : "",
                         cause ? strerror(cause) : "");
}

static enum status run(struct store *store, const char *sql, struct error *error) {
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ? STATUS_OK : broken(store, error);
}

/* The first column of the first row as a number; -1 when there is none. */
static int64_t number_of(struct store *store, const char *sql) {
    sqlite3_stmt *statement;
    int64_t number = -1;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        number = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return number;
}

static enum status check_kind(struct store *store, enum store_mode mode, struct error *error) {
    int64_t tables = number_of(store, "SELECT count(*) FROM sqlite_master");
    if (tables < 0) {
        return error_at(error, 0, 0, "expected a results file, this is something else: %s",
                        sqlite3_errmsg(store->database));
    }
    bool ours = number_of(store, "PRAGMA application_id") == APPLICATION_ID;
    if (mode == STORE_NEW) {
        if (tables > 0 && ours) {
            return error_at(error, 0, 0,
                            "holds a match already (%lld games); carry on with --resume or name another file",
                            (long long)number_of(store, "SELECT count(*) FROM games"));
        }
        return tables == 0 ? STATUS_OK : error_at(error, 0, 0, "is a database of another program");
    }
    if (tables == 0 || !ours) {
        return error_at(error, 0, 0, "expected a results file, it holds no match");
    }
    return number_of(store, "PRAGMA user_version") == FORMAT_VERSION
               ? STATUS_OK
               : error_at(error, 0, 0, "was written by another version of sortie");
}

/* A device or a pipe is nothing SQLite should open: it would wait, or write into it. */
static enum status check_regular(const char *path, enum store_mode mode, struct error *error) {
    struct stat about;
    if (stat(path, &about) != 0) {
        return errno == ENOENT && mode == STORE_NEW ? STATUS_OK
                                                    : error_at(error, 0, 0, "cannot be opened: %s", strerror(errno));
    }
    return S_ISREG(about.st_mode) ? STATUS_OK : error_at(error, 0, 0, "expected a results file, it is no regular file");
}

/* One match at a time writes to a file. The lock goes with the process, however it ends. (SQLite's own locks
 * are of another kind and hold only during a transaction; they would be lost if this descriptor were closed
 * while the database is open, so it is opened before and closed after.) */
static enum status lock(struct store *store, const char *path, enum store_mode mode, struct error *error) {
    if (mode == STORE_READ) {
        return STATUS_OK;
    }
    store->lock = open(path, O_RDWR | O_CLOEXEC | (mode == STORE_NEW ? O_CREAT : 0), 0666);
    if (store->lock < 0) {
        return error_at(error, 0, 0, "cannot be opened: %s", strerror(errno));
    }
    return flock(store->lock, LOCK_EX | LOCK_NB) == 0 ? STATUS_OK
                                                      : error_at(error, 0, 0, "is in use by a match that is running");
}

enum status store_open(struct store **out, const char *path, enum store_mode mode, struct error *error) {
    struct store *store = calloc(1, sizeof *store);
    if (!store) {
        return error_machine(error, "out of memory");
    }
    store->lock = -1;
    enum status status = check_regular(path, mode, error);
    status = status == STATUS_OK ? lock(store, path, mode, error) : status;
    if (status != STATUS_OK) {
        store_close(store);
        return status;
    }
    int flags = mode == STORE_NEW        ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                : mode == STORE_CARRY_ON ? SQLITE_OPEN_READWRITE
                                         : SQLITE_OPEN_READONLY;
    if (sqlite3_open_v2(path, &store->database, flags, NULL) != SQLITE_OK) {
        status = error_at(error, 0, 0, "%s", sqlite3_errmsg(store->database));
        store_close(store);
        return status;
    }
    sqlite3_busy_timeout(store->database, 5000);
    status = check_kind(store, mode, error);
    if (status != STATUS_OK) {
        store_close(store);
        return status;
    }
    *out = store;
    return STATUS_OK;
}

void store_close(struct store *store) {
    if (store) {
        sqlite3_finalize(store->insert);
        if (store->logged) {
            run(store, "PRAGMA journal_mode=DELETE", NULL); /* one plain file is left; fails while somebody reads */
        }
        sqlite3_close(store->database);
        if (store->lock >= 0) {
            close(store->lock);
        }
    }
    free(store);
}

/* Begins a transaction. From the first one on there is a write-ahead log: it costs one flush to the disk a
 * transaction, and a report can be made meanwhile. */
static enum status begin(struct store *store, struct error *error) {
    if (!store->logged) {
        enum status status = run(store, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL", error);
        if (status != STATUS_OK) {
            return status;
        }
        store->logged = true;
    }
    return run(store, "BEGIN IMMEDIATE", error);
}

/* -- the plan -- */

static enum status put_meta(struct store *store, const char *key, const char *value, struct error *error) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->database, "INSERT OR REPLACE INTO meta VALUES(?,?)", -1, &statement, NULL) !=
        SQLITE_OK) {
        return broken(store, error);
    }
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 2, value, -1, SQLITE_TRANSIENT);
    bool done = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return done ? STATUS_OK : broken(store, error);
}

static bool get_meta(struct store *store, const char *key, struct text *value) {
    sqlite3_stmt *statement;
    bool found = false;
    if (sqlite3_prepare_v2(store->database, "SELECT value FROM meta WHERE key=?", -1, &statement, NULL) == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, key, -1, SQLITE_TRANSIENT);
        if (sqlite3_step(statement) == SQLITE_ROW) {
            text_add(value, (const char *)sqlite3_column_text(statement, 0),
                     (size_t)sqlite3_column_bytes(statement, 0));
            found = true;
        }
    }
    sqlite3_finalize(statement);
    return found;
}

static enum status put_players(struct store *store, const struct plan *plan, struct error *error) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->database, "INSERT OR REPLACE INTO players VALUES(?,?,?)", -1, &statement, NULL) !=
        SQLITE_OK) {
        return broken(store, error);
    }
    enum status status = STATUS_OK;
    for (int i = 0; i < plan->player_count && status == STATUS_OK; i++) {
        sqlite3_bind_int(statement, 1, i);
        sqlite3_bind_text(statement, 2, plan->players[i].name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(statement, 3, plan->players[i].text, -1, SQLITE_TRANSIENT);
        status = sqlite3_step(statement) == SQLITE_DONE ? STATUS_OK : broken(store, error);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return status;
}

enum status store_put_plan(struct store *store, const struct plan *plan, struct error *error) {
    struct text text = TEXT_EMPTY;
    char games[32];
    snprintf(games, sizeof games, "%lld", (long long)plan->games);
    plan_write(plan, &text);
    enum status status = begin(store, error);
    if (status == STATUS_OK) {
        /* Tables and plan come into being together: a file holds a whole match or none. */
        if (number_of(store, "SELECT count(*) FROM sqlite_master") == 0) {
            status = run(store, schema, error);
        }
        status = status == STATUS_OK ? put_meta(store, "plan", text_string(&text), error) : status;
        status = status == STATUS_OK ? put_meta(store, "games", games, error) : status;
        status = status == STATUS_OK ? put_meta(store, "version", SORTIE_VERSION, error) : status;
        status = status == STATUS_OK ? put_players(store, plan, error) : status;
        status = status == STATUS_OK ? run(store, "COMMIT", error) : status;
        if (status != STATUS_OK) {
            run(store, "ROLLBACK", NULL);
        }
    }
    text_free(&text);
    return status;
}

enum status store_get_plan(struct store *store, struct plan *plan, struct error *error) {
    struct text text = TEXT_EMPTY;
    struct text games = TEXT_EMPTY;
    enum status status = get_meta(store, "plan", &text) && get_meta(store, "games", &games)
                             ? plan_read(plan, text_string(&text), text.length, error)
                             : error_at(error, 0, 0, "expected a results file, it holds no plan");
    if (status == STATUS_OK) {
        plan->games = atoll(text_string(&games));
    }
    text_free(&text);
    text_free(&games);
    return status;
}

/* -- games -- */

static const char insert_sql[] =
    "INSERT INTO "
    "games(id,first,second,start,points,cause,loser,score,plies,wall_first,wall_second,cpu_first,cpu_second,"
    "slowest_first,slowest_second,position,moves,times,detail,stderr_first,stderr_second)"
    " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

static void bind_text(sqlite3_stmt *statement, int column, const struct text *text) {
    sqlite3_bind_text(statement, column, text_string(text), (int)text->length, SQLITE_TRANSIENT);
}

static enum status add_one(struct store *store, const struct record *record, struct error *error) {
    sqlite3_stmt *s = store->insert;
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    sqlite3_bind_int64(s, 1, record->index);
    sqlite3_bind_int(s, 2, record->players[0]);
    sqlite3_bind_int(s, 3, record->players[1]);
    sqlite3_bind_int(s, 4, record->start);
    sqlite3_bind_int(s, 5, record->points);
    sqlite3_bind_text(s, 6, player_fault_name(record->fault), -1, SQLITE_STATIC);
    if (record->loser >= 0) {
        sqlite3_bind_int(s, 7, record->loser);
    } else {
        sqlite3_bind_int(s, 8, record->score);
    }
    sqlite3_bind_int(s, 9, record->plies);
    for (int side = 0; side < 2; side++) {
        sqlite3_bind_double(s, 10 + side, record->wall_seconds[side]);
        sqlite3_bind_double(s, 12 + side, record->cpu_seconds[side]);
        sqlite3_bind_double(s, 14 + side, record->slowest[side]);
        sqlite3_bind_blob(s, 20 + side, text_string(&record->errors[side]), (int)record->errors[side].length,
                          SQLITE_TRANSIENT);
    }
    bind_text(s, 16, &record->position);
    bind_text(s, 17, &record->moves);
    bind_text(s, 18, &record->times);
    bind_text(s, 19, &record->detail);
    bool done = sqlite3_step(s) == SQLITE_DONE;
    enum status status = done ? STATUS_OK : broken(store, error);
    sqlite3_reset(s);
    return status;
}

enum status store_add(struct store *store, const struct record *records, int count, struct error *error) {
    if (!store->insert && sqlite3_prepare_v2(store->database, insert_sql, -1, &store->insert, NULL) != SQLITE_OK) {
        return broken(store, error);
    }
    enum status status = begin(store, error);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = add_one(store, &records[i], error);
    }
    if (status == STATUS_OK) {
        status = run(store, "COMMIT", error);
    }
    if (status != STATUS_OK) {
        run(store, "ROLLBACK", NULL);
    }
    return status;
}

static void column_text(sqlite3_stmt *statement, int column, struct text *text) {
    text->length = 0;
    const void *bytes = sqlite3_column_blob(statement, column);
    text_add(text, bytes ? bytes : "", (size_t)sqlite3_column_bytes(statement, column));
}

static void read_row(sqlite3_stmt *s, bool whole, struct record *record) {
    record->index = sqlite3_column_int64(s, 0);
    record->players[0] = sqlite3_column_int(s, 1);
    record->players[1] = sqlite3_column_int(s, 2);
    record->start = sqlite3_column_int(s, 3);
    record->points = sqlite3_column_int(s, 4);
    enum player_fault fault = player_fault_find((const char *)sqlite3_column_text(s, 5));
    record->fault = fault < PLAYER_FAULTS ? fault : PLAYER_CRASHED;
    record->loser = sqlite3_column_type(s, 6) == SQLITE_NULL ? -1 : sqlite3_column_int(s, 6);
    record->score = sqlite3_column_int(s, 7);
    record->plies = sqlite3_column_int(s, 8);
    for (int side = 0; side < 2; side++) {
        record->wall_seconds[side] = sqlite3_column_double(s, 9 + side);
        record->cpu_seconds[side] = sqlite3_column_double(s, 11 + side);
        record->slowest[side] = sqlite3_column_double(s, 13 + side);
    }
    column_text(s, 15, &record->detail);
    if (whole) {
        column_text(s, 16, &record->position);
        column_text(s, 17, &record->moves);
        column_text(s, 18, &record->times);
        column_text(s, 19, &record->errors[0]);
        column_text(s, 20, &record->errors[1]);
    }
}

enum status store_each(struct store *store, bool whole, bool (*each)(void *user, const struct record *record),
                       void *user, struct error *error) {
    sqlite3_stmt *statement;
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT id,first,second,start,points,cause,loser,score,plies,wall_first,wall_second,cpu_first,cpu_second,"
             "slowest_first,slowest_second,detail%s FROM games ORDER BY id",
             whole ? ",position,moves,times,stderr_first,stderr_second" : "");
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK) {
        return broken(store, error);
    }
    struct record record = {0};
    int step;
    bool going = true;
    while (going && (step = sqlite3_step(statement)) == SQLITE_ROW) {
        read_row(statement, whole, &record);
        going = each(user, &record);
    }
    enum status status = !going || step == SQLITE_DONE ? STATUS_OK : broken(store, error);
    record_free(&record);
    sqlite3_finalize(statement);
    return status;
}
