/* What the first process of a sandbox tells the warden. */
#ifndef SORTIE_SANDBOX_FIRST_FIRST_H
#define SORTIE_SANDBOX_FIRST_FIRST_H

enum {
    FIRST_BEGUN = 1,   /* the sandbox stands */
    FIRST_NOT_STARTED, /* value: the cause, as errno has it; nothing is said after that counts */
    FIRST_ENDED        /* value: how the program ended, as wait has it */
};

struct first_word {
    int kind;
    int value;
};

#endif
