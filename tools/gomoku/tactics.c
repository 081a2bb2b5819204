/* Makes the file of tactical positions the tests check: reads games of gomoku-selfplay and writes positions of them
 * with what an exhaustive search for forced wins says. One line each:
 *
 *   fours MOVES SQUARE...     the side to move wins by fours alone, in so many moves (the shortest line found)
 *   threats MOVES SQUARE...   not by fours, but by fours and open threes
 *   none 0 SQUARE...          not by fours, and that is proved; there is at least one four to try
 *
 * usage: gomoku-tactics COUNT-OF-EACH < GAMES */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/gomoku/rules/gomoku.h"

int main(int argc, char **argv) {
    int wanted = argc > 1 ? atoi(argv[1]) : 110;
    int count[3] = {0};
    static const char *const names[3] = {"fours", "threats", "none"};
    static struct gomoku_position position;
    static struct gomoku_forced forced;
    atomic_bool stop = false;
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0 && (count[0] < wanted || count[1] < wanted || count[2] < wanted)) {
        int outcome, size, opening, used;
        if (sscanf(line, "%d %d %d%n", &outcome, &size, &opening, &used) != 3) {
            continue;
        }
        char *at = line + used;
        gomoku_clear(&position, size, GOMOKU_FREESTYLE);
        struct gomoku_position before = position;
        while (*at == ' ' && position.winner == GOMOKU_NO_WINNER) {
            int square = (int)strtol(at, &at, 10);
            if (*at == ':') {
                strtol(at + 1, &at, 10);
            }
            before = position;
            gomoku_put(&position, square);
        }
        for (int back = 0; back < 12 && before.count > 8; back++) {
            int kind = -1;
            gomoku_find_forced(&before, true, 60000, &stop, &forced, NULL);
            if (forced.answer == GOMOKU_FORCED_WIN && forced.plies > 3) {
                kind = forced.by_fours ? 0 : 1;
            } else if (forced.answer != GOMOKU_FORCED_WIN) {
                gomoku_find_forced(&before, false, 1000000, &stop, &forced, NULL);
                kind = forced.answer == GOMOKU_FORCED_NONE && forced.nodes > 40 ? 2 : -1;
            }
            if (kind >= 0 && count[kind] < wanted && (kind == 2 || forced.plies <= 31)) {
                printf("%s %d", names[kind], (forced.plies + 1) / 2);
                for (int i = 0; i < before.count; i++) {
                    char square[8];
                    gomoku_square_text(before.size, before.order[i], square);
                    printf(" %s", square);
                }
                printf("\n");
                fflush(stdout);
                count[kind]++;
                break;
            }
            struct game_undo undo = {.words = {GOMOKU_NO_WINNER}};
            gomoku_game.undo((struct game_position *)&before, &undo);
        }
    }
    free(line);
    fprintf(stderr, "%d fours, %d threats, %d none\n", count[0], count[1], count[2]);
    return 0;
}
