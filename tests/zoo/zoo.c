/* A Stake-Raid course program of many characters: zoo KIND [anything]. Only "good" plays properly (the first
 * empty square of the board, always a Stake); every other kind misbehaves in its own way. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Answers with the first empty square; `board` shows the board after it when `right`. */
static void answer(const char *file, int right) {
    char rows[26][64];
    char line[4096];
    int size = 0;
    FILE *input = fopen("input.txt", "r");
    if (!input || !fgets(line, sizeof line, input) || (size = atoi(line)) < 1 || size > 26) {
        exit(3);
    }
    char side = 'X';
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
    FILE *output = fopen(file, "w");
    if (!output) {
        exit(4);
    }
    for (int square = 0; square < size * size; square++) {
        if (rows[square / size][square % size] == '.') {
            fprintf(output, "%c%d Stake\n", 'A' + square % size, square / size + 1);
            rows[square / size][square % size] = right ? side : '.';
            break;
        }
    }
    for (int row = 0; row < size; row++) {
        fprintf(output, "%s\n", rows[row]);
    }
    fclose(output);
}

static void flood(int descriptor) {
    static char block[65536];
    memset(block, 'x', sizeof block);
    while (write(descriptor, block, sizeof block) > 0) {
    }
}

/* Starts a process that leaves the session, shrugs at every signal it can and stays. */
static void leave_behind(void) {
    if (fork() == 0) {
        setsid();
        for (int number = 1; number < 32; number++) {
            signal(number, SIG_IGN);
        }
        if (fork() == 0) {
            sleep(1000);
        }
        sleep(1000);
    }
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

int main(int argc, char **argv) {
    const char *kind = argc > 1 ? argv[1] : "good";
#define IS(name) (strcmp(kind, name) == 0)
    fprintf(stderr, "I am %s\n", kind);
    if (IS("good")) {
        answer("output.txt", 1);
    } else if (IS("status")) { /* forgets to return 0 */
        answer("output.txt", 1);
        return 17;
    } else if (IS("silent")) {
    } else if (IS("crash")) {
        raise(SIGSEGV);
    } else if (IS("abort")) {
        abort();
    } else if (IS("fail")) {
        return 1;
    } else if (IS("flood")) {
        flood(1);
    } else if (IS("flood-stderr")) {
        flood(2);
    } else if (IS("huge")) {
        flood(open("output.txt", O_WRONLY | O_CREAT, 0644));
    } else if (IS("large")) {
        FILE *file = fopen("output.txt", "w");
        for (int i = 0; file && i < 100000; i++) {
            fputs("A1 Stake\n", file);
        }
    } else if (IS("fork")) {
        for (;;) {
            fork();
        }
    } else if (IS("hop")) { /* every process lives only until its child does */
        for (;;) {
            if (fork() > 0) {
                _exit(0);
            }
            setsid();
        }
    } else if (IS("detach")) {
        leave_behind();
    } else if (IS("escape")) { /* plays well, and leaves somebody behind */
        leave_behind();
        answer("output.txt", 1);
    } else if (IS("sleep")) {
        sleep(1000);
    } else if (IS("stop")) {
        raise(SIGSTOP);
    } else if (IS("spin")) {
        for (;;) {
        }
    } else if (IS("late")) {
        answer("output.txt", 1);
        sleep(1000);
    } else if (IS("illegal")) {
        write_file("output.txt", "Z99 Stake\n");
    } else if (IS("raid")) { /* a Raid with no piece beside it */
        write_file("output.txt", "A1 Raid\nX..\n...\n...\n");
    } else if (IS("rubbish")) {
        write_file("output.txt", "\x7f"
                                 "ELF what?\n");
    } else if (IS("empty")) {
        write_file("output.txt", "\n \n");
    } else if (IS("wrong-board")) {
        answer("output.txt", 0);
    } else if (IS("wrong-file")) {
        answer("Output.txt", 1);
    } else if (IS("fifo")) {
        mkfifo("output.txt", 0666);
    } else if (IS("link")) {
        if (symlink("/etc/passwd", "output.txt") != 0) {
            return 5;
        }
    } else if (IS("folder")) {
        mkdir("output.txt", 0);
    } else if (IS("memory")) {
        for (;;) {
            char *block = malloc(1 << 20);
            if (!block) {
                abort();
            }
            memset(block, 1, 1 << 20);
        }
    } else if (IS("outside")) { /* tries to write where it has no business; argv[2] is the file */
        write_file(argv[2], "was here\n");
        answer("output.txt", 1);
    }
    return 0;
}
