/* What a warden and its client say to each other; private to the two warden files. */
#ifndef SORTIE_MATCH_WARDEN_WIRE_H
#define SORTIE_MATCH_WARDEN_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "match/warden.h"

#define WARDEN_MOST_ARGUMENTS 256
#define WARDEN_MOST_ARGUMENT_BYTES 65536

enum warden_request_kind { WARDEN_REQUEST_RUN, WARDEN_REQUEST_OPEN, WARDEN_REQUEST_CPU, WARDEN_REQUEST_CLOSE };

/* Followed by argument_bytes of zero-ended words. */
struct warden_request {
    enum warden_request_kind kind;
    uint32_t argument_bytes;
    struct warden_limits limits; /* for CLOSE: only wall_seconds, the grace */
};

/* Followed by error_bytes of standard error. An OPEN is answered at once, with the two pipes attached. */
struct warden_reply {
    struct warden_report report;
    double cpu_seconds;
    uint32_t error_bytes;
};

/* The first message: where the folder is and who owns it. */
struct warden_hello {
    char folder[512];
    bool failed; /* then folder holds the reason */
    bool other_user;
    uint32_t user;
};

/* Whole messages or nothing; false when the other side is gone. */
bool warden_send(int socket, const void *bytes, size_t length);
bool warden_receive(int socket, void *bytes, size_t length);

/* Closes every descriptor from `first` on. */
void warden_close_from(int first);

/* Removes everything below the folder, following no link. */
void warden_empty_folder(const char *folder);

/* The life of the warden process; never returns. */
_Noreturn void warden_live(int socket);

#endif
