/* Lends the page the native engine: a small web server for one page and one search at a time, to all
 * who ask in turn.
 *
 *   GET  /            the page, with the headers that let it share memory between its threads
 *   GET  /api/about   {"version": …, "threads": …}
 *   POST /api/think   a search as protocols/ask.h asks for it; the answer streams, one line of JSON at a time
 *
 * Nothing else is served. Requests must name this server in Host, and their own page in Origin where there is one, so
 * that no other page a browser shows can use it. */
#ifndef SORTIE_SERVE_SERVE_H
#define SORTIE_SERVE_SERVE_H

#include <stddef.h>

#include "base/error.h"

/* The page as it is and as small as it gets; a browser is sent the first kind below that it takes. */
enum { SERVE_PLAIN, SERVE_BROTLI, SERVE_GZIP, SERVE_CODINGS };
extern const char *const serve_codings[SERVE_CODINGS]; /* as HTTP names them */

/* Bytes that must outlive the server; NULL: there are none of this kind. */
struct serve_page {
    const char *bytes;
    size_t length;
};

struct serve_options {
    const char *address; /* to listen on: "127.0.0.1" */
    int port;            /* 0: any free one */
    const char *name;    /* a further name requests may call this server by; NULL: none */
    struct serve_page pages[SERVE_CODINGS];
    int threads; /* of the engine */
    size_t hash_bytes;
    double most_seconds; /* no search takes longer */
};

struct serve;

/* STATUS_BAD_INPUT for an address that is none, STATUS_FAIL when it cannot be listened on. */
enum status serve_start(const struct serve_options *options, struct serve **out, struct error *error);
int serve_port(const struct serve *serve);
/* Ends searches and connections. */
void serve_stop(struct serve *serve);

#endif
