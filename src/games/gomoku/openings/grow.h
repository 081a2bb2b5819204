/* How a book grows: best first. A line is left where its moves have fallen too far behind the best ones (drop-out
 * expansion): each ply costs a little, each move what it is worth less than the best one of its position, and the next
 * position to be searched is the one that the cheapest line leads to. Where the moves known so far have come down, the
 * next best one of the position is asked for. */
#ifndef SORTIE_GAMES_GOMOKU_OPENINGS_GROW_H
#define SORTIE_GAMES_GOMOKU_OPENINGS_GROW_H

#include "games/gomoku/openings/openings.h"
#include "search/limits.h"

/* What is to be searched next. */
struct openings_step {
    struct openings_position position; /* folded; without moves where it is not in the book yet */
    struct gomoku_position board;      /* the same to search */
    uint64_t
        closed[(GOMOKU_MOST_SQUARES + 63) / 64]; /* the moves that are known, with all images: not to be searched */
    bool widen;                                  /* there are such: another move is asked for */
    int cost;                                    /* of the line that leads there */
};

/* The next step of a settled book; false when every line is at its end. Positions of more than `most_stones` are not
 * looked for. */
bool openings_next(struct openings *book, int most_stones, struct openings_step *step);

/* Puts what the search of a step has found into the book and settles it. False when there is no memory. */
bool openings_learn(struct openings *book, const struct openings_step *step, const struct search_result *result);

/* Wants a position in the book: it is searched before others. *added: it was not there. False when there is no memory
 * or the position has too many stones. */
bool openings_want(struct openings *book, const struct gomoku_position *position, bool *added);

/* A position of three stones for swap2, or of `position` (three stones) and two more, drawn by chance. */
void openings_draw(struct rng *rng, const struct gomoku_position *position, int stones, struct gomoku_position *drawn);

#endif
