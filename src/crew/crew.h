/* Work over several processes, on this machine and others: the first process leads, hands out units of work by number
 * and takes what comes back; the others help. How bytes go between them is the link's business (sortie-mpi.so); where
 * there is no link everything is done by this process and its own workers, and nothing here is used. */
#ifndef SORTIE_CREW_CREW_H
#define SORTIE_CREW_CREW_H

#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* The one symbol of a shared object that brings processes together. */
#define CREW_LINK_SYMBOL "sortie_crew_link"

struct crew_link {
    int (*rank)(void); /* 0 leads */
    int (*size)(void);
    /* Messages between the leader and a helper arrive whole and in order. An empty one, which helpers get when the
     * leader ends, says that there is no more. */
    void (*send)(int to, const char *bytes, size_t length);
    /* Who has sent something, or -1 after so long. */
    int (*wait)(int milliseconds);
    /* Waits for a message; appends it. */
    void (*receive)(int from, struct text *bytes);
};

/* What the leader does. */
struct crew_work {
    const struct text *brief; /* is sent to every helper first */
    /* A unit to be done; -1: there is none now. Asked again for a helper that rests when an answer has come. */
    int64_t (*next)(void *user);
    /* Adds what the helper needs to know beside the number; may be NULL. */
    void (*add)(void *user, int64_t unit, int helper, struct text *message);
    enum status (*take)(void *user, const struct text *answer, struct error *error);
    bool (*ended)(void *user); /* what is still under way is not wanted any more */
    void (*tick)(void *user);  /* a few times a second; may be NULL */
    void *user;
};

/* Hands out units until there are none and all have come back, or it has ended. STATUS_FAIL with a helper's words when
 * one could not go on, or when there was no memory for the brief. */
enum status crew_lead(const struct crew_link *link, const struct crew_work *work, struct error *error);

/* A unit as a helper gets it. */
struct crew_unit {
    int64_t number;
    const char *bytes; /* what the leader added */
    size_t length;
};

/* What a helper does: reads its brief (false: there is none, the leader did not come so far), then does units. */
bool crew_brief(const struct crew_link *link, struct text *brief);
typedef enum status crew_do(void *user, const struct crew_unit *unit, struct text *answer, struct error *error);
enum status crew_help(const struct crew_link *link, crew_do *unit_done, void *user, struct error *error);

#endif
