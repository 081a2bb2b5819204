/* What is left of a game: end_game, history_file, and an SGF for people. */
#include <stdio.h>
#include <string.h>

#include "protocols/folder_referee.h"

void folder_end_text(const char *const teams[2], const struct folder_verdict *verdict,
                     char text[2 * FOLDER_MOST_LINE]) {
    if (verdict->winner < 0) {
        snprintf(text, 2 * FOLDER_MOST_LINE, "END: TIE! %s\n", verdict->reason);
    } else {
        snprintf(text, 2 * FOLDER_MOST_LINE, "END: %s WINS!  %s LOSES!  %s\n", teams[verdict->winner],
                 teams[1 - verdict->winner], verdict->reason);
    }
}

void folder_history_text(const char *const teams[2], const struct folder_game *game, struct text *text) {
    for (int i = 0; i < game->count; i++) {
        char line[FOLDER_MOST_LINE];
        folder_move_text(teams[i % 2], game->squares[i], true, line);
        text_add_string(text, line);
    }
}

/* SGF text: brackets and backslashes are escaped. */
static void add_escaped(struct text *text, const char *string) {
    for (; *string; string++) {
        if (*string == ']' || *string == '\\') {
            text_add_char(text, '\\');
        }
        text_add_char(text, *string);
    }
}

static void add_property(struct text *text, const char *name, const char *value) {
    text_addf(text, "%s[", name);
    add_escaped(text, value);
    text_add_string(text, "]");
}

static void add_point(struct text *text, const char *name, int square) {
    text_addf(text, "%s[%c%c]", name, 'a' + square % FOLDER_SIZE, 'a' + square / FOLDER_SIZE);
}

void folder_sgf_text(const char *const teams[2], const struct folder_game *game, const struct folder_verdict *verdict,
                     struct text *text) {
    static const char *const colours[2] = {"W", "B"};
    char result[16];
    const char *how = strcmp(verdict->reason, "out of time") == 0 ? "T" : game->state == FOLDER_WON ? "" : "F";
    if (verdict->winner < 0) {
        snprintf(result, sizeof result, "0");
    } else {
        snprintf(result, sizeof result, "%s+%s", colours[verdict->winner], how);
    }
    text_addf(text, "(;FF[4]GM[4]CA[UTF-8]AP[sortie:%s]SZ[%d]", SORTIE_VERSION, FOLDER_SIZE);
    add_property(text, "PW", teams[0]);
    add_property(text, "PB", teams[1]);
    add_property(text, "RU", "five or more; the second player may take the first stone over");
    add_property(text, "RE", result);
    add_property(text, "GC", verdict->reason);
    add_property(text, "PL", "W");
    for (int i = 0; i < game->count; i++) {
        text_add_string(text, i % 8 == 0 ? "\n;" : ";");
        if (i == 1 && game->swapped) {
            add_point(text, "AB", game->squares[1]);
            add_property(text, "C", "takes the stone over");
            add_property(text, "PL", "W");
        } else {
            add_point(text, colours[i % 2], game->squares[i]);
        }
    }
    text_add_string(text, ")\n");
}
