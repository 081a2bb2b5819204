#include "grade/find/grade_choose.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Beyond so many files nobody looks who uses whom: it is a copy of somebody's library. */
#define MOST_GRAPH 250

/* -- names and places -- */

/* A list of words and what each is worth. */
struct word {
    const char *word;
    int points;
};

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What the words between digits and signs in a text are worth together. */
static int worth_of_words(const char *text, size_t length, const struct word *list) {
    int points = 0;
    for (size_t i = 0; i < length;) {
        size_t size = 0;
        while (i + size < length && isalpha((unsigned char)text[i + size])) {
            size++;
        }
        for (const struct word *word = list; word->word && size > 0; word++) {
            if (strlen(word->word) == size && strncasecmp(text + i, word->word, size) == 0) {
                points += word->points;
            }
        }
        i += size > 0 ? size : 1;
    }
    return points;
}

/* Words that speak against a file or folder. */
static const struct word doubts[] = {
    {"test", -25},       {"tests", -25},      {"testing", -25},    {"tester", -25},      {"unittest", -25},
    {"sample", -12},     {"samples", -12},    {"example", -12},    {"old", -30},         {"backup", -30},
    {"bak", -30},        {"copy", -30},       {"archive", -12},    {"previous", -30},    {"temp", -16},
    {"tmp", -16},        {"draft", -16},      {"deprecated", -30}, {"unused", -30},      {"competition", -25},
    {"compete", -25},    {"tournament", -25}, {"calibrate", -30},  {"calibration", -30}, {"referee", -25},
    {"judge", -25},      {"checker", -25},    {"compare", -20},    {"generate", -20},    {"generator", -20},
    {"gen", -16},        {"util", -12},       {"utils", -12},      {"helper", -12},      {"helpers", -12},
    {"setup", -40},      {"debug", -12},      {"benchmark", -25},  {"visualize", -16},   {"gui", -12},
    {"playground", -16}, {"scratch", -12},    {"human", -25},      {"manual", -25},      {"interactive", -16},
    {NULL, 0},
};

int grade_name_points(const char *path) {
    static const struct word exact[] = {{"homework", 24}, {"main", 20},  {"__main__", 20}, {"run", 20},
                                        {"solution", 14}, {"agent", 12}, {"player", 12},   {"program", 10},
                                        {"game", 8},      {"solver", 8}, {"minimax", 6},   {"__init__", -40},
                                        {"conftest", -40}};
    const char *name = name_of(path);
    size_t stem = strcspn(name, ".");
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        if (strlen(exact[i].word) == stem && strncasecmp(name, exact[i].word, stem) == 0) {
            return exact[i].points;
        }
    }
    int points = strncasecmp(name, "homework", 8) == 0                                ? 16
                 : strncasecmp(name, "hw", 2) == 0 && isdigit((unsigned char)name[2]) ? 18
                 : strncasecmp(name, "hw", 2) == 0                                    ? 12
                                                                                      : 0;
    points -= memchr(name, '(', stem) ? 4 : 0; /* "homework (1)" */
    return points + worth_of_words(name, stem, doubts);
}

static int place_points(const char *path, int *depth) {
    const char *name = name_of(path);
    *depth = 0;
    for (const char *at = path; at < name; at++) {
        *depth += *at == '/';
    }
    return worth_of_words(path, (size_t)(name - path), doubts) - 6 * *depth - (*depth ? 4 : 0);
}

/* -- who uses whom -- */

/* Whether the file at `path` is the module `name` as seen from a folder (`length` bytes of `from`, slash included). */
static bool is_module(const char *path, const char *from, size_t length, const char *name) {
    if (strncmp(path, from, length) != 0) {
        return false;
    }
    path += length;
    for (name += strspn(name, "."); *name; name++, path++) {
        if (*path != (*name == '.' ? '/' : *name)) {
            return false;
        }
    }
    return strcmp(path, ".py") == 0 || strcmp(path, "/__init__.py") == 0;
}

static bool uses_module(const struct grade_file *user, const struct grade_file *used, const char *name) {
    size_t length = (size_t)(name_of(user->path) - user->path);
    for (;;) { /* its own folder, and every one above it */
        if (is_module(used->path, user->path, length, name)) {
            return true;
        }
        if (length == 0) {
            return false;
        }
        for (length--; length > 0 && user->path[length - 1] != '/'; length--) {
        }
    }
}

static bool is_c(const struct grade_file *file) {
    return file->kind == GRADE_KIND_C || file->kind == GRADE_KIND_CPP;
}

/* Whether one file names another. */
static bool uses(const struct grade_file *user, const struct grade_file *used) {
    const char *end = text_string(&user->source.uses) + user->source.uses.length;
    if (user == used || (user->kind != used->kind && !(is_c(user) && is_c(used)))) {
        return false;
    }
    const char *stem = name_of(used->path);
    size_t length = strcspn(stem, ".");
    for (const char *name = text_string(&user->source.uses); name < end; name += strlen(name) + 1) {
        bool found = false;
        if (user->kind == GRADE_KIND_PYTHON) {
            found = uses_module(user, used, name);
        } else if (user->kind == GRADE_KIND_JAVA) {
            found = strlen(name) == length && strncmp(name, stem, length) == 0;
        } else {
            const char *header = name_of(name);
            found = strcspn(header, ".") == length && strncmp(header, stem, length) == 0;
        }
        if (found) {
            return true;
        }
    }
    return false;
}

/* Who names whom: [user * count + used]. NULL when there are too many. The caller frees it. */
static bool *draw_graph(const struct grade_files *files) {
    size_t count = (size_t)files->count;
    bool *graph = count <= MOST_GRAPH ? calloc(count * count + 1, sizeof *graph) : NULL;
    for (size_t i = 0; i < count * count && graph; i++) {
        graph[i] = uses(&files->list[i / count], &files->list[i % count]);
    }
    return graph;
}

/* Marks all files a file uses, and those use. */
static void mark_used(const bool *graph, int count, int from, bool *marked) {
    for (int i = 0; i < count; i++) {
        if (!marked[i] && graph[from * count + i]) {
            marked[i] = true;
            mark_used(graph, count, i, marked);
        }
    }
}

void grade_choose_modules(const struct grade_files *files, const struct grade_file *main, struct text *modules) {
    bool *graph = draw_graph(files);
    bool *marked = calloc((size_t)files->count + 1, sizeof *marked);
    text_add(modules, main->path, strlen(main->path) + 1);
    if (marked && graph) {
        mark_used(graph, files->count, (int)(main - files->list), marked);
        for (int i = 0; i < files->count; i++) {
            if (marked[i] && &files->list[i] != main) {
                text_add(modules, files->list[i].path, strlen(files->list[i].path) + 1);
            }
        }
    }
    free(graph);
    free(marked);
}

/* -- evidence -- */

/* What each course's programs say, and what other courses' do. */
static int evidence_points(enum grade_course course, unsigned says) {
    static const int worth[GRADE_COURSES][11] = {
        /*                       input output next log trace method stake move go laser arguments */
        [GRADE_COURSE_ANY] = {20, 20, 20, 10, 10, 5, 5, 20, 5, 5, 0},
        [GRADE_COURSE_STAKE] = {30, 30, -25, -25, -25, 16, 16, -20, 0, -10, 0},
        [GRADE_COURSE_SNEAK] = {0, -8, 30, 25, 15, 0, 0, -20, 0, -10, 8},
        [GRADE_COURSE_LASER] = {30, 30, -25, -25, -25, -16, -16, -20, 0, 16, 0},
        [GRADE_COURSE_GOMOKU] = {-10, -10, -25, -25, -25, 0, -10, 50, 20, -10, 0},
    };
    int points = 0;
    for (int bit = 0; bit < 11; bit++) {
        points += says >> bit & 1u ? worth[course][bit] : 0;
    }
    return points;
}

/* Names in words what a program of the course reads and writes, as far as it was seen. */
static void add_evidence(enum grade_course course, unsigned says, struct text *why) {
    static const struct {
        unsigned says;
        const char *what;
    } words[] = {{GRADE_SAYS_INPUT, "reads input.txt"},        {GRADE_SAYS_OUTPUT, "writes output.txt"},
                 {GRADE_SAYS_NEXT, "writes next_state.txt"},   {GRADE_SAYS_LOG, "writes traverse_log.txt"},
                 {GRADE_SAYS_TRACE, "writes trace_state.txt"}, {GRADE_SAYS_MOVE, "knows move_file"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (says & words[i].says && evidence_points(course, words[i].says) > 0) {
            text_addf(why, "%s%s", why->length ? ", " : "", words[i].what);
        }
    }
}

/* What is known about the files a file uses, and whether another uses it. */
static unsigned gather(const struct grade_files *files, const bool *graph, int number, bool *used) {
    unsigned all = files->list[number].source.says;
    bool *marked = graph ? calloc((size_t)files->count + 1, sizeof *marked) : NULL;
    *used = false;
    if (marked) {
        mark_used(graph, files->count, number, marked);
    }
    for (int i = 0; i < files->count && marked; i++) {
        all |= marked[i] ? files->list[i].source.says : 0;
        int depth;
        /* Tests and tools use a program too. */
        int doubt = grade_name_points(files->list[i].path) + place_points(files->list[i].path, &depth);
        *used = *used || (graph[i * files->count + number] && doubt > -20);
    }
    free(marked);
    return all;
}

/* Weighs one file. */
static void weigh(const struct grade_files *files, const bool *graph, enum grade_course course, int number,
                  struct grade_choice *choice) {
    const struct grade_file *file = &files->list[number];
    struct text why = TEXT_EMPTY;
    bool used;
    unsigned own = file->source.says;
    unsigned all = gather(files, graph, number, &used);
    int depth;
    int name = grade_name_points(file->path);
    int place = place_points(file->path, &depth);
    int evidence =
        evidence_points(course, own) + (evidence_points(course, all) - evidence_points(course, own)) * 8 / 10;
    bool source = file->kind != GRADE_KIND_PROGRAM && file->kind != GRADE_KIND_SCRIPT;
    int shape = !source ? -15 : file->source.has_main ? 12 : file->source.runs ? 8 : -20;
    int links = !used ? 0 : file->source.has_main ? -5 : file->source.runs ? -8 : -40;
    add_evidence(course, all, &why);
    text_addf(&why, "%s%s", why.length && name > 0 ? ", " : "", name > 0 ? "its name" : "");
    text_addf(&why, "%s%s", why.length ? ", " : "", depth == 0 ? "at the top" : "in a folder");
    text_add_string(&why, used ? ", another file uses it" : "");
    text_add_string(&why, source && !file->source.runs ? ", does nothing by itself" : "");
    text_add_string(&why, name + place + 10 * depth < -8 ? ", is called otherwise than a program" : "");
    *choice = (struct grade_choice){.file = file, .points = name + place + evidence + shape + links};
    snprintf(choice->why, sizeof choice->why, "%s", text_string(&why));
    text_free(&why);
}

int grade_choose(const struct grade_files *files, enum grade_course course,
                 bool (*accept)(const struct grade_file *file), struct grade_choice *choices, int most) {
    int count = 0;
    int kept = 0;
    bool *graph = draw_graph(files);
    for (int i = 0; i < files->count; i++) {
        struct grade_choice choice;
        if (!accept(&files->list[i])) {
            continue;
        }
        count++;
        weigh(files, graph, course, i, &choice);
        int place = kept < most ? kept : most;
        while (place > 0 && choices[place - 1].points < choice.points) {
            if (place < most) {
                choices[place] = choices[place - 1];
            }
            place--;
        }
        if (place < most) {
            choices[place] = choice;
            kept += kept < most;
        }
    }
    free(graph);
    return count;
}
