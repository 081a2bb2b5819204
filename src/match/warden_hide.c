#include "match/warden_hide.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
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

/* Looks where things are installed below a prefix. */
static void look_below(struct hidden *hidden, const char *prefix) {
    static const char *const folders[] = {
        "bin", "sbin", "games", "share", "libexec", "lib", "lib64", "lib/*-linux-*", "lib/python3*/*-packages"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char pattern[PATH_MAX];
        glob_t places;
        int length = snprintf(pattern, sizeof pattern, "%s/%s", prefix, folders[i]);
        if (length >= PATH_MAX || !strchr(folders[i], '*')) {
            look_in(hidden, pattern);
        } else if (glob(pattern, 0, NULL, &places) == 0) {
            for (size_t k = 0; k < places.gl_pathc; k++) {
                look_in(hidden, places.gl_pathv[k]);
            }
            globfree(&places);
        }
    }
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
