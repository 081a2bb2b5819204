/* What is said while a Gomocup brain thinks. A manager hears messages with depth, value, nodes and line; a board that
 * asks for it by show_detail also hears which squares are looked at, best or lost, and all numbers one a line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stopwatch.h"
#include "games/gomoku/eval/weights.h"
#include "protocols/gomocup/gomocup_state.h"

/* Reports of the search are passed on from this moment on, in seconds: the first depths take no time. */
#define TELL_AFTER 0.05
#define TELL_MOVES 24
#define MARK_AFTER 0.5  /* squares are marked from here on: before, each is looked at for a moment only */
#define MARKS_APART 0.1 /* a board draws all of itself for a mark */
#define WIN_LEAST (GAME_WIN_VALUE - 1000)

/* A line of moves, each behind a blank: as x,y, or by letter and number as Yixin-Board shows them, whose first number
 * counts rows from the top. */
static void write_line(char *text, size_t room, const struct search_result *result, int size, bool letters) {
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < result->pv_length && i < TELL_MOVES; i++) {
        int x = (int)result->pv[i] % size;
        int y = (int)result->pv[i] / size;
        used += (size_t)(letters ? snprintf(text + used, room - used, " %c%d", 'a' + y, size - x)
                                 : snprintf(text + used, room - used, " %d,%d", x, y));
    }
}

static double speed_of(const struct search_result *result) {
    return (double)result->nodes / (result->wall_seconds > 1e-6 ? result->wall_seconds : 1e-6);
}

/* What people and analysis boards read: depth, which of the best moves it is where several are asked for, value, nodes,
 * time and the line that is expected. Yixin-Board shows it in a narrow window: there the line comes before the nodes.
 */
static void tell_message(struct gomocup *gomocup, const struct search_result *result) {
    char line[TELL_MOVES * 8 + 1];
    char number[24] = "";
    bool rows_first = gomocup->telling.rows_first;
    write_line(line, sizeof line, result, gomocup->position.size, rows_first);
    if (gomocup->limits.multi_pv > 1) {
        snprintf(number, sizeof number, rows_first ? "(%d) " : " multipv %d", result->line + 1);
    }
    if (rows_first) {
        gomocup_answer(gomocup, "MESSAGE %sdepth %d value %d%s | nodes %llu nps %.0f time %.0f ms", number,
                       result->depth, (int)result->value, line, (unsigned long long)result->nodes, speed_of(result),
                       result->wall_seconds * 1000);
        return;
    }
    gomocup_answer(gomocup, "MESSAGE depth %d%s value %d nodes %llu nps %.0f time %.0f ms pv%s", result->depth, number,
                   (int)result->value, (unsigned long long)result->nodes, speed_of(result), result->wall_seconds * 1000,
                   line);
}

/* The same for programs, a number a line. Values beyond all doubt are given by the plies to the end. */
static void tell_detail(struct gomocup *gomocup, const struct search_result *result, int lines) {
    char line[TELL_MOVES * 8 + 1];
    char value[24];
    int plies = GAME_WIN_VALUE - (result->value > 0 ? (int)result->value : -(int)result->value);
    bool decided = result->value >= WIN_LEAST || result->value <= -WIN_LEAST;
    double chance = decided ? result->value > 0 : 1 / (1 + exp(-(double)result->value / NET_VALUE_UNIT));
    if (decided) {
        snprintf(value, sizeof value, "%cM%d", result->value > 0 ? '+' : '-', plies);
    } else {
        snprintf(value, sizeof value, "%d", (int)result->value);
    }
    write_line(line, sizeof line, result, gomocup->position.size, false);
    gomocup_answer(gomocup, "INFO PV %d", result->line);
    gomocup_answer(gomocup, "INFO NUMPV %d", lines);
    gomocup_answer(gomocup, "INFO DEPTH %d", result->depth);
    gomocup_answer(gomocup, "INFO SELDEPTH %d", result->pv_length > result->depth ? result->pv_length : result->depth);
    gomocup_answer(gomocup, "INFO NODES %llu", (unsigned long long)result->nodes);
    gomocup_answer(gomocup, "INFO TOTALNODES %llu", (unsigned long long)result->nodes);
    gomocup_answer(gomocup, "INFO TOTALTIME %.0f", result->wall_seconds * 1000);
    gomocup_answer(gomocup, "INFO SPEED %.0f", speed_of(result));
    gomocup_answer(gomocup, "INFO EVAL %s", value);
    gomocup_answer(gomocup, "INFO WINRATE %.4f", chance);
    gomocup_answer(gomocup, "INFO BESTLINE%s", line);
    gomocup_answer(gomocup, "INFO PV DONE");
}

static void tell_square(struct gomocup *gomocup, const char *what, int square) {
    int size = gomocup->position.size;
    gomocup_answer(gomocup, "MESSAGE REALTIME %s %d,%d", what, square % size, square / size);
}

/* The best move so far, its value and its line; the squares looked at are as before the search. */
static void tell_best(struct gomocup *gomocup, const struct search_result *result) {
    char line[TELL_MOVES * 8 + 1];
    write_line(line, sizeof line, result, gomocup->position.size, gomocup->telling.rows_first);
    gomocup_answer(gomocup, "MESSAGE REALTIME REFRESH");
    tell_square(gomocup, "BEST", (int)result->move);
    gomocup->telling.best = gomocup->telling.lined = (int)result->move;
    gomocup_answer(gomocup, "MESSAGE REALTIME VAL %d", (int)result->value);
    gomocup_answer(gomocup, "MESSAGE REALTIME PV%s", line);
}

/* The numbers of one report. */
static void tell_all(struct gomocup *gomocup, const struct search_result *result, int lines) {
    tell_message(gomocup, result);
    if (gomocup->telling.detail) {
        tell_detail(gomocup, result, lines);
    }
}

/* The marks of a board, too. */
static void tell_and_mark(struct gomocup *gomocup, const struct search_result *result, int lines) {
    tell_all(gomocup, result, lines);
    if (gomocup->telling.realtime && result->line == 0) {
        tell_best(gomocup, result);
    }
}

void gomocup_tell_begin(struct gomocup *gomocup, bool silent) {
    struct gomocup_telling *telling = &gomocup->telling;
    telling->silent = silent;
    telling->realtime = gomocup->detail & 1;
    telling->detail = gomocup->detail & 2;
    telling->rows_first = gomocup->rows_first;
    telling->line_count = telling->before_count = 0;
    telling->tell_from = gomocup->asked_at + TELL_AFTER;
    telling->next_mark = gomocup->asked_at + MARK_AFTER;
    telling->marked = telling->best = telling->lined = -1;
    memset(telling->lost, 0, sizeof telling->lost);
}

static int lines_wanted(const struct gomocup *gomocup) {
    int empty = gomocup->position.size * gomocup->position.size - gomocup->position.count;
    int lines = gomocup->limits.multi_pv > 1 ? gomocup->limits.multi_pv : 1;
    return lines < empty ? lines : empty;
}

/* The lines of a depth come one after the other, the first of them begins the list anew. */
static void keep_line(struct gomocup_telling *telling, const struct search_result *report) {
    if (report->line == 0) {
        memcpy(telling->before, telling->lines, (size_t)telling->line_count * sizeof *telling->lines);
        telling->before_count = telling->line_count;
        telling->line_count = 0;
    }
    if (report->line == telling->line_count && report->line < GOMOCUP_MOST_LINES) {
        telling->lines[telling->line_count++] = *report;
    }
}

void gomocup_tell_report(void *user, const struct search_result *report) {
    struct gomocup *gomocup = user;
    struct gomocup_telling *telling = &gomocup->telling;
    if (telling->silent) {
        return;
    }
    keep_line(telling, report);
    /* For the most even move there are as many lines as moves, and none of them is of interest. */
    if (report->wall_seconds >= TELL_AFTER && !gomocup->balancing) {
        tell_and_mark(gomocup, report, lines_wanted(gomocup));
    }
}

void gomocup_tell_root(void *user, game_move move, enum gomoku_root_news news) {
    struct gomocup *gomocup = user;
    struct gomocup_telling *telling = &gomocup->telling;
    uint64_t bit = UINT64_C(1) << (move & 63);
    if (!telling->realtime || telling->silent) {
        return;
    }
    if (news == GOMOKU_ROOT_BEGUN && clock_wall() >= telling->next_mark) {
        telling->next_mark = clock_wall() + MARKS_APART;
        telling->marked = (int)move;
        tell_square(gomocup, "POS", (int)move);
    } else if (news == GOMOKU_ROOT_DONE && telling->marked == (int)move) {
        telling->marked = -1;
        tell_square(gomocup, "DONE", (int)move);
    } else if (news == GOMOKU_ROOT_LOST && !(telling->lost[move >> 6] & bit)) {
        telling->lost[move >> 6] |= bit;
        tell_square(gomocup, "LOST", (int)move);
    } else if (news == GOMOKU_ROOT_BEST && telling->best != (int)move && clock_wall() >= telling->tell_from) {
        telling->best = (int)move;
        tell_square(gomocup, "BEST", (int)move);
    }
}

/* Whether one of the first `count` lines is about this move. */
static bool is_listed(const struct gomocup_telling *telling, int count, game_move move) {
    for (int i = 0; i < count; i++) {
        if (telling->lines[i].move == move) {
            return true;
        }
    }
    return false;
}

/* Behind the lines of the last depth, which the end of the search has cut off, come those of the depth before that are
 * about other moves. */
static void complete_lines(struct gomocup_telling *telling) {
    int count = telling->line_count;
    for (int i = 0; i < telling->before_count && count < telling->before_count; i++) {
        if (!is_listed(telling, count, telling->before[i].move)) {
            telling->lines[count++] = telling->before[i];
        }
    }
    telling->line_count = count;
}

/* A later line may have turned out better than the first of the same depth. */
static void sort_lines(struct gomocup_telling *telling) {
    struct search_result *lines = telling->lines;
    for (int i = 1; i < telling->line_count; i++) {
        for (int k = i; k > 0 && lines[k].depth == lines[k - 1].depth && lines[k].value > lines[k - 1].value; k--) {
            struct search_result better = lines[k];
            lines[k] = lines[k - 1];
            lines[k - 1] = better;
        }
    }
    for (int i = 0; i < telling->line_count; i++) {
        lines[i].line = i;
    }
}

/* Among the lines the one whose value is nearest to the one wanted. */
static int balanced_line(const struct gomocup *gomocup) {
    const struct search_result *lines = gomocup->telling.lines;
    int best = 0;
    for (int i = 1; i < gomocup->telling.line_count; i++) {
        if (abs((int)lines[i].value - gomocup->balance) < abs((int)lines[best].value - gomocup->balance)) {
            best = i;
        }
    }
    return best;
}

/* Several lines are told once more, since most of them lie far back by then. */
static void tell_list(struct gomocup *gomocup) {
    const struct gomocup_telling *telling = &gomocup->telling;
    for (int i = 0; i < telling->line_count; i++) {
        tell_all(gomocup, &telling->lines[i], telling->line_count);
    }
}

void gomocup_tell_end(struct gomocup *gomocup, struct search_result *result) {
    struct gomocup_telling *telling = &gomocup->telling;
    if (telling->line_count == 0 || telling->lines[0].move != result->move) {
        keep_line(telling, result); /* a depth that was cut off has found a better move */
    }
    complete_lines(telling);
    sort_lines(telling);
    if (gomocup->limits.multi_pv > 1) {
        *result = telling->lines[gomocup->balancing ? balanced_line(gomocup) : 0];
        result->line = 0;
    }
    if (gomocup->limits.multi_pv > 1 && !gomocup->balancing) {
        tell_list(gomocup);
    } else {
        tell_all(gomocup, result, 1);
    }
    /* A mark that stands already is not made again: the board may have gone on to another position. */
    if (telling->realtime && (telling->best != (int)result->move || telling->lined != (int)result->move)) {
        tell_best(gomocup, result);
    }
    if (result->certainty == SEARCH_PROVED && result->value != 0) {
        int plies = GAME_WIN_VALUE - (result->value > 0 ? (int)result->value : -(int)result->value);
        gomocup_answer(gomocup, "MESSAGE proved: %s in %d", result->value > 0 ? "wins" : "loses", (plies + 1) / 2);
    }
}
