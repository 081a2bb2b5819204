#include "prove/proved.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"

#define HEAD "sortie proved 1\n"
#define HEAD_BYTES 16
#define RECORD_BYTES 16

static void put_number(unsigned char *bytes, uint64_t number, int count) {
    for (int i = 0; i < count; i++) {
        bytes[i] = (unsigned char)(number >> (8 * i));
    }
}

static uint64_t get_number(const unsigned char *bytes, int count) {
    uint64_t number = 0;
    for (int i = 0; i < count; i++) {
        number |= (uint64_t)bytes[i] << (8 * i);
    }
    return number;
}

/* Four bytes that tell a whole record from a torn one. */
static uint64_t check_of(uint64_t key, uint32_t move) {
    return rng_mix(rng_mix(key) ^ move) >> 32;
}

static void put_record(unsigned char *record, uint64_t key, uint32_t move) {
    put_number(record, key, 8);
    put_number(record + 8, move, 4);
    put_number(record + 12, check_of(key, move), 4);
}

/* False when the record is not whole. */
static bool get_record(const unsigned char *record, uint64_t *key, uint32_t *move) {
    *key = get_number(record, 8);
    *move = (uint32_t)get_number(record + 8, 4);
    return get_number(record + 12, 4) == check_of(*key, *move);
}

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

void proved_add(struct proved *proved, uint64_t key, uint32_t move) {
    unsigned char record[RECORD_BYTES];
    put_record(record, key, move);
    pthread_mutex_lock(&proved->lock);
    bool is_new = remember(proved, key, move);
    if (is_new && proved->file) {
        fwrite(record, 1, sizeof record, proved->file);
    }
    if (is_new && proved->added) {
        text_add(proved->added, (const char *)record, sizeof record);
    }
    pthread_mutex_unlock(&proved->lock);
}

void proved_write(const struct proved *proved, struct text *records) {
    for (size_t i = 0; i < proved->room; i++) {
        unsigned char record[RECORD_BYTES];
        if (proved->items[i].key) {
            put_record(record, proved->items[i].key, proved->items[i].move);
            text_add(records, (const char *)record, sizeof record);
        }
    }
}

bool proved_take(struct proved *proved, const char *bytes, size_t length) {
    uint64_t key;
    uint32_t move;
    for (; length >= RECORD_BYTES; bytes += RECORD_BYTES, length -= RECORD_BYTES) {
        if (!get_record((const unsigned char *)bytes, &key, &move)) {
            return false;
        }
        proved_add(proved, key, move);
    }
    return length == 0;
}

/* Reads the records up to the first that is not whole, and cuts the file there. */
static enum status read_records(struct proved *proved, struct error *error) {
    unsigned char record[RECORD_BYTES];
    long good = HEAD_BYTES;
    while (fread(record, 1, sizeof record, proved->file) == sizeof record) {
        uint64_t key;
        uint32_t move;
        if (!get_record(record, &key, &move)) {
            break;
        }
        remember(proved, key, move);
        good += RECORD_BYTES;
    }
    if (fseek(proved->file, good, SEEK_SET) != 0 || ftruncate(fileno(proved->file), good) != 0) {
        return error_machine(error, "cannot carry on with the store: %s", strerror(errno));
    }
    return STATUS_OK;
}

void proved_init(struct proved *proved) {
    *proved = (struct proved){0};
    pthread_mutex_init(&proved->lock, NULL);
}

enum status proved_open(struct proved *proved, const char *path, struct error *error) {
    char head[HEAD_BYTES];
    proved->file = fopen(path, "r+b");
    if (!proved->file && errno == ENOENT) {
        proved->file = fopen(path, "w+b");
    }
    if (!proved->file) {
        return error_at(error, 0, 0, "cannot be opened: %s", strerror(errno));
    }
    size_t length = fread(head, 1, HEAD_BYTES, proved->file);
    if (length == 0) { /* new, or made by a process that was killed at once */
        rewind(proved->file);
        fwrite(HEAD, 1, HEAD_BYTES, proved->file);
        proved_flush(proved);
        return STATUS_OK;
    }
    if (length < HEAD_BYTES || memcmp(head, HEAD, HEAD_BYTES) != 0) {
        return error_at(error, 0, 0, "expected a store of sortie prove");
    }
    return read_records(proved, error);
}

void proved_flush(struct proved *proved) {
    pthread_mutex_lock(&proved->lock);
    if (proved->file) {
        fflush(proved->file);
    }
    pthread_mutex_unlock(&proved->lock);
}

bool proved_close(struct proved *proved) {
    bool whole = !proved->file || (!ferror(proved->file) && fflush(proved->file) == 0);
    if (proved->file) {
        fclose(proved->file);
    }
    free(proved->items);
    pthread_mutex_destroy(&proved->lock);
    return whole;
}
