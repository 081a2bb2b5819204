/* Renju's forbidden moves a second time, by windows of squares instead of lines from the stone, as plainly as they can
 * be written. Shares no code with the game. */
#ifndef TESTS_SUPPORT_PLAIN_FOUL_H
#define TESTS_SUPPORT_PLAIN_FOUL_H

enum plain_foul { PLAIN_NO_FOUL, PLAIN_OVERLINE, PLAIN_DOUBLE_FOUR, PLAIN_DOUBLE_THREE };

/* What keeps the first side (1) from the empty square; the board has size * size characters 0, 1 and 2. */
enum plain_foul plain_foul_at(char *board, int size, int row, int column);

#endif
