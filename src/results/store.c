#include "results/store.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/database.h"

struct store {
    struct database database;
    sqlite3_stmt *insert;
};

static const struct database_table tables[] = {
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

static const struct database_kind kind = {
    .what = "a results file",
    .writer = "a match",
    .mark = 1936683636, /* the letters "sort" */
    .version = 1,
    .tables = tables,
    .table_count = sizeof tables / sizeof *tables,
};

static enum status check_mode(const struct store *store, enum store_mode mode, struct error *error) {
    const struct database *database = &store->database;
    return mode != STORE_NEW || database->empty
               ? STATUS_OK
               : error_at(error, 0, 0,
                          "holds a match already (%lld games); carry on with --resume or name another file",
                          (long long)database_number(database, "SELECT count(*) FROM games"));
}

enum status store_open(struct store **out, const char *path, enum store_mode mode, struct error *error) {
    struct store *store = calloc(1, sizeof *store);
    if (!store) {
        return error_machine(error, "out of memory");
    }
    enum status status = database_open(&store->database, &kind, path,
                                       mode == STORE_NEW        ? DATABASE_MAKE
                                       : mode == STORE_CARRY_ON ? DATABASE_WRITE
                                                                : DATABASE_READ,
                                       error);
    if (status == STATUS_OK) {
        status = check_mode(store, mode, error);
    }
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
        database_close(&store->database);
    }
    free(store);
}

/* -- the plan -- */

static enum status put_meta(struct store *store, const char *key, const char *value, struct error *error) {
    sqlite3_stmt *statement;
    enum status status =
        database_prepare(&store->database, "INSERT OR REPLACE INTO meta VALUES(?,?)", &statement, error);
    if (status != STATUS_OK) {
        return status;
    }
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, value, -1, SQLITE_STATIC);
    return database_finish(&store->database, statement, error);
}

static enum status get_meta(struct store *store, const char *key, struct text *value, struct error *error) {
    sqlite3_stmt *statement;
    enum status status = database_prepare(&store->database, "SELECT value FROM meta WHERE key=?", &statement, error);
    if (status != STATUS_OK) {
        return status;
    }
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    int step = sqlite3_step(statement);
    const char *text = step == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (text) {
        text_add(value, text, (size_t)sqlite3_column_bytes(statement, 0));
        status = value->broken ? error_machine(error, "out of memory") : STATUS_OK;
    } else if (database_machine_failed(&store->database) || (step != SQLITE_ROW && step != SQLITE_DONE)) {
        status = database_failed(&store->database, error);
    } else {
        status = error_at(error, 0, 0, "expected a results file, it holds no plan");
    }
    sqlite3_finalize(statement);
    return status;
}

static enum status put_players(struct store *store, const struct plan *plan, struct error *error) {
    sqlite3_stmt *statement;
    enum status status =
        database_prepare(&store->database, "INSERT OR REPLACE INTO players VALUES(?,?,?)", &statement, error);
    for (int i = 0; i < plan->player_count && status == STATUS_OK; i++) {
        sqlite3_bind_int(statement, 1, i);
        sqlite3_bind_text(statement, 2, plan->players[i].name, -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 3, plan->players[i].text, -1, SQLITE_STATIC);
        status = sqlite3_step(statement) == SQLITE_DONE ? STATUS_OK : database_failed(&store->database, error);
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
    enum status status = text.broken ? error_machine(error, "out of memory") : database_begin(&store->database, error);
    if (status == STATUS_OK) {
        /* Tables and plan come into being together: a file holds a whole match or none. */
        int64_t entries = database_number(&store->database, "SELECT count(*) FROM sqlite_master");
        status = entries == DATABASE_NO_NUMBER ? database_failed(&store->database, error)
                 : entries == 0                ? database_make_tables(&store->database, error)
                                               : STATUS_OK;
        status = status == STATUS_OK ? put_meta(store, "plan", text_string(&text), error) : status;
        status = status == STATUS_OK ? put_meta(store, "games", games, error) : status;
        status = status == STATUS_OK ? put_meta(store, "version", SORTIE_VERSION, error) : status;
        status = status == STATUS_OK ? put_players(store, plan, error) : status;
        status = database_end(&store->database, status, error);
    }
    text_free(&text);
    return status;
}

/* The table of players, which is there for other readers, must say what the plan says. */
static enum status check_players(struct store *store, const struct plan *plan, struct error *error) {
    sqlite3_stmt *row;
    enum status status =
        database_prepare(&store->database, "SELECT id,name,spec FROM players ORDER BY id", &row, error);
    if (status != STATUS_OK) {
        return status;
    }
    int count = 0;
    bool same = true;
    int step = SQLITE_DONE;
    while (same && (step = sqlite3_step(row)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 1);
        const char *spec = (const char *)sqlite3_column_text(row, 2);
        same = count < plan->player_count && sqlite3_column_int64(row, 0) == count && name && spec &&
               strcmp(name, plan->players[count].name) == 0;
        count++;
    }
    same = same && count == plan->player_count;
    if (database_machine_failed(&store->database) || (step != SQLITE_ROW && step != SQLITE_DONE)) {
        status = database_failed(&store->database, error);
    } else if (!same) {
        status = error_at(error, 0, 0, "expected a results file, its players are not those of its plan");
    }
    sqlite3_finalize(row);
    return status;
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
    enum status status = get_meta(store, "plan", &text, error);
    status = status == STATUS_OK ? get_meta(store, "games", &games, error) : status;
    status = status == STATUS_OK ? plan_read(plan, text_string(&text), text.length, error) : status;
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
    sqlite3_bind_text(statement, column, text_string(text), (int)text->length, SQLITE_STATIC);
}

/* Whether there was no memory for one of its texts. */
static bool is_broken(const struct record *record) {
    return record->position.broken || record->moves.broken || record->times.broken || record->detail.broken ||
           record->errors[0].broken || record->errors[1].broken;
}

static enum status add_one(struct store *store, const struct record *record, struct error *error) {
    sqlite3_stmt *s = store->insert;
    if (is_broken(record)) {
        return error_machine(error, "out of memory");
    }
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
                          SQLITE_STATIC);
    }
    bind_text(s, 16, &record->position);
    bind_text(s, 17, &record->moves);
    bind_text(s, 18, &record->times);
    bind_text(s, 19, &record->detail);
    bool done = sqlite3_step(s) == SQLITE_DONE;
    enum status status = done ? STATUS_OK : database_failed(&store->database, error);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return status;
}

enum status store_add(struct store *store, const struct record *records, int count, struct error *error) {
    enum status status =
        store->insert ? STATUS_OK : database_prepare(&store->database, insert_sql, &store->insert, error);
    if (status == STATUS_OK) {
        status = database_begin(&store->database, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = add_one(store, &records[i], error);
    }
    return database_end(&store->database, status, error);
}

static void column_text(sqlite3_stmt *statement, int column, struct text *text) {
    text->length = 0;
    const void *bytes = sqlite3_column_blob(statement, column);
    size_t length = (size_t)sqlite3_column_bytes(statement, column);
    text_add(text, bytes ? bytes : "", bytes ? length : 0);
    text->broken = text->broken || (!bytes && length > 0);
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
    const char *cause = (const char *)sqlite3_column_text(s, 5);
    if (!cause) {
        return error_machine(error, "out of memory");
    }
    record->fault = player_fault_find(cause);
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
    if (is_broken(record)) {
        return error_machine(error, "out of memory");
    }
    return record_check(record, plan, whole, error);
}

enum status store_each(struct store *store, const struct plan *plan, bool whole,
                       bool (*each)(void *user, const struct record *record), void *user, struct error *error) {
    sqlite3_stmt *statement;
    struct text sql = TEXT_EMPTY;
    whole = whole || plan->swap; /* only the moves tell who took a stone over */
    for (int column = 0; column < (whole ? ROW_COLUMNS : ROW_PLAIN_COLUMNS); column++) {
        text_addf(&sql, "%s%s", column ? "," : "SELECT ", row_names[column]);
    }
    text_add_string(&sql, " FROM games ORDER BY id");
    enum status status = database_prepare(&store->database, text_string(&sql), &statement, error);
    text_free(&sql);
    if (status != STATUS_OK) {
        return status;
    }
    struct record record = {0};
    int step = SQLITE_DONE;
    bool going = true;
    while (going && status == STATUS_OK && (step = sqlite3_step(statement)) == SQLITE_ROW) {
        status = read_row(statement, plan, whole, &record, error);
        going = status == STATUS_OK && each(user, &record);
    }
    if (status == STATUS_OK && going && step != SQLITE_DONE) {
        status = database_failed(&store->database, error);
    }
    record_free(&record);
    sqlite3_finalize(statement);
    return status;
}
