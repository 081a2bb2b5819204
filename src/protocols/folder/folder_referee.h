/* The referee's side of the folder: gives turns, takes answers, judges.
 *
 * How it judges what appears in move_file during a turn. Files have no author, so the name in the line decides:
 *   - the player to move:  the move counts; on a taken square, off the board or no move at all: invalid, it loses.
 *   - the other player:    it moved out of turn and loses. Its last move once more is not a new move.
 *   - anybody else, or no name: ignored, the last move is put back and the clock runs on. So nobody loses by what
 *     somebody else wrote, and whoever misspells its own name runs out of time.
 *   - the file is deleted: put back, unless an answer comes first.
 * An answer is read once its line is ended or it has not changed for a while; it is in time when the file was
 * there before the limit. The file is taken away by renaming, so that no answer can slip in between reading and
 * removing. */
#ifndef SORTIE_PROTOCOLS_FOLDER_FOLDER_REFEREE_H
#define SORTIE_PROTOCOLS_FOLDER_FOLDER_REFEREE_H

#include <stdatomic.h>

#include "protocols/folder/folder_game.h"

struct folder_referee {
    struct folder *folder;
    const char *teams[2]; /* the first player is teams[0] */
    double limit;         /* seconds a move */
    double pause;         /* seconds between a move and the next turn */
    enum folder_rules rules;
    atomic_bool *stop; /* set from outside: give up */
    /* After every accepted move. May be NULL. */
    void (*moved)(void *user, const struct folder_game *game, int square, double seconds);
    /* About odd things that were ignored. May be NULL. */
    void (*noticed)(void *user, const char *text);
    /* False once a player's program is known to be gone. May be NULL. */
    bool (*alive)(void *user, int player);
    void *user;
    int odd; /* private: things taken away that were no plain files */
};

struct folder_verdict {
    int winner;       /* 0 or 1; -1 for a tie */
    char reason[80];  /* as end_game words it: "5 in a row!", "out of time" */
    char detail[200]; /* more for people, or "" */
};

/* Plays a whole game in the folder, old files of which are removed before. On success end_game, history_file and both
 * .go files are written, unless the folder itself was removed: then the player to move has lost. On failure (disk,
 * stop) the .go files are removed and *error has the text with the file's name in it. */
enum status folder_referee_play(struct folder_referee *referee, struct folder_game *game,
                                struct folder_verdict *verdict, struct error *error);

/* The parts of it, for somebody who keeps the game himself: removing old files; one turn; the files of the end. */
enum folder_outcome {
    FOLDER_WAITING,    /* nothing yet; never returned */
    FOLDER_UNFINISHED, /* somebody is still writing; never returned */
    FOLDER_MOVED,      /* the game has one move more */
    FOLDER_DECIDED,    /* by a fault, the verdict says whose */
    FOLDER_BROKEN      /* the machine failed us, or we were told to stop */
};

void folder_referee_clean(struct folder_referee *referee);
enum folder_outcome folder_referee_turn(struct folder_referee *referee, struct folder_game *game,
                                        struct folder_verdict *verdict, double *seconds, struct error *error);
enum status folder_referee_end(struct folder_referee *referee, const struct folder_game *game,
                               const struct folder_verdict *verdict, struct error *error);

/* The lines of the two files. */
void folder_end_text(const char *const teams[2], const struct folder_verdict *verdict, char text[2 * FOLDER_MOST_LINE]);
void folder_history_text(const char *const teams[2], const struct folder_game *game, struct text *text);

/* The game as SGF: White begins, as the referee calls it; a swap is a node that gives the stone to Black. */
void folder_sgf_text(const char *const teams[2], const struct folder_game *game, const struct folder_verdict *verdict,
                     struct text *text);

#endif
