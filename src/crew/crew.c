#include "crew/crew.h"

#include <stdlib.h>

#include "crew/wire.h"

#define TICK_MILLISECONDS 200

/* An answer begins with one of these. */
enum { ANSWER_FINE = '+', ANSWER_FAILED = '-' };

/* Gives a helper a unit. */
static enum status give(const struct crew_link *link, const struct crew_work *work, int64_t unit, int helper,
                        struct error *error) {
    struct text message = TEXT_EMPTY;
    wire_add_number(&message, unit);
    if (work->add) {
        work->add(work->user, unit, helper, &message);
    }
    enum status status = message.broken ? error_machine(error, "out of memory") : STATUS_OK;
    if (status == STATUS_OK) {
        link->send(helper, text_string(&message), message.length);
    }
    text_free(&message);
    return status;
}

/* Takes a helper's answer. */
static enum status take(const struct crew_work *work, const struct text *message, int helper, struct error *error) {
    if (message->broken || message->length == 0) {
        return error_machine(error, "process %d sent nothing", helper);
    }
    const char *bytes = text_string(message);
    if (bytes[0] == ANSWER_FAILED) {
        return error_machine(error, "process %d: %.200s", helper, bytes + 1);
    }
    struct text answer = TEXT_EMPTY;
    text_add(&answer, bytes + 1, message->length - 1);
    enum status status = answer.broken ? error_machine(error, "out of memory") : work->take(work->user, &answer, error);
    text_free(&answer);
    return status;
}

/* Gives units to those that rest, as long as there are any, and counts those at work. */
static enum status give_all(const struct crew_link *link, const struct crew_work *work, bool *rests, int *busy,
                            struct error *error) {
    enum status status = STATUS_OK;
    for (int helper = 1; helper < link->size() && status == STATUS_OK; helper++) {
        if (rests[helper]) {
            int64_t unit = work->next(work->user);
            if (unit < 0) {
                break;
            }
            status = give(link, work, unit, helper, error);
            rests[helper] = false;
            ++*busy;
        }
    }
    return status;
}

/* Waits for a moment for somebody's answer and takes it. */
static enum status hear(const struct crew_link *link, const struct crew_work *work, bool *rests, int *busy,
                        struct error *error) {
    int helper = link->wait(TICK_MILLISECONDS);
    if (helper <= 0) {
        return STATUS_OK;
    }
    struct text message = TEXT_EMPTY;
    link->receive(helper, &message);
    enum status status = rests[helper] ? error_machine(error, "process %d answered without being asked", helper)
                                       : take(work, &message, helper, error);
    text_free(&message);
    *busy -= !rests[helper];
    rests[helper] = true;
    return status;
}

enum status crew_lead(const struct crew_link *link, const struct crew_work *work, struct error *error) {
    int size = link->size();
    bool *rests = malloc((size_t)size * sizeof *rests);
    if (work->brief->broken || !rests) {
        free(rests);
        return error_machine(error, "out of memory");
    }
    for (int helper = 1; helper < size; helper++) {
        link->send(helper, text_string(work->brief), work->brief->length);
        rests[helper] = true;
    }
    int busy = 0;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && !work->ended(work->user)) {
        status = give_all(link, work, rests, &busy, error);
        if (busy == 0 || status != STATUS_OK) {
            break;
        }
        status = hear(link, work, rests, &busy, error);
        if (work->tick) {
            work->tick(work->user);
        }
    }
    free(rests);
    return status;
}

bool crew_brief(const struct crew_link *link, struct text *brief) {
    link->receive(0, brief);
    return brief->length > 0;
}

enum status crew_help(const struct crew_link *link, crew_do *unit_done, void *user, struct error *error) {
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        struct text message = TEXT_EMPTY;
        struct wire wire;
        link->receive(0, &message);
        wire_init(&wire, text_string(&message), message.length);
        struct crew_unit unit = {.number = wire_number(&wire, INT64_MIN, INT64_MAX)};
        if (wire.failed) {
            status = message.length > 0 || message.broken ? error_machine(error, "the leader sent no unit") : STATUS_OK;
            text_free(&message);
            break;
        }
        unit.bytes = wire.at;
        unit.length = wire.left;
        struct text answer = TEXT_EMPTY;
        text_add_char(&answer, ANSWER_FINE);
        status = unit_done(user, &unit, &answer, error);
        text_free(&message);
        if (status == STATUS_OK && answer.broken) {
            status = error_machine(error, "out of memory");
        }
        if (status != STATUS_OK) {
            text_free(&answer);
            text_addf(&answer, "%c%s", ANSWER_FAILED, error->text);
        }
        link->send(0, text_string(&answer), answer.length);
        text_free(&answer);
    }
    return status;
}
