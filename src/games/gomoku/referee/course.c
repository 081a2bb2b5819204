#include "games/gomoku/referee/course.h"

#include <string.h>

#include "base/assert.h"
#include "base/stopwatch.h"
#include "games/gomoku/referee/course_rows.h"

#define WON 1000000
#define MOST_DEPTH 12
#define WIDTH 14       /* moves looked at in each position, the best by what their rows hold */
#define FOURS_DEPTH 14 /* of a win by fours */
#define FOURS_NODES 200000
#define LEAF_FOURS_DEPTH 4
#define LEAF_FOURS_NODES 40

/* What a row with so many stones of one side and none of the other is worth. */
static const int row_worth[6] = {0, 1, 8, 50, 300, 0};

struct board {
    struct course_rows lines;
    uint8_t stones[COURSE_SQUARES]; /* GOMOKU_EMPTY, or side + 1 */
    uint8_t count[2][COURSE_ROWS];  /* stones of each side on each row */
    int worth[2];
    int empty;
};

struct search {
    struct board board;
    double deadline;
    const atomic_bool *stop;
    uint64_t nodes;
    bool out;
};

static void course_put(struct board *board, int side, int square) {
    board->stones[square] = (uint8_t)(side + 1);
    board->empty--;
    for (int i = 0; i < board->lines.through_count[square]; i++) {
        int line = board->lines.through[square][i];
        int own = board->count[side][line]++;
        int other = board->count[1 - side][line];
        if (other == 0) {
            board->worth[side] += row_worth[own + 1] - row_worth[own];
        } else if (own == 0) {
            board->worth[1 - side] -= row_worth[other];
        }
    }
}

static void course_take_back(struct board *board, int side, int square) {
    board->stones[square] = GOMOKU_EMPTY;
    board->empty++;
    for (int i = 0; i < board->lines.through_count[square]; i++) {
        int line = board->lines.through[square][i];
        int own = --board->count[side][line];
        int other = board->count[1 - side][line];
        if (other == 0) {
            board->worth[side] -= row_worth[own + 1] - row_worth[own];
        } else if (own == 0) {
            board->worth[1 - side] += row_worth[other];
        }
    }
}

static void course_load(struct board *board, const struct gomoku_position *position) {
    memset(board, 0, sizeof *board);
    course_rows_make(&board->lines);
    board->empty = COURSE_SQUARES;
    for (int square = 0; square < COURSE_SQUARES; square++) {
        if (position->board[square] != GOMOKU_EMPTY) {
            course_put(board, position->board[square] - 1, square);
        }
    }
}

/* The empty squares of a row. */
static int empties(const struct board *board, int line, int squares[5]) {
    int count = 0;
    for (int i = 0; i < 5; i++) {
        int square = board->lines.squares[line][i];
        if (board->stones[square] == GOMOKU_EMPTY) {
            squares[count++] = square;
        }
    }
    return count;
}

/* How long a win by fours is looked for. */
struct budget {
    double deadline; /* by the wall clock; 0 for none */
    int nodes;
};

static bool spent(struct budget *budget) {
    if (--budget->nodes < 0) {
        return true;
    }
    if (budget->deadline > 0 && budget->nodes % 64 == 0 && clock_wall() > budget->deadline) {
        budget->nodes = 0;
    }
    return false;
}

/* Squares where `side` makes five, at most two of them; -1 where there is none. */
static int find_fives(const struct board *board, int side, int fives[2]) {
    int found = 0;
    fives[0] = fives[1] = -1;
    for (int line = 0; line < COURSE_ROWS && found < 2; line++) {
        int squares[5];
        if (board->count[side][line] == 4 && board->count[1 - side][line] == 0) {
            empties(board, line, squares);
            if (squares[0] != fives[0]) {
                fives[found++] = squares[0];
            }
        }
    }
    return found;
}

/* Whether `side`, to move, wins by fours alone: every move of it must be answered at one square. */
static bool wins_by_fours(struct board *board, int side, int depth, struct budget *budget, int *first) {
    int own[2];
    int theirs[2];
    if (find_fives(board, side, own) > 0) {
        *first = own[0];
        return true;
    }
    int threats = find_fives(board, 1 - side, theirs);
    if (depth == 0 || threats > 1 || spent(budget)) {
        return false;
    }
    for (int line = 0; line < COURSE_ROWS; line++) {
        int squares[5];
        if (board->count[side][line] != 3 || board->count[1 - side][line] != 0) {
            continue;
        }
        empties(board, line, squares);
        for (int i = 0; i < 2; i++) {
            int move = squares[i];
            if (threats == 1 && move != theirs[0]) {
                continue;
            }
            course_put(board, side, move);
            bool wins = find_fives(board, 1 - side, theirs) == 0;
            if (wins && find_fives(board, side, own) == 1) {
                int next;
                course_put(board, 1 - side, own[0]);
                wins = wins_by_fours(board, side, depth - 1, budget, &next);
                course_take_back(board, 1 - side, own[0]);
            }
            course_take_back(board, side, move);
            find_fives(board, 1 - side, theirs);
            if (wins) {
                *first = move;
                return true;
            }
        }
    }
    return false;
}

/* The best WIDTH empty squares by the rows through them, best first; how many. */
static int course_list_moves(const struct board *board, int side, int moves[WIDTH]) {
    int scores[WIDTH] = {0};
    int count = 0;
    for (int square = 0; square < COURSE_SQUARES; square++) {
        if (board->stones[square] != GOMOKU_EMPTY) {
            continue;
        }
        int score = 0;
        for (int i = 0; i < board->lines.through_count[square]; i++) {
            int line = board->lines.through[square][i];
            int own = board->count[side][line];
            int other = board->count[1 - side][line];
            score += other == 0 ? 2 * row_worth[own + 1] : 0;
            score += own == 0 ? row_worth[other + 1] : 0;
        }
        int at = count < WIDTH ? count++ : WIDTH;
        while (at > 0 && (at == WIDTH ? score > scores[WIDTH - 1] : score > scores[at - 1])) {
            if (at < WIDTH) {
                scores[at] = scores[at - 1];
                moves[at] = moves[at - 1];
            }
            at--;
        }
        if (at < WIDTH) {
            scores[at] = score;
            moves[at] = square;
        }
    }
    return count;
}

static bool out_of_time(struct search *search) {
    if ((++search->nodes & 255) == 0 && (clock_wall() > search->deadline || atomic_load(search->stop))) {
        search->out = true;
    }
    return search->out;
}

/* Plain alpha-beta; a leaf is judged by its rows once fours are exhausted. */
static int course_alphabeta(struct search *search, int side, int depth, int alpha, int beta, int ply) {
    struct board *board = &search->board;
    int fives[2];
    if (board->empty == 0) {
        return 0;
    }
    if (find_fives(board, side, fives) > 0) {
        /* The last stone of a full board ties, whatever it makes. */
        return board->empty == 1 ? 0 : WON - ply;
    }
    int moves[WIDTH];
    int count = 1;
    if (find_fives(board, 1 - side, moves) == 0) {
        struct budget budget = {.nodes = LEAF_FOURS_NODES};
        if (depth <= 0) {
            return wins_by_fours(board, side, LEAF_FOURS_DEPTH, &budget, moves)
                       ? WON - ply - 8
                       : board->worth[side] - board->worth[1 - side];
        }
        count = course_list_moves(board, side, moves);
    }
    for (int i = 0; i < count && !out_of_time(search); i++) {
        course_put(board, side, moves[i]);
        int value = -course_alphabeta(search, 1 - side, depth - 1, -beta, -alpha, ply + 1);
        course_take_back(board, side, moves[i]);
        if (value > alpha) {
            alpha = value;
        }
        if (alpha >= beta) {
            break;
        }
    }
    return alpha;
}

int gomoku_course_search(const struct gomoku_position *position, double seconds, const atomic_bool *stop) {
    ASSERT(position->count < position->size * position->size);
    int forced = gomoku_course_forced(position, 0);
    if (forced >= 0) {
        return forced;
    }
    struct search search = {.deadline = clock_wall() + seconds, .stop = stop};
    int side = position->count & 1;
    int moves[WIDTH];
    course_load(&search.board, position);
    int count = course_list_moves(&search.board, side, moves);
    for (int depth = 1; depth <= MOST_DEPTH && !search.out; depth++) {
        int best = -2 * WON;
        int best_index = 0;
        for (int i = 0; i < count; i++) {
            course_put(&search.board, side, moves[i]);
            int value = -course_alphabeta(&search, 1 - side, depth - 1, -2 * WON, -best, 1);
            course_take_back(&search.board, side, moves[i]);
            if (search.out) {
                break;
            }
            if (value > best) {
                best = value;
                best_index = i;
            }
        }
        /* The best so far goes first, also out of an iteration that was cut short. */
        int move = moves[best_index];
        memmove(moves + 1, moves, (size_t)best_index * sizeof moves[0]);
        moves[0] = move;
        if (best > WON / 2 || best < -WON / 2) {
            break;
        }
    }
    return moves[0];
}

int gomoku_course_forced(const struct gomoku_position *position, double seconds) {
    struct budget budget = {.deadline = clock_wall() + seconds, .nodes = seconds > 0 ? FOURS_NODES : 0};
    struct board board;
    int side = position->count & 1;
    int fives[2];
    int first = -1;
    course_load(&board, position);
    if (find_fives(&board, side, fives) > 0 || find_fives(&board, 1 - side, fives) > 0) {
        return fives[0];
    }
    return wins_by_fours(&board, side, FOURS_DEPTH, &budget, &first) ? first : -1;
}

/* Whether somebody has four stones of a five that the referee does not see, and the fifth square is empty. */
static bool has_unseen_four(const struct gomoku_position *position) {
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int square = 0; square < COURSE_SQUARES; square++) {
        for (int direction = 0; direction < 4; direction++) {
            int column = square % COURSE_SIZE;
            int row = square / COURSE_SIZE;
            int last_column = column + 4 * steps[direction][0];
            int last_row = row + 4 * steps[direction][1];
            uint8_t seen[5];
            if (last_column >= COURSE_SIZE || last_row >= COURSE_SIZE || last_row < 0 ||
                course_row_seen(column, row, direction, seen)) {
                continue;
            }
            int stones[3] = {0, 0, 0};
            for (int i = 0; i < 5; i++) {
                stones[position
                           ->board[(row + i * steps[direction][1]) * COURSE_SIZE + column + i * steps[direction][0]]]++;
            }
            if (stones[GOMOKU_EMPTY] == 1 && (stones[GOMOKU_X] == 4 || stones[GOMOKU_O] == 4)) {
                return true;
            }
        }
    }
    return false;
}

/* Plays the line that a claimed win or loss stands on and looks whether the winner really gets there. */
static bool claim_holds(const struct gomoku_position *position, const struct search_result *result,
                        struct budget *budget) {
    struct board board;
    int side = position->count & 1;
    int winner = result->value > 0 ? side : 1 - side;
    int fives[2];
    course_load(&board, position);
    for (int i = 0; i < result->pv_length; i++) {
        int square = (int)result->pv[i];
        if (square >= COURSE_SQUARES || board.stones[square] != GOMOKU_EMPTY) {
            return false;
        }
        if (find_fives(&board, side, fives) > 0) {
            return side == winner;
        }
        course_put(&board, side, square);
        side = 1 - side;
    }
    int first;
    if (side != winner) {
        /* The loser's move: the winner must have two fives to make. */
        return find_fives(&board, side, fives) == 0 && find_fives(&board, winner, fives) == 2;
    }
    return wins_by_fours(&board, winner, FOURS_DEPTH, budget, &first);
}

bool gomoku_course_trusts(const struct gomoku_position *position, const struct search_result *result, double seconds) {
    struct budget claim = {.deadline = clock_wall() + seconds / 2, .nodes = FOURS_NODES};
    struct budget budget = {.deadline = clock_wall() + seconds, .nodes = FOURS_NODES};
    if (result->move >= COURSE_SQUARES || has_unseen_four(position)) {
        return false;
    }
    bool claims = result->value > GAME_WIN_VALUE - 1000 || result->value < -(GAME_WIN_VALUE - 1000);
    if (claims && !claim_holds(position, result, &claim)) {
        return false;
    }
    struct board board;
    int side = position->count & 1;
    int first;
    course_load(&board, position);
    course_put(&board, side, (int)result->move);
    bool loses = wins_by_fours(&board, 1 - side, FOURS_DEPTH, &budget, &first);
    return !loses || (claims && result->value < 0);
}
