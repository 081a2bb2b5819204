#include "serve/visitors.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/condition.h"

#define WATCH_SECONDS 0.2

/* Whom a connection is from: an IPv4 address, or the half of an IPv6 address that a provider hands out. */
struct origin {
    unsigned char bytes[16];
};

struct visitor {
    int socket; /* -1: a free slot */
    bool leaving;
    enum visitors_phase phase;
    struct origin origin;
    double since; /* of the phase */
    double deadline;
};

struct visitors {
    pthread_mutex_t lock;
    pthread_cond_t news;
    pthread_t watch;
    bool ending;
    struct visitor slots[VISITORS_SLOTS];
};

static struct origin origin_of(const struct sockaddr *address) {
    struct origin origin = {{0}};
    if (address && address->sa_family == AF_INET6) {
        const struct in6_addr *from = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        bool whole = IN6_IS_ADDR_V4MAPPED(from) || IN6_IS_ADDR_LOOPBACK(from);
        memcpy(origin.bytes, from, whole ? 16 : 8);
    } else if (address && address->sa_family == AF_INET) {
        memcpy(origin.bytes + 12, &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
    }
    return origin;
}

/* Hangs up; the connection's own thread notices and leaves. */
static void send_away(struct visitor *visitor) {
    shutdown(visitor->socket, SHUT_RDWR);
    visitor->leaving = true;
}

static struct visitor *find(struct visitors *visitors, int socket) {
    for (int i = 0; i < VISITORS_SLOTS; i++) {
        if (visitors->slots[i].socket == socket) {
            return &visitors->slots[i];
        }
    }
    return NULL;
}

/* Makes sure that no more than `most` stay, of one origin or (NULL) of all: the oldest that is not being answered goes,
 * or, where there is none, the one that came last. */
static void make_room(struct visitors *visitors, const struct origin *origin, int most, struct visitor *last) {
    int count = 0;
    struct visitor *oldest = NULL;
    for (int i = 0; i < VISITORS_SLOTS; i++) {
        struct visitor *one = &visitors->slots[i];
        if (one->socket < 0 || one->leaving || (origin && memcmp(&one->origin, origin, sizeof *origin) != 0)) {
            continue;
        }
        count++;
        if (one->phase == VISITORS_LISTENING && one != last && (!oldest || one->since < oldest->since)) {
            oldest = one;
        }
    }
    if (count > most) {
        send_away(oldest ? oldest : last);
    }
}

void visitors_enter(struct visitors *visitors, int socket, const struct sockaddr *address, double seconds) {
    pthread_mutex_lock(&visitors->lock);
    struct visitor *slot = find(visitors, -1);
    if (slot) {
        double now = clock_wall();
        *slot = (struct visitor){socket, false, VISITORS_LISTENING, origin_of(address), now, now + seconds};
        make_room(visitors, &slot->origin, VISITORS_OF_AN_ADDRESS, slot);
        make_room(visitors, NULL, VISITORS_MOST, slot);
    } else {
        shutdown(socket, SHUT_RDWR);
    }
    pthread_mutex_unlock(&visitors->lock);
}

void visitors_allow(struct visitors *visitors, int socket, enum visitors_phase phase, double seconds) {
    pthread_mutex_lock(&visitors->lock);
    struct visitor *visitor = find(visitors, socket);
    if (visitor) {
        visitor->phase = phase;
        visitor->since = clock_wall();
        visitor->deadline = visitor->since + seconds;
    }
    pthread_mutex_unlock(&visitors->lock);
}

void visitors_leave(struct visitors *visitors, int socket) {
    pthread_mutex_lock(&visitors->lock);
    struct visitor *visitor = find(visitors, socket);
    if (visitor) {
        visitor->socket = -1;
    }
    pthread_mutex_unlock(&visitors->lock);
}

/* Looks now and then who is late. */
static void *watch(void *user) {
    struct visitors *visitors = user;
    pthread_mutex_lock(&visitors->lock);
    while (!visitors->ending) {
        double now = clock_wall();
        for (int i = 0; i < VISITORS_SLOTS; i++) {
            struct visitor *one = &visitors->slots[i];
            if (one->socket >= 0 && !one->leaving && now > one->deadline) {
                send_away(one);
            }
        }
        condition_wait(&visitors->news, &visitors->lock, now + WATCH_SECONDS);
    }
    pthread_mutex_unlock(&visitors->lock);
    return NULL;
}

struct visitors *visitors_new(void) {
    struct visitors *visitors = calloc(1, sizeof *visitors);
    if (!visitors) {
        return NULL;
    }
    for (int i = 0; i < VISITORS_SLOTS; i++) {
        visitors->slots[i].socket = -1;
    }
    pthread_mutex_init(&visitors->lock, NULL);
    condition_init(&visitors->news);
    if (pthread_create(&visitors->watch, NULL, watch, visitors) != 0) {
        free(visitors);
        return NULL;
    }
    return visitors;
}

void visitors_free(struct visitors *visitors) {
    pthread_mutex_lock(&visitors->lock);
    visitors->ending = true;
    pthread_cond_signal(&visitors->news);
    pthread_mutex_unlock(&visitors->lock);
    pthread_join(visitors->watch, NULL);
    pthread_cond_destroy(&visitors->news);
    pthread_mutex_destroy(&visitors->lock);
    free(visitors);
}
