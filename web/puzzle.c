/* The page's puzzles of Gomoku: wins within a few moves, proved move by move while they are played. */
#include <string.h>

#include "base/json.h"
#include "games/gomoku/rules/gomoku.h"
#include "games/gomoku/search/within.h"
#include "web.h"

#define NODES 20000000ULL /* for each question */

/* The position asked about in the game's own form; false with a refusal in the answer. */
static bool take_position(struct gomoku_position *position) {
    struct ask ask;
    sortie_error error = {.text = "expected a position of Gomoku, five or more in a row, that is not over"};
    if (!web_ask(&ask)) {
        return false;
    }
    char *own = sortie_position_text(ask.position);
    struct reader reader;
    struct error inner;
    bool fine = own && strncmp(own, "gomoku freestyle ", 17) == 0;
    if (fine) {
        reader_init(&reader, own, strlen(own));
        fine = gomoku_game.read((struct game_position *)position, &reader, &inner) == STATUS_OK &&
               position->winner == GOMOKU_NO_WINNER;
    }
    sortie_free(own);
    ask_free(&ask);
    if (!fine) {
        web_refuse(&error);
    }
    return fine;
}

static void add_square(struct json *json, const char *key, const struct gomoku_position *position, int square) {
    char name[8];
    gomoku_square_text(position->size, square, name);
    json_string(json, key, name);
}

/* Asked with the winner to move: {"moves": in how few it wins, "move": how}; with `replies` the other side is to move:
 * {"moves": how many the winner still needs, "move": the reply that holds out longest}. 0: not within `most`. */
int EXPORT(web_within)(int most, int replies) {
    static struct within *within; /* kept: what it has found helps with the next question */
    struct gomoku_position position;
    sortie_error error = {.text = "out of memory"};
    if (!take_position(&position)) {
        return 2;
    }
    within = within ? within : within_new();
    if (!within) {
        return web_refuse(&error);
    }
    uint16_t square = 0;
    int moves = 0;
    most = most > WITHIN_MOST ? WITHIN_MOST : most < 0 ? 0 : most;
    if (!replies) {
        moves = within_shortest(within, &position, most, NODES, &square);
        moves = moves < 0 ? 0 : moves;
    } else if (within_loses(within, &position, most, NODES) != WITHIN_YES ||
               !within_resist(within, &position, most, NODES, &square, &moves)) {
        moves = 0;
    }
    struct json json = {web_answer(), false};
    json_open_object(&json, NULL);
    json_int(&json, "moves", moves);
    if (moves > 0) {
        add_square(&json, "move", &position, square);
    }
    json_close_object(&json);
    return 0;
}
