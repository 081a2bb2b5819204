/* Does the side to move win? The three answers that can be proved, looked for in turn with growing patience until one
 * of them is, each by as many threads as there are. */
#ifndef SORTIE_PROVE_QUESTION_H
#define SORTIE_PROVE_QUESTION_H

#include "prove/search/prover.h"

enum question_answer {
    ANSWER_WINS,  /* the side to move wins */
    ANSWER_LOSES, /* the other side wins */
    ANSWER_HOLDS, /* the other side holds: the side to move does not win */
    ANSWER_COUNT,
    ANSWER_NONE = ANSWER_COUNT
};

#define QUESTION_MOST_THREADS 64

struct question_settings {
    bool wanted[ANSWER_COUNT]; /* what to look for */
    int threads;
    size_t hash_bytes;    /* of all tables together; 0: 256 MiB */
    double seconds;       /* of the wall clock, for the search and the proof's building together; 0: no limit */
    double build_seconds; /* for the building, beyond what the search leaves of them */
    uint64_t nodes;       /* of all searches together; 0: no limit. One thread with a limit of nodes is deterministic */
    const atomic_bool *stop;
    void (*progress)(void *user, enum question_answer answer, const struct prover *prover);
    void *user;
};

struct question {
    enum question_answer answer;
    enum question_answer found;            /* by the search; there may have been no time to build the proof */
    uint64_t built;                        /* nodes of it that were there then */
    struct prove_counts counts;            /* of all searches */
    struct pn_value numbers[ANSWER_COUNT]; /* the root's, for the hero: proof and disproof */
    uint64_t threat_nodes;
    uint64_t asked; /* how often the engine was, and its nodes */
    uint64_t engine_nodes;
    uint64_t probes; /* of the tables, and of them hits */
    uint64_t hits;
    double seconds; /* the search alone */
    uint16_t move;  /* of the hero's where it is to move, else NO_SQUARE */
    uint64_t certificate_bytes;
    uint64_t certificate_moves;
};

/* The claim of an answer, for a position. */
void question_claim(enum question_answer answer, const struct gomoku_position *position, enum prove_claim *claim,
                    int *hero);

/* What to look for where nobody says: who wins and, where few squares are empty, whether the other side holds. */
void question_usual(const struct gomoku_position *position, bool wanted[ANSWER_COUNT]);

/* Asks about a freestyle position that is not over. An answer is only given once its whole proof is built; it is
 * written to `stream` as a certificate unless that is NULL. A certificate that could not be written to the end is taken
 * back; to a stream that cannot go back it is written to the end, though it take longer. */
enum status question_ask(struct question *question, const struct gomoku_position *position,
                         const struct question_settings *settings, struct proved *proved, FILE *stream,
                         struct error *error);

#endif
