/* The plan of a match: who plays whom, from which start, with which clock. A plan is plain data that can be
 * written as text and read back; which game has which number is a function of the plan alone, so that a match
 * that was cut short can be carried on with exactly the games that are missing. */
#ifndef SORTIE_RESULTS_PLAN_H
#define SORTIE_RESULTS_PLAN_H

#include "players/player.h"
#include "results/rating.h"

#define PLAN_MOST_PLAYERS 256
#define PLAN_MOST_SIZES 32
#define PLAN_MOST_GAMES 10000000
#define PLAN_MOST_SWISS 1000 /* rounds */

struct plan {
    const struct game *game;
    int variant;
    int sizes[PLAN_MOST_SIZES]; /* starts go through them in turn */
    int size_count;
    struct player_spec *players; /* owned; their names differ */
    int player_count;
    bool gauntlet;   /* the first player against each other one; otherwise everybody against everybody */
    int swiss;       /* or: so many rounds, in each of which players meet who stand alike; 0: not so */
    int (*pairs)[2]; /* owned; who meets whom, for the rounds that are drawn; the lower number first */
    int pair_count;
    bool swap; /* Gomoku's first stone may be taken over; all games begin with an empty board */
    uint64_t seed;
    int64_t games; /* in all */
    struct player_time time;
    struct warden_limits limits;
    bool has_sprt;
    struct rating_sprt sprt; /* of the first player against the second */
    char **openings;         /* owned texts of positions; none: random starts from the seed */
    int opening_count;
    const char *results; /* the file of results, which no program may see; NULL: none. Not part of the text */
};

/* One game of the plan. Games 2k and 2k + 1 are a pair: the same two players and start, sides exchanged. */
struct plan_game {
    int64_t index;
    int players[2]; /* of the first and the second side */
    int start;      /* the round: all meetings of a round have the same start */
};

void plan_free(struct plan *plan);

/* Adds a player; a name that is taken gets a number behind it. */
enum status plan_add_player(struct plan *plan, const char *text, struct error *error);
/* Adds the starts of a file: positions in sortie's own text, each begun by a line that begins with the game's name, or
 * recorded games of Gomoku in any format, on the plan's first size where that says none. Error places are lines of the
 * whole file. */
enum status plan_add_openings(struct plan *plan, const char *bytes, size_t length, struct error *error);
/* Checks that everything fits together and fills in what was left open (the course's clock for programs). */
enum status plan_check(struct plan *plan, struct error *error);
/* Reads every opening once; for a plan whose openings were not added by plan_add_openings. */
enum status plan_check_openings(const struct plan *plan, struct error *error);

/* Adds a meeting to what is drawn of a Swiss tournament. */
enum status plan_add_pair(struct plan *plan, int a, int b, struct error *error);
/* Games in a round: every meeting once with each side. */
int64_t plan_round(const struct plan *plan);
void plan_game_at(const struct plan *plan, int64_t index, struct plan_game *game);
/* Sets up the start of a round; `position` has the game's position_size bytes. */
enum status plan_start(const struct plan *plan, int start, struct game_position *position, struct error *error);

/* The plan as lines of text, everything but the number of games; and back, after which the caller sets that
 * number and calls plan_check. */
void plan_write(const struct plan *plan, struct text *text);
enum status plan_read(struct plan *plan, const char *bytes, size_t length, struct error *error);

#endif
