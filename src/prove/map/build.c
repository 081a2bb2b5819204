#include "prove/map/build.h"

#include <inttypes.h>
#include <string.h>

#include "prove/verify.h"
#include "system/file.h"
#include "system/thread.h"

/* -- the prover knows the moves -- */

static void follow(void *user, int square) {
    prover_play(user, square);
}

static void go_back(void *user) {
    prover_undo(user);
}

static uint16_t move_of(void *user, struct error *error) {
    struct prover *prover = user;
    uint16_t move = prover_known_move(prover);
    if (move == NO_SQUARE && prover_search(prover).phi == 0) {
        move = prover_known_move(prover);
    }
    if (move == NO_SQUARE) {
        error_fill(error, 0, 0, "a move of the proof was not found again in time");
    }
    return move;
}

/* -- the checker -- */

/* The checker at the other end of a pipe. */
struct checking {
    FILE *in;
    FILE *said; /* what it proves, or why not */
    int outcome;
};

/* Reads to the end, so that nobody who still writes is left without a reader. */
static void *check(void *user) {
    struct checking *checking = user;
    char rest[4096];
    checking->outcome = verify_stream(checking->in, "certificate", false, NULL, checking->said, checking->said);
    while (fread(rest, 1, sizeof rest, checking->in) > 0) {
    }
    return NULL;
}

/* What the checker said: how many positions there are, or its complaint. */
static enum status hear(struct checking *checking, uint64_t *positions, struct error *error) {
    char line[200] = "";
    rewind(checking->said);
    while (fgets(line, sizeof line, checking->said)) {
        if (sscanf(line, "checked: %" SCNu64, positions) == 1) {
            return STATUS_OK;
        }
    }
    line[strcspn(line, "\n")] = '\0';
    return error_machine(error, "the checker does not accept what was made: %s", line);
}

/* Unfolds into the checker. */
static enum status unfold_checked(struct build *build, struct unfold *asked, struct error *error) {
    struct checking checking = {.said = tmpfile()};
    pthread_t thread;
    if (!checking.said) {
        return error_machine(error, "no file to be had for what the checker says");
    }
    enum status status = file_pipe(&checking.in, &asked->stream, error);
    if (status == STATUS_OK && thread_start(&thread, check, &checking) != 0) {
        fclose(checking.in);
        fclose(asked->stream);
        status = error_machine(error, "no thread to be had for the checker");
    } else if (status == STATUS_OK) {
        status = unfold(asked, error);
        fclose(asked->stream);
        pthread_join(thread, NULL);
        fclose(checking.in);
        status = status == STATUS_OK ? hear(&checking, &build->positions, error) : status;
    }
    fclose(checking.said);
    return status;
}

enum status build_proof(struct build *build, struct error *error) {
    struct unfold_source source = {.play = follow, .undo = go_back, .move = move_of, .user = build->prover};
    struct core_writer writer = {.squares = build->position->size * build->position->size};
    struct unfold asked = {
        .position = build->position,
        .hero = build->hero,
        .source = &source,
        .writer = &writer,
        .records = &build->records,
        .stop = build->stop,
        .progress = build->progress,
        .user = build->user,
    };
    build->core = build->records = TEXT_EMPTY;
    enum status status = unfold_checked(build, &asked, error);
    struct certificate_claim claim = unfold_claim(build->position, build->hero);
    build->bytes = asked.bytes;
    core_write(&writer, &claim, asked.bytes, asked.digest, &build->core);
    return status == STATUS_OK && (build->core.broken || build->records.broken) ? error_machine(error, "out of memory")
                                                                                : status;
}

void build_free(struct build *build) {
    text_free(&build->core);
    text_free(&build->records);
}
