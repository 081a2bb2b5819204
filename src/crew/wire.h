/* The bytes of messages between processes, field by field. A writer appends to a text; a reader takes fields off in the
 * same order and believes nothing: it never reads beyond the end, and what is out of range or torn makes it fail, once
 * and for all. So a peer that lies can at most give wrong values of the right kind.
 *
 * A number is eight bytes, the lowest first; a flag one byte; texts stand behind their length. No file has this form.
 */
#ifndef SORTIE_CREW_WIRE_H
#define SORTIE_CREW_WIRE_H

#include <stdint.h>

#include "base/text.h"

void wire_add_number(struct text *out, int64_t number);
void wire_add_flag(struct text *out, bool flag);
void wire_add_double(struct text *out, double number);
void wire_add_bytes(struct text *out, const char *bytes, size_t length);
void wire_add_string(struct text *out, const char *string);
/* A text that memory ran out for breaks the message too. */
void wire_add_text(struct text *out, const struct text *text);

struct wire {
    const char *at; /* borrowed */
    size_t left;
    bool failed;
};

void wire_init(struct wire *wire, const char *bytes, size_t length);
/* Fails unless the number lies within both. Once the reader has failed, numbers are `least` or 0, flags false and texts
 * empty, so that whoever reads looks once, at the end. */
int64_t wire_number(struct wire *wire, int64_t least, int64_t most);
bool wire_flag(struct wire *wire);
/* Finite. */
double wire_double(struct wire *wire);
/* Bytes where they lie; NULL when it fails. */
const char *wire_bytes(struct wire *wire, size_t most, size_t *length);
/* Into an array of so many bytes, with the zero at its end; fails when there is a zero before. */
void wire_string(struct wire *wire, char *string, size_t size);
/* Appends. */
void wire_text(struct wire *wire, struct text *text, size_t most);

/* Whether all was in order and nothing is left. */
bool wire_end(const struct wire *wire);

#endif
