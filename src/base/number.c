#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* -- reading: digits and a power of ten as a quotient of two large integers, rounded once -- */

#define LIMBS 64        /* of 32 bits: more than any of the integers below needs */
#define MOST_DIGITS 60  /* what follows only says whether it is nothing */
#define MOST_POWER 310  /* a number of more digits before the point is beyond every double */
#define LEAST_POWER 330 /* and one of so many zeros behind the point below every double */
#define EXPONENT_CAP 100000

/* An integer, the lowest limb first. */
struct large {
    uint32_t limbs[LIMBS];
};

static void large_multiply_add(struct large *a, uint32_t factor, uint32_t add) {
    uint64_t carry = add;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)a->limbs[i] * factor;
        a->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static int large_bits(const struct large *a) {
    for (int i = LIMBS - 1; i >= 0; i--) {
        for (int bit = 31; bit >= 0; bit--) {
            if (a->limbs[i] >> bit & 1) {
                return 32 * i + bit + 1;
            }
        }
    }
    return 0;
}

static void large_shift_left(struct large *a, int by) {
    for (; by >= 16; by -= 16) {
        large_multiply_add(a, UINT32_C(1) << 16, 0);
    }
    large_multiply_add(a, UINT32_C(1) << by, 0);
}

static bool large_less(const struct large *a, const struct large *b) {
    for (int i = LIMBS - 1; i >= 0; i--) {
        if (a->limbs[i] != b->limbs[i]) {
            return a->limbs[i] < b->limbs[i];
        }
    }
    return false;
}

static void large_subtract(struct large *a, const struct large *b) {
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        uint64_t difference = (uint64_t)a->limbs[i] - b->limbs[i] - borrow;
        a->limbs[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
}

/* over / under as a double; both are used up. They are shifted until the quotient has 63 or 64 bits; its last bit also
 * tells of a remainder, so that the one rounding, of the quotient to a double, goes the right way. */
static double divide(struct large *over, struct large *under) {
    int shift = large_bits(under) + 63 - large_bits(over);
    large_shift_left(shift > 0 ? over : under, shift > 0 ? shift : -shift);
    large_shift_left(under, 63);
    uint64_t quotient = 0;
    for (int i = 0; i < 64; i++) {
        quotient <<= 1;
        if (!large_less(over, under)) {
            large_subtract(over, under);
            quotient |= 1;
        }
        large_multiply_add(over, 2, 0); /* instead of halving the other */
    }
    return ldexp((double)(quotient | (large_bits(over) > 0)), -shift);
}

/* What was read: the digits as an integer, times a power of ten. */
struct decimal {
    struct large digits;
    int count;  /* of digits kept */
    int places; /* the power */
    bool more;  /* a digit that is not 0 was left out */
};

static void decimal_add(struct decimal *decimal, char digit, bool behind_point) {
    if (decimal->count == 0 && digit == '0') {
        decimal->places -= behind_point;
    } else if (decimal->count < MOST_DIGITS) {
        large_multiply_add(&decimal->digits, 10, (uint32_t)(digit - '0'));
        decimal->count++;
        decimal->places -= behind_point;
    } else {
        decimal->more |= digit != '0';
        decimal->places += !behind_point;
    }
}

static double decimal_value(struct decimal *decimal) {
    if (decimal->count == 0 || decimal->count + decimal->places < -LEAST_POWER) {
        return 0;
    }
    if (decimal->count + decimal->places > MOST_POWER) {
        return INFINITY;
    }
    struct large under = {{1}};
    if (decimal->more) {
        large_multiply_add(&decimal->digits, 10, 1);
        decimal->places--;
    }
    for (int i = 0; i < decimal->places; i++) {
        large_multiply_add(&decimal->digits, 10, 0);
    }
    for (int i = 0; i > decimal->places; i--) {
        large_multiply_add(&under, 10, 0);
    }
    return divide(&decimal->digits, &under);
}

/* Reads "e+12" at `at`; its length, 0 when there is none. */
static size_t read_exponent(const char *bytes, size_t length, int *exponent) {
    size_t at = 1;
    if (length < 2 || (bytes[0] != 'e' && bytes[0] != 'E')) {
        return 0;
    }
    bool negative = bytes[at] == '-';
    at += bytes[at] == '-' || bytes[at] == '+';
    size_t begin = at;
    for (; at < length && number_is_digit(bytes[at]); at++) {
        *exponent = *exponent < EXPONENT_CAP ? *exponent * 10 + (bytes[at] - '0') : *exponent;
    }
    *exponent = negative ? -*exponent : *exponent;
    return at > begin ? at : 0;
}

size_t number_read(const char *bytes, size_t length, double *value) {
    struct decimal decimal = {0};
    size_t at = length > 0 && (bytes[0] == '-' || bytes[0] == '+');
    bool behind_point = false;
    int digits = 0;
    for (; at < length && (number_is_digit(bytes[at]) || (bytes[at] == '.' && !behind_point)); at++) {
        if (bytes[at] == '.') {
            behind_point = true;
        } else {
            decimal_add(&decimal, bytes[at], behind_point);
            digits++;
        }
    }
    if (digits == 0) {
        return 0;
    }
    int exponent = 0;
    at += read_exponent(bytes + at, length - at, &exponent);
    decimal.places += exponent;
    *value = bytes[0] == '-' ? -decimal_value(&decimal) : decimal_value(&decimal);
    return at;
}

bool number_parse(const char *string, double *value) {
    size_t length = strlen(string);
    return length > 0 && number_read(string, length, value) == length;
}

int number_parse_list(const char *string, char separator, double *values, int most) {
    size_t left = strlen(string);
    for (int count = 0; count < most; string++, left--) {
        size_t used = number_read(string, left, &values[count]);
        count++;
        string += used;
        left -= used;
        if (used == 0 || left == 0) {
            return used > 0 ? count : -1;
        }
        if (*string != separator) {
            return -1;
        }
    }
    return -1;
}

const char *number_skip_integer(const char *at, const char *end) {
    while (at < end && number_is_space(*at)) {
        at++;
    }
    at += at < end && (*at == '-' || *at == '+');
    const char *digits = at;
    while (at < end && number_is_digit(*at)) {
        at++;
    }
    return at > digits ? at : NULL;
}

/* -- writing: one conversion at a time, so that the point of each number can be set right -- */

/* A conversion with its stars replaced by what they stand for. */
struct conversion {
    char text[64];
    size_t length;
    int longs; /* how many l */
    bool size; /* z */
    char kind;
};

/* Where the text goes; `length` counts on beyond the room, as snprintf does. */
struct target {
    char *buffer;
    size_t size;
    size_t length;
};

static void put(struct target *target, const char *bytes, size_t length) {
    if (target->length < target->size) {
        size_t room = target->size - target->length;
        memcpy(target->buffer + target->length, bytes, length < room ? length : room);
    }
    target->length += length;
}

/* In a wrapper because a va_list cannot be pointed to everywhere. */
struct arguments {
    va_list list;
};

static void conversion_add(struct conversion *conversion, char c) {
    if (conversion->length < sizeof conversion->text - 1) {
        conversion->text[conversion->length++] = c;
        conversion->text[conversion->length] = '\0';
    }
}

/* A star: its number, or for a precision below zero nothing at all. */
static void conversion_add_star(struct conversion *conversion, int number) {
    bool precision = conversion->text[conversion->length - 1] == '.';
    if (precision && number < 0) {
        conversion->text[--conversion->length] = '\0';
        return;
    }
    char digits[16];
    snprintf(digits, sizeof digits, "%d", number);
    for (const char *p = digits; *p; p++) {
        conversion_add(conversion, *p);
    }
}

/* Reads the conversion that begins with the % at `format`; returns where it ends. */
static const char *conversion_read(const char *format, struct arguments *arguments, struct conversion *conversion) {
    *conversion = (struct conversion){0};
    conversion_add(conversion, *format++);
    while (*format && strchr("-+ #0123456789.*hlzjt", *format)) {
        if (*format == '*') {
            conversion_add_star(conversion, va_arg(arguments->list, int));
        } else {
            conversion->longs += *format == 'l';
            conversion->size |= *format == 'z' || *format == 'j' || *format == 't';
            conversion_add(conversion, *format);
        }
        format++;
    }
    conversion->kind = *format;
    conversion_add(conversion, *format);
    return *format ? format + 1 : format;
}

/* A number as snprintf writes it, with a point for whatever stands between its digits. */
static void put_number(struct target *target, const struct conversion *conversion, double value) {
    char number[512];
    int length = snprintf(number, sizeof number, conversion->text, value);
    length = length < (int)sizeof number ? length : (int)sizeof number - 1;
    for (int i = 0; i < length; i++) {
        bool own = number_is_digit(number[i]) || strchr("+- ", number[i]) || (number[i] >= 'A' && number[i] <= 'z');
        bool first = i == 0 || number_is_digit(number[i - 1]);
        if (own) {
            put(target, number + i, 1);
        } else if (first) { /* the rest of a longer separator is dropped */
            put(target, ".", 1);
        }
    }
}

/* Formats one piece into what room is left. */
#define PUT(target, conversion, value)                                                                                 \
    do {                                                                                                               \
        size_t room = (target)->length < (target)->size ? (target)->size - (target)->length : 0;                       \
        int length = snprintf(room ? (target)->buffer + (target)->length : NULL, room, (conversion)->text, value);     \
        (target)->length += length > 0 ? (size_t)length : 0;                                                           \
    } while (0)

static void put_conversion(struct target *target, const struct conversion *conversion, struct arguments *arguments) {
    switch (conversion->kind) {
    case '%':
        put(target, "%", 1);
        break;
    case 's':
        PUT(target, conversion, va_arg(arguments->list, const char *));
        break;
    case 'p':
        PUT(target, conversion, va_arg(arguments->list, void *));
        break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
        put_number(target, conversion, va_arg(arguments->list, double));
        break;
    default: /* integers: signed and unsigned of one size are read alike */
        if (conversion->size) {
            PUT(target, conversion, va_arg(arguments->list, size_t));
        } else if (conversion->longs == 2) {
            PUT(target, conversion, va_arg(arguments->list, unsigned long long));
        } else if (conversion->longs == 1) {
            PUT(target, conversion, va_arg(arguments->list, unsigned long));
        } else {
            PUT(target, conversion, va_arg(arguments->list, unsigned));
        }
    }
}

/* Whether a number with a point is among the conversions: without one the C library's own will do. */
static bool has_number(const char *format) {
    for (const char *p = strchr(format, '%'); p; p = strchr(p + 1, '%')) {
        p += 1 + strspn(p + 1, "-+ #0123456789.*hlzjt");
        if (*p && strchr("fFeEgG", *p)) {
            return true;
        }
        if (!*p) {
            return false;
        }
    }
    return false;
}

int number_vformat(char *buffer, size_t size, const char *format, va_list arguments) {
    if (!has_number(format)) {
        return vsnprintf(buffer, size, format, arguments);
    }
    struct target target = {buffer, size, 0};
    struct arguments rest;
    va_copy(rest.list, arguments);
    while (*format) {
        size_t plain = strcspn(format, "%");
        put(&target, format, plain);
        format += plain;
        if (*format) {
            struct conversion conversion;
            format = conversion_read(format, &rest, &conversion);
            put_conversion(&target, &conversion, &rest);
        }
    }
    va_end(rest.list);
    if (size > 0) {
        buffer[target.length < size ? target.length : size - 1] = '\0';
    }
    return (int)target.length;
}

int number_format(char *buffer, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = number_vformat(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}
