/* Looking at the files of a submission: which can be compiled or run, and where the program begins. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "grade/find/grade_detect.h"
#include "grade/find/grade_tree.h"

#define MOST_SOURCE_BYTES ((size_t)1 << 20)
#define MOST_LISTED 4000

enum grade_kind grade_kind_of(int folder, const char *name) {
    static const struct {
        const char *ending;
        enum grade_kind kind;
    } endings[] = {
        {".c", GRADE_KIND_C},       {".cpp", GRADE_KIND_CPP},   {".cc", GRADE_KIND_CPP},     {".cxx", GRADE_KIND_CPP},
        {".java", GRADE_KIND_JAVA}, {".py", GRADE_KIND_PYTHON}, {".jar", GRADE_KIND_SCRIPT}, {".js", GRADE_KIND_SCRIPT},
        {".sh", GRADE_KIND_SCRIPT}, {".pl", GRADE_KIND_SCRIPT},
    };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (grade_tree_ends_with(name, endings[i].ending)) {
            return endings[i].kind;
        }
    }
    struct text start = TEXT_EMPTY;
    bool program =
        grade_tree_read(folder, name, 4, &start) && ((start.length >= 2 && memcmp(start.data, "#!", 2) == 0) ||
                                                     (start.length == 4 && memcmp(start.data, "\177ELF", 4) == 0));
    /* What a compiler leaves besides the program. */
    bool object =
        grade_tree_ends_with(name, ".o") || grade_tree_ends_with(name, ".a") || grade_tree_ends_with(name, ".so");
    text_free(&start);
    return program && !object ? GRADE_KIND_PROGRAM : GRADE_KIND_NONE;
}

/* -- what is inside -- */

/* Reads a source as text without zero bytes. */
static bool read_source(const struct grade_tree_entry *entry, struct text *text) {
    if (!grade_tree_read(entry->folder, entry->name, MOST_SOURCE_BYTES, text)) {
        return false;
    }
    for (size_t i = 0; i < text->length; i++) {
        text->data[i] = text->data[i] ? text->data[i] : ' ';
    }
    return text->length > 0;
}

static void look_inside(const struct grade_tree_entry *entry, struct grade_file *file) {
    struct text text = TEXT_EMPTY;
    struct grade_source *source = &file->source;
    if (file->kind == GRADE_KIND_PROGRAM || !read_source(entry, &text)) {
        source->runs = file->kind == GRADE_KIND_PROGRAM;
    } else if (file->kind == GRADE_KIND_PYTHON) {
        grade_source_python(text.data, text.length, source);
    } else if (file->kind == GRADE_KIND_JAVA) {
        grade_source_java(text.data, text.length, file->path, source);
    } else if (file->kind == GRADE_KIND_SCRIPT) {
        grade_source_script(text.data, text.length, source);
    } else {
        grade_source_c(text.data, text.length, source);
    }
    text_free(&text);
}

/* -- the list -- */

static bool list_file(void *user, const struct grade_tree_entry *entry) {
    struct grade_files *files = user;
    if (grade_tree_is_litter(entry->name)) {
        return false;
    }
    if (S_ISDIR(entry->about.st_mode)) {
        return !grade_tree_is_foreign(entry->folder, entry->name);
    }
    if (entry->depth == 0) {
        files->has_makefile =
            files->has_makefile || strcasecmp(entry->name, "Makefile") == 0 || strcmp(entry->name, "GNUmakefile") == 0;
        files->has_cmake = files->has_cmake || strcmp(entry->name, "CMakeLists.txt") == 0;
    }
    enum grade_kind kind = grade_kind_of(entry->folder, entry->name);
    if (kind == GRADE_KIND_NONE || files->count == MOST_LISTED) {
        return true;
    }
    struct grade_file *larger = realloc(files->list, (size_t)(files->count + 1) * sizeof *larger);
    if (!larger) {
        return true;
    }
    files->list = larger;
    struct grade_file *file = &larger[files->count];
    *file = (struct grade_file){.path = strdup(entry->path), .kind = kind};
    if (file->path) {
        files->count++;
        look_inside(entry, file);
    }
    return true;
}

bool grade_files_read(struct grade_files *files, int folder) {
    *files = (struct grade_files){0};
    return grade_tree_walk(folder, list_file, files);
}

void grade_files_free(struct grade_files *files) {
    for (int i = 0; i < files->count; i++) {
        free(files->list[i].path);
        grade_source_free(&files->list[i].source);
    }
    free(files->list);
    *files = (struct grade_files){0};
}

bool grade_has_tool(const char *name) {
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/usr/local/bin:/usr/bin:/bin"; *at;) {
        size_t length = strcspn(at, ":");
        char tool[PATH_MAX];
        int written = snprintf(tool, sizeof tool, "%.*s/%s", (int)length, at, name);
        if (written > 0 && written < PATH_MAX && access(tool, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}
