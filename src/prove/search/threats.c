#include "prove/search/threats.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

#define FOUR_ENTRIES ((size_t)1 << 16)
#define FOUR_DEPTH 60
#define MOST_ATTACKS 48
#define MOST_DEPTH 120 /* plies of a win by threats */
#define BUILD_LEAST 2000
#define SECOND_ATTACKS 0xbb67ae8584caa73bULL

/* The numbers that threats start with. A four by itself has one reply, so that a search which goes by replies alone
 * would play off all fours first, in every order, and mostly for nothing. */
static const uint32_t start_of_class[CLASS_COUNT] = {
    [CLASS_THREE] = 4, [CLASS_DOUBLE_THREE] = 2, [CLASS_FOUR] = 5, [CLASS_FOUR_THREE] = 1};

/* What a position comes to without a search. */
enum outcome { OPEN, WON, LOST };

bool threats_make(struct threats *threats, struct gboard *board, struct search_clock *clock, size_t bytes) {
    *threats = (struct threats){.board = board, .clock = clock, .slack = PN_SLACK};
    threats->fours = (struct vcf){.board = board, .mask = FOUR_ENTRIES - 1, .clock = clock, .thorough = true};
    threats->fours.entries = calloc(FOUR_ENTRIES, sizeof *threats->fours.entries);
    return pn_table_make(&threats->table, bytes) && threats->fours.entries;
}

void threats_free(struct threats *threats) {
    free(threats->fours.entries);
    pn_table_free(&threats->table);
}

bool threats_fours(struct threats *threats, uint64_t nodes, uint16_t *move) {
    uint64_t before = threats->fours.nodes;
    int plies = vcf_search(&threats->fours, FOUR_DEPTH, nodes, move);
    threats->nodes += threats->fours.nodes - before;
    return plies > 0;
}

static bool is_out(struct threats *threats) {
    if (threats->nodes % LOOK_STEP == 0) {
        clock_over(threats->clock);
    }
    return threats->nodes >= threats->limit || clock_stopped(threats->clock);
}

/* -- moves -- */

/* The attacker is to move: won or lost at once, or its threats worth trying in *children with numbers to start from. */
static enum outcome list_attacks(const struct threats *threats, struct pn_children *children, uint16_t *move) {
    const struct gboard *board = threats->board;
    int hero = board->side;
    int villain = 1 - hero;
    children->count = 0;
    children->patient = false;
    if (!gboard_set_empty(board, hero, SET_FIVE)) {
        *move = (uint16_t)gboard_set_first(board, hero, SET_FIVE);
        return WON;
    }
    int against = gboard_set_count(board, villain, SET_FIVE);
    if (against > 1) {
        return LOST;
    }
    if (against == 1) { /* its square alone; the threats that were there before may still stand */
        *move = (uint16_t)gboard_set_first(board, villain, SET_FIVE);
        children->list[children->count++] = (struct pn_child){.square = *move, .value = {1, 1}};
        return OPEN;
    }
    if (!gboard_set_empty(board, hero, SET_OPEN_FOUR)) {
        *move = (uint16_t)gboard_set_first(board, hero, SET_OPEN_FOUR);
        return WON;
    }
    uint64_t allowed[GBOARD_WORDS];
    if (!moves_forced(board, allowed)) {
        memset(allowed, 0xff, sizeof allowed);
    }
    struct scored_move moves[MOST_ATTACKS];
    int count = 0;
    for (int word = 0; word < board->words; word++) {
        uint64_t wanted = board->sets[hero][SET_FOUR][word] | (board->sets[hero][SET_THREE][word] & allowed[word]);
        while (wanted) {
            int square = word * 64 + bits_pop(&wanted);
            int score = threats->plain ? -(int)start_of_class[gboard_class(board, hero, square)]
                                       : move_score(board, square, (const uint16_t[2]){NO_SQUARE, NO_SQUARE});
            count = moves_insert(moves, count, MOST_ATTACKS,
                                 (struct scored_move){.square = (uint16_t)square, .score = score});
        }
    }
    for (int i = 0; i < count; i++) {
        uint32_t start = start_of_class[gboard_class(board, hero, moves[i].square)];
        children->list[children->count++] = (struct pn_child){.square = moves[i].square, .value = {1, start}};
    }
    return count > 0 ? OPEN : LOST;
}

/* The defender is to move: won or lost for the attacker, or the replies that do not lose at once. */
static enum outcome list_defences(const struct gboard *board, struct pn_children *children) {
    int villain = board->side;
    int hero = 1 - villain;
    uint64_t squares[GBOARD_WORDS] = {0};
    children->count = 0;
    children->patient = false;
    if (!gboard_set_empty(board, villain, SET_FIVE)) {
        return LOST;
    }
    int fives = gboard_set_count(board, hero, SET_FIVE);
    if (fives > 1) {
        return WON;
    }
    if (fives == 1) {
        memcpy(squares, board->sets[hero][SET_FIVE], sizeof squares);
    } else if (!gboard_set_empty(board, villain, SET_OPEN_FOUR) || !moves_forced(board, squares)) {
        return LOST; /* the defender is faster, or nothing threatens it */
    }
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            children->list[children->count++] =
                (struct pn_child){.square = (uint16_t)(word * 64 + bits_pop(&left)), .value = {1, 1}};
        }
    }
    return children->count > 0 ? OPEN : WON;
}

/* -- the search -- */

static enum outcome list_moves(const struct threats *threats, bool attacking, struct pn_children *children,
                               uint16_t *move) {
    return attacking ? list_attacks(threats, children, move) : list_defences(threats->board, children);
}

/* What the table knows of the children. */
static void look_up(struct threats *threats, struct pn_children *children) {
    uint64_t keys[GOMOKU_MOST_SQUARES];
    for (int i = 0; i < children->count; i++) {
        keys[i] = gboard_hash_after(threats->board, children->list[i].square) ^ threats->attacker;
        pn_table_prepare(&threats->table, keys[i]);
    }
    for (int i = 0; i < children->count; i++) {
        const struct pn_entry *known = pn_table_find(&threats->table, keys[i]);
        if (known) {
            children->list[i].value = known->value;
        }
    }
}

/* Searches the position until one of its numbers reaches the limit. */
static struct pn_value search(struct threats *threats, bool attacking, struct pn_value limits, int depth) {
    struct gboard *board = threats->board;
    struct pn_children children;
    struct pn_entry entry = {.key = board->hash ^ threats->attacker, .move = NO_SQUARE};
    uint64_t before = threats->nodes;
    enum outcome outcome = list_moves(threats, attacking, &children, &entry.move);
    if (outcome == OPEN && (depth >= MOST_DEPTH || board->count + 2 >= board->squares)) {
        outcome = LOST;
    }
    if (outcome != OPEN) {
        entry.value = (outcome == WON) == attacking ? PN_REACHED : PN_FAILED;
        entry.work = 1;
        pn_table_keep(&threats->table, &entry);
        return entry.value;
    }
    look_up(threats, &children);
    for (;;) {
        entry.value = pn_gather(&children);
        if (entry.value.phi >= limits.phi || entry.value.delta >= limits.delta || is_out(threats)) {
            break;
        }
        struct pn_child *best = &children.list[children.best];
        threats->nodes++;
        gboard_play(board, best->square);
        best->value = search(threats, !attacking, pn_limits(&children, limits, threats->slack), depth + 1);
        gboard_undo(board);
    }
    entry.move = entry.value.phi == 0 ? children.list[children.best].square : NO_SQUARE;
    uint64_t work = threats->nodes - before;
    entry.work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX;
    pn_table_keep(&threats->table, &entry);
    return entry.value;
}

/* -- the proof -- */

static int32_t build_attack(struct threats *threats, struct tree *tree);

/* Adds the node of a move that the defender has been given replies to. */
static int32_t build_replies(struct threats *threats, struct tree *tree, int move, int32_t pass,
                             const uint64_t *squares) {
    struct gboard *board = threats->board;
    struct tree_reply replies[GOMOKU_MOST_SQUARES];
    int count = 0;
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            gboard_play(board, square);
            int32_t node = build_attack(threats, tree);
            gboard_undo(board);
            if (node == TREE_NONE) {
                return TREE_NONE;
            }
            replies[count++] = (struct tree_reply){.square = (uint16_t)square, .node = node};
        }
    }
    return tree_add(tree, move, pass, replies, count);
}

/* The attacker has just played `move`, and every reply is known to lose. */
static int32_t build_defence(struct threats *threats, struct tree *tree, int move) {
    struct gboard *board = threats->board;
    int hero = 1 - board->side;
    int fives = gboard_set_count(board, hero, SET_FIVE);
    if (fives > 1) {
        return tree_add(tree, move, TREE_NONE, NULL, 0);
    }
    if (fives == 1) {
        return build_replies(threats, tree, move, TREE_NONE, board->sets[hero][SET_FIVE]);
    }
    int next = gboard_set_first(board, hero, SET_OPEN_FOUR);
    if (next < 0) {
        return TREE_NONE;
    }
    uint64_t squares[GBOARD_WORDS];
    moves_defences(board, hero, next, squares);
    for (int i = 0; i < GBOARD_WORDS; i++) {
        squares[i] |= board->sets[board->side][SET_FOUR][i];
    }
    int32_t pass = tree_add(tree, next, TREE_NONE, NULL, 0);
    return pass == TREE_NONE ? TREE_NONE : build_replies(threats, tree, move, pass, squares);
}

/* The attacker is to move and is known to win: the move out of the table, or found again where it was forgotten. */
static int32_t build_attack(struct threats *threats, struct tree *tree) {
    struct gboard *board = threats->board;
    struct pn_children children;
    uint16_t move;
    enum outcome outcome = list_attacks(threats, &children, &move);
    if (outcome == WON) {
        return tree_add(tree, move, TREE_NONE, NULL, 0);
    }
    const struct pn_entry *entry = pn_table_find(&threats->table, board->hash ^ threats->attacker);
    if (!entry || entry->value.phi != 0) {
        threats->limit = threats->nodes + BUILD_LEAST;
        if (search(threats, true, (struct pn_value){PN_NEVER, PN_NEVER}, 0).phi != 0) {
            return TREE_NONE;
        }
        entry = pn_table_find(&threats->table, board->hash ^ threats->attacker);
    }
    move = entry->move;
    gboard_play(board, move);
    int32_t node = build_defence(threats, tree, move);
    gboard_undo(board);
    return node;
}

/* The proof of a win by fours: one line. */
static int32_t build_fours(struct threats *threats, uint64_t nodes, struct tree *tree) {
    uint16_t line[GOMOKU_MOST_SQUARES];
    int length = vcf_line(&threats->fours, FOUR_DEPTH, nodes, line, GOMOKU_MOST_SQUARES);
    if (length == 0) {
        return TREE_NONE;
    }
    int last = (length - 1) & ~1;
    if (length > 2 && (length & 1)) {
        last -= 2; /* the move that threatens two fives ends it; the five itself need not be told */
    }
    int32_t node = tree_add(tree, line[last], TREE_NONE, NULL, 0);
    for (int i = last - 2; i >= 0 && node != TREE_NONE; i -= 2) {
        struct tree_reply reply = {.square = line[i + 1], .node = node};
        node = tree_add(tree, line[i], TREE_NONE, &reply, 1);
    }
    return node;
}

/* A win by fours and threes, found with so many nodes at most. */
static int32_t search_win(struct threats *threats, uint64_t nodes, struct tree *tree) {
    threats->limit = threats->nodes + nodes;
    threats->attacker = threats->board->side ? SECOND_ATTACKS : 0;
    bool won = search(threats, true, (struct pn_value){PN_NEVER, PN_NEVER}, 0).phi == 0;
    return won ? build_attack(threats, tree) : TREE_NONE;
}

int32_t threats_win(struct threats *threats, uint64_t fours, uint64_t nodes, struct tree *tree) {
    uint16_t move;
    if (threats_fours(threats, fours, &move)) {
        return build_fours(threats, fours, tree);
    }
    return nodes == 0 ? TREE_NONE : search_win(threats, nodes, tree);
}

int32_t threats_plain_win(struct threats *threats, uint64_t nodes, struct tree *tree) {
    pn_table_clear(&threats->table);
    return search_win(threats, nodes, tree);
}
