/* A file of analysed positions: SQLite, one row a position, under the name its key gives it (key.h). It may come from
 * anybody: nothing in it is believed unchecked. Several processes may read and write it at a time; what is written is
 * there whole or not at all, however the process ends.
 *
 * A value is replaced only by a better one: one that is proved, or else one of a deeper search.
 *
 * Messages do not name the file; the caller knows it. */
#ifndef SORTIE_ANALYSIS_ANALYSES_H
#define SORTIE_ANALYSIS_ANALYSES_H

#include "base/text.h"
#include "formats/line.h"

#define ANALYSIS_MOST_LINE 256
#define ANALYSIS_MOST_TEXT ((size_t)1 << 20) /* of a remark; labels and marks: ANALYSIS_MOST_LABEL */
#define ANALYSIS_MOST_LABEL 64

struct analyses;

enum analyses_mode {
    ANALYSES_READ,   /* only look */
    ANALYSES_CHANGE, /* it must be there */
    ANALYSES_MAKE    /* made where there is none */
};

enum status analyses_open(struct analyses **out, const char *path, enum analyses_mode mode, struct error *error);
void analyses_close(struct analyses *analyses); /* NULL is fine */

/* What a search has found of a position, from the view of the side to move, as struct search_result has it. */
struct analysis_value {
    int value;
    bool proved; /* lower and upper hold */
    int lower;
    int upper;
    int depth;
    uint64_t nodes;
    const char *line; /* the best moves with commas between them, "H8,I9"; NULL: none */
};

/* Everything kept of a position. */
struct analysis {
    bool here;   /* otherwise all is empty */
    bool valued; /* `value` means something; its line is NULL, see below */
    struct analysis_value value;
    int64_t written; /* when something was changed last, in seconds since 1970 */
    int64_t games;   /* recorded games that went through it, */
    int64_t won[2];  /* and how many of them either side won */
    int line_length;
    line_move line[ANALYSIS_MOST_LINE]; /* legal moves, named as the position has them */
    struct text comment;                /* owned, as the next */
    struct text label;
};

/* Looks a position up. *found is {0} or was filled before; analysis_free in the end. */
enum status analyses_get(struct analyses *analyses, const struct game *game, const struct game_position *position,
                         struct analysis *found, struct error *error);
void analysis_free(struct analysis *analysis);

/* Whether the value is beyond all doubt: a proved win or loss, or a proved margin. */
bool analysis_is_settled(const struct game *game, const struct analysis_value *value);
/* Whether `fresh` takes the place of `old`. */
bool analysis_is_better(const struct game *game, const struct analysis_value *old, const struct analysis_value *fresh);
/* The value of the position behind a move, out of that of the move, and the other way round; the line is left alone. */
void analysis_turn_behind(const struct game *game, struct analysis_value *value);
void analysis_turn_before(const struct game *game, struct analysis_value *value);

/* Keeps a value where it is better than what is known; *kept (may be NULL) says whether it was. */
enum status analyses_put(struct analyses *analyses, const struct game *game, const struct game_position *position,
                         const struct analysis_value *value, bool *kept, struct error *error);
/* Sets it whatever is known, or forgets it: NULL. */
enum status analyses_set(struct analyses *analyses, const struct game *game, const struct game_position *position,
                         const struct analysis_value *value, struct error *error);
/* Makes an entry where there is none. */
enum status analyses_touch(struct analyses *analyses, const struct game *game, const struct game_position *position,
                           struct error *error);

enum analysis_text { ANALYSIS_COMMENT, ANALYSIS_LABEL };
/* Of length 0: takes it away. What is too long is STATUS_BAD_INPUT. */
enum status analyses_write(struct analyses *analyses, const struct game *game, const struct game_position *position,
                           enum analysis_text which, const char *text, size_t length, struct error *error);

/* A text on a square of a Gomoku board, as it is shown at this position; of length 0: takes it away. */
enum status analyses_mark(struct analyses *analyses, const struct game_position *position, int square, const char *text,
                          size_t length, struct error *error);
/* Tells all of them. */
enum status analyses_marks(struct analyses *analyses, const struct game_position *position,
                           void (*tell)(void *user, int square, const char *text, size_t length), void *user,
                           struct error *error);

/* Counts a recorded game; false in *fresh when it is known already. Then each of its positions; the winner is a side,
 * or -1. */
enum status analyses_add_record(struct analyses *analyses, const char *id, bool *fresh, struct error *error);
enum status analyses_count_game(struct analyses *analyses, const struct game *game,
                                const struct game_position *position, int winner, struct error *error);

/* Forgets a position with its marks; *gone (may be NULL) says whether it was there. */
enum status analyses_delete(struct analyses *analyses, const struct game *game, const struct game_position *position,
                            bool *gone, struct error *error);

/* One transaction for many of the above: begin, then end with how it went so far, which keeps all of it or nothing. */
enum status analyses_begin(struct analyses *analyses, struct error *error);
enum status analyses_end(struct analyses *analyses, enum status status, struct error *error);

/* How much there is. */
struct analyses_counts {
    int64_t positions;
    int64_t valued;
    int64_t proved;
    int64_t comments;
    int64_t marks; /* and labels */
    int64_t games;
    int deepest;
};
enum status analyses_count(struct analyses *analyses, struct analyses_counts *counts, struct error *error);
/* How many positions of each board there are: `board` is "gomoku renju 15". */
enum status analyses_boards(struct analyses *analyses,
                            void (*tell)(void *user, const char *board, size_t length, int64_t count), void *user,
                            struct error *error);

/* Takes over everything another file knows better, within one transaction: values that are better, comments, labels
 * and marks where there are none, games that are not counted. *added positions are new, *changed ones know more. */
enum status analyses_merge(struct analyses *analyses, struct analyses *from, int64_t *added, int64_t *changed,
                           struct error *error);

/* What is told of a long walk: how many positions are done, once in a while. True: stop, it is enough. */
struct analyses_watch {
    bool (*look)(void *user, int64_t done); /* may be NULL */
    void *user;
};

#endif
