/* The public C API: proofs, made and checked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/proofs/stream.h"
#include "base/stopwatch.h"
#include "certificate/certificate.h"
#include "games/gomoku/rules/gomoku.h"
#include "prove/question.h"
#include "prove/values.h"
#include "prove/verify.h"

#define USUAL_HASH ((size_t)256 << 20)

API_SAME(SORTIE_CLAIM_WINS - 1, ANSWER_WINS);
API_SAME(SORTIE_CLAIM_LOSES - 1, ANSWER_LOSES);
API_SAME(SORTIE_CLAIM_HOLDS - 1, ANSWER_HOLDS);

/* -- checking -- */

#define NAME "certificate"

/* What the checker says of the bytes: to `said` what they prove, to `fault` why they do not; both are the caller's. */
static int check(const char *bytes, size_t length, char **said, char **fault) {
    struct stream_out out = {0};
    struct stream_out errors = {0};
    FILE *in = stream_in(bytes, length);
    int outcome = -1;
    if (in && stream_out_open(&out) && stream_out_open(&errors)) {
        outcome = verify_stream(in, NAME, false, NULL, out.stream, errors.stream);
    }
    *said = stream_out_close(&out);
    *fault = stream_out_close(&errors);
    if (in) {
        fclose(in);
    }
    return *said && *fault ? outcome : -1;
}

/* The fault as an error: without the name in front and the end of its line. */
static sortie_status refuse(const char *fault, sortie_error *error) {
    const char *text = fault + strlen(NAME ": ");
    size_t length = strcspn(text, "\n");
    if (strstr(text, "there is not enough memory")) { /* which says nothing of the certificate */
        return api_no_memory(error);
    }
    return (sortie_status)error_at(api_error(error), 0, 0, "%.*s", (int)length, text);
}

sortie_status sortie_proof_verify(const char *bytes, size_t length, char **proves, sortie_error *error) {
    if (!bytes || length == 0) {
        return api_bad(error, "expected a certificate, there is nothing");
    }
    char *said = NULL;
    char *fault = NULL;
    int outcome = check(bytes, length, &said, &fault);
    sortie_status status = outcome < 0 ? api_no_memory(error) : outcome > 0 ? refuse(fault, error) : SORTIE_OK;
    if (status == SORTIE_OK && proves) {
        *proves = said;
        said = NULL;
    }
    free(said);
    free(fault);
    return status;
}

/* -- proving -- */

/* One call's question, and what is found out. */
struct proving {
    sortie_engine *engine;
    const sortie_position *position;
    sortie_prove_limits limits;
    struct stream_out out;
    sortie_proof proof;
};

static void tell_answer(sortie_proof *proof, enum question_answer answer) {
    proof->settled = answer != ANSWER_NONE;
    proof->claim = proof->settled ? (sortie_claim)(answer + 1) : SORTIE_CLAIM_ANY;
    proof->lower = answer == ANSWER_WINS ? 1 : -1;
    proof->upper = answer == ANSWER_LOSES ? -1 : answer == ANSWER_HOLDS ? 0 : 1;
}

static sortie_status prove_gomoku(struct proving *proving, sortie_error *error) {
    const struct gomoku_position *board = gomoku_const(proving->position->board);
    const sortie_engine *engine = proving->engine;
    struct question_settings settings = {
        .threads = engine->threads < 1                       ? 1
                   : engine->threads > QUESTION_MOST_THREADS ? QUESTION_MOST_THREADS
                                                             : engine->threads,
        .hash_bytes = engine->hash_bytes,
        .seconds = proving->limits.wall_seconds,
        .nodes = proving->limits.nodes,
        .stop = &engine->control.stop,
    };
    if (proving->limits.claim == SORTIE_CLAIM_ANY) {
        question_usual(board, settings.wanted);
    } else {
        settings.wanted[proving->limits.claim - 1] = true;
    }
    struct proved proved;
    struct question question;
    proved_init(&proved);
    sortie_status status =
        (sortie_status)question_ask(&question, board, &settings, &proved, proving->out.stream, api_error(error));
    proved_close(&proved);
    if (status == SORTIE_OK) {
        tell_answer(&proving->proof, question.answer);
        proving->proof.nodes = question.counts.nodes;
    }
    if (status == SORTIE_OK && question.answer == ANSWER_WINS) {
        proving->position->game->move_text(proving->position->board, (game_move)question.move, proving->proof.move);
    }
    return status;
}

static sortie_status prove_value(struct proving *proving, sortie_error *error) {
    struct values_request request = {
        .game = proving->position->game,
        .position = proving->position->board,
        .stream = proving->out.stream,
        .memory = proving->engine->hash_bytes ? proving->engine->hash_bytes : USUAL_HASH,
        .seconds = proving->limits.wall_seconds,
        .stop = &proving->engine->control.stop,
    };
    struct values_report report;
    sortie_status status = (sortie_status)values_prove(&request, &report, api_error(error));
    if (status == SORTIE_OK) {
        proving->proof.settled = report.settled;
        proving->proof.lower = (int)report.lower;
        proving->proof.upper = (int)report.upper;
        proving->proof.nodes = report.positions;
    }
    return status;
}

/* What can be proved at all, and is asked for rightly. */
static sortie_status check_question(const struct proving *proving, sortie_error *error) {
    const sortie_prove_limits *limits = &proving->limits;
    const sortie_position *position = proving->position;
    if ((unsigned)limits->claim > SORTIE_CLAIM_HOLDS) {
        return api_bad(error, "expected a claim: any, wins, loses or holds");
    }
    if (!isfinite(limits->wall_seconds) || limits->wall_seconds < 0) {
        return api_bad(error, "expected limits in seconds that are not negative");
    }
    if (position->game->over(position->board)) {
        return api_bad(error, "expected a position with a move left, the game is over");
    }
    if (position->game != &gomoku_game) {
        return !values_take(position->game, position->board)
                   ? api_bad(error, "expected Gomoku, or a war board or Laser Checkmate of at most 8x8")
               : limits->claim != SORTIE_CLAIM_ANY || limits->nodes
                   ? api_bad(error, "expected a claim and a number of nodes with Gomoku only")
                   : SORTIE_OK;
    }
    const struct gomoku_position *board = gomoku_const(position->board);
    return board->variant != GOMOKU_FREESTYLE || board->size > CERTIFICATE_MOST_SIZE
               ? api_bad(error, "expected the freestyle rule on a board of at most 15x15")
               : SORTIE_OK;
}

/* Searches, with the engine taken. */
static sortie_status prove(struct proving *proving, sortie_error *error) {
    double start = clock_wall();
    if (!stream_out_open(&proving->out)) {
        return api_no_memory(error);
    }
    sortie_status status =
        proving->position->game == &gomoku_game ? prove_gomoku(proving, error) : prove_value(proving, error);
    char *bytes = stream_out_close(&proving->out);
    if (status == SORTIE_OK && !bytes) {
        status = api_no_memory(error);
    }
    if (status == SORTIE_OK && proving->proof.settled) {
        proving->proof.certificate = bytes;
        proving->proof.certificate_length = proving->out.length;
    } else {
        free(bytes);
    }
    proving->proof.wall_seconds = clock_wall() - start;
    return status;
}

sortie_status sortie_engine_prove(sortie_engine *engine, const sortie_position *position,
                                  const sortie_prove_limits *limits, sortie_proof *proof, sortie_error *error) {
    struct proving proving = {.engine = engine, .position = position};
    if (!api_take(&proving.limits, sizeof proving.limits, limits)) {
        return api_bad(error, "expected the limits' size to be set, and nothing in them this version does not know");
    }
    if (!api_give(proof, &(sortie_proof){0}, sizeof(size_t))) {
        return api_bad(error, "expected the proof's size to be set");
    }
    sortie_status status = check_question(&proving, error);
    status = status == SORTIE_OK ? api_begin(engine, error) : status;
    if (status != SORTIE_OK) {
        return status;
    }
    status = prove(&proving, error);
    api_end(engine);
    if (status == SORTIE_OK) {
        api_give(proof, &proving.proof, sizeof proving.proof);
    }
    return status;
}
