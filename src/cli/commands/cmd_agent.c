#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean.h"
#include "base/stopwatch.h"
#include "cli/commands.h"
#include "engine/engine.h"
#include "games/gomoku/openings/installed.h"
#include "games/gomoku/referee/player.h"
#include "protocols/folder/folder_agent.h"
#include "system/machine.h"

/* Thinking takes at most this share of the referee's limit: 9 of 10 seconds. */
#define SHARE_OF_LIMIT 0.9
/* Room for waking up, the referee's polling and the disk, beside what writing has cost so far. */
#define RESERVE_SECONDS 0.05
#define LEAST_SECONDS 0.02

struct agent {
    struct folder_agent folder;
    struct engine *engine;
    struct search_limits limits; /* as the user gave them; the wall clock is set for each move */
    double least;                /* seconds before which no move is written, for people who watch */
    double write_cost;           /* the slowest write so far, in seconds */
    int expected;                /* the answer we expect from the other side, or -1 */
    struct gomoku_player player; /* who chooses the moves */
    bool no_book;                /* leave the opening book alone */
    uint64_t book_seed;
    bool quiet;
};

static void say_search(const struct agent *agent, const struct search_result *result) {
    if (!agent->quiet) {
        printf("%s: value %d, depth %d, %llu nodes, %.2f s\n", agent->folder.team, (int)result->value, result->depth,
               (unsigned long long)result->nodes, result->wall_seconds);
    }
}

/* Looks after a search: stops it when its time is over or the game ended meanwhile. */
struct guard {
    struct folder_agent *folder;
    struct search_control *control;
    double deadline;
    atomic_bool done;
};

static void *guard_run(void *argument) {
    struct guard *guard = argument;
    struct timespec nap = {.tv_nsec = 10000000};
    while (!atomic_load(&guard->done)) {
        char text[FOLDER_MOST_LINE];
        if (clock_wall() > guard->deadline || folder_agent_over(guard->folder, text)) {
            atomic_store(&guard->control->stop, true);
            break;
        }
        nanosleep(&nap, NULL);
    }
    return NULL;
}

/* Searches the position for at most `seconds`, whatever the search itself makes of its limits. */
static enum status search(void *user, double seconds, struct search_result *result, struct error *error) {
    struct agent *agent = user;
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = agent->limits};
    struct search_control control = {0};
    struct guard guard = {.folder = &agent->folder, .control = &control, .deadline = clock_wall() + seconds};
    pthread_t thread;
    request.limits.wall_seconds = seconds;
    request.limits.wishes = &(struct gomoku_wishes){.book = agent->player.book, .book_seed = agent->book_seed};
    bool guarded = pthread_create(&thread, NULL, guard_run, &guard) == 0;
    enum status status =
        engine_go(agent->engine, &gomoku_game, (const struct game_position *)&agent->folder.game.position, &request,
                  &control, result, error);
    if (guarded) {
        atomic_store(&guard.done, true);
        pthread_join(thread, NULL);
    }
    if (status == STATUS_OK) {
        say_search(agent, result);
    }
    return status;
}

/* Has the engine make its tables before the clock runs. */
static void warm_up(struct agent *agent) {
    struct gomoku_position position;
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = {.nodes = 1}};
    struct search_result result;
    gomoku_clear(&position, FOLDER_SIZE, GOMOKU_FREESTYLE);
    engine_go(agent->engine, &gomoku_game, (const struct game_position *)&position, &request, NULL, &result, NULL);
}

static void say_move(const struct agent *agent, int square, bool swap) {
    char name[8];
    gomoku_square_text(FOLDER_SIZE, square, name);
    if (!agent->quiet) {
        printf("%s: move %d: %s%s\n", agent->folder.team, agent->folder.game.count, name,
               swap ? ", taking the stone over" : "");
        fflush(stdout);
    }
}

/* One turn of ours, from the moment .go appeared. */
static enum status play_turn(struct agent *agent, struct error *error) {
    struct folder_agent *folder = &agent->folder;
    /* What passed since the referee made .go is gone; a clock that runs elsewhere must not fool us. */
    double late = (double)(folder_now() - folder->turn_began) * 1e-9;
    late = late < 0 ? 0 : late > 0.5 * folder->limit ? 0.5 * folder->limit : late;
    double seconds = SHARE_OF_LIMIT * folder->limit - RESERVE_SECONDS - agent->write_cost - late;
    seconds = seconds > LEAST_SECONDS ? seconds : LEAST_SECONDS;
    double start = clock_wall();
    int square;
    int first = folder->game.count == 1 ? folder->game.squares[0] : -1;
    enum status status =
        gomoku_player_choose(&agent->player, &folder->game.position, first, seconds, &square, &agent->expected, error);
    if (status != STATUS_OK) {
        return status;
    }
    double until = start + (agent->least < seconds ? agent->least : seconds);
    while (clock_wall() < until && !cli_interrupted()) {
        struct timespec nap = {.tv_nsec = 5000000};
        nanosleep(&nap, NULL);
    }
    bool swap = folder_game_is_swap(&folder->game, square);
    start = clock_wall();
    status = folder_agent_move(folder, square, error);
    double cost = clock_wall() - start;
    agent->write_cost = cost > agent->write_cost ? cost : agent->write_cost;
    say_move(agent, square, swap);
    return status;
}

/* Prints the referee's line in our words. */
static void say_result(const struct agent *agent, const char *line) {
    const char *team = agent->folder.team;
    char wins[FOLDER_MOST_TEAM + 8];
    char loses[FOLDER_MOST_TEAM + 8];
    snprintf(wins, sizeof wins, " %s WINS!", team);
    snprintf(loses, sizeof loses, " %s LOSES!", team);
    const char *result = strstr(line, wins)    ? "won"
                         : strstr(line, loses) ? "lost"
                         : strstr(line, "TIE") ? "tied"
                                               : "over";
    struct clean_line said;
    struct clean_line name;
    printf("%s: %s after %d moves: %s\n", clean_string(&name, team), result, agent->folder.game.count,
           clean_string(&said, line));
}

static int play(struct agent *agent, const char *path) {
    struct error error = {0};
    struct folder_agent *folder = &agent->folder;
    struct clean_line where;
    clean_string(&where, path);
    for (;;) {
        char text[FOLDER_MOST_LINE] = "";
        switch (folder_agent_wait(folder, agent->expected, &cli_control()->stop, text)) {
        case FOLDER_GAME_OVER:
            say_result(agent, text);
            return 0;
        case FOLDER_STOPPED:
            fprintf(stderr, "sortie: agent %s: interrupted\n", folder->team);
            return STATUS_FAIL;
        case FOLDER_SILENCE:
            if (folder->player < 0) {
                fprintf(stderr, "sortie: %s: no game for %s began within %.0f s\n", where.text, folder->team,
                        folder->wait);
            } else {
                fprintf(stderr, "sortie: %s: no sign of the referee for %.0f s\n", where.text, folder->patience);
            }
            return STATUS_FAIL;
        case FOLDER_OUR_TURN: {
            enum status status = play_turn(agent, &error);
            if (status != STATUS_OK) {
                char name[512];
                snprintf(name, sizeof name, "%s/%s", path, FOLDER_MOVE_FILE);
                return cli_fail(name, &error, status);
            }
            break;
        }
        }
    }
}

static int run(const struct cli_command *command, int argc, char **argv) {
    const char *path = ".";
    double limit = 10;
    double wait = 600;
    double patience = 0;
    bool polling = false;
    struct searcher_options options = {.threads = machine_cores()};
    const char *open = NULL;
    struct agent agent = {.expected = -1, .player = {.open = -1, .search = search}};
    const struct cli_option table[] = {
        {"folder", 'f', CLI_STRING, &path, "DIR", "the referee's folder (default: the current one)", 0, 0},
        {"time", 't', CLI_SECONDS, &limit, "SECONDS", "the referee's limit for a move (default 10)", 0, 0},
        {"depth", 'd', CLI_INT, &agent.limits.depth, "PLIES", "search no deeper", 0, 0},
        {"nodes", 'n', CLI_COUNT, &agent.limits.nodes, "COUNT", "search no more nodes a move", 0, 0},
        CLI_ENGINE_OPTIONS(options),
        {"least", 0, CLI_SECONDS, &agent.least, "SECONDS", "answer no sooner, so that people can follow", 0, 0},
        {"quirks", 0, CLI_FLAG, &agent.player.course_rules, NULL,
         "the referee is the course's public one, with its faults", 0, 0},
        {"no-swap", 0, CLI_FLAG, &agent.player.no_swap, NULL, "never take the first stone over", 0, 0},
        {"open", 0, CLI_STRING, &open, "SQUARE", "the first move, such as H8 (default: an even one by chance)", 0, 0},
        {"no-book", 0, CLI_FLAG, &agent.no_book, NULL, "leave the opening book alone (depth and nodes do, too)", 0, 0},
        {"seed", 0, CLI_COUNT, &agent.player.rng.state, "NUMBER", "choose the first move by this (default: by chance)",
         0, 0},
        {"polling", 0, CLI_FLAG, &polling, NULL, "look at the folder again and again; no inotify", 0, 0},
        {"wait", 0, CLI_SECONDS, &wait, "SECONDS", "how long to wait for a game to begin (default 600)", 0, 0},
        {"patience", 0, CLI_SECONDS, &patience, "SECONDS",
         "how long the referee may be silent in a game (default 3 limits + 30)", 0, 0},
        {"quiet", 'q', CLI_FLAG, &agent.quiet, NULL, "print the result alone", 0, 0},
        {0},
    };
    int operands;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (operands != 1) {
        return cli_usage("agent: expected one team name, found %d words; try 'sortie agent Group1'", operands);
    }
    if (!folder_good_team(argv[0])) {
        return cli_usage("agent: expected a team name without blanks and slashes, found '%s'", argv[0]);
    }
    if (open && (agent.player.open = gomoku_parse_square(FOLDER_SIZE, open, strlen(open))) < 0) {
        return cli_usage("agent: expected a square from A1 to O15 after --open, found '%s'", open);
    }
    struct folder folder;
    struct error error = {0};
    enum status status = folder_open(&folder, path, polling, &error);
    if (status != STATUS_OK) {
        return cli_fail(path, &error, status);
    }
    options.hash_bytes = options.hash_bytes ? options.hash_bytes : machine_table_share(limit, options.threads);
    agent.engine = engine_new(&options);
    if (!agent.engine) {
        folder_close(&folder);
        error_machine(&error, "out of memory");
        return cli_fail(NULL, &error, STATUS_FAIL);
    }
    agent.folder = (struct folder_agent){
        .folder = &folder,
        .team = argv[0],
        .limit = limit,
        .wait = wait,
        .patience = patience > 0 ? patience : 3 * limit + 30,
    };
    if (!agent.player.rng.state) {
        agent.player.rng.state = (uint64_t)folder_now() ^ (uint64_t)getpid() << 40;
    }
    agent.player.user = &agent;
    gomoku_known_prepare(); /* before anybody waits for a move */
    agent.book_seed = rng_next(&agent.player.rng);
    agent.player.book = agent.no_book || agent.limits.depth || agent.limits.nodes ? NULL : openings_installed();
    agent.player.stop = &cli_control()->stop;
    warm_up(&agent);
    folder_agent_start(&agent.folder, agent.player.course_rules ? FOLDER_COURSE_RULES : FOLDER_RIGHT_RULES);
    exit_status = play(&agent, path);
    engine_free(agent.engine);
    folder_close(&folder);
    return exit_status;
}

const struct cli_command cli_agent = {
    .name = "agent",
    .summary = "play Gomoku as one team through the referee's folder",
    .usage = "TEAM [--folder DIR] [--time SECONDS] [--quirks]",
    .details =
        "Waits for TEAM.go in the folder, reads move_file, thinks, and writes its move there, until end_game\n"
        "appears. May be started before or after the referee. Prints the result; the exit status is 0 for a game\n"
        "that ended, however it ended.\n",
    .example = "  sortie agent Group1 --folder game --time 10\n",
    .run = run,
};
