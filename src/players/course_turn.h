/* A course's way of asking programs, in a match's own words: its clock, and what a wrong answer is called. All the rest
 * is the course's own and stands in formats/. */
#ifndef SORTIE_PLAYERS_COURSE_TURN_H
#define SORTIE_PLAYERS_COURSE_TURN_H

#include "formats/course_answer.h"
#include "players/player.h"

/* The course's own clock, used when a match sets none. */
struct player_time course_turn_time(const struct course_format *format);

/* Finds the move an answer stands for; false with the fault and its text when there is none. */
bool course_turn_judge(const struct course_format *format, const struct game *game,
                       const struct game_position *position, const char *bytes, size_t length, game_move *move,
                       enum player_fault *fault, char *detail, size_t detail_size);

#endif
