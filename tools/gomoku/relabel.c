/* Looks again, and deeper, at the positions of self-play that have most to teach, and writes what it finds.
 *
 * Reads games of gomoku-selfplay (standard input) and appends to FILE, before each game's own line, one line a
 * position:
 *
 *   = MOVES-OF-THE-GAME SQUARE:VALUE:SQUARE*SHARE.SQUARE*SHARE...
 *
 * SQUARE is what the deep search plays after so many moves of the game, VALUE its value, and the shares say in 255ths
 * where its nodes went. Which positions: those whose value a short search gets most wrong, measured by the chance to
 * win, and of each lost game the last ones in which the loser was not yet far behind. Values that prove a win or a loss
 * are exact.
 *
 * A run that was stopped or killed goes on behind the last whole game in FILE.
 *
 * usage: gomoku-relabel FILE SHALLOW-NODES DEEP-NODES PERCENT < GAMES
 *        (PERCENT of each game's positions are looked at again) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/gomoku/search/search.h"
#include "lines.h"
#include "positions.h"

#define MOST_SHARES 7
#define UNIT 200.0   /* of values, to a natural unit of log odds */
#define NOT_YET 150  /* so little behind the loser of a game had not lost it */
#define TURNING 0.15 /* what such a position counts beside its error */

/* Where the nodes of a search went. */
struct spent {
    struct searcher *searcher;
    uint64_t begun;
    uint64_t nodes[GOMOKU_MOST_SQUARES];
};

static uint64_t count_nodes(const struct searcher *searcher) {
    struct gomoku_stats stats = gomoku_searcher_counts(searcher);
    return stats.nodes + stats.fours;
}

static void note_root(void *user, game_move move, enum gomoku_root_news news) {
    struct spent *spent = user;
    if (news == GOMOKU_ROOT_BEGUN) {
        spent->begun = count_nodes(spent->searcher);
    } else if (news == GOMOKU_ROOT_DONE) {
        spent->nodes[move] += count_nodes(spent->searcher) - spent->begun;
    }
}

/* A position that may be looked at again. */
struct choice {
    int moves; /* of the game before it */
    double worth;
};

static double chance(double value) {
    return 1 / (1 + exp(-value / UNIT));
}

static int search(struct searcher *searcher, const struct gomoku_position *position, uint64_t nodes,
                  struct spent *spent, struct search_result *result) {
    struct search_control control = {0};
    struct gomoku_wishes wishes = {.root = spent ? note_root : NULL, .user = spent};
    struct search_limits limits = {.nodes = nodes, .wishes = &wishes};
    gomoku_searcher_clear(searcher);
    gomoku_think(searcher, (const struct game_position *)position, &limits, &control, result);
    return (int)result->value;
}

static int worth_order(const void *a, const void *b) {
    const struct choice *x = a;
    const struct choice *y = b;
    return x->worth != y->worth ? (x->worth < y->worth ? 1 : -1) : x->moves - y->moves;
}

/* How much each position of the game has to teach, the most first; returns how many there are. */
static int weigh(struct searcher *searcher, const struct lines_game *game, uint64_t nodes, struct choice *choices) {
    struct gomoku_position position;
    int count = 0;
    lines_start(game, &position);
    for (int i = game->opening; i < game->moves; i++) {
        struct search_result result;
        int side = i & 1 ? -1 : 1;
        if (!positions_proven(game->values[i])) {
            double error = fabs(chance(search(searcher, &position, nodes, NULL, &result)) - chance(game->values[i]));
            bool lost = game->outcome * side < 0 && game->values[i] > -NOT_YET;
            choices[count++] = (struct choice){.moves = i, .worth = error + (lost ? TURNING : 0)};
        }
        gomoku_put(&position, game->squares[i]);
    }
    qsort(choices, (size_t)count, sizeof *choices, worth_order);
    return count;
}

static void write_shares(FILE *out, const struct spent *spent, int played) {
    uint64_t all = 0;
    uint64_t left[GOMOKU_MOST_SQUARES];
    memcpy(left, spent->nodes, sizeof left);
    for (int square = 0; square < GOMOKU_MOST_SQUARES; square++) {
        all += left[square];
    }
    left[played] = 0;
    for (int i = 0; i < MOST_SHARES && all > 0; i++) {
        int most = 0;
        for (int square = 1; square < GOMOKU_MOST_SQUARES; square++) {
            most = left[square] > left[most] ? square : most;
        }
        int share = (int)(255 * left[most] / all);
        if (share == 0) {
            break;
        }
        fprintf(out, "%c%d*%d", i == 0 ? ':' : '.', most, share);
        left[most] = 0;
    }
}

static void look_again(FILE *out, struct searcher *searcher, const struct lines_game *game, int moves, uint64_t nodes) {
    static struct spent spent;
    struct gomoku_position position;
    struct search_result result;
    lines_start(game, &position);
    for (int i = game->opening; i < moves; i++) {
        gomoku_put(&position, game->squares[i]);
    }
    memset(&spent, 0, sizeof spent);
    spent.searcher = searcher;
    int value = search(searcher, &position, nodes, &spent, &result);
    fprintf(out, "= %d %d:%d", moves, (int)result.move, value);
    write_shares(out, &spent, (int)result.move);
    fputc('\n', out);
}

int main(int argc, char **argv) {
    uint64_t shallow, deep, percent;
    if (argc != 5 || !lines_count(argv[2], &shallow) || !lines_count(argv[3], &deep) ||
        !lines_count(argv[4], &percent) || shallow == 0 || deep == 0 || percent > 100) {
        fprintf(stderr, "usage: gomoku-relabel FILE SHALLOW-NODES DEEP-NODES PERCENT < GAMES\n");
        return 2;
    }
    uint64_t done = 0;
    FILE *out = lines_resume(argv[1], &done);
    struct searcher *searcher = gomoku_searcher_new(&(struct searcher_options){.hash_bytes = (size_t)16 << 20}, NULL);
    if (!out || !searcher) {
        fprintf(stderr, "gomoku-relabel: %s: cannot be written, or no memory\n", argv[1]);
        return 1;
    }
    char *line = NULL;
    size_t capacity = 0;
    int status = 0;
    uint64_t games = 0;
    for (long number = 1; getline(&line, &capacity, stdin) > 0; number++) {
        static struct lines_game game;
        static struct choice choices[GOMOKU_MOST_SQUARES];
        if (lines_is_before(line[0])) {
            continue;
        }
        if (!lines_read(line, &game)) {
            fprintf(stderr, "gomoku-relabel: line %ld: expected a game of gomoku-selfplay\n", number);
            status = 2;
            continue;
        }
        if (games++ < done) {
            continue;
        }
        int count = weigh(searcher, &game, shallow, choices);
        int wanted = (int)((uint64_t)count * percent + 99) / 100;
        for (int i = 0; i < wanted && i < count; i++) {
            look_again(out, searcher, &game, choices[i].moves, deep);
        }
        fputs(line, out);
        fflush(out);
    }
    free(line);
    gomoku_searcher_free(searcher);
    return fclose(out) == 0 ? status : 1;
}
