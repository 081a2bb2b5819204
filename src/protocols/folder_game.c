#include "protocols/folder_game.h"

#include <string.h>

#include "protocols/folder_lines.h"

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
        won = !full && folder_course_sees_five(position);
        position->winner = GOMOKU_NO_WINNER;
    }
    game->state = won ? FOLDER_WON : full ? FOLDER_TIE : FOLDER_GOING;
    return game->state;
}

bool folder_course_sees_five(const struct gomoku_position *position) {
    for (int square = 0; square < FOLDER_SQUARES; square++) {
        uint8_t stone = position->board[square];
        uint8_t line[5];
        for (int direction = 0; stone != GOMOKU_EMPTY && direction < 4; direction++) {
            if (!folder_line_seen(square % FOLDER_SIZE, square / FOLDER_SIZE, direction, line)) {
                continue;
            }
            bool same = true;
            for (int i = 1; i < 5; i++) {
                same = same && position->board[line[i]] == stone;
            }
            if (same) {
                return true;
            }
        }
    }
    return false;
}
