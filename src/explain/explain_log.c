/* The first wrong line of a traversal log. Where in the tree it is follows from the expected log alone: a line is one
 * level below the last where a node is reached, and one level above it where a child has returned. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "explain/explain_parts.h"
#include "explain/log_line.h"
#include "games/war/rules/war.h"

/* The place of the first difference. */
struct place {
    const struct explain_pair *pair;
    struct log_line path[LOG_MOST_LEVELS]; /* the last line of every node from the root to the last line before */
    struct log_line before;                /* the line before the wrong one, which is right */
    bool before_back;                      /* which a child returned into */
    struct log_line wanted;                /* the line as it should be; not readable: the log is over */
    struct log_line found;
    struct course_line found_text;
    struct log_line after; /* what the program wrote next */
    bool back;             /* a child returns into the wanted line's node */
    int level;             /* of the node that the explanation is about */
};

static bool is_max(int depth) {
    return depth % 2 == 0;
}

static bool is_infinite(game_score number) {
    return number == GAME_INFINITY || number == -GAME_INFINITY;
}

/* Whether the textbook leaves a node at this line: v >= beta at MAX, v <= alpha at MIN. */
static bool cuts(const struct log_line *line) {
    return line->bounds && (is_max(line->depth) ? line->numbers[LOG_VALUE] >= line->numbers[LOG_BETA]
                                                : line->numbers[LOG_VALUE] <= line->numbers[LOG_ALPHA]);
}

/* Walks down the expected log to the difference; false when it is none of a textbook search. */
static bool find_place(struct place *place, int line) {
    const struct explain_pair *pair = place->pair;
    const char *wanted = pair->wanted;
    const char *found = pair->found;
    const char *wanted_end = course_trim(wanted, pair->wanted_length);
    const char *found_end = course_trim(found, pair->found_length);
    struct course_line text;
    for (int i = 1; i <= line; i++) {
        struct log_line read = {0};
        if (course_next_line(&wanted, wanted_end, &text) && i > 1) {
            log_line_read(text, &read);
            int step = read.depth - (i == 2 ? -1 : place->before.depth);
            if (!read.readable || (step != 1 && step != -1)) {
                return false;
            }
        }
        if (!course_next_line(&found, found_end, &place->found_text)) {
            place->found_text = (struct course_line){NULL, 0};
        }
        if (i == line) {
            place->wanted = read;
            place->back = read.readable && i > 2 && read.depth < place->before.depth;
        } else if (i > 1) {
            place->before_back = i > 2 && read.depth < place->before.depth;
            place->before = place->path[read.depth] = read;
        }
    }
    log_line_read(place->found_text, &place->found);
    if (course_next_line(&found, found_end, &text)) {
        log_line_read(text, &place->after);
    }
    return true;
}

/* -- the position at a node -- */

/* Plays the path from the root; NULL when nothing is known about the position, or the log is of another. */
static struct war_position *position_at(const struct place *place, int level) {
    const struct course_request *request = place->pair->request;
    struct war_position *position = NULL;
    if (request && request->game == &war_game) {
        position = malloc(sizeof *position);
    }
    if (position) {
        memcpy(position, request->position, sizeof *position);
    }
    for (int i = 1; i <= level && position; i++) {
        struct game_undo undo;
        game_move move;
        struct error error;
        struct game_position *board = (struct game_position *)position;
        const char *node = place->path[i].node;
        if (war_game.parse_move(board, node, strlen(node), &move, &error) != STATUS_OK) {
            free(position);
            return NULL;
        }
        war_game.play(board, move, &undo);
    }
    return position;
}

/* The value of a node's position as its log has it, for MAX. */
static game_score value_for_max(const struct place *place, game_score score) {
    return place->pair->request->players[0].side == WAR_X ? score : -score;
}

/* The square a node names; -1: none of this board. */
static int square_of(const char *node, int size) {
    int row = atoi(node + 1);
    int column = node[0] - 'A';
    return column < 0 || column >= size || row < 1 || row > size ? -1 : (row - 1) * size + column;
}

/* What the leaf would be worth if the last `count` moves had conquered nothing. */
static bool value_without_conquest(const struct place *place, int count, game_score *value) {
    int level = place->level;
    struct war_position *position = position_at(place, level - count);
    if (!position) {
        return false;
    }
    game_score score = position->score;
    int side = position->to_move;
    for (int i = level - count + 1; i <= level; i++, side = 1 - side) {
        const char *node = place->path[i].node;
        int square = square_of(node, position->size);
        if (square < 0) {
            free(position);
            return false;
        }
        score += side == WAR_X ? position->values[square] : -position->values[square];
    }
    *value = value_for_max(place, score);
    free(position);
    return true;
}

/* -- where it is -- */

static void add_path(const struct place *place, struct text *out) {
    text_addf(out, EXPLAIN_LABEL "root", "path");
    for (int i = 1; i <= place->level; i++) {
        struct war_position *position = position_at(place, i - 1);
        game_move move;
        struct error error;
        char text[32] = "";
        const char *node = place->path[i].node;
        if (position &&
            war_game.parse_move((struct game_position *)position, node, strlen(node), &move, &error) == STATUS_OK) {
            war_game.move_text((struct game_position *)position, move, text);
        }
        text_addf(out, " > %s", text[0] ? text : node);
        free(position);
    }
    text_add_char(out, '\n');
}

static void add_board(const struct place *place, struct text *out) {
    struct war_position *position = position_at(place, place->level);
    struct text board = TEXT_EMPTY;
    const char *label = "board";
    if (!position) {
        return;
    }
    war_write_board(position, '*', &board);
    for (const char *at = text_string(&board); *at; at += strcspn(at, "\n") + 1) {
        explain_add_line(out, label, "%.*s", (int)strcspn(at, "\n"), at);
        label = "";
    }
    text_spend(&board, out);
    free(position);
}

static void add_where(const struct place *place, struct text *out) {
    const struct log_line *node = &place->path[place->level];
    explain_add_line(out, "node", "%s at depth %d, %s", node->node, node->depth,
                     is_max(node->depth) ? "MAX: it takes the greatest value" : "MIN: it takes the smallest value");
    add_path(place, out);
    if (node->bounds) {
        text_addf(out, EXPLAIN_LABEL, "bounds");
        text_add_string(out, "alpha ");
        log_add_number(out, node->numbers[LOG_ALPHA]);
        text_add_string(out, ", beta ");
        log_add_number(out, node->numbers[LOG_BETA]);
        text_add_char(out, '\n');
    }
    add_board(place, out);
}

/* -- what the textbook does there -- */

/* "after C2 returned 12, v = 12 >= beta 12: it leaves the node at once" */
static void add_cut(const struct log_line *line, const char *child, struct text *out) {
    bool max = is_max(line->depth);
    text_addf(out, EXPLAIN_LABEL "after %s returned, v = ", "textbook", child);
    log_add_number(out, line->numbers[LOG_VALUE]);
    text_addf(out, " %s ", max ? ">= beta" : "<= alpha");
    log_add_number(out, line->numbers[max ? LOG_BETA : LOG_ALPHA]);
    text_addf(out, ": it writes %s with the bounds as they were, and leaves it\n", line->node);
}

static void add_textbook(const struct place *place, struct text *out) {
    const struct log_line *wanted = &place->wanted;
    if (!wanted->readable) {
        explain_add_line(out, "textbook", "the search is over: the log ends with the root");
    } else if (place->back && cuts(wanted)) {
        add_cut(wanted, place->before.node, out);
    } else if (place->back) {
        text_addf(out, EXPLAIN_LABEL "%s returned ", "textbook", place->before.node);
        log_add_number(out, place->before.numbers[LOG_VALUE]);
        text_addf(out, "; %s is written again with the %s so far, ", wanted->node,
                  is_max(wanted->depth) ? "greatest" : "smallest");
        log_add_number(out, wanted->numbers[LOG_VALUE]);
        text_add_string(out, wanted->bounds ? ", after alpha or beta is updated\n" : "\n");
    } else if (is_infinite(wanted->numbers[LOG_VALUE])) {
        explain_add_line(out, "textbook", "%s is an inner node, written on entry with %s%s", wanted->node,
                         is_max(wanted->depth) ? "-Infinity" : "Infinity",
                         wanted->bounds ? " and the bounds it inherits" : "");
    } else {
        text_addf(out, EXPLAIN_LABEL "%s is a leaf, written once with its evaluation, own squares minus the other's: ",
                  "textbook", wanted->node);
        log_add_number(out, wanted->numbers[LOG_VALUE]);
        text_add_char(out, '\n');
    }
}

/* -- what the student's program did instead: the first that fits -- */

/* Only the spelling is wrong. */
static bool guess_spelling(const struct place *place, struct text *out) {
    const struct log_line *found = &place->found;
    if (!log_line_means(&place->wanted, found)) {
        return false;
    }
    if (found->odd & LOG_ODD_BLANKS) {
        explain_add_line(out, "yours", "the values are right, the spelling is not: no blanks around commas");
    } else if (found->odd & LOG_ODD_FRACTION) {
        explain_add_line(out, "yours", "the values are right, the spelling is not: integers have no point and no 'e'");
    } else {
        explain_add_line(out, "yours",
                         "the values are right, the spelling is not: infinity is 'Infinity' or '-Infinity', the root "
                         "is 'root', squares are as 'A1'");
    }
    return true;
}

/* The textbook leaves a node at a line, and the program goes on with another child. */
static bool tell_late_cut(const struct log_line *cut, const struct log_line *next, struct text *out) {
    bool max = is_max(cut->depth);
    if (!cuts(cut) || !next->readable || next->depth != cut->depth + 1) {
        return false;
    }
    explain_add_line(out, "yours", "does not cut at %s: it goes on with %s", cut->node, next->node);
    if (cut->numbers[LOG_VALUE] == cut->numbers[max ? LOG_BETA : LOG_ALPHA]) {
        explain_add_line(out, "mistake", "the cut is at v %s, not at v %s: equal values cut too",
                         max ? ">= beta" : "<= alpha", max ? "> beta" : "< alpha");
    }
    return true;
}

static bool guess_late_cut(const struct place *place, struct text *out) {
    return place->before_back && tell_late_cut(&place->before, &place->found, out);
}

/* The program has left a node that has another child to see. */
static bool guess_early_cut(const struct place *place, struct text *out) {
    const struct log_line *before = &place->before;
    if (!place->before_back || place->back || !place->wanted.readable || !place->found.readable ||
        place->found.depth != before->depth - 1) {
        return false;
    }
    explain_add_line(out, "yours", "leaves %s although %s has not been tried", before->node, place->wanted.node);
    explain_add_line(out, "mistake", "%s",
                     before->bounds
                         ? "a cut too early: compare v with beta at MAX and with alpha at MIN, and nothing else"
                         : "minimax cuts nothing off; a move that can be made is missing in your list");
    return true;
}

/* A line is left out: the entry of a node, or the line after a child. */
static bool guess_missing(const struct place *place, struct text *out) {
    const struct log_line *wanted = &place->wanted;
    const struct log_line *found = &place->found;
    if (!wanted->readable || !found->readable) {
        return false;
    }
    if (!place->back && is_infinite(wanted->numbers[LOG_VALUE]) && found->depth > wanted->depth) {
        explain_add_line(out, "yours", "has no line for %s before its children", wanted->node);
        explain_add_line(out, "mistake", "%s",
                         wanted->depth == 0 ? "the root's line is missing: it is written on entry too"
                                            : "an inner node is written on entry, before its children");
        return true;
    }
    if (place->back && found->depth == place->before.depth && found->depth > 0) {
        explain_add_line(out, "yours", "goes on with %s without a line for %s", found->node, wanted->node);
        explain_add_line(out, "mistake", "a node is written again after every child, changed or not");
        return true;
    }
    return false;
}

/* The same node at another depth. */
static bool guess_depth(const struct place *place, struct text *out) {
    const struct log_line *wanted = &place->wanted;
    const struct log_line *found = &place->found;
    if (!wanted->readable || !found->readable || strcmp(wanted->node, found->node) != 0 ||
        wanted->depth == found->depth) {
        return false;
    }
    explain_add_line(out, "yours", "has %s at depth %d", found->node, found->depth);
    explain_add_line(out, "mistake", "depth off by %d: the root is at depth 0", abs(found->depth - wanted->depth));
    return true;
}

static int square_rank(const char *node) {
    return atoi(node + 1) * WAR_MOST_SIZE + node[0] - 'A';
}

/* Another child than the one whose turn it is. */
static bool guess_order(const struct place *place, struct text *out) {
    const struct log_line *wanted = &place->wanted;
    const struct log_line *found = &place->found;
    if (!wanted->readable || !found->readable || place->back || wanted->depth != found->depth ||
        strcmp(wanted->node, found->node) == 0) {
        return false;
    }
    explain_add_line(out, "yours", "tries %s where it is %s's turn", found->node, wanted->node);
    if (square_rank(found->node) > square_rank(wanted->node)) {
        explain_add_line(out, "mistake",
                         "wrong order of moves, or a move left out: squares are tried row by row from the top left, "
                         "A1, B1, ..., A2, ...; every empty one has a move");
    } else {
        explain_add_line(out, "mistake", "%s is tried twice or is taken already: is the board restored after a child?",
                         found->node);
    }
    return true;
}

/* A leaf for the program that is none, or the other way round. */
static bool guess_horizon(const struct place *place, struct text *out) {
    const struct log_line *wanted = &place->wanted;
    const struct log_line *found = &place->found;
    game_score right = wanted->numbers[LOG_VALUE];
    game_score wrong = found->numbers[LOG_VALUE];
    bool deeper =
        !is_infinite(right) && (log_number_means(GAME_INFINITY, wrong) || log_number_means(-GAME_INFINITY, wrong));
    bool earlier = is_infinite(right) && !log_number_means(right, wrong) && !log_number_means(-right, wrong);
    if (place->back || (!deeper && !earlier)) {
        return false;
    }
    explain_add_line(out, "yours", "%s", deeper ? "goes on below this leaf" : "evaluates here already");
    explain_add_line(out, "mistake", "cut-off depth off by one: a node is a leaf where its depth is the file's depth%s",
                     deeper ? ", or the board is full" : "");
    return true;
}

/* The evaluation of a leaf. */
static void guess_evaluation(const struct place *place, struct text *out) {
    game_score right = place->wanted.numbers[LOG_VALUE];
    game_score wrong = place->found.numbers[LOG_VALUE];
    game_score without;
    explain_add_line(out, "yours", "evaluates to %d", (int)wrong);
    for (int count = 1; count <= place->level; count++) {
        if (value_without_conquest(place, count, &without) && without == wrong) {
            explain_add_line(out, "mistake", "a Raid without conquering: it takes every enemy piece beside its square");
            return;
        }
    }
    if (wrong == -right) {
        explain_add_line(out, "mistake", "wrong sign: every value is the root player's squares minus the other's");
    }
}

/* The same node at the same depth, with another value. */
static bool guess_value(const struct place *place, struct text *out) {
    const struct log_line *wanted = &place->wanted;
    game_score right = wanted->numbers[LOG_VALUE];
    game_score wrong = place->found.numbers[LOG_VALUE];
    if (log_number_means(right, wrong)) {
        return false;
    }
    if (!place->back && !is_infinite(right)) {
        guess_evaluation(place, out);
        return true;
    }
    text_addf(out, EXPLAIN_LABEL "has the value ", "yours");
    log_add_number(out, wrong);
    text_add_char(out, '\n');
    const struct log_line *old = &place->path[wanted->depth];
    if (!place->back) {
        explain_add_line(out, "mistake", "MAX and MIN are exchanged: the root is MAX, its children are MIN");
    } else if (wrong == old->numbers[LOG_VALUE] || wrong == place->before.numbers[LOG_VALUE]) {
        explain_add_line(out, "mistake", "%s takes the %s of what it has and what its child returned", wanted->node,
                         is_max(wanted->depth) ? "greater" : "smaller");
    }
    return true;
}

/* Everything is right but a bound. */
static bool guess_bounds(const struct place *place, struct text *out) {
    const struct log_line *wanted = &place->wanted;
    const struct log_line *found = &place->found;
    if (!wanted->bounds || !found->bounds) {
        return false;
    }
    /* Who goes on has updated the bounds before. */
    if (place->back && tell_late_cut(wanted, &place->after, out)) {
        return true;
    }
    enum log_field field =
        log_number_means(wanted->numbers[LOG_ALPHA], found->numbers[LOG_ALPHA]) ? LOG_BETA : LOG_ALPHA;
    text_addf(out, EXPLAIN_LABEL "has %s ", "yours", log_field_names[field]);
    log_add_number(out, found->numbers[field]);
    text_addf(out, " where it is ");
    log_add_number(out, wanted->numbers[field]);
    text_add_char(out, '\n');
    if (!place->back) {
        explain_add_line(out, "mistake", "a child inherits alpha and beta as its parent has them now");
    } else if (cuts(wanted)) {
        explain_add_line(out, "mistake", "at a cut the line shows the bounds before they are updated");
    } else {
        explain_add_line(out, "mistake", "%s",
                         is_max(wanted->depth) ? "MAX raises alpha, and only alpha, before the line is written"
                                               : "MIN lowers beta, and only beta, before the line is written");
    }
    return true;
}

static bool same_node(const struct place *place) {
    return place->wanted.readable && place->found.readable && place->wanted.depth == place->found.depth &&
           strcmp(place->wanted.node, place->found.node) == 0;
}

static void add_guess(const struct place *place, struct text *out) {
    if (!place->found_text.at) {
        explain_add_line(out, "yours", "ends before this line: did the program stop early?");
    } else if (!place->found.readable) {
        explain_add_line(out, "yours", "no line of a log: expected %s",
                         place->before.bounds || place->wanted.bounds ? "node,depth,value,alpha,beta"
                                                                      : "node,depth,value");
    } else if (same_node(place) && place->wanted.bounds != place->found.bounds) {
        explain_add_line(out, "yours", "%s",
                         place->wanted.bounds ? "alpha and beta are missing: this is alpha-beta"
                                              : "alpha and beta belong to alpha-beta alone");
    } else if (same_node(place)) {
        (void)(guess_spelling(place, out) || guess_horizon(place, out) || guess_value(place, out) ||
               guess_bounds(place, out));
    } else {
        (void)(guess_late_cut(place, out) || guess_depth(place, out) || guess_early_cut(place, out) ||
               guess_missing(place, out) || guess_order(place, out));
    }
}

/* -- the whole -- */

static void explain_header(const struct place *place, struct text *out) {
    explain_add_line(out, "textbook", "the first line names the columns; Alpha and Beta only in alpha-beta");
    if (place->found.readable) {
        explain_add_line(out, "mistake", "the line with the names of the columns is missing");
    }
}

void explain_log(const struct explain_pair *pair, int line, struct text *out) {
    ASSERT(line >= 1);
    struct place place = {.pair = pair};
    if (!find_place(&place, line)) {
        explain_add_line(out, "textbook", "the expected log is none of a textbook search up to here");
        return;
    }
    if (line == 1) {
        explain_header(&place, out);
        return;
    }
    /* After a cut that was not made, the node that should have been left is what it is about. */
    bool late =
        place.before_back && cuts(&place.before) && place.found.readable && place.found.depth == place.before.depth + 1;
    place.level = late || !place.wanted.readable ? place.before.depth : place.wanted.depth;
    if (!late && place.wanted.readable && !place.back) {
        place.path[place.level] = place.wanted;
    }
    add_where(&place, out);
    if (late) {
        explain_add_line(out, "textbook", "v = %d %s %d: it leaves %s here", (int)place.before.numbers[LOG_VALUE],
                         is_max(place.before.depth) ? ">= beta" : "<= alpha",
                         (int)place.before.numbers[is_max(place.before.depth) ? LOG_BETA : LOG_ALPHA],
                         place.before.node);
    } else {
        add_textbook(&place, out);
    }
    add_guess(&place, out);
}
