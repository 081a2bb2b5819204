/* The rules of every game a second time, as plainly as they can be written and sharing no code with the games: a move
 * makes a new board, and everything is found out by looking at all squares. It counts lines of play, to be compared
 * with the games' own counts. */
#ifndef TESTS_SUPPORT_PLAIN_RULES_H
#define TESTS_SUPPORT_PLAIN_RULES_H

#include <stdint.h>

/* Lines of play of exactly `depth` plies, or shorter where the game ends, from a position in sortie's own text (of
 * Gomoku and Connect Four only those given by moves). */
uint64_t plain_perft(const char *position, int depth);

#endif
