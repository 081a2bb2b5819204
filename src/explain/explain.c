#include "explain/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "explain/explain_parts.h"
#include "games/war/rules/war.h"

/* No line of a board is longer; what is, is cut. */
#define MOST_ROW 60
/* Boards of more rows are not shown whole. */
#define MOST_ROWS 30

void explain_add_line(struct text *out, const char *label, const char *format, ...) {
    char line[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_addf(out, EXPLAIN_LABEL "%s\n", label, line);
}

void explain_add_quoted(struct text *out, struct course_line line) {
    char bytes[104];
    if (!line.at) {
        text_add_string(out, "nothing more");
        return;
    }
    size_t length = line.length < 100 ? line.length : 100;
    memcpy(bytes, line.at, length);
    bytes[length] = '\0';
    text_add_char(out, '\'');
    clean_add(out, bytes);
    text_add_string(out, line.length > length ? "...'" : "'");
}

bool explain_is_log(const char *bytes, size_t length) {
    static const char header[] = "Node,Depth,Value";
    return length >= sizeof header - 1 && memcmp(bytes, header, sizeof header - 1) == 0;
}

/* -- boards -- */

/* How a pair of files is divided: a line with the move before the rows, so many rows a board. */
struct layout {
    int size; /* rows of a board; 0: unknown */
    bool move;
    bool battle;
};

static struct layout layout_of(const struct explain_pair *pair) {
    const struct course_request *request = pair->request;
    if (!request) {
        return (struct layout){0};
    }
    const struct course_format *format = course_format_of(request->game, request->game->variant(request->position));
    bool argument = format && format->input_argument;
    return (struct layout){request->game->size(request->position), !argument, request->battle};
}

static void add_cell(struct text *out, struct course_line row, int width) {
    char bytes[MOST_ROW + 1];
    size_t length = row.length < MOST_ROW ? row.length : MOST_ROW;
    memcpy(bytes, row.at ? row.at : "", length);
    bytes[length] = '\0';
    clean_add_column(out, bytes, width, MOST_ROW);
}

/* Names what differs in a row: "B2, C2" by column and row of a board, or that the row is missing. */
static void add_marks(struct text *out, struct course_line wanted, struct course_line found, int row) {
    if (!wanted.at || !found.at) {
        text_add_string(out, wanted.at ? "   <- missing" : "   <- too many");
        return;
    }
    const char *before = "   <- ";
    for (size_t i = 0; i < wanted.length && i < found.length && i < 26; i++) {
        if (wanted.at[i] != found.at[i]) {
            text_addf(out, "%s%c%d", before, (char)('A' + i), row);
            before = ", ";
        }
    }
    if (wanted.length != found.length) {
        text_addf(out, "%s%zu characters instead of %zu", before, found.length, wanted.length);
    }
}

/* Shows up to `rows` lines of both, side by side, differences marked. */
static void add_side_by_side(struct text *out, const char *wanted, const char *wanted_end, const char *found,
                             const char *found_end, int rows) {
    int width = 8;
    const char *at = wanted;
    struct course_line line;
    for (int i = 0; i < rows && course_next_line(&at, wanted_end, &line); i++) {
        int length = (int)(line.length < MOST_ROW ? line.length : MOST_ROW);
        width = length > width ? length : width;
    }
    text_addf(out, "  %-*s   yours\n", width, "expected");
    for (int row = 1; row <= rows; row++) {
        struct course_line lines[2] = {{NULL, 0}, {NULL, 0}};
        bool more = course_next_line(&wanted, wanted_end, &lines[0]);
        more = course_next_line(&found, found_end, &lines[1]) || more;
        if (!more) {
            break;
        }
        text_add_string(out, "  ");
        add_cell(out, lines[0], width);
        text_add_string(out, "   ");
        add_cell(out, lines[1], 0);
        if (!lines[0].at || !lines[1].at || lines[0].length != lines[1].length ||
            memcmp(lines[0].at, lines[1].at, lines[0].length) != 0) {
            add_marks(out, lines[0], lines[1], row);
        }
        text_add_char(out, '\n');
    }
}

/* Steps over lines. */
static const char *skip_lines(const char *at, const char *end, int count) {
    struct course_line line;
    while (count > 0 && course_next_line(&at, end, &line)) {
        count--;
    }
    return at;
}

/* Whether the rows are the board after the move without its conquests. */
static bool conquers_nothing(const struct explain_pair *pair, const char *rows, const char *end) {
    const struct course_request *request = pair->request;
    struct war_position position;
    bool found = false;
    if (!request || request->game != &war_game || request->battle) {
        return false;
    }
    for (int square = 0;
         square < request->game->size(request->position) * request->game->size(request->position) && !found; square++) {
        struct text board = TEXT_EMPTY;
        struct course_line ignored[2];
        memcpy(&position, request->position, sizeof position);
        if (war_taken(&position, square)) {
            continue;
        }
        bool raid = war_can_raid(&position, position.to_move, square);
        war_put(&position, position.to_move, square);
        war_write_board(&position, position.variant == WAR_SNEAK ? '*' : '.', &board);
        found = raid && !board.broken &&
                course_first_difference(text_string(&board), board.length, rows, (size_t)(end - rows), &ignored[0],
                                        &ignored[1]) == 0;
        text_free(&board);
    }
    return found;
}

/* What the move of the student's program leads to, where it is legal. */
static void add_judgement(const struct explain_pair *pair, struct text *out) {
    const struct course_request *request = pair->request;
    const struct course_format *format = course_format_of(request->game, request->game->variant(request->position));
    char detail[240] = "";
    char text[32];
    game_move move;
    if (!format || request->battle) {
        return;
    }
    if (course_judge(format, request->game, request->position, pair->found, pair->found_length, &move, detail,
                     sizeof detail) == COURSE_RIGHT) {
        request->game->move_text(request->position, move, text);
        explain_add_line(out, "yours",
                         "%s is a legal move and its board is right, but it is not the course's answer: the first move "
                         "with the greatest value",
                         text);
        return;
    }
    struct clean_line clean;
    explain_add_line(out, "yours", "%s", clean_string(&clean, detail));
}

static void explain_boards(const struct explain_pair *pair, int line, struct text *out) {
    struct layout layout = layout_of(pair);
    const char *wanted_end = course_trim(pair->wanted, pair->wanted_length);
    const char *found_end = course_trim(pair->found, pair->found_length);
    int before = layout.move && line > 1 ? 1 : 0;
    int rows = layout.size > 0 ? layout.size : MOST_ROWS;
    if (layout.battle && layout.size > 0) {
        int turn = (line - 1) / layout.size + 1;
        before = (turn - 1) * layout.size;
        explain_add_line(out, "turn", "%d, player %d's; everything before it is right", turn, (turn - 1) % 2 + 1);
    } else if (layout.move && line == 1) {
        rows++;
    }
    rows = rows < MOST_ROWS ? rows : MOST_ROWS;
    add_side_by_side(out, skip_lines(pair->wanted, wanted_end, before), wanted_end,
                     skip_lines(pair->found, found_end, before), found_end, rows);
    if (!pair->request) {
        return;
    }
    add_judgement(pair, out);
    if (conquers_nothing(pair, skip_lines(pair->found, found_end, layout.move ? 1 : 0), found_end)) {
        explain_add_line(out, "mistake", "a Raid without conquering: it takes every enemy piece beside its square");
    }
}

/* -- the whole -- */

/* Where the first blank line, mark or line end is that is no difference and may still be one for others. */
static void add_oddities(const struct explain_pair *pair, struct text *out) {
    bool theirs = pair->found_length > 0 && memchr(pair->found, '\r', pair->found_length);
    bool ours = pair->wanted_length > 0 && memchr(pair->wanted, '\r', pair->wanted_length);
    if (theirs && !ours) {
        explain_add_line(out, "remark", "your lines end in CRLF; that is accepted here");
    }
}

int explain(const struct explain_pair *pair, struct text *out) {
    struct course_line lines[2];
    int line = course_first_difference(pair->wanted, pair->wanted_length, pair->found, pair->found_length, &lines[0],
                                       &lines[1]);
    if (line == 0) {
        add_oddities(pair, out);
        return 0;
    }
    clean_add(out, pair->name);
    text_addf(out, " line %d: expected ", line);
    explain_add_quoted(out, lines[0]);
    text_add_string(out, ", found ");
    explain_add_quoted(out, lines[1]);
    text_add_char(out, '\n');
    if (pair->found_length >= 3 && memcmp(pair->found, "\xef\xbb\xbf", 3) == 0) {
        explain_add_line(out, "mistake", "your file begins with a UTF-8 mark (BOM): write it without");
    }
    if (course_trim(pair->found, pair->found_length) == pair->found) {
        explain_add_line(out, "yours", "is empty");
    } else if (explain_is_log(pair->wanted, pair->wanted_length)) {
        explain_log(pair, line, out);
    } else {
        explain_boards(pair, line, out);
    }
    add_oddities(pair, out);
    return line;
}
