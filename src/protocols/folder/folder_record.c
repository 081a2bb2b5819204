/* What is left of a game: end_game, history_file, and an SGF for people. */
#include <stdio.h>
#include <string.h>

#include "formats/sgf.h"
#include "protocols/folder/folder_referee.h"

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
    sgf_begin(text, FOLDER_SIZE);
    sgf_property(text, "PW", teams[0]);
    sgf_property(text, "PB", teams[1]);
    sgf_property(text, "RU", "five or more; the second player may take the first stone over");
    sgf_property(text, "RE", result);
    sgf_property(text, "GC", verdict->reason);
    sgf_property(text, "PL", "W");
    for (int i = 0; i < game->count; i++) {
        text_add_string(text, i % 8 == 0 ? "\n;" : ";");
        if (i == 1 && game->swapped) {
            text_add_string(text, "AB");
            sgf_point(text, FOLDER_SIZE, game->squares[1]);
            sgf_property(text, "C", "takes the stone over");
            sgf_property(text, "PL", "W");
        } else {
            text_add_string(text, colours[i % 2]);
            sgf_point(text, FOLDER_SIZE, game->squares[i]);
        }
    }
    text_add_string(text, ")\n");
}
