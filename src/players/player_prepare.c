#include "players/player_prepare.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETUP_SECONDS 600.0
#define MOST_MADE_BYTES ((size_t)64 << 20)

static bool fail(struct player_answer *answer, const char *what, const char *text) {
    answer->fault = PLAYER_NOT_STARTED;
    snprintf(answer->detail, sizeof answer->detail, "%.70s%.125s", what, text);
    return false;
}

void player_prepared_free(struct player_prepared *prepared) {
    for (int i = 0; i < prepared->count; i++) {
        text_free(&prepared->made[i].text);
    }
    prepared->count = 0;
    prepared->set_up = false;
}

/* A new world with the files the player was given. */
static bool put_files(const struct player_spec *spec, struct warden *warden, struct player_answer *answer) {
    struct error error = {0};
    if (warden_clean(warden, &error) != STATUS_OK) {
        return fail(answer, "", error.text);
    }
    for (const char *path = spec->files; *path; path += strlen(path) + 1) {
        const char *slash = strrchr(path, '/');
        if (warden_put_copy(warden, slash ? slash + 1 : path, path, &error) != STATUS_OK) {
            return fail(answer, "file=: ", error.text);
        }
    }
    return true;
}

/* Takes one plain file of the scratch folder along; others are left. False when it is too much. */
static bool take(struct player_prepared *prepared, struct warden *warden, const char *name, size_t *room) {
    struct error reason;
    if (prepared->count == PLAYER_MOST_MADE) {
        return false;
    }
    struct text *text = &prepared->made[prepared->count].text;
    *text = TEXT_EMPTY;
    enum warden_file file = warden_get(warden, name, *room, text, &reason);
    if (file != WARDEN_FILE_READ) {
        text_free(text);
        return file != WARDEN_FILE_FAILED;
    }
    snprintf(prepared->made[prepared->count].name, NAME_MAX + 1, "%s", name);
    prepared->count++;
    *room -= text->length;
    return !text->broken;
}

static bool take_made(struct player_prepared *prepared, struct warden *warden) {
    size_t room = MOST_MADE_BYTES;
    DIR *folder = opendir(warden_path(warden));
    struct dirent *entry;
    bool well = folder != NULL;
    while (well && (entry = readdir(folder)) != NULL) {
        well = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
               take(prepared, warden, entry->d_name, &room);
    }
    if (folder) {
        closedir(folder);
    }
    return well;
}

/* Runs the setup step and keeps what it made. */
static bool set_up(struct player_prepared *prepared, const struct player_spec *spec, const struct player_game *game,
                   struct player_answer *answer) {
    const char *words[128 + 1];
    struct warden_limits limits = game->limits;
    struct warden_report report;
    struct text errors = TEXT_EMPTY;
    struct error error = {0};
    limits.wall_seconds = SETUP_SECONDS;
    player_words(spec->setup, words, 128);
    bool well = true;
    if (warden_run(game->warden, words, &limits, &report, &errors, &error) != STATUS_OK) {
        well = fail(answer, "setup: ", error.text);
    } else if (report.end != WARDEN_EXITED || report.code != 0) {
        char what[80];
        snprintf(what, sizeof what, "setup %s%d: ", report.end == WARDEN_EXITED ? "ended with status " : "failed, ",
                 report.code);
        well = fail(answer, what, text_string(&errors));
    } else if (!take_made(prepared, game->warden)) {
        well = fail(answer, "setup: ", "it made more than 64 files or 64 MiB");
    }
    text_free(&errors);
    return well;
}

bool player_prepare(struct player_prepared *prepared, const struct player_spec *spec, const struct player_game *game,
                    struct player_answer *answer) {
    struct error error = {0};
    if (!put_files(spec, game->warden, answer)) {
        return false;
    }
    if (!spec->setup[0]) {
        return true;
    }
    if (!prepared->set_up) {
        player_prepared_free(prepared);
        if (!set_up(prepared, spec, game, answer) || warden_clean(game->warden, &error) != STATUS_OK) {
            return answer->fault != PLAYER_NO_FAULT ? false : fail(answer, "", error.text);
        }
        prepared->set_up = true;
    }
    for (int i = 0; i < prepared->count; i++) {
        const struct text *text = &prepared->made[i].text;
        if (warden_put(game->warden, prepared->made[i].name, text_string(text), text->length, &error) != STATUS_OK) {
            return fail(answer, "setup: ", error.text);
        }
    }
    return true;
}
