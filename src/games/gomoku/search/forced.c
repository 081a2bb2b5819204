/* The searches for forced wins as a tool of their own: sortie vcf and the tests use it. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/gomoku/search/search.h"

#define ENTRIES ((size_t)1 << 17)
#define MOST_FOURS 200
#define MOST_THREATS 60

enum status gomoku_find_forced(const struct gomoku_position *position, bool threats, uint64_t nodes,
                               const atomic_bool *stop, struct gomoku_forced *forced, struct error *error) {
    ASSERT(position->winner == GOMOKU_NO_WINNER);
    struct gboard *board = calloc(1, sizeof *board);
    struct gboard_history *history = calloc(1, sizeof *history);
    struct search_clock clock;
    clock_start(&clock, &(struct search_limits){0}, stop, 1);
    struct vcf vcf = {.board = board, .mask = ENTRIES - 1, .clock = &clock, .thorough = true};
    vcf.entries = calloc(ENTRIES, sizeof *vcf.entries);
    memset(forced, 0, sizeof *forced);
    enum status status = STATUS_OK;
    if (!board || !history || !vcf.entries) {
        status = error_machine(error, "no memory to look for forced wins");
    } else {
        uint16_t move;
        gboard_load(board, position, history);
        for (int depth = 1; depth <= MOST_FOURS && forced->plies == 0; depth++) { /* so that short wins come first */
            vcf.cut_short = false;
            forced->plies = vcf_search(&vcf, depth, nodes - vcf.nodes, &move);
            if (!vcf.cut_short || vcf.nodes >= nodes || clock_stopped(&clock)) {
                break;
            }
        }
        forced->by_fours = forced->plies > 0;
        if (forced->by_fours) {
            forced->length = vcf_line(&vcf, MOST_FOURS, nodes, forced->line, GOMOKU_MOST_SQUARES);
        } else if (threats) {
            forced->plies = vct_search(&vcf, MOST_THREATS, nodes, &move);
            if (forced->plies > 0) {
                forced->length = vct_line(&vcf, MOST_THREATS, nodes, forced->line, GOMOKU_MOST_SQUARES);
            }
        }
        forced->answer = forced->plies > 0 ? GOMOKU_FORCED_WIN
                         : vcf.cut_short   ? GOMOKU_FORCED_UNKNOWN
                                           : GOMOKU_FORCED_NONE;
        forced->nodes = vcf.nodes;
    }
    free(vcf.entries);
    free(history);
    free(board);
    return status;
}
