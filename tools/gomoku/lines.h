/* The lines of games that gomoku-selfplay writes, and files of them that a run carries on. */
#ifndef SORTIE_TOOLS_GOMOKU_LINES_H
#define SORTIE_TOOLS_GOMOKU_LINES_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/gomoku/rules/gomoku.h"

/* Whether a line stands before that of its game: a branch or leaf, a deeper look, or a leaf without a label. */
static inline bool lines_is_before(int first) {
    return first == '?' || first == '=' || first == '~';
}

/* A game: its moves and the values that the searches gave them, those of the opening without. */
struct lines_game {
    int outcome; /* 1, 0 or -1 for X */
    int size;
    int variant;
    int opening;
    int moves;
    int squares[GOMOKU_MOST_SQUARES];
    int values[GOMOKU_MOST_SQUARES];
};

/* "OUTCOME SIZE OPENING SQUARE[:VALUE...] ...": games by other rules than freestyle have "SIZE/RULE". */
static inline bool lines_head(const char **at, struct lines_game *game) {
    char size[32];
    int used;
    if (sscanf(*at, "%d %31s %d%n", &game->outcome, size, &game->opening, &used) != 3) {
        return false;
    }
    char *slash = strchr(size, '/');
    game->size = atoi(size);
    game->variant = slash ? game_find_variant(&gomoku_game, slash + 1, strlen(slash + 1)) : GOMOKU_FREESTYLE;
    *at += used;
    return game->size == 15 && game->variant >= 0 && game->opening >= 0;
}

/* A square and its value, if it has one; what stands behind them is passed over. */
static inline bool lines_move(const char **at, struct lines_game *game, struct gomoku_position *position) {
    char *end;
    long square = strtol(*at, &end, 10);
    if (end == *at || square < 0 || square >= game->size * game->size || position->board[square] != GOMOKU_EMPTY ||
        position->winner != GOMOKU_NO_WINNER) {
        return false;
    }
    game->squares[game->moves] = (int)square;
    game->values[game->moves++] = *end == ':' ? (int)strtol(end + 1, NULL, 10) : 0;
    gomoku_put(position, (int)square);
    *at = end + strcspn(end, " \n");
    return true;
}

/* Reads a game's own line; false when it is none. */
static inline bool lines_read(const char *line, struct lines_game *game) {
    struct gomoku_position position;
    const char *at = line;
    if (!lines_head(&at, game)) {
        return false;
    }
    game->moves = 0;
    gomoku_clear(&position, game->size, game->variant);
    while (*at == ' ') {
        at++;
        if (!lines_move(&at, game, &position)) {
            return false;
        }
    }
    return (*at == '\n' || *at == '\0') && game->moves >= game->opening;
}

/* The position behind the opening. */
static inline void lines_start(const struct lines_game *game, struct gomoku_position *position) {
    gomoku_clear(position, game->size, game->variant);
    for (int i = 0; i < game->opening; i++) {
        gomoku_put(position, game->squares[i]);
    }
}

static inline bool lines_count(const char *text, uint64_t *count) {
    char *end;
    errno = 0;
    *count = strtoull(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *text != '-';
}

/* Opens the file for appending behind its last whole game; *games is how many there are. */
static inline FILE *lines_resume(const char *path, uint64_t *games) {
    FILE *file = fopen(path, "a+");
    if (!file) {
        return NULL;
    }
    rewind(file);
    long whole = 0;
    long at = 0;
    bool own = true; /* the line is a game's own, not one that stands before it */
    for (int c = getc(file), before = '\n'; c != EOF; before = c, c = getc(file)) {
        at++;
        own = before == '\n' ? !lines_is_before(c) : own;
        if (c == '\n' && own) {
            whole = at;
            ++*games;
        }
    }
    if (ferror(file) || (whole < at && ftruncate(fileno(file), whole) != 0) || fseek(file, 0, SEEK_END) != 0) {
        fclose(file);
        return NULL;
    }
    return file;
}

#endif
