/* What renju forbids black, who is X: an overline, two fours or two threes at once, unless the stone makes five.
 *
 *   five      exactly five in a row
 *   four      four stones that one more makes a five
 *   straight  four in a row, open at both ends, each of which makes a five
 *   three     three stones that one more makes a straight four: a stone that is allowed there and makes no five
 *
 * So whether a three is one can depend on what is forbidden after it, and so on. */
#ifndef SORTIE_GAMES_GOMOKU_RULES_FOUL_H
#define SORTIE_GAMES_GOMOKU_RULES_FOUL_H

#include <stdint.h>

enum gomoku_foul { GOMOKU_NO_FOUL, GOMOKU_OVERLINE, GOMOKU_DOUBLE_FOUR, GOMOKU_DOUBLE_THREE };

/* What keeps X from the empty `square` of a board of size * size stones (GOMOKU_EMPTY, _X, _O). The board is as it was
 * afterwards. */
enum gomoku_foul gomoku_foul_at(uint8_t *board, int size, int square);

/* "an overline", "two fours", "two threes"; "nothing". */
const char *gomoku_foul_name(enum gomoku_foul foul);

#endif
