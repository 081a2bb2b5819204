/* Victory by continuous threats. The attacker makes fours and open threes; after a three the defender may play every
 * square that stops the open four, and every four of its own. Since that set is complete (any other reply loses to
 * the open four), a win found here is a proof. The search deepens by attacker's moves, so that short wins come
 * first. */
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "games/gomoku/search/search.h"

#define ATTACK_KEY 0x5bd1e995a3c59ac3ULL /* keeps its entries apart from those of the fours */
#define MOST_ATTACKS 40

static int attack(struct vcf *vcf, int depth, uint16_t *best);

/* The attacker has just moved. The longest the defender can hold out in plies, or 0 when it has a defence; *reply is
 * the move that holds out longest or refutes. */
static int defend(struct vcf *vcf, int depth, uint16_t *reply) {
    struct gboard *board = vcf->board;
    int side = board->side;
    int attacker = 1 - side;
    uint64_t squares[GBOARD_WORDS];
    *reply = NO_SQUARE;
    if (!gboard_set_empty(board, side, SET_FIVE)) {
        return 0;
    }
    int threats = gboard_set_count(board, attacker, SET_FIVE);
    if (threats > 0) {
        *reply = (uint16_t)gboard_set_first(board, attacker, SET_FIVE);
        moves_stops(board, squares);
        if (moves_none(squares)) {
            return 2;
        }
    } else if (!gboard_set_empty(board, side, SET_OPEN_FOUR) || !moves_forced(board, squares)) {
        return 0; /* the defender wins first, or there was no threat at all */
    }
    int longest = 4; /* nothing stops the open four */
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            uint16_t next;
            vcf->nodes++;
            gboard_play(board, square);
            int rest = attack(vcf, depth, &next);
            gboard_undo(board);
            if (rest == 0 || vcf_out(vcf)) {
                *reply = (uint16_t)square;
                return 0;
            }
            if (rest + 1 > longest || *reply == NO_SQUARE) {
                longest = rest + 1 > longest ? rest + 1 : longest;
                *reply = (uint16_t)square;
            }
        }
    }
    return longest;
}

/* The threats worth trying, likely ones first. When the other side threatens an open four, only what answers it. */
static int collect_threats(const struct gboard *board, struct scored_move *moves) {
    int side = board->side;
    uint64_t allowed[GBOARD_WORDS];
    if (!gboard_set_empty(board, 1 - side, SET_FIVE)) {
        memcpy(allowed, board->sets[1 - side][SET_FIVE], sizeof allowed);
    } else if (!moves_forced(board, allowed)) {
        memset(allowed, 0xff, sizeof allowed);
    }
    int count = 0;
    for (int word = 0; word < board->words; word++) {
        uint64_t threats = board->sets[side][SET_FOUR][word] | board->sets[side][SET_THREE][word];
        for (uint64_t left = threats & allowed[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            if (!gboard_is_open_to(board, side, square)) {
                continue;
            }
            int score = move_score(board, square, (const uint16_t[2]){NO_SQUARE, NO_SQUARE});
            count = moves_insert(moves, count, MOST_ATTACKS,
                                 (struct scored_move){.square = (uint16_t)square, .score = score});
        }
    }
    return count;
}

/* The attacker is to move: plies to the five, or 0. */
static int attack(struct vcf *vcf, int depth, uint16_t *best) {
    struct gboard *board = vcf->board;
    int side = board->side;
    int other = 1 - side;
    *best = NO_SQUARE;
    if (!gboard_set_empty(board, side, SET_FIVE)) {
        *best = (uint16_t)gboard_set_first(board, side, SET_FIVE);
        return 1;
    }
    bool threatened = !gboard_set_empty(board, other, SET_FIVE);
    if (!threatened && !gboard_set_empty(board, side, SET_OPEN_FOUR)) {
        int open = gboard_first_open(board, side, SET_OPEN_FOUR);
        if (open >= 0) {
            *best = (uint16_t)open;
            return 3;
        }
    }
    if (depth <= 0 || board->count + 2 >= board->squares || vcf_out(vcf)) {
        vcf->cut_short = true;
        return 0;
    }
    uint64_t key = board->hash ^ ATTACK_KEY;
    struct vcf_entry *entry = &vcf->entries[key & vcf->mask];
    if (entry->key == key && (entry->plies > 0 || entry->depth >= depth)) {
        *best = entry->move;
        vcf->cut_short = vcf->cut_short || (entry->plies == 0 && entry->depth != VCF_COMPLETE);
        return entry->plies;
    }
    struct scored_move moves[MOST_ATTACKS];
    int count = collect_threats(board, moves);
    int plies = 0;
    bool cut_before = vcf->cut_short;
    /* Perhaps not all of them: in caro a five is stopped at its ends too, in renju an open three can be in doubt. */
    vcf->cut_short = count == MOST_ATTACKS || gboard_is_peculiar(board);
    for (int i = 0; i < count && plies == 0; i++) {
        uint16_t reply;
        vcf->nodes++;
        gboard_play(board, moves[i].square);
        int rest = defend(vcf, depth - 1, &reply);
        gboard_undo(board);
        if (rest > 0) {
            plies = rest + 1;
            *best = moves[i].square;
        } else if (vcf_out(vcf)) {
            return 0;
        }
    }
    *entry = (struct vcf_entry){
        .key = key, .move = *best, .depth = vcf->cut_short ? (uint16_t)depth : VCF_COMPLETE, .plies = (int16_t)plies};
    vcf->cut_short = vcf->cut_short || cut_before;
    return plies;
}

int vct_search(struct vcf *vcf, int depth, uint64_t nodes, uint16_t *move) {
    ASSERT(depth >= 0);
    ASSERT(move);
    int plies = 0;
    vcf->node_limit = vcf->nodes + nodes;
    for (int limit = 1; limit <= depth && plies == 0; limit++) {
        vcf->cut_short = false;
        plies = attack(vcf, limit, move);
        if (vcf_out(vcf) || !vcf->cut_short) {
            break;
        }
    }
    return plies;
}

int vct_line(struct vcf *vcf, int depth, uint64_t nodes, uint16_t *line, int most) {
    ASSERT(most >= 0);
    struct gboard *board = vcf->board;
    int length = 0;
    int played = 0;
    while (length < most) {
        uint16_t move;
        int plies = vct_search(vcf, depth, nodes, &move);
        if (plies == 0) {
            break;
        }
        line[length++] = move;
        if (plies == 1 || length == most) {
            break;
        }
        gboard_play(board, move);
        played++;
        uint16_t reply = NO_SQUARE;
        vcf->node_limit = vcf->nodes + nodes;
        defend(vcf, depth, &reply);
        if (reply == NO_SQUARE) { /* nothing stops the open four: any square, so the one it is made on */
            reply = (uint16_t)gboard_set_first(board, 1 - board->side, SET_OPEN_FOUR);
        }
        if (!gboard_is_open_to(board, board->side, reply)) {
            break; /* what would be stopped next is forbidden */
        }
        line[length++] = reply;
        gboard_play(board, reply);
        played++;
    }
    while (played-- > 0) {
        gboard_undo(board);
    }
    return length;
}
