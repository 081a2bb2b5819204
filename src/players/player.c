/* The table of kinds, the names of faults, and the text a player is described by. */
#include "players/player.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"

const struct player_kind *const player_kinds[] = {
    &player_engine,  &player_greedy, &player_minimax, &player_alphabeta, &player_random,
    &player_program, &player_brain,  &player_lines,   &player_folder,    NULL,
};

static const char *const fault_names[PLAYER_FAULTS] = {
    [PLAYER_NO_FAULT] = "rules",      [PLAYER_ILLEGAL] = "illegal move", [PLAYER_BAD_ANSWER] = "bad answer",
    [PLAYER_NO_ANSWER] = "no answer", [PLAYER_CRASHED] = "crash",        [PLAYER_LATE] = "too late",
    [PLAYER_FLOODED] = "babbling",    [PLAYER_FORKED] = "forking",       [PLAYER_NOT_STARTED] = "not started",
};

const char *player_fault_name(enum player_fault fault) {
    return fault_names[fault];
}

enum player_fault player_fault_find(const char *name) {
    int fault = 0;
    while (fault < PLAYER_FAULTS && strcmp(fault_names[fault], name) != 0) {
        fault++;
    }
    return (enum player_fault)fault;
}

/* -- parsing -- */

struct word {
    const char *at;
    size_t length;
};

static bool word_is(struct word word, const char *text) {
    return strlen(text) == word.length && memcmp(word.at, text, word.length) == 0;
}

/* The word as a C string in `buffer`; false when it is longer. */
static bool word_copy(struct word word, char *buffer, size_t size) {
    if (word.length >= size) {
        return false;
    }
    memcpy(buffer, word.at, word.length);
    buffer[word.length] = '\0';
    return true;
}

static bool parse_number(struct word value, double least, double most, double *number) {
    char buffer[64];
    char *end;
    if (!word_copy(value, buffer, sizeof buffer) || buffer[0] == '\0') {
        return false;
    }
    *number = strtod(buffer, &end);
    double scale = *end == 'K' || *end == 'k' ? 1e3 : *end == 'M' ? 1e6 : 1.0;
    *number *= scale;
    end += scale > 1.0;
    return *end == '\0' && *number >= least && *number <= most;
}

static enum status bad_value(struct word key, struct word value, const char *expected, struct error *error) {
    return error_at(error, 0, 0, "player option '%.*s': expected %s, found '%.*s'", (int)key.length, key.at, expected,
                    (int)value.length, value.at);
}

/* Whether a file is run by an interpreter. */
static bool is_script(const char *path) {
    char begin[2] = "";
    FILE *file = fopen(path, "re");
    bool script = file && fread(begin, 1, 2, file) == 2 && begin[0] == '#' && begin[1] == '!';
    if (file) {
        fclose(file);
    }
    return script;
}

/* Finds a command where PATH says, unless that is a folder of the system, which programs see as well. A script that
 * stands in front of a real program of the same name is passed over: such wrappers look for things in the home folder.
 */
static bool find_command(const char *name, char path[PATH_MAX]) {
    const char *folders = getenv("PATH");
    char script[PATH_MAX] = "";
    for (const char *at = folders ? folders : ""; *at;) {
        size_t length = strcspn(at, ":");
        int wrote = snprintf(path, PATH_MAX, "%.*s/%s", (int)length, at, name);
        if (at[0] == '/' && wrote < PATH_MAX && access(path, X_OK) == 0) {
            if (warden_is_system(path)) {
                return false;
            }
            if (!is_script(path)) {
                return true;
            }
            if (!script[0]) {
                memcpy(script, path, (size_t)wrote + 1);
            }
        }
        at += length + (at[length] == ':');
    }
    memcpy(path, script, sizeof script);
    return script[0] != '\0';
}

/* The words of a command, with the names of existing files made absolute: the program will run in another folder.
 * `elsewhere`: its files are none of those here. */
static enum status take_command(const struct text *words, int count, bool elsewhere, char list[PLAYER_MOST_SPEC],
                                struct error *error) {
    size_t filled = 0;
    const char *word = text_string(words);
    for (int i = 0; i < count; i++, word += strlen(word) + 1) {
        char absolute[PATH_MAX];
        bool relative = !elsewhere && word[0] != '/' && word[0] != '-' && (i > 0 || strchr(word, '/'));
        const char *final = relative && access(word, F_OK) == 0 && realpath(word, absolute) ? absolute : word;
        if (i == 0 && !strchr(word, '/') && find_command(word, absolute)) {
            final = absolute;
        }
        size_t size = strlen(final) + 1;
        if (filled + size + 1 > PLAYER_MOST_SPEC) {
            return error_at(error, 0, 0, "the command of a player is too long");
        }
        memcpy(list + filled, final, size);
        filled += size;
    }
    list[filled] = '\0';
    return STATUS_OK;
}

static enum status parse_command(const char *text, bool elsewhere, char list[PLAYER_MOST_SPEC], struct error *error) {
    struct text words = TEXT_EMPTY;
    struct error cause = {0};
    int count;
    enum status status = words_split(text, &words, &count, &cause);
    if (status != STATUS_OK) {
        error_fill(error, 0, 0, "player: %.200s", cause.text);
    } else if (count == 0) {
        status = error_at(error, 0, 0, "expected the command of a player, found nothing");
    } else {
        status = take_command(&words, count, elsewhere, list, error);
    }
    text_free(&words);
    return status;
}

/* Adds an existing file or folder, made absolute, to a list of zero-ended words. */
static enum status add_path(char list[PLAYER_MOST_SPEC], struct word value, struct error *error) {
    char path[PATH_MAX];
    char absolute[PATH_MAX];
    size_t filled = 0;
    while (list[filled]) {
        filled += strlen(list + filled) + 1;
    }
    if (!word_copy(value, path, sizeof path) || !path[0]) {
        return error_at(error, 0, 0, "expected a file after file= or show=");
    }
    if (!realpath(path, absolute)) {
        return error_at(error, 0, 0, "%.180s: %s", path, strerror(errno));
    }
    if (strpbrk(absolute, ",:")) {
        return error_at(error, 0, 0, "%.150s: expected a path without commas and colons", absolute);
    }
    size_t size = strlen(absolute) + 1;
    if (filled + size + 1 > PLAYER_MOST_SPEC) {
        return error_at(error, 0, 0, "a player has too many files");
    }
    memcpy(list + filled, absolute, size);
    list[filled + size] = '\0';
    return STATUS_OK;
}

static enum status parse_option(struct player_spec *spec, struct word key, struct word value, struct error *error) {
    double number = 0;
    if (word_is(key, "name")) {
        return value.length > 0 && word_copy(value, spec->name, sizeof spec->name)
                   ? STATUS_OK
                   : bad_value(key, value, "a name of 1 to 63 bytes", error);
    }
    if (word_is(key, "team")) {
        return value.length > 0 && word_copy(value, spec->team, sizeof spec->team)
                   ? STATUS_OK
                   : bad_value(key, value, "a team's name of 1 to 63 bytes", error);
    }
    if (word_is(key, "depth")) {
        spec->depth = parse_number(value, 1, 1000, &number) ? (int)number : 0;
        return spec->depth ? STATUS_OK : bad_value(key, value, "a number of plies, 1 or more", error);
    }
    if (word_is(key, "nodes")) {
        spec->nodes = parse_number(value, 1, 1e15, &number) ? (uint64_t)number : 0;
        return spec->nodes ? STATUS_OK : bad_value(key, value, "a number of nodes such as 10000 or 2M", error);
    }
    if (word_is(key, "time") || word_is(key, "cpu")) {
        double *seconds = word_is(key, "time") ? &spec->wall_seconds : &spec->cpu_seconds;
        *seconds = parse_number(value, 1e-4, 1e6, &number) ? number : 0;
        return *seconds > 0 ? STATUS_OK : bad_value(key, value, "seconds a move", error);
    }
    if (word_is(key, "threads")) {
        spec->threads = parse_number(value, 1, 256, &number) ? (int)number : 0;
        return spec->threads ? STATUS_OK : bad_value(key, value, "1 to 256", error);
    }
    if (word_is(key, "hash")) {
        spec->hash_bytes = parse_number(value, 1, 1e6, &number) ? (size_t)number << 20 : 0;
        return spec->hash_bytes ? STATUS_OK : bad_value(key, value, "MiB, 1 or more", error);
    }
    if (word_is(key, "task")) {
        spec->task = parse_number(value, 1, 3, &number) ? (int)number : 0;
        return spec->task ? STATUS_OK : bad_value(key, value, "1, 2 or 3", error);
    }
    if (word_is(key, "swap")) {
        spec->no_swap = word_is(value, "never");
        return spec->no_swap || word_is(value, "table") ? STATUS_OK : bad_value(key, value, "table or never", error);
    }
    if (word_is(key, "show") || word_is(key, "file")) {
        return add_path(word_is(key, "show") ? spec->shown : spec->files, value, error);
    }
    if (word_is(key, "build")) {
        return spec->build[0] ? bad_value(key, value, "one file", error) : add_path(spec->build, value, error);
    }
    if (word_is(key, "setup")) {
        char text[PLAYER_MOST_SPEC];
        return word_copy(value, text, sizeof text) ? parse_command(text, false, spec->setup, error)
                                                   : bad_value(key, value, "a command", error);
    }
    if (word_is(key, "plain") && value.length == 0) {
        spec->plain = true;
        return STATUS_OK;
    }
    return error_at(
        error, 0, 0,
        "unknown player option '%.*s' (known: name, depth, nodes, time, cpu, threads, hash, plain, task, swap, "
        "team, setup, file, show)",
        (int)key.length, key.at);
}

/* Options separated by commas. */
static enum status parse_options(struct player_spec *spec, struct word list, struct error *error) {
    const char *end = list.at + list.length;
    for (const char *at = list.at; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        const char *equals = memchr(at, '=', (size_t)(stop - at));
        struct word key = {at, (size_t)((equals ? equals : stop) - at)};
        struct word value = {equals ? equals + 1 : stop, (size_t)(stop - (equals ? equals + 1 : stop))};
        enum status status = parse_option(spec, key, value, error);
        if (status != STATUS_OK) {
            return status;
        }
        at = comma ? comma + 1 : end;
    }
    return STATUS_OK;
}

/* One word so that parse_command reads it back as it is. */
static void add_word(struct text *text, const char *word) {
    bool simple = true;
    for (const char *at = word; *at; at++) {
        simple = simple && !strchr(" \t'\"\\", *at);
    }
    if (simple) {
        text_add_string(text, word);
        return;
    }
    text_add_char(text, '"');
    for (const char *at = word; *at; at++) {
        if (*at == '"' || *at == '\\') {
            text_add_char(text, '\\');
        }
        text_add_char(text, *at);
    }
    text_add_char(text, '"');
}

void player_add_words(struct text *text, const char *list) {
    for (const char *word = list; *word; word += strlen(word) + 1) {
        if (word != list) {
            text_add_char(text, ' ');
        }
        add_word(text, word);
    }
}

static bool begins_with(const char *at, size_t length, const char *word) {
    return length >= strlen(word) && memcmp(at, word, strlen(word)) == 0;
}

/* The kind and its options, those with paths last and absolute. */
static void keep_options(const struct player_spec *spec, struct word head, struct text *text) {
    for (const char *at = head.at; at < head.at + head.length;) {
        size_t left = (size_t)(head.at + head.length - at);
        const char *comma = memchr(at, ',', left);
        size_t length = comma ? (size_t)(comma - at) : left;
        if (!begins_with(at, length, "show=") && !begins_with(at, length, "file=") &&
            !begins_with(at, length, "setup=") && !begins_with(at, length, "build=")) {
            text_addf(text, "%s%.*s", at == head.at ? "" : ",", (int)length, at);
        }
        at += length + (comma != NULL);
    }
    if (spec->setup[0]) {
        text_add_string(text, ",setup=");
        player_add_words(text, spec->setup);
    }
    if (spec->build[0]) {
        text_addf(text, ",build=%s", spec->build);
    }
    for (const char *path = spec->files; *path; path += strlen(path) + 1) {
        text_addf(text, ",file=%s", path);
    }
    for (const char *path = spec->shown; *path; path += strlen(path) + 1) {
        text_addf(text, ",show=%s", path);
    }
}

/* The text that parses to the same player from any folder. */
static enum status keep_text(struct player_spec *spec, struct word head, struct word tail, struct error *error) {
    struct text kept = TEXT_EMPTY;
    keep_options(spec, head, &kept);
    if (spec->kind->has_command) {
        text_add_char(&kept, ':');
        player_add_words(&kept, spec->command);
    } else if (tail.length > 0) {
        text_add_char(&kept, ':');
        text_add(&kept, tail.at, tail.length);
    }
    enum status status = kept.broken ? error_machine(error, "out of memory")
                         : kept.length >= sizeof spec->text
                             ? error_at(error, 0, 0, "the description of a player is too long")
                             : STATUS_OK;
    if (status == STATUS_OK) {
        memcpy(spec->text, text_string(&kept), kept.length + 1);
    }
    text_free(&kept);
    return status;
}

/* What to call a program without a name: its file, or the script an interpreter is given. */
static const char *program_name(const struct player_spec *spec) {
    const char *name = spec->command;
    for (const char *word = spec->command; *word; word += strlen(word) + 1) {
        name = word[0] == '/' ? word : name;
    }
    const char *slash = strrchr(name, '/');
    return slash && slash[1] ? slash + 1 : name;
}

enum status player_parse(const char *text, struct player_spec *spec, struct error *error) {
    *spec = (struct player_spec){0};
    const char *name = text;
    size_t before_equals = strcspn(text, "=:,");
    if (text[before_equals] == '=') {
        if (before_equals == 0 || before_equals >= sizeof spec->name) {
            return error_at(error, 0, 0, "expected a name of 1 to 63 bytes before '=' in '%.60s'", name);
        }
        memcpy(spec->name, text, before_equals);
        text += before_equals + 1;
    }
    const char *colon = strchr(text, ':');
    struct word head = {text, colon ? (size_t)(colon - text) : strlen(text)};
    struct word tail = {colon ? colon + 1 : "", colon ? strlen(colon + 1) : 0};
    const char *comma = memchr(head.at, ',', head.length);
    struct word kind = {head.at, comma ? (size_t)(comma - head.at) : head.length};
    for (int i = 0; player_kinds[i]; i++) {
        if (word_is(kind, player_kinds[i]->name)) {
            spec->kind = player_kinds[i];
        }
    }
    if (!spec->kind) {
        return error_at(error, 0, 0,
                        "expected a player such as engine:depth=3, greedy, minimax:depth=2, alphabeta:depth=3, random, "
                        "program:COMMAND, brain:COMMAND, lines:COMMAND or NAME=folder:COMMAND, found '%.60s'",
                        name);
    }
    enum status status = STATUS_OK;
    if (comma) {
        struct word options = {comma + 1, (size_t)(head.at + head.length - comma) - 1};
        status = parse_options(spec, options, error);
    }
    if (status == STATUS_OK) {
        status = spec->kind->has_command ? parse_command(tail.at, spec->build[0] != '\0', spec->command, error)
                                         : parse_options(spec, tail, error);
    }
    if (status == STATUS_OK) {
        status = keep_text(spec, head, tail, error);
    }
    if (status == STATUS_OK && !spec->name[0]) {
        snprintf(spec->name, sizeof spec->name, "%.63s", spec->kind->has_command ? program_name(spec) : text);
    }
    return status;
}

void player_words(const char *list, const char **words, int most) {
    int count = 0;
    for (const char *word = list; *word && count < most; word += strlen(word) + 1) {
        words[count++] = word;
    }
    words[count] = NULL;
}

void player_command(const struct player_spec *spec, const char **words, int most) {
    player_words(spec->command, words, most);
}
