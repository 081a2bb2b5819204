/* The Stake-Raid course file:
 *
 *   N, the mode, the side to play, the depth (or the CPU seconds left), N rows of values, N rows of board. */
#include "formats/stake.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "formats/course_answer.h"
#include "games/war/rules/war.h"

#define MOST_NUMBER 63 /* bytes of the seconds */
#define MOST_SHAPE 39  /* bytes of a line that can be a move */

/* A number in the first line and in the second neither a number nor a single letter. */
static bool stake_sniff(const char *bytes, size_t length) {
    struct reader reader;
    reader_init(&reader, bytes, length);
    if (!reader_next_line(&reader) || !reader_sees_number(&reader)) {
        return false;
    }
    if (!reader_next_line(&reader)) {
        return true;
    }
    const char *word;
    return !reader_sees_number(&reader) && reader_word(&reader, &word) != 1;
}

/* A decimal number of seconds, 0 or more. */
static enum status parse_seconds(struct reader *reader, double *seconds, struct error *error) {
    static const char expected[] = "the CPU seconds left, a number of 0 or more";
    if (reader->length == 0 || reader->length > MOST_NUMBER ||
        number_read(reader->line, reader->length, seconds) != reader->length || !isfinite(*seconds) || *seconds < 0) {
        return reader_expected(reader, expected, error);
    }
    return STATUS_OK;
}

static enum status parse_depth(struct reader *reader, int *depth, struct error *error) {
    int64_t number;
    enum status status = reader_integer(reader, 1, 1000000000, "the depth, 1 or more", &number, error);
    if (status != STATUS_OK) {
        return status;
    }
    *depth = (int)number;
    return reader_need_line_end(reader, "the end of the line after the depth", error);
}

static enum status parse_mode(struct reader *reader, enum search_method *method, struct error *error) {
    static const char expected[] = "the mode MINIMAX, ALPHABETA or COMPETITION";
    enum status status = reader_need_line(reader, expected, error);
    if (status != STATUS_OK) {
        return status;
    }
    if (reader_line_is(reader, "MINIMAX")) {
        *method = TEXTBOOK_MINIMAX;
    } else if (reader_line_is(reader, "ALPHABETA")) {
        *method = TEXTBOOK_ALPHABETA;
    } else if (reader_line_is(reader, "COMPETITION")) {
        *method = SEARCH_ENGINE;
    } else {
        return reader_expected(reader, expected, error);
    }
    return STATUS_OK;
}

static enum status stake_parse(const char *bytes, size_t length, struct course_request *request, struct error *error) {
    struct war_position *position = (struct war_position *)request->position;
    struct course_player *player = &request->players[0];
    struct reader reader;
    reader_init(&reader, bytes, length);

    int64_t size = 0;
    enum status status = reader_need_line(&reader, "the board size, 1 to 26", error);
    if (status == STATUS_OK) {
        status = reader_integer(&reader, 1, WAR_MOST_SIZE, "the board size, 1 to 26", &size, error);
    }
    if (status == STATUS_OK) {
        status = reader_need_line_end(&reader, "the end of the line after the board size", error);
    }
    if (status == STATUS_OK) {
        status = parse_mode(&reader, &player->method, error);
    }
    if (status == STATUS_OK) {
        status = war_read_side(&reader, &player->side, error);
    }
    bool competition = player->method == SEARCH_ENGINE;
    if (status == STATUS_OK) {
        status = reader_need_line(&reader, competition ? "the CPU seconds left" : "the depth, 1 or more", error);
    }
    if (status == STATUS_OK) {
        status = competition ? parse_seconds(&reader, &player->cpu_seconds_left, error)
                             : parse_depth(&reader, &player->depth, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    war_clear(position, (int)size, WAR_STAKE);
    position->to_move = (uint8_t)player->side;
    status = war_read_values(position, &reader, error);
    if (status == STATUS_OK) {
        status = war_read_board(position, &reader, '.', error);
    }
    return status == STATUS_OK ? reader_need_end(&reader, error) : status;
}

static void stake_board(const struct game_position *position, struct text *text) {
    war_write_board((const struct war_position *)position, '.', text);
}

static void stake_answer(const struct game *game, const struct game_position *before, game_move move,
                         const struct game_position *after, struct text *text) {
    char move_text[32];
    game->move_text(before, move, move_text);
    text_addf(text, "%s\n", move_text);
    stake_board(after, text);
}

static void stake_ask(const struct game_position *position, const struct course_question *question, struct text *text) {
    const struct war_position *war = (const struct war_position *)position;
    char side = war->to_move == WAR_X ? 'X' : 'O';
    if (question->fixed) {
        const char *mode = question->task == 2 ? "MINIMAX" : "ALPHABETA";
        text_addf(text, "%d\n%s\n%c\n%d\n", war->size, mode, side, war_depth(war, question->depth));
    } else {
        text_addf(text, "%d\nCOMPETITION\n%c\n%.3f\n", war->size, side, question->seconds);
    }
    war_write_values(war, text);
    stake_board(position, text);
}

/* A square and a kind of move in the first line. */
static bool stake_has_shape(const char *bytes, size_t length, int size) {
    (void)size;
    struct course_line first;
    if (!course_next_line(&bytes, bytes + length, &first) || first.length < 2 || first.length > MOST_SHAPE ||
        first.at[0] < 'A' || first.at[0] > 'Z') {
        return false;
    }
    const char *end = first.at + first.length;
    const char *word = number_skip_integer(first.at + 1, end);
    while (word && word < end && number_is_space(*word)) {
        word++;
    }
    size_t letters = 0;
    while (word && word + letters < end && !number_is_space(word[letters])) {
        letters++;
    }
    return (letters == 5 && memcmp(word, "Stake", 5) == 0) || (letters == 4 && memcmp(word, "Raid", 4) == 0);
}

const struct course_format stake_format = {
    .name = "stake",
    .title = "Stake-Raid course file",
    .game = &war_game,
    .variant = WAR_STAKE,
    .answer_file = "output.txt",
    .sniff = stake_sniff,
    .parse = stake_parse,
    .answer = stake_answer,
    .board = stake_board,
    .ask = stake_ask,
    .has_shape = stake_has_shape,
    .clock = {.cpu = true, .per_game = 200, .grace = 10},
};
