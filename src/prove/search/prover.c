#include "prove/search/prover.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "base/stopwatch.h"
#include "game/symmetry.h"
#include "games/gomoku/board/lean.h"

#define USUAL_HASH ((size_t)64 << 20)
#define USUAL_THREATS 10000
#define USUAL_WIDTH 8
#define THREAT_SHARE 4 /* a part of the table's memory */
#define ADVICE_SHARE 8 /* likewise, once the engine is asked */
#define SIDE_KEY 0x6a09e667f3bcc909ULL
#define KEPT_NODE_BYTES 32 /* of a kept tree, with its replies: all of them take as much as the tables at most */
#define TELL_EVERY 256     /* nodes between two reports */
#define NODE_STEPS 100     /* what a node costs beside threats */
#define ADVICE_STEPS 3     /* what a node of the engine's costs */
#define POLICY_STEP 12     /* of the policy's units, to one proof number */
#define ADVISED_START 10   /* what an advised move starts with at most */
#define LEAST_SECONDS 0.001
#define OTHERS_WEIGHT 8    /* how many times the numbers of the others count then */
#define GUIDED_PATIENCE 16 /* times as much work before the engine is asked where the store has a move */
#define FEW_PATIENCE 1500  /* and with the first stones, where every move has all replies to be answered */
#define FIRST_STONES 3
#define FAIR_PLIES 1        /* so near the root replies take turns */
#define USUAL_TURN 16000000 /* steps of the first turn, some 10 s */
#define TURN_GROWTH 4       /* and so many times as many of the next */

/* -- the position and its keys -- */

/* Where the eight symmetries of the board take each square. */
static void make_turns(struct prover *prover, int size) {
    for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
        for (int square = 0; square < size * size; square++) {
            int there = symmetry_turn(size, symmetry, square);
            prover->turned[symmetry][square] = (uint16_t)there;
            prover->returned[symmetry][there] = (uint16_t)square;
        }
    }
}

static void toggle_keys(struct prover *prover, int side, int square) {
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        prover->keys[symmetry] ^= prover->stones[side][prover->turned[symmetry][square]];
    }
}

uint64_t prover_side_key(int side) {
    return side ? SIDE_KEY : 0;
}

uint64_t prover_salt(int size, int hero, enum prove_claim claim) {
    return rng_mix((uint64_t)size << 16 | (uint64_t)hero << 8 | (uint64_t)claim);
}

int prover_least_key(const uint64_t keys[8]) {
    int least = 0;
    for (int i = 1; i < 8; i++) {
        least = keys[i] < keys[least] ? i : least;
    }
    return least;
}

uint64_t prover_key(const struct prover *prover, int *symmetry) {
    *symmetry = prover_least_key(prover->keys);
    return prover->keys[*symmetry] ^ prover_side_key(prover->board->side);
}

uint64_t prover_key_after(const struct prover *prover, int square) {
    int side = prover->board->side;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 8; i++) {
        uint64_t key = prover->keys[i] ^ prover->stones[side][prover->turned[i][square]];
        least = key < least ? key : least;
    }
    return least ^ prover_side_key(1 - side);
}

/* A stone of the side's comes or goes. */
static void toggle(struct prover *prover, int side, int square) {
    toggle_keys(prover, side, square);
    guide_toggle(prover, side, square);
}

void prover_play(struct prover *prover, int square) {
    toggle(prover, prover->board->side, square);
    prover->played[2 + prover->ply++] = (uint16_t)square;
    gboard_play(prover->board, square);
}

void prover_undo(struct prover *prover) {
    gboard_undo(prover->board);
    toggle(prover, prover->board->side, prover->played[2 + --prover->ply]);
}

bool prover_hero_moves(const struct prover *prover) {
    return prover->board->side == prover->settings.hero;
}

/* -- making -- */

static void use_defaults(struct prove_settings *settings) {
    settings->hash_bytes = settings->hash_bytes ? settings->hash_bytes : USUAL_HASH;
    settings->threat_nodes = settings->threat_nodes ? settings->threat_nodes : USUAL_THREATS;
    settings->width = settings->width ? settings->width : USUAL_WIDTH;
    settings->turn_steps = settings->turn_steps ? settings->turn_steps : USUAL_TURN;
}

/* Keeps what is proved of one claim, one hero and one size apart from all others. */
static void salt_keys(struct prover *prover, int size) {
    const struct prove_settings *settings = &prover->settings;
    for (int i = 0; i < 8; i++) {
        prover->keys[i] = prover_salt(size, settings->hero, settings->claim);
    }
}

bool prover_make(struct prover *prover, const struct gomoku_position *position, const struct prove_settings *settings,
                 struct proved *proved) {
    *prover = (struct prover){.settings = *settings, .start = *position, .proved = proved, .bare_plies = 1};
    use_defaults(&prover->settings);
    proved_init(&prover->kept_roots);
    size_t part = prover->settings.hash_bytes / THREAT_SHARE;
    size_t advice = prover->settings.hash_bytes / ADVICE_SHARE;
    prover->board = calloc(1, sizeof *prover->board);
    prover->history = calloc(1, sizeof *prover->history);
    prover->lean = lean_new();
    prover->net = net_new(true);
    prover->recent = calloc(GOMOKU_MOST_SQUARES + 1, sizeof *prover->recent);
    prover->reply_sets = calloc(PROVER_REPLY_SETS, sizeof *prover->reply_sets);
    if (!prover->board || !prover->history || !prover->lean || !prover->net || !prover->reply_sets || !prover->recent ||
        !threats_make(&prover->threats, prover->board, &prover->clock, part) ||
        !adviser_make(&prover->adviser, advice, settings->stop, settings->claim == PROVE_HOLD) ||
        !pn_table_make(&prover->table, prover->settings.hash_bytes - part - advice)) {
        return false;
    }
    prover->threats.slack = settings->claim == PROVE_WIN ? PN_NO_SLACK : PN_SLACK;
    gboard_load(prover->board, position, prover->history);
    lean_begin(prover->board, prover->lean);
    net_load(prover->net, prover->board);
    make_turns(prover, position->size);
    salt_keys(prover, position->size);
    for (int square = 0; square < GOMOKU_MOST_SQUARES; square++) {
        for (int side = 0; side < 2; side++) {
            prover->stones[side][square] = rng_mix((uint64_t)(square * 2 + side + 1) << 32);
        }
    }
    for (int square = 0; square < prover->board->squares; square++) {
        if (position->board[square] != GOMOKU_EMPTY) {
            toggle_keys(prover, position->board[square] - 1, square);
        }
    }
    guide_make(prover);
    if (!larger_make(prover)) {
        return false;
    }
    prover->played[0] = position->count > 1 ? position->order[position->count - 2] : NO_SQUARE;
    prover->played[1] = position->count > 0 ? position->order[position->count - 1] : NO_SQUARE;
    prover_allow(prover, settings->seconds, settings->nodes, 0);
    return true;
}

/* What the prover itself has done, the engine's advice apart. */
static uint64_t own_steps(const struct prover *prover) {
    return prover->threats.nodes + NODE_STEPS * prover->counts.nodes;
}

uint64_t prover_steps(const struct prover *prover) {
    return own_steps(prover) + ADVICE_STEPS * prover->adviser.nodes;
}

void prover_allow(struct prover *prover, double seconds, uint64_t nodes, uint64_t steps) {
    clock_start(&prover->clock, &(struct search_limits){.wall_seconds = seconds}, prover->settings.stop, 1);
    atomic_store(&prover->adviser.control.stop, false);
    prover->settings.nodes = nodes ? prover->counts.nodes + nodes : UINT64_MAX;
    prover->deadline = UINT64_MAX;
    prover->last_step = steps ? prover_steps(prover) + steps : UINT64_MAX;
}

void prover_end(struct prover *prover) {
    clock_end(&prover->clock);
    atomic_store(&prover->adviser.control.stop, true);
}

void prover_widen(struct prover *prover) {
    prover->settings.width *= 2;
    prover->bare_plies += 2;
    pn_table_clear(&prover->table);
}

void prover_free(struct prover *prover) {
    larger_free(prover);
    threats_free(&prover->threats);
    adviser_free(&prover->adviser);
    pn_table_free(&prover->table);
    tree_free(&prover->tree);
    tree_free(&prover->kept);
    proved_close(&prover->kept_roots);
    for (int i = 0; prover->recent && i <= GOMOKU_MOST_SQUARES; i++) {
        recent_free(&prover->recent[i]);
    }
    free(prover->recent);
    free(prover->reply_sets);
    if (prover->net) {
        net_free(prover->net);
    }
    lean_free(prover->lean);
    free(prover->history);
    free(prover->board);
}

/* -- moves -- */

void prover_candidates(struct prover *prover, const uint64_t *squares, int width, uint16_t hint,
                       struct pn_children *children) {
    const struct gboard *board = prover->board;
    const uint16_t last[2] = {prover->played[1 + prover->ply], prover->played[prover->ply]};
    struct scored_move moves[GOMOKU_MOST_SQUARES];
    struct net_policy weights;
    int count = 0;
    net_policy_begin(prover->net, board, &weights);
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            int score = net_policy_of(prover->net, &weights, square) +
                        move_draw(board, square, last, net_numbers()->draw) + (square == hint ? 1 << 20 : 0);
            count = moves_insert(moves, count, width, (struct scored_move){.square = (uint16_t)square, .score = score});
        }
    }
    children->count = 0;
    children->patient = false;
    int top = 0;
    for (int i = 0; i < count; i++) {
        bool hinted = moves[i].square == hint;
        top = i == 0 || (i == 1 && moves[0].square == hint) ? moves[i].score : top;
        int behind = hinted ? 0 : (top - moves[i].score) / POLICY_STEP;
        children->list[children->count++] =
            (struct pn_child){.square = moves[i].square, .value = {1, (uint32_t)(1 + (behind < 0 ? 0 : behind))}};
    }
}

/* -- the search -- */

static enum prove_outcome expand(struct prover *prover, struct pn_children *children, uint16_t hint, uint16_t *move) {
    return prover->settings.claim == PROVE_WIN ? win_expand(prover, children, hint, move)
                                               : hold_expand(prover, children, move);
}

/* Looks up what is known of a child; *move is the move that reached its side's aim. */
static void look_up(struct prover *prover, struct pn_child *child, uint16_t *move) {
    uint64_t key = prover_key_after(prover, child->square);
    bool hero_next = !prover_hero_moves(prover);
    if (hero_next && proved_find(prover->proved, key) >= 0) {
        child->value = PN_REACHED;
        return;
    }
    const struct pn_entry *entry = pn_table_find(&prover->table, key);
    if (entry) {
        child->value = entry->value;
        *move = hero_next && entry->value.phi == 0 ? entry->move : *move;
    }
}

/* Keeps what is known of the position on the board. */
static void keep(struct prover *prover, struct pn_value value, uint16_t move, uint64_t work) {
    int symmetry;
    uint64_t key = prover_key(prover, &symmetry);
    uint16_t turned = move == NO_SQUARE ? NO_SQUARE : prover->turned[symmetry][move];
    pn_table_keep(&prover->table, &(struct pn_entry){.key = key,
                                                     .value = value,
                                                     .work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
                                                     .move = turned});
    if (value.phi == 0 && prover_hero_moves(prover) && work > 1 && move != NO_SQUARE) {
        proved_add(prover->proved, key, turned);
    }
}

uint16_t prover_known_move(struct prover *prover) {
    int symmetry;
    uint64_t key = prover_key(prover, &symmetry);
    int64_t move = proved_find(prover->proved, key);
    if (move < 0) {
        const struct pn_entry *entry = pn_table_find(&prover->table, key);
        move = entry && entry->value.phi == 0 && entry->move != NO_SQUARE ? entry->move : -1;
    }
    return move < 0 || move >= prover->board->squares ? NO_SQUARE : prover->returned[symmetry][move];
}

void prover_keep_tree(struct prover *prover, const struct tree *tree, int32_t node) {
    int symmetry;
    uint64_t key = prover_key(prover, &symmetry);
    if ((size_t)prover->kept.node_count >= prover->settings.hash_bytes / KEPT_NODE_BYTES || prover->kept.broken) {
        return;
    }
    int32_t root = tree_copy(tree, node, prover->turned[symmetry], &prover->kept);
    if (!prover->kept.broken) {
        proved_add(&prover->kept_roots, key, (uint32_t)root);
    }
}

int32_t prover_kept_tree(struct prover *prover, struct tree *tree) {
    int symmetry;
    int64_t root = proved_find(&prover->kept_roots, prover_key(prover, &symmetry));
    return root < 0 ? TREE_NONE : tree_copy(&prover->kept, (int32_t)root, prover->returned[symmetry], tree);
}

int32_t prover_find_win(struct prover *prover, uint64_t fours, uint64_t nodes) {
    bool passed = !prover_hero_moves(prover);
    if (passed) {
        gboard_pass(prover->board);
    }
    struct recent_wins *recent = &prover->recent[prover->ply];
    int32_t node = recent_find(recent, prover->board, &prover->tree);
    if (node != TREE_NONE) {
        prover->counts.adapted++;
    } else {
        tree_clear(&prover->tree);
        node = threats_win(&prover->threats, fours, nodes, &prover->tree);
        if (node != TREE_NONE) {
            recent_keep(recent, &prover->tree, node);
        }
    }
    if (passed) {
        gboard_pass(prover->board);
    }
    return node;
}

bool prover_wins(struct prover *prover, uint64_t fours, uint64_t nodes, uint16_t *move) {
    if (prover_seen(prover)) {
        return false; /* what threats did not win the first time they will not win now */
    }
    int32_t node = prover_find_win(prover, fours, nodes);
    if (node == TREE_NONE) {
        return false;
    }
    *move = prover->tree.nodes[node].move;
    prover->counts.wins++;
    prover_keep_tree(prover, &prover->tree, node);
    return true;
}

bool prover_replies(struct prover *prover, uint64_t fours, uint64_t nodes, struct squares *replies) {
    struct gboard *board = prover->board;
    int symmetry;
    uint64_t key = prover_key(prover, &symmetry) ^ (uint64_t)symmetry;
    struct reply_set *kept = &prover->reply_sets[key % PROVER_REPLY_SETS];
    if (kept->key == key) {
        *replies = kept->squares;
        return memcmp(replies->words, board->empty, sizeof replies->words) != 0;
    }
    int32_t node = prover_find_win(prover, fours, nodes);
    if (node == TREE_NONE || !tree_breakers(&prover->tree, board, node, false, replies)) {
        node = TREE_NONE;
        memcpy(replies->words, board->empty, sizeof replies->words);
        prover->counts.bare++;
    } else {
        prover_keep_tree(prover, &prover->tree, node);
        prover->counts.covered++;
        for (int i = 0; i < GBOARD_WORDS; i++) {
            prover->counts.answered += (uint64_t)bits_count(replies->words[i]);
        }
    }
    if (!clock_stopped(&prover->clock)) {
        kept->key = key;
        kept->squares = *replies;
    }
    return node != TREE_NONE;
}

bool prover_seen(struct prover *prover) {
    int symmetry;
    return pn_table_find(&prover->table, prover_key(prover, &symmetry)) != NULL;
}

bool prover_left_open(struct prover *prover) {
    int symmetry;
    const struct pn_entry *entry = pn_table_find(&prover->table, prover_key(prover, &symmetry));
    return entry && !pn_is_settled(entry->value);
}

bool prover_goes_on(struct prover *prover) {
    bool over = clock_over(&prover->clock);
    if (prover->settings.progress) {
        prover->settings.progress(prover->settings.user, prover);
    }
    return !over;
}

static void tell(struct prover *prover) {
    if (prover->counts.nodes % TELL_EVERY == 0) {
        proved_flush(prover->proved);
        prover_goes_on(prover);
    }
    if (prover->counts.nodes >= prover->settings.nodes || prover_steps(prover) >= prover->last_step) {
        clock_end(&prover->clock);
    }
}

/* -- advice -- */

/* Makes a move one of the first to be tried, also where it was not to be tried at all. */
static void prefer(struct prover *prover, struct pn_children *children, uint16_t square, bool again) {
    int at = 0;
    while (at < children->count && children->list[at].square != square) {
        at++;
    }
    struct pn_child *child = &children->list[at];
    if (at == children->count) {
        uint16_t answer;
        children->count++;
        *child = (struct pn_child){.square = square, .value = {1, ADVISED_START}};
        look_up(prover, child, &answer);
    }
    child->weight = 1;
    child->advised = true;
    if (child->value.phi == 0 && again) {
        child->value = (struct pn_value){1, ADVISED_START};
    }
}

/* Puts the engine's advice and the store's before the other moves of the hero's, which become so much dearer. Where the
 * engine was asked `just` now, a move that was given up gets another chance. */
static void take_advice(struct prover *prover, struct pn_children *children, uint16_t guide, bool just) {
    int symmetry;
    uint16_t move = adviser_move(&prover->adviser, prover_key(prover, &symmetry));
    uint16_t advice = move == NO_SQUARE ? NO_SQUARE : prover->returned[symmetry][move];
    for (int i = 0; i < children->count && (advice != NO_SQUARE || guide != NO_SQUARE); i++) {
        children->list[i].advised = false;
        children->list[i].weight = OTHERS_WEIGHT;
    }
    if (guide != NO_SQUARE) {
        prefer(prover, children, guide, just);
    }
    if (advice != NO_SQUARE && gboard_is_empty(prover->board, advice)) {
        prefer(prover, children, advice, just);
    }
}

/* Asks the engine about the hero's position on the board, which has cost so much in this visit. */
static void ask_engine(struct prover *prover, uint64_t work) {
    int symmetry;
    uint64_t key = prover_key(prover, &symmetry);
    struct gomoku_position position = prover->start;
    for (int i = 0; i < prover->ply; i++) {
        gomoku_put(&position, prover->played[2 + i]);
    }
    double end = prover->clock.ends.wall;
    double seconds = end > 0 ? end - clock_wall() : 0;
    adviser_note(&prover->adviser, key, work);
    adviser_ask(&prover->adviser, &position, key, prover->turned[symmetry],
                end > 0 && seconds < LEAST_SECONDS ? LEAST_SECONDS : seconds);
}

/* How many steps the hero's position on the board, which has cost so much in this visit, may still take before the
 * engine is asked. A move of the store's is rather trusted. */
static uint64_t steps_before_asking(const struct prover *prover, uint64_t work, bool guided) {
    int symmetry;
    uint64_t key = prover_key(prover, &symmetry);
    bool few = guide_stones(prover) <= FIRST_STONES;
    return adviser_wait(&prover->adviser, key, work, !guided ? 1 : few ? FEW_PATIENCE : GUIDED_PATIENCE);
}

static struct pn_value search(struct prover *prover, struct pn_value limits, uint16_t hint, uint16_t *move);

/* Searches the best child for so many steps at most, unless it was settled meanwhile elsewhere. *brother is the hero's
 * move that did it last. */
static void search_best(struct prover *prover, struct pn_children *children, struct pn_value limits, uint64_t steps,
                        uint16_t *brother) {
    struct pn_child *best = &children->list[children->best];
    struct pn_value known = best->value;
    uint64_t deadline = prover->deadline;
    uint64_t now = own_steps(prover);
    uint16_t answer;
    look_up(prover, best, brother);
    if (best->advised && best->value.phi == 0) {
        best->value = known; /* it was given up before it was advised */
    }
    if (pn_is_settled(best->value)) {
        return;
    }
    prover->deadline = steps < deadline - now ? now + steps : deadline;
    prover_play(prover, best->square);
    prover->advised = best->advised;
    best->value = search(prover, pn_limits(children, limits, prover->threats.slack), *brother, &answer);
    prover_undo(prover);
    prover->deadline = deadline;
    *brother = best->value.phi == 0 && answer != NO_SQUARE ? answer : *brother;
}

/* One of many replies that all need an answer takes its turn: what is not settled by then waits for the others. */
static void take_turn(struct prover *prover, struct pn_children *children, struct pn_value limits, uint16_t *brother) {
    struct pn_child *best = &children->list[children->best];
    int weight = best->weight ? best->weight : 1;
    uint64_t steps = prover->settings.turn_steps * (uint64_t)weight;
    uint64_t before = own_steps(prover);
    search_best(prover, children, limits, steps, brother);
    if (own_steps(prover) - before >= steps) {
        best->weight = (uint8_t)(weight * TURN_GROWTH < UINT8_MAX ? weight * TURN_GROWTH : UINT8_MAX);
    }
}

/* Whether the search of the position on the board has to be left, its numbers being as they are. */
static bool must_leave(struct prover *prover, struct pn_value value, struct pn_value limits) {
    return value.phi >= limits.phi || value.delta >= limits.delta || own_steps(prover) >= prover->deadline ||
           clock_stopped(&prover->clock);
}

/* Searches the hero's children until one of the position's numbers reaches the limit, and the engine is asked. */
static struct pn_value search_hero(struct prover *prover, struct pn_children *children, struct pn_value limits) {
    uint64_t first_step = own_steps(prover);
    uint16_t guide = prover->settings.claim == PROVE_WIN ? guide_move(prover) : NO_SQUARE;
    uint16_t brother = NO_SQUARE;
    int symmetry;
    take_advice(prover, children, guide, false);
    for (;;) {
        struct pn_value value = pn_gather(children);
        uint64_t work = own_steps(prover) - first_step;
        prover->root = prover->ply == 0 ? value : prover->root;
        if (must_leave(prover, value, limits)) {
            adviser_note(&prover->adviser, prover_key(prover, &symmetry), work);
            return value;
        }
        uint64_t steps = steps_before_asking(prover, work, guide != NO_SQUARE);
        if (steps == 0) {
            ask_engine(prover, work);
            first_step = own_steps(prover); /* what was before is noted */
            take_advice(prover, children, guide, true);
        } else {
            search_best(prover, children, limits, steps, &brother);
        }
    }
}

/* Searches the villain's children likewise. */
static struct pn_value search_villain(struct prover *prover, struct pn_children *children, struct pn_value limits,
                                      uint16_t brother) {
    bool fair = children->patient && prover->ply <= FAIR_PLIES && prover->settings.claim == PROVE_WIN;
    for (;;) {
        struct pn_value value = pn_gather(children);
        prover->root = prover->ply == 0 ? value : prover->root;
        if (must_leave(prover, value, limits)) {
            return value;
        }
        if (fair) {
            take_turn(prover, children, limits, &brother);
        } else {
            search_best(prover, children, limits, UINT64_MAX, &brother);
        }
    }
}

/* Searches the position until one of its numbers reaches the limit. *move becomes the one that reached the aim. */
static struct pn_value search(struct prover *prover, struct pn_value limits, uint16_t hint, uint16_t *move) {
    struct pn_children children;
    uint64_t before = prover->threats.nodes;
    prover->counts.nodes++;
    tell(prover);
    *move = NO_SQUARE;
    enum prove_outcome outcome = expand(prover, &children, hint, move);
    if (clock_stopped(&prover->clock) && outcome != PROVE_YES) {
        return (struct pn_value){1, 1};
    }
    if (outcome != PROVE_OPEN) {
        struct pn_value value = (outcome == PROVE_YES) == prover_hero_moves(prover) ? PN_REACHED : PN_FAILED;
        keep(prover, value, *move, 1 + (prover->threats.nodes - before) / 64);
        return value;
    }
    uint16_t brother = NO_SQUARE; /* the hero's move that did it after another reply */
    for (int i = 0; i < children.count; i++) {
        look_up(prover, &children.list[i], &brother);
    }
    struct pn_value value = prover_hero_moves(prover) ? search_hero(prover, &children, limits)
                                                      : search_villain(prover, &children, limits, brother);
    if (value.phi == 0) {
        *move = children.list[children.best].square;
    }
    keep(prover, value, *move, 2 + (prover->threats.nodes - before) / 64);
    return value;
}

struct pn_value prover_search(struct prover *prover) {
    uint16_t move;
    return search(prover, (struct pn_value){PN_NEVER, PN_NEVER}, NO_SQUARE, &move);
}

enum prove_outcome prover_run(struct prover *prover) {
    prover->root = prover_search(prover);
    proved_flush(prover->proved);
    if (!pn_is_settled(prover->root)) {
        return PROVE_OPEN;
    }
    return (prover->root.phi == 0) == prover_hero_moves(prover) ? PROVE_YES : PROVE_NO;
}
