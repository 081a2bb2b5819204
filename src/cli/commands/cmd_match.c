/* sortie match: players against each other, results into a file, a table at the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean.h"
#include "base/number.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/commands/match_class.h"
#include "cli/crew.h"
#include "cli/secure.h"
#include "formats/records/records.h"
#include "game/registry.h"
#include "match/runner.h"
#include "results/swiss.h"
#include "system/file.h"

#define MOST_OPENING_BYTES ((size_t)64 << 20)
#define USUAL_ROUNDS 10
#define SPRT_GAMES 200000

struct match_options {
    const char *game;
    const char *variant;
    const char *sizes;
    const char *openings;
    const char *sprt;
    const char *database;
    int rounds;
    uint64_t games;
    int seed;
    int concurrency;
    double time_per_move;
    double time_per_game;
    double margin;
    uint64_t nodes;
    struct cli_programs programs;
    bool gauntlet;
    bool round_robin;
    bool swap;
    bool no_swap;
    int swiss;
    const char *class;     /* a folder of submissions: they play */
    const char *overrides; /* what is different for whom in it */
    int depth;             /* that they are asked for; 0: by the clock */
    bool resume;
    bool yes;
    bool quiet;
    const struct crew_link *crew; /* other processes that play; NULL: none */
};

/* -- from options to a plan -- */

static int parse_sizes(struct plan *plan, const char *text) {
    for (const char *at = text; *at;) {
        char *end;
        long size = strtol(at, &end, 10);
        if (end == at || (*end && *end != ',') || size < 1 || size > 1000 || plan->size_count == PLAN_MOST_SIZES) {
            return cli_usage("match: expected board sizes such as 5 or 5,6,7 for --size, found '%s'", text);
        }
        plan->sizes[plan->size_count++] = (int)size;
        at = *end ? end + 1 : end;
    }
    return 0;
}

static int parse_sprt(struct plan *plan, const char *text) {
    struct rating_sprt *sprt = &plan->sprt;
    double values[4] = {0, 0, 0.05, 0.05};
    int fields = number_parse_list(text, ',', values, 4);
    *sprt = (struct rating_sprt){values[0], values[1], values[2], values[3]};
    if ((fields != 2 && fields != 4) || !(sprt->elo0 < sprt->elo1) || !(sprt->alpha > 0 && sprt->alpha < 0.5) ||
        !(sprt->beta > 0 && sprt->beta < 0.5) || fabs(sprt->elo0) > 2000 || fabs(sprt->elo1) > 2000) {
        return cli_usage("match: expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA for --sprt, for example 0,5, found '%s'",
                         text);
    }
    plan->has_sprt = true;
    return 0;
}

static int parse_time(struct plan *plan, const struct match_options *options) {
    const char *named = options->programs.clock;
    enum player_clock clock;
    if (!cli_programs_clock(&options->programs, PLAYER_CLOCK_WALL, &clock)) {
        return cli_usage("match: expected wall or cpu for --clock, found '%s'", named);
    }
    bool limited = options->time_per_move > 0 || options->time_per_game > 0;
    if (named && !limited) {
        return cli_usage("match: --clock needs --time-per-move or --time-per-game");
    }
    if (limited) {
        plan->time = (struct player_time){
            .clock = clock,
            .per_move = options->time_per_move,
            .per_game = options->time_per_game,
            .grace = options->programs.grace,
            .margin = options->margin,
        };
    }
    return 0;
}

/* An engine that has no limit of its own gets the match's number of nodes. */
static enum status add_player(struct plan *plan, const char *text, uint64_t nodes, struct error *error) {
    struct player_spec spec;
    enum status status = player_parse(text, &spec, error);
    bool unlimited = status == STATUS_OK && spec.kind == &player_engine && !spec.depth && !spec.nodes &&
                     !(spec.wall_seconds > 0) && !(spec.cpu_seconds > 0);
    if (status != STATUS_OK || !nodes || !unlimited) {
        return status == STATUS_OK ? plan_add_player(plan, text, error) : status;
    }
    struct text longer = TEXT_EMPTY;
    text_addf(&longer, "%s%snodes=%llu", text, strchr(text, ':') ? "," : ":", (unsigned long long)nodes);
    status = plan_add_player(plan, text_string(&longer), error);
    text_free(&longer);
    return status;
}

/* Board sizes come with the starts, unless these are lines of squares. */
static bool brings_size(const char *bytes, size_t length) {
    const struct record_format *format = record_format_look(bytes, length);
    return !format || !format->sizeless;
}

static int read_openings(struct plan *plan, const char *file) {
    struct error error = {0};
    char *bytes;
    size_t length;
    enum status status = file_read(file, MOST_OPENING_BYTES, &bytes, &length, &error);
    if (status == STATUS_OK) {
        if (plan->size_count > 1 || (plan->size_count == 1 && brings_size(bytes, length))) {
            free(bytes);
            return cli_usage("match: --openings brings the board sizes, leave out --size");
        }
        status = plan_add_openings(plan, bytes, length, &error);
        free(bytes);
    }
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

/* How many games in all; `chosen` when the user said so. */
static int set_games(struct plan *plan, const struct match_options *options) {
    int64_t round = plan_round(plan);
    if (options->games && options->rounds) {
        return cli_usage("match: give --games or --rounds, not both");
    }
    if (options->games > PLAN_MOST_GAMES || (options->rounds && options->rounds > PLAN_MOST_GAMES / round)) {
        return cli_usage("match: at most %d games", PLAN_MOST_GAMES);
    }
    int64_t rounds = options->rounds ? options->rounds : plan->opening_count > 0 ? plan->opening_count : USUAL_ROUNDS;
    if (plan->swiss) {
        if (options->games || options->rounds || options->gauntlet || options->sprt) {
            return cli_usage("match: --swiss says how many rounds; leave out --games, --rounds, --gauntlet and --sprt");
        }
        struct error error = {0};
        enum status status = plan->pair_count ? STATUS_OK : swiss_draw(plan, NULL, &error);
        plan->games = 2 * (int64_t)plan->pair_count;
        return status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
    }
    plan->games = options->games                       ? (int64_t)options->games
                  : plan->has_sprt && !options->rounds ? SPRT_GAMES
                                                       : rounds * round;
    return 0;
}

/* Players of the referee's folder play the course's game, which has the swap. */
static bool wants_swap(const struct plan *plan, const struct match_options *options) {
    bool takes_swap = plan->opening_count == 0 && strcmp(plan->game->properties->name, "gomoku") == 0;
    bool swap = options->swap;
    for (int i = 0; i < plan->player_count; i++) {
        swap = swap || (plan->players[i].kind == &player_folder && takes_swap);
    }
    return swap && !options->no_swap;
}

static int make_plan(struct plan *plan, const struct match_options *options, int count, char **players) {
    struct error error = {0};
    *plan = (struct plan){.seed = (uint64_t)options->seed, .gauntlet = options->gauntlet, .swiss = options->swiss};
    plan->limits = cli_programs_limits(&options->programs);
    plan->game = game_find(options->game, strlen(options->game));
    if (!plan->game) {
        struct text names = TEXT_EMPTY;
        for (const struct game *const *game = game_list(); *game; game++) {
            text_addf(&names, "%s%s", names.length ? ", " : "", (*game)->properties->name);
        }
        int exit_status = cli_usage("match: expected a game (%s), found '%s'", text_string(&names), options->game);
        text_free(&names);
        return exit_status;
    }
    plan->variant = options->variant ? game_find_variant(plan->game, options->variant, strlen(options->variant)) : 0;
    if (plan->variant < 0) {
        return cli_usage("match: %s has no rules called '%s'; usual: %s", options->game, options->variant,
                         plan->game->properties->variants[0]);
    }
    if (options->gauntlet && options->round_robin) {
        return cli_usage("match: give --gauntlet or --round-robin, not both");
    }
    int exit_status = options->sizes ? parse_sizes(plan, options->sizes) : 0;
    if (!exit_status && options->sprt) {
        exit_status = parse_sprt(plan, options->sprt);
    }
    if (!exit_status) {
        exit_status = parse_time(plan, options);
    }
    for (int i = 0; i < count && !exit_status; i++) {
        enum status status = add_player(plan, players[i], options->nodes, &error);
        exit_status = status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
    }
    if (!exit_status && options->class) {
        struct match_class class = {options->class, options->overrides,   options->database,
                                    options->depth, options->concurrency, &options->programs};
        exit_status = match_class_add(plan, &class);
    }
    if (!exit_status && plan->player_count < 2) {
        exit_status = cli_usage("match: expected at least two players, found %d; 'sortie match --help' shows how",
                                plan->player_count);
    }
    if (!exit_status && options->openings) {
        exit_status = read_openings(plan, options->openings);
    }
    if (!exit_status && options->swap && options->no_swap) {
        exit_status = cli_usage("match: give --swap or --no-swap, not both");
    }
    if (!exit_status) {
        plan->swap = wants_swap(plan, options);
        exit_status = set_games(plan, options);
    }
    if (!exit_status) {
        enum status status = plan_check(plan, &error);
        exit_status = status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
    }
    return exit_status;
}

/* -- new or carried on -- */

static int open_new(struct store **store, const struct plan *plan, const char *file) {
    struct error error = {0};
    enum status status = store_open(store, file, STORE_NEW, &error);
    if (status == STATUS_OK) {
        status = store_put_plan(*store, plan, &error);
    }
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

/* The match on the command line must be the one in the file; 0, or the exit status. */
static int check_same_plan(const struct plan *given, const struct plan *stored, const char *database) {
    struct text x = TEXT_EMPTY;
    struct text y = TEXT_EMPTY;
    struct plan begun = *stored;
    begun.pair_count = given->pair_count; /* of a Swiss tournament more rounds may be drawn by now */
    plan_write(given, &x);
    plan_write(&begun, &y);
    int exit_status = 0;
    if (x.broken || y.broken) {
        exit_status = cli_fail(database, &(struct error){.text = "out of memory"}, STATUS_FAIL);
    } else if (strcmp(text_string(&x), text_string(&y)) != 0) {
        exit_status =
            cli_usage("match: %s holds a match with other players or options; --resume alone carries it on", database);
    }
    text_free(&x);
    text_free(&y);
    return exit_status;
}

/* A results file may come from anybody, and its players may be commands. Shows them whole, and asks. */
static int ask_for_commands(const struct plan *plan, const char *database) {
    int commands = 0;
    for (int i = 0; i < plan->player_count; i++) {
        const struct player_spec *player = &plan->players[i];
        if (player->kind->has_command) {
            struct text line = TEXT_EMPTY;
            text_add_string(&line, commands++ ? "  " : "These commands come from the results file:\n  ");
            clean_add_whole(&line, player->name);
            text_add_string(&line, ": ");
            clean_add_whole(&line, player->text);
            bool whole = !line.broken;
            fprintf(stderr, "%s\n", text_string(&line));
            text_free(&line);
            if (!whole) {
                struct error error = {0};
                return cli_fail(database, &error, error_machine(&error, "out of memory"));
            }
        }
    }
    if (commands == 0) {
        return 0;
    }
    if (!isatty(STDIN_FILENO)) {
        return cli_usage("match: %s holds commands; --yes runs them", database);
    }
    fprintf(stderr, "Run them? [y/N] ");
    int answer = getchar();
    return answer == 'y' || answer == 'Y' ? 0 : cli_usage("match: nothing was run");
}

/* Opens a match that was begun. Its plan is the one in the file; players on the command line must be the same,
 * and only the number of games may grow. With players given, a match that was killed before its file held
 * anything begins from the start. */
static int open_again(struct store **store, struct plan *plan, const struct match_options *options, int count,
                      char **players) {
    struct error error = {0};
    struct plan given = {0};
    int exit_status = count > 0 ? make_plan(&given, options, count, players) : 0;
    enum status status = exit_status ? STATUS_OK : store_open(store, options->database, STORE_CARRY_ON, &error);
    if (status != STATUS_OK && count > 0 && store_open(store, options->database, STORE_NEW, NULL) == STATUS_OK) {
        status = store_put_plan(*store, &given, &error);
    }
    if (!exit_status && status == STATUS_OK) {
        status = store_get_plan(*store, plan, &error);
    }
    if (status != STATUS_OK) {
        exit_status = cli_fail(options->database, &error, status);
    }
    if (!exit_status && count > 0) {
        exit_status = check_same_plan(&given, plan, options->database);
    }
    plan_free(&given);
    if (!exit_status && count == 0 && !options->yes) {
        exit_status = ask_for_commands(plan, options->database);
    }
    if (exit_status) {
        return exit_status;
    }
    if (options->games || options->rounds) {
        int64_t before = plan->games;
        exit_status = set_games(plan, options);
        if (exit_status) {
            return exit_status;
        }
        if (plan->games < before || plan->games % 2) {
            return cli_usage("match: expected an even number of games, at least the %lld planned before",
                             (long long)before);
        }
        status = store_put_plan(*store, plan, &error);
    }
    return status == STATUS_OK ? 0 : cli_fail(options->database, &error, status);
}

/* -- progress and result -- */

static void add_duration(struct text *text, double seconds) {
    if (seconds < 0) {
        return;
    }
    if (seconds >= 3600) {
        text_addf(text, "  %.0fh%02.0fm left", floor(seconds / 3600), floor(fmod(seconds, 3600) / 60));
    } else if (seconds >= 60) {
        text_addf(text, "  %.0fm%02.0fs left", floor(seconds / 60), floor(fmod(seconds, 60)));
    } else {
        text_addf(text, "  %.0fs left", seconds);
    }
}

static void add_sprt(struct text *text, const struct runner_state *state) {
    double lower;
    double upper;
    rating_sprt_bounds(&state->plan->sprt, &lower, &upper);
    text_addf(text, "LLR %.2f (%.2f, %.2f)", state->ratio, lower, upper);
}

static void show_progress(void *user, const struct runner_state *state) {
    (void)user;
    if (!cli_shows_progress()) {
        return;
    }
    const struct plan *plan = state->plan;
    struct standings *standings = state->standings;
    struct text line = TEXT_EMPTY;
    text_addf(&line, "%lld/%lld games", (long long)state->done, (long long)plan->games);
    if (plan->player_count == 2) {
        struct rating_pairs pairs;
        struct rating_estimate estimate;
        char elo[40];
        standings_pairs(standings, 0, 1, &pairs);
        rating_estimate(&pairs, &estimate);
        standings_elo_text(&estimate, elo);
        const struct standing *first = &standings->table[0];
        text_add_string(&line, "  ");
        clean_add_column(&line, plan->players[0].name, 0, 24);
        text_addf(&line, " +%d =%d -%d  Elo %s", first->won, first->drawn, first->lost, elo);
    } else {
        standings_finish(standings);
        const struct standing *best = &standings->table[standings->order[0]];
        text_add_string(&line, "  leading: ");
        clean_add_column(&line, plan->players[standings->order[0]].name, 0, 24);
        text_addf(&line, " %+.0f +- %.0f Elo", best->rating.elo, best->rating.error);
    }
    if (plan->has_sprt) {
        text_add_string(&line, "  ");
        add_sprt(&line, state);
    } else {
        add_duration(&line, state->seconds_left);
    }
    cli_progress(text_string(&line));
    text_free(&line);
}

/* Many courses ask for MINIMAX and ALPHABETA alone: programs that answer nothing else lose every game here. */
static void add_advice(const struct runner_state *state, struct text *text) {
    const struct plan *plan = state->plan;
    int helpless = 0;
    for (int i = 0; i < plan->player_count; i++) {
        const struct standing *standing = &state->standings->table[i];
        const struct player_spec *spec = &plan->players[i];
        bool by_clock = spec->kind == &player_program && spec->depth == 0;
        int rules = standing->faults[PLAYER_NO_FAULT];
        helpless += by_clock && standing->lost > 0 && rules == 0 && standing->moves == 0;
    }
    const struct course_format *course = course_format_of(plan->game, plan->variant);
    if (helpless > 0 && course && course->clock.per_game > 0) {
        text_addf(text,
                  "%d player%s answered no move at all in COMPETITION mode. Programs that were to know MINIMAX and "
                  "ALPHABETA alone play with --depth 3.\n",
                  helpless, helpless == 1 ? "" : "s");
    }
}

static int print_result(const struct runner_state *state, const char *database) {
    struct text text = TEXT_EMPTY;
    const struct plan *plan = state->plan;
    standings_text(state->standings, plan, &text);
    add_advice(state, &text);
    if (plan->has_sprt) {
        static const char *const verdicts[] = {"not decided yet", "decided for ELO0: no gain",
                                               "decided for ELO1: a gain"};
        double pairs = 0;
        for (int i = 0; i < 5; i++) {
            pairs += state->judged.count[i];
        }
        text_add_string(&text, "SPRT      ");
        add_sprt(&text, state);
        text_addf(&text, " after %.0f pairs: %s  (is the first %+g Elo stronger rather than %+g?)\n", pairs,
                  verdicts[state->verdict], plan->sprt.elo1, plan->sprt.elo0);
    }
    int exit_status = cli_print(&text);
    cli_secure_report();
    if (exit_status == 0 && state->left > 0 && state->verdict == RATING_OPEN) {
        struct clean_line file;
        printf("%lld of %lld games played; 'sortie match --resume --db %s' plays the rest\n", (long long)state->done,
               (long long)plan->games, clean_string(&file, database));
    }
    return exit_status;
}

/* Makes sure of a sandbox where a player needs one; 0, or the exit status. */
static int secure(const struct plan *plan, bool unsafe) {
    for (int i = 0; i < plan->player_count; i++) {
        if (plan->players[i].kind->needs_warden) {
            return cli_secure(unsafe);
        }
    }
    return 0;
}

/* Draws the next round of a Swiss tournament; false when there is none to play. */
static bool draw_round(struct plan *plan, struct store *store, const struct runner_state *state, enum status *status,
                       struct error *error) {
    if (*status != STATUS_OK || state->left > 0 || cli_interrupted() ||
        plan->pair_count >= plan->swiss * (plan->player_count / 2)) {
        return false;
    }
    *status = swiss_draw(plan, state->standings, error);
    plan->games = 2 * (int64_t)plan->pair_count;
    *status = *status == STATUS_OK ? store_put_plan(store, plan, error) : *status;
    return *status == STATUS_OK;
}

/* Says before long work how long it can take at most. */
static void say_estimate(const struct plan *plan, const struct match_options *options) {
    const struct player_time *time = &plan->time;
    int size = plan->sizes[0];
    int64_t games = plan->swiss ? plan->swiss * plan_round(plan) : plan->games;
    double moves = (double)size * size;
    double seconds = time->per_game > 0 ? 2 * time->per_game : moves * time->per_move;
    seconds = time->per_game > 0 && time->per_move > 0 ? fmin(seconds, moves * time->per_move) : seconds;
    seconds *= (double)games / options->concurrency;
    fprintf(stderr, "sortie: %d players, %lld games, %d at a time (-j)", plan->player_count, (long long)games,
            options->concurrency);
    if (seconds > 0) {
        fprintf(stderr, "; at most %.0fh%02.0fm if every player uses up its clock", floor(seconds / 3600),
                floor(fmod(seconds, 3600) / 60));
    }
    fprintf(stderr, "; --resume carries it on\n");
}

/* Plays what is left of the match and prints what came of it. */
static int play(struct plan *plan, struct store *store, const struct match_options *options) {
    struct error error = {0};
    struct standings standings = {0};
    struct runner_state state = {.plan = plan};
    struct runner_options runner = {
        .concurrency = options->concurrency,
        .crew = options->crew,
        .stop = &cli_control()->stop,
        .progress = options->quiet ? NULL : show_progress,
    };
    enum status status = runner_run(plan, store, &runner, &standings, &state, &error);
    while (draw_round(plan, store, &state, &status, &error)) {
        standings_free(&standings);
        status = runner_run(plan, store, &runner, &standings, &state, &error);
    }
    cli_progress(NULL);
    int exit_status = 0;
    if (status != STATUS_OK) {
        exit_status = cli_fail(options->database, &error, status);
    } else {
        exit_status = print_result(&state, options->database);
        exit_status = exit_status == 0 && cli_interrupted() ? CLI_INTERRUPTED : exit_status;
    }
    standings_free(&standings);
    return exit_status;
}

/* What all processes of an MPI job but the first do. */
static int help_play(const struct match_options *options) {
    struct text brief = TEXT_EMPTY;
    struct plan plan = {0};
    struct error error = {0};
    int exit_status = 0;
    if (crew_brief(options->crew, &brief)) {
        enum status status = runner_read_brief(&plan, &brief, &error);
        exit_status = status == STATUS_OK ? secure(&plan, options->programs.unsafe) : 0;
        if (status == STATUS_OK && exit_status == 0) {
            status = runner_help(&plan, options->crew, &error);
        }
        exit_status = status == STATUS_OK ? exit_status : cli_fail(NULL, &error, status);
    }
    plan_free(&plan);
    text_free(&brief);
    return exit_status;
}

/* Opens the match, a new one or one that was begun, and plays it. */
static int open_and_play(const struct match_options *options, int count, char **players) {
    struct plan plan = {0};
    struct store *store = NULL;
    int exit_status;
    if (options->resume) {
        exit_status = open_again(&store, &plan, options, count, players);
        exit_status = exit_status ? exit_status : secure(&plan, options->programs.unsafe);
    } else {
        exit_status = make_plan(&plan, options, count, players);
        exit_status = exit_status ? exit_status : secure(&plan, options->programs.unsafe);
        exit_status = exit_status ? exit_status : open_new(&store, &plan, options->database);
    }
    plan.results = options->database;
    if (!exit_status && (options->class || plan.swiss) && !options->quiet) {
        say_estimate(&plan, options);
    }
    exit_status = exit_status ? exit_status : play(&plan, store, options);
    store_close(store);
    plan_free(&plan);
    return exit_status;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct match_options options = {
        .game = "war", .database = "results.db", .seed = 1, .concurrency = 1, .programs = CLI_PROGRAMS_USUAL};
    char games[200];
    cli_game_names(options.game, games);
    const struct cli_option table[] = {
        {"game", 'g', CLI_STRING, &options.game, "NAME", games, 0, 0},
        {"variant", 0, CLI_STRING, &options.variant, "NAME", "rule set, such as stake or sneak", 0, 0},
        {"size", 's', CLI_STRING, &options.sizes, "N[,N...]", "board sizes, used in turn (default: the game's usual)",
         0, 0},
        {"rounds", 'r', CLI_INT, &options.rounds, "COUNT", "starts; every pair plays each with both sides (default 10)",
         0, 0},
        {"games", 'n', CLI_COUNT, &options.games, "COUNT", "or: games in all, an even number", 0, 0},
        {"gauntlet", 0, CLI_FLAG, &options.gauntlet, NULL, "the first player against each of the others", 0, 0},
        {"swiss", 0, CLI_INT, &options.swiss, "ROUNDS", "a Swiss tournament: who stand alike meet, twice a round", 1,
         PLAN_MOST_SWISS},
        {"class", 0, CLI_STRING, &options.class, "FOLDER", "submissions, built as by grade, are the players", 0, 0},
        {"overrides", 0, CLI_STRING, &options.overrides, "FILE", "what is different for whom in the class", 0, 0},
        {"depth", 0, CLI_INT, &options.depth, "PLIES", "that the class is asked for (default: by the clock)", 1, 1000},
        {"round-robin", 0, CLI_FLAG, &options.round_robin, NULL, "everybody against everybody (default)", 0, 0},
        {"swap", 0, CLI_FLAG, &options.swap, NULL,
         "Gomoku: the second player may take the first stone over (default with folder players)", 0, 0},
        {"no-swap", 0, CLI_FLAG, &options.no_swap, NULL, "nobody may", 0, 0},
        {"openings", 0, CLI_STRING, &options.openings, "FILE", "starts from FILE: positions, or games of Gomoku", 0, 0},
        {"seed", 0, CLI_INT, &options.seed, "NUMBER", "random starts from this seed (default 1)", 0, 2147483647},
        {"concurrency", 'j', CLI_INT, &options.concurrency, "COUNT", "games at the same time (default 1)", 1, 256},
        {"time-per-move", 0, CLI_SECONDS, &options.time_per_move, "SECONDS", "for each move", 0, 0},
        {"time-per-game", 0, CLI_SECONDS, &options.time_per_game, "SECONDS", "for all moves of a side", 0, 0},
        {"margin", 0, CLI_SECONDS, &options.margin, "SECONDS", "forgive so much over a limit (default 0)", 0, 0},
        {"nodes", 0, CLI_COUNT, &options.nodes, "COUNT", "limit of engines that have none of their own", 0, 0},
        {"sprt", 0, CLI_STRING, &options.sprt, "E0,E1[,A,B]",
         "stop when it is clear whether the first is E1 or only E0 Elo better", 0, 0},
        CLI_PROGRAMS_OPTIONS(options.programs, "wall (default) or cpu: user CPU seconds"),
        {"db", 0, CLI_STRING, &options.database, "FILE", "results file (default results.db)", 0, 0},
        {"resume", 0, CLI_FLAG, &options.resume, NULL, "carry on with the match in the results file", 0, 0},
        {"yes", 'y', CLI_FLAG, &options.yes, NULL, "run the commands a results file holds without asking", 0, 0},
        {"quiet", 'q', CLI_FLAG, &options.quiet, NULL, "no progress line", 0, 0},
        {0},
    };
    int count;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &count, &exit_status)) {
        return exit_status;
    }
    if (options.class && options.resume) {
        return cli_usage("match: the results file knows the class; leave out --class with --resume");
    }
    exit_status = cli_join_crew("match", &options.crew);
    if (!exit_status && options.crew && (options.swiss || options.class)) {
        exit_status = cli_usage("match: --swiss and --class play on one machine");
    }
    if (exit_status) {
        return exit_status;
    }
    return options.crew && options.crew->rank() > 0 ? help_play(&options) : open_and_play(&options, count, argv);
}

const struct cli_command cli_match = {
    .name = "match",
    .summary = "let players play matches and tournaments, with ratings",
    .usage = "PLAYER PLAYER... [OPTIONS] | --class FOLDER [OPTIONS] | --resume [--db FILE] [--yes]",
    .details =
        "Players, each with a name in front if you like (NAME=PLAYER):\n"
        "  engine:depth=6  engine:time=0.5  engine:nodes=20000,threads=2,hash=64,plain   the built-in engine\n"
        "  greedy  minimax:depth=2  alphabeta:depth=3  random                            the textbook, and chance\n"
        "  program:COMMAND                  a course's program: reads input.txt, writes output.txt\n"
        "  program,task=2,depth=3:COMMAND   asked for minimax (task=3: alpha-beta) of that depth; Stake-Raid without\n"
        "                                   a depth is COMPETITION; Sneak-Raid is called with -i input.txt\n"
        "  brain:COMMAND                    a Gomocup brain (Gomoku)\n"
        "  lines:COMMAND                    an engine of any game, spoken to by lines (docs/protocol.md)\n"
        "  NAME=folder:COMMAND              plays Gomoku through a referee's folder as team NAME, with the swap\n"
        "With --class FOLDER every submission in it plays: built as 'sortie grade' builds it, for Stake-Raid (-g "
        "war),\n"
        "Sneak-Raid (--variant sneak), Laser Checkmate (-g laser) or Gomoku through folders (-g gomoku).\n"
        "\n"
        "Options of programs: setup=COMMAND prepares it once, file=PATH is copied into its folder for every game,\n"
        "show=PATH lets it see a file or folder; for example program,setup=./calibrate,file=book.txt:./bot\n"
        "\n"
        "Programs run in a sandbox: they see the system, their own files and a small folder, and no network.\n"
        "Every start is played twice with the sides exchanged. Each game goes to the results file as it ends;\n"
        "after a crash or Ctrl-C, --resume plays exactly the games that are missing; commands in the results file\n"
        "are shown first, and run after a yes, with --yes, or when the players are given again. A program that makes "
        "an\n"
        "illegal move, crashes, is late, babbles or forks without end loses that game. Without a clock of their\n"
        "own, programs have the course's: 200 s CPU a game (Stake-Raid), else 60 s a move.\n",
    .example = "  sortie match engine:depth=4 strong=alphabeta:depth=2 greedy random --rounds 5 --db example.db\n"
               "  sortie report example.db -o example.html\n",
    .run = run,
};
