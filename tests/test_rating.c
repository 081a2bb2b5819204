/* Elo, error, LOS, SPRT and the many-player ratings against published figures and against computations that
 * share no code with them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "results/rating.h"

static void close_to(double found, double wanted, double within) {
    if (!(fabs(found - wanted) <= within)) {
        fail_msg("found %.6f, wanted %.6f within %g", found, wanted, within);
    }
}

static struct rating_pairs pairs_of(const double counts[5]) {
    struct rating_pairs pairs;
    memcpy(pairs.count, counts, sizeof pairs.count);
    return pairs;
}

/* Match results with Elo, error and LOS as other people's match runners published them. */
static void published_elo(void **state) {
    (void)state;
    static const struct {
        double counts[5];
        double elo, error, superiority, within;
    } published[] = {
        {{1, 10, 78, 48, 13}, 72.85, 22.33, 1.0, 0.005},         /* 300 games, Stockfish small networks */
        {{352, 579, 1264, 743, 464}, 19.83, 6.77, 1.0, 0.005},   /* 6804 games, Zeno */
        {{0, 0, 1, 8, 1}, 190.85, 65.54, 1.0, 0.005},            /* 20 games */
        {{2410, 367, 5075, 327, 2605}, 5.6, 4.5, 0.9925, 0.051}, /* 21568 games of Othello, Tensor */
        {{0, 1, 0, 1, 0}, 0.0, 296.58, 0.5, 0.005},              /* 4 games */
        {{75, 64, 63, 54, 34}, -55.58, 27.65, 0.0, 0.25},        /* a test case of fastchess, seen from behind */
    };
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        struct rating_pairs pairs = pairs_of(published[i].counts);
        struct rating_estimate estimate;
        rating_estimate(&pairs, &estimate);
        close_to(estimate.elo, published[i].elo, published[i].within);
        close_to(estimate.error, published[i].error, published[i].within);
        close_to(estimate.superiority, published[i].superiority, 0.001);
    }
}

/* LLR of tests of Stockfish in 2020 (logistic bounds), as printed in its commit messages, and two of
 * fastchess's test cases. */
static void published_sprt(void **state) {
    (void)state;
    static const struct {
        double counts[5];
        double elo0, elo1, ratio;
    } published[] = {
        {{2529, 16660, 31735, 16831, 2677}, -0.25, 1.25, 2.96},
        {{523, 6176, 19983, 6579, 523}, 0.25, 1.25, 2.95},
        {{230, 4738, 21769, 4745, 242}, -1.25, 0.25, 2.95},
        {{33, 2186, 28230, 2192, 43}, -0.75, 0.25, 2.93},
        {{681, 14097, 68652, 14040, 626}, -1.25, 0.25, 2.93},
        {{13, 904, 12158, 948, 17}, -0.75, 0.25, 2.96},
        {{147, 3086, 14341, 3264, 150}, -0.25, 1.25, 2.97},
        {{14, 749, 10319, 869, 17}, 0.25, 1.25, 2.94},
        {{323, 6871, 33045, 7044, 365}, -0.25, 1.25, 2.96},
        {{11, 946, 12568, 1060, 23}, 0.25, 1.25, 2.95},
        {{5, 418, 6043, 506, 12}, 0.25, 1.25, 2.92},
        {{2101, 14139, 28236, 14517, 2127}, -0.25, 1.25, 2.94},
        {{223, 9863, 21279, 10037, 246}, 0.5, 2.5, -3.07},
        {{871, 26175, 55983, 26678, 821}, 0.0, 2.0, -4.98},
    };
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        struct rating_pairs pairs = pairs_of(published[i].counts);
        close_to(rating_log_likelihood_ratio(&pairs, published[i].elo0, published[i].elo1), published[i].ratio, 0.0051);
    }
    struct rating_sprt sprt = {0, 5, 0.05, 0.05};
    double lower;
    double upper;
    rating_sprt_bounds(&sprt, &lower, &upper);
    close_to(lower, -2.944439, 1e-6); /* the bounds everybody prints as (-2.94, 2.94) */
    close_to(upper, 2.944439, 1e-6);
    assert_int_equal(rating_sprt_verdict(&sprt, 2.95), RATING_ACCEPT_ELO1);
    assert_int_equal(rating_sprt_verdict(&sprt, -2.95), RATING_ACCEPT_ELO0);
    assert_int_equal(rating_sprt_verdict(&sprt, 2.9), RATING_OPEN);
}

/* The greatest likelihood of the counts over all distributions with a given mean, by brute force: random small
 * moves of probability that keep sum and mean, taken when they help. */
static double best_likelihood(const double counts[5], double mean) {
    double p[5];
    /* A start with the right mean and nothing at zero: part even, the rest at the two ends. */
    for (int i = 0; i < 5; i++) {
        p[i] = 0.02;
    }
    double ends = 0.9;
    double upper = (mean - 0.02 * 2.5) / ends;
    p[0] += ends * (1.0 - upper);
    p[4] += ends * upper;
    struct rng rng = {7};
    for (double size = 0.1; size > 1e-9; size *= 0.9) {
        for (int turn = 0; turn < 400; turn++) {
            /* Values i, j, k: moving a and b into i and k out of j keeps sum and mean. */
            int i = (int)rng_below(&rng, 5);
            int j = (int)rng_below(&rng, 5);
            int k = (int)rng_below(&rng, 5);
            if (i >= j || j >= k) {
                continue;
            }
            double amount = size * ((double)rng_below(&rng, 2001) / 1000.0 - 1.0);
            double to_i = amount * (k - j) / (k - i);
            double to_k = amount * (j - i) / (k - i);
            if (p[i] + to_i <= 0 || p[k] + to_k <= 0 || p[j] - amount <= 0) {
                continue;
            }
            double gain = counts[i] * log((p[i] + to_i) / p[i]) + counts[k] * log((p[k] + to_k) / p[k]) +
                          counts[j] * log((p[j] - amount) / p[j]);
            if (gain > 0) {
                p[i] += to_i;
                p[k] += to_k;
                p[j] -= amount;
            }
        }
    }
    double likelihood = 0;
    for (int i = 0; i < 5; i++) {
        likelihood += counts[i] * log(p[i]);
    }
    return likelihood;
}

static void sprt_by_brute_force(void **state) {
    (void)state;
    static const double lists[][5] = {{10, 30, 50, 40, 20}, {3, 1, 2, 5, 9}, {40, 35, 60, 20, 5}, {1, 10, 78, 48, 13}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct rating_pairs pairs = pairs_of(lists[i]);
        double wanted = best_likelihood(lists[i], rating_score(30)) - best_likelihood(lists[i], rating_score(-10));
        close_to(rating_log_likelihood_ratio(&pairs, -10, 30), wanted, 1e-3);
    }
}

/* The error bar against the spread of the Elo of resampled matches. */
static void error_by_resampling(void **state) {
    (void)state;
    static const double counts[5] = {60, 150, 400, 230, 160};
    struct rating_pairs pairs = pairs_of(counts);
    struct rating_estimate estimate;
    rating_estimate(&pairs, &estimate);
    enum { DRAWS = 4000, PAIRS = 1000 };
    struct rng rng = {42};
    double sum = 0;
    double squares = 0;
    int stronger = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        double points = 0;
        for (int pair = 0; pair < PAIRS; pair++) {
            double at = rng_below(&rng, PAIRS);
            int kind = 0;
            while (at >= counts[kind]) {
                at -= counts[kind++];
            }
            points += kind;
        }
        double elo = 400 * log10(1 / (4.0 * PAIRS / points - 1));
        sum += elo;
        squares += elo * elo;
        stronger += points > 2.0 * PAIRS;
    }
    double mean = sum / DRAWS;
    double deviation = sqrt(squares / DRAWS - mean * mean);
    close_to(estimate.elo, mean, 0.5);
    close_to(estimate.error, 1.96 * deviation, 0.5);
    close_to(estimate.superiority, (double)stronger / DRAWS, 0.01);
}

static void extremes(void **state) {
    (void)state;
    struct rating_pairs none = {{0}};
    struct rating_estimate estimate;
    rating_estimate(&none, &estimate);
    assert_true(estimate.pairs == 0.0 && estimate.superiority == 0.5);
    assert_true(rating_log_likelihood_ratio(&none, 0, 5) == 0.0);
    struct rating_pairs all = {{0, 0, 0, 0, 7}};
    rating_estimate(&all, &estimate);
    assert_true(isinf(estimate.elo) && estimate.elo > 0 && estimate.superiority == 1.0);
    assert_true(rating_log_likelihood_ratio(&all, 0, 5) > 0);
}

/* -- many players -- */

static double likelihood(int n, const struct rating_meeting *meetings, const double *elo) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            double p = 1 / (1 + pow(10, (elo[j] - elo[i]) / 400));
            for (int k = 0; k < 5; k++) {
                sum += meetings[i * n + j].pairs.count[k] * (k / 2.0 * log(p) + (2 - k / 2.0) * log(1 - p));
            }
            for (int k = 0; k < 3; k++) {
                sum += meetings[i * n + j].single[k] * (k / 2.0 * log(p) + (1 - k / 2.0) * log(1 - p));
            }
        }
    }
    return sum;
}

/* Two players: the table must agree with the plain formula. */
static void table_of_two(void **state) {
    (void)state;
    struct rating_meeting meetings[4] = {0};
    static const double counts[5] = {352, 579, 1264, 743, 464};
    meetings[1].pairs = pairs_of(counts);
    struct rating_player ratings[2];
    assert_true(rating_table(2, meetings, ratings));
    close_to(ratings[0].elo - ratings[1].elo, 19.83, 0.005);
    close_to(2 * ratings[0].error, 6.77, 0.02);
    assert_false(ratings[0].bounded);
}

/* Four players: no small step from the answer makes the results more likely, and the errors agree with
 * resampled tournaments. */
static void table_of_four(void **state) {
    (void)state;
    enum { N = 4 };
    static const double truth[N] = {120, 30, -40, -110};
    struct rng rng = {99};
    struct rating_meeting meetings[N * N] = {0};
    struct rating_player ratings[N];
    double sums[N] = {0};
    double squares[N] = {0};
    enum { DRAWS = 300, PAIRS = 200 };
    for (int draw = 0; draw < DRAWS; draw++) {
        memset(meetings, 0, sizeof meetings);
        for (int i = 0; i < N; i++) {
            for (int j = i + 1; j < N; j++) {
                for (int pair = 0; pair < PAIRS; pair++) {
                    /* The start helps one side by 100 Elo, so the games of a pair depend on each other. */
                    double bias = 100;
                    double diff = truth[i] - truth[j];
                    int points = (rng_below(&rng, 1000000) < 1e6 / (1 + pow(10, -(diff + bias) / 400)) ? 2 : 0) +
                                 (rng_below(&rng, 1000000) < 1e6 / (1 + pow(10, -(diff - bias) / 400)) ? 2 : 0);
                    meetings[i * N + j].pairs.count[points] += 1;
                }
            }
        }
        assert_true(rating_table(N, meetings, ratings));
        for (int i = 0; i < N; i++) {
            sums[i] += ratings[i].elo;
            squares[i] += ratings[i].elo * ratings[i].elo;
        }
    }
    double elo[N];
    double total = 0;
    for (int i = 0; i < N; i++) {
        elo[i] = ratings[i].elo;
        total += elo[i];
        double mean = sums[i] / DRAWS;
        double deviation = sqrt(squares[i] / DRAWS - mean * mean);
        close_to(ratings[i].error, 1.96 * deviation, 0.12 * 1.96 * deviation);
    }
    close_to(total, 0, 1e-6);
    double best = likelihood(N, meetings, elo);
    for (int i = 0; i < N; i++) {
        for (int step = -1; step <= 1; step += 2) {
            elo[i] += 0.01 * step;
            assert_true(likelihood(N, meetings, elo) < best);
            elo[i] -= 0.01 * step;
        }
    }
}

/* Somebody who lost everything has no finite rating: the table says so and stays finite. */
static void table_with_a_loser(void **state) {
    (void)state;
    struct rating_meeting meetings[9] = {0};
    meetings[1].pairs.count[2] = 10; /* 0 and 1 are equal */
    meetings[2].pairs.count[4] = 10; /* both win everything against 2 */
    meetings[5].pairs.count[4] = 10;
    struct rating_player ratings[3];
    assert_true(rating_table(3, meetings, ratings));
    assert_true(ratings[0].bounded && isfinite(ratings[2].elo));
    close_to(ratings[0].elo, ratings[1].elo, 1e-6);
    assert_true(ratings[2].elo < ratings[0].elo - 400);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_elo),
        cmocka_unit_test(published_sprt),
        cmocka_unit_test(sprt_by_brute_force),
        cmocka_unit_test(error_by_resampling),
        cmocka_unit_test(extremes),
        cmocka_unit_test(table_of_two),
        cmocka_unit_test(table_of_four),
        cmocka_unit_test(table_with_a_loser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
