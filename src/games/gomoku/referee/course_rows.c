#include "games/gomoku/referee/course_rows.h"

#include <string.h>

#include "base/assert.h"

bool course_row_seen(int column, int row, int direction, uint8_t squares[5]) {
    ASSERT(direction >= 0 && direction < 4);
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}}; /* right, down, down-right, up-right */
    bool column_fits = column + 5 < COURSE_SIZE;                      /* it should say <= */
    bool row_fits = row + 5 < COURSE_SIZE;
    if ((steps[direction][0] && !column_fits) || (steps[direction][1] > 0 && !row_fits)) {
        return false;
    }
    for (int i = 0; i < 5; i++) {
        int down = (row + i * steps[direction][1] + COURSE_SIZE) % COURSE_SIZE;
        squares[i] = (uint8_t)(down * COURSE_SIZE + column + i * steps[direction][0]);
    }
    return true;
}

void course_rows_make(struct course_rows *lines) {
    memset(lines, 0, sizeof *lines);
    int count = 0;
    for (int square = 0; square < COURSE_SQUARES; square++) {
        for (int direction = 0; direction < 4; direction++) {
            uint8_t *line = lines->squares[count];
            if (!course_row_seen(square % COURSE_SIZE, square / COURSE_SIZE, direction, line)) {
                continue;
            }
            for (int i = 0; i < 5; i++) {
                lines->through[line[i]][lines->through_count[line[i]]++] = (uint16_t)count;
            }
            count++;
        }
    }
}

bool gomoku_course_sees_five(const struct gomoku_position *position) {
    for (int square = 0; square < COURSE_SQUARES; square++) {
        uint8_t stone = position->board[square];
        uint8_t line[5];
        for (int direction = 0; stone != GOMOKU_EMPTY && direction < 4; direction++) {
            if (!course_row_seen(square % COURSE_SIZE, square / COURSE_SIZE, direction, line)) {
                continue;
            }
            bool same = true;
            for (int i = 1; i < 5; i++) {
                same = same && position->board[line[i]] == stone;
            }
            if (same) {
                return true;
            }
        }
    }
    return false;
}
