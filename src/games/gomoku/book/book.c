#include "games/gomoku/book/book.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/rng.h"
#include "certificate/certificate.h"
#include "game/symmetry.h"

#define COVER_KEY 0x3c6ef372fe94f82bULL /* keeps positions of a cover apart from whole ones */
#define MOST_COVERS (UINT32_MAX >> 3)
#define NO_MOVE UINT16_MAX /* of an entry whose side to move loses */
/* Of more than so many bytes only wins of so many plies are kept: a proof of the whole game has 17 million positions
 * that win in fewer, and the search sees those at once. */
#define SMALL_BYTES ((size_t)16 << 20)
#define LEAST_PLIES 12

/* One certificate being read. */
struct walk {
    struct book *book;
    struct certificate_reader reader;
    int size;
    int squares;
    int hero;
    int to_move;
    uint8_t board[CERTIFICATE_MOST_SQUARES];
    int last;                                        /* of the hero's stones put down; -1: none yet */
    int least_plies;                                 /* of a win that is kept */
    uint64_t stones[8][2][CERTIFICATE_MOST_SQUARES]; /* what a stone adds to the key under each symmetry */
    int down;                                        /* stones on the board, in the order they were put down */
    uint8_t squares_down[CERTIFICATE_MOST_SQUARES];
    uint16_t *name_plies; /* owned; of the named nodes in the order of their numbers */
    size_t names;
    size_t name_room;
    uint32_t cover;      /* whose win is read: moves there answer a stone that is not on the board; 0: none */
    bool inside_another; /* and another one's inside it, which is not kept */
};

/* -- keys -- */

/* What a position's key begins with, and what a stone adds to it. */
static uint64_t side_key(int size, int side) {
    return rng_mix((uint64_t)size << 1 | (uint64_t)side);
}

static uint64_t stone_key(int square, int stone) {
    return rng_mix((uint64_t)(square * 4 + stone) << 8);
}

/* The keys of a board's stones under each symmetry. */
static void board_keys(const uint8_t *board, int size, uint64_t keys[8]) {
    for (int i = 0; i < 8; i++) {
        keys[i] = 0;
        for (int square = 0; square < size * size; square++) {
            if (board[square] != GOMOKU_EMPTY) {
                keys[i] ^= stone_key(symmetry_turn(size, i, square), board[square]);
            }
        }
    }
}

/* The same for all symmetries of a position; *symmetry leads to the one whose moves the book has. */
static uint64_t least_key(const uint64_t keys[8], uint64_t base, int *symmetry) {
    *symmetry = 0;
    for (int i = 1; i < 8; i++) {
        *symmetry = (keys[i] ^ base) < (keys[*symmetry] ^ base) ? i : *symmetry;
    }
    return keys[*symmetry] ^ base;
}

static void make_stone_keys(struct walk *walk) {
    for (int i = 0; i < 8; i++) {
        for (int square = 0; square < walk->squares; square++) {
            int turned = symmetry_turn(walk->size, i, square);
            walk->stones[i][0][square] = stone_key(turned, GOMOKU_X);
            walk->stones[i][1][square] = stone_key(turned, GOMOKU_O);
        }
    }
}

/* The list with room for one more, or NULL when there is no memory. */
static void *make_room(void *list, size_t count, size_t *room, size_t size) {
    if (count < *room) {
        return list;
    }
    size_t more = *room ? 2 * *room : 1024;
    void *larger = realloc(list, more * size);
    *room = larger ? more : *room;
    return larger;
}

/* Keeps the position on the board: its side to move wins by this move, or loses. */
static void add_entry(struct walk *walk, int side, int move, int plies) {
    struct book *book = walk->book;
    if (walk->inside_another || walk->reader.failed || plies < walk->least_plies) {
        return;
    }
    struct book_entry *entries = make_room(book->entries, book->count, &book->room, sizeof *entries);
    if (!entries) {
        walk->reader.failed = true;
        return;
    }
    book->entries = entries;
    uint64_t base = side_key(walk->size, side) ^ (walk->cover ? COVER_KEY : 0);
    uint64_t keys[8] = {0};
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < walk->down; k++) {
            int square = walk->squares_down[k];
            keys[i] ^= walk->stones[i][walk->board[square] - 1][square];
        }
    }
    int symmetry;
    uint64_t key = least_key(keys, base, &symmetry);
    uint16_t turned = move == NO_MOVE ? NO_MOVE : (uint16_t)symmetry_turn(walk->size, symmetry, move);
    book->entries[book->count++] =
        (struct book_entry){.key = key,
                            .move = turned,
                            .plies = (uint16_t)plies,
                            .cover = walk->cover ? walk->cover << 3 | (uint32_t)symmetry : 0};
}

/* -- reading -- */

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
        walk->reader.failed = true;
        return false;
    }
    walk->board[square] = (uint8_t)(side + 1);
    walk->squares_down[walk->down++] = (uint8_t)square;
    return true;
}

/* Takes the last one back. */
static void take_back(struct walk *walk) {
    walk->board[walk->squares_down[--walk->down]] = GOMOKU_EMPTY;
}

static int read_node(struct walk *walk, bool hero_moves);

/* What the villain plays, and the hero's node behind it. */
static int read_answer(struct walk *walk, int square) {
    int plies = 0;
    if (put(walk, square, 1 - walk->hero)) {
        plies = 1 + read_node(walk, true);
        take_back(walk);
    }
    return plies;
}

/* The square on which the hero threatens its five: nearly always in line with the stone it put down last. */
static int find_five(const struct walk *walk) {
    static const int steps[8][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
    for (int i = 0; i < 8 * 4 && walk->last >= 0; i++) {
        int row = walk->last / walk->size + steps[i / 4][0] * (i % 4 + 1);
        int column = walk->last % walk->size + steps[i / 4][1] * (i % 4 + 1);
        int square = row * walk->size + column;
        if (row >= 0 && row < walk->size && column >= 0 && column < walk->size && walk->board[square] == GOMOKU_EMPTY &&
            makes_five(walk, square, walk->hero + 1)) {
            return square;
        }
    }
    for (int square = 0; square < walk->squares; square++) {
        if (walk->board[square] == GOMOKU_EMPTY && makes_five(walk, square, walk->hero + 1)) {
            return square;
        }
    }
    return -1;
}

static int read_forced(struct walk *walk) {
    int square = find_five(walk);
    if (square >= 0) {
        return read_answer(walk, square);
    }
    walk->reader.failed = true;
    return 0;
}

/* Reads the win of a cover, for all replies that it does not answer one by one. */
static int read_default(struct walk *walk, uint32_t cover) {
    bool outside = !walk->cover;
    bool before = walk->inside_another;
    walk->inside_another = before || !outside;
    walk->cover = outside ? cover : walk->cover;
    int plies = 1 + read_node(walk, true);
    walk->cover = outside ? 0 : walk->cover;
    walk->inside_another = before;
    return plies;
}

/* A new cover's number; 0 when there is no room. */
static uint32_t add_cover(struct walk *walk) {
    struct book *book = walk->book;
    struct book_cover *covers = NULL;
    if (book->cover_count < MOST_COVERS) {
        covers = make_room(book->covers, book->cover_count, &book->cover_room, sizeof *covers);
    }
    if (!covers) {
        walk->reader.failed = true;
        return 0;
    }
    book->covers = covers;
    book->covers[book->cover_count] = (struct book_cover){{0}};
    return (uint32_t)++book->cover_count;
}

static int read_cover(struct walk *walk) {
    int plies = 0;
    uint32_t cover = 0;
    if (certificate_read_byte(&walk->reader)) {
        size_t entries = walk->book->count;
        cover = add_cover(walk);
        plies = cover ? read_default(walk, cover) : 0;
        if (walk->book->count == entries && walk->book->cover_count == cover) {
            walk->book->cover_count--; /* nothing of it was kept */
            cover = 0;
        }
    }
    int count = certificate_read_byte(&walk->reader);
    uint8_t squares[256];
    for (int i = 0; i < count; i++) {
        squares[i] = (uint8_t)certificate_read_byte(&walk->reader);
        if (cover) {
            walk->book->covers[cover - 1].squares[squares[i] / 64] |= 1ULL << (squares[i] % 64);
        }
    }
    for (int i = 0; i < count && !walk->reader.failed; i++) {
        int answer = read_answer(walk, squares[i]);
        plies = answer > plies ? answer : plies;
    }
    return plies;
}

static int read_named(struct walk *walk, bool hero_moves) {
    int plies = read_node(walk, hero_moves);
    uint16_t *larger = make_room(walk->name_plies, walk->names, &walk->name_room, sizeof *larger);
    if (!larger) {
        walk->reader.failed = true;
        return 0;
    }
    walk->name_plies = larger;
    walk->name_plies[walk->names++] = (uint16_t)plies;
    return plies;
}

static int read_reference(struct walk *walk) {
    size_t name = certificate_read_number(&walk->reader);
    if (name >= walk->names) {
        walk->reader.failed = true;
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
        walk->last = square;
        int left = read_node(walk, false);
        add_entry(walk, 1 - walk->hero, NO_MOVE, left);
        plies += left;
    }
    take_back(walk);
    add_entry(walk, walk->hero, square, plies);
    return plies;
}

/* Reads a node and all behind it; the most plies to the five. */
static int read_node(struct walk *walk, bool hero_moves) {
    if (walk->reader.failed) {
        return 0;
    }
    int value = certificate_read_byte(&walk->reader);
    int code = value - walk->squares;
    if (hero_moves && code < 0) {
        return read_hero_move(walk, value);
    }
    switch (code) {
    case CERTIFICATE_NAME:
        /* a name of a name is nothing, and would let a file of names alone go as deep as it is long */
        if (walk->reader.at < walk->reader.length && walk->reader.bytes[walk->reader.at] == value) {
            break;
        }
        return read_named(walk, hero_moves);
    case CERTIFICATE_REFER:
        return read_reference(walk);
    default:
        break;
    }
    if (!hero_moves && code == CERTIFICATE_WON) {
        return 2;
    }
    if (!hero_moves && code == CERTIFICATE_FORCED) {
        return read_forced(walk);
    }
    if (!hero_moves && code == CERTIFICATE_COVER) {
        return read_cover(walk);
    }
    walk->reader.failed = true;
    return 0;
}

/* The head: false when it is not one of a Gomoku win. */
static bool read_head(struct walk *walk) {
    struct certificate_win win;
    if (!certificate_read_win(&walk->reader, &win)) {
        return false;
    }
    walk->size = win.size;
    walk->squares = win.size * win.size;
    walk->to_move = win.to_move;
    walk->hero = win.hero;
    make_stone_keys(walk);
    memset(walk->board, GOMOKU_EMPTY, sizeof walk->board);
    walk->down = 0;
    for (int square = 0; square < walk->squares; square++) {
        if (win.board[square] != GOMOKU_EMPTY) {
            put(walk, square, win.board[square] - 1);
        }
    }
    return true;
}

/* Reads one certificate. */
static bool read_certificate(struct walk *walk) {
    size_t begun = walk->reader.at;
    walk->names = 0;
    walk->cover = 0;
    walk->inside_another = false;
    walk->last = -1;
    if (!read_head(walk)) {
        return false;
    }
    int plies = read_node(walk, walk->hero == walk->to_move);
    if (walk->hero != walk->to_move) {
        add_entry(walk, walk->to_move, NO_MOVE, plies);
    }
    return !walk->reader.failed && certificate_read_digest(&walk->reader, begun);
}

/* By keys; of the same key by covers, and then the shortest win first. */
static int compare_entries(const void *a, const void *b) {
    const struct book_entry *x = a;
    const struct book_entry *y = b;
    if (x->key != y->key) {
        return x->key > y->key ? 1 : -1;
    }
    return x->cover != y->cover ? (x->cover > y->cover ? 1 : -1) : x->plies - y->plies;
}

/* Sorts the entries and keeps one a position and cover. */
static void put_in_order(struct book *book) {
    size_t kept = 0;
    if (book->count > 0) {
        qsort(book->entries, book->count, sizeof *book->entries, compare_entries);
    }
    for (size_t i = 0; i < book->count; i++) {
        const struct book_entry *last = kept > 0 ? &book->entries[kept - 1] : NULL;
        if (!last || last->key != book->entries[i].key || last->cover != book->entries[i].cover) {
            book->entries[kept++] = book->entries[i];
        }
    }
    book->count = kept;
}

bool book_read(struct book *book, const uint8_t *bytes, size_t length) {
    ASSERT(bytes || length == 0);
    size_t before = book->count;
    size_t covers_before = book->cover_count;
    struct walk walk = {.book = book, .reader = {.bytes = bytes, .length = length}};
    walk.least_plies = length > SMALL_BYTES ? LEAST_PLIES : 0;
    bool fine = true;
    while (fine && walk.reader.at < length) {
        fine = read_certificate(&walk);
    }
    free(walk.name_plies);
    if (!fine) {
        book->count = before;
        book->cover_count = covers_before;
    } else {
        put_in_order(book);
    }
    return fine;
}

void book_free(struct book *book) {
    free(book->entries);
    free(book->covers);
    *book = (struct book){0};
}

/* The first entry of a key, or NULL. */
static const struct book_entry *find_key(const struct book *book, uint64_t key) {
    size_t from = 0;
    for (size_t to = book->count; from < to;) {
        size_t middle = from + (to - from) / 2;
        if (book->entries[middle].key < key) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < book->count && book->entries[from].key == key ? &book->entries[from] : NULL;
}

/* Whether the win of the entry's cover holds with the stone on `square`, a square of the key's board. */
static bool covers(const struct book *book, const struct book_entry *entry, int size, int square) {
    const struct book_cover *cover = &book->covers[(entry->cover >> 3) - 1];
    for (int own = 0; own < size * size; own++) {
        if (symmetry_turn(size, (int)(entry->cover & 7), own) == square) {
            return (cover->squares[own / 64] >> (own % 64) & 1) == 0;
        }
    }
    return false;
}

/* The entry for a position in which one of the loser's stones is answered by a win that does not mind it. */
static const struct book_entry *find_covered(const struct book *book, const struct gomoku_position *position,
                                             const uint64_t keys[8], int stone, int *symmetry) {
    uint64_t base = side_key(position->size, position->count & 1) ^ COVER_KEY;
    for (int square = 0; square < position->size * position->size; square++) {
        uint64_t without[8];
        if (position->board[square] != stone) {
            continue;
        }
        for (int i = 0; i < 8; i++) {
            without[i] = keys[i] ^ stone_key(symmetry_turn(position->size, i, square), stone);
        }
        uint64_t key = least_key(without, base, symmetry);
        const struct book_entry *end = book->entries + book->count;
        for (const struct book_entry *entry = find_key(book, key); entry && entry < end && entry->key == key; entry++) {
            if (covers(book, entry, position->size, symmetry_turn(position->size, *symmetry, square))) {
                return entry;
            }
        }
    }
    return NULL;
}

/* What the book has about a position, or one that is symmetric to it: that its side to move wins, or loses. */
static const struct book_entry *find(const struct book *book, const struct gomoku_position *position, bool won,
                                     int *symmetry) {
    uint64_t keys[8];
    if (book->count == 0 || position->variant != GOMOKU_FREESTYLE || position->size > CERTIFICATE_MOST_SIZE ||
        position->winner != GOMOKU_NO_WINNER) {
        return NULL;
    }
    int side = position->count & 1;
    board_keys(position->board, position->size, keys);
    const struct book_entry *entry = find_key(book, least_key(keys, side_key(position->size, side), symmetry));
    entry = entry ? entry : find_covered(book, position, keys, won ? 2 - side : 1 + side, symmetry);
    return entry && (entry->move != NO_MOVE) == won ? entry : NULL;
}

/* Five at once: what certificates do not spell out. */
static bool find_five_at_once(const struct gomoku_position *position, uint16_t *move) {
    for (int square = 0; square < position->size * position->size; square++) {
        if (position->board[square] == GOMOKU_EMPTY) {
            struct gomoku_position after = *position;
            gomoku_put(&after, square);
            if (after.winner != GOMOKU_NO_WINNER) {
                *move = (uint16_t)square;
                return true;
            }
        }
    }
    return false;
}

bool book_look_up(const struct book *book, const struct gomoku_position *position, uint16_t *move, int *plies) {
    ASSERT(position->winner == GOMOKU_NO_WINNER);
    int symmetry;
    if (book->count > 0 && position->winner == GOMOKU_NO_WINNER && find_five_at_once(position, move)) {
        *plies = 1;
        return true;
    }
    const struct book_entry *found = find(book, position, true, &symmetry);
    for (int square = 0; found && square < position->size * position->size; square++) {
        if (symmetry_turn(position->size, symmetry, square) == found->move) {
            *move = (uint16_t)square;
            *plies = found->plies;
            return position->board[square] == GOMOKU_EMPTY;
        }
    }
    return false;
}

bool book_look_up_lost(const struct book *book, const struct gomoku_position *position, int *plies) {
    int symmetry;
    const struct book_entry *found = find(book, position, false, &symmetry);
    if (!found) {
        return false;
    }
    *plies = found->plies;
    return true;
}

bool book_resist(const struct book *book, const struct gomoku_position *position, uint16_t *move) {
    int longest = 0;
    for (int square = 0; square < position->size * position->size; square++) {
        uint16_t answer;
        int plies;
        struct gomoku_position after = *position;
        if (position->board[square] != GOMOKU_EMPTY) {
            continue;
        }
        gomoku_put(&after, square);
        if (after.winner == GOMOKU_NO_WINNER && book_look_up(book, &after, &answer, &plies) && plies > longest) {
            longest = plies;
            *move = (uint16_t)square;
        }
    }
    return longest > 0;
}

bool book_known(const struct book *book, const struct gomoku_position *position, const struct gomoku_wishes *wishes,
                struct game_known *known) {
    uint16_t move;
    int plies;
    if (book->count == 0 || (wishes && wishes->closed)) {
        return false;
    }
    bool won = book_look_up(book, position, &move, &plies);
    if (!won && !book_look_up_lost(book, position, &plies)) {
        return false;
    }
    if (!won && !book_resist(book, position, &move)) {
        move = (uint16_t)gomoku_quick_move(position, NULL); /* any one: a single win answers them all */
    }
    *known = (struct game_known){.won = won, .move = move, .plies = plies};
    return true;
}

enum gomoku_swap_proof book_first_stone(const struct book *book, int square) {
    struct gomoku_position position;
    uint16_t move;
    int plies;
    gomoku_clear(&position, GOMOKU_SWAP_SIZE, GOMOKU_FREESTYLE);
    gomoku_put(&position, square);
    if (book_look_up(book, &position, &move, &plies)) {
        return GOMOKU_SWAP_OTHER_WINS;
    }
    return book_look_up_lost(book, &position, &plies) ? GOMOKU_SWAP_OWNER_WINS : GOMOKU_SWAP_OPEN;
}

void book_settle_swap(const struct book *book) {
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        gomoku_swap_settle(gomoku_swap_square(i), book_first_stone(book, gomoku_swap_square(i)));
    }
}

enum status book_add(struct book *book, const char *bytes, size_t length, size_t *positions, struct error *error) {
    if (!book_read(book, (const uint8_t *)bytes, length)) {
        return error_at(error, 0, 0, "expected certificates of wins at freestyle Gomoku, whole ones");
    }
    book_settle_swap(book);
    *positions = book->count;
    return STATUS_OK;
}
