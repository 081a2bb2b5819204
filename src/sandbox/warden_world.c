#include "sandbox/warden_world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/warden_buffers.h"
#include "sandbox/warden_folder.h"
#include "sandbox/warden_hide.h"

/* In a mount namespace of our own everything is mounted over this folder, which is there on every machine and which
 * no program under us needs: so there is not even an empty folder to remove afterwards. */
#define BASE "/sys"
#define MOST_INODES 65536
/* As root, what not everybody may read is copied before it is shown. */
#define MOST_COPIED ((uint64_t)1 << 30)

/* -- small things -- */

static bool fail(char *why, size_t size, const char *what) {
    snprintf(why, size, "%s: %s", what, strerror(errno));
    return false;
}

static bool write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    size_t length = strlen(text);
    bool well = file >= 0 && write(file, text, length) == (ssize_t)length;
    return (file < 0 || close(file) == 0) && well;
}

/* A path below the base. */
static const char *below(const struct world *world, const char *name, char path[PATH_MAX]) {
    snprintf(path, PATH_MAX, "%s/%s", world->base, name);
    return path;
}

static bool mount_memory(const char *path, uint64_t bytes, const char *mode) {
    char options[120];
    snprintf(options, sizeof options, "size=%llu,nr_inodes=%d,mode=%s", (unsigned long long)bytes, MOST_INODES, mode);
    return mount("sortie", path, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0;
}

/* -- users -- */

/* Keeps the right to read and search whatever root may read, across the change of user and what is run then. */
static bool keep_reading(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0}};
    data[0].effective = data[0].permitted = data[0].inheritable = 1u << CAP_DAC_READ_SEARCH;
    return syscall(SYS_capset, &header, data) == 0 &&
           prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0) == 0;
}

bool world_become_user(const struct world *world) {
    uint32_t user = world->user;
    if (!world->other_user) {
        return true;
    }
    /* Without a sandbox a program runs where it lies, be that in a folder of root's. */
    bool reads = !world->sandboxed && !world->walled;
    return (!reads || prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0) && setgroups(0, NULL) == 0 &&
           setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0 && (!reads || keep_reading());
}

/* Whether this machine lets us (in some containers it does not); tried once in a process that ends at once. */
static bool can_become_user(struct world *world) {
    pid_t pid = geteuid() == 0 ? fork() : -1;
    if (pid == 0) {
        world->other_user = true;
        _exit(world_become_user(world) ? 0 : 1);
    }
    int status = 1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

bool world_can_wall(char *why, size_t size) {
    struct world world = {.walled = true, .user = warden_new_user()};
    errno = EPERM;
    return can_become_user(&world) || fail(why, size, "no user of its own");
}

bool world_user_may(const char *path, int mode) {
    struct world world = {.walled = true, .other_user = true, .user = warden_new_user()};
    pid_t pid = fork();
    if (pid == 0) {
        _exit(world_become_user(&world) && access(path, mode) != 0 ? 0 : 1);
    }
    int status = 1;
    return pid < 0 || waitpid(pid, &status, 0) != pid || status != 0; /* who cannot tell fears the worst */
}

/* -- namespaces -- */

/* A user namespace in which we are who we are and may mount. */
static bool unshare_user(void) {
    char map[60];
    uid_t user = geteuid();
    gid_t group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID) != 0 || !write_file("/proc/self/setgroups", "deny")) {
        return false;
    }
    snprintf(map, sizeof map, "%u %u 1\n", user, user);
    if (!write_file("/proc/self/uid_map", map)) {
        return false;
    }
    snprintf(map, sizeof map, "%u %u 1\n", group, group);
    return write_file("/proc/self/gid_map", map);
}

/* Goes on as the first process of the new process namespace: when it ends, even by kill -9, the kernel ends everything
 * in it, be that half way into a sandbox. Who we were waits, as the child that our client knows. */
static bool become_first(void) {
    pid_t pid = fork();
    if (pid > 0) {
        warden_close_from(3);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
        _exit(0);
    }
    return pid == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
}

static bool unshare_mounts(char *why, size_t size) {
    if (geteuid() == 0 ? unshare(CLONE_NEWNS | CLONE_NEWPID) != 0 : !unshare_user()) {
        return fail(why, size, "no namespaces of its own");
    }
    if (!become_first()) {
        return fail(why, size, "no process namespace of its own");
    }
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        return fail(why, size, "no mounts of its own");
    }
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0) {
        return fail(why, size, "no /proc of its own");
    }
    if (!mount_memory(BASE, MOST_COPIED, "0755")) {
        return fail(why, size, "no file system in memory");
    }
    return true;
}

/* -- the system as programs see it -- */

/* What programs need of /etc; the rest of it is nobody's business. */
static const char *const etc_patterns[] = {"/etc/alternatives", "/etc/ld.so.*", "/etc/localtime", "/etc/java*",
                                           "/etc/python*",      "/etc/perl*",   "/etc/mono"};

static bool bind_to(const char *from, const char *to) {
    struct stat about;
    if (stat(from, &about) != 0) {
        return false;
    }
    int made = S_ISDIR(about.st_mode) ? mkdir(to, 0755) : open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (made > 0) {
        close(made);
    }
    return made >= 0 && mount(from, to, NULL, MS_BIND | MS_REC, NULL) == 0;
}

static bool make_etc(const struct world *world) {
    char path[PATH_MAX];
    if (mkdir(below(world, "etc", path), 0755) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof etc_patterns / sizeof *etc_patterns; i++) {
        glob_t found;
        if (glob(etc_patterns[i], 0, NULL, &found) == 0) {
            for (size_t k = 0; k < found.gl_pathc; k++) {
                bind_to(found.gl_pathv[k], below(world, found.gl_pathv[k] + 1, path));
            }
            globfree(&found);
        }
    }
    return write_file(below(world, "etc/passwd", path), "player:x:1000:1000:player:" WORLD_SCRATCH ":/bin/sh\n") &&
           write_file(below(world, "etc/group", path), "player:x:1000:\n") &&
           write_file(below(world, "etc/nsswitch.conf", path), "passwd: files\ngroup: files\nhosts: files\n") &&
           write_file(below(world, "etc/hosts", path), "127.0.0.1 localhost\n");
}

/* -- the stage -- */

/* Sandboxes are made with these empty places of the stage, whose mounts go on to them: what is mounted there later, the
 * sandboxes that stand have too. So a world can be thrown away and made anew under a sandbox. */
static const char *const stage_places[] = {WORLD_STAGE "/scratch", WORLD_STAGE "/tmp", WORLD_STAGE "/shm",
                                           WORLD_STAGE "/" WORLD_ZERO};
static const char *const staged[] = {"world/scratch", "world/tmp", "world/shm", ("world/" WORLD_ZERO)};
#define PLACES (sizeof staged / sizeof *staged)

static bool make_stage(const struct world *world) {
    char path[PATH_MAX];
    below(world, WORLD_STAGE, path);
    bool well =
        mkdir(path, 0755) == 0 && mount_memory(path, 1 << 16, "0755") && mount(NULL, path, NULL, MS_SHARED, NULL) == 0;
    for (size_t i = 0; i + 1 < PLACES && well; i++) {
        well = mkdir(below(world, stage_places[i], path), 0555) == 0;
    }
    return well && write_file(below(world, stage_places[PLACES - 1], path), "");
}

bool world_is_fixed(const struct world *world) {
    static const char *const places[] = {WORLD_SCRATCH "/", "/tmp/", "/dev/shm/"};
    bool fixed = world->shared != NULL;
    for (int i = 0; i < world->shown_count; i++) {
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            fixed = fixed || strncmp(world->shown[i].at, places[k], strlen(places[k])) == 0;
        }
    }
    return fixed;
}

void world_lower(const struct world *world) {
    char path[PATH_MAX];
    for (size_t i = 0; i < PLACES; i++) {
        umount2(below(world, stage_places[i], path), MNT_DETACH);
    }
}

bool world_raise(const struct world *world) {
    char from[PATH_MAX];
    char to[PATH_MAX];
    bool well = true;
    for (size_t i = 0; i < PLACES && well; i++) {
        well = mount(below(world, staged[i], from), below(world, stage_places[i], to), NULL, MS_BIND, NULL) == 0;
    }
    return well;
}

/* Makes the file of zeros, which nobody may write: its mount says so, and those made from it. */
static bool make_zero(const struct world *world) {
    char path[PATH_MAX];
    below(world, "world/" WORLD_ZERO, path);
    return buffers_make_zero(world->root, WORLD_ZERO) && mount(path, path, NULL, MS_BIND, NULL) == 0 &&
           mount(NULL, path, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) == 0;
}

/* -- the world -- */

static bool make_folder(const struct world *world, int parent, const char *name, mode_t mode) {
    return mkdirat(parent, name, mode) == 0 && fchmodat(parent, name, mode, 0) == 0 &&
           (!world->other_user || fchownat(parent, name, world->user, world->user, AT_SYMLINK_NOFOLLOW) == 0);
}

static void close_world(struct world *world) {
    if (world->scratch >= 0) {
        close(world->scratch);
    }
    if (world->root >= 0) {
        close(world->root);
    }
    world->scratch = world->root = -1;
}

/* Removes what programs have left where everybody may write. A sandbox has these folders to itself. */
static void sweep(const struct world *world) {
    static const char *const folders[] = {"/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/dev/mqueue"};
    for (size_t i = 0; world->walled && i < sizeof folders / sizeof *folders; i++) {
        DIR *list = opendir(folders[i]);
        for (struct dirent *entry; list && (entry = readdir(list));) {
            struct stat about;
            if (fstatat(dirfd(list), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 && about.st_uid == world->user) {
                warden_folder_remove(dirfd(list), entry->d_name);
            }
        }
        if (list) {
            closedir(list);
        }
    }
}

bool world_renew(struct world *world, char *why, size_t size) {
    char path[PATH_MAX];
    close_world(world);
    below(world, "world", path);
    if (world->sandboxed) {
        world_lower(world);
        umount2(path, MNT_DETACH);
        if ((mkdir(path, 0755) != 0 && errno != EEXIST) || !mount_memory(path, world->disk_bytes, "0755")) {
            return fail(why, size, "no file system in memory");
        }
    } else {
        sweep(world);
        warden_folder_remove(AT_FDCWD, path);
        if (mkdir(path, 0711) != 0) {
            return fail(why, size, path);
        }
    }
    world->root = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (world->root < 0 || !make_folder(world, world->root, "scratch", 0700) ||
        !make_folder(world, world->root, "tmp", 01777) || !make_folder(world, world->root, "shm", 01777) ||
        mkdirat(world->root, "gone", 0700) != 0 || (world->sandboxed && (!make_zero(world) || !world_raise(world)))) {
        return fail(why, size, path);
    }
    world->scratch = openat(world->root, "scratch", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return world->scratch >= 0 || fail(why, size, path);
}

void world_resize(struct world *world, uint64_t bytes) {
    char path[PATH_MAX];
    char options[60];
    if (world->sandboxed && bytes != world->disk_bytes) {
        snprintf(options, sizeof options, "size=%llu", (unsigned long long)bytes);
        if (mount(NULL, below(world, "world", path), NULL, MS_REMOUNT | MS_NOSUID | MS_NODEV, options) == 0) {
            world->disk_bytes = bytes;
        }
        mount(NULL, below(world, "build", path), NULL, MS_REMOUNT | MS_NOSUID | MS_NODEV, options);
    }
}

static bool renew_build(struct world *world, char *why, size_t size) {
    char path[PATH_MAX];
    below(world, "build", path);
    if (!world->sandboxed) {
        warden_folder_remove(AT_FDCWD, path);
        return mkdir(path, world->walled ? 0750 : 0755) == 0 &&
                       (!world->other_user || chown(path, world->user, world->user) == 0)
                   ? true
                   : fail(why, size, path);
    }
    umount2(path, MNT_DETACH);
    if ((mkdir(path, 0755) != 0 && errno != EEXIST) || !mount_memory(path, world->disk_bytes, "0755") ||
        (world->other_user && chown(path, world->user, world->user) != 0)) {
        return fail(why, size, "no file system in memory for the build folder");
    }
    return true;
}

/* -- what is shown -- */

/* Makes one thing visible below the base, where programs' users can reach it whatever folders it lies in. As root, what
 * not everybody may read is copied: a program has a user of its own, which could not. */
static bool place(const struct world *world, const char *from, int number, char *why, size_t size) {
    char name[40];
    char path[PATH_MAX];
    snprintf(name, sizeof name, "show/%d", number);
    below(world, name, path);
    if (!world->other_user || warden_folder_is_public(AT_FDCWD, from, 0)) {
        return bind_to(from, path) || fail(why, size, from);
    }
    uint64_t bytes_left = MOST_COPIED;
    int cause = warden_folder_copy(AT_FDCWD, from, AT_FDCWD, path, &bytes_left);
    errno = cause;
    return cause == 0 || fail(why, size, from);
}

/* Without mounts: a copy of a file that programs may read, below the base, where nobody else may look. What is part of
 * the system stays where it is, and so do folders: an interpreter does not run from another place. */
static bool place_copy(const char *base, const char *from, int number, char absolute[PATH_MAX], char *why,
                       size_t size) {
    char path[PATH_MAX];
    uint64_t bytes_left = MOST_COPIED;
    struct stat about;
    bool in_place = stat(from, &about) == 0 && S_ISDIR(about.st_mode);
    if (in_place || (warden_is_system(from) && warden_folder_is_public(AT_FDCWD, from, 0))) {
        return true;
    }
    snprintf(path, sizeof path, "%s/show/%d", base, number);
    int cause = warden_folder_copy(AT_FDCWD, from, AT_FDCWD, path, &bytes_left);
    errno = cause;
    memcpy(absolute, path, sizeof path);
    return cause == 0 || fail(why, size, from);
}

/* Gives the build folder to root, so that programs may read it and change nothing, or back to those who build. */
static bool seal_build(const struct world *world, char *why, size_t size) {
    char path[PATH_MAX];
    bool sealed = world->build == WARDEN_BUILD_READ;
    int folder = open(below(world, "build", path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) {
        return errno == ENOENT || fail(why, size, path);
    }
    warden_folder_seal(folder, world->user, sealed);
    close(folder);
    return true;
}

static void forget_shown(struct world *world) {
    for (int i = 0; i < world->shown_count; i++) {
        free(world->shown[i].from);
        free(world->shown[i].at);
    }
    world->shown_count = 0;
}

bool world_show(struct world *world, const struct warden_request *request, char *const *words, int count, char *why,
                size_t size) {
    char path[PATH_MAX];
    forget_shown(world);
    world->build = request->build;
    world->keep_output = request->keep_output;
    below(world, "show", path);
    if (world->sandboxed) {
        umount2(path, MNT_DETACH);
        if ((mkdir(path, 0755) != 0 && errno != EEXIST) || !mount_memory(path, MOST_COPIED, "0755")) {
            return fail(why, size, "no file system in memory for what is shown");
        }
    } else if (world->walled) {
        warden_folder_remove(AT_FDCWD, path);
        if (mkdir(path, 0755) != 0) {
            return fail(why, size, path);
        }
    }
    for (int i = 0; i + 1 < count && world->shown_count < WARDEN_MOST_SHOWN; i += 2) {
        char absolute[PATH_MAX];
        if (!realpath(words[i], absolute)) {
            return fail(why, size, words[i]);
        }
        if (world->sandboxed && !place(world, absolute, world->shown_count, why, size)) {
            return false;
        }
        if (world->walled && !place_copy(world->base, absolute, world->shown_count, absolute, why, size)) {
            return false;
        }
        struct world_shown *shown = &world->shown[world->shown_count++];
        *shown = (struct world_shown){strdup(absolute), strdup(words[i + 1])};
        if (!shown->from || !shown->at) {
            return fail(why, size, words[i]);
        }
    }
    if (world->walled && request->build != WARDEN_BUILD_NEW && !seal_build(world, why, size)) {
        return false;
    }
    return request->build != WARDEN_BUILD_NEW || renew_build(world, why, size);
}

/* Whether one of the files that are shown lies in a folder: the program itself perhaps. */
static bool holds_shown(const struct world *world, const char *folder) {
    size_t length = strlen(folder);
    for (int i = 0; i < world->shown_count; i++) {
        const char *from = world->shown[i].from;
        if (strncmp(from, folder, length) == 0 && (from[length] == '/' || from[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* The folder is bound, not copied: the referee outside, the other team and whoever looks on must see what is written at
 * once, and a world of its own could not be seen by two wardens. So what is made there is on the disk of the machine
 * and has its rules: that nothing with set-id bits is made at all is the filter's business. The flags keep what others
 * put there from having rights inside. */
static bool bind_shared(const char *folder, const char *path, bool runs) {
    struct statvfs about;
    if (!bind_to(folder, path) || statvfs(path, &about) != 0) {
        return false;
    }
    /* In a user namespace the flags a mount came with are locked: they must be named again. */
    unsigned long locked = about.f_flag & (ST_RDONLY | ST_NOSUID | ST_NODEV | ST_NOEXEC);
    return mount(NULL, path, NULL, MS_REMOUNT | MS_BIND | MS_NOSUID | MS_NODEV | (runs ? 0 : MS_NOEXEC) | locked,
                 NULL) == 0;
}

bool world_share(struct world *world, const char *folder, uint32_t user, char *why, size_t size) {
    char path[PATH_MAX];
    if (world->shared ||
        (world->sandboxed && !bind_shared(folder, below(world, "shared", path), holds_shown(world, folder)))) {
        return fail(why, size, folder);
    }
    world->shared = strdup(folder);
    world->user = user;
    return world->shared || fail(why, size, folder);
}

/* -- beginning and end -- */

/* Without a sandbox: a folder of the machine that nobody else may enter. */
static bool make_base(struct world *world, char *why, size_t size) {
    const char *temporary = getenv("TMPDIR");
    int length =
        snprintf(world->base, sizeof world->base, "%s/sortie-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (length >= (int)sizeof world->base || !mkdtemp(world->base)) {
        world->base[0] = '\0';
        return fail(why, size, "no scratch folder can be made");
    }
    if (world->walled && chown(world->base, 0, world->user) != 0) {
        return fail(why, size, world->base);
    }
    return chmod(world->base, world->walled       ? 0710
                              : world->other_user ? 0711
                                                  : 0700) == 0 ||
           fail(why, size, world->base);
}

bool world_open(struct world *world, enum warden_wall wall, char *why, size_t size) {
    bool sandboxed = wall == WARDEN_SANDBOX_WALL;
    *world = (struct world){.sandboxed = sandboxed,
                            .walled = wall == WARDEN_USER_WALL,
                            .user = warden_new_user(),
                            .root = -1,
                            .scratch = -1,
                            .disk_bytes = warden_usual_limits.disk_bytes};
    world->other_user = can_become_user(world);
    umask(022);
    if (world->walled && !world->other_user) {
        snprintf(why, size, "root cannot become another user here");
        return false;
    }
    if (!sandboxed) {
        return make_base(world, why, size) && world_renew(world, why, size);
    }
    if (geteuid() == 0 && !world->other_user) {
        snprintf(why, size, "root cannot become another user here");
        return false;
    }
    if (!unshare_mounts(why, size)) {
        return false;
    }
    snprintf(world->base, sizeof world->base, "%s", BASE);
    return ((make_etc(world) && hide_prepare(world)) || fail(why, size, "/etc")) &&
           (make_stage(world) || fail(why, size, "no mounts that go on to sandboxes")) && world_renew(world, why, size);
}

void world_close(struct world *world) {
    forget_shown(world);
    free(world->shared);
    hide_free(world);
    close_world(world);
    if (!world->sandboxed && world->base[0]) {
        sweep(world);
        warden_folder_remove(AT_FDCWD, world->base);
    }
}
