/* The database of positions as analysis boards (Yixin-Board and those made for Rapfi) ask for it and write to it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "games/gomoku/eval/weights.h"
#include "protocols/gomocup/gomocup_state.h"

#define WIN_LEAST (GAME_WIN_VALUE - 1000)
#define MOST_COMMENT 60000
#define MOST_EDIT 30000 /* a value a board may set */

/* -- the file -- */

static void complain(struct gomocup *gomocup, const struct error *error) {
    struct clean_line line;
    gomocup_answer(gomocup, "MESSAGE database: %.300s", clean_string(&line, error->text));
}

static void close_store(struct gomocup *gomocup) {
    if (gomocup->store) {
        gomocup->options.store->close(gomocup->store);
    }
    gomocup->store = NULL;
}

void gomocup_database_end(struct gomocup *gomocup) {
    close_store(gomocup);
    text_free(&gomocup->database.text);
}

/* Another file, which is made if there is none. */
static void set_file(struct gomocup *gomocup, const char *path) {
    struct error error = {0};
    void *fresh;
    if (gomocup->options.store->open(&fresh, path, !gomocup->database_readonly, &error) != STATUS_OK) {
        complain(gomocup, &error);
        return;
    }
    struct clean_line line;
    close_store(gomocup);
    gomocup->store = fresh;
    gomocup->database_off = false;
    clean_string(&line, path);
    gomocup_answer(gomocup, "MESSAGE DATABASE LOAD START %.200s", line.text);
    gomocup_answer(gomocup, "MESSAGE DATABASE LOAD DONE");
}

/* The usual file, where it is there. */
static void find_file(struct gomocup *gomocup) {
    struct error error = {0};
    if (!gomocup->store && gomocup->options.store && gomocup->options.store_path) {
        gomocup->options.store->open(&gomocup->store, gomocup->options.store_path, false, &error);
    }
}

void gomocup_use_database(struct gomocup *gomocup, bool use) {
    gomocup->database_off = !use;
    if (use) {
        find_file(gomocup);
    }
}

/* The database, if there is one that is in use. */
static void *store_of(const struct gomocup *gomocup) {
    return gomocup->database_off ? NULL : gomocup->store;
}

/* The same for a change, which a person has asked for: says so when there is none. */
static void *store_to_change(struct gomocup *gomocup) {
    if (!store_of(gomocup)) {
        gomocup_answer(gomocup, gomocup->options.store ? "MESSAGE no database is open: YXSETDATABASE names one"
                                                       : "MESSAGE there is no database in this build");
        return NULL;
    }
    if (gomocup->database_readonly) {
        gomocup_answer(gomocup, "MESSAGE the database is only read");
        return NULL;
    }
    return gomocup->store;
}

void gomocup_database_keep(struct gomocup *gomocup, const struct search_result *lines, int count) {
    struct error error = {0};
    if (store_of(gomocup) && !gomocup->database_readonly && gomocup->at_board && count > 0 &&
        gomocup->options.store->keep(gomocup->store, &gomocup->position, lines, count, !gomocup->any_closed, &error) !=
            STATUS_OK) {
        complain(gomocup, &error);
    }
}

/* -- what a board shows -- */

/* What is said of a move in four characters: its label, how it ends, or the chance to win. `value` is that of the side
 * to move behind it. */
static void display_label(const struct gomocup_entry *entry, char text[16]) {
    int plies = GAME_WIN_VALUE - abs(entry->value) + 1;
    text[0] = '\0';
    if (entry->label[0]) {
        snprintf(text, 16, "%.4s", entry->label);
    } else if (entry->valued && abs(entry->value) >= WIN_LEAST) {
        snprintf(text, 16, "%c%d", entry->value < 0 ? 'w' : 'l', plies);
    } else if (entry->valued) {
        double chance = 1 / (1 + exp((double)entry->value / NET_VALUE_UNIT));
        int percent = (int)(100 * chance);
        snprintf(text, 16, "%d%%", percent > 99 ? 99 : percent);
    }
}

/* The first four characters as one number; -1: none. */
static int packed(const char *text) {
    int number = 0;
    for (int i = 0; i < 4 && text[i]; i++) {
        number = number << 8 | (text[i] & 0x7f);
    }
    return text[0] ? number : -1;
}

static void tell_entry(void *user, int square, const struct gomocup_entry *entry, const char *mark) {
    struct gomocup *gomocup = user;
    struct clean_line line;
    char label[16];
    int size = gomocup->position.size;
    display_label(entry, label);
    gomocup_answer(gomocup, "MESSAGE DATABASE %d %d %d %d %d %d %d %s", square % size, square / size, packed(label),
                   entry->valued ? entry->value : 0, entry->depth, entry->valued ? 3 : 0, entry->comment[0] != '\0',
                   clean_string(&line, mark));
}

static void query_squares(struct gomocup *gomocup, const struct gomoku_position *position) {
    struct error error = {0};
    if (store_of(gomocup)) {
        gomocup_answer(gomocup, "MESSAGE DATABASE REFRESH");
        if (gomocup->options.store->squares(gomocup->store, position, tell_entry, gomocup, &error) != STATUS_OK) {
            complain(gomocup, &error);
        }
        gomocup_answer(gomocup, "MESSAGE DATABASE DONE");
    }
}

/* False, and says why, when it cannot be read. */
static bool get_entry(struct gomocup *gomocup, const struct gomoku_position *position, struct gomocup_entry *entry) {
    struct error error = {0};
    bool fine = gomocup->options.store->get(gomocup->store, position, entry, &error) == STATUS_OK;
    if (!fine) {
        complain(gomocup, &error);
    }
    return fine;
}

static void query_one(struct gomocup *gomocup, const struct gomoku_position *position) {
    struct gomocup_entry entry;
    char label[16];
    if (store_of(gomocup) && get_entry(gomocup, position, &entry)) {
        display_label(&entry, label);
        gomocup_answer(gomocup, "MESSAGE DATABASE ONE %d %d %d %d %s",
                       !entry.here      ? 0
                       : entry.label[0] ? entry.label[0] & 0x7f
                                        : -1,
                       entry.valued ? entry.value : 0, entry.depth, entry.valued ? 3 : 0, label);
    }
}

/* A comment in quotes, on as many lines as it has. */
static void query_text(struct gomocup *gomocup, const struct gomoku_position *position) {
    struct gomocup_entry entry;
    struct text line = TEXT_EMPTY;
    if (!store_of(gomocup) || !get_entry(gomocup, position, &entry)) {
        return;
    }
    text_add_string(&line, "MESSAGE DATABASE TEXT \"");
    for (const char *at = entry.comment; *at; at++) {
        if (*at == '"' || *at == '\\') {
            text_add_char(&line, '\\');
        }
        if (*at != '\r') {
            text_add_char(&line, *at);
        }
    }
    text_add_char(&line, '"');
    gomocup_answer_whole(gomocup, line.broken ? "MESSAGE DATABASE TEXT \"\"" : text_string(&line));
    text_free(&line);
}

/* -- changes -- */

/* Set one of label, value and depth: the mask says which. */
static enum status edit_value(struct gomocup *gomocup, const struct gomoku_position *position, struct error *error) {
    const struct gomocup_store *store = gomocup->options.store;
    const int64_t *numbers = gomocup->database.numbers;
    struct gomocup_entry entry;
    enum status status = STATUS_OK;
    if (numbers[0] & 1) {
        char label[2] = {numbers[1] > 32 && numbers[1] < 127 ? (char)numbers[1] : '\0', '\0'};
        status = store->set_label(gomocup->store, position, label, error);
    }
    if (status == STATUS_OK && numbers[0] & 6) {
        status = store->get(gomocup->store, position, &entry, error);
    }
    if (status == STATUS_OK && numbers[0] & 6) {
        int64_t value = numbers[0] & 2 ? numbers[2] : entry.value;
        int64_t depth = numbers[0] & 4 ? numbers[3] : entry.depth;
        value = value < -MOST_EDIT ? -MOST_EDIT : value > MOST_EDIT ? MOST_EDIT : value;
        depth = depth < 0 ? 0 : depth > 1000 ? 1000 : depth;
        status = store->set_value(gomocup->store, position, (int)value, (int)depth, error);
    }
    return status;
}

/* "wl", "nonwlrecursive", "wlinstep": which positions go. False when it is none of them. */
static bool read_filter(const char *word, size_t length, int64_t plies, struct gomocup_filter *filter) {
    static const struct {
        const char *name;
        struct gomocup_filter filter;
        bool steps;
    } kinds[] = {
        {"", {.won = true, .lost = true, .other = true, .with = true, .without = true}, false},
        {"NONWL", {.other = true, .with = true, .without = true}, false},
        {"WL", {.won = true, .lost = true, .with = true, .without = true}, false},
        {"W", {.won = true, .with = true, .without = true}, false},
        {"L", {.lost = true, .with = true, .without = true}, false},
        {"WLNOSTEP", {.won = true, .lost = true, .without = true}, false},
        {"WLINSTEP", {.won = true, .lost = true, .with = true}, true},
    };
    static const char recursive[] = "RECURSIVE";
    size_t tail = sizeof recursive - 1;
    bool deep = length > tail && gomocup_same_word(word + length - tail, tail, recursive);
    length -= deep ? tail : 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (gomocup_same_word(word, length, kinds[i].name)) {
            *filter = kinds[i].filter;
            filter->deep = deep;
            filter->plies = !kinds[i].steps ? 0 : plies < 1 ? 1 : plies > 1000 ? 1000 : (int)plies;
            return true;
        }
    }
    return false;
}

static enum status forget_behind(struct gomocup *gomocup, const struct gomoku_position *position, struct error *error) {
    struct gomocup_filter filter;
    int64_t gone = 0;
    const struct text *word = &gomocup->database.text;
    if (!read_filter(text_string(word), word->length, gomocup->database.numbers[0], &filter)) {
        return error_at(error, 0, 0, "expected nonwl, wl, w, l, wlnostep or wlinstep");
    }
    enum status status = gomocup->options.store->forget_behind(gomocup->store, position, &filter, &gone, error);
    if (status == STATUS_OK) {
        gomocup_answer(gomocup, "MESSAGE %lld positions forgotten", (long long)gone);
        query_squares(gomocup, position);
    }
    return status;
}

/* A change of the position, once its squares are there. */
static enum status change(struct gomocup *gomocup, const struct gomoku_position *position, struct error *error) {
    const struct gomocup_store *store = gomocup->options.store;
    const struct text *text = &gomocup->database.text;
    enum status status = STATUS_OK;
    switch (gomocup->database.what) {
    case DATABASE_COMMENT:
        return store->set_comment(gomocup->store, position, text_string(text), text->length, error);
    case DATABASE_LABEL:
        return gomocup->database.square < 0 || position->board[gomocup->database.square] != GOMOKU_EMPTY
                   ? error_at(error, 0, 0, "expected an empty square")
                   : store->set_mark(gomocup->store, position, gomocup->database.square, text_string(text), error);
    case DATABASE_VALUE:
        status = edit_value(gomocup, position, error);
        if (status == STATUS_OK) {
            query_one(gomocup, position);
        }
        return status;
    case DATABASE_FORGET:
        return store->forget(gomocup->store, position, error);
    case DATABASE_FORGET_BEHIND:
        return forget_behind(gomocup, position, error);
    default:
        return STATUS_OK;
    }
}

/* -- commands -- */

void gomocup_database_square(struct gomocup *gomocup, const char *bytes, size_t length) {
    int square = gomocup_read_square(gomocup, bytes, length);
    if (square < 0 || gomocup->block_bad || gomocup->stone_counts[0] >= GOMOKU_MOST_SQUARES) {
        gomocup->block_bad = true;
        return;
    }
    gomocup->stones[0][gomocup->stone_counts[0]++] = (uint16_t)square;
}

void gomocup_database_done(struct gomocup *gomocup) {
    struct gomoku_position position;
    struct error error = {0};
    gomoku_clear(&position, gomocup->position.size, gomocup_variant(gomocup));
    bool good = !gomocup->block_bad;
    for (int i = 0; i < gomocup->stone_counts[0] && good; i++) {
        int square = gomocup->stones[0][i];
        good = position.board[square] == GOMOKU_EMPTY && position.winner == GOMOKU_NO_WINNER;
        if (good) {
            gomoku_put(&position, square);
        }
    }
    enum gomocup_database_command what = gomocup->database.what;
    if (!good) {
        gomocup_answer(gomocup, "ERROR expected lines x,y of the stones of a position, in turn");
    } else if (what == DATABASE_QUERY_SQUARES || what == DATABASE_QUERY_BOTH) {
        query_squares(gomocup, &position);
        if (what == DATABASE_QUERY_BOTH) {
            query_text(gomocup, &position);
        }
    } else if (what == DATABASE_QUERY_ONE) {
        query_one(gomocup, &position);
    } else if (what == DATABASE_QUERY_TEXT) {
        query_text(gomocup, &position);
    } else if (store_to_change(gomocup) && change(gomocup, &position, &error) != STATUS_OK) {
        complain(gomocup, &error);
    }
}

/* The text of a comment, up to the quote that ends it: behind that the position begins. */
bool gomocup_database_text(struct gomocup *gomocup, const char *bytes, size_t length) {
    struct gomocup_database *database = &gomocup->database;
    for (size_t i = 0; i < length; i++) {
        bool escape = bytes[i] == '\\' && i + 1 < length;
        if (bytes[i] == '"') {
            gomocup_begin_block(gomocup, BLOCK_DATABASE, bytes + i + 1, length - i - 1);
            return true;
        }
        i += escape;
        if (database->text.length < MOST_COMMENT && bytes[i] != '\r' && bytes[i] != '\0') {
            text_add_char(&database->text, bytes[i]);
        }
    }
    text_add_char(&database->text, '\n');
    return false;
}

static void set_text(struct gomocup *gomocup, const char *bytes, size_t length) {
    gomocup->database.text.length = 0;
    text_add(&gomocup->database.text, bytes, length);
}

/* A word at the beginning of a line; *at is behind it and the blanks that follow. */
static size_t take_word(const char *bytes, size_t length, size_t *at) {
    size_t word = 0;
    while (word < length && bytes[word] != ' ' && bytes[word] != '\t') {
        word++;
    }
    for (*at = word; *at < length && (bytes[*at] == ' ' || bytes[*at] == '\t'); ++*at) {
    }
    return word;
}

static void begin_label(struct gomocup *gomocup, const char *rest, size_t length) {
    size_t at;
    size_t word = take_word(rest, length, &at);
    gomocup->database.square = gomocup_read_square(gomocup, rest, word);
    length -= at;
    set_text(gomocup, rest + at, length < GOMOCUP_MOST_LABEL ? length : GOMOCUP_MOST_LABEL);
    gomocup_begin_block(gomocup, BLOCK_DATABASE, "", 0);
}

/* Four numbers with blanks between them. */
static void begin_value(struct gomocup *gomocup, const char *rest, size_t length) {
    for (int i = 0; i < 4; i++) {
        size_t at;
        size_t word = take_word(rest, length, &at);
        if (!gomocup_read_numbers(rest, word, 1, &gomocup->database.numbers[i])) {
            gomocup->database.numbers[i] = 0;
        }
        rest += at;
        length -= at;
    }
    gomocup_begin_block(gomocup, BLOCK_DATABASE, rest, length);
}

static void begin_forget(struct gomocup *gomocup, const char *rest, size_t length) {
    size_t at = 0;
    bool named = length > 0 && strchr("wlnWLN", rest[0]) != NULL;
    size_t word = named ? take_word(rest, length, &at) : 0;
    set_text(gomocup, rest, word);
    rest += at;
    length -= at;
    size_t next;
    word = take_word(rest, length, &next);
    gomocup->database.numbers[0] = 0;
    if (word > 0 && gomocup_read_numbers(rest, word, 1, &gomocup->database.numbers[0])) {
        rest += next;
        length -= next;
    }
    gomocup_begin_block(gomocup, BLOCK_DATABASE, rest, length);
}

static void begin_comment(struct gomocup *gomocup, const char *rest, size_t length) {
    set_text(gomocup, "", 0);
    gomocup->block = BLOCK_DATABASE_TEXT;
    if (length > 0 && rest[0] == '"') {
        gomocup_database_text(gomocup, rest + 1, length - 1);
    } else {
        gomocup_begin_block(gomocup, BLOCK_DATABASE, rest, length); /* no text at all: it goes */
    }
}

/* A file, which stands on the same line or the next. */
static void take_path(struct gomocup *gomocup, const char *rest, size_t length) {
    struct error error = {0};
    struct text path = TEXT_EMPTY;
    int64_t count = 0;
    enum status status = STATUS_OK;
    enum gomocup_database_command what = gomocup->database.path_for;
    const struct gomocup_store *store = gomocup->options.store;
    gomocup->database.path_for = DATABASE_NOTHING;
    text_add(&path, rest, length);
    if (!store) {
        gomocup_answer(gomocup, "MESSAGE there is no database in this build");
    } else if (what == DATABASE_SET) {
        set_file(gomocup, text_string(&path));
    } else if (what == DATABASE_WRITE_LIB && store_of(gomocup)) {
        struct gomoku_position root;
        gomoku_clear(&root, gomocup->position.size, gomocup_variant(gomocup));
        status = store->write_lib(gomocup->store, text_string(&path), &root, &count, &error);
    } else if (store_to_change(gomocup)) {
        status = what == DATABASE_MERGE
                     ? store->merge(gomocup->store, text_string(&path), &count, &error)
                     : store->read_lib(gomocup->store, text_string(&path), gomocup_variant(gomocup), &count, &error);
    }
    if (status != STATUS_OK) {
        complain(gomocup, &error);
    } else if (store_of(gomocup) && what != DATABASE_SET) {
        gomocup_answer(gomocup, "MESSAGE %lld positions", (long long)count);
    }
    text_free(&path);
}

bool gomocup_database_path(struct gomocup *gomocup, const char *bytes, size_t length) {
    if (gomocup->database.path_for == DATABASE_NOTHING) {
        return false;
    }
    take_path(gomocup, bytes, length);
    return true;
}

static const struct {
    const char *name;
    enum gomocup_database_command what;
    void (*begin)(struct gomocup *gomocup, const char *rest, size_t length); /* NULL: the position follows */
    bool path;
} commands[] = {
    {"YXQUERYDATABASEALL", DATABASE_QUERY_SQUARES, NULL, false},
    {"YXQUERYDATABASEALLT", DATABASE_QUERY_BOTH, NULL, false},
    {"YXQUERYDATABASEONE", DATABASE_QUERY_ONE, NULL, false},
    {"YXQUERYDATABASETEXT", DATABASE_QUERY_TEXT, NULL, false},
    {"YXDELETEDATABASEONE", DATABASE_FORGET, NULL, false},
    {"YXDELETEDATABASEALL", DATABASE_FORGET_BEHIND, begin_forget, false},
    {"YXEDITLABELDATABASE", DATABASE_LABEL, begin_label, false},
    {"YXEDITTEXTDATABASE", DATABASE_COMMENT, begin_comment, false},
    {"YXEDITTVDDATABASE", DATABASE_VALUE, begin_value, false},
    {"YXSETDATABASE", DATABASE_SET, NULL, true},
    {"YXLIBTODB", DATABASE_READ_LIB, NULL, true},
    {"YXDBTOLIB", DATABASE_WRITE_LIB, NULL, true},
    {"YXDBMERGE", DATABASE_MERGE, NULL, true},
};

bool gomocup_database_command(struct gomocup *gomocup, const char *word, size_t word_length, const char *rest,
                              size_t length) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!gomocup_same_word(word, word_length, commands[i].name)) {
            continue;
        }
        if (commands[i].path) {
            gomocup->database.path_for = commands[i].what;
            if (length > 0) {
                take_path(gomocup, rest, length);
            }
            return true;
        }
        gomocup->database.what = commands[i].what;
        if (commands[i].begin) {
            commands[i].begin(gomocup, rest, length);
        } else {
            gomocup_begin_block(gomocup, BLOCK_DATABASE, rest, length);
        }
        return true;
    }
    return false;
}
