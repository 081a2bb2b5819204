/* Brains that want the one who speaks to them to wait for ever. Each first says OK, as it should. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hostile.h"

/* Reads a line byte by byte, so that what follows stays in the pipe. */
static void read_line(char *line, size_t size) {
    size_t length = 0;
    char byte;
    while (read(0, &byte, 1) == 1 && byte != '\n') {
        line[length] = byte;
        length += length + 1 < size;
    }
    line[length] = '\0';
}

static void say(const char *text) {
    ssize_t put = write(1, text, strlen(text));
    (void)put;
}

/* Hears the beginning and agrees to it. */
static void begin(void) {
    char line[200] = "";
    while (strncmp(line, "START", 5) != 0) {
        read_line(line, sizeof line);
    }
    say("OK\n");
}

static _Noreturn void wait_for_ever(void) {
    for (;;) {
        sleep(1000);
    }
}

/* Fills its own input, so that nobody can write to it. */
static void fills_input(void) {
    char line[200] = "";
    char block[4096];
    memset(block, '\n', sizeof block);
    while (strncmp(line, "START", 5) != 0) {
        read_line(line, sizeof line);
    }
    fcntl(0, F_SETPIPE_SZ, 4096);
    int own = open("/proc/self/fd/0", O_WRONLY | O_NONBLOCK);
    while (own >= 0 && write(own, block, sizeof block) > 0) {
    }
    while (own >= 0 && write(own, block, 1) > 0) {
    }
    say("OK\n");
    wait_for_ever();
}

static void never_reads(void) {
    say("OK\n");
    wait_for_ever();
}

/* Something comes all the time, and never a line. */
static void half_lines(void) {
    begin();
    for (;;) {
        say("7");
        usleep(1000);
    }
}

/* Lines that are no answers come all the time. */
static void chatters(void) {
    begin();
    for (;;) {
        say("MESSAGE thinking\n");
        usleep(1000);
    }
}

/* Writes, and takes it back before it is read. */
static void takes_back(void) {
    begin();
    int own = open("/proc/self/fd/1", O_RDONLY | O_NONBLOCK);
    for (;;) {
        char byte;
        say("7");
        ssize_t got = read(own, &byte, 1);
        (void)got;
    }
}

static void closes_output(void) {
    begin();
    close(1);
    wait_for_ever();
}

static void floods_lines(void) {
    static char lines[1 << 16];
    begin();
    while (strlen(lines) + 20 < sizeof lines) {
        strcat(lines, "MESSAGE and more\n");
    }
    for (;;) {
        say(lines);
    }
}

const struct attack attacks_brain[] = {
    {"brain-fills-input", fills_input, "too late", .group = "brain"},
    {"brain-never-reads", never_reads, "too late", .group = "brain"},
    {"brain-half-lines", half_lines, "too late", .group = "brain"},
    {"brain-chatters", chatters, "too late", .group = "brain"},
    {"brain-takes-back", takes_back, "too late|bad answer",
     .group = "brain"}, /* late, or what is left of it is no answer */
    {"brain-closes-output", closes_output, "crash", .group = "brain"},
    {"brain-floods", floods_lines, "babbling|too late", .group = "brain"},
    {NULL},
};
