#include "protocols/folder/folder_referee.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/stopwatch.h"

/* Seconds after which a line without its end, or a line that is no move, is taken as it is. The course's referee waits
 * 0.1 s in every case. */
#define SETTLES 0.15
#define PART_SETTLES 0.5
/* A .go that disappears in this share of the turn's time is put back. A program may remove its own .go when it has seen
 * it, so not at once. */
#define GO_RETURNS 0.5

/* A turn under way. */
struct turn {
    struct folder_referee *referee;
    struct folder_game *game;
    struct folder_verdict *verdict;
    const char *mover;
    const char *other;
    char accepted[FOLDER_MOST_LINE]; /* what move_file should hold */
    struct folder_stamp known;       /* move_file as we left it or last ignored it */
    struct folder_stamp latest;      /* as last seen */
    double latest_since;
    double missing_since;
    double start;
    int64_t start_of_files; /* the same moment by the clock of the files */
};

static enum status named_error(enum status status, const char *name, struct error *error) {
    struct error inner = *error;
    snprintf(error->text, sizeof error->text, "%s: %.150s", name, inner.text);
    return status;
}

static enum status put(struct folder *folder, const char *name, const char *text, struct error *error) {
    enum status status = folder_put(folder, name, text, error);
    return status == STATUS_OK ? status : named_error(status, name, error);
}

static enum status give_go(struct folder *folder, const char *team, struct error *error) {
    char name[FOLDER_MOST_NAME];
    folder_go_name(team, name);
    return put(folder, name, "go!\n", error);
}

static void remove_go(struct folder *folder, const char *team) {
    char name[FOLDER_MOST_NAME];
    folder_go_name(team, name);
    folder_remove(folder, name);
}

static void notice(struct turn *turn, const char *text) {
    if (turn->referee->noticed) {
        turn->referee->noticed(turn->referee->user, text);
    }
}

static void decide(struct folder_verdict *verdict, int winner, const char *reason, const char *detail) {
    verdict->winner = winner;
    snprintf(verdict->reason, sizeof verdict->reason, "%s", reason);
    snprintf(verdict->detail, sizeof verdict->detail, "%s", detail);
}

/* Notes what move_file looks like with the last move in it. Whatever else stands there by now, a quick answer perhaps,
 * is not known, so that it is looked at. */
static void remember(struct turn *turn) {
    struct folder *folder = turn->referee->folder;
    struct folder_stamp stamp;
    struct folder_line line;
    struct folder_line wanted;
    folder_stamp(folder, FOLDER_MOVE_FILE, &stamp); /* before it is read: what comes in between differs from it */
    folder_read_move(folder, &line);
    folder_parse_line(turn->accepted, strlen(turn->accepted), &wanted);
    bool ours = line.content == wanted.content && line.square == wanted.square && strcmp(line.team, wanted.team) == 0;
    turn->known = ours ? stamp : (struct folder_stamp){0};
    turn->latest = turn->known;
}

/* Makes move_file hold the last move again after something that is not an answer was taken away. */
static enum status put_back(struct turn *turn, struct error *error) {
    enum status status = folder_add(turn->referee->folder, FOLDER_MOVE_FILE, turn->accepted, error);
    if (status != STATUS_OK) {
        return named_error(status, FOLDER_MOVE_FILE, error);
    }
    remember(turn);
    turn->missing_since = 0;
    return STATUS_OK;
}

/* What the line in move_file means in this turn. */
enum meaning { NOT_YET, IGNORED, SAME_AS_BEFORE, ANSWER, OUT_OF_TURN };

static enum meaning line_meaning(const struct turn *turn, const struct folder_line *line, double quiet) {
    const struct folder_game *game = turn->game;
    if (line->content == FOLDER_EMPTY) {
        return NOT_YET; /* opened for writing, or emptied by somebody: either way no answer */
    }
    if (line->content != FOLDER_MISSING && !line->ended &&
        quiet < (line->content == FOLDER_MOVE ? SETTLES : PART_SETTLES)) {
        return NOT_YET;
    }
    if (strcmp(line->team, turn->mover) == 0) {
        return ANSWER;
    }
    if (strcmp(line->team, turn->other) == 0) {
        bool again = game->count > 0 && line->content == FOLDER_MOVE && line->square == game->squares[game->count - 1];
        return again ? SAME_AS_BEFORE : OUT_OF_TURN;
    }
    return IGNORED;
}

/* Judges an answer of the player to move. Plays it when it is legal and returns true. */
static bool judge_answer(struct turn *turn, const struct folder_line *line) {
    int mover = folder_game_turn(turn->game);
    if (line->content == FOLDER_MOVE && folder_game_legal(turn->game, line->square)) {
        folder_game_play(turn->game, line->square);
        return true;
    }
    const char *detail = line->content != FOLDER_MOVE ? "expected a team, a letter and a number"
                         : line->square < 0           ? "the square is not on the board"
                                                      : "the square is taken";
    decide(turn->verdict, 1 - mover, "invalid move", detail);
    return false;
}

/* Looks at a changed move_file and acts on it. */
static enum folder_outcome look(struct turn *turn, double now, struct error *error) {
    struct folder *folder = turn->referee->folder;
    struct folder_line line;
    folder_read_move(folder, &line);
    enum meaning meaning = line_meaning(turn, &line, now - turn->latest_since);
    if (meaning == NOT_YET) {
        return line.content == FOLDER_EMPTY ? FOLDER_WAITING : FOLDER_UNFINISHED;
    }
    if (meaning == SAME_AS_BEFORE) {
        turn->known = turn->latest;
        return FOLDER_WAITING;
    }
    /* The turn ends before the file disappears: a program that finds its .go and no move_file could take that for
     * another turn. Then take the file away and judge what was taken: it may be newer than what we read. */
    remove_go(folder, turn->mover);
    char bytes[1024];
    size_t length;
    char taken[40];
    snprintf(taken, sizeof taken, ".move_file-taken-%d", turn->referee->odd);
    if (!folder_take(folder, FOLDER_MOVE_FILE, taken)) {
        return give_go(folder, turn->mover, error) == STATUS_OK ? FOLDER_WAITING : FOLDER_BROKEN;
    }
    bool plain = folder_read(folder, taken, bytes, sizeof bytes, &length);
    folder_parse_line(bytes, plain ? length : 0, &line);
    meaning = plain ? line_meaning(turn, &line, PART_SETTLES) : IGNORED;
    folder_remove(folder, taken);
    turn->referee->odd += plain ? 0 : 1; /* a folder with something in it stays: use another name the next time */
    int mover = folder_game_turn(turn->game);
    if (meaning == ANSWER) {
        return judge_answer(turn, &line) ? FOLDER_MOVED : FOLDER_DECIDED;
    }
    if (meaning == OUT_OF_TURN) {
        decide(turn->verdict, mover, "out of order move", "");
        return FOLDER_DECIDED;
    }
    char text[200];
    snprintf(text, sizeof text, "ignored what was written by '%.64s' in the turn of %.64s", line.team, turn->mover);
    notice(turn, text);
    enum status status = put_back(turn, error);
    return status == STATUS_OK && give_go(folder, turn->mover, error) == STATUS_OK ? FOLDER_WAITING : FOLDER_BROKEN;
}

/* Whether what stands in move_file now was there before the time was over, though we notice it late. */
static bool in_time(const struct turn *turn, double now) {
    if (now - turn->start <= turn->referee->limit) {
        return true;
    }
    return turn->latest.changed - turn->start_of_files <= (int64_t)(turn->referee->limit * 1e9);
}

/* One look at the folder. */
static enum folder_outcome step(struct turn *turn, double now, struct error *error) {
    struct folder_referee *referee = turn->referee;
    struct folder_stamp stamp;
    bool alive = !referee->alive || referee->alive(referee->user, folder_game_turn(turn->game));
    folder_stamp(referee->folder, FOLDER_MOVE_FILE, &stamp); /* after `alive`: a program may answer and end */
    bool changed = !folder_same_stamp(&stamp, &turn->latest);
    if (changed) {
        turn->latest = stamp;
        turn->latest_since = now;
    }
    double over = now - turn->start - referee->limit;
    bool answered = stamp.exists && !folder_same_stamp(&stamp, &turn->known);
    if (answered && in_time(turn, turn->latest_since) && over < 2 * PART_SETTLES) {
        enum folder_outcome outcome = look(turn, now, error);
        if (outcome != FOLDER_WAITING) {
            return outcome == FOLDER_UNFINISHED ? FOLDER_WAITING : outcome;
        }
    }
    if (over > 0) {
        decide(turn->verdict, 1 - folder_game_turn(turn->game), "out of time", "");
        return FOLDER_DECIDED;
    }
    if (!stamp.exists) {
        turn->missing_since = turn->missing_since > 0 ? turn->missing_since : now;
        if (now - turn->missing_since > SETTLES) {
            notice(turn, "move_file was deleted; put back");
            return put_back(turn, error) == STATUS_OK ? FOLDER_WAITING : FOLDER_BROKEN;
        }
    } else {
        turn->missing_since = 0;
    }
    folder_stamp(referee->folder, FOLDER_END_FILE, &stamp);
    if (stamp.exists) {
        folder_remove(referee->folder, FOLDER_END_FILE);
        notice(turn, "removed an end_game that the referee did not write");
    }
    if (-over < GO_RETURNS * referee->limit) {
        char name[FOLDER_MOST_NAME];
        struct folder_stamp go;
        folder_go_name(turn->mover, name);
        folder_stamp(referee->folder, name, &go);
        if (!go.exists && folder_add(referee->folder, name, "go!\n", error) != STATUS_OK) {
            named_error(STATUS_FAIL, name, error);
            return FOLDER_BROKEN;
        }
    }
    if (!alive && !answered) {
        decide(turn->verdict, 1 - folder_game_turn(turn->game), "program ended", "");
        return FOLDER_DECIDED;
    }
    return FOLDER_WAITING;
}

/* Writes the last move into move_file and remembers what it looks like. */
static enum status publish(struct turn *turn, struct error *error) {
    const struct folder_game *game = turn->game;
    turn->accepted[0] = '\0';
    if (game->count > 0) {
        folder_move_text(turn->referee->teams[(game->count - 1) % 2], game->squares[game->count - 1], true,
                         turn->accepted);
    }
    enum status status = put(turn->referee->folder, FOLDER_MOVE_FILE, turn->accepted, error);
    remember(turn);
    return status;
}

/* Sleeps, but wakes up early when we are told to stop. */
static void rest(const struct folder_referee *referee, double seconds) {
    double until = clock_wall() + seconds;
    while (clock_wall() < until && !atomic_load(referee->stop)) {
        double left = until - clock_wall();
        left = left < 0.05 ? left : 0.05;
        struct timespec nap = {.tv_nsec = (long)(left > 0 ? left * 1e9 : 0)};
        nanosleep(&nap, NULL);
    }
}

enum folder_outcome folder_referee_turn(struct folder_referee *referee, struct folder_game *game,
                                        struct folder_verdict *verdict, double *seconds, struct error *error) {
    ASSERT(game->state == FOLDER_GOING);
    int mover = folder_game_turn(game);
    struct turn turn = {.referee = referee,
                        .game = game,
                        .verdict = verdict,
                        .mover = referee->teams[mover],
                        .other = referee->teams[1 - mover]};
    if (publish(&turn, error) != STATUS_OK) {
        return FOLDER_BROKEN;
    }
    rest(referee, referee->pause);
    if (give_go(referee->folder, turn.mover, error) != STATUS_OK) {
        return FOLDER_BROKEN;
    }
    turn.start = clock_wall();
    turn.start_of_files = folder_now();
    turn.latest_since = turn.start;
    enum folder_outcome outcome = FOLDER_WAITING;
    while (outcome == FOLDER_WAITING) {
        double now = clock_wall();
        if (atomic_load(referee->stop)) {
            error_machine(error, "interrupted");
            outcome = FOLDER_BROKEN;
            break;
        }
        outcome = step(&turn, now, error);
        if (outcome == FOLDER_WAITING) {
            double left = turn.start + referee->limit - now;
            folder_wait(referee->folder, turn.latest_since + PART_SETTLES > now || left < 0.02 ? 0.01 : left);
        }
    }
    *seconds = clock_wall() - turn.start;
    remove_go(referee->folder, turn.mover);
    return outcome;
}

enum status folder_referee_end(struct folder_referee *referee, const struct folder_game *game,
                               const struct folder_verdict *verdict, struct error *error) {
    char end[2 * FOLDER_MOST_LINE];
    struct text history = TEXT_EMPTY;
    folder_end_text(referee->teams, verdict, end);
    folder_history_text(referee->teams, game, &history);
    enum status status = history.broken ? error_machine(error, "out of memory") : STATUS_OK;
    if (status == STATUS_OK) {
        status = put(referee->folder, FOLDER_HISTORY_FILE, text_string(&history), error);
    }
    text_free(&history);
    if (status == STATUS_OK) {
        status = put(referee->folder, FOLDER_END_FILE, end, error);
    }
    for (int player = 0; status == STATUS_OK && player < 2; player++) {
        status = give_go(referee->folder, referee->teams[player], error);
    }
    return status;
}

void folder_referee_clean(struct folder_referee *referee) {
    folder_remove(referee->folder, FOLDER_END_FILE);
    folder_remove(referee->folder, FOLDER_HISTORY_FILE);
    remove_go(referee->folder, referee->teams[0]);
    remove_go(referee->folder, referee->teams[1]);
    folder_remove(referee->folder, FOLDER_MOVE_FILE);
}

enum status folder_referee_play(struct folder_referee *referee, struct folder_game *game,
                                struct folder_verdict *verdict, struct error *error) {
    enum folder_outcome outcome = FOLDER_MOVED;
    memset(verdict, 0, sizeof *verdict);
    folder_game_start(game, referee->rules);
    folder_referee_clean(referee);
    while (outcome == FOLDER_MOVED && game->state == FOLDER_GOING) {
        double seconds;
        outcome = folder_referee_turn(referee, game, verdict, &seconds, error);
        if (outcome == FOLDER_MOVED && referee->moved) {
            referee->moved(referee->user, game, game->squares[game->count - 1], seconds);
        }
    }
    if (outcome == FOLDER_BROKEN && !atomic_load(referee->stop) && folder_gone(referee->folder)) {
        /* Nobody knows who did it; the clock was the mover's, who cannot answer any more. */
        decide(verdict, 1 - folder_game_turn(game), "folder removed", "the folder of the game is gone");
        return STATUS_OK;
    }
    struct turn last = {.referee = referee, .game = game};
    if (outcome != FOLDER_BROKEN && publish(&last, error) != STATUS_OK) {
        outcome = FOLDER_BROKEN;
    }
    if (outcome == FOLDER_BROKEN) {
        remove_go(referee->folder, referee->teams[0]);
        remove_go(referee->folder, referee->teams[1]);
        return STATUS_FAIL;
    }
    if (outcome == FOLDER_MOVED) {
        bool tie = game->state == FOLDER_TIE;
        decide(verdict, tie ? -1 : 1 - folder_game_turn(game), tie ? "board full!" : "5 in a row!", "");
    }
    return folder_referee_end(referee, game, verdict, error);
}
