/* Who has the engine, and who is next: those who wait get it in the order they came. Whoever has had it for a while is
 * to give it back when somebody waits, so that a long analysis keeps nobody out. */
#ifndef SORTIE_SERVE_TURNS_H
#define SORTIE_SERVE_TURNS_H

#include <stdbool.h>

#define TURNS_SECONDS 5 /* that a turn lasts while others wait */

struct turns;

/* NULL when memory runs out. */
struct turns *turns_new(void);
void turns_free(struct turns *turns);

/* Waits for a turn; false when none has come within so many seconds. */
bool turns_take(struct turns *turns, double seconds);
void turns_give_back(struct turns *turns);

/* For who has the turn: somebody waits, and it has lasted long enough. */
bool turns_are_over(struct turns *turns);

#endif
