/* Best moves of the war board and Laser Checkmate: boards that the exact solvers finish, on which one move leads to
 * more than all others. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "puzzle.h"

#define MOST_MOVES 256

/* What a board is worth by each of its moves. */
struct worth {
    int count;
    int best; /* index of the best move */
    int second;
    sortie_move moves[MOST_MOVES];
    int values[MOST_MOVES];
    uint64_t boards[MOST_MOVES]; /* what the board is afterwards: a Raid that takes nothing is a Stake */
};

static sortie_engine *engine;

static sortie_position *after_move(const sortie_position *position, const char *move) {
    sortie_position *copy = NULL;
    if (sortie_position_copy(position, &copy, NULL) == SORTIE_OK &&
        sortie_position_play(copy, move, NULL) == SORTIE_OK) {
        return copy;
    }
    sortie_position_free(copy);
    return NULL;
}

/* The exact value for the side to move, by the solver; of an ended game its score. */
static bool solve(const sortie_position *position, int *value) {
    static sortie_result result;
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    if (sortie_position_is_over(position)) {
        int score = sortie_position_score(position);
        *value = sortie_position_to_move(position) ? -score : score;
        return true;
    }
    limits.method = SORTIE_ENGINE;
    limits.goal = SORTIE_EXACT;
    result = SORTIE_INIT(sortie_result);
    if (sortie_engine_go(engine, position, &limits, &result, NULL) != SORTIE_OK || !result.proved ||
        result.lower != result.upper) {
        return false;
    }
    *value = result.lower;
    return true;
}

/* Finds what every move is worth, and whether one of them is worth more than all that lead to another board. */
static bool weigh(const sortie_position *position, struct worth *worth) {
    worth->count = sortie_position_moves(position, worth->moves, MOST_MOVES);
    if (worth->count < 2 || worth->count > MOST_MOVES) {
        return false;
    }
    int side = sortie_position_to_move(position);
    worth->best = 0;
    for (int i = 0; i < worth->count; i++) {
        sortie_position *after = after_move(position, worth->moves[i]);
        int value = 0;
        bool fine = after && solve(after, &value);
        int mover = after ? sortie_position_to_move(after) : side;
        worth->values[i] = mover == side ? value : -value;
        worth->boards[i] = after ? sortie_position_hash(after) : 0;
        sortie_position_free(after);
        if (!fine) {
            return false;
        }
        worth->best = worth->values[i] > worth->values[worth->best] ? i : worth->best;
    }
    int other = -1;
    for (int i = 0; i < worth->count; i++) {
        if (worth->boards[i] != worth->boards[worth->best] && (other < 0 || worth->values[i] > worth->values[other])) {
            other = i;
        }
    }
    worth->second = other < 0 ? 0 : worth->values[other];
    return other >= 0 && worth->values[worth->best] > worth->second;
}

/* Whether the move that looks best at once is the right one. */
static bool greedy_finds(const sortie_position *position, const struct worth *worth) {
    static sortie_result result;
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = SORTIE_GREEDY;
    result = SORTIE_INIT(sortie_result);
    return sortie_engine_go(engine, position, &limits, &result, NULL) == SORTIE_OK &&
           strcmp(result.move, worth->moves[worth->best]) == 0;
}

/* How many different boards the moves lead to. */
static int choices(const struct worth *worth) {
    int count = 0;
    for (int i = 0; i < worth->count; i++) {
        bool seen = false;
        for (int j = 0; j < i; j++) {
            seen = seen || worth->boards[j] == worth->boards[i];
        }
        count += !seen;
    }
    return count;
}

/* A board of this game part of the way through a random game, with so few choices that it can be solved and a person
 * can think it through. NULL where the game ended before. */
static sortie_position *draw(const char *game, const char *rules, int size, uint64_t seed, int choices_at_most) {
    struct rng rng = {rng_mix(seed)};
    sortie_start start = SORTIE_INIT(sortie_start);
    start.rules = rules;
    start.rows = size;
    start.random = 1;
    start.seed = rng_next(&rng);
    sortie_position *position = NULL;
    if (sortie_position_start(game, &start, &position, NULL) != SORTIE_OK) {
        return NULL;
    }
    sortie_move moves[MOST_MOVES];
    int count = sortie_position_moves(position, moves, MOST_MOVES);
    while (count > choices_at_most && count <= MOST_MOVES) {
        sortie_position_play(position, moves[rng_below(&rng, (uint32_t)count)], NULL);
        count = sortie_position_moves(position, moves, MOST_MOVES);
    }
    if (count < 4) {
        sortie_position_free(position);
        return NULL;
    }
    return position;
}

/* Whether a board is so one-sided that nobody cares for its best move: on the war board, where a side wins by more than
 * half of all there is. */
static bool is_decided(const sortie_position *position, int value) {
    int32_t values[MOST_MOVES];
    int count = sortie_position_values(position, values, MOST_MOVES);
    int total = 0;
    for (int i = 0; i < count && i < MOST_MOVES; i++) {
        total += values[i];
    }
    return total > 0 && 2 * abs(value) > total;
}

static bool is_there(const struct puzzles *puzzles, const char *text) {
    for (int i = 0; i < puzzles->count; i++) {
        if (strcmp(puzzles->list[i].text, text) == 0) {
            return true;
        }
    }
    return false;
}

/* Takes a drawn board that is a puzzle, and not there already; *machine becomes false when there is no memory. */
static void take(struct puzzles *puzzles, const sortie_position *position, bool *machine) {
    static struct worth worth;
    if (!weigh(position, &worth) || is_decided(position, worth.values[worth.best])) {
        return;
    }
    int several = choices(&worth);
    bool greedy = greedy_finds(position, &worth);
    if (several < 4 || (greedy && puzzles->count % 4 != 0)) {
        return; /* most puzzles are such that the greedy move is wrong */
    }
    int gap = worth.values[worth.best] - worth.second;
    struct puzzle puzzle = {.kind = PUZZLE_BEST,
                            .value = worth.values[worth.best],
                            .second = worth.second,
                            .hard = 4 * several + (greedy ? 0 : 20) + (gap < 10 ? 10 - gap : 0)};
    memcpy(puzzle.move, worth.moves[worth.best], sizeof puzzle.move);
    char *fresh = sortie_position_text(position);
    *machine =
        fresh && puzzle_take_text(&puzzle, fresh) && (is_there(puzzles, puzzle.text) || puzzles_add(puzzles, &puzzle));
    sortie_free(fresh);
}

static bool have_engine(void) {
    sortie_engine_options options = SORTIE_INIT(sortie_engine_options);
    options.hash_bytes = (size_t)32 << 20;
    return engine || sortie_engine_new(&options, &engine, NULL) == SORTIE_OK;
}

/* The sides of the boards that are drawn: those a person can overlook. */
static int size_of(const char *game, uint64_t number) {
    return strcmp(game, "war") == 0 ? 4 + (int)(number % 2) : 5 + (int)(number % 3);
}

bool margins_find(struct puzzles *puzzles, uint64_t seed, const char *game, const char *rules, int count) {
    bool machine = have_engine();
    struct puzzles found = {0};
    uint64_t salt = rng_mix(seed);
    for (const char *at = rules ? rules : game; *at; at++) {
        salt = rng_mix(salt ^ (uint64_t)*at);
    }
    for (uint64_t i = 0; machine && found.count < count; i++) {
        int most = strcmp(game, "war") == 0 ? 8 + (int)(i % 9) : 8 + (int)(i % 13);
        sortie_position *position = draw(game, rules, size_of(game, i), salt + i, most);
        if (position) {
            take(&found, position, &machine);
            sortie_position_free(position);
        }
    }
    for (int i = 0; machine && i < found.count; i++) {
        machine = puzzles_add(puzzles, &found.list[i]);
    }
    puzzles_free(&found);
    fprintf(stderr, "%d puzzles with those of %s\n", puzzles->count, rules ? rules : game);
    return machine;
}

bool margins_check(const struct puzzle *puzzle, const char **why) {
    static struct worth worth;
    sortie_error error = {0};
    sortie_position *position = puzzle_position(puzzle, &error);
    *why = "there is no memory, or no such position";
    if (!position || !have_engine()) {
        sortie_position_free(position);
        return false;
    }
    *why = "no move is worth more than all others";
    bool fine = weigh(position, &worth);
    if (fine) {
        *why = "the move or its value is another";
        sortie_position *after = after_move(position, puzzle->move);
        fine = worth.values[worth.best] == puzzle->value && worth.second == puzzle->second && after &&
               sortie_position_hash(after) == worth.boards[worth.best];
        sortie_position_free(after);
    }
    sortie_position_free(position);
    return fine;
}
