#include "games/gomoku/referee/player.h"

#include "base/stopwatch.h"
#include "games/gomoku/referee/course.h"
#include "games/gomoku/rules/swap_table.h"

/* Under the course's rules the rest is for checking the engine's move and finding another one. */
#define SHARE_OF_SEARCH 0.7
/* Of which each of the two checks has this share. */
#define SHARE_OF_CHECK 0.05

enum status gomoku_player_choose(struct gomoku_player *player, const struct gomoku_position *position, int first,
                                 double seconds, int *square, int *expected, struct error *error) {
    double start = clock_wall();
    double check = SHARE_OF_CHECK * seconds;
    bool course = player->course_rules;
    *expected = -1;
    if (position->count == 0) {
        *square = player->open >= 0 ? player->open : gomoku_swap_opening(&player->rng);
        return STATUS_OK;
    }
    if (first >= 0 && !player->no_swap && gomoku_swap_take(first)) {
        *square = first;
        return STATUS_OK;
    }
    if (course && (*square = gomoku_course_forced(position, check)) >= 0) {
        return STATUS_OK;
    }
    struct search_result result = {.move = GAME_NO_MOVE};
    enum status status = player->search(player->user, course ? SHARE_OF_SEARCH * seconds : seconds, &result, error);
    if (status != STATUS_OK) {
        return status;
    }
    *square = (int)result.move;
    *expected = result.pv_length > 1 ? (int)result.pv[1] : -1;
    if (course && !gomoku_course_trusts(position, &result, check)) {
        *square = gomoku_course_search(position, start + seconds - clock_wall(), player->stop);
        *expected = -1;
    }
    return STATUS_OK;
}
