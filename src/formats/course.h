/* The files courses and people exchange, behind one door: bytes in, a request out (which position, which
 * method, which depth or budget), and the answer's bytes for a move. Each format is one file beside this one, and all
 * that is known about a course stands there: the names of its files, its clock, how it calls programs, how its input is
 * written and what it takes for an answer. */
#ifndef SORTIE_FORMATS_COURSE_H
#define SORTIE_FORMATS_COURSE_H

#include "base/text.h"
#include "game/game.h"
#include "search/limits.h"

/* Who moves and how. */
struct course_player {
    int side;
    enum search_method method;
    int depth;               /* of the textbook methods, at least 1 */
    double cpu_seconds_left; /* SEARCH_ENGINE: for the rest of the game; 0 where the file does not say */
    double wall_seconds;     /* SEARCH_ENGINE: the usual time for a move; 0: none */
};

struct course_request {
    const struct course_format *format;
    const struct game *game;
    struct game_position *position;  /* owned: course_request_free */
    struct course_player players[2]; /* [0] is to move; [1] only in a battle */
    bool battle;                     /* play on to the end and answer with every board */
    bool log;                        /* the course wants the traversal log too */
    int record;                      /* the game wanted of a file that holds several, from 1; 0: the first */
    int records;                     /* how many the file holds */
    char warning[160];               /* odd but accepted; "" when nothing is */
};

/* What a program of the course is asked, beside the position. */
struct course_question {
    double seconds; /* the time it is told it has */
    int task;       /* where the course has tasks */
    int depth;      /* and where it names a depth */
    bool fixed;     /* ask for a search of that depth, not for play on the clock, where the course has both */
};

/* The course's own time limits, in seconds; 0 where there is none. */
struct course_clock {
    bool cpu; /* by CPU time */
    double per_move;
    double per_game;
    double grace; /* with CPU time: wall seconds beyond what is left before a program is stopped */
};

#define COURSE_INPUT_FILE "input.txt" /* what every course calls the file its programs read */

struct course_format {
    const char *name;        /* for --format: "stake" */
    const char *title;       /* "Stake-Raid course file" */
    const struct game *game; /* NULL: the file names its game */
    int variant;             /* of the game, the one that the course plays; -1: any */
    const char *answer_file; /* where the course looks for a move: "output.txt" */
    const char *battle_file; /* and for a battle; NULL where there is none */
    const char *log_file;    /* and for the traversal log; NULL where there is none */
    /* Whether the bytes look like this format: a cheap look at the first lines, also true for faulty files of
     * this kind, so that the message names what is wrong with them. */
    bool (*sniff)(const char *bytes, size_t length);
    /* Fills everything but request->format, ->game and the position's memory, which is there already. */
    enum status (*parse)(const char *bytes, size_t length, struct course_request *request, struct error *error);
    /* Appends what the course expects for `move` from the position `before`, which led to `after`. */
    void (*answer)(const struct game *game, const struct game_position *before, game_move move,
                   const struct game_position *after, struct text *text);
    /* Appends the board alone, as battles show it; NULL where there are no battles. */
    void (*board)(const struct game_position *position, struct text *text);

    /* -- for running a course's programs; `ask` is NULL where the format is no course's -- */

    /* Appends the input file. */
    void (*ask)(const struct game_position *position, const struct course_question *question, struct text *text);
    /* Whether an answer that fits no legal move is at least of the right shape: an illegal move, not rubbish. */
    bool (*has_shape)(const char *bytes, size_t length, int size);
    bool input_argument; /* programs are called with "-i input.txt" */
    int only_size;       /* of the course's boards; 0: any */
    struct course_clock clock;
};

const struct course_format *const *course_formats(void); /* ended by NULL */
const struct course_format *course_format_find(const char *name);
/* The course whose programs play this game by files; NULL when there is none. */
const struct course_format *course_format_of(const struct game *game, int variant);

/* Parses with the named format, or with the one found by looking (name NULL). On success the caller owns the
 * request; on failure nothing needs freeing. course_parse refuses a game that is over, course_parse_any takes
 * it, for showing. */
enum status course_parse(const char *bytes, size_t length, const char *name, struct course_request *request,
                         struct error *error);
enum status course_parse_any(const char *bytes, size_t length, const char *name, struct course_request *request,
                             struct error *error);
/* The same for one game of a file that holds several, from 1; 0: the first. */
enum status course_parse_record(const char *bytes, size_t length, const char *name, int record,
                                struct course_request *request, struct error *error);
/* Refuses a request whose game is over, and frees it. */
enum status course_refuse_over(const char *bytes, size_t length, struct course_request *request, struct error *error);
void course_request_free(struct course_request *request);

#endif
