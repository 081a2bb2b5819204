#include "serve/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/condition.h"
#include "serve/search.h"
#include "serve/turns.h"
#include "serve/visitors.h"

#define IDLE_SECONDS 10 /* a connection on which nothing moves is closed */
/* A request's head must be there by then, and its body as long after that, however slowly they drip. */
#define REQUEST_SECONDS 15
#define ANSWER_SECONDS 60 /* an answer must be read by then; a search has its own time beside */
#define BUSY_SECONDS 30   /* how long a search waits for its turn */
#define USUAL_PORT 80     /* which browsers leave out */

const char *const serve_codings[SERVE_CODINGS] = {"identity", "br", "gzip"};

struct serve {
    struct serve_options options;
    struct MHD_Daemon *daemon;
    sortie_engine *engine; /* owned */
    int port;
    struct visitors *visitors; /* owned */
    struct turns *turns;       /* owned; who has the engine */
};

/* A request while its body comes in. */
struct request {
    struct text body;
    size_t received;
};

/* A search under way and the server it belongs to. */
struct stream {
    struct serve *serve;
    struct search *search;
};

/* -- answers -- */

static int socket_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* Pages of this machine may show the page in a frame, and only the page: what it says to the engine is its own. */
static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response,
                                     const char *type) {
    bool page = strncmp(type, "text/html", 9) == 0;
    if (!response) {
        return MHD_NO;
    }
    static const char *const headers[][2] = {
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Embedder-Policy", "require-corp"},
        {"Content-Security-Policy", "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cache-Control", "no-store"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    }
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", page ? "cross-origin" : "same-origin");
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

/* One line of plain text. */
static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *line) {
    struct text text = TEXT_EMPTY;
    text_addf(&text, "%s\n", line);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(text.length, (void *)text_string(&text), MHD_RESPMEM_MUST_COPY);
    text_free(&text);
    return send_response(connection, status, response, "text/plain; charset=utf-8");
}

/* Whether a browser that says "gzip, deflate, br;q=0" takes this coding. */
static bool takes_coding(const char *said, const char *coding) {
    size_t length = strlen(coding);
    while (said && *said) {
        said += strspn(said, " \t,");
        size_t whole = strcspn(said, ",");
        size_t word = strcspn(said, " \t;,");
        if (word == length && strncasecmp(said, coding, length) == 0) {
            const char *quality = memchr(said, '=', whole);
            char digit = quality ? quality[1 + strspn(quality + 1, "0.")] : '1';
            return digit >= '1' && digit <= '9';
        }
        said += whole;
    }
    return false;
}

/* The page as small as the browser takes it. */
static enum MHD_Result send_page(const struct serve *serve, struct MHD_Connection *connection) {
    const char *said = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    const struct serve_page *page = &serve->options.pages[0];
    for (int i = 1; i < SERVE_CODINGS && page == &serve->options.pages[0]; i++) {
        if (serve->options.pages[i].bytes && takes_coding(said, serve_codings[i])) {
            page = &serve->options.pages[i];
        }
    }
    struct MHD_Response *response =
        MHD_create_response_from_buffer(page->length, (void *)(uintptr_t)page->bytes, MHD_RESPMEM_PERSISTENT);
    if (response) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ACCEPT_ENCODING);
        if (page != &serve->options.pages[0]) {
            MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING,
                                    serve_codings[page - serve->options.pages]);
        }
    }
    return send_response(connection, MHD_HTTP_OK, response, "text/html; charset=utf-8");
}

static enum MHD_Result send_about(const struct serve *serve, struct MHD_Connection *connection) {
    char about[120];
    int length = snprintf(about, sizeof about, "{\"version\": \"%s\", \"threads\": %d}\n", sortie_version(),
                          serve->options.threads);
    struct MHD_Response *response = MHD_create_response_from_buffer((size_t)length, about, MHD_RESPMEM_MUST_COPY);
    return send_response(connection, MHD_HTTP_OK, response, "application/json");
}

/* -- searches -- */

static ssize_t read_stream(void *user, uint64_t position, char *buffer, size_t most) {
    (void)position;
    struct stream *stream = user;
    if (turns_are_over(stream->serve->turns)) {
        sortie_engine_stop(stream->serve->engine); /* it answers with what it has */
    }
    size_t length = search_read(stream->search, buffer, most);
    return length > 0 ? (ssize_t)length : MHD_CONTENT_READER_END_OF_STREAM;
}

/* Called when the answer is complete or the connection is gone. */
static void free_stream(void *user) {
    struct stream *stream = user;
    search_free(stream->search);
    turns_give_back(stream->serve->turns);
    free(stream);
}

static enum MHD_Result send_search(struct serve *serve, struct MHD_Connection *connection,
                                   const struct request *request) {
    struct ask ask;
    struct error error = {0};
    if (ask_parse(text_string(&request->body), request->body.length, &ask, &error) != STATUS_OK) {
        struct text line = TEXT_EMPTY;
        if (error.line > 0) {
            text_addf(&line, "line %d, column %d: ", error.line, error.column);
        }
        text_add_string(&line, error.text);
        enum MHD_Result result = refuse(connection, MHD_HTTP_BAD_REQUEST, text_string(&line));
        text_free(&line);
        return result;
    }
    double asked = ask.limits.wall_seconds;
    ask.limits.wall_seconds = asked > 0 && asked < serve->options.most_seconds ? asked : serve->options.most_seconds;
    visitors_allow(serve->visitors, socket_of(connection), VISITORS_ANSWERING,
                   ask.limits.wall_seconds + BUSY_SECONDS + ANSWER_SECONDS);
    if (!turns_take(serve->turns, BUSY_SECONDS)) {
        ask_free(&ask);
        return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "the engine is busy with another search");
    }
    struct stream *stream = malloc(sizeof *stream);
    struct search *search = stream ? search_start(&ask, serve->engine) : NULL;
    if (!search) {
        free(stream);
        turns_give_back(serve->turns);
        return refuse(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory");
    }
    *stream = (struct stream){serve, search};
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_stream, stream, free_stream);
    if (!response) {
        free_stream(stream);
    }
    return send_response(connection, MHD_HTTP_OK, response, "application/x-ndjson");
}

/* -- requests -- */

/* Whether this is `name` with our port, or without one where it is the usual. */
static bool host_is(const struct serve *serve, const char *host, const char *name) {
    bool bare = strchr(name, ':') && name[0] != '[';
    char wanted[300];
    snprintf(wanted, sizeof wanted, bare ? "[%.200s]:%d" : "%.200s:%d", name, serve->port);
    if (strcmp(host, wanted) == 0) {
        return true;
    }
    *strrchr(wanted, ':') = '\0';
    return serve->port == USUAL_PORT && strcmp(host, wanted) == 0;
}

static bool host_is_ours(const struct serve *serve, const char *host) {
    const char *names[] = {"127.0.0.1", "localhost", "[::1]", serve->options.address, serve->options.name};
    for (int i = 0; host && i < 5; i++) {
        if (names[i] && host_is(serve, host, names[i])) {
            return true;
        }
    }
    return false;
}

/* A page of another origin says so; programs that are no browser say nothing. */
static bool origin_is_ours(const char *origin, const char *host) {
    return !origin || (strncmp(origin, "http://", 7) == 0 && strcmp(origin + 7, host) == 0);
}

static bool is_page(const char *path) {
    return strcmp(path, "/") == 0 || strcmp(path, "/index.html") == 0 || strcmp(path, "/sortie.html") == 0;
}

static enum MHD_Result answer(struct serve *serve, struct MHD_Connection *connection, const char *path,
                              const char *method, const struct request *request) {
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    if (!host_is_ours(serve, host)) {
        return refuse(connection, MHD_HTTP_FORBIDDEN, "this server goes by another name");
    }
    if (!origin_is_ours(MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin"), host)) {
        return refuse(connection, MHD_HTTP_FORBIDDEN, "only the page of this server may ask");
    }
    bool get = strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    bool post = strcmp(method, MHD_HTTP_METHOD_POST) == 0;
    bool think = strcmp(path, "/api/think") == 0;
    if (!is_page(path) && !think && strcmp(path, "/api/about") != 0) {
        return refuse(connection, MHD_HTTP_NOT_FOUND, "there is nothing here");
    }
    if (think ? !post : !get) {
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, think ? "expected POST" : "expected GET");
    }
    if (request->received > ASK_MOST_BYTES) {
        return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, "expected at most 1 MiB");
    }
    return think           ? send_search(serve, connection, request)
           : is_page(path) ? send_page(serve, connection)
                           : send_about(serve, connection);
}

/* Called when the headers are in, for each piece of the body, and once more at its end. */
static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path, const char *method,
                                  const char *version, const char *piece, size_t *piece_length, void **state) {
    (void)version;
    struct serve *serve = user;
    struct request *request = *state;
    if (!request) {
        request = calloc(1, sizeof *request);
        *state = request;
        if (request) {
            visitors_allow(serve->visitors, socket_of(connection), VISITORS_LISTENING, REQUEST_SECONDS);
        }
        return request ? MHD_YES : MHD_NO;
    }
    if (*piece_length == 0) {
        visitors_allow(serve->visitors, socket_of(connection), VISITORS_ANSWERING, ANSWER_SECONDS);
        return answer(serve, connection, path, method, request);
    }
    request->received += *piece_length;
    if (request->received > 2 * ASK_MOST_BYTES) {
        return MHD_NO; /* it goes on and on: no more of it */
    }
    if (request->received <= ASK_MOST_BYTES) {
        text_add(&request->body, piece, *piece_length);
    }
    *piece_length = 0;
    return MHD_YES;
}

static void on_request_end(void *user, struct MHD_Connection *connection, void **state,
                           enum MHD_RequestTerminationCode reason) {
    (void)reason;
    struct serve *serve = user;
    struct request *request = *state;
    visitors_allow(serve->visitors, socket_of(connection), VISITORS_LISTENING, REQUEST_SECONDS);
    if (request) {
        text_free(&request->body);
        free(request);
        *state = NULL;
    }
}

static void on_connection(void *user, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode what) {
    (void)state;
    struct serve *serve = user;
    if (what != MHD_CONNECTION_NOTIFY_STARTED) {
        visitors_leave(serve->visitors, socket_of(connection));
        return;
    }
    const union MHD_ConnectionInfo *from = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    visitors_enter(serve->visitors, socket_of(connection), from ? from->client_addr : NULL, REQUEST_SECONDS);
}

/* -- beginning and end -- */

/* Opens the address for listening. */
static enum status listen_on(const struct serve_options *options, int *listener, int *port, struct error *error) {
    struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char service[16];
    snprintf(service, sizeof service, "%d", options->port);
    if (getaddrinfo(options->address, service, &wanted, &found) != 0) {
        return error_at(error, 0, 0, "expected the number of an address, like 127.0.0.1, got '%.60s'",
                        options->address);
    }
    *listener = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    bool good = *listener >= 0 && setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                bind(*listener, found->ai_addr, found->ai_addrlen) == 0 && listen(*listener, 64) == 0 &&
                getsockname(*listener, (struct sockaddr *)&bound, &length) == 0;
    freeaddrinfo(found);
    if (!good) {
        enum status status = error_machine(error, "cannot listen on %.60s, port %d: %s", options->address,
                                           options->port, strerror(errno));
        if (*listener >= 0) {
            close(*listener);
        }
        return status;
    }
    *port = ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                              : ((struct sockaddr_in *)&bound)->sin_port);
    return STATUS_OK;
}

enum status serve_start(const struct serve_options *options, struct serve **out, struct error *error) {
    struct serve *serve = calloc(1, sizeof *serve);
    sortie_engine_options engine = SORTIE_INIT(sortie_engine_options);
    engine.threads = options->threads;
    engine.hash_bytes = options->hash_bytes;
    if (!serve || sortie_engine_new(&engine, &serve->engine, NULL) != SORTIE_OK) {
        free(serve);
        return error_machine(error, "out of memory");
    }
    serve->visitors = visitors_new();
    serve->turns = turns_new();
    if (!serve->visitors || !serve->turns) {
        serve_stop(serve);
        return error_machine(error, "out of memory");
    }
    serve->options = *options;
    int listener = -1;
    enum status status = listen_on(options, &listener, &serve->port, error);
    if (status != STATUS_OK) {
        serve_stop(serve);
        return status;
    }
    serve->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, NULL, NULL, on_request, serve,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, VISITORS_SLOTS, MHD_OPTION_CONNECTION_TIMEOUT,
        IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)65536, MHD_OPTION_NOTIFY_COMPLETED, on_request_end,
        serve, MHD_OPTION_NOTIFY_CONNECTION, on_connection, serve, MHD_OPTION_END);
    if (!serve->daemon) {
        close(listener);
        serve_stop(serve);
        return error_machine(error, "the server does not start");
    }
    *out = serve;
    return STATUS_OK;
}

int serve_port(const struct serve *serve) {
    return serve->port;
}

void serve_stop(struct serve *serve) {
    if (serve->daemon) {
        MHD_stop_daemon(serve->daemon);
    }
    visitors_free(serve->visitors);
    turns_free(serve->turns);
    sortie_engine_free(serve->engine);
    free(serve);
}
