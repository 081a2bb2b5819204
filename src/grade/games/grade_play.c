#include "grade/games/grade_play.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "match/referee.h"

#define OPPONENT "opponent"
#define MOST_MOVE 31
#define MOST_SQUARES 1024 /* of any board; points of larger ones are not counted */

/* -- who sits at the table -- */

/* The player inside sortie, as it is in matches, but for the clock: only the program is timed. */
struct player {
    const struct player_kind *kind;
    struct player *inner; /* owned */
    const atomic_bool *stop;
};

static struct player *opponent_create(const struct player_spec *spec, const atomic_bool *stop) {
    struct player *player = calloc(1, sizeof *player);
    if (player) {
        player->kind = spec->kind;
        player->stop = stop;
        player->inner = spec->kind->create(spec);
    }
    return player;
}

static void opponent_destroy(struct player *player) {
    if (player && player->inner) {
        player->kind->destroy(player->inner);
    }
    free(player);
}

static void opponent_begin(struct player *player, const struct player_game *about, struct player_answer *answer) {
    struct player_game own = *about;
    own.time = (struct player_time){.clock = PLAYER_CLOCK_NONE};
    own.stop = player->stop;
    player->kind->begin(player->inner, &own, answer);
}

static enum status opponent_choose(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                                   struct error *error) {
    struct player_turn own = *turn;
    own.seconds_left = 0;
    own.seconds_move = 0;
    enum status status = player->kind->choose(player->inner, &own, answer, error);
    answer->wall_seconds = 0;
    answer->cpu_seconds = 0;
    return status;
}

static void opponent_end(struct player *player, struct text *errors) {
    player->kind->end(player->inner, errors);
}

static const struct player_kind opponent_kind = {
    .name = OPPONENT,
    .begin = opponent_begin,
    .choose = opponent_choose,
    .end = opponent_end,
};

/* The program is a course's program as in matches. What it may see is shown already. */
static struct player_kind program_kind(void) {
    struct player_kind kind = player_program;
    kind.needs_warden = false;
    return kind;
}

/* How the program is called, and what it is asked where the course has tasks and depths. */
static enum status describe_program(const struct grade_play *play, struct player_spec *spec, struct error *error) {
    const struct course_player *asked = &play->request->players[0];
    const char *end = play->command;
    while (*end) {
        end += strlen(end) + 1;
    }
    size_t length = (size_t)(end - play->command) + 1;
    *spec = (struct player_spec){.kind = &player_program, .name = "program"};
    if (length > sizeof spec->command) {
        return error_machine(error, "the command of a program that plays is longer than %zu bytes",
                             sizeof spec->command - 1);
    }
    memcpy(spec->command, play->command, length);
    if (asked->method != SEARCH_ENGINE) {
        spec->task = 1 + (int)asked->method;
        spec->depth = asked->depth;
    }
    return STATUS_OK;
}

/* -- the start -- */

static void add_move(struct text *moves, const char *move) {
    text_add_string(moves, moves->length ? ";" : "");
    text_add_string(moves, move);
}

/* Plays some random moves from the start, but never the last one; their names go to `moves`, how many is returned. */
static int open_game(const struct game *game, struct game_position *position, int count, struct rng *rng,
                     game_move *moves, struct text *names) {
    struct game_undo undo;
    int played = 0;
    for (bool going = true; played < count && going;) {
        char name[32];
        game_move move = moves[rng_below(rng, (uint32_t)game->moves(position, moves))];
        game->move_text(position, move, name);
        game->play(position, move, &undo);
        going = !game->over(position);
        if (going) {
            add_move(names, name);
            played++;
        } else {
            game->undo(position, &undo);
        }
    }
    return played;
}

/* -- one game -- */

void grade_points_of(const struct game *game, const struct game_position *position, int points[2]) {
    struct game_shape shape = game_shape(game, position);
    int squares = shape.rows * shape.columns;
    uint8_t inks[MOST_SQUARES];
    int32_t values[MOST_SQUARES];
    points[0] = points[1] = 0;
    if (squares > MOST_SQUARES) {
        return;
    }
    game_inks(game, position, inks);
    bool weighed = game->properties->shows & GAME_SHOWS_VALUES;
    if (weighed) {
        game_values(game, position, values);
    }
    for (int i = 0; i < squares; i++) {
        int worth = weighed ? values[i] : 1;
        bool first = inks[i] == GAME_INK_FIRST || inks[i] == GAME_INK_FIRST_FIELD || inks[i] == GAME_INK_BOTH_FIELD;
        bool second = inks[i] == GAME_INK_SECOND || inks[i] == GAME_INK_SECOND_FIELD || inks[i] == GAME_INK_BOTH_FIELD;
        points[0] += first ? worth : 0;
        points[1] += second ? worth : 0;
    }
}

/* The side that begins after so many random moves; nobody passes in a course's games. */
static int first_side(const struct course_request *request, int opened) {
    return (request->game->to_move(request->position) + opened) % 2;
}

int grade_side(const struct course_request *request, const struct grade_fact *fact) {
    int first = first_side(request, fact->opened);
    return fact->second ? 1 - first : first;
}

/* What the games of a case share. */
struct series {
    const struct grade_play *play;
    struct plan plan;
    struct player_spec specs[2]; /* the program, the opponent */
    struct player_kind program;
    struct referee_seat seats[2]; /* in the same order */
    struct game_position *position;
    game_move *moves;
    struct grade_played *played;
};

/* A ply of a replay: the points as they stand. */
static void note_points(void *user, const struct grade_ply *ply) {
    struct series *series = user;
    memcpy(series->position, ply->position, series->plan.game->properties->position_size);
}

/* Writes down what the referee says of a game; `side` is the program's, `opening` holds the random moves. */
static enum status keep(struct series *series, const struct record *record, int side, int opened, struct text *opening,
                        struct error *error) {
    struct grade_played *played = series->played;
    int points[2] = {0, 0};
    if (record->moves.length) {
        add_move(opening, text_string(&record->moves));
    }
    struct grade_fact fact = {
        .second = side != first_side(series->play->request, opened),
        .end = record->points == 1                    ? GRADE_DRAWN
               : (record->points == 2) == (side == 0) ? GRADE_WON
                                                      : GRADE_LOST,
        .fault = record->loser == side ? record->fault : PLAYER_NO_FAULT,
        .opened = opened,
        .plies = opened + record->plies,
        .slowest = record->slowest[side],
        .seconds = record->wall_seconds[side],
        .detail = text_string(&record->detail),
        .detail_length = record->detail.length,
        .moves = text_string(opening),
        .moves_length = opening->length,
    };
    if (record->loser >= 0 && record->loser != side) {
        return error_machine(error, "the opponent failed: %.150s", text_string(&record->detail));
    }
    if (!grade_replay(series->play->request, &fact, note_points, series)) {
        return error_machine(error, "a game's moves cannot be played again");
    }
    grade_points_of(series->plan.game, series->position, points);
    fact.own = points[side];
    fact.other = points[1 - side];
    grade_facts_add(&played->facts, &fact);
    if (played->errors.length < WARDEN_MOST_ERROR) {
        text_add(&played->errors, text_string(&record->errors[side]), record->errors[side].length);
    }
    played->wall_seconds += record->wall_seconds[side];
    played->cpu_seconds += record->cpu_seconds[side];
    bool broken = opening->broken || played->facts.broken || played->errors.broken;
    return broken ? error_machine(error, "out of memory") : STATUS_OK;
}

static enum status play_one(struct series *series, int number, struct error *error) {
    const struct grade_game *rules = series->play->game;
    const struct game *game = series->plan.game;
    bool both = rules->begins == GRADE_BOTH_BEGIN;
    bool opponent_first = both ? number % 2 == 1 : rules->begins == GRADE_OPPONENT_BEGINS;
    int start = both ? number / 2 : number; /* a start is played from both sides */
    struct rng rng = {rng_mix(rules->seed ^ rng_mix((uint64_t)start))};
    struct text names = TEXT_EMPTY;
    struct text opening = TEXT_EMPTY;
    struct record record = {0};
    memcpy(series->position, series->play->request->position, game->properties->position_size);
    int opened = open_game(game, series->position, rules->random_moves, &rng, series->moves, &names);
    int first = first_side(series->play->request, opened);
    int side = opponent_first ? 1 - first : first;
    game->write(series->position, &opening);
    char *openings[] = {opening.data};
    series->plan.openings = openings;
    series->plan.opening_count = 1;
    struct plan_game about = {.index = number, .players = {side == 0 ? 0 : 1, side == 0 ? 1 : 0}};
    struct referee_seat seats[2] = {series->seats[about.players[0]], series->seats[about.players[1]]};
    enum status status = opening.broken || names.broken
                             ? error_machine(error, "out of memory")
                             : referee_play(&series->plan, &about, seats, NULL, &record, error);
    if (status == STATUS_OK) {
        status = keep(series, &record, side, opened, &names, error);
    }
    record_free(&record);
    text_free(&names);
    text_free(&opening);
    return status;
}

/* -- all of them -- */

static enum status play_series(struct series *series, struct error *error) {
    const struct grade_play *play = series->play;
    enum status status = STATUS_OK;
    for (int i = 0; i < play->game->games && status == STATUS_OK; i++) {
        if (play->stop && atomic_load(play->stop)) {
            return error_machine(error, "stopped");
        }
        status = play_one(series, i, error);
    }
    return status;
}

enum status grade_play(const struct grade_play *play, struct grade_played *played, struct error *error) {
    const struct game *game = play->request->game;
    struct series *series = calloc(1, sizeof *series);
    if (!series) {
        return error_machine(error, "out of memory");
    }
    *series = (struct series){
        .play = play,
        .plan = {.game = game,
                 .variant = game->variant(play->request->position),
                 .players = series->specs,
                 .player_count = 2,
                 .seed = play->game->seed,
                 .games = play->game->games,
                 .time = play->time,
                 .limits = play->limits},
        .specs[1] = play->game->opponent,
        .program = program_kind(),
        .position = malloc(game->properties->position_size),
        .moves = malloc((size_t)game->properties->most_moves * sizeof(game_move)),
        .played = played,
    };
    enum status status = describe_program(play, &series->specs[0], error);
    if (status == STATUS_OK) {
        series->seats[0] = (struct referee_seat){
            .kind = &series->program, .player = player_program.create(&series->specs[0]), .warden = play->warden};
        series->seats[1] =
            (struct referee_seat){.kind = &opponent_kind, .player = opponent_create(&series->specs[1], play->stop)};
        bool ready = series->position && series->moves && series->seats[0].player && series->seats[1].player &&
                     series->seats[1].player->inner;
        status = ready ? play_series(series, error) : error_machine(error, "out of memory");
        player_program.destroy(series->seats[0].player);
        opponent_destroy(series->seats[1].player);
    }
    free(series->position);
    free(series->moves);
    free(series);
    return status;
}

/* -- once more -- */

bool grade_replay(const struct course_request *request, const struct grade_fact *fact,
                  void (*each)(void *user, const struct grade_ply *ply), void *user) {
    const struct game *game = request->game;
    struct game_position *position = malloc(game->properties->position_size);
    if (!position) {
        return false;
    }
    memcpy(position, request->position, game->properties->position_size);
    int side = grade_side(request, fact);
    each(user, &(struct grade_ply){.position = position});
    const char *at = fact->moves;
    const char *end = at + fact->moves_length;
    bool well = true;
    for (int number = 1; at < end && well; number++) {
        const char *stop = memchr(at, ';', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        game_move move;
        char name[MOST_MOVE + 1] = "";
        struct game_undo undo;
        well = length <= MOST_MOVE && !game->over(position) &&
               game->parse_move(position, at, length, &move, NULL) == STATUS_OK;
        if (well) {
            memcpy(name, at, length);
            struct grade_ply ply = {.number = number,
                                    .by_program = number > fact->opened && game->to_move(position) == side,
                                    .move = name,
                                    .position = position};
            game->play(position, move, &undo);
            each(user, &ply);
        }
        at += length + (stop != NULL);
    }
    free(position);
    return well;
}
