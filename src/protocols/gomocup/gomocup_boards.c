/* What analysis boards (Yixin-Board and those that speak as it does) say beside the Gomocup protocol. */
#include <string.h>

#include "games/gomoku/rules/foul.h"
#include "games/gomoku/rules/swap2.h"
#include "protocols/gomocup/gomocup_state.h"
#include "system/machine.h"

#define MOST_TABLE_POWER 30 /* of kilobytes */
#define MOST_BALANCE 20000

/* The most memory a table may take, as the power of two of its kilobytes. */
static int most_table(void) {
    int power = 10;
    while (power < MOST_TABLE_POWER && UINT64_C(2048) << power <= machine_free_memory() / 2) {
        power++;
    }
    return power;
}

void gomocup_set_table(struct gomocup *gomocup, int64_t kilobytes) {
    int64_t most = INT64_C(1) << most_table();
    int64_t least = (int64_t)(GOMOCUP_LEAST_HASH >> 10);
    kilobytes = kilobytes > most ? most : kilobytes < least ? least : kilobytes;
    gomocup->options.hash_bytes = (size_t)kilobytes << 10;
    gomocup_refit_engine(gomocup);
}

static void show_info(struct gomocup *gomocup, const char *rest, size_t length) {
    (void)rest, (void)length;
    gomocup_answer(gomocup, "MESSAGE sortie %s", SORTIE_VERSION);
    gomocup_answer(gomocup, "MESSAGE INFO MAX_THREAD_NUM %d", GOMOCUP_MOST_THREADS);
    gomocup_answer(gomocup, "MESSAGE INFO MAX_HASH_SIZE %d", most_table());
}

/* The squares that renju forbids X, as two digits for the column and two for the row each, ended by a dot. They are
 * shown whoever is to move, as boards expect it. */
static void show_forbidden(struct gomocup *gomocup, const char *rest, size_t length) {
    (void)rest, (void)length;
    const struct gomoku_position *position = &gomocup->position;
    int size = position->size;
    struct text list = TEXT_EMPTY;
    for (int square = 0; position->variant == GOMOKU_RENJU && square < size * size; square++) {
        uint8_t board[GOMOKU_MOST_SQUARES];
        memcpy(board, position->board, (size_t)size * (size_t)size);
        if (board[square] == GOMOKU_EMPTY && gomoku_foul_at(board, size, square) != GOMOKU_NO_FOUL) {
            text_addf(&list, "%02d%02d", square % size, square / size);
        }
    }
    gomocup_answer(gomocup, "FORBID %s.", text_string(&list));
    text_free(&list);
}

static void clear_table(struct gomocup *gomocup, const char *rest, size_t length) {
    (void)rest, (void)length;
    gomocup->clear_wanted = gomocup->engine != NULL;
}

static void read_position(struct gomocup *gomocup, const char *rest, size_t length) {
    gomocup_begin_block(gomocup, BLOCK_POSITION, rest, length);
}

static void close_squares(struct gomocup *gomocup, const char *rest, size_t length) {
    gomocup_begin_block(gomocup, BLOCK_CLOSE, rest, length);
}

static void open_squares(struct gomocup *gomocup, const char *rest, size_t length) {
    gomocup_begin_block(gomocup, BLOCK_OPEN, rest, length);
}

static void open_all(struct gomocup *gomocup, const char *rest, size_t length) {
    (void)rest, (void)length;
    memset(gomocup->closed, 0, sizeof gomocup->closed);
}

/* The N best moves; the first of them is the answer. */
static void find_best(struct gomocup *gomocup, const char *rest, size_t length) {
    int64_t lines;
    bool good = gomocup_read_numbers(rest, length, 1, &lines) && lines >= 1;
    gomocup->lines = !good ? 1 : lines < GOMOCUP_MOST_LINES ? (int)lines : GOMOCUP_MOST_LINES;
    gomocup_go(gomocup);
    gomocup->lines = 0;
}

/* The move after which the position is worth what is asked for, 0 by default, for the side that plays it. */
static void find_balanced(struct gomocup *gomocup, const char *rest, size_t length) {
    int64_t value;
    bool good = gomocup_read_numbers(rest, length, 1, &value);
    value = !good ? 0 : value < -MOST_BALANCE ? -MOST_BALANCE : value > MOST_BALANCE ? MOST_BALANCE : value;
    gomocup->lines = GOMOCUP_MOST_LINES;
    gomocup->balance = (int)value;
    gomocup->balance_wanted = true;
    gomocup_go(gomocup);
    gomocup->balance_wanted = false;
    gomocup->lines = 0;
}

/* -- swap2 in three steps -- */

static void tell_stones(struct gomocup *gomocup, const struct swap2_answer *choice, int first) {
    int size = gomocup->position.size;
    for (int i = 0; i < choice->count; i++) {
        gomocup_answer(gomocup, "MESSAGE SWAP2 MOVE%d %d %d", first + i, choice->squares[i] % size,
                       choice->squares[i] / size);
    }
}

/* The opening: three stones. */
static void swap2_open(struct gomocup *gomocup, const char *rest, size_t length) {
    (void)rest, (void)length;
    struct gomoku_position empty;
    struct swap2_answer choice;
    gomoku_clear(&empty, gomocup->position.size, gomocup_variant(gomocup));
    if (gomocup_choose_swap2(gomocup, &empty, &choice)) {
        tell_stones(gomocup, &choice, 1);
    }
}

/* The choice after three stones (`step` 1) or five: the board asks for the move itself afterwards. */
static void swap2_choose(struct gomocup *gomocup, int stones, int step) {
    struct swap2_answer choice;
    if (gomocup->position.count != stones) {
        gomocup_answer(gomocup, "ERROR expected a position of %d stones", stones);
    } else if (gomocup_choose_swap2(gomocup, &gomocup->position, &choice)) {
        if (choice.count == 2) {
            tell_stones(gomocup, &choice, 4);
        } else {
            gomocup_answer(gomocup, "MESSAGE SWAP2 SWAP%d %s", step, choice.swap ? "YES" : "NO");
        }
    }
}

static void swap2_after_three(struct gomocup *gomocup, const char *rest, size_t length) {
    (void)rest, (void)length;
    swap2_choose(gomocup, 3, 1);
}

static void swap2_after_five(struct gomocup *gomocup, const char *rest, size_t length) {
    (void)rest, (void)length;
    swap2_choose(gomocup, 5, 2);
}

/* -- what there is, and what there is not -- */

static const struct {
    const char *name;
    void (*run)(struct gomocup *gomocup, const char *rest, size_t length);
    bool needs_game;
    bool ends_search; /* it is about another position */
} commands[] = {
    {"YXSHOWINFO", show_info, false, false},
    {"YXSHOWFORBID", show_forbidden, false, false},
    {"YXHASHCLEAR", clear_table, false, false},
    {"YXBOARD", read_position, true, true},
    {"YXNBEST", find_best, true, true},
    {"YXBALANCEONE", find_balanced, true, true},
    {"YXBLOCK", close_squares, true, false},
    {"YXBLOCKUNDO", open_squares, true, false},
    {"YXBLOCKRESET", open_all, false, false},
    {"YXSWAP2STEP1", swap2_open, true, true},
    {"YXSWAP2STEP2", swap2_after_three, true, true},
    {"YXSWAP2STEP3", swap2_after_five, true, true},
};

/* Commands that mean nothing here, with what follows them. Those a board gives by itself are passed over in silence,
 * to a person who gives one of the others it is said. */
static const struct {
    const char *name;
    enum { NOTHING, SOME_LINES, ONE_LINE } behind;
    bool silent;
} foreign[] = {
    {"RELOADCONFIG", NOTHING, true},
    {"YXSETBESTMOVEDATABASE", SOME_LINES, false},
    {"YXCLEARBESTMOVEDATABASE", SOME_LINES, false},
    {"YXSAVEDATABASE", NOTHING, true},
    {"YXDBTOPOS", ONE_LINE, false},
    {"YXDBTOTXT", ONE_LINE, false},
    {"YXDBTOTXTALL", ONE_LINE, false},
    {"YXDBSPLIT", ONE_LINE, false},
    {"YXTXTTODB", ONE_LINE, false},
    {"YXDBCHECK", NOTHING, false},
    {"YXDBFIX", NOTHING, false},
    {"YXHASHDUMP", ONE_LINE, false},
    {"YXHASHLOAD", ONE_LINE, false},
    {"YXSHOWHASHUSAGE", NOTHING, false},
    {"YXBLOCKPATH", SOME_LINES, false},
    {"YXBLOCKPATHUNDO", SOME_LINES, false},
    {"YXBLOCKPATHRESET", NOTHING, true},
    {"YXFORBID", NOTHING, false},
    {"YXBALANCETWO", NOTHING, false},
    {"YXSEARCHDEFEND", NOTHING, false},
    {"YXSOOSORVSTEP1", NOTHING, false},
    {"YXSOOSORVSTEP2", SOME_LINES, false},
    {"YXSOOSORVSTEP3", SOME_LINES, false},
    {"YXSOOSORVSTEP4", SOME_LINES, false},
    {"YXSOOSORVSTEP5", SOME_LINES, false},
    {"YXSOOSORVSTEP6", SOME_LINES, false},
    {"YXDRAW", NOTHING, false},
    {"YXRESIGN", NOTHING, false},
    {"YXPRINTFEATURE", NOTHING, false},
};

static bool pass_over(struct gomocup *gomocup, const char *word, size_t word_length, const char *rest, size_t length) {
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (gomocup_same_word(word, word_length, foreign[i].name)) {
            if (!foreign[i].silent) {
                gomocup_answer(gomocup, "MESSAGE there is no %s here", foreign[i].name);
            }
            bool done = length >= 4 && gomocup_same_word(rest + length - 4, 4, "DONE");
            if (foreign[i].behind == SOME_LINES && !done) {
                gomocup_begin_block(gomocup, BLOCK_IGNORED, "", 0);
            }
            gomocup->skip_line = foreign[i].behind == ONE_LINE && length == 0;
            return true;
        }
    }
    return false;
}

bool gomocup_board_command(struct gomocup *gomocup, const char *word, size_t word_length, const char *rest,
                           size_t length) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!gomocup_same_word(word, word_length, commands[i].name)) {
            continue;
        }
        if (commands[i].needs_game && !gomocup->started) {
            gomocup_answer(gomocup, "ERROR expected START first");
            return true;
        }
        if (commands[i].ends_search) {
            gomocup_end_search(gomocup);
        }
        commands[i].run(gomocup, rest, length);
        return true;
    }
    return gomocup_database_command(gomocup, word, word_length, rest, length) ||
           pass_over(gomocup, word, word_length, rest, length);
}
