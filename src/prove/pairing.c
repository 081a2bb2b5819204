#include "prove/pairing.h"

#include <string.h>

#define MOST_LINES (4 * GOMOKU_MOST_SQUARES)
#define MOST_STEPS 400 /* pairs tried before giving up */

struct pair_search {
    struct pairing *pairing;
    int lines;
    int steps;
    uint16_t squares[MOST_LINES][5]; /* the empty squares of each line */
    uint8_t room[MOST_LINES];        /* how many they are */
    bool done[MOST_LINES];           /* contains a chosen pair */
    bool used[GOMOKU_MOST_SQUARES];
};

static int stone_at(const struct gboard *board, int row, int column) {
    return (int)(board->lines[0][row] >> (2 * (GBOARD_MARGIN + column)) & 3);
}

/* Takes in a line that the defender has no stone in; false when it has not even two empty squares. */
static bool add_line(struct pair_search *search, const struct gboard *board, int defender, int row, int column,
                     const int step[2]) {
    int room = 0;
    for (int i = 0; i < 5; i++) {
        int r = row + i * step[0];
        int c = column + i * step[1];
        int stone = stone_at(board, r, c);
        if (stone == defender + 1) {
            return true;
        }
        if (stone == GOMOKU_EMPTY) {
            search->squares[search->lines][room++] = (uint16_t)(r * board->size + c);
        }
    }
    search->room[search->lines] = (uint8_t)room;
    search->lines++;
    return room >= 2;
}

static bool add_lines(struct pair_search *search, const struct gboard *board, int defender) {
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int size = board->size;
    for (int direction = 0; direction < 4; direction++) {
        for (int row = 0; row + 4 * steps[direction][0] < size; row++) {
            for (int column = 0; column < size; column++) {
                int end = column + 4 * steps[direction][1];
                if (end >= 0 && end < size && !add_line(search, board, defender, row, column, steps[direction])) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool line_has(const struct pair_search *search, int line, int square) {
    for (int i = 0; i < search->room[line]; i++) {
        if (search->squares[line][i] == square) {
            return true;
        }
    }
    return false;
}

static bool line_has_pair(const struct pair_search *search, int line, int a, int b) {
    return line_has(search, line, a) && line_has(search, line, b);
}

/* The open line with the fewest free squares; -1 when none is open, -2 when one cannot be served any more. */
static int hardest_line(const struct pair_search *search) {
    int best = -1;
    int least = 6;
    for (int line = 0; line < search->lines; line++) {
        if (search->done[line]) {
            continue;
        }
        int free_squares = 0;
        for (int i = 0; i < search->room[line]; i++) {
            free_squares += !search->used[search->squares[line][i]];
        }
        if (free_squares < 2) {
            return -2;
        }
        if (free_squares < least) {
            least = free_squares;
            best = line;
        }
    }
    return best;
}

static bool pair_lines(struct pair_search *search);

/* Chooses a pair and goes on; takes it back when that leads nowhere. */
static bool try_pair(struct pair_search *search, int a, int b) {
    uint16_t served[MOST_LINES];
    int count = 0;
    for (int line = 0; line < search->lines; line++) {
        if (!search->done[line] && line_has_pair(search, line, a, b)) {
            served[count++] = (uint16_t)line;
            search->done[line] = true;
        }
    }
    search->used[a] = search->used[b] = true;
    search->pairing->squares[2 * search->pairing->count] = (uint16_t)a;
    search->pairing->squares[2 * search->pairing->count + 1] = (uint16_t)b;
    search->pairing->count++;
    if (pair_lines(search)) {
        return true;
    }
    search->pairing->count--;
    search->used[a] = search->used[b] = false;
    for (int i = 0; i < count; i++) {
        search->done[served[i]] = false;
    }
    return false;
}

struct candidate_pair {
    uint16_t a;
    uint16_t b;
    int serves;
};

/* The pairs of a line, those first that serve most of the open lines. */
static int list_pairs(const struct pair_search *search, int line, struct candidate_pair *pairs) {
    int count = 0;
    for (int i = 0; i < search->room[line]; i++) {
        for (int j = i + 1; j < search->room[line]; j++) {
            struct candidate_pair pair = {search->squares[line][i], search->squares[line][j], 0};
            if (search->used[pair.a] || search->used[pair.b]) {
                continue;
            }
            for (int other = 0; other < search->lines; other++) {
                pair.serves += !search->done[other] && line_has_pair(search, other, pair.a, pair.b);
            }
            int at = count++;
            for (; at > 0 && pairs[at - 1].serves < pair.serves; at--) {
                pairs[at] = pairs[at - 1];
            }
            pairs[at] = pair;
        }
    }
    return count;
}

static bool pair_lines(struct pair_search *search) {
    int line = hardest_line(search);
    if (line < 0) {
        return line == -1;
    }
    struct candidate_pair pairs[10];
    int count = list_pairs(search, line, pairs);
    for (int i = 0; i < count; i++) {
        if (search->steps++ >= MOST_STEPS) {
            return false;
        }
        if (try_pair(search, pairs[i].a, pairs[i].b)) {
            return true;
        }
    }
    return false;
}

bool pairing_find(const struct gboard *board, int defender, struct pairing *pairing) {
    struct pair_search search;
    search.pairing = pairing;
    search.lines = 0;
    search.steps = 0;
    pairing->count = 0;
    if (!add_lines(&search, board, defender)) {
        return false;
    }
    /* A pair serves four lines at most. */
    if (search.lines > 2 * (board->squares - board->count)) {
        return false;
    }
    memset(search.done, 0, sizeof search.done);
    memset(search.used, 0, sizeof search.used);
    return pair_lines(&search);
}
