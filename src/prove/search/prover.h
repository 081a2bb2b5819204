/* The prover of Gomoku (freestyle): depth-first proof-number search for one claim, "the hero wins" or "the hero holds"
 * (the villain never makes five). prover.c has the search, which knows neither claim; win.c and hold.c say which moves
 * of a position need to be looked at and when it is settled; build.c makes the proof tree out of what was proved, and
 * asks the search again where that was forgotten. */
#ifndef SORTIE_PROVE_SEARCH_PROVER_H
#define SORTIE_PROVE_SEARCH_PROVER_H

#include "prove/search/advice.h"
#include "prove/search/answers.h"
#include "prove/search/proved.h"
#include "prove/search/recent.h"
#include "prove/search/threats.h"

struct prover;

enum prove_claim { PROVE_WIN, PROVE_HOLD };

/* For the hero. */
enum prove_outcome { PROVE_OPEN, PROVE_YES, PROVE_NO };

/* What is asked. Zero is no limit. */
struct prove_settings {
    enum prove_claim claim;
    int hero;
    size_t hash_bytes;       /* of the table; 0: 64 MiB */
    uint64_t threat_nodes;   /* spent on threats at a node; 0: the usual */
    int width;               /* moves of the hero's that are tried at a node; 0: the usual */
    uint64_t turn_steps;     /* spent on a reply next to the root before the others are tried; 0: the usual */
    double seconds;          /* of the wall clock */
    uint64_t nodes;          /* of the search itself */
    int worker;              /* of several that share what is proved: each begins elsewhere */
    int workers;             /* 0: one */
    const atomic_bool *stop; /* or NULL */
    /* Told now and then how things stand; may be NULL. */
    void (*progress)(void *user, const struct prover *prover);
    void *user;
};

/* What is counted. */
struct prove_counts {
    uint64_t nodes;    /* searched, each visit */
    uint64_t wins;     /* of them won by threats at once */
    uint64_t adapted;  /* wins by threats, also after a pass, that were found elsewhere and fit */
    uint64_t covered;  /* nodes of the villain's with a win after a pass */
    uint64_t bare;     /* and those without */
    uint64_t answered; /* replies that needed an answer of their own in the former */
};

#define PROVER_REPLY_SETS ((size_t)1 << 16)

/* Which replies need an answer, kept for as long as there is room. */
struct reply_set {
    uint64_t key;
    struct squares squares;
};

#define PROVER_HOLD_THREATS 100 /* nodes spent on wins of a hero who is to hold */
/* What the search knows of a position on the way from the root. */
enum prover_node { NODE_FREE, NODE_FORCED /* the hero has to parry */, NODE_BARE /* all replies need an answer */ };

struct prover {
    struct prove_settings settings;
    struct prove_counts counts;
    struct gboard *board; /* owned, as is all the rest */
    struct gboard_history *history;
    struct gboard_lean *lean;
    struct net *net;
    struct threats threats;
    struct adviser adviser;
    struct gomoku_position start; /* the root */
    struct pn_table table;
    struct proved *proved;      /* borrowed */
    struct tree tree;           /* of one node's threats while searching */
    struct recent_wins *recent; /* by the distance from the root */
    struct reply_set *reply_sets;
    struct answers answers;   /* of one node, to hold */
    struct tree kept;         /* wins by threats that the search relied on, at once or after a pass, for the proof */
    struct proved kept_roots; /* their nodes, by the position's key */
    struct search_clock clock;
    uint64_t last_step;
    uint64_t deadline; /* in the prover's own steps: a position further up wants to think again */
    struct pn_value root;
    uint64_t built;                       /* nodes of the proof, while it is built and written */
    uint64_t keys[8];                     /* of the position under each symmetry */
    uint64_t guide_keys[8];               /* of the same without its stray, the colours exchanged */
    uint16_t stray;                       /* see guide.c; NO_SQUARE: none */
    uint16_t haunts[GOMOKU_MOST_SQUARES]; /* where the stray could as well be */
    int haunt_count;
    struct larger_board *larger; /* see larger.c */
    int larger_count;
    uint16_t turned[8][GOMOKU_MOST_SQUARES];   /* where a square goes */
    uint16_t returned[8][GOMOKU_MOST_SQUARES]; /* and where from */
    uint64_t stones[2][GOMOKU_MOST_SQUARES];
    uint16_t played[GOMOKU_MOST_SQUARES + 2]; /* since the root, behind two of before */
    uint8_t path[GOMOKU_MOST_SQUARES + 2];    /* of enum prover_node, by the distance from the root */
    int ply;
    int bare_plies; /* so far from the root the hero may make moves that threaten nothing */
    bool advised;   /* the last move was the engine's advice: it may do so too */
};

/* False when there is no memory. The game must not be over. */
bool prover_make(struct prover *prover, const struct gomoku_position *position, const struct prove_settings *settings,
                 struct proved *proved);
void prover_free(struct prover *prover);

/* Allows so many seconds, nodes and steps (see prover_steps) more from now on. */
void prover_allow(struct prover *prover, double seconds, uint64_t nodes, uint64_t steps);

/* Ends the search under way, from any thread. */
void prover_end(struct prover *prover);

/* How much was done so far, about in proportion to the time it takes. */
uint64_t prover_steps(const struct prover *prover);

/* Tries twice as many moves of the hero's from now on, and farther from the root such as threaten nothing; what was
 * found out with fewer is forgotten unless proved. */
void prover_widen(struct prover *prover);

/* Searches until the claim is settled or a limit is reached; may be called again. PROVE_NO: the moves that were tried
 * do not do it; for a hero who has left moves out that is no proof of anything. */
enum prove_outcome prover_run(struct prover *prover);

/* Builds the whole proof of a claim that was found true, in *tree; its root or TREE_NONE when a limit was reached or
 * the search stopped meanwhile. With the villain to move at the root the root's own move is NO_SQUARE. */
int32_t prover_build(struct prover *prover, struct tree *tree);

/* -- between the files -- */

/* Called now and then while a proof is built or written: looks at the clock, and tells how things stand. False: stop.
 */
bool prover_goes_on(struct prover *prover);

void prover_play(struct prover *prover, int square);
void prover_undo(struct prover *prover);
bool prover_hero_moves(const struct prover *prover);
/* The key of a side to move, and of claims of one hero and size: what all keys of a proof begin with. */
uint64_t prover_side_key(int side);
uint64_t prover_salt(int size, int hero, enum prove_claim claim);
/* Which of eight keys is the least. */
int prover_least_key(const uint64_t keys[8]);
/* The position's key, the same for all its symmetries; *symmetry leads to the one it is the key of. */
uint64_t prover_key(const struct prover *prover, int *symmetry);
/* The key once the side to move has played there. */
uint64_t prover_key_after(const struct prover *prover, int square);

/* Keeps a win of the hero's by threats, after a pass where the villain is to move, as long as there is room. */
void prover_keep_tree(struct prover *prover, const struct tree *tree, int32_t node);
/* Adds the one kept for this position to *tree and returns its root; TREE_NONE when there is none. */
int32_t prover_kept_tree(struct prover *prover, struct tree *tree);

/* Finds the stray of the root and begins to follow the position without it. */
void guide_make(struct prover *prover);
/* A stone of the side's comes or goes. */
void guide_toggle(struct prover *prover, int side, int square);
/* Lays the position on all larger boards; false when there is no memory. What the store has won in it there. */
bool larger_make(struct prover *prover);
void larger_free(struct prover *prover);
uint16_t larger_move(const struct prover *prover);
/* How many stones are on the board, a stray apart. */
int guide_stones(const struct prover *prover);
/* The hero's move that the store speaks for: what wins in the position with its stray elsewhere or without it, or moved
 * to the middle, or else, with the first stones, what most replies have a proved answer to. NO_SQUARE when there is
 * none. */
uint16_t guide_move(struct prover *prover);

/* Looks for a win of the hero's by threats, after a pass where the villain is to move: first one that was found lately
 * elsewhere, then a new one. Its root in prover->tree, or TREE_NONE. */
int32_t prover_find_win(struct prover *prover, uint64_t fours, uint64_t nodes);

/* Whether the hero, who is to move, wins so, by *move; in a position that was searched before nothing is looked for. */
bool prover_wins(struct prover *prover, uint64_t fours, uint64_t nodes, uint16_t *move);
/* The villain's replies that need an answer of their own, since a win of the hero's after a pass does not answer them;
 * false when there is no such win: these are all. */
bool prover_replies(struct prover *prover, uint64_t fours, uint64_t nodes, struct squares *replies);

/* Whether the position was searched before, as far as the table remembers; and whether it was left open. */
bool prover_seen(struct prover *prover);
bool prover_left_open(struct prover *prover);

/* Searches the position on the board to the end, as deep as the limits allow. */
struct pn_value prover_search(struct prover *prover);
/* The hero's move in a position that it is proved for; NO_SQUARE when that is not known any more. */
uint16_t prover_known_move(struct prover *prover);

/* What a position comes to, or its moves with numbers to start from. `hint` is a move that did it in a brother. A
 * villain's moves that are left out have an answer. */
enum prove_outcome win_expand(struct prover *prover, struct pn_children *children, uint16_t hint, uint16_t *move);
enum prove_outcome hold_expand(struct prover *prover, struct pn_children *children, uint16_t *move);

/* Fills *children with the hero's likeliest moves among `squares`. */
void prover_candidates(struct prover *prover, const uint64_t *squares, int width, uint16_t hint,
                       struct pn_children *children);

#endif
