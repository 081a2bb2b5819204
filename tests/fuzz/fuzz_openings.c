/* Any bytes as an opening book: no crash, and what is accepted reads the same once written. The digest is mended, since
 * nobody guesses one: the refusal says which was expected. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "games/gomoku/openings/choose.h"
#include "games/gomoku/openings/file.h"
#include "games/gomoku/openings/grow.h"

#define MOST_LENGTH 4000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes a book and reads it again. */
static void write_again(struct openings *book) {
    struct openings again = {0};
    struct error error;
    struct text text = TEXT_EMPTY;
    struct text second = TEXT_EMPTY;
    openings_write(book, &text);
    if (!text.broken && openings_parse(text_string(&text), text.length, &again, &error) != STATUS_OK) {
        abort();
    }
    openings_write(&again, &second);
    if (!text.broken && !second.broken && strcmp(text_string(&text), text_string(&second)) != 0) {
        abort();
    }
    openings_free(&again);
    text_free(&text);
    text_free(&second);
}

/* Asks it about its own positions, and what it wants next. */
static void use(struct openings *book) {
    struct openings_step *step = malloc(sizeof *step);
    struct rng rng = {1};
    if (step && openings_next(book, 14, step) && step->board.winner != GOMOKU_NO_WINNER) {
        abort();
    }
    free(step);
    for (size_t i = 0; i < book->count; i++) {
        struct gomoku_position board;
        struct search_result result;
        if (!openings_play(&book->positions[i], &board)) {
            abort();
        }
        if (openings_choose(book, &board, 0, &rng, &result) && board.board[result.move] != GOMOKU_EMPTY) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct openings book = {0};
    struct error error = {0};
    enum status status = openings_parse((const char *)data, size, &book, &error);
    const char *digest = status == STATUS_BAD_INPUT ? strstr(error.text, "the digest ") : NULL;
    if (digest) {
        struct text mended = TEXT_EMPTY;
        const char *at = (const char *)data;
        for (int line = 1; line < error.line; line++) {
            at = (const char *)memchr(at, '\n', size - (size_t)(at - (const char *)data)) + 1;
        }
        text_add(&mended, (const char *)data, (size_t)(at - (const char *)data));
        text_addf(&mended, "digest %.16s\n", digest + strlen("the digest "));
        if (!mended.broken && openings_parse(text_string(&mended), mended.length, &book, &error) != STATUS_OK) {
            abort();
        }
        text_free(&mended);
    } else if (status != STATUS_OK) {
        return 0;
    }
    write_again(&book);
    use(&book);
    openings_free(&book);
    return 0;
}
