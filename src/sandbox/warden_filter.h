/* What a program may ask of the kernel: a list of the system calls it has, and the BPF program that holds it to them.
 *
 * Every call that is not in the list fails with ENOSYS, as if the kernel were older than the call: C libraries then
 * fall back to what they did before there was one. Calls for another processor (32 bits, x32) are in no list, so they
 * fail too. All that is looked at of arguments are numbers that the kernel itself takes as 32 bits: the upper half of a
 * register says nothing to it, nor to us. What lies behind a pointer cannot be looked at; calls whose arguments lie
 * there (clone3, openat2) are therefore not in the list. */
#ifndef SORTIE_SANDBOX_WARDEN_FILTER_H
#define SORTIE_SANDBOX_WARDEN_FILTER_H

#include <linux/filter.h>

/* What becomes of a call. */
enum filter_rule {
    FILTER_ALLOWED,
    FILTER_DENIED,      /* EPERM, as for everybody who is not root */
    FILTER_PRETENDED,   /* 0, and nothing is done */
    FILTER_UNSUPPORTED, /* EOPNOTSUPP */
    FILTER_MODE,        /* no set-id bits in the mode `argument` */
    FILTER_OPEN,        /* likewise in the one after the flags `argument`, when they make a file */
    FILTER_NODE,        /* no set-id bits in the mode `argument`, and no device */
    FILTER_CLONE,       /* no namespaces */
    FILTER_FCNTL,
    FILTER_IOCTL,
    FILTER_MMAP,
    FILTER_PERSONALITY,
    FILTER_OWN, /* the process `argument` is the one that calls */
    FILTER_PRCTL,
    FILTER_PRIORITY, /* not better than usual, whatever its user may have */
    FILTER_RENAME,   /* leaves no device in the old place */
    FILTER_SCHEDULER,
    FILTER_SOCKET,
    FILTER_SOCKET_OPTION,
    FILTER_SOCKET_PAIR,
};

struct filter_call {
    int number;
    const char *name;
    enum filter_rule rule;
    int argument;
};

/* The list, in the order of the source; *count is 0 where there is none for this processor. */
const struct filter_call *warden_filter_calls(int *count);

/* No filter is longer. */
#define WARDEN_FILTER_MOST 1024

/* Writes the filter and gives its length; 0 where there is none for this processor. */
int warden_filter_write(struct sock_filter program[WARDEN_FILTER_MOST]);

#endif
