/* What is done with a whole database: counting it, and taking over another one. */
#include <string.h>
#include <time.h>

#include "analysis/analyses_inside.h"
#include "game/registry.h"

/* -- counting -- */

enum status analyses_count(struct analyses *analyses, struct analyses_counts *counts, struct error *error) {
    sqlite3_stmt *row;
    *counts = (struct analyses_counts){0};
    enum status status = database_prepare(&analyses->database,
                                          "SELECT count(*),count(value),count(lower),sum(comment<>''),sum(label<>''),"
                                          "max(depth) FROM positions",
                                          &row, error);
    if (status != STATUS_OK) {
        return status;
    }
    if (sqlite3_step(row) == SQLITE_ROW) {
        counts->positions = sqlite3_column_int64(row, 0);
        counts->valued = sqlite3_column_int64(row, 1);
        counts->proved = sqlite3_column_int64(row, 2);
        counts->comments = sqlite3_column_int64(row, 3);
        counts->marks = sqlite3_column_int64(row, 4);
        counts->deepest = sqlite3_column_int(row, 5);
    } else {
        status = database_failed(&analyses->database, error);
    }
    sqlite3_finalize(row);
    if (status == STATUS_OK) {
        int64_t marks = database_number(&analyses->database, "SELECT count(*) FROM marks");
        counts->games = database_number(&analyses->database, "SELECT count(*) FROM records");
        status = marks < 0 || counts->games < 0 ? database_failed(&analyses->database, error) : STATUS_OK;
        counts->marks += marks;
    }
    return status;
}

/* How much of a key names the board: its first three words. */
static size_t board_length(const char *key, size_t length) {
    int words = 0;
    size_t at = 0;
    while (at < length && !((key[at] == ' ' || key[at] == '\n') && ++words == 3)) {
        at++;
    }
    return at;
}

enum status analyses_boards(struct analyses *analyses,
                            void (*tell)(void *user, const char *board, size_t length, int64_t count), void *user,
                            struct error *error) {
    sqlite3_stmt *row;
    struct text board = TEXT_EMPTY;
    int64_t count = 0;
    enum status status = database_prepare(&analyses->database, "SELECT key FROM positions ORDER BY key", &row, error);
    if (status != STATUS_OK) {
        return status;
    }
    int step;
    while ((step = sqlite3_step(row)) == SQLITE_ROW) {
        const char *key = (const char *)sqlite3_column_text(row, 0);
        size_t length = key ? board_length(key, (size_t)sqlite3_column_bytes(row, 0)) : 0;
        if (count > 0 && (length != board.length || memcmp(key, text_string(&board), length) != 0)) {
            tell(user, text_string(&board), board.length, count);
            count = 0;
        }
        board.length = 0;
        text_add(&board, key ? key : "", length);
        count++;
    }
    if (count > 0) {
        tell(user, text_string(&board), board.length, count);
    }
    status = step == SQLITE_DONE ? STATUS_OK : database_failed(&analyses->database, error);
    text_free(&board);
    sqlite3_finalize(row);
    return status;
}

/* -- merging -- */

static bool take_text(struct text *own, const struct text *other) {
    if (own->length || !other->length) {
        return false;
    }
    text_add(own, text_string(other), other->length);
    return true;
}

/* Puts into a row what another one knows better; false when it knows nothing. */
static bool take_over(const struct game *game, struct row *own, const struct row *other) {
    bool taken = false;
    if (other->valued &&
        (!own->valued || (analysis_is_better(game, &own->value, &other->value) &&
                          (own->value.depth != other->value.depth || own->value.nodes != other->value.nodes)))) {
        own->valued = true;
        own->value = other->value;
        own->line.length = 0;
        text_add(&own->line, text_string(&other->line), other->line.length);
        taken = true;
    }
    taken = take_text(&own->comment, &other->comment) || taken;
    taken = take_text(&own->label, &other->label) || taken;
    if (own->games < other->games) {
        own->games = other->games;
        memcpy(own->won, other->won, sizeof own->won);
        taken = true;
    }
    if (!own->here) {
        own->written = other->written;
    } else if (taken) {
        own->written = (int64_t)time(NULL);
    }
    return taken || !own->here;
}

static enum status merge_row(struct analyses *analyses, sqlite3_stmt *from, int64_t *added, int64_t *changed,
                             struct error *error) {
    struct row own = {0};
    struct row other = {0};
    struct text key = TEXT_EMPTY;
    const char *name = (const char *)sqlite3_column_text(from, 0);
    text_add(&key, name ? name : "", name ? (size_t)sqlite3_column_bytes(from, 0) : 0);
    const struct game *game = game_find(text_string(&key), strcspn(text_string(&key), " "));
    enum status status = !game ? error_at(error, 0, 0,
                                          "expected a database of analysed positions, it has one of a "
                                          "game that is not known here")
                               : row_get(analyses, &key, &own, error);
    if (status == STATUS_OK) {
        row_take(&other, from, 1);
        bool fresh = !own.here;
        if (take_over(game, &own, &other)) {
            *added += fresh;
            *changed += !fresh;
            status = row_put(analyses, &key, &own, error);
        }
    }
    row_free(&own);
    row_free(&other);
    text_free(&key);
    return status;
}

/* Every row of a query of the other file through a function. */
static enum status merge_rows(struct analyses *analyses, struct analyses *from, const char *sql,
                              enum status (*take)(struct analyses *analyses, sqlite3_stmt *from, int64_t *added,
                                                  int64_t *changed, struct error *error),
                              int64_t *added, int64_t *changed, struct error *error) {
    sqlite3_stmt *row;
    enum status status = database_prepare(&from->database, sql, &row, error);
    if (status != STATUS_OK) {
        return status;
    }
    int step = SQLITE_DONE;
    while (status == STATUS_OK && (step = sqlite3_step(row)) == SQLITE_ROW) {
        status = take(analyses, row, added, changed, error);
    }
    if (status == STATUS_OK && step != SQLITE_DONE) {
        status = database_failed(&from->database, error);
    }
    sqlite3_finalize(row);
    return status;
}

static enum status merge_mark(struct analyses *analyses, sqlite3_stmt *from, int64_t *added, int64_t *changed,
                              struct error *error) {
    (void)added, (void)changed;
    sqlite3_stmt *put;
    enum status status =
        database_prepare(&analyses->database, "INSERT OR IGNORE INTO marks VALUES(?,?,?)", &put, error);
    if (status != STATUS_OK) {
        return status;
    }
    for (int i = 0; i < 3; i++) {
        const char *text = (const char *)sqlite3_column_text(from, i);
        sqlite3_bind_text64(put, i + 1, text ? text : "", text ? (sqlite3_uint64)sqlite3_column_bytes(from, i) : 0,
                            SQLITE_STATIC, SQLITE_UTF8);
    }
    return database_finish(&analyses->database, put, error);
}

static enum status merge_record(struct analyses *analyses, sqlite3_stmt *from, int64_t *added, int64_t *changed,
                                struct error *error) {
    (void)added, (void)changed;
    const char *id = (const char *)sqlite3_column_text(from, 0);
    bool fresh;
    return id ? analyses_add_record(analyses, id, &fresh, error) : STATUS_OK;
}

enum status analyses_merge(struct analyses *analyses, struct analyses *from, int64_t *added, int64_t *changed,
                           struct error *error) {
    *added = *changed = 0;
    enum status status = analyses_begin(analyses, error);
    if (status != STATUS_OK) {
        return status;
    }
    status =
        merge_rows(analyses, from,
                   "SELECT key,value,lower,upper,depth,nodes,line,label,comment,games,won_first,won_second,written "
                   "FROM positions",
                   merge_row, added, changed, error);
    if (status == STATUS_OK) {
        status = merge_rows(analyses, from, "SELECT key,square,text FROM marks", merge_mark, added, changed, error);
    }
    if (status == STATUS_OK) {
        status = merge_rows(analyses, from, "SELECT id FROM records", merge_record, added, changed, error);
    }
    return analyses_end(analyses, status, error);
}
