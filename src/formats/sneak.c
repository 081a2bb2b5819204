/* The Sneak-Raid course files: a task (1 greedy, 2 minimax, 3 alpha-beta) with its player and depth, or a
 * battle (4) of two players; then five rows of values and five of board. */
#include "formats/sneak.h"

#include <string.h>

#include "formats/course_answer.h"
#include "games/war/rules/war.h"

#define SNEAK_SIZE 5

/* A number in the first line and a single character that is no digit in the second. */
static bool sneak_sniff(const char *bytes, size_t length) {
    struct reader reader;
    reader_init(&reader, bytes, length);
    if (!reader_next_line(&reader) || !reader_sees_number(&reader) || !reader_next_line(&reader)) {
        return false;
    }
    const char *word;
    return !reader_sees_number(&reader) && reader_word(&reader, &word) == 1;
}

/* One integer of 1 to `most` alone on the next line. */
static enum status line_integer(struct reader *reader, int most, const char *expected, int *value,
                                struct error *error) {
    int64_t number = 0;
    enum status status = reader_need_line(reader, expected, error);
    if (status == STATUS_OK) {
        status = reader_integer(reader, 1, most, expected, &number, error);
    }
    *value = (int)number;
    return status == STATUS_OK ? reader_need_line_end(reader, "the end of the line", error) : status;
}

static enum search_method method_of(int algorithm) {
    return algorithm == 1 ? TEXTBOOK_GREEDY : algorithm == 2 ? TEXTBOOK_MINIMAX : TEXTBOOK_ALPHABETA;
}

static enum status parse_players(struct reader *reader, struct course_request *request, struct error *error) {
    int task;
    enum status status =
        line_integer(reader, 4, "the task: 1 greedy, 2 minimax, 3 alpha-beta or 4 battle", &task, error);
    if (status != STATUS_OK) {
        return status;
    }
    request->battle = task == 4;
    request->log = task == 2 || task == 3;
    for (int i = 0; i < (request->battle ? 2 : 1); i++) {
        struct course_player *player = &request->players[i];
        status = war_read_side(reader, &player->side, error);
        if (status == STATUS_OK && i == 1 && player->side == request->players[0].side) {
            status = reader_expected(reader, "the other player", error);
        }
        int algorithm = task;
        if (status == STATUS_OK && request->battle) {
            status = line_integer(reader, 3, "the algorithm: 1 greedy, 2 minimax or 3 alpha-beta", &algorithm, error);
        }
        if (status == STATUS_OK) {
            status = line_integer(reader, 1000000000, "the cut-off depth, 1 or more", &player->depth, error);
        }
        if (status != STATUS_OK) {
            return status;
        }
        player->method = method_of(algorithm);
    }
    return STATUS_OK;
}

static enum status sneak_parse(const char *bytes, size_t length, struct course_request *request, struct error *error) {
    struct war_position *position = (struct war_position *)request->position;
    struct reader reader;
    reader_init(&reader, bytes, length);
    enum status status = parse_players(&reader, request, error);
    if (status != STATUS_OK) {
        return status;
    }
    war_clear(position, SNEAK_SIZE, WAR_SNEAK);
    position->to_move = (uint8_t)request->players[0].side;
    status = war_read_values(position, &reader, error);
    if (status == STATUS_OK) {
        status = war_read_board(position, &reader, '*', error);
    }
    return status == STATUS_OK ? reader_need_end(&reader, error) : status;
}

static void sneak_board(const struct game_position *position, struct text *text) {
    war_write_board((const struct war_position *)position, '*', text);
}

static void sneak_answer(const struct game *game, const struct game_position *before, game_move move,
                         const struct game_position *after, struct text *text) {
    (void)game, (void)before, (void)move;
    sneak_board(after, text);
}

static void sneak_ask(const struct game_position *position, const struct course_question *question, struct text *text) {
    const struct war_position *war = (const struct war_position *)position;
    text_addf(text, "%d\n%c\n%d\n", question->task, war->to_move == WAR_X ? 'X' : 'O', war_depth(war, question->depth));
    war_write_values(war, text);
    sneak_board(position, text);
}

/* As many rows as the board has, of the right length and characters. */
static bool sneak_has_shape(const char *bytes, size_t length, int size) {
    const char *end = course_trim(bytes, length);
    struct course_line line;
    int rows = 0;
    for (; course_next_line(&bytes, end, &line); rows++) {
        if (line.length != (size_t)size) {
            return false;
        }
        for (size_t i = 0; i < line.length; i++) {
            if (!strchr("*XO", line.at[i]) || !line.at[i]) {
                return false;
            }
        }
    }
    return rows == size;
}

const struct course_format sneak_format = {
    .name = "sneak",
    .title = "Sneak-Raid course file",
    .game = &war_game,
    .variant = WAR_SNEAK,
    .answer_file = "next_state.txt",
    .battle_file = "trace_state.txt",
    .log_file = "traverse_log.txt",
    .sniff = sneak_sniff,
    .parse = sneak_parse,
    .answer = sneak_answer,
    .board = sneak_board,
    .ask = sneak_ask,
    .has_shape = sneak_has_shape,
    .input_argument = true,
    .only_size = SNEAK_SIZE,
    .clock = {.per_move = 60},
};
