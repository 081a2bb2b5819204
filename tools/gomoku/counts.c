/* Searches positions with a node limit and prints what the tree search counted, the means of all of them.
 *
 * usage: gomoku-counts NODES SETTINGS < POSITIONS    (a position is a line of moves such as "H8 I9 J8") */
#include "games/gomoku/search/stats.h"
#include "positions.h"
#include "settings.h"

int main(int argc, char **argv) {
    struct tree_params params = tree_usual_params;
    if (argc != 3 || !settings_parse(&params, argv[2])) {
        fprintf(stderr, "usage: gomoku-counts NODES SETTINGS < POSITIONS\n");
        return 2;
    }
    struct searcher_options options = {.hash_bytes = (size_t)256 << 20};
    struct searcher *searcher = gomoku_searcher_new(&options, NULL);
    struct search_limits limits = {.nodes = strtoull(argv[1], NULL, 10)};
    if (!searcher) {
        return 1;
    }
    gomoku_searcher_tune(searcher, &params);
    struct gomoku_stats total = {0};
    struct stats_mark marks[2] = {{0}};
    double frontier = 0, depth = 0;
    int count = 0;
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        struct gomoku_position position;
        struct search_control control = {0};
        struct search_result result;
        if (!positions_read(&position, line)) {
            fprintf(stderr, "gomoku-counts: line %d: expected the moves of a game that is not over\n", count + 1);
            return 2;
        }
        gomoku_searcher_clear(searcher);
        gomoku_think(searcher, (const struct game_position *)&position, &limits, &control, &result);
        struct gomoku_stats stats = gomoku_searcher_counts(searcher);
        stats_add(&total, &stats);
        frontier += stats.frontier ? (double)stats.frontier_plies / (double)stats.frontier : 0;
        depth += result.depth;
        count++;
    }
    struct text text = {0};
    stats_write(&total, marks, 1, &text);
    printf("%d positions, depth %.2f, ply of the frontier %.2f, means of the positions\n%s", count, depth / count,
           frontier / count, text_string(&text));
    text_free(&text);
    free(line);
    gomoku_searcher_free(searcher);
    return 0;
}
