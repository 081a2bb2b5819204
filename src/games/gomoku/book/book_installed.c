/* The book of the installation, or the one the environment names. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "games/gomoku/book/book.h"
#include "system/file.h"
#include "system/host.h"

static struct book installed;
static pthread_once_t installed_once = PTHREAD_ONCE_INIT;

static void take_file(const char *path) {
    char *bytes;
    size_t length;
    struct error error;
    if (access(path, R_OK) == 0 && file_read(path, BOOK_MOST_BYTES, &bytes, &length, &error) == STATUS_OK) {
        book_read(&installed, (const uint8_t *)bytes, length);
        free(bytes);
    }
}

static void take_installed(void) {
    char folder[4096];
    if (host_program_folder(folder, sizeof folder)) {
        struct text path = TEXT_EMPTY;
        text_addf(&path, "%s/../share/sortie/gomoku.proof", folder);
        take_file(text_string(&path));
        text_free(&path);
    }
}

static void read_all(void) {
    const char *names = getenv("SORTIE_PROOFS");
    if (!names) {
        take_installed();
        return;
    }
    while (*names) {
        size_t length = strcspn(names, HOST_BETWEEN_PATHS);
        struct text path = TEXT_EMPTY;
        text_add(&path, names, length);
        if (length > 0) {
            take_file(text_string(&path));
        }
        text_free(&path);
        names += length + (names[length] != '\0');
    }
}

static void install(void) {
    read_all();
    book_settle_swap(&installed);
}

void gomoku_known_prepare(void) {
    pthread_once(&installed_once, install);
}

bool gomoku_known(const struct game_position *position, const void *wishes, struct game_known *known) {
    gomoku_known_prepare();
    return book_known(&installed, gomoku_const(position), wishes, known);
}

enum status gomoku_known_add(const char *bytes, size_t length, size_t *positions, struct error *error) {
    gomoku_known_prepare();
    return book_add(&installed, bytes, length, positions, error);
}
