#include "players/player_pipe.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/stopwatch.h"

#define LATE_SECONDS 0.05
#define END_SECONDS 0.5

void player_pipe_fault(struct player_answer *answer, enum player_fault fault, const char *detail) {
    if (answer->fault == PLAYER_NO_FAULT) {
        answer->fault = fault;
        snprintf(answer->detail, sizeof answer->detail, "%.190s", detail);
    }
}

bool player_pipe_open(struct player_pipe *pipe, const struct player_spec *spec, const struct player_game *game,
                      struct player_answer *answer) {
    const char *words[128];
    struct error error = {0};
    struct warden_limits limits = game->limits;
    pipe->game = game;
    pipe->heard = 0;
    pipe->filled = 0;
    player_command(spec, words, 127);
    signal(SIGPIPE, SIG_IGN);
    if (!player_prepare(&pipe->prepared, spec, game, answer)) {
        return false;
    }
    if (warden_open(game->warden, words, &limits, &pipe->to, &pipe->from, &error) != STATUS_OK) {
        player_pipe_fault(answer, PLAYER_NOT_STARTED, error.text);
        return false;
    }
    return pipe->open = true;
}

void player_pipe_say(struct player_pipe *pipe, const struct text *commands, double until,
                     struct player_answer *answer) {
    const char *at = text_string(commands);
    size_t left = commands->length;
    while (left > 0) {
        ssize_t put = write(pipe->to, at, left);
        if (put > 0) {
            at += put;
            left -= (size_t)put;
        } else if (put < 0 && errno == EAGAIN) {
            double wait = until - clock_wall();
            struct pollfd ready = {.fd = pipe->to, .events = POLLOUT};
            if (wait <= 0 || poll(&ready, 1, (int)(wait * 1e3) + 1) == 0) {
                player_pipe_fault(answer, PLAYER_LATE, "does not read its input");
                return;
            }
        } else if (put == 0 || errno != EINTR) {
            return;
        }
    }
}

/* Takes one line off what has come in; false when there is no whole one. */
static bool take_line(struct player_pipe *pipe, char line[PLAYER_PIPE_MOST_LINE]) {
    char *stop = memchr(pipe->buffer, '\n', pipe->filled);
    size_t length = stop ? (size_t)(stop - pipe->buffer) : pipe->filled;
    if (!stop && pipe->filled < sizeof pipe->buffer - 1) {
        return false;
    }
    memcpy(line, pipe->buffer, length);
    line[length] = '\0';
    line[strcspn(line, "\r")] = '\0';
    size_t used = stop ? length + 1 : length;
    memmove(pipe->buffer, pipe->buffer + used, pipe->filled - used);
    pipe->filled -= used;
    return true;
}

/* Takes in what is there; false when nothing more will come, or too much has. */
static bool take_more(struct player_pipe *pipe, struct player_answer *answer) {
    ssize_t got = read(pipe->from, pipe->buffer + pipe->filled, sizeof pipe->buffer - 1 - pipe->filled);
    /* EAGAIN: the program itself has taken out again what it wrote. */
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
        char detail[80];
        snprintf(detail, sizeof detail, "the %s ended, or closed its output, during the game", pipe->who);
        player_pipe_fault(answer, PLAYER_CRASHED, detail);
        return false;
    }
    if (got > 0) {
        pipe->filled += (size_t)got;
        pipe->heard += (uint64_t)got;
    }
    if (pipe->heard > pipe->game->limits.output_bytes) {
        player_pipe_fault(answer, PLAYER_FLOODED, "wrote more than is allowed");
        return false;
    }
    return true;
}

bool player_pipe_hear(struct player_pipe *pipe, double until, char line[PLAYER_PIPE_MOST_LINE],
                      struct player_answer *answer) {
    for (;;) {
        while (take_line(pipe, line)) {
            if (line[0] != '\0') {
                return true;
            }
        }
        double left = until - clock_wall();
        struct pollfd ready = {.fd = pipe->from, .events = POLLIN};
        int count = left > 0 ? poll(&ready, 1, (int)(left * 1e3) + 1) : 0;
        if (count == 0) {
            player_pipe_fault(answer, PLAYER_LATE, "no answer in time");
            return false;
        }
        if (count > 0 ? !take_more(pipe, answer) : errno != EINTR) {
            player_pipe_fault(answer, PLAYER_CRASHED, "its pipe cannot be read");
            return false;
        }
    }
}

double player_pipe_ask(struct player_pipe *pipe, const struct player_turn *turn, const struct text *commands,
                       struct player_answer *answer) {
    const struct player_time *time = &pipe->game->time;
    pipe->asked_cpu = warden_cpu(pipe->game->warden);
    double until = clock_wall() + turn->seconds_move +
                   (time->clock == PLAYER_CLOCK_CPU ? time->grace : time->margin + LATE_SECONDS);
    player_pipe_say(pipe, commands, until, answer);
    return until;
}

void player_pipe_measure(struct player_pipe *pipe, double asked_at, struct player_answer *answer) {
    double cpu = warden_cpu(pipe->game->warden);
    answer->wall_seconds = clock_wall() - asked_at;
    answer->cpu_seconds = cpu > pipe->asked_cpu ? cpu - pipe->asked_cpu : 0;
}

void player_pipe_close(struct player_pipe *pipe, const char *last_words, struct text *errors) {
    if (!pipe->open) {
        return;
    }
    struct text commands = TEXT_EMPTY;
    struct warden_report report;
    struct player_answer ignored = {0};
    text_add_string(&commands, last_words);
    player_pipe_say(pipe, &commands, 0, &ignored);
    text_free(&commands);
    close(pipe->to);
    close(pipe->from);
    warden_close(pipe->game->warden, END_SECONDS, &report, errors, NULL);
    pipe->open = false;
}

void player_pipe_free(struct player_pipe *pipe) {
    player_prepared_free(&pipe->prepared);
}
