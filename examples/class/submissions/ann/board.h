#ifndef BOARD_H
#define BOARD_H

#define MOST 26

struct board {
    int size;
    int values[MOST][MOST];
    char squares[MOST][MOST + 1];
};

/* Whether somebody may raid an empty square: a piece of his lies beside it. */
int board_can_raid(const struct board *board, int row, int column, char who);
/* Takes a square; a raid conquers the enemies beside it. */
void board_take(struct board *board, int row, int column, char who, int raid);
/* The squares of one side minus those of the other. */
int board_score(const struct board *board, char who);

#endif
