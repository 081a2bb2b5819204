#include "match/record.h"

#include <string.h>

#define TEXTS 6

/* The texts of a record in a fixed order. */
static void texts_of(struct record *record, struct text *texts[TEXTS]) {
    texts[0] = &record->position;
    texts[1] = &record->moves;
    texts[2] = &record->times;
    texts[3] = &record->detail;
    texts[4] = &record->errors[0];
    texts[5] = &record->errors[1];
}

void record_free(struct record *record) {
    struct text *texts[TEXTS];
    texts_of(record, texts);
    for (int i = 0; i < TEXTS; i++) {
        text_free(texts[i]);
    }
    *record = (struct record){0};
}

/* Both ends are the same program, so the plain part travels as it is; the texts follow, each after its length. */
void record_pack(const struct record *record, struct text *out) {
    struct record plain = *record;
    struct text *texts[TEXTS];
    texts_of(&plain, texts);
    struct text contents[TEXTS];
    for (int i = 0; i < TEXTS; i++) {
        contents[i] = *texts[i];
        *texts[i] = TEXT_EMPTY;
    }
    text_add(out, (const char *)&plain, sizeof plain);
    for (int i = 0; i < TEXTS; i++) {
        text_add(out, (const char *)&contents[i].length, sizeof contents[i].length);
        text_add(out, text_string(&contents[i]), contents[i].length);
    }
}

bool record_unpack(struct record *record, const char *bytes, size_t length) {
    *record = (struct record){0};
    if (length < sizeof *record) {
        return false;
    }
    memcpy(record, bytes, sizeof *record);
    struct text *texts[TEXTS];
    texts_of(record, texts);
    for (int i = 0; i < TEXTS; i++) {
        *texts[i] = TEXT_EMPTY;
    }
    size_t at = sizeof *record;
    for (int i = 0; i < TEXTS; i++) {
        size_t size;
        if (length - at < sizeof size) {
            record_free(record);
            return false;
        }
        memcpy(&size, bytes + at, sizeof size);
        at += sizeof size;
        if (length - at < size) {
            record_free(record);
            return false;
        }
        text_add(texts[i], bytes + at, size);
        at += size;
    }
    return true;
}
