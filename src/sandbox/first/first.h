/* What the first process of a sandbox and the warden say to each other, over a socket that keeps messages apart. */
#ifndef SORTIE_SANDBOX_FIRST_FIRST_H
#define SORTIE_SANDBOX_FIRST_FIRST_H

enum {
    FIRST_BEGUN = 1,   /* the sandbox stands */
    FIRST_NOT_STARTED, /* value: the cause, as errno has it; nothing that is said of this run after that counts */
    FIRST_ENDED,       /* value: how the program ended, as wait has it */
    FIRST_QUIET        /* and nothing of it is left: the times are of all it started, and another may be run */
};

struct first_word {
    int kind;
    int value;
    long user_microseconds;
    long system_microseconds;
    long peak_kilobytes; /* of the largest process */
};

/* What is to be run: this, and `words` zero-ended words, the first of which is the folder it starts in. Comes with
 * three descriptors: its input, output and errors. */
struct first_order {
    long most_seconds; /* of processor time, the limit of the kernel; 0: none */
    int words;
};

/* The most that an order has. */
#define FIRST_MOST_BYTES 73728
#define FIRST_MOST_WORDS 300

#endif
