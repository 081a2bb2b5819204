#include "formats/records/renlib.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"

#define HEAD_LENGTH 20
static const unsigned char head[HEAD_LENGTH] = {0xff, 'R',  'e',  'n',  'L',  'i',  'b',  0xff, 3,    4,
                                                0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
#define SAME_HEAD 8 /* bytes, before the version */
#define MIDDLE 0x78 /* the square every library of the first versions begins with, which have no head */

enum {
    FLAG_MORE = 0x80, /* another variation behind this one and all that follows it */
    FLAG_LAST = 0x40, /* no move follows */
    FLAG_OLD_REMARK = 0x20,
    FLAG_MARK = 0x10,
    FLAG_REMARK = 0x08,
    FLAG_NO_MOVE = 0x02,
    FLAG_LONG = 0x01,
    FLAG_BOARD_TEXT = 0x100,
    FLAGS_KEPT = 0xfffe04, /* they mean nothing here */
};

bool renlib_sniff(const char *bytes, size_t length) {
    return length >= SAME_HEAD && memcmp(bytes, head, SAME_HEAD) == 0;
}

/* -- reading -- */

struct lib {
    const unsigned char *bytes;
    size_t length;
    size_t at;
    struct gametrees *trees;
    struct gametree *tree;
    uint32_t *open; /* owned; the nodes that wait for another variation */
    size_t depth;
    size_t capacity;
    struct error *error;
};

static enum status lib_fault(const struct lib *lib, const char *expected) {
    return error_at(lib->error, 0, 0, "byte %zu: expected %s", lib->at + 1, expected);
}

static bool is_utf8(const char *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        size_t one = text_utf8_length(bytes + at, length - at);
        if (one == 0) {
            return false;
        }
        at += one;
    }
    return true;
}

/* Reads a text up to its zero, and the byte behind that where it is needed to make the length even. */
static enum status read_text(struct lib *lib, struct text *text) {
    const unsigned char *start = lib->bytes + lib->at;
    const unsigned char *zero = memchr(start, 0, lib->length - lib->at);
    if (!zero) {
        return lib_fault(lib, "a zero behind the text that begins here");
    }
    size_t length = (size_t)(zero - start);
    if (length + (length % 2 ? 1 : 2) > lib->length - lib->at) {
        return lib_fault(lib, "a text of an even number of bytes");
    }
    bool utf8 = is_utf8((const char *)start, length);
    lib->tree->latin = lib->tree->latin || !utf8;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = start[i] == '\b' ? '\n' : start[i]; /* between a remark's first line and the others */
        if (utf8 || c < 0x80) {
            text_add_char(text, (char)c);
        } else {
            text_addf(text, "%c%c", (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)));
        }
    }
    lib->at += length + (length % 2 ? 1 : 2);
    return STATUS_OK;
}

/* Reads a text of the first versions: the last character has its highest bit set, and the letters of Danish stand where
 * ASCII has brackets and the like. The length is made even behind it. */
static enum status read_old_text(struct lib *lib, struct text *text) {
    static const char *const danish[] = {"\xc3\x86", "\xc3\x98", "\xc3\x85", "\xc3\xa6", "\xc3\xb8", "\xc3\xa5"};
    static const char places[] = "[\\]{|}";
    size_t start = lib->at;
    for (unsigned char c = 0; !(c & 0x80); lib->at++) {
        if (lib->at == lib->length) {
            lib->at = start;
            return lib_fault(lib, "the end of the text that begins here");
        }
        c = lib->bytes[lib->at];
        const char *place = c & 0x7f ? strchr(places, c & 0x7f) : NULL;
        if (place) {
            text_add_string(text, danish[place - places]);
        } else if (c & 0x7f) {
            text_add_char(text, (c & 0x7f) == '\b' ? '\n' : (char)(c & 0x7f));
        }
    }
    if ((lib->at - start) % 2 && lib->at++ == lib->length) {
        lib->at = start;
        return lib_fault(lib, "a text of an even number of bytes");
    }
    return STATUS_OK;
}

static enum status read_remark(struct lib *lib, uint32_t node, bool old) {
    struct text text = TEXT_EMPTY;
    enum status status = old ? read_old_text(lib, &text) : read_text(lib, &text);
    if (status == STATUS_OK && text.length > 0 &&
        !gametree_put_text(lib->tree, node, "C", text_string(&text), text.length)) {
        status = gametrees_refuse(lib->trees, lib->error);
    }
    text_free(&text);
    return status;
}

/* A text on the board: at a node's own square, or on a square where no move stands. */
static enum status read_board_text(struct lib *lib, uint32_t node, int square) {
    struct text text = TEXT_EMPTY;
    if (square >= 0) {
        text_addf(&text, "%c%c:", 'a' + square % RENLIB_SIZE, 'a' + square / RENLIB_SIZE);
    }
    enum status status = read_text(lib, &text);
    if (status == STATUS_OK &&
        !gametree_put_text(lib->tree, node, square >= 0 ? "LB" : "C", text_string(&text), text.length)) {
        status = gametrees_refuse(lib->trees, lib->error);
    }
    text_free(&text);
    return status;
}

/* What a node has beside its move. */
static enum status read_rest(struct lib *lib, uint32_t node, unsigned flags) {
    enum status status = STATUS_OK;
    if (flags & FLAG_MARK && lib->tree->nodes[node].square >= 0 &&
        !gametree_put_point(lib->tree, node, "MA", lib->tree->nodes[node].square)) {
        return gametrees_refuse(lib->trees, lib->error);
    }
    if (flags & FLAGS_KEPT) {
        char kept[16];
        number_format(kept, sizeof kept, "%x", flags & FLAGS_KEPT);
        if (!gametree_put_text(lib->tree, node, "XRL", kept, strlen(kept))) {
            return gametrees_refuse(lib->trees, lib->error);
        }
    }
    if (flags & (FLAG_REMARK | FLAG_OLD_REMARK)) {
        status = read_remark(lib, node, !(flags & FLAG_REMARK));
    }
    return status == STATUS_OK && flags & FLAG_BOARD_TEXT ? read_board_text(lib, node, lib->tree->nodes[node].square)
                                                          : status;
}

/* The square of a place; -1 when it is none. */
static int square_of(unsigned place) {
    int column = (int)(place & 15) - 1;
    int row = (int)(place >> 4);
    return column < 0 || row >= RENLIB_SIZE ? -1 : row * RENLIB_SIZE + column;
}

/* Adds the node of a square below another. The first node of a file may be the empty board itself. */
static enum status add_node(struct lib *lib, uint32_t parent, unsigned place, unsigned flags, uint32_t *node) {
    if (place == 0 && lib->at == HEAD_LENGTH && lib->tree->node_count == 1) {
        *node = 0;
        return STATUS_OK;
    }
    if (place == 0 || flags & FLAG_NO_MOVE) {
        *node = gametree_add(lib->tree, parent);
    } else {
        int square = square_of(place);
        if (square < 0) {
            return lib_fault(lib, "a square of 15x15");
        }
        *node = gametree_add_move(lib->tree, parent, lib->tree->nodes[parent].turn, square);
    }
    if (*node == 0) {
        return gametrees_refuse(lib->trees, lib->error);
    }
    lib->tree->nodes[*node].column = (uint32_t)lib->at + 1;
    if (place == 0 && !(flags & FLAG_NO_MOVE)) { /* who passes leaves the next stone to the other side */
        lib->tree->nodes[*node].turn = lib->tree->nodes[parent].turn == 'B' ? 'W' : 'B';
    }
    return STATUS_OK;
}

/* Remembers a node whose next child comes later. */
static bool wait_for_more(struct lib *lib, uint32_t node) {
    if (lib->depth == lib->capacity) {
        size_t capacity = lib->capacity ? 2 * lib->capacity : 64;
        uint32_t *open = realloc(lib->open, capacity * sizeof *open);
        if (!open) {
            return false;
        }
        lib->open = open;
        lib->capacity = capacity;
    }
    lib->open[lib->depth++] = node;
    return true;
}

/* Whether a node is nothing but a text on a square of the position above it. */
static bool is_label(unsigned place, unsigned flags) {
    return flags & FLAG_NO_MOVE && flags & FLAG_LAST && flags & FLAG_BOARD_TEXT && square_of(place) >= 0 &&
           !(flags & (FLAG_REMARK | FLAG_OLD_REMARK | FLAG_MARK));
}

/* Reads one node below *parent, and makes *parent the node that the next one stands below; *end when there is none. */
static enum status read_node(struct lib *lib, uint32_t *parent, bool *end) {
    if (lib->length - lib->at < 2) {
        return lib_fault(lib, "another move, the file ends too early");
    }
    unsigned place = lib->bytes[lib->at];
    unsigned flags = lib->bytes[lib->at + 1];
    if (flags & FLAG_LONG) {
        if (lib->length - lib->at < 4) {
            return lib_fault(lib, "two bytes of flags");
        }
        flags |= (unsigned)lib->bytes[lib->at + 2] << 16 | (unsigned)lib->bytes[lib->at + 3] << 8;
    }
    uint32_t node = *parent;
    int width = flags & FLAG_LONG ? 4 : 2;
    enum status status;
    if (is_label(place, flags)) {
        lib->at += (size_t)width;
        status = read_board_text(lib, node, square_of(place));
    } else {
        status = add_node(lib, *parent, place, flags, &node);
        lib->at += (size_t)width;
        status = status == STATUS_OK ? read_rest(lib, node, flags) : status;
    }
    if (status == STATUS_OK && flags & FLAG_MORE && !wait_for_more(lib, *parent)) {
        return gametrees_refuse(lib->trees, lib->error);
    }
    if (status == STATUS_OK && flags & FLAG_LAST) {
        *end = lib->depth == 0;
        *parent = *end ? 0 : lib->open[--lib->depth];
    } else {
        *parent = node;
    }
    return status;
}

enum status renlib_read(struct gametrees *trees, const char *bytes, size_t length, struct error *error) {
    struct lib lib = {.bytes = (const unsigned char *)bytes, .length = length, .trees = trees, .error = error};
    bool headless = length > 0 && lib.bytes[0] == MIDDLE;
    if (!headless && (!renlib_sniff(bytes, length) || length < HEAD_LENGTH)) {
        return lib_fault(&lib, "the head of a RenLib library");
    }
    if (!headless && lib.bytes[SAME_HEAD] > head[SAME_HEAD]) {
        lib.at = SAME_HEAD;
        return lib_fault(&lib, "version 3 of RenLib");
    }
    lib.at = headless ? 0 : HEAD_LENGTH;
    lib.tree = gametrees_add(trees);
    if (!lib.tree) {
        return gametrees_refuse(trees, error);
    }
    enum status status = STATUS_OK;
    uint32_t parent = 0;
    bool end = length == HEAD_LENGTH;
    while (status == STATUS_OK && !end) {
        status = read_node(&lib, &parent, &end);
    }
    if (status == STATUS_OK && lib.at < length) {
        status = lib_fault(&lib, "the end of the library");
    }
    free(lib.open);
    if (status != STATUS_OK) {
        gametrees_free(trees);
    }
    return status;
}

/* -- writing -- */

/* The byte of a character of Latin-1 in UTF-8, *used bytes long; -1 when it is another. */
static int latin_byte(const char *bytes, size_t left, size_t *used) {
    unsigned char first = (unsigned char)bytes[0];
    *used = first < 0x80 ? 1 : 2;
    if (first < 0x80) {
        return first;
    }
    bool latin = (first == 0xc2 || first == 0xc3) && left >= 2 && ((unsigned char)bytes[1] & 0xc0) == 0x80;
    return latin ? (first & 3) << 6 | ((unsigned char)bytes[1] & 0x3f) : -1;
}

/* Appends the text as Latin-1 where a reader will know it for that: it has only such characters, and is no UTF-8. */
static void add_latin(struct text *text, const struct text *from) {
    struct text latin = TEXT_EMPTY;
    size_t used = 1;
    bool whole = true;
    for (size_t at = 0; at < from->length && whole; at += used) {
        int byte = latin_byte(from->data + at, from->length - at, &used);
        whole = byte >= 0;
        text_add_char(&latin, (char)byte);
    }
    const struct text *best = whole && !is_utf8(text_string(&latin), latin.length) ? &latin : from;
    text_add(text, text_string(best), best->length);
    text_spend(&latin, text);
}

/* A text, its zero, and one more where that makes it even. Zeros inside would end it. */
static void add_string(struct text *text, const struct text *string) {
    struct text bytes = TEXT_EMPTY;
    for (size_t i = 0; i < string->length; i++) {
        if (string->data[i]) {
            text_add_char(&bytes, string->data[i]);
        }
    }
    size_t before = text->length;
    add_latin(text, &bytes);
    text_add(text, "\0", (text->length - before) % 2 ? 1 : 2);
    text_spend(&bytes, text);
}

/* What a node has beside its move. */
struct rest {
    struct text remark;
    struct text label;
    struct text elsewhere; /* texts on other squares, each a node of its own as the file has them */
    size_t last;           /* where the last of these begins */
    unsigned flags;
};

static int place_of(int square) {
    return square / RENLIB_SIZE * 16 + square % RENLIB_SIZE + 1;
}

/* A text on the board, behind "hh:". On another square than the node's own it is a node that is no move. */
static void take_label(const struct gametree *tree, const struct gametree_node *node,
                       const struct gametree_property *property, struct rest *rest) {
    struct text text = TEXT_EMPTY;
    struct text label = TEXT_EMPTY;
    gametree_add_text(tree, property, &text);
    int square = text.length > 3 && text.data[2] == ':' ? gametree_point(tree->size, text.data, 2) : -1;
    text_add(&label, square >= 0 ? text.data + 3 : "", square >= 0 ? text.length - 3 : 0);
    if (square >= 0 && square == node->square && !(rest->flags & FLAG_BOARD_TEXT)) {
        text_add(&rest->label, text_string(&label), label.length);
        rest->flags |= FLAG_BOARD_TEXT;
    } else if (square >= 0 && square != node->square) {
        rest->last = rest->elsewhere.length;
        text_add_char(&rest->elsewhere, (char)place_of(square));
        text_add_char(&rest->elsewhere, (char)(FLAG_MORE | FLAG_LAST | FLAG_NO_MOVE | FLAG_LONG));
        text_add(&rest->elsewhere, "\0", 1);
        text_add_char(&rest->elsewhere, (char)(FLAG_BOARD_TEXT >> 8));
        add_string(&rest->elsewhere, &label);
    }
    text_spend(&label, &rest->elsewhere);
    text_spend(&text, &rest->label);
}

static unsigned kept_flags(const struct gametree *tree, const struct gametree_property *property) {
    unsigned flags = 0;
    const char *value = gametree_value(tree, property);
    for (size_t i = 0; i < property->length && i < 6; i++) {
        char c = value[i];
        unsigned digit = number_is_digit(c) ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 0;
        flags = flags << 4 | digit;
    }
    return flags & FLAGS_KEPT;
}

static void gather(const struct gametree *tree, uint32_t index, struct rest *rest) {
    const struct gametree_node *node = &tree->nodes[index];
    const struct gametree_property *property = gametree_first(tree, index);
    for (; property; property = gametree_next(tree, property)) {
        if (gametree_named(tree, property, "C")) {
            text_add_string(&rest->remark, rest->remark.length ? "\n" : "");
            gametree_add_text(tree, property, &rest->remark);
        } else if (gametree_named(tree, property, "LB")) {
            take_label(tree, node, property, rest);
        } else if (gametree_named(tree, property, "MA") && node->square >= 0 &&
                   gametree_point(tree->size, gametree_value(tree, property), property->length) == node->square) {
            rest->flags |= FLAG_MARK;
        } else if (gametree_named(tree, property, "XRL")) {
            rest->flags |= kept_flags(tree, property);
        }
    }
    rest->flags |= rest->remark.length ? FLAG_REMARK : 0;
    rest->flags |= rest->flags >> 8 ? FLAG_LONG : 0;
}

static void write_node(const struct gametree *tree, uint32_t index, struct text *text) {
    const struct gametree_node *node = &tree->nodes[index];
    struct rest rest = {0};
    gather(tree, index, &rest);
    rest.flags |= node->next ? FLAG_MORE : 0;
    rest.flags |= node->child || rest.elsewhere.length ? 0 : FLAG_LAST;
    rest.flags |= node->square < 0 && index > 0 ? FLAG_NO_MOVE : 0;
    text_add_char(text, (char)(node->square < 0 ? 0 : place_of(node->square)));
    text_add_char(text, (char)(rest.flags & 0xff));
    if (rest.flags & FLAG_LONG) {
        text_add_char(text, (char)(rest.flags >> 16));
        text_add_char(text, (char)(rest.flags >> 8 & 0xff));
    }
    if (rest.flags & FLAG_REMARK) {
        add_string(text, &rest.remark);
    }
    if (rest.flags & FLAG_BOARD_TEXT) {
        add_string(text, &rest.label);
    }
    if (rest.elsewhere.length && !node->child && !rest.elsewhere.broken) {
        rest.elsewhere.data[rest.last + 1] &= (char)~FLAG_MORE;
    }
    text_add(text, text_string(&rest.elsewhere), rest.elsewhere.length);
    text_spend(&rest.elsewhere, text);
    text_spend(&rest.remark, text);
    text_spend(&rest.label, text);
}

/* Whether a library can say this: stones in turn on squares of its board, and none that nobody played. `last` holds for
 * every node whose stone was the last on the way to it. */
static enum status check_node(const struct gametree *tree, uint32_t index, char *last, struct error *error) {
    const struct gametree_node *node = &tree->nodes[index];
    char before = index ? last[node->parent] : 0;
    last[index] = (char)(node->colour ? node->colour : before);
    if (gametree_find(tree, index, "AB") || gametree_find(tree, index, "AW") || gametree_find(tree, index, "AE")) {
        return error_at(error, 0, 0, "RenLib has no stones that are set up, only moves");
    }
    if (node->colour && (node->square < 0 || node->colour == before)) {
        return error_at(error, (int)node->line, (int)node->column, "expected stones of both colours in turn");
    }
    return STATUS_OK;
}

static enum status check_tree(const struct gametree *tree, struct error *error) {
    if (tree->size != RENLIB_SIZE) {
        return error_at(error, 0, 0, "RenLib has boards of 15x15 alone, this one is %dx%d", tree->size, tree->size);
    }
    char *last = calloc(tree->node_count, 1);
    enum status status = last ? STATUS_OK : error_machine(error, "out of memory");
    for (uint32_t i = 0; i < tree->node_count && status == STATUS_OK; i++) {
        status = check_node(tree, i, last, error);
    }
    free(last);
    return status;
}

enum status renlib_write(const struct gametree *tree, struct text *text, struct error *error) {
    enum status status = check_tree(tree, error);
    if (status != STATUS_OK) {
        return status;
    }
    text_add(text, (const char *)head, HEAD_LENGTH);
    if (tree->nodes[0].square >= 0) {
        text_add(text, "\0\0", 2); /* the empty board, before a first node that has a move already */
    }
    for (uint32_t index = 0;;) {
        write_node(tree, index, text);
        uint32_t following = tree->nodes[index].child;
        while (!following && index) {
            following = tree->nodes[index].next;
            index = tree->nodes[index].parent;
        }
        if (!following) {
            return STATUS_OK;
        }
        index = following;
    }
}
