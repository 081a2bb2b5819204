/* Lines out of bytes that come in pieces: what a conversation has heard and not yet taken. */
#ifndef SORTIE_BASE_LINE_INPUT_H
#define SORTIE_BASE_LINE_INPUT_H

#include "base/text.h"

struct line_input {
    struct text bytes; /* owned: line_input_free */
    size_t taken;      /* of them */
    size_t most;       /* after so much of a line without an end it is taken as one */
    bool ended;        /* nothing more will come */
};

/* A whole line, without its line feed; the rest, when nothing more will come. False when there is none. It stands until
 * the next call of any of these. */
bool line_input_take(struct line_input *input, const char **line, size_t *length);
/* What came: nothing is the end. */
void line_input_add(struct line_input *input, const char *bytes, size_t length);
void line_input_free(struct line_input *input);

#endif
