#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/commands.h"
#include "serve/serve.h"
#include "system/file.h"
#include "system/host.h"

extern char **environ; /* NOLINT(readability-redundant-declaration): only some systems declare it */

#define MOST_PAGE ((size_t)16 << 20)

/* The page beside the program (a build) or in its share (an installation); the caller frees it. */
static char *find_page(void) {
    char program[4096];
    if (!host_program_folder(program, sizeof program)) {
        return NULL;
    }
    static const char *const places[] = {"sortie.html", "../share/sortie/sortie.html"};
    for (int i = 0; i < 2; i++) {
        struct text path = TEXT_EMPTY;
        text_addf(&path, "%s/%s", program, places[i]);
        if (!path.broken && access(path.data, R_OK) == 0) {
            return path.data;
        }
        text_free(&path);
    }
    return NULL;
}

/* Shows the page in the user's browser, if there is one to be found. */
static void open_browser(const char *address) {
    static const char *const browsers[] = {"xdg-open", "x-www-browser", "open"};
    for (int i = 0; i < 3; i++) {
        pid_t child;
        const char *arguments[] = {browsers[i], address, NULL};
        if (posix_spawnp(&child, browsers[i], NULL, NULL, (char *const *)(uintptr_t)arguments, environ) == 0) {
            return;
        }
    }
}

static bool is_loopback(const char *address) {
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

static void free_pages(struct serve_options *options) {
    for (int i = 0; i < SERVE_CODINGS; i++) {
        free((void *)(uintptr_t)options->pages[i].bytes);
    }
}

/* What `make web` has packed beside the page, if it is of this page: not older. */
static void read_packed(const char *path, struct serve_options *options) {
    static const char *const endings[SERVE_CODINGS] = {[SERVE_BROTLI] = ".br", [SERVE_GZIP] = ".gz"};
    struct stat plain;
    for (int i = SERVE_PLAIN + 1; i < SERVE_CODINGS && stat(path, &plain) == 0; i++) {
        struct text packed = TEXT_EMPTY;
        struct error error = {0};
        struct stat found;
        char *bytes;
        text_addf(&packed, "%s%s", path, endings[i]);
        if (!packed.broken && stat(packed.data, &found) == 0 && found.st_mtime >= plain.st_mtime &&
            file_read(packed.data, MOST_PAGE, &bytes, &options->pages[i].length, &error) == STATUS_OK) {
            options->pages[i].bytes = bytes;
        }
        text_free(&packed);
    }
}

/* Serves until Ctrl-C. */
static int serve_page(struct serve_options *options, const char *path, bool show) {
    struct error error = {0};
    char *page = NULL;
    enum status status = file_read(path, MOST_PAGE, &page, &options->pages[SERVE_PLAIN].length, &error);
    if (status != STATUS_OK) {
        return cli_fail(path, &error, status);
    }
    options->pages[SERVE_PLAIN].bytes = page;
    read_packed(path, options);
    struct serve *serve;
    status = serve_start(options, &serve, &error);
    if (status != STATUS_OK) {
        free_pages(options);
        return cli_fail(NULL, &error, status);
    }
    char address[400];
    snprintf(address, sizeof address, strchr(options->address, ':') ? "http://[%s]:%d/" : "http://%s:%d/",
             options->address, serve_port(serve));
    printf("%s\n", address);
    fflush(stdout);
    if (!is_loopback(options->address)) {
        fprintf(stderr, "sortie: everybody who reaches %s can use this engine\n", options->address);
    }
    if (show) {
        open_browser(address);
    }
    cli_control(); /* from here on Ctrl-C is heard */
    while (!cli_interrupted()) {
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    serve_stop(serve);
    free_pages(options);
    return 0;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct serve_options options = {.address = "127.0.0.1", .port = 8017, .most_seconds = 600};
    const char *path = NULL;
    bool show = false;
    const struct cli_option table[] = {
        {"port", 'p', CLI_INT, &options.port, "PORT", "listen on PORT (default 8017; 0: any free one)", 0, 65535},
        {"listen", 0, CLI_STRING, &options.address, "ADDRESS", "listen on ADDRESS (default 127.0.0.1: this machine)", 0,
         0},
        {"name", 0, CLI_STRING, &options.name, "NAME", "also answer to NAME in the address", 0, 0},
        {"page", 0, CLI_STRING, &path, "FILE", "serve FILE (default: the page that belongs to this program)", 0, 0},
        {"open", 'o', CLI_FLAG, &show, NULL, "show it in the browser", 0, 0},
        {"threads", 0, CLI_INT, &options.threads, "COUNT", "threads of the engine (default: all cores)", 1, 256},
        {"hash", 0, CLI_SIZE, &options.hash_bytes, "SIZE", "memory of the engine's table: 256M, 2G", 0, 0},
        {"most-time", 0, CLI_SECONDS, &options.most_seconds, "SECONDS", "end every search by then (default 600)", 0, 0},
        {0},
    };
    int operands;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (operands > 0) {
        return cli_usage("serve: expected no file, found '%s'", argv[0]);
    }
    if (options.threads == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        options.threads = cores > 1 ? (int)cores : 1;
    }
    char *found = path ? NULL : find_page();
    if (!path && !found) {
        return cli_usage("serve: expected the page beside this program; 'make web' builds it, --page names it");
    }
    exit_status = serve_page(&options, path ? path : found, show);
    free(found);
    return exit_status;
}

const struct cli_command cli_serve = {
    .name = "serve",
    .summary = "serve the page and lend it this machine's engine",
    .usage = "[--port PORT] [--open] [OPTIONS]",
    .details =
        "Serves the page to this machine's browsers and lets it use the native engine with all cores; several tabs\n"
        "have it in turn. Prints the address and runs until Ctrl-C. Only this machine is served unless --listen\n"
        "names another address.\n",
    .example = "  sortie serve --open\n",
    .run = run,
};
