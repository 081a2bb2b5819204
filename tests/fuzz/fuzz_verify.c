/* Any bytes as a certificate, as they are and behind a head: no crash, no endless work, and an answer
 * of three. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prove/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const heads[] = {
    "sortie proof 1\ngame gomoku freestyle 5\nmove X\nclaim X wins 0\nXXX..\n.....\nOO...\n..X..\n.....\n",
    "sortie proof 1\ngame gomoku freestyle 5\nmove O\nclaim X holds 0\n.....\n.XO..\n.....\n.....\n.....\n",
    "sortie proof 1\ngame war stake 2\nmove X\nclaim X margin 1\n1.2.\n3.4O\n",
    "sortie proof 1\ngame laser standard 3\nmove 1\nclaim 2 margin 0\n000\n030\n001\n"};

static bool patience(uint64_t bytes, uint64_t steps) {
    return steps < 200000 + 16 * bytes;
}

static void check(const void *bytes, size_t size) {
    FILE *in = fmemopen((void *)(uintptr_t)bytes, size, "rb");
    FILE *out = fopen("/dev/null", "w");
    if (in && out) {
        int outcome = verify_stream(in, "fuzz", false, patience, out, out);
        if (outcome < 0 || outcome > 2) {
            __builtin_trap();
        }
    }
    if (in) {
        fclose(in);
    }
    if (out) {
        fclose(out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    check(data, size);
    const char *head = heads[data[0] % (sizeof heads / sizeof *heads)];
    size_t length = strlen(head);
    char *whole = malloc(length + size);
    if (whole) {
        memcpy(whole, head, length);
        memcpy(whole + length, data + 1, size - 1);
        check(whole, length + size - 1);
    }
    free(whole);
    return 0;
}
