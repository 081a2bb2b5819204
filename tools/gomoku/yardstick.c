/* A yardstick for the strength of the tree search at many nodes, where games cost too much: hard positions, whose
 * outcome it should prove, and quiet ones, whose move and value it should know early. One line each:
 *
 *   win MOVE SQUARE...      the side to move wins; the proof began with MOVE
 *   loss MOVE SQUARE...     it loses; MOVE held out longest
 *   VALUE MOVE SQUARE...    nothing is proved; a long search found this move and value
 *
 * usage: gomoku-yardstick hard COUNT NODES < GAMES
 *          makes COUNT hard ones of games of gomoku-selfplay: a twentieth of NODES does not prove them, NODES do
 *        gomoku-yardstick quiet NODES < POSITIONS
 *          makes quiet ones of lines of moves
 *        gomoku-yardstick measure NODES SETTINGS < YARDSTICK
 *          measures the settings with a limit of nodes */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stopwatch.h"
#include "positions.h"
#include "settings.h"

#define LEAST_STONES 10 /* hard positions have more */

/* Ends the search once an outcome is proved. */
static void stop_when_proved(void *user, const struct search_result *report) {
    struct search_control *control = user;
    if (positions_proven(report->value)) {
        atomic_store(&control->stop, true);
    }
}

static struct search_result think(struct searcher *searcher, const struct gomoku_position *position, uint64_t nodes) {
    struct search_control control = {.info = stop_when_proved};
    control.user = &control;
    struct search_result result;
    gomoku_think(searcher, (const struct game_position *)position, &(struct search_limits){.nodes = nodes}, &control,
                 &result);
    return result;
}

static void write_line(const char *label, const struct search_result *result, const struct gomoku_position *position) {
    char move[8];
    gomoku_square_text(position->size, (int)result->move, move);
    printf("%s %s", label, move);
    positions_write(position);
}

/* Puts all moves of a game but the last, where its outcome was proved. */
static bool read_game(const char *line, struct gomoku_position *position) {
    int outcome, size, opening, used;
    if (sscanf(line, "%d %d %d%n", &outcome, &size, &opening, &used) != 3 || size != 15 || outcome == 0) {
        return false;
    }
    gomoku_clear(position, size, GOMOKU_FREESTYLE);
    const char *at = line + used;
    if (*at != ' ') {
        return false;
    }
    const char *next = strchr(at + 1, ' ');
    for (; next; at = next, next = strchr(at + 1, ' ')) {
        int square = atoi(at);
        if (square < 0 || square >= 225 || position->board[square] != GOMOKU_EMPTY ||
            position->winner != GOMOKU_NO_WINNER) {
            return false;
        }
        gomoku_put(position, square);
    }
    return position->winner == GOMOKU_NO_WINNER;
}

static void take_back(struct gomoku_position *position, int plies) {
    for (int i = 0; i < plies; i++) {
        gomoku_game.undo((struct game_position *)position, &(struct game_undo){.words = {GOMOKU_NO_WINNER}});
    }
}

/* Goes back from the end of each game to the first position a short search does not prove, a game on the winner's side,
 * the next on the loser's, and writes it down when a long search proves it. */
static int make_hard(struct searcher *searcher, int wanted, uint64_t nodes) {
    char *line = NULL;
    size_t capacity = 0;
    int found = 0;
    for (int games = 0; found < wanted && getline(&line, &capacity, stdin) > 0; games++) {
        struct gomoku_position position;
        if (!read_game(line, &position) || position.count < LEAST_STONES + 5) {
            continue;
        }
        take_back(&position, 2 + games % 2);
        struct search_result result = {0};
        do {
            take_back(&position, 2);
            gomoku_searcher_clear(searcher);
            result = think(searcher, &position, nodes / 20);
        } while (positions_proven(result.value) && position.count > LEAST_STONES);
        if (position.count <= LEAST_STONES) {
            continue;
        }
        result = think(searcher, &position, nodes);
        if (positions_proven(result.value)) {
            write_line(positions_proven(result.value) > 0 ? "win" : "loss", &result, &position);
            found++;
        }
    }
    free(line);
    return found == wanted ? 0 : 1;
}

static int make_quiet(struct searcher *searcher, uint64_t nodes) {
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        struct gomoku_position position;
        if (!positions_read(&position, line)) {
            fprintf(stderr, "gomoku-yardstick: expected the moves of a game that is not over\n");
            return 2;
        }
        gomoku_searcher_clear(searcher);
        struct search_result result = think(searcher, &position, nodes);
        if (!positions_proven(result.value)) {
            char label[16];
            snprintf(label, sizeof label, "%d", result.value);
            write_line(label, &result, &position);
        }
    }
    free(line);
    return 0;
}

struct measure {
    int hard, solved, wrong;
    double log_nodes;
    int quiet, same;
    double difference;
};

/* One line of the yardstick; false when it is not one. */
static bool measure_line(struct searcher *searcher, char *line, uint64_t nodes, struct measure *measure) {
    char label[16], move[8];
    int used;
    struct gomoku_position position;
    if (sscanf(line, "%15s %7s%n", label, move, &used) != 2 || !positions_read(&position, line + used)) {
        return false;
    }
    int outcome = strcmp(label, "win") == 0 ? 1 : strcmp(label, "loss") == 0 ? -1 : 0;
    gomoku_searcher_clear(searcher);
    struct search_result result = think(searcher, &position, nodes);
    int proof = positions_proven(result.value);
    int known = gomoku_parse_square(15, move, strlen(move));
    if (outcome) {
        measure->hard++;
        measure->solved += proof == outcome;
        measure->wrong += proof == -outcome;
        measure->log_nodes += log(proof == outcome ? (double)result.nodes : 2.0 * (double)nodes);
    } else {
        measure->quiet++;
        measure->same += (int)result.move == known;
        measure->difference += proof ? 500 : fmin(abs(result.value - atoi(label)), 500);
    }
    return true;
}

/* Prints how many of the hard ones are proved and the geometric mean of the nodes that took (twice the limit for one
 * that is not), and how many moves of the quiet ones agree and the mean difference of their values (500 at most). */
static int measure(struct searcher *searcher, uint64_t nodes, const char *settings) {
    struct measure sum = {0};
    char *line = NULL;
    size_t capacity = 0;
    double start = clock_cpu();
    while (getline(&line, &capacity, stdin) > 0) {
        if (!measure_line(searcher, line, nodes, &sum)) {
            fprintf(stderr, "gomoku-yardstick: line %d: expected an outcome or a value, a move and the moves before\n",
                    sum.hard + sum.quiet + 1);
            return 2;
        }
    }
    free(line);
    printf("%d of %d proved, %.0f nodes", sum.solved, sum.hard, sum.hard ? exp(sum.log_nodes / sum.hard) : 0.0);
    printf("; %d of %d moves, %.1f off", sum.same, sum.quiet, sum.quiet ? sum.difference / sum.quiet : 0.0);
    printf("; %.0f s  %s%s\n", clock_cpu() - start, settings, sum.wrong ? "  WRONG PROOFS" : "");
    return sum.wrong ? 1 : 0;
}

int main(int argc, char **argv) {
    struct tree_params params = tree_usual_params;
    bool hard = argc == 4 && strcmp(argv[1], "hard") == 0;
    bool quiet = argc == 3 && strcmp(argv[1], "quiet") == 0;
    bool measures = argc == 4 && strcmp(argv[1], "measure") == 0 && settings_parse(&params, argv[3]);
    if (!hard && !quiet && !measures) {
        fprintf(stderr, "usage: gomoku-yardstick hard COUNT NODES | quiet NODES | measure NODES SETTINGS\n");
        return 2;
    }
    struct searcher *searcher = gomoku_searcher_new(&(struct searcher_options){.hash_bytes = (size_t)64 << 20}, NULL);
    if (!searcher) {
        return 1;
    }
    gomoku_searcher_tune(searcher, &params);
    int status = hard    ? make_hard(searcher, atoi(argv[2]), strtoull(argv[3], NULL, 10))
                 : quiet ? make_quiet(searcher, strtoull(argv[2], NULL, 10))
                         : measure(searcher, strtoull(argv[2], NULL, 10), argv[3]);
    gomoku_searcher_free(searcher);
    return status;
}
