/* What the warden process knows about the program under way; private to its files. */
#ifndef SORTIE_SANDBOX_WARDEN_GUARD_H
#define SORTIE_SANDBOX_WARDEN_GUARD_H

#include <sys/types.h>

#include "sandbox/first/first.h"
#include "sandbox/warden_cgroup.h"
#include "sandbox/warden_count.h"
#include "sandbox/warden_wait.h"
#include "sandbox/warden_world.h"

/* A sandbox that stands: made once, it runs one program after the other as long as each ends quietly, leaving no
 * process behind. A fresh sandbox costs many times what a short program does. */
struct stand {
    pid_t pid;  /* of the sandbox; 0: none stands */
    int socket; /* to its first process; -1: that is gone */
    int said;   /* what the sandbox itself prints; -1: nothing more */
    /* What it was made for. */
    struct warden_limits limits;
    bool hides;
    /* What the programs before have used. */
    double user_seconds;
    double system_seconds;
};

struct guard {
    int socket;
    int signals;       /* a descriptor that becomes readable when a child changes state */
    int first_program; /* a descriptor of the program that is the first process of a sandbox */
    struct world world;
    struct stand stand;
    struct cgroup cgroup;
    long user_tasks; /* of our own user that count as the program's too */

    /* The program under way. */
    bool running;
    bool client_gone;
    pid_t pid; /* of the program or its sandbox, also its session and process group; reaped when main_done, if not quiet
                */
    bool main_done;
    bool quiet; /* done, nothing of it is left, and the sandbox stands */
    int main_status;
    bool ended; /* by us, for `why` */
    enum warden_end why;
    enum warden_late late; /* where it ended for its time */
    struct warden_limits limits;
    double begun;
    double finished;
    double deadline;             /* 0: none */
    enum warden_end at_deadline; /* what reaching it is called */
    double user;                 /* seconds of what was reaped */
    double system;
    struct count count;
    struct count_use use; /* the most that was seen of what lived */
    double measured;      /* when */
    struct wait wait;
    bool hasty; /* the next look must come soon */
    uint32_t chance;
    uint64_t peak_bytes;
    struct {
        bool begun;
        bool ended;
        int wait_status;
        int cause; /* why the command was not started; 0: it was */
    } first;
    int output;
    int errors;
    uint64_t output_bytes;
    size_t error_bytes;
    char error_text[WARDEN_MOST_ERROR];
};

/* The most tasks a run may have before the kernel refuses more. */
uint64_t guard_most_tasks(const struct warden_limits *limits);
/* System time that a run may use, where its user time is limited. */
double guard_most_system(const struct warden_limits *limits);
/* The kernel's own limit counts user and system time together, a process at a time: it is the wall behind the looks. */
uint64_t guard_most_kernel_seconds(const struct warden_limits *limits);

/* Starts the program; `stays` says that its input and output go to the client through *to and *from. Returns 0
 * or the cause. */
int guard_start_program(struct guard *guard, char *const *argv, bool stays, int *to, int *from);
/* Ends the sandbox that stands, if one does. */
void guard_take_down(struct guard *guard);

/* Takes the next word the first process of the sandbox has said; false when there is none now. */
bool stand_hear(struct stand *stand, struct first_word *word);
/* Reads what the sandbox has printed. */
size_t stand_read_said(const struct stand *stand, char *text, size_t size);
/* Closes what led to it, when it has ended. */
void stand_forget(struct stand *stand);

#endif
