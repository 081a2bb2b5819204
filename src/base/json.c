#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/clean.h"

/* The comma before a value and its name. */
static void begin_value(struct json *json, const char *key) {
    text_add_string(json->text, json->more ? ", " : "");
    json->more = true;
    if (key) {
        text_add_json(json->text, key);
        text_add_string(json->text, ": ");
    }
}

static void open_group(struct json *json, const char *key, char bracket) {
    begin_value(json, key);
    text_add_char(json->text, bracket);
    json->more = false;
}

static void close_group(struct json *json, char bracket) {
    text_add_char(json->text, bracket);
    json->more = true;
}

void json_open_object(struct json *json, const char *key) {
    open_group(json, key, '{');
}

void json_close_object(struct json *json) {
    close_group(json, '}');
}

void json_open_list(struct json *json, const char *key) {
    open_group(json, key, '[');
}

void json_close_list(struct json *json) {
    close_group(json, ']');
}

void json_string(struct json *json, const char *key, const char *string) {
    json_bytes(json, key, string, strlen(string));
}

void json_bytes(struct json *json, const char *key, const char *bytes, size_t length) {
    begin_value(json, key);
    text_add_json_bytes(json->text, bytes, length);
}

void json_clean(struct json *json, const char *key, const char *string) {
    begin_value(json, key);
    clean_add_json(json->text, string);
}

void json_clean_lines(struct json *json, const char *key, const char *bytes, size_t length) {
    begin_value(json, key);
    clean_add_json_lines(json->text, bytes, length);
}

void json_int(struct json *json, const char *key, int64_t value) {
    begin_value(json, key);
    text_addf(json->text, "%lld", (long long)value);
}

void json_number(struct json *json, const char *key, double value, int digits) {
    ASSERT(digits >= 0 && digits <= 17);
    begin_value(json, key);
    if (isfinite(value)) {
        text_addf(json->text, "%.*f", digits, value);
    } else {
        text_add_string(json->text, "null");
    }
}

void json_bool(struct json *json, const char *key, bool value) {
    json_raw(json, key, value ? "true" : "false");
}

void json_raw(struct json *json, const char *key, const char *value) {
    ASSERT(value);
    begin_value(json, key);
    text_add_string(json->text, value);
}
