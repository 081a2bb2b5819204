/* Commands of the Gomocup protocol that go on over several lines up to DONE: positions, openings, squares. Some boards
 * put all of it on one line. */
#include <stdio.h>
#include <string.h>

#include "base/reader.h"
#include "base/stopwatch.h"
#include "games/gomoku/openings/choose.h"
#include "games/gomoku/openings/installed.h"
#include "games/gomoku/rules/swap2.h"
#include "protocols/gomocup/gomocup_state.h"

#define SWAP2_STONES 5    /* on the board when the last choice is made */
#define SWAP2_SECONDS 5.0 /* more thought does not change a choice */

/* -- positions -- */

/* One stone: x,y and whose it is, 1 for the brain's own. */
static void board_line(struct gomocup *gomocup, const char *bytes, size_t length) {
    int64_t numbers[3];
    int size = gomocup->position.size;
    bool good = !gomocup->block_bad && gomocup_read_numbers(bytes, length, 3, numbers) && numbers[0] >= 0 &&
                numbers[0] < size && numbers[1] >= 0 && numbers[1] < size && (numbers[2] == 1 || numbers[2] == 2);
    int *count = good ? &gomocup->stone_counts[numbers[2] - 1] : NULL;
    if (!good || *count >= GOMOKU_MOST_SQUARES) {
        gomocup->block_bad = true;
        return;
    }
    gomocup->stones[numbers[2] - 1][(*count)++] = (uint16_t)(numbers[1] * size + numbers[0]);
}

/* Plays the stones in the order they came, each colour's apart: the side with more stones, or the own side when
 * both have the same, moved first. */
static void board_done(struct gomocup *gomocup, bool think) {
    struct gomoku_position position;
    gomoku_clear(&position, gomocup->position.size, gomocup_variant(gomocup));
    int own = gomocup->stone_counts[0];
    int other = gomocup->stone_counts[1];
    bool good = !gomocup->block_bad && (own == other || own + 1 == other);
    int first = own == other ? 0 : 1;
    for (int i = 0; i < own + other && good; i++) {
        int square = gomocup->stones[(i & 1) ^ first][i / 2];
        good = position.board[square] == GOMOKU_EMPTY && position.winner == GOMOKU_NO_WINNER;
        if (good) {
            gomoku_put(&position, square);
        }
    }
    if (!good) {
        gomocup_answer(gomocup,
                       "ERROR expected a board of lines x,y,1 or x,y,2 on empty squares, with the brain to move");
        return;
    }
    if (think && !gomocup_knows_rule(gomocup)) {
        return;
    }
    gomocup->position = position;
    if (think) {
        gomocup_go(gomocup);
    }
}

/* -- swap2 -- */

/* The next stone: x,y. They are collected as if they were all the brain's own. */
static void swap2_line(struct gomocup *gomocup, const char *bytes, size_t length) {
    int square = gomocup_read_square(gomocup, bytes, length);
    if (gomocup->block_bad || square < 0 || gomocup->stone_counts[0] >= SWAP2_STONES) {
        gomocup->block_bad = true;
        return;
    }
    gomocup->stones[0][gomocup->stone_counts[0]++] = (uint16_t)square;
}

/* The engine's word on an opening. */
static bool search_opening(void *user, const struct gomoku_position *position, double seconds,
                           struct search_result *result) {
    struct gomocup *gomocup = user;
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = {.wall_seconds = seconds}};
    return engine_go(gomocup->engine, &gomoku_game, (const struct game_position *)position, &request, NULL, result,
                     NULL) == STATUS_OK;
}

bool gomocup_choose_swap2(struct gomocup *gomocup, const struct gomoku_position *position,
                          struct swap2_answer *choice) {
    if (!gomocup_ready_engine(gomocup)) {
        return false;
    }
    struct rng rng = {rng_mix((uint64_t)(clock_wall() * 1e9))};
    if (!gomocup->options.no_book && openings_swap2(openings_installed(), position, &rng, choice)) {
        return true;
    }
    gomocup_settle(gomocup);
    gomoku_swap2(search_opening, gomocup, position, gomocup_turn_seconds(gomocup, SWAP2_SECONDS),
                 (uint64_t)(clock_wall() * 1e6), NULL, choice);
    gomocup_spend(gomocup);
    return true;
}

/* Chooses by the stones there are, within the time of a turn. The game itself comes later, by BOARD. */
static void swap2_done(struct gomocup *gomocup) {
    struct gomoku_position position;
    gomoku_clear(&position, gomocup->position.size, gomocup_variant(gomocup));
    int stones = gomocup->stone_counts[0];
    bool good = !gomocup->block_bad && (stones == 0 || stones == 3 || stones == 5);
    for (int i = 0; i < stones && good; i++) {
        good = position.board[gomocup->stones[0][i]] == GOMOKU_EMPTY;
        if (good) {
            gomoku_put(&position, gomocup->stones[0][i]);
        }
    }
    if (!good) {
        gomocup_answer(gomocup, "ERROR expected no, three or five lines x,y of empty squares");
        return;
    }
    struct swap2_answer choice;
    if (!gomocup_choose_swap2(gomocup, &position, &choice)) {
        return;
    }
    char line[64] = "SWAP";
    size_t used = 0;
    for (int i = 0; i < choice.count; i++) {
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%d,%d", i ? " " : "",
                                 choice.squares[i] % position.size, choice.squares[i] / position.size);
    }
    gomocup_answer(gomocup, "%s", line);
}

/* -- squares that are not to be played -- */

static void close_line(struct gomocup *gomocup, const char *bytes, size_t length, bool close) {
    int square = gomocup_read_square(gomocup, bytes, length);
    if (square < 0) {
        gomocup_answer(gomocup, "ERROR expected a square of the board as x,y");
        return;
    }
    uint64_t bit = UINT64_C(1) << (square & 63);
    gomocup->closed[square >> 6] = close ? gomocup->closed[square >> 6] | bit : gomocup->closed[square >> 6] & ~bit;
}

/* -- any block -- */

static void block_done(struct gomocup *gomocup) {
    enum gomocup_block block = gomocup->block;
    gomocup->block = BLOCK_NONE;
    if (block == BLOCK_BOARD || block == BLOCK_POSITION) {
        board_done(gomocup, block == BLOCK_BOARD);
    } else if (block == BLOCK_SWAP2) {
        swap2_done(gomocup);
    } else if (block == BLOCK_DATABASE) {
        gomocup_database_done(gomocup);
    }
}

bool gomocup_block_line(struct gomocup *gomocup, const char *bytes, size_t length) {
    enum gomocup_block block = gomocup->block;
    if (gomocup_same_word(bytes, length, "DONE")) {
        block_done(gomocup);
    } else if (block == BLOCK_BOARD || block == BLOCK_POSITION) {
        board_line(gomocup, bytes, length);
    } else if (block == BLOCK_SWAP2) {
        swap2_line(gomocup, bytes, length);
    } else if (block == BLOCK_CLOSE || block == BLOCK_OPEN) {
        close_line(gomocup, bytes, length, block == BLOCK_CLOSE);
    } else if (block == BLOCK_DATABASE && length > 0 && (bytes[0] == '-' || (bytes[0] >= '0' && bytes[0] <= '9'))) {
        gomocup_database_square(gomocup, bytes, length);
    } else if (length > 0 && ((bytes[0] >= 'a' && bytes[0] <= 'z') || (bytes[0] >= 'A' && bytes[0] <= 'Z'))) {
        gomocup->block = BLOCK_NONE; /* the sender has no DONE for it */
        return false;
    }
    return true;
}

void gomocup_begin_block(struct gomocup *gomocup, enum gomocup_block block, const char *rest, size_t length) {
    struct reader reader;
    const char *word;
    gomocup->block = block;
    gomocup->block_bad = false;
    gomocup->stone_counts[0] = gomocup->stone_counts[1] = 0;
    reader_init(&reader, rest, length);
    reader_next_line(&reader);
    while (gomocup->block != BLOCK_NONE && reader_skip_blanks(&reader)) {
        size_t word_length = reader_word(&reader, &word);
        gomocup_block_line(gomocup, word, word_length);
    }
}
