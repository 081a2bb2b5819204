/* The engine behind gomoku_think: what its files share. One worker a thread; workers share only the table and
 * the clock. */
#ifndef SORTIE_GAMES_GOMOKU_SEARCH_H
#define SORTIE_GAMES_GOMOKU_SEARCH_H

#include <stdlib.h>

#include "games/gomoku/gomoku_board.h"
#include "games/gomoku/gomoku_tt.h"
#include "games/gomoku/gomoku_weights.h"
#include "search/clock.h"
#include "search/team.h"

#define MOST_PLY 120
#define NO_SQUARE 0xffff
#define WIN_VALUE GAME_WIN_VALUE
#define WIN_LEAST (WIN_VALUE - 1000) /* any value at least this large is a proven win */
#define VALUE_NONE 32767
#define LOOK_STEP 512 /* nodes between two looks at the clock */

/* -- moves (gomoku_moves.c) -- */

struct scored_move {
    uint16_t square;
    int16_t policy; /* move_score */
    int32_t score;  /* with what this search has learnt */
};

/* Puts a move where it belongs among `count` others, best first; when there are `most`, the worst goes. Returns how
 * many there are then. */
static inline int moves_insert(struct scored_move *moves, int count, int most, struct scored_move move) {
    if (count == most && moves[most - 1].score >= move.score) {
        return count;
    }
    int at = count < most ? count++ : most - 1;
    while (at > 0 && moves[at - 1].score < move.score) {
        moves[at] = moves[at - 1];
        at--;
    }
    moves[at] = move;
    return count;
}

struct move_list {
    int count;
    int best_policy;
    struct scored_move moves[GOMOKU_MOST_SQUARES];
};

/* The squares where a stone of the other side leaves `side` without an open four or double four on `square`:
 * the square itself and those that spoil its lines. Every other reply, a four apart, loses to it. */
void moves_defences(const struct gboard *board, int side, int square, uint64_t *squares);

/* All replies that do not lose at once to an open four of the other side, or false when none of those
 * squares is threatened and every square near a stone is worth a look. */
bool moves_forced(const struct gboard *board, uint64_t *squares);

/* The squares worth a look in a quiet position; at least one as long as there is an empty square. */
void moves_near(const struct gboard *board, uint64_t *squares);

/* How good a square looks before any search; for ordering only. `last` are the last two moves, or NO_SQUARE. */
static inline int move_score(const struct gboard *board, int square, const uint16_t last[2]) {
    const struct gboard_cell *cell = &board->cells[square];
    int score = gomoku_weights.attack[cell->code[board->side]] + gomoku_weights.defend[cell->code[1 - board->side]];
    for (int i = 0; i < 2; i++) {
        if (last[i] != NO_SQUARE) {
            int down = abs(board->row_of[square] - board->row_of[last[i]]);
            int right = abs(board->column_of[square] - board->column_of[last[i]]);
            int larger = down > right ? down : right;
            int smaller = down > right ? right : down;
            score += gomoku_weights.draw[i][larger > NET_FAR ? NET_FAR : larger][smaller > NET_FAR ? NET_FAR : smaller];
        }
    }
    return score;
}

/* -- victory by continuous fours (gomoku_vcf.c) -- */

#define VCF_COMPLETE 0xffff

struct vcf_entry {
    uint64_t key;
    uint16_t move;
    uint16_t depth; /* searched to, when not found; VCF_COMPLETE: no depth will find one */
    int16_t plies;  /* to the five; 0: none within `depth` */
};

struct vcf {
    struct gboard *board;
    struct vcf_entry *entries; /* owned by the worker */
    size_t mask;
    uint64_t nodes;
    uint64_t node_limit;
    uint64_t next_look; /* at the clock */
    struct search_clock *clock;
    bool thorough;  /* also try fours that seem to lead nowhere: then a failure within the limits is a proof */
    bool cut_short; /* a limit was reached since this was last cleared */
};

/* Whether the nodes or the clock end a search; notes that it was cut short then. */
static inline bool vcf_out(struct vcf *vcf) {
    if (vcf->nodes >= vcf->next_look) {
        vcf->next_look = vcf->nodes + LOOK_STEP;
        clock_over(vcf->clock);
    }
    bool out = vcf->nodes >= vcf->node_limit || clock_stopped(vcf->clock);
    vcf->cut_short = vcf->cut_short || out;
    return out;
}

/* Searches for a win of the side to move in which each of its moves is a four. Returns the plies to the five and
 * the first move, or 0. Never claims a win that is not there; may miss one when a limit is reached. */
int vcf_search(struct vcf *vcf, int depth, uint64_t nodes, uint16_t *move);

/* Writes the line of a win that vcf_search has just found; returns its length. */
int vcf_line(struct vcf *vcf, int depth, uint64_t nodes, uint16_t *line, int most);

/* -- victory by continuous threats (gomoku_vct.c) -- */

/* Like vcf_search, but open threes count as threats too; the defender may answer each with every square that
 * stops it and with all fours of its own. `depth` counts the attacker's moves. Shares the fours' table. */
int vct_search(struct vcf *vcf, int depth, uint64_t nodes, uint16_t *move);

/* Writes a line of a win that vct_search has just found, the defender holding out as long as it can see. */
int vct_line(struct vcf *vcf, int depth, uint64_t nodes, uint16_t *line, int most);

/* -- the tree search (gomoku_tree.c) -- */

/* The numbers of the tree search; docs/gomoku.md says how they were found. Values are in NET_VALUE_UNITs of 200,
 * policies in 32nds of a natural unit. */
struct tree_params {
    int leaf_vcf_nodes; /* fours looked for at the horizon and above it */
    int inner_vcf_nodes;
    int root_vct;     /* percent of the nodes, or of what the time allows, that threats get at the root */
    int vct_depth;    /* threats looked for from this depth on */
    int vct_nodes;    /* so many a ply of depth */
    int answer_moves; /* the answer to an open three costs no depth when there are at most so many */
    int razor_base;
    int razor_depth;
    int reverse_depth;
    int reverse_margin;
    int reverse_improving;
    int reduce_base; /* hundredths, for every late move */
    int late_base;   /* how many quiet moves are tried at a depth: (base + depth^2 * square / 8), more when improving */
    int late_square;
    int futility_depth;
    int futility_base;
    int futility_margin;
    int policy_depth; /* moves that look too unlikely are left out up to this depth */
    int policy_base;
    int policy_margin;
    int reduce_scale;  /* hundredths */
    int reduce_policy; /* one ply for so much less likely than the likeliest */
    int reduce_history;
    int singular_depth;
    int singular_margin;
    int window;
    int killer;
    int counter;
    int history; /* divides */
};

extern const struct tree_params tree_usual_params;

struct shared {
    struct tree_params params;
    struct table table;
    struct search_clock clock;
};

struct worker {
    struct gboard board;
    struct vcf vcf;
    struct shared *shared;
    int index;
    uint64_t nodes;
    struct clock_meter meter; /* of these and the fours' nodes */
    uint64_t leaves;
    uint64_t cutoffs;
    int partial_value; /* of the line in pv[0] while the root is being searched */
    int root_skip_count;
    uint16_t root_skip[64]; /* moves that other lines of a multi-PV search have taken */
    int16_t evals[MOST_PLY + 2];
    uint16_t before[2]; /* the last two moves before the root, or NO_SQUARE */
    uint16_t played[MOST_PLY + 2];
    uint16_t killers[MOST_PLY + 2][2];
    uint16_t counter[2][GOMOKU_MOST_SQUARES];
    int16_t history[2][GOMOKU_MOST_SQUARES];
    int pv_length[MOST_PLY + 2];
    uint16_t pv[MOST_PLY + 2][MOST_PLY + 2];
    struct move_list lists[MOST_PLY + 2];
    struct gboard_history undo;
};

/* Searches the worker's board to `depth` within the window. When the clock ends it meanwhile, the value means
 * nothing, and the line in pv[0] may be empty. */
int tree_search(struct worker *worker, int alpha, int beta, int depth);

/* Replaces the numbers of a searcher's tree search; for measuring them. */
void gomoku_searcher_tune(struct searcher *searcher, const struct tree_params *params);

/* Makes the orderings older between searches, and forgets them between games. */
void tree_age(struct worker *worker);
void tree_forget(struct worker *worker);

#endif
