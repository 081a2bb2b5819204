/* A line split into words, as a shell would: single and double quotes, and backslashes; nothing is expanded. */
#ifndef SORTIE_BASE_WORDS_H
#define SORTIE_BASE_WORDS_H

#include "base/error.h"
#include "base/text.h"

/* Appends the words, each ended by a zero; *count says how many. STATUS_BAD_INPUT with the reason when a quote is not
 * closed or a word is empty. */
enum status words_split(const char *line, struct text *words, int *count, struct error *error);

#endif
