/* What a database knows of a position and its moves, and how much there is in it, as text and as JSON. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/remark.h"
#include "analysis/walk.h"
#include "base/clean.h"
#include "cli/analysis/database.h"
#include "formats/draw.h"

int database_fail(const struct database_job *job, const struct error *error, enum status status) {
    cli_progress(NULL);
    int exit_status = cli_fail(job->path, error, status);
    return cli_interrupted() ? CLI_INTERRUPTED : exit_status;
}

/* -- one position and its moves -- */

struct shown {
    char move[32];
    char mark[ANALYSIS_MOST_LABEL + 1];
    bool valued;
    struct analysis_value value; /* for the side that plays the move */
    int64_t games;
    int64_t won[2];
    struct text label;   /* owned */
    struct text comment; /* owned */
    struct text says;    /* owned: the value in words */
    int order;
};

struct table {
    const struct database_job *job;
    struct shown *items; /* owned */
    int count;
    bool broken;
};

/* Room for one more; NULL when there is no memory. */
static struct shown *add_shown(struct table *table) {
    struct shown *items = realloc(table->items, (size_t)(table->count + 1) * sizeof *items);
    if (!items) {
        table->broken = true;
        return NULL;
    }
    table->items = items;
    memset(&items[table->count], 0, sizeof *items);
    items[table->count].order = table->count;
    return &items[table->count++];
}

static void take_child(void *user, const struct analysis_child *child) {
    struct table *table = user;
    const struct database_job *job = table->job;
    struct shown *shown = child->repeats ? NULL : add_shown(table);
    if (!shown) {
        return;
    }
    job->request.game->move_text(job->request.position, child->move, shown->move);
    const struct analysis *found = child->found;
    shown->valued = found->valued;
    shown->value = found->value;
    shown->games = found->games;
    memcpy(shown->won, found->won, sizeof shown->won);
    text_add(&shown->label, text_string(&found->label), found->label.length);
    text_add(&shown->comment, text_string(&found->comment), found->comment.length);
    if (found->valued) {
        analysis_turn_before(job->request.game, &shown->value);
        remark_add_value(job->request.game, job->request.position, &shown->value, &shown->says);
    }
}

static void take_mark(void *user, int square, const char *text, size_t length) {
    struct table *table = user;
    char name[8];
    gomoku_square_text(gomoku_const(table->job->request.position)->size, square, name);
    struct shown *shown = NULL;
    for (int i = 0; i < table->count && !shown; i++) {
        shown = strcmp(table->items[i].move, name) == 0 ? &table->items[i] : NULL;
    }
    shown = shown ? shown : add_shown(table);
    if (shown) {
        memcpy(shown->move, name, sizeof name);
        memcpy(shown->mark, text, length);
    }
}

/* The best first, then those played, then the rest. */
static int compare(const void *left, const void *right) {
    const struct shown *a = left;
    const struct shown *b = right;
    if (a->valued != b->valued) {
        return a->valued ? -1 : 1;
    }
    if (a->valued && a->value.value != b->value.value) {
        return a->value.value > b->value.value ? -1 : 1;
    }
    if (a->games != b->games) {
        return a->games > b->games ? -1 : 1;
    }
    return a->order - b->order;
}

static enum status gather(struct database_job *job, struct table *table, struct error *error) {
    *table = (struct table){.job = job};
    enum status status =
        analyses_children(job->analyses, job->request.game, job->request.position, take_child, table, error);
    if (status == STATUS_OK && job->request.game == &gomoku_game) {
        status = analyses_marks(job->analyses, job->request.position, take_mark, table, error);
    }
    if (status == STATUS_OK && table->broken) {
        status = error_machine(error, "out of memory");
    }
    if (table->count > 1) {
        qsort(table->items, (size_t)table->count, sizeof *table->items, compare);
    }
    return status;
}

static void table_free(struct table *table) {
    for (int i = 0; i < table->count; i++) {
        text_free(&table->items[i].label);
        text_free(&table->items[i].comment);
        text_free(&table->items[i].says);
    }
    free(table->items);
}

/* "2026-11-19 06:05" by the clock of the world. */
static void add_time(struct text *text, int64_t seconds) {
    time_t when = (time_t)seconds;
    struct tm parts;
    char date[32];
    if (seconds > 0 && gmtime_r(&when, &parts) && strftime(date, sizeof date, "%Y-%m-%d %H:%M", &parts)) {
        text_addf(text, ", written %s UTC", date);
    }
}

static void add_games(const struct game *game, int64_t games, const int64_t won[2], struct text *text) {
    text_addf(text, "%lld game%s", (long long)games, games == 1 ? "" : "s");
    for (int side = 0; side < 2; side++) {
        if (won[side] > 0) {
            text_addf(text, ", %s won %lld", game->properties->sides[side], (long long)won[side]);
        }
    }
}

static void add_position(const struct database_job *job, const struct analysis *found, struct text *text) {
    const struct game *game = job->request.game;
    draw_caption(game, job->request.position, text);
    text_add_string(text, found->here ? "" : ": not in the database");
    if (found->valued) {
        text_add_string(text, ": ");
        remark_add_value(game, job->request.position, &found->value, text);
        text_addf(text, ", depth %d, %llu nodes", found->value.depth, (unsigned long long)found->value.nodes);
        add_time(text, found->written);
    }
    text_add_char(text, '\n');
    if (found->line_length > 0) {
        text_add_string(text, "line ");
        line_join(found->line, found->line_length, strchr(found->line[0], ' ') ? ", " : " ", text);
        text_add_char(text, '\n');
    }
    if (found->label.length > 0) {
        text_add_string(text, "label ");
        clean_add(text, text_string(&found->label));
        text_add_char(text, '\n');
    }
    if (found->games > 0) {
        add_games(game, found->games, found->won, text);
        text_add_char(text, '\n');
    }
    if (found->comment.length > 0) {
        clean_add_lines(text, text_string(&found->comment), found->comment.length);
        text_add_char(text, '\n');
    }
}

static void add_row(const struct shown *shown, struct text *text) {
    struct text first_line = TEXT_EMPTY;
    size_t length = strcspn(text_string(&shown->comment), "\r\n");
    text_add(&first_line, text_string(&shown->comment), length);
    clean_add_column(text, shown->move, 10, 31);
    clean_add_column(text, text_string(&shown->says), 18, 40);
    if (shown->valued) {
        text_addf(text, " %5d %14llu", shown->value.depth, (unsigned long long)shown->value.nodes);
    } else {
        text_addf(text, " %5s %14s", "", "");
    }
    if (shown->games > 0) {
        text_addf(text, " %6lld  ", (long long)shown->games);
    } else {
        text_addf(text, " %6s  ", "");
    }
    clean_add_column(text, shown->mark, 8, 16);
    clean_add_column(text, text_string(&shown->label), 8, 16);
    clean_add_column(text, text_string(&first_line), 0, 60);
    while (text->length > 0 && text->data[text->length - 1] == ' ') {
        text->length--;
    }
    text_add_char(text, '\n');
    text_spend(&first_line, text);
}

static void add_value_json(struct json *json, const struct analysis_value *value) {
    json_int(json, "value", value->value);
    if (value->proved) {
        json_int(json, "lower", value->lower);
        json_int(json, "upper", value->upper);
    }
    json_int(json, "depth", value->depth);
    json_int(json, "nodes", (int64_t)value->nodes);
}

static void add_texts_json(struct json *json, const struct text *label, const struct text *comment) {
    if (label->length > 0) {
        json_clean(json, "label", text_string(label));
    }
    if (comment->length > 0) {
        json_clean_lines(json, "comment", text_string(comment), comment->length);
    }
}

static void add_games_json(struct json *json, int64_t games, const int64_t won[2]) {
    if (games > 0) {
        json_int(json, "games", games);
        json_int(json, "won_first", won[0]);
        json_int(json, "won_second", won[1]);
    }
}

static void add_json(const struct analysis *found, const struct table *table, struct text *text) {
    struct json json = {text, false};
    json_open_object(&json, NULL);
    json_bool(&json, "known", found->here);
    if (found->valued) {
        add_value_json(&json, &found->value);
        json_int(&json, "written", found->written);
        line_list(found->line, found->line_length, "pv", &json);
    }
    add_games_json(&json, found->games, found->won);
    add_texts_json(&json, &found->label, &found->comment);
    json_open_list(&json, "moves");
    for (int i = 0; i < table->count; i++) {
        const struct shown *shown = &table->items[i];
        json_open_object(&json, NULL);
        json_string(&json, "move", shown->move);
        if (shown->valued) {
            add_value_json(&json, &shown->value);
        }
        add_games_json(&json, shown->games, shown->won);
        if (shown->mark[0]) {
            json_clean(&json, "mark", shown->mark);
        }
        add_texts_json(&json, &shown->label, &shown->comment);
        json_close_object(&json);
    }
    json_close_list(&json);
    json_close_object(&json);
    text_add_char(text, '\n');
}

int database_show_position(struct database_job *job) {
    struct analysis *found = calloc(1, sizeof *found);
    struct table table = {0};
    struct text text = TEXT_EMPTY;
    struct error error = {0};
    enum status status = found ? STATUS_OK : error_machine(&error, "out of memory");
    if (status == STATUS_OK) {
        status = analyses_get(job->analyses, job->request.game, job->request.position, found, &error);
    }
    if (status == STATUS_OK) {
        status = gather(job, &table, &error);
    }
    if (status == STATUS_OK && job->json) {
        add_json(found, &table, &text);
    } else if (status == STATUS_OK) {
        add_position(job, found, &text);
        if (table.count > 0) {
            text_addf(&text, "\n%-10s%-18s %5s %14s %6s  %-8s%-8s%s\n", "move", "value", "depth", "nodes", "games",
                      "mark", "label", "comment");
        }
        for (int i = 0; i < table.count; i++) {
            add_row(&table.items[i], &text);
        }
    }
    if (found) {
        analysis_free(found);
    }
    free(found);
    table_free(&table);
    int exit_status = status == STATUS_OK ? cli_print(&text) : database_fail(job, &error, status);
    text_free(&text);
    return exit_status;
}

/* -- all of it -- */

struct boards {
    struct text text;
    struct json json;
    bool as_json;
};

static void take_board(void *user, const char *board, size_t length, int64_t count) {
    struct boards *boards = user;
    struct text name = TEXT_EMPTY;
    text_add(&name, board, length);
    if (boards->as_json) {
        json_open_object(&boards->json, NULL);
        json_clean(&boards->json, "board", text_string(&name));
        json_int(&boards->json, "positions", count);
        json_close_object(&boards->json);
    } else {
        clean_add_column(&boards->text, text_string(&name), 24, 60);
        text_addf(&boards->text, "%12lld\n", (long long)count);
    }
    text_spend(&name, &boards->text);
}

static void add_counts(const struct analyses_counts *counts, struct boards *boards) {
    if (!boards->as_json) {
        text_addf(&boards->text,
                  "%lld positions, %lld with a value, %lld of them with proved bounds, deepest %d\n"
                  "%lld comments, %lld marks and labels, %lld games\n",
                  (long long)counts->positions, (long long)counts->valued, (long long)counts->proved, counts->deepest,
                  (long long)counts->comments, (long long)counts->marks, (long long)counts->games);
        return;
    }
    json_int(&boards->json, "positions", counts->positions);
    json_int(&boards->json, "valued", counts->valued);
    json_int(&boards->json, "proved", counts->proved);
    json_int(&boards->json, "deepest", counts->deepest);
    json_int(&boards->json, "comments", counts->comments);
    json_int(&boards->json, "marks", counts->marks);
    json_int(&boards->json, "games", counts->games);
    json_open_list(&boards->json, "boards");
}

int database_show_all(struct database_job *job) {
    struct boards boards = {.as_json = job->json};
    struct analyses_counts counts;
    struct error error = {0};
    boards.json.text = &boards.text;
    enum status status = analyses_count(job->analyses, &counts, &error);
    if (status == STATUS_OK) {
        if (job->json) {
            json_open_object(&boards.json, NULL);
        }
        add_counts(&counts, &boards);
        status = analyses_boards(job->analyses, take_board, &boards, &error);
    }
    if (status != STATUS_OK) {
        text_free(&boards.text);
        return database_fail(job, &error, status);
    }
    if (job->json) {
        json_close_list(&boards.json);
        json_close_object(&boards.json);
        text_add_char(&boards.text, '\n');
    }
    return cli_print(&boards.text);
}
