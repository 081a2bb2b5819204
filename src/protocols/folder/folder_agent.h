/* The player's side of the folder: when is it our turn, what was played, is the game over.
 *
 * The rules of reading, learnt from how referees write:
 *   - A referee that ends a game writes end_game first and both .go files after it. So .go is looked at before
 *     end_game, and end_game decides.
 *   - Our .go stays for a moment after our own move: it is our turn only when move_file does not name us.
 *   - Files of an earlier game may lie around, the course's referee never removes them. What is there at the start
 *     and cannot belong to a game under way is ignored until it changes.
 *   - The other program may have deleted or emptied move_file. We read it also when it is not our turn, and fall back
 *     on what we saw then. */
#ifndef SORTIE_PROTOCOLS_FOLDER_FOLDER_AGENT_H
#define SORTIE_PROTOCOLS_FOLDER_FOLDER_AGENT_H

#include <stdatomic.h>

#include "protocols/folder/folder_game.h"

struct folder_agent {
    struct folder *folder; /* borrowed */
    const char *team;
    double limit;    /* seconds a move */
    double wait;     /* seconds we wait for a game to begin */
    double patience; /* seconds without any sign once it has begun */
    char go_name[FOLDER_MOST_NAME];
    struct folder_game game;
    int player;         /* 0 or 1 once known, -1 before */
    int64_t turn_began; /* by the clock of the files: when our .go was made */

    /* private */
    struct folder_stamp old_end; /* leftovers; exists is false when there are none */
    struct folder_stamp old_go;
    int seen;         /* a move of the other side read before our turn, or -1 */
    int guess;        /* index of a move that we had to guess, or -1 */
    double since;     /* when our turn was first noticed, 0 when it is not our turn */
    double last_sign; /* when something last changed */
    struct folder_stamp last_move_file;
};

enum folder_news {
    FOLDER_OUR_TURN,  /* the game is up to date, and we are to move */
    FOLDER_GAME_OVER, /* *text has the referee's line */
    FOLDER_SILENCE,   /* nobody is there: no game began, or the referee went away */
    FOLDER_STOPPED    /* `stop` was set */
};

/* Notes what lies in the folder already. The caller fills folder, team and the times before. */
void folder_agent_start(struct folder_agent *agent, enum folder_rules rules);

/* Waits for our turn or the end. `expected`: the move we expect from the other side, played for it if its real
 * move cannot be found out; -1 for none. */
enum folder_news folder_agent_wait(struct folder_agent *agent, int expected, atomic_bool *stop,
                                   char text[FOLDER_MOST_LINE]);

/* Whether the game is over; *text then has the referee's line. */
bool folder_agent_over(struct folder_agent *agent, char text[FOLDER_MOST_LINE]);

/* Plays our move and writes it. Tries again for a while when the folder does not take it. When the game is over
 * already, nothing is written, which is no error. */
enum status folder_agent_move(struct folder_agent *agent, int square, struct error *error);

#endif
