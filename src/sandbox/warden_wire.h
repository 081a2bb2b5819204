/* What a warden and its client say to each other; private to the files of the warden. */
#ifndef SORTIE_SANDBOX_WARDEN_WIRE_H
#define SORTIE_SANDBOX_WARDEN_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "sandbox/warden.h"

#define WARDEN_MOST_ARGUMENTS 256
#define WARDEN_MOST_ARGUMENT_BYTES 65536

enum warden_request_kind {
    WARDEN_REQUEST_RUN,
    WARDEN_REQUEST_OPEN,
    WARDEN_REQUEST_CPU,
    WARDEN_REQUEST_CLOSE,
    WARDEN_REQUEST_CLEAN,
    WARDEN_REQUEST_SHOW,
    WARDEN_REQUEST_SHARE
};

/* Followed by argument_bytes of zero-ended words: a command, pairs of what is shown and where, or the folder to share.
 */
struct warden_request {
    enum warden_request_kind kind;
    uint32_t argument_bytes;
    struct warden_limits limits; /* for CLOSE: only wall_seconds, the grace */
    enum warden_build build;     /* for SHOW, with the next */
    bool keep_output;
    uint32_t user; /* for SHARE */
};

/* Followed by error_bytes of text: standard error, or why a CLEAN, SHOW or SHARE failed (the cause is the report's
 * code). A RUN has failed when this machine lacked what it takes to start any program. An OPEN is answered at once,
 * with the two pipes attached; a CLEAN or SHARE that went well with two descriptors: the world's folder, and the
 * scratch folder in it. */
struct warden_reply {
    struct warden_report report;
    double cpu_seconds;
    bool failed;
    uint32_t error_bytes;
};

/* The first message. */
struct warden_hello {
    char folder[512];   /* the scratch folder as programs see it */
    char build[512];    /* likewise /build, by its real path */
    bool failed;        /* then folder holds the reason */
    bool counts_memory; /* the kernel does, of all processes of a run together */
};

/* Whole messages or nothing; false when the other side is gone. */
bool warden_send(int socket, const void *bytes, size_t length);
bool warden_receive(int socket, void *bytes, size_t length);
/* One byte with two descriptors. */
bool warden_send_descriptors(int socket, const int descriptors[2]);
bool warden_receive_descriptors(int socket, int descriptors[2]);

/* Closes every descriptor from `first` on. */
void warden_close_from(int first);

/* What keeps programs in: nothing, the rights of a user of their own, or a sandbox. */
enum warden_wall { WARDEN_NO_WALL, WARDEN_USER_WALL, WARDEN_SANDBOX_WALL };

/* The life of the warden process; never returns. */
_Noreturn void warden_live(int socket, enum warden_wall wall);

#endif
