/* A case that is a game: against whom, who begins, how often, by which clock, and what it earns. A teacher writes it
 * beside the start, in a file of lines "name: value"; docs/grading.md tells them all. */
#ifndef SORTIE_GRADE_GAMES_GRADE_GAME_H
#define SORTIE_GRADE_GAMES_GRADE_GAME_H

#include "formats/course.h"
#include "players/player.h"

#define GRADE_GAME_FILE "game.txt"
#define GRADE_MOST_STEPS 16
#define GRADE_MOST_GAMES 1000

/* What numbers earn: between two steps in proportion, beyond the first and the last as they do. */
struct grade_scale {
    int count; /* 0: nothing hangs on them */
    struct {
        double at;
        double percent;
    } steps[GRADE_MOST_STEPS]; /* ascending */
};

enum grade_begins { GRADE_PROGRAM_BEGINS, GRADE_OPPONENT_BEGINS, GRADE_BOTH_BEGIN };

struct grade_game {
    struct player_spec opponent; /* one of the players inside sortie, which thinks to a fixed depth or size */
    enum grade_begins begins;
    int games;
    int random_moves; /* played before each */
    uint64_t seed;
    enum player_clock clock; /* PLAYER_CLOCK_NONE: as the course counts */
    double move_seconds;     /* 0: the course's */
    double game_seconds;
    /* Percent of what the case is worth. */
    double win;
    double draw;
    double loss;
    double fault;              /* lost by an illegal move, a crash, or out of time */
    struct grade_scale margin; /* by how many points the program is ahead; what that earns is added */
    struct grade_scale score;  /* how many points it has */
    uint64_t print;            /* of everything but what it earns */
};

/* Reads such a file for a case of this course. The messages name line and column. */
enum status grade_game_read(struct grade_game *game, const struct course_request *request, const char *bytes,
                            size_t length, struct error *error);
/* Its clock, where the case's input and the options (PLAYER_CLOCK_NONE: they say nothing) have a say too; the grace is
 * for a course that has none. */
struct player_time grade_game_time(const struct grade_game *game, const struct course_request *request,
                                   enum player_clock clock, double grace);

#endif
