#include "match/class/class_team.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Seconds for a first move, as the course gives, and for starting. */
#define MOVE_SECONDS 12
#define MOST_WORDS 60
#define BUILD "/build"

/* Takes a name; false when it is none, or another one than that which was taken before. */
static bool take_team(const char *begin, const char *end, char team[PLAYER_MOST_NAME]) {
    int length = (int)(end - begin);
    bool fits = length > 0 && length < PLAYER_MOST_NAME;
    if (fits && !team[0]) {
        snprintf(team, PLAYER_MOST_NAME, "%.*s", length, begin);
    }
    return fits && (int)strlen(team) == length && memcmp(team, begin, (size_t)length) == 0;
}

/* The one name that the lines up to an empty one have in quotes, or before ".go" and a quote; empty when there is none
 * or more than one. Returns where the next lines begin. */
static const char *one_team(const char *text, char team[PLAYER_MOST_NAME]) {
    bool sure = true;
    team[0] = '\0';
    while (*text && *text != '\n') {
        size_t length = strcspn(text, "\n");
        const char *end = text + length - (length > 0); /* the quote that closes it */
        const char *begin = end;
        while (begin > text && !strchr("\"'", begin[-1])) {
            begin--;
        }
        end -= end - begin > 3 && memcmp(end - 3, ".go", 3) == 0 ? 3 : 0;
        sure = take_team(begin, end, team) && sure;
        text += length + (text[length] == '\n');
    }
    if (!sure || strcmp(team, "other") == 0) {
        team[0] = '\0';
    }
    return text + (*text == '\n');
}

/* Looks for the team in a file, or in all below a folder. */
static enum status look_for_team(struct warden *warden, const struct grade_options *options, const char *where,
                                 char team[PLAYER_MOST_NAME], struct error *error) {
    static const char script[] =
        "cd " BUILD " || exit; q=\"[\\\"']\"; { grep -rIhoE \"[A-Za-z0-9_-]+[.]go$q\" \"$1\"; echo; "
        "grep -rIhoiE \"(team|group)[a-z_]*$q? *[:=] *$q[A-Za-z0-9_-]+$q\" \"$1\"; } >&2";
    const char *const words[] = {"/bin/sh", "-c", script, "sh", where, NULL};
    struct warden_limits limits = options->limits;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    limits.wall_seconds = options->build_seconds;
    enum status status = warden_run(warden, words, &limits, &report, &said, error);
    const char *rest = one_team(text_string(&said), team);
    if (rest == text_string(&said) + 1) { /* nothing before the empty line */
        one_team(rest, team);
    }
    text_free(&said);
    return status;
}

/* Many programs know one team alone, whatever they are told: the sources have its name, in "NAME.go", or in what is
 * called a team or group. Looked for in the sandbox, where the submission lies: the program's own file knows best, then
 * what lies around it. */
enum status class_find_team(struct warden *warden, const struct grade_options *options, const char *folder,
                            const char *file, char team[PLAYER_MOST_NAME], struct error *error) {
    char where[PATH_MAX];
    snprintf(where, sizeof where, "./%s/%s", folder, file);
    team[0] = '\0';
    enum status status = STATUS_OK;
    for (bool looking = true; looking && status == STATUS_OK && !team[0];) {
        char *slash = strrchr(where, '/');
        status = look_for_team(warden, options, where, team, error);
        looking = slash != NULL;
        if (slash) {
            *slash = '\0';
        }
    }
    return status;
}

/* The last line of what a program said. */
static void add_last_line(const struct text *said, struct text *out) {
    const char *text = text_string(said);
    size_t end = said->length;
    while (end > 0 && isspace((unsigned char)text[end - 1])) {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && text[begin - 1] != '\n') {
        begin--;
    }
    text_addf(out, "%s%.*s", end > begin ? ": " : "", (int)(end - begin < 160 ? end - begin : 160), text + begin);
}

enum status class_moves(struct warden *warden, const struct grade_options *options, const char *command,
                        const char *team, bool *moves, struct text *said, struct error *error) {
    static const char script[] = "\"$@\" & n=0; while [ $n -lt 240 ]; do [ -s move_file ] && exit; "
                                 "kill -0 $! 2>/dev/null || exit; n=$((n+1)); sleep 0.05; done";
    const char *words[MOST_WORDS + 6] = {"/bin/sh", "-c", script, "sh"};
    int count = 4;
    for (const char *word = command; *word && count < MOST_WORDS + 4; word += strlen(word) + 1) {
        words[count++] = word;
    }
    words[count] = team;
    struct warden_limits limits = options->limits;
    struct warden_report report;
    struct text errors = TEXT_EMPTY;
    struct text move = TEXT_EMPTY;
    char go[PLAYER_MOST_NAME + 4];
    snprintf(go, sizeof go, "%s.go", team);
    limits.wall_seconds = MOVE_SECONDS;
    enum status status = warden_clean(warden, error);
    status = status == STATUS_OK ? warden_put(warden, "move_file", "", 0, error) : status;
    status = status == STATUS_OK ? warden_put(warden, go, "", 0, error) : status;
    status = status == STATUS_OK ? warden_run(warden, words, &limits, &report, &errors, error) : status;
    if (status == STATUS_OK) {
        *moves = warden_get(warden, "move_file", 1000, &move, NULL) == WARDEN_FILE_READ && move.length > 0;
        status = warden_clean(warden, error);
        add_last_line(&errors, said);
    }
    text_free(&errors);
    text_free(&move);
    return status;
}
