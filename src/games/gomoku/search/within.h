/* Wins within a number of moves: whether the attacker makes five within so many moves of its own, whatever the other
 * side does. All moves count, quiet ones too, so that a "no" is proved as well as a "yes": what a puzzle "win in 4"
 * needs, and what its one solution needs. Freestyle only, and only for few moves: each more costs a hundred times as
 * much.
 *
 * What makes it quick is that in freestyle a stone more never hurts its side. So a move that threatens nothing within
 * the moves left does nothing: it is tried with the other side passing first. And a stone matters only on a line that
 * can become five within those moves, of either side; on the others it is a pass. */
#ifndef SORTIE_GAMES_GOMOKU_SEARCH_WITHIN_H
#define SORTIE_GAMES_GOMOKU_SEARCH_WITHIN_H

#include "games/gomoku/rules/gomoku.h"

#define WITHIN_MOST 6 /* moves of the attacker that can be asked for */

enum within_answer { WITHIN_NO, WITHIN_YES, WITHIN_UNKNOWN /* the nodes did not suffice */ };

struct within;

/* NULL when there is no memory. */
struct within *within_new(void);
void within_free(struct within *within);

/* Whether the side to move wins within `moves` of its moves; *move is then one that does. The game must not be over,
 * the rule be freestyle, and the board have room for all the moves. */
enum within_answer within_wins(struct within *within, const struct gomoku_position *position, int moves, uint64_t nodes,
                               uint16_t *move);

/* Whether the other side wins within `moves` of its moves, whatever the side to move plays. */
enum within_answer within_loses(struct within *within, const struct gomoku_position *position, int moves,
                                uint64_t nodes);

/* In how few moves the side to move wins, up to `most`; 0: not within them, -1: the nodes did not suffice. */
int within_shortest(struct within *within, const struct gomoku_position *position, int most, uint64_t nodes,
                    uint16_t *move);

/* The first moves that win within `moves`, in the order of the board: writes up to `capacity`, returns how many there
 * are; -1 when the nodes (for each move) did not suffice. Stops counting behind `capacity`. */
int within_solutions(struct within *within, const struct gomoku_position *position, int moves, uint64_t nodes,
                     uint16_t *squares, int capacity);

/* The reply of a side that loses within `moves` that holds out longest; *left is how many moves the other side still
 * needs behind it. False when it does not lose so, or the nodes did not suffice. */
bool within_resist(struct within *within, const struct gomoku_position *position, int moves, uint64_t nodes,
                   uint16_t *reply, int *left);

#endif
