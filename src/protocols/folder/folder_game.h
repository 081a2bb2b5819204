/* One game of the referee's folder: Gomoku with the swap on top of it.
 *
 * Players are 0 (the referee calls it White, P1; it moves first) and 1 (P2). The position below knows only X and
 * O, X being whoever owns the first stone: player 0, or player 1 once it took the stone over. */
#ifndef SORTIE_PROTOCOLS_FOLDER_FOLDER_GAME_H
#define SORTIE_PROTOCOLS_FOLDER_FOLDER_GAME_H

#include "games/gomoku/rules/gomoku.h"
#include "protocols/folder/folder.h"

#define FOLDER_MOST_MOVES (FOLDER_SQUARES + 1) /* every square once, and the swap */

/* Who decides that a game is won. */
enum folder_rules {
    FOLDER_RIGHT_RULES, /* five or more in a row */
    FOLDER_COURSE_RULES /* what the course's public referee takes for five in a row */
};

enum folder_state { FOLDER_GOING, FOLDER_WON /* by whoever moved last */, FOLDER_TIE };

struct folder_game {
    struct gomoku_position position;    /* under the course's rules `winner` stays unset: the game may go on */
    uint8_t squares[FOLDER_MOST_MOVES]; /* in the order of the moves; move i is player i % 2's */
    int count;
    bool swapped;
    enum folder_rules rules;
    enum folder_state state;
};

void folder_game_start(struct folder_game *game, enum folder_rules rules);

/* The player to move. */
static inline int folder_game_turn(const struct folder_game *game) {
    return game->count % 2;
}

/* The player whose stones are X in the position. */
static inline int folder_game_first(const struct folder_game *game) {
    return game->swapped ? 1 : 0;
}

/* True when the second move of the game would take over the first stone. */
static inline bool folder_game_is_swap(const struct folder_game *game, int square) {
    return game->count == 1 && square == game->squares[0];
}

/* Whether the player to move may play there; any number is a square to ask about. */
bool folder_game_legal(const struct folder_game *game, int square);

/* Plays a legal move and says where the game stands. */
enum folder_state folder_game_play(struct folder_game *game, int square);

#endif
