/* How bubblewrap is called: what a program sees, what it may ask of the kernel. */
#ifndef SORTIE_SANDBOX_WARDEN_SANDBOX_H
#define SORTIE_SANDBOX_WARDEN_SANDBOX_H

#include "sandbox/warden_world.h"

#define SANDBOX_MOST_WORDS 700

/* A command line; the words live in `bytes` or belong to the caller. */
struct sandbox_command {
    char *words[SANDBOX_MOST_WORDS + 1];
    int count;
    char bytes[1 << 17];
    size_t filled;
    bool full; /* something did not fit */
};

/* Whether there is a bubblewrap; looked for in PATH. */
bool sandbox_found(void);

/* What bubblewrap and the first process inherit; -1: none. */
struct sandbox_descriptors {
    int filters[2]; /* for the kernel, in the order in which they come into force */
    int first;      /* the program that is to be the first process */
    int status;     /* to which that reports */
};

/* The command that makes a sandbox of the world for programs, in which what is sortie's own is covered or not. */
void sandbox_command(struct sandbox_command *command, const struct world *world, bool hides,
                     const struct sandbox_descriptors *descriptors);

/* A descriptor to a new copy of the filter, at its beginning; -1 with errno, ENOSYS where there is none for this
 * processor. No program runs in a sandbox without one. */
int sandbox_filter(void);

/* Without a sandbox: the words with the paths of the sandbox changed into those of the machine. */
void sandbox_plain_command(struct sandbox_command *command, const struct world *world, char *const *argv);

#endif
