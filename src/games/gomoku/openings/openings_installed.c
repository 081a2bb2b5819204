/* The book of the installation, or the one the environment names. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/gomoku/openings/file.h"
#include "games/gomoku/openings/installed.h"
#include "system/file.h"
#include "system/host.h"

static struct openings installed;
static struct text installed_path;
static pthread_once_t path_once = PTHREAD_ONCE_INIT;
static pthread_once_t book_once = PTHREAD_ONCE_INIT;

/* Finds the file. */
static void find_path(void) {
    static const char *const places[] = {"gomoku.book", "../share/sortie/gomoku.book"};
    char folder[4096];
    const char *named = getenv("SORTIE_BOOK");
    if (named) {
        text_add_string(&installed_path, strcmp(named, "off") == 0 ? "" : named);
        return;
    }
    for (int i = 0; i < 2 && host_program_folder(folder, sizeof folder); i++) {
        struct text path = TEXT_EMPTY;
        text_addf(&path, "%s/%s", folder, places[i]);
        if (!path.broken && access(text_string(&path), R_OK) == 0) {
            installed_path = path;
            return;
        }
        text_free(&path);
    }
}

static void read_book(void) {
    char *bytes;
    size_t length;
    struct error error;
    const char *path = openings_installed_path();
    if (path[0] && file_read(path, OPENINGS_MOST_BYTES, &bytes, &length, &error) == STATUS_OK) {
        openings_parse(bytes, length, &installed, &error);
        free(bytes);
    }
}

const char *openings_installed_path(void) {
    pthread_once(&path_once, find_path);
    return text_string(&installed_path);
}

const struct openings *openings_installed(void) {
    pthread_once(&book_once, read_book);
    return &installed;
}
