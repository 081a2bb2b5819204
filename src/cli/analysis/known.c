#include "cli/analysis/known.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/walk.h"
#include "cli/cli.h"

struct known {
    const char *path;
    struct analyses *analyses; /* owned */
    struct course_request at;  /* the position; owned */
    struct analysis *found;    /* owned */
};

int known_open(struct known **out, const char *path) {
    struct error error = {0};
    struct known *known = calloc(1, sizeof *known);
    if (!known || !(known->found = calloc(1, sizeof *known->found))) {
        free(known);
        return cli_no_memory();
    }
    known->path = path;
    enum status status = analyses_open(&known->analyses, path, ANALYSES_MAKE, &error);
    if (status != STATUS_OK) {
        known_close(known);
        return cli_fail(path, &error, status);
    }
    *out = known;
    return 0;
}

void known_close(struct known *known) {
    if (known) {
        analyses_close(known->analyses);
        course_request_free(&known->at);
        analysis_free(known->found);
        free(known->found);
    }
    free(known);
}

bool known_begin(struct known *known, const sortie_position *position) {
    char *text = sortie_position_text(position);
    struct error error = {0};
    course_request_free(&known->at);
    known->at = (struct course_request){0};
    bool fine = text && course_parse_any(text, strlen(text), "position", &known->at, &error) == STATUS_OK;
    sortie_free(text);
    return fine;
}

/* -- out of the database -- */

/* A value as a line of an analysis; its moves are filled in by the caller. */
static void fill(const struct known *known, const struct analysis_value *value, sortie_result *line) {
    double chances[3] = {0};
    *line = (sortie_result){.size = sizeof *line, .value = value->value, .proved = value->proved};
    line->lower = value->proved ? value->lower : -SORTIE_INFINITY;
    line->upper = value->proved ? value->upper : SORTIE_INFINITY;
    line->depth = value->depth;
    line->nodes = value->nodes;
    if (known->at.game->chances) {
        known->at.game->chances(known->at.position, value->value, chances);
    }
    line->win = chances[0];
    line->draw = chances[1];
    line->loss = chances[2];
}

/* What is known of the moves, as lines. */
struct moves {
    const struct known *known;
    sortie_result *lines; /* owned */
    int count;
    int capacity;
    bool broken;
};

static void take_move(void *user, const struct analysis_child *child) {
    struct moves *moves = user;
    if (!child->found->valued || child->repeats) {
        return;
    }
    if (moves->count == moves->capacity) {
        int capacity = moves->capacity ? 2 * moves->capacity : 16;
        sortie_result *lines = realloc(moves->lines, (size_t)capacity * sizeof *lines);
        if (!lines) {
            moves->broken = true;
            return;
        }
        moves->lines = lines;
        moves->capacity = capacity;
    }
    sortie_result *line = &moves->lines[moves->count++];
    struct analysis_value value = child->found->value;
    analysis_turn_before(moves->known->at.game, &value);
    fill(moves->known, &value, line);
    moves->known->at.game->move_text(moves->known->at.position, child->move, line->move);
    memcpy(line->line_moves[0], line->move, sizeof line->move);
    int rest = child->found->line_length < SORTIE_MOST_LINE - 1 ? child->found->line_length : SORTIE_MOST_LINE - 1;
    memcpy(line->line_moves[1], child->found->line, (size_t)rest * sizeof line->line_moves[0]);
    line->line_length = 1 + rest;
}

/* All that is known of the moves. False when that cannot be said. */
static bool gather(struct known *known, struct moves *moves) {
    struct error error = {0};
    *moves = (struct moves){.known = known};
    enum status status =
        analyses_children(known->analyses, known->at.game, known->at.position, take_move, moves, &error);
    return status == STATUS_OK && !moves->broken;
}

bool known_recall(struct known *known, int depth, uint64_t nodes, sortie_result *line) {
    struct error error = {0};
    struct analysis *found = known->found;
    const struct game *game = known->at.game;
    enum status status = analyses_get(known->analyses, game, known->at.position, found, &error);
    const struct analysis_value *value = &found->value;
    if (status != STATUS_OK || !found->valued || found->line_length == 0 ||
        !(analysis_is_settled(game, value) || (depth > 0 && value->depth >= depth) ||
          (nodes > 0 && value->nodes >= nodes))) {
        return false;
    }
    fill(known, value, line);
    memcpy(line->move, found->line[0], sizeof line->move);
    line->line_length = found->line_length < SORTIE_MOST_LINE ? found->line_length : SORTIE_MOST_LINE;
    memcpy(line->line_moves, found->line, (size_t)line->line_length * sizeof line->line_moves[0]);
    return true;
}

/* A line's value as the database has it. */
static struct analysis_value value_of(const sortie_result *line) {
    return (struct analysis_value){.value = line->value,
                                   .proved = line->proved != 0,
                                   .lower = line->lower,
                                   .upper = line->upper,
                                   .depth = line->depth,
                                   .nodes = line->nodes};
}

/* Whether a line of the database says more than one that was found. */
static bool says_more(const struct known *known, const sortie_result *own, const sortie_result *found) {
    struct analysis_value old = value_of(found);
    struct analysis_value fresh = value_of(own);
    return !analysis_is_settled(known->at.game, &old) &&
           (analysis_is_settled(known->at.game, &fresh) || fresh.depth > old.depth);
}

/* Where to put a line of the database: over what was found of the same move, or over the last line, if it is better and
 * as deep; NULL: nowhere. Lines stand the best first. */
static sortie_result *place_of(const struct known *known, const sortie_result *own, sortie_result *lines, int count) {
    for (int i = 0; i < count; i++) {
        if (strcmp(lines[i].move, own->move) == 0) {
            return says_more(known, own, &lines[i]) ? &lines[i] : NULL;
        }
    }
    struct analysis_value value = value_of(own);
    bool trusted = analysis_is_settled(known->at.game, &value) || own->depth >= lines[count - 1].depth;
    return trusted && own->value > lines[count - 1].value ? &lines[count - 1] : NULL;
}

/* Moves a line to where its value belongs. */
static void settle(sortie_result *lines, bool *from, int count, int at) {
    for (; at > 0 && lines[at].value > lines[at - 1].value; at--) {
        sortie_result line = lines[at];
        bool was = from[at];
        lines[at] = lines[at - 1];
        from[at] = from[at - 1];
        lines[at - 1] = line;
        from[at - 1] = was;
    }
    for (; at + 1 < count && lines[at].value < lines[at + 1].value; at++) {
        sortie_result line = lines[at];
        bool was = from[at];
        lines[at] = lines[at + 1];
        from[at] = from[at + 1];
        lines[at + 1] = line;
        from[at + 1] = was;
    }
}

void known_improve(struct known *known, sortie_result *lines, int count, bool *from) {
    struct moves moves;
    bool fine = gather(known, &moves);
    for (int i = 0; i < moves.count && fine && count > 0; i++) {
        sortie_result *place = place_of(known, &moves.lines[i], lines, count);
        if (place) {
            *place = moves.lines[i];
            from[place - lines] = true;
            settle(lines, from, count, (int)(place - lines));
        }
    }
    for (int i = 0; i < count; i++) {
        lines[i].line = i;
    }
    free(moves.lines);
}

/* -- into it -- */

/* The value of a position with its line, whose first `skip` moves lie behind. */
static enum status keep_value(struct known *known, struct analysis_value value, const sortie_result *line, int skip,
                              struct error *error) {
    struct text moves = TEXT_EMPTY;
    if (line->line_length > skip) {
        line_join(line->line_moves + skip, line->line_length - skip, ",", &moves);
    }
    value.line = text_string(&moves);
    enum status status = moves.broken
                             ? error_machine(error, "out of memory")
                             : analyses_put(known->analyses, known->at.game, known->at.position, &value, NULL, error);
    text_free(&moves);
    return status;
}

/* One line: the value of the position behind its move. */
static enum status keep_line(struct known *known, const sortie_result *line, struct error *error) {
    const struct game *game = known->at.game;
    game_move move;
    struct game_undo undo;
    struct analysis_value value = value_of(line);
    enum status status = game->parse_move(known->at.position, line->move, strlen(line->move), &move, error);
    if (status == STATUS_OK) {
        analysis_turn_behind(game, &value);
        game->play(known->at.position, move, &undo);
        status = keep_value(known, value, line, 1, error);
        game->undo(known->at.position, &undo);
    }
    return status;
}

/* Entries for the positions on the way, so that the way can be gone from the empty board. */
static enum status keep_way(struct known *known, struct error *error) {
    enum status status = STATUS_OK;
    if (known->at.game == &gomoku_game) {
        struct gomoku_position before = *gomoku_const(known->at.position);
        for (before.winner = GOMOKU_NO_WINNER; before.count > before.setup && status == STATUS_OK;) {
            before.board[before.order[--before.count]] = GOMOKU_EMPTY;
            before.order[before.count] = 0;
            status = analyses_touch(known->analyses, &gomoku_game, (const struct game_position *)&before, error);
        }
    }
    return status;
}

int known_keep(struct known *known, const sortie_result *lines, int count) {
    struct error error = {0};
    enum status status = analyses_begin(known->analyses, &error);
    if (status == STATUS_OK) {
        status = count > 0 ? keep_value(known, value_of(&lines[0]), &lines[0], 0, &error) : STATUS_OK;
        for (int i = 0; i < count && status == STATUS_OK; i++) {
            status = keep_line(known, &lines[i], &error);
        }
        status = status == STATUS_OK ? keep_way(known, &error) : status;
        status = analyses_end(known->analyses, status, &error);
    }
    return status == STATUS_OK ? 0 : cli_fail(known->path, &error, status);
}
