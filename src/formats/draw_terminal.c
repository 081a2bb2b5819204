#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "formats/draw.h"

#define FORBIDDEN '#' /* an empty square where the side to move may not play */

static const char *ink_code(enum game_ink ink) {
    switch (ink) {
    case GAME_INK_FIRST:
        return "\033[1;97;44m";
    case GAME_INK_SECOND:
        return "\033[1;97;41m";
    case GAME_INK_BLOCK:
        return "\033[37;100m";
    case GAME_INK_FIRST_FIELD:
        return "\033[34m";
    case GAME_INK_SECOND_FIELD:
        return "\033[31m";
    case GAME_INK_BOTH_FIELD:
        return "\033[35m";
    case GAME_INK_EMPTY:
        break;
    }
    return "\033[2m";
}

void draw_column_name(const struct game *game, int column, char name[4]) {
    ASSERT(column >= 0);
    if (game->properties->numbered_from_zero) {
        snprintf(name, 4, "%d", column & 63);
    } else {
        name[0] = (char)('A' + column);
        name[1] = '\0';
    }
}

void draw_caption(const struct game *game, const struct game_position *position, struct text *text) {
    const struct game_properties *properties = game->properties;
    game_score score = game->over(position) || properties->score_kind == GAME_SCORE_MARGIN ? game->score(position) : 0;
    const char *ahead = properties->sides[score < 0];
    if (!game->over(position)) {
        text_addf(text, "%s to move", properties->sides[game->to_move(position)]);
    } else {
        text_add_string(text, "game over");
    }
    if (score && properties->score_kind == GAME_SCORE_MARGIN) {
        text_addf(text, ", %s leads by %d", ahead, score < 0 ? -(int)score : (int)score);
    } else if (score) {
        text_addf(text, ", %s won", ahead);
    } else if (game->over(position)) {
        text_add_string(text, ", a draw");
    }
}

/* The widest label decides how wide every square is. */
static int label_width(const struct game *game, const struct game_position *position, struct game_shape shape) {
    size_t width = 0;
    for (int i = 0; i < shape.rows * shape.columns; i++) {
        struct game_cell cell;
        game->cell(position, i / shape.columns, i % shape.columns, &cell);
        size_t length = strlen(cell.label);
        width = length > width ? length : width;
    }
    return (int)width;
}

void draw_terminal(const struct game *game, const struct game_position *position, bool colour, struct text *text) {
    struct game_shape shape = game_shape(game, position);
    int width = label_width(game, position, shape);
    if (game->properties->numbered_from_zero && shape.columns > 10 && width == 0) {
        width = 1; /* column numbers of two digits */
    }
    bool forbidden = false;
    text_add_string(text, "   ");
    for (int column = 0; column < shape.columns; column++) {
        char name[4];
        draw_column_name(game, column, name);
        text_addf(text, " %*s", width + 1, name);
    }
    text_add_char(text, '\n');
    for (int row = 0; row < shape.rows; row++) {
        text_addf(text, "%3d", game->properties->numbered_from_zero ? row : row + 1);
        for (int column = 0; column < shape.columns; column++) {
            struct game_cell cell;
            game->cell(position, row, column, &cell);
            const char *code = cell.forbidden ? "\033[31m" : ink_code(cell.ink);
            text_addf(text, " %s%c%-*s%s", colour ? code : "", cell.forbidden ? FORBIDDEN : cell.glyph, width,
                      cell.label, colour ? "\033[0m" : "");
            forbidden = forbidden || cell.forbidden;
        }
        text_add_char(text, '\n');
    }
    draw_caption(game, position, text);
    if (forbidden) {
        text_addf(text, ", %c is forbidden", FORBIDDEN);
    }
    text_add_char(text, '\n');
}
