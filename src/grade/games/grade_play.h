/* The games of a case, played before the referee of matches: the submitted program in its sandbox on one side, a player
 * inside sortie on the other. */
#ifndef SORTIE_GRADE_GAMES_GRADE_PLAY_H
#define SORTIE_GRADE_GAMES_GRADE_PLAY_H

#include "grade/games/grade_facts.h"

struct grade_play {
    const struct grade_game *game;
    const struct course_request *request; /* the start, and what the program is asked */
    const char *command;                  /* words, each ended by a zero, then one more */
    struct warden *warden;                /* which shows the program what it may see */
    struct warden_limits limits;
    struct player_time time;
    const atomic_bool *stop; /* NULL: nobody stops it */
};

struct grade_played {
    struct text facts;
    struct text errors; /* what the program said on standard error */
    double wall_seconds;
    double cpu_seconds;
};

/* Plays them all. Only a failure of the machine is an error; the caller frees both texts in any case. */
enum status grade_play(const struct grade_play *play, struct grade_played *played, struct error *error);

/* Plays the moves of a game through from the start: `each` is called with the start and after every move. False where
 * a move is none; `each` has been called for those before. */
struct grade_ply {
    int number;       /* moves played; 0: the start */
    bool by_program;  /* the last one; false for random ones */
    const char *move; /* the last one, NULL at the start */
    const struct game_position *position;
};
bool grade_replay(const struct course_request *request, const struct grade_fact *fact,
                  void (*each)(void *user, const struct grade_ply *ply), void *user);
/* The program's side in a game. */
int grade_side(const struct course_request *request, const struct grade_fact *fact);
/* The points of both sides as a board stands: squares, or what they are worth. */
void grade_points_of(const struct game *game, const struct game_position *position, int points[2]);

#endif
