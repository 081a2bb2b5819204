/* Numbers in texts, the same in every locale: a program that uses the library may have asked for decimal commas, and
 * our files do not change with that. Nothing in the library calls strtod, scanf or the character classes of ctype.h. */
#ifndef SORTIE_BASE_NUMBER_H
#define SORTIE_BASE_NUMBER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

static inline bool number_is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Blanks and line ends, as isspace has them in the C locale. */
static inline bool number_is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Reads a decimal number with an optional sign, point and exponent: "10.5", "-2e3", ".5". Returns how many bytes it is
 * long, 0 when there is none. The value is the nearest double (of up to 60 digits; more hardly count), infinite where
 * it is too large for any. */
size_t number_read(const char *bytes, size_t length, double *value);

/* The same for a whole C string; false when it is no number or something follows. */
bool number_parse(const char *string, double *value);

/* Numbers with `separator` between them: how many there are, -1 when something else is there or more than `most`. */
int number_parse_list(const char *string, char separator, double *values, int most);

/* Passes blanks, a sign and at least one digit; NULL when they are not there. */
const char *number_skip_integer(const char *at, const char *end);

/* snprintf and vsnprintf with a point in numbers, whatever the locale says; without %n, long double and wide
 * characters. */
int number_format(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int number_vformat(char *buffer, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

#endif
