/* A Gomocup brain as a player: a process that lives for one game and is spoken to through pipes, one command a
 * line (START, INFO, BEGIN, BOARD, TURN, END); its answer to a turn is "x,y". */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/stopwatch.h"
#include "games/gomoku/rules/gomoku.h"
#include "players/player.h"
#include "players/player_prepare.h"

/* How long a brain may take to load before the game. */
#define START_SECONDS 20.0
/* Beyond the limit of a move the answer is still waited for, so that a hair's breadth is judged by the measured
 * time. */
#define LATE_SECONDS 0.05
/* Some brains lose a command that comes while they still finish the last one. */
#define PAUSE_SECONDS 0.02
#define MOST_LINE 4096

struct player {
    const struct player_spec *spec;
    struct player_prepared prepared;
    struct player_game game;
    bool open;
    int to;
    int from;
    bool told; /* the brain knows the position */
    double answered;
    uint64_t heard; /* bytes of this game */
    size_t filled;
    char buffer[MOST_LINE]; /* what came in and is not yet taken as a line */
};

static struct player *create(const struct player_spec *spec) {
    struct player *player = calloc(1, sizeof *player);
    if (player) {
        player->spec = spec;
    }
    return player;
}

static void destroy(struct player *player) {
    if (player) {
        player_prepared_free(&player->prepared);
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

static void fault(struct player_answer *answer, enum player_fault kind, const char *detail) {
    if (answer->fault == PLAYER_NO_FAULT) {
        answer->fault = kind;
        snprintf(answer->detail, sizeof answer->detail, "%.190s", detail);
    }
}

/* Sends commands, as long as it is not later than `until`: a brain may have filled its own input and read nothing. One
 * that is gone shows when its answer is read. */
static void say(struct player *player, const struct text *commands, double until, struct player_answer *answer) {
    const char *at = text_string(commands);
    size_t left = commands->length;
    while (left > 0) {
        ssize_t put = write(player->to, at, left);
        if (put > 0) {
            at += put;
            left -= (size_t)put;
        } else if (put < 0 && errno == EAGAIN) {
            double wait = until - clock_wall();
            struct pollfd ready = {.fd = player->to, .events = POLLOUT};
            if (wait <= 0 || poll(&ready, 1, (int)(wait * 1e3) + 1) == 0) {
                fault(answer, PLAYER_LATE, "does not read its input");
                return;
            }
        } else if (put == 0 || errno != EINTR) {
            return;
        }
    }
}

/* Takes one line off what has come in; false when there is no whole one. A line that fills the whole buffer is
 * cut there. */
static bool take_line(struct player *player, char line[MOST_LINE]) {
    char *stop = memchr(player->buffer, '\n', player->filled);
    size_t length = stop ? (size_t)(stop - player->buffer) : player->filled;
    if (!stop && player->filled < sizeof player->buffer - 1) {
        return false;
    }
    memcpy(line, player->buffer, length);
    line[length] = '\0';
    line[strcspn(line, "\r")] = '\0';
    size_t used = stop ? length + 1 : length;
    memmove(player->buffer, player->buffer + used, player->filled - used);
    player->filled -= used;
    return true;
}

static bool begins(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

/* Waits until `until` for a line that is an answer; messages for people are passed over. */
static bool hear(struct player *player, double until, char line[MOST_LINE], struct player_answer *answer) {
    for (;;) {
        while (take_line(player, line)) {
            if (line[0] != '\0' && !begins(line, "MESSAGE") && !begins(line, "DEBUG")) {
                return true;
            }
        }
        double left = until - clock_wall();
        struct pollfd ready = {.fd = player->from, .events = POLLIN};
        int count = left > 0 ? poll(&ready, 1, (int)(left * 1e3) + 1) : 0;
        if (count == 0) {
            fault(answer, PLAYER_LATE, "no answer in time");
            return false;
        }
        ssize_t got =
            count > 0 ? read(player->from, player->buffer + player->filled, sizeof player->buffer - 1 - player->filled)
                      : -1;
        /* EAGAIN: the brain itself has taken out again what it wrote. */
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
            fault(answer, PLAYER_CRASHED, "the brain ended during the game");
            return false;
        }
        if (got > 0) {
            player->filled += (size_t)got;
            player->heard += (uint64_t)got;
        }
        if (player->heard > player->game.limits.output_bytes) {
            fault(answer, PLAYER_FLOODED, "wrote more than is allowed");
            return false;
        }
    }
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
    text_addf(commands, "INFO game_type 1\nINFO rule %d\n", gomoku_game.variant(start) == GOMOKU_EXACT ? 1 : 0);
    text_addf(commands, "INFO folder %s\n", warden_folder(player->game.warden));
}

static void begin(struct player *player, const struct player_game *game, struct player_answer *answer) {
    const char *words[128];
    char line[MOST_LINE];
    struct error error = {0};
    struct text commands = TEXT_EMPTY;
    player->game = *game;
    player->told = false;
    player->heard = 0;
    player->filled = 0;
    player->answered = 0;
    player_command(player->spec, words, 127);
    signal(SIGPIPE, SIG_IGN);
    struct warden_limits limits = game->limits;
    if (!player_prepare(&player->prepared, player->spec, game, answer)) {
        return;
    }
    if (warden_open(game->warden, words, &limits, &player->to, &player->from, &error) != STATUS_OK) {
        fault(answer, PLAYER_NOT_STARTED, error.text);
        return;
    }
    player->open = true;
    add_start(player, &commands);
    double until = clock_wall() + START_SECONDS;
    say(player, &commands, until, answer);
    text_free(&commands);
    if (hear(player, until, line, answer) && !begins(line, "OK")) {
        fault(answer, PLAYER_BAD_ANSWER, line);
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
            text_addf(commands, "%d,%d,%d\n", square % size, square / size, i % 2 == player->game.side ? 1 : 2);
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
        fault(answer, PLAYER_BAD_ANSWER, line);
    } else if (column < 0 || column >= size || row < 0 || row >= size ||
               !player->game.game->legal(turn->position, (game_move)(row * size + column))) {
        fault(answer, PLAYER_ILLEGAL, line);
    } else {
        answer->move = (game_move)(row * size + column);
    }
}

static enum status choose(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                          struct error *error) {
    (void)error;
    char line[MOST_LINE];
    struct text commands = TEXT_EMPTY;
    double pause = player->answered + PAUSE_SECONDS - clock_wall();
    if (pause > 0) {
        struct timespec moment = {0, (long)(pause * 1e9)};
        nanosleep(&moment, NULL);
    }
    add_turn(player, turn, &commands);
    bool by_cpu = player->game.time.clock == PLAYER_CLOCK_CPU;
    double cpu = warden_cpu(player->game.warden);
    double wall = clock_wall();
    double limit = turn->seconds_move + (by_cpu ? player->game.time.grace : player->game.time.margin + LATE_SECONDS);
    say(player, &commands, wall + limit, answer);
    text_free(&commands);
    if (hear(player, wall + limit, line, answer)) {
        parse_answer(player, turn, line, answer);
    }
    player->answered = clock_wall();
    answer->wall_seconds = player->answered - wall;
    double cpu_now = warden_cpu(player->game.warden);
    answer->cpu_seconds = cpu_now > cpu ? cpu_now - cpu : 0;
    return STATUS_OK;
}

static void end(struct player *player, struct text *errors) {
    if (!player->open) {
        return;
    }
    struct text commands = TEXT_EMPTY;
    struct warden_report report;
    struct player_answer ignored = {0};
    text_add_string(&commands, "END\n");
    say(player, &commands, 0, &ignored);
    text_free(&commands);
    close(player->to);
    close(player->from);
    warden_close(player->game.warden, 0.5, &report, errors, NULL);
    player->open = false;
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
