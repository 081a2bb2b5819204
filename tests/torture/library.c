/* Everything the library offers, in one short program: for torture.py, which lets each of its calls fail. Says what it
 * found out; a failure is told by the library's own status and text, and ends with status 1. */
#include <stdio.h>
#include <string.h>

#include "sortie/sortie.h"

static const char *const positions[] = {
    "war stake 3 X\n12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n",
    "laser 5 1\n00003\n00000\n03000\n00000\n00020\n",
    "gomoku freestyle 9\nE5 D4 E4 E6 D5\n",
};

static const char file[] = "3\nMINIMAX\nX\n2\n12 70 61\n8 22 63\n14 88 49\n...\n.O.\n...\n";

/* Texts come as NULL where there is no memory. */
static sortie_status print_text(char *text, sortie_error *error) {
    if (!text) {
        snprintf(error->text, sizeof error->text, "out of memory");
        return SORTIE_FAIL;
    }
    printf("%zu bytes\n", strlen(text));
    sortie_free(text);
    return SORTIE_OK;
}

/* Plays, takes back, copies, draws and analyses. */
static sortie_status use_position(const char *text, sortie_error *error) {
    sortie_position *position = NULL;
    sortie_position *copy = NULL;
    sortie_engine *engine = NULL;
    sortie_engine_options options = {.size = sizeof options, .hash_bytes = (size_t)1 << 20};
    sortie_limits limits = {.size = sizeof limits, .method = SORTIE_ENGINE, .nodes = 200, .multi_pv = 2};
    sortie_result lines[2] = {{.size = sizeof lines[0]}, {.size = sizeof lines[0]}};
    sortie_move moves[4];
    int count = 0;
    sortie_status status = sortie_position_parse(text, strlen(text), &position, error);
    if (status == SORTIE_OK) {
        status = sortie_position_moves(position, moves, 4) > 0 ? SORTIE_OK : SORTIE_FAIL;
        snprintf(error->text, sizeof error->text, "out of memory"); /* what a failure here means */
        status = status == SORTIE_OK ? sortie_position_play(position, moves[0], error) : status;
    }
    status = status == SORTIE_OK ? sortie_position_undo(position, error) : status;
    status = status == SORTIE_OK ? sortie_position_copy(position, &copy, error) : status;
    status = status == SORTIE_OK ? print_text(sortie_position_text(copy), error) : status;
    status = status == SORTIE_OK ? print_text(sortie_position_svg(copy), error) : status;
    status = status == SORTIE_OK ? sortie_engine_new(&options, &engine, error) : status;
    status = status == SORTIE_OK ? sortie_engine_analyze(engine, copy, &limits, lines, 2, &count, error) : status;
    for (int i = 0; status == SORTIE_OK && i < count; i++) {
        printf("%s\n", lines[i].move[0] ? "a move" : "none"); /* which one hangs on the memory there is */
    }
    sortie_engine_free(engine);
    sortie_position_free(copy);
    sortie_position_free(position);
    return status;
}

static sortie_status answer_file(sortie_error *error) {
    sortie_course *course = NULL;
    sortie_engine *engine = NULL;
    char *answer = NULL;
    sortie_limits limits = {.size = sizeof limits, .method = SORTIE_ENGINE};
    sortie_course_orders orders = {.size = sizeof orders, .limits = &limits};
    sortie_result result = {.size = sizeof result};
    sortie_status status = sortie_course_parse(file, strlen(file), NULL, &course, error);
    status = status == SORTIE_OK ? sortie_engine_new(NULL, &engine, error) : status;
    status = status == SORTIE_OK ? sortie_course_answer(course, engine, &orders, &answer, &result, error) : status;
    if (status == SORTIE_OK) {
        printf("%s", answer);
    }
    sortie_free(answer);
    sortie_engine_free(engine);
    sortie_course_free(course);
    return status;
}

/* Proves what a board is worth and checks the proof. */
static sortie_status prove_board(sortie_error *error) {
    sortie_position *position = NULL;
    sortie_engine *engine = NULL;
    char *proves = NULL;
    sortie_prove_limits limits = {.size = sizeof limits};
    sortie_proof proof = {.size = sizeof proof};
    sortie_status status = sortie_position_parse(positions[0], strlen(positions[0]), &position, error);
    status = status == SORTIE_OK ? sortie_engine_new(NULL, &engine, error) : status;
    status = status == SORTIE_OK ? sortie_engine_prove(engine, position, &limits, &proof, error) : status;
    if (status == SORTIE_OK) {
        status = sortie_proof_verify(proof.certificate, proof.certificate_length, &proves, error);
    }
    if (status == SORTIE_OK) {
        printf("%s", proves);
    }
    sortie_free(proves);
    sortie_free(proof.certificate);
    sortie_engine_free(engine);
    sortie_position_free(position);
    return status;
}

int main(void) {
    sortie_error error = {0};
    sortie_status status = SORTIE_OK;
    static char buffer[1 << 16];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer); /* the stream's own memory is none of the library's */
    for (size_t i = 0; i < sizeof positions / sizeof *positions && status == SORTIE_OK; i++) {
        status = use_position(positions[i], &error);
    }
    status = status == SORTIE_OK ? answer_file(&error) : status;
    status = status == SORTIE_OK ? prove_board(&error) : status;
    if (status != SORTIE_OK) {
        fprintf(stderr, "library: %s\n", error.text[0] ? error.text : "\n");
    }
    return (int)status;
}
