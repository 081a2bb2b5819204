/* The page's studies: records of games with their variations go in and come out. */
#include "formats/records/study.h"

#include "formats/records/records.h"
#include "formats/records/sgf.h"
#include "web.h"

static int refuse(const struct error *error) {
    ask_write_error(error->line, error->column, error->text, web_answer());
    return 2;
}

/* A record of a game (SGF, Piskvork, RenLib, moves) with all its variations, as a study; game number `record` of the
 * file, counted from 0. */
int EXPORT(web_study)(int record) {
    size_t length;
    const char *bytes = web_bytes(&length);
    struct error error = {0};
    struct gametrees trees = {0};
    const struct record_format *format = record_format_look(bytes, length);
    if (!format) {
        error_fill(&error, 1, 1, "expected a record of a game: SGF, Piskvork, RenLib or moves as in h8i9j8");
        return refuse(&error);
    }
    if (format->read(&trees, bytes, length, 0, &error) != STATUS_OK) {
        return refuse(&error);
    }
    int at = record >= 0 && record < trees.count ? record : 0;
    struct text study = TEXT_EMPTY;
    int status = study_write(&trees.items[at], &study, &error) == STATUS_OK ? 0 : refuse(&error);
    if (status == 0) {
        struct text *answer = web_answer();
        text_add(answer, text_string(&study), study.length);
        text_addf(answer, "# game %d of %d\n", at + 1, trees.count);
    }
    text_free(&study);
    gametrees_free(&trees);
    return status;
}

/* A study of Gomoku as SGF. */
int EXPORT(web_study_sgf)(void) {
    size_t length;
    const char *bytes = web_bytes(&length);
    struct error error = {0};
    struct gametrees trees = {0};
    if (study_read(&trees, bytes, length, &error) != STATUS_OK) {
        return refuse(&error);
    }
    sgf_write_tree(&trees.items[0], web_answer());
    gametrees_free(&trees);
    return 0;
}
