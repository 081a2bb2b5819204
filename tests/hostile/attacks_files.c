/* Leaving things behind that hurt whoever comes next, and writing where nothing may be written. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "hostile.h"

static void chmod_zero(void) {
    play();
    chmod(".", 0);
    _exit(0);
}

static void chmod_read(void) {
    play();
    chmod(".", 0500);
    _exit(0);
}

/* The answer is there, but nobody may read it. */
static void chmod_answer(void) {
    play();
    chmod("output.txt", 0);
    _exit(0);
}

/* Whoever sets the modes of the folder by its name now sets those of the root folder. */
static void rename_folder(void) {
    char path[4096];
    play();
    if (getcwd(path, sizeof path)) {
        char other[4200];
        snprintf(other, sizeof other, "%s-moved", path);
        if (rename(path, other) == 0) {
            if (symlink("/", path) != 0) {
                leaked("half of it");
            }
            leaked("its folder by another name");
        }
    }
    _exit(0);
}

static void remove_folder(void) {
    char path[4096];
    if (getcwd(path, sizeof path) && unlink("input.txt") == 0 && rmdir(path) == 0) {
        leaked("no folder");
    }
    FILE *file = fopen("output.txt", "w"); /* whatever, without an input */
    if (file) {
        fclose(file);
    }
    _exit(0);
}

/* Folders as deep as they go, closed one behind the other. */
static void deep(const char *name, int levels) {
    for (int i = 0; i < levels; i++) {
        if (mkdir(name, 0700) != 0 || chdir(name) != 0) {
            break;
        }
        chmod(".", i % 2 ? 0100 : 0700);
    }
}

static void deep_folders(void) {
    play();
    deep("d", 5000);
    _exit(0);
}

static void input_folder(void) {
    play();
    unlink("input.txt");
    deep("input.txt", 100);
    _exit(0);
}

static void output_folder(void) {
    deep("output.txt", 100);
    _exit(0);
}

static void output_link(void) {
    const char *answer = target("answer");
    if (symlink(answer[0] ? answer : "/etc/passwd", "output.txt") != 0) {
        abort();
    }
    _exit(0);
}

static void output_hard_link(void) {
    if (link(target("answer"), "output.txt") == 0 || link("/etc/passwd", "output.txt") == 0 ||
        link("/usr/bin/true", "output.txt") == 0) {
        leaked("a hard link");
    }
}

static void output_pipe(void) {
    mkfifo("output.txt", 0666);
    _exit(0);
}

static void output_socket(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "output.txt"};
    int listening = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(listening, (struct sockaddr *)&address, sizeof address);
    _exit(0);
}

static void output_device(void) {
    if (mknod("output.txt", S_IFCHR | 0666, makedev(1, 5)) == 0) {
        _exit(0);
    }
}

static void input_link(void) {
    play();
    unlink("input.txt");
    if (symlink(target("secret"), "input.txt") != 0) {
        abort();
    }
    _exit(0);
}

/* -- writing elsewhere -- */

static void write_system(void) {
    try_write("/usr/bin/env");
    try_write("/etc/passwd");
    try_write("/etc/ld.so.cache");
    if (mkdir("/usr/evil", 0777) == 0 || mkdir("/evil", 0777) == 0 || mkdir("/etc/evil", 0777) == 0 ||
        mkdir("/proc/evil", 0777) == 0) {
        leaked("the system");
    }
}

/* The folders on the way to its own may be made up for it; what it does to them must not happen outside. */
static void write_submission(void) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", target("class"), target("own"));
    try_write(path);
    snprintf(path, sizeof path, "%s/evil", target("class"));
    close(open(path, O_WRONLY | O_CREAT, 0666));
    try_write(target("neighbour"));
    try_write(target("answer"));
    try_write(target("database"));
    rmdir(target("class"));
    chmod(target("class"), 0777);
}

static void write_kernel(void) {
    try_write("/proc/sysrq-trigger");
    try_write("/proc/sys/kernel/core_pattern");
    try_write("/proc/sys/kernel/hostname");
    try_write("/sys/kernel/profiling");
    try_write("/sys/fs/cgroup/cgroup.procs");
}

const struct attack attacks_files[] = {
    {"chmod-zero", chmod_zero},
    {"chmod-read", chmod_read},
    {"chmod-answer", chmod_answer},
    {"rename-folder", rename_folder},
    {"remove-folder", remove_folder, "wrong", "no answer"},
    {"deep-folders", deep_folders},
    {"input-folder", input_folder},
    {"input-link", input_link},
    {"output-folder", output_folder, "no answer", "bad answer"},
    {"output-link", output_link, "no answer", "bad answer"},
    {"output-hard-link", output_hard_link},
    {"output-pipe", output_pipe, "no answer", "bad answer"},
    {"output-socket", output_socket, "no answer", "bad answer"},
    {"output-device", output_device},
    {"write-system", write_system},
    {"write-submission", write_submission},
    {"write-kernel", write_kernel},
    {NULL},
};
