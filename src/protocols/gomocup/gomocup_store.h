/* A database of positions behind a Gomocup brain: analysis boards look into it and write to it. The brain knows only
 * this interface; a build without one hands over none. Texts are UTF-8, values those of the side to move. */
#ifndef SORTIE_PROTOCOLS_GOMOCUP_GOMOCUP_STORE_H
#define SORTIE_PROTOCOLS_GOMOCUP_GOMOCUP_STORE_H

#include "games/gomoku/rules/gomoku.h"
#include "search/limits.h"

#define GOMOCUP_MOST_LABEL 64

/* What is known of a position. */
struct gomocup_entry {
    bool here;
    bool valued;
    int value;
    int depth;
    char label[GOMOCUP_MOST_LABEL + 1];
    const char *comment; /* "" where there is none; of the callee, until it is asked again */
};

/* Which positions behind one are forgotten: by what they are to the side that moved there. */
struct gomocup_filter {
    bool won;     /* those that are won; */
    bool lost;    /* lost; */
    bool other;   /* and all others */
    bool with;    /* of won and lost ones, those whose end is known, */
    bool without; /* or is not; one of both is set */
    int plies;    /* and of those, only with so many plies to the end at most; 0: all */
    bool deep;    /* what stays is gone through, too */
};

struct gomocup_store {
    /* `make`: where there is none. */
    enum status (*open)(void **store, const char *path, bool make, struct error *error);
    void (*close)(void *store);
    enum status (*get)(void *store, const struct gomoku_position *position, struct gomocup_entry *entry,
                       struct error *error);
    /* Tells of every empty square with something known behind it, or a text on it; `mark` is "" where there is none. */
    enum status (*squares)(void *store, const struct gomoku_position *position,
                           void (*tell)(void *user, int square, const struct gomocup_entry *entry, const char *mark),
                           void *user, struct error *error);
    /* Sets value and depth, whatever was known. */
    enum status (*set_value)(void *store, const struct gomoku_position *position, int value, int depth,
                             struct error *error);
    enum status (*set_label)(void *store, const struct gomoku_position *position, const char *text,
                             struct error *error);
    enum status (*set_comment)(void *store, const struct gomoku_position *position, const char *text, size_t length,
                               struct error *error);
    enum status (*set_mark)(void *store, const struct gomoku_position *position, int square, const char *text,
                            struct error *error);
    enum status (*forget)(void *store, const struct gomoku_position *position, struct error *error);
    enum status (*forget_behind)(void *store, const struct gomoku_position *position,
                                 const struct gomocup_filter *filter, int64_t *gone, struct error *error);
    /* The lines a search has found, the best first; `whole`: no move was left out, so that the first is also the value
     * of the position. */
    enum status (*keep)(void *store, const struct gomoku_position *position, const struct search_result *lines,
                        int count, bool whole, struct error *error);
    /* Files: RenLib's, and other databases. *count: what came of it. */
    enum status (*read_lib)(void *store, const char *path, int variant, int64_t *count, struct error *error);
    enum status (*write_lib)(void *store, const char *path, const struct gomoku_position *position, int64_t *count,
                             struct error *error);
    enum status (*merge)(void *store, const char *path, int64_t *count, struct error *error);
};

#endif
