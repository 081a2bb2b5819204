#include "match/player_view.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNPACK_SECONDS 60.0

/* Whether a path is a folder or lies below it. */
static bool is_within(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0' || length == 1);
}

static bool exists(const char *path) {
    struct stat about;
    return stat(path, &about) == 0;
}

/* Whether some file of another player, other than those of player `number`, lies in the folder. */
static bool holds_others(const struct plan *plan, int number, const char *folder) {
    for (int i = 0; i < plan->player_count; i++) {
        const struct player_spec *other = &plan->players[i];
        for (const char *word = other->command; i != number && *word; word += strlen(word) + 1) {
            bool ours = false;
            for (const char *own = plan->players[number].command; *own; own += strlen(own) + 1) {
                ours = ours || strcmp(own, word) == 0;
            }
            if (word[0] == '/' && !ours && is_within(word, folder)) {
                return true;
            }
        }
    }
    return false;
}

bool player_view_is_common(const char *folder) {
    const char *home = getenv("HOME");
    return (home && is_within(home, folder)) || is_within("/tmp", folder) || is_within("/var/tmp", folder);
}

static bool is_own_folder(const struct plan *plan, int number, const char *folder) {
    char current[PATH_MAX];
    char results[PATH_MAX];
    bool hides = player_view_is_common(folder) || (getcwd(current, sizeof current) && is_within(current, folder)) ||
                 (plan->results && realpath(plan->results, results) && is_within(results, folder));
    return !hides && !holds_others(plan, number, folder);
}

/* Adds a file of the command, or the folder it lies in. */
static void add_file(const struct plan *plan, int number, const char *word, bool is_command, struct text *paths) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", word);
    char *slash = strrchr(folder, '/');
    *slash = '\0';
    char *name = strrchr(folder, '/');
    if (is_command && name && strcmp(name, "/bin") == 0) {
        *name = '\0';
    }
    const char *shown = folder[0] && is_own_folder(plan, number, folder) ? folder : word;
    text_add(paths, shown, strlen(shown) + 1);
}

/* Adds all files a command names. */
static void add_files(const struct plan *plan, int number, const char *command, struct text *paths) {
    for (const char *word = command; *word; word += strlen(word) + 1) {
        if (word[0] == '/' && word[1] && !warden_is_system(word) && exists(word)) {
            add_file(plan, number, word, word == command, paths);
        }
    }
}

/* Unpacks what was built inside the sandbox: nothing a stranger made becomes a file of this machine. */
static enum status unpack(const struct player_spec *spec, struct warden *warden, struct error *error) {
    static const char *const words[] = {"/bin/tar", "-xf", "/build.tar", "-C", "/build", NULL};
    struct warden_view view = {.build = WARDEN_BUILD_NEW, .keep_output = true};
    struct warden_limits limits = warden_usual_limits;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    limits.wall_seconds = UNPACK_SECONDS;
    warden_view_add(&view, spec->build, words[2]);
    enum status status = warden_show(warden, &view, error);
    status = status == STATUS_OK ? warden_clean(warden, error) : status;
    status = status == STATUS_OK ? warden_run(warden, words, &limits, &report, &said, error) : status;
    if (status == STATUS_OK && (report.end != WARDEN_EXITED || report.code != 0)) {
        status = error_at(error, 0, 0, "%.100s cannot be unpacked: %.60s", spec->build, text_string(&said));
    }
    text_free(&said);
    return status;
}

enum status player_view_show(const struct plan *plan, int number, struct warden *warden, int *built,
                             struct error *error) {
    const struct player_spec *spec = &plan->players[number];
    struct text paths = TEXT_EMPTY;
    struct warden_view view = {.build = spec->build[0] ? WARDEN_BUILD_READ : WARDEN_NO_BUILD};
    if (spec->build[0] && (!built || *built != number)) {
        enum status status = unpack(spec, warden, error);
        if (built) {
            *built = status == STATUS_OK ? number : -1;
        }
        if (status != STATUS_OK) {
            return status;
        }
    }
    add_files(plan, number, spec->command, &paths);
    add_files(plan, number, spec->setup, &paths);
    for (const char *word = spec->shown; *word; word += strlen(word) + 1) {
        text_add(&paths, word, strlen(word) + 1);
    }
    text_add_char(&paths, '\0');
    bool fits = !paths.broken;
    for (const char *path = text_string(&paths); fits && *path; path += strlen(path) + 1) {
        fits = warden_view_add(&view, path, NULL);
    }
    enum status status =
        fits ? warden_show(warden, &view, error) : error_machine(error, "player '%s' has too many files", spec->name);
    text_free(&paths);
    return status;
}
