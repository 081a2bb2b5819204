/* What the files of the Gomocup front end share; no other file needs it.
 *
 * gomocup.c takes the lines apart and knows the manager's commands, gomocup_boards.c those of analysis boards,
 * gomocup_blocks.c those that go on over several lines. gomocup_search.c starts and ends the thinking, gomocup_tell.c
 * says how it goes. */
#ifndef SORTIE_PROTOCOLS_GOMOCUP_GOMOCUP_STATE_H
#define SORTIE_PROTOCOLS_GOMOCUP_GOMOCUP_STATE_H

#include <pthread.h>

#include "protocols/gomocup/gomocup.h"
#include "protocols/gomocup/gomocup_store.h"
#include "protocols/gomocup/gomocup_thinker.h"

#define GOMOCUP_WORDS ((GOMOKU_MOST_SQUARES + 63) / 64)
#define GOMOCUP_MOST_LINES 64
#define GOMOCUP_MOST_THREADS 256
#define GOMOCUP_RULE_BITS 0xff
#define GOMOCUP_LEAST_HASH ((size_t)2 << 20)
/* Managers say "no limit" by a large number, each by its own: a turn of more than a day is one without a limit. */
#define GOMOCUP_NO_LIMIT_MS 86400000

/* What the lines up to DONE are. */
enum gomocup_block {
    BLOCK_NONE,
    BLOCK_BOARD,         /* stones of the position to think about */
    BLOCK_POSITION,      /* the same, but nothing is thought yet */
    BLOCK_SWAP2,         /* the stones of an opening */
    BLOCK_CLOSE,         /* squares that are not to be played */
    BLOCK_OPEN,          /* squares that may be played again */
    BLOCK_DATABASE,      /* the stones of a position the database is asked about */
    BLOCK_DATABASE_TEXT, /* a comment for it, up to a quote */
    BLOCK_IGNORED
};

/* What a board wants of its database. */
enum gomocup_database_command {
    DATABASE_NOTHING,
    DATABASE_QUERY_SQUARES,
    DATABASE_QUERY_BOTH, /* and the comment */
    DATABASE_QUERY_ONE,
    DATABASE_QUERY_TEXT,
    DATABASE_COMMENT,
    DATABASE_LABEL,
    DATABASE_VALUE,
    DATABASE_FORGET,
    DATABASE_FORGET_BEHIND,
    DATABASE_SET,
    DATABASE_READ_LIB,
    DATABASE_WRITE_LIB,
    DATABASE_MERGE
};

/* A command of several lines to the database, until its position is there. */
struct gomocup_database {
    enum gomocup_database_command what;
    enum gomocup_database_command path_for; /* the next line is its file */
    struct text text;                       /* owned */
    int square;
    int64_t numbers[4];
};

/* How the thinking under way is told of; of the searching thread while that thinks. */
struct gomocup_telling {
    bool silent;     /* nobody has asked for this search: nothing is said of it */
    bool detail;     /* every report as lines "INFO key value" */
    bool realtime;   /* squares as they are looked at */
    bool rows_first; /* lines in Yixin-Board's words: its columns are letters */
    int line_count;  /* of `lines` */
    int before_count;
    double tell_from; /* nothing is told of squares before */
    double next_mark; /* when the next square may be marked as being looked at */
    int marked;       /* the square that is; -1: none */
    int best;         /* the square marked as the best; -1: none */
    int lined;        /* the one whose value and line were told last; -1: none */
    uint64_t lost[GOMOCUP_WORDS];
    struct search_result lines[GOMOCUP_MOST_LINES];  /* of the last depth, the best first */
    struct search_result before[GOMOCUP_MOST_LINES]; /* of the depth before */
};

struct gomocup {
    struct gomocup_options options;
    struct engine *engine; /* owned; NULL until the first game */
    size_t hash_bytes;     /* of its table */
    int engine_threads;
    struct gomoku_position position;
    bool started;       /* a START was accepted */
    bool at_board;      /* a board for analysis speaks, and no manager of games */
    uint64_t book_seed; /* of this game: which of equal moves the book plays */
    bool rows_first;    /* and it is Yixin-Board, which gives squares by row and column */

    enum gomocup_block block; /* the lines that are being read */
    bool skip_line;           /* the next line belongs to a command that means nothing here */
    bool block_bad;           /* a line of the block was wrong; the rest up to DONE is skipped */
    int stone_counts[2];
    uint16_t stones[2][GOMOKU_MOST_SQUARES]; /* own, other, in the order they came */

    int64_t timeout_turn; /* milliseconds */
    int64_t timeout_match;
    int64_t time_left;
    bool time_told; /* by the manager, since the last own move; otherwise it is our own account */
    bool ponders;   /* thinks while the other side does, as it was asked to */
    int64_t max_memory;
    int64_t max_depth;
    int64_t max_nodes;
    int threads;
    int rule;
    int detail;                         /* of show_detail: 1 marks squares, 2 tells all numbers */
    bool clear_wanted;                  /* the table, before the next search */
    uint64_t closed[GOMOCUP_WORDS];     /* squares that are not to be played */
    uint64_t closed_now[GOMOCUP_WORDS]; /* of the search under way */
    bool any_closed;                    /* of those */

    void *store;            /* owned: the database; NULL: none is open */
    bool database_off;      /* it is not used */
    bool database_readonly; /* nor written to */
    struct gomocup_database database;

    int lines;           /* how many best moves the search reports on; 0: one */
    bool balance_wanted; /* the move whose value is nearest to `balance` is asked for, not the best */
    bool balancing;      /* by the search under way */
    int balance;

    pthread_mutex_t speaking; /* one answer at a time, whichever thread has one */
    struct thinker *thinker;  /* owned */
    bool thinking;            /* a move is asked for and not yet answered */
    bool searching;           /* the thinker is at work, perhaps after its answer was due */
    double heard_at;          /* the earliest moment the line at hand may have come; 0: now */
    double asked_at;          /* when the line came that asked for it */
    double ponder_until;      /* when pondering ends; 0: it does not ponder */
    double due;               /* when it must be answered, whatever the search has found; 0: no such moment */
    struct search_limits limits;
    struct gomocup_telling telling;
};

/* Whether moves can be thought about under the manager's rule; says so when not. It is asked where a move is wanted,
 * since a manager does not listen while it sends INFO. */
bool gomocup_knows_rule(struct gomocup *gomocup);

/* The variant of the rule that was asked for; freestyle when it is not known. */
int gomocup_variant(const struct gomocup *gomocup);

/* Says one line. */
void gomocup_answer(struct gomocup *gomocup, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of any length. */
void gomocup_answer_whole(struct gomocup *gomocup, const char *line);

/* Whether moves and openings may come out of the opening book: in a game that a manager plays, not for a board that
 * analyses. */
bool gomocup_uses_book(const struct gomocup *gomocup);

/* -- words and numbers of a line (gomocup_read.c) -- */

/* Whether the word is this name, given in capitals; small letters count as the same. */
bool gomocup_same_word(const char *word, size_t length, const char *name);

/* Reads integers separated by commas and blanks; true when there are exactly `count`. One that is too large to be meant
 * is the largest. */
bool gomocup_read_numbers(const char *bytes, size_t length, int count, int64_t *numbers);

/* A square of the board from "x,y"; -1 when it is none. */
int gomocup_read_square(const struct gomocup *gomocup, const char *bytes, size_t length);

/* -- commands of several lines (gomocup_blocks.c) -- */

/* The lines of a block follow; those of a block on one line stand in `rest`. */
void gomocup_begin_block(struct gomocup *gomocup, enum gomocup_block block, const char *rest, size_t length);
struct swap2_answer;
/* What to do with an opening of swap2, within the time of a turn; false, and says why, when there is no memory. */
bool gomocup_choose_swap2(struct gomocup *gomocup, const struct gomoku_position *position, struct swap2_answer *choice);
/* One of them; false when it is none and ends an ignored block. */
bool gomocup_block_line(struct gomocup *gomocup, const char *bytes, size_t length);

/* -- analysis boards (gomocup_boards.c) -- */

/* Takes a command of theirs; false when it is none. */
bool gomocup_board_command(struct gomocup *gomocup, const char *word, size_t word_length, const char *rest,
                           size_t length);
/* The table's size in kilobytes, as boards give it. */
void gomocup_set_table(struct gomocup *gomocup, int64_t kilobytes);

/* -- their database (gomocup_database.c) -- */

/* Takes a command to it; false when it is none. */
bool gomocup_database_command(struct gomocup *gomocup, const char *word, size_t word_length, const char *rest,
                              size_t length);
/* A stone of the position a command is about, and the end of them: now it is done. */
void gomocup_database_square(struct gomocup *gomocup, const char *bytes, size_t length);
void gomocup_database_done(struct gomocup *gomocup);
/* A line of a comment; true at its end. */
bool gomocup_database_text(struct gomocup *gomocup, const char *bytes, size_t length);
/* The line with a command's file; false when none is awaited. */
bool gomocup_database_path(struct gomocup *gomocup, const char *bytes, size_t length);
void gomocup_use_database(struct gomocup *gomocup, bool use);
/* Keeps what a search has found. */
void gomocup_database_keep(struct gomocup *gomocup, const struct search_result *lines, int count);
void gomocup_database_end(struct gomocup *gomocup);

/* -- thinking (gomocup_search.c) -- */

/* Asks for a move in the position there is. */
void gomocup_go(struct gomocup *gomocup);
/* Before the position changes: a manager gets its move as it is due, a board gets what there is at once. */
void gomocup_end_search(struct gomocup *gomocup);
/* Sleeps until the move is out, or until something can be read from `input` (NULL: whatever comes). */
void gomocup_watch(struct gomocup *gomocup, const struct bell_input *input);
/* Waits for the end of a search whose answer is out already; before its engine is changed. */
void gomocup_settle(struct gomocup *gomocup);
/* Has the engine that the settings ask for; not while it thinks. False, and says why, when there is no memory. */
bool gomocup_ready_engine(struct gomocup *gomocup);
/* The same where there is an engine already and it does not think. */
void gomocup_refit_engine(struct gomocup *gomocup);
/* The seconds for a choice without a clock of its own. */
double gomocup_turn_seconds(struct gomocup *gomocup, double most);
/* Some of the match's time is spent since the question came. */
void gomocup_spend(struct gomocup *gomocup);

/* -- what is said meanwhile (gomocup_tell.c) -- */

/* A search begins: nothing of the last one holds. Of one that nobody has asked for nothing is said. */
void gomocup_tell_begin(struct gomocup *gomocup, bool silent);
/* For the thinker. */
void gomocup_tell_report(void *user, const struct search_result *report);
void gomocup_tell_root(void *user, game_move move, enum gomoku_root_news news);
/* It is over, and this is the answer; of several lines the best becomes it, or the one that is asked for. */
void gomocup_tell_end(struct gomocup *gomocup, struct search_result *result);

#endif
