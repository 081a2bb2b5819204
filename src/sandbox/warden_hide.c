#include "sandbox/warden_hide.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- looking -- */

static bool begins_with(const char *name, const char *start) {
    return strncmp(name, start, strlen(start)) == 0;
}

/* Whether a file or folder of the system is one of ours, by its name. */
static bool is_ours(const char *name) {
    return strcmp(name, "sortie") == 0 || strcmp(name, "sortie.py") == 0 || begins_with(name, "sortie-") ||
           begins_with(name, "pbrain-sortie") || begins_with(name, "libsortie") || begins_with(name, "_sortie.") ||
           begins_with(name, "sortie.cpython") || begins_with(name, "sortie.abi");
}

/* Remembers what lies at a path, by its real one: covering a link would cover what it leads to, or nothing. */
static void add(struct hidden *hidden, const char *path) {
    struct stat about;
    char real[PATH_MAX];
    if (hidden->count == HIDE_MOST || !realpath(path, real) || stat(real, &about) != 0 || !warden_is_system(real)) {
        return;
    }
    for (int i = 0; i < hidden->count; i++) {
        if (strcmp(hidden->list[i].path, real) == 0) {
            return;
        }
    }
    char *copy = strdup(real);
    if (copy) {
        hidden->list[hidden->count].path = copy;
        hidden->list[hidden->count++].is_folder = S_ISDIR(about.st_mode);
    }
}

static void look_in(struct hidden *hidden, const char *folder) {
    DIR *list = opendir(folder);
    struct dirent *entry;
    while (list && (entry = readdir(list)) != NULL) {
        char path[PATH_MAX];
        if (is_ours(entry->d_name) && snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < PATH_MAX) {
            add(hidden, path);
        }
    }
    if (list) {
        closedir(list);
    }
}

/* Tries what we install by its name: the folders of libraries are long, and reading them takes milliseconds. */
static void try_names(struct hidden *hidden, const char *folder) {
    static const char *const names[] = {"sortie",         "libsortie.a",    "libsortie.so",   "libsortie.so.0",
                                        "libsortie.so.1", "libsortie.so.2", "libsortie.so.3", "libsortie.dylib",
                                        "sortie.py",      "_sortie.so",     "sortie.so",      "_sortie.abi3.so",
                                        "sortie.abi3.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", folder, names[i]) < PATH_MAX && access(path, F_OK) == 0) {
            add(hidden, path);
        }
    }
}

/* Libraries lie in lib, in a folder of the processor's below it, and those of Python in its own. */
static void look_in_libraries(struct hidden *hidden, const char *folder) {
    DIR *list = opendir(folder);
    struct dirent *entry;
    while (list && (entry = readdir(list)) != NULL) {
        char path[PATH_MAX - 32];
        char inner[PATH_MAX];
        const char *name = entry->d_name;
        if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
            continue;
        }
        if (is_ours(name)) {
            add(hidden, path);
        } else if (strstr(name, "-linux-")) {
            try_names(hidden, path);
        } else if (begins_with(name, "python3")) {
            snprintf(inner, sizeof inner, "%s/dist-packages", path);
            try_names(hidden, inner);
            snprintf(inner, sizeof inner, "%s/site-packages", path);
            try_names(hidden, inner);
        }
    }
    if (list) {
        closedir(list);
    }
}

/* Looks where things are installed below a prefix. */
static void look_below(struct hidden *hidden, const char *prefix) {
    static const char *const programs[] = {"bin", "sbin", "games", "libexec"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        snprintf(path, sizeof path, "%.4000s/%s", prefix, programs[i]);
        look_in(hidden, path);
    }
    snprintf(path, sizeof path, "%.4000s/share", prefix);
    try_names(hidden, path);
    snprintf(path, sizeof path, "%.4000s/lib", prefix);
    look_in_libraries(hidden, path);
    snprintf(path, sizeof path, "%.4000s/lib64", prefix);
    try_names(hidden, path);
}

/* The usual places, and the one this program lies in itself, whatever it is called there. */
static void look(struct hidden *hidden) {
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    look_below(hidden, "/usr/local");
    look_below(hidden, "/usr");
    if (length <= 0 || length >= PATH_MAX) {
        return;
    }
    self[length] = '\0';
    if (!warden_is_system(self)) {
        return;
    }
    add(hidden, self);
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(self, '/');
        if (slash) {
            *slash = '\0';
        }
    }
    if (strcmp(self, "/usr") != 0 && strcmp(self, "/usr/local") != 0 && self[0]) {
        look_below(hidden, self);
    }
}

/* -- covering -- */

bool hide_prepare(struct world *world) {
    char path[PATH_MAX];
    world->hidden = calloc(1, sizeof *world->hidden);
    if (!world->hidden) {
        return false;
    }
    look(world->hidden);
    snprintf(path, sizeof path, "%s/hidden", world->base);
    if (mkdir(path, 0755) != 0) {
        return false;
    }
    snprintf(path, sizeof path, "%s/" HIDE_FOLDER, world->base);
    if (mkdir(path, 0555) != 0) {
        return false;
    }
    snprintf(path, sizeof path, "%s/" HIDE_FILE, world->base);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
    return file >= 0 && close(file) == 0;
}

void hide_free(struct world *world) {
    for (int i = 0; world->hidden && i < world->hidden->count; i++) {
        free(world->hidden->list[i].path);
    }
    free(world->hidden);
    world->hidden = NULL;
}

/* Whether a path is one of the hidden ones, or lies in one. */
static bool is_hidden(const struct hidden *hidden, const char *path) {
    char real[PATH_MAX];
    if (path[0] != '/' || !realpath(path, real)) {
        return false;
    }
    for (int i = 0; i < hidden->count; i++) {
        size_t length = strlen(hidden->list[i].path);
        if (strncmp(real, hidden->list[i].path, length) == 0 && (real[length] == '\0' || real[length] == '/')) {
            return true;
        }
    }
    return false;
}

/* Whether a command is one of them; one without a folder is looked for by its name. */
static bool is_hidden_command(const struct hidden *hidden, const char *name) {
    for (int i = 0; i < hidden->count && !strchr(name, '/'); i++) {
        if (!hidden->list[i].is_folder && strcmp(strrchr(hidden->list[i].path, '/') + 1, name) == 0) {
            return true;
        }
    }
    return is_hidden(hidden, name);
}

bool hide_wanted(const struct world *world, char *const *argv) {
    const struct hidden *hidden = world->hidden;
    bool named = hidden->count > 0 && is_hidden_command(hidden, argv[0]);
    for (int i = 0; i < world->shown_count && hidden->count > 0; i++) {
        named = named || is_hidden(hidden, world->shown[i].from);
    }
    return !named;
}
