/* sortie's own programs, libraries and data, where they are installed among the system that programs are shown: a
 * program that could run them would have its moves from the one who judges it. They are covered by something empty. */
#ifndef SORTIE_SANDBOX_WARDEN_HIDE_H
#define SORTIE_SANDBOX_WARDEN_HIDE_H

#include "sandbox/warden_world.h"

/* Each costs three words of bubblewrap's command line. */
#define HIDE_MOST 32

struct hidden {
    int count;
    struct {
        char *path; /* owned */
        bool is_folder;
    } list[HIDE_MOST];
};

/* Once for a world: looks for what there is to cover, and makes, below its base, what covers it. False with errno when
 * that fails. */
bool hide_prepare(struct world *world);
void hide_free(struct world *world);

/* Whether it is to be covered when `argv` runs in the world: not when whoever asked has named one of these himself, as
 * the command or among what is shown. */
bool hide_wanted(const struct world *world, char *const *argv);

/* What covers them, below the base. */
#define HIDE_FILE "hidden/file"
#define HIDE_FOLDER "hidden/folder"

#endif
