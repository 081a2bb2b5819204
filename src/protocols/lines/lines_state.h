/* What the files of the line protocol share; no other file needs it.
 *
 * lines.c takes the lines apart, lines_position.c sets and shows positions, lines_go.c searches and tells of it. */
#ifndef SORTIE_PROTOCOLS_LINES_LINES_STATE_H
#define SORTIE_PROTOCOLS_LINES_LINES_STATE_H

#include <pthread.h>

#include "base/reader.h"
#include "base/text.h"
#include "protocols/lines/lines.h"
#include "protocols/lines/lines_words.h"
#include "sortie/sortie.h"

#define LINES_MOST_LINES 64
#define LINES_MOST_THREADS 256
#define LINES_MOST_HASH 1048576 /* MiB */
#define LINES_MOST_OVERHEAD 10000

/* What a go asks for. */
struct lines_order {
    sortie_limits limits;
    bool infinite;             /* the move is told after a stop alone */
    sortie_position *position; /* owned by the search */
};

struct lines {
    struct lines_options options;
    int threads;
    int hash_mib;
    int overhead;              /* milliseconds */
    int book;                  /* moves may come out of the opening book: 0 or 1 */
    uint64_t book_seed;        /* which of equal ones */
    sortie_engine *engine;     /* owned; NULL until the first search, and after an option that it was made by */
    sortie_position *position; /* owned; NULL until the first */

    pthread_mutex_t lock; /* guards the answers and what follows */
    pthread_cond_t news;  /* a stop, or the end of a search */
    bool thinking;        /* a go is not answered yet */
    bool stopped;         /* and is to be soon */
    bool joinable;        /* the thread of the last go is not yet taken in */
    pthread_t thread;
    struct lines_order order; /* of the search under way */
};

/* Says one line; bytes in it that are no printable ASCII are shown as question marks. */
void lines_answer(struct lines *lines, const struct text *line);
void lines_answerf(struct lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same where the lock is held. */
void lines_answer_locked(struct lines *lines, const struct text *line);

/* -- positions (lines_position.c); the reader stands behind the command's word -- */

enum status lines_position(struct lines *lines, struct reader *reader, struct error *error);
enum status lines_show(struct lines *lines, struct reader *reader, struct error *error);

/* -- searches (lines_go.c) -- */

enum status lines_go(struct lines *lines, struct reader *reader, struct error *error);
/* Makes what the first search of the position's game would make otherwise, when its clock runs. */
enum status lines_warm_up(struct lines *lines, struct error *error);
/* Asks the search under way, if any, to end. */
void lines_stop(struct lines *lines);
bool lines_is_thinking(struct lines *lines);

#endif
