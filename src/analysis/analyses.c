#include "analysis/analyses.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/analyses_inside.h"
#include "base/assert.h"

#define POSITIONS                                                                                                      \
    "CREATE TABLE positions(key TEXT PRIMARY KEY NOT NULL, value INTEGER, lower INTEGER, upper INTEGER, "              \
    "depth INTEGER NOT NULL DEFAULT 0, nodes INTEGER NOT NULL DEFAULT 0, line TEXT NOT NULL DEFAULT '', "              \
    "label TEXT NOT NULL DEFAULT '', comment TEXT NOT NULL DEFAULT '', games INTEGER NOT NULL DEFAULT 0, "             \
    "won_first INTEGER NOT NULL DEFAULT 0, won_second INTEGER NOT NULL DEFAULT 0, written INTEGER NOT NULL) "          \
    "WITHOUT ROWID"
#define MARKS                                                                                                          \
    "CREATE TABLE marks(key TEXT NOT NULL, square TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY(key, square)) "       \
    "WITHOUT ROWID"
#define RECORDS "CREATE TABLE records(id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID"

static const struct database_table tables[] = {{"positions", POSITIONS}, {"marks", MARKS}, {"records", RECORDS}};
static const struct database_kind kind = {
    .what = "a database of analysed positions",
    .mark = 0x736f6144, /* "soaD" */
    .version = 1,
    .tables = tables,
    .table_count = sizeof tables / sizeof *tables,
};

/* -- opening -- */

/* Tables come into being together, whoever of several processes is the first. */
static enum status make_tables(struct analyses *analyses, struct error *error) {
    enum status status = database_begin(&analyses->database, error);
    if (status == STATUS_OK) {
        int64_t entries = database_number(&analyses->database, "SELECT count(*) FROM sqlite_master");
        status = entries == DATABASE_NO_NUMBER ? database_failed(&analyses->database, error)
                 : entries == 0                ? database_make_tables(&analyses->database, error)
                                               : STATUS_OK;
        status = database_end(&analyses->database, status, error);
    }
    return status;
}

enum status analyses_open(struct analyses **out, const char *path, enum analyses_mode mode, struct error *error) {
    static const enum database_mode modes[] = {
        [ANALYSES_READ] = DATABASE_READ, [ANALYSES_CHANGE] = DATABASE_WRITE, [ANALYSES_MAKE] = DATABASE_MAKE};
    struct analyses *analyses = calloc(1, sizeof *analyses);
    if (!analyses) {
        return error_machine(error, "out of memory");
    }
    enum status status = database_open(&analyses->database, &kind, path, modes[mode], error);
    if (status == STATUS_OK && analyses->database.empty) {
        status = make_tables(analyses, error);
    }
    if (status != STATUS_OK) {
        analyses_close(analyses);
        return status;
    }
    *out = analyses;
    return STATUS_OK;
}

void analyses_close(struct analyses *analyses) {
    if (analyses) {
        for (int i = 0; i < STATEMENTS; i++) {
            sqlite3_finalize(analyses->statements[i]);
        }
        database_close(&analyses->database);
        key_free(&analyses->key);
    }
    free(analyses);
}

/* -- statements, made when they are first needed -- */

#define COLUMNS "value,lower,upper,depth,nodes,line,label,comment,games,won_first,won_second,written"

static const char *const statement_texts[STATEMENTS] = {
    [STATEMENT_GET] = "SELECT " COLUMNS " FROM positions WHERE key=?1",
    [STATEMENT_PUT] = "INSERT INTO positions(key," COLUMNS ") VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13) "
                      "ON CONFLICT(key) DO UPDATE SET value=?2,lower=?3,upper=?4,depth=?5,nodes=?6,line=?7,label=?8,"
                      "comment=?9,games=?10,won_first=?11,won_second=?12,written=?13",
    [STATEMENT_DELETE] = "DELETE FROM positions WHERE key=?1",
    [STATEMENT_MARK] = "INSERT OR REPLACE INTO marks VALUES(?1,?2,?3)",
    [STATEMENT_UNMARK] = "DELETE FROM marks WHERE key=?1 AND square=?2",
    [STATEMENT_UNMARK_ALL] = "DELETE FROM marks WHERE key=?1",
    [STATEMENT_MARKS] = "SELECT square,text FROM marks WHERE key=?1",
    [STATEMENT_RECORD] = "INSERT OR IGNORE INTO records VALUES(?1)",
};

enum status analyses_statement(struct analyses *analyses, enum statement which, sqlite3_stmt **statement,
                               struct error *error) {
    enum status status = STATUS_OK;
    if (!analyses->statements[which]) {
        status = database_prepare(&analyses->database, statement_texts[which], &analyses->statements[which], error);
    }
    *statement = analyses->statements[which];
    return status;
}

static void bind(sqlite3_stmt *statement, int column, const char *text, size_t length) {
    sqlite3_bind_text64(statement, column, text, length, SQLITE_STATIC, SQLITE_UTF8);
}

enum status analyses_run(struct analyses *analyses, enum statement which, const struct text *key, const char *second,
                         const char *third, size_t third_length, struct error *error) {
    sqlite3_stmt *statement;
    enum status status = analyses_statement(analyses, which, &statement, error);
    if (status != STATUS_OK) {
        return status;
    }
    bind(statement, 1, text_string(key), key->length);
    if (second) {
        bind(statement, 2, second, strlen(second));
    }
    if (third) {
        bind(statement, 3, third, third_length);
    }
    status = sqlite3_step(statement) == SQLITE_DONE ? STATUS_OK : database_failed(&analyses->database, error);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

/* -- rows -- */

void row_free(struct row *row) {
    text_free(&row->line);
    text_free(&row->label);
    text_free(&row->comment);
    *row = (struct row){0};
}

/* A number out of a file that may come from anybody. */
static int64_t number_of(sqlite3_stmt *statement, int column, int64_t least, int64_t most) {
    int64_t number = sqlite3_column_int64(statement, column);
    return number < least ? least : number > most ? most : number;
}

static void text_of(sqlite3_stmt *statement, int column, size_t most, struct text *text) {
    const char *bytes = (const char *)sqlite3_column_text(statement, column);
    size_t length = bytes ? (size_t)sqlite3_column_bytes(statement, column) : 0;
    text_add(text, bytes ? bytes : "", length < most ? length : most);
}

void row_take(struct row *row, sqlite3_stmt *statement, int first) {
    row->here = true;
    row->valued = sqlite3_column_type(statement, first) != SQLITE_NULL;
    row->value.value = (int)number_of(statement, first, -GAME_INFINITY, GAME_INFINITY);
    row->value.proved = row->valued && sqlite3_column_type(statement, first + 1) != SQLITE_NULL &&
                        sqlite3_column_type(statement, first + 2) != SQLITE_NULL;
    row->value.lower = (int)number_of(statement, first + 1, -GAME_INFINITY, GAME_INFINITY);
    row->value.upper = (int)number_of(statement, first + 2, -GAME_INFINITY, GAME_INFINITY);
    row->value.depth = (int)number_of(statement, first + 3, 0, INT_MAX);
    row->value.nodes = (uint64_t)number_of(statement, first + 4, 0, INT64_MAX);
    text_of(statement, first + 5, ANALYSIS_MOST_LINE * sizeof(line_move), &row->line);
    text_of(statement, first + 6, ANALYSIS_MOST_LABEL, &row->label);
    text_of(statement, first + 7, ANALYSIS_MOST_TEXT, &row->comment);
    row->games = number_of(statement, first + 8, 0, INT64_MAX / 2);
    row->won[0] = number_of(statement, first + 9, 0, INT64_MAX / 2);
    row->won[1] = number_of(statement, first + 10, 0, INT64_MAX / 2);
    row->written = number_of(statement, first + 11, 0, INT64_MAX / 2);
}

enum status row_get(struct analyses *analyses, const struct text *key, struct row *row, struct error *error) {
    sqlite3_stmt *statement;
    row_free(row);
    if (key->broken) {
        return error_machine(error, "out of memory");
    }
    enum status status = analyses_statement(analyses, STATEMENT_GET, &statement, error);
    if (status != STATUS_OK) {
        return status;
    }
    bind(statement, 1, text_string(key), key->length);
    int step = sqlite3_step(statement);
    if (step == SQLITE_ROW) {
        row_take(row, statement, 0);
        bool broken = row->line.broken || row->label.broken || row->comment.broken;
        status = broken ? error_machine(error, "out of memory") : STATUS_OK;
    } else if (step != SQLITE_DONE) {
        status = database_failed(&analyses->database, error);
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

enum status row_put(struct analyses *analyses, const struct text *key, const struct row *row, struct error *error) {
    sqlite3_stmt *statement;
    enum status status = analyses_statement(analyses, STATEMENT_PUT, &statement, error);
    if (status != STATUS_OK || key->broken || row->line.broken || row->label.broken || row->comment.broken) {
        return status != STATUS_OK ? status : error_machine(error, "out of memory");
    }
    bind(statement, 1, text_string(key), key->length);
    if (row->valued) {
        sqlite3_bind_int(statement, 2, row->value.value);
    }
    if (row->valued && row->value.proved) {
        sqlite3_bind_int(statement, 3, row->value.lower);
        sqlite3_bind_int(statement, 4, row->value.upper);
    }
    sqlite3_bind_int(statement, 5, row->value.depth);
    sqlite3_bind_int64(statement, 6, (int64_t)row->value.nodes);
    bind(statement, 7, text_string(&row->line), row->line.length);
    bind(statement, 8, text_string(&row->label), row->label.length);
    bind(statement, 9, text_string(&row->comment), row->comment.length);
    sqlite3_bind_int64(statement, 10, row->games);
    sqlite3_bind_int64(statement, 11, row->won[0]);
    sqlite3_bind_int64(statement, 12, row->won[1]);
    sqlite3_bind_int64(statement, 13, row->written);
    status = sqlite3_step(statement) == SQLITE_DONE ? STATUS_OK : database_failed(&analyses->database, error);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

/* -- transactions -- */

enum status analyses_begin(struct analyses *analyses, struct error *error) {
    ASSERT(!analyses->begun);
    enum status status = database_begin(&analyses->database, error);
    analyses->begun = status == STATUS_OK;
    return status;
}

enum status analyses_end(struct analyses *analyses, enum status status, struct error *error) {
    ASSERT(analyses->begun);
    analyses->begun = false;
    return database_end(&analyses->database, status, error);
}

/* One change is a transaction of its own, unless it is one of many. */
static enum status begin_one(struct analyses *analyses, struct error *error) {
    return analyses->begun ? STATUS_OK : database_begin(&analyses->database, error);
}

static enum status end_one(struct analyses *analyses, enum status status, struct error *error) {
    return analyses->begun ? status : database_end(&analyses->database, status, error);
}

/* -- one position -- */

void analysis_free(struct analysis *analysis) {
    text_free(&analysis->comment);
    text_free(&analysis->label);
    analysis->here = analysis->valued = false;
    analysis->line_length = 0;
}

/* Reads a line of moves in their names here, as far as they are legal. */
static int read_line(const struct game *game, const struct game_position *position, const struct text *line,
                     line_move *names) {
    struct game_position *scratch = malloc(game->properties->position_size);
    int count = 0;
    if (!scratch) {
        return 0;
    }
    memcpy(scratch, position, game->properties->position_size);
    const char *at = text_string(line);
    const char *end = at + line->length;
    while (at < end && count < ANALYSIS_MOST_LINE && !game->over(scratch)) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t length = (size_t)((comma ? comma : end) - at);
        game_move move;
        struct game_undo undo;
        if (game->parse_move(scratch, at, length, &move, NULL) != STATUS_OK) {
            break;
        }
        game->move_text(scratch, move, names[count++]);
        game->play(scratch, move, &undo);
        at += length + 1;
    }
    free(scratch);
    return count;
}

enum status analyses_get(struct analyses *analyses, const struct game *game, const struct game_position *position,
                         struct analysis *found, struct error *error) {
    key_make(&analyses->key, game, position);
    return analyses_get_keyed(analyses, game, position, found, error);
}

enum status analyses_get_keyed(struct analyses *analyses, const struct game *game, const struct game_position *position,
                               struct analysis *found, struct error *error) {
    struct row row = {0};
    analysis_free(found);
    enum status status = row_get(analyses, &analyses->key.text, &row, error);
    if (status == STATUS_OK) {
        struct text line = TEXT_EMPTY;
        found->here = row.here;
        found->valued = row.valued;
        found->value = row.value;
        found->written = row.written;
        found->games = row.games;
        memcpy(found->won, row.won, sizeof row.won);
        key_line(&analyses->key, text_string(&row.line), row.line.length, true, &line);
        found->line_length = row.here ? read_line(game, position, &line, found->line) : 0;
        found->comment = row.comment;
        found->label = row.label;
        row.comment = row.label = TEXT_EMPTY;
        text_free(&line);
    }
    row_free(&row);
    return status;
}

static void take_value(struct analyses *analyses, struct row *row, const struct analysis_value *value) {
    const char *line = value->line ? value->line : "";
    row->valued = true;
    row->value = *value;
    row->value.line = NULL;
    row->line.length = 0;
    key_line(&analyses->key, line, strlen(line), false, &row->line);
}

/* Changes the row of a position by one of the functions below. */
struct change {
    const struct game *game;
    const struct game_position *position;
    const struct analysis_value *value;
    enum analysis_text which;
    const char *text;
    size_t length;
    int winner;
    bool kept;
};

static enum status change_row(struct analyses *analyses, struct change *change,
                              bool (*apply)(struct analyses *analyses, struct row *row, struct change *change),
                              struct error *error) {
    struct row row = {0};
    key_make(&analyses->key, change->game, change->position);
    enum status status = begin_one(analyses, error);
    if (status != STATUS_OK) {
        return status;
    }
    status = row_get(analyses, &analyses->key.text, &row, error);
    if (status == STATUS_OK && apply(analyses, &row, change)) {
        row.written = (int64_t)time(NULL);
        change->kept = true;
        status = row_put(analyses, &analyses->key.text, &row, error);
    }
    row_free(&row);
    return end_one(analyses, status, error);
}

static bool apply_better(struct analyses *analyses, struct row *row, struct change *change) {
    if (row->valued && !analysis_is_better(change->game, &row->value, change->value)) {
        return false;
    }
    take_value(analyses, row, change->value);
    return true;
}

enum status analyses_put(struct analyses *analyses, const struct game *game, const struct game_position *position,
                         const struct analysis_value *value, bool *kept, struct error *error) {
    struct change change = {.game = game, .position = position, .value = value};
    enum status status = change_row(analyses, &change, apply_better, error);
    if (kept) {
        *kept = change.kept;
    }
    return status;
}

static bool apply_value(struct analyses *analyses, struct row *row, struct change *change) {
    if (change->value) {
        take_value(analyses, row, change->value);
    } else {
        row->valued = false;
        row->value = (struct analysis_value){0};
        row->line.length = 0;
    }
    return true;
}

enum status analyses_set(struct analyses *analyses, const struct game *game, const struct game_position *position,
                         const struct analysis_value *value, struct error *error) {
    struct change change = {.game = game, .position = position, .value = value};
    return change_row(analyses, &change, apply_value, error);
}

static bool apply_nothing(struct analyses *analyses, struct row *row, struct change *change) {
    (void)analyses, (void)change;
    return !row->here;
}

enum status analyses_touch(struct analyses *analyses, const struct game *game, const struct game_position *position,
                           struct error *error) {
    struct change change = {.game = game, .position = position};
    return change_row(analyses, &change, apply_nothing, error);
}

static bool apply_text(struct analyses *analyses, struct row *row, struct change *change) {
    (void)analyses;
    struct text *text = change->which == ANALYSIS_COMMENT ? &row->comment : &row->label;
    if (!row->here && change->length == 0) {
        return false; /* there is nothing to take away */
    }
    text->length = 0;
    text_add(text, change->text, change->length);
    return true;
}

enum status analyses_write(struct analyses *analyses, const struct game *game, const struct game_position *position,
                           enum analysis_text which, const char *text, size_t length, struct error *error) {
    if (length > (which == ANALYSIS_COMMENT ? ANALYSIS_MOST_TEXT : ANALYSIS_MOST_LABEL)) {
        return error_at(error, 0, 0,
                        which == ANALYSIS_COMMENT ? "expected a comment of at most %zu bytes, found %zu"
                                                  : "expected a label of at most %zu bytes, found %zu",
                        which == ANALYSIS_COMMENT ? ANALYSIS_MOST_TEXT : (size_t)ANALYSIS_MOST_LABEL, length);
    }
    struct change change = {.game = game, .position = position, .which = which, .text = text, .length = length};
    return change_row(analyses, &change, apply_text, error);
}

/* -- marks -- */

enum status analyses_mark(struct analyses *analyses, const struct game_position *position, int square, const char *text,
                          size_t length, struct error *error) {
    char name[8];
    if (length > ANALYSIS_MOST_LABEL) {
        return error_at(error, 0, 0, "expected a mark of at most %d bytes, found %zu", ANALYSIS_MOST_LABEL, length);
    }
    key_make(&analyses->key, &gomoku_game, position);
    gomoku_square_text(analyses->key.size, key_first_in(&analyses->key, square), name);
    return length ? analyses_run(analyses, STATEMENT_MARK, &analyses->key.text, name, text, length, error)
                  : analyses_run(analyses, STATEMENT_UNMARK, &analyses->key.text, name, NULL, 0, error);
}

enum status analyses_marks(struct analyses *analyses, const struct game_position *position,
                           void (*tell)(void *user, int square, const char *text, size_t length), void *user,
                           struct error *error) {
    sqlite3_stmt *statement;
    enum status status = analyses_statement(analyses, STATEMENT_MARKS, &statement, error);
    if (status != STATUS_OK) {
        return status;
    }
    key_make(&analyses->key, &gomoku_game, position);
    bind(statement, 1, text_string(&analyses->key.text), analyses->key.text.length);
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        int square = name ? gomoku_parse_square(analyses->key.size, name, strlen(name)) : -1;
        const char *text = (const char *)sqlite3_column_text(statement, 1);
        size_t length = text ? (size_t)sqlite3_column_bytes(statement, 1) : 0;
        if (square >= 0 && length > 0 && length <= ANALYSIS_MOST_LABEL) {
            tell(user, key_first_out(&analyses->key, square), text, length);
        }
    }
    status = step == SQLITE_DONE ? STATUS_OK : database_failed(&analyses->database, error);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

/* -- games -- */

enum status analyses_add_record(struct analyses *analyses, const char *id, bool *fresh, struct error *error) {
    struct text text = TEXT_EMPTY;
    text_add_string(&text, id);
    enum status status = text.broken ? error_machine(error, "out of memory")
                                     : analyses_run(analyses, STATEMENT_RECORD, &text, NULL, NULL, 0, error);
    *fresh = status == STATUS_OK && sqlite3_changes(analyses->database.handle) > 0;
    text_free(&text);
    return status;
}

static bool apply_game(struct analyses *analyses, struct row *row, struct change *change) {
    (void)analyses;
    row->games++;
    row->won[0] += change->winner == 0;
    row->won[1] += change->winner == 1;
    return true;
}

enum status analyses_count_game(struct analyses *analyses, const struct game *game,
                                const struct game_position *position, int winner, struct error *error) {
    struct change change = {.game = game, .position = position, .winner = winner};
    return change_row(analyses, &change, apply_game, error);
}

/* -- forgetting -- */

enum status analyses_delete(struct analyses *analyses, const struct game *game, const struct game_position *position,
                            bool *gone, struct error *error) {
    key_make(&analyses->key, game, position);
    enum status status = begin_one(analyses, error);
    if (status != STATUS_OK) {
        return status;
    }
    status = analyses_run(analyses, STATEMENT_DELETE, &analyses->key.text, NULL, NULL, 0, error);
    if (gone) {
        *gone = status == STATUS_OK && sqlite3_changes(analyses->database.handle) > 0;
    }
    if (status == STATUS_OK) {
        status = analyses_run(analyses, STATEMENT_UNMARK_ALL, &analyses->key.text, NULL, NULL, 0, error);
    }
    return end_one(analyses, status, error);
}
