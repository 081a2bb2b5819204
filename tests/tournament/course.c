/* A weak and honest program for the three courses by files: the last square that is free. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char rows[30][40];
static int size;

static int is_covered(int row, int column) {
    for (int way = 0; way < 9; way++) {
        for (int step = 1; step < 4 && way != 4; step++) {
            int r = row + step * (way / 3 - 1);
            int c = column + step * (way % 3 - 1);
            if (r < 0 || c < 0 || r >= size || c >= size || rows[r][c] == '3') {
                break;
            }
            if (rows[r][c] == '1' || rows[r][c] == '2') {
                return 1;
            }
        }
    }
    return 0;
}

static int read_rows(FILE *file) {
    int count = 0;
    while (count < size && fscanf(file, "%39s", rows[count]) == 1) {
        count++;
    }
    return count == size;
}

static int find(char empty, int lasers, int *row, int *column) {
    for (int square = size * size - 1; square >= 0; square--) {
        *row = square / size;
        *column = square % size;
        if (rows[*row][*column] == empty && !(lasers && is_covered(*row, *column))) {
            return 1;
        }
    }
    return 0;
}

static void take(char side, char empty, int raids, int row, int column) {
    int near[4][2] = {{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}};
    int own = 0;
    rows[row][column] = side;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 4; i++) {
            int r = near[i][0], c = near[i][1];
            if (r < 0 || c < 0 || r >= size || c >= size || rows[r][c] == empty) {
                continue;
            }
            own |= rows[r][c] == side;
            if (pass && own && raids) {
                rows[r][c] = side;
            }
        }
    }
}

int main(int count, char **words) {
    int sneak = count > 2 && strcmp(words[1], "-i") == 0;
    FILE *in = fopen(sneak ? words[2] : "input.txt", "r");
    FILE *out = fopen(sneak ? "next_state.txt" : "output.txt", "w");
    char mode[40], side[40], value[40];
    int row, column;
    if (!in || !out || fscanf(in, "%39s%39s", mode, side) != 2) {
        return 1;
    }
    size = sneak ? 5 : (int)strtol(mode, NULL, 10);
    int stake = !sneak && (side[0] == 'M' || side[0] == 'A' || side[0] == 'C');
    if (!sneak && !stake) { /* the first row is read already */
        strcpy(rows[0], side);
        for (int i = 1; i < size && fscanf(in, "%39s", rows[i]) == 1; i++) {
        }
        return find('0', 1, &row, &column) ? fprintf(out, "%d %d\n", row, column) < 0 : 1;
    }
    if (stake && fscanf(in, "%39s", side) != 1) {
        return 1;
    }
    for (int i = 0; i <= size * size; i++) { /* the depth and the values */
        if (fscanf(in, "%39s", value) != 1) {
            return 1;
        }
    }
    if (!read_rows(in) || !find(sneak ? '*' : '.', 0, &row, &column)) {
        return 1;
    }
    take(side[0], sneak ? '*' : '.', sneak, row, column);
    if (stake) {
        fprintf(out, "%c%d Stake\n", 'A' + column, row + 1);
    }
    for (int i = 0; i < size; i++) {
        fprintf(out, "%s\n", rows[i]);
    }
    return fclose(out) != 0;
}
