/* A Gomocup brain with other numbers in its tree search than the usual ones, for tools/gomoku/tune.py: as much of the
 * protocol as a match needs and one thread.
 *
 * usage: gomoku-brain SETTINGS [NODES]     (SETTINGS as gomoku-counts has them; NODES a move instead of the clock) */
#include "lines.h"
#include "settings.h"

struct brain {
    struct searcher *searcher;
    struct gomoku_position position;
    int variant;
    double seconds;
    uint64_t nodes;
};

static void answer_move(struct brain *brain) {
    struct search_control control = {0};
    struct search_result result;
    struct search_limits limits = {.nodes = brain->nodes};
    if (!limits.nodes) {
        limits.wall_seconds = brain->seconds > 0.06 ? brain->seconds - 0.03 : brain->seconds / 2;
    }
    if (gomoku_game.over((const struct game_position *)&brain->position)) {
        printf("ERROR the game is over\n");
        return;
    }
    gomoku_think(brain->searcher, (const struct game_position *)&brain->position, &limits, &control, &result);
    gomoku_put(&brain->position, (int)result.move);
    printf("%d,%d\n", (int)result.move % brain->position.size, (int)result.move / brain->position.size);
}

static bool put(struct brain *brain, int column, int row) {
    int size = brain->position.size;
    bool inside = column >= 0 && column < size && row >= 0 && row < size;
    if (!inside || brain->position.board[row * size + column] != GOMOKU_EMPTY ||
        brain->position.winner != GOMOKU_NO_WINNER) {
        printf("ERROR expected an empty square\n");
        return false;
    }
    gomoku_put(&brain->position, row * size + column);
    return true;
}

/* The stones of a position, which a match sends in the order they were played. */
static bool read_board(struct brain *brain) {
    char line[100];
    int column, row, whose;
    gomoku_clear(&brain->position, brain->position.size, brain->variant);
    while (fgets(line, sizeof line, stdin) && sscanf(line, "%d,%d,%d", &column, &row, &whose) == 3) {
        if (!put(brain, column, row)) {
            return false;
        }
    }
    return true;
}

static void set_info(struct brain *brain, const char *line) {
    long number;
    if (sscanf(line, "INFO timeout_turn %ld", &number) == 1) {
        brain->seconds = (double)number / 1000;
    } else if (sscanf(line, "INFO rule %ld", &number) == 1) {
        int variant = gomoku_variant_of_rule((int)number);
        brain->variant = variant < 0 ? GOMOKU_FREESTYLE : variant;
        brain->position.variant = (uint8_t)brain->variant;
    }
}

/* One line of the manager's; false at the end. */
static bool hear(struct brain *brain, const char *line) {
    int column, row;
    int size = brain->position.size;
    if (sscanf(line, "START %d", &size) == 1 || strncmp(line, "RESTART", 7) == 0) {
        bool fits = size >= GOMOKU_LEAST_SIZE && size <= GOMOKU_MOST_SIZE;
        gomoku_clear(&brain->position, fits ? size : 15, brain->variant);
        gomoku_searcher_clear(brain->searcher);
        printf("%s\n", fits ? "OK" : "ERROR expected a size of 5 to 22");
    } else if (strncmp(line, "INFO", 4) == 0) {
        set_info(brain, line);
    } else if (strncmp(line, "BEGIN", 5) == 0) {
        answer_move(brain);
    } else if (sscanf(line, "TURN %d,%d", &column, &row) == 2) {
        if (put(brain, column, row)) {
            answer_move(brain);
        }
    } else if (strncmp(line, "BOARD", 5) == 0) {
        if (read_board(brain)) {
            answer_move(brain);
        }
    } else if (strncmp(line, "ABOUT", 5) == 0) {
        printf("name=\"sortie, tuned\"\n");
    } else if (strncmp(line, "END", 3) == 0) {
        return false;
    } else {
        printf("UNKNOWN\n");
    }
    fflush(stdout);
    return true;
}

int main(int argc, char **argv) {
    static struct brain brain;
    struct tree_params params = tree_usual_params;
    if (argc < 2 || argc > 3 || !settings_parse(&params, argv[1]) ||
        (argc > 2 && !lines_count(argv[2], &brain.nodes))) {
        fprintf(stderr, "usage: gomoku-brain SETTINGS [NODES]\n");
        return 2;
    }
    brain.searcher = gomoku_searcher_new(&(struct searcher_options){.hash_bytes = (size_t)64 << 20}, NULL);
    if (!brain.searcher) {
        return 1;
    }
    gomoku_searcher_tune(brain.searcher, &params);
    gomoku_clear(&brain.position, 15, GOMOKU_FREESTYLE);
    char line[200];
    while (fgets(line, sizeof line, stdin) && hear(&brain, line)) {
    }
    gomoku_searcher_free(brain.searcher);
    return 0;
}
