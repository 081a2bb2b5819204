/* Turns games of gomoku-selfplay and gomoku-relabel (standard input) into training records (standard output), one a
 * labelled position: 225 bytes of the board as the side to move sees it (0 empty, 1 own, 2 the other's), a byte that
 * says when it is never evaluated (1: a five or an open four decides it), seven bytes of shares, then 16-bit numbers:
 * the square played, seven others (-1: none), the search's value, the result for the side to move (1, 0, -1; 2:
 * unknown, of a branch), and the squares of the last two moves (-1: none). The others were best at some depth, or,
 * where their shares are not 0, got so many 255ths of the search's nodes. A position without a label has -1 for the
 * square played. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/gomoku/board/board.h"
#include "lines.h"

#define UNKNOWN_RESULT 2
#define OTHERS 7

struct record {
    uint8_t board[225];
    uint8_t decided;
    uint8_t shares[OTHERS];
    uint8_t unused;
    int16_t move;
    int16_t others[OTHERS];
    int16_t value;
    int16_t result;
    int16_t last[2];
};

static void write_record(struct gboard *board, const struct gomoku_position *position, struct record *record) {
    gboard_load(board, position, NULL);
    int side = board->side;
    for (int square = 0; square < 225; square++) {
        int stone = position->board[square];
        record->board[square] = (uint8_t)(stone == GOMOKU_EMPTY ? 0 : stone - 1 == side ? 1 : 2);
    }
    record->decided = !gboard_set_empty(board, 1 - side, SET_FIVE) || !gboard_set_empty(board, side, SET_FIVE) ||
                      !gboard_set_empty(board, side, SET_OPEN_FOUR);
    fwrite(record, sizeof *record, 1, stdout);
}

/* Reads one move of a line with its labels; false at the end, or where the line is not what it should be. */
static bool read_move(char **at, const struct gomoku_position *position, struct record *record) {
    char *end;
    if (**at != ' ') {
        return false;
    }
    long square = strtol(*at, &end, 10);
    if (end == *at || square < 0 || square >= 225 || position->board[square] != GOMOKU_EMPTY ||
        position->winner != GOMOKU_NO_WINNER) {
        return false;
    }
    *at = end;
    record->move = (int16_t)square;
    record->value = 0;
    for (int i = 0; i < OTHERS; i++) {
        record->others[i] = -1;
        record->shares[i] = 0;
    }
    if (**at == ':') {
        record->value = (int16_t)strtol(*at + 1, at, 10);
        for (int i = 0; i < OTHERS && **at == (i == 0 ? ':' : '.'); i++) {
            long other = strtol(*at + 1, at, 10);
            record->others[i] = (int16_t)(other >= 0 && other < 225 ? other : -1);
            long share = **at == '*' ? strtol(*at + 1, at, 10) : 0;
            record->shares[i] = (uint8_t)(share > 0 && share < 256 ? share : 0);
        }
    }
    return true;
}

struct lines {
    char **text;
    size_t count;
    size_t capacity;
};

static void lines_add(struct lines *lines, const char *line) {
    if (lines->count == lines->capacity) {
        lines->capacity = lines->capacity ? 2 * lines->capacity : 1024;
        lines->text = realloc(lines->text, lines->capacity * sizeof *lines->text);
    }
    char *copy = strdup(line);
    if (!lines->text || !copy) {
        fprintf(stderr, "gomoku-extract: no memory\n");
        exit(1);
    }
    lines->text[lines->count++] = copy;
}

/* Plays the moves of a line from `at` on and writes a record without a label for where they lead. */
static bool write_unlabelled(char *at, struct gomoku_position *position) {
    static struct gboard board;
    struct record record = {.last = {-1, -1}};
    while (read_move(&at, position, &record)) {
        gomoku_put(position, record.move);
    }
    for (int i = 0; i < 2 && i < position->count; i++) {
        record.last[i] = (int16_t)position->order[position->count - 1 - i];
    }
    record.move = -1;
    record.result = UNKNOWN_RESULT;
    write_record(&board, position, &record);
    return *at == '\n' || *at == '\0';
}

/* Plays the moves of a line from `at` on and writes a record for each of those from number `first` on; false when that
 * is not the whole line. */
static bool write_moves(char *at, struct gomoku_position *position, int first, bool branch, int outcome) {
    static struct gboard board;
    struct record record = {.last = {-1, -1}};
    for (int i = 0; i < 2 && i < position->count; i++) {
        record.last[i] = (int16_t)position->order[position->count - 1 - i];
    }
    while (read_move(&at, position, &record)) {
        if (position->count >= first) {
            record.result = (int16_t)(branch ? UNKNOWN_RESULT : position->count & 1 ? -outcome : outcome);
            write_record(&board, position, &record);
        }
        gomoku_put(position, record.move);
        record.last[1] = record.last[0];
        record.last[0] = record.move;
    }
    return *at == '\n' || *at == '\0';
}

/* A branch leaves the game after some of its moves; its last move alone is labelled, or (`~`) none. A position that was
 * looked at again (`=`) is a branch that has not left it. */
static bool write_branch(const char *line, const struct gomoku_position *game) {
    struct gomoku_position position;
    char kind;
    int from, used;
    if (sscanf(line, "%c %d%n", &kind, &from, &used) != 2 || from < 0 || from > game->count) {
        return false;
    }
    int moves = 0;
    for (const char *at = line + used; *at; at++) {
        moves += *at == ' ';
    }
    gomoku_clear(&position, game->size, game->variant);
    for (int i = 0; i < from; i++) {
        gomoku_put(&position, game->order[i]);
    }
    char *text = strdup(line + used);
    bool whole = text && (kind == '~' ? write_unlabelled(text, &position)
                                      : write_moves(text, &position, from + moves - 1, true, 0));
    free(text);
    return whole;
}

int main(void) {
    static struct gomoku_position position;
    struct lines branches = {0};
    char *line = NULL;
    size_t capacity = 0;
    for (long number = 1; getline(&line, &capacity, stdin) > 0; number++) {
        static struct lines_game game;
        if (lines_is_before(line[0])) {
            lines_add(&branches, line);
            continue;
        }
        const char *at = line;
        bool whole = lines_head(&at, &game);
        if (whole) {
            gomoku_clear(&position, game.size, game.variant);
            whole = write_moves(line + (at - line), &position, game.opening, false, game.outcome);
        }
        for (size_t i = 0; i < branches.count; i++) {
            whole = whole && write_branch(branches.text[i], &position);
            free(branches.text[i]);
        }
        branches.count = 0;
        if (!whole) {
            fprintf(stderr, "gomoku-extract: line %ld: expected a game of gomoku-selfplay on 15x15\n", number);
        }
    }
    free(branches.text);
    free(line);
    return fflush(stdout) == 0 ? 0 : 1;
}
