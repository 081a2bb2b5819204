#include "games/gomoku/search/within.h"

#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "base/rng.h"
#include "games/gomoku/search/search.h"

#define ENTRIES ((size_t)1 << 19)

struct entry {
    uint64_t key;
    uint16_t move;
    uint16_t answer; /* of enum within_answer */
};

struct within {
    struct gboard board;
    struct gboard_history history;
    struct entry *entries;
    uint64_t salt; /* in every key: the board's size */
    uint64_t nodes;
    uint64_t limit;
};

struct within *within_new(void) {
    struct within *within = calloc(1, sizeof *within);
    struct entry *entries = calloc(ENTRIES, sizeof *entries);
    if (!within || !entries) {
        free(within);
        free(entries);
        return NULL;
    }
    within->entries = entries;
    return within;
}

void within_free(struct within *within) {
    if (within) {
        free(within->entries);
        free(within);
    }
}

/* The least kind of a line on which a stone, itself counted, makes `stones` of a five. */
static int kind_of_stones(int stones) {
    static const uint8_t kinds[] = {KIND_BLOCKED_ONE,   KIND_BLOCKED_ONE, KIND_BLOCKED_TWO,
                                    KIND_BLOCKED_THREE, KIND_FOUR,        KIND_FIVE};
    return kinds[stones < 0 ? 0 : stones > 5 ? 5 : stones];
}

/* The greatest kind of a square's four lines. */
static int greatest_kind(const struct gboard *board, int side, int square) {
    return board->tables->kinds_of[gboard_code(board, side, square)][3];
}

/* The empty squares among `allowed` that lie on a line where the side to move comes to `own` stones or the other side
 * to `others`, likely ones first. */
static int collect(const struct gboard *board, const uint64_t *allowed, int own, int others,
                   struct scored_move *moves) {
    int side = board->side;
    int own_kind = kind_of_stones(own);
    int other_kind = kind_of_stones(others);
    int count = 0;
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = board->empty[word] & allowed[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            if (greatest_kind(board, side, square) < own_kind && greatest_kind(board, 1 - side, square) < other_kind) {
                continue;
            }
            int score = move_score(board, square, (const uint16_t[2]){NO_SQUARE, NO_SQUARE});
            count = moves_insert(moves, count, GOMOKU_MOST_SQUARES,
                                 (struct scored_move){.square = (uint16_t)square, .score = score});
        }
    }
    return count;
}

static enum within_answer attack(struct within *within, int moves, uint16_t *best);

/* What a reply comes to. */
static enum within_answer answer_reply(struct within *within, int square, int moves) {
    uint16_t next;
    gboard_play(&within->board, square);
    enum within_answer answer = attack(within, moves, &next);
    gboard_undo(&within->board);
    return answer;
}

/* The defender is to move, and the attacker has `moves` left. */
static enum within_answer defend(struct within *within, int moves) {
    struct gboard *board = &within->board;
    int side = board->side;
    int attacker = 1 - side;
    /* 1. A five of the defender's, or two of the attacker's. */
    if (!gboard_set_empty(board, side, SET_FIVE) || moves < 1) {
        return WITHIN_NO;
    }
    int fives = gboard_set_count(board, attacker, SET_FIVE);
    if (fives > 1) {
        return WITHIN_YES;
    }
    if (fives == 1) {
        return answer_reply(within, gboard_set_first(board, attacker, SET_FIVE), moves);
    }
    /* 2. What does not win after a pass wins after no reply: a stone more never hurts. */
    if (moves == 1 || (moves == 2 && gboard_set_empty(board, attacker, SET_OPEN_FOUR))) {
        return WITHIN_NO;
    }
    uint16_t threat;
    gboard_pass(board);
    enum within_answer passed = attack(within, moves, &threat);
    gboard_pass(board);
    if (passed != WITHIN_YES) {
        return passed;
    }
    /* 3. The replies that matter: on the attacker's lines, or on those that can become a five of the defender's before
     * the attacker's last move. Against an open four only what stops it. */
    uint64_t allowed[GBOARD_WORDS];
    if (!moves_forced(board, allowed)) {
        memset(allowed, 0xff, sizeof allowed);
    }
    struct scored_move replies[GOMOKU_MOST_SQUARES];
    int count = collect(board, allowed, 6 - moves, 6 - moves, replies);
    for (int i = 0; i < count; i++) {
        enum within_answer answer = answer_reply(within, replies[i].square, moves);
        if (answer != WITHIN_YES) {
            return answer;
        }
    }
    return WITHIN_YES;
}

/* What is settled at once, or WITHIN_UNKNOWN; *only is then the one square that stops a five, or NO_SQUARE. */
static enum within_answer attack_at_once(const struct gboard *board, int moves, uint16_t *best, uint16_t *only) {
    int side = board->side;
    *only = NO_SQUARE;
    if (!gboard_set_empty(board, side, SET_FIVE)) {
        *best = (uint16_t)gboard_set_first(board, side, SET_FIVE);
        return moves >= 1 ? WITHIN_YES : WITHIN_NO;
    }
    int against = gboard_set_count(board, 1 - side, SET_FIVE);
    if (moves < 2 || against > 1) {
        return WITHIN_NO;
    }
    if (against == 1) {
        *only = (uint16_t)gboard_set_first(board, 1 - side, SET_FIVE);
        *best = *only;
        return gboard_in_set(board, side, SET_OPEN_FOUR, *only) ? WITHIN_YES : moves > 2 ? WITHIN_UNKNOWN : WITHIN_NO;
    }
    if (!gboard_set_empty(board, side, SET_OPEN_FOUR)) {
        *best = (uint16_t)gboard_set_first(board, side, SET_OPEN_FOUR);
        return WITHIN_YES;
    }
    return moves > 2 ? WITHIN_UNKNOWN : WITHIN_NO;
}

/* The moves that may win within `moves`, when fewer do not suffice. */
static int collect_attacks(const struct gboard *board, int moves, uint16_t only, struct scored_move *list) {
    if (only != NO_SQUARE) {
        list[0] = (struct scored_move){.square = only};
        return 1;
    }
    uint64_t allowed[GBOARD_WORDS];
    if (!moves_forced(board, allowed)) {
        memset(allowed, 0xff, sizeof allowed);
    }
    return collect(board, allowed, 6 - moves, 7 - moves, list);
}

/* The attacker is to move. */
static enum within_answer attack(struct within *within, int moves, uint16_t *best) {
    struct gboard *board = &within->board;
    uint16_t only;
    *best = NO_SQUARE;
    enum within_answer at_once = attack_at_once(board, moves, best, &only);
    if (at_once != WITHIN_UNKNOWN) {
        return at_once;
    }
    uint64_t key = board->hash ^ within->salt ^ rng_mix((uint64_t)moves);
    struct entry *entry = &within->entries[key & (ENTRIES - 1)];
    if (entry->key == key) {
        *best = entry->move;
        return entry->answer;
    }
    /* Fewer moves first: a stone that does nothing within these needs no look only when they do not suffice. */
    enum within_answer answer = moves > 3 ? attack(within, moves - 1, best) : WITHIN_NO;
    struct scored_move list[GOMOKU_MOST_SQUARES];
    int count = answer == WITHIN_NO ? collect_attacks(board, moves, only, list) : 0;
    for (int i = 0; i < count && answer == WITHIN_NO; i++) {
        if (++within->nodes > within->limit) {
            return WITHIN_UNKNOWN;
        }
        gboard_play(board, list[i].square);
        answer = defend(within, moves - 1);
        gboard_undo(board);
        *best = list[i].square;
    }
    if (answer != WITHIN_UNKNOWN) {
        *entry = (struct entry){.key = key, .move = *best, .answer = (uint16_t)answer};
    }
    return answer;
}

/* -- the questions -- */

/* Gets ready for a question about a position. */
static void ask(struct within *within, const struct gomoku_position *position, uint64_t nodes) {
    ASSERT(position->variant == GOMOKU_FREESTYLE && position->winner == GOMOKU_NO_WINNER);
    gboard_load(&within->board, position, &within->history);
    within->salt = rng_mix((uint64_t)position->size << 8);
    within->nodes = 0;
    within->limit = nodes;
}

/* Whether so many moves of each side fit on the board: the end of the board is not thought of. */
static bool has_room(const struct gomoku_position *position, int moves) {
    return position->count + 2 * moves + 2 <= position->size * position->size;
}

enum within_answer within_wins(struct within *within, const struct gomoku_position *position, int moves, uint64_t nodes,
                               uint16_t *move) {
    ASSERT(moves >= 0 && moves <= WITHIN_MOST);
    if (!has_room(position, moves)) {
        return WITHIN_UNKNOWN;
    }
    ask(within, position, nodes);
    return attack(within, moves, move);
}

enum within_answer within_loses(struct within *within, const struct gomoku_position *position, int moves,
                                uint64_t nodes) {
    ASSERT(moves >= 0 && moves <= WITHIN_MOST);
    if (!has_room(position, moves)) {
        return WITHIN_UNKNOWN;
    }
    ask(within, position, nodes);
    return defend(within, moves);
}

int within_shortest(struct within *within, const struct gomoku_position *position, int most, uint64_t nodes,
                    uint16_t *move) {
    for (int moves = 1; moves <= most; moves++) {
        enum within_answer answer = within_wins(within, position, moves, nodes, move);
        if (answer != WITHIN_NO) {
            return answer == WITHIN_YES ? moves : -1;
        }
    }
    return 0;
}

int within_solutions(struct within *within, const struct gomoku_position *position, int moves, uint64_t nodes,
                     uint16_t *squares, int capacity) {
    int count = 0;
    int all = position->size * position->size;
    for (int square = 0; square < all && count < capacity; square++) {
        if (position->board[square] != GOMOKU_EMPTY) {
            continue;
        }
        struct gomoku_position after = *position;
        gomoku_put(&after, square);
        enum within_answer answer =
            after.winner != GOMOKU_NO_WINNER ? WITHIN_YES : within_loses(within, &after, moves - 1, nodes);
        if (answer == WITHIN_UNKNOWN) {
            return -1;
        }
        if (answer == WITHIN_YES) {
            squares[count++] = (uint16_t)square;
        }
    }
    return count;
}

/* How a reply looks among those that hold out equally long: close to what it stops. */
static int looks(struct within *within, const struct gomoku_position *position, int square) {
    gboard_load(&within->board, position, &within->history);
    return move_score(&within->board, square, (const uint16_t[2]){NO_SQUARE, NO_SQUARE});
}

bool within_resist(struct within *within, const struct gomoku_position *position, int moves, uint64_t nodes,
                   uint16_t *reply, int *left) {
    int all = position->size * position->size;
    int best_score = 0;
    *left = 0;
    for (int square = 0; square < all; square++) {
        if (position->board[square] != GOMOKU_EMPTY) {
            continue;
        }
        struct gomoku_position after = *position;
        gomoku_put(&after, square);
        uint16_t move;
        int needs = after.winner == GOMOKU_NO_WINNER ? within_shortest(within, &after, moves, nodes, &move) : 0;
        if (needs <= 0) {
            return false;
        }
        int score = looks(within, position, square);
        if (needs > *left || (needs == *left && score > best_score)) {
            *left = needs;
            best_score = score;
            *reply = (uint16_t)square;
        }
    }
    return *left > 0;
}
