/* What the store knows is a guide where it does not prove the position itself.
 *
 * A stray is the first stone of the game where it is the villain's and stands far from all of the hero's: the hero is
 * then the first player of a game of which that stone is no part, in the other colour, or was to be. What is proved of
 * the position without it, in whatever colours, mostly wins with it too, and its moves are a guide; so are those of the
 * same position with the stray on another square, and without a threat of the villain's that was parried. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "prove/search/prover.h"

#define FAR 4             /* squares away */
#define FEW_STONES 2      /* with so many a move threatens nothing, and all replies need an answer */
#define LEAST_ANSWERED 20 /* of the replies */

/* Whether the square is far from all stones of the hero's, the second player. */
static bool is_far(const struct prover *prover, int square) {
    const struct gomoku_position *position = &prover->start;
    const struct gboard *board = prover->board;
    for (int i = 1; i < position->count; i += 2) {
        int stone = position->order[i];
        if (abs(board->row_of[stone] - board->row_of[square]) < FAR &&
            abs(board->column_of[stone] - board->column_of[square]) < FAR) {
            return false;
        }
    }
    return true;
}

/* The square of the stray, or NO_SQUARE. */
static uint16_t find_stray(const struct prover *prover) {
    const struct gomoku_position *position = &prover->start;
    if (position->count == 0 || prover->settings.hero == 0) {
        return NO_SQUARE; /* the first stone is the hero's */
    }
    return is_far(prover, position->order[0]) ? position->order[0] : NO_SQUARE;
}

void guide_toggle(struct prover *prover, int side, int square) {
    for (int i = 0; prover->stray != NO_SQUARE && i < 8; i++) {
        prover->guide_keys[i] ^= prover->stones[1 - side][prover->turned[i][square]];
    }
}

/* The distance of two squares, squared. */
static int distance_of(const struct gboard *board, int one, int other) {
    int rows = board->row_of[one] - board->row_of[other];
    int columns = board->column_of[one] - board->column_of[other];
    return rows * rows + columns * columns;
}

/* The squares where a stray could as well be, far from the hero's stones, nearest to it first. */
static void find_haunts(struct prover *prover) {
    const struct gboard *board = prover->board;
    struct scored_move squares[GOMOKU_MOST_SQUARES];
    int count = 0;
    for (int square = 0; square < board->squares; square++) {
        if (gboard_is_empty(board, square) && is_far(prover, square)) {
            count = moves_insert(
                squares, count, GOMOKU_MOST_SQUARES,
                (struct scored_move){.square = (uint16_t)square, .score = -distance_of(board, square, prover->stray)});
        }
    }
    for (int i = 0; i < count; i++) {
        prover->haunts[i] = squares[i].square;
    }
    prover->haunt_count = count;
}

void guide_make(struct prover *prover) {
    const struct gomoku_position *position = &prover->start;
    prover->stray = find_stray(prover);
    if (prover->stray != NO_SQUARE) {
        find_haunts(prover);
    }
    for (int i = 0; i < 8; i++) {
        prover->guide_keys[i] = prover_salt(position->size, 1 - prover->settings.hero, prover->settings.claim);
    }
    for (int i = 1; i < position->count; i++) {
        guide_toggle(prover, i & 1, position->order[i]);
    }
}

int guide_stones(const struct prover *prover) {
    return prover->board->count - (prover->stray != NO_SQUARE);
}

/* The store's move in a position with these keys, one a symmetry, where `side` is to move. */
static uint16_t stored_move(const struct prover *prover, const uint64_t keys[8], int side) {
    int symmetry = prover_least_key(keys);
    int64_t move = proved_find(prover->proved, keys[symmetry] ^ prover_side_key(side));
    return move < 0 || move >= prover->board->squares ? NO_SQUARE : prover->returned[symmetry][move];
}

static uint16_t if_empty(const struct prover *prover, uint16_t square) {
    return square != NO_SQUARE && gboard_is_empty(prover->board, square) ? square : NO_SQUARE;
}

/* The same where its square is empty here. */
static uint16_t move_of(const struct prover *prover, const uint64_t keys[8], int side) {
    return if_empty(prover, stored_move(prover, keys, side));
}

/* What wins in the position with its stray elsewhere, as near to where it is as the store knows. */
static uint16_t move_with_stray_moved(const struct prover *prover, const uint64_t own[8]) {
    for (int i = 0; i < prover->haunt_count; i++) {
        uint16_t there = prover->haunts[i];
        if (!gboard_is_empty(prover->board, there)) {
            continue;
        }
        uint64_t keys[8];
        for (int j = 0; j < 8; j++) {
            const uint16_t *turned = prover->turned[j];
            keys[j] = own[j] ^ prover->stones[0][turned[prover->stray]] ^ prover->stones[0][turned[there]];
        }
        uint16_t move = move_of(prover, keys, prover->board->side);
        if (move != NO_SQUARE) {
            return move;
        }
    }
    return NO_SQUARE;
}

/* Where a square of the board goes when all are moved by so many rows and columns, and back by the negatives; at the
 * edge when `kept` and it would leave the board, else NO_SQUARE. */
static uint16_t shift(const struct gboard *board, int square, const int by[2], bool kept) {
    int place[2] = {board->row_of[square] + by[0], board->column_of[square] + by[1]};
    for (int i = 0; i < 2; i++) {
        int inside = place[i] < 0 ? 0 : place[i] >= board->size ? board->size - 1 : place[i];
        if (inside != place[i] && !kept) {
            return NO_SQUARE;
        }
        place[i] = inside;
    }
    return (uint16_t)(place[0] * board->size + place[1]);
}

/* The store's move in a position with these keys, moved by so much to the squares of the board. Where the position is
 * its own mirror image, so does the image of the move win, and *mirrored is set: the one nearest to a square is meant,
 * or the farthest. */
static uint16_t image_of(const struct prover *prover, const uint64_t keys[8], int side, const int by[2], uint16_t place,
                         bool farthest, bool *mirrored) {
    const struct gboard *board = prover->board;
    int symmetry = prover_least_key(keys);
    uint16_t move = stored_move(prover, keys, side);
    uint16_t best = NO_SQUARE;
    int least = INT_MAX;
    *mirrored = false;
    for (int i = 0; i < 8 && move != NO_SQUARE; i++) {
        if (keys[i] == keys[symmetry]) {
            uint16_t image = shift(board, prover->returned[i][prover->turned[symmetry][move]], by, false);
            int distance = image == NO_SQUARE ? INT_MAX : distance_of(board, image, place) * (farthest ? -1 : 1);
            if (distance < least && gboard_is_empty(board, image)) {
                best = image;
                least = distance;
            }
            *mirrored = *mirrored || i != symmetry;
        }
    }
    return best;
}

/* What wins in the position without its stray, by its keys; of two images the one away from the stray. */
static uint16_t move_without_stray(const struct prover *prover, const uint64_t keys[8], bool *mirrored) {
    return image_of(prover, keys, 1 - prover->board->side, (const int[2]){0, 0}, prover->stray, true, mirrored);
}

/* What wins in the position with its stray elsewhere, or without it; by the keys with it and without. */
static uint16_t move_of_stray(const struct prover *prover, const uint64_t with[8], const uint64_t without[8]) {
    if (prover->stray == NO_SQUARE) {
        return NO_SQUARE;
    }
    bool mirrored;
    uint16_t plain = move_without_stray(prover, without, &mirrored);
    uint16_t move = mirrored ? NO_SQUARE : move_with_stray_moved(prover, with);
    return move != NO_SQUARE ? move : plain;
}

/* Takes the stones of threats that were parried after bare moves out of the keys; false when there are none. */
static bool drop_parries(const struct prover *prover, uint64_t with[8], uint64_t without[8]) {
    bool any = false;
    int hero = prover->settings.hero;
    for (int ply = 0; ply + 2 < prover->ply; ply++) {
        if (prover->path[ply] != NODE_BARE || prover->path[ply + 1] != NODE_FORCED) {
            continue;
        }
        const uint16_t *pair = &prover->played[2 + ply];
        for (int i = 0; i < 8; i++) {
            const uint16_t *turned = prover->turned[i];
            with[i] ^= prover->stones[1 - hero][turned[pair[0]]] ^ prover->stones[hero][turned[pair[1]]];
            without[i] ^= prover->stones[hero][turned[pair[0]]] ^ prover->stones[1 - hero][turned[pair[1]]];
        }
        any = true;
    }
    return any;
}

/* What wins in the position without the threats that were parried, with its stray, with it elsewhere or without it. */
static uint16_t move_without_parries(const struct prover *prover) {
    uint64_t with[8];
    uint64_t without[8];
    memcpy(with, prover->keys, sizeof with);
    memcpy(without, prover->guide_keys, sizeof without);
    if (!drop_parries(prover, with, without)) {
        return NO_SQUARE;
    }
    uint16_t move = move_of(prover, with, prover->board->side);
    return move != NO_SQUARE ? move : move_of_stray(prover, with, without);
}

/* The keys of the position moved by so much; false when a stone of the hero's would leave the board, or two would stand
 * on one square. The villain's stop at the edge: far away it does not matter where they are. */
static bool shift_keys(const struct prover *prover, const int by[2], uint64_t keys[8]) {
    const struct gomoku_position *start = &prover->start;
    struct squares taken = {0};
    for (int i = 0; i < 8; i++) {
        keys[i] = prover_salt(start->size, prover->settings.hero, prover->settings.claim);
    }
    for (int i = 0; i < start->count + prover->ply; i++) {
        int later = i - start->count; /* since the root */
        int square = later < 0 ? start->order[i] : prover->played[2 + later];
        int side = later < 0 ? start->board[square] - 1 : prover->board->side ^ ((prover->ply - later) & 1);
        uint16_t there = shift(prover->board, square, by, side != prover->settings.hero);
        if (there == NO_SQUARE || squares_has(&taken, there)) {
            return false;
        }
        squares_add(&taken, there);
        for (int j = 0; j < 8; j++) {
            keys[j] ^= prover->stones[side][prover->turned[j][there]];
        }
    }
    return true;
}

/* What wins in the position moved by so much; of two images the one with more room, nearer to the middle. */
static uint16_t move_from(const struct prover *prover, const int by[2]) {
    const struct gboard *board = prover->board;
    uint64_t keys[8];
    bool mirrored;
    return shift_keys(prover, by, keys) ? image_of(prover, keys, board->side, (const int[2]){-by[0], -by[1]},
                                                   (uint16_t)(board->squares / 2), false, &mirrored)
                                        : NO_SQUARE;
}

/* What wins in the position moved towards the middle, where its first stone, the hero's, stands in the middle at most:
 * as little as the store knows of. The nearer the edges are alike, the likelier it wins here too. */
static uint16_t move_from_middle(const struct prover *prover) {
    const struct gomoku_position *start = &prover->start;
    const struct gboard *board = prover->board;
    uint16_t best = NO_SQUARE;
    int least = INT_MAX;
    if (start->count == 0 || start->board[start->order[0]] - 1 != prover->settings.hero) {
        return NO_SQUARE;
    }
    int middle = board->size / 2;
    int rows = middle - board->row_of[start->order[0]];
    int columns = middle - board->column_of[start->order[0]];
    for (int i = 1; i < (abs(rows) + 1) * (abs(columns) + 1); i++) {
        int by[2] = {i % (abs(rows) + 1) * (rows < 0 ? -1 : 1), i / (abs(rows) + 1) * (columns < 0 ? -1 : 1)};
        int length = by[0] * by[0] + by[1] * by[1];
        uint16_t move = length < least ? move_from(prover, by) : NO_SQUARE;
        if (move != NO_SQUARE) {
            best = move;
            least = length;
        }
    }
    return best;
}

/* How many replies to the move just played have a proved answer. */
static int count_answered(const struct prover *prover) {
    int count = 0;
    for (int square = 0; square < prover->board->squares; square++) {
        count += gboard_is_empty(prover->board, square) &&
                 proved_find(prover->proved, prover_key_after(prover, square)) >= 0;
    }
    return count;
}

/* The move that most replies have a proved answer to, if there are enough of them: an earlier search was at it. */
static uint16_t move_most_answered(struct prover *prover) {
    uint64_t near[GBOARD_WORDS];
    uint16_t best = NO_SQUARE;
    int most = LEAST_ANSWERED - 1;
    moves_near(prover->board, near);
    for (int word = 0; word < prover->board->words; word++) {
        for (uint64_t left = near[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            prover_play(prover, square);
            int count = count_answered(prover);
            prover_undo(prover);
            best = count > most ? (uint16_t)square : best;
            most = count > most ? count : most;
        }
    }
    return best;
}

uint16_t guide_move(struct prover *prover) {
    uint16_t move = move_of_stray(prover, prover->keys, prover->guide_keys);
    move = move != NO_SQUARE ? move : move_from_middle(prover);
    move = move != NO_SQUARE ? move : larger_move(prover);
    move = move != NO_SQUARE ? move : move_without_parries(prover);
    bool few = guide_stones(prover) <= FEW_STONES;
    /* Once the position has been searched the numbers tell more. */
    return move == NO_SQUARE && few && !prover_seen(prover) ? move_most_answered(prover) : move;
}
