/* Points that were not earned: the judge's own engine, its plan, and what its tables are made of. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"

/* Whether a file has the first bytes of a program; an empty one that covers another has not. */
static void try_program(const char *path) {
    char begin[4] = "";
    int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, begin, 4) == 4 && memcmp(begin, "\177ELF", 4) == 0) {
        leaked(path);
    }
    if (file >= 0) {
        close(file);
    }
}

/* The engine that judges, wherever it may lie. */
static void find_engine(void) {
    static const char *const folders[] = {
        "/",         "/usr/bin",       "/usr/local/bin",   "/usr/games",
        "/usr/sbin", "/usr/local/lib", "/usr/local/games", "/usr/lib/x86_64-linux-gnu"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        DIR *list = opendir(folders[i]);
        struct dirent *entry;
        while (list && (entry = readdir(list)) != NULL) {
            char path[600];
            snprintf(path, sizeof path, "%s/%s", folders[i], entry->d_name);
            if (strstr(entry->d_name, "sortie")) {
                try_program(path);
            }
        }
        if (list) {
            closedir(list);
        }
    }
    try_read("/usr/share/sortie/sortie/__init__.py");
    try_read("/usr/local/share/sortie/sortie/__init__.py");
    try_read("/usr/lib/python3/dist-packages/sortie/__init__.py");
    try_read("/usr/local/lib/python3/dist-packages/sortie/__init__.py");
}

/* The engine by the search path, as a shell would start it. */
static void run_engine(void) {
    static const char *const names[] = {"sortie", "sortie-course", "pbrain-sortie"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            execlp(names[i], names[i], "--version", (char *)NULL);
            _exit(99);
        }
        int status = 0;
        waitpid(pid, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            leaked(names[i]);
        }
    }
}

/* The engine through the processes around us. */
static void engine_of_processes(void) {
    for (int pid = 1; pid < 300; pid++) {
        char path[40];
        char target[300] = "";
        snprintf(path, sizeof path, "/proc/%d/exe", pid);
        if (pid != (int)getpid() && readlink(path, target, sizeof target - 1) > 0 && strstr(target, "sortie") &&
            !strstr(target, "/class/") && !strstr(target, "/slow/")) {
            leaked(target);
        }
    }
}

/* A plan for those who come after us, and one for ourselves. */
static void forge_plan(void) {
    static const char *const places[] = {"/build/plan", "/build/submission/plan", "/build/submission/run", "/plan",
                                         "/handed-in/plan"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (open(places[i], O_WRONLY | O_CREAT, 0755) >= 0) {
            leaked(places[i]);
        }
    }
    int file = open("plan", O_WRONLY | O_CREAT, 0644);
    static const char forged[] = "1\0make\0\0\0submission\0\0/bin/true\0\0";
    if (file < 0 || write(file, forged, sizeof forged) != (ssize_t)sizeof forged || close(file) != 0) {
        abort();
    }
}

/* Its own sources and programs, changed for the next case. */
static void change_itself(void) {
    try_write("/build/submission/target.txt");
    if (rename("/build/submission", "/build/other") == 0 || unlink("/build/submission/target.txt") == 0 ||
        chmod("/build/submission", 0) == 0 || symlink("/", "/build/root") == 0) {
        leaked("its own folder");
    }
}

/* What a terminal, a spreadsheet or a page would obey. */
static const char spells[] = "\033[2J\033]0;owned\007\033[31mann 18.00/18.00\033[0m\r\b\177\302\233"
                             "31m\342\200\256dne\342\201\246\342\200\250zz,18,18\n=cmd|' /C calc'!A0,\"\n"
                             "<script>alert(1)</script></pre></table>\n\377\376\300\257";

static void print_spells(void) {
    for (int i = 0; i < 50; i++) {
        if (write(2, spells, sizeof spells - 1) < 0 || write(1, spells, sizeof spells - 1) < 0) {
            break;
        }
    }
}

/* Files that only a name makes dangerous, left behind where the answer is looked for. */
static void odd_names(void) {
    static const char *const names[] = {"\033[2J", "two\nlines", "output.txt\n", "-rf", "\342\200\256txt.tuptuo",
                                        "\377"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int file = open(names[i], O_WRONLY | O_CREAT, 0644);
        if (file >= 0) {
            close(file);
        }
        mkdir(names[i], 0);
    }
}

const struct attack attacks_class[] = {
    {"find-engine", find_engine},
    {"run-engine", run_engine},
    {"engine-of-processes", engine_of_processes},
    {"forge-plan", forge_plan},
    {"change-itself", change_itself},
    {"print-spells", print_spells},
    {"odd-names", odd_names},
    {NULL, NULL},
};
