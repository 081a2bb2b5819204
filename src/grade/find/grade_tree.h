/* Folders that strangers have filled, read by descriptor: links are never followed, depth and number are limited. */
#ifndef SORTIE_GRADE_FIND_GRADE_TREE_H
#define SORTIE_GRADE_FIND_GRADE_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/text.h"

#define GRADE_TREE_MOST_DEPTH 24
#define GRADE_TREE_MOST_FILES 20000

/* FOLDER/NAME, or NAME where the folder is ""; false when it is too long for a path. */
bool grade_tree_join(char path[PATH_MAX], const char *folder, const char *name);
/* Whether a name ends so, with something before it; upper and lower case are the same. */
bool grade_tree_ends_with(const char *name, const char *ending);
/* What computers leave lying about: hidden files, __MACOSX, Thumbs.db, compiled Python. */
bool grade_tree_is_litter(const char *name);
/* Whether a folder holds what others wrote or a tool made: an environment of Python, modules, build caches. */
bool grade_tree_is_foreign(int parent, const char *name);

/* One plain file or folder found on the walk. */
struct grade_tree_entry {
    const char *path; /* below the root */
    const char *name; /* its last part */
    int folder;       /* the open folder it lies in */
    int depth;        /* 0: in the root itself */
    struct stat about;
};

/* Visits all plain files and folders below an open folder, each folder before what is in it, names in order as
 * people count (2 before 10). A folder is entered when `each` says so; hidden names, links, devices and pipes are
 * left out. Stops at the limits: false when something was left out for that reason, or cannot
 * be opened; errno is then what the machine lacked for it, or 0. The descriptor stays open. */
bool grade_tree_walk(int root, bool (*each)(void *user, const struct grade_tree_entry *entry), void *user);

/* Reads up to `most` bytes of a plain file; false when it cannot be read. */
bool grade_tree_read(int folder, const char *name, size_t most, struct text *out);

/* Fingerprints: fold bytes into a number; equal texts in equal order give equal numbers. Good against accidents,
 * and nobody gains by making two of his own submissions collide. */
uint64_t grade_print_bytes(uint64_t print, const void *bytes, size_t length);
uint64_t grade_print_string(uint64_t print, const char *string); /* NULL differs from "" */

#endif
