/* Looking at the files of a submission: which can be compiled or run, and where the program begins. */
#include <ctype.h>
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

/* -- where a program begins -- */

/* Blanks out comments and texts of C and Java, so that what is found is code. */
static void blank_comments(char *text, size_t length) {
    enum { CODE, LINE, BLOCK, QUOTE } state = CODE;
    char quote = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        char next = i + 1 < length ? text[i + 1] : '\0';
        if (state == CODE && c == '/' && (next == '/' || next == '*')) {
            state = next == '/' ? LINE : BLOCK;
            text[i++] = ' ';
            text[i] = ' ';
        } else if (state == CODE && (c == '"' || c == '\'')) {
            state = QUOTE;
            quote = c;
        } else if (state == LINE || state == BLOCK) {
            bool over = state == LINE ? c == '\n' : c == '*' && next == '/';
            text[i] = c == '\n' ? '\n' : ' ';
            if (over && state == BLOCK) {
                text[++i] = ' ';
            }
            state = over ? CODE : state;
        } else if (state == QUOTE) {
            state = c == quote || c == '\n' ? CODE : QUOTE;
            text[i] = ' ';
            if (c == '\\' && i + 1 < length) {
                text[++i] = ' ';
            }
        }
    }
}

static bool is_name_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Finds a whole word; NULL when it is not there. */
static const char *find_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length) {
        if ((at == text || !is_name_byte(at[-1])) && !is_name_byte(at[length])) {
            return at;
        }
    }
    return NULL;
}

/* Whether a function called main is defined: the word and an opening bracket, after something that is no operator. */
static bool defines_main(const char *text) {
    for (const char *at = text; (at = find_word(at, "main")) != NULL; at += 4) {
        if (at[4 + strspn(at + 4, " \t\r\n")] == '(') {
            return true;
        }
    }
    return false;
}

/* The class a Java file's main function is in: the file's own name, in its package. Owned by the caller. */
static char *java_class(const char *text, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    struct text class = TEXT_EMPTY;
    const char *package = find_word(text, "package");
    if (package) {
        package += strlen("package");
        package += strspn(package, " \t\r\n");
        size_t length = 0;
        while (is_name_byte(package[length]) || package[length] == '.') {
            length++;
        }
        text_add(&class, package, length);
        text_add_char(&class, '.');
    }
    text_add(&class, name, strlen(name) - strlen(".java"));
    return class.data;
}

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
    bool source = file->kind == GRADE_KIND_C || file->kind == GRADE_KIND_CPP || file->kind == GRADE_KIND_JAVA ||
                  file->kind == GRADE_KIND_PYTHON;
    if (source && read_source(entry, &text)) {
        if (file->kind == GRADE_KIND_PYTHON) {
            file->has_main = strstr(text.data, "__main__") != NULL;
        } else {
            blank_comments(text.data, text.length);
            file->has_main = defines_main(text.data);
        }
        if (file->kind == GRADE_KIND_JAVA) {
            file->class = java_class(text.data, file->path);
        }
    }
    text_free(&text);
}

/* -- the list -- */

static bool list_file(void *user, const struct grade_tree_entry *entry) {
    struct grade_files *files = user;
    if (grade_tree_is_litter(entry->name) || strcmp(entry->name, "CMakeFiles") == 0) {
        return false;
    }
    if (S_ISDIR(entry->about.st_mode)) {
        return true;
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
        free(files->list[i].class);
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
