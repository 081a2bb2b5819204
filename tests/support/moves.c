#include "support/moves.h"

#include <string.h>

struct gomoku_position position_of(int size, const char *moves) {
    struct gomoku_position position;
    gomoku_clear(&position, size, GOMOKU_FREESTYLE);
    while (*moves) {
        size_t length = strcspn(moves, " ");
        gomoku_put(&position, gomoku_parse_square(size, moves, length));
        moves += length + (moves[length] == ' ');
    }
    return position;
}
