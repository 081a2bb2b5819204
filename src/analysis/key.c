#include "analysis/key.h"

#include <string.h>

#include "base/assert.h"
#include "game/symmetry.h"
#include "games/gomoku/rules/gomoku.h"

/* One image of a board. */
static void turn_board(const struct gomoku_position *position, int symmetry, uint8_t *image) {
    int size = position->size;
    memset(image, GOMOKU_EMPTY, (size_t)size * (size_t)size);
    for (int i = 0; i < position->count; i++) {
        image[symmetry_turn(size, symmetry, position->order[i])] = (uint8_t)(1 + (i & 1));
    }
}

static void add_stones(struct text *text, int size, const uint8_t *image, uint8_t stone) {
    text_add_string(text, stone == GOMOKU_X ? " X" : " O");
    for (int square = 0; square < size * size; square++) {
        if (image[square] == stone) {
            char name[8];
            gomoku_square_text(size, square, name);
            text_add_char(text, ' ');
            text_add_string(text, name);
        }
    }
}

static void make_gomoku(struct key *key, const struct gomoku_position *position) {
    uint8_t images[2][GOMOKU_MOST_SQUARES];
    int best = 0;
    int size = position->size;
    turn_board(position, 0, images[0]);
    key->symmetry = 0;
    key->all = 1;
    for (int symmetry = 1; symmetry < SYMMETRY_COUNT; symmetry++) {
        turn_board(position, symmetry, images[!best]);
        int order = memcmp(images[!best], images[best], (size_t)size * (size_t)size);
        if (order > 0) {
            best = !best;
            key->symmetry = symmetry;
        }
        key->all = order > 0 ? 1u << symmetry : order == 0 ? key->all | 1u << symmetry : key->all;
    }
    key->size = size;
    text_addf(&key->text, "gomoku %s %d", gomoku_game.properties->variants[position->variant], size);
    add_stones(&key->text, size, images[best], GOMOKU_X);
    add_stones(&key->text, size, images[best], GOMOKU_O);
}

void key_make(struct key *key, const struct game *game, const struct game_position *position) {
    key->text.length = 0;
    if (game == &gomoku_game) {
        make_gomoku(key, gomoku_const(position));
        return;
    }
    key->size = key->symmetry = 0;
    key->all = 1;
    game->write(position, &key->text);
    while (key->text.length > 0 && key->text.data[key->text.length - 1] == '\n') {
        key->text.data[--key->text.length] = '\0';
    }
}

void key_free(struct key *key) {
    text_free(&key->text);
    *key = (struct key){0};
}

int key_square_in(const struct key *key, int square) {
    return key->size ? symmetry_turn(key->size, key->symmetry, square) : square;
}

/* Mirrors undo themselves; along the diagonal the other two change places. */
static const uint8_t inverse[SYMMETRY_COUNT] = {0, 1, 2, 3, 4, 6, 5, 7};

int key_square_out(const struct key *key, int square) {
    return key->size ? symmetry_turn(key->size, inverse[key->symmetry], square) : square;
}

int key_first_in(const struct key *key, int square) {
    int first = key_square_in(key, square);
    for (int symmetry = 0; key->size && symmetry < SYMMETRY_COUNT; symmetry++) {
        int image = key->all >> symmetry & 1 ? symmetry_turn(key->size, symmetry, square) : first;
        first = image < first ? image : first;
    }
    return first;
}

int key_first_out(const struct key *key, int square) {
    int first = key_square_out(key, square);
    for (int symmetry = 0; key->size && symmetry < SYMMETRY_COUNT; symmetry++) {
        int image = key->all >> symmetry & 1 ? symmetry_turn(key->size, inverse[symmetry], square) : first;
        first = image < first ? image : first;
    }
    return first;
}

bool key_line(const struct key *key, const char *line, size_t length, bool out, struct text *text) {
    size_t before = text->length;
    if (!key->size) {
        text_add(text, line, length);
        return true;
    }
    for (size_t at = 0; at < length;) {
        const char *comma = memchr(line + at, ',', length - at);
        size_t one = comma ? (size_t)(comma - line) - at : length - at;
        int square = gomoku_parse_square(key->size, line + at, one);
        if (square < 0) {
            text->length = before;
            if (text->data) {
                text->data[before] = '\0';
            }
            return false;
        }
        char name[8];
        gomoku_square_text(key->size, out ? key_square_out(key, square) : key_square_in(key, square), name);
        text_add_string(text, at ? "," : "");
        text_add_string(text, name);
        at += one + 1;
    }
    return true;
}
