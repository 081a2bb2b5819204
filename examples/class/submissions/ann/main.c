#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "board.h"

struct move {
    int row, column, raid;
};

static int search(const struct board *board, char me, char to_move, int depth, struct move *best) {
    int best_value = 0;
    int found = 0;
    for (int raid = 0; raid < 2 && depth > 0; raid++) {
        for (int row = 0; row < board->size; row++) {
            for (int column = 0; column < board->size; column++) {
                struct board next = *board;
                struct move ignored;
                if (board->squares[row][column] != '.' || (raid && !board_can_raid(board, row, column, to_move))) {
                    continue;
                }
                board_take(&next, row, column, to_move, raid);
                int value = search(&next, me, to_move == 'X' ? 'O' : 'X', depth - 1, &ignored);
                if (!found || (to_move == me ? value > best_value : value < best_value)) {
                    best_value = value;
                    *best = (struct move){row, column, raid};
                }
                found = 1;
            }
        }
    }
    return found ? best_value : board_score(board, me);
}

int main(void) {
    struct board board = {0};
    char mode[16], me;
    double depth; /* or the seconds left */
    FILE *in = fopen("input.txt", "r");
    if (!in || fscanf(in, "%d %15s %c %lf", &board.size, mode, &me, &depth) != 4 || board.size > MOST) {
        return 1;
    }
    for (int i = 0; i < board.size * board.size; i++) {
        if (fscanf(in, "%d", &board.values[i / board.size][i % board.size]) != 1) {
            return 1;
        }
    }
    for (int row = 0; row < board.size; row++) {
        if (fscanf(in, "%26s", board.squares[row]) != 1) {
            return 1;
        }
    }
    fclose(in);
    struct move best;
    search(&board, me, me, strcmp(mode, "COMPETITION") == 0 ? 2 : (int)depth, &best);
    board_take(&board, best.row, best.column, me, best.raid);
    FILE *out = fopen("output.txt", "w");
    fprintf(out, "%c%d %s\n", 'A' + best.column, best.row + 1, best.raid ? "Raid" : "Stake");
    for (int row = 0; row < board.size; row++) {
        fprintf(out, "%s\n", board.squares[row]);
    }
    return fclose(out) != 0;
}
