#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "formats/draw.h"

#define CELL 48
#define MARGIN 34

static const char *fill_of(enum game_ink ink) {
    switch (ink) {
    case GAME_INK_FIRST:
        return "#cfe0f7";
    case GAME_INK_SECOND:
        return "#f8d5cc";
    case GAME_INK_BLOCK:
        return "#4a4f57";
    case GAME_INK_FIRST_FIELD:
        return "#e3edfb";
    case GAME_INK_SECOND_FIELD:
        return "#fbe6e0";
    case GAME_INK_BOTH_FIELD:
        return "#ece0f3";
    case GAME_INK_EMPTY:
        break;
    }
    return "#fbfaf6";
}

static void add_label(struct text *text, int x, int y, int points, const char *colour, const char *label) {
    text_addf(text, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" fill=\"%s\">", x, y, points, colour);
    text_add_xml(text, label);
    text_add_string(text, "</text>\n");
}

/* The largest size, up to `most`, at which a number stays inside `width`: a digit is about two thirds as wide. */
static int fitting(const char *label, int most, int width) {
    int size = width * 3 / (2 * (int)strlen(label));
    return size < most ? size : most;
}

/* A piece in a square: a disc for the first side, a diamond for the second; colour is never the only sign. */
static void add_piece(struct text *text, int x, int y, enum game_ink ink) {
    if (ink == GAME_INK_FIRST) {
        text_addf(text, "<circle cx=\"%d\" cy=\"%d\" r=\"15\" fill=\"#2459a6\"/>\n", x, y);
    } else {
        text_addf(text, "<path d=\"M%d %dl17 17l-17 17l-17 -17z\" fill=\"#c0432b\"/>\n", x, y - 17);
    }
}

static void add_square(struct text *text, int x, int y, const struct game_cell *cell) {
    text_addf(text, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"#9a958a\"/>\n", x, y, CELL,
              CELL, fill_of(cell->ink));
    bool piece = cell->ink == GAME_INK_FIRST || cell->ink == GAME_INK_SECOND;
    if (piece) {
        add_piece(text, x + CELL / 2, y + CELL / 2, cell->ink);
    }
    if (cell->label[0]) {
        int size = fitting(cell->label, piece ? 13 : 15, piece ? 30 : CELL - 4);
        add_label(text, x + CELL / 2, y + CELL / 2 + 5, size, piece ? "#ffffff" : "#57534a", cell->label);
    }
}

static void add_stone(struct text *text, int x, int y, const struct game_cell *cell) {
    bool first = cell->ink == GAME_INK_FIRST;
    if (cell->forbidden) { /* a cross */
        text_addf(text, "<path d=\"M%d %dl16 16m0 -16l-16 16\" stroke=\"#c0281e\" stroke-width=\"3\"/>\n", x - 8,
                  y - 8);
    }
    if (!first && cell->ink != GAME_INK_SECOND) {
        return;
    }
    text_addf(text, "<circle cx=\"%d\" cy=\"%d\" r=\"21\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%d\"/>\n", x, y,
              first ? "#26282c" : "#fdfdfb", cell->last ? "#d4342a" : "#26282c", cell->last ? 3 : 1);
    if (cell->label[0]) {
        add_label(text, x, y + 5, 15, first ? "#ffffff" : "#26282c", cell->label);
    }
}

/* A board of points: lines that cross, the stones on the crossings. */
static void add_grid(struct text *text, struct game_shape shape) {
    int first = MARGIN + CELL / 2;
    int bottom = first + (shape.rows - 1) * CELL;
    int right = first + (shape.columns - 1) * CELL;
    text_addf(text, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#eacb8c\"/>\n", MARGIN, MARGIN,
              shape.columns * CELL, shape.rows * CELL);
    for (int i = 0; i < shape.columns; i++) {
        text_addf(text, "<path d=\"M%d %dV%d\" stroke=\"#6b5328\"/>\n", first + i * CELL, first, bottom);
    }
    for (int i = 0; i < shape.rows; i++) {
        text_addf(text, "<path d=\"M%d %dH%d\" stroke=\"#6b5328\"/>\n", first, first + i * CELL, right);
    }
}

/* The names along the edges. */
static void add_names(struct text *text, const struct game *game, struct game_shape shape) {
    for (int i = 0; i < shape.columns; i++) {
        char name[4];
        draw_column_name(game, i, name);
        add_label(text, MARGIN + i * CELL + CELL / 2, MARGIN - 11, 15, "#57534a", name);
    }
    for (int i = 0; i < shape.rows; i++) {
        char number[12];
        snprintf(number, sizeof number, "%d", game->properties->numbered_from_zero ? i : i + 1);
        add_label(text, MARGIN / 2, MARGIN + i * CELL + CELL / 2 + 5, 15, "#57534a", number);
    }
}

/* Begins the picture of a board, up to the names along its edges. */
static void begin_board(struct text *text, const struct game *game, struct game_shape shape, const char *of) {
    int width = 2 * MARGIN + shape.columns * CELL;
    int height = 2 * MARGIN + shape.rows * CELL;
    text_addf(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
              "font-family=\"sans-serif\" text-anchor=\"middle\">\n<title>%s%s %dx%d</title>\n"
              "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
              width, height, width, height, of, game->properties->title, shape.columns, shape.rows, width, height);
    if (game->properties->stones_on_points) {
        add_grid(text, shape);
    }
    add_names(text, game, shape);
}

void draw_svg(const struct game *game, const struct game_position *position, struct text *text) {
    const struct game_properties *properties = game->properties;
    struct game_shape shape = game_shape(game, position);
    begin_board(text, game, shape, "");
    for (int i = 0; i < shape.rows * shape.columns; i++) {
        struct game_cell cell;
        int row = i / shape.columns;
        int column = i % shape.columns;
        game->cell(position, row, column, &cell);
        int x = MARGIN + column * CELL;
        int y = MARGIN + row * CELL;
        if (properties->stones_on_points) {
            add_stone(text, x + CELL / 2, y + CELL / 2, &cell);
        } else {
            add_square(text, x, y, &cell);
        }
    }
    struct text caption = TEXT_EMPTY;
    draw_caption(game, position, &caption);
    add_label(text, MARGIN + shape.columns * CELL / 2, 2 * MARGIN + shape.rows * CELL - 11, 15, "#26282c",
              text_string(&caption));
    text->broken = text->broken || caption.broken;
    text_free(&caption);
    text_add_string(text, "</svg>\n");
}

/* From pale red for the worst move over white to green for the best. */
static void heat_colour(double share, char colour[8]) {
    double red = share < 0.5 ? 248 : 248 - (share - 0.5) * 2 * 116;
    double green = share < 0.5 ? 213 + share * 2 * 37 : 250 - (share - 0.5) * 2 * 48;
    double blue = share < 0.5 ? 204 + share * 2 * 42 : 246 - (share - 0.5) * 2 * 110;
    snprintf(colour, 8, "#%02x%02x%02x", (unsigned)red & 255, (unsigned)green & 255, (unsigned)blue & 255);
}

/* A square with the value of the move large and its own label small above it. */
static void add_heat(struct text *text, int x, int y, const char *label, int value, double share) {
    char colour[8];
    char number[16];
    heat_colour(share, colour);
    snprintf(number, sizeof number, "%+d", value);
    text_addf(text, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"#9a958a\"/>\n", x, y, CELL,
              CELL, colour);
    if (share >= 1) {
        text_addf(text,
                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#1d6b2f\" "
                  "stroke-width=\"3\"/>\n",
                  x + 2, y + 2, CELL - 4, CELL - 4);
    }
    add_label(text, x + CELL / 2, y + 15, 10, "#57534a", label);
    add_label(text, x + CELL / 2, y + CELL / 2 + 12, fitting(number, 15, CELL - 4), "#26282c", number);
}

void draw_heat_svg(const struct game *game, const struct game_position *position, const struct draw_heat *heat,
                   struct text *text) {
    ASSERT(game_shape(game, position).rows * game_shape(game, position).columns <= DRAW_MOST_HEAT);
    ASSERT(heat->least <= heat->most);
    struct game_shape shape = game_shape(game, position);
    char caption[80];
    begin_board(text, game, shape, "The value of every first move: ");
    for (int i = 0; i < shape.rows * shape.columns; i++) {
        struct game_cell cell;
        int x = MARGIN + i % shape.columns * CELL;
        int y = MARGIN + i / shape.columns * CELL;
        game->cell(position, i / shape.columns, i % shape.columns, &cell);
        if (heat->known[i]) {
            double share = heat->most > heat->least
                               ? (double)(heat->value[i] - heat->least) / (double)(heat->most - heat->least)
                               : 1;
            add_heat(text, x, y, cell.label, heat->value[i], share);
        } else {
            add_square(text, x, y, &cell);
        }
    }
    snprintf(caption, sizeof caption, "%s to move: final margin, best %+d",
             game->properties->sides[game->to_move(position)], heat->most);
    add_label(text, MARGIN + shape.columns * CELL / 2, 2 * MARGIN + shape.rows * CELL - 11,
              fitting(caption, 15, 3 * (shape.columns * CELL + MARGIN) / 2), "#26282c", caption);
    text_add_string(text, "</svg>\n");
}
