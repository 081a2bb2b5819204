/* A player of a match, of whatever kind: the built-in engine, a textbook search, a course's program.
 *
 * A kind of player is one const struct player_kind in one file, named in the table of player.c. The referee
 * knows only this interface; it judges the answers itself. */
#ifndef SORTIE_PLAYERS_PLAYER_H
#define SORTIE_PLAYERS_PLAYER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "game/game.h"
#include "sandbox/warden.h"

#define PLAYER_MOST_NAME 64
#define PLAYER_MOST_SPEC 1024

/* Why a game was lost other than by the rules of the game. The names are stored in results files. */
enum player_fault {
    PLAYER_NO_FAULT,
    PLAYER_ILLEGAL,     /* a move that is not allowed */
    PLAYER_BAD_ANSWER,  /* an answer that cannot be understood, or whose board is wrong */
    PLAYER_NO_ANSWER,   /* ended without answering */
    PLAYER_CRASHED,     /* killed by a signal, or a failure status and no answer */
    PLAYER_LATE,        /* out of time */
    PLAYER_FLOODED,     /* wrote more than allowed */
    PLAYER_FORKED,      /* started more processes than allowed */
    PLAYER_NOT_STARTED, /* the program could not be started */
    PLAYER_FAULTS
};

const char *player_fault_name(enum player_fault fault); /* "illegal move" */
/* PLAYER_FAULTS when no fault has that name. */
enum player_fault player_fault_find(const char *name);

/* What a player is made from; plain data. */
struct player_spec {
    const struct player_kind *kind;
    char name[PLAYER_MOST_NAME];
    char team[PLAYER_MOST_NAME]; /* in a referee's folder, where that is not its name */
    char text[PLAYER_MOST_SPEC]; /* as given, with paths made absolute; parses to the same again */
    int depth;                   /* 0: not given */
    uint64_t nodes;
    double wall_seconds; /* a move */
    double cpu_seconds;
    int threads;
    size_t hash_bytes;
    bool plain;
    bool no_swap; /* opens by itself and never takes the first stone over; otherwise the table of the swap decides */
    int task;     /* of the Sneak-Raid course: 1 greedy, 2 minimax, 3 alpha-beta */
    char command[PLAYER_MOST_SPEC]; /* the words of a program's command, each ended by a zero, then one more */
    char setup[PLAYER_MOST_SPEC];   /* likewise: a command that prepares the program; or empty */
    char files[PLAYER_MOST_SPEC];   /* likewise: files it finds in its folder */
    char shown[PLAYER_MOST_SPEC];   /* likewise: files and folders it may see besides */
    char build[PLAYER_MOST_SPEC];   /* a tar file that is unpacked in /build, where its command finds it; or empty */
};

/* How time is counted. */
enum player_clock { PLAYER_CLOCK_NONE, PLAYER_CLOCK_WALL, PLAYER_CLOCK_CPU };

struct player_time {
    enum player_clock clock;
    double per_move; /* 0: no such limit */
    double per_game;
    double grace;  /* with CPU time: wall seconds beyond what is left before a program is stopped */
    double margin; /* seconds over a limit that are forgiven */
};

/* A game as its players see it from the start on. */
struct player_game {
    const struct game *game;
    const struct game_position *start;
    int side;      /* of this player */
    uint64_t seed; /* differs from game to game and side to side; the same when the game is played again */
    struct player_time time;
    struct warden_limits limits; /* for programs; the time limits are set by the kind */
    struct warden *warden;       /* this side's; NULL when no player of the match needs one */
    const atomic_bool *stop;     /* ends the search of a player inside the program; NULL: nothing does */
};

/* One turn. */
struct player_turn {
    const struct game_position *position;
    const game_move *moves; /* played since the start; taking a stone over is none of them */
    int plies;
    bool may_swap;       /* the first stone may be taken over instead of a move */
    bool swapped;        /* it was: the first stone is the second side's, and the sides of the position are exchanged */
    double seconds_left; /* of the game by the match's clock; 0 when there is no such limit */
    double seconds_move; /* for this move, the lesser of both limits; 0: none */
};

struct player_answer {
    game_move move; /* valid when there is no fault */
    bool swap;      /* instead of a move: takes the first stone over */
    enum player_fault fault;
    char detail[200]; /* about the fault, for people */
    double wall_seconds;
    double cpu_seconds; /* user CPU, as the courses count */
};

struct player;

struct player_kind {
    const char *name;
    const char *usage; /* one line of help */
    bool needs_warden;
    bool has_command; /* what follows the colon is a command, not options */
    bool empty_start; /* can only begin with an empty board: a match with it has no random starts */
    bool swaps;       /* knows the swap; for others the match opens and decides, from the table of the swap */
    /* Whether it can play this; called once before a match begins. May be NULL. */
    enum status (*check)(const struct player_spec *spec, const struct game *game, int variant, int size,
                         const struct player_time *time, struct error *error);
    /* Makes a player; `spec` outlives it. NULL when memory is short. */
    struct player *(*create)(const struct player_spec *spec);
    void (*destroy)(struct player *player);
    /* A game begins: forget everything. A fault here loses the game (written into *answer). */
    void (*begin)(struct player *player, const struct player_game *game, struct player_answer *answer);
    /* Chooses a move. Only a failure of the machine is not STATUS_OK. */
    enum status (*choose)(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                          struct error *error);
    /* The game is over, for whatever reason; what the player wrote on its standard error is appended. */
    void (*end)(struct player *player, struct text *errors);
};

extern const struct player_kind *const player_kinds[]; /* ended by NULL */

/* Reads "[NAME=]KIND[,OPTIONS][:OPTIONS or COMMAND]", for example
 *   engine:depth=3    engine:time=0.5,threads=2,hash=64    plain=engine:nodes=10000,plain
 *   greedy    minimax:depth=2    alphabeta:depth=3    random
 *   program:./bot    ann=program:python3 bot.py    program,task=2,depth=3:./sneak
 *   Group1=folder:./bot Group1    ours=folder:sortie agent TEAM --no-swap
 *   program,setup=./calibrate,file=book.txt,show=/opt/nets:./bot
 * Words of a command that name an existing file become absolute paths. */
enum status player_parse(const char *text, struct player_spec *spec, struct error *error);

/* The words of a command, or of another list in a spec, as argv; `words` has room for `most` entries and a NULL. */
void player_words(const char *list, const char **words, int most);
void player_command(const struct player_spec *spec, const char **words, int most);
/* Such a list as a player's text has it: parsing it brings the same words. */
void player_add_words(struct text *text, const char *list);

/* The kinds, each in its own file. */
extern const struct player_kind player_engine;
extern const struct player_kind player_greedy;
extern const struct player_kind player_minimax;
extern const struct player_kind player_alphabeta;
extern const struct player_kind player_random;
extern const struct player_kind player_program;
extern const struct player_kind player_folder;
extern const struct player_kind player_brain;
extern const struct player_kind player_lines;

#endif
