/* Any bytes as a study: no crash, and what is accepted is written as SGF, and that is the same study again. */
#include <stdint.h>
#include <string.h>

#include "formats/records/sgf.h"
#include "formats/records/study.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The study of a record; false where it is refused. */
static bool study_of(const char *record, size_t length, struct text *study) {
    struct gametrees trees = {0};
    struct error error = {0};
    bool fine = sgf_read_all(&trees, record, length, &error) == STATUS_OK &&
                study_write(&trees.items[0], study, &error) == STATUS_OK;
    gametrees_free(&trees);
    return fine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct gametrees trees = {0};
    struct error error = {0};
    struct text text = TEXT_EMPTY;
    study_of((const char *)data, size, &text); /* any record may be refused */
    text_free(&text);
    if (study_read(&trees, (const char *)data, size, &error) != STATUS_OK) {
        if (error.text[0] == '\0' || trees.count != 0) {
            __builtin_trap();
        }
        return 0;
    }
    struct text record = TEXT_EMPTY;
    struct text one = TEXT_EMPTY;
    struct text two = TEXT_EMPTY;
    struct text again = TEXT_EMPTY;
    sgf_write_tree(&trees.items[0], &record);
    gametrees_free(&trees);
    if (!study_of(text_string(&record), record.length, &one) ||
        study_read(&trees, text_string(&one), one.length, &error) != STATUS_OK) {
        __builtin_trap();
    }
    sgf_write_tree(&trees.items[0], &again);
    gametrees_free(&trees);
    if (!study_of(text_string(&again), again.length, &two) || strcmp(text_string(&one), text_string(&two)) != 0) {
        __builtin_trap();
    }
    text_free(&record);
    text_free(&one);
    text_free(&two);
    text_free(&again);
    return 0;
}
