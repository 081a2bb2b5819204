#include "match/crew.h"

#include <stdlib.h>
#include <string.h>

#define TICK_MILLISECONDS 200

/* An answer begins with one of these. */
enum { ANSWER_FINE = '+', ANSWER_FAILED = '-' };

/* Gives a helper its next unit; whether there was one. */
static bool give(const struct crew_link *link, const struct crew_work *work, int helper) {
    int64_t unit = work->next(work->user);
    if (unit >= 0) {
        link->send(helper, (const char *)&unit, sizeof unit);
    }
    return unit >= 0;
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

enum status crew_lead(const struct crew_link *link, const struct crew_work *work, struct error *error) {
    if (work->brief->broken) {
        return error_machine(error, "out of memory");
    }
    int size = link->size();
    int busy = 0;
    enum status status = STATUS_OK;
    for (int helper = 1; helper < size; helper++) {
        link->send(helper, text_string(work->brief), work->brief->length);
        busy += give(link, work, helper);
    }
    while (busy > 0 && status == STATUS_OK && !work->ended(work->user)) {
        int helper = link->wait(TICK_MILLISECONDS);
        if (helper > 0) {
            struct text message = TEXT_EMPTY;
            link->receive(helper, &message);
            status = take(work, &message, helper, error);
            text_free(&message);
            busy -= !(status == STATUS_OK && give(link, work, helper));
        }
        if (work->tick) {
            work->tick(work->user);
        }
    }
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
        int64_t unit;
        link->receive(0, &message);
        bool more = message.length == sizeof unit;
        if (more) {
            memcpy(&unit, text_string(&message), sizeof unit);
        }
        text_free(&message);
        if (!more) {
            break;
        }
        struct text answer = TEXT_EMPTY;
        text_add_char(&answer, ANSWER_FINE);
        status = unit_done(user, unit, &answer, error);
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
