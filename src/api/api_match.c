/* The public C API: games between players of this process. */
#include <string.h>

#include "api/api.h"
#include "base/stopwatch.h"

#define LEAST_SECONDS 0.001 /* that a clock which has run out still shows */

/* A player during one game. */
struct side {
    sortie_player player;
    sortie_limits limits; /* of an engine */
    double wall;          /* seconds it has used */
    double cpu;
};

static sortie_status read_player(const sortie_player *given, struct side *side, sortie_error *error) {
    *side = (struct side){0};
    if (!api_take(&side->player, sizeof side->player, given)) {
        return api_bad(error, "expected the player's size to be set, and nothing in it this version does not know");
    }
    if (!side->player.engine == !side->player.choose) {
        return api_bad(error, "expected a player that is either an engine or a function");
    }
    return side->player.engine ? api_limits(side->player.limits, &side->limits, error) : SORTIE_OK;
}

/* What a clock for the whole game shows; 0: there is none. */
static double seconds_left(double all, double used) {
    return all <= 0 ? 0 : all - used > LEAST_SECONDS ? all - used : LEAST_SECONDS;
}

static sortie_status think(struct side *side, const sortie_position *position, sortie_move move, sortie_error *error) {
    sortie_limits limits = side->limits;
    sortie_result result = SORTIE_INIT(sortie_result);
    limits.wall_seconds_left = seconds_left(limits.wall_seconds_left, side->wall);
    limits.cpu_seconds_left = seconds_left(limits.cpu_seconds_left, side->cpu);
    sortie_status status = sortie_engine_go(side->player.engine, position, &limits, &result, error);
    side->cpu += result.cpu_seconds;
    memcpy(move, result.move, sizeof(sortie_move));
    return status;
}

/* One move. What a player does wrong ends the game; only the machine's failures and wrong limits are errors. */
static sortie_status take_turn(struct side *side, sortie_position *position, sortie_ending *ending,
                               sortie_error *error) {
    sortie_move move = "";
    sortie_status status = SORTIE_OK;
    double start = clock_wall();
    if (side->player.engine) {
        status = think(side, position, move, error);
    } else if (side->player.choose(side->player.user, position, move)) {
        *ending = SORTIE_RESIGNED;
    }
    side->wall += clock_wall() - start;
    if (status != SORTIE_OK || *ending == SORTIE_RESIGNED) {
        return status;
    }
    move[sizeof move - 1] = '\0';
    status = sortie_position_play(position, move, error);
    *ending = status == SORTIE_BAD_INPUT ? SORTIE_ILLEGAL : SORTIE_BY_RULES;
    return status == SORTIE_BAD_INPUT ? SORTIE_OK : status;
}

static void fill_outcome(const sortie_position *position, int played, sortie_ending ending, const struct side *sides,
                         sortie_outcome *outcome) {
    int score = sortie_position_score(position);
    int loser = sortie_position_to_move(position); /* where a player ended it, whose turn it was */
    *outcome = (sortie_outcome){
        .result = ending != SORTIE_BY_RULES ? (loser == 0 ? -1 : 1) : (score > 0) - (score < 0),
        .score = score,
        .ending = ending,
        .plies = sortie_position_played(position) - played,
        .wall_seconds = {sides[0].wall, sides[1].wall},
    };
}

sortie_status sortie_position_play_out(sortie_position *position, const sortie_player *first,
                                       const sortie_player *second, sortie_outcome *outcome, sortie_error *error) {
    struct side sides[2];
    sortie_ending ending = SORTIE_BY_RULES;
    int played = sortie_position_played(position);
    sortie_status status = read_player(first, &sides[0], error);
    status = status == SORTIE_OK ? read_player(second, &sides[1], error) : status;
    if (status != SORTIE_OK) {
        return status;
    }
    if (!api_give(outcome, &(sortie_outcome){0}, sizeof(size_t))) {
        return api_bad(error, "expected the outcome's size to be set");
    }
    while (status == SORTIE_OK && ending == SORTIE_BY_RULES && !sortie_position_is_over(position)) {
        status = take_turn(&sides[sortie_position_to_move(position)], position, &ending, error);
    }
    if (status == SORTIE_OK) {
        sortie_outcome known;
        fill_outcome(position, played, ending, sides, &known);
        api_give(outcome, &known, sizeof known);
    }
    return status;
}

/* -- matches -- */

/* One match under way. */
struct match {
    const sortie_player *players[2];
    sortie_match_options options;
    sortie_match_score score;
    bool ended; /* by who was told */
};

/* What an engine learnt in one game is not to help in another: each game is as if it were the only one. */
static void forget(const sortie_player *given) {
    sortie_player player;
    if (api_take(&player, sizeof player, given) && player.engine) {
        sortie_engine_clear(player.engine);
    }
}

static void count_game(sortie_match_score *score, const sortie_outcome *outcome, int exchanged) {
    int result = exchanged ? -outcome->result : outcome->result;
    score->wins += result > 0;
    score->draws += result == 0;
    score->losses += result < 0;
    score->forfeits += outcome->ending != SORTIE_BY_RULES;
}

/* One game from an opening; `exchanged`: the first player has the second side. */
static sortie_status play_game(struct match *match, const sortie_position *opening, int number, int exchanged,
                               sortie_error *error) {
    sortie_position *position = NULL;
    sortie_outcome outcome = SORTIE_INIT(sortie_outcome);
    sortie_status status = sortie_position_copy(opening, &position, error);
    if (status != SORTIE_OK) {
        return status;
    }
    forget(match->players[0]);
    forget(match->players[1]);
    status =
        sortie_position_play_out(position, match->players[exchanged], match->players[1 - exchanged], &outcome, error);
    if (status == SORTIE_OK) {
        count_game(&match->score, &outcome, exchanged);
        match->ended = match->options.on_game &&
                       match->options.on_game(match->options.user, number, exchanged, position, &outcome);
    }
    sortie_position_free(position);
    return status;
}

sortie_status sortie_match_play(const sortie_position *const *openings, int count, const sortie_player *one,
                                const sortie_player *other, const sortie_match_options *options,
                                sortie_match_score *score, sortie_error *error) {
    struct match match = {.players = {one, other}};
    if (options && !api_take(&match.options, sizeof match.options, options)) {
        return api_bad(error, "expected the options' size to be set, and nothing in them this version does not know");
    }
    if (!api_give(score, &(sortie_match_score){0}, sizeof(size_t))) {
        return api_bad(error, "expected the score's size to be set");
    }
    for (int i = 0; i < count; i++) {
        if (sortie_position_is_over(openings[i])) {
            return (sortie_status)error_at(api_error(error), 0, 0,
                                           "expected openings with a move left, number %d is over", i);
        }
    }
    sortie_status status = SORTIE_OK;
    for (int game = 0; game < 2 * count && status == SORTIE_OK && !match.ended; game++) {
        status = play_game(&match, openings[game / 2], game / 2, game % 2, error);
    }
    api_give(score, &match.score, sizeof match.score);
    return status;
}
