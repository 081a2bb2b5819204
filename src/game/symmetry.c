#include "game/symmetry.h"

#include "base/assert.h"

int symmetry_turn(int size, int symmetry, int square) {
    ASSERT(symmetry >= 0 && symmetry < SYMMETRY_COUNT);
    ASSERT(square >= 0 && square < size * size);
    int row = square / size;
    int column = square % size;
    int down = symmetry & 1 ? size - 1 - row : row;
    int right = symmetry & 2 ? size - 1 - column : column;
    return symmetry & 4 ? right * size + down : down * size + right;
}

int symmetry_fold(int size, int square) {
    ASSERT(square >= 0 && square < size * size);
    int row = square / size;
    int column = square % size;
    row = row < size - 1 - row ? row : size - 1 - row;
    column = column < size - 1 - column ? column : size - 1 - column;
    return row < column ? column * size + row : row * size + column;
}
