#include "formats/record.h"

#include "base/number.h"
#include "formats/position.h"
#include "formats/records/moves.h"
#include "formats/records/psq.h"
#include "formats/records/records.h"
#include "formats/records/renlib.h"
#include "formats/records/sgf.h"

/* The wanted game of the file; of several the first, which is said. */
static enum status take_game(const struct gametrees *trees, struct course_request *request, struct error *error) {
    int wanted = request->record ? request->record : 1;
    request->records = trees->count;
    if (wanted > trees->count) {
        return STATUS_OK; /* refused by whoever asked */
    }
    if (trees->count > 1 && !request->record) {
        number_format(request->warning, sizeof request->warning, "the file has %d games, this is the first",
                      trees->count);
    }
    return gametree_position(&trees->items[wanted - 1], GOMOKU_FREESTYLE, (struct gomoku_position *)request->position,
                             error);
}

static enum status record_parse(const char *bytes, size_t length, struct course_request *request, struct error *error) {
    struct gametrees trees = {0};
    enum status status = record_format_find(request->format->name)->read(&trees, bytes, length, 0, error);
    if (status == STATUS_OK) {
        status = take_game(&trees, request, error);
        gametrees_free(&trees);
    }
    request->players[0].method = SEARCH_ENGINE;
    request->players[0].wall_seconds = 10;
    if (status == STATUS_OK) {
        request->players[0].side = request->game->to_move(request->position);
    }
    return status;
}

/* The move on the first line, then the game with it. */
static void sgf_answer(const struct game *game, const struct game_position *before, game_move move,
                       const struct game_position *after, struct text *text) {
    char move_text[32];
    game->move_text(before, move, move_text);
    text_addf(text, "%s\n", move_text);
    sgf_write((const struct gomoku_position *)after, text);
}

#define RECORD_FORMAT(NAME, TITLE, SNIFF, ANSWER)                                                                      \
    {                                                                                                                  \
        .name = (NAME), .title = (TITLE), .game = &gomoku_game, .variant = -1, .answer_file = "output.txt",            \
        .sniff = (SNIFF), .parse = record_parse, .answer = (ANSWER),                                                   \
    }

const struct course_format record_sgf = RECORD_FORMAT("sgf", "SGF game of Gomoku", sgf_sniff, sgf_answer);
const struct course_format record_psq = RECORD_FORMAT("psq", "Piskvork game", psq_sniff, position_answer);
const struct course_format record_lib = RECORD_FORMAT("lib", "RenLib library", renlib_sniff, position_answer);
const struct course_format record_pos = RECORD_FORMAT("pos", "text of Gomoku moves", pos_sniff, position_answer);
const struct course_format record_offset =
    RECORD_FORMAT("offset", "text of Gomocup offsets", offset_sniff, position_answer);
