#include "results/rating.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELO_SCALE (400.0 / 2.302585092994046) /* Elo to a unit of the natural logarithm */
#define NORMAL_95 1.959963984540054           /* 95 % of a normal distribution lie within this many deviations */

double rating_score(double elo) {
    return 1.0 / (1.0 + exp(-elo / ELO_SCALE));
}

double rating_elo(double score) {
    if (score <= 0.0) {
        return -HUGE_VAL;
    }
    if (score >= 1.0) {
        return HUGE_VAL;
    }
    return -ELO_SCALE * log(1.0 / score - 1.0);
}

static double normal_below(double x) {
    return 0.5 * erfc(-x / sqrt(2.0));
}

void rating_estimate(const struct rating_pairs *pairs, struct rating_estimate *estimate) {
    *estimate = (struct rating_estimate){.superiority = 0.5};
    double count = 0.0;
    double sum = 0.0;
    for (int i = 0; i < 5; i++) {
        count += pairs->count[i];
        sum += pairs->count[i] * i / 4.0;
    }
    if (count <= 0.0) {
        return;
    }
    double score = sum / count;
    double variance = 0.0;
    for (int i = 0; i < 5; i++) {
        variance += pairs->count[i] / count * (i / 4.0 - score) * (i / 4.0 - score);
    }
    double deviation = sqrt(variance / count);
    estimate->pairs = count;
    estimate->score = score;
    estimate->elo = rating_elo(score);
    estimate->low = rating_elo(score - NORMAL_95 * deviation);
    estimate->high = rating_elo(score + NORMAL_95 * deviation);
    estimate->error = (estimate->high - estimate->low) / 2.0;
    if (deviation > 0.0) {
        estimate->superiority = normal_below((score - 0.5) / deviation);
    } else {
        estimate->superiority = score > 0.5 ? 1.0 : score < 0.5 ? 0.0 : 0.5;
    }
}

/* The most likely distribution of the pairs with mean `score` given the observed shares: every share divided
 * by 1 + x (value - score), with the x that makes the mean right. The condition on x falls strictly between
 * the two poles, so halving the interval finds it. */
static void constrained_shares(const double shares[5], double score, double out[5]) {
    double low = -1.0 / (1.0 - score);
    double high = 1.0 / score;
    for (int step = 0; step < 200; step++) {
        double x = 0.5 * (low + high);
        double slope = 0.0;
        for (int i = 0; i < 5; i++) {
            double away = i / 4.0 - score;
            slope += shares[i] * away / (1.0 + x * away);
        }
        if (slope > 0.0) {
            low = x;
        } else {
            high = x;
        }
    }
    for (int i = 0; i < 5; i++) {
        out[i] = shares[i] / (1.0 + 0.5 * (low + high) * (i / 4.0 - score));
    }
}

double rating_log_likelihood_ratio(const struct rating_pairs *pairs, double elo0, double elo1) {
    /* An outcome never seen gets a thousandth of a pair, so that few pairs of one kind prove little and the
     * division above is defined. */
    double counts[5];
    double total = 0.0;
    double seen = 0.0;
    for (int i = 0; i < 5; i++) {
        counts[i] = pairs->count[i] > 0.0 ? pairs->count[i] : 1e-3;
        total += counts[i];
        seen += pairs->count[i];
    }
    if (seen <= 0.0) {
        return 0.0;
    }
    double shares[5];
    double shares0[5];
    double shares1[5];
    for (int i = 0; i < 5; i++) {
        shares[i] = counts[i] / total;
    }
    constrained_shares(shares, rating_score(elo0), shares0);
    constrained_shares(shares, rating_score(elo1), shares1);
    double ratio = 0.0;
    for (int i = 0; i < 5; i++) {
        ratio += counts[i] * log(shares1[i] / shares0[i]);
    }
    return ratio;
}

void rating_sprt_bounds(const struct rating_sprt *sprt, double *lower, double *upper) {
    *lower = log(sprt->beta / (1.0 - sprt->alpha));
    *upper = log((1.0 - sprt->beta) / sprt->alpha);
}

enum rating_verdict rating_sprt_verdict(const struct rating_sprt *sprt, double ratio) {
    double lower;
    double upper;
    rating_sprt_bounds(sprt, &lower, &upper);
    return ratio >= upper ? RATING_ACCEPT_ELO1 : ratio <= lower ? RATING_ACCEPT_ELO0 : RATING_OPEN;
}

/* -- many players -- */

struct table {
    int players;
    double *games;    /* [i * players + j], i < j: games between them */
    double *points;   /* taken by i */
    double *strength; /* in natural logarithms */
    double *gradient;
    double *matrix; /* of the second derivatives, inverted in place */
    double *spread; /* sum over the pairs of the squared distance of points and expectation */
    double *work;
};

static double expected(const struct table *t, int i, int j) {
    return 1.0 / (1.0 + exp(t->strength[j] - t->strength[i]));
}

/* Gauss-Jordan with pivots on the diagonal, enough for a positive definite matrix; false when it is singular. */
static bool invert(double *matrix, int n) {
    for (int k = 0; k < n; k++) {
        double pivot = matrix[k * n + k];
        if (!(fabs(pivot) > 1e-12)) {
            return false;
        }
        for (int j = 0; j < n; j++) {
            if (j != k) {
                matrix[k * n + j] /= pivot;
            }
        }
        for (int i = 0; i < n; i++) {
            if (i == k) {
                continue;
            }
            double factor = matrix[i * n + k];
            for (int j = 0; j < n; j++) {
                if (j != k) {
                    matrix[i * n + j] -= factor * matrix[k * n + j];
                }
            }
            matrix[i * n + k] = -factor / pivot;
        }
        matrix[k * n + k] = 1.0 / pivot;
    }
    return true;
}

/* Minus the second derivatives of the likelihood, plus the square of the sum of all strengths, which the
 * results leave open: that fixes the mean at 0 and makes the matrix invertible. */
static void fill_matrix(struct table *t) {
    int n = t->players;
    for (int i = 0; i < n * n; i++) {
        t->matrix[i] = 1.0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            double p = expected(t, i, j);
            double weight = t->games[i * n + j] * p * (1.0 - p);
            t->matrix[i * n + i] += weight;
            t->matrix[j * n + j] += weight;
            t->matrix[i * n + j] -= weight;
            t->matrix[j * n + i] -= weight;
        }
    }
}

/* A finite best rating exists exactly when nobody can be set apart: from every player one reaches every other
 * by steps "took at least half a point from". */
static bool everyone_beatable(const struct table *t) {
    int n = t->players;
    memset(t->work, 0, (size_t)n * (size_t)n * sizeof *t->work);
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            t->work[i * n + j] = t->points[i * n + j] > 0.0;
            t->work[j * n + i] = t->games[i * n + j] - t->points[i * n + j] > 0.0;
        }
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (t->work[i * n + k] > 0.0 && t->work[k * n + j] > 0.0) {
                    t->work[i * n + j] = 1.0;
                }
            }
        }
    }
    for (int i = 0; i < n * n; i++) {
        if (i / n != i % n && !(t->work[i] > 0.0)) {
            return false;
        }
    }
    return true;
}

/* Newton's method with halved steps where a whole one would go too far; the likelihood is concave. */
static bool maximise(struct table *t) {
    int n = t->players;
    for (int step = 0; step < 200; step++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            t->gradient[i] = 0.0;
            sum += t->strength[i];
        }
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                double more = t->points[i * n + j] - t->games[i * n + j] * expected(t, i, j);
                t->gradient[i] += more;
                t->gradient[j] -= more;
            }
            t->gradient[i] -= sum;
        }
        fill_matrix(t);
        if (!invert(t->matrix, n)) {
            return false;
        }
        double largest = 0.0;
        for (int i = 0; i < n; i++) {
            t->work[i] = 0.0;
            for (int j = 0; j < n; j++) {
                t->work[i] += t->matrix[i * n + j] * t->gradient[j];
            }
            largest = fmax(largest, fabs(t->work[i]));
        }
        double scale = largest > 1.0 ? 1.0 / largest : 1.0;
        for (int i = 0; i < n; i++) {
            t->strength[i] += scale * t->work[i];
        }
        if (largest < 1e-12) {
            break;
        }
    }
    return true;
}

/* The covariance is inverse * (sum over the pairs of their squared scores) * inverse: it stays right when the
 * two games of a pair depend on each other. */
static void errors(struct table *t, const struct rating_meeting *meetings, struct rating_player *ratings) {
    int n = t->players;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            const struct rating_meeting *meeting = &meetings[i * n + j];
            double p = expected(t, i, j);
            double spread = 0.0;
            for (int k = 0; k < 5; k++) {
                spread += meeting->pairs.count[k] * (k / 2.0 - 2.0 * p) * (k / 2.0 - 2.0 * p);
            }
            for (int k = 0; k < 3; k++) {
                spread += meeting->single[k] * (k / 2.0 - p) * (k / 2.0 - p);
            }
            t->spread[i * n + j] = spread;
        }
    }
    fill_matrix(t);
    if (!invert(t->matrix, n)) {
        return;
    }
    for (int player = 0; player < n; player++) {
        double variance = 0.0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                double pull = t->matrix[player * n + i] - t->matrix[player * n + j];
                variance += t->spread[i * n + j] * pull * pull;
            }
        }
        ratings[player].error = NORMAL_95 * ELO_SCALE * sqrt(variance);
    }
}

bool rating_table(int players, const struct rating_meeting *meetings, struct rating_player *ratings) {
    size_t n = (size_t)players;
    struct table t = {.players = players};
    double *memory = calloc(5 * n * n + 2 * n, sizeof *memory);
    if (!memory) {
        return false;
    }
    t.games = memory;
    t.points = t.games + n * n;
    t.matrix = t.points + n * n;
    t.spread = t.matrix + n * n;
    t.work = t.spread + n * n;
    t.strength = t.work + n * n;
    t.gradient = t.strength + n;
    for (int i = 0; i < players; i++) {
        ratings[i] = (struct rating_player){0};
        for (int j = i + 1; j < players; j++) {
            const struct rating_meeting *meeting = &meetings[i * players + j];
            for (int k = 0; k < 5; k++) {
                t.games[i * players + j] += 2.0 * meeting->pairs.count[k];
                t.points[i * players + j] += meeting->pairs.count[k] * k / 2.0;
            }
            for (int k = 0; k < 3; k++) {
                t.games[i * players + j] += meeting->single[k];
                t.points[i * players + j] += meeting->single[k] * k / 2.0;
            }
        }
    }
    bool bounded = players > 1 && !everyone_beatable(&t);
    for (int i = 0; i < players * players && bounded; i++) {
        if (t.games[i] > 0.0) {
            t.games[i] += 0.5;
            t.points[i] += 0.25;
        }
    }
    if (maximise(&t)) {
        errors(&t, meetings, ratings);
        for (int i = 0; i < players; i++) {
            ratings[i].elo = ELO_SCALE * t.strength[i];
            ratings[i].bounded = bounded;
        }
    }
    free(memory);
    return true;
}
