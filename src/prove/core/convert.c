#include "prove/core/convert.h"

#include <stdlib.h>
#include <string.h>

#include "game/symmetry.h"
#include "games/gomoku/search/search.h"

#define MOST_BYTES UINT32_MAX /* so that places in it have 32 bits */

/* A node with a name: where it is, and the board there. */
struct named {
    uint32_t at;
    uint8_t board[CERTIFICATE_MOST_SQUARES];
};

/* Where the play is in the certificate. */
struct place {
    size_t at;   /* of a node */
    uint8_t way; /* the symmetry that takes the certificate's squares to the board's */
};

struct converting {
    struct certificate_reader reader;
    struct certificate_win head;
    int squares;
    uint32_t *ends;      /* owned: for each byte a node begins with, where it ends */
    struct named *names; /* owned */
    size_t name_count;
    size_t name_room;
    bool no_memory;
    uint8_t board[CERTIFICATE_MOST_SQUARES]; /* 0 empty, 1 the first side's, 2 the second's */
    int to_move;
    struct place places[CERTIFICATE_MOST_SQUARES + 2]; /* by the distance from the root */
    uint16_t played[CERTIFICATE_MOST_SQUARES + 2];
    int ply;
};

/* -- reading it once -- */

static bool scan_node(struct converting *c, bool hero);

/* Whether the stone on a square stands in a row of five. */
static bool makes_five(const struct converting *c, int square) {
    static const int ways[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int size = c->head.size;
    for (int way = 0; way < 4; way++) {
        int length = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            int row = square / size + sign * ways[way][0];
            int column = square % size + sign * ways[way][1];
            while (row >= 0 && row < size && column >= 0 && column < size &&
                   c->board[row * size + column] == c->board[square]) {
                length++;
                row += sign * ways[way][0];
                column += sign * ways[way][1];
            }
        }
        if (length >= 5) {
            return true;
        }
    }
    return false;
}

/* A move and the node behind it. */
static bool scan_move(struct converting *c, int square, bool hero) {
    int side = hero ? c->head.hero : 1 - c->head.hero;
    if (square >= c->squares || c->board[square] != 0) {
        return false;
    }
    c->board[square] = (uint8_t)(side + 1);
    bool good = (hero && makes_five(c, square)) || scan_node(c, !hero);
    c->board[square] = 0;
    return good;
}

/* The one square on which the hero makes five; -1 when there is none. */
static int find_five(struct converting *c) {
    for (int square = 0; square < c->squares; square++) {
        if (c->board[square] == 0) {
            c->board[square] = (uint8_t)(c->head.hero + 1);
            bool five = makes_five(c, square);
            c->board[square] = 0;
            if (five) {
                return square;
            }
        }
    }
    return -1;
}

static bool scan_cover(struct converting *c) {
    int listed[256];
    int with_default = certificate_read_byte(&c->reader);
    if (with_default > 1 || (with_default == 1 && !scan_node(c, true))) {
        return false;
    }
    int count = certificate_read_byte(&c->reader);
    for (int i = 0; i < count; i++) {
        listed[i] = certificate_read_byte(&c->reader);
    }
    bool good = !c->reader.failed;
    for (int i = 0; i < count && good; i++) {
        good = scan_move(c, listed[i], false);
    }
    return good;
}

/* The node is complete and gets the next number. */
static bool add_name(struct converting *c, size_t at) {
    if (c->name_count == c->name_room) {
        size_t room = c->name_room ? 2 * c->name_room : 1024;
        struct named *names = realloc(c->names, room * sizeof *names);
        if (!names) {
            c->no_memory = true;
            return false;
        }
        c->names = names;
        c->name_room = room;
    }
    struct named *name = &c->names[c->name_count++];
    name->at = (uint32_t)at;
    memcpy(name->board, c->board, sizeof name->board);
    return true;
}

/* Notes where a node and those in it end, and the names. */
static bool scan_node(struct converting *c, bool hero) {
    size_t start = c->reader.at;
    int code = certificate_read_byte(&c->reader) - c->squares;
    bool named = code == CERTIFICATE_NAME;
    size_t at = c->reader.at - !named;
    code = named ? certificate_read_byte(&c->reader) - c->squares : code;
    bool good = !c->reader.failed;
    if (code == CERTIFICATE_REFER) {
        certificate_read_number(&c->reader);
        good = !c->reader.failed;
    } else if (hero) {
        good = good && code < 0 && scan_move(c, code + c->squares, true);
    } else if (code == CERTIFICATE_FORCED) {
        int five = find_five(c);
        good = good && five >= 0 && scan_move(c, five, false);
    } else {
        good = good && (code == CERTIFICATE_WON || (code == CERTIFICATE_COVER && scan_cover(c)));
    }
    if (good) {
        c->ends[start] = (uint32_t)c->reader.at;
    }
    return good && (!named || add_name(c, at));
}

/* -- following the play -- */

static int turned(const struct converting *c, int way, int square) {
    return symmetry_turn(c->head.size, way, square);
}

/* The square of the certificate that becomes one of the board's. */
static int returned(const struct converting *c, int way, int square) {
    static const uint8_t inverse[SYMMETRY_COUNT] = {0, 1, 2, 3, 4, 6, 5, 7};
    return symmetry_turn(c->head.size, inverse[way], square);
}

/* The symmetry that takes a named board to the one of the play; -1 when there is none. */
static int find_way(const struct converting *c, const uint8_t *board) {
    for (int way = 0; way < SYMMETRY_COUNT; way++) {
        int square = 0;
        while (square < c->squares && board[square] == c->board[turned(c, way, square)]) {
            square++;
        }
        if (square == c->squares) {
            return way;
        }
    }
    return -1;
}

/* Goes from a name or a reference to the node it stands for. */
static bool resolve(struct converting *c, struct place *place) {
    for (;;) {
        c->reader.at = place->at;
        int code = certificate_read_byte(&c->reader) - c->squares;
        if (code == CERTIFICATE_NAME) {
            place->at++;
        } else if (code == CERTIFICATE_REFER) {
            size_t name = certificate_read_number(&c->reader);
            int way = name < c->name_count ? find_way(c, c->names[name].board) : -1;
            if (way < 0) {
                return false;
            }
            *place = (struct place){.at = c->names[name].at, .way = (uint8_t)way};
        } else {
            return true;
        }
    }
}

/* The node behind a reply of the villain's, whose node is at `place`. */
static size_t find_reply(struct converting *c, const struct place *place, int square) {
    c->reader.at = place->at;
    int code = certificate_read_byte(&c->reader) - c->squares;
    if (code != CERTIFICATE_COVER) {
        return place->at + 1; /* forced */
    }
    int with_default = certificate_read_byte(&c->reader);
    size_t start = c->reader.at;
    c->reader.at = with_default ? c->ends[start] : start;
    int count = certificate_read_byte(&c->reader);
    const uint8_t *listed = c->reader.bytes + c->reader.at;
    size_t node = c->reader.at + (size_t)count;
    for (int i = 0; i < count; i++) {
        if (listed[i] == returned(c, place->way, square)) {
            return node;
        }
        node = c->ends[node];
    }
    return start; /* the default, with that stone on the board */
}

static void follow(void *user, int square) {
    struct converting *c = user;
    struct place place = c->places[c->ply];
    bool hero = c->to_move == c->head.hero;
    resolve(c, &place);
    place.at = hero ? place.at + 1 : find_reply(c, &place, square);
    c->board[square] = (uint8_t)(c->to_move + 1);
    c->to_move = 1 - c->to_move;
    c->played[c->ply++] = (uint16_t)square;
    c->places[c->ply] = place;
}

static void go_back(void *user) {
    struct converting *c = user;
    c->to_move = 1 - c->to_move;
    c->board[c->played[--c->ply]] = 0;
}

static uint16_t move_of(void *user, struct error *error) {
    struct converting *c = user;
    struct place *place = &c->places[c->ply];
    if (!resolve(c, place)) {
        error_fill(error, 0, 0, "expected references to positions that are the same but for turns and mirrors");
        return NO_SQUARE;
    }
    int square = place->at < c->reader.length ? c->reader.bytes[place->at] : c->squares;
    if (square >= c->squares) {
        error_fill(error, 0, 0, "expected a certificate that sortie verify accepts");
        return NO_SQUARE;
    }
    return (uint16_t)turned(c, place->way, square);
}

/* -- all of it -- */

/* Reads the whole certificate. */
static enum status scan(struct converting *c, struct error *error) {
    if (!certificate_read_win(&c->reader, &c->head)) {
        return error_at(error, 0, 0, "expected a certificate that a side wins at freestyle Gomoku");
    }
    c->squares = c->head.size * c->head.size;
    c->to_move = c->head.to_move;
    memcpy(c->board, c->head.board, sizeof c->board);
    c->places[0].at = c->reader.at;
    if (c->reader.length > MOST_BYTES) {
        return error_at(error, 0, 0, "expected a certificate of less than 4 GB");
    }
    c->ends = calloc(c->reader.length + 1, sizeof *c->ends);
    bool good = c->ends && scan_node(c, c->to_move == c->head.hero);
    if (!c->ends || c->no_memory) {
        return error_machine(error, "no memory to read the certificate");
    }
    good = good && certificate_read_digest(&c->reader, 0) && c->reader.at == c->reader.length;
    c->reader.failed = false;
    return good ? STATUS_OK : error_at(error, 0, 0, "expected one certificate that sortie verify accepts");
}

enum status core_convert(const uint8_t *bytes, size_t length, const atomic_bool *stop,
                         void (*progress)(void *user, uint64_t bytes), void *user, struct text *core,
                         struct unfold *result, struct error *error) {
    struct converting *c = calloc(1, sizeof *c);
    struct gomoku_position position;
    if (!c) {
        return error_machine(error, "no memory to read the certificate");
    }
    c->reader = (struct certificate_reader){.bytes = bytes, .length = length};
    enum status status = scan(c, error);
    status = status == STATUS_OK ? unfold_load(&c->head, &position, error) : status;
    if (status == STATUS_OK) {
        struct unfold_source source = {.play = follow, .undo = go_back, .move = move_of, .user = c};
        struct core_writer writer = {.squares = c->squares};
        *result = (struct unfold){
            .position = &position,
            .hero = c->head.hero,
            .source = &source,
            .writer = &writer,
            .stop = stop,
            .progress = progress,
            .user = user,
        };
        status = unfold(result, error);
        struct certificate_claim claim = unfold_claim(&position, c->head.hero);
        core_write(&writer, &claim, result->bytes, result->digest, core);
        status = status == STATUS_OK && core->broken ? error_machine(error, "no memory for the core") : status;
    }
    free(c->ends);
    free(c->names);
    free(c);
    return status;
}
