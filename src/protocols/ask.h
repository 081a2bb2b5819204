/* One search asked for in a few lines of text and answered in lines of JSON: what the page says to the engine, be it
 * the one inside the page or the one behind `sortie serve`. Stands on the public API alone.
 *
 *   time 2.5           limits, any of them: time (wall seconds), nodes, depth
 *   nodes 100000
 *   depth 8
 *   lines 3            how many best moves to report on
 *   goal exact         best (usual), exact or win
 *   move B3 Raid       moves played from the position below, one a line
 *   position           what follows is the position: any file sortie knows
 *   war stake 5 X
 *   ...
 *
 * Answers are lines of one JSON object each: {"info": …} while thinking, one {"best": …} or {"error": "…"} at the end.
 */
#ifndef SORTIE_PROTOCOLS_ASK_H
#define SORTIE_PROTOCOLS_ASK_H

#include "base/error.h"
#include "base/text.h"
#include "sortie/sortie.h"

#define ASK_MOST_BYTES ((size_t)1 << 20)

struct ask {
    struct sortie_limits limits; /* method is SORTIE_ENGINE; on_info and user are the caller's to set */
    sortie_position *position;   /* owned: ask_free; the moves are played on it */
};

/* On success the caller owns *ask; on failure nothing needs freeing. */
enum status ask_parse(const char *bytes, size_t length, struct ask *ask, struct error *error);
void ask_free(struct ask *ask);

/* Searches and appends the last line of the answer. 0, or 2 when that is an error. */
int ask_answer(const struct ask *ask, sortie_engine *engine, struct text *text);

/* Append one line each, its line end included. */
void ask_write_result(const char *kind, const sortie_result *result, struct text *text);
void ask_write_error(int line, int column, const char *message, struct text *text);

#endif
