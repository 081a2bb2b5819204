#include "grade/find/grade_home.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* A warden takes 64, and a course may add two. */
#define MOST_WORDS 50

/* What lies in the scratch folder stays; an answer that was handed in is none. */
static const char script[] = "own=$1 top=$2; shift 2; cp -Rn -- \"$own/.\" . 2>/dev/null; "
                             "[ \"$own\" = \"$top\" ] || cp -Rn -- \"$top/.\" . 2>/dev/null; "
                             "rm -rf output.txt next_state.txt trace_state.txt traverse_log.txt; exec \"$@\"";

/* How much of a word is the folder the submission begins in; 0: it is not in the word. */
static size_t top_in(const char *word, const char *folder) {
    size_t length = strlen(folder);
    for (const char *at = strstr(word, folder); length > 0 && at; at = strstr(at + 1, folder)) {
        if (at > word && at[-1] == '/' && (at[length] == '/' || at[length] == '\0')) {
            return (size_t)(at - word) + length;
        }
    }
    return 0;
}

/* Finds where the submission begins; false when no word leads there. A class path has other words around it. */
static bool find_top(const char *command, size_t length, const char *folder, char top[PATH_MAX]) {
    int words = 0;
    bool found = false;
    for (const char *word = command; word < command + length && *word; word += strlen(word) + 1) {
        size_t here = top_in(word, folder);
        if (!found && here > 0 && here < PATH_MAX && word[0] == '/') {
            snprintf(top, PATH_MAX, "%.*s", (int)here, word);
            found = true;
        }
        words++;
    }
    return found && words <= MOST_WORDS;
}

static void add_word(struct text *words, const char *word) {
    text_add(words, word, strlen(word) + 1);
}

bool grade_home_command(const char *command, size_t length, const char *folder, const char *file, struct text *words) {
    char top[PATH_MAX];
    char program[PATH_MAX];
    char own[PATH_MAX];
    if (!find_top(command, length, folder, top)) {
        return false;
    }
    const char *slash = strrchr(file, '/');
    int written = snprintf(program, sizeof program, "%s/%s", top, file);
    if (written < 0 || written >= PATH_MAX) {
        return false;
    }
    snprintf(own, sizeof own, "%.*s", written - (int)strlen(slash ? slash : file) - !slash, program);
    add_word(words, "/bin/sh");
    add_word(words, "-c");
    add_word(words, script);
    add_word(words, "sh");
    add_word(words, own);
    add_word(words, top);
    for (const char *word = command; word < command + length && *word; word += strlen(word) + 1) {
        /* An interpreter reads the copy, so that the program finds itself there. */
        if (word > command && strcmp(word, program) == 0) {
            text_add_string(words, "./");
            add_word(words, slash ? slash + 1 : file);
        } else {
            add_word(words, word);
        }
    }
    text_add_char(words, '\0');
    return true;
}
