/* What a list of results is worth: Elo, its error, and when to stop asking.
 *
 * The unit is the pair: one start played twice, with the sides exchanged. The two games of a pair are not
 * independent (a start may favour one side), so everything here counts pairs by the points one player took
 * from them (the five counts are called pentanomial) and takes the error from the spread of the pairs. */
#ifndef SORTIE_RESULTS_RATING_H
#define SORTIE_RESULTS_RATING_H

#include <stdbool.h>

/* Pairs by the points of one player: 0, 1/2, 1, 3/2, 2 of two. */
struct rating_pairs {
    double count[5];
};

struct rating_estimate {
    double pairs;
    double score; /* mean points a game, 0 to 1 */
    double elo;   /* the difference in strength that score means; -HUGE_VAL or HUGE_VAL at 0 and 1 */
    double low;   /* 95 % interval of the Elo difference */
    double high;
    double error;       /* half its width, what is written after the plus-minus */
    double superiority; /* probability that the player is the stronger one, 0 to 1 */
};

/* The score a player is expected to make who is `elo` stronger, and back (logistic, 400 to a factor of ten). */
double rating_score(double elo);
double rating_elo(double score);

/* All zero but superiority 1/2 when there is no pair. */
void rating_estimate(const struct rating_pairs *pairs, struct rating_estimate *estimate);

/* Sequential probability ratio test of "elo1 stronger" against "elo0 stronger". */
struct rating_sprt {
    double elo0, elo1, alpha, beta;
};

enum rating_verdict { RATING_OPEN, RATING_ACCEPT_ELO0, RATING_ACCEPT_ELO1 };

/* Logarithm of the likelihood ratio: each hypothesis fixes the expected score, the rest of the distribution
 * of the pairs is the most likely one with that score. */
double rating_log_likelihood_ratio(const struct rating_pairs *pairs, double elo0, double elo1);
void rating_sprt_bounds(const struct rating_sprt *sprt, double *lower, double *upper);
enum rating_verdict rating_sprt_verdict(const struct rating_sprt *sprt, double ratio);

/* -- many players -- */

/* The results between two players, seen from the lower numbered one: whole pairs, and games whose other half
 * is missing by the points taken: 0, 1/2, 1. */
struct rating_meeting {
    struct rating_pairs pairs;
    double single[3];
};

struct rating_player {
    double elo;   /* the mean of all players is 0 */
    double error; /* 95 %, half the width */
    bool bounded; /* some player won or lost everything, so that no finite rating fits best: with half a drawn
                   * game added to every meeting, the rating is only a cautious bound */
};

/* Ratings that explain all results together (Bradley-Terry, a draw is half a win), with errors from the spread
 * of the pairs. `meetings` has players * players entries, entry [i * players + j] used for i < j. False when
 * memory is short. Players who did not play at all stay at 0. */
bool rating_table(int players, const struct rating_meeting *meetings, struct rating_player *ratings);

#endif
