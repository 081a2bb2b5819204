#include "protocols/folder/folder_agent.h"

#include <stdio.h>
#include <string.h>

#include "base/stopwatch.h"

/* How long a file that makes no sense is given to become whole, as shares of the time for a move. */
#define SHARE_WITH_MOVE_SEEN 0.05
#define SHARE_WITHOUT 0.4
/* An end_game is believed once it has stood for this many seconds: the course's referee creates it empty and fills it
 * then, and one that the other program made up is removed by a referee that pays attention. */
#define END_SETTLES 0.25

void folder_agent_start(struct folder_agent *agent, enum folder_rules rules) {
    struct folder_stamp move_file;
    folder_go_name(agent->team, agent->go_name);
    folder_game_start(&agent->game, rules);
    agent->player = -1;
    agent->seen = -1;
    agent->guess = -1;
    agent->since = 0;
    agent->last_sign = clock_wall();
    /* move_file last: a referee that begins just now writes it before the .go. */
    folder_stamp(agent->folder, FOLDER_END_FILE, &agent->old_end);
    folder_stamp(agent->folder, agent->go_name, &agent->old_go);
    folder_stamp(agent->folder, FOLDER_MOVE_FILE, &move_file);
    agent->last_move_file = move_file;
    /* A game under way has a move_file younger than any end_game, and a .go that is at least as young as move_file
     * and not so old that its time is over. */
    bool game_lies_there =
        move_file.exists && !(agent->old_end.exists && agent->old_end.modified >= move_file.modified);
    bool go_is_alive = game_lies_there && agent->old_go.modified >= move_file.modified &&
                       folder_now() - agent->old_go.modified < (int64_t)(agent->limit * 1e9);
    if (go_is_alive) {
        agent->old_go.exists = false;
    }
}

/* A file that is there and not a leftover. */
static bool is_new(const struct folder_agent *agent, const char *name, const struct folder_stamp *old,
                   struct folder_stamp *stamp) {
    folder_stamp(agent->folder, name, stamp);
    return stamp->exists && !(old->exists && folder_same_stamp(stamp, old));
}

bool folder_agent_over(struct folder_agent *agent, char text[FOLDER_MOST_LINE]) {
    struct folder_stamp stamp;
    size_t length;
    double first = 0;
    while (is_new(agent, FOLDER_END_FILE, &agent->old_end, &stamp)) {
        double now = clock_wall();
        first = first > 0 ? first : now;
        if (now - first > END_SETTLES) {
            folder_read(agent->folder, FOLDER_END_FILE, text, FOLDER_MOST_LINE, &length);
            text[strcspn(text, "\r\n")] = '\0';
            return true;
        }
        folder_wait(agent->folder, 0.02);
    }
    return false;
}

/* Plays a move. Only the referee ends a game: should the board say that somebody has five and the referee not, the game
 * goes on, whatever its rules are. */
static void play(struct folder_game *game, int square) {
    folder_game_play(game, square);
    game->state = FOLDER_GOING;
    game->position.winner = GOMOKU_NO_WINNER;
}

/* Takes in a move of the other side. A stone that we only guessed gives way when it stands where a real one is. */
static bool take_move(struct folder_agent *agent, int square) {
    struct folder_game *game = &agent->game;
    if (agent->guess >= 0 && square >= 0 && square < FOLDER_SQUARES && game->squares[agent->guess] == square) {
        struct folder_game again;
        folder_game_start(&again, game->rules);
        for (int i = 0; i < game->count; i++) {
            int replayed = game->squares[i];
            for (int free = 0; i == agent->guess && free < FOLDER_SQUARES; free++) {
                if (game->position.board[free] == GOMOKU_EMPTY) {
                    replayed = free;
                    break;
                }
            }
            play(&again, replayed);
        }
        *game = again;
    }
    if (!folder_game_legal(game, square)) {
        return false;
    }
    play(game, square);
    return true;
}

/* Our .go is there: finds out what the other side played. True once the game is up to date. */
static bool begin_turn(struct folder_agent *agent, const struct folder_line *line, int expected) {
    struct folder_game *game = &agent->game;
    bool named = line->content == FOLDER_MOVE && strcmp(line->team, agent->team) != 0;
    bool ours = line->team[0] && strcmp(line->team, agent->team) == 0;
    double spent = clock_wall() - agent->since;
    if (game->position.count == FOLDER_SQUARES) {
        return false; /* nothing to play; end_game must come */
    }
    if (game->count == 0 && line->content == FOLDER_EMPTY && agent->seen < 0) {
        agent->player = 0;
        return true;
    }
    /* "E 1" may yet become "E 15" when the line is not ended. */
    if (named && (line->ended || spent > SHARE_WITH_MOVE_SEEN * agent->limit) &&
        folder_game_legal(game, line->square)) {
        agent->player = agent->player < 0 ? 1 : agent->player;
        return take_move(agent, line->square);
    }
    if (named && line->ended && agent->guess >= 0 && take_move(agent, line->square)) {
        return true;
    }
    if (ours && agent->player >= 0) {
        return false; /* the referee has not yet taken our own move */
    }
    if (agent->seen >= 0 && spent > SHARE_WITH_MOVE_SEEN * agent->limit) {
        agent->player = agent->player < 0 ? 1 : agent->player;
        return take_move(agent, agent->seen);
    }
    if (spent <= SHARE_WITHOUT * agent->limit) {
        return false;
    }
    /* Nobody tells us what was played, and the clock runs: go on from our best guess. */
    if (game->count == 0) {
        agent->player = 0;
        return true;
    }
    for (int square = 0; square < FOLDER_SQUARES && !folder_game_legal(game, expected); square++) {
        expected = square;
    }
    if (!folder_game_legal(game, expected)) {
        return false;
    }
    agent->guess = game->count;
    play(game, expected);
    return true;
}

/* The game is over: a last move of the other side, for which we got no turn, still lies in move_file. */
static void take_last_move(struct folder_agent *agent) {
    struct folder_game *game = &agent->game;
    struct folder_line line;
    folder_read_move(agent->folder, &line);
    if (agent->player >= 0 && folder_game_turn(game) != agent->player && line.content == FOLDER_MOVE &&
        strcmp(line.team, agent->team) != 0) {
        take_move(agent, line.square);
    }
}

enum folder_news folder_agent_wait(struct folder_agent *agent, int expected, atomic_bool *stop,
                                   char text[FOLDER_MOST_LINE]) {
    agent->since = 0;
    agent->seen = -1;
    agent->last_sign = clock_wall();
    while (!atomic_load(stop)) {
        struct folder_stamp go;
        struct folder_stamp move_file;
        struct folder_line line;
        double now = clock_wall();
        bool have_go = is_new(agent, agent->go_name, &agent->old_go, &go);
        if (folder_agent_over(agent, text)) {
            take_last_move(agent);
            return FOLDER_GAME_OVER;
        }
        folder_stamp(agent->folder, FOLDER_MOVE_FILE, &move_file);
        if (!folder_same_stamp(&move_file, &agent->last_move_file)) {
            agent->last_sign = now;
            agent->last_move_file = move_file;
        }
        folder_read_move(agent->folder, &line);
        /* A .go that is gone by now was that of our last turn, and the move is not yet for us to answer. */
        have_go = have_go && is_new(agent, agent->go_name, &agent->old_go, &go);
        bool started = have_go || agent->player >= 0 || agent->last_sign == now;
        if (started && line.content == FOLDER_MOVE && line.ended && strcmp(line.team, agent->team) != 0 &&
            folder_game_legal(&agent->game, line.square)) {
            agent->seen = line.square;
        }
        if (have_go) {
            agent->since = agent->since > 0 ? agent->since : now;
            agent->turn_began = go.modified;
            if (begin_turn(agent, &line, expected)) {
                return FOLDER_OUR_TURN;
            }
        } else {
            agent->since = 0;
        }
        if (now - agent->last_sign > (agent->player < 0 ? agent->wait : agent->patience)) {
            return FOLDER_SILENCE;
        }
        folder_wait(agent->folder, agent->since > 0 ? 0.01 : 1);
    }
    return FOLDER_STOPPED;
}

enum status folder_agent_move(struct folder_agent *agent, int square, struct error *error) {
    char text[FOLDER_MOST_LINE];
    double until = clock_wall() + 0.5 * agent->limit;
    folder_move_text(agent->team, square, false, text);
    play(&agent->game, square);
    for (;;) {
        char end[FOLDER_MOST_LINE];
        if (folder_agent_over(agent, end)) {
            return STATUS_OK;
        }
        enum status status = folder_put(agent->folder, FOLDER_MOVE_FILE, text, error);
        if (status == STATUS_OK || clock_wall() > until) {
            return status;
        }
        folder_wait(agent->folder, 0.02);
    }
}
