#include "prove/crew/jobs.h"

#include <stdlib.h>

#define ROOT 0
#define FIRST_ROOM 1024
#define HARD 1000000 /* the most an open leaf's numbers may be */
#define OTHERS 8     /* times as dear are the moves that nobody advised */
#define ADVISED 20   /* what a move begins with that the engine advised */

/* -- the tree -- */

static int32_t add_nodes(struct jobs *jobs, int count) {
    if (jobs->count > INT32_MAX - count - FIRST_ROOM) {
        return JOB_NONE;
    }
    if (jobs->count + count > jobs->room) {
        int32_t room = jobs->room < INT32_MAX / 4 ? 2 * jobs->room + FIRST_ROOM : INT32_MAX;
        struct job_node *nodes = realloc(jobs->nodes, (size_t)room * sizeof *nodes);
        if (!nodes) {
            return JOB_NONE;
        }
        jobs->nodes = nodes;
        jobs->room = room;
    }
    jobs->count += count;
    return jobs->count - count;
}

/* Goes from the root to a node. */
static void play_path(struct jobs *jobs, int32_t node) {
    if (node != ROOT) {
        play_path(jobs, jobs->nodes[node].parent);
        prover_play(&jobs->prover, jobs->nodes[node].square);
    }
}

/* The node's numbers by its children's. A hero's node that has its aim is kept with the move. */
static void gather(struct jobs *jobs, int32_t index) {
    struct prover *prover = &jobs->prover;
    struct job_node *node = &jobs->nodes[index];
    struct pn_children children = {.count = node->count};
    if (node->count == 0) {
        return;
    }
    for (int i = 0; i < node->count; i++) {
        const struct job_node *child = &jobs->nodes[node->first + i];
        children.list[i] = (struct pn_child){.square = child->square, .value = child->value};
    }
    node->value = pn_gather(&children);
    if (node->value.phi == 0 && prover_hero_moves(prover)) {
        int symmetry;
        uint64_t key = prover_key(prover, &symmetry);
        proved_add(prover->proved, key, prover->turned[symmetry][children.list[children.best].square]);
    }
}

/* Goes back from a node to the root and makes the numbers on the way anew. */
static void climb(struct jobs *jobs, int32_t node) {
    while (node != ROOT) {
        prover_undo(&jobs->prover);
        node = jobs->nodes[node].parent;
        gather(jobs, node);
    }
}

/* -- splitting -- */

/* Drops moves that lead to a mirror image of what another one leads to, and notes what is proved already. */
static void sift(struct prover *prover, struct pn_children *children) {
    uint64_t keys[GOMOKU_MOST_SQUARES];
    bool hero_moves = prover_hero_moves(prover);
    int kept = 0;
    for (int i = 0; i < children->count; i++) {
        struct pn_child child = children->list[i];
        int symmetry;
        bool is_new = true;
        prover_play(prover, child.square);
        keys[kept] = prover_key(prover, &symmetry);
        prover_undo(prover);
        for (int j = 0; j < kept && is_new; j++) {
            is_new = keys[j] != keys[kept];
        }
        if (is_new) {
            bool known = !hero_moves && proved_find(prover->proved, keys[kept]) >= 0;
            child.value = known ? PN_REACHED : child.value;
            children->list[kept++] = child;
        }
    }
    children->count = kept;
}

/* Puts a move of the hero's before the others. */
static void prefer(struct pn_children *children, uint16_t square, uint32_t number) {
    int at = 0;
    while (at < children->count && children->list[at].square != square) {
        at++;
    }
    children->list[at] = (struct pn_child){.square = square, .value = {1, number}};
    children->count += at == children->count;
}

/* The hero's moves on the board: the store's comes first, then the engine's, and the others are much dearer. */
static void take_advice(struct jobs *jobs, int32_t leaf, struct pn_children *children) {
    struct prover *prover = &jobs->prover;
    uint16_t guide = guide_move(prover);
    uint16_t advice = jobs->nodes[leaf].advice;
    for (int i = 0; i < children->count && (guide != NO_SQUARE || advice != NO_SQUARE); i++) {
        children->list[i].value.delta *= OTHERS;
    }
    if (advice != NO_SQUARE && gboard_is_empty(prover->board, advice)) {
        prefer(children, advice, ADVISED);
    }
    if (guide != NO_SQUARE) {
        prefer(children, guide, 1);
    }
}

/* Splits the leaf on the board into its moves. */
static void split(struct jobs *jobs, int32_t leaf) {
    struct prover *prover = &jobs->prover;
    struct pn_children children;
    uint16_t move = NO_SQUARE;
    enum prove_outcome outcome = prover->settings.claim == PROVE_WIN ? win_expand(prover, &children, NO_SQUARE, &move)
                                                                     : hold_expand(prover, &children, &move);
    if (outcome != PROVE_YES && clock_stopped(&prover->clock)) {
        return; /* it was not looked at to the end */
    }
    if (outcome != PROVE_OPEN) {
        jobs->nodes[leaf].value = (outcome == PROVE_YES) == prover_hero_moves(prover) ? PN_REACHED : PN_FAILED;
        return;
    }
    if (jobs->guided && prover_hero_moves(prover)) {
        take_advice(jobs, leaf, &children);
    }
    sift(prover, &children);
    int32_t first = add_nodes(jobs, children.count);
    if (first == JOB_NONE) {
        jobs->broken = true;
        return;
    }
    for (int i = 0; i < children.count; i++) {
        jobs->nodes[first + i] = (struct job_node){
            .value = children.list[i].value,
            .parent = leaf,
            .first = JOB_NONE,
            .square = children.list[i].square,
            .advice = NO_SQUARE,
        };
    }
    jobs->nodes[leaf].first = first;
    jobs->nodes[leaf].count = (uint16_t)children.count;
    gather(jobs, leaf);
}

/* -- jobs -- */

/* The leaf behind a node that promises most and is not under way. */
static int32_t find_leaf(const struct jobs *jobs, int32_t index) {
    const struct job_node *node = &jobs->nodes[index];
    bool passed[GOMOKU_MOST_SQUARES] = {false};
    if (pn_is_settled(node->value)) {
        return JOB_NONE;
    }
    if (node->count == 0) {
        return node->busy ? JOB_NONE : index;
    }
    for (;;) {
        int best = -1;
        for (int i = 0; i < node->count; i++) {
            uint32_t delta = jobs->nodes[node->first + i].value.delta;
            if (!passed[i] && (best < 0 || delta < jobs->nodes[node->first + best].value.delta)) {
                best = i;
            }
        }
        if (best < 0) {
            return JOB_NONE;
        }
        int32_t leaf = find_leaf(jobs, node->first + best);
        if (leaf != JOB_NONE) {
            return leaf;
        }
        passed[best] = true;
    }
}

/* Whether the position on the board can be asked about: there is a question for it, and the game goes on. */
static bool can_be_asked(const struct jobs *jobs, const struct gomoku_position *position) {
    const struct prove_settings *settings = &jobs->prover.settings;
    return (settings->claim == PROVE_WIN || !prover_hero_moves(&jobs->prover)) &&
           position->winner == GOMOKU_NO_WINNER && position->count < position->size * position->size;
}

/* Where the moves that were tried do not do it, more are tried: the tree begins anew. */
static void widen(struct jobs *jobs) {
    struct job_node *root = &jobs->nodes[ROOT];
    if (jobs_outcome(jobs) == PROVE_NO && jobs->prover.settings.width < jobs->prover.board->squares) {
        prover_widen(&jobs->prover);
        *root = (struct job_node){
            .value = {1, 1}, .parent = JOB_NONE, .first = JOB_NONE, .advice = NO_SQUARE, .tried = JOB_ENOUGH};
    }
}

int32_t jobs_next(struct jobs *jobs, struct gomoku_position *position) {
    while (!jobs->broken && !clock_over(&jobs->prover.clock)) {
        widen(jobs);
        int32_t leaf = find_leaf(jobs, ROOT);
        if (leaf == JOB_NONE) {
            return JOB_NONE;
        }
        struct prover *prover = &jobs->prover;
        play_path(jobs, leaf);
        *position = jobs->start;
        for (int i = 0; i < prover->ply; i++) {
            gomoku_put(position, prover->played[2 + i]);
        }
        if (prover_hero_moves(prover) && prover_known_move(prover) != NO_SQUARE) {
            jobs->nodes[leaf].value = PN_REACHED; /* proved meanwhile elsewhere */
        } else if (jobs->nodes[leaf].tried < (prover_hero_moves(prover) ? jobs->patience : 1) &&
                   can_be_asked(jobs, position)) {
            jobs->nodes[leaf].busy = true;
            climb(jobs, leaf);
            return leaf;
        } else {
            jobs->nodes[leaf].tried = JOB_ENOUGH;
            split(jobs, leaf);
        }
        climb(jobs, leaf);
    }
    return JOB_NONE;
}

bool jobs_take(struct jobs *jobs, int32_t node, struct pn_value numbers) {
    if (node < 0 || node >= jobs->count || !jobs->nodes[node].busy) {
        return false;
    }
    play_path(jobs, node);
    bool hero_moves = prover_hero_moves(&jobs->prover);
    bool proved = numbers.phi == 0;
    uint32_t proof = numbers.phi < HARD ? numbers.phi : HARD;
    uint32_t disproof = numbers.delta == 0 ? 1 : numbers.delta < HARD ? numbers.delta : HARD;
    struct job_node *leaf = &jobs->nodes[node];
    leaf->busy = false;
    leaf->tried = (uint8_t)(leaf->tried + (leaf->tried < JOB_ENOUGH));
    if (proved) {
        leaf->value = hero_moves ? PN_REACHED : PN_FAILED;
    } else {
        leaf->value = hero_moves ? (struct pn_value){proof, disproof} : (struct pn_value){disproof, proof};
    }
    climb(jobs, node);
    return true;
}

/* -- all of it -- */

bool jobs_make(struct jobs *jobs, const struct gomoku_position *position, const struct prove_settings *settings,
               struct proved *proved, bool split_root) {
    *jobs = (struct jobs){.start = *position, .patience = 1};
    bool made = prover_make(&jobs->prover, position, settings, proved);
    if (add_nodes(jobs, 1) == JOB_NONE || !made) {
        return false;
    }
    jobs->nodes[ROOT] = (struct job_node){.value = {1, 1},
                                          .parent = JOB_NONE,
                                          .first = JOB_NONE,
                                          .advice = NO_SQUARE,
                                          .tried = split_root ? JOB_ENOUGH : 0};
    return true;
}

void jobs_free(struct jobs *jobs) {
    prover_free(&jobs->prover);
    free(jobs->nodes);
}

enum prove_outcome jobs_outcome(const struct jobs *jobs) {
    struct pn_value root = jobs->nodes[ROOT].value;
    if (!pn_is_settled(root)) {
        return PROVE_OPEN;
    }
    return (root.phi == 0) == prover_hero_moves(&jobs->prover) ? PROVE_YES : PROVE_NO;
}

static void count_replies(const struct jobs *jobs, const struct job_node *node, int *answered, int *replies) {
    *answered = 0;
    *replies = node->count;
    for (int i = 0; i < node->count; i++) {
        *answered += jobs->nodes[node->first + i].value.phi == 0;
    }
}

void jobs_count(const struct jobs *jobs, int *answered, int *replies) {
    const struct job_node *root = &jobs->nodes[ROOT];
    if (jobs->prover.settings.hero != (jobs->start.count & 1)) {
        count_replies(jobs, root, answered, replies);
        return;
    }
    *answered = *replies = 0;
    for (int i = 0; i < root->count; i++) {
        int some;
        int of;
        count_replies(jobs, &jobs->nodes[root->first + i], &some, &of);
        if (*replies == 0 || some > *answered) {
            *answered = some;
            *replies = of;
        }
    }
}
