/* The door of the page: one position, one engine, and a buffer through which texts go in and out. Compiled with
 * the same sources as the program, to WebAssembly. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/engine.h"
#include "formats/course.h"
#include "games/registry.h"

#define EXPORT(name) __attribute__((export_name(#name))) name
#define MOST_BYTES ((size_t)1 << 18)
#define MOST_PLIES 1024

static char buffer[MOST_BYTES];
static const struct game *game;
static struct game_position *position; /* owned */
static struct game_undo undos[MOST_PLIES];
static int played;
static struct engine *engine; /* owned; lives as long as the page */

/* Puts a text into the buffer, ended by a zero byte. */
static int hand_out(struct text *text) {
    int length = text->broken || text->length >= MOST_BYTES ? -1 : (int)text->length;
    memcpy(buffer, text_string(text), length < 0 ? 0 : (size_t)length);
    buffer[length < 0 ? 0 : length] = '\0';
    text_free(text);
    return length;
}

static int hand_out_error(const struct error *error) {
    struct text text = TEXT_EMPTY;
    if (error->line > 0) {
        text_addf(&text, "line %d, column %d: ", error->line, error->column);
    }
    text_add_string(&text, error->text);
    hand_out(&text);
    return 2;
}

static int take_over(const struct game *new_game, struct game_position *new_position) {
    free(position);
    game = new_game;
    position = new_position;
    played = 0;
    return 0;
}

/* Advice about memory, which the C library for WebAssembly does not take. */
int madvise(void *memory, size_t length, int advice) {
    (void)memory, (void)length, (void)advice;
    return 0;
}

char *EXPORT(web_buffer)(void) {
    return buffer;
}

/* A fresh board; random values or blocks come from the seed. 0, or 2 with a message in the buffer. */
int EXPORT(web_start)(int game_index, int variant, int size, unsigned seed) {
    const struct game *wanted = game_list()[game_index];
    struct game_position *fresh = calloc(1, wanted->properties->position_size);
    struct error error = {0};
    struct rng rng = {seed};
    bool empty = wanted->properties->score_kind == GAME_SCORE_WIN;
    enum status status = !fresh  ? error_machine(&error, "out of memory")
                         : empty ? wanted->start(fresh, size, variant, &error)
                                 : wanted->start_random(fresh, size, variant, &rng, &error);
    if (status != STATUS_OK) {
        free(fresh);
        return hand_out_error(&error);
    }
    return take_over(wanted, fresh);
}

/* Any file sortie knows, from the buffer. */
int EXPORT(web_load)(int length) {
    struct course_request request;
    struct error error = {0};
    if (course_parse_any(buffer, (size_t)length, NULL, &request, &error) != STATUS_OK) {
        return hand_out_error(&error);
    }
    return take_over(request.game, request.position);
}

/* A move in the game's notation, from the buffer. */
int EXPORT(web_play)(int length) {
    struct error error = {0};
    game_move move;
    if (played == MOST_PLIES || game->parse_move(position, buffer, (size_t)length, &move, &error) != STATUS_OK) {
        return hand_out_error(&error);
    }
    game->play(position, move, &undos[played++]);
    return 0;
}

int EXPORT(web_undo)(void) {
    if (played > 0) {
        game->undo(position, &undos[--played]);
    }
    return played;
}

/* The list of games for the page's menu. */
int EXPORT(web_games)(void) {
    struct text text = TEXT_EMPTY;
    for (int i = 0; game_list()[i]; i++) {
        const struct game_properties *properties = game_list()[i]->properties;
        for (int variant = 0; variant < 4 && properties->variants[variant]; variant++) {
            text_addf(&text, "%s{\"game\": %d, \"variant\": %d, \"title\": ", text.length ? ", " : "[", i, variant);
            text_add_json(&text, properties->title);
            text_add_string(&text, ", \"rules\": ");
            text_add_json(&text, properties->variants[variant]);
            text_addf(&text, ", \"least\": %d, \"most\": %d, \"usual\": %d}", properties->least_size,
                      properties->most_size, properties->usual_size);
        }
    }
    text_add_string(&text, "]");
    return hand_out(&text);
}

/* The position as the page draws it: squares, legal moves, whose turn it is. */
int EXPORT(web_state)(void) {
    struct text text = TEXT_EMPTY;
    int size = game->size(position);
    text_addf(
        &text,
        "{\"size\": %d, \"toMove\": %d, \"over\": %s, \"score\": %d, \"margin\": %s, \"points\": %s, \"played\": %d",
        size, game->to_move(position), game->over(position) ? "true" : "false",
        game->over(position) || game->properties->score_kind == GAME_SCORE_MARGIN ? (int)game->score(position) : 0,
        game->properties->score_kind == GAME_SCORE_MARGIN ? "true" : "false",
        game->properties->stones_on_points ? "true" : "false", played);
    text_addf(&text, ", \"fromZero\": %s", game->properties->numbered_from_zero ? "true" : "false");
    text_add_string(&text, ", \"sides\": [");
    text_add_json(&text, game->properties->sides[0]);
    text_add_string(&text, ", ");
    text_add_json(&text, game->properties->sides[1]);
    text_add_string(&text, "], \"cells\": [");
    for (int i = 0; i < size * size; i++) {
        struct game_cell cell;
        game->cell(position, i / size, i % size, &cell);
        text_addf(&text, "%s[%d, \"%s\", %d]", i ? ", " : "", (int)cell.ink, cell.label, cell.last);
    }
    text_add_string(&text, "], \"moves\": [");
    game_move *moves = malloc((size_t)game->properties->most_moves * sizeof *moves);
    int count = moves ? game->moves(position, moves) : 0;
    for (int i = 0; i < count; i++) {
        char move[32];
        game->move_text(position, moves[i], move);
        text_addf(&text, "%s\"%s\"", i ? ", " : "", move);
    }
    free(moves);
    text_add_string(&text, "]}");
    return hand_out(&text);
}

/* Lets the engine think; `nodes` 0: no limit but the time. The answer is JSON in the buffer. */
int EXPORT(web_think)(int milliseconds, int nodes) {
    if (!engine) {
        engine = engine_new(&(struct searcher_options){.threads = 1, .hash_bytes = (size_t)32 << 20});
    }
    struct engine_request request = {.method = SEARCH_ENGINE,
                                     .limits = {.wall_seconds = milliseconds / 1000.0, .nodes = (uint64_t)nodes}};
    struct search_result result;
    struct error error = {0};
    if (!engine || engine_go(engine, game, position, &request, NULL, &result, &error) != STATUS_OK) {
        return hand_out_error(&error);
    }
    struct text text = TEXT_EMPTY;
    char move[32];
    game->move_text(position, result.move, move);
    text_addf(&text, "{\"move\": \"%s\", \"value\": %d, \"exact\": %s, \"depth\": %d, \"nodes\": %llu}", move,
              (int)result.value, result.certainty == SEARCH_PROVED && result.lower == result.upper ? "true" : "false",
              result.depth, (unsigned long long)result.nodes);
    return hand_out(&text);
}

/* The position in sortie's own text. */
int EXPORT(web_text)(void) {
    struct text text = TEXT_EMPTY;
    game->write(position, &text);
    return hand_out(&text);
}
