#include "sandbox/warden_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Folders deeper than this below one another are first moved up: descriptors are scarce. */
#define DEPTH_AT_ONCE 32
/* And a tree that is looked at or copied may not be deeper. */
#define MOST_DEPTH 64

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* The path by which this process finds what a descriptor stands for: opening it again follows no name that a program
 * could have changed meanwhile. */
static void path_of(int descriptor, char path[40]) {
    snprintf(path, 40, "/proc/self/fd/%d", descriptor);
}

/* Opens what `handle` (O_PATH) stands for; as its owner we may give ourselves the right first. */
static int reopen(int handle, int flags, mode_t needed) {
    char path[40];
    path_of(handle, path);
    int descriptor = open(path, flags | O_CLOEXEC);
    if (descriptor < 0 && errno == EACCES && chmod(path, needed) == 0) {
        descriptor = open(path, flags | O_CLOEXEC);
    }
    return descriptor;
}

int warden_folder_open(int parent, const char *name) {
    int handle = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (handle < 0) {
        return -1;
    }
    char path[40];
    struct stat about;
    path_of(handle, path);
    /* Reading the names is not enough to remove what they name. */
    if (fstat(handle, &about) == 0 && (about.st_mode & 0700) != 0700) {
        chmod(path, (about.st_mode & 01777) | 0700);
    }
    int folder = reopen(handle, O_RDONLY | O_DIRECTORY, 0700);
    int cause = errno;
    close(handle);
    errno = cause;
    return folder;
}

int warden_folder_open_file(int folder, const char *name) {
    int handle = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat about;
    if (handle < 0) {
        return -1;
    }
    int file = -1;
    if (fstat(handle, &about) != 0 || !S_ISREG(about.st_mode)) {
        errno = EINVAL;
    } else {
        file = reopen(handle, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0600);
    }
    int cause = errno;
    close(handle);
    errno = cause;
    return file;
}

/* -- removing -- */

/* Gives a folder a name in `top` that is not taken; it is removed there in a later round. */
static void move_up(int parent, const char *name, int top) {
    static unsigned counter;
    char free_name[40];
    snprintf(free_name, sizeof free_name, ".deep-%d-%u", (int)getpid(), counter++);
    renameat(parent, name, top, free_name);
}

/* One round over an open folder, which stays open. */
static void empty(int folder, int top, int depth) {
    int again = dup(folder);
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    if (!list) {
        if (again >= 0) {
            close(again);
        }
        return;
    }
    rewinddir(list);
    struct dirent *entry;
    while ((entry = readdir(list)) != NULL) {
        if (is_dots(entry->d_name) || unlinkat(folder, entry->d_name, 0) == 0) {
            continue;
        }
        int inner = warden_folder_open(folder, entry->d_name);
        if (inner >= 0 && depth < DEPTH_AT_ONCE) {
            empty(inner, top, depth + 1);
        } else if (inner >= 0) {
            move_up(folder, entry->d_name, top);
        }
        if (inner >= 0) {
            close(inner);
        }
        unlinkat(folder, entry->d_name, AT_REMOVEDIR);
    }
    closedir(list);
}

static bool is_empty(int folder) {
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    int names = 0;
    while (list && readdir(list)) {
        names++;
    }
    if (list) {
        closedir(list);
    }
    return names <= 2;
}

void warden_folder_empty(int folder) {
    /* Each round takes DEPTH_AT_ONCE levels off; a path of a thousand levels is thirty rounds. */
    for (int round = 0; round < 100000 && !is_empty(folder); round++) {
        empty(folder, folder, 0);
    }
}

void warden_folder_remove(int parent, const char *name) {
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT) {
        return;
    }
    int inner = warden_folder_open(parent, name);
    if (inner >= 0) {
        warden_folder_empty(inner);
        close(inner);
    }
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* -- what strangers left in a folder of the machine -- */

/* Something is to be done about each thing below a folder: by its name in the folder that is open, and what it is.
 * False ends the walk. */
struct visitor {
    bool (*visit)(const struct visitor *visitor, int folder, const char *name, const struct stat *about);
    bool changes; /* takes rights to folders where it has none */
    bool prunes;  /* removes folders of `user` that lie too deep */
    char *name;   /* found */
    size_t size;
    uint32_t user;
    uint32_t owner;
    uint32_t group;
};

static int enter(const struct visitor *visitor, int folder, const char *name, mode_t mode) {
    bool closed = (mode & 0500) != 0500;
    return visitor->changes && closed ? warden_folder_open(folder, name)
                                      : openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Visits everything below an open folder, a folder after what is in it. */
static bool walk(const struct visitor *visitor, int folder, int depth) {
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    bool goes_on = true;
    for (struct dirent *entry; goes_on && list && (entry = readdir(list));) {
        struct stat about;
        if (is_dots(entry->d_name) || fstatat(folder, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        if (S_ISDIR(about.st_mode) && depth == MOST_DEPTH) {
            if (visitor->prunes && about.st_uid == visitor->user) {
                warden_folder_remove(folder, entry->d_name);
            }
            continue;
        }
        int inner = S_ISDIR(about.st_mode) ? enter(visitor, folder, entry->d_name, about.st_mode) : -1;
        if (inner >= 0) {
            goes_on = walk(visitor, inner, depth + 1);
            close(inner);
        }
        goes_on = goes_on && visitor->visit(visitor, folder, entry->d_name, &about);
    }
    if (list) {
        closedir(list);
    } else if (again >= 0) {
        close(again);
    }
    return goes_on;
}

static bool has_set_id(const struct stat *about) {
    return S_ISREG(about->st_mode) && (about->st_mode & (S_ISUID | S_ISGID)) != 0;
}

static bool find_set_id(const struct visitor *visitor, int folder, const char *name, const struct stat *about) {
    (void)folder;
    if (has_set_id(about)) {
        snprintf(visitor->name, visitor->size, "%s", name);
        return false;
    }
    return true;
}

static bool clear_set_id(const struct visitor *visitor, int folder, const char *name, const struct stat *about) {
    (void)visitor;
    int handle = has_set_id(about) ? openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC) : -1;
    struct stat now;
    if (handle >= 0 && fstat(handle, &now) == 0 && S_ISREG(now.st_mode)) {
        char path[40];
        path_of(handle, path);
        chmod(path, now.st_mode & 0777);
    }
    if (handle >= 0) {
        close(handle);
    }
    return true;
}

static bool give(const struct visitor *visitor, int folder, const char *name, const struct stat *about) {
    if (about->st_uid != visitor->user) {
        return true;
    }
    bool stays = S_ISDIR(about->st_mode) || (S_ISREG(about->st_mode) && about->st_nlink == 1);
    if (!stays || fchownat(folder, name, visitor->owner, visitor->group, AT_SYMLINK_NOFOLLOW) != 0) {
        warden_folder_remove(folder, name);
    }
    return true;
}

bool warden_folder_has_set_id(int folder, char *name, size_t size) {
    return !walk(&(struct visitor){.visit = find_set_id, .name = name, .size = size}, folder, 0);
}

void warden_folder_clear_set_id(int folder) {
    walk(&(struct visitor){.visit = clear_set_id, .changes = true}, folder, 0);
}

void warden_folder_give(int folder, uint32_t user, uint32_t owner, uint32_t group) {
    warden_folder_clear_set_id(folder);
    walk(
        &(struct visitor){.visit = give, .changes = true, .prunes = true, .user = user, .owner = owner, .group = group},
        folder, 0);
}

/* Changes the owner and mode of a plain file or folder that belongs to one of the two owners. */
static void seal_one(int handle, uint32_t user, bool sealed) {
    struct stat about;
    char path[40];
    path_of(handle, path);
    if (fstat(handle, &about) != 0 || (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) ||
        about.st_uid != (sealed ? user : 0) || (!sealed && about.st_gid != user)) {
        return;
    }
    bool runs = S_ISDIR(about.st_mode) || (about.st_mode & 0111);
    if (fchownat(AT_FDCWD, path, sealed ? 0 : user, user, 0) == 0) {
        chmod(path, runs ? 0750 : 0640);
    }
}

static bool seal(const struct visitor *visitor, int folder, const char *name, const struct stat *about) {
    (void)about;
    int handle = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (handle >= 0) {
        seal_one(handle, visitor->user, visitor->owner == 0);
        close(handle);
    }
    return true;
}

void warden_folder_seal(int folder, uint32_t user, bool sealed) {
    walk(&(struct visitor){.visit = seal, .changes = true, .user = user, .owner = sealed ? 0 : user}, folder, 0);
    seal_one(folder, user, sealed);
}

/* -- copying -- */

static int copy_file(int from, const char *name, int to, const char *new_name, mode_t mode, uint64_t *bytes_left) {
    static char buffer[1 << 16];
    int source = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int target = source < 0 ? -1 : openat(to, new_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int cause = target < 0 ? errno : 0;
    ssize_t got = 0;
    while (!cause && (got = read(source, buffer, sizeof buffer)) != 0) {
        if (got < 0) {
            cause = errno;
        } else if ((uint64_t)got > *bytes_left) {
            cause = EFBIG;
        } else if (write(target, buffer, (size_t)got) != got) {
            cause = ENOSPC;
        } else {
            *bytes_left -= (uint64_t)got;
        }
    }
    if (!cause && fchmod(target, mode & 0111 ? 0755 : 0644) != 0) {
        cause = errno;
    }
    if (source >= 0) {
        close(source);
    }
    if (target >= 0) {
        close(target);
    }
    return cause;
}

static int copy_link(int from, const char *name, int to, const char *new_name) {
    char target[PATH_MAX];
    ssize_t length = readlinkat(from, name, target, sizeof target - 1);
    if (length < 0) {
        return errno;
    }
    target[length] = '\0';
    return symlinkat(target, to, new_name) == 0 ? 0 : errno;
}

static int copy(int from, const char *name, int to, const char *new_name, uint64_t *bytes_left, int depth);

static int copy_folder(int from, const char *name, int to, const char *new_name, uint64_t *bytes_left, int depth) {
    int source = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int target = source >= 0 && mkdirat(to, new_name, 0755) == 0
                     ? openat(to, new_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                     : -1;
    int cause = target < 0 ? errno : depth > MOST_DEPTH ? ELOOP : 0;
    DIR *list = source >= 0 ? fdopendir(source) : NULL;
    struct dirent *entry;
    while (!cause && list && (entry = readdir(list)) != NULL) {
        if (!is_dots(entry->d_name)) {
            cause = copy(dirfd(list), entry->d_name, target, entry->d_name, bytes_left, depth + 1);
        }
    }
    if (list) {
        closedir(list);
    }
    if (target >= 0) {
        close(target);
    }
    return cause;
}

static int copy(int from, const char *name, int to, const char *new_name, uint64_t *bytes_left, int depth) {
    struct stat about;
    if (fstatat(from, name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno;
    }
    /* Even an empty file costs something. */
    *bytes_left = *bytes_left > 4096 ? *bytes_left - 4096 : 0;
    return S_ISDIR(about.st_mode)   ? copy_folder(from, name, to, new_name, bytes_left, depth)
           : S_ISLNK(about.st_mode) ? copy_link(from, name, to, new_name)
           : S_ISREG(about.st_mode) ? copy_file(from, name, to, new_name, about.st_mode, bytes_left)
                                    : 0;
}

int warden_folder_copy(int from, const char *name, int to, const char *new_name, uint64_t *bytes_left) {
    return copy(from, name, to, new_name, bytes_left, 0);
}

bool warden_folder_is_public(int parent, const char *name, int depth) {
    struct stat about;
    if (fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) != 0 || depth > MOST_DEPTH) {
        return false;
    }
    if (!S_ISDIR(about.st_mode)) {
        bool runs = (about.st_mode & 0100) == 0 || (about.st_mode & 0001) != 0;
        return !S_ISREG(about.st_mode) || ((about.st_mode & 0004) != 0 && runs);
    }
    int folder =
        (about.st_mode & 0005) == 0005 ? openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    DIR *list = folder >= 0 ? fdopendir(folder) : NULL;
    bool public = list != NULL;
    struct dirent *entry;
    while (public && (entry = readdir(list)) != NULL) {
        public = is_dots(entry->d_name) || warden_folder_is_public(dirfd(list), entry->d_name, depth + 1);
    }
    if (list) {
        closedir(list);
    }
    return public;
}
