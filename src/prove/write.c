#include "prove/write.h"

#include <stdlib.h>

#include "base/assert.h"

#define NO_NAME UINT32_MAX
#define LOOK_EVERY 4096 /* nodes between two looks at the clock */

struct writer {
    struct prover *prover; /* NULL: nobody looks at the clock */
    const struct tree *tree;
    struct gboard *board; /* follows what is written */
    struct certificate *certificate;
    bool *wanted;     /* nodes that others refer to; NULL: none */
    uint32_t *names;  /* theirs, once they are complete */
    uint64_t written; /* nodes */
    bool patient;
    bool stopped;
};

static void write_hero(struct writer *writer, int32_t index);

static void write_pairs(struct writer *writer, const struct tree_node *node) {
    uint16_t squares[GOMOKU_MOST_SQUARES];
    for (int i = 0; i < node->count; i++) {
        const uint8_t *pair = writer->tree->pairs[node->first + i];
        squares[2 * i] = pair[0];
        squares[2 * i + 1] = pair[1];
    }
    certificate_pairing(writer->certificate, squares, node->count);
}

static void write_answer(struct writer *writer, const struct tree_reply *reply) {
    gboard_play(writer->board, reply->square);
    write_hero(writer, reply->node);
    gboard_undo(writer->board);
}

/* The answer to a node's reply; asked only where there is one, since a tree without any has no list of them. */
static const struct tree_reply *reply_at(const struct writer *writer, const struct tree_node *node, int index) {
    ASSERT(index < node->count);
    return &writer->tree->replies[node->first + index];
}

/* The villain is to move. */
static void write_villain(struct writer *writer, const struct tree_node *node) {
    struct gboard *board = writer->board;
    int fives = gboard_set_count(board, 1 - board->side, SET_FIVE);
    if (fives > 1) {
        certificate_code(writer->certificate, CERTIFICATE_WON);
        return;
    }
    if (node->pass == TREE_PAIRING) {
        write_pairs(writer, node);
        return;
    }
    if (fives == 1) {
        certificate_code(writer->certificate, CERTIFICATE_FORCED);
        write_answer(writer, reply_at(writer, node, 0));
        return;
    }
    certificate_cover(writer->certificate, node->pass >= 0);
    if (node->pass >= 0) {
        gboard_pass(board);
        write_hero(writer, node->pass);
        gboard_pass(board);
    }
    uint16_t squares[GOMOKU_MOST_SQUARES];
    for (int i = 0; i < node->count; i++) {
        squares[i] = reply_at(writer, node, i)->square;
    }
    certificate_replies(writer->certificate, squares, node->count);
    for (int i = 0; i < node->count; i++) {
        write_answer(writer, reply_at(writer, node, i));
    }
}

/* The hero is to move. */
static void write_hero(struct writer *writer, int32_t index) {
    const struct tree_node *node = &writer->tree->nodes[index];
    struct gboard *board = writer->board;
    if (writer->prover && ++writer->written % LOOK_EVERY == 0 && !prover_goes_on(writer->prover) && !writer->patient) {
        writer->stopped = true;
    }
    if (writer->stopped) {
        return;
    }
    if (node->pass == TREE_REFER) {
        ASSERT(writer->names); /* only a whole proof refers to what it has named */
        certificate_refer(writer->certificate, writer->names[node->first]);
        return;
    }
    bool named = writer->wanted && writer->wanted[index] && writer->names[index] == NO_NAME;
    if (named) {
        certificate_code(writer->certificate, CERTIFICATE_NAME);
    }
    certificate_move(writer->certificate, node->move);
    if (!gboard_in_set(board, board->side, SET_FIVE, node->move)) {
        gboard_play(board, node->move);
        write_villain(writer, node);
        gboard_undo(board);
    }
    if (named) {
        writer->names[index] = certificate_named(writer->certificate);
    }
}

static void write_head(struct prover *prover, FILE *stream, struct certificate *certificate) {
    const struct gboard *board = prover->board;
    uint8_t stones[GOMOKU_MOST_SQUARES];
    for (int square = 0; square < board->squares; square++) {
        stones[square] =
            (uint8_t)(board->lines[0][square / board->size] >> (2 * (GBOARD_MARGIN + square % board->size)) & 3);
    }
    struct certificate_claim claim = {
        .game = "gomoku",
        .rule = "freestyle",
        .size = board->size,
        .to_move = board->side,
        .hero = prover->settings.hero,
        .kind = prover->settings.claim == PROVE_WIN ? CERTIFICATE_WINS : CERTIFICATE_HOLDS,
        .board = stones,
    };
    certificate_begin(certificate, stream, &claim);
}

enum write_outcome write_proof(struct prover *prover, const struct tree *tree, int32_t root, FILE *stream, bool patient,
                               struct certificate *certificate) {
    struct writer writer = {
        .prover = prover, .tree = tree, .board = prover->board, .certificate = certificate, .patient = patient};
    size_t count = (size_t)tree->node_count;
    writer.wanted = calloc(count, sizeof *writer.wanted);
    writer.names = malloc(count * sizeof *writer.names);
    bool room = writer.wanted && writer.names;
    if (room) {
        for (size_t i = 0; i < count; i++) {
            writer.names[i] = NO_NAME;
            if (tree->nodes[i].pass == TREE_REFER) {
                writer.wanted[tree->nodes[i].first] = true;
            }
        }
        write_head(prover, stream, certificate);
        if (prover_hero_moves(prover)) {
            write_hero(&writer, root);
        } else {
            write_villain(&writer, &tree->nodes[root]);
        }
        certificate_end(certificate);
    }
    free(writer.wanted);
    free(writer.names);
    return !room ? WRITE_NO_MEMORY : writer.stopped ? WRITE_STOPPED : WRITE_DONE;
}

void write_win(struct gboard *board, const struct tree *tree, int32_t node, struct certificate *certificate) {
    struct writer writer = {.tree = tree, .board = board, .certificate = certificate};
    write_hero(&writer, node);
}
