#include "formats/records/sgf.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/number.h"

#define MOST_NESTED 10000 /* variations in one another; a game has 484 moves at most */
#define ROW_STEP 32       /* between rows, as long as the board's size is not known */

struct sgf {
    const char *bytes;
    size_t length;
    size_t at;
    size_t seen; /* up to here lines are counted */
    size_t line_start;
    uint32_t line;
    struct gametrees *trees;
    struct gametree *tree; /* the game under way */
    uint32_t node;
    bool sized;
    uint32_t *open; /* owned; the nodes that open variations branch from */
    int depth;
    struct error *error;
};

/* Counts lines up to a place of the text. */
static void locate(struct sgf *sgf, size_t at, uint32_t *line, uint32_t *column) {
    for (; sgf->seen < at && sgf->seen < sgf->length; sgf->seen++) {
        if (sgf->bytes[sgf->seen] == '\n') {
            sgf->line++;
            sgf->line_start = sgf->seen + 1;
        }
    }
    *line = sgf->line;
    *column = (uint32_t)(at - sgf->line_start) + 1;
}

static bool fault(struct sgf *sgf, size_t at, const char *expected) {
    uint32_t line;
    uint32_t column;
    locate(sgf, at, &line, &column);
    error_fill(sgf->error, (int)line, (int)column, "expected %s", expected);
    return false;
}

/* The next byte that is not blank, or 0 at the end. */
static char look(struct sgf *sgf) {
    while (sgf->at < sgf->length && number_is_space(sgf->bytes[sgf->at])) {
        sgf->at++;
    }
    return sgf->at < sgf->length ? sgf->bytes[sgf->at] : '\0';
}

static bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* A value between brackets, and where it stands. */
struct value {
    const char *bytes;
    size_t length;
    size_t at;
};

static bool read_value(struct sgf *sgf, struct value *value) {
    size_t start = ++sgf->at;
    while (sgf->at < sgf->length && sgf->bytes[sgf->at] != ']') {
        sgf->at += sgf->bytes[sgf->at] == '\\' ? 2 : 1;
    }
    if (sgf->at >= sgf->length) {
        return fault(sgf, start, "a ']' behind this value");
    }
    *value = (struct value){.bytes = sgf->bytes + start, .length = sgf->at - start, .at = start};
    sgf->at++;
    return true;
}

/* -- what properties mean -- */

static struct value trim(struct value value) {
    while (value.length > 0 && number_is_space(value.bytes[0])) {
        value.bytes++;
        value.length--;
    }
    while (value.length > 0 && number_is_space(value.bytes[value.length - 1])) {
        value.length--;
    }
    return value;
}

/* Digits alone; -1 when there are others, or too many. */
static int whole_number(const char *bytes, size_t length) {
    int number = length > 0 && length <= 4 ? 0 : -1;
    for (size_t i = 0; i < length && number >= 0; i++) {
        number = number_is_digit(bytes[i]) ? number * 10 + (bytes[i] - '0') : -1;
    }
    return number;
}

/* Whether a text is the word, capitals, blanks and hyphens aside. */
static bool means(const char *text, size_t length, const char *word) {
    for (size_t i = 0; i < length; i++) {
        char c = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] | 0x20 : text[i]);
        if (c == ' ' || c == '-' || c == '_') {
            continue;
        }
        if (*word == '\0' || *word != c) {
            return false;
        }
        word++;
    }
    return *word == '\0';
}

int sgf_rules(const char *text, size_t length) {
    static const char *const names[GOMOKU_VARIANTS][12] = {
        {"freestyle", "free", "gomoku", "freestylegomoku", "fiveormore", "0", NULL},
        {"exact", "exact5", "exactfive", "exactlyfive", "standard", "standardgomoku", "gomokustandard", "1", NULL},
        {"renju", "rif", "renjurule", "4", NULL},
        {"caro", "gomoku+", "8", NULL},
    };
    size_t first = 0; /* "five or more; the second player may ...": what stands behind is about the opening */
    while (first < length && text[first] != ';' && text[first] != ',') {
        first++;
    }
    for (int variant = 0; variant < GOMOKU_VARIANTS; variant++) {
        for (int i = 0; names[variant][i]; i++) {
            if (means(text, first, names[variant][i])) {
                return variant;
            }
        }
    }
    return GAMETREE_RULES_STRANGE;
}

/* "15", or "15:15" as boards that are no squares have it. */
static bool take_size(struct sgf *sgf, struct value value) {
    const char *colon = value.length ? memchr(value.bytes, ':', value.length) : NULL;
    size_t first = colon ? (size_t)(colon - value.bytes) : value.length;
    int size = whole_number(value.bytes, first);
    if (colon && whole_number(colon + 1, value.length - first - 1) != size) {
        return fault(sgf, value.at, "a square board");
    }
    if (size < GOMOKU_LEAST_SIZE || size > GOMOKU_MOST_SIZE) {
        char expected[48];
        number_format(expected, sizeof expected, "a board size of %d to %d", GOMOKU_LEAST_SIZE, GOMOKU_MOST_SIZE);
        return fault(sgf, value.at, expected);
    }
    if (sgf->node != 0 && (!sgf->sized || size != sgf->tree->size)) {
        return fault(sgf, value.at, "the size before any stone");
    }
    sgf->tree->size = size;
    sgf->sized = true;
    return true;
}

static void take_rules(struct sgf *sgf, struct value value) {
    if (value.length > 0) {
        sgf->tree->rules = sgf_rules(value.bytes, value.length);
        locate(sgf, value.at, &sgf->tree->rules_line, &sgf->tree->rules_column);
    }
}

static bool no_room(struct sgf *sgf) {
    if (gametrees_refuse(sgf->trees, sgf->error) == STATUS_FAIL && sgf->error) {
        sgf->error->line = -1; /* told apart below: the machine's fault, not the file's */
    }
    return false;
}

static bool keep(struct sgf *sgf, const char *name, size_t name_length, struct value value) {
    if (!gametree_put(sgf->tree, sgf->node, name, name_length, value.bytes, value.length)) {
        return no_room(sgf);
    }
    struct gametree_property *property = &sgf->tree->properties[sgf->tree->property_count - 1];
    locate(sgf, value.at, &property->line, &property->column);
    return true;
}

/* A node has one move: a second one makes a node of its own. What is no square stays a property too. */
static bool take_move(struct sgf *sgf, char colour, struct value value) {
    if (sgf->tree->nodes[sgf->node].colour) {
        uint32_t node = gametree_add(sgf->tree, sgf->node);
        if (!node) {
            return no_room(sgf);
        }
        sgf->node = node;
    }
    struct gametree_node *node = &sgf->tree->nodes[sgf->node];
    struct value point = trim(value);
    bool letters = point.length == 2 && is_letter(point.bytes[0]) && is_letter(point.bytes[1]);
    node->colour = colour;
    node->turn = colour == 'B' ? 'W' : 'B';
    locate(sgf, value.at, &node->line, &node->column);
    node->square = GAMETREE_BAD_SQUARE;
    if (letters) {
        node->square = (int16_t)(((point.bytes[1] | 0x20) - 'a') * ROW_STEP + ((point.bytes[0] | 0x20) - 'a'));
        return true;
    }
    return keep(sgf, &colour, 1, value);
}

static bool name_is(const char *name, size_t length, const char *word) {
    return strlen(word) == length && memcmp(name, word, length) == 0;
}

static bool take_property(struct sgf *sgf, const char *name, size_t length, struct value value) {
    struct value short_value = trim(value);
    if (name_is(name, length, "GM") && !name_is(short_value.bytes, short_value.length, "4")) {
        return fault(sgf, value.at, "game 4, Gomoku");
    }
    if (name_is(name, length, "SZ")) {
        return take_size(sgf, short_value);
    }
    if (name_is(name, length, "RU") && sgf->node == 0) {
        take_rules(sgf, short_value);
    }
    if (name_is(name, length, "B") || name_is(name, length, "W")) {
        return take_move(sgf, name[0], value);
    }
    return keep(sgf, name, length, value);
}

/* -- the text -- */

/* A property's name: its capitals, since older versions wrote "AddBlack" for AB. */
static size_t read_name(struct sgf *sgf, char name[32]) {
    size_t length = 0;
    size_t letters = 0;
    for (; sgf->at < sgf->length && is_letter(sgf->bytes[sgf->at]); sgf->at++, letters++) {
        char c = sgf->bytes[sgf->at];
        if (c >= 'A' && c <= 'Z' && length < 31) {
            name[length++] = c;
        }
    }
    return letters < 64 ? length : 0;
}

/* Reads the properties of one node, behind its ';'. */
static bool read_node(struct sgf *sgf) {
    while (is_letter(look(sgf))) {
        char name[32];
        size_t start = sgf->at;
        size_t length = read_name(sgf, name);
        if (length == 0) {
            return fault(sgf, start, "a property's name in capital letters");
        }
        if (look(sgf) != '[') {
            return fault(sgf, sgf->at, "a '[' behind the property's name");
        }
        while (look(sgf) == '[') {
            struct value value = {0};
            if (!read_value(sgf, &value) || !take_property(sgf, name, length, value)) {
                return false;
            }
        }
    }
    return true;
}

/* The squares of the moves, now that the board's size is known. */
static bool settle_squares(struct sgf *sgf) {
    struct gametree *tree = sgf->tree;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct gametree_node *node = &tree->nodes[i];
        if (node->square < 0) {
            continue;
        }
        int column = node->square % ROW_STEP;
        int row = node->square / ROW_STEP;
        node->square = (int16_t)(row * tree->size + column);
        if (column >= tree->size || row >= tree->size) {
            char point[2] = {(char)('a' + column), (char)('a' + row)};
            node->square = GAMETREE_BAD_SQUARE;
            if (!gametree_put(tree, i, &node->colour, 1, point, sizeof point)) {
                return no_room(sgf);
            }
        }
    }
    return true;
}

/* One of ';', '(' and ')' inside a game. */
static bool read_step(struct sgf *sgf, char c) {
    sgf->at++;
    if (c == '(') {
        if (sgf->depth == MOST_NESTED) {
            return fault(sgf, sgf->at - 1, "at most 10000 variations in one another");
        }
        sgf->open[sgf->depth++] = sgf->node;
        return true;
    }
    if (c == ')') {
        sgf->node = sgf->open[--sgf->depth];
        return true;
    }
    uint32_t node = gametree_add(sgf->tree, sgf->node);
    if (!node) {
        return no_room(sgf);
    }
    sgf->node = node;
    return read_node(sgf);
}

/* Reads one game; its '(' is next. */
static bool read_game(struct sgf *sgf) {
    sgf->tree = gametrees_add(sgf->trees);
    if (!sgf->tree) {
        return no_room(sgf);
    }
    sgf->tree->plain = true;
    sgf->node = 0;
    sgf->sized = false;
    sgf->depth = 1;
    sgf->open[0] = 0;
    sgf->at++;
    if (look(sgf) != ';') {
        return fault(sgf, sgf->at, "a ';' that begins a node");
    }
    sgf->at++;
    if (!read_node(sgf)) {
        return false;
    }
    while (sgf->depth > 0) {
        char c = look(sgf);
        if (c != ';' && c != '(' && c != ')') {
            return fault(sgf, sgf->at, "a node, a variation or ')'");
        }
        if (!read_step(sgf, c)) {
            return false;
        }
    }
    return settle_squares(sgf);
}

enum status sgf_read_all(struct gametrees *trees, const char *bytes, size_t length, struct error *error) {
    ASSERT(bytes || length == 0);
    struct error own = {0};
    struct sgf sgf = {.bytes = bytes, .length = length, .line = 1, .trees = trees, .error = error ? error : &own};
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        sgf.at = sgf.seen = sgf.line_start = 3;
    }
    sgf.open = malloc(MOST_NESTED * sizeof *sgf.open);
    bool good = sgf.open || no_room(&sgf);
    do {
        if (good && look(&sgf) != '(') {
            good = fault(&sgf, sgf.at, trees->count ? "another game or the end" : "a '(' that begins the game");
        }
        good = good && read_game(&sgf);
    } while (good && look(&sgf) != '\0');
    free(sgf.open);
    if (!good) {
        gametrees_free(trees);
        bool machine = sgf.error->line < 0;
        sgf.error->line = machine ? 0 : sgf.error->line;
        return machine ? STATUS_FAIL : STATUS_BAD_INPUT;
    }
    return STATUS_OK;
}

enum status sgf_read(struct gomoku_position *position, const char *bytes, size_t length, struct error *error) {
    struct gametrees trees = {0};
    enum status status = sgf_read_all(&trees, bytes, length, error);
    if (status == STATUS_OK) {
        status = gametree_position(&trees.items[0], GOMOKU_FREESTYLE, position, error);
    }
    gametrees_free(&trees);
    return status;
}

bool sgf_sniff(const char *bytes, size_t length) {
    size_t at = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < length && number_is_space(bytes[at])) {
        at++;
    }
    return at < length && bytes[at] == '(';
}
