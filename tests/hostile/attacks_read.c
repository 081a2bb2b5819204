/* Looking at what is none of a program's business. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "hostile.h"

static void answers(void) {
    try_read(target("answer"));
}

static void other_cases(void) {
    try_read(target("case"));
}

static void other_submission(void) {
    try_read(target("neighbour"));
}

static void database(void) {
    try_read(target("database"));
}

static void home(void) {
    try_read(target("secret"));
    if (opendir("/home") || opendir("/root")) {
        leaked("the home folders");
    }
}

static void shadow(void) {
    try_read("/etc/shadow");
    try_read("/etc/sudoers");
    try_read("/proc/1/root/etc/shadow");
    try_read("/proc/self/root/etc/shadow");
}

/* The folder its own submission lies in shows nothing else. */
static void siblings(void) {
    DIR *folder = opendir(target("class"));
    struct dirent *entry;
    int names = 0;
    while (folder && (entry = readdir(folder)) != NULL) {
        names += entry->d_name[0] != '.';
    }
    if (names > 1) {
        leaked("the names of the others");
    }
}

extern char **environ;

static void environment(void) {
    static const char *const usual[] = {"PATH=", "HOME=/scratch", "USER=player", "TMPDIR=/tmp", "LANG=C.UTF-8",
                                        "PWD=",  "OLDPWD=",       "SHLVL=",      "_=",          NULL};
    for (char **variable = environ; *variable; variable++) {
        bool known = false;
        for (int i = 0; usual[i]; i++) {
            known = known || strncmp(*variable, usual[i], strlen(usual[i])) == 0;
        }
        if (!known) {
            leaked(*variable);
        }
    }
    for (int pid = 1; pid < 4; pid++) {
        static char bytes[65536];
        char path[60];
        snprintf(path, sizeof path, "/proc/%d/environ", pid);
        FILE *file = fopen(path, "r");
        size_t length = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
        if (memmem(bytes, length, "HOSTILE_SECRET", 14)) {
            leaked("an environment");
        }
    }
}

/* Nobody is there but us and the sandbox. */
static void processes(void) {
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    int count = 0;
    while (folder && (entry = readdir(folder)) != NULL) {
        count += isdigit((unsigned char)entry->d_name[0]) != 0;
    }
    char path[60];
    snprintf(path, sizeof path, "/proc/%ld/cmdline", target_number("victim"));
    try_read(target_number("victim") > 100 ? path : "");
    if (count > 3) {
        leaked("other processes");
    }
}

static void devices(void) {
    static const char *const devices[] = {"/dev/mem",   "/dev/kmsg", "/dev/sda",  "/dev/vda",  "/dev/nvme0n1",
                                          "/dev/loop0", "/dev/kvm",  "/dev/fuse", "/dev/port", NULL};
    for (int i = 0; devices[i]; i++) {
        try_read(devices[i]);
    }
    if (mknod("disk", S_IFBLK | 0600, makedev(8, 0)) == 0) {
        try_read("disk");
    }
    if (mknod("memory", S_IFCHR | 0600, makedev(1, 1)) == 0) {
        try_read("memory");
    }
}

/* Descriptors somebody forgot to close. */
static void descriptors(void) {
    for (int descriptor = 3; descriptor < 1024; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) {
            leaked("an open descriptor");
        }
    }
}

/* Climbs out by "..", links and the folders of other processes. */
static void climb(void) {
    char path[400] = "";
    for (int i = 0; i < 40; i++) {
        strcat(path, "../");
    }
    strcat(path, "etc/shadow");
    try_read(path);
    for (int pid = 1; pid < 20; pid++) {
        char inner[100];
        snprintf(inner, sizeof inner, "/proc/%d/cwd/../../etc/shadow", pid);
        try_read(inner);
        snprintf(inner, sizeof inner, "/proc/%d/fd/4/../../../../etc/shadow", pid);
        try_read(inner);
    }
}

const struct attack attacks_read[] = {
    {"answers", answers},
    {"other-cases", other_cases},
    {"other-submission", other_submission},
    {"database", database},
    {"home", home},
    {"shadow", shadow},
    {"siblings", siblings},
    {"environment", environment},
    {"processes", processes},
    {"devices", devices},
    {"descriptors", descriptors},
    {"climb", climb},
    {NULL},
};
