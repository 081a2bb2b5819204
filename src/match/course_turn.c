#include "match/course_turn.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/laser.h"
#include "formats/sneak.h"
#include "formats/stake.h"
#include "games/laser/laser.h"
#include "games/war/war.h"

/* -- comparing -- */

/* Takes the next line off a text, without its line end and blanks before it; false at the end. */
static bool next_line(const char **at, const char *end, struct course_line *line) {
    if (*at >= end) {
        return false;
    }
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    const char *next = stop ? stop + 1 : end;
    stop = stop ? stop : end;
    while (stop > *at && (stop[-1] == '\r' || stop[-1] == ' ' || stop[-1] == '\t')) {
        stop--;
    }
    *line = (struct course_line){*at, (size_t)(stop - *at)};
    *at = next;
    return true;
}

/* Without the blank lines at the end. */
static const char *trim(const char *bytes, size_t length) {
    const char *end = bytes + length;
    while (end > bytes && isspace((unsigned char)end[-1])) {
        end--;
    }
    return end;
}

int course_first_difference(const char *wanted, size_t wanted_length, const char *found, size_t found_length,
                            struct course_line *wanted_line, struct course_line *found_line) {
    const char *wanted_end = trim(wanted, wanted_length);
    const char *found_end = trim(found, found_length);
    for (int number = 1;; number++) {
        *wanted_line = *found_line = (struct course_line){NULL, 0};
        bool more_wanted = next_line(&wanted, wanted_end, wanted_line);
        bool more_found = next_line(&found, found_end, found_line);
        if (!more_wanted && !more_found) {
            return 0;
        }
        if (more_wanted != more_found || wanted_line->length != found_line->length ||
            memcmp(wanted_line->at, found_line->at, wanted_line->length) != 0) {
            return number;
        }
    }
}

static bool same_text(const struct text *wanted, const char *bytes, size_t length) {
    struct course_line ignored[2];
    return course_first_difference(text_string(wanted), wanted->length, bytes, length, &ignored[0], &ignored[1]) == 0;
}

/* -- the courses -- */

static void stake_ask(const struct game_position *position, double seconds, int task, int depth, struct text *text) {
    (void)task, (void)depth;
    const struct war_position *war = (const struct war_position *)position;
    int size = war->size;
    text_addf(text, "%d\nCOMPETITION\n%c\n%.3f\n", size, war->to_move == WAR_X ? 'X' : 'O', seconds);
    for (int square = 0; square < size * size; square++) {
        text_addf(text, "%d%c", (int)war->values[square], square % size == size - 1 ? '\n' : ' ');
    }
    stake_format.board(position, text);
}

static void sneak_ask(const struct game_position *position, double seconds, int task, int depth, struct text *text) {
    (void)seconds;
    const struct war_position *war = (const struct war_position *)position;
    int size = war->size;
    text_addf(text, "%d\n%c\n%d\n", task, war->to_move == WAR_X ? 'X' : 'O', depth);
    for (int square = 0; square < size * size; square++) {
        text_addf(text, "%d%c", (int)war->values[square], square % size == size - 1 ? '\n' : ' ');
    }
    sneak_format.board(position, text);
}

/* The side to move is 1 in the file, whichever side it is. */
static void laser_ask(const struct game_position *position, double seconds, int task, int depth, struct text *text) {
    (void)seconds, (void)task, (void)depth;
    struct laser_position seen = *(const struct laser_position *)position;
    if (seen.to_move == 1) {
        uint64_t own[LASER_WORDS];
        memcpy(own, seen.emitters[1], sizeof own);
        memcpy(seen.emitters[1], seen.emitters[0], sizeof own);
        memcpy(seen.emitters[0], own, sizeof own);
    }
    text_addf(text, "%d\n", seen.size);
    laser_write_rows(&seen, text);
}

static void laser_answer(const struct game *game, const struct game_position *before, game_move move,
                         const struct game_position *after, struct text *text) {
    laser_format.answer(game, before, move, after, text);
}

static bool stake_shape(const char *bytes, size_t length, int size) {
    (void)size;
    char column;
    int row;
    char kind[8];
    char line[40];
    struct course_line first;
    if (!next_line(&bytes, bytes + length, &first) || first.length >= sizeof line) {
        return false;
    }
    memcpy(line, first.at, first.length);
    line[first.length] = '\0';
    return sscanf(line, "%c%d %7s", &column, &row, kind) == 3 && column >= 'A' && column <= 'Z' &&
           (strcmp(kind, "Stake") == 0 || strcmp(kind, "Raid") == 0);
}

static bool sneak_shape(const char *bytes, size_t length, int size) {
    const char *end = trim(bytes, length);
    struct course_line line;
    int rows = 0;
    for (; next_line(&bytes, end, &line); rows++) {
        if (line.length != (size_t)size) {
            return false;
        }
        for (size_t i = 0; i < line.length; i++) {
            if (!strchr("*XO", line.at[i]) || !line.at[i]) {
                return false;
            }
        }
    }
    return rows == size;
}

static bool laser_shape(const char *bytes, size_t length, int size) {
    (void)size;
    char line[40];
    struct course_line first;
    int row;
    int column;
    char rest;
    const char *end = trim(bytes, length);
    if (!next_line(&bytes, end, &first) || bytes < end || first.length >= sizeof line) {
        return false;
    }
    memcpy(line, first.at, first.length);
    line[first.length] = '\0';
    return sscanf(line, "%d %d %c", &row, &column, &rest) == 2;
}

static void war_answer(const struct game *game, const struct game_position *before, game_move move,
                       const struct game_position *after, struct text *text) {
    bool sneak = game->variant(before) == WAR_SNEAK;
    (sneak ? &sneak_format : &stake_format)->answer(game, before, move, after, text);
}

static const struct course_turn courses[] = {
    {
        .name = "stake",
        .game = "war",
        .variant = WAR_STAKE,
        .answer_file = "output.txt",
        .time = {.clock = PLAYER_CLOCK_CPU, .per_game = 200, .grace = 10},
        .ask = stake_ask,
        .answer = war_answer,
        .has_shape = stake_shape,
    },
    {
        .name = "sneak",
        .game = "war",
        .variant = WAR_SNEAK,
        .answer_file = "next_state.txt",
        .input_argument = true,
        .time = {.clock = PLAYER_CLOCK_WALL, .per_move = 60},
        .ask = sneak_ask,
        .answer = war_answer,
        .has_shape = sneak_shape,
    },
    {
        .name = "laser",
        .game = "laser",
        .variant = -1,
        .answer_file = "output.txt",
        .time = {.clock = PLAYER_CLOCK_WALL, .per_move = 60},
        .ask = laser_ask,
        .answer = laser_answer,
        .has_shape = laser_shape,
    },
};

const struct course_turn *course_turn_find(const struct game *game, int variant) {
    for (size_t i = 0; i < sizeof courses / sizeof *courses; i++) {
        if (strcmp(courses[i].game, game->properties->name) == 0 &&
            (courses[i].variant == variant || courses[i].variant < 0)) {
            return &courses[i];
        }
    }
    return NULL;
}

/* -- judging -- */

/* The answer the course wants for a move. */
static void wanted_for(const struct course_turn *course, const struct game *game, const struct game_position *before,
                       game_move move, struct game_position *after, struct text *text) {
    struct game_undo undo;
    memcpy(after, before, game->properties->position_size);
    game->play(after, move, &undo);
    text->length = 0;
    course->answer(game, before, move, after, text);
}

bool course_turn_judge(const struct course_turn *course, const struct game *game, const struct game_position *position,
                       const char *bytes, size_t length, game_move *move, enum player_fault *fault, char *detail,
                       size_t detail_size) {
    struct text wanted = TEXT_EMPTY;
    struct game_position *after = malloc(game->properties->position_size);
    game_move *moves = malloc((size_t)game->properties->most_moves * sizeof *moves);
    const char *at = bytes;
    struct course_line first = {bytes, 0};
    struct error error = {0};
    bool right = false;
    *fault = PLAYER_BAD_ANSWER;
    snprintf(detail, detail_size, "%s is empty", course->answer_file);
    if (!after || !moves) {
        snprintf(detail, detail_size, "out of memory");
    } else if (trim(bytes, length) == bytes) {
        *fault = PLAYER_NO_ANSWER;
    } else if (next_line(&at, bytes + length, &first) &&
               game->parse_move(position, first.at, first.length, move, &error) == STATUS_OK) {
        /* The first line names the move: then everything else must fit it. */
        struct course_line lines[2];
        wanted_for(course, game, position, *move, after, &wanted);
        int line = course_first_difference(text_string(&wanted), wanted.length, bytes, length, &lines[0], &lines[1]);
        right = line == 0;
        snprintf(detail, detail_size, "%s line %d: expected '%.*s', found '%.*s'", course->answer_file, line,
                 (int)(lines[0].length > 40 ? 40 : lines[0].length), lines[0].at ? lines[0].at : "",
                 (int)(lines[1].length > 40 ? 40 : lines[1].length), lines[1].at ? lines[1].at : "");
    } else {
        /* Some courses answer with the board alone: look for the move that leads to it. */
        int count = game->moves(position, moves);
        for (int i = 0; i < count && !right && course->has_shape(bytes, length, game->size(position)); i++) {
            wanted_for(course, game, position, moves[i], after, &wanted);
            if (same_text(&wanted, bytes, length)) {
                *move = moves[i];
                right = true;
            }
        }
        bool shape = course->has_shape(bytes, length, game->size(position));
        *fault = shape ? PLAYER_ILLEGAL : PLAYER_BAD_ANSWER;
        snprintf(detail, detail_size, shape ? "'%.*s': %s" : "'%.*s' is not an answer: %s",
                 (int)(first.length > 40 ? 40 : first.length), first.at,
                 shape && course->input_argument ? "no legal move leads to this board" : error.text);
    }
    if (right) {
        *fault = PLAYER_NO_FAULT;
        detail[0] = '\0';
    }
    free(after);
    free(moves);
    text_free(&wanted);
    return right;
}
