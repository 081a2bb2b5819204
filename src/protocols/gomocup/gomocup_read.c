/* Words, numbers and squares in a line of the Gomocup protocol. */
#include <string.h>

#include "base/assert.h"
#include "protocols/gomocup/gomocup_state.h"

#define MOST_NUMBER INT64_C(1000000000000000)

bool gomocup_same_word(const char *word, size_t length, const char *name) {
    if (length != strlen(name)) {
        return false; /* also a word with a zero in it, which would compare equal to the end of the name */
    }
    for (size_t i = 0; i < length; i++) {
        char c = word[i] >= 'a' && word[i] <= 'z' ? (char)(word[i] - 32) : word[i];
        if (c != name[i]) {
            return false;
        }
    }
    return true;
}

bool gomocup_read_numbers(const char *bytes, size_t length, int count, int64_t *numbers) {
    ASSERT(count >= 1);
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        while (at < length && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        bool negative = at < length && bytes[at] == '-';
        at += negative;
        size_t first = at;
        int64_t number = 0;
        while (at < length && bytes[at] >= '0' && bytes[at] <= '9') {
            number = number < MOST_NUMBER / 10 ? number * 10 + (bytes[at] - '0') : MOST_NUMBER;
            at++;
        }
        if (at == first) {
            return false;
        }
        numbers[i] = negative ? -number : number;
        while (at < length && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        if (i < count - 1) {
            if (at >= length || bytes[at] != ',') {
                return false;
            }
            at++;
        }
    }
    return at == length;
}

int gomocup_read_square(const struct gomocup *gomocup, const char *bytes, size_t length) {
    int64_t numbers[2];
    int size = gomocup->position.size;
    if (!gomocup_read_numbers(bytes, length, 2, numbers) || numbers[0] < 0 || numbers[0] >= size || numbers[1] < 0 ||
        numbers[1] >= size) {
        return -1;
    }
    return (int)(numbers[1] * size + numbers[0]);
}
