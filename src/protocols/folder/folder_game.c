#include "protocols/folder/folder_game.h"

#include <string.h>

#include "base/assert.h"
#include "games/gomoku/referee/course_rows.h"

void folder_game_start(struct folder_game *game, enum folder_rules rules) {
    memset(game, 0, sizeof *game);
    game->rules = rules;
    gomoku_clear(&game->position, FOLDER_SIZE, GOMOKU_FREESTYLE);
}

bool folder_game_legal(const struct folder_game *game, int square) {
    if (game->state != FOLDER_GOING || square < 0 || square >= FOLDER_SQUARES) {
        return false;
    }
    return game->position.board[square] == GOMOKU_EMPTY || folder_game_is_swap(game, square);
}

enum folder_state folder_game_play(struct folder_game *game, int square) {
    ASSERT(folder_game_legal(game, square));
    ASSERT(game->state == FOLDER_GOING);
    ASSERT(game->count < FOLDER_MOST_MOVES);
    struct gomoku_position *position = &game->position;
    if (folder_game_is_swap(game, square)) {
        game->swapped = true;
    } else {
        gomoku_put(position, square);
    }
    game->squares[game->count++] = (uint8_t)square;
    bool won = position->winner != GOMOKU_NO_WINNER;
    bool full = position->count == FOLDER_SQUARES;
    if (game->rules == FOLDER_COURSE_RULES) {
        /* It asks for a full board last, and that overrules a win. */
        won = !full && gomoku_course_sees_five(position);
        position->winner = GOMOKU_NO_WINNER;
    }
    game->state = won ? FOLDER_WON : full ? FOLDER_TIE : FOLDER_GOING;
    return game->state;
}
