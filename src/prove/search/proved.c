#include "prove/search/proved.h"

#include <stdlib.h>

#include "base/rng.h"

static struct proved_item *place_of(const struct proved *proved, uint64_t key) {
    size_t at = rng_mix(key) & (proved->room - 1);
    while (proved->items[at].key && proved->items[at].key != key) {
        at = (at + 1) & (proved->room - 1);
    }
    return &proved->items[at];
}

/* Twice the room; false when there is no memory, and then all stays as it is. */
static bool grow(struct proved *proved) {
    struct proved larger = {.room = proved->room ? 2 * proved->room : 1024};
    larger.items = calloc(larger.room, sizeof *larger.items);
    if (!larger.items) {
        return false;
    }
    for (size_t i = 0; i < proved->room; i++) {
        if (proved->items[i].key) {
            *place_of(&larger, proved->items[i].key) = proved->items[i];
        }
    }
    free(proved->items);
    proved->items = larger.items;
    proved->room = larger.room;
    return true;
}

/* Returns whether it is new and there was room. */
static bool remember(struct proved *proved, uint64_t key, uint32_t move) {
    if (key == 0 || ((proved->count + 1) * 2 > proved->room && !grow(proved))) {
        return false;
    }
    struct proved_item *item = place_of(proved, key);
    bool is_new = item->key == 0;
    proved->count += is_new;
    *item = (struct proved_item){.key = key, .move = move};
    return is_new;
}

int64_t proved_find(struct proved *proved, uint64_t key) {
    int64_t move = -1;
    pthread_mutex_lock(&proved->lock);
    if (proved->room > 0) {
        const struct proved_item *item = place_of(proved, key);
        move = item->key ? (int64_t)item->move : -1;
    }
    pthread_mutex_unlock(&proved->lock);
    return move;
}

/* Remembers, and tells whoever wants to know what is new. */
static bool take(struct proved *proved, uint64_t key, uint32_t move) {
    unsigned char record[LEDGER_RECORD_BYTES];
    bool is_new = remember(proved, key, move);
    if (is_new && proved->added) {
        ledger_put_record(record, key, move);
        text_add(proved->added, (const char *)record, sizeof record);
    }
    return is_new;
}

void proved_add(struct proved *proved, uint64_t key, uint32_t move) {
    pthread_mutex_lock(&proved->lock);
    if (take(proved, key, move)) {
        ledger_add(&proved->ledger, key, move);
    }
    pthread_mutex_unlock(&proved->lock);
}

void proved_write(const struct proved *proved, struct text *records) {
    for (size_t i = 0; i < proved->room; i++) {
        unsigned char record[LEDGER_RECORD_BYTES];
        if (proved->items[i].key) {
            ledger_put_record(record, proved->items[i].key, proved->items[i].move);
            text_add(records, (const char *)record, sizeof record);
        }
    }
}

bool proved_take(struct proved *proved, const char *bytes, size_t length) {
    uint64_t key;
    uint32_t move;
    for (; length >= LEDGER_RECORD_BYTES; bytes += LEDGER_RECORD_BYTES, length -= LEDGER_RECORD_BYTES) {
        if (!ledger_get_record((const unsigned char *)bytes, &key, &move)) {
            return false;
        }
        proved_add(proved, key, move);
    }
    return length == 0;
}

void proved_init(struct proved *proved) {
    *proved = (struct proved){0};
    pthread_mutex_init(&proved->lock, NULL);
}

/* What the store holds, or another process has added to it. */
static void take_record(void *user, uint64_t key, uint32_t move) {
    take(user, key, move);
}

enum status proved_open(struct proved *proved, const char *path, struct error *error) {
    return ledger_open(&proved->ledger, path, take_record, proved, error);
}

void proved_flush(struct proved *proved) {
    pthread_mutex_lock(&proved->lock);
    ledger_exchange(&proved->ledger);
    pthread_mutex_unlock(&proved->lock);
}

bool proved_close(struct proved *proved) {
    bool whole = ledger_close(&proved->ledger);
    free(proved->items);
    pthread_mutex_destroy(&proved->lock);
    return whole;
}
