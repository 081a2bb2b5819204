/* The public C API: moves as numbers, and boards in bulk. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "game/registry.h"

static int squares_of(const struct game *game, const struct game_position *board) {
    struct game_shape shape = game_shape(game, board);
    return shape.rows * shape.columns;
}

static bool is_action(const sortie_position *position, int32_t action) {
    return action >= 0 && action < sortie_position_actions(position);
}

static sortie_status bad_action(const sortie_position *position, int32_t action, sortie_error *error) {
    return (sortie_status)error_at(api_error(error), 0, 0, "expected an action of 0 to %d, got %d",
                                   sortie_position_actions(position) - 1, (int)action);
}

/* -- actions -- */

int sortie_position_actions(const sortie_position *position) {
    return game_actions(position->game, position->board);
}

int sortie_position_legal(const sortie_position *position, int32_t *actions, int capacity) {
    const struct game *game = position->game;
    game_move *moves = malloc((size_t)game->properties->most_moves * sizeof *moves);
    if (!moves) {
        return -1;
    }
    int count = game->moves(position->board, moves);
    for (int i = 0; i < count && i < capacity; i++) {
        actions[i] = game_action(game, position->board, moves[i]);
    }
    free(moves);
    return count;
}

sortie_status sortie_position_play_action(sortie_position *position, int32_t action, sortie_error *error) {
    const struct game *game = position->game;
    if (!is_action(position, action)) {
        return bad_action(position, action, error);
    }
    game_move move = game_action_move(game, position->board, action);
    if (!game->legal(position->board, move)) {
        return (sortie_status)error_at(api_error(error), 0, 0, "expected a legal action, %d is none here", (int)action);
    }
    return api_play(position, move, error);
}

int32_t sortie_position_action(const sortie_position *position, const char *move) {
    const struct game *game = position->game;
    game_move code;
    if (!move || game->parse_move(position->board, move, strlen(move), &code, NULL) != STATUS_OK) {
        return -1;
    }
    return game_action(game, position->board, code);
}

sortie_status sortie_position_action_name(const sortie_position *position, int32_t action, sortie_move move,
                                          sortie_error *error) {
    if (!is_action(position, action)) {
        return bad_action(position, action, error);
    }
    game_move code = game_action_move(position->game, position->board, action);
    position->game->move_text(position->board, code, move);
    return SORTIE_OK;
}

/* -- the moves played -- */

/* A name is told as of the position the move was played in: the moves since are taken back on a copy. */
sortie_status sortie_position_move(const sortie_position *position, int index, sortie_move move, sortie_error *error) {
    const struct game *game = position->game;
    if (index < 0 || index >= position->played) {
        return (sortie_status)error_at(api_error(error), 0, 0, "expected the number of a move played, below %d, got %d",
                                       position->played, index);
    }
    struct game_position *then = malloc(game->properties->position_size);
    if (!then) {
        return api_no_memory(error);
    }
    memcpy(then, position->board, game->properties->position_size);
    for (int i = position->played; i > index; i--) {
        game->undo(then, &position->plies[i - 1].undo);
    }
    game->move_text(then, position->plies[index].move, move);
    free(then);
    return SORTIE_OK;
}

int32_t sortie_position_move_action(const sortie_position *position, int index) {
    bool known = index >= 0 && index < position->played;
    return known ? game_action(position->game, position->board, position->plies[index].move) : -1;
}

/* -- boards in bulk -- */

/* Writes as much of `from` as fits, and says how many there are in all. */
static int hand_out(void *to, const void *from, int count, size_t each, int capacity) {
    int fit = count < capacity ? count : capacity;
    if (to && fit > 0) {
        memcpy(to, from, (size_t)fit * each);
    }
    return count;
}

int sortie_position_board(const sortie_position *position, uint8_t *inks, int capacity) {
    int squares = squares_of(position->game, position->board);
    uint8_t *all = malloc((size_t)squares);
    if (!all) {
        return -1;
    }
    game_inks(position->game, position->board, all);
    hand_out(inks, all, squares, sizeof *all, capacity);
    free(all);
    return squares;
}

int sortie_position_values(const sortie_position *position, int32_t *values, int capacity) {
    int squares = squares_of(position->game, position->board);
    int32_t *all = malloc((size_t)squares * sizeof *all);
    if (!all) {
        return -1;
    }
    game_values(position->game, position->board, all);
    hand_out(values, all, squares, sizeof *all, capacity);
    free(all);
    return squares;
}

/* -- what a learner sees -- */

enum plane { PLANE_OWN, PLANE_OTHER, PLANE_BLOCKS, PLANE_OWN_FIELD, PLANE_OTHER_FIELD, PLANE_VALUES, PLANE_KINDS };

static const struct {
    const char *name;
    unsigned shown_by; /* of enum game_shows; 0: by every game */
} planes_known[PLANE_KINDS] = {
    [PLANE_OWN] = {"own", 0},
    [PLANE_OTHER] = {"other", 0},
    [PLANE_BLOCKS] = {"blocks", GAME_SHOWS_BLOCKS},
    [PLANE_OWN_FIELD] = {"own field", GAME_SHOWS_FIELDS},
    [PLANE_OTHER_FIELD] = {"other field", GAME_SHOWS_FIELDS},
    [PLANE_VALUES] = {"values", GAME_SHOWS_VALUES},
};

static bool has_plane(const struct game *game, int plane) {
    return !planes_known[plane].shown_by || game->properties->shows & planes_known[plane].shown_by;
}

int api_planes(const struct game *game) {
    int count = 0;
    for (int plane = 0; plane < PLANE_KINDS; plane++) {
        count += has_plane(game, plane);
    }
    return count;
}

const char *sortie_game_plane(const char *game, int index) {
    const struct game *found = game ? game_find(game, strlen(game)) : NULL;
    for (int plane = 0; found && plane < PLANE_KINDS; plane++) {
        if (has_plane(found, plane) && index-- == 0) {
            return planes_known[plane].name;
        }
    }
    return NULL;
}

/* For each ink a byte, with a bit for each plane it shows in; the sides are those of the board. */
static const uint8_t planes_of_ink[] = {
    [GAME_INK_EMPTY] = 0,
    [GAME_INK_FIRST] = 1 << PLANE_OWN,
    [GAME_INK_SECOND] = 1 << PLANE_OTHER,
    [GAME_INK_BLOCK] = 1 << PLANE_BLOCKS,
    [GAME_INK_FIRST_FIELD] = 1 << PLANE_OWN_FIELD,
    [GAME_INK_SECOND_FIELD] = 1 << PLANE_OTHER_FIELD,
    [GAME_INK_BOTH_FIELD] = 1 << PLANE_OWN_FIELD | 1 << PLANE_OTHER_FIELD,
};

static void see_values(const int32_t *values, int squares, uint8_t *plane) {
    int32_t most = 1;
    for (int square = 0; square < squares; square++) {
        most = values[square] > most ? values[square] : most;
    }
    for (int square = 0; square < squares; square++) {
        int64_t share = ((int64_t)values[square] * 255 + most / 2) / most;
        plane[square] = (uint8_t)(share > 0 || values[square] == 0 ? share : 1);
    }
}

/* The plane of the second side's view that is the first side's `plane`. */
static int other_view(int plane) {
    static const int swapped[PLANE_KINDS] = {PLANE_OTHER,       PLANE_OWN,       PLANE_BLOCKS,
                                             PLANE_OTHER_FIELD, PLANE_OWN_FIELD, PLANE_VALUES};
    return swapped[plane];
}

void api_see(const struct game *game, const struct game_position *board, int32_t *scratch, uint8_t *planes) {
    int squares = squares_of(game, board);
    uint8_t *inks = (uint8_t *)scratch;
    int second = game->to_move(board);
    game_inks(game, board, inks);
    for (int plane = 0; plane < PLANE_VALUES; plane++) {
        if (has_plane(game, plane)) {
            unsigned bit = (unsigned)(second ? other_view(plane) : plane);
            for (int square = 0; square < squares; square++) {
                planes[square] = planes_of_ink[inks[square]] >> bit & 1;
            }
            planes += squares;
        }
    }
    if (has_plane(game, PLANE_VALUES)) {
        game_values(game, board, scratch);
        see_values(scratch, squares, planes);
    }
}

void api_mask(const struct game *game, const struct game_position *board, game_move *scratch, uint8_t *mask) {
    int count = game->moves(board, scratch);
    memset(mask, 0, (size_t)game_actions(game, board));
    for (int i = 0; i < count; i++) {
        mask[game_action(game, board, scratch[i])] = 1;
    }
}

int sortie_position_planes(const sortie_position *position, uint8_t *planes, int capacity) {
    const struct game *game = position->game;
    int squares = squares_of(game, position->board);
    int bytes = api_planes(game) * squares;
    int32_t *scratch = malloc((size_t)squares * sizeof *scratch);
    uint8_t *all = malloc((size_t)bytes);
    if (scratch && all) {
        api_see(game, position->board, scratch, all);
        hand_out(planes, all, bytes, sizeof *all, capacity);
    } else {
        bytes = -1;
    }
    free(scratch);
    free(all);
    return bytes;
}

int sortie_position_mask(const sortie_position *position, uint8_t *mask, int capacity) {
    const struct game *game = position->game;
    int actions = sortie_position_actions(position);
    game_move *scratch = malloc((size_t)game->properties->most_moves * sizeof *scratch);
    uint8_t *all = malloc((size_t)actions);
    if (scratch && all) {
        api_mask(game, position->board, scratch, all);
        hand_out(mask, all, actions, sizeof *all, capacity);
    } else {
        actions = -1;
    }
    free(scratch);
    free(all);
    return actions;
}
