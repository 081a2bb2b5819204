#include "grade/grade_store.h"

#include <stdlib.h>
#include <string.h>

#include "grade/games/grade_facts.h"
#include "results/database.h"

struct grade_store {
    struct database database;
};

static const struct database_table tables[] = {
    {"builds",
     "CREATE TABLE builds(submission TEXT NOT NULL, print INTEGER NOT NULL, ready INTEGER NOT NULL, how TEXT NOT NULL,"
     " problem TEXT NOT NULL, messages BLOB NOT NULL, file TEXT NOT NULL, tool TEXT NOT NULL, why TEXT NOT NULL,"
     " PRIMARY KEY(submission, print))"},
    {"results",
     "CREATE TABLE results(submission TEXT NOT NULL, print INTEGER NOT NULL, name TEXT NOT NULL,"
     " case_print INTEGER NOT NULL, move INTEGER NOT NULL, board INTEGER NOT NULL, log INTEGER NOT NULL,"
     " fault TEXT NOT NULL, wall REAL NOT NULL, cpu REAL NOT NULL, difference TEXT NOT NULL, errors TEXT NOT NULL,"
     " explanation TEXT NOT NULL, facts TEXT NOT NULL,"
     " ended TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),"
     " PRIMARY KEY(submission, print, name, case_print))"},
    {"answers", "CREATE TABLE answers(case_print INTEGER NOT NULL, file TEXT NOT NULL, content BLOB NOT NULL,"
                " PRIMARY KEY(case_print, file))"},
};

static const struct database_kind kind = {
    .what = "a results file of sortie grade",
    .writer = "a grading",
    .mark = 1936683623, /* the letters "sorg" */
    .version = 4,
    .tables = tables,
    .table_count = sizeof tables / sizeof *tables,
};

/* -- opening -- */

enum status grade_store_open(struct grade_store **out, const char *path, struct error *error) {
    struct grade_store *store = calloc(1, sizeof *store);
    if (!store) {
        return error_machine(error, "out of memory");
    }
    struct database *database = &store->database;
    enum status status = database_open(database, &kind, path, DATABASE_MAKE, error);
    if (status == STATUS_OK) {
        status = database_begin(database, error);
    }
    if (status == STATUS_OK) {
        status = database_end(database, database->empty ? database_make_tables(database, error) : STATUS_OK, error);
    }
    if (status != STATUS_OK) {
        grade_store_close(store);
        return status;
    }
    *out = store;
    return STATUS_OK;
}

void grade_store_close(struct grade_store *store) {
    if (store) {
        database_close(&store->database);
    }
    free(store);
}

/* -- writing -- */

static void bind_text(sqlite3_stmt *statement, int column, const char *text) {
    sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
}

static void bind_blob(sqlite3_stmt *statement, int column, const struct text *text) {
    sqlite3_bind_blob64(statement, column, text_string(text), text->length, SQLITE_STATIC);
}

enum status grade_store_forget(struct grade_store *store, const struct grade *grade, struct error *error) {
    static const char *const statements[] = {"DELETE FROM builds WHERE submission=?",
                                             "DELETE FROM results WHERE submission=?"};
    enum status status = database_begin(&store->database, error);
    for (int i = 0; i < 2 * grade->submission_count && status == STATUS_OK; i++) {
        sqlite3_stmt *statement;
        status = database_prepare(&store->database, statements[i % 2], &statement, error);
        if (status == STATUS_OK) {
            bind_text(statement, 1, grade->submissions[i / 2].name);
            status = database_finish(&store->database, statement, error);
        }
    }
    return database_end(&store->database, status, error);
}

enum status grade_store_add_build(struct grade_store *store, const struct grade_submission *submission,
                                  struct error *error) {
    sqlite3_stmt *statement;
    if (submission->build.messages.broken) {
        return error_machine(error, "out of memory");
    }
    enum status status = database_prepare(&store->database, "INSERT OR REPLACE INTO builds VALUES(?,?,?,?,?,?,?,?,?)",
                                          &statement, error);
    if (status != STATUS_OK) {
        return status;
    }
    bind_text(statement, 1, submission->name);
    sqlite3_bind_int64(statement, 2, (int64_t)submission->print);
    sqlite3_bind_int(statement, 3, submission->build.state == GRADE_BUILD_READY);
    bind_text(statement, 4, submission->build.how);
    bind_text(statement, 5, submission->build.problem);
    bind_blob(statement, 6, &submission->build.messages);
    bind_text(statement, 7, submission->build.file);
    bind_text(statement, 8, submission->build.tool);
    bind_text(statement, 9, submission->build.why);
    return database_finish(&store->database, statement, error);
}

static enum status add_result(struct grade_store *store, const struct grade *grade, int place, struct error *error) {
    int submission = place / grade->case_count;
    int case_number = place % grade->case_count;
    const struct grade_result *result = &grade->results[place];
    sqlite3_stmt *statement;
    enum status status =
        database_prepare(&store->database,
                         "INSERT OR REPLACE INTO results(submission,print,name,case_print,move,board,log,"
                         "fault,wall,cpu,difference,errors,explanation,facts) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                         &statement, error);
    if (status != STATUS_OK) {
        return status;
    }
    bind_text(statement, 1, grade->submissions[submission].name);
    sqlite3_bind_int64(statement, 2, (int64_t)grade->submissions[submission].print);
    bind_text(statement, 3, grade->cases[case_number].name);
    sqlite3_bind_int64(statement, 4, (int64_t)grade->cases[case_number].print);
    for (int check = 0; check < GRADE_CHECKS; check++) {
        sqlite3_bind_int(statement, 5 + check, (int)result->marks[check]);
    }
    bind_text(statement, 8, player_fault_name(result->fault));
    sqlite3_bind_double(statement, 9, result->wall_seconds);
    sqlite3_bind_double(statement, 10, result->cpu_seconds);
    bind_text(statement, 11, result->difference);
    bind_text(statement, 12, result->errors);
    bind_text(statement, 13, result->explanation);
    bind_text(statement, 14, result->facts ? result->facts : "");
    return database_finish(&store->database, statement, error);
}

enum status grade_store_add_results(struct grade_store *store, const struct grade *grade, const int *places, int count,
                                    struct error *error) {
    enum status status = database_begin(&store->database, error);
    if (status != STATUS_OK) {
        return status;
    }
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = add_result(store, grade, places[i], error);
    }
    return database_end(&store->database, status, error);
}

enum status grade_store_add_answers(struct grade_store *store, const struct grade_case *one, struct error *error) {
    enum status status = database_begin(&store->database, error);
    for (int i = 0; i < one->expected_count && status == STATUS_OK; i++) {
        sqlite3_stmt *statement;
        status =
            one->expected[i].text.broken
                ? error_machine(error, "out of memory")
                : database_prepare(&store->database, "INSERT OR REPLACE INTO answers VALUES(?,?,?)", &statement, error);
        if (status == STATUS_OK) {
            sqlite3_bind_int64(statement, 1, (int64_t)one->print);
            bind_text(statement, 2, one->expected[i].name);
            bind_blob(statement, 3, &one->expected[i].text);
            status = database_finish(&store->database, statement, error);
        }
    }
    return database_end(&store->database, status, error);
}

/* -- reading -- */

/* A text of a row that fits; false otherwise. */
static bool take_text(sqlite3_stmt *row, int column, char *to, size_t size) {
    const unsigned char *text =
        sqlite3_column_type(row, column) == SQLITE_TEXT ? sqlite3_column_text(row, column) : NULL;
    size_t length = text ? (size_t)sqlite3_column_bytes(row, column) : size;
    if (length >= size || strlen((const char *)text) != length) {
        return false;
    }
    memcpy(to, text, length + 1);
    return true;
}

static bool take_number(sqlite3_stmt *row, int column, int most, int *number) {
    if (sqlite3_column_type(row, column) != SQLITE_INTEGER) {
        return false;
    }
    int64_t value = sqlite3_column_int64(row, column);
    *number = (int)value;
    return value >= 0 && value <= most;
}

static bool take_seconds(sqlite3_stmt *row, int column, double *seconds) {
    *seconds = sqlite3_column_double(row, column);
    return sqlite3_column_type(row, column) == SQLITE_FLOAT && *seconds >= 0 && *seconds < 1e9;
}

static bool take_blob(sqlite3_stmt *row, int column, size_t most, struct text *text) {
    bool fits = sqlite3_column_type(row, column) == SQLITE_BLOB;
    const void *bytes = sqlite3_column_blob(row, column);
    size_t length = (size_t)sqlite3_column_bytes(row, column);
    if (!fits || length > most || (!bytes && length > 0)) {
        return false;
    }
    text_add(text, bytes ? bytes : "", length);
    return !text->broken;
}

/* A row that could not be taken makes no sense, unless there was no memory for it. */
static enum status not_taken(const struct grade_store *store, const struct text *text, struct error *error) {
    if (database_machine_failed(&store->database)) {
        return database_failed(&store->database, error);
    }
    return text && text->broken ? error_machine(error, "out of memory") : STATUS_OK;
}

/* The facts of games, where the case has some. */
static bool take_facts(sqlite3_stmt *row, int column, const struct grade_case *one, struct grade_result *result) {
    const char *text =
        sqlite3_column_type(row, column) == SQLITE_TEXT ? (const char *)sqlite3_column_text(row, column) : NULL;
    size_t length = text ? (size_t)sqlite3_column_bytes(row, column) : 0;
    if (!text || strlen(text) != length || length > GRADE_MOST_FACTS || !grade_facts_well(one, text)) {
        return false;
    }
    result->facts = length > 0 ? strdup(text) : NULL;
    result->done = result->facts || length == 0; /* else there is no memory */
    return result->done;
}

static bool take_result(sqlite3_stmt *row, const struct grade_case *one, struct grade_result *result) {
    char fault[64];
    *result = (struct grade_result){.done = true};
    for (int check = 0; check < GRADE_CHECKS; check++) {
        int mark;
        if (!take_number(row, 1 + check, GRADE_MARKS - 1, &mark)) {
            return false;
        }
        result->marks[check] = (enum grade_mark)mark;
    }
    if (!take_text(row, 4, fault, sizeof fault) || !take_seconds(row, 5, &result->wall_seconds) ||
        !take_seconds(row, 6, &result->cpu_seconds) ||
        !take_text(row, 7, result->difference, sizeof result->difference) ||
        !take_text(row, 8, result->errors, sizeof result->errors) ||
        !take_text(row, 9, result->explanation, sizeof result->explanation)) {
        return false;
    }
    result->fault = player_fault_find(fault);
    return result->fault < PLAYER_FAULTS && take_facts(row, 10, one, result);
}

/* Which case of the grading a row is about; -1: none of these. */
static int case_of(const struct grade *grade, sqlite3_stmt *row, int column) {
    const char *name = (const char *)sqlite3_column_text(row, 0);
    uint64_t print = (uint64_t)sqlite3_column_int64(row, column);
    for (int i = 0; i < grade->case_count && name; i++) {
        if (grade->cases[i].print == print && strcmp(grade->cases[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static enum status load_results(struct grade_store *store, struct grade *grade, int submission, struct error *error) {
    sqlite3_stmt *row;
    enum status status = database_prepare(
        &store->database,
        "SELECT name,move,board,log,fault,wall,cpu,difference,errors,explanation,facts,case_print FROM results "
        "WHERE submission=? AND print=?",
        &row, error);
    if (status != STATUS_OK) {
        return status;
    }
    bind_text(row, 1, grade->submissions[submission].name);
    sqlite3_bind_int64(row, 2, (int64_t)grade->submissions[submission].print);
    int step = SQLITE_ROW;
    while (status == STATUS_OK && (step = sqlite3_step(row)) == SQLITE_ROW) {
        int number = case_of(grade, row, 11);
        struct grade_result result;
        if (number >= 0 && take_result(row, &grade->cases[number], &result)) {
            grade_weigh(&grade->cases[number], &result);
            grade->results[submission * grade->case_count + number] = result;
        } else if (number >= 0 && !result.done) {
            status = error_machine(error, "out of memory");
        } else if (number >= 0 && (status = not_taken(store, NULL, error)) == STATUS_OK) {
            status = error_at(error, 0, 0, "the stored result of %.80s in case %.80s makes no sense",
                              grade->submissions[submission].name, grade->cases[number].name);
        }
    }
    status = status == STATUS_OK && step != SQLITE_DONE ? database_failed(&store->database, error) : status;
    sqlite3_finalize(row);
    return status;
}

static enum status load_build(struct grade_store *store, struct grade_submission *submission, struct error *error) {
    sqlite3_stmt *row;
    enum status status = database_prepare(
        &store->database, "SELECT ready,how,problem,messages,file,tool,why FROM builds WHERE submission=? AND print=?",
        &row, error);
    if (status != STATUS_OK) {
        return status;
    }
    bind_text(row, 1, submission->name);
    sqlite3_bind_int64(row, 2, (int64_t)submission->print);
    int step = sqlite3_step(row);
    struct grade_build *build = &submission->build;
    int ready;
    if (step == SQLITE_ROW) {
        bool well =
            take_number(row, 0, 1, &ready) && take_text(row, 1, build->how, sizeof build->how) &&
            take_text(row, 2, build->problem, sizeof build->problem) && take_blob(row, 3, 1 << 20, &build->messages) &&
            take_text(row, 4, build->file, sizeof build->file) && take_text(row, 5, build->tool, sizeof build->tool) &&
            take_text(row, 6, build->why, sizeof build->why);
        if (well) {
            build->state = ready ? GRADE_BUILD_READY : GRADE_BUILD_FAILED;
        } else if ((status = not_taken(store, &build->messages, error)) == STATUS_OK) {
            status = error_at(error, 0, 0, "the stored build of %.100s makes no sense", submission->name);
        }
    } else if (step != SQLITE_DONE) {
        status = database_failed(&store->database, error);
    }
    sqlite3_finalize(row);
    return status;
}

enum status grade_store_load(struct grade_store *store, struct grade *grade, struct error *error) {
    enum status status = STATUS_OK;
    for (int i = 0; i < grade->submission_count && status == STATUS_OK; i++) {
        status = load_build(store, &grade->submissions[i], error);
        if (status == STATUS_OK) {
            status = load_results(store, grade, i, error);
        }
    }
    return status;
}

enum status grade_store_load_answers(struct grade_store *store, struct grade_case *one, struct error *error) {
    sqlite3_stmt *row;
    enum status status =
        database_prepare(&store->database, "SELECT content FROM answers WHERE case_print=? AND file=?", &row, error);
    for (int i = 0; i < GRADE_MOST_FILES && status == STATUS_OK; i++) {
        sqlite3_reset(row);
        sqlite3_bind_int64(row, 1, (int64_t)one->print);
        bind_text(row, 2, grade_answer_files[i]);
        int step = sqlite3_step(row);
        if (step == SQLITE_ROW) {
            struct grade_expected *expected = &one->expected[one->expected_count];
            *expected = (struct grade_expected){.name = grade_answer_files[i]};
            if (take_blob(row, 0, GRADE_MOST_FILE_BYTES, &expected->text)) {
                one->expected_count++;
            } else if ((status = not_taken(store, &expected->text, error)) == STATUS_OK) {
                status = error_at(error, 0, 0, "the stored answer of case %.100s makes no sense", one->name);
            }
        } else if (step != SQLITE_DONE) {
            status = database_failed(&store->database, error);
        }
    }
    sqlite3_finalize(row);
    return status;
}
