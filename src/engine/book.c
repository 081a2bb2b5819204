#include "engine/book.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/rng.h"
#include "base/text.h"

#define MOST_BYTES ((size_t)256 << 20)
#define MOST_SIZE 15
#define MOST_SQUARES (MOST_SIZE * MOST_SIZE)
#define DIGEST_BYTES 8

/* The codes of a node, behind the squares. */
enum { CODE_WON, CODE_FORCED, CODE_COVER, CODE_PAIRING, CODE_REFER, CODE_NAME };

/* One certificate being read. */
struct walk {
    struct book *book;
    const uint8_t *bytes;
    size_t length;
    size_t at;
    int size;
    int squares;
    int hero;
    int to_move;
    uint8_t board[MOST_SQUARES];
    uint16_t *name_plies; /* owned; of the named nodes in the order of their numbers */
    size_t names;
    size_t name_room;
    bool inside_default; /* moves there answer a stone that is not on the board */
    bool failed;
};

/* -- keys -- */

/* Where one of the eight symmetries takes a square. */
static int turn(int size, int symmetry, int square) {
    int row = square / size;
    int column = square % size;
    int down = symmetry & 1 ? size - 1 - row : row;
    int right = symmetry & 2 ? size - 1 - column : column;
    return symmetry & 4 ? right * size + down : down * size + right;
}

/* The same for all symmetries of a position; *symmetry leads to the one whose moves the book has. */
static uint64_t position_key(const uint8_t *board, int size, int side, int *symmetry) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 8; i++) {
        uint64_t key = rng_mix((uint64_t)size << 1 | (uint64_t)side);
        for (int square = 0; square < size * size; square++) {
            if (board[square] != GOMOKU_EMPTY) {
                key ^= rng_mix((uint64_t)(turn(size, i, square) * 4 + board[square]) << 8);
            }
        }
        if (key < least) {
            least = key;
            *symmetry = i;
        }
    }
    return least;
}

static void add_entry(struct walk *walk, int move, int plies) {
    struct book *book = walk->book;
    if (book->count == book->room) {
        size_t room = book->room ? 2 * book->room : 1024;
        struct book_entry *entries = realloc(book->entries, room * sizeof *entries);
        if (!entries) {
            walk->failed = true;
            return;
        }
        book->entries = entries;
        book->room = room;
    }
    int symmetry;
    uint64_t key = position_key(walk->board, walk->size, walk->hero, &symmetry);
    book->entries[book->count++] =
        (struct book_entry){.key = key, .move = (uint16_t)turn(walk->size, symmetry, move), .plies = (uint16_t)plies};
}

/* -- reading -- */

static int next_byte(struct walk *walk) {
    if (walk->at >= walk->length) {
        walk->failed = true;
        return 0;
    }
    return walk->bytes[walk->at++];
}

static size_t next_number(struct walk *walk) {
    size_t number = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        int byte = next_byte(walk);
        number |= (size_t)(byte & 127) << shift;
        if (byte < 128) {
            return number;
        }
    }
    walk->failed = true;
    return 0;
}

/* Whether a stone of this colour on the square stands, or would stand, in five or more. */
static bool makes_five(const struct walk *walk, int square, int stone) {
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int d = 0; d < 4; d++) {
        int length = 1;
        for (int way = -1; way <= 1; way += 2) {
            int row = square / walk->size + way * steps[d][0];
            int column = square % walk->size + way * steps[d][1];
            while (row >= 0 && row < walk->size && column >= 0 && column < walk->size &&
                   walk->board[row * walk->size + column] == stone) {
                length++;
                row += way * steps[d][0];
                column += way * steps[d][1];
            }
        }
        if (length >= 5) {
            return true;
        }
    }
    return false;
}

/* Puts a stone on an empty square; otherwise the certificate is out of order. */
static bool put(struct walk *walk, int square, int side) {
    if (square >= walk->squares || walk->board[square] != GOMOKU_EMPTY) {
        walk->failed = true;
        return false;
    }
    walk->board[square] = (uint8_t)(side + 1);
    return true;
}

static int read_node(struct walk *walk, bool hero_moves);

/* What the villain plays, and the hero's node behind it. */
static int read_answer(struct walk *walk, int square) {
    int plies = 0;
    if (put(walk, square, 1 - walk->hero)) {
        plies = 1 + read_node(walk, true);
        walk->board[square] = GOMOKU_EMPTY;
    }
    return plies;
}

static int read_forced(struct walk *walk) {
    for (int square = 0; square < walk->squares; square++) {
        if (walk->board[square] == GOMOKU_EMPTY && makes_five(walk, square, walk->hero + 1)) {
            return read_answer(walk, square);
        }
    }
    walk->failed = true;
    return 0;
}

static int read_cover(struct walk *walk) {
    int plies = 0;
    if (next_byte(walk)) {
        bool outside = !walk->inside_default;
        walk->inside_default = true;
        plies = 1 + read_node(walk, true);
        walk->inside_default = !outside;
    }
    int count = next_byte(walk);
    uint8_t squares[256];
    for (int i = 0; i < count; i++) {
        squares[i] = (uint8_t)next_byte(walk);
    }
    for (int i = 0; i < count && !walk->failed; i++) {
        int answer = read_answer(walk, squares[i]);
        plies = answer > plies ? answer : plies;
    }
    return plies;
}

static int read_named(struct walk *walk, bool hero_moves) {
    int plies = read_node(walk, hero_moves);
    if (walk->names == walk->name_room) {
        size_t room = walk->name_room ? 2 * walk->name_room : 1024;
        uint16_t *larger = realloc(walk->name_plies, room * sizeof *larger);
        if (!larger) {
            walk->failed = true;
            return 0;
        }
        walk->name_plies = larger;
        walk->name_room = room;
    }
    walk->name_plies[walk->names++] = (uint16_t)plies;
    return plies;
}

static int read_reference(struct walk *walk) {
    size_t name = next_number(walk);
    if (name >= walk->names) {
        walk->failed = true;
        return 0;
    }
    return walk->name_plies[name];
}

static int read_hero_move(struct walk *walk, int square) {
    int plies = 1;
    if (!put(walk, square, walk->hero)) {
        return 0;
    }
    if (!makes_five(walk, square, walk->hero + 1)) {
        plies += read_node(walk, false);
    }
    walk->board[square] = GOMOKU_EMPTY;
    if (!walk->inside_default && !walk->failed) {
        add_entry(walk, square, plies);
    }
    return plies;
}

/* Reads a node and all behind it; the most plies to the five. */
static int read_node(struct walk *walk, bool hero_moves) {
    if (walk->failed) {
        return 0;
    }
    int value = next_byte(walk);
    int code = value - walk->squares;
    if (hero_moves && code < 0) {
        return read_hero_move(walk, value);
    }
    switch (code) {
    case CODE_NAME:
        /* a name of a name is nothing, and would let a file of names alone go as deep as it is long */
        if (walk->at < walk->length && walk->bytes[walk->at] == value) {
            break;
        }
        return read_named(walk, hero_moves);
    case CODE_REFER:
        return read_reference(walk);
    default:
        break;
    }
    if (!hero_moves && code == CODE_WON) {
        return 2;
    }
    if (!hero_moves && code == CODE_FORCED) {
        return read_forced(walk);
    }
    if (!hero_moves && code == CODE_COVER) {
        return read_cover(walk);
    }
    walk->failed = true;
    return 0;
}

/* The head: false when it is not one of a Gomoku win. */
static bool read_head(struct walk *walk) {
    char side;
    char hero;
    int used = 0;
    char head[96] = {0};
    size_t shown = walk->length - walk->at < sizeof head - 1 ? walk->length - walk->at : sizeof head - 1;
    memcpy(head, walk->bytes + walk->at, shown);
    if (sscanf(head, "sortie proof 1 game gomoku freestyle %2d move %c claim %c wins 0%n", &walk->size, &side, &hero,
               &used) != 3 ||
        used == 0 || head[used] != '\n' || walk->size < 5 || walk->size > MOST_SIZE) {
        return false;
    }
    walk->at += (size_t)used + 1;
    walk->hero = hero == 'O';
    walk->to_move = side == 'O';
    walk->squares = walk->size * walk->size;
    for (int square = 0; square < walk->squares; square++) {
        int glyph = next_byte(walk);
        walk->board[square] = (uint8_t)(glyph == 'X' ? GOMOKU_X : glyph == 'O' ? GOMOKU_O : GOMOKU_EMPTY);
        if (square % walk->size == walk->size - 1) {
            next_byte(walk);
        }
    }
    return !walk->failed;
}

static bool digest_fits(const uint8_t *bytes, size_t length, const uint8_t *wanted) {
    uint64_t digest = ~0ULL;
    for (size_t i = 0; i < length; i++) {
        digest ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            digest = digest >> 1 ^ (digest & 1 ? 0xC96C5795D7870F42 : 0);
        }
    }
    digest = ~digest;
    for (int i = 0; i < DIGEST_BYTES; i++) {
        if (wanted[i] != (uint8_t)(digest >> (8 * i))) {
            return false;
        }
    }
    return true;
}

static int compare_entries(const void *a, const void *b) {
    uint64_t x = ((const struct book_entry *)a)->key;
    uint64_t y = ((const struct book_entry *)b)->key;
    return (x > y) - (x < y);
}

bool book_read(struct book *book, const uint8_t *bytes, size_t length) {
    size_t before = book->count;
    struct walk walk = {.book = book, .bytes = bytes, .length = length};
    size_t begun = 0;
    while (!walk.failed && walk.at < length) {
        walk.names = 0;
        walk.inside_default = false;
        if (!read_head(&walk)) {
            walk.failed = true;
            break;
        }
        read_node(&walk, walk.hero == walk.to_move);
        if (walk.failed || walk.at + DIGEST_BYTES > length ||
            !digest_fits(bytes + begun, walk.at - begun, bytes + walk.at)) {
            walk.failed = true;
            break;
        }
        walk.at += DIGEST_BYTES;
        begun = walk.at;
    }
    free(walk.name_plies);
    if (walk.failed) {
        book->count = before;
    }
    if (book->count > 0) {
        qsort(book->entries, book->count, sizeof *book->entries, compare_entries);
    }
    return !walk.failed;
}

void book_free(struct book *book) {
    free(book->entries);
    *book = (struct book){0};
}

bool book_look_up(const struct book *book, const struct gomoku_position *position, uint16_t *move, int *plies) {
    if (book->count == 0 || position->variant != GOMOKU_FREESTYLE || position->size > MOST_SIZE) {
        return false;
    }
    int symmetry;
    struct book_entry wanted = {.key = position_key(position->board, position->size, position->count & 1, &symmetry)};
    const struct book_entry *found =
        bsearch(&wanted, book->entries, book->count, sizeof *book->entries, compare_entries);
    if (!found) {
        return false;
    }
    for (int square = 0; square < position->size * position->size; square++) {
        if (turn(position->size, symmetry, square) == found->move) {
            *move = (uint16_t)square;
            *plies = found->plies;
            return position->board[square] == GOMOKU_EMPTY;
        }
    }
    return false;
}

/* -- the installed book -- */

static struct book installed;
static pthread_once_t installed_once = PTHREAD_ONCE_INIT;

static void take_file(const char *path) {
    char *bytes;
    size_t length;
    struct error error;
    if (access(path, R_OK) == 0 && file_read(path, MOST_BYTES, &bytes, &length, &error) == STATUS_OK) {
        book_read(&installed, (const uint8_t *)bytes, length);
        free(bytes);
    }
}

static void take_installed(void) {
#ifdef __linux__
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash) {
        *slash = '\0';
        struct text path = TEXT_EMPTY;
        text_addf(&path, "%s/../share/sortie/gomoku.proof", program);
        take_file(text_string(&path));
        text_free(&path);
    }
#endif
}

static void install(void) {
    const char *names = getenv("SORTIE_PROOFS");
    if (!names) {
        take_installed();
        return;
    }
    while (*names) {
        size_t length = strcspn(names, ":");
        struct text path = TEXT_EMPTY;
        text_add(&path, names, length);
        if (length > 0) {
            take_file(text_string(&path));
        }
        text_free(&path);
        names += length + (names[length] == ':');
    }
}

bool book_find(const struct gomoku_position *position, uint16_t *move, int *plies) {
    pthread_once(&installed_once, install);
    return book_look_up(&installed, position, move, plies);
}
