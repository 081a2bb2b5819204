/* An engine that speaks the line protocol (docs/protocol.md) as a player of any game: a process that lives for one game
 * and is told the whole position before every move. Its answer is "bestmove MOVE". */
#include <stdlib.h>
#include <string.h>

#include "base/stopwatch.h"
#include "players/player_pipe.h"
#include "protocols/lines/lines_words.h"

/* How long an engine may take to load before the game. */
#define START_SECONDS 20.0

struct player {
    const struct player_spec *spec;
    struct player_pipe pipe;
    struct player_game game;
    bool wants_legal; /* the legal moves with every go */
    bool has_hash;
    bool lists_games;
    bool plays_game; /* this one is among them */
};

static struct player *create(const struct player_spec *spec) {
    struct player *player = calloc(1, sizeof *player);
    if (player) {
        player->spec = spec;
        player->pipe.who = "engine";
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
    (void)game, (void)variant, (void)size;
    if (time->clock == PLAYER_CLOCK_NONE) {
        return error_at(error, 0, 0, "player '%s': an engine needs a clock, for example --time-per-move 1", spec->name);
    }
    return STATUS_OK;
}

/* The words of a line, cut in place; how many there are, `most` at the most. */
static int split(char *line, const char **words, int most) {
    int count = 0;
    for (char *at = line; *at && count < most;) {
        at += strspn(at, " \t");
        if (*at) {
            words[count++] = at;
            at += strcspn(at, " \t");
            at += *at ? (*at = '\0', 1) : 0;
        }
    }
    return count;
}

/* -- before the game -- */

static void take_introduction(struct player *player, const char *const *words, int count) {
    if (count >= 3 && strcmp(words[0], "option") == 0 && strcmp(words[1], "name") == 0) {
        player->wants_legal = player->wants_legal || strcmp(words[2], "Legal") == 0;
        player->has_hash = player->has_hash || strcmp(words[2], "Hash") == 0;
    } else if (count >= 2 && strcmp(words[0], "game") == 0) {
        player->lists_games = true;
        player->plays_game = player->plays_game || strcmp(words[1], player->game.game->properties->name) == 0;
    }
}

/* Listens to all that is said up to this word; false, with the fault noted, when it does not come. */
static bool hear_until(struct player *player, const char *word, double until, struct player_answer *answer) {
    char line[PLAYER_PIPE_MOST_LINE];
    const char *words[8];
    while (player_pipe_hear(&player->pipe, until, line, answer)) {
        char whole[128];
        strncpy(whole, line, sizeof whole - 1);
        whole[sizeof whole - 1] = '\0';
        int count = split(line, words, 8);
        if (count > 0 && strcmp(words[0], word) == 0) {
            return true;
        }
        if (count > 0 && strcmp(words[0], "error") == 0) {
            player_pipe_fault(answer, PLAYER_BAD_ANSWER, whole);
            return false;
        }
        take_introduction(player, words, count);
    }
    return false;
}

static bool say(struct player *player, const struct text *commands, double until, struct player_answer *answer) {
    if (commands->broken) {
        player_pipe_fault(answer, PLAYER_NOT_STARTED, "no memory for what it is told");
        return false;
    }
    player_pipe_say(&player->pipe, commands, until, answer);
    return true;
}

/* "position text WAR... moves A1 ...": the start of the game and every move since. */
static void add_position(const struct player *player, const game_move *moves, int plies, struct text *commands) {
    const struct game *game = player->game.game;
    struct text start = TEXT_EMPTY;
    struct game_position *position = malloc(game->properties->position_size);
    if (!position) {
        commands->broken = true;
        return;
    }
    memcpy(position, player->game.start, game->properties->position_size);
    game->write(position, &start);
    text_add_string(commands, "position text ");
    lines_add_position(commands, text_string(&start));
    text_add_string(commands, plies > 0 ? " moves" : "");
    for (int i = 0; i < plies; i++) {
        char text[32];
        struct game_undo undo;
        game->move_text(position, moves[i], text);
        lines_add_move(commands, text);
        game->play(position, moves[i], &undo);
    }
    text_add_char(commands, '\n');
    text_spend(&start, commands);
    free(position);
}

static void add_preparation(const struct player *player, struct text *commands) {
    if (player->wants_legal) {
        text_add_string(commands, "setoption name Legal value true\n");
    }
    if (player->has_hash) { /* of what it may use a part: it needs memory beside its table */
        unsigned long long mib = (unsigned long long)player->game.limits.memory_bytes >> 22;
        text_addf(commands, "setoption name Hash value %llu\n", mib < 1 ? 1 : mib > 256 ? 256 : mib);
    }
    text_add_string(commands, "newgame\n");
    add_position(player, NULL, 0, commands);
    text_add_string(commands, "isready\n");
}

static void begin(struct player *player, const struct player_game *game, struct player_answer *answer) {
    struct text commands = TEXT_EMPTY;
    double until = clock_wall() + START_SECONDS;
    player->game = *game;
    player->wants_legal = player->has_hash = player->lists_games = player->plays_game = false;
    if (!player_pipe_open(&player->pipe, player->spec, &player->game, answer)) {
        return;
    }
    text_add_string(&commands, "sortie\n");
    if (say(player, &commands, until, answer) && hear_until(player, "sortieok", until, answer)) {
        text_free(&commands);
        commands = TEXT_EMPTY;
        if (player->lists_games && !player->plays_game) {
            player_pipe_fault(answer, PLAYER_NOT_STARTED, "the engine does not list this game");
        } else {
            add_preparation(player, &commands);
            if (say(player, &commands, until, answer)) {
                hear_until(player, "readyok", until, answer);
            }
        }
    }
    text_free(&commands);
}

/* -- a turn -- */

static void add_legal(const struct player *player, const struct player_turn *turn, struct text *commands) {
    const struct game *game = player->game.game;
    game_move *moves = malloc((size_t)game->properties->most_moves * sizeof *moves);
    if (!moves) {
        commands->broken = true;
        return;
    }
    int count = game->moves(turn->position, moves);
    text_add_string(commands, " legal");
    for (int i = 0; i < count; i++) {
        char text[32];
        game->move_text(turn->position, moves[i], text);
        lines_add_move(commands, text);
    }
    free(moves);
}

static void add_go(const struct player *player, const struct player_turn *turn, struct text *commands) {
    const struct player_time *time = &player->game.time;
    text_add_string(commands, time->clock == PLAYER_CLOCK_CPU ? "go cpu" : "go");
    if (time->per_move > 0) {
        text_addf(commands, " movetime %.0f", 1e3 * turn->seconds_move > 1 ? 1e3 * turn->seconds_move : 1.0);
    }
    if (time->per_game > 0) {
        text_addf(commands, " time%d %.0f", (player->game.side + turn->swapped) % 2 + 1,
                  1e3 * turn->seconds_left > 1 ? 1e3 * turn->seconds_left : 1.0);
    }
    if (player->wants_legal) {
        add_legal(player, turn, commands);
    }
    text_add_char(commands, '\n');
}

static void take_move(const struct player *player, const struct player_turn *turn, const char *word,
                      struct player_answer *answer) {
    char text[32];
    struct error error = {0};
    const struct game *game = player->game.game;
    if (!lines_read_move(word, strlen(word), text)) {
        player_pipe_fault(answer, PLAYER_BAD_ANSWER, word);
    } else if (game->parse_move(turn->position, text, strlen(text), &answer->move, &error) != STATUS_OK) {
        player_pipe_fault(answer, PLAYER_ILLEGAL, text);
    }
}

/* Listens until the move comes; what is said meanwhile is for people. */
static void hear_move(struct player *player, const struct player_turn *turn, double until,
                      struct player_answer *answer) {
    char line[PLAYER_PIPE_MOST_LINE];
    const char *words[2];
    while (player_pipe_hear(&player->pipe, until, line, answer)) {
        char whole[128];
        strncpy(whole, line, sizeof whole - 1);
        whole[sizeof whole - 1] = '\0';
        int count = split(line, words, 2);
        if (count > 0 && strcmp(words[0], "bestmove") == 0) {
            take_move(player, turn, count > 1 ? words[1] : "", answer);
            return;
        }
        if (count > 0 && strcmp(words[0], "error") == 0) {
            player_pipe_fault(answer, PLAYER_BAD_ANSWER, whole);
            return;
        }
    }
}

static enum status choose(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                          struct error *error) {
    struct text commands = TEXT_EMPTY;
    add_position(player, turn->moves, turn->plies, &commands);
    add_go(player, turn, &commands);
    if (commands.broken) {
        return error_machine(error, "no memory for what an engine is told");
    }
    double wall = clock_wall();
    double until = player_pipe_ask(&player->pipe, turn, &commands, answer);
    text_free(&commands);
    hear_move(player, turn, until, answer);
    player_pipe_measure(&player->pipe, wall, answer);
    return STATUS_OK;
}

static void end(struct player *player, struct text *errors) {
    player_pipe_close(&player->pipe, "stop\nquit\n", errors);
}

const struct player_kind player_lines = {
    .name = "lines",
    .usage = "lines:COMMAND: an engine of any game that speaks the line protocol",
    .needs_warden = true,
    .has_command = true,
    .check = check,
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .choose = choose,
    .end = end,
};
