/* A game in the terminal against the engine. It stands on the public API alone. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "base/rng.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/prompt.h"
#include "system/file.h"

#define MOST_LEVEL 10
#define USUAL_LEVEL 7
#define USUAL_SECONDS 5.0
#define MOST_LINES 20

struct play {
    sortie_position *position; /* owned */
    sortie_engine *engine;     /* owned */
    int side;                  /* the person's: 0, 1; 2 both, 3 none */
    int level;
    double seconds; /* of the highest level */
    bool swap;      /* Gomoku: the first stone may be taken over */
    bool colour;
    bool terminal;
    struct rng rng;
    sortie_move *moves; /* owned; the legal ones */
    const char **words; /* owned; those, and the commands */
    int move_count;
    int word_count;
};

/* -- saying things -- */

static void print_board(const struct play *play) {
    char *drawing = sortie_position_drawing(play->position, play->colour);
    if (drawing) {
        printf("\n%s", drawing);
    }
    sortie_free(drawing);
}

static void say(const sortie_error *error) {
    struct clean_line line;
    printf("%s\n", clean_string(&line, error->text));
}

/* A value as people read it. */
static void add_value(struct text *text, const struct play *play, const sortie_result *line) {
    sortie_game_info info = SORTIE_INIT(sortie_game_info);
    sortie_game_about(sortie_position_game(play->position), &info, NULL);
    cli_add_value(text, &info, line);
}

/* -- the words that can be typed -- */

static int play_move(struct play *play, const char *move);
static int play_hint(struct play *play, const char *rest);
static int play_analyze(struct play *play, const char *rest);
static int play_undo(struct play *play, const char *rest);
static int play_go(struct play *play, const char *rest);
static int play_swap(struct play *play, const char *rest);
static int play_level(struct play *play, const char *rest);
static int play_moves(struct play *play, const char *rest);
static int play_show(struct play *play, const char *rest);
static int play_save(struct play *play, const char *rest);
static int play_load(struct play *play, const char *rest);
static int play_help(struct play *play, const char *rest);
static int play_quit(struct play *play, const char *rest);

/* What to do next, after a word. */
enum { PLAY_ON, PLAY_ASK, PLAY_END };

static const struct word {
    const char *name;
    const char *help;
    int (*run)(struct play *play, const char *rest);
} commands[] = {
    {"hint", "what the engine would play", play_hint},
    {"undo", "take back your last move, and the answer to it", play_undo},
    {"analyze", "the best moves with their lines; 'analyze 5' for five of them", play_analyze},
    {"go", "let the engine play this move, and change sides with it", play_go},
    {"swap", "Gomoku: take over the first stone", play_swap},
    {"level", "how well the engine plays: 'level 1' to 'level 10'", play_level},
    {"moves", "list the legal moves, or those that begin with what follows", play_moves},
    {"show", "the board", play_show},
    {"save", "'save FILE': the position; Gomoku as a game record where the name ends in .sgf", play_save},
    {"load", "'load FILE': any file sortie knows", play_load},
    {"help", "this list", play_help},
    {"quit", "leave", play_quit},
};

#define COMMAND_COUNT (int)(sizeof commands / sizeof commands[0])

static const struct word *find_word(const char *name, size_t length) {
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strlen(commands[i].name) == length && memcmp(commands[i].name, name, length) == 0) {
            return &commands[i];
        }
    }
    return length == 7 && memcmp(name, "analyse", 7) == 0 ? find_word("analyze", 7) : NULL;
}

/* Lists what can be typed now: moves first. False when memory runs out. */
static bool list_words(struct play *play) {
    int count = sortie_position_moves(play->position, NULL, 0);
    free(play->moves);
    free(play->words);
    play->moves = count >= 0 ? malloc(((size_t)count + 1) * sizeof *play->moves) : NULL;
    play->words = count >= 0 ? malloc(((size_t)count + COMMAND_COUNT) * sizeof *play->words) : NULL;
    if (!play->moves || !play->words) {
        return false;
    }
    play->move_count = sortie_position_moves(play->position, play->moves, count);
    play->word_count = 0;
    for (int i = 0; i < play->move_count; i++) {
        play->words[play->word_count++] = play->moves[i];
    }
    for (int i = 0; i < COMMAND_COUNT; i++) {
        play->words[play->word_count++] = commands[i].name;
    }
    return true;
}

/* -- the engine's part -- */

/* A level in nodes: each four times the one below. The lowest look one move ahead, the first not even always. */
static void limit(const struct play *play, sortie_limits *limits) {
    limits->method = play->level <= 2 ? SORTIE_GREEDY : SORTIE_ENGINE;
    if (play->level == MOST_LEVEL) {
        limits->wall_seconds = play->seconds;
    } else if (play->level > 2) {
        limits->nodes = (uint64_t)100 << (2 * (play->level - 3));
    }
}

static sortie_status think(struct play *play, sortie_limits *limits, sortie_result *result, sortie_error *error) {
    cli_watch(play->engine);
    sortie_status status = sortie_engine_go(play->engine, play->position, limits, result, error);
    cli_watch(NULL);
    cli_forget_interrupt(); /* a stop of the engine is not one of the game */
    return status;
}

static int engine_moves(struct play *play) {
    sortie_error error = {0};
    sortie_result result = SORTIE_INIT(sortie_result);
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    if (play->swap && sortie_position_swap(play->position) == 1 && play->side < 2) {
        play->side = 1 - play->side;
        play->swap = false;
        printf("sortie takes the stone over: you are the second side now\n");
        return PLAY_ON;
    }
    play->swap = play->swap && sortie_position_swap(play->position) < 0;
    limit(play, &limits);
    int count = sortie_position_moves(play->position, NULL, 0);
    if (play->swap &&
        sortie_position_swap_opening(play->position, rng_next(&play->rng), result.move, NULL) == SORTIE_OK) {
        /* an even first stone */
    } else if (play->level == 1 && rng_below(&play->rng, 3) == 0 && list_words(play)) {
        memcpy(result.move, play->moves[rng_below(&play->rng, (uint32_t)count)], sizeof result.move);
    } else if (think(play, &limits, &result, &error) != SORTIE_OK) {
        say(&error);
        return PLAY_END;
    }
    printf("sortie plays %s\n", result.move);
    sortie_position_play(play->position, result.move, &error);
    return PLAY_ON;
}

static void print_line(const struct play *play, const sortie_result *line) {
    struct text text = TEXT_EMPTY;
    text_addf(&text, "%-10s ", line->move);
    add_value(&text, play, line);
    text_addf(&text, "  depth %d  ", line->depth);
    for (int i = 1; i < line->line_length && i < 12; i++) {
        text_addf(&text, "%s%s", i > 1 ? ", " : "", line->line_moves[i]);
    }
    printf("%s\n", text_string(&text));
    text_free(&text);
}

static int analyze(struct play *play, int count, double seconds) {
    sortie_error error = {0};
    sortie_result *lines = calloc((size_t)count, sizeof *lines);
    if (!lines || sortie_position_is_over(play->position)) {
        printf("%s\n", lines ? "the game is over" : "out of memory");
        free(lines);
        return PLAY_ASK;
    }
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = SORTIE_ENGINE;
    limits.wall_seconds = seconds;
    limits.multi_pv = count;
    lines[0].size = sizeof lines[0];
    cli_watch(play->engine);
    sortie_status status = sortie_engine_analyze(play->engine, play->position, &limits, lines, count, &count, &error);
    cli_watch(NULL);
    cli_forget_interrupt();
    if (status != SORTIE_OK) {
        say(&error);
    }
    for (int i = 0; status == SORTIE_OK && i < count; i++) {
        print_line(play, &lines[i]);
    }
    free(lines);
    return PLAY_ASK;
}

/* -- what each word does -- */

static int play_hint(struct play *play, const char *rest) {
    (void)rest;
    return analyze(play, 1, 1.0);
}

static int play_analyze(struct play *play, const char *rest) {
    int count = *rest ? atoi(rest) : 3;
    if (count < 1 || count > MOST_LINES) {
        printf("expected a number of lines from 1 to %d\n", MOST_LINES);
        return PLAY_ASK;
    }
    return analyze(play, count, play->seconds);
}

/* Back to the person's last turn. */
static int play_undo(struct play *play, const char *rest) {
    (void)rest;
    sortie_error error = {0};
    if (sortie_position_undo(play->position, &error) != SORTIE_OK) {
        say(&error);
        return PLAY_ASK;
    }
    while (play->side < 2 && sortie_position_to_move(play->position) != play->side &&
           sortie_position_undo(play->position, &error) == SORTIE_OK) {
    }
    print_board(play);
    return PLAY_ON;
}

static int play_go(struct play *play, const char *rest) {
    (void)rest;
    if (sortie_position_is_over(play->position)) {
        printf("the game is over\n");
        return PLAY_ASK;
    }
    int status = engine_moves(play);
    if (play->side < 2) {
        play->side = sortie_position_to_move(play->position);
    }
    print_board(play);
    return status;
}

static int play_swap(struct play *play, const char *rest) {
    (void)rest;
    if (!play->swap || sortie_position_swap(play->position) < 0 || play->side > 1) {
        printf("nothing can be taken over now: that is for the move after the first stone, with --swap\n");
        return PLAY_ASK;
    }
    play->side = 1 - play->side;
    play->swap = false;
    printf("the stone is yours\n");
    return PLAY_ON;
}

static int play_level(struct play *play, const char *rest) {
    int level = atoi(rest);
    if (level < 1 || level > MOST_LEVEL) {
        printf("expected a level from 1 to %d, it is %d now\n", MOST_LEVEL, play->level);
        return PLAY_ASK;
    }
    play->level = level;
    return PLAY_ASK;
}

static int play_moves(struct play *play, const char *rest) {
    const struct prompt_words all = {play->words, play->move_count};
    int listed = 0;
    for (int i = 0; i < all.count; i++) {
        char start[PROMPT_MOST];
        const struct prompt_words one = {&play->words[i], 1};
        snprintf(start, sizeof start, "%s", rest);
        if (prompt_complete(&one, start) == 1) {
            printf("%s%s", listed++ ? ", " : "", play->words[i]);
        }
    }
    printf("%s\n", listed ? "" : "none");
    return PLAY_ASK;
}

static int play_show(struct play *play, const char *rest) {
    (void)rest;
    print_board(play);
    return PLAY_ASK;
}

static int play_save(struct play *play, const char *rest) {
    size_t length = strlen(rest);
    sortie_error error = {0};
    char *text = NULL;
    if (length == 0) {
        printf("expected the name of a file\n");
        return PLAY_ASK;
    }
    if (length > 4 && strcmp(rest + length - 4, ".sgf") == 0) {
        if (sortie_position_sgf(play->position, &text, &error) != SORTIE_OK) {
            say(&error);
            return PLAY_ASK;
        }
    } else {
        text = sortie_position_text(play->position);
    }
    struct error inner = {0};
    if (text && file_write(rest, text, strlen(text), &inner) == STATUS_OK) {
        printf("saved in %s\n", rest);
    } else {
        printf("%s: %s\n", rest, text ? inner.text : "out of memory");
    }
    sortie_free(text);
    return PLAY_ASK;
}

static int play_load(struct play *play, const char *rest) {
    sortie_position *loaded = NULL;
    if (*rest == '\0' || strcmp(rest, "-") == 0) {
        printf("expected the name of a file\n");
        return PLAY_ASK;
    }
    if (cli_read_position(rest, NULL, &loaded) != 0) {
        return PLAY_ASK;
    }
    sortie_position_free(play->position);
    play->position = loaded;
    play->swap = false;
    if (play->side < 2) {
        play->side = sortie_position_to_move(loaded);
    }
    print_board(play);
    return PLAY_ON;
}

static int play_help(struct play *play, const char *rest) {
    (void)play, (void)rest;
    printf("Type a move, or enough of it to know which; Tab completes at a terminal. Or one of these:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        printf("  %-8s %s\n", commands[i].name, commands[i].help);
    }
    return PLAY_ASK;
}

static int play_quit(struct play *play, const char *rest) {
    (void)play, (void)rest;
    return PLAY_END;
}

/* A move, or the beginning of one that only one legal move has. */
static int play_move(struct play *play, const char *move) {
    const struct prompt_words moves = {play->words, play->move_count};
    char whole[PROMPT_MOST];
    sortie_error error = {0};
    snprintf(whole, sizeof whole, "%s", move);
    if (sortie_position_play(play->position, move, &error) == SORTIE_OK) {
        print_board(play);
        return PLAY_ON;
    }
    int count = prompt_complete(&moves, whole);
    if (count == 1 && sortie_position_play(play->position, whole, &error) == SORTIE_OK) {
        print_board(play);
        return PLAY_ON;
    }
    if (count > 1) {
        printf("which of these: ");
        return play_moves(play, move);
    }
    say(&error);
    return PLAY_ASK;
}

/* -- the game -- */

static int obey(struct play *play, char *line) {
    char *begin = line + strspn(line, " \t");
    size_t length = strcspn(begin, " \t");
    const struct word *word = find_word(begin, length);
    if (!word) {
        return *begin ? play_move(play, begin) : PLAY_ASK;
    }
    char *rest = begin + length + strspn(begin + length, " \t");
    for (size_t end = strlen(rest); end > 0 && isspace((unsigned char)rest[end - 1]); end--) {
        rest[end - 1] = '\0';
    }
    return word->run(play, rest);
}

/* Asks until something happens on the board. */
static int person_moves(struct play *play) {
    for (;;) {
        char line[PROMPT_MOST];
        char question[64];
        sortie_game_info info = SORTIE_INIT(sortie_game_info);
        sortie_game_about(sortie_position_game(play->position), &info, NULL);
        bool over = sortie_position_is_over(play->position);
        snprintf(question, sizeof question, "%s> ",
                 over ? "over" : info.sides[sortie_position_to_move(play->position)]);
        if (!list_words(play)) {
            return PLAY_END;
        }
        const struct prompt_words words = {play->words, play->word_count};
        if (!prompt_read(question, &words, line)) {
            return PLAY_END;
        }
        int next = obey(play, line);
        if (next != PLAY_ASK) {
            return next;
        }
    }
}

static void loop(struct play *play) {
    int next = PLAY_ON;
    print_board(play);
    if (play->terminal) {
        printf("type a move (Tab completes), hint, undo, help or quit\n");
    }
    while (next == PLAY_ON) {
        bool over = sortie_position_is_over(play->position);
        bool persons = play->side == 2 || sortie_position_to_move(play->position) == play->side;
        if (over && (!play->terminal || play->side == 3)) {
            break;
        }
        if (over || persons) {
            next = person_moves(play);
        } else {
            next = engine_moves(play);
            print_board(play);
        }
    }
}

/* -- the command -- */

static int set_up(struct play *play, const char *what, const char *rules, int size, const char *seed) {
    sortie_error error = {0};
    sortie_start start = SORTIE_INIT(sortie_start);
    sortie_game_info info = SORTIE_INIT(sortie_game_info);
    bool known = sortie_game_about(what, &info, NULL) == SORTIE_OK;
    if (!known) {
        return cli_read_position(what, NULL, &play->position);
    }
    char *end = NULL;
    start.rules = rules;
    start.rows = size;
    start.seed = seed ? strtoull(seed, &end, 10) : rng_next(&play->rng);
    start.random = seed || info.margin; /* boards with values and blocks are drawn, a Gomoku board is empty */
    if (seed && (*seed == '\0' || *end)) {
        return cli_usage("play: expected a number for --seed, found '%s'", seed);
    }
    sortie_status status = sortie_position_start(what, &start, &play->position, &error);
    return status == SORTIE_OK ? 0 : cli_refuse(NULL, &error, status);
}

/* The side a word names: a number, the side's own name, both or none. -1 when it is none of these. */
static int side_of(const struct play *play, const char *name) {
    static const char *const words[] = {"first", "second", "both", "none"};
    sortie_game_info info = SORTIE_INIT(sortie_game_info);
    sortie_game_about(sortie_position_game(play->position), &info, NULL);
    for (int i = 0; i < 4; i++) {
        if (strcmp(name, words[i]) == 0 || (i < 2 && strcmp(name, info.sides[i]) == 0)) {
            return i;
        }
    }
    return -1;
}

static void play_free(struct play *play) {
    sortie_position_free(play->position);
    sortie_engine_free(play->engine);
    free(play->moves);
    free(play->words);
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct play play = {.level = USUAL_LEVEL, .seconds = USUAL_SECONDS, .rng = {cli_chance()}};
    sortie_engine_options engine = {0};
    const char *rules = NULL;
    const char *seed = NULL;
    const char *side = "first";
    int size = 0;
    const struct cli_option table[] = {
        {"rules", 'r', CLI_STRING, &rules, "NAME", "rule set: stake, sneak, freestyle, exact, renju, caro", 0, 0},
        {"size", 's', CLI_INT, &size, "N", "size of the board (default: the game's usual one)", 1, 100},
        {"side", 0, CLI_STRING, &side, "SIDE", "yours: first (default), second, both or none", 0, 0},
        {"level", 'l', CLI_INT, &play.level, "N", "how well the engine plays: 1 to 10 (default 7)", 1, MOST_LEVEL},
        {"time", 't', CLI_SECONDS, &play.seconds, "SECONDS", "time for a move on level 10 (default 5 s)", 0, 0},
        {"seed", 0, CLI_STRING, &seed, "N", "draw the board by this number", 0, 0},
        {"swap", 0, CLI_FLAG, &play.swap, NULL, "Gomoku: the second side may take over the first stone", 0, 0},
        CLI_ENGINE_OPTIONS(engine),
        {0},
    };
    const char *what = "gomoku";
    int exit_status;
    char games[200];
    char details[1000];
    struct cli_command shown = *command;
    cli_game_names(what, games);
    snprintf(details, sizeof details, "%sGames: %s.\n", command->details, games);
    shown.details = details;
    if (!cli_parse_file(&shown, table, argc, argv, &what, &exit_status)) {
        return exit_status;
    }
    sortie_error error = {0};
    exit_status = set_up(&play, what, rules, size, seed);
    if (exit_status == 0 && (play.side = side_of(&play, side)) < 0) {
        exit_status = cli_usage("play: expected first, second, both or none for --side, found '%s'", side);
    }
    cli_use_machine(&engine, play.seconds);
    if (exit_status == 0) {
        sortie_status status = sortie_engine_new(&engine, &play.engine, &error);
        exit_status = status == SORTIE_OK ? 0 : cli_refuse(NULL, &error, status);
    }
    if (exit_status == 0) {
        play.terminal = prompt_is_terminal();
        play.colour = play.terminal && !getenv("NO_COLOR");
        loop(&play);
    }
    play_free(&play);
    return exit_status;
}

const struct cli_command cli_play = {
    .name = "play",
    .summary = "play a game against the engine in the terminal",
    .usage = "[GAME | FILE] [OPTIONS]",
    .details =
        "Plays a game from its start, or from a position in a file. Moves are typed in\n"
        "the game's own notation, or as much of it as is needed; Tab completes. 'help' lists what else can be\n"
        "typed: hint, undo, analyze, level, swap, save, load. Ctrl-C lets the engine move at once. Works over a\n"
        "pipe too: one move or command a line.\n",
    .example = "  printf 'H8\\nhint\\nundo\\nquit\\n' | sortie play gomoku --level 3\n",
    .run = run,
};
