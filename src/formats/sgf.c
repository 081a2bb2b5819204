#include "formats/sgf.h"

#include <string.h>

#include "base/assert.h"

struct sgf {
    const char *bytes;
    size_t length;
    size_t at;
    int size;
    int variant;
    int first_colour; /* 'B' or 'W' once someone has moved; 0 before */
    bool moved;
    uint8_t setup[GOMOKU_MOST_SQUARES]; /* 'B' or 'W' */
    bool has_setup;
    struct gomoku_position *position;
};

/* The line and column of a place in the text. */
static enum status fault(const struct sgf *sgf, size_t at, const char *expected, struct error *error) {
    int line = 1;
    int column = 1;
    for (size_t i = 0; i < at && i < sgf->length; i++) {
        column = sgf->bytes[i] == '\n' ? 1 : column + 1;
        line += sgf->bytes[i] == '\n';
    }
    return error_at(error, line, column, "expected %s", expected);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* The next byte that is not blank, or 0 at the end. */
static char look(struct sgf *sgf) {
    while (sgf->at < sgf->length && is_blank(sgf->bytes[sgf->at])) {
        sgf->at++;
    }
    return sgf->at < sgf->length ? sgf->bytes[sgf->at] : '\0';
}

/* Reads "[...]": *value points at what stands inside, escapes and all. */
static enum status read_value(struct sgf *sgf, const char **value, size_t *length, struct error *error) {
    size_t start = ++sgf->at;
    while (sgf->at < sgf->length && sgf->bytes[sgf->at] != ']') {
        sgf->at += sgf->bytes[sgf->at] == '\\' ? 2 : 1;
    }
    if (sgf->at >= sgf->length) {
        return fault(sgf, start, "a ']' behind this value", error);
    }
    *value = sgf->bytes + start;
    *length = sgf->at - start;
    sgf->at++;
    return STATUS_OK;
}

static int parse_point(const struct sgf *sgf, const char *value, size_t length) {
    int column = length == 2 ? value[0] - 'a' : -1;
    int row = length == 2 ? value[1] - 'a' : -1;
    return column >= 0 && column < sgf->size && row >= 0 && row < sgf->size ? row * sgf->size + column : -1;
}

static enum status take_size(struct sgf *sgf, const char *value, size_t length, struct error *error) {
    int size = 0;
    for (size_t i = 0; i < length && size < 100; i++) {
        size = value[i] >= '0' && value[i] <= '9' ? size * 10 + (value[i] - '0') : 100;
    }
    if (size < GOMOKU_LEAST_SIZE || size > GOMOKU_MOST_SIZE || sgf->moved || sgf->has_setup) {
        return fault(sgf, (size_t)(value - sgf->bytes),
                     sgf->moved || sgf->has_setup ? "the size before any stone" : "a board size of 5 to 22", error);
    }
    sgf->size = size;
    return STATUS_OK;
}

static enum status take_setup(struct sgf *sgf, char colour, const char *value, size_t length, struct error *error) {
    int square = parse_point(sgf, value, length);
    if (square < 0 || sgf->setup[square] || sgf->moved) {
        return fault(sgf, (size_t)(value - sgf->bytes),
                     sgf->moved ? "set-up stones only before the first move" : "an empty square of two letters", error);
    }
    sgf->setup[square] = (uint8_t)colour;
    sgf->has_setup = true;
    return STATUS_OK;
}

/* Turns the set-up into a position, once it is known who moves next: that side has as many stones as the other
 * when it is X, and one less when it is O. */
static enum status place_setup(struct sgf *sgf, int next_colour, struct error *error) {
    int count[2] = {0, 0};
    for (int i = 0; i < sgf->size * sgf->size; i++) {
        count[0] += sgf->setup[i] == 'B';
        count[1] += sgf->setup[i] == 'W';
    }
    int first = count[0] > count[1] ? 'B' : count[1] > count[0] ? 'W' : next_colour ? next_colour : 'B';
    uint8_t board[GOMOKU_MOST_SQUARES] = {0};
    for (int i = 0; i < sgf->size * sgf->size; i++) {
        board[i] = sgf->setup[i] == 0 ? GOMOKU_EMPTY : sgf->setup[i] == first ? GOMOKU_X : GOMOKU_O;
    }
    sgf->first_colour = first;
    sgf->moved = true;
    return gomoku_set_board(sgf->position, sgf->size, sgf->variant, board, error);
}

static enum status take_move(struct sgf *sgf, char colour, const char *value, size_t length, struct error *error) {
    size_t at = (size_t)(value - sgf->bytes);
    if (!sgf->moved) {
        enum status status = place_setup(sgf, colour, error);
        if (status != STATUS_OK) {
            return status;
        }
    }
    int side = colour == sgf->first_colour ? 0 : 1;
    int square = parse_point(sgf, value, length);
    if (side != (sgf->position->count & 1)) {
        return fault(sgf, at, "the other colour to move", error);
    }
    if (square < 0) {
        return fault(sgf, at, "a square of two letters on the board", error);
    }
    if (!gomoku_game.legal((const struct game_position *)sgf->position, (game_move)square)) {
        return fault(sgf, at, "an empty square in a game that is not over", error);
    }
    gomoku_put(sgf->position, square);
    return STATUS_OK;
}

static bool name_is(const char *name, size_t length, const char *word) {
    return strlen(word) == length && memcmp(name, word, length) == 0;
}

static enum status take_property(struct sgf *sgf, const char *name, size_t name_length, const char *value,
                                 size_t length, struct error *error) {
    if (name_is(name, name_length, "GM") && !(length == 1 && value[0] == '4')) {
        return fault(sgf, (size_t)(value - sgf->bytes), "game 4, Gomoku", error);
    }
    if (name_is(name, name_length, "SZ")) {
        return take_size(sgf, value, length, error);
    }
    if (name_is(name, name_length, "RU") && !sgf->moved) {
        sgf->variant = length >= 5 && memcmp(value, "exact", 5) == 0 ? GOMOKU_EXACT : GOMOKU_FREESTYLE;
    }
    if (name_is(name, name_length, "AB") || name_is(name, name_length, "AW")) {
        return take_setup(sgf, name[1], value, length, error);
    }
    if (name_is(name, name_length, "B") || name_is(name, name_length, "W")) {
        return take_move(sgf, name[0], value, length, error);
    }
    return STATUS_OK;
}

/* Reads the properties of one node, behind its ';'. */
static enum status read_node(struct sgf *sgf, struct error *error) {
    while (look(sgf) >= 'A' && look(sgf) <= 'Z') {
        const char *name = sgf->bytes + sgf->at;
        size_t name_length = 0;
        while (sgf->at < sgf->length && sgf->bytes[sgf->at] >= 'A' && sgf->bytes[sgf->at] <= 'Z') {
            sgf->at++;
            name_length++;
        }
        if (look(sgf) != '[') {
            return fault(sgf, sgf->at, "a '[' behind the property's name", error);
        }
        while (look(sgf) == '[') {
            const char *value = NULL;
            size_t length = 0;
            enum status status = read_value(sgf, &value, &length, error);
            if (status == STATUS_OK) {
                status = take_property(sgf, name, name_length, value, length, error);
            }
            if (status != STATUS_OK) {
                return status;
            }
        }
    }
    return STATUS_OK;
}

/* Follows the first branch down; what stands behind it is not looked at. */
enum status sgf_read(struct gomoku_position *position, const char *bytes, size_t length, struct error *error) {
    struct sgf sgf = {.bytes = bytes, .length = length, .size = 15, .position = position};
    if (look(&sgf) != '(') {
        return fault(&sgf, sgf.at, "a '(' that begins the game", error);
    }
    sgf.at++;
    if (look(&sgf) != ';') {
        return fault(&sgf, sgf.at, "a ';' that begins a node", error);
    }
    for (;;) {
        char c = look(&sgf);
        if (c == ')') {
            break;
        }
        if (c != ';' && c != '(') {
            return fault(&sgf, sgf.at, "a node, a variation or ')'", error);
        }
        sgf.at++;
        enum status status = c == ';' ? read_node(&sgf, error) : STATUS_OK;
        if (status != STATUS_OK) {
            return status;
        }
    }
    return sgf.moved ? STATUS_OK : place_setup(&sgf, 0, error);
}

void sgf_begin(struct text *text, int size) {
    ASSERT(size >= GOMOKU_LEAST_SIZE && size <= GOMOKU_MOST_SIZE);
    text_addf(text, "(;FF[4]GM[4]CA[UTF-8]AP[sortie:" SORTIE_VERSION "]SZ[%d]", size);
}

void sgf_property(struct text *text, const char *name, const char *value) {
    ASSERT(name && value);
    text_addf(text, "%s[", name);
    for (; *value; value++) {
        if (*value == ']' || *value == '\\') {
            text_add_char(text, '\\');
        }
        text_add_char(text, *value);
    }
    text_add_char(text, ']');
}

void sgf_point(struct text *text, int size, int square) {
    ASSERT(square >= 0 && square < size * size);
    text_addf(text, "[%c%c]", 'a' + square % size, 'a' + square / size);
}

void sgf_write(const struct gomoku_position *position, struct text *text) {
    sgf_begin(text, position->size);
    sgf_property(text, "RU", position->variant == GOMOKU_EXACT ? "exact" : "freestyle");
    text_add_char(text, '\n');
    for (int side = 0; side < 2 && position->setup > side; side++) {
        text_add_string(text, side == 0 ? "AB" : "AW");
        for (int i = side; i < position->setup; i += 2) {
            sgf_point(text, position->size, position->order[i]);
        }
        text_add_char(text, '\n');
    }
    for (int i = position->setup; i < position->count; i++) {
        text_add_string(text, i & 1 ? ";W" : ";B");
        sgf_point(text, position->size, position->order[i]);
        if ((i - position->setup) % 10 == 9) {
            text_add_char(text, '\n');
        }
    }
    text_add_string(text, ")\n");
}

/* -- as a format of files -- */

static bool sgf_sniff(const char *bytes, size_t length) {
    size_t at = 0;
    while (at < length && is_blank(bytes[at])) {
        at++;
    }
    return at < length && bytes[at] == '(';
}

static enum status sgf_parse(const char *bytes, size_t length, struct course_request *request, struct error *error) {
    enum status status = sgf_read((struct gomoku_position *)request->position, bytes, length, error);
    request->players[0].method = SEARCH_ENGINE;
    request->players[0].wall_seconds = 10;
    if (status == STATUS_OK) {
        request->players[0].side = request->game->to_move(request->position);
    }
    return status;
}

/* The move on the first line, then the game with it. */
static void sgf_answer(const struct game *game, const struct game_position *before, game_move move,
                       const struct game_position *after, struct text *text) {
    char move_text[32];
    game->move_text(before, move, move_text);
    text_addf(text, "%s\n", move_text);
    sgf_write((const struct gomoku_position *)after, text);
}

const struct course_format sgf_format = {
    .name = "sgf",
    .title = "SGF game of Gomoku",
    .game = &gomoku_game,
    .variant = -1,
    .answer_file = "output.txt",
    .sniff = sgf_sniff,
    .parse = sgf_parse,
    .answer = sgf_answer,
};
