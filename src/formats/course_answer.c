#include "formats/course_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/number.h"

bool course_next_line(const char **at, const char *end, struct course_line *line) {
    ASSERT(*at <= end);
    if (*at >= end) {
        return false;
    }
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    const char *next = stop ? stop + 1 : end;
    stop = stop ? stop : end;
    while (stop > *at && (stop[-1] == '\r' || stop[-1] == ' ' || stop[-1] == '\t')) {
        stop--;
    }
    *line = (struct course_line){*at, (size_t)(stop - *at)};
    *at = next;
    return true;
}

const char *course_trim(const char *bytes, size_t length) {
    const char *end = bytes + length;
    while (end > bytes && number_is_space(end[-1])) {
        end--;
    }
    return end;
}

int course_first_difference(const char *wanted, size_t wanted_length, const char *found, size_t found_length,
                            struct course_line *wanted_line, struct course_line *found_line) {
    const char *wanted_end = course_trim(wanted, wanted_length);
    const char *found_end = course_trim(found, found_length);
    for (int number = 1;; number++) {
        *wanted_line = *found_line = (struct course_line){NULL, 0};
        bool more_wanted = course_next_line(&wanted, wanted_end, wanted_line);
        bool more_found = course_next_line(&found, found_end, found_line);
        if (!more_wanted && !more_found) {
            return 0;
        }
        if (more_wanted != more_found || wanted_line->length != found_line->length ||
            memcmp(wanted_line->at, found_line->at, wanted_line->length) != 0) {
            return number;
        }
    }
}

static bool same_text(const struct text *wanted, const char *bytes, size_t length) {
    struct course_line ignored[2];
    return course_first_difference(text_string(wanted), wanted->length, bytes, length, &ignored[0], &ignored[1]) == 0;
}

/* The answer the course wants for a move. */
static void wanted_for(const struct course_format *format, const struct game *game, const struct game_position *before,
                       game_move move, struct game_position *after, struct text *text) {
    struct game_undo undo;
    memcpy(after, before, game->properties->position_size);
    game->play(after, move, &undo);
    text->length = 0;
    format->answer(game, before, move, after, text);
}

/* Says what is wrong with an answer that names no legal move: of the right shape, or not even that. */
static enum course_verdict refuse(const struct course_format *format, bool shape, struct course_line first,
                                  const struct error *error, char *detail, size_t detail_size) {
    snprintf(detail, detail_size, shape ? "'%.*s': %s" : "'%.*s' is not an answer: %s",
             (int)(first.length > 40 ? 40 : first.length), first.at,
             shape && format->input_argument ? "no legal move leads to this board" : error->text);
    return shape ? COURSE_ILLEGAL : COURSE_NO_ANSWER;
}

enum course_verdict course_judge(const struct course_format *format, const struct game *game,
                                 const struct game_position *position, const char *bytes, size_t length,
                                 game_move *move, char *detail, size_t detail_size) {
    ASSERT(detail_size > 0);
    ASSERT(bytes || length == 0);
    struct text wanted = TEXT_EMPTY;
    struct game_position *after = malloc(game->properties->position_size);
    game_move *moves = malloc((size_t)game->properties->most_moves * sizeof *moves);
    const char *at = bytes;
    struct course_line first = {bytes, 0};
    struct error error = {0};
    enum course_verdict verdict;
    if (!after || !moves) {
        verdict = COURSE_NO_ANSWER;
        snprintf(detail, detail_size, "out of memory");
    } else if (course_trim(bytes, length) == bytes) {
        verdict = COURSE_EMPTY;
        snprintf(detail, detail_size, "%s is empty", format->answer_file);
    } else if (course_next_line(&at, bytes + length, &first) &&
               game->parse_move(position, first.at, first.length, move, &error) == STATUS_OK) {
        /* The first line names the move: then everything else must fit it. */
        struct course_line lines[2];
        wanted_for(format, game, position, *move, after, &wanted);
        int line = course_first_difference(text_string(&wanted), wanted.length, bytes, length, &lines[0], &lines[1]);
        verdict = line == 0 ? COURSE_RIGHT : COURSE_NO_ANSWER;
        snprintf(detail, detail_size, "%s line %d: expected '%.*s', found '%.*s'", format->answer_file, line,
                 (int)(lines[0].length > 40 ? 40 : lines[0].length), lines[0].at ? lines[0].at : "",
                 (int)(lines[1].length > 40 ? 40 : lines[1].length), lines[1].at ? lines[1].at : "");
    } else {
        /* Some courses answer with the board alone: look for the move that leads to it. */
        bool shape = format->has_shape(bytes, length, game->size(position));
        int count = shape ? game->moves(position, moves) : 0;
        verdict = refuse(format, shape, first, &error, detail, detail_size);
        for (int i = 0; i < count && verdict != COURSE_RIGHT; i++) {
            wanted_for(format, game, position, moves[i], after, &wanted);
            if (same_text(&wanted, bytes, length)) {
                *move = moves[i];
                verdict = COURSE_RIGHT;
            }
        }
    }
    if (wanted.broken) {
        verdict = COURSE_NO_ANSWER;
        snprintf(detail, detail_size, "out of memory");
    } else if (verdict == COURSE_RIGHT) {
        detail[0] = '\0';
    }
    free(after);
    free(moves);
    text_free(&wanted);
    return verdict;
}
