#include "prove/search/ledger.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <sys/file.h>
#endif

#include "base/rng.h"

#define HEAD "sortie proved 1\n"
#define HEAD_BYTES 16
#define PIECE ((size_t)1 << 16)

/* -- records -- */

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

/* Four bytes that tell a record from anything else. */
static uint64_t check_of(uint64_t key, uint32_t move) {
    return rng_mix(rng_mix(key) ^ move) >> 32;
}

void ledger_put_record(unsigned char record[LEDGER_RECORD_BYTES], uint64_t key, uint32_t move) {
    put_number(record, key, 8);
    put_number(record + 8, move, 4);
    put_number(record + 12, check_of(key, move), 4);
}

bool ledger_get_record(const unsigned char record[LEDGER_RECORD_BYTES], uint64_t *key, uint32_t *move) {
    *key = get_number(record, 8);
    *move = (uint32_t)get_number(record + 8, 4);
    return *key != 0 && get_number(record + 12, 4) == check_of(*key, *move);
}

/* -- reading -- */

/* A record stands here: what was passed over before it is lost. */
static void close_gap(struct ledger_scan *scan) {
    if (scan->gap > 0) {
        scan->skipped += scan->gap;
        scan->bad += (scan->gap + LEDGER_RECORD_BYTES - 1) / LEDGER_RECORD_BYTES;
        if (scan->skip) {
            scan->skip(scan->user, scan->at - scan->gap, scan->gap);
        }
        scan->gap = 0;
    }
}

/* Takes the records in these bytes; returns how many bytes it is done with. Fewer than a record's are left. */
static size_t scan_bytes(struct ledger_scan *scan, const unsigned char *bytes, size_t length) {
    size_t done = 0;
    while (length - done >= LEDGER_RECORD_BYTES) {
        uint64_t key;
        uint32_t move;
        size_t step = 1;
        if (ledger_get_record(bytes + done, &key, &move)) {
            close_gap(scan);
            scan->take(scan->user, key, move);
            scan->good++;
            step = LEDGER_RECORD_BYTES;
        } else {
            scan->gap++;
        }
        done += step;
        scan->at += step;
    }
    return done;
}

/* Reads from where the scan is to the end of the file; *left is what remains there, less than a record. */
static bool scan_file(struct ledger_scan *scan, FILE *file, size_t *left) {
    unsigned char piece[PIECE];
    *left = 0;
    if (fseek(file, (long)scan->at, SEEK_SET) != 0) {
        return false;
    }
    for (;;) {
        size_t got = fread(piece + *left, 1, sizeof piece - *left, file);
        if (got == 0) {
            bool failed = ferror(file);
            clearerr(file); /* others may add to it */
            return !failed;
        }
        size_t length = *left + got;
        size_t done = scan_bytes(scan, piece, length);
        *left = length - done;
        memmove(piece, piece + done, *left);
    }
}

static void take_nothing(void *user, uint64_t key, uint32_t move) {
    (void)user, (void)key, (void)move;
}

/* Whether a file begins with the head, or with records at least: then the head is damaged. */
static bool is_store(FILE *file, bool *has_head) {
    unsigned char piece[PIECE];
    struct ledger_scan scan = {.take = take_nothing};
    rewind(file);
    size_t length = fread(piece, 1, sizeof piece, file);
    *has_head = length >= HEAD_BYTES && memcmp(piece, HEAD, HEAD_BYTES) == 0;
    scan_bytes(&scan, piece, length);
    return *has_head || (length > 0 && 2 * scan.good * LEDGER_RECORD_BYTES >= length);
}

/* Reads the head and all records. A damaged head is passed over like a record. */
static enum status scan_all(struct ledger_scan *scan, FILE *file, size_t *left, struct error *error) {
    bool has_head;
    bool well = is_store(file, &has_head);
    if (!ferror(file) && !well) {
        return error_at(error, 0, 0, "expected a store of sortie prove");
    }
    scan->at = has_head ? HEAD_BYTES : 0;
    well = !ferror(file) && scan_file(scan, file, left);
    return well ? STATUS_OK : error_machine(error, "cannot be read: %s", strerror(errno));
}

/* A device, a pipe or a folder is no store. */
static enum status open_file(const char *path, const char *mode, FILE **file, struct error *error) {
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
        return error_at(error, 0, 0, "cannot be opened: no regular file");
    }
    *file = fopen(path, mode);
    return *file ? STATUS_OK : error_system(error, errno, "cannot be opened: %s", strerror(errno));
}

/* -- several processes -- */

/* Waits until no other process is writing. Where a file system knows no locks, that appends are whole has to do. */
static void lock(FILE *file) {
#ifdef _WIN32
    OVERLAPPED place = {.OffsetHigh = 0x40000000}; /* a byte that nobody reads or writes: locks shut those out */
    LockFileEx((HANDLE)_get_osfhandle(_fileno(file)), LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &place);
#else
    while (flock(fileno(file), LOCK_EX) != 0 && errno == EINTR) {
    }
#endif
}

static void unlock(FILE *file) {
#ifdef _WIN32
    OVERLAPPED place = {.OffsetHigh = 0x40000000};
    UnlockFileEx((HANDLE)_get_osfhandle(_fileno(file)), 0, 1, 0, &place);
#else
    flock(fileno(file), LOCK_UN);
#endif
}

/* One write, at the end of the file whatever others did meanwhile. */
static bool append(FILE *file, const void *bytes, size_t length) {
    return fseek(file, 0, SEEK_END) == 0 && fwrite(bytes, 1, length, file) == length && fflush(file) == 0;
}

/* A new file gets its head, and one whose maker was killed meanwhile the rest of it. */
static bool begin_file(FILE *file) {
    char head[HEAD_BYTES];
    lock(file);
    rewind(file);
    size_t length = fread(head, 1, HEAD_BYTES, file);
    bool good = !ferror(file);
    clearerr(file);
    bool begun = length == HEAD_BYTES || memcmp(head, HEAD, length) != 0;
    good = good && (begun || append(file, &HEAD[length], HEAD_BYTES - length));
    unlock(file);
    rewind(file);
    return good;
}

enum status ledger_open(struct ledger *ledger, const char *path, void (*take)(void *, uint64_t, uint32_t), void *user,
                        struct error *error) {
    *ledger = (struct ledger){.scan = {.take = take, .user = user}};
    enum status status = open_file(path, "a+b", &ledger->file, error);
    if (status != STATUS_OK) {
        return status;
    }
    setvbuf(ledger->file, NULL, _IONBF, 0); /* a write is a write */
    if (!begin_file(ledger->file)) {
        return error_machine(error, "cannot be written: %s", strerror(errno));
    }
    size_t left;
    return scan_all(&ledger->scan, ledger->file, &left, error);
}

void ledger_exchange(struct ledger *ledger) {
    size_t left = 0;
    if (!ledger->file || ledger->failed) {
        return;
    }
    lock(ledger->file);
    bool good = scan_file(&ledger->scan, ledger->file, &left);
    if (ledger->added_bytes > 0 && (!good || !append(ledger->file, ledger->added, ledger->added_bytes))) {
        ledger->failed = true;
    } else if (left == 0) {
        close_gap(&ledger->scan);
        ledger->scan.at += ledger->added_bytes; /* one's own need not be read again */
        ledger->scan.good += ledger->added_bytes / LEDGER_RECORD_BYTES;
    }
    unlock(ledger->file);
    ledger->added_bytes = 0;
}

void ledger_add(struct ledger *ledger, uint64_t key, uint32_t move) {
    if (ledger->file) {
        ledger_put_record(ledger->added + ledger->added_bytes, key, move);
        ledger->added_bytes += LEDGER_RECORD_BYTES;
        if (ledger->added_bytes == sizeof ledger->added) {
            ledger_exchange(ledger);
        }
    }
}

bool ledger_close(struct ledger *ledger) {
    bool whole = true;
    if (ledger->file) {
        ledger_exchange(ledger);
        whole = !ledger->failed;
        whole = fclose(ledger->file) == 0 && whole;
    }
    *ledger = (struct ledger){0};
    return whole;
}

enum status ledger_check(const char *path, struct ledger_scan *scan, uint64_t *torn, struct error *error) {
    FILE *file = NULL;
    enum status status = open_file(path, "rb", &file, error);
    if (status != STATUS_OK) {
        return status;
    }
    size_t left = 0;
    status = scan_all(scan, file, &left, error);
    *torn = scan->gap + left;
    fclose(file);
    return status;
}
