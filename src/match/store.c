#include "match/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID 1936683636 /* the letters "sort" */
#define FORMAT_VERSION 1
#define MOST_VALUE_BYTES (128 << 20) /* openings of a match come to 64 MiB at most */

struct store {
    sqlite3 *database;
    sqlite3_stmt *insert;
    bool logged; /* by a write-ahead log */
    int lock;    /* the file itself, locked while a match runs; -1: only reading */
};

#define AS_TEXT(number) #number
#define AS_NUMBER(macro) AS_TEXT(macro)

static const char marks[] =
    "PRAGMA application_id=" AS_NUMBER(APPLICATION_ID) ";PRAGMA user_version=" AS_NUMBER(FORMAT_VERSION);

/* The tables. A file is believed only when it has exactly these: another program's triggers and views would be run by
 * our own statements. */
static const struct {
    const char *name;
    const char *sql;
} tables[] = {
    {"meta", "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"},
    {"players", "CREATE TABLE players(id INTEGER PRIMARY KEY, name TEXT NOT NULL, spec TEXT NOT NULL)"},
    {"games", "CREATE TABLE games("
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
              "  detail TEXT NOT NULL, stderr_first BLOB NOT NULL, stderr_second BLOB NOT NULL,"
              "  ended TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')))"},
};
#define TABLES ((int)(sizeof tables / sizeof *tables))

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
    if (code == SQLITE_IOERR && sqlite3_extended_errcode(store->database) == SQLITE_IOERR_SHORT_READ) {
        return error_at(error, 0, 0, "expected a results file, this one ends too early");
    }
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

/* Whether one entry of the schema is as we make it; *known gets the table's bit. */
static bool entry_is_ours(sqlite3_stmt *entry, unsigned *known) {
    const char *kind = (const char *)sqlite3_column_text(entry, 0);
    const char *name = (const char *)sqlite3_column_text(entry, 1);
    const char *sql = (const char *)sqlite3_column_text(entry, 2);
    for (int i = 0; kind && name && sql && i < TABLES; i++) {
        if (strcmp(kind, "table") == 0 && strcmp(name, tables[i].name) == 0 && strcmp(sql, tables[i].sql) == 0) {
            *known |= 1u << i;
            return true;
        }
    }
    return kind && name && !sql && strcmp(kind, "index") == 0 && strncmp(name, "sqlite_autoindex_", 17) == 0;
}

static enum status check_tables(struct store *store, struct error *error) {
    sqlite3_stmt *entry;
    if (sqlite3_prepare_v2(store->database, "SELECT type,name,sql FROM sqlite_master", -1, &entry, NULL) != SQLITE_OK) {
        return broken(store, error);
    }
    unsigned known = 0;
    bool ours = true;
    while (ours && sqlite3_step(entry) == SQLITE_ROW) {
        ours = entry_is_ours(entry, &known);
    }
    sqlite3_finalize(entry);
    return ours && known == (1u << TABLES) - 1
               ? STATUS_OK
               : error_at(error, 0, 0, "expected a results file, its tables are not those of sortie");
}

static enum status check_kind(struct store *store, enum store_mode mode, struct error *error) {
    int64_t entries = number_of(store, "SELECT count(*) FROM sqlite_master");
    if (entries < 0) {
        return error_at(error, 0, 0, "expected a results file, this is something else: %s",
                        sqlite3_errmsg(store->database));
    }
    bool ours = number_of(store, "PRAGMA application_id") == APPLICATION_ID;
    if (mode == STORE_NEW) {
        if (entries > 0 && ours) {
            return error_at(error, 0, 0,
                            "holds a match already (%lld games); carry on with --resume or name another file",
                            (long long)number_of(store, "SELECT count(*) FROM games"));
        }
        return entries == 0 ? STATUS_OK : error_at(error, 0, 0, "is a database of another program");
    }
    if (entries == 0 || !ours) {
        return error_at(error, 0, 0, "expected a results file, it holds no match");
    }
    if (number_of(store, "PRAGMA user_version") != FORMAT_VERSION) {
        return error_at(error, 0, 0, "was written by another version of sortie");
    }
    return check_tables(store, error);
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

/* A results file may come from anybody. */
static void distrust(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES);
    sqlite3_exec(database, "PRAGMA cell_size_check=ON", NULL, NULL, NULL);
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
    distrust(store->database);
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

static enum status make_tables(struct store *store, struct error *error) {
    enum status status = run(store, marks, error);
    for (int i = 0; i < TABLES && status == STATUS_OK; i++) {
        status = run(store, tables[i].sql, error);
    }
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
            status = make_tables(store, error);
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

/* The table of players, which is there for other readers, must say what the plan says. */
static enum status check_players(struct store *store, const struct plan *plan, struct error *error) {
    sqlite3_stmt *row;
    if (sqlite3_prepare_v2(store->database, "SELECT id,name,spec FROM players ORDER BY id", -1, &row, NULL) !=
        SQLITE_OK) {
        return broken(store, error);
    }
    int count = 0;
    bool same = true;
    while (same && sqlite3_step(row) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 1);
        const char *spec = (const char *)sqlite3_column_text(row, 2);
        same = count < plan->player_count && sqlite3_column_int64(row, 0) == count && name && spec &&
               strcmp(name, plan->players[count].name) == 0;
        count++;
    }
    sqlite3_finalize(row);
    return same && count == plan->player_count
               ? STATUS_OK
               : error_at(error, 0, 0, "expected a results file, its players are not those of its plan");
}

/* A whole number and nothing else; -1 otherwise. */
static int64_t whole_number(const struct text *text) {
    char *end;
    errno = 0;
    const char *digits = text_string(text);
    long long number = strtoll(digits, &end, 10);
    return digits[0] >= '0' && digits[0] <= '9' && !errno && end == digits + text->length ? number : -1;
}

enum status store_get_plan(struct store *store, struct plan *plan, struct error *error) {
    struct text text = TEXT_EMPTY;
    struct text games = TEXT_EMPTY;
    *plan = (struct plan){0};
    enum status status = get_meta(store, "plan", &text) && get_meta(store, "games", &games)
                             ? plan_read(plan, text_string(&text), text.length, error)
                             : error_at(error, 0, 0, "expected a results file, it holds no plan");
    if (status == STATUS_OK) {
        plan->games = whole_number(&games);
        status = plan_check(plan, error);
        status = status == STATUS_OK ? plan_check_openings(plan, error) : status;
        status = status == STATUS_OK ? check_players(store, plan, error) : status;
        if (status != STATUS_OK) {
            plan_free(plan);
        }
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

#define ROW_PLAIN_COLUMNS 16
#define ROW_COLUMNS 21
#define MOST_SECONDS 1e9

/* What each column of a game's row must be: i a whole number that fits an int, I one that fits 64 bits, n an int or
 * nothing, r a time in seconds, t a text, B bytes. */
static const char row_types[] = "IiiiitnnirrrrrrttttBB";
static const char *const row_names[] = {"id",           "first",     "second",     "start",         "points",
                                        "cause",        "loser",     "score",      "plies",         "wall_first",
                                        "wall_second",  "cpu_first", "cpu_second", "slowest_first", "slowest_second",
                                        "detail",       "position",  "moves",      "times",         "stderr_first",
                                        "stderr_second"};

static bool column_fits(sqlite3_stmt *s, int column) {
    int type = sqlite3_column_type(s, column);
    int64_t whole = sqlite3_column_int64(s, column);
    double real = sqlite3_column_double(s, column);
    switch (row_types[column]) {
    case 'I':
        return type == SQLITE_INTEGER;
    case 'n':
        if (type == SQLITE_NULL) {
            return true;
        } /* fall through */
    case 'i':
        return type == SQLITE_INTEGER && whole >= INT_MIN && whole <= INT_MAX;
    case 'r':
        return type == SQLITE_FLOAT && real >= 0 && real <= MOST_SECONDS;
    case 't':
        return type == SQLITE_TEXT;
    default:
        return type == SQLITE_BLOB;
    }
}

/* Reads a row whose columns are in the order of row_types. */
static enum status read_row(sqlite3_stmt *s, const struct plan *plan, bool whole, struct record *record,
                            struct error *error) {
    record->index = sqlite3_column_int64(s, 0);
    for (int column = 0; column < sqlite3_column_count(s); column++) {
        if (!column_fits(s, column)) {
            return error_at(error, 0, 0, "expected a results file, game %lld of it has a wrong value in '%s'",
                            (long long)record->index, row_names[column]);
        }
    }
    record->players[0] = sqlite3_column_int(s, 1);
    record->players[1] = sqlite3_column_int(s, 2);
    record->start = sqlite3_column_int(s, 3);
    record->points = sqlite3_column_int(s, 4);
    record->fault = player_fault_find((const char *)sqlite3_column_text(s, 5));
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
    return record_check(record, plan, whole, error);
}

enum status store_each(struct store *store, const struct plan *plan, bool whole,
                       bool (*each)(void *user, const struct record *record), void *user, struct error *error) {
    sqlite3_stmt *statement;
    struct text sql = TEXT_EMPTY;
    for (int column = 0; column < (whole ? ROW_COLUMNS : ROW_PLAIN_COLUMNS); column++) {
        text_addf(&sql, "%s%s", column ? "," : "SELECT ", row_names[column]);
    }
    text_add_string(&sql, " FROM games ORDER BY id");
    int prepared = sqlite3_prepare_v2(store->database, text_string(&sql), -1, &statement, NULL);
    text_free(&sql);
    if (prepared != SQLITE_OK) {
        return broken(store, error);
    }
    struct record record = {0};
    enum status status = STATUS_OK;
    int step = SQLITE_DONE;
    bool going = true;
    while (going && status == STATUS_OK && (step = sqlite3_step(statement)) == SQLITE_ROW) {
        status = read_row(statement, plan, whole, &record, error);
        going = status == STATUS_OK && each(user, &record);
    }
    if (status == STATUS_OK && going && step != SQLITE_DONE) {
        status = broken(store, error);
    }
    record_free(&record);
    sqlite3_finalize(statement);
    return status;
}
