/* Wins of Gomoku in a few moves with one first move. All is asked of within.h: which move wins within how many moves,
 * quiet moves and all replies included, so that what a puzzle says is proved. */
#include <stdlib.h>
#include <string.h>

#include "../gomoku/positions.h"
#include "base/rng.h"
#include "base/text.h"
#include "games/gomoku/book/book.h"
#include "games/gomoku/search/search.h"
#include "games/gomoku/search/within.h"
#include "puzzle.h"
#include "search/limits.h"
#include "system/file.h"

#define SIZE 15
#define MOST_STONES 90
#define MOST_WALK 90
#define GAME_NODES 1500      /* for a move of the games */
#define LOOK_NODES 300000ULL /* for the first look at a position of a game */
#define FROM_A_GAME 2        /* puzzles at most */
/* Of 100 puzzles so many are wins in 2, 3, 4 and 5. The proof leaves the shorter ones to whoever plays it. */
static const int share_of_games[PUZZLE_MOST_WIN + 1] = {0, 0, 10, 32, 33, 25};
static const int share_of_proof[PUZZLE_MOST_WIN + 1] = {0, 0, 0, 0, 0, 100};

/* What finding needs. */
struct finder {
    struct within *within;
    struct searcher *searcher;
    struct puzzles *puzzles;
    struct rng rng;
    int wanted[PUZZLE_MOST_WIN + 1]; /* still, by moves */
    int left;                        /* all of them */
};

/* How the first move looks: the more it threatens, the sooner it is seen. */
static int hiding(const struct gomoku_position *position, int square) {
    static struct gboard board;
    gboard_load(&board, position, NULL);
    int side = board.side;
    int class = gboard_class(&board, side, square);
    int tries = gboard_set_count(&board, side, SET_FOUR) + gboard_set_count(&board, side, SET_THREE);
    int hidden = class < CLASS_THREE ? 12 : class == CLASS_THREE ? 6 : class == CLASS_FOUR ? 3 : 0;
    return hidden + (tries > 12 ? 12 : tries);
}

/* Whether the side to move has to stop a five first, which is no puzzle. */
static bool is_forced(const struct gomoku_position *position) {
    static struct gboard board;
    gboard_load(&board, position, NULL);
    return !gboard_set_empty(&board, 1 - board.side, SET_FIVE);
}

/* The stones of a board so that its eight symmetries are one, the sides told apart. */
static uint64_t board_key(const struct gomoku_position *position) {
    uint64_t least = UINT64_MAX;
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        uint64_t key = 0;
        for (int square = 0; square < SIZE * SIZE; square++) {
            int row = square / SIZE;
            int column = square % SIZE;
            int r = symmetry & 1 ? SIZE - 1 - row : row;
            int c = symmetry & 2 ? SIZE - 1 - column : column;
            int to = symmetry & 4 ? c * SIZE + r : r * SIZE + c;
            if (position->board[square] != GOMOKU_EMPTY) {
                key += rng_mix((uint64_t)to * 4 + position->board[square]);
            }
        }
        least = key < least ? key : least;
    }
    return least;
}

/* Whether the same board is there already; remembers it otherwise. */
static bool is_known(const struct gomoku_position *position) {
    static uint64_t keys[1 << 16];
    uint64_t key = board_key(position) | 1;
    size_t at = key >> 48;
    while (keys[at] != 0 && keys[at] != key) {
        at = (at + 1) & 0xffff;
    }
    bool known = keys[at] == key;
    keys[at] = key;
    return known;
}

static bool keep(struct finder *finder, const struct gomoku_position *position, int moves, int square) {
    struct puzzle puzzle = {.kind = PUZZLE_WIN, .moves = moves, .hard = 12 * moves + hiding(position, square)};
    struct text text = TEXT_EMPTY;
    char name[8];
    gomoku_square_text(SIZE, square, name);
    memcpy(puzzle.move, name, sizeof name);
    gomoku_game.write((const struct game_position *)position, &text);
    bool kept = puzzle_take_text(&puzzle, text_string(&text)) && puzzles_add(finder->puzzles, &puzzle);
    text_free(&text);
    finder->wanted[moves]--;
    finder->left--;
    return kept;
}

/* Looks at a position; true when it became a puzzle. `known` is in how many moves the side is known to win. */
static bool look_at(struct finder *finder, const struct gomoku_position *position, int known) {
    uint16_t move;
    uint16_t solutions[2];
    int most = PUZZLE_MOST_WIN;
    while (most > 1 && finder->wanted[most] <= 0) {
        most--;
    }
    if (known > most + 2 || is_forced(position)) { /* the way that is known may be longer than the shortest */
        return false;
    }
    int moves = within_shortest(finder->within, position, most, most > 4 ? 10 * LOOK_NODES : LOOK_NODES, &move);
    if (moves < 2 || finder->wanted[moves] <= 0 ||
        within_solutions(finder->within, position, moves, PUZZLE_NODES, solutions, 2) != 1 || is_known(position)) {
        return false;
    }
    return keep(finder, position, moves, solutions[0]);
}

static void draw_stones(struct gomoku_position *position, struct rng *rng) {
    gomoku_clear(position, SIZE, GOMOKU_FREESTYLE);
    int stones = 2 + (int)rng_below(rng, 5);
    while (position->count < stones) {
        int row = 4 + (int)rng_below(rng, 7);
        int column = 4 + (int)rng_below(rng, 7);
        if (position->board[row * SIZE + column] == GOMOKU_EMPTY) {
            gomoku_put(position, row * SIZE + column);
        }
    }
}

/* One game of the engine against itself, with a slip now and then; its positions are looked at from the end, where wins
 * are short, until one is too far from it. */
static void play_game(struct finder *finder) {
    struct gomoku_position position;
    const struct game_position *game = (const struct game_position *)&position;
    struct search_control control = {0};
    struct search_result result;
    int values[GOMOKU_MOST_SQUARES + 1] = {0};
    gomoku_searcher_clear(finder->searcher);
    draw_stones(&position, &finder->rng);
    int first = position.count;
    while (position.winner == GOMOKU_NO_WINNER && position.count < MOST_STONES) {
        gomoku_think(finder->searcher, game, &(struct search_limits){.nodes = GAME_NODES}, &control, &result);
        values[position.count] = result.value;
        bool slips = rng_below(&finder->rng, 9) == 0 && result.value < WIN_LEAST;
        gomoku_put(&position, slips ? positions_near(&position, &finder->rng) : (int)result.move);
    }
    int found = 0;
    for (int count = position.count - 3; count >= first && found < FROM_A_GAME && finder->left > 0; count--) {
        struct gomoku_position before;
        gomoku_clear(&before, SIZE, GOMOKU_FREESTYLE);
        for (int i = 0; i < count; i++) {
            gomoku_put(&before, position.order[i]);
        }
        if (values[count] >= WIN_LEAST) { /* the engine's own search has seen this win */
            found += look_at(finder, &before, (WIN_VALUE - values[count] + 1) / 2);
        }
    }
}

/* One walk through the certificate: its moves against replies near the stones, until the win is short. */
static void walk_proof(struct finder *finder, const struct book *book) {
    struct gomoku_position position;
    gomoku_clear(&position, SIZE, GOMOKU_FREESTYLE);
    int found = 0;
    for (int ply = 0; ply < MOST_WALK && position.winner == GOMOKU_NO_WINNER && found == 0; ply++) {
        uint16_t move;
        int plies;
        if (ply % 2 == 1) {
            bool resists = rng_below(&finder->rng, 3) == 0 && book_resist(book, &position, &move);
            gomoku_put(&position, resists ? move : positions_near(&position, &finder->rng));
        } else if (ply == 0) {
            gomoku_put(&position, SIZE * SIZE / 2);
        } else if (book_look_up(book, &position, &move, &plies)) {
            found += look_at(finder, &position, (plies + 1) / 2);
            gomoku_put(&position, move);
        } else {
            return;
        }
    }
}

/* How many of each length, so that they come to `count`. */
static void want(struct finder *finder, int count, const int *share) {
    finder->left = count;
    int rest = count;
    for (int moves = 2; moves < PUZZLE_MOST_WIN; moves++) {
        finder->wanted[moves] = count * share[moves] / 100;
        rest -= finder->wanted[moves];
    }
    finder->wanted[PUZZLE_MOST_WIN] = rest;
}

static void tell(const struct finder *finder, const char *where) {
    fprintf(stderr, "%d puzzles, %d more from %s\n", finder->puzzles->count, finder->left, where);
}

static bool find_in_proof(struct finder *finder, const char *path, uint64_t seed, int count) {
    char *bytes;
    size_t length;
    struct error error;
    static struct book book;
    if (file_read(path, BOOK_MOST_BYTES, &bytes, &length, &error) != STATUS_OK) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        return false;
    }
    bool read = book_read(&book, (const uint8_t *)bytes, length);
    free(bytes);
    if (!read) {
        fprintf(stderr, "%s: expected a certificate of Gomoku\n", path);
        return false;
    }
    want(finder, count, share_of_proof);
    for (uint64_t walk = 0; finder->left > 0; walk++) {
        finder->rng = (struct rng){rng_mix(seed << 32 ^ walk ^ 0x70726f6f66)};
        int before = finder->left;
        walk_proof(finder, &book);
        if (finder->left < before && finder->left % 20 == 0) {
            tell(finder, "the proof");
        }
    }
    book_free(&book);
    return true;
}

bool wins_find(struct puzzles *puzzles, uint64_t seed, int from_games, int from_proof, const char *proof) {
    struct finder finder = {.puzzles = puzzles, .within = within_new()};
    finder.searcher = gomoku_searcher_new(&(struct searcher_options){.hash_bytes = (size_t)16 << 20}, NULL);
    bool fine = finder.within && finder.searcher;
    want(&finder, from_games, share_of_games);
    for (uint64_t game = 0; fine && finder.left > 0; game++) {
        finder.rng = (struct rng){rng_mix(seed << 32 ^ game)};
        int before = finder.left;
        play_game(&finder);
        if (finder.left < before && finder.left % 20 == 0) {
            tell(&finder, "games");
        }
    }
    fine = fine && (!proof || find_in_proof(&finder, proof, seed, from_proof));
    within_free(finder.within);
    if (finder.searcher) {
        gomoku_searcher_free(finder.searcher);
    }
    return fine;
}

bool wins_check(const struct puzzle *puzzle, const char **why) {
    struct gomoku_position position;
    struct reader reader;
    struct error error;
    char text[PUZZLE_MOST_TEXT + 1];
    static struct within *within;
    within = within ? within : within_new();
    snprintf(text, sizeof text, "%s", puzzle->text);
    for (char *at = text; (at = strchr(at, '/')) != NULL;) {
        *at = '\n';
    }
    reader_init(&reader, text, strlen(text));
    *why = "this is no position of Gomoku";
    if (strncmp(text, "gomoku freestyle", 16) != 0 ||
        gomoku_game.read((struct game_position *)&position, &reader, &error) != STATUS_OK ||
        position.winner != GOMOKU_NO_WINNER) {
        return false;
    }
    *why = "there is no memory";
    uint16_t move;
    uint16_t solutions[2];
    if (!within) {
        return false;
    }
    *why = "the side to move does not win in so many moves, or wins sooner";
    if (within_shortest(within, &position, puzzle->moves, PUZZLE_NODES, &move) != puzzle->moves) {
        return false;
    }
    *why = "the move is not the only one that wins";
    return within_solutions(within, &position, puzzle->moves, PUZZLE_NODES, solutions, 2) == 1 &&
           solutions[0] == gomoku_parse_square(position.size, puzzle->move, strlen(puzzle->move));
}
