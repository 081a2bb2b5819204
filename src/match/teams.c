#include "match/teams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include "match/player_view.h"
#include "sandbox/warden_folder.h"

#define MOST_WORDS 128
#define MOST_FILE_BYTES ((uint64_t)16 << 20)

/* -- the owner of the folder -- */

/* Makes the programs' user the owner of the folder. */
static enum status hand_over(struct teams *teams, struct error *error) {
    struct stat about;
    int folder = teams->folder->directory;
    if (fstat(folder, &about) != 0 || fchown(folder, warden_new_user(), (gid_t)-1) != 0) {
        /* EINVAL: this root has few users; then programs, which run only without a sandbox, have no other one. */
        return errno == EINVAL ? STATUS_OK : error_machine(error, "cannot be given to the teams: %s", strerror(errno));
    }
    teams->user = warden_new_user();
    teams->owner = about.st_uid;
    teams->group = about.st_gid;
    teams->mode = about.st_mode & 07777;
    return fchmod(folder, teams->mode | 0700) == 0 ? STATUS_OK : error_machine(error, "%s", strerror(errno));
}

/* What the teams leave loses its set-id bits: the filter of system calls gives them none, and where there is no sandbox
 * there is no filter. As root the folder, and what the teams made in it, belong to whom the folder belonged. */
static void take_back(struct teams *teams) {
    int folder = teams->folder->directory;
    if (!teams->user) {
        warden_folder_clear_set_id(folder);
        return;
    }
    setfsuid(geteuid());
    warden_folder_give(folder, teams->user, teams->owner, teams->group);
    if (fchown(folder, teams->owner, teams->group) == 0) {
        fchmod(folder, teams->mode);
    }
    teams->user = 0;
}

/* Refuses a folder in which a program lies that gives its owner's rights to whoever runs it: the teams could change
 * what it does. */
static enum status check_folder(const char *path, struct error *error) {
    char name[100];
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool found = folder >= 0 && warden_folder_has_set_id(folder, name, sizeof name);
    if (folder >= 0) {
        close(folder);
    }
    return found ? error_at(error, 0, 0, "expected a folder for the game without set-user-id programs: %s", name)
                 : STATUS_OK;
}

/* -- the programs -- */

/* Adds a command in which the team's name stands as TEAM: no file or folder that is called so is meant. */
static void add_command(const char *command, const char *name, struct text *text) {
    const char *at = command;
    while (*at) {
        size_t blanks = strspn(at, " \t");
        size_t length = strcspn(at + blanks, " \t");
        bool is_name = at > command && length == strlen(name) && strncmp(at + blanks, name, length) == 0;
        text_add(text, at, blanks);
        text_add(text, is_name ? "TEAM" : at + blanks, is_name ? strlen("TEAM") : length);
        at += blanks + length;
    }
}

/* Reads the command of a team. */
static enum status add_team(struct teams *teams, const char *command, const char *name, struct error *error) {
    struct text text = TEXT_EMPTY;
    text_add_string(&text, "folder:");
    add_command(command, name, &text);
    enum status status =
        text.broken ? error_machine(error, "out of memory") : plan_add_player(&teams->plan, text_string(&text), error);
    text_free(&text);
    return status;
}

/* Starts the program of a team in a world of its own. */
static enum status start_team(struct teams *teams, int team, const char *name, const struct warden_limits *limits,
                              struct error *error) {
    char log[FOLDER_MOST_NAME + 8];
    snprintf(log, sizeof log, "./%s.log", name);
    /* The shell stays, so that its end of the pipe closes with the program. */
    const char *words[MOST_WORDS + 5] = {"sh", "-c", "\"$@\" >\"$0\" 2>&1 </dev/null; exit", log};
    player_command(&teams->plan.players[team], words + 4, MOST_WORDS);
    for (int i = 4; words[i]; i++) {
        words[i] = strcmp(words[i], "TEAM") == 0 ? name : words[i];
    }
    folder_remove(teams->folder, log); /* of an earlier game */
    struct warden **warden = &teams->wardens[team];
    enum status status = warden_start(warden, error);
    if (status == STATUS_OK) {
        status = player_view_show(&teams->plan, team, *warden, NULL, error);
    }
    if (status == STATUS_OK) {
        status = warden_share(*warden, teams->path, warden_new_user(), error);
    }
    if (status == STATUS_OK) {
        status = warden_open(*warden, words, limits, &teams->to_program[team], &teams->from_program[team], error);
    }
    return status;
}

enum status teams_prepare(struct teams *teams, const char *path, const char *const names[2],
                          const char *const commands[2], struct error *error) {
    *teams = (struct teams){.to_program = {-1, -1}, .from_program = {-1, -1}};
    if (!realpath(path, teams->path)) {
        return error_at(error, 0, 0, "expected a folder: %s", strerror(errno));
    }
    if (player_view_is_common(teams->path) || warden_is_system(teams->path)) {
        return error_at(error, 0, 0,
                        "expected a folder of its own for the game: the teams may change all that is in it");
    }
    enum status status = check_folder(teams->path, error);
    if (status == STATUS_OK) {
        status = add_team(teams, commands[0], names[0], error);
    }
    return status == STATUS_OK ? add_team(teams, commands[1], names[1], error) : status;
}

enum status teams_start(struct teams *teams, struct folder *folder, const char *const names[2],
                        const struct warden_limits *limits, struct error *error) {
    struct warden_limits each = *limits;
    each.file_bytes = MOST_FILE_BYTES;
    teams->folder = folder;
    enum status status = geteuid() == 0 ? hand_over(teams, error) : STATUS_OK;
    for (int team = 0; team < 2 && status == STATUS_OK; team++) {
        status = start_team(teams, team, names[team], &each, error);
    }
    if (status == STATUS_OK && teams->user) {
        setfsuid(teams->user);
    }
    return status;
}

bool teams_alive(struct teams *teams, int team) {
    char bytes[4096];
    for (;;) {
        ssize_t got = read(teams->from_program[team], bytes, sizeof bytes);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return got != 0 && errno == EAGAIN;
        }
    }
}

void teams_end(struct teams *teams, double grace) {
    for (int team = 0; team < 2; team++) {
        struct error ignored;
        if (teams->from_program[team] >= 0) {
            close(teams->to_program[team]);
            close(teams->from_program[team]);
            warden_close(teams->wardens[team], grace, NULL, NULL, &ignored);
        }
        warden_stop(teams->wardens[team]);
    }
    if (teams->folder) {
        take_back(teams);
    }
    plan_free(&teams->plan);
}
