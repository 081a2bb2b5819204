/* Starting, limiting and ending the thinking of a Gomocup brain. */
#include <string.h>

#include "base/stopwatch.h"
#include "protocols/gomocup/gomocup_state.h"

#define USUAL_HASH ((size_t)96 << 20)
/* What the program needs beside its tables, kept free under max_memory. */
#define BESIDE_TABLES ((size_t)24 << 20)
/* How long to think where nothing is limited and no board can say stop, in seconds. */
#define USUAL_SECONDS 30.0
/* What the way to the manager and back may cost on a quiet machine, in seconds. On Windows, and under wine, a process
 * is woken later than on Linux. */
#ifdef _WIN32
#define MARGIN 0.07
#else
#define MARGIN 0.03
#endif
/* On a busy one: three times somebody has to wake up (we for the question, we for the answer, the manager for the
 * answer), each as late as was measured, and this much beside. */
#define WAKING 3
#define BESIDE_WAKING 0.004
/* Of a match's time at most this part is kept for moves that take no thought. */
#define MOVES_PART 0.3
/* A search gives a move an eighth of what is left of a match at most. One that has not ended at a quarter, and this
 * much of a second more, was not let run, and is not waited for. */
#define MATCH_PART 0.25
#define MATCH_MORE 0.05
/* Where less is left it is too late anyway, or nobody counts. */
#define LEAST_MATCH_MS 5
/* The other side's turn is thought about no longer than this, in seconds: somebody may have gone for a walk. */
#define PONDER_SECONDS 600.0
/* A choice of swap2 takes at most this part of what is left of the match. */
#define SWAP2_PART 0.05
/* And of a turn it searches at most this part: the searches are several, and each may end a little late. */
#define SWAP2_SEARCHED 0.8
/* Boards always give a depth and nodes: from these on they mean none. */
#define ANY_DEPTH 99
#define ANY_NODES 1000000000
/* What Yixin-Board calls a level without limit. */
#define BOARD_TURN_MS 2000000
#define BOARD_MATCH_MS 100000000

/* -- the engine -- */

/* The table the manager's memory limit allows. */
static size_t table_bytes(const struct gomocup *gomocup) {
    size_t bytes = gomocup->options.hash_bytes ? gomocup->options.hash_bytes : USUAL_HASH;
    if (gomocup->max_memory > 0) {
        size_t most = (size_t)gomocup->max_memory;
        most = most > BESIDE_TABLES + GOMOCUP_LEAST_HASH ? most - BESIDE_TABLES : GOMOCUP_LEAST_HASH;
        bytes = bytes < most ? bytes : most;
    }
    return bytes;
}

void gomocup_settle(struct gomocup *gomocup) {
    if (gomocup->searching) {
        thinker_stop(gomocup->thinker);
        thinker_watch(gomocup->thinker, 0, NULL);
        gomocup->searching = false;
    }
}

static void forget_engine(struct gomocup *gomocup) {
    engine_free(gomocup->engine);
    gomocup->engine = NULL;
}

bool gomocup_ready_engine(struct gomocup *gomocup) {
    size_t bytes = table_bytes(gomocup);
    if (gomocup->engine && gomocup->hash_bytes == bytes && gomocup->engine_threads == gomocup->threads) {
        return true;
    }
    gomocup_settle(gomocup);
    forget_engine(gomocup);
    gomocup->engine = engine_new(&(struct searcher_options){.threads = gomocup->threads, .hash_bytes = bytes});
    gomocup->hash_bytes = bytes;
    gomocup->engine_threads = gomocup->threads;
    gomocup->clear_wanted = false;
    struct error error = {.text = "out of memory"};
    if (!gomocup->engine || engine_prepare(gomocup->engine, &gomoku_game, &error) != STATUS_OK) {
        gomocup_answer(gomocup, "ERROR %s", error.text);
        forget_engine(gomocup);
        return false;
    }
    return true;
}

void gomocup_refit_engine(struct gomocup *gomocup) {
    if (gomocup->engine && !gomocup->thinking) {
        gomocup_ready_engine(gomocup); /* now, and not when the clock runs */
    }
}

/* -- limits -- */

/* What is kept back of a limit: enough for the way to the manager, and for being woken late if that was seen lately. A
 * fifth of the time is thought in any case. */
static double kept_back(const struct gomocup *gomocup, double seconds) {
    double usual = seconds > 4 * MARGIN ? MARGIN : 0.25 * seconds;
    double busy = BESIDE_WAKING + WAKING * thinker_delay(gomocup->thinker);
    double kept = busy > usual ? busy : usual;
    return kept < 0.8 * seconds ? kept : 0.8 * seconds;
}

/* What is left of the match in milliseconds; GOMOCUP_NO_LIMIT_MS when it has no clock. */
static int64_t match_left(const struct gomocup *gomocup) {
    if (gomocup->timeout_match <= 0 || gomocup->timeout_match >= GOMOCUP_NO_LIMIT_MS) {
        return GOMOCUP_NO_LIMIT_MS;
    }
    return gomocup->time_left < gomocup->timeout_match ? gomocup->time_left : gomocup->timeout_match;
}

/* What is left of the match to think in: without the way to the manager now and at the end, and without what the
 * answers alone cost if the game goes on until the board is full. */
static double match_seconds(const struct gomocup *gomocup, double left) {
    int empty = gomocup->position.size * gomocup->position.size - gomocup->position.count;
    double answers = (BESIDE_WAKING + thinker_delay(gomocup->thinker)) * (empty + 1) / 2;
    answers = answers < MOVES_PART * left ? answers : MOVES_PART * left;
    double rest = left - 2 * kept_back(gomocup, left) - answers;
    return rest > 0.001 ? rest : 0.001;
}

/* Whether a board lets the search run until it says stop. */
static bool is_endless(const struct gomocup *gomocup) {
    int64_t turn = gomocup->timeout_turn;
    return gomocup->at_board && ((turn <= 0 && gomocup->timeout_match <= 0) ||
                                 (turn == BOARD_TURN_MS && gomocup->timeout_match == BOARD_MATCH_MS) ||
                                 (turn >= GOMOCUP_NO_LIMIT_MS && match_left(gomocup) >= GOMOCUP_NO_LIMIT_MS));
}

static void set_limits(struct gomocup *gomocup) {
    struct search_limits *limits = &gomocup->limits;
    int64_t left = match_left(gomocup);
    memset(limits, 0, sizeof *limits);
    gomocup->due = 0;
    limits->depth = gomocup->at_board && gomocup->max_depth >= ANY_DEPTH ? 0 : (int)gomocup->max_depth;
    limits->nodes = gomocup->at_board && gomocup->max_nodes >= ANY_NODES ? 0 : (uint64_t)gomocup->max_nodes;
    limits->multi_pv = gomocup->lines;
    double turn = (double)gomocup->timeout_turn / 1000;
    if (is_endless(gomocup)) {
        limits->depth = limits->depth || limits->nodes ? limits->depth : ANY_DEPTH;
        return;
    }
    if (gomocup->timeout_turn <= 0) {
        limits->wall_seconds = 0.005; /* as fast as possible */
    } else if (gomocup->timeout_turn < GOMOCUP_NO_LIMIT_MS) {
        limits->wall_seconds = turn - kept_back(gomocup, turn);
        gomocup->due = gomocup->asked_at + limits->wall_seconds;
    } else if (left >= GOMOCUP_NO_LIMIT_MS && !limits->depth && !limits->nodes) {
        limits->wall_seconds = USUAL_SECONDS;
    }
    if (left < GOMOCUP_NO_LIMIT_MS) {
        double seconds = (double)(left > LEAST_MATCH_MS ? left : LEAST_MATCH_MS) / 1000;
        double last = seconds - kept_back(gomocup, seconds);
        double enough = MATCH_PART * seconds + MATCH_MORE;
        double due = gomocup->asked_at + (last < enough ? last : enough);
        limits->wall_seconds_left = match_seconds(gomocup, seconds);
        gomocup->due = gomocup->due > 0 && gomocup->due < due ? gomocup->due : due;
    }
}

double gomocup_turn_seconds(struct gomocup *gomocup, double most) {
    set_limits(gomocup);
    const struct search_limits *limits = &gomocup->limits;
    double seconds = limits->wall_seconds > 0 && limits->wall_seconds < most ? limits->wall_seconds : most;
    double share = limits->wall_seconds_left > 0 ? SWAP2_PART * limits->wall_seconds_left : seconds;
    double rest = SWAP2_SEARCHED * limits->wall_seconds - (clock_wall() - gomocup->asked_at);
    seconds = seconds < share ? seconds : share;
    return limits->wall_seconds <= 0 || seconds < rest ? seconds : rest > 0 ? rest : 0;
}

/* A manager may never say how much is left. What boards search again and again is no match. */
void gomocup_spend(struct gomocup *gomocup) {
    int64_t left = match_left(gomocup);
    gomocup->time_told = false;
    if (left < GOMOCUP_NO_LIMIT_MS && !gomocup->at_board) {
        gomocup->time_left = left - (int64_t)(1000 * (clock_wall() - gomocup->asked_at)) - 1;
    }
}

/* -- a search -- */

/* Takes over which squares are closed. False when no move is left. */
static bool close_squares(struct gomocup *gomocup) {
    const struct gomoku_position *position = &gomocup->position;
    bool any = false;
    bool open = false;
    for (int square = 0; square < position->size * position->size; square++) {
        bool closed = gomoku_is_closed(gomocup->closed, square);
        any = any || closed;
        open = open || (!closed && position->board[square] == GOMOKU_EMPTY);
    }
    if (memcmp(gomocup->closed, gomocup->closed_now, sizeof gomocup->closed) != 0) {
        gomocup_settle(gomocup); /* it may still be looking at them */
        memcpy(gomocup->closed_now, gomocup->closed, sizeof gomocup->closed);
    }
    gomocup->any_closed = any;
    return open;
}

void gomocup_go(struct gomocup *gomocup) {
    const struct game_position *position = (const struct game_position *)&gomocup->position;
    if (gomoku_game.over(position)) {
        gomocup_answer(gomocup, "ERROR the game is over");
        return;
    }
    if (!gomocup_ready_engine(gomocup)) {
        return;
    }
    set_limits(gomocup);
    if (!close_squares(gomocup)) {
        gomocup_answer(gomocup, "ERROR every empty square is blocked");
        return;
    }
    if (gomocup->clear_wanted) {
        gomocup_settle(gomocup);
        engine_clear(gomocup->engine);
        gomocup->clear_wanted = false;
    }
    gomocup->balancing = gomocup->balance_wanted;
    gomocup_tell_begin(gomocup, false);
    thinker_begin(gomocup->thinker, gomocup->engine, &gomocup->position, &gomocup->limits,
                  gomocup->any_closed ? gomocup->closed_now : NULL,
                  gomocup_uses_book(gomocup) ? &gomocup->book_seed : NULL);
    gomocup->thinking = gomocup->searching = true;
    gomocup->ponder_until = 0;
}

/* Thinks while the other side does, if that was asked for: of all its answers, so that whichever comes finds the table
 * filled. Where a depth or a number of nodes is to decide about a move, time must not. */
static void ponder(struct gomocup *gomocup, const struct search_result *own) {
    const struct search_limits *limits = &gomocup->limits;
    if (!gomocup->ponders || limits->depth || limits->nodes || limits->multi_pv > 1 || gomocup->any_closed ||
        own->certainty == SEARCH_PROVED || gomoku_game.over((const struct game_position *)&gomocup->position)) {
        return;
    }
    struct search_limits endless = {.depth = ANY_DEPTH};
    gomocup_tell_begin(gomocup, true);
    thinker_begin(gomocup->thinker, gomocup->engine, &gomocup->position, &endless, NULL, NULL);
    gomocup->searching = true;
    gomocup->ponder_until = clock_wall() + PONDER_SECONDS;
}

/* Sleeps until something can be read, or until it has pondered for long enough. */
static void watch_pondering(struct gomocup *gomocup, const struct bell_input *input) {
    enum thinker_news news = thinker_watch(gomocup->thinker, gomocup->ponder_until, input);
    if (news != THINKER_INPUT) {
        thinker_stop(gomocup->thinker);
        gomocup->searching = news != THINKER_OVER;
        gomocup->ponder_until = 0;
    }
}

/* What was found goes into the database of a board; a move that was chosen without a search does not. */
static void keep_lines(struct gomocup *gomocup, const struct search_result *result) {
    const struct gomocup_telling *telling = &gomocup->telling;
    bool several = gomocup->limits.multi_pv > 1 && telling->line_count > 0;
    if (result->depth > 0 || result->certainty == SEARCH_PROVED) {
        gomocup_database_keep(gomocup, several ? telling->lines : result, several ? telling->line_count : 1);
    }
}

static void play_own(struct gomocup *gomocup, struct search_result *result) {
    int size = gomocup->position.size;
    gomocup->thinking = false;
    gomocup_tell_end(gomocup, result);
    keep_lines(gomocup, result);
    int square = (int)result->move;
    gomoku_put(&gomocup->position, square);
    gomocup_answer(gomocup, "%d,%d", square % size, square / size);
    gomocup_spend(gomocup);
    gomocup->heard_at = clock_wall();
    ponder(gomocup, result);
}

void gomocup_watch(struct gomocup *gomocup, const struct bell_input *input) {
    while (gomocup->thinking) {
        enum thinker_news news = thinker_watch(gomocup->thinker, gomocup->due, input);
        if (news == THINKER_INPUT) {
            return;
        }
        struct search_result result;
        thinker_best(gomocup->thinker, &result);
        gomocup->searching = news != THINKER_OVER;
        thinker_stop(gomocup->thinker);
        play_own(gomocup, &result);
    }
    if (input && gomocup->searching && gomocup->ponder_until > 0) {
        watch_pondering(gomocup, input);
    }
}

void gomocup_end_search(struct gomocup *gomocup) {
    if (gomocup->at_board || !gomocup->thinking) {
        thinker_stop(gomocup->thinker);
    }
    if (gomocup->thinking) {
        gomocup_watch(gomocup, NULL);
        gomocup->asked_at = clock_wall();
    }
}

void gomocup_wait(struct gomocup *gomocup) {
    gomocup_watch(gomocup, NULL);
    gomocup_settle(gomocup);
}
