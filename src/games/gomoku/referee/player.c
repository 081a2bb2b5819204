#include "games/gomoku/referee/player.h"

#include "base/stopwatch.h"
#include "games/gomoku/openings/choose.h"
#include "games/gomoku/referee/course.h"
#include "games/gomoku/rules/swap_table.h"

/* Under the course's rules the rest is for checking the engine's move and finding another one. */
#define SHARE_OF_SEARCH 0.7
/* Of which each of the two checks has this share. */
#define SHARE_OF_CHECK 0.05

/* The first stone: the user's, the book's, or the table's. */
static int open_game(struct gomoku_player *player, const struct gomoku_position *empty) {
    int square;
    if (player->open >= 0) {
        return player->open;
    }
    bool booked = player->book && openings_first_stone(player->book, empty, &player->rng, &square);
    return booked ? square : gomoku_swap_opening(&player->rng);
}

/* Whether to take over the first stone: what is proved counts before the book, and the book before the table. */
static bool takes_stone(const struct gomoku_player *player, const struct gomoku_position *position, int first) {
    bool take;
    bool booked = player->book && !gomoku_swap_settled(first) && openings_take_stone(player->book, position, &take);
    return booked ? take : gomoku_swap_take(first);
}

enum status gomoku_player_choose(struct gomoku_player *player, const struct gomoku_position *position, int first,
                                 double seconds, int *square, int *expected, struct error *error) {
    double start = clock_wall();
    double check = SHARE_OF_CHECK * seconds;
    bool course = player->course_rules;
    *expected = -1;
    if (position->count == 0) {
        *square = open_game(player, position);
        return STATUS_OK;
    }
    if (first >= 0 && !player->no_swap && takes_stone(player, position, first)) {
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
