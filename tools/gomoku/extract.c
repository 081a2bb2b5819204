/* Turns games of gomoku-selfplay (standard input) into training records (standard output), one a position that
 * was searched and not proved: 225 squares of four bytes, the kinds in each direction with the side to move's in
 * the low half (255 on taken squares); then, as 16-bit numbers, the square played, the search's value, the result
 * for the side to move (1, 0, -1), 1 when the search never evaluates the position (a five or an open four decides it),
 * and the squares of the last two moves (-1: none). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/gomoku/gomoku_board.h"

struct record {
    uint8_t kinds[225][4];
    int16_t move;
    int16_t value;
    int16_t result;
    int16_t forced;
    int16_t last[2];
};

int main(void) {
    static struct gboard board;
    static struct gomoku_position position;
    static struct record record;
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        int outcome, size, opening, used;
        if (sscanf(line, "%d %d %d%n", &outcome, &size, &opening, &used) != 3 || size != 15) {
            continue;
        }
        char *at = line + used;
        int16_t last[2] = {-1, -1};
        gomoku_clear(&position, size, GOMOKU_FREESTYLE);
        for (int i = 0; *at == ' '; i++) {
            int square = (int)strtol(at, &at, 10);
            int value = *at == ':' ? (int)strtol(at + 1, &at, 10) : 0;
            if (i >= opening && value < GAME_WIN_VALUE - 1000 && value > 1000 - GAME_WIN_VALUE) {
                gboard_load(&board, &position, NULL);
                memset(&record, 0xff, sizeof record);
                for (int s = 0; s < 225; s++) {
                    for (int d = 0; d < 4 && position.board[s] == GOMOKU_EMPTY; d++) {
                        uint8_t kinds = board.cells[s].kinds[d];
                        record.kinds[s][d] = (uint8_t)(board.side == 0 ? kinds : kinds << 4 | kinds >> 4);
                    }
                }
                record.move = (int16_t)square;
                record.value = (int16_t)value;
                record.result = (int16_t)(board.side == 0 ? outcome : -outcome);
                record.forced = !gboard_set_empty(&board, 1 - board.side, SET_FIVE) ||
                                !gboard_set_empty(&board, board.side, SET_FIVE) ||
                                !gboard_set_empty(&board, board.side, SET_OPEN_FOUR);
                memcpy(record.last, last, sizeof last);
                fwrite(&record, sizeof record, 1, stdout);
            }
            gomoku_put(&position, square);
            last[1] = last[0];
            last[0] = (int16_t)square;
        }
    }
    free(line);
    return 0;
}
