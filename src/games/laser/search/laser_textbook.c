/* Alpha-beta of the textbook when nobody watches: the same value and the same root move, found faster. With a
 * visitor, and for greedy and minimax, the plain ones of search/textbook.h run.
 *
 * The evaluation is the margin as it stands, so a node needs only the difference so far and what each move
 * covers afresh. The root's moves keep their order, which decides between equal ones; below it moves that cover
 * much come first, and at the last ply the best move is simply the greatest gain. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "games/laser/kernel/kernel.h"
#include "search/textbook.h"

/* One square and what it gains. */
struct gain {
    int16_t square;
    int16_t fresh;
};

struct walk {
    struct laser_beams beams;
    const struct textbook_request *request;
    struct search_result *result;
    uint64_t covered[LASER_MOST_PLIES + 2][2][LASER_WORDS]; /* a ply: of the side to move, of the other */
};

static bool laser_textbook_is_stopped(const struct walk *walk) {
    return textbook_asked_to_stop(walk->request);
}

/* The free squares of a ply with their gains for the side to move, row by row; returns how many. */
static int list_gains(const struct walk *walk, int ply, struct gain *gains) {
    int words = walk->beams.words;
    const uint64_t *mine = walk->covered[ply][0];
    const uint64_t *theirs = walk->covered[ply][1];
    int count = 0;
    for (int word = 0; word < words; word++) {
        for (uint64_t free = walk->beams.open[word] & ~(mine[word] | theirs[word]); free;) {
            int square = 64 * word + bits_pop(&free);
            const uint64_t *beams = walk->beams.beams + square * words;
            int fresh = 0;
            for (int i = 0; i < words; i++) {
                fresh += bits_count(beams[i] & ~mine[i]);
            }
            gains[count++] = (struct gain){(int16_t)square, (int16_t)fresh};
        }
    }
    return count;
}

static int by_gain(const void *a, const void *b) {
    const struct gain *first = a;
    const struct gain *second = b;
    return first->fresh != second->fresh ? second->fresh - first->fresh : first->square - second->square;
}

static void laser_textbook_play(struct walk *walk, int ply, int square) {
    int words = walk->beams.words;
    const uint64_t *beams = walk->beams.beams + square * words;
    for (int i = 0; i < words; i++) {
        walk->covered[ply + 1][1][i] = walk->covered[ply][0][i] | beams[i];
        walk->covered[ply + 1][0][i] = walk->covered[ply][1][i];
    }
}

/* The value of the `depth` plies to come for the side to move, beyond the margin so far. */
static int laser_textbook_node(struct walk *walk, int ply, int depth, int alpha, int beta) {
    walk->result->nodes++;
    struct gain gains[LASER_MOST_SQUARES];
    int count = depth > 0 ? list_gains(walk, ply, gains) : 0;
    if (count == 0) {
        walk->result->leaves++;
        return 0;
    }
    if (depth == 1) {
        int best = 0;
        for (int i = 0; i < count; i++) {
            best = gains[i].fresh > best ? gains[i].fresh : best;
        }
        walk->result->nodes += (uint64_t)count;
        walk->result->leaves += (uint64_t)count;
        return best;
    }
    if (ply > 0) {
        qsort(gains, (size_t)count, sizeof *gains, by_gain);
    }
    int best = -GAME_INFINITY;
    for (int i = 0; i < count && !laser_textbook_is_stopped(walk); i++) {
        int fresh = gains[i].fresh;
        laser_textbook_play(walk, ply, gains[i].square);
        int floor = best > alpha ? best : alpha;
        int value = fresh - laser_textbook_node(walk, ply + 1, depth - 1, fresh - beta, fresh - floor);
        if (value > best) {
            best = value;
            if (ply == 0) {
                walk->result->move = (game_move)gains[i].square;
            }
        }
        if (best >= beta) {
            walk->result->cutoffs++;
            break;
        }
    }
    return best;
}

void laser_textbook(const struct game_position *generic, const struct textbook_request *request,
                    struct search_result *result) {
    const struct laser_position *position = (const struct laser_position *)generic;
    struct walk *walk =
        request->method == TEXTBOOK_ALPHABETA && request->depth > 1 && !request->visitor && !request->progress
            ? malloc(sizeof *walk)
            : NULL;
    if (!walk) {
        textbook_search(&laser_game, generic, request, result);
        return;
    }
    memset(result, 0, sizeof *result);
    result->move = GAME_NO_MOVE;
    result->depth = request->depth;
    laser_beams_init(&walk->beams, position, laser_words(position->size));
    walk->request = request;
    walk->result = result;
    memcpy(walk->covered[0][0], position->covered[position->to_move], sizeof walk->covered[0][0]);
    memcpy(walk->covered[0][1], position->covered[1 - position->to_move], sizeof walk->covered[0][1]);
    game_score margin = laser_game.score(generic);
    int depth = request->depth < LASER_MOST_PLIES ? request->depth : LASER_MOST_PLIES;
    result->value = (position->to_move == 0 ? margin : -margin) +
                    laser_textbook_node(walk, 0, depth, -GAME_INFINITY, GAME_INFINITY);
    game_move moves[LASER_MOST_SQUARES];
    if (result->move == GAME_NO_MOVE && laser_game.moves(generic, moves) > 0) {
        result->move = moves[0]; /* stopped before the first move was through */
    }
    if (result->move != GAME_NO_MOVE) {
        result->pv_length = 1;
        result->pv[0] = result->move;
    }
    free(walk);
}
