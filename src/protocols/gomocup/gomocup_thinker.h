/* The thinking of a Gomocup brain: one thread that searches, watched by the one that answers.
 *
 * On a busy machine a thread that computes is stopped for tens of milliseconds, a thread that sleeps is woken at once.
 * So the thread that talks to the manager sleeps until the search is over, until something comes in, or until the
 * answer is due, and then answers with the best move reported so far, wherever the other thread may be. How late
 * sleepers are woken is measured all the time; the brain keeps back a multiple of it. */
#ifndef SORTIE_PROTOCOLS_GOMOCUP_GOMOCUP_THINKER_H
#define SORTIE_PROTOCOLS_GOMOCUP_GOMOCUP_THINKER_H

#include "engine/engine.h"
#include "games/gomoku/rules/gomoku.h"

struct thinker;
struct bell_input;

/* Hears how the search goes that is asked for, on the thread that searches; never after thinker_stop has returned. */
struct thinker_listener {
    void (*report)(void *user, const struct search_result *report);
    void (*root)(void *user, game_move move, enum gomoku_root_news news);
    void *user;
};

/* NULL when there is no memory or no thread. */
struct thinker *thinker_new(const struct thinker_listener *listener);
/* Ends a search under way. */
void thinker_free(struct thinker *thinker);

/* Asks for a search; one under way is ended, and the thread goes on to this one as soon as it runs again. `position`
 * and `limits` are copied; the engine, and the squares in `closed` (NULL: none), are used until it is over. The opening
 * book is asked first when there is a `book_seed`. */
void thinker_begin(struct thinker *thinker, struct engine *engine, const struct gomoku_position *position,
                   const struct search_limits *limits, const uint64_t *closed, const uint64_t *book_seed);
/* Asks the search, and any before it, to end. */
void thinker_stop(struct thinker *thinker);

enum thinker_news {
    THINKER_OVER,  /* the search is over */
    THINKER_INPUT, /* something can be read */
    THINKER_DUE    /* the moment has come */
};

/* Sleeps until one of these; `due` is a moment of clock_wall, 0 for none; `input` may be NULL. */
enum thinker_news thinker_watch(struct thinker *thinker, double due, const struct bell_input *input);

/* The result when it is over, else the last report, else (early on) a move chosen without a search. */
void thinker_best(struct thinker *thinker, struct search_result *result);

/* The longest a thread of ours was lately kept waiting after it was to wake, in seconds; old delays fade. */
double thinker_delay(const struct thinker *thinker);
/* Measures that now, by a few short sleeps. */
void thinker_measure(struct thinker *thinker);

#endif
