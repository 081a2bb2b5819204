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

#define MOST_LENGTH 2000 /* the rules fit into little, and a long proof only takes long */

/* Asked after 65536 steps: what is longer is cut short. */
static bool patience(uint64_t bytes, uint64_t steps) {
    (void)bytes, (void)steps;
    return false;
}

static void check(const void *bytes, size_t size) {
    static FILE *nowhere; /* opened once */
    nowhere = nowhere ? nowhere : fopen("/dev/null", "w");
    FILE *in = fmemopen((void *)(uintptr_t)bytes, size, "rb");
    if (in && nowhere) {
        int outcome = verify_stream(in, "fuzz", false, patience, nowhere, nowhere);
        if (outcome < 0 || outcome > 2) {
            __builtin_trap();
        }
    }
    if (in) {
        fclose(in);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    size = size < MOST_LENGTH ? size : MOST_LENGTH;
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
