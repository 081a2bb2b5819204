/* One pass over all positions of a board, on the threads of this machine. */
#ifndef SORTIE_GAMES_WAR_WHOLE_PASS_H
#define SORTIE_GAMES_WAR_WHOLE_PASS_H

#include <stdatomic.h>

#include "games/war/whole.h"

/* Which positions the target is reached in: the root and those after each of its moves. */
struct whole_answers {
    bool root;
    uint32_t moves[2]; /* bit i: after taking square i; [1] by a Raid where there is one, [0] with nothing flipped */
};

struct whole_pass;

/* Takes memory for two neighbouring layers, or with `keep` for all of them. NULL when there is not enough. */
struct whole_pass *whole_pass_new(const struct whole_layout *layout, int threads, bool keep,
                                  const struct whole_kernel *kernel);
void whole_pass_free(struct whole_pass *pass);

/* False when it was stopped. `done` (may be NULL) counts the positions made so far. */
bool whole_pass_run(struct whole_pass *pass, int32_t target, const atomic_bool *stop, _Atomic uint64_t *done,
                    struct whole_answers *answers);

/* After a kept pass: whether the target is reached in a position of the layer of k. */
bool whole_pass_look(const struct whole_pass *pass, int k, uint32_t set, uint32_t holds_x);

/* Reads the answers out of the first two layers. */
void whole_read_answers(const struct whole_layout *layout, const uint64_t *first, const uint64_t *second,
                        struct whole_answers *answers);

/* What X holds after a move from a position with the squares `set` taken; flips only with `raid`. */
uint32_t whole_play(const struct whole_board *board, uint32_t set, uint32_t holds_x, int square, int side, bool raid);

#endif
