/* What a match reads from outside: descriptions of players, plans and openings, answers of programs, records.
 * The first byte chooses the reader. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "games/laser/rules/laser.h"
#include "games/war/rules/war.h"
#include "players/course_turn.h"
#include "results/record.h"
#include "results/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_player(const char *bytes, size_t length) {
    char *text = strndup(bytes, length);
    struct player_spec spec;
    struct player_spec again;
    struct error error;
    if (text && player_parse(text, &spec, &error) == STATUS_OK) {
        /* What is kept must be read back as the same command. */
        if (player_parse(spec.text, &again, &error) != STATUS_OK ||
            memcmp(spec.command, again.command, sizeof spec.command) != 0) {
            abort();
        }
    }
    free(text);
}

static void read_plan(const char *bytes, size_t length) {
    struct plan plan;
    struct error error;
    if (plan_read(&plan, bytes, length, &error) == STATUS_OK) {
        plan.games = 2;
        if (plan_check(&plan, &error) == STATUS_OK) {
            struct plan_game game;
            plan_game_at(&plan, 1, &game);
        }
        plan_free(&plan);
    }
}

static void read_openings(const char *bytes, size_t length) {
    struct plan plan = {.game = &war_game};
    struct error error;
    plan_add_openings(&plan, bytes, length, &error);
    plan_free(&plan);
}

static void judge(const struct game *game, int board, int variant, const char *bytes, size_t length) {
    struct game_position *position = malloc(game->properties->position_size);
    struct error error;
    if (position && game->start(position, board, variant, &error) == STATUS_OK) {
        game_move move;
        enum player_fault fault;
        char detail[200];
        bool right = course_turn_judge(course_format_of(game, variant), game, position, bytes, length, &move, &fault,
                                       detail, sizeof detail);
        if (right && !game->legal(position, move)) {
            abort();
        }
    }
    free(position);
}

static void read_record(const char *bytes, size_t length) {
    struct record record;
    struct text text = TEXT_EMPTY;
    if (record_unpack(&record, bytes, length)) {
        record_free(&record);
    }
    text_add_json_bytes(&text, bytes, length);
    text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    const char *bytes = (const char *)data + 1;
    switch (data[0] % 7) {
    case 0:
        read_player(bytes, size - 1);
        break;
    case 1:
        read_plan(bytes, size - 1);
        break;
    case 2:
        read_openings(bytes, size - 1);
        break;
    case 3:
        judge(&war_game, 4, WAR_STAKE, bytes, size - 1);
        break;
    case 4:
        judge(&war_game, 5, WAR_SNEAK, bytes, size - 1);
        break;
    case 5:
        judge(&laser_game, 5, 0, bytes, size - 1);
        break;
    default:
        read_record(bytes, size - 1);
        break;
    }
    return 0;
}
