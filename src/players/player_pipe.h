/* A program that lives for one game and is spoken to through pipes, one command a line: what brains and engines have in
 * common. It is believed nothing: it may be silent, say too much, not listen, or be gone. */
#ifndef SORTIE_PLAYERS_PLAYER_PIPE_H
#define SORTIE_PLAYERS_PLAYER_PIPE_H

#include "players/player.h"
#include "players/player_prepare.h"

/* A longer line is cut there. */
#define PLAYER_PIPE_MOST_LINE 4096

struct player_pipe {
    struct player_prepared prepared;
    const struct player_game *game; /* borrowed */
    const char *who;                /* for messages: "brain" */
    bool open;
    int to;
    int from;
    uint64_t heard; /* bytes of this game */
    double asked_cpu;
    size_t filled;
    char buffer[PLAYER_PIPE_MOST_LINE]; /* what came in and is not yet taken as a line */
};

/* Notes what was done wrong, the first time. */
void player_pipe_fault(struct player_answer *answer, enum player_fault fault, const char *detail);

/* Prepares the player's folder and starts its program for a game; false, with the fault noted, when it cannot be. */
bool player_pipe_open(struct player_pipe *pipe, const struct player_spec *spec, const struct player_game *game,
                      struct player_answer *answer);

/* Sends commands, as long as it is not later than `until`: the program may have filled its own input and read nothing.
 * One that is gone shows when its answer is read. */
void player_pipe_say(struct player_pipe *pipe, const struct text *commands, double until, struct player_answer *answer);

/* Waits until `until` for a line that is not empty; false, with the fault noted, when none comes. */
bool player_pipe_hear(struct player_pipe *pipe, double until, char line[PLAYER_PIPE_MOST_LINE],
                      struct player_answer *answer);

/* Sends the question of a turn and says until when its answer is waited for: longer than the limit, so that a hair's
 * breadth is judged by the time measured. */
double player_pipe_ask(struct player_pipe *pipe, const struct player_turn *turn, const struct text *commands,
                       struct player_answer *answer);
/* What the answer took since `asked_at`, by both clocks. */
void player_pipe_measure(struct player_pipe *pipe, double asked_at, struct player_answer *answer);

/* The game is over: says its last words and ends the program. */
void player_pipe_close(struct player_pipe *pipe, const char *last_words, struct text *errors);
/* Frees what the preparation has kept. */
void player_pipe_free(struct player_pipe *pipe);

#endif
