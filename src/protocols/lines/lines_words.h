/* Moves and positions as words of a line. A move is one word: the blanks of the game's notation are underscores. A
 * position is the game's text with slashes in the place of its line ends. */
#ifndef SORTIE_PROTOCOLS_LINES_LINES_WORDS_H
#define SORTIE_PROTOCOLS_LINES_LINES_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* No line is longer; one that is gets cut there. */
#define LINES_MOST_LINE ((size_t)1 << 20)

/* "B3 Raid" as " B3_Raid", with the blank before it. */
void lines_add_move(struct text *text, const char *move);
/* The other way: a word in the game's notation. False when it is too long for a move or has a zero in it. */
bool lines_read_move(const char *word, size_t length, char move[32]);

/* The text of a position without its last line end. */
void lines_add_position(struct text *text, const char *position);
/* The other way. */
void lines_read_position(const char *bytes, size_t length, struct text *text);

/* Whether a word of a line is this one. */
bool lines_is(const char *word, size_t length, const char *name);

#endif
