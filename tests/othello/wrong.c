/* Othello with a fault, named by the environment: what a newcomer's game may have wrong. The suite that every game must
 * pass has to fail for each of them (tests/cli/wrong_games.sh), or it would let such a game through.
 *
 * A fault is a slot of the right game with something done to it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/registry.h"
#include "othello/othello.h"

static struct game wrong_game;

const struct game *const game_registry[] = {&wrong_game, NULL};

static struct othello_position *own(struct game_position *position) {
    return (struct othello_position *)position;
}

static const struct othello_position *own_const(const struct game_position *position) {
    return (const struct othello_position *)position;
}

static bool is_pass(const struct game_position *position) {
    game_move moves[OTHELLO_SQUARES];
    return othello_game.moves(position, moves) == 1 && moves[0] == OTHELLO_PASS;
}

/* -- play and undo -- */

static void undo_forgets_a_disc(struct game_position *position, const struct game_undo *undo) {
    othello_game.undo(position, undo);
    if (undo->words[0] != OTHELLO_PASS && undo->words[1] > 0) {
        own(position)->discs[undo->words[0] + 1] = own(position)->side;
    }
}

static void undo_leaves_the_disc(struct game_position *position, const struct game_undo *undo) {
    othello_game.undo(position, undo);
    if (undo->words[0] != OTHELLO_PASS) {
        own(position)->discs[undo->words[0]] = own(position)->side;
    }
}

static void undo_keeps_the_turn(struct game_position *position, const struct game_undo *undo) {
    othello_game.undo(position, undo);
    own(position)->side = 3 - own(position)->side;
}

/* The discs to the right are forgotten, and undo takes it back as it was. */
static void play_turns_too_few(struct game_position *position, game_move move, struct game_undo *undo) {
    int other = 3 - own(position)->side;
    othello_game.play(position, move, undo);
    for (uint64_t k = 1; move != OTHELLO_PASS && k <= undo->words[1]; k++) {
        own(position)->discs[move + k] = (uint8_t)other;
    }
}

static void play_keeps_the_turn(struct game_position *position, game_move move, struct game_undo *undo) {
    othello_game.play(position, move, undo);
    own(position)->side = 3 - own(position)->side;
}

static void undo_of_kept_turn(struct game_position *position, const struct game_undo *undo) {
    own(position)->side = 3 - own(position)->side;
    othello_game.undo(position, undo);
}

/* -- moves -- */

static int moves_twice(const struct game_position *position, game_move *moves) {
    int count = othello_game.moves(position, moves);
    if (count > 0) {
        moves[count] = moves[0];
    }
    return count ? count + 1 : 0;
}

static int moves_lack_one(const struct game_position *position, game_move *moves) {
    int count = othello_game.moves(position, moves);
    return count > 1 ? count - 1 : count;
}

static int moves_lack_the_pass(const struct game_position *position, game_move *moves) {
    return is_pass(position) ? 0 : othello_game.moves(position, moves);
}

static bool over_at_a_pass(const struct game_position *position) {
    return othello_game.over(position) || is_pass(position);
}

static bool pass_is_not_legal(const struct game_position *position, game_move move) {
    return move != OTHELLO_PASS && othello_game.legal(position, move);
}

static bool pass_is_always_legal(const struct game_position *position, game_move move) {
    return move == OTHELLO_PASS ? !othello_game.over(position) : othello_game.legal(position, move);
}

static bool any_square_is_legal(const struct game_position *position, game_move move) {
    bool square = move < (game_move)(own_const(position)->size * own_const(position)->size);
    return othello_game.legal(position, move) || (square && !own_const(position)->discs[move] && !is_pass(position));
}

static int actions_without_the_pass(const struct game_position *position) {
    return othello_game.actions(position) - 1;
}

/* -- hash -- */

static uint64_t hash_without_side(const struct game_position *position) {
    struct othello_position copy = *own_const(position);
    copy.side = 1;
    return othello_game.hash((const struct game_position *)&copy);
}

static uint64_t hash_of_the_first_rows(const struct game_position *position) {
    struct othello_position copy = *own_const(position);
    memset(copy.discs + copy.size, 0, sizeof copy.discs - copy.size);
    return othello_game.hash((const struct game_position *)&copy);
}

/* -- text and notation -- */

static void write_without_side(const struct game_position *position, struct text *text) {
    struct othello_position copy = *own_const(position);
    copy.side = 1;
    othello_game.write((const struct game_position *)&copy, text);
}

static enum status read_loses_a_disc(struct game_position *position, struct reader *reader, struct error *error) {
    enum status status = othello_game.read(position, reader, error);
    own(position)->discs[0] = 0;
    return status;
}

static void rows_from_the_bottom(const struct game_position *position, game_move move, char text[32]) {
    int size = own_const(position)->size;
    if (move != OTHELLO_PASS) {
        move = (game_move)((size - 1 - (int)move / size) * size + (int)move % size);
    }
    othello_game.move_text(position, move, text);
}

static enum status parses_taken_squares(const struct game_position *position, const char *bytes, size_t length,
                                        game_move *move, struct error *error) {
    enum status status = othello_game.parse_move(position, bytes, length, move, error);
    if (status != STATUS_OK && length == 2 && bytes[0] >= 'A' && bytes[1] >= '1') {
        *move = (game_move)((bytes[1] - '1') * own_const(position)->size + bytes[0] - 'A');
        status = STATUS_OK;
    }
    return status;
}

static enum status does_not_know_pass(const struct game_position *position, const char *bytes, size_t length,
                                      game_move *move, struct error *error) {
    if (length == 4) {
        return error_at(error, 1, 1, "expected a square");
    }
    return othello_game.parse_move(position, bytes, length, move, error);
}

/* -- sizes -- */

/* A board of an odd size, which the game says it does not take. */
static enum status starts_on_odd_boards(struct game_position *position, int size, int variant, struct error *error) {
    bool odd = size % 2 && size > OTHELLO_LEAST && size < OTHELLO_MOST;
    enum status status = othello_game.start(position, odd ? size - 1 : size, variant, error);
    own(position)->size = (uint8_t)(status == STATUS_OK ? size : 0);
    return status;
}

static bool takes_every_size(int size) {
    return size > 0;
}

/* -- the list -- */

struct fault {
    const char *name;
    struct game slots; /* those that are wrong */
};

static const struct fault faults[] = {
    {"undo-forgets-a-disc", {.undo = undo_forgets_a_disc}},
    {"undo-leaves-the-disc", {.undo = undo_leaves_the_disc}},
    {"undo-keeps-the-turn", {.undo = undo_keeps_the_turn}},
    {"play-turns-too-few", {.play = play_turns_too_few}},
    {"play-keeps-the-turn", {.play = play_keeps_the_turn, .undo = undo_of_kept_turn}},
    {"a-move-twice", {.moves = moves_twice}},
    {"a-move-too-few", {.moves = moves_lack_one}},
    {"no-pass-among-the-moves", {.moves = moves_lack_the_pass}},
    {"the-game-ends-at-a-pass", {.moves = moves_lack_the_pass, .over = over_at_a_pass, .legal = pass_is_not_legal}},
    {"a-pass-is-not-legal", {.legal = pass_is_not_legal}},
    {"a-pass-is-always-legal", {.legal = pass_is_always_legal}},
    {"any-square-is-legal", {.legal = any_square_is_legal}},
    {"the-pass-has-no-number", {.actions = actions_without_the_pass}},
    {"the-hash-forgets-the-side", {.hash = hash_without_side}},
    {"the-hash-forgets-rows", {.hash = hash_of_the_first_rows}},
    {"the-text-forgets-the-side", {.write = write_without_side}},
    {"reading-loses-a-disc", {.read = read_loses_a_disc}},
    {"rows-from-the-bottom", {.move_text = rows_from_the_bottom}},
    {"taken-squares-are-parsed", {.parse_move = parses_taken_squares}},
    {"the-word-pass-is-unknown", {.parse_move = does_not_know_pass}},
    {"odd-boards-are-started", {.start = starts_on_odd_boards}},
    {"odd-sizes-are-promised", {.takes_size = takes_every_size}},
};
#define FAULTS (sizeof faults / sizeof *faults)

/* Slots are pointers of one size: whatever the fault fills stands in the place of what is right. */
static void apply(const struct fault *fault) {
    char *to = (char *)&wrong_game;
    const char *from = (const char *)&fault->slots;
    for (size_t i = 0; i < sizeof wrong_game; i += sizeof(void *)) {
        static const char nothing[sizeof(void *)];
        if (memcmp(from + i, nothing, sizeof nothing) != 0) {
            memcpy(to + i, from + i, sizeof nothing);
        }
    }
}

/* Before main: the tests know nothing of it. "list" prints the names, "" is the right game. */
__attribute__((constructor)) static void choose(void) {
    const char *name = getenv("OTHELLO_FAULT");
    bool found = !name || !*name;
    wrong_game = othello_game;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what failed is told, however it ends */
    for (size_t i = 0; name && i < FAULTS; i++) {
        if (strcmp(name, faults[i].name) == 0) {
            apply(&faults[i]);
            found = true;
        } else if (strcmp(name, "list") == 0) {
            puts(faults[i].name);
        }
    }
    if (!found) {
        exit(strcmp(name, "list") == 0 ? 0 : 3);
    }
}
