#include "cli/solving/prove_store.h"

#include <inttypes.h>

#include "base/clean.h"
#include "cli/cli.h"

#define MOST_PLACES 20 /* that are printed */

/* Where bytes were skipped. */
struct places {
    uint64_t at[MOST_PLACES];
    uint64_t bytes[MOST_PLACES];
    uint64_t count; /* also of those there is no room for */
};

static void take_nothing(void *user, uint64_t key, uint32_t move) {
    (void)user, (void)key, (void)move;
}

static void add_place(void *user, uint64_t at, uint64_t bytes) {
    struct places *places = user;
    if (places->count < MOST_PLACES) {
        places->at[places->count] = at;
        places->bytes[places->count] = bytes;
    }
    places->count++;
}

int prove_check_store(const char *path) {
    struct places places = {.count = 0};
    struct ledger_scan scan = {.take = take_nothing, .skip = add_place, .user = &places};
    struct error error = {0};
    uint64_t torn;
    enum status status = ledger_check(path, &scan, &torn, &error);
    if (status != STATUS_OK) {
        return cli_fail(path, &error, status);
    }
    uint64_t bytes = scan.at - scan.gap + torn;
    uint64_t bad = scan.bad + (torn + LEDGER_RECORD_BYTES - 1) / LEDGER_RECORD_BYTES;
    if (torn > 0) {
        add_place(&places, bytes - torn, torn);
    }
    printf("%s: %" PRIu64 " records, %" PRIu64 " bad, %" PRIu64 " bytes\n", bad > 0 ? "damaged" : "whole", scan.good,
           bad, bytes);
    for (uint64_t i = 0; i < places.count && i < MOST_PLACES; i++) {
        printf("skipped %" PRIu64 " bytes at byte %" PRIu64 "\n", places.bytes[i], places.at[i]);
    }
    if (places.count > MOST_PLACES) {
        printf("skipped at %" PRIu64 " more places\n", places.count - MOST_PLACES);
    }
    return bad > 0 ? 1 : 0;
}

void prove_tell_damage(const char *path, const struct ledger_scan *scan) {
    struct clean_line name;
    if (scan->bad > 0) {
        fprintf(stderr, "sortie: %s: %" PRIu64 " bad records skipped, %" PRIu64 " kept; --check-store says where\n",
                clean_string(&name, path), scan->bad, scan->good);
    }
}
