#include "hostile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char own_folder[4096];

const char *target(const char *name) {
    static char value[4096];
    char path[5000];
    char line[4200];
    snprintf(path, sizeof path, "%s/target.txt", own_folder);
    FILE *file = fopen(path, "r");
    size_t length = strlen(name);
    value[0] = '\0';
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, name, length) == 0 && line[length] == ' ') {
            strcpy(value, line + length + 1);
        }
    }
    if (file) {
        fclose(file);
    }
    return value;
}

long target_number(const char *name) {
    return atol(target(name));
}

_Noreturn void leaked(const char *what) {
    FILE *file = fopen("output.txt", "w");
    if (file) {
        fprintf(file, "LEAKED %s\n", what);
        fclose(file);
    }
    fprintf(stderr, "LEAKED %s\n", what);
    _exit(0);
}

void try_read(const char *path) {
    char byte;
    int file = path[0] ? open(path, O_RDONLY | O_NONBLOCK) : -1;
    if (file >= 0 && read(file, &byte, 1) >= 0) {
        leaked(path);
    }
    if (file >= 0) {
        close(file);
    }
}

void try_write(const char *path) {
    if (path[0] && open(path, O_WRONLY | O_NONBLOCK) >= 0) {
        leaked(path);
    }
}

void play(void) {
    char rows[26][64];
    char line[4096];
    int size = 0;
    char side = 'X';
    FILE *input = fopen("input.txt", "r");
    if (!input || !fgets(line, sizeof line, input) || (size = atoi(line)) < 1 || size > 26) {
        exit(3);
    }
    for (int i = 0; i < 3 + size; i++) {
        if (!fgets(line, sizeof line, input)) {
            exit(3);
        }
        side = i == 1 ? line[0] : side;
    }
    for (int row = 0; row < size; row++) {
        if (!fgets(rows[row], sizeof rows[row], input)) {
            exit(3);
        }
        rows[row][size] = '\0';
    }
    fclose(input);
    FILE *output = fopen("output.txt", "w");
    for (int square = 0; output && square < size * size; square++) {
        if (rows[square / size][square % size] == '.') {
            fprintf(output, "%c%d Stake\n", 'A' + square % size, square / size + 1);
            rows[square / size][square % size] = side;
            break;
        }
    }
    for (int row = 0; output && row < size; row++) {
        fprintf(output, "%s\n", rows[row]);
    }
    if (!output || fclose(output) != 0) {
        exit(4);
    }
}

static void honest(void) {
}

static const struct attack attacks_none[] = {{"honest", honest}, {NULL}};

/* Every file of attacks, a line each. */
static const struct attack *const tables[] = {
    attacks_none,   //
    attacks_read,   //
    attacks_fill,   //
    attacks_files,  //
    attacks_others, //
    attacks_doors,  //
    attacks_class,  //
    attacks_limits, //
    attacks_brain,  //
};

static const struct attack *find(const char *name) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        for (const struct attack *attack = tables[i]; attack->name; attack++) {
            /* Neighbours of the same kind have numbers behind their names. */
            size_t length = strlen(attack->name);
            if (strncmp(name, attack->name, length) == 0 && (name[length] == '\0' || name[length] == '_')) {
                return attack;
            }
        }
    }
    return NULL;
}

/* Lines of group, name, what it must come to graded, and matched; divided by tabs. */
static int list(void) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        for (const struct attack *attack = tables[i]; attack->name; attack++) {
            const char *graded = attack->graded ? attack->graded : "fine";
            printf("%s\t%s\t%s\t%s\n", attack->group ? attack->group : "class", attack->name, graded,
                   attack->matched ? attack->matched : graded);
        }
    }
    return 0;
}

/* Runs a command where nobody can make a user namespace, as on a machine that forbids it. */
static int run_without_namespaces(char **command) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
    struct sock_fprog whole = {sizeof program / sizeof *program, program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0) {
        execvp(command[0], command);
    }
    perror(command[0]);
    return 9;
}

int main(int argc, char **argv) {
    snprintf(own_folder, sizeof own_folder, "%s", argv[0]);
    char *slash = strrchr(own_folder, '/');
    const char *name = slash ? slash + 1 : argv[0];
    if (strcmp(name, "hostile") == 0) {
        return argc > 2 && strcmp(argv[1], "--without-namespaces") == 0 ? run_without_namespaces(argv + 2) : list();
    }
    const struct attack *attack = find(name);
    if (!attack) {
        fprintf(stderr, "no attack is called %s\n", name);
        return 9;
    }
    if (slash) {
        *slash = '\0';
    }
    attack->run();
    play();
    return 0;
}
