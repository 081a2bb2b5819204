/* What is kept of one game. */
#ifndef SORTIE_RESULTS_RECORD_H
#define SORTIE_RESULTS_RECORD_H

#include "results/plan.h"

struct record {
    int64_t index;
    int players[2];
    int start;
    int points; /* of the first side, in halves: 2 won, 1 drawn, 0 lost */
    enum player_fault fault;
    int loser;     /* the side whose fault ended the game; -1 when the rules did */
    int32_t score; /* by the rules, from the first side's view; 0 when a fault ended it */
    int plies;
    double wall_seconds[2];
    double cpu_seconds[2];
    double slowest[2];     /* the longest move by the wall clock */
    struct text position;  /* the start, in sortie's own text */
    struct text moves;     /* separated by ';'; a stone that was taken over stands there twice, as move 1 and 2 */
    struct text times;     /* wall milliseconds of each move, separated by ';' */
    struct text detail;    /* of the fault */
    struct text errors[2]; /* what the players wrote on standard error */
};

void record_free(struct record *record);

/* Whether the first stone was taken over; the record must have its moves. */
bool record_swapped(const struct record *record, const struct plan *plan);

/* Whether a record can be of this plan's: its players and start are those of its number, points and faults go together,
 * and (`whole`) there are as many moves and times as plies. Moves are judged when they are played through. */
enum status record_check(const struct record *record, const struct plan *plan, bool whole, struct error *error);

/* For the way between processes. */
void record_pack(const struct record *record, struct text *out);
/* False when the bytes are not a record; then there is nothing to free. What it says is only of the right kind: whether
 * it can be true record_check tells. */
bool record_unpack(struct record *record, const char *bytes, size_t length);

#endif
