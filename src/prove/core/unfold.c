#include "prove/core/unfold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "game/symmetry.h"
#include "games/gomoku/board/lean.h"
#include "prove/search/prover.h"
#include "prove/search/threats.h"
#include "prove/write.h"

#define TABLE_BYTES ((size_t)400 << 10) /* of a search of threats: it is cleared before each */
#define HERO_NODES 10000                /* of such a search where the hero is to move */
#define PASS_NODES 20000                /* and where the villain is, after a pass */
#define TELL_EVERY 1024                 /* nodes between two reports */

/* What is needed on the way through a proof. */
struct unfolding {
    struct unfold *asked;
    struct error *error;
    struct gboard *board; /* owned, as is all below */
    struct gboard_history *history;
    struct gboard_lean *lean;
    struct threats threats;
    struct search_clock clock;
    struct recent_wins *recent; /* by the distance from the root */
    struct tree win;            /* the last one found */
    struct proved met;          /* the name of every position with one, by its key */
    struct certificate certificate;
    uint64_t keys[8]; /* of the position under each symmetry */
    uint64_t stones[2][GOMOKU_MOST_SQUARES];
    uint16_t turned[8][GOMOKU_MOST_SQUARES];
    uint16_t played[GOMOKU_MOST_SQUARES + 1];
    uint64_t nodes;
    int ply;
};

static bool unfold_hero(struct unfolding *u);

/* -- the position -- */

static void toggle(struct unfolding *u, int side, int square) {
    for (int i = 0; i < 8; i++) {
        u->keys[i] ^= u->stones[side][u->turned[i][square]];
    }
}

/* The position's key, as the prover's is, and the symmetry that leads to it. */
static uint64_t key_of(const struct unfolding *u, int *symmetry) {
    *symmetry = prover_least_key(u->keys);
    return u->keys[*symmetry] ^ prover_side_key(u->board->side);
}

static void play(struct unfolding *u, int square) {
    toggle(u, u->board->side, square);
    u->played[u->ply++] = (uint16_t)square;
    gboard_play(u->board, square);
    if (u->asked->source) {
        u->asked->source->play(u->asked->source->user, square);
    }
}

static void undo(struct unfolding *u) {
    gboard_undo(u->board);
    toggle(u, u->board->side, u->played[--u->ply]);
    if (u->asked->source) {
        u->asked->source->undo(u->asked->source->user);
    }
}

/* The moves make no proof: says where. */
static bool fail(struct unfolding *u, const char *what) {
    char line[120] = "";
    size_t length = 0;
    for (int i = 0; i < u->ply && length + 5 < sizeof line; i++) {
        char square[8];
        gomoku_square_text(u->board->size, u->played[i], square);
        length += (size_t)snprintf(line + length, sizeof line - length, " %s", square);
    }
    error_fill(u->error, 0, 0, "%s, after%s", what, length > 0 ? line : " no move");
    return false;
}

/* -- wins by threats -- */

/* A win of the side to move; in u->win. */
static int32_t find_win(struct unfolding *u, uint64_t nodes) {
    struct recent_wins *recent = &u->recent[u->ply];
    int32_t node = recent_find(recent, u->board, &u->win);
    if (node != TREE_NONE) {
        u->asked->adapted++;
        return node;
    }
    tree_clear(&u->win);
    node = threats_plain_win(&u->threats, nodes, &u->win);
    if (node != TREE_NONE) {
        u->asked->searched++;
        recent_keep(recent, &u->win, node);
    }
    return node;
}

/* A win of the hero's after a pass of the villain, who is to move, and the replies that break it. */
static int32_t find_cover(struct unfolding *u, struct squares *breakers) {
    gboard_pass(u->board);
    int32_t node = find_win(u, PASS_NODES);
    gboard_pass(u->board);
    return node != TREE_NONE && tree_breakers(&u->win, u->board, node, false, breakers) ? node : TREE_NONE;
}

/* -- the villain's nodes -- */

static bool unfold_reply(struct unfolding *u, int square) {
    play(u, square);
    bool good = unfold_hero(u);
    undo(u);
    return good;
}

/* The replies that need an answer of their own, and their nodes. */
static bool unfold_replies(struct unfolding *u, const struct squares *replies) {
    uint16_t squares[GOMOKU_MOST_SQUARES] = {0};
    int count = 0;
    for (int word = 0; word < u->board->words; word++) {
        for (uint64_t left = replies->words[word]; left;) {
            squares[count++] = (uint16_t)(word * 64 + bits_pop(&left));
        }
    }
    certificate_replies(&u->certificate, squares, count);
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        good = unfold_reply(u, squares[i]);
    }
    return good;
}

/* Puts down a move that had to be told, or what is told of the head's own position. */
static void tell(struct unfolding *u, const struct core_move *move) {
    struct core_writer *writer = u->asked->writer;
    u->asked->told++;
    if (writer && u->ply == 0) {
        core_write_root(writer, move->bare);
    } else if (writer) {
        core_write_move(writer, *move);
    }
}

/* After a move that threatens no five: a win after a pass and the replies that break it, or all replies. */
static bool unfold_quiet(struct unfolding *u, struct core_move *move) {
    bool reading = u->asked->reader != NULL;
    struct squares replies = {0};
    int32_t node = reading && move->bare ? TREE_NONE : find_cover(u, &replies);
    if (node == TREE_NONE && ((reading && !move->bare) || u->board->count == u->board->squares)) {
        return fail(u, "expected a win by threats after a pass");
    }
    move->bare = node == TREE_NONE;
    tell(u, move);
    certificate_cover(&u->certificate, !move->bare);
    if (move->bare) {
        memcpy(replies.words, u->board->empty, sizeof replies.words);
    } else {
        gboard_pass(u->board);
        write_win(u->board, &u->win, node, &u->certificate);
        gboard_pass(u->board);
    }
    return unfold_replies(u, &replies);
}

/* The villain is to move, after a move of the hero's that was told or in the head. */
static bool unfold_villain(struct unfolding *u, struct core_move *move) {
    const struct gboard *board = u->board;
    int hero = 1 - board->side;
    int fives = gboard_set_count(board, hero, SET_FIVE);
    if (!gboard_set_empty(board, board->side, SET_FIVE)) {
        return fail(u, "expected moves that leave the other side no five");
    }
    if (fives == 0) {
        return unfold_quiet(u, move);
    }
    if (u->asked->reader && move->bare) {
        return fail(u, "expected no answer to all replies where a five is threatened");
    }
    move->bare = false;
    tell(u, move);
    certificate_code(&u->certificate, fives > 1 ? CERTIFICATE_WON : CERTIFICATE_FORCED);
    return fives > 1 || unfold_reply(u, gboard_set_first(board, hero, SET_FIVE));
}

/* -- the hero's nodes -- */

/* What comes next: a win by threats, whose root is *node, or else a move. */
static bool choose(struct unfolding *u, int32_t *node, struct core_move *move) {
    struct unfold *asked = u->asked;
    bool by_threats = true;
    if (asked->reader && !core_next(asked->reader, &by_threats, move)) {
        return fail(u, "expected another move");
    }
    *node = by_threats ? find_win(u, HERO_NODES) : TREE_NONE;
    if (*node != TREE_NONE) {
        if (asked->writer) {
            core_write_threats(asked->writer);
        }
        return true;
    }
    if (asked->reader && by_threats) {
        return fail(u, "expected a win by threats");
    }
    if (!asked->reader) {
        uint16_t square = asked->source->move(asked->source->user, u->error);
        if (square == NO_SQUARE) {
            return false;
        }
        move->square = square;
    }
    if (!gboard_is_empty(u->board, move->square) || gboard_in_set(u->board, u->board->side, SET_FIVE, move->square)) {
        return fail(u, "expected a move on an empty square that makes no five");
    }
    return true;
}

/* Whether to go on. */
static bool goes_on(struct unfolding *u) {
    struct unfold *asked = u->asked;
    if (asked->progress && u->nodes % TELL_EVERY == 0) {
        asked->progress(asked->user, u->certificate.bytes);
    }
    u->nodes++;
    return !(asked->stop && atomic_load(asked->stop));
}

/* Keeps the move of a position as a store does. */
static void add_record(const struct unfolding *u, uint64_t key, uint16_t move) {
    unsigned char record[LEDGER_RECORD_BYTES];
    if (u->asked->records) {
        ledger_put_record(record, key, move);
        text_add(u->asked->records, (const char *)record, sizeof record);
    }
}

/* The hero is to move. Positions whose move is told have names; the same again is referred to. */
static bool unfold_hero(struct unfolding *u) {
    int symmetry;
    uint64_t key = key_of(u, &symmetry);
    int64_t name = proved_find(&u->met, key);
    int32_t node = TREE_NONE;
    struct core_move move = {0};
    if (name >= 0) {
        certificate_refer(&u->certificate, (uint32_t)name);
        return true;
    }
    if (!goes_on(u) || !choose(u, &node, &move)) {
        return false;
    }
    if (node != TREE_NONE) {
        write_win(u->board, &u->win, node, &u->certificate);
        return true;
    }
    certificate_code(&u->certificate, CERTIFICATE_NAME);
    certificate_move(&u->certificate, move.square);
    play(u, move.square);
    bool good = unfold_villain(u, &move);
    undo(u);
    if (good) {
        proved_add(&u->met, key, certificate_named(&u->certificate));
        add_record(u, key, u->turned[symmetry][move.square]);
    }
    return good;
}

/* -- all of it -- */

static void make_keys(struct unfolding *u) {
    for (int i = 0; i < SYMMETRY_COUNT; i++) {
        u->keys[i] = prover_salt(u->board->size, u->asked->hero, PROVE_WIN);
    }
    for (int square = 0; square < u->board->squares; square++) {
        for (int i = 0; i < SYMMETRY_COUNT; i++) {
            u->turned[i][square] = (uint16_t)symmetry_turn(u->board->size, i, square);
        }
        for (int side = 0; side < 2; side++) {
            u->stones[side][square] = rng_mix((uint64_t)(square * 2 + side + 1) << 32);
        }
    }
    for (int square = 0; square < u->board->squares; square++) {
        int stone = u->asked->position->board[square];
        if (stone != GOMOKU_EMPTY) {
            toggle(u, stone - 1, square);
        }
    }
}

static bool make(struct unfolding *u) {
    u->board = calloc(1, sizeof *u->board);
    u->history = calloc(1, sizeof *u->history);
    u->recent = calloc(GOMOKU_MOST_SQUARES + 1, sizeof *u->recent);
    u->lean = lean_new();
    if (!u->board || !u->history || !u->lean || !u->recent ||
        !threats_make(&u->threats, u->board, &u->clock, TABLE_BYTES)) {
        return false;
    }
    u->threats.plain = true;
    clock_start(&u->clock, &(struct search_limits){0}, u->asked->stop, 1);
    gboard_load(u->board, u->asked->position, u->history);
    lean_begin(u->board, u->lean);
    make_keys(u);
    return true;
}

static void take_apart(struct unfolding *u) {
    threats_free(&u->threats);
    for (int i = 0; u->recent && i <= GOMOKU_MOST_SQUARES; i++) {
        recent_free(&u->recent[i]);
    }
    tree_free(&u->win);
    proved_close(&u->met);
    free(u->recent);
    lean_free(u->lean);
    free(u->history);
    free(u->board);
}

struct certificate_claim unfold_claim(const struct gomoku_position *position, int hero) {
    return (struct certificate_claim){
        .game = "gomoku",
        .rule = "freestyle",
        .size = position->size,
        .to_move = position->count & 1,
        .hero = hero,
        .kind = CERTIFICATE_WINS,
        .board = position->board,
    };
}

/* The proof itself, once there is room for it. */
static bool unfold_root(struct unfolding *u) {
    struct unfold *asked = u->asked;
    struct core_move head = {0};
    bool villain_moves = u->board->side != asked->hero;
    if (asked->reader && !core_begin(asked->reader, villain_moves, &head.bare)) {
        return fail(u, "expected the beginning of a core's moves");
    }
    bool good = villain_moves ? unfold_villain(u, &head) : unfold_hero(u);
    return good && (!asked->reader || core_ends(asked->reader) || fail(u, "expected no more moves"));
}

enum status unfold(struct unfold *asked, struct error *error) {
    struct unfolding u = {.asked = asked, .error = error};
    struct certificate_claim claim = unfold_claim(asked->position, asked->hero);
    *error = (struct error){0};
    asked->told = asked->searched = asked->adapted = 0;
    proved_init(&u.met);
    enum status status = make(&u) ? STATUS_OK : error_machine(error, "no memory to unfold a proof");
    if (status == STATUS_OK) {
        certificate_begin(&u.certificate, asked->stream, &claim);
        bool good = unfold_root(&u);
        if (u.win.broken) {
            status = error_machine(error, "no memory to unfold a proof");
        } else if (good) {
            certificate_end(&u.certificate);
        } else {
            status = STATUS_BAD_INPUT;
        }
        asked->bytes = u.certificate.bytes;
        asked->digest = u.certificate.digest;
        asked->moves = u.certificate.moves;
    }
    take_apart(&u);
    return status;
}

/* The position of a certificate's head. */
enum status unfold_load(const struct certificate_win *win, struct gomoku_position *position, struct error *error) {
    enum status status = gomoku_set_board(position, win->size, GOMOKU_FREESTYLE, win->board, error);
    if (status == STATUS_OK && (position->winner != GOMOKU_NO_WINNER || (position->count & 1) != win->to_move ||
                                position->count == win->size * win->size)) {
        status = error_at(error, 0, 0, "expected the board of a game that is not over, and whose turn it is");
    }
    return status;
}

enum status unfold_core(const char *bytes, size_t length, struct unfold *asked, struct error *error) {
    struct core_reader reader;
    struct core_head head;
    struct gomoku_position position;
    enum status status = core_open(&reader, bytes, length, &head, error);
    status = status == STATUS_OK ? unfold_load(&head.win, &position, error) : status;
    if (status != STATUS_OK) {
        return status;
    }
    struct unfold whole = *asked;
    whole.position = &position;
    whole.hero = head.win.hero;
    whole.reader = &reader;
    status = unfold(&whole, error);
    *asked = whole;
    asked->position = NULL; /* neither outlives this call */
    asked->reader = NULL;
    if (status == STATUS_OK && (asked->bytes != head.proof_bytes || asked->digest != head.proof_digest)) {
        status = error_at(error, 0, 0,
                          "expected a certificate of %" PRIu64 " bytes with digest %016" PRIx64 ", made one of %" PRIu64
                          " with %016" PRIx64,
                          head.proof_bytes, head.proof_digest, asked->bytes, asked->digest);
    }
    return status;
}
