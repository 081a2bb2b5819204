/* Plays the engine against itself and appends one line a game to a file:
 *
 *   RESULT SIZE[/RULE] MOVES-OF-THE-OPENING SQUARE[:VALUE[:SQUARE.SQUARE...]] ...
 *
 * RESULT is 1, 0 or -1 for X; a value is the search's, for the side that moved; the squares behind it were best at some
 * depth of the second half of that search. A game ends when the search has proved its outcome; the proof is the last
 * value.
 *
 * With BRANCHES every position of a game is left so many times by one to five moves that a search would look at and
 * nobody would play, and what comes of it gets a short search of BRANCH-NODES. Such lines stand before that of their
 * game; the last move is the search's, and labelled:
 *
 *   ? MOVES-OF-THE-GAME SQUARE ... SQUARE:VALUE[:SQUARE.SQUARE...]
 *
 * With LEAVES so many of the positions that each search of a game asks the network about are labelled likewise, by a
 * search of LEAF-NODES, and MORE times as many are written without a label, for a teacher to say what they are worth:
 *
 *   ~ MOVES-OF-THE-GAME SQUARE ...
 *
 * Game I of seed S depends on nothing but I, S and the settings. A run that was stopped, killed or out of time goes on
 * where its file ends when it is started again; what was cut off is written anew.
 *
 * usage: gomoku-selfplay FILE SEED NODES SECONDS [GAMES [BRANCHES BRANCH-NODES [RULE [LEAVES LEAF-NODES MORE]]]]
 *        (stops after SECONDS, or when the file has GAMES; 0 for no such limit; RULE is freestyle, exact, renju, caro)
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stopwatch.h"
#include "games/gomoku/eval/net.h"
#include "games/gomoku/rules/gomoku.h"
#include "lines.h"
#include "positions.h"
#include "search/limits.h"

#define SIZE 15
#define MOST_MOVES 140 /* a game this long is a draw */
#define MOST_OTHERS 3
#define MOST_DEPTHS 100
#define MOST_BRANCH 5    /* moves away from a game */
#define BRANCH_CHOICE 12 /* the likeliest moves, of which one is drawn */
#define BRANCH_RANDOM 5  /* one in so many is drawn of all squares near stones */
#define MOST_LEAVES 64   /* of a search, with and without labels */
#define LEAF_PLIES 60    /* a leaf farther away is passed over */

/* The best move of each depth of the search under way. */
struct candidates {
    int deepest;
    game_move best[MOST_DEPTHS];
};

static void note_best(void *user, const struct search_result *report) {
    struct candidates *candidates = user;
    if (report->line == 0 && report->depth > 0 && report->depth < MOST_DEPTHS) {
        candidates->best[report->depth] = report->move;
        candidates->deepest = report->depth;
    }
}

/* One to eight stones, more likely close together than far apart. */
static void draw_stones(struct gomoku_position *position, int variant, struct rng *rng) {
    gomoku_clear(position, SIZE, variant);
    int stones = 1 + (int)rng_below(rng, 8);
    int width = 5 + 2 * (int)rng_below(rng, 4);
    int row0 = (int)rng_below(rng, (uint32_t)(SIZE - width + 1));
    int column0 = (int)rng_below(rng, (uint32_t)(SIZE - width + 1));
    while (position->count < stones) {
        int row = row0 + (int)rng_below(rng, (uint32_t)width);
        int column = column0 + (int)rng_below(rng, (uint32_t)width);
        if (gomoku_game.legal((const struct game_position *)position, (game_move)(row * SIZE + column))) {
            gomoku_put(position, row * SIZE + column);
        }
    }
}

/* Half of the openings are random stones alone; the others go on with some quick moves, a sixth of them random, so
 * that middle games come up which the engine would not choose. False when the game was decided on the way. */
static bool draw_opening(struct searcher *searcher, struct gomoku_position *position, int variant, struct rng *rng) {
    const struct game_position *interface = (const struct game_position *)position;
    struct search_control control = {0};
    struct search_result result;
    draw_stones(position, variant, rng);
    int more = rng_below(rng, 2) ? 0 : 1 + (int)rng_below(rng, 12);
    for (int i = 0; i < more; i++) {
        if (rng_below(rng, 6) == 0) {
            gomoku_put(position, positions_near(position, rng));
        } else {
            gomoku_think(searcher, interface, &(struct search_limits){.nodes = 400}, &control, &result);
            if (positions_proven(result.value)) {
                return false;
            }
            gomoku_put(position, (int)result.move);
        }
        if (gomoku_game.over(interface)) {
            return false;
        }
    }
    return true;
}

/* Writes one labelled move: its square, the search's value, and what else looked best on the way. */
static void write_move(FILE *out, const struct search_result *result, const struct candidates *candidates) {
    fprintf(out, " %d:%d", (int)result->move, result->value);
    game_move others[MOST_OTHERS];
    int count = 0;
    for (int depth = candidates->deepest; depth > candidates->deepest / 2 && count < MOST_OTHERS; depth--) {
        game_move move = candidates->best[depth];
        bool known = move == result->move;
        for (int i = 0; i < count; i++) {
            known = known || others[i] == move;
        }
        if (!known) {
            fprintf(out, "%c%d", count == 0 ? ':' : '.', (int)move);
            others[count++] = move;
        }
    }
}

/* The searches of a run: for moves of games, of branches and of leaves. */
struct settings {
    uint64_t nodes;
    uint64_t branches;
    uint64_t branch_nodes;
    uint64_t leaves;
    uint64_t leaf_nodes;
    uint64_t more;
    int variant;
};

/* Positions that a search asked the network about: each of them is as likely to be among these. */
struct leaves {
    struct rng rng;
    int most;
    uint32_t seen;
    int counts[MOST_LEAVES];
    uint16_t moves[MOST_LEAVES][LEAF_PLIES];
};

static void note_leaf(void *user, const uint16_t *moves, int count) {
    struct leaves *leaves = user;
    if (count == 0 || count > LEAF_PLIES) {
        return;
    }
    uint32_t at = leaves->seen < (uint32_t)leaves->most ? leaves->seen : rng_below(&leaves->rng, leaves->seen + 1);
    leaves->seen++;
    if (at < (uint32_t)leaves->most) {
        leaves->counts[at] = count;
        memcpy(leaves->moves[at], moves, (size_t)count * sizeof *moves);
    }
}

/* What a branch is drawn with. */
struct brancher {
    struct gboard board;
    struct net *net;
};

/* One of the likeliest moves by the network's policy. */
static int likely_move(struct brancher *brancher, struct rng *rng) {
    const struct gboard *board = &brancher->board;
    struct net_policy policy;
    int best[BRANCH_CHOICE];
    int likely[BRANCH_CHOICE];
    int count = 0;
    net_policy_begin(brancher->net, board, &policy);
    for (int square = 0; square < board->squares; square++) {
        if (!gboard_is_empty(board, square)) {
            continue;
        }
        int score = net_policy_of(brancher->net, &policy, square);
        if (count < BRANCH_CHOICE) {
            count++;
        } else if (likely[count - 1] >= score) {
            continue;
        }
        int at = count - 1;
        for (; at > 0 && likely[at - 1] < score; at--) {
            likely[at] = likely[at - 1];
            best[at] = best[at - 1];
        }
        likely[at] = score;
        best[at] = square;
    }
    return best[rng_below(rng, (uint32_t)count)];
}

/* Leaves the position by some moves; false where the end is a position that is never evaluated. */
static bool draw_branch(struct brancher *brancher, struct gomoku_position *position, struct rng *rng) {
    struct gboard *board = &brancher->board;
    int moves = 1 + (int)rng_below(rng, MOST_BRANCH);
    for (int i = 0;; i++) {
        gboard_load(board, position, NULL);
        net_load(brancher->net, board);
        int side = board->side;
        if (!gboard_set_empty(board, side, SET_FIVE) || !gboard_set_empty(board, side, SET_OPEN_FOUR) ||
            position->count >= MOST_MOVES) {
            return false;
        }
        bool forced = !gboard_set_empty(board, 1 - side, SET_FIVE);
        if (i >= moves && !forced) {
            return true;
        }
        int move = forced                               ? gboard_set_first(board, 1 - side, SET_FIVE)
                   : rng_below(rng, BRANCH_RANDOM) == 0 ? positions_near(position, rng)
                                                        : likely_move(brancher, rng);
        if (!gboard_is_open_to(board, side, move)) {
            return false;
        }
        gomoku_put(position, move);
        if (position->winner != GOMOKU_NO_WINNER) {
            return false;
        }
    }
}

static void write_squares(FILE *out, const struct gomoku_position *position, int from, int to) {
    for (int i = from; i < to; i++) {
        fprintf(out, " %d", position->order[i]);
    }
}

/* A position beside a game, some moves from `start`, with what a search of so many nodes says of it; with none there is
 * no label. */
static void write_beside(FILE *out, struct searcher *searcher, const struct gomoku_position *start,
                         const struct gomoku_position *position, uint64_t nodes) {
    fprintf(out, "%c %d", nodes > 0 ? '?' : '~', start->count);
    write_squares(out, position, start->count, position->count);
    if (nodes > 0) {
        struct candidates candidates = {0};
        struct search_control control = {.info = note_best, .user = &candidates};
        struct search_result result;
        gomoku_think(searcher, (const struct game_position *)position, &(struct search_limits){.nodes = nodes},
                     &control, &result);
        write_move(out, &result, &candidates);
    }
    fputc('\n', out);
}

/* The branches of a game from its opening on. */
static void write_branches(FILE *out, struct searcher *searcher, const struct gomoku_position *game, int opening,
                           const struct settings *settings, struct brancher *brancher, struct rng *rng) {
    struct gomoku_position start;
    gomoku_clear(&start, SIZE, settings->variant);
    for (int i = 0; i < game->count; i++) {
        for (uint64_t k = 0; i >= opening && k < settings->branches; k++) {
            struct gomoku_position position = start;
            if (draw_branch(brancher, &position, rng)) {
                write_beside(out, searcher, &start, &position, settings->branch_nodes);
            }
        }
        gomoku_put(&start, game->order[i]);
    }
}

/* The leaves of a search of this position: the first ones are labelled. */
static void write_leaves(FILE *out, struct searcher *searcher, const struct gomoku_position *start,
                         const struct leaves *leaves, const struct settings *settings) {
    for (uint32_t i = 0; i < leaves->seen && i < (uint32_t)leaves->most; i++) {
        struct gomoku_position position = *start;
        for (int k = 0; k < leaves->counts[i]; k++) {
            gomoku_put(&position, leaves->moves[i][k]);
        }
        write_beside(out, searcher, start, &position, i < settings->leaves ? settings->leaf_nodes : 0);
    }
}

/* Plays on from the opening and writes the game; false when the opening was too uneven to be played. */
static bool play_game(FILE *out, struct searcher *searcher, struct gomoku_position *position,
                      const struct settings *settings, int spread, struct brancher *brancher, struct rng *rng) {
    static struct leaves leaves;
    const struct gomoku_wishes wishes = {.evaluated = settings->leaves ? note_leaf : NULL, .user = &leaves};
    const struct game_position *interface = (const struct game_position *)position;
    struct candidates candidates;
    struct search_control control = {.info = note_best, .user = &candidates};
    struct search_result result;
    int opening = position->count;
    int outcome = 0;
    char *moves = NULL;
    char *aside = NULL;
    size_t length = 0;
    size_t aside_length = 0;
    FILE *text = open_memstream(&moves, &length);
    FILE *beside = open_memstream(&aside, &aside_length);
    leaves.most = (int)(settings->leaves * (1 + settings->more));
    while (text && beside && !gomoku_game.over(interface) && position->count < MOST_MOVES && outcome == 0) {
        candidates.deepest = 0;
        leaves.seen = 0;
        leaves.rng = *rng;
        gomoku_think(searcher, interface, &(struct search_limits){.nodes = settings->nodes, .wishes = &wishes},
                     &control, &result);
        if (position->count == opening && (abs(result.value) > spread)) {
            break;
        }
        outcome = position->count & 1 ? -positions_proven(result.value) : positions_proven(result.value);
        write_move(text, &result, &candidates);
        write_leaves(beside, searcher, position, &leaves, settings);
        gomoku_put(position, (int)result.move);
    }
    if (!text || !beside || fclose(text) != 0 || fclose(beside) != 0) {
        fprintf(stderr, "gomoku-selfplay: no memory\n");
        exit(1);
    }
    bool played = position->count > opening;
    if (played) {
        write_branches(out, searcher, position, opening, settings, brancher, rng);
        fputs(aside, out);
        const char *rule = gomoku_game.properties->variants[settings->variant];
        fprintf(out, "%d %d%s%s %d", outcome, SIZE, settings->variant ? "/" : "", settings->variant ? rule : "",
                opening);
        write_squares(out, position, 0, opening);
        fprintf(out, "%s\n", moves);
        fflush(out);
    }
    free(moves);
    free(aside);
    return played;
}

/* What a run is asked for. */
struct order {
    uint64_t seed;
    uint64_t seconds;
    uint64_t games; /* 0: no limit */
    struct settings settings;
};

/* Arguments come in groups, and a group is given whole. */
static bool read_order(int argc, char **argv, struct order *order) {
    struct settings *settings = &order->settings;
    if ((argc != 5 && argc != 6 && argc != 8 && argc != 9 && argc != 12) || !lines_count(argv[2], &order->seed) ||
        !lines_count(argv[3], &settings->nodes) || settings->nodes == 0 || !lines_count(argv[4], &order->seconds)) {
        return false;
    }
    if (argc > 5 && !lines_count(argv[5], &order->games)) {
        return false;
    }
    if (argc > 6 && (!lines_count(argv[6], &settings->branches) || !lines_count(argv[7], &settings->branch_nodes) ||
                     settings->branch_nodes == 0)) {
        return false;
    }
    if (argc > 8 && (settings->variant = game_find_variant(&gomoku_game, argv[8], strlen(argv[8]))) < 0) {
        return false;
    }
    return argc <= 9 || (lines_count(argv[9], &settings->leaves) && lines_count(argv[10], &settings->leaf_nodes) &&
                         settings->leaf_nodes > 0 && lines_count(argv[11], &settings->more) &&
                         settings->leaves <= MOST_LEAVES && settings->leaves * (1 + settings->more) <= MOST_LEAVES);
}

int main(int argc, char **argv) {
    struct order order = {0};
    if (!read_order(argc, argv, &order)) {
        fprintf(stderr, "usage: gomoku-selfplay FILE SEED NODES SECONDS "
                        "[GAMES [BRANCHES BRANCH-NODES [RULE [LEAVES LEAF-NODES MORE]]]]\n");
        return 2;
    }
    uint64_t games = 0;
    FILE *out = lines_resume(argv[1], &games);
    struct searcher *searcher = gomoku_searcher_new(&(struct searcher_options){.hash_bytes = (size_t)16 << 20}, NULL);
    static struct brancher brancher;
    brancher.net = net_new(false);
    if (!out || !searcher || !brancher.net) {
        fprintf(stderr, "gomoku-selfplay: %s: %s\n", argv[1], out ? "no memory" : strerror(errno));
        return 1;
    }
    double end = clock_wall() + (double)order.seconds;
    for (; (order.games == 0 || games < order.games) && clock_wall() < end; games++) {
        struct rng rng = {rng_mix(order.seed << 32 ^ games)};
        int spread = rng_below(&rng, 5) == 0 ? 700 : 200; /* most start even, some do not */
        struct gomoku_position position;
        do {
            gomoku_searcher_clear(searcher);
        } while (!draw_opening(searcher, &position, order.settings.variant, &rng) ||
                 !play_game(out, searcher, &position, &order.settings, spread, &brancher, &rng));
    }
    net_free(brancher.net);
    gomoku_searcher_free(searcher);
    return fclose(out) == 0 ? 0 : 1;
}
