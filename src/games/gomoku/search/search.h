/* The engine behind gomoku_think: what its files share. One worker a thread; workers share only the table and
 * the clock. */
#ifndef SORTIE_GAMES_GOMOKU_SEARCH_SEARCH_H
#define SORTIE_GAMES_GOMOKU_SEARCH_SEARCH_H

#include <stdlib.h>

#include "base/assert.h"
#include "games/gomoku/board/board.h"
#include "games/gomoku/eval/net.h"
#include "games/gomoku/eval/weights.h"
#include "games/gomoku/search/busy.h"
#include "games/gomoku/search/stats.h"
#include "games/gomoku/search/tt.h"
#include "search/clock.h"
#include "search/team.h"

#define MOST_PLY 120
#define NO_SQUARE 0xffff
#define WIN_VALUE GAME_WIN_VALUE
#define WIN_LEAST (WIN_VALUE - 1000) /* any value at least this large is a proven win */
#define VALUE_NONE 32767
#define LOOK_STEP 512 /* nodes between two looks at the clock */

/* Whether a value says that the game is won or lost. */
static inline bool value_is_decided(int value) {
    return value >= WIN_LEAST || value <= -WIN_LEAST;
}

/* -- moves (search/moves.c) -- */

struct scored_move {
    uint16_t square;
    int16_t policy; /* how likely it looks */
    int32_t score;  /* with what this search has learnt */
};

/* Puts a move where it belongs among `count` others, best first; when there are `most`, the worst goes. Returns how
 * many there are then. */
static inline int moves_insert(struct scored_move *moves, int count, int most, struct scored_move move) {
    ASSERT(count >= 0 && count <= most && most > 0);
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
    int first;        /* where the table's move is, or -1 */
    bool first_known; /* which move comes first, whatever the policy says of it */
    struct scored_move moves[GOMOKU_MOST_SQUARES];
};

/* The squares where a stone of the other side leaves `side` without an open four or double four on `square`:
 * the square itself and those that spoil its lines. Every other reply, a four apart, loses to it. */
void moves_defences(const struct gboard *board, int side, int square, uint64_t *squares);

/* The squares on which the side to move stops all fives of the other one: the one where it is made, and in caro those
 * that shut it in. None when there are two fives to stop, or renju forbids the square. */
void moves_stops(const struct gboard *board, uint64_t *squares);

static inline bool moves_none(const uint64_t *squares) {
    uint64_t any = 0;
    for (int i = 0; i < GBOARD_WORDS; i++) {
        any |= squares[i];
    }
    return any == 0;
}

/* All replies that do not lose at once to an open four of the other side, or false when none of those
 * squares is threatened and every square near a stone is worth a look. */
bool moves_forced(const struct gboard *board, uint64_t *squares);

/* The squares worth a look in a quiet position; at least one as long as there is one that may be played on. */
void moves_near(const struct gboard *board, uint64_t *squares);

/* What the last two moves (or NO_SQUARE) do for a square, by a table of how far away they are. */
static inline int move_draw(const struct gboard *board, int square, const uint16_t last[2],
                            const int16_t draw[2][NET_FAR + 1][NET_FAR + 1]) {
    ASSERT(square >= 0 && square < board->squares);
    int score = 0;
    for (int i = 0; i < 2; i++) {
        if (last[i] != NO_SQUARE) {
            int down = abs(board->row_of[square] - board->row_of[last[i]]);
            int right = abs(board->column_of[square] - board->column_of[last[i]]);
            int larger = down > right ? down : right;
            int smaller = down > right ? right : down;
            score += draw[i][larger > NET_FAR ? NET_FAR : larger][smaller > NET_FAR ? NET_FAR : smaller];
        }
    }
    return score;
}

/* How good a square looks at a glance; for ordering only. `last` are the last two moves, or NO_SQUARE. */
static inline int move_score(const struct gboard *board, int square, const uint16_t last[2]) {
    uint32_t kinds = gboard_kinds(board, square);
    return gomoku_weights.attack[gboard_code_of(board, board->side, kinds)] +
           gomoku_weights.defend[gboard_code_of(board, 1 - board->side, kinds)] +
           move_draw(board, square, last, gomoku_weights.draw);
}

/* -- victory by continuous fours (search/vcf.c) -- */

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
    bool near;      /* after the first four try only those within reach of the one before */
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

/* -- victory by continuous threats (search/vct.c) -- */

/* Like vcf_search, but open threes count as threats too; the defender may answer each with every square that
 * stops it and with all fours of its own. `depth` counts the attacker's moves. Shares the fours' table. */
int vct_search(struct vcf *vcf, int depth, uint64_t nodes, uint16_t *move);

/* Writes a line of a win that vct_search has just found, the defender holding out as long as it can see. */
int vct_line(struct vcf *vcf, int depth, uint64_t nodes, uint16_t *line, int most);

/* -- drawn endings (search/ending.c) -- */

/* Whether neither side can win any more if the other plays well; *move, a legal one, becomes one that holds the draw.
 * False also when that many nodes, or the clock, did not suffice to find out. */
bool ending_is_drawn(const struct gomoku_position *position, struct search_clock *clock, uint64_t nodes, uint16_t *move,
                     uint64_t *visited);

/* -- the tree search (search/tree.c) -- */

#define ONE_PLY 32 /* depths are fractions of plies inside the tree */

/* The numbers of the tree search; docs/gomoku.md says how they were found. Values are in NET_VALUE_UNITs of 200,
 * policies in 32nds of a natural unit, depths in plies, reductions and extensions in hundredths of a ply. */
struct tree_params {
    int leaf_vcf_nodes; /* fours looked for at the horizon, and above it */
    int inner_vcf_nodes;
    int root_vct;   /* percent of the nodes, or of what the time allows, that threats get at the root */
    int razor_base; /* give up so far below alpha, and more by the square of the depth, up to a depth */
    int razor_square;
    int razor_depth;
    int reverse_depth; /* stop so far above beta, by the depth */
    int reverse_margin;
    int reverse_improving;
    int late_base; /* how many moves are tried at a depth: base + slope * depth / 16 + square * depth^2 / 256 */
    int late_slope;
    int late_square;
    int late_halved; /* percent of that when the position does not get better */
    int futility_depth;
    int futility_base;
    int futility_margin;
    int policy_base; /* less than a ply above the horizon, moves that look so unlikely are left out */
    int policy_margin;
    int reduce_from; /* the first move, counted from 0, that may be reduced, and from which depth on */
    int reduce_depth;
    int reduce_scale;
    int reduce_policy; /* for so much less likely than the likeliest one ply */
    int reduce_history;
    int reduce_improving; /* when the position does not get better */
    int reduce_cut;       /* where a cut is expected */
    int reduce_pv;        /* less in the main line */
    int reduce_threat;    /* less for threats and for answers to them */
    int reduce_answer;
    int lost_less;   /* depth lost where a cut is expected and all that is asked is whether the position is lost */
    int table_less;  /* depth lost without a table move */
    int answer_more; /* added for the answer to a four */
    int singular_depth;
    int singular_margin; /* hundredths, by the depth */
    int singular_far;    /* two plies more when the others are so much worse */
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
    struct gomoku_wishes wishes; /* of the search under way */
    bool several;                /* threads are at work */
    struct busy busy;            /* then, the moves they are at */
};

/* What a thread says of the root: its last finished iteration. */
struct opinion {
    int depth; /* 0: none was finished */
    int value;
    int length;
    uint16_t line[MOST_PLY + 2];
};

struct worker {
    struct gboard board;
    struct net *net; /* owned */
    struct vcf vcf;
    struct shared *shared;
    int index;
    uint64_t nodes;
    struct clock_meter meter; /* of these and the fours' nodes */
    struct gomoku_stats stats;
    struct opinion opinion; /* of a helper */
    int root_value;         /* of the line in root_line: the best so far of the iteration under way */
    int root_length;
    uint16_t root_line[MOST_PLY + 2];
    int root_skip_count;
    uint16_t root_skip[64];      /* moves that other lines of a multi-PV search have taken */
    int16_t evals[MOST_PLY + 2]; /* seen for the side to move there */
    int extended[MOST_PLY + 2];  /* extensions beyond a ply on the way to it */
    uint16_t before[2];          /* the last two moves before the root, or NO_SQUARE */
    uint16_t played[MOST_PLY + 2];
    uint16_t killers[MOST_PLY + 2][2];
    uint16_t counter[2][GOMOKU_MOST_SQUARES];
    int16_t history[2][GOMOKU_MOST_SQUARES];
    int16_t order[2][GOMOKU_MOST_SQUARES]; /* what the history adds to a move's score */
    int pv_length[MOST_PLY + 2];
    uint16_t pv[MOST_PLY + 2][MOST_PLY + 2];
    struct move_list lists[MOST_PLY + 2];
    struct gboard_history undo;
};

/* Searches the worker's board to `depth` plies within the window. When the clock ends it meanwhile, the value means
 * nothing, but root_line holds the best line that was found, if any. */
int tree_search(struct worker *worker, int alpha, int beta, int depth);

/* Which part of its usual share of the clock a move gets whose best line has been the same for so many depths and whose
 * value has fallen by so much since the last one. */
double gomoku_time_part(int same_for, int fall);

/* Whose opinion counts, by its place among them; -1 when there is none. The shortest proved win; otherwise the move
 * with the most votes: each thread gives its move as many as its value lies above the worst one (and some for itself),
 * times its depth. For that move speaks who has searched it deepest. Who thinks that everything loses has no vote: if
 * so, the others' move is as good as any. When all think so, the longest loss. */
int gomoku_choose_opinion(const struct opinion *const *opinions, int count);

/* Replaces the numbers of a searcher's tree search; for measuring them. */
void gomoku_searcher_tune(struct searcher *searcher, const struct tree_params *params);

/* -- the order of moves (search/order.c) -- */

/* What a move of the side to move does there: quiet ones threaten nothing. */
static inline bool is_quiet(const struct gboard *board, int square) {
    return gboard_class(board, board->side, square) < CLASS_THREE;
}

/* Fills the ply's list with squares, scored by what this search has learnt so far. */
void order_list(struct worker *worker, const uint64_t *squares, int ply, uint16_t table_move);

/* Adds how likely each of them looks. That costs most, and a first move that is known may make it needless. */
void order_policy(struct worker *worker, int ply);

/* The next best of the list's rest comes to index `from`. */
struct scored_move order_pick(struct move_list *list, int from);

/* No quiet move behind index `from` will be searched any more: drops them, so that they need not be sorted. */
void order_drop_quiet(const struct gboard *board, struct move_list *list, int from);

/* `best` was good enough at a node of `depth` plies, the `count` moves of `failed` were searched before and not. */
void order_learn(struct worker *worker, int ply, int depth, uint16_t best, const uint16_t *failed, int count);

/* Makes what was learnt older between searches, and forgets it between games. */
void order_age(struct worker *worker);
void order_forget(struct worker *worker);

#endif
