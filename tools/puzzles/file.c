#include <stdlib.h>
#include <string.h>

#include "puzzle.h"

bool puzzles_add(struct puzzles *puzzles, const struct puzzle *puzzle) {
    if (puzzles->count == puzzles->room) {
        int room = puzzles->room ? 2 * puzzles->room : 256;
        struct puzzle *list = realloc(puzzles->list, (size_t)room * sizeof *list);
        if (!list) {
            return false;
        }
        puzzles->list = list;
        puzzles->room = room;
    }
    puzzles->list[puzzles->count] = *puzzle;
    puzzles->list[puzzles->count].order = puzzles->count;
    puzzles->count++;
    return true;
}

void puzzles_free(struct puzzles *puzzles) {
    free(puzzles->list);
    *puzzles = (struct puzzles){0};
}

void puzzle_write(FILE *out, const struct puzzle *puzzle) {
    if (puzzle->kind == PUZZLE_WIN) {
        fprintf(out, "win;%d;", puzzle->moves);
    } else {
        fprintf(out, "best;%d:%d;", puzzle->value, puzzle->second);
    }
    fprintf(out, "%d;%s;%s\n", puzzle->stars, puzzle->move, puzzle->text);
}

bool puzzle_take_text(struct puzzle *puzzle, const char *text) {
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n') {
        length--;
    }
    if (length >= sizeof puzzle->text) {
        return false;
    }
    memcpy(puzzle->text, text, length);
    puzzle->text[length] = '\0';
    for (char *at = puzzle->text; (at = strchr(at, '\n')) != NULL;) {
        *at = '/';
    }
    return true;
}

sortie_position *puzzle_position(const struct puzzle *puzzle, sortie_error *error) {
    char text[PUZZLE_MOST_TEXT + 1];
    size_t length = strlen(puzzle->text);
    memcpy(text, puzzle->text, length);
    for (size_t i = 0; i < length; i++) {
        text[i] = text[i] == '/' ? '\n' : text[i];
    }
    text[length++] = '\n';
    sortie_position *position = NULL;
    return sortie_position_parse_as(text, length, "position", &position, error) == SORTIE_OK ? position : NULL;
}

/* -- reading -- */

struct cursor {
    const char *at;
    const char *end; /* of the line */
    const char *begin;
};

/* The next field of a line, up to ";" or its end. */
static size_t field(struct cursor *cursor, const char **bytes) {
    const char *stop = memchr(cursor->at, ';', (size_t)(cursor->end - cursor->at));
    const char *end = stop ? stop : cursor->end;
    *bytes = cursor->at;
    size_t length = (size_t)(end - cursor->at);
    cursor->at = stop ? stop + 1 : end;
    return length;
}

/* A whole number of a field within bounds. */
static bool number(const char *bytes, size_t length, int least, int most, int *value) {
    char text[16];
    if (length == 0 || length >= sizeof text) {
        return false;
    }
    memcpy(text, bytes, length);
    text[length] = '\0';
    char *end;
    long read = strtol(text, &end, 10);
    *value = (int)read;
    return *end == '\0' && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9')) && read >= least && read <= most;
}

/* What the move leads to: "4", or "7:3". */
static bool read_worth(const char *bytes, size_t length, struct puzzle *puzzle) {
    if (puzzle->kind == PUZZLE_WIN) {
        return number(bytes, length, 1, PUZZLE_MOST_WIN, &puzzle->moves);
    }
    const char *colon = memchr(bytes, ':', length);
    size_t first = colon ? (size_t)(colon - bytes) : 0;
    return colon && number(bytes, first, -1000000, 1000000, &puzzle->value) &&
           number(colon + 1, length - first - 1, -1000000, 1000000, &puzzle->second);
}

/* Reads one line; NULL, or what was expected at `cursor->at`. */
static const char *read_line(struct cursor *cursor, struct puzzle *puzzle) {
    const char *bytes = cursor->at;
    size_t length = field(cursor, &bytes);
    *puzzle = (struct puzzle){0};
    puzzle->kind = length == 4 && memcmp(bytes, "best", 4) == 0 ? PUZZLE_BEST : PUZZLE_WIN;
    if (puzzle->kind == PUZZLE_WIN && !(length == 3 && memcmp(bytes, "win", 3) == 0)) {
        cursor->at = bytes;
        return "win or best";
    }
    length = field(cursor, &bytes);
    if (!read_worth(bytes, length, puzzle)) {
        cursor->at = bytes;
        return puzzle->kind == PUZZLE_WIN ? "a number of moves from 1 to 5" : "two values, as in 7:3";
    }
    length = field(cursor, &bytes);
    if (!number(bytes, length, 1, PUZZLE_STARS, &puzzle->stars)) {
        cursor->at = bytes;
        return "a number of stars from 1 to 5";
    }
    length = field(cursor, &bytes);
    if (length == 0 || length >= sizeof puzzle->move) {
        cursor->at = bytes;
        return "a move";
    }
    memcpy(puzzle->move, bytes, length);
    length = field(cursor, &bytes);
    if (length == 0 || length >= sizeof puzzle->text || cursor->at != cursor->end) {
        cursor->at = bytes;
        return "a position";
    }
    memcpy(puzzle->text, bytes, length);
    return NULL;
}

/* Whether the position can be read and the move is one of its moves. */
static bool try_line(const struct puzzle *puzzle, sortie_error *error) {
    sortie_position *position = puzzle_position(puzzle, error);
    bool fine = position && sortie_position_play(position, puzzle->move, error) == SORTIE_OK;
    sortie_position_free(position);
    return fine;
}

enum status puzzles_read(const char *bytes, size_t length, struct puzzles *puzzles, struct error *error) {
    const char *end = bytes + length;
    for (int line = 1; bytes < end; line++) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        struct cursor cursor = {.at = bytes, .begin = bytes, .end = stop ? stop : end};
        if (*bytes != '#') {
            struct puzzle puzzle;
            sortie_error fault = {0};
            const char *expected = read_line(&cursor, &puzzle);
            int column = (int)(cursor.at - cursor.begin) + 1;
            if (expected) {
                return error_at(error, line, column, "expected %s", expected);
            }
            if (!try_line(&puzzle, &fault)) {
                return error_at(error, line, 1, "%s", fault.text);
            }
            if (!puzzles_add(puzzles, &puzzle)) {
                return error_machine(error, "out of memory");
            }
        }
        bytes = stop ? stop + 1 : end;
    }
    return STATUS_OK;
}
