/* Writes JSON into a text: values with their names and commas, strings as text_add_json_bytes has them. */
#ifndef SORTIE_BASE_JSON_H
#define SORTIE_BASE_JSON_H

#include <stdint.h>

#include "base/text.h"

struct json {
    struct text *text; /* borrowed */
    bool more;         /* a value stands before the next one, in the same object or list */
};

/* Every value goes into the object or list opened last. `key` is its name in an object; NULL in a list and for the
 * outermost value. */
void json_open_object(struct json *json, const char *key);
void json_close_object(struct json *json);
void json_open_list(struct json *json, const char *key);
void json_close_list(struct json *json);
void json_string(struct json *json, const char *key, const char *string);
void json_bytes(struct json *json, const char *key, const char *bytes, size_t length);
/* What a stranger wrote, made fit to show (base/clean.h): one line, or several. */
void json_clean(struct json *json, const char *key, const char *string);
void json_clean_lines(struct json *json, const char *key, const char *bytes, size_t length);
void json_int(struct json *json, const char *key, int64_t value);
/* With so many digits behind the point; null when it is no finite number. */
void json_number(struct json *json, const char *key, double value, int digits);
void json_bool(struct json *json, const char *key, bool value);
/* A value that is JSON already. */
void json_raw(struct json *json, const char *key, const char *value);

#endif
