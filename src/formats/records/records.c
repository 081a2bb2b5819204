#include "formats/records/records.h"

#include <string.h>

#include "formats/records/moves.h"
#include "formats/records/psq.h"
#include "formats/records/renlib.h"
#include "formats/records/sgf.h"

static enum status read_sgf(struct gametrees *trees, const char *bytes, size_t length, int size, struct error *error) {
    (void)size;
    return sgf_read_all(trees, bytes, length, error);
}

static enum status write_sgf(const struct gametree *tree, int usual, struct text *text, struct error *error) {
    (void)usual, (void)error;
    sgf_write_tree(tree, text);
    return STATUS_OK;
}

static enum status read_psq(struct gametrees *trees, const char *bytes, size_t length, int size, struct error *error) {
    (void)size;
    return psq_read(trees, bytes, length, error);
}

static enum status write_psq(const struct gametree *tree, int usual, struct text *text, struct error *error) {
    struct gomoku_position position;
    enum status status = gametree_position(tree, usual, &position, error);
    if (status == STATUS_OK) {
        psq_write(tree, &position, text);
    }
    return status;
}

/* A line of squares: one with none would be no line. */
static enum status write_line(const struct gametree *tree, int usual,
                              void (*write)(const struct gomoku_position *position, struct text *text),
                              struct text *text, struct error *error) {
    struct gomoku_position position;
    enum status status = gametree_position(tree, usual, &position, error);
    if (status == STATUS_OK && position.count == 0) {
        return error_at(error, 0, 0, "expected a game with a stone, an empty board is no line of squares");
    }
    if (status == STATUS_OK) {
        write(&position, text);
    }
    return status;
}

static enum status write_pos(const struct gametree *tree, int usual, struct text *text, struct error *error) {
    return write_line(tree, usual, pos_write, text, error);
}

static enum status write_offset(const struct gametree *tree, int usual, struct text *text, struct error *error) {
    return write_line(tree, usual, offset_write, text, error);
}

static enum status read_lib(struct gametrees *trees, const char *bytes, size_t length, int size, struct error *error) {
    (void)size;
    return renlib_read(trees, bytes, length, error);
}

static enum status write_lib(const struct gametree *tree, int usual, struct text *text, struct error *error) {
    (void)usual;
    return renlib_write(tree, text, error);
}

static const struct record_format sgf = {
    .name = "sgf", .title = "SGF", .holds = ~0u, .sniff = sgf_sniff, .read = read_sgf, .write = write_sgf};
static const struct record_format psq = {
    .name = "psq",
    .title = "Piskvork file",
    .holds = GAMETREE_TIMES | GAMETREE_NAMES | GAMETREE_SIZE,
    .sniff = psq_sniff,
    .read = read_psq,
    .write = write_psq,
};
static const struct record_format lib = {
    .name = "lib",
    .title = "RenLib library",
    .holds = GAMETREE_VARIATIONS | GAMETREE_COMMENTS,
    .sniff = renlib_sniff,
    .read = read_lib,
    .write = write_lib,
};
static const struct record_format pos = {
    .name = "pos",
    .title = "text of moves",
    .holds = GAMETREE_SEVERAL,
    .sizeless = true,
    .sniff = pos_sniff,
    .read = pos_read,
    .write = write_pos,
};
static const struct record_format offset = {
    .name = "offset",
    .title = "text of opening offsets",
    .holds = GAMETREE_SEVERAL,
    .sizeless = true,
    .sniff = offset_sniff,
    .read = offset_read,
    .write = write_offset,
};

static const struct record_format *const formats[] = {&sgf, &psq, &lib, &pos, &offset, NULL};

const struct record_format *const *record_formats(void) {
    return formats;
}

const struct record_format *record_format_find(const char *name) {
    for (int i = 0; formats[i]; i++) {
        if (strcmp(formats[i]->name, name) == 0) {
            return formats[i];
        }
    }
    return NULL;
}

const struct record_format *record_format_look(const char *bytes, size_t length) {
    for (int i = 0; formats[i]; i++) {
        if (formats[i]->sniff(bytes, length)) {
            return formats[i];
        }
    }
    return NULL;
}

void record_add_losses(struct text *text, unsigned lost) {
    static const struct {
        unsigned bit;
        const char *words;
    } kinds[] = {
        {GAMETREE_VARIATIONS, "variations"},
        {GAMETREE_COMMENTS, "comments"},
        {GAMETREE_TIMES, "times"},
        {GAMETREE_NAMES, "names of players"},
        {GAMETREE_SETUP, "which stones were set up"},
        {GAMETREE_RULES, "rules"},
        {GAMETREE_SIZE, "size of the board"},
        {GAMETREE_OTHERS, "other properties"},
    };
    bool some = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (lost & kinds[i].bit) {
            text_addf(text, "%s%s", some ? ", " : "", kinds[i].words);
            some = true;
        }
    }
}
