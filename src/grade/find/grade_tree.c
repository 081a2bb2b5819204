#include "grade/find/grade_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rng.h"

bool grade_tree_join(char path[PATH_MAX], const char *folder, const char *name) {
    int length = snprintf(path, PATH_MAX, "%s%s%s", folder, *folder ? "/" : "", name);
    return length > 0 && length < PATH_MAX;
}

bool grade_tree_ends_with(const char *name, const char *ending) {
    size_t length = strlen(name);
    size_t behind = strlen(ending);
    return length > behind && strcasecmp(name + length - behind, ending) == 0;
}

bool grade_tree_is_litter(const char *name) {
    return name[0] == '.' || strcmp(name, "__MACOSX") == 0 || strcmp(name, "__pycache__") == 0 ||
           strcasecmp(name, "Thumbs.db") == 0 || strcasecmp(name, "desktop.ini") == 0;
}

bool grade_tree_is_foreign(int parent, const char *name) {
    static const char *const names[] = {
        "venv",       "virtualenv",  "site-packages",     "dist-packages",    "node_modules",
        "CMakeFiles", "__pycache__", "cmake-build-debug", "bower_components", "jspm_packages",
        NULL};
    /* What only an environment of Python has, whatever it is called. */
    static const char *const marks[] = {"pyvenv.cfg",   "conda-meta",       "bin/activate_this.py",
                                        "bin/activate", "Scripts/activate", NULL};
    for (const char *const *one = names; *one; one++) {
        if (strcasecmp(name, *one) == 0) {
            return true;
        }
    }
    for (const char *const *mark = marks; *mark; mark++) {
        char path[NAME_MAX + 32];
        snprintf(path, sizeof path, "%s/%s", name, *mark);
        if (faccessat(parent, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
            return true;
        }
    }
    return false;
}

struct walk {
    bool (*each)(void *user, const struct grade_tree_entry *entry);
    void *user;
    int files;
    bool whole;
    int lacks; /* what the machine lacked, as errno says it; 0: nothing */
};

/* Something cannot be opened: what is there is not all of it. */
static void miss(struct walk *walk, int cause) {
    walk->whole = false;
    walk->lacks = error_status_of(cause) == STATUS_FAIL ? cause : walk->lacks;
}

/* Walks an open folder; `path` is where it lies below the root. */
static void walk_folder(struct walk *walk, int folder, const char *path, int depth) {
    struct dirent **entries;
    int count = scandirat(folder, ".", &entries, NULL, versionsort);
    for (int i = 0; i < count; i++) {
        struct grade_tree_entry entry = {.name = entries[i]->d_name, .folder = folder, .depth = depth};
        char inner_path[PATH_MAX];
        bool wanted = entry.name[0] != '.' && grade_tree_join(inner_path, path, entry.name) &&
                      fstatat(folder, entry.name, &entry.about, AT_SYMLINK_NOFOLLOW) == 0 &&
                      (S_ISREG(entry.about.st_mode) || S_ISDIR(entry.about.st_mode));
        if (wanted && ++walk->files > GRADE_TREE_MOST_FILES) {
            walk->whole = wanted = false;
        }
        entry.path = inner_path;
        if (wanted && walk->each(walk->user, &entry) && S_ISDIR(entry.about.st_mode)) {
            int inner = openat(folder, entry.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (inner < 0) {
                miss(walk, errno);
            } else if (depth >= GRADE_TREE_MOST_DEPTH) {
                walk->whole = false;
            } else {
                walk_folder(walk, inner, inner_path, depth + 1);
            }
            if (inner >= 0) {
                close(inner);
            }
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    } else {
        miss(walk, errno);
    }
}

bool grade_tree_walk(int root, bool (*each)(void *user, const struct grade_tree_entry *entry), void *user) {
    struct walk walk = {.each = each, .user = user, .whole = true};
    walk_folder(&walk, root, "", 0);
    errno = walk.lacks;
    return walk.whole;
}

bool grade_tree_read(int folder, const char *name, size_t most, struct text *out) {
    struct stat about;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool well = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    char buffer[16384];
    for (size_t total = 0; well && total < most;) {
        size_t now = most - total < sizeof buffer ? most - total : sizeof buffer;
        ssize_t got = read(file, buffer, now);
        if (got == 0) {
            break;
        }
        well = got > 0 || errno == EINTR;
        if (got > 0) {
            text_add(out, buffer, (size_t)got);
            total += (size_t)got;
        }
    }
    if (file >= 0) {
        close(file);
    }
    return well && !out->broken;
}

uint64_t grade_print_bytes(uint64_t print, const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    print = rng_mix(print ^ length);
    for (; length >= 8; at += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        print = rng_mix(print ^ word);
    }
    uint64_t rest = 0;
    for (; length > 0; length--) {
        rest = rest << 8 | at[length - 1];
    }
    return rng_mix(print ^ rest);
}

uint64_t grade_print_string(uint64_t print, const char *string) {
    return string ? grade_print_bytes(print, string, strlen(string)) : rng_mix(~print);
}
