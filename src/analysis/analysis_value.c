/* Which of two values is worth more, and values seen from the other end of a move. */
#include "analysis/analyses.h"

#define WIN_LEAST (GAME_WIN_VALUE - 1000)

static bool is_won(const struct game *game, int value) {
    return game->properties->score_kind == GAME_SCORE_WIN && value >= WIN_LEAST;
}

static bool is_lost(const struct game *game, int value) {
    return game->properties->score_kind == GAME_SCORE_WIN && value <= -WIN_LEAST;
}

bool analysis_is_settled(const struct game *game, const struct analysis_value *value) {
    return value->proved && (value->lower == value->upper || is_won(game, value->lower) || is_lost(game, value->upper));
}

bool analysis_is_better(const struct game *game, const struct analysis_value *old, const struct analysis_value *fresh) {
    bool was_settled = analysis_is_settled(game, old);
    if (analysis_is_settled(game, fresh)) {
        /* a quicker win, or a loss that comes sooner than was known, is better known */
        bool quicker = (is_won(game, fresh->value) && fresh->value > old->value) ||
                       (is_lost(game, fresh->value) && fresh->value < old->value);
        return !was_settled || quicker;
    }
    if (was_settled) {
        return false;
    }
    return fresh->depth != old->depth ? fresh->depth > old->depth : fresh->nodes >= old->nodes;
}

/* A win that is one ply nearer (`by` 1) or farther away; other values stay. */
static int nearer(const struct game *game, int value, int by) {
    int moved = is_won(game, value) ? value + by : is_lost(game, value) ? value - by : value;
    bool beyond = game->properties->score_kind == GAME_SCORE_WIN && (moved > GAME_WIN_VALUE || moved < -GAME_WIN_VALUE);
    return beyond ? value : moved;
}

static void turn(const struct game *game, struct analysis_value *value, int by) {
    int lower = value->lower;
    value->value = -nearer(game, value->value, by);
    value->lower = -nearer(game, value->upper, by);
    value->upper = -nearer(game, lower, by);
    value->depth = value->depth + (by < 0) - (by > 0 && value->depth > 0);
}

void analysis_turn_behind(const struct game *game, struct analysis_value *value) {
    turn(game, value, 1);
}

void analysis_turn_before(const struct game *game, struct analysis_value *value) {
    turn(game, value, -1);
}
