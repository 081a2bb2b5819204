/* A line of input: typed at a terminal, with Tab completing what is legal, or read from a pipe. */
#ifndef SORTIE_CLI_PROMPT_H
#define SORTIE_CLI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#define PROMPT_MOST 256

/* The words Tab may complete to; the caller keeps them. */
struct prompt_words {
    const char *const *words;
    int count;
};

/* Whether people sit at both ends: standard input and output are terminals. */
bool prompt_is_terminal(void);

/* Reads one line without its end; `text` is shown before it at a terminal. False at the end of the input and, at a
 * terminal, after Ctrl-C or Ctrl-D. A line that does not fit is cut. */
bool prompt_read(const char *text, const struct prompt_words *words, char line[PROMPT_MOST]);

/* Extends `line` as far as all words that begin with it agree, whatever their case. Returns how many words do. */
int prompt_complete(const struct prompt_words *words, char line[PROMPT_MOST]);

#endif
