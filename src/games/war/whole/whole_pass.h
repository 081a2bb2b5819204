/* One pass over all positions of a board, on the threads of this machine. */
#ifndef SORTIE_GAMES_WAR_WHOLE_WHOLE_PASS_H
#define SORTIE_GAMES_WAR_WHOLE_WHOLE_PASS_H

#include <stdatomic.h>

#include "games/war/whole/whole.h"

/* Which positions the target is reached in: the root and those after each of its moves. */
struct whole_answers {
    bool root;
    uint32_t moves[2]; /* bit i: after taking square i; [1] by a Raid where there is one, [0] with nothing flipped */
};

/* Who looks on during a pass: may stop it, and is told by the calling thread how far it is. */
struct whole_watch {
    const atomic_bool *stop;                       /* may be NULL */
    void (*tick)(void *user, uint64_t words_made); /* may be NULL; of all layers but the last, in 64-bit words */
    void *user;
};

static inline bool whole_stopped(const struct whole_watch *watch) {
    return watch->stop && atomic_load_explicit(watch->stop, memory_order_relaxed);
}

struct whole_pass;

/* Takes memory for two neighbouring layers, or with `keep` for all of them. NULL when there is not enough. */
struct whole_pass *whole_pass_new(const struct whole_layout *layout, int threads, bool keep,
                                  const struct whole_kernel *kernel);
void whole_pass_free(struct whole_pass *pass);

/* False when it was stopped. */
bool whole_pass_run(struct whole_pass *pass, int32_t target, const struct whole_watch *watch,
                    struct whole_answers *answers);

/* Bytes a second that the memory of the two layers is copied with by all threads, reading and writing counted. */
double whole_pass_bandwidth(struct whole_pass *pass);

/* After a kept pass: whether the target is reached in a position of the layer of k. */
bool whole_pass_look(const struct whole_pass *pass, int k, uint32_t set, uint32_t holds_x);

/* Reads the answers out of the first two layers. */
void whole_read_answers(const struct whole_layout *layout, const uint64_t *first, const uint64_t *second,
                        struct whole_answers *answers);

/* What X holds after a move from a position with the squares `set` taken; flips only with `raid`. */
uint32_t whole_play(const struct whole_board *board, uint32_t set, uint32_t holds_x, int square, int side, bool raid);

#endif
