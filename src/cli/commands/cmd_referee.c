#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean.h"
#include "base/rng.h"
#include "cli/commands.h"
#include "cli/secure.h"
#include "formats/draw.h"
#include "match/teams.h"
#include "protocols/folder/folder_referee.h"
#include "system/file.h"

/* Programs get this many seconds to see end_game and leave. */
#define SGF_FILE "game.sgf"
#define GRACE_SECONDS 2.0

struct hall {
    struct folder_referee referee;
    struct teams teams; /* by player */
    bool launched;
    struct warden_limits limits;
    bool live; /* a board that is drawn over itself: standard output is a terminal */
    bool quiet;
};

/* The board in the terminal, in the place of the last one. */
static void draw_board(const struct hall *hall, const struct folder_game *game, const char *caption) {
    struct text text = TEXT_EMPTY;
    const char *const *teams = hall->referee.teams;
    int first = folder_game_first(game);
    struct text board = TEXT_EMPTY;
    draw_terminal(&gomoku_game, (const struct game_position *)&game->position, true, &board);
    text_addf(&text, "\033[H\033[2JX %s    O %s%s\n\n%s\n%s\n", teams[first], teams[1 - first],
              game->swapped ? "    (the first stone was taken over)" : "", text_string(&board), caption);
    fputs(text_string(&text), stdout);
    fflush(stdout);
    text_free(&board);
    text_free(&text);
}

static void on_move(void *user, const struct folder_game *game, int square, double seconds) {
    const struct hall *hall = user;
    if (hall->quiet) {
        return;
    }
    char name[8];
    char line[FOLDER_MOST_LINE];
    int player = (game->count - 1) % 2;
    gomoku_square_text(FOLDER_SIZE, square, name);
    snprintf(line, sizeof line, "%3d  %s  %-3s  %5.2f s%s", game->count, hall->referee.teams[player], name, seconds,
             game->count == 2 && game->swapped ? "  takes the stone over" : "");
    if (hall->live) {
        draw_board(hall, game, line);
    } else {
        printf("%s\n", line);
        fflush(stdout);
    }
}

static void on_notice(void *user, const char *text) {
    const struct hall *hall = user;
    if (!hall->quiet) {
        struct clean_line line;
        fprintf(stderr, "sortie: referee: %s\n", clean_string(&line, text));
    }
}

static bool is_alive(void *user, int player) {
    struct hall *hall = user;
    return !hall->launched || teams_alive(&hall->teams, player);
}

/* Writes the record to `path`, or into the game's own folder. That one belongs to the players: a link they left there
 * is replaced and never followed. */
static enum status write_sgf(const struct hall *hall, const char *path, const struct folder_game *game,
                             const struct folder_verdict *verdict, struct error *error) {
    struct text text = TEXT_EMPTY;
    folder_sgf_text(hall->referee.teams, game, verdict, &text);
    enum status status = text.broken ? error_machine(error, "out of memory")
                         : path      ? file_write(path, text_string(&text), text.length, error)
                                     : folder_put(hall->referee.folder, SGF_FILE, text_string(&text), error);
    text_free(&text);
    return status;
}

/* Runs the game and what belongs to it; the programs are ended whatever happens. */
static int play(struct hall *hall, const char *path, const char *sgf) {
    struct folder_game game;
    struct folder_verdict verdict;
    struct error error = {0};
    enum status status = STATUS_OK;
    folder_referee_clean(&hall->referee); /* before the programs can be misled by old files */
    if (hall->launched) {
        status = teams_start(&hall->teams, hall->referee.folder, hall->referee.teams, &hall->limits, &error);
    }
    if (status == STATUS_OK) {
        status = folder_referee_play(&hall->referee, &game, &verdict, &error);
    }
    if (hall->launched) {
        teams_end(&hall->teams, status == STATUS_OK ? GRACE_SECONDS : 0);
    }
    if (status != STATUS_OK) {
        return cli_fail(path, &error, status);
    }
    char end[2 * FOLDER_MOST_LINE];
    folder_end_text(hall->referee.teams, &verdict, end);
    printf("%s", end);
    if (verdict.detail[0] && !hall->quiet) {
        struct clean_line detail;
        printf("(%s)\n", clean_string(&detail, verdict.detail));
    }
    status = write_sgf(hall, sgf, &game, &verdict, &error);
    return status == STATUS_OK ? 0 : cli_fail(sgf ? sgf : SGF_FILE, &error, status);
}

/* 0 or 1: who begins. */
static int draw_first(const char *first, char *const teams[2], bool *good) {
    *good = true;
    if (!first) {
        struct rng rng = {(uint64_t)folder_now() ^ (uint64_t)getpid() << 40};
        return (int)rng_below(&rng, 2);
    }
    *good = strcmp(first, teams[0]) == 0 || strcmp(first, teams[1]) == 0;
    return strcmp(first, teams[1]) == 0;
}

/* Two names that can be told apart and be parts of file names; 0, or the exit status. */
static int check_teams(char **teams) {
    for (int i = 0; i < 2; i++) {
        if (!folder_good_team(teams[i])) {
            return cli_usage("referee: expected a team name without blanks and slashes, found '%s'", teams[i]);
        }
    }
    return strcmp(teams[0], teams[1]) ? 0
                                      : cli_usage("referee: expected two different teams, found '%s' twice", teams[0]);
}

static int run(const struct cli_command *command, int argc, char **argv) {
    const char *path = ".";
    const char *first = NULL;
    const char *sgf = NULL;
    bool polling = false;
    bool quirks = false;
    bool unsafe = false;
    size_t memory = warden_usual_limits.memory_bytes;
    struct hall hall = {.referee = {.limit = 10, .pause = 0.1}, .limits = warden_usual_limits};
    const struct cli_option table[] = {
        {"folder", 'f', CLI_STRING, &path, "DIR", "where the game is played (default: the current folder)", 0, 0},
        {"time", 't', CLI_SECONDS, &hall.referee.limit, "SECONDS", "the limit for a move (default 10)", 0, 0},
        {"first", 0, CLI_STRING, &first, "TEAM", "who begins (default: by chance)", 0, 0},
        {"launch", 'l', CLI_FLAG, &hall.launched, NULL, "start CMD1 and CMD2 too, in DIR, and end them with the game",
         0, 0},
        {"memory", 0, CLI_SIZE, &memory, "SIZE", "memory of a launched program (default 2G)", 0, 0},
        {"processes", 0, CLI_INT, &hall.limits.processes, "COUNT", "processes of a launched program (default 64)", 1,
         1000},
        {"unsafe", 0, CLI_FLAG, &unsafe, NULL, "launch programs even where there is no sandbox for them", 0, 0},
        {"sgf", 0, CLI_STRING, &sgf, "FILE", "where the record goes (default: game.sgf in DIR)", 0, 0},
        {"pause", 0, CLI_SECONDS, &hall.referee.pause, "SECONDS", "rest between turns (default 0.1)", 0, 0},
        {"quirks", 0, CLI_FLAG, &quirks, NULL, "see rows of five as the course's public referee does, faults included",
         0, 0},
        {"polling", 0, CLI_FLAG, &polling, NULL, "look at the folder again and again; no inotify", 0, 0},
        {"quiet", 'q', CLI_FLAG, &hall.quiet, NULL, "print the result alone", 0, 0},
        {0},
    };
    int operands;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (operands != (hall.launched ? 4 : 2)) {
        return cli_usage("referee: expected two team names%s, found %d words", hall.launched ? " and two commands" : "",
                         operands);
    }
    exit_status = check_teams(argv);
    if (exit_status) {
        return exit_status;
    }
    bool good;
    int begins = draw_first(first, argv, &good);
    if (!good) {
        return cli_usage("referee: expected '%s' or '%s' after --first, found '%s'", argv[0], argv[1], first);
    }
    exit_status = hall.launched ? cli_secure(unsafe) : 0;
    if (exit_status != 0) {
        return exit_status;
    }
    struct folder folder = {.directory = -1, .notify = -1};
    struct error error = {0};
    enum status status = STATUS_OK;
    if (hall.launched) {
        hall.limits.memory_bytes = memory;
        status = teams_prepare(&hall.teams, path, (const char *[2]){argv[begins], argv[1 - begins]},
                               (const char *[2]){argv[2 + begins], argv[3 - begins]}, &error);
    }
    if (status == STATUS_OK) {
        status = folder_open(&folder, path, polling, &error);
    }
    if (status != STATUS_OK) {
        if (hall.launched) {
            teams_end(&hall.teams, 0);
        }
        return cli_fail(path, &error, status);
    }
    hall.referee.folder = &folder;
    hall.referee.rules = quirks ? FOLDER_COURSE_RULES : FOLDER_RIGHT_RULES;
    hall.referee.teams[0] = argv[begins];
    hall.referee.teams[1] = argv[1 - begins];
    hall.referee.stop = &cli_control()->stop;
    hall.referee.moved = on_move;
    hall.referee.noticed = on_notice;
    hall.referee.alive = hall.launched ? is_alive : NULL;
    hall.referee.user = &hall;
    hall.live = isatty(STDOUT_FILENO) && !hall.quiet;
    exit_status = play(&hall, path, sgf);
    folder_close(&folder);
    return exit_status;
}

const struct cli_command cli_referee = {
    .name = "referee",
    .summary = "run a game of Gomoku between two programs through a folder",
    .usage = "TEAM1 TEAM2 [--folder DIR] [--time SECONDS] [--first TEAM] [--launch CMD1 CMD2]",
    .details =
        "Plays by the course's protocol: move_file, TEAM.go, end_game, history_file. The second player may take the\n"
        "first stone over by playing its square. A game is lost by five of the other side, an invalid square, more\n"
        "than the limit, or a move out of turn. The game is recorded as SGF. With --launch, two more words are\n"
        "commands, run in DIR, each in a sandbox: they see the files the command names and may write DIR alone. What\n"
        "they print goes to TEAM1.log and TEAM2.log there. The word TEAM in a command stands for the team's name.\n",
    .example =
        "  mkdir -p game\n"
        "  sortie referee A B --folder game --time 1 --launch 'sortie agent A --time 1' 'sortie agent B --time 1'\n",
    .run = run,
};
