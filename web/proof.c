/* The page's proofs: certificates go in, and a position is looked up among theirs. */
#include "base/json.h"
#include "web.h"

/* Adds the certificates in the input; answers how many positions are known now. */
int EXPORT(web_open_proof)(void) {
    size_t length;
    size_t positions;
    sortie_error error = {0};
    const char *bytes = web_bytes(&length);
    if (sortie_proofs_add("gomoku", bytes, length, &positions, &error) != SORTIE_OK) {
        return web_refuse(&error);
    }
    text_addf(web_answer(), "%zu", positions);
    return 0;
}

/* What is proved about a position: the move that wins, or in a lost position the one that resists longest, and the
 * value for the side to move; an empty object where nothing is. */
int EXPORT(web_proof)(void) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    struct json json = {web_answer(), false};
    sortie_result result = SORTIE_INIT(sortie_result);
    json_open_object(&json, NULL);
    if (sortie_position_proved(ask.position, &result)) {
        json_string(&json, "move", result.move);
        json_int(&json, "value", result.value);
    }
    json_close_object(&json);
    ask_free(&ask);
    return 0;
}
