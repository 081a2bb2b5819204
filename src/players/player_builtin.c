/* The players inside the program: the engine, the textbook searches, and chance. */
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/rng.h"
#include "base/stopwatch.h"
#include "engine/engine.h"
#include "players/player.h"

struct player {
    const struct player_spec *spec;
    enum search_method method;
    struct engine *engine; /* owned; NULL for chance */
    struct player_game game;
    struct rng rng;
};

static struct player *create(const struct player_spec *spec, enum search_method method, bool thinks) {
    struct player *player = calloc(1, sizeof *player);
    if (!player) {
        return NULL;
    }
    player->spec = spec;
    player->method = method;
    struct searcher_options options = {.threads = spec->threads, .hash_bytes = spec->hash_bytes, .plain = spec->plain};
    player->engine = thinks ? engine_new(&options) : NULL;
    if (thinks && !player->engine) {
        free(player);
        return NULL;
    }
    return player;
}

static struct player *create_engine(const struct player_spec *spec) {
    return create(spec, SEARCH_ENGINE, true);
}

static struct player *create_greedy(const struct player_spec *spec) {
    return create(spec, TEXTBOOK_GREEDY, true);
}

static struct player *create_minimax(const struct player_spec *spec) {
    return create(spec, TEXTBOOK_MINIMAX, true);
}

static struct player *create_alphabeta(const struct player_spec *spec) {
    return create(spec, TEXTBOOK_ALPHABETA, true);
}

static struct player *create_random(const struct player_spec *spec) {
    return create(spec, SEARCH_ENGINE, false);
}

static void destroy(struct player *player) {
    if (player && player->engine) {
        engine_free(player->engine);
    }
    free(player);
}

static void begin(struct player *player, const struct player_game *game, struct player_answer *answer) {
    (void)answer;
    player->game = *game;
    player->rng = (struct rng){game->seed};
    if (player->engine) {
        engine_clear(player->engine);
    }
}

/* User CPU of this process; a match gives every player's process its own games, so this is the player's. */
static double user_seconds(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec;
}

static double lesser(double a, double b) {
    return a > 0 && b > 0 ? fmin(a, b) : a > 0 ? a : b;
}

/* What the engine is told of a limit for one move: a reserve stays for a busy machine. */
static double within(double seconds) {
    return seconds - fmin(0.2 * seconds, fmax(0.05 * seconds, 0.02));
}

/* The player's own limits, and the match's clock on top of them. */
static void set_limits(const struct player *player, const struct player_turn *turn, struct search_limits *limits) {
    const struct player_spec *spec = player->spec;
    *limits = (struct search_limits){.goal = SEARCH_BEST,
                                     .depth = spec->depth,
                                     .nodes = spec->nodes,
                                     .wall_seconds = spec->wall_seconds,
                                     .cpu_seconds = spec->cpu_seconds};
    const struct player_time *time = &player->game.time;
    if (time->clock == PLAYER_CLOCK_WALL) {
        limits->wall_seconds = lesser(limits->wall_seconds, within(time->per_move));
        limits->wall_seconds_left = turn->seconds_left;
    } else if (time->clock == PLAYER_CLOCK_CPU) {
        limits->cpu_seconds = lesser(limits->cpu_seconds, within(time->per_move));
        limits->cpu_seconds_left = turn->seconds_left;
    }
}

static enum status choose(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                          struct error *error) {
    const struct game *game = player->game.game;
    double wall = clock_wall();
    double user = user_seconds();
    enum status status = STATUS_OK;
    if (!player->engine) {
        game_move *moves = malloc((size_t)game->properties->most_moves * sizeof *moves);
        if (!moves) {
            return error_machine(error, "out of memory");
        }
        int count = game->moves(turn->position, moves);
        answer->move = moves[rng_below(&player->rng, (uint32_t)count)];
        free(moves);
    } else {
        struct engine_request request = {.method = player->method, .depth = player->spec->depth};
        struct search_control control = {.also = player->game.stop};
        struct search_result result;
        set_limits(player, turn, &request.limits);
        status = engine_go(player->engine, game, turn->position, &request, &control, &result, error);
        answer->move = result.move;
    }
    answer->wall_seconds = clock_wall() - wall;
    answer->cpu_seconds = user_seconds() - user;
    return status;
}

static void end(struct player *player, struct text *errors) {
    (void)player, (void)errors;
}

static enum status check_engine(const struct player_spec *spec, const struct game *game, int variant, int size,
                                const struct player_time *time, struct error *error) {
    (void)game, (void)variant, (void)size;
    bool limited = spec->depth || spec->nodes || spec->wall_seconds > 0 || spec->cpu_seconds > 0;
    if (!limited && time->clock == PLAYER_CLOCK_NONE) {
        return error_at(error, 0, 0, "player '%s': give depth=, nodes=, time= or cpu=, or the match a clock",
                        spec->name);
    }
    return STATUS_OK;
}

static enum status check_depth(const struct player_spec *spec, const struct game *game, int variant, int size,
                               const struct player_time *time, struct error *error) {
    (void)game, (void)variant, (void)size, (void)time;
    return spec->depth ? STATUS_OK
                       : error_at(error, 0, 0, "player '%s': give depth=PLIES, for example %s:depth=2", spec->name,
                                  spec->kind->name);
}

#define BUILTIN(word, help, checker, creator)                                                                          \
    {                                                                                                                  \
        .name = word, .usage = help, .check = checker, .create = creator, .destroy = destroy, .begin = begin,          \
        .choose = choose, .end = end                                                                                   \
    }

const struct player_kind player_engine =
    BUILTIN("engine", "engine:depth=3 | engine:time=1 | engine:nodes=10000,threads=2,hash=64,plain", check_engine,
            create_engine);
const struct player_kind player_greedy =
    BUILTIN("greedy", "greedy: the move whose board looks best at once", NULL, create_greedy);
const struct player_kind player_minimax =
    BUILTIN("minimax", "minimax:depth=2: the textbook's minimax", check_depth, create_minimax);
const struct player_kind player_alphabeta =
    BUILTIN("alphabeta", "alphabeta:depth=3: the textbook's alpha-beta", check_depth, create_alphabeta);
const struct player_kind player_random = BUILTIN("random", "random: any legal move", NULL, create_random);
