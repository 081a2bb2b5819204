#include "protocols/gomocup/gomocup.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/line_input.h"
#include "base/reader.h"
#include "base/stopwatch.h"
#include "games/gomoku/openings/installed.h"
#include "protocols/gomocup/bell.h"
#include "protocols/gomocup/gomocup_state.h"

/* After so much of a line without an end, it is taken as one. */
#define MOST_LINE 65536

void gomocup_answer(struct gomocup *gomocup, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    gomocup_answer_whole(gomocup, line);
}

void gomocup_answer_whole(struct gomocup *gomocup, const char *line) {
    pthread_mutex_lock(&gomocup->speaking);
    gomocup->options.answer(gomocup->options.user, line);
    pthread_mutex_unlock(&gomocup->speaking);
}

struct gomocup *gomocup_new(const struct gomocup_options *options, struct error *error) {
    struct gomocup *gomocup = calloc(1, sizeof *gomocup);
    if (!gomocup) {
        error_machine(error, "no memory for the protocol");
        return NULL;
    }
    gomocup->options = *options;
    gomocup->timeout_turn = 30000;
    gomocup->time_left = INT32_MAX;
    gomocup->threads = options->threads;
    pthread_mutex_init(&gomocup->speaking, NULL);
    gomocup->thinker = thinker_new(
        &(struct thinker_listener){.report = gomocup_tell_report, .root = gomocup_tell_root, .user = gomocup});
    if (!gomocup->thinker) {
        pthread_mutex_destroy(&gomocup->speaking);
        free(gomocup);
        error_machine(error, "no thread for the search");
        return NULL;
    }
    gomoku_clear(&gomocup->position, 15, GOMOKU_FREESTYLE);
    return gomocup;
}

void gomocup_free(struct gomocup *gomocup) {
    if (gomocup) {
        thinker_free(gomocup->thinker);
        engine_free(gomocup->engine);
        gomocup_database_end(gomocup);
        pthread_mutex_destroy(&gomocup->speaking);
        free(gomocup);
    }
}

/* -- games -- */

/* The variant of the rule asked for; -1 when none is known by it. Two is a game that goes on after a win to a manager,
 * which changes no game, and renju to a board. */
static int known_variant(const struct gomocup *gomocup) {
    if (gomocup->at_board) {
        return gomocup->rule == 2 ? GOMOKU_RENJU : gomoku_variant_of_rule(gomocup->rule);
    }
    return gomoku_variant_of_rule(gomocup->rule & ~2);
}

int gomocup_variant(const struct gomocup *gomocup) {
    int variant = known_variant(gomocup);
    return variant < 0 ? GOMOKU_FREESTYLE : variant;
}

bool gomocup_knows_rule(struct gomocup *gomocup) {
    if (known_variant(gomocup) < 0) {
        gomocup_answer(
            gomocup, "ERROR rule %d is not known, only 0 (five or more win), 1 (exactly five), 4 (renju) and 8 (caro)",
            gomocup->rule);
        return false;
    }
    return true;
}

bool gomocup_uses_book(const struct gomocup *gomocup) {
    return !gomocup->options.no_book && !gomocup->at_board;
}

/* A search of one node: the engine makes its tables for these rules. */
static void warm_up(struct gomocup *gomocup) {
    struct search_limits limits = {.nodes = 1};
    struct search_control control = {0};
    struct search_result result;
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = limits};
    engine_go(gomocup->engine, &gomoku_game, (const struct game_position *)&gomocup->position, &request, &control,
              &result, NULL);
}

/* Everything that takes time is done before the OK: the first move's clock starts behind it. To a board a START is no
 * new game: it sends one with every position, and what was learnt of the last helps with the next. */
static void new_game(struct gomocup *gomocup, int size) {
    int variant = gomocup_variant(gomocup);
    bool same = gomocup->at_board && gomocup->started && gomocup->engine && gomocup->position.size == size &&
                gomocup->position.variant == variant;
    gomoku_clear(&gomocup->position, size, variant);
    gomocup->started = true;
    gomocup->time_left = gomocup->time_told ? gomocup->time_left : INT32_MAX;
    if (same) {
        gomocup_answer(gomocup, "OK");
        return;
    }
    gomocup_settle(gomocup);
    if (gomocup->engine) {
        engine_clear(gomocup->engine);
    }
    gomocup->book_seed = rng_mix((uint64_t)(clock_wall() * 1e9));
    if (gomocup_uses_book(gomocup)) {
        openings_installed();
    }
    gomoku_prepare(gomocup->position.variant);
    thinker_measure(gomocup->thinker);
    if (gomocup_ready_engine(gomocup)) {
        warm_up(gomocup);
        gomocup_answer(gomocup, "OK");
        gomocup->heard_at = clock_wall();
    }
}

/* One number, or two from Yixin-Board: a manager says RECTSTART where they differ. */
static void command_start(struct gomocup *gomocup, const char *rest, size_t length) {
    struct reader reader;
    const char *word;
    int64_t sizes[2] = {0, 0};
    int count = 0;
    bool good = true;
    reader_init(&reader, rest, length);
    reader_next_line(&reader);
    while (good && count < 3 && reader_skip_blanks(&reader)) {
        size_t word_length = reader_word(&reader, &word);
        good = count < 2 && gomocup_read_numbers(word, word_length, 1, &sizes[count]) &&
               sizes[count] >= GOMOKU_LEAST_SIZE && sizes[count] <= GOMOKU_MOST_SIZE;
        count++;
    }
    if (!good || count == 0) {
        gomocup_answer(gomocup, "ERROR expected a board size of %d to %d", GOMOKU_LEAST_SIZE, GOMOKU_MOST_SIZE);
    } else if (count == 2 && sizes[0] != sizes[1]) {
        gomocup_answer(gomocup, "ERROR only square boards are known");
    } else {
        gomocup->rows_first = count == 2;
        gomocup->at_board = gomocup->at_board || count == 2;
        new_game(gomocup, (int)sizes[0]);
    }
}

/* Width and height; a square board is as good as one of START. */
static void command_rectstart(struct gomocup *gomocup, const char *rest, size_t length) {
    int64_t sizes[2];
    if (!gomocup_read_numbers(rest, length, 2, sizes)) {
        gomocup_answer(gomocup, "ERROR expected a width and a height as w,h");
    } else if (sizes[0] != sizes[1]) {
        gomocup_answer(gomocup, "ERROR only square boards are known");
    } else if (sizes[0] < GOMOKU_LEAST_SIZE || sizes[0] > GOMOKU_MOST_SIZE) {
        gomocup_answer(gomocup, "ERROR expected a board size of %d to %d", GOMOKU_LEAST_SIZE, GOMOKU_MOST_SIZE);
    } else {
        gomocup->rows_first = false;
        new_game(gomocup, (int)sizes[0]);
    }
}

static void command_restart(struct gomocup *gomocup, const char *rest, size_t length) {
    (void)rest, (void)length;
    new_game(gomocup, gomocup->position.size);
}

static void command_begin(struct gomocup *gomocup, const char *rest, size_t length) {
    (void)rest, (void)length;
    if (gomocup->position.count > 0) {
        gomocup_answer(gomocup, "ERROR expected an empty board");
    } else if (gomocup_knows_rule(gomocup)) {
        gomocup_go(gomocup);
    }
}

static void command_turn(struct gomocup *gomocup, const char *rest, size_t length) {
    int square = gomocup_read_square(gomocup, rest, length);
    if (square < 0 || !gomoku_game.legal((const struct game_position *)&gomocup->position, (game_move)square)) {
        gomocup_answer(gomocup, square < 0 ? "ERROR expected a square of the board as x,y"
                                           : "ERROR expected an empty square and a game that is not over");
        return;
    }
    if (gomocup_knows_rule(gomocup)) {
        gomoku_put(&gomocup->position, square);
        gomocup_go(gomocup);
    }
}

static void command_takeback(struct gomocup *gomocup, const char *rest, size_t length) {
    struct gomoku_position *position = &gomocup->position;
    int square = gomocup_read_square(gomocup, rest, length);
    if (square < 0 || position->count == 0 || position->order[position->count - 1] != square) {
        gomocup_answer(gomocup, "ERROR expected the square of the last move");
        return;
    }
    struct game_undo undo = {.words = {GOMOKU_NO_WINNER}};
    gomoku_game.undo((struct game_position *)position, &undo);
    position->setup = position->setup > position->count ? position->count : position->setup;
    gomocup_answer(gomocup, "OK");
}

static void command_board(struct gomocup *gomocup, const char *rest, size_t length) {
    gomocup_begin_block(gomocup, BLOCK_BOARD, rest, length);
}

static void command_swap2board(struct gomocup *gomocup, const char *rest, size_t length) {
    gomocup_begin_block(gomocup, BLOCK_SWAP2, rest, length);
}

static void command_about(struct gomocup *gomocup, const char *rest, size_t length) {
    (void)rest, (void)length;
    gomocup_answer(gomocup, "name=\"sortie\", version=\"%s\", author=\"the sortie authors\", country=\"\"",
                   SORTIE_VERSION);
}

/* -- settings -- */

/* Nothing is said of a rule that is not known: a manager does not listen before it asks for a move. */
static void set_rule(struct gomocup *gomocup, int64_t number) {
    gomocup->rule = (int)(number & GOMOCUP_RULE_BITS);
    if (gomocup->position.count == 0 && !gomocup->thinking) {
        gomocup->position.variant = (uint8_t)gomocup_variant(gomocup);
        gomoku_prepare(gomocup->position.variant);
    }
}

/* Off by default: most managers count the time of a processor as somebody's, and many have both play on one. */
static void set_pondering(struct gomocup *gomocup, bool wanted) {
    gomocup->ponders = wanted;
    if (!wanted && !gomocup->thinking) {
        thinker_stop(gomocup->thinker);
    }
}

/* Piskvork's manager says a turn of nothing when its user does not want to wait for the move under way. */
static void set_turn(struct gomocup *gomocup, int64_t milliseconds) {
    gomocup->timeout_turn = milliseconds;
    if (milliseconds == 0 && gomocup->thinking && !gomocup->at_board) {
        thinker_stop(gomocup->thinker);
        gomocup_watch(gomocup, NULL);
    }
}

/* Keys that mean nothing here are accepted in silence, as the protocol asks. What comes while it thinks is for the next
 * search. */
static void command_info(struct gomocup *gomocup, const char *rest, size_t length) {
    struct reader reader;
    const char *key;
    int64_t number;
    reader_init(&reader, rest, length);
    reader_next_line(&reader);
    size_t key_length = reader_word(&reader, &key);
    reader_skip_blanks(&reader);
    if (key_length == 0 ||
        !gomocup_read_numbers(reader.line + reader.cursor, reader.length - reader.cursor, 1, &number)) {
        return;
    }
    if (gomocup_same_word(key, key_length, "TIMEOUT_TURN")) {
        set_turn(gomocup, number);
    } else if (gomocup_same_word(key, key_length, "TIMEOUT_MATCH")) {
        gomocup->timeout_match = number;
    } else if (gomocup_same_word(key, key_length, "TIME_LEFT")) {
        gomocup->time_left = number;
        gomocup->time_told = true;
    } else if (gomocup_same_word(key, key_length, "MAX_MEMORY")) {
        gomocup->max_memory = number > 0 ? number : 0;
        gomocup_refit_engine(gomocup);
    } else if (gomocup_same_word(key, key_length, "MAX_DEPTH")) {
        gomocup->max_depth = number > 0 && number < 1000 ? number : 0;
    } else if (gomocup_same_word(key, key_length, "MAX_NODE")) {
        gomocup->max_nodes = number > 0 ? number : 0;
    } else if (gomocup_same_word(key, key_length, "SHOW_DETAIL")) {
        gomocup->detail = (int)(number & 3);
        gomocup->at_board = gomocup->at_board || gomocup->detail;
    } else if (gomocup_same_word(key, key_length, "HASH_SIZE")) {
        gomocup_set_table(gomocup, number);
    } else if (gomocup_same_word(key, key_length, "PONDERING")) {
        set_pondering(gomocup, number == 1);
    } else if (gomocup_same_word(key, key_length, "THREAD_NUM")) {
        gomocup->threads = number > 0 && number <= GOMOCUP_MOST_THREADS ? (int)number : 1;
        gomocup_refit_engine(gomocup);
    } else if (gomocup_same_word(key, key_length, "USEDATABASE")) {
        gomocup_use_database(gomocup, number == 1);
    } else if (gomocup_same_word(key, key_length, "DATABASE_READONLY")) {
        gomocup->database_readonly = number == 1;
    } else if (gomocup_same_word(key, key_length, "RULE")) {
        set_rule(gomocup, number);
    }
}

/* -- a line -- */

static const struct {
    const char *name;
    void (*run)(struct gomocup *gomocup, const char *rest, size_t length);
    bool needs_game;
    bool at_once; /* also while it thinks */
} commands[] = {
    {"START", command_start, false, false},
    {"RECTSTART", command_rectstart, false, false},
    {"RESTART", command_restart, true, false},
    {"BEGIN", command_begin, true, false},
    {"TURN", command_turn, true, false},
    {"BOARD", command_board, true, false},
    {"SWAP2BOARD", command_swap2board, true, false},
    {"TAKEBACK", command_takeback, true, false},
    {"ABOUT", command_about, false, false},
    {"INFO", command_info, false, true},
};

/* Takes a command of the manager's; false when it is none. */
static bool manager_command(struct gomocup *gomocup, const char *word, size_t word_length, const char *rest,
                            size_t length) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!gomocup_same_word(word, word_length, commands[i].name)) {
            continue;
        }
        if (!commands[i].at_once) {
            gomocup_end_search(gomocup);
        }
        if (commands[i].needs_game && !gomocup->started) {
            gomocup_answer(gomocup, "ERROR expected START first");
        } else {
            commands[i].run(gomocup, rest, length);
        }
        return true;
    }
    return false;
}

/* A command, or a line of one that goes on. */
static void take_command(struct gomocup *gomocup, struct reader *reader) {
    const char *word;
    if (gomocup->block != BLOCK_NONE &&
        gomocup_block_line(gomocup, reader->line + reader->cursor, reader->length - reader->cursor)) {
        return;
    }
    size_t word_length = reader_word(reader, &word);
    reader_skip_blanks(reader);
    const char *rest = reader->line + reader->cursor;
    size_t length = reader->length - reader->cursor;
    gomocup->at_board = gomocup->at_board || (word_length > 2 && gomocup_same_word(word, 2, "YX"));
    if (!manager_command(gomocup, word, word_length, rest, length) &&
        !gomocup_board_command(gomocup, word, word_length, rest, length)) {
        if (!gomocup->at_board) {
            gomocup_end_search(gomocup);
        }
        gomocup_answer(gomocup, "UNKNOWN command");
    }
}

bool gomocup_line(struct gomocup *gomocup, const char *bytes, size_t length) {
    struct reader reader;
    const char *word;
    if (gomocup->block == BLOCK_DATABASE_TEXT) { /* whatever it says */
        gomocup_database_text(gomocup, bytes, length);
        return true;
    }
    reader_init(&reader, bytes, length);
    if (!reader_next_line(&reader) || !reader_skip_blanks(&reader) ||
        gomocup_database_path(gomocup, reader.line + reader.cursor, reader.length - reader.cursor)) {
        return true;
    }
    struct reader ahead = reader;
    size_t word_length = reader_word(&ahead, &word);
    bool end = gomocup_same_word(word, word_length, "END");
    if (end || gomocup_same_word(word, word_length, "STOP") || gomocup_same_word(word, word_length, "YXSTOP")) {
        thinker_stop(gomocup->thinker);
        gomocup_wait(gomocup);
        return !end;
    }
    if (gomocup->skip_line) {
        gomocup->skip_line = false;
        return true;
    }
    if (!gomocup->thinking) {
        gomocup->asked_at = gomocup->heard_at > 0 ? gomocup->heard_at : clock_wall();
    }
    take_command(gomocup, &reader);
    return true;
}

/* -- the conversation -- */

/* Sleeps until there is more to take, or it is disturbed. What lay there already came while a command was being
 * done, a rule's tables being made perhaps, and the clock of the move it may ask for runs since. */
static void hear_more(struct gomocup *gomocup, struct bell_input *source, struct line_input *input) {
    char bytes[4096];
    bool ready = bell_input_ready(source);
    gomocup_watch(gomocup, source);
    long got = bell_input_read(source, bytes, sizeof bytes);
    gomocup->heard_at = ready ? gomocup->heard_at : clock_wall();
    if (got >= 0) {
        line_input_add(input, bytes, (size_t)got);
    }
}

int gomocup_loop(const struct gomocup_options *options, int descriptor) {
    struct error error;
    struct gomocup *gomocup = gomocup_new(options, &error);
    if (!gomocup) {
        return STATUS_FAIL;
    }
    struct line_input input = {.most = MOST_LINE};
    struct bell_input source;
    bool more = bell_input_open(&source, descriptor);
    gomocup->heard_at = clock_wall();
    int status = more ? STATUS_OK : STATUS_FAIL;
    while (more) {
        const char *line;
        size_t length;
        if (line_input_take(&input, &line, &length)) {
            more = gomocup_line(gomocup, line, length);
        } else if (input.ended) {
            break;
        } else {
            hear_more(gomocup, &source, &input);
        }
    }
    /* Nobody is there any more who would wait for a better move. */
    thinker_stop(gomocup->thinker);
    gomocup_wait(gomocup);
    line_input_free(&input);
    bell_input_close(&source);
    gomocup_free(gomocup);
    return status;
}
