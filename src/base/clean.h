/* What strangers wrote, made fit to show: names of files, players and submissions, commands, what programs print, and
 * messages that quote any of these. Everything that is shown on a terminal or put into a table or a page goes through
 * here; nothing else prints such text.
 *
 * Control characters, marks that turn the direction of text, invisible characters and bytes that are no UTF-8 become
 * visible: \n, \x1b, \u202e. So a text adds no line, no column and no command of a terminal, and two texts that look
 * the same are the same. An overlong text is cut, with an ellipsis. */
#ifndef SORTIE_BASE_CLEAN_H
#define SORTIE_BASE_CLEAN_H

#include <stdint.h>

#include "base/text.h"

/* The most characters of a text that one field, cell or message shows. */
#define CLEAN_MOST 2000

/* One line of plain text, for a terminal. */
void clean_add(struct text *out, const char *string);
/* The same in a column: cut to `most` characters, and filled up with blanks to `width`. */
void clean_add_column(struct text *out, const char *string, int width, int most);
/* One line that is never cut: what somebody is asked to judge must not hide its end. */
void clean_add_whole(struct text *out, const char *string);
/* Of several lines: line feeds and tabulators stay. Only for text that stands alone, such as messages of a compiler. */
void clean_add_lines(struct text *out, const char *bytes, size_t length);
/* How many characters clean_add shows. */
int clean_width(const char *string);

/* The same for a string, in a buffer: `fprintf(stderr, "%s\n", clean_string(&line, name))`. */
struct clean_line {
    char text[2048];
};
const char *clean_string(struct clean_line *line, const char *string);

/* A cell of a CSV table, quoted where it must be; one that a spreadsheet would take for a formula gets an apostrophe
 * before it. The second keeps line feeds, inside of quotes. */
void clean_add_csv(struct text *out, const char *string);
void clean_add_csv_lines(struct text *out, const char *bytes, size_t length);
/* For HTML: markup is escaped. */
void clean_add_xml(struct text *out, const char *string);
void clean_add_xml_lines(struct text *out, const char *bytes, size_t length);
/* A JSON string with its quotes. */
void clean_add_json(struct text *out, const char *string);
void clean_add_json_lines(struct text *out, const char *bytes, size_t length);

/* Whether a character is one that does not show, or that changes how others show. */
bool clean_is_hidden(uint32_t character);
/* The character that `length` bytes of UTF-8 stand for. */
uint32_t clean_decode(const char *bytes, size_t length);

#endif
