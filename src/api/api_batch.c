/* The public C API: many games of one kind side by side. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"

#define MOST_GAMES (1 << 20)

struct sortie_batch {
    const struct game *game;
    int size; /* of the boards, as the game is asked for it */
    int variant;
    bool random;
    bool restart;
    int count;
    struct game_shape shape;
    int actions;
    struct rng rng;
    struct game_position *start; /* owned, like all below: the board that is copied where starts are not random */
    unsigned char *boards;       /* one after the other */
    uint8_t *over;               /* what the last step made of each game */
    float *rewards;
    int32_t *scores;
    game_move *moves; /* room for those of one position */
    int32_t *values;  /* likewise for its squares */
};

static size_t board_size(const sortie_batch *batch) {
    return batch->game->properties->position_size;
}

static struct game_position *board_of(const sortie_batch *batch, int index) {
    return (struct game_position *)(batch->boards + (size_t)index * board_size(batch));
}

static size_t squares_of(const sortie_batch *batch) {
    return (size_t)batch->shape.rows * (size_t)batch->shape.columns;
}

/* Cannot fail: the size was accepted when the batch was made. */
static void restart(sortie_batch *batch, int index) {
    if (batch->random) {
        memset(board_of(batch, index), 0, board_size(batch));
        batch->game->start_random(board_of(batch, index), batch->size, batch->variant, &batch->rng, NULL);
    } else {
        memcpy(board_of(batch, index), batch->start, board_size(batch));
    }
}

/* Notes how a game stands. A reward is given once. */
static void settle(sortie_batch *batch, int index, bool rewarded) {
    const struct game *game = batch->game;
    game_score score = game->score(board_of(batch, index));
    batch->over[index] = game->over(board_of(batch, index));
    batch->scores[index] = score;
    batch->rewards[index] = (float)(rewarded && batch->over[index] ? (score > 0) - (score < 0) : 0);
}

/* -- making them -- */

void sortie_batch_free(sortie_batch *batch) {
    if (batch) {
        free(batch->start);
        free(batch->boards);
        free(batch->over);
        free(batch->rewards);
        free(batch->scores);
        free(batch->moves);
        free(batch->values);
        free(batch);
    }
}

/* The room that does not depend on the board. */
static bool make_room(sortie_batch *batch) {
    size_t count = (size_t)batch->count;
    batch->start = calloc(1, board_size(batch));
    batch->boards = calloc(count, board_size(batch));
    batch->over = calloc(count, sizeof *batch->over);
    batch->rewards = calloc(count, sizeof *batch->rewards);
    batch->scores = calloc(count, sizeof *batch->scores);
    batch->moves = calloc((size_t)batch->game->properties->most_moves, sizeof *batch->moves);
    return batch->start && batch->boards && batch->over && batch->rewards && batch->scores && batch->moves;
}

static sortie_status fill(sortie_batch *batch, sortie_error *error) {
    enum status status = make_room(batch)
                             ? batch->game->start(batch->start, batch->size, batch->variant, api_error(error))
                             : error_machine(api_error(error), "out of memory");
    if (status != STATUS_OK) {
        return (sortie_status)status;
    }
    batch->shape = game_shape(batch->game, batch->start);
    batch->actions = game_actions(batch->game, batch->start);
    batch->values = calloc(squares_of(batch), sizeof *batch->values);
    return batch->values ? sortie_batch_reset(batch, -1, error) : api_no_memory(error);
}

sortie_status sortie_batch_new(const char *game, const sortie_start *start, const sortie_batch_options *options,
                               sortie_batch **out, sortie_error *error) {
    sortie_start asked;
    const struct game *found;
    int variant = 0;
    sortie_batch_options known = {0};
    sortie_status status = api_start(game, start, &found, &asked, &variant, error);
    if (status != SORTIE_OK) {
        return status;
    }
    if (options && !api_take(&known, sizeof known, options)) {
        return api_bad(error, "expected the options' size to be set, and nothing in them this version does not know");
    }
    if (known.count < 0 || known.count > MOST_GAMES) {
        return api_bad(error, "expected 1 to 1048576 games");
    }
    sortie_batch *batch = malloc(sizeof *batch);
    if (!batch) {
        return api_no_memory(error);
    }
    *batch = (sortie_batch){.game = found,
                            .size = asked.rows,
                            .variant = variant,
                            .random = asked.random != 0,
                            .restart = known.restart != 0,
                            .count = known.count ? known.count : 1,
                            .rng = {known.seed}};
    status = fill(batch, error);
    if (status != SORTIE_OK) {
        sortie_batch_free(batch);
        return status;
    }
    *out = batch;
    return SORTIE_OK;
}

/* -- asking them -- */

int sortie_batch_count(const sortie_batch *batch) {
    return batch->count;
}

int sortie_batch_rows(const sortie_batch *batch) {
    return batch->shape.rows;
}

int sortie_batch_columns(const sortie_batch *batch) {
    return batch->shape.columns;
}

int sortie_batch_actions(const sortie_batch *batch) {
    return batch->actions;
}

int sortie_batch_planes(const sortie_batch *batch) {
    return api_planes(batch->game);
}

static sortie_status no_such_game(const sortie_batch *batch, int index, sortie_error *error) {
    return (sortie_status)error_at(api_error(error), 0, 0, "expected a game of 0 to %d, got %d", batch->count - 1,
                                   index);
}

sortie_status sortie_batch_position(const sortie_batch *batch, int index, sortie_position **out, sortie_error *error) {
    if (index < 0 || index >= batch->count) {
        return no_such_game(batch, index, error);
    }
    return api_wrap_copy(batch->game, board_of(batch, index), out, error);
}

sortie_status sortie_batch_observe(const sortie_batch *batch, const sortie_observation *observation,
                                   sortie_error *error) {
    const struct game *game = batch->game;
    size_t squares = squares_of(batch);
    size_t planes = (size_t)api_planes(game) * squares;
    sortie_observation to;
    if (!api_take(&to, sizeof to, observation)) {
        return api_bad(error,
                       "expected the observation's size to be set, and nothing in it this version does not know");
    }
    for (int i = 0; i < batch->count; i++) {
        const struct game_position *board = board_of(batch, i);
        if (to.planes) {
            api_see(game, board, batch->values, to.planes + (size_t)i * planes);
        }
        if (to.masks) {
            api_mask(game, board, batch->moves, to.masks + (size_t)i * (size_t)batch->actions);
        }
        if (to.to_move) {
            to.to_move[i] = game->to_move(board);
        }
        if (to.values) {
            game_values(game, board, to.values + (size_t)i * squares);
        }
    }
    const struct {
        void *to;
        const void *from;
        size_t each;
    } told[] = {{to.over, batch->over, sizeof *batch->over},
                {to.rewards, batch->rewards, sizeof *batch->rewards},
                {to.scores, batch->scores, sizeof *batch->scores}};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        if (told[i].to) {
            memcpy(told[i].to, told[i].from, (size_t)batch->count * told[i].each);
        }
    }
    return SORTIE_OK;
}

/* -- playing on -- */

sortie_status sortie_batch_reset(sortie_batch *batch, int index, sortie_error *error) {
    if (index < -1 || index >= batch->count) {
        return no_such_game(batch, index, error);
    }
    for (int i = index < 0 ? 0 : index; i < (index < 0 ? batch->count : index + 1); i++) {
        restart(batch, i);
        settle(batch, i, false);
    }
    return SORTIE_OK;
}

/* One move of one game that is not over. */
static void step(sortie_batch *batch, int index, game_move move) {
    struct game_undo undo;
    batch->game->play(board_of(batch, index), move, &undo);
    settle(batch, index, true);
    if (batch->over[index] && batch->restart) {
        restart(batch, index);
    }
}

/* A game without a move: over, or over from its start where games restart. */
static void pass_over(sortie_batch *batch, int index) {
    if (batch->restart) {
        restart(batch, index);
    }
    settle(batch, index, false);
}

static bool is_legal(const sortie_batch *batch, int index, int32_t action) {
    const struct game_position *board = board_of(batch, index);
    return action >= 0 && action < batch->actions &&
           batch->game->legal(board, game_action_move(batch->game, board, action));
}

sortie_status sortie_batch_step(sortie_batch *batch, const int32_t *actions, sortie_error *error) {
    const struct game *game = batch->game;
    if (!actions) {
        return api_bad(error, "expected an action for each game");
    }
    for (int i = 0; i < batch->count; i++) {
        if (!is_legal(batch, i, actions[i]) && !game->over(board_of(batch, i))) {
            return (sortie_status)error_at(api_error(error), 0, 0, "expected a legal action for game %d, %d is none", i,
                                           (int)actions[i]);
        }
    }
    for (int i = 0; i < batch->count; i++) {
        if (game->over(board_of(batch, i))) {
            pass_over(batch, i);
        } else {
            step(batch, i, game_action_move(game, board_of(batch, i), actions[i]));
        }
    }
    return SORTIE_OK;
}

sortie_status sortie_batch_random_step(sortie_batch *batch, int32_t *actions, sortie_error *error) {
    (void)error; /* nothing can fail today */
    for (int i = 0; i < batch->count; i++) {
        const struct game_position *board = board_of(batch, i);
        int count = batch->game->moves(board, batch->moves);
        game_move move = count ? batch->moves[rng_below(&batch->rng, (uint32_t)count)] : GAME_NO_MOVE;
        if (actions) {
            actions[i] = count ? game_action(batch->game, board, move) : -1;
        }
        if (count) {
            step(batch, i, move);
        } else {
            pass_over(batch, i);
        }
    }
    return SORTIE_OK;
}
