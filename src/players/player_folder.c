/* A program that plays Gomoku through a referee's folder, as a player of a match. It runs for a whole game in a folder
 * of its own and believes to play against a team called "other"; the match hands it the other side's moves.
 *
 * It plays as the team of the player's name, or that of the option team=; the word TEAM in its command stands for it.
 * In a match without the swap a program that takes the first stone over loses by an illegal move. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "players/player.h"
#include "players/player_prepare.h"
#include "protocols/folder/folder_referee.h"

#define USUAL_SECONDS 10.0 /* the course's limit, where the match sets none */
#define GRACE_SECONDS 1.0  /* for leaving once end_game is there */
#define OTHER "other"

struct player {
    const struct player_spec *spec;
    struct player_prepared prepared;
    struct player_game game;
    struct folder folder; /* open during a game */
    struct folder_referee referee;
    struct folder_game state;
    atomic_bool never; /* nobody stops a turn from outside */
    int to_program;    /* its pipes; -1 when it does not run */
    int from_program;
};

/* What the program calls itself. */
static const char *team_of(const struct player_spec *spec) {
    return spec->team[0] ? spec->team : spec->name;
}

static struct player *create(const struct player_spec *spec) {
    struct player *player = calloc(1, sizeof *player);
    if (player) {
        player->spec = spec;
        player->to_program = player->from_program = -1;
        player->folder.directory = player->folder.notify = -1;
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
    (void)time;
    if (game != &gomoku_game || variant != GOMOKU_FREESTYLE || size != FOLDER_SIZE) {
        return error_at(error, 0, 0, "player '%s': the referee's folder is for gomoku freestyle 15x15 only",
                        spec->name);
    }
    if (!folder_good_team(team_of(spec)) || strcmp(team_of(spec), OTHER) == 0) {
        return error_at(error, 0, 0, "player '%s': expected a name without blanks and slashes, not '" OTHER "'",
                        spec->name);
    }
    return STATUS_OK;
}

/* Throws away what the program prints, so that it never waits for a reader; false once it has closed its end. */
static bool drain(void *user, int side) {
    (void)side;
    struct player *player = user;
    char bytes[4096];
    for (;;) {
        ssize_t got = read(player->from_program, bytes, sizeof bytes);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return got != 0 && errno == EAGAIN;
        }
    }
}

static void fault(struct player_answer *answer, enum player_fault kind, const char *text) {
    answer->fault = kind;
    snprintf(answer->detail, sizeof answer->detail, "%.190s", text);
}

static void begin(struct player *player, const struct player_game *game, struct player_answer *answer) {
    struct error error = {0};
    struct warden_limits limits = game->limits;
    const char *words[128 + 1];
    player->game = *game;
    if (gomoku_const(game->start)->count > 0) {
        fault(answer, PLAYER_NOT_STARTED, "the referee's folder begins with an empty board");
        return;
    }
    player_command(player->spec, words, 128);
    for (int i = 0; words[i]; i++) {
        words[i] = strcmp(words[i], "TEAM") == 0 ? team_of(player->spec) : words[i];
    }
    limits.wall_seconds = 0; /* of a move, judged turn by turn */
    limits.cpu_seconds = 0;
    folder_game_start(&player->state, FOLDER_RIGHT_RULES);
    if (!player_prepare(&player->prepared, player->spec, game, answer)) {
        return;
    }
    if (folder_open(&player->folder, warden_path(game->warden), false, &error) != STATUS_OK ||
        warden_open(game->warden, words, &limits, &player->to_program, &player->from_program, &error) != STATUS_OK) {
        fault(answer, PLAYER_NOT_STARTED, error.text);
        return;
    }
    player->referee = (struct folder_referee){.folder = &player->folder, .stop = &player->never, .user = player};
    player->referee.alive = drain;
    player->referee.teams[game->side] = team_of(player->spec);
    player->referee.teams[1 - game->side] = OTHER;
}

/* What a lost turn is called in a match. */
static enum player_fault fault_of(const char *reason) {
    return strcmp(reason, "out of time") == 0     ? PLAYER_LATE
           : strcmp(reason, "invalid move") == 0  ? PLAYER_ILLEGAL
           : strcmp(reason, "program ended") == 0 ? PLAYER_NO_ANSWER
                                                  : PLAYER_BAD_ANSWER;
}

static enum status choose(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                          struct error *error) {
    struct folder_verdict verdict = {0};
    struct folder_game *state = &player->state;
    double cpu = warden_cpu(player->game.warden);
    if (state->count < turn->plies + turn->swapped) { /* what the other side did */
        bool took_over = turn->swapped && turn->plies == 1;
        folder_game_play(state, took_over ? state->squares[0] : (int)turn->moves[turn->plies - 1]);
    }
    player->referee.limit = turn->seconds_move > 0 ? turn->seconds_move : USUAL_SECONDS;
    enum folder_outcome outcome = folder_referee_turn(&player->referee, state, &verdict, &answer->wall_seconds, error);
    double used = warden_cpu(player->game.warden) - cpu;
    answer->cpu_seconds = used > 0 ? used : 0;
    if (outcome == FOLDER_BROKEN) {
        /* Nobody but the program itself can have spoilt its folder. */
        fault(answer, PLAYER_BAD_ANSWER, error->text);
    } else if (outcome == FOLDER_DECIDED) {
        char text[300];
        snprintf(text, sizeof text, "%s%s%s", verdict.reason, verdict.detail[0] ? ": " : "", verdict.detail);
        fault(answer, fault_of(verdict.reason), text);
    } else if (state->swapped && !turn->swapped && turn->may_swap) {
        answer->swap = true;
    } else if (state->swapped && !turn->swapped) {
        fault(answer, PLAYER_ILLEGAL, "took the first stone over; this match has no swap");
    } else {
        answer->move = state->squares[state->count - 1];
    }
    return STATUS_OK;
}

static void end(struct player *player, struct text *errors) {
    struct error error = {0};
    struct warden_report report;
    /* The program only needs to learn that it is over; who won is the match's business. */
    struct folder_verdict verdict = {.winner = -1, .reason = "the match goes on"};
    if (player->from_program >= 0) {
        folder_referee_end(&player->referee, &player->state, &verdict, &error);
        close(player->to_program);
        close(player->from_program);
        player->to_program = player->from_program = -1;
        warden_close(player->game.warden, GRACE_SECONDS, &report, errors, &error);
    }
    folder_close(&player->folder);
}

const struct player_kind player_folder = {
    .name = "folder",
    .usage = "NAME=folder:COMMAND: a program that plays Gomoku through a referee's folder, as team NAME",
    .needs_warden = true,
    .has_command = true,
    .empty_start = true,
    .swaps = true,
    .check = check,
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .choose = choose,
    .end = end,
};
