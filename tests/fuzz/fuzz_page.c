/* The C behind the page, with any bytes as what the page writes: positions, files, certificates. Whatever comes in,
 * what goes out to the page is JSON where it expects some. The first byte chooses the call. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "web.h"

#define MOST_NESTING 50

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the page calls; web.h does not name them, since only the page does. */
char *web_input(size_t length);
const char *web_output(void);
size_t web_output_length(void);
int web_view(void);
int web_sgf(void);
int web_think(int several);
int web_course(void);
int web_tree(int method, int depth, int most_nodes);
const char *web_nodes(void);
size_t web_nodes_length(void);
int web_count_ordered(int depth, int most_work);
int web_open_proof(void);
int web_proof(void);
int web_study(int record);
int web_study_sgf(void);
int web_within(int most, int replies);
void web_hash(int mebibytes);

/* -- is it JSON? -- */

static const char *value_end(const char *at, const char *end, int depth);

static const char *string_end(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++) {
        if ((unsigned char)*at < 0x20 || (*at == '\\' && ++at == end)) {
            return NULL;
        }
    }
    return at < end ? at + 1 : NULL;
}

static const char *skip(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\n')) {
        at++;
    }
    return at;
}

/* A list or an object: values, in an object each behind its key, with commas between them. */
static const char *group_end(const char *at, const char *end, int depth) {
    char close = *at == '[' ? ']' : '}';
    at = skip(at + 1, end);
    if (at < end && *at == close) {
        return at + 1;
    }
    while (at && at < end) {
        if (close == '}') {
            at = *at == '"' ? string_end(at, end) : NULL;
            at = at ? skip(at, end) : NULL;
            at = at && at < end && *at == ':' ? skip(at + 1, end) : NULL;
        }
        at = at ? value_end(at, end, depth + 1) : NULL;
        at = at ? skip(at, end) : NULL;
        if (!at || at == end || *at == close) {
            break;
        }
        at = *at == ',' ? skip(at + 1, end) : NULL;
    }
    return at && at < end ? at + 1 : NULL;
}

/* Where the value ends that begins here; NULL when it is none. */
static const char *value_end(const char *at, const char *end, int depth) {
    if (at == end || depth > MOST_NESTING) {
        return NULL;
    }
    if (*at == '"') {
        return string_end(at, end);
    }
    if (*at == '[' || *at == '{') {
        return group_end(at, end, depth);
    }
    const char *begin = at;
    while (at < end && (isalnum((unsigned char)*at) || *at == '-' || *at == '+' || *at == '.')) {
        at++;
    }
    return at > begin ? at : NULL;
}

/* One value, or lines of one each. */
static void check_json(const char *bytes, size_t length) {
    const char *end = bytes + length;
    const char *at = skip(bytes, end);
    while (at && at < end) {
        at = value_end(at, end, 0);
        at = at ? skip(at, end) : NULL;
    }
    if (!at) {
        abort();
    }
    for (size_t i = 0; i < length;) {
        size_t character = text_utf8_length(bytes + i, length - i);
        if (character == 0) {
            abort();
        }
        i += character;
    }
}

void page_report(const char *bytes, size_t length) {
    check_json(bytes, length);
}

/* -- the calls -- */

/* Hands bytes in, after some of our own. */
static void write_input(const char *before, const uint8_t *data, size_t size) {
    size_t length = strlen(before);
    char *room = web_input(length + size);
    if (!room) {
        abort();
    }
    memcpy(room, before, length);
    memcpy(room + length, data, size);
}

/* A search whose only limit is ours. */
static int think(const uint8_t *data, size_t size) {
    static const char *const words[] = {"time", "nodes", "depth", "goal"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (memmem(data, size, words[i], strlen(words[i]))) {
            return 1;
        }
    }
    write_input("nodes 20\n", data, size);
    return web_think(0);
}

static int explore(const uint8_t *data, size_t size) {
    write_input("", data, size);
    int status = web_tree(1 + size % 2, 2, 300);
    if (status == 0 && web_nodes_length() % 32 != 0) {
        abort();
    }
    return status;
}

/* A certificate, and then the same position that it begins with or any other. */
static int prove(const uint8_t *data, size_t size) {
    static const uint8_t position[] = "position\ngomoku freestyle 15\nH8 H9\n";
    write_input("", data, size);
    int status = web_open_proof();
    if (status == 0) {
        write_input("", position, sizeof position - 1);
        status = web_proof();
    }
    check_json(web_output(), web_output_length());
    web_forget_proofs();
    return status;
}

static int call(int choice, const uint8_t *data, size_t size) {
    switch (choice) {
    case 0:
        write_input("", data, size);
        return web_view();
    case 1:
        write_input("", data, size);
        return web_course();
    case 2:
        return think(data, size);
    case 3:
        return explore(data, size);
    case 4:
        write_input("", data, size);
        return web_count_ordered(2, 300);
    case 5:
        write_input("", data, size);
        return web_proof();
    case 11:
        write_input("", data, size);
        return web_within(2, (int)size % 2);
    default:
        return prove(data, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    web_hash(1);
    if (data[0] % 12 >= 8 && data[0] % 12 <= 10) { /* a game record is none of JSON's, a refusal is */
        write_input("", data + 1, size - 1);
        int status = data[0] % 12 == 8 ? web_sgf() : data[0] % 12 == 9 ? web_study(0) : web_study_sgf();
        if (status == 2) {
            check_json(web_output(), web_output_length());
        }
        return 0;
    }
    if (call(data[0] % 12, data + 1, size - 1) != 1) {
        check_json(web_output(), web_output_length());
    }
    return 0;
}
