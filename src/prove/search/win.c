/* The claim "the hero wins": which moves need to be looked at. The hero tries what it likes. The villain's replies are
 * all looked at; where the hero would win after a pass, that win is replayed against those that could matter, and only
 * those that break it remain. */
#include <string.h>

#include "base/bits.h"
#include "prove/search/prover.h"

#define FOUR_NODES 1000         /* spent on the hero's fours */
#define VILLAIN_FOUR_NODES 1000 /* and on the villain's */
#define BARE_STONES 4           /* on the board */
#define START 40                /* what a move starts with: about as many replies will need an answer */
#define START_PLY 3             /* and more the farther from the root it is, where moves that lead nowhere abound */
#define ROOT_SHARE 250          /* times as many nodes of threats at the root */

/* The hero is to move. */
static enum prove_outcome expand_hero(struct prover *prover, struct pn_children *children, uint16_t hint,
                                      uint16_t *move) {
    struct gboard *board = prover->board;
    int villain = 1 - board->side;
    uint16_t known = prover_known_move(prover);
    if (known != NO_SQUARE) {
        *move = known;
        return PROVE_YES;
    }
    if (board->count + 1 >= board->squares) {
        return gboard_set_empty(board, board->side, SET_FIVE) ? PROVE_NO : PROVE_YES;
    }
    int against = gboard_set_count(board, villain, SET_FIVE);
    if (gboard_set_empty(board, board->side, SET_FIVE) && against > 1) {
        return PROVE_NO;
    }
    uint64_t share = prover->ply == 0 ? ROOT_SHARE : 1;
    if (prover_wins(prover, share * FOUR_NODES, share * prover->settings.threat_nodes, move)) {
        return PROVE_YES;
    }
    uint64_t squares[GBOARD_WORDS];
    bool forced = true;
    if (against == 1) {
        memcpy(squares, board->sets[villain][SET_FIVE], sizeof squares);
    } else if (!moves_forced(board, squares)) {
        forced = false;
        moves_near(board, squares);
    }
    prover->path[prover->ply] = forced ? NODE_FORCED : NODE_FREE;
    prover_candidates(prover, squares, prover->settings.width, hint, children);
    for (int i = 0; i < children->count; i++) {
        children->list[i].value.delta += (uint32_t)(START + START_PLY * prover->ply);
    }
    children->patient = guide_stones(prover) < BARE_STONES; /* changing one's mind between bare moves is dear */
    return children->count > 0 ? PROVE_OPEN : PROVE_NO;
}

/* Lists the replies: strong ones first, since one that cannot be answered settles it; where nearly all will have to be
 * answered weak ones first, for what they teach, and each thread begins elsewhere. */
static void list_replies(const struct prover *prover, const struct squares *replies, struct pn_children *children) {
    const struct gboard *board = prover->board;
    struct scored_move moves[GOMOKU_MOST_SQUARES];
    int count = 0;
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = replies->words[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            int score = move_score(board, square, (const uint16_t[2]){NO_SQUARE, NO_SQUARE});
            score = children->patient ? -score : score;
            count = moves_insert(moves, count, GOMOKU_MOST_SQUARES,
                                 (struct scored_move){.square = (uint16_t)square, .score = score});
        }
    }
    const struct prove_settings *settings = &prover->settings;
    int from = children->patient && settings->workers > 1 ? settings->worker * count / settings->workers : 0;
    for (int i = 0; i < count; i++) {
        children->list[i] = (struct pn_child){.square = moves[(from + i) % count].square, .value = {1, 1}};
    }
    children->count = count;
}

/* Whether the hero may have made a move here that threatens nothing: with the first stones there is no other, later
 * such moves are many and rarely needed, unless the engine advised it or did so on another way to the position. A move
 * that had to parry a threat of the villain's after a bare one is as bare as that was. */
static bool may_be_bare(struct prover *prover) {
    int ply = prover->ply;
    bool parried = ply >= 2 && prover->path[ply - 1] == NODE_FORCED && prover->path[ply - 2] == NODE_BARE;
    return ply <= prover->bare_plies || guide_stones(prover) <= BARE_STONES || parried || prover->advised ||
           prover_left_open(prover);
}

/* The villain is to move. */
static enum prove_outcome expand_villain(struct prover *prover, struct pn_children *children) {
    struct gboard *board = prover->board;
    int hero = 1 - board->side;
    uint16_t move;
    if (!gboard_set_empty(board, board->side, SET_FIVE)) {
        return PROVE_NO;
    }
    struct squares replies = {0};
    children->patient = false;
    int fives = gboard_set_count(board, hero, SET_FIVE);
    if (fives > 1) {
        return PROVE_YES;
    }
    if (board->count + 2 >= board->squares) {
        return PROVE_NO;
    }
    if (fives == 1) {
        memcpy(replies.words, board->sets[hero][SET_FIVE], sizeof replies.words);
    } else if (threats_fours(&prover->threats, VILLAIN_FOUR_NODES, &move)) {
        return PROVE_NO;
    } else {
        children->patient = !prover_replies(prover, FOUR_NODES, prover->settings.threat_nodes, &replies);
        if (children->patient && !may_be_bare(prover)) {
            return PROVE_NO;
        }
    }
    prover->path[prover->ply] = children->patient ? NODE_BARE : NODE_FREE;
    list_replies(prover, &replies, children);
    return children->count > 0 ? PROVE_OPEN : PROVE_YES;
}

enum prove_outcome win_expand(struct prover *prover, struct pn_children *children, uint16_t hint, uint16_t *move) {
    return prover_hero_moves(prover) ? expand_hero(prover, children, hint, move) : expand_villain(prover, children);
}
