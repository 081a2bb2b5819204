/* An engine for sortie's line protocol (docs/protocol.md): it plays Gomoku where most stones of a row of five are.
 *
 *     cc -O2 -o rows engine.c && sortie match lines:./rows random --game gomoku --time-per-move 1 --games 4 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 22 };
static char board[MOST][MOST + 1]; /* 'X', 'O' or '.' */
static int size, stones;           /* X is to move when the number of stones is even */

/* Behind "position": "start gomoku size 15 moves H8" or "text gomoku freestyle 15/H8 I7 moves J6". */
static void set_position(char *words) {
    int row = 0, column, number;
    size = 15, stones = 0;
    memset(board, '.', sizeof board);
    for (char *word = strtok(words, " /"); word; word = strtok(NULL, " /")) {
        column = word[0] - 'A', number = atoi(word + 1);
        if (atoi(word) >= 5 && atoi(word) <= MOST) {
            size = atoi(word);
        } else if (column >= 0 && column < size && number >= 1 && number <= size) { /* a move */
            board[number - 1][column] = stones++ % 2 ? 'O' : 'X';
        } else if (row < size && strspn(word, "XO.") == (size_t)size) { /* a row of a drawn board */
            for (column = 0; column < size; column++) {
                stones += (board[row][column] = word[column]) != '.';
            }
            row++;
        }
    }
}

/* What five squares in a row are worth: nothing when both sides have stones there, else more with every stone. */
static long worth(int row, int column, int down, int right) {
    int counts[2] = {0, 0};
    for (int i = 0; i < 5; i++, row += down, column += right) {
        if (row < 0 || row >= size || column < 0 || column >= size) {
            return 0;
        }
        counts[0] += board[row][column] == "XO"[stones % 2];
        counts[1] += board[row][column] == "OX"[stones % 2];
    }
    static const long values[6] = {1, 10, 200, 4000, 100000, 0};
    return counts[0] && counts[1] ? 0 : counts[1] ? values[counts[1]] : 2 * values[counts[0]];
}

static void go(void) {
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    long most = 0;
    int best = -1;
    for (int square = 0; square < size * size; square++) {
        int row = square / size, column = square % size;
        long value = 1;
        for (int i = 0; i < 20; i++) { /* every row of five through the square */
            int down = steps[i / 5][0], right = steps[i / 5][1];
            value += worth(row - i % 5 * down, column - i % 5 * right, down, right);
        }
        if (board[row][column] == '.' && value > most) {
            most = value, best = square;
        }
    }
    if (best < 0) {
        puts("bestmove none");
    } else {
        printf("info depth 1 score value %ld\nbestmove %c%d\n", most, 'A' + best % size, best / size + 1);
    }
}

int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4) != 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strcmp(line, "sortie") == 0) {
            puts("id name rows\nid author a reader of docs/protocol.md\ngame gomoku\nsortieok");
        } else if (strcmp(line, "isready") == 0) {
            puts("readyok");
        } else if (strncmp(line, "position ", 9) == 0) {
            set_position(line + 9);
        } else if (strncmp(line, "go", 2) == 0) {
            go();
        }
        fflush(stdout); /* a manager waits for every line */
    }
    return 0;
}
