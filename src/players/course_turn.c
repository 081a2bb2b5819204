#include "players/course_turn.h"

struct player_time course_turn_time(const struct course_format *format) {
    const struct course_clock *clock = &format->clock;
    return (struct player_time){.clock = clock->cpu ? PLAYER_CLOCK_CPU : PLAYER_CLOCK_WALL,
                                .per_move = clock->per_move,
                                .per_game = clock->per_game,
                                .grace = clock->grace};
}

bool course_turn_judge(const struct course_format *format, const struct game *game,
                       const struct game_position *position, const char *bytes, size_t length, game_move *move,
                       enum player_fault *fault, char *detail, size_t detail_size) {
    static const enum player_fault faults[] = {
        [COURSE_RIGHT] = PLAYER_NO_FAULT,
        [COURSE_EMPTY] = PLAYER_NO_ANSWER,
        [COURSE_ILLEGAL] = PLAYER_ILLEGAL,
        [COURSE_NO_ANSWER] = PLAYER_BAD_ANSWER,
    };
    *fault = faults[course_judge(format, game, position, bytes, length, move, detail, detail_size)];
    return *fault == PLAYER_NO_FAULT;
}
