#include "prove/search/proved.h"

#include <stdlib.h>

#include "base/rng.h"

static struct proved_part *part_of(struct proved *proved, uint64_t key) {
    return &proved->parts[rng_mix(key) >> 32 & (PROVED_PARTS - 1)];
}

static struct proved_item *place_of(const struct proved_part *part, uint64_t key) {
    size_t at = rng_mix(key) & (part->room - 1);
    while (part->items[at].key && part->items[at].key != key) {
        at = (at + 1) & (part->room - 1);
    }
    return &part->items[at];
}

/* Twice the room; false when there is no memory, and then all stays as it is. */
static bool grow(struct proved_part *part) {
    struct proved_part larger = {.room = part->room ? 2 * part->room : 64};
    larger.items = calloc(larger.room, sizeof *larger.items);
    if (!larger.items) {
        return false;
    }
    for (size_t i = 0; i < part->room; i++) {
        if (part->items[i].key) {
            *place_of(&larger, part->items[i].key) = part->items[i];
        }
    }
    free(part->items);
    part->items = larger.items;
    part->room = larger.room;
    return true;
}

/* Returns whether it is new and there was room. */
static bool remember_in(struct proved_part *part, uint64_t key, uint32_t move) {
    if ((part->used + 1) * 2 > part->room && !grow(part)) {
        return false;
    }
    struct proved_item *item = place_of(part, key);
    bool is_new = item->key == 0;
    part->used += is_new;
    *item = (struct proved_item){.key = key, .move = move};
    return is_new;
}

static bool remember(struct proved *proved, uint64_t key, uint32_t move) {
    struct proved_part *part = part_of(proved, key);
    if (key == 0) {
        return false;
    }
    pthread_mutex_lock(&part->lock);
    bool is_new = remember_in(part, key, move);
    pthread_mutex_unlock(&part->lock);
    proved->count += is_new;
    return is_new;
}

int64_t proved_find(struct proved *proved, uint64_t key) {
    struct proved_part *part = part_of(proved->whole ? proved->whole : proved, key);
    int64_t move = -1;
    pthread_mutex_lock(&part->lock);
    if (part->room > 0) {
        const struct proved_item *item = place_of(part, key);
        move = item->key ? (int64_t)item->move : -1;
    }
    pthread_mutex_unlock(&part->lock);
    return move;
}

/* Remembers, and tells whoever wants to know what is new. */
static bool take(struct proved *proved, uint64_t key, uint32_t move) {
    unsigned char record[LEDGER_RECORD_BYTES];
    bool is_new = remember(proved->whole ? proved->whole : proved, key, move);
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

void proved_keep(struct proved *proved, uint64_t key, uint32_t move) {
    pthread_mutex_lock(&proved->lock);
    take(proved, key, move);
    ledger_add(&proved->ledger, key, move);
    pthread_mutex_unlock(&proved->lock);
}

void proved_write(const struct proved *proved, struct text *records) {
    for (size_t i = 0; i < PROVED_PARTS; i++) {
        const struct proved_part *part = &proved->parts[i];
        for (size_t j = 0; j < part->room; j++) {
            unsigned char record[LEDGER_RECORD_BYTES];
            if (part->items[j].key) {
                ledger_put_record(record, part->items[j].key, part->items[j].move);
                text_add(records, (const char *)record, sizeof record);
            }
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
    for (int i = 0; i < PROVED_PARTS; i++) {
        pthread_mutex_init(&proved->parts[i].lock, NULL);
    }
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
    for (int i = 0; i < PROVED_PARTS; i++) {
        free(proved->parts[i].items);
        pthread_mutex_destroy(&proved->parts[i].lock);
    }
    pthread_mutex_destroy(&proved->lock);
    return whole;
}
