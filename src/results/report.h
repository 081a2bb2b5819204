/* What is made from a results file: a page, plain text, CSV, and the games as files. */
#ifndef SORTIE_RESULTS_REPORT_H
#define SORTIE_RESULTS_REPORT_H

#include "results/standings.h"
#include "results/store.h"

/* Everything about a results file that is not the games themselves. */
struct report {
    struct store *store; /* not owned */
    struct plan plan;
    struct standings standings;
};

enum status report_open(struct report *report, struct store *store, struct error *error);
void report_close(struct report *report);

/* One self-contained HTML page. Of more than `most_games` games the viewer shows the first ones and every game
 * lost by a fault up to as many again; tables and ratings are always of all. */
enum status report_html(struct report *report, int most_games, struct text *out, struct error *error);
/* Standings, cross table, time use. */
void report_text(const struct report *report, struct text *out);
/* One line a game, with a header; fields are quoted where they must be, and none is a formula. */
enum status report_csv(struct report *report, struct text *out, struct error *error);

/* Writes every game as one SGF file into a folder (made when missing). Only games on points (Gomoku) have SGF. */
enum status report_sgf(struct report *report, const char *folder, int *written, struct error *error);
/* Writes every position of every game as a course's input file: FOLDER/GAME/PLY.txt. */
enum status report_positions(struct report *report, const char *folder, int *written, struct error *error);

/* Plays through a stored game: sets up the start and calls `each` with every position, the start first with
 * GAME_NO_MOVE, then after each move. STATUS_BAD_INPUT when the stored game does not follow the rules. */
enum status report_replay(const struct plan *plan, const struct record *record,
                          void (*each)(void *user, int ply, game_move move, const struct game_position *before,
                                       const struct game_position *after),
                          void *user, struct error *error);

/* The page with its marks, the style and the script of pages, from src/results/page/ and web/. */
extern const char report_page_html[];
extern const char report_page_css[];
extern const char report_page_js[];

#endif
