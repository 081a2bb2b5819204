#include "sandbox/warden_sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/warden_filter.h"
#include "sandbox/warden_hide.h"

/* -- the command line -- */

static void add(struct sandbox_command *command, const char *word) {
    size_t size = strlen(word) + 1;
    if (command->count >= SANDBOX_MOST_WORDS || command->filled + size > sizeof command->bytes) {
        command->full = true;
        return;
    }
    char *copy = command->bytes + command->filled;
    memcpy(copy, word, size);
    command->filled += size;
    command->words[command->count++] = copy;
    command->words[command->count] = NULL;
}

static void add_words(struct sandbox_command *command, const char *const *words) {
    for (; *words; words++) {
        add(command, *words);
    }
}

static void add_three(struct sandbox_command *command, const char *a, const char *b, const char *c) {
    add_words(command, (const char *const[]){a, b, c, NULL});
}

static void add_number(struct sandbox_command *command, const char *option, int number) {
    char text[20];
    snprintf(text, sizeof text, "%d", number);
    add(command, option);
    add(command, text);
}

/* Folders of the system. On most machines all but /usr are links into it. */
static const char *const system_folders[] = {"/usr",   "/bin",    "/sbin",      "/lib",      "/lib32",
                                             "/lib64", "/libx32", "/nix/store", "/gnu/store"};

static void add_system(struct sandbox_command *command) {
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++) {
        struct stat about;
        char target[PATH_MAX];
        const char *folder = system_folders[i];
        ssize_t length = readlink(folder, target, sizeof target - 1);
        if (length > 0) {
            target[length] = '\0';
            add_three(command, "--symlink", target, folder);
        } else if (stat(folder, &about) == 0) {
            add_three(command, "--ro-bind", folder, folder);
        }
    }
}

bool warden_is_system(const char *path) {
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++) {
        size_t length = strlen(system_folders[i]);
        if (strncmp(path, system_folders[i], length) == 0 && (path[length] == '/' || path[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static void add_folder(struct sandbox_command *command, const struct world *world, const char *option, const char *name,
                       const char *at) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", world->base, name);
    add_three(command, option, path, at);
}

/* Covers what is sortie's own among the system. */
static void add_hidden(struct sandbox_command *command, const struct world *world, bool hides) {
    int count = hides ? world->hidden->count : 0;
    for (int i = 0; i < count; i++) {
        const char *cover = world->hidden->list[i].is_folder ? HIDE_FOLDER : HIDE_FILE;
        add_folder(command, world, "--ro-bind", cover, world->hidden->list[i].path);
    }
}

static void add_folders(struct sandbox_command *command, const struct world *world, bool hides) {
    add_system(command);
    add_hidden(command, world, hides);
    add_folder(command, world, "--ro-bind", "etc", "/etc");
    add_words(command, (const char *const[]){"--proc", "/proc", "--dev", "/dev", NULL});
    bool fixed = world_is_fixed(world);
    add_folder(command, world, "--bind", fixed ? "world/tmp" : WORLD_STAGE "/tmp", "/tmp");
    add_folder(command, world, "--bind", fixed ? "world/shm" : WORLD_STAGE "/shm", "/dev/shm");
    add_folder(command, world, "--ro-bind", fixed ? "world/" WORLD_ZERO : WORLD_STAGE "/" WORLD_ZERO, "/dev/zero");
    for (int i = 0; i < world->shown_count; i++) {
        char name[40];
        snprintf(name, sizeof name, "show/%d", i);
        if (!warden_is_system(world->shown[i].at)) {
            add_folder(command, world, "--ro-bind", name, world->shown[i].at);
        }
    }
    if (world->build != WARDEN_NO_BUILD) {
        add_folder(command, world, world->build == WARDEN_BUILD_READ ? "--ro-bind" : "--bind", "build", WORLD_BUILD);
    }
    add_folder(command, world, "--bind", fixed ? "world/scratch" : WORLD_STAGE "/scratch", WORLD_SCRATCH);
    if (world->shared) {
        add_folder(command, world, "--bind", "shared", world->shared);
    }
    /* The folders bubblewrap made on the way; a program has no business there. */
    add_words(command, (const char *const[]){"--remount-ro", "/dev", "--remount-ro", "/", NULL});
}

void sandbox_command(struct sandbox_command *command, const struct world *world, bool hides,
                     const struct sandbox_descriptors *descriptors) {
    static const char *const isolation[] = {"bwrap",
                                            "--unshare-user",
                                            "--disable-userns",
                                            "--unshare-pid",
                                            "--unshare-ipc",
                                            "--unshare-uts",
                                            "--unshare-cgroup-try",
                                            "--hostname",
                                            "sandbox",
                                            "--uid",
                                            "1000",
                                            "--gid",
                                            "1000",
                                            "--die-with-parent",
                                            "--new-session",
                                            "--cap-drop",
                                            "ALL",
                                            "--clearenv",
                                            NULL};
    static const char *const environment[] = {"--setenv", "PATH",   "/usr/local/bin:/usr/bin:/bin:/usr/games",
                                              "--setenv", "HOME",   WORLD_SCRATCH,
                                              "--setenv", "USER",   "player",
                                              "--setenv", "TMPDIR", "/tmp",
                                              "--setenv", "LANG",   "C.UTF-8",
                                              NULL};
    command->count = 0;
    command->filled = 0;
    command->full = false;
    add_words(command, isolation);
    add_words(command, environment);
    add_folders(command, world, hides);
    /* The last one is the strictest: it may refuse the very call that adds another. */
    for (int i = 0; i < 2; i++) {
        if (descriptors->filters[i] >= 0) {
            add_number(command, "--add-seccomp-fd", descriptors->filters[i]);
        }
    }
    /* The first process stays where no world is in its way. */
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptors->first);
    add_words(command, (const char *const[]){"--chdir", "/", "--as-pid-1", "--", NULL});
    add_number(command, path, descriptors->status);
}

bool sandbox_found(void) {
    const char *path = getenv("PATH");
    for (const char *at = path ? path : ""; *at;) {
        size_t length = strcspn(at, ":");
        char file[PATH_MAX];
        snprintf(file, sizeof file, "%.*s/bwrap", (int)(length < 4000 ? length : 4000), at);
        if (length > 0 && access(file, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

/* -- without a sandbox -- */

/* The path of the machine for a path of the sandbox; NULL when `word` does not begin with one. */
static const char *plain_path(const struct world *world, const char *word, char path[PATH_MAX], size_t *used) {
    for (int i = 0; i < world->shown_count; i++) {
        *used = strlen(world->shown[i].at);
        if (strncmp(word, world->shown[i].at, *used) == 0 && strcmp(world->shown[i].at, world->shown[i].from) != 0) {
            return world->shown[i].from;
        }
    }
    bool build = strncmp(word, WORLD_BUILD, strlen(WORLD_BUILD)) == 0;
    if (build || strncmp(word, WORLD_SCRATCH, strlen(WORLD_SCRATCH)) == 0) {
        *used = strlen(build ? WORLD_BUILD : WORLD_SCRATCH);
        snprintf(path, PATH_MAX, "%s/%s", world->base, build ? "build" : "world/scratch");
        return path;
    }
    return NULL;
}

void sandbox_plain_command(struct sandbox_command *command, const struct world *world, char *const *argv) {
    command->count = 0;
    command->filled = 0;
    command->full = false;
    for (; *argv; argv++) {
        char word[8192] = "";
        size_t length = 0;
        /* A path begins a word, or stands in a line for the shell behind a blank, a quote or an equals sign. */
        for (const char *at = *argv; *at && length + 1 < sizeof word;) {
            char path[PATH_MAX];
            size_t used = 0;
            bool begins = *at == '/' && (at == *argv || strchr(" \t'\"=:", at[-1]));
            const char *real = begins ? plain_path(world, at, path, &used) : NULL;
            if (real && strchr("/ \t'\"", at[used])) {
                length += (size_t)snprintf(word + length, sizeof word - length, "%s", real);
                at += used;
            } else {
                word[length++] = *at++;
            }
        }
        word[length < sizeof word ? length : sizeof word - 1] = '\0';
        add(command, word);
    }
}

/* -- the filter -- */

int sandbox_filter(void) {
    struct sock_filter program[WARDEN_FILTER_MOST];
    size_t size = (size_t)warden_filter_write(program) * sizeof *program;
    if (size == 0) {
        errno = ENOSYS;
        return -1;
    }
    int file = memfd_create("filter", MFD_CLOEXEC);
    if (file >= 0 && write(file, program, size) == (ssize_t)size && lseek(file, 0, SEEK_SET) == 0) {
        return file;
    }
    int cause = errno;
    if (file >= 0) {
        close(file);
    }
    errno = cause;
    return -1;
}
