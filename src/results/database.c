#include "results/database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/stopwatch.h"

#define MOST_VALUE_BYTES (128 << 20) /* openings of a match come to 64 MiB at most */
#define BUSY_MILLISECONDS 30000      /* somebody else's transaction is waited for so long */
#define BUSY_TURN 10000000           /* nanoseconds, where SQLite itself does not wait */
#define LOCK_TURNS 40                /* of 50 ms each */

/* -- statements -- */

enum status database_failed(const struct database *database, struct error *error) {
    sqlite3 *handle = database->handle;
    int extended = sqlite3_extended_errcode(handle);
    int code = extended & 0xff;
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_FORMAT || code == SQLITE_ERROR ||
        code == SQLITE_TOOBIG || code == SQLITE_MISMATCH) {
        return error_at(error, 0, 0, "expected %s, this one is damaged: %.150s", database->kind->what,
                        sqlite3_errmsg(handle));
    }
    if (extended == SQLITE_IOERR_SHORT_READ) {
        return error_at(error, 0, 0, "expected %s, this one ends too early", database->kind->what);
    }
    int cause = code == SQLITE_IOERR ? sqlite3_system_errno(handle) : 0;
    return error_machine(error, "%.150s%s%s", sqlite3_errmsg(handle), cause ? ": " : "", cause ? strerror(cause) : "");
}

bool database_machine_failed(const struct database *database) {
    int extended = sqlite3_extended_errcode(database->handle);
    int code = extended & 0xff;
    return code == SQLITE_NOMEM || (code == SQLITE_IOERR && extended != SQLITE_IOERR_SHORT_READ);
}

enum status database_run(const struct database *database, const char *sql, struct error *error) {
    return sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? STATUS_OK
                                                                              : database_failed(database, error);
}

enum status database_prepare(const struct database *database, const char *sql, sqlite3_stmt **statement,
                             struct error *error) {
    return sqlite3_prepare_v2(database->handle, sql, -1, statement, NULL) == SQLITE_OK
               ? STATUS_OK
               : database_failed(database, error);
}

enum status database_finish(const struct database *database, sqlite3_stmt *statement, struct error *error) {
    enum status status = sqlite3_step(statement) == SQLITE_DONE ? STATUS_OK : database_failed(database, error);
    sqlite3_finalize(statement);
    return status;
}

int64_t database_number(const struct database *database, const char *sql) {
    sqlite3_stmt *statement;
    int64_t number = DATABASE_NO_NUMBER;
    if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        number = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return number;
}

/* Whether what has just failed may succeed in a moment, and waits for that: SQLite's own time-out is not asked where
 * two connections change the journal at the same time, as the first and the last of several do. */
static bool busy_moment(const struct database *database, double end) {
    int code = sqlite3_errcode(database->handle) & 0xff;
    if ((code != SQLITE_BUSY && code != SQLITE_PROTOCOL) || clock_wall() >= end) {
        return false;
    }
    nanosleep(&(struct timespec){0, BUSY_TURN}, NULL);
    return true;
}

static double busy_end(void) {
    return clock_wall() + BUSY_MILLISECONDS / 1000.0;
}

/* From the first transaction on there is a write-ahead log: it costs one flush to the disk a transaction, and a report
 * can be made meanwhile. */
static enum status begin_now(struct database *database, struct error *error) {
    if (!database->logged) {
        enum status status = database_run(database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL", error);
        if (status != STATUS_OK) {
            return status;
        }
        database->logged = true;
    }
    return database_run(database, "BEGIN IMMEDIATE", error);
}

enum status database_begin(struct database *database, struct error *error) {
    double end = busy_end();
    enum status status = begin_now(database, error);
    while (status != STATUS_OK && busy_moment(database, end)) {
        status = begin_now(database, error);
    }
    return status;
}

enum status database_end(struct database *database, enum status status, struct error *error) {
    if (status == STATUS_OK) {
        status = database_run(database, "COMMIT", error);
    }
    if (status != STATUS_OK) {
        database_run(database, "ROLLBACK", NULL);
    }
    return status;
}

enum status database_make_tables(struct database *database, struct error *error) {
    const struct database_kind *kind = database->kind;
    char marks[100];
    snprintf(marks, sizeof marks, "PRAGMA application_id=%d; PRAGMA user_version=%d", kind->mark, kind->version);
    enum status status = database_run(database, marks, error);
    for (int i = 0; i < kind->table_count && status == STATUS_OK; i++) {
        status = database_run(database, kind->tables[i].sql, error);
    }
    return status;
}

/* -- opening -- */

/* Whether one entry of the schema is as we make it; *known gets the table's bit. Another program's triggers and views
 * would be run by our own statements. */
static bool entry_is_ours(const struct database_kind *kind, sqlite3_stmt *entry, unsigned *known) {
    const char *type = (const char *)sqlite3_column_text(entry, 0);
    const char *name = (const char *)sqlite3_column_text(entry, 1);
    const char *sql = (const char *)sqlite3_column_text(entry, 2);
    for (int i = 0; type && name && sql && i < kind->table_count; i++) {
        const struct database_table *table = &kind->tables[i];
        if (strcmp(type, "table") == 0 && strcmp(name, table->name) == 0 && strcmp(sql, table->sql) == 0) {
            *known |= 1u << i;
            return true;
        }
    }
    return type && name && !sql && strcmp(type, "index") == 0 && strncmp(name, "sqlite_autoindex_", 17) == 0;
}

static enum status check_tables(const struct database *database, struct error *error) {
    const struct database_kind *kind = database->kind;
    sqlite3_stmt *entry;
    enum status status = database_prepare(database, "SELECT type,name,sql FROM sqlite_master", &entry, error);
    if (status != STATUS_OK) {
        return status;
    }
    unsigned known = 0;
    bool ours = true;
    int step = SQLITE_DONE;
    while (ours && (step = sqlite3_step(entry)) == SQLITE_ROW) {
        ours = entry_is_ours(kind, entry, &known);
    }
    ours = ours && known == (1u << kind->table_count) - 1;
    if (database_machine_failed(database) || (step != SQLITE_ROW && step != SQLITE_DONE)) {
        status = database_failed(database, error);
    } else if (!ours) {
        status = error_at(error, 0, 0, "expected %s, its tables are not those of sortie", kind->what);
    }
    sqlite3_finalize(entry);
    return status;
}

static enum status check_kind(struct database *database, enum database_mode mode, struct error *error) {
    const struct database_kind *kind = database->kind;
    int64_t entries = database_number(database, "SELECT count(*) FROM sqlite_master");
    if (entries < 0) {
        return database_machine_failed(database) ? database_failed(database, error)
                                                 : error_at(error, 0, 0, "expected %s, this is something else: %.100s",
                                                            kind->what, sqlite3_errmsg(database->handle));
    }
    int64_t mark = database_number(database, "PRAGMA application_id");
    int64_t version = database_number(database, "PRAGMA user_version");
    if (mark == DATABASE_NO_NUMBER || version == DATABASE_NO_NUMBER) {
        return database_failed(database, error);
    }
    database->empty = entries == 0;
    if (database->empty && mode == DATABASE_MAKE && (mark == 0 || mark == kind->mark)) {
        return STATUS_OK;
    }
    if (database->empty || mark != kind->mark) {
        return error_at(error, 0, 0, "expected %s, it holds %s", kind->what,
                        database->empty ? "nothing" : "something else");
    }
    if (version != kind->version) {
        return error_at(error, 0, 0, "was written by another version of sortie");
    }
    return check_tables(database, error);
}

/* A device or a pipe is nothing SQLite should open: it would wait, or write into it. */
static enum status check_regular(const struct database *database, const char *path, enum database_mode mode,
                                 struct error *error) {
    struct stat about;
    if (stat(path, &about) != 0) {
        return errno == ENOENT && mode == DATABASE_MAKE
                   ? STATUS_OK
                   : error_system(error, errno, "cannot be opened: %s", strerror(errno));
    }
    return S_ISREG(about.st_mode) ? STATUS_OK
                                  : error_at(error, 0, 0, "expected %s, it is no regular file", database->kind->what);
}

/* Takes the lock, or gives up after a moment: who was killed while it began a process may have left it to that one,
 * which gives it up as soon as it runs. */
static bool wait_for_lock(int file) {
    for (int turn = 0; turn < LOCK_TURNS; turn++) {
        if (flock(file, LOCK_EX | LOCK_NB) == 0) {
            return true;
        }
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    }
    return false;
}

/* A shared file is only made where there is none. */
static enum status make_shared(const char *path, enum database_mode mode, struct error *error) {
    int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | (mode == DATABASE_MAKE ? O_CREAT : 0), 0666);
    if (file < 0) {
        return error_system(error, errno, "cannot be opened: %s", strerror(errno));
    }
    close(file);
    return STATUS_OK;
}

/* SQLite's own locks are of another kind and hold only during a transaction; they would be lost if this descriptor were
 * closed while the database is open, so it is opened before and closed after. */
static enum status take_lock(struct database *database, const char *path, enum database_mode mode,
                             struct error *error) {
    if (mode == DATABASE_READ) {
        return STATUS_OK;
    }
    if (!database->kind->writer) {
        return make_shared(path, mode, error);
    }
    database->lock = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | (mode == DATABASE_MAKE ? O_CREAT : 0), 0666);
    if (database->lock < 0) {
        return error_system(error, errno, "cannot be opened: %s", strerror(errno));
    }
    return wait_for_lock(database->lock)
               ? STATUS_OK
               : error_at(error, 0, 0, "is in use by %s that is running", database->kind->writer);
}

/* Without memory there is no handle that could tell. */
static enum status open_failed(const struct database *database, struct error *error) {
    sqlite3 *handle = database->handle;
    if (!handle || database_machine_failed(database)) {
        return error_machine(error, "%.200s", handle ? sqlite3_errmsg(handle) : "out of memory");
    }
    return error_system(error, sqlite3_system_errno(handle), "%.200s", sqlite3_errmsg(handle));
}

static void distrust(sqlite3 *handle) {
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES);
    sqlite3_exec(handle, "PRAGMA cell_size_check=ON", NULL, NULL, NULL);
}

enum status database_open(struct database *database, const struct database_kind *kind, const char *path,
                          enum database_mode mode, struct error *error) {
    *database = (struct database){.kind = kind, .lock = -1};
    enum status status = check_regular(database, path, mode, error);
    if (status == STATUS_OK) {
        status = take_lock(database, path, mode, error);
    }
    int flags = mode == DATABASE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    if (status == STATUS_OK && sqlite3_open_v2(path, &database->handle, flags, NULL) != SQLITE_OK) {
        status = open_failed(database, error);
    }
    if (status == STATUS_OK) {
        sqlite3_busy_timeout(database->handle, BUSY_MILLISECONDS);
        distrust(database->handle);
        double end = busy_end();
        do {
            status = check_kind(database, mode, error);
        } while (status != STATUS_OK && busy_moment(database, end));
    }
    return status;
}

void database_close(struct database *database) {
    if (database->logged) {
        database_run(database, "PRAGMA journal_mode=DELETE", NULL); /* one plain file is left; fails while it is read */
    }
    sqlite3_close(database->handle);
    if (database->lock >= 0) {
        close(database->lock);
    }
}
