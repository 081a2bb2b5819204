/* Any bytes as a core, as they are and as the moves of one with its digest right: no crash, no endless work, and
 * nothing is a proof that does not come to the certificate it names. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc64.h"
#include "base/text.h"
#include "prove/core/unfold.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_LENGTH 600
#define MOST_LOOKS 2 /* at how far it is, every thousand nodes */

static const char *const heads[] = {
    "sortie core 1\ngame gomoku freestyle 6\nmove X\nclaim X wins 0\n"
    "......\n.XX...\n..O...\n.O....\n......\n......\nproof 9 0000000000000000\n",
    "sortie core 1\ngame gomoku freestyle 7\nmove O\nclaim X wins 0\n"
    ".......\n.XXX...\n..O.O..\n.......\n.......\n.......\n.......\nproof 9 0000000000000000\n"};

static atomic_bool stop;
static int looks;

static void look(void *user, uint64_t bytes) {
    (void)user, (void)bytes;
    if (++looks > MOST_LOOKS) {
        atomic_store(&stop, true);
    }
}

static void try(const char *bytes, size_t length) {
    struct error error = {0};
    struct text records = TEXT_EMPTY;
    struct unfold asked = {.records = &records, .stop = &stop, .progress = look};
    atomic_store(&stop, false);
    looks = 0;
    if (unfold_core(bytes, length, &asked, &error) == STATUS_OK && asked.bytes == 9) {
        __builtin_trap();
    }
    text_free(&records);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    size = size < MOST_LENGTH ? size : MOST_LENGTH;
    try((const char *)data, size);
    struct text core = TEXT_EMPTY;
    uint8_t digest[CERTIFICATE_DIGEST_BYTES];
    text_add_string(&core, heads[data[0] & 1]);
    text_add(&core, (const char *)data + 1, size - 1);
    if (!core.broken) {
        certificate_write_digest(digest, crc64_add(0, (const uint8_t *)core.data, core.length));
        text_add(&core, (const char *)digest, sizeof digest);
        try(text_string(&core), core.length);
    }
    text_free(&core);
    return 0;
}
