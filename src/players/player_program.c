/* A course's program as a player: for every move it is started anew in a scratch folder, finds input.txt there
 * and must leave its answer in time. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "players/course_turn.h"
#include "players/player.h"
#include "players/player_prepare.h"

/* No right answer is longer: 26 rows of 26 squares and a move. */
#define MOST_ANSWER 4096
/* What a program is told and allowed where the match sets no limit at all. */
#define USUAL_SECONDS 60.0

struct player {
    const struct player_spec *spec;
    struct player_prepared prepared;
    const struct course_format *course;
    struct player_game game;
    struct text errors; /* its standard error over the whole game */
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
        text_free(&player->errors);
        player_prepared_free(&player->prepared);
    }
    free(player);
}

static enum status check(const struct player_spec *spec, const struct game *game, int variant, int size,
                         const struct player_time *time, struct error *error) {
    (void)time;
    const struct course_format *course = course_format_of(game, variant);
    if (!course) {
        return error_at(error, 0, 0, "player '%s': no course plays %s by files", spec->name, game->properties->name);
    }
    if (course->only_size && size != course->only_size) {
        return error_at(error, 0, 0, "player '%s': the %s has boards of size %d only", spec->name, course->title,
                        course->only_size);
    }
    return STATUS_OK;
}

static void begin(struct player *player, const struct player_game *game, struct player_answer *answer) {
    player->game = *game;
    player->course = course_format_of(game->game, game->game->variant(game->start));
    player->errors.length = 0;
    player_prepare(&player->prepared, player->spec, game, answer);
}

/* The time limits of one run: a little beyond what is allowed, so that who is late by a hair is judged by the
 * measured time and not by the kill. */
static void set_limits(const struct player *player, const struct player_turn *turn, struct warden_limits *limits) {
    const struct player_time *time = &player->game.time;
    double seconds = turn->seconds_move > 0 ? turn->seconds_move : USUAL_SECONDS;
    *limits = player->game.limits;
    if (time->clock == PLAYER_CLOCK_CPU) {
        limits->cpu_seconds = seconds + time->margin;
        limits->wall_seconds = seconds + time->grace;
    } else {
        limits->wall_seconds = seconds + time->margin + 0.01;
    }
}

static void judge_end(const struct warden_report *report, bool answered, struct player_answer *answer) {
    size_t size = sizeof answer->detail;
    switch (report->end) {
    case WARDEN_SIGNALLED:
        answer->fault = PLAYER_CRASHED;
        snprintf(answer->detail, size, "killed by signal %d (%s)", report->code, strsignal(report->code));
        break;
    case WARDEN_TIMEOUT:
        answer->fault = PLAYER_LATE;
        snprintf(answer->detail, size, "stopped after %.2f s (%.2f s CPU)", report->wall_seconds, report->user_seconds);
        break;
    case WARDEN_FLOODED:
        answer->fault = PLAYER_FLOODED;
        snprintf(answer->detail, size, "wrote more than is allowed");
        break;
    case WARDEN_FORKED:
        answer->fault = PLAYER_FORKED;
        snprintf(answer->detail, size, "started more processes than is allowed");
        break;
    case WARDEN_MEMORY:
        answer->fault = PLAYER_CRASHED;
        snprintf(answer->detail, size, "used more memory than is allowed");
        break;
    case WARDEN_NOT_STARTED:
        answer->fault = PLAYER_NOT_STARTED;
        snprintf(answer->detail, size, "cannot be started: %s", strerror(report->code));
        break;
    case WARDEN_EXITED:
    case WARDEN_KILLED:
        /* A failure status is forgiven when the answer is there: C programs without a return value have one. */
        if (!answered && report->code != 0) {
            answer->fault = PLAYER_CRASHED;
            snprintf(answer->detail, size, "ended with status %d and wrote no answer", report->code);
        }
        break;
    }
}

static enum status choose(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                          struct error *error) {
    const struct course_format *course = player->course;
    struct warden *warden = player->game.warden;
    struct warden_limits limits;
    struct warden_report report;
    struct text text = TEXT_EMPTY;
    const char *words[128 + 3];
    int depth = player->spec->depth ? player->spec->depth : 3;
    int task = player->spec->task ? player->spec->task : 3;
    player_command(player->spec, words, 128);
    if (course->input_argument) {
        int count = 0;
        while (words[count]) {
            count++;
        }
        words[count] = "-i";
        words[count + 1] = COURSE_INPUT_FILE;
        words[count + 2] = NULL;
    }
    set_limits(player, turn, &limits);
    double told = turn->seconds_left > 0 ? turn->seconds_left : turn->seconds_move;
    struct course_question question = {
        .seconds = told > 0 ? told : USUAL_SECONDS, .task = task, .depth = depth, .fixed = player->spec->depth > 0};
    course->ask(turn->position, &question, &text);
    warden_remove(warden, course->answer_file);
    struct error full = {0};
    if (text.broken) {
        return error_machine(error, "out of memory");
    }
    if (warden_put(warden, COURSE_INPUT_FILE, text_string(&text), text.length, &full) != STATUS_OK) {
        answer->fault = PLAYER_FLOODED; /* it has filled its folder */
        snprintf(answer->detail, sizeof answer->detail, "%.190s", full.text);
        text_free(&text);
        return STATUS_OK;
    }
    struct text *errors = player->errors.length < WARDEN_MOST_ERROR ? &player->errors : NULL;
    enum status status = warden_run(warden, words, &limits, &report, errors, error);
    if (status == STATUS_OK) {
        struct error reason = {0};
        text.length = 0;
        enum warden_file file = warden_get(warden, course->answer_file, MOST_ANSWER, &text, &reason);
        answer->wall_seconds = report.wall_seconds;
        answer->cpu_seconds = report.user_seconds;
        status = file == WARDEN_FILE_FAILED ? error_machine(error, "%s", reason.text) : STATUS_OK;
        judge_end(&report, file == WARDEN_FILE_READ, answer);
        if (answer->fault == PLAYER_NO_FAULT && file != WARDEN_FILE_READ) {
            answer->fault = file == WARDEN_FILE_MISSING ? PLAYER_NO_ANSWER : PLAYER_BAD_ANSWER;
            snprintf(answer->detail, sizeof answer->detail, "%.190s", reason.text);
        } else if (answer->fault == PLAYER_NO_FAULT) {
            course_turn_judge(course, player->game.game, turn->position, text_string(&text), text.length, &answer->move,
                              &answer->fault, answer->detail, sizeof answer->detail);
        }
    }
    text_free(&text);
    return status;
}

static void end(struct player *player, struct text *errors) {
    text_add(errors, text_string(&player->errors), player->errors.length);
}

const struct player_kind player_program = {
    .name = "program",
    .usage = "program:COMMAND | program,task=2,depth=3:COMMAND: a course's program (input.txt, output.txt)",
    .needs_warden = true,
    .has_command = true,
    .check = check,
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .choose = choose,
    .end = end,
};
