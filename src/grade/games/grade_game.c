#include "grade/games/grade_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/reader.h"
#include "grade/find/grade_tree.h"
#include "players/course_turn.h"

#define MOST_SECONDS 1e6
#define MOST_RANDOM_MOVES 1000

/* The names of the lines. */
enum key {
    KEY_OPPONENT,
    KEY_BEGINS,
    KEY_GAMES,
    KEY_RANDOM,
    KEY_SEED,
    KEY_CLOCK,
    KEY_MOVE,
    KEY_GAME,
    KEY_WIN,
    KEY_DRAW,
    KEY_LOSS,
    KEY_FAULT,
    KEY_MARGIN,
    KEY_SCORE,
    KEYS
};
static const char *const key_names[KEYS] = {"opponent", "begins",    "games",     "random moves", "seed",
                                            "clock",    "move time", "game time", "win",          "draw",
                                            "loss",     "fault",     "margin",    "score"};

struct reading {
    struct grade_game *game;
    bool seen[KEYS];
    int line;
    int column; /* of the value, in bytes, from 1 */
    const char *value;
    size_t length;
};

static const struct course_format *course_of(const struct course_request *request) {
    return course_format_of(request->game, request->game->variant(request->position));
}

/* -- values -- */

static enum status expected(const struct reading *reading, const char *what, struct error *error) {
    return error_at(error, reading->line, reading->column, "expected %s, found '%.*s'", what,
                    (int)(reading->length < 60 ? reading->length : 60), reading->value);
}

static enum status read_number(const struct reading *reading, const char *what, double most, double *value,
                               struct error *error) {
    double number;
    if (number_read(reading->value, reading->length, &number) != reading->length || reading->length == 0 ||
        !(number >= 0) || number > most) {
        return expected(reading, what, error);
    }
    *value = number;
    return STATUS_OK;
}

static enum status read_integer(const struct reading *reading, const char *what, double least, double most,
                                double *value, struct error *error) {
    enum status status = read_number(reading, what, most, value, error);
    bool whole = status == STATUS_OK && *value >= least && *value == (double)(uint64_t)*value;
    return status == STATUS_OK && !whole ? expected(reading, what, error) : status;
}

/* Which of some words the value is. */
static enum status read_word(const struct reading *reading, const char *const *words, const char *what, int *which,
                             struct error *error) {
    for (int i = 0; words[i]; i++) {
        if (strlen(words[i]) == reading->length && memcmp(words[i], reading->value, reading->length) == 0) {
            *which = i;
            return STATUS_OK;
        }
    }
    return expected(reading, what, error);
}

/* Takes a number and the blanks around it off a list; false when there is none. */
static bool take_number(const char **at, const char *end, double *value) {
    while (*at < end && number_is_space(**at)) {
        (*at)++;
    }
    size_t length = number_read(*at, (size_t)(end - *at), value);
    *at += length;
    while (*at < end && number_is_space(**at)) {
        (*at)++;
    }
    return length > 0 && *value >= -1e9 && *value <= 1e9;
}

/* "-10 0, 0 50, 10 100": a number and what it earns in percent, then the next. */
static enum status read_scale(const struct reading *reading, struct grade_scale *scale, struct error *error) {
    const char *end = reading->value + reading->length;
    const char *at = reading->value;
    for (bool more = true; more; at += more) {
        while (at < end && number_is_space(*at)) {
            at++;
        }
        const char *from = at;
        double number = 0;
        double percent = 0;
        bool ascends =
            take_number(&at, end, &number) && (scale->count == 0 || number > scale->steps[scale->count - 1].at);
        bool well = ascends && at < end && take_number(&at, end, &percent) && percent >= 0 && percent <= 100 &&
                    scale->count < GRADE_MOST_STEPS && (at == end || *at == ',');
        if (!well) {
            return error_at(error, reading->line, reading->column + (int)(from - reading->value),
                            "expected up to %d steps such as -10 0, 0 50, 10 100: points, ascending, and the percent "
                            "they earn",
                            GRADE_MOST_STEPS);
        }
        scale->steps[scale->count].at = number;
        scale->steps[scale->count++].percent = percent;
        more = at < end;
    }
    return STATUS_OK;
}

/* One of the players inside sortie, whose play hangs on no clock. */
static enum status read_opponent(const struct reading *reading, const struct course_request *request,
                                 struct error *error) {
    static const struct player_kind *const kinds[] = {&player_greedy,  &player_random,    &player_engine,
                                                      &player_minimax, &player_alphabeta, NULL};
    struct player_spec *spec = &reading->game->opponent;
    struct player_time none = {.clock = PLAYER_CLOCK_NONE};
    struct error cause = {0};
    char text[PLAYER_MOST_SPEC];
    if (reading->length >= sizeof text || memchr(reading->value, '\0', reading->length)) {
        return expected(reading, "a player", error);
    }
    snprintf(text, sizeof text, "%.*s", (int)reading->length, reading->value);
    /* The kind is looked at first: a command that the text may hold is none of ours. */
    size_t name = strcspn(text, ",:");
    bool known = false;
    for (int i = 0; kinds[i]; i++) {
        known = known || (strlen(kinds[i]->name) == name && strncmp(kinds[i]->name, text, name) == 0);
    }
    if (!known) {
        return expected(reading, "greedy, random, minimax:depth=N, alphabeta:depth=N, engine:depth=N or engine:nodes=N",
                        error);
    }
    const struct game *game = request->game;
    const struct game_position *position = request->position;
    enum status status = player_parse(text, spec, &cause);
    if (status == STATUS_OK && spec->kind->check) {
        status = spec->kind->check(spec, game, game->variant(position), game->size(position), &none, &cause);
    }
    if (status != STATUS_OK) {
        return error_at(error, reading->line, reading->column, "%.200s", cause.text);
    }
    if (spec->wall_seconds > 0 || spec->cpu_seconds > 0 || spec->threads > 1) {
        return error_at(error, reading->line, reading->column,
                        "expected an opponent that plays the same on every machine: depth= or nodes=, no time=, cpu= "
                        "or threads=");
    }
    return STATUS_OK;
}

/* -- lines -- */

static enum status read_value(struct reading *reading, enum key key, const struct course_request *request,
                              struct error *error) {
    static const char *const begins[] = {"program", "opponent", "both", NULL};
    static const char *const clocks[] = {"course", "wall", "cpu", NULL};
    struct grade_game *game = reading->game;
    double number = 0;
    int which = 0;
    enum status status = STATUS_OK;
    switch (key) {
    case KEY_OPPONENT:
        return read_opponent(reading, request, error);
    case KEY_BEGINS:
        status = read_word(reading, begins, "program, opponent or both", &which, error);
        game->begins = (enum grade_begins)which;
        return status;
    case KEY_CLOCK:
        status = read_word(reading, clocks, "course, wall or cpu", &which, error);
        game->clock = which == 1 ? PLAYER_CLOCK_WALL : which == 2 ? PLAYER_CLOCK_CPU : PLAYER_CLOCK_NONE;
        return status;
    case KEY_GAMES:
        status = read_integer(reading, "a number of games from 1 to 1000", 1, GRADE_MOST_GAMES, &number, error);
        game->games = (int)number;
        return status;
    case KEY_RANDOM:
        status = read_integer(reading, "a number of moves from 0 to 1000", 0, MOST_RANDOM_MOVES, &number, error);
        game->random_moves = (int)number;
        return status;
    case KEY_SEED:
        status = read_integer(reading, "a whole number up to 1e15", 0, 1e15, &number, error);
        game->seed = (uint64_t)number;
        return status;
    case KEY_MOVE:
        return read_number(reading, "seconds, 0 to 1e6", MOST_SECONDS, &game->move_seconds, error);
    case KEY_GAME:
        return read_number(reading, "seconds, 0 to 1e6", MOST_SECONDS, &game->game_seconds, error);
    case KEY_MARGIN:
        return read_scale(reading, &game->margin, error);
    case KEY_SCORE:
        return read_scale(reading, &game->score, error);
    default:
        break;
    }
    double *const percents[KEYS] = {
        [KEY_WIN] = &game->win, [KEY_DRAW] = &game->draw, [KEY_LOSS] = &game->loss, [KEY_FAULT] = &game->fault};
    return percents[key] ? read_number(reading, "percent, 0 to 100", 100, percents[key], error) : STATUS_OK;
}

/* Splits a line into its name and its value, without the blanks around them. */
static enum status read_line(struct reading *reading, const struct reader *reader, enum key *key, struct error *error) {
    const char *end = reader->line + reader->length;
    const char *from = reader->line;
    while (from < end && number_is_space(*from)) {
        from++;
    }
    const char *colon = memchr(from, ':', (size_t)(end - from));
    size_t length = reader_trimmed(from, (size_t)((colon ? colon : end) - from));
    int column = (int)(from - reader->line) + 1;
    *key = 0;
    while (*key < KEYS && !(strlen(key_names[*key]) == length && memcmp(key_names[*key], from, length) == 0)) {
        (*key)++;
    }
    if (!colon || *key == KEYS) {
        return error_at(error, reader->line_number, column,
                        "expected opponent, begins, games, random moves, seed, clock, move time, game time, win, draw, "
                        "loss, fault, margin or score, then ':', found '%.*s'",
                        (int)(length < 40 ? length : 40), from);
    }
    if (reading->seen[*key]) {
        return error_at(error, reader->line_number, column, "'%s' is said already", key_names[*key]);
    }
    const char *value = colon + 1;
    while (value < end && number_is_space(*value)) {
        value++;
    }
    reading->seen[*key] = true;
    reading->line = reader->line_number;
    reading->column = (int)(value - reader->line) + 1;
    reading->value = value;
    reading->length = (size_t)(end - value);
    return STATUS_OK;
}

static bool is_silent(const struct reader *reader) {
    for (size_t i = 0; i < reader->length; i++) {
        if (!number_is_space(reader->line[i])) {
            return reader->line[i] == '#';
        }
    }
    return true;
}

/* What the file leaves open: as many games as sides that begin, and the points as the course gives them. */
static void fill_in(const struct reading *reading, const struct course_request *request) {
    struct grade_game *game = reading->game;
    bool scaled = game->margin.count > 0 || game->score.count > 0;
    bool ties_count = strcmp(course_of(request)->name, "laser") != 0;
    if (!reading->seen[KEY_GAMES]) {
        game->games = game->begins == GRADE_BOTH_BEGIN ? 2 : 1;
    }
    if (!reading->seen[KEY_SEED]) {
        game->seed = 1;
    }
    if (!reading->seen[KEY_WIN] && !scaled) {
        game->win = 100;
    }
    if (!reading->seen[KEY_DRAW] && !scaled && ties_count) {
        game->draw = game->win / 2;
    }
}

static uint64_t print_of(const struct grade_game *game) {
    const double numbers[] = {(double)game->begins, (double)game->games, (double)game->random_moves, (double)game->seed,
                              (double)game->clock,  game->move_seconds,  game->game_seconds};
    return grade_print_bytes(grade_print_string(0, game->opponent.text), numbers, sizeof numbers);
}

enum status grade_game_read(struct grade_game *game, const struct course_request *request, const char *bytes,
                            size_t length, struct error *error) {
    struct reading reading = {.game = game};
    struct reader reader;
    enum status status = STATUS_OK;
    *game = (struct grade_game){0};
    reader_init(&reader, bytes, length);
    while (status == STATUS_OK && reader_next_line(&reader)) {
        enum key key;
        if (!is_silent(&reader)) {
            status = read_line(&reading, &reader, &key, error);
            status = status == STATUS_OK ? read_value(&reading, key, request, error) : status;
        }
    }
    if (status == STATUS_OK && !reading.seen[KEY_OPPONENT]) {
        return error_at(error, reader.line_number + 1, 1, "expected a line such as 'opponent: greedy'");
    }
    fill_in(&reading, request);
    game->print = print_of(game);
    return status;
}

struct player_time grade_game_time(const struct grade_game *game, const struct course_request *request,
                                   enum player_clock clock, double grace) {
    struct player_time time = course_turn_time(course_of(request));
    const struct course_player *player = &request->players[0];
    if (player->method == SEARCH_ENGINE && player->cpu_seconds_left > 0) {
        time.per_game = player->cpu_seconds_left;
    }
    time.clock = game->clock != PLAYER_CLOCK_NONE ? game->clock : clock != PLAYER_CLOCK_NONE ? clock : time.clock;
    time.grace = time.grace > 0 ? time.grace : grace;
    time.per_move = game->move_seconds > 0 ? game->move_seconds : time.per_move;
    time.per_game = game->game_seconds > 0 ? game->game_seconds : time.per_game;
    return time;
}
