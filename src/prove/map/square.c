#include "prove/map/square.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/gomoku/rules/swap_table.h"
#include "prove/core/core.h"
#include "system/file.h"

#define MOST_CORE ((size_t)64 << 20)
#define TREE_HASH ((size_t)8 << 20) /* of the prover that walks through a tree of jobs */
#define JOB_PATIENCE 2

static bool path_of(char path[MAP_MOST_PATH], const struct square *square, const char *folder, const char *end) {
    return snprintf(path, MAP_MOST_PATH, "%s/%s.%s", folder, square->name, end) < MAP_MOST_PATH;
}

static bool is_there(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) {
        fclose(file);
    }
    return file != NULL;
}

void square_position(const struct square *square, struct gomoku_position *position) {
    gomoku_clear(position, GOMOKU_SWAP_SIZE, GOMOKU_FREESTYLE);
    if (square->index >= 0) {
        gomoku_put(position, gomoku_swap_square(square->index));
    }
}

int square_hero(enum map_claim claim) {
    return claim == CLAIM_OWNER ? 0 : 1;
}

/* -- files -- */

enum status square_read_core(const struct square *square, const char *folder, char **bytes, size_t *length,
                             struct error *error) {
    char path[MAP_MOST_PATH];
    *bytes = NULL;
    return path_of(path, square, folder, "core") ? file_read(path, MOST_CORE, bytes, length, error)
                                                 : error_at(error, 0, 0, "expected a shorter path");
}

/* The line of an earlier run, which also says how long was searched. */
static void read_line(struct square *square, const char *folder) {
    char path[MAP_MOST_PATH];
    FILE *file = path_of(path, square, folder, "txt") ? fopen(path, "r") : NULL;
    if (file) {
        const char *line = fgets(square->line, sizeof square->line, file);
        square->line[strcspn(square->line, "\n")] = '\0';
        const char *searched = line ? strstr(line, "searched ") : NULL;
        square->searched = searched ? strtod(searched + strlen("searched "), NULL) : 0;
        fclose(file);
    }
}

static enum status write_line(const struct square *square, const char *folder, struct error *error) {
    char path[MAP_MOST_PATH];
    struct text text = TEXT_EMPTY;
    text_addf(&text, "%s\n", square->line);
    enum status status = path_of(path, square, folder, "txt") ? file_write(path, text_string(&text), text.length, error)
                                                              : error_at(error, 0, 0, "expected a shorter path");
    text_free(&text);
    return status;
}

/* A core says what it settles; it must be the square's. */
static enum status take_core(struct square *square, const char *folder, struct error *error) {
    char *bytes = NULL;
    size_t length = 0;
    struct core_reader reader;
    struct core_head head;
    struct gomoku_position position;
    enum status status = square_read_core(square, folder, &bytes, &length, error);
    status = status == STATUS_OK ? core_open(&reader, bytes, length, &head, error) : status;
    square_position(square, &position);
    if (status == STATUS_OK &&
        (head.win.size != position.size || memcmp(head.win.board, position.board, (size_t)reader.squares) != 0)) {
        status = error_at(error, 0, 0, "%s.core: expected a core of this square", square->name);
    }
    if (status == STATUS_OK && square->index >= 0) {
        square->state = head.win.hero == 0 ? MAP_OWNER_WINS : MAP_OTHER_WINS;
    }
    free(bytes);
    return status;
}

enum status square_open(struct square *square, int index, const char *folder, struct proved *whole,
                        struct error *error) {
    *square = (struct square){.index = index, .found = CLAIM_COUNT};
    snprintf(square->name, sizeof square->name, "start");
    if (index >= 0) {
        gomoku_square_text(GOMOKU_SWAP_SIZE, gomoku_swap_square(index), square->name);
    }
    proved_init(&square->view);
    square->view.whole = whole;
    char path[MAP_MOST_PATH];
    enum status status = STATUS_OK;
    if (folder && path_of(path, square, folder, "core") && is_there(path)) {
        status = take_core(square, folder, error);
        square->learns = status == STATUS_OK && path_of(path, square, folder, "store") && !is_there(path);
    }
    if (folder) {
        read_line(square, folder);
    }
    bool there = folder && path_of(path, square, folder, "store") && is_there(path);
    return status == STATUS_OK && (there || square->learns) ? square_store(square, folder, error) : status;
}

enum status square_store(struct square *square, const char *folder, struct error *error) {
    char path[MAP_MOST_PATH];
    if (!folder || square->stores) {
        return STATUS_OK;
    }
    square->stores = true;
    return path_of(path, square, folder, "store") ? proved_open(&square->view, path, error)
                                                  : error_at(error, 0, 0, "expected a shorter path");
}

bool square_close(struct square *square) {
    square_end_search(square);
    return proved_close(&square->view);
}

bool square_keep(struct square *square, const struct text *records) {
    const unsigned char *record = (const unsigned char *)text_string(records);
    for (size_t at = 0; at + LEDGER_RECORD_BYTES <= records->length; at += LEDGER_RECORD_BYTES) {
        uint64_t key;
        uint32_t move;
        if (!ledger_get_record(record + at, &key, &move)) {
            return false;
        }
        proved_keep(&square->view, key, move);
    }
    proved_flush(&square->view);
    return true;
}

/* Of the store only these records stay. Where that is interrupted they are learned from the core again. */
static enum status keep_only(struct square *square, const char *folder, const struct text *records,
                             struct error *error) {
    char path[MAP_MOST_PATH];
    struct proved *whole = square->view.whole;
    proved_close(&square->view);
    proved_init(&square->view);
    square->view.whole = whole;
    square->stores = false;
    if (path_of(path, square, folder, "store")) {
        remove(path);
    }
    enum status status = square_store(square, folder, error);
    square_keep(square, records);
    return status;
}

void square_describe(struct square *square, const char *folder) {
    int answered = 0;
    int replies = 0;
    if (square->state != MAP_OPEN) {
        return; /* that was said when it was settled */
    }
    for (int claim = 0; claim < CLAIM_COUNT; claim++) {
        int some;
        int of;
        if (square->made[claim]) {
            jobs_count(&square->trees[claim], &some, &of);
            answered = some > answered ? some : answered;
            replies = some >= answered ? of : replies;
        }
    }
    if (square->found != CLAIM_COUNT) {
        snprintf(square->line, sizeof square->line, "open: %s, the proof not built yet; searched %.0f s",
                 square->found == CLAIM_OWNER ? "the owner was found to win" : "the other side was found to win",
                 square->searched);
    } else if (replies > 0) {
        snprintf(square->line, sizeof square->line, "open: %d of %d replies answered; searched %.0f s", answered,
                 replies, square->searched);
    } else if (!square->line[0]) {
        snprintf(square->line, sizeof square->line, "open: searched %.0f s", square->searched);
    }
    if (folder && square->stores) {
        write_line(square, folder, &(struct error){0}); /* what it says is not needed */
    }
}

enum status square_settle(struct square *square, enum map_claim claim, const char *folder, const struct text *core,
                          const struct text *records, struct error *error) {
    enum status status = STATUS_OK;
    char path[MAP_MOST_PATH];
    square_end_search(square);
    square->state = claim == CLAIM_OWNER ? MAP_OWNER_WINS : MAP_OTHER_WINS;
    if (folder) {
        status = path_of(path, square, folder, "core") ? file_write(path, text_string(core), core->length, error)
                                                       : error_at(error, 0, 0, "expected a shorter path");
        status = status == STATUS_OK ? write_line(square, folder, error) : status;
        status = status == STATUS_OK ? keep_only(square, folder, records, error) : status;
    } else {
        square_keep(square, records);
    }
    return status;
}

/* -- searches -- */

enum status square_search(struct square *square, enum map_claim claim, const char *folder, const atomic_bool *stop,
                          struct error *error) {
    struct gomoku_position position;
    struct prove_settings settings = {
        .claim = PROVE_WIN, .hero = square_hero(claim), .hash_bytes = TREE_HASH, .stop = stop};
    square_position(square, &position);
    if (square->made[claim]) {
        return STATUS_OK;
    }
    enum status status = square_store(square, folder, error);
    if (status != STATUS_OK) {
        return status;
    }
    square->made[claim] = true;
    if (!jobs_make(&square->trees[claim], &position, &settings, &square->view, true)) {
        return error_machine(error, "no memory to prove anything");
    }
    square->trees[claim].patience = JOB_PATIENCE;
    square->trees[claim].guided = true;
    return STATUS_OK;
}

void square_end_search(struct square *square) {
    for (int claim = 0; claim < CLAIM_COUNT; claim++) {
        if (square->made[claim]) {
            jobs_free(&square->trees[claim]);
            square->made[claim] = false;
        }
    }
}
