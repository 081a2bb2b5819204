/* Folders whose content a stranger made: every name is opened below a descriptor, no link is followed, and whatever
 * modes and depth there are, it can be removed. */
#ifndef SORTIE_SANDBOX_WARDEN_FOLDER_H
#define SORTIE_SANDBOX_WARDEN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens a folder below another for reading, taking the rights its owner may have taken from itself; -1 with errno. */
int warden_folder_open(int parent, const char *name);
/* Opens a plain file below a folder for reading, likewise; -1 with errno, EINVAL when it is something else. */
int warden_folder_open_file(int folder, const char *name);
/* Removes everything below an open folder. */
void warden_folder_empty(int folder);
/* Removes a file, link or whole folder below another. */
void warden_folder_remove(int parent, const char *name);

/* Copies a file or folder to a new name below `to`: plain files, folders and links as they are, nothing else. Everybody
 * may read the copies. At most *bytes_left are copied and counted off; 0, or the cause. */
int warden_folder_copy(int from, const char *name, int to, const char *new_name, uint64_t *bytes_left);

/* Whether a plain file below an open folder has a set-id bit; `name` gets its name. */
bool warden_folder_has_set_id(int folder, char *name, size_t size);
/* Takes set-id bits from all plain files below an open folder. */
void warden_folder_clear_set_id(int folder);
/* Gives what `user` made below an open folder to another owner: plain files, without set-id bits, and folders. Links,
 * pipes, sockets, devices, all names of a file but one, and folders deeper than any sense are removed. Others' things
 * stay as they are. Whoever made them must be gone. */
void warden_folder_give(int folder, uint32_t user, uint32_t owner, uint32_t group);
/* Gives what `user` owns below an open folder, and the folder, to root and the group of that number, which may read and
 * enter everything and change nothing; or all that was given so back. */
void warden_folder_seal(int folder, uint32_t user, bool sealed);
/* Whether everybody may read a file, or a folder and all that is in it. */
bool warden_folder_is_public(int parent, const char *name, int depth);

#endif
