/* sortie: plays and solves adversarial board games. The public C API.
 *
 * Handles are opaque. Functions that can fail return a status and fill an error when one is given. Option
 * structs begin with their own size, so that a program built against an older header keeps working: set it with
 * SORTIE_INIT(type). Texts handed out belong to the caller and are freed with sortie_free.
 *
 * A handle may be used by one thread at a time; only sortie_engine_stop may be called from any thread. */
#ifndef SORTIE_SORTIE_H
#define SORTIE_SORTIE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sortie_status {
    SORTIE_OK = 0,
    SORTIE_FAIL = 1,     /* the machine failed: no memory, no thread */
    SORTIE_BAD_INPUT = 2 /* what was given is wrong; the error says what was expected */
} sortie_status;

typedef struct sortie_error {
    int line;   /* from 1; 0 when the fault has no place in a text */
    int column; /* from 1 */
    char text[240];
} sortie_error;

typedef struct sortie_position sortie_position;
typedef struct sortie_engine sortie_engine;

/* {0} with the size set. */
#define SORTIE_INIT(type) ((type){.size = sizeof(type)})

const char *sortie_version(void);
void sortie_free(char *text);

/* -- games: "war" (rule sets "stake", "sneak"), "laser", "gomoku" -- */

/* The name of game number `index`, or NULL behind the last. */
const char *sortie_game_name(int index);
/* The name of a game's rule set number `index`, or NULL. */
const char *sortie_game_rules(const char *game, int index);

/* -- positions: a board, whose turn it is, and the moves played on it since it was made -- */

/* The starting board. rules NULL: the usual rule set; size 0: the usual size. */
sortie_status sortie_position_start(const char *game, const char *rules, int size, sortie_position **out,
                                    sortie_error *error);
/* Any file sortie knows: a course's input file or a position in sortie's own text. */
sortie_status sortie_position_parse(const char *bytes, size_t length, sortie_position **out, sortie_error *error);
sortie_status sortie_position_copy(const sortie_position *position, sortie_position **out);
void sortie_position_free(sortie_position *position);

const char *sortie_position_game(const sortie_position *position);
int sortie_position_size(const sortie_position *position);
int sortie_position_to_move(const sortie_position *position); /* 0 the first side, 1 the second */
int sortie_position_is_over(const sortie_position *position);
/* The result from the first side's view: the margin as it stands, or +1, 0, -1 in a game of wins. */
int sortie_position_score(const sortie_position *position);

/* Legal moves in the game's notation, in the game's order: "B3 Raid", "3 4", "H8". Returns how many there are;
 * writes the first `capacity` of them. */
typedef char sortie_move[32];
int sortie_position_moves(const sortie_position *position, sortie_move *moves, int capacity);
sortie_status sortie_position_play(sortie_position *position, const char *move, sortie_error *error);
/* Takes back the last move played; SORTIE_BAD_INPUT when there is none. */
sortie_status sortie_position_undo(sortie_position *position, sortie_error *error);

/* NULL when memory runs out. */
char *sortie_position_text(const sortie_position *position);
char *sortie_position_svg(const sortie_position *position);

/* -- the engine -- */

typedef enum sortie_method { SORTIE_GREEDY, SORTIE_MINIMAX, SORTIE_ALPHABETA, SORTIE_ENGINE } sortie_method;
typedef enum sortie_goal {
    SORTIE_BEST,  /* the best move within the limits */
    SORTIE_EXACT, /* the value under perfect play */
    SORTIE_WIN    /* only whether it is won, drawn or lost */
} sortie_goal;

typedef struct sortie_engine_options {
    size_t size;
    int threads;       /* 0: one */
    size_t hash_bytes; /* 0: a modest default */
} sortie_engine_options;

#define SORTIE_MOST_LINE 256

/* A report while thinking, and the answer. Values are from the view of the side to move. */
typedef struct sortie_result {
    sortie_move move;
    int value;
    int proved; /* lower and upper hold; the value is exact when they are equal */
    int lower;
    int upper;
    int depth;
    int line; /* which of the best moves this is about, from 0 */
    uint64_t nodes;
    uint64_t leaves;
    uint64_t cutoffs;
    double wall_seconds;
    double cpu_seconds;
    int line_length;
    sortie_move line_moves[SORTIE_MOST_LINE]; /* the line of best play; [0] is the move */
} sortie_result;

/* Zero means no limit of that kind; with none at all the engine looks one ply ahead. */
typedef struct sortie_limits {
    size_t size;
    sortie_method method; /* zero is SORTIE_GREEDY: say which */
    sortie_goal goal;
    int depth;
    uint64_t nodes;          /* deterministic on one thread */
    double wall_seconds;     /* for this move */
    double cpu_seconds;      /* for this move, summed over threads */
    double cpu_seconds_left; /* for the rest of the game */
    int multi_pv;
    void (*on_info)(void *user, const sortie_result *report); /* may be NULL */
    void *user;
} sortie_limits;

/* options NULL: defaults. */
sortie_status sortie_engine_new(const sortie_engine_options *options, sortie_engine **out, sortie_error *error);
void sortie_engine_free(sortie_engine *engine);
/* Thinks until a limit is reached or sortie_engine_stop is called. The game must not be over. */
sortie_status sortie_engine_go(sortie_engine *engine, const sortie_position *position, const sortie_limits *limits,
                               sortie_result *result, sortie_error *error);
/* From any thread or a signal handler: the search under way answers at once with the best it has. */
void sortie_engine_stop(sortie_engine *engine);
/* Forgets what earlier searches learnt. */
void sortie_engine_clear(sortie_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
