/* The connections of a server, each with a deadline that no dripping of bytes puts off, and so few of each address that
 * one visitor cannot keep others out. A thread hangs up on those that are late. */
#ifndef SORTIE_SERVE_VISITORS_H
#define SORTIE_SERVE_VISITORS_H

#include <sys/socket.h>

/* More connections than these are never kept: a new one takes the place of the oldest that is not being answered. */
#define VISITORS_MOST 64
#define VISITORS_OF_AN_ADDRESS 16
/* But so many may be open at once: those that were told to go take a moment. */
#define VISITORS_SLOTS (VISITORS_MOST + 16)

enum visitors_phase {
    VISITORS_LISTENING, /* the server waits for a request or for more of it */
    VISITORS_ANSWERING
};

struct visitors;

/* NULL when there is no memory or no thread. */
struct visitors *visitors_new(void);
void visitors_free(struct visitors *visitors);

/* A connection begins. Its first request must be there within `seconds`. */
void visitors_enter(struct visitors *visitors, int socket, const struct sockaddr *address, double seconds);
/* What the server does for it from now on must be done within `seconds`. */
void visitors_allow(struct visitors *visitors, int socket, enum visitors_phase phase, double seconds);
/* A connection ends; to be called before its socket is closed. */
void visitors_leave(struct visitors *visitors, int socket);

#endif
