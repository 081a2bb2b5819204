#include "analysis/board_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tree.h"
#include "analysis/walk.h"
#include "formats/records/records.h"
#include "formats/records/renlib.h"
#include "system/file.h"

#define MOST_INPUT ((size_t)64 << 20)
#define WIN_LEAST (GAME_WIN_VALUE - 1000)

struct store {
    struct analyses *analyses; /* owned */
    struct analysis *found;    /* owned; what was asked for last */
};

static const struct game_position *any(const struct gomoku_position *position) {
    return (const struct game_position *)position;
}

static void store_close(void *handle) {
    struct store *store = handle;
    if (store) {
        analyses_close(store->analyses);
        if (store->found) {
            analysis_free(store->found);
        }
        free(store->found);
    }
    free(store);
}

static enum status store_open(void **out, const char *path, bool make, struct error *error) {
    struct store *store = calloc(1, sizeof *store);
    *out = NULL;
    if (!store || !(store->found = calloc(1, sizeof *store->found))) {
        store_close(store);
        return error_machine(error, "out of memory");
    }
    enum status status = analyses_open(&store->analyses, path, make ? ANALYSES_MAKE : ANALYSES_CHANGE, error);
    if (status != STATUS_OK) {
        store_close(store);
        return status;
    }
    *out = store;
    return STATUS_OK;
}

/* -- looking -- */

static void fill(struct gomocup_entry *entry, const struct analysis *found) {
    *entry = (struct gomocup_entry){.here = found->here, .valued = found->valued};
    entry->value = found->valued ? found->value.value : 0;
    entry->depth = found->valued ? found->value.depth : 0;
    entry->comment = text_string(&found->comment);
    size_t length = found->label.length < GOMOCUP_MOST_LABEL ? found->label.length : GOMOCUP_MOST_LABEL;
    memcpy(entry->label, text_string(&found->label), length);
    entry->label[length] = '\0';
}

static enum status store_get(void *handle, const struct gomoku_position *position, struct gomocup_entry *entry,
                             struct error *error) {
    struct store *store = handle;
    enum status status = analyses_get(store->analyses, &gomoku_game, any(position), store->found, error);
    if (status == STATUS_OK) {
        fill(entry, store->found);
    }
    return status;
}

/* The squares of a board with what is to be told of them: texts are gathered first, the rest as it comes. */
struct squares {
    void (*tell)(void *user, int square, const struct gomocup_entry *entry, const char *mark);
    void *user;
    char marks[GOMOKU_MOST_SQUARES][GOMOCUP_MOST_LABEL + 1];
};

static void take_mark(void *user, int square, const char *text, size_t length) {
    struct squares *squares = user;
    length = length < GOMOCUP_MOST_LABEL ? length : GOMOCUP_MOST_LABEL;
    memcpy(squares->marks[square], text, length);
    squares->marks[square][length] = '\0';
}

static void take_child(void *user, const struct analysis_child *child) {
    struct squares *squares = user;
    struct gomocup_entry entry;
    fill(&entry, child->found);
    squares->tell(squares->user, (int)child->move, &entry, squares->marks[child->move]);
    squares->marks[child->move][0] = '\0';
}

static enum status store_squares(void *handle, const struct gomoku_position *position,
                                 void (*tell)(void *user, int square, const struct gomocup_entry *entry,
                                              const char *mark),
                                 void *user, struct error *error) {
    struct store *store = handle;
    struct squares *squares = calloc(1, sizeof *squares);
    if (!squares) {
        return error_machine(error, "out of memory");
    }
    squares->tell = tell;
    squares->user = user;
    enum status status = analyses_marks(store->analyses, any(position), take_mark, squares, error);
    if (status == STATUS_OK) {
        status = analyses_children(store->analyses, &gomoku_game, any(position), take_child, squares, error);
    }
    for (int square = 0; square < position->size * position->size && status == STATUS_OK; square++) {
        if (squares->marks[square][0]) {
            tell(user, square, &(struct gomocup_entry){.comment = ""}, squares->marks[square]);
        }
    }
    free(squares);
    return status;
}

/* -- changing -- */

static enum status store_set_value(void *handle, const struct gomoku_position *position, int value, int depth,
                                   struct error *error) {
    struct store *store = handle;
    struct analysis_value fresh = {.value = value, .depth = depth};
    return analyses_set(store->analyses, &gomoku_game, any(position), &fresh, error);
}

static enum status store_set_label(void *handle, const struct gomoku_position *position, const char *text,
                                   struct error *error) {
    struct store *store = handle;
    return analyses_write(store->analyses, &gomoku_game, any(position), ANALYSIS_LABEL, text, strlen(text), error);
}

static enum status store_set_comment(void *handle, const struct gomoku_position *position, const char *text,
                                     size_t length, struct error *error) {
    struct store *store = handle;
    return analyses_write(store->analyses, &gomoku_game, any(position), ANALYSIS_COMMENT, text, length, error);
}

static enum status store_set_mark(void *handle, const struct gomoku_position *position, int square, const char *text,
                                  struct error *error) {
    struct store *store = handle;
    return analyses_mark(store->analyses, any(position), square, text, strlen(text), error);
}

static enum status store_forget(void *handle, const struct gomoku_position *position, struct error *error) {
    struct store *store = handle;
    return analyses_delete(store->analyses, &gomoku_game, any(position), NULL, error);
}

/* What a position is to the side that moved there, by its label or its value. */
static enum analysis_verdict judge(void *user, const struct analysis *entry) {
    const struct gomocup_filter *filter = user;
    char label = entry->label.length > 0 ? (char)(entry->label.data[0] | 0x20) : '\0';
    int value = entry->valued ? entry->value.value : 0;
    bool decided = value >= WIN_LEAST || value <= -WIN_LEAST;
    bool won = label == 'w' || (label == '\0' && value <= -WIN_LEAST);
    bool lost = label == 'l' || (label == '\0' && value >= WIN_LEAST);
    int plies = GAME_WIN_VALUE - abs(value) + 1;
    bool kind = won ? filter->won : lost ? filter->lost : filter->other;
    bool known =
        (!won && !lost) || (decided ? filter->with && (filter->plies == 0 || plies <= filter->plies) : filter->without);
    return kind && known ? ANALYSIS_GO : filter->deep ? ANALYSIS_PASS : ANALYSIS_STAY;
}

static enum status store_forget_behind(void *handle, const struct gomoku_position *position,
                                       const struct gomocup_filter *filter, int64_t *gone, struct error *error) {
    struct store *store = handle;
    struct gomocup_filter own = *filter;
    return analyses_prune(store->analyses, &gomoku_game, any(position), judge, &own, NULL, gone, error);
}

/* -- what a search has found -- */

/* Puts the value of a line, whose first `skip` moves are played already. */
static enum status put_line(struct store *store, const struct gomoku_position *position,
                            const struct search_result *line, int skip, struct error *error) {
    struct text moves = TEXT_EMPTY;
    struct analysis_value value = {.value = line->value,
                                   .proved = line->certainty == SEARCH_PROVED,
                                   .lower = line->lower,
                                   .upper = line->upper,
                                   .depth = line->depth,
                                   .nodes = line->nodes};
    for (int i = skip; i < line->pv_length; i++) {
        char name[8];
        gomoku_square_text(position->size, (int)line->pv[i], name);
        text_addf(&moves, "%s%s", i > skip ? "," : "", name);
    }
    if (skip) {
        analysis_turn_behind(&gomoku_game, &value);
    }
    value.line = text_string(&moves);
    enum status status = moves.broken ? error_machine(error, "out of memory")
                                      : analyses_put(store->analyses, &gomoku_game, any(position), &value, NULL, error);
    text_free(&moves);
    return status;
}

static enum status keep_lines(struct store *store, const struct gomoku_position *position,
                              const struct search_result *lines, int count, bool whole, struct error *error) {
    enum status status = whole ? put_line(store, position, &lines[0], 0, error) : STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct gomoku_position behind = *position;
        gomoku_put(&behind, (int)lines[i].move);
        status = put_line(store, &behind, &lines[i], 1, error);
    }
    struct gomoku_position before = *position;
    for (before.winner = GOMOKU_NO_WINNER; before.count > before.setup && status == STATUS_OK;) {
        before.board[before.order[--before.count]] = GOMOKU_EMPTY;
        before.order[before.count] = 0;
        status = analyses_touch(store->analyses, &gomoku_game, any(&before), error);
    }
    return status;
}

static enum status store_keep(void *handle, const struct gomoku_position *position, const struct search_result *lines,
                              int count, bool whole, struct error *error) {
    struct store *store = handle;
    enum status status = analyses_begin(store->analyses, error);
    return status == STATUS_OK
               ? analyses_end(store->analyses, keep_lines(store, position, lines, count, whole, error), error)
               : status;
}

/* -- files -- */

static enum status store_read_lib(void *handle, const char *path, int variant, int64_t *count, struct error *error) {
    struct store *store = handle;
    struct gametrees trees = {0};
    struct analysis_import counts = {0};
    char *bytes;
    size_t length;
    enum status status = file_read(path, MOST_INPUT, &bytes, &length, error);
    if (status != STATUS_OK) {
        return status;
    }
    status = renlib_read(&trees, bytes, length, error);
    free(bytes);
    if (status == STATUS_OK) {
        status = analyses_begin(store->analyses, error);
        if (status == STATUS_OK) {
            status = analyses_import(store->analyses, &trees.items[0], variant, false, NULL, &counts, error);
            status = analyses_end(store->analyses, status, error);
        }
        gametrees_free(&trees);
    }
    *count = counts.nodes - counts.forbidden;
    return status;
}

static enum status store_write_lib(void *handle, const char *path, const struct gomoku_position *position,
                                   int64_t *count, struct error *error) {
    struct store *store = handle;
    struct gametrees trees = {0};
    struct text text = TEXT_EMPTY;
    enum status status = analyses_export(store->analyses, position, &trees, NULL, count, error);
    if (status == STATUS_OK) {
        status = renlib_write(&trees.items[0], &text, error);
    }
    if (status == STATUS_OK) {
        status = text.broken ? error_machine(error, "out of memory")
                             : file_write(path, text_string(&text), text.length, error);
    }
    text_free(&text);
    gametrees_free(&trees);
    return status;
}

static enum status store_merge(void *handle, const char *path, int64_t *count, struct error *error) {
    struct store *store = handle;
    struct analyses *from;
    int64_t added = 0;
    int64_t changed = 0;
    enum status status = analyses_open(&from, path, ANALYSES_READ, error);
    if (status == STATUS_OK) {
        status = analyses_merge(store->analyses, from, &added, &changed, error);
        analyses_close(from);
    }
    *count = added + changed;
    return status;
}

const struct gomocup_store analysis_board_store = {
    .open = store_open,
    .close = store_close,
    .get = store_get,
    .squares = store_squares,
    .set_value = store_set_value,
    .set_label = store_set_label,
    .set_comment = store_set_comment,
    .set_mark = store_set_mark,
    .forget = store_forget,
    .forget_behind = store_forget_behind,
    .keep = store_keep,
    .read_lib = store_read_lib,
    .write_lib = store_write_lib,
    .merge = store_merge,
};
