/* The positions of tests/golden/gomoku/tactics.txt, whose outcomes are proved: one a line, "KIND MOVES STONE...". */
#ifndef SORTIE_TESTS_SUPPORT_TACTICS_H
#define SORTIE_TESTS_SUPPORT_TACTICS_H

#include <stdbool.h>
#include <stdio.h>

struct tactics {
    FILE *file;
    bool broken;     /* a line was no position */
    char kind[16];   /* of the position read last: "fours", "threats", or "none" where fours do not win */
    int moves;       /* the win takes at most so many */
    char text[2048]; /* as the game reads it */
};

bool tactics_open(struct tactics *tactics, const char *path);
/* Reads the next position; false at the end, and at a line that is none. */
bool tactics_next(struct tactics *tactics);
/* Whether everything was read. */
bool tactics_close(struct tactics *tactics);

#endif
