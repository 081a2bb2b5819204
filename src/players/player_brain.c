/* A Gomocup brain as a player: a process that lives for one game and is spoken to through pipes, one command a
 * line (START, INFO, BEGIN, BOARD, TURN, END); its answer to a turn is "x,y". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/stopwatch.h"
#include "games/gomoku/rules/gomoku.h"
#include "players/player.h"
#include "players/player_pipe.h"

/* How long a brain may take to load before the game. */
#define START_SECONDS 20.0
/* Some brains lose a command that comes while they still finish the last one. */
#define PAUSE_SECONDS 0.02

struct player {
    const struct player_spec *spec;
    struct player_pipe pipe;
    struct player_game game;
    bool told;    /* the brain knows the position */
    bool swapped; /* and whose the first stone is */
    double answered;
};

static struct player *create(const struct player_spec *spec) {
    struct player *player = calloc(1, sizeof *player);
    if (player) {
        player->spec = spec;
        player->pipe.who = "brain";
    }
    return player;
}

static void destroy(struct player *player) {
    if (player) {
        player_pipe_free(&player->pipe);
    }
    free(player);
}

static enum status check(const struct player_spec *spec, const struct game *game, int variant, int size,
                         const struct player_time *time, struct error *error) {
    (void)variant, (void)size;
    if (game != &gomoku_game) {
        return error_at(error, 0, 0, "player '%s': a brain plays Gomoku, give --game gomoku", spec->name);
    }
    if (time->clock == PLAYER_CLOCK_NONE) {
        return error_at(error, 0, 0, "player '%s': a brain needs a clock, for example --time-per-move 1", spec->name);
    }
    return STATUS_OK;
}

static bool begins(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

/* Waits until `until` for a line that is an answer; messages for people are passed over. */
static bool hear(struct player *player, double until, char line[PLAYER_PIPE_MOST_LINE], struct player_answer *answer) {
    while (player_pipe_hear(&player->pipe, until, line, answer)) {
        if (!begins(line, "MESSAGE") && !begins(line, "DEBUG")) {
            return true;
        }
    }
    return false;
}

static void add_start(const struct player *player, struct text *commands) {
    const struct player_time *time = &player->game.time;
    const struct game_position *start = player->game.start;
    double turn = time->per_move > 0 ? time->per_move : time->per_game;
    text_addf(commands, "START %d\n", gomoku_game.size(start));
    text_addf(commands, "INFO timeout_turn %.0f\n", 1e3 * turn);
    text_addf(commands, "INFO timeout_match %.0f\n", 1e3 * time->per_game);
    /* Brains take what they are told for their table alone. */
    text_addf(commands, "INFO max_memory %llu\n", (unsigned long long)player->game.limits.memory_bytes / 4);
    text_addf(commands, "INFO game_type 1\nINFO rule %d\n", gomoku_rule_number(gomoku_game.variant(start)));
    text_addf(commands, "INFO folder %s\n", warden_folder(player->game.warden));
}

static void begin(struct player *player, const struct player_game *game, struct player_answer *answer) {
    char line[PLAYER_PIPE_MOST_LINE];
    struct text commands = TEXT_EMPTY;
    player->game = *game;
    player->told = player->swapped = false;
    player->answered = 0;
    if (!player_pipe_open(&player->pipe, player->spec, &player->game, answer)) {
        return;
    }
    add_start(player, &commands);
    double until = clock_wall() + START_SECONDS;
    player_pipe_say(&player->pipe, &commands, until, answer);
    text_free(&commands);
    if (hear(player, until, line, answer) && !begins(line, "OK")) {
        player_pipe_fault(answer, PLAYER_BAD_ANSWER, line);
    }
}

/* What brings the brain up to date and asks for its move: the last move, or the whole board the first time. */
static void add_turn(struct player *player, const struct player_turn *turn, struct text *commands) {
    const struct gomoku_position *position = gomoku_const(turn->position);
    int size = position->size;
    if (player->game.time.per_game > 0) {
        text_addf(commands, "INFO time_left %.0f\n", 1e3 * turn->seconds_left);
    }
    if (position->count == 0) {
        text_add_string(commands, "BEGIN\n");
    } else if (player->told) {
        int last = (int)turn->moves[turn->plies - 1];
        text_addf(commands, "TURN %d,%d\n", last % size, last / size);
    } else {
        text_add_string(commands, "BOARD\n");
        for (int i = 0; i < position->count; i++) {
            int square = position->order[i];
            text_addf(commands, "%d,%d,%d\n", square % size, square / size,
                      (i + turn->swapped) % 2 == player->game.side ? 1 : 2);
        }
        text_add_string(commands, "DONE\n");
    }
    player->told = true;
}

static void parse_answer(const struct player *player, const struct player_turn *turn, const char *line,
                         struct player_answer *answer) {
    int size = gomoku_game.size(turn->position);
    int column;
    int row;
    char rest;
    if (sscanf(line, "%d , %d %c", &column, &row, &rest) != 2) {
        player_pipe_fault(answer, PLAYER_BAD_ANSWER, line);
    } else if (column < 0 || column >= size || row < 0 || row >= size ||
               !player->game.game->legal(turn->position, (game_move)(row * size + column))) {
        player_pipe_fault(answer, PLAYER_ILLEGAL, line);
    } else {
        answer->move = (game_move)(row * size + column);
    }
}

/* The brain's first stone has become the other side's: it learns the board anew. */
static bool forget_board(struct player *player, struct player_answer *answer) {
    char line[PLAYER_PIPE_MOST_LINE];
    struct text commands = TEXT_EMPTY;
    double until = clock_wall() + START_SECONDS;
    text_add_string(&commands, "RESTART\n");
    player_pipe_say(&player->pipe, &commands, until, answer);
    text_free(&commands);
    if (hear(player, until, line, answer) && !begins(line, "OK")) {
        player_pipe_fault(answer, PLAYER_BAD_ANSWER, line);
    }
    player->told = false;
    player->swapped = true;
    return answer->fault == PLAYER_NO_FAULT;
}

static enum status choose(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                          struct error *error) {
    (void)error;
    char line[PLAYER_PIPE_MOST_LINE];
    struct text commands = TEXT_EMPTY;
    double pause = player->answered + PAUSE_SECONDS - clock_wall();
    if (pause > 0) {
        struct timespec moment = {0, (long)(pause * 1e9)};
        nanosleep(&moment, NULL);
    }
    if (turn->swapped && player->told && !player->swapped && !forget_board(player, answer)) {
        return STATUS_OK;
    }
    add_turn(player, turn, &commands);
    double wall = clock_wall();
    double until = player_pipe_ask(&player->pipe, turn, &commands, answer);
    text_free(&commands);
    if (hear(player, until, line, answer)) {
        parse_answer(player, turn, line, answer);
    }
    player_pipe_measure(&player->pipe, wall, answer);
    player->answered = clock_wall();
    return STATUS_OK;
}

static void end(struct player *player, struct text *errors) {
    player_pipe_close(&player->pipe, "END\n", errors);
}

const struct player_kind player_brain = {
    .name = "brain",
    .usage = "brain:COMMAND: a Gomocup brain",
    .needs_warden = true,
    .has_command = true,
    .check = check,
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .choose = choose,
    .end = end,
};
