/* The public C API: positions. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "formats/course.h"
#include "formats/draw.h"
#include "formats/records/sgf.h"
#include "game/registry.h"
#include "games/gomoku/rules/swap_table.h"

sortie_position *api_wrap(const struct game *game, struct game_position *board) {
    sortie_position *position = calloc(1, sizeof *position);
    if (position) {
        position->game = game;
        position->board = board;
    }
    return position;
}

sortie_status api_wrap_copy(const struct game *game, const struct game_position *board, sortie_position **out,
                            sortie_error *error) {
    struct game_position *copy = malloc(game->properties->position_size);
    sortie_position *position = copy ? api_wrap(game, copy) : NULL;
    if (!position) {
        free(copy);
        return api_no_memory(error);
    }
    memcpy(copy, board, game->properties->position_size);
    *out = position;
    return SORTIE_OK;
}

/* -- making them -- */

sortie_status api_start(const char *game, const sortie_start *start, const struct game **found, sortie_start *asked,
                        int *variant, sortie_error *error) {
    *asked = (sortie_start){0};
    *found = game ? game_find(game, strlen(game)) : NULL;
    if (start && !api_take(asked, sizeof *asked, start)) {
        return api_bad(error, "expected the start's size to be set, and nothing in it this version does not know");
    }
    if (!*found) {
        return api_bad(error, "expected the name of a game");
    }
    *variant = asked->rules ? game_find_variant(*found, asked->rules, strlen(asked->rules)) : 0;
    if (*variant < 0) {
        return api_bad(error, "expected the name of a rule set");
    }
    if (asked->columns && asked->columns != asked->rows) {
        return api_bad(error, "expected as many columns as rows in this game");
    }
    asked->rows = asked->rows ? asked->rows : (*found)->properties->usual_size;
    return SORTIE_OK;
}

sortie_status sortie_position_start(const char *game, const sortie_start *start, sortie_position **out,
                                    sortie_error *error) {
    sortie_start asked;
    const struct game *found;
    int variant = 0;
    sortie_status read = api_start(game, start, &found, &asked, &variant, error);
    if (read != SORTIE_OK || !found) {
        return read;
    }
    struct rng rng = {asked.seed};
    struct game_position *board = calloc(1, found->properties->position_size);
    enum status status = !board         ? error_machine(api_error(error), "out of memory")
                         : asked.random ? found->start_random(board, asked.rows, variant, &rng, api_error(error))
                                        : found->start(board, asked.rows, variant, api_error(error));
    sortie_position *position = status == STATUS_OK ? api_wrap(found, board) : NULL;
    if (!position) {
        free(board);
        return status == STATUS_OK ? api_no_memory(error) : (sortie_status)status;
    }
    *out = position;
    return SORTIE_OK;
}

sortie_status sortie_position_parse(const char *bytes, size_t length, sortie_position **out, sortie_error *error) {
    return sortie_position_parse_as(bytes, length, NULL, out, error);
}

sortie_status sortie_position_parse_as(const char *bytes, size_t length, const char *format, sortie_position **out,
                                       sortie_error *error) {
    return sortie_position_parse_record(bytes, length, format, 0, out, NULL, error);
}

sortie_status sortie_position_parse_record(const char *bytes, size_t length, const char *format, int record,
                                           sortie_position **out, int *records, sortie_error *error) {
    struct course_request request;
    if (record < 0) {
        return api_bad(error, "expected the number of a game, from 1, or 0 for the first");
    }
    enum status status = course_parse_record(bytes, length, format, record, &request, api_error(error));
    if (status != STATUS_OK) {
        return (sortie_status)status;
    }
    *out = api_wrap(request.game, request.position);
    if (!*out) {
        course_request_free(&request);
        return api_no_memory(error);
    }
    if (records) {
        *records = request.records;
    }
    return SORTIE_OK;
}

sortie_status sortie_position_copy(const sortie_position *position, sortie_position **out, sortie_error *error) {
    struct api_ply *plies = position->played ? malloc((size_t)position->played * sizeof *plies) : NULL;
    sortie_position *copy = NULL;
    if ((position->played && !plies) || api_wrap_copy(position->game, position->board, &copy, NULL) != SORTIE_OK ||
        !copy) {
        free(plies);
        return api_no_memory(error);
    }
    if (plies) {
        memcpy(plies, position->plies, (size_t)position->played * sizeof *plies);
    }
    copy->plies = plies;
    copy->played = copy->capacity = position->played;
    *out = copy;
    return SORTIE_OK;
}

void sortie_position_free(sortie_position *position) {
    if (position) {
        free(position->board);
        free(position->plies);
        free(position);
    }
}

/* -- asking them -- */

const char *sortie_position_game(const sortie_position *position) {
    return position->game->properties->name;
}

const char *sortie_position_rules(const sortie_position *position) {
    return position->game->properties->variants[position->game->variant(position->board)];
}

int sortie_position_rows(const sortie_position *position) {
    return game_shape(position->game, position->board).rows;
}

int sortie_position_columns(const sortie_position *position) {
    return game_shape(position->game, position->board).columns;
}

int sortie_position_to_move(const sortie_position *position) {
    return position->game->to_move(position->board);
}

int sortie_position_is_over(const sortie_position *position) {
    return position->game->over(position->board);
}

int sortie_position_played(const sortie_position *position) {
    return position->played;
}

int sortie_position_score(const sortie_position *position) {
    return (int)position->game->score(position->board);
}

uint64_t sortie_position_hash(const sortie_position *position) {
    return position->game->hash(position->board);
}

int sortie_position_moves(const sortie_position *position, sortie_move *moves, int capacity) {
    game_move *codes = malloc((size_t)position->game->properties->most_moves * sizeof *codes);
    if (!codes) {
        return -1;
    }
    int count = position->game->moves(position->board, codes);
    for (int i = 0; i < count && i < capacity; i++) {
        position->game->move_text(position->board, codes[i], moves[i]);
    }
    free(codes);
    return count;
}

sortie_status sortie_position_cell(const sortie_position *position, int row, int column, sortie_cell *cell,
                                   sortie_error *error) {
    if (row < 0 || column < 0 || row >= sortie_position_rows(position) || column >= sortie_position_columns(position)) {
        return api_bad(error, "expected a row and a column of the board, counted from 0");
    }
    struct game_cell inner;
    position->game->cell(position->board, row, column, &inner);
    sortie_cell known = {.ink = (sortie_ink)inner.ink, .glyph = inner.glyph, .last = inner.last};
    memcpy(known.label, inner.label, sizeof known.label);
    return api_give(cell, &known, sizeof known) ? SORTIE_OK : api_bad(error, "expected the cell's size to be set");
}

/* -- playing on them -- */

sortie_status api_play(sortie_position *position, game_move move, sortie_error *error) {
    if (position->played == position->capacity) {
        int capacity = position->capacity ? 2 * position->capacity : 32;
        struct api_ply *plies = realloc(position->plies, (size_t)capacity * sizeof *plies);
        if (!plies) {
            return api_no_memory(error);
        }
        position->plies = plies;
        position->capacity = capacity;
    }
    struct api_ply *ply = &position->plies[position->played++];
    ply->move = move;
    position->game->play(position->board, move, &ply->undo);
    return SORTIE_OK;
}

sortie_status sortie_position_play(sortie_position *position, const char *move, sortie_error *error) {
    game_move code;
    if (!move) {
        return api_bad(error, "expected a move");
    }
    enum status status = position->game->parse_move(position->board, move, strlen(move), &code, api_error(error));
    return status == STATUS_OK ? api_play(position, code, error) : (sortie_status)status;
}

sortie_status sortie_position_undo(sortie_position *position, sortie_error *error) {
    if (position->played == 0) {
        return api_bad(error, "expected a move to take back, none was played");
    }
    position->game->undo(position->board, &position->plies[--position->played].undo);
    return SORTIE_OK;
}

/* -- showing them -- */

char *sortie_position_text(const sortie_position *position) {
    struct text text = TEXT_EMPTY;
    position->game->write(position->board, &text);
    return api_release(&text);
}

char *sortie_position_svg(const sortie_position *position) {
    struct text text = TEXT_EMPTY;
    draw_svg(position->game, position->board, &text);
    return api_release(&text);
}

char *sortie_position_caption(const sortie_position *position) {
    struct text text = TEXT_EMPTY;
    draw_caption(position->game, position->board, &text);
    return api_release(&text);
}

char *sortie_position_drawing(const sortie_position *position, int colour) {
    struct text text = TEXT_EMPTY;
    draw_terminal(position->game, position->board, colour != 0, &text);
    return api_release(&text);
}

sortie_status sortie_position_sgf(const sortie_position *position, char **out, sortie_error *error) {
    if (position->game != &gomoku_game) {
        return api_bad(error, "expected a game of Gomoku, others have no SGF");
    }
    struct text text = TEXT_EMPTY;
    sgf_write((const struct gomoku_position *)position->board, &text);
    *out = api_release(&text);
    return *out ? SORTIE_OK : api_no_memory(error);
}

/* -- what is known beforehand -- */

sortie_status sortie_proofs_add(const char *game, const char *bytes, size_t length, size_t *positions,
                                sortie_error *error) {
    const struct game *found = game ? game_find(game, strlen(game)) : NULL;
    size_t count = 0;
    if (!found || !found->known_add) {
        return api_bad(error, "expected a game that proofs can be added to: gomoku");
    }
    sortie_status status = (sortie_status)found->known_add(bytes, length, &count, api_error(error));
    if (status == SORTIE_OK && positions) {
        *positions = count;
    }
    return status;
}

int sortie_position_proved(const sortie_position *position, sortie_result *result) {
    const struct game *game = position->game;
    struct game_known known;
    if (!game->known || game->over(position->board) || !game->known(position->board, NULL, &known)) {
        return 0;
    }
    int value = known.won ? GAME_WIN_VALUE - known.plies : known.plies - GAME_WIN_VALUE;
    sortie_result told = {.value = value, .proved = 1, .lower = value, .upper = value};
    told.lower = known.won ? value : -GAME_WIN_VALUE;
    told.upper = known.won ? GAME_WIN_VALUE : value;
    game->move_text(position->board, known.move, told.move);
    return api_give(result, &told, sizeof told);
}

/* -- the swap of Gomoku -- */

/* The swap is known on the board it was measured on, under the rules it is played with. */
static bool has_swap(const sortie_position *position) {
    const struct gomoku_position *board = (const struct gomoku_position *)position->board;
    return position->game == &gomoku_game && board->size == GOMOKU_SWAP_SIZE;
}

int sortie_position_swap(const sortie_position *position) {
    const struct gomoku_position *board = (const struct gomoku_position *)position->board;
    if (!has_swap(position) || board->count != 1) {
        return -1;
    }
    position->game->known_prepare();
    return gomoku_swap_take(board->order[0]);
}

sortie_status sortie_position_swap_opening(const sortie_position *position, uint64_t seed, sortie_move move,
                                           sortie_error *error) {
    if (!has_swap(position) || ((const struct gomoku_position *)position->board)->count != 0) {
        return api_bad(error, "expected an empty Gomoku board of 15x15");
    }
    struct rng rng = {seed};
    position->game->known_prepare();
    position->game->move_text(position->board, (game_move)gomoku_swap_opening(&rng), move);
    return SORTIE_OK;
}
