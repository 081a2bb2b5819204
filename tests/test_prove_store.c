/* The store of what is proved: whatever is damaged, only that is lost; several may write to one; and a process that is
 * killed takes nothing with it but what it had not handed over. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "prove/search/proved.h"

#define HEAD_BYTES 16
#define RECORD_BYTES 16
#define FEW 8
#define MANY 5000

static char path[64];

static int make_path(void **state) {
    (void)state;
    strcpy(path, "/tmp/sortie-store-XXXXXX");
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_path(void **state) {
    (void)state;
    return unlink(path);
}

static uint64_t key_of(uint64_t i) {
    return rng_mix(i + 1);
}

static void open_store(struct proved *proved) {
    struct error error;
    proved_init(proved);
    assert_int_equal(proved_open(proved, path, &error), STATUS_OK);
}

/* Adds records `from` to `end` - 1 and closes the store. */
static void add_some(uint64_t from, uint64_t end) {
    struct proved proved;
    open_store(&proved);
    for (uint64_t i = from; i < end; i++) {
        proved_add(&proved, key_of(i), (uint32_t)(i % 225));
    }
    assert_true(proved_close(&proved));
}

static size_t read_bytes(unsigned char *bytes, size_t most) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, most, file);
    fclose(file);
    return length;
}

static void write_bytes(const unsigned char *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static off_t file_size(void) {
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_size;
}

/* How many of the records `from` to `end` - 1 the store has, each with its move. */
static uint64_t count_kept(struct proved *proved, uint64_t from, uint64_t end) {
    uint64_t count = 0;
    for (uint64_t i = from; i < end; i++) {
        int64_t move = proved_find(proved, key_of(i));
        assert_true(move == -1 || move == (int64_t)(i % 225));
        count += move >= 0;
    }
    return count;
}

/* Every bit of a store, one at a time: the record it is in is lost, and nothing else; the file stays as it is. */
static void test_every_bit(void **state) {
    (void)state;
    unsigned char bytes[HEAD_BYTES + FEW * RECORD_BYTES + 1];
    add_some(0, FEW);
    size_t length = read_bytes(bytes, sizeof bytes);
    assert_int_equal(length, HEAD_BYTES + FEW * RECORD_BYTES);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        size_t byte = bit / 8;
        struct proved proved;
        bytes[byte] ^= (unsigned char)(1 << bit % 8);
        write_bytes(bytes, length);
        open_store(&proved);
        for (size_t i = 0; i < FEW; i++) {
            bool hit = byte >= HEAD_BYTES && (byte - HEAD_BYTES) / RECORD_BYTES == i;
            assert_int_equal(proved_find(&proved, key_of(i)), hit ? -1 : (int)i);
        }
        bool last = byte >= length - RECORD_BYTES; /* that could also be one that is not written to its end */
        assert_int_equal(proved.ledger.scan.bad, last ? 0 : 1);
        assert_true(proved_close(&proved));
        assert_int_equal(file_size(), length);
        bytes[byte] ^= (unsigned char)(1 << bit % 8);
    }
}

/* A damaged store grows as any other, and what is added is there the next time. */
static void test_adding_behind_damage(void **state) {
    (void)state;
    unsigned char bytes[HEAD_BYTES + FEW * RECORD_BYTES];
    struct proved proved;
    add_some(0, FEW);
    read_bytes(bytes, sizeof bytes);
    bytes[HEAD_BYTES + 3 * RECORD_BYTES + 5] ^= 4;
    write_bytes(bytes, sizeof bytes - 7); /* and the last one is torn */
    add_some(FEW, 2 * FEW);
    add_some(2 * FEW, 3 * FEW);
    open_store(&proved);
    assert_int_equal(count_kept(&proved, 0, FEW), FEW - 2);
    assert_int_equal(count_kept(&proved, FEW, 3 * FEW), 2 * FEW);
    assert_int_equal(proved.ledger.scan.bad, 2);
    assert_int_equal(proved.ledger.scan.skipped, RECORD_BYTES + RECORD_BYTES - 7);
    assert_true(proved_close(&proved));
}

/* A hole of zeros, as a machine that lost its power leaves it, bytes that came in between, and bytes that went. */
static void test_holes(void **state) {
    (void)state;
    static unsigned char bytes[HEAD_BYTES + MANY * RECORD_BYTES + 1000];
    struct proved proved;
    add_some(0, MANY);
    size_t length = read_bytes(bytes, sizeof bytes);
    memset(bytes + HEAD_BYTES + 100 * RECORD_BYTES, 0, 256 * RECORD_BYTES);
    memmove(bytes + 40011, bytes + 40000, length - 40000); /* where a record begins */
    length += 11;
    memmove(bytes + 60000, bytes + 60005, length - 60005);
    length -= 5;
    write_bytes(bytes, length);
    open_store(&proved);
    assert_int_equal(count_kept(&proved, 0, MANY), MANY - 256 - 1);
    assert_int_equal(proved.ledger.scan.bad, 256 + 1 + 1);
    assert_true(proved_close(&proved));
    assert_int_equal(file_size(), length);
}

/* Two that have the store open at once: none overwrites the other's, and each learns what the other has proved. */
static void test_sharing(void **state) {
    (void)state;
    struct proved one;
    struct proved other;
    open_store(&one);
    open_store(&other);
    for (uint64_t i = 0; i < MANY; i++) {
        proved_add(i % 3 == 0 ? &one : &other, key_of(i), (uint32_t)(i % 225));
    }
    proved_flush(&one);
    proved_flush(&other);
    assert_int_equal(count_kept(&other, 0, MANY), MANY);
    proved_flush(&one);
    assert_int_equal(count_kept(&one, 0, MANY), MANY);
    assert_true(proved_close(&one));
    assert_true(proved_close(&other));
    assert_int_equal(file_size(), HEAD_BYTES + MANY * RECORD_BYTES);
}

/* A process that adds records `from` on to `end` - 1, in small parts. */
static pid_t begin_adding(uint64_t from, uint64_t end) {
    pid_t child = fork();
    if (child == 0) {
        struct proved proved;
        struct error error;
        proved_init(&proved);
        if (proved_open(&proved, path, &error) != STATUS_OK) {
            _exit(1);
        }
        for (uint64_t i = from; i < end; i++) {
            proved_add(&proved, key_of(i), (uint32_t)(i % 225));
            if (i % 7 == 0) {
                proved_flush(&proved);
            }
        }
        _exit(proved_close(&proved) ? 0 : 1);
    }
    assert_true(child > 0);
    return child;
}

/* Three processes at once, from a file that is not there yet: all of what they proved, each record once. */
static void test_processes(void **state) {
    (void)state;
    pid_t children[3];
    struct proved proved;
    assert_int_equal(unlink(path), 0);
    for (uint64_t i = 0; i < 3; i++) {
        children[i] = begin_adding(i * MANY, (i + 1) * MANY);
    }
    for (int i = 0; i < 3; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    open_store(&proved);
    assert_int_equal(count_kept(&proved, 0, 3 * MANY), 3 * MANY);
    assert_int_equal(proved.ledger.scan.bad, 0);
    assert_true(proved_close(&proved));
    assert_int_equal(file_size(), HEAD_BYTES + 3 * MANY * RECORD_BYTES);
}

/* Processes are killed while they add; the one that goes on loses nothing, and neither does the store. */
static void test_kill(void **state) {
    (void)state;
    struct proved proved;
    open_store(&proved);
    uint64_t next = 0;
    for (int round = 0; round < 10; round++) {
        uint64_t base = (uint64_t)(round + 1) << 32;
        off_t before = file_size();
        pid_t child = begin_adding(base, base + ((uint64_t)1 << 31));
        while (file_size() < before + 2000 + 777 * round) {
            proved_add(&proved, key_of(next), (uint32_t)(next % 225));
            next++;
            proved_flush(&proved);
        }
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
    }
    assert_true(proved_close(&proved));
    off_t size = file_size();
    add_some(next, next + 1);
    open_store(&proved);
    assert_int_equal(count_kept(&proved, 0, next + 1), next + 1);
    assert_true(proved.ledger.scan.bad <= 10);
    uint64_t records = proved.count;
    assert_true((off_t)(records * RECORD_BYTES) >= size - 10 * RECORD_BYTES);
    assert_true(proved_close(&proved));
}

/* Something else stays what it is. */
static void test_no_store(void **state) {
    (void)state;
    static const char *const texts[] = {"something else altogether, of some length", "x", "sortie proved 2\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct proved proved;
        struct error error;
        write_bytes((const unsigned char *)texts[i], strlen(texts[i]));
        proved_init(&proved);
        assert_int_equal(proved_open(&proved, path, &error), STATUS_BAD_INPUT);
        proved_close(&proved);
        assert_int_equal(file_size(), strlen(texts[i]));
    }
}

#define store_test(test) cmocka_unit_test_setup_teardown(test, make_path, remove_path)

int main(void) {
    const struct CMUnitTest tests[] = {
        store_test(test_every_bit), store_test(test_adding_behind_damage),
        store_test(test_holes),     store_test(test_sharing),
        store_test(test_processes), store_test(test_kill),
        store_test(test_no_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
