#include "formats/swapmap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "games/gomoku/rules/gomoku.h"

/* The search's value counts as this many games, won with the chance that the value stands for. The scale is the one
 * that explains the 864 games of the shipped map best. */
#define VALUE_GAMES 16.0
#define VALUE_SCALE 100.0

static const char *const proof_words[] = {"", "owner", "other"};
static const char *const claim_words[] = {"", "owner?", "other?"};

int swapmap_estimate(const struct swapmap *map, int index) {
    ASSERT(index >= 0 && index < GOMOKU_SWAP_SQUARES);
    static const double weights[3] = {1, 0.25, 0.125}; /* by the steps to a neighbour: none, straight, slanting */
    int square = gomoku_swap_square(index);
    double games = 0;
    double points = 0;
    for (int i = 0; i < 9; i++) {
        int row = square / GOMOKU_SWAP_SIZE + i / 3 - 1;
        int column = square % GOMOKU_SWAP_SIZE + i % 3 - 1;
        if (row < 0 || column < 0) {
            continue; /* the eighth of the board lies at no other edge */
        }
        const struct swapmap_entry *entry = &map->entries[gomoku_swap_index(row * GOMOKU_SWAP_SIZE + column)];
        if (entry->known) {
            double weight = weights[(i / 3 != 1) + (i % 3 != 1)];
            double chance = 1 / (1 + exp(-(double)entry->value / VALUE_SCALE));
            games += weight * (VALUE_GAMES + entry->won + entry->drawn + entry->lost);
            points += weight * (VALUE_GAMES * chance + entry->won + 0.5 * entry->drawn);
        }
    }
    return games > 0 ? (int)lround(1000 * points / games) : 500;
}

int swapmap_share(const struct swapmap *map, int index) {
    ASSERT(index >= 0 && index < GOMOKU_SWAP_SQUARES);
    enum gomoku_swap_proof proof = map->entries[index].proof;
    return proof == GOMOKU_SWAP_OPEN ? swapmap_estimate(map, index) : proof == GOMOKU_SWAP_OWNER_WINS ? 1000 : 0;
}

/* Who is proved or claimed to win, where that stands behind the numbers. */
static enum status parse_proof(struct reader *reader, struct swapmap_entry *entry, struct error *error) {
    if (!reader_skip_blanks(reader)) {
        return STATUS_OK;
    }
    const char *word;
    size_t start = reader->cursor;
    size_t length = reader_word(reader, &word);
    for (int i = GOMOKU_SWAP_OWNER_WINS; i <= GOMOKU_SWAP_OTHER_WINS; i++) {
        bool proved = length == strlen(proof_words[i]) && memcmp(word, proof_words[i], length) == 0;
        bool claimed = length == strlen(claim_words[i]) && memcmp(word, claim_words[i], length) == 0;
        if (proved || claimed) {
            *(proved ? &entry->proof : &entry->claim) = (enum gomoku_swap_proof)i;
            return STATUS_OK;
        }
    }
    reader->cursor = start;
    return reader_expected(reader, "'owner', 'other', the same with '?' or the end of the line", error);
}

/* Reads one line of seven fields, and an eighth where it is proved who wins. */
static enum status parse_entry(struct reader *reader, struct swapmap *map, struct error *error) {
    const char *word;
    size_t start = reader->cursor;
    size_t length = reader_word(reader, &word);
    int square = gomoku_parse_square(GOMOKU_SWAP_SIZE, word, length);
    int index = square < 0 ? -1 : gomoku_swap_index(square);
    if (square < 0 || gomoku_swap_square(index) != square) {
        reader->cursor = start;
        return reader_expected(reader, "a square of the top left eighth, such as A1 or C5", error);
    }
    struct swapmap_entry *entry = &map->entries[index];
    if (entry->known) {
        reader->cursor = start;
        return reader_expected(reader, "every square once", error);
    }
    static const char *const names[6] = {"the value", "the depth",   "the nodes",
                                         "games won", "games drawn", "games lost"};
    int64_t fields[6];
    for (int i = 0; i < 6; i++) {
        int64_t least = i == 0 ? -GAME_WIN_VALUE : 0;
        int64_t most = i == 0 ? GAME_WIN_VALUE : i == 2 ? INT64_MAX / 2 : 1000000;
        enum status status = reader_integer(reader, least, most, names[i], &fields[i], error);
        if (status != STATUS_OK) {
            return status;
        }
    }
    *entry = (struct swapmap_entry){.known = true,
                                    .value = (int)fields[0],
                                    .depth = (int)fields[1],
                                    .nodes = (uint64_t)fields[2],
                                    .won = (int)fields[3],
                                    .drawn = (int)fields[4],
                                    .lost = (int)fields[5]};
    enum status status = parse_proof(reader, entry, error);
    return status == STATUS_OK ? reader_need_line_end(reader, "the end of the line", error) : status;
}

/* Keeps a comment without its mark and one blank, as much as there is room for. */
static void keep_comment(const struct reader *reader, struct swapmap *map) {
    size_t from = reader->cursor + 1;
    from += from < reader->length && reader->line[from] == ' ' ? 1 : 0;
    size_t count = reader->length - from;
    count = count < sizeof map->comment - 1 ? count : sizeof map->comment - 1;
    memcpy(map->comment, reader->line + from, count);
    map->comment[count] = '\0';
    count = strlen(map->comment); /* up to a zero byte, if there was one */
    map->comment[reader_trimmed(map->comment, count)] = '\0';
}

enum status swapmap_parse(const char *bytes, size_t length, struct swapmap *map, struct error *error) {
    struct reader reader;
    reader_init(&reader, bytes, length);
    memset(map, 0, sizeof *map);
    bool commented = false;
    while (reader_next_line(&reader)) {
        if (!reader_skip_blanks(&reader)) {
            continue;
        }
        if (reader.line[reader.cursor] == '#') {
            if (!commented) {
                keep_comment(&reader, map);
                commented = true;
            }
            continue;
        }
        enum status status = parse_entry(&reader, map, error);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

void swapmap_write(const struct swapmap *map, struct text *text) {
    text_addf(text, "# %s\n# square value depth nodes won drawn lost proved; all for the owner of the stone\n",
              map->comment);
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        const struct swapmap_entry *entry = &map->entries[i];
        if (entry->known) {
            char name[8];
            gomoku_square_text(GOMOKU_SWAP_SIZE, gomoku_swap_square(i), name);
            const char *word = entry->proof ? proof_words[entry->proof] : claim_words[entry->claim];
            text_addf(text, "%-3s %6d %3d %11llu %4d %4d %4d%s%s\n", name, entry->value, entry->depth,
                      (unsigned long long)entry->nodes, entry->won, entry->drawn, entry->lost, *word ? " " : "", word);
        }
    }
}

void swapmap_write_table(const struct swapmap *map, struct text *text) {
    text_addf(text,
              "/* Generated by `sortie swapmap --table`, do not edit.\n * %s */\n"
              "#include \"games/gomoku/rules/swap_table.h\"\n\n/* clang-format off */\n"
              "const uint16_t gomoku_swap_share[GOMOKU_SWAP_SQUARES] = {\n",
              map->comment);
    for (int inner = 0, i = 0; inner < 8; inner++) {
        text_add_string(text, "   ");
        for (int outer = 0; outer <= inner; outer++, i++) {
            text_addf(text, " %d,", swapmap_share(map, i));
        }
        text_add_char(text, '\n');
    }
    text_add_string(text, "};\n/* clang-format on */\n");
}

#define CELL 40
#define MARGIN 30

/* Red for the owner of the stone, blue for the other side, white for even. */
static void cell_colour(int share, char colour[8]) {
    double lean = (share - 500) / 500.0;
    double size = fmin(1, fabs(lean));
    int strong = 255 - (int)(40 * size);
    int weak = 255 - (int)(170 * sqrt(size));
    snprintf(colour, 8, "#%02x%02x%02x", lean > 0 ? strong : weak, weak, lean > 0 ? weak : strong);
}

/* One square: the estimate, in a ring where it is proved who wins, and the colour says who; in a broken one where that
 * is claimed. */
static void add_cell(const struct swapmap *map, int square, struct text *text) {
    int index = gomoku_swap_index(square);
    const struct swapmap_entry *entry = &map->entries[index];
    int x = MARGIN + square % GOMOKU_SWAP_SIZE * CELL;
    int y = MARGIN + square / GOMOKU_SWAP_SIZE * CELL;
    int share = swapmap_share(map, index);
    char colour[8];
    cell_colour(share, colour);
    text_addf(text, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"#c9c4b8\"/>\n", x, y, CELL,
              CELL, entry->known ? colour : "#eeeeee");
    if (entry->known && (entry->proof || entry->claim)) {
        text_addf(text,
                  "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"#ffffff\" stroke=\"#1b6b3a\" "
                  "stroke-width=\"2.5\"%s/>\n",
                  entry->proof ? "proved" : "claimed", x + CELL / 2, y + CELL / 2, CELL / 2 - 4,
                  entry->proof ? "" : " stroke-dasharray=\"3 4\"");
    }
    if (entry->known) {
        text_addf(text, "<text x=\"%d\" y=\"%d\" font-size=\"13\" fill=\"#26282c\"%s>%d</text>\n", x + CELL / 2,
                  y + CELL / 2 + 5, share > 500 ? " font-weight=\"bold\"" : "",
                  (swapmap_estimate(map, index) + 5) / 10);
    }
}

static void count_marks(const struct swapmap *map, int *proved, int *claimed) {
    *proved = *claimed = 0;
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        const struct swapmap_entry *entry = &map->entries[i];
        *proved += entry->known && entry->proof;
        *claimed += entry->known && !entry->proof && entry->claim;
    }
}

void swapmap_write_svg(const struct swapmap *map, struct text *text) {
    int side = 2 * MARGIN + GOMOKU_SWAP_SIZE * CELL;
    int proved;
    int claimed;
    count_marks(map, &proved, &claimed);
    text_addf(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
              "font-family=\"sans-serif\" text-anchor=\"middle\">\n"
              "<title>What the first stone is worth on each square, when the other side moves next</title>\n"
              "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
              side, side + 44, side, side + 44, side, side + 44);
    for (int i = 0; i < GOMOKU_SWAP_SIZE; i++) {
        int at = MARGIN + i * CELL + CELL / 2;
        text_addf(text, "<text x=\"%d\" y=\"%d\" font-size=\"14\" fill=\"#57534a\">%c</text>\n", at, MARGIN - 9,
                  'A' + i);
        text_addf(text, "<text x=\"%d\" y=\"%d\" font-size=\"14\" fill=\"#57534a\">%d</text>\n", MARGIN / 2, at + 5,
                  i + 1);
    }
    for (int square = 0; square < GOMOKU_SWAP_SIZE * GOMOKU_SWAP_SIZE; square++) {
        add_cell(map, square, text);
    }
    text_addf(text,
              "<text x=\"%d\" y=\"%d\" font-size=\"13\" fill=\"#26282c\">estimated chance of the stone's owner in "
              "percent; bold: the "
              "second player takes it over</text>\n"
              "<text x=\"%d\" y=\"%d\" font-size=\"13\" fill=\"#26282c\">ringed: proved who wins, the owner (red) or "
              "the other side (blue), for %d of the 36 squares; broken rings: claimed, for %d</text>\n</svg>\n",
              side / 2, side + 6, side / 2, side + 26, proved, claimed);
}
