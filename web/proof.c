/* The page's proofs: certificates go in, and a position is looked up among theirs. */
#include "base/json.h"
#include "book.h"
#include "engine/api.h"
#include "web.h"

/* Adds the certificates in the input; answers how many positions are known now. */
int EXPORT(web_open_proof)(void) {
    size_t length;
    const char *bytes = web_bytes(&length);
    if (!book_read(&web_book, (const uint8_t *)bytes, length)) {
        return web_refuse(&(sortie_error){.text = "expected certificates of wins at freestyle Gomoku, whole ones"});
    }
    book_settle_swap(&web_book);
    text_addf(web_answer(), "%zu", web_book.count);
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
    const struct gomoku_position *board = gomoku_const(ask.position->board);
    uint16_t move;
    int plies;
    json_open_object(&json, NULL);
    if (ask.position->game == &gomoku_game && board->winner == GOMOKU_NO_WINNER) {
        bool won = book_look_up(&web_book, board, &move, &plies);
        bool lost = !won && book_look_up_lost(&web_book, board, &plies);
        if (lost && !book_resist(&web_book, board, &move)) {
            move = (uint16_t)gomoku_quick_move(board, NULL); /* any one: a single win answers them all */
        }
        if (won || lost) {
            char name[8];
            gomoku_square_text(board->size, move, name);
            json_string(&json, "move", name);
            json_int(&json, "value", won ? GAME_WIN_VALUE - plies : plies - GAME_WIN_VALUE);
        }
    }
    json_close_object(&json);
    ask_free(&ask);
    return 0;
}
