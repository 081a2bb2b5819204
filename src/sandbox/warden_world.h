/* The world of a warden: the folders its programs may write, and those they are shown. With a sandbox all of it lies in
 * a mount namespace of the warden's own, in memory; without one in a folder of the machine. */
#ifndef SORTIE_SANDBOX_WARDEN_WORLD_H
#define SORTIE_SANDBOX_WARDEN_WORLD_H

#include "sandbox/warden_wire.h"

/* Where a sandboxed program finds things. */
#define WORLD_SCRATCH "/scratch"
#define WORLD_BUILD "/build"
/* Below the base: the places of a sandbox where its world comes to lie. */
#define WORLD_STAGE "stage"
/* What is /dev/zero for it, in the world's folder. */
#define WORLD_ZERO "zero"

struct world_shown {
    char *from; /* owned */
    char *at;   /* owned; where the program sees it */
};

struct world {
    bool sandboxed;
    bool other_user; /* programs run as `user`, not as who started us */
    bool walled;     /* without a sandbox: that user's rights keep them in */
    uint32_t user;
    char base[512]; /* the folder everything lies in */
    int root;       /* descriptor of the world: scratch, tmp, shm, gone */
    int scratch;    /* descriptor of the scratch folder */
    uint64_t disk_bytes;
    struct world_shown shown[WARDEN_MOST_SHOWN];
    int shown_count;
    char *shared; /* owned; a folder of the machine that programs may write; NULL: none */
    enum warden_build build;
    bool keep_output;
    struct hidden *hidden; /* owned: what of the system is covered */
};

/* Makes the first world; false with the reason. The caller has one thread. */
bool world_open(struct world *world, enum warden_wall wall, char *why, size_t size);
/* Throws the world but its build folder away and makes a new one, also for the sandbox that stands. */
bool world_renew(struct world *world, char *why, size_t size);
/* Whether a world lies below what is shown in it, so that it cannot be changed under a sandbox. */
bool world_is_fixed(const struct world *world);
/* Any other sandbox is made while its world is lowered, and has it when it is raised again. */
void world_lower(const struct world *world);
bool world_raise(const struct world *world);
/* Limits all its files together, where that can be done. */
void world_resize(struct world *world, uint64_t bytes);
/* Takes `words`, pairs of zero-ended strings, as what is shown from now on. */
bool world_show(struct world *world, const struct warden_request *request, char *const *words, int count, char *why,
                size_t size);
/* Lets programs write a folder of the machine, as `user` where they have one of their own; the world is to be renewed
 * after that. */
bool world_share(struct world *world, const char *folder, uint32_t user, char *why, size_t size);
/* Removes what is not removed by itself. */
void world_close(struct world *world);

/* Whether programs can be kept in by a user of their own; false with the reason. */
bool world_can_wall(char *why, size_t size);
/* Whether that user may do what `mode` of access() says with a path. */
bool world_user_may(const char *path, int mode);

/* Becomes the programs' user, for good; true at once where there is none. */
bool world_become_user(const struct world *world);

#endif
