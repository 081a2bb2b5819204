#include "cli/prompt.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef _WIN32
#define strncasecmp _strnicmp
#else
#include <strings.h>
#include <termios.h>
#endif

/* No more words than this are listed under the line. */
#define MOST_LISTED 40

enum {
    KEY_CTRL_C = 3,
    KEY_CTRL_D = 4,
    KEY_BACKSPACE = 8,
    KEY_TAB = 9,
    KEY_CLEAR = 21,
    KEY_ESCAPE = 27,
    KEY_DELETE = 127
};

bool prompt_is_terminal(void) {
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

int prompt_complete(const struct prompt_words *words, char line[PROMPT_MOST]) {
    size_t typed = strlen(line);
    size_t common = 0;
    const char *first = NULL;
    int count = 0;
    for (int i = 0; i < words->count; i++) {
        const char *word = words->words[i];
        if (strncasecmp(word, line, typed) != 0) {
            continue;
        }
        count++;
        if (!first) {
            first = word;
            common = strlen(word);
        }
        while (strncasecmp(word, first, common) != 0) {
            common--;
        }
    }
    if (first && common < PROMPT_MOST) {
        memcpy(line, first, common);
        line[common] = '\0';
    }
    return count;
}

/* Reads a line as the system gives it; the rest of one that is too long is skipped. */
static bool read_plain(char line[PROMPT_MOST]) {
    if (!fgets(line, PROMPT_MOST, stdin)) {
        return false;
    }
    if (!strchr(line, '\n')) {
        int c;
        while ((c = getchar()) != EOF && c != '\n') {
        }
    }
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

#ifndef _WIN32

static void show(const char *text, const char *line) {
    printf("\r%s%s\033[K", text, line);
    fflush(stdout);
}

static void list_words(const struct prompt_words *words, const char *line) {
    int listed = 0;
    printf("\n");
    for (int i = 0; i < words->count && listed < MOST_LISTED; i++) {
        if (strncasecmp(words->words[i], line, strlen(line)) == 0) {
            printf("%s%s", listed++ ? ", " : "", words->words[i]);
        }
    }
    printf("%s\n", listed == MOST_LISTED ? ", ..." : "");
}

/* Skips the rest of an arrow or function key. */
static void skip_sequence(void) {
    char c;
    if (read(STDIN_FILENO, &c, 1) == 1 && c == '[') {
        while (read(STDIN_FILENO, &c, 1) == 1 && (c < '@' || c > '~')) {
        }
    }
}

static void complete_or_list(const struct prompt_words *words, char line[PROMPT_MOST]) {
    char before[PROMPT_MOST];
    memcpy(before, line, PROMPT_MOST);
    if (prompt_complete(words, line) > 1 && strcmp(before, line) == 0) {
        list_words(words, line);
    }
}

/* Key by key; the terminal is in raw mode. */
static bool edit(const char *text, const struct prompt_words *words, char line[PROMPT_MOST]) {
    size_t length = 0;
    char c;
    line[0] = '\0';
    show(text, line);
    while (read(STDIN_FILENO, &c, 1) == 1) {
        if (c == '\r' || c == '\n') {
            return true;
        }
        if (c == KEY_CTRL_C || (c == KEY_CTRL_D && length == 0)) {
            return false;
        }
        if (c == KEY_TAB) {
            complete_or_list(words, line);
            length = strlen(line);
        } else if (c == KEY_ESCAPE) {
            skip_sequence();
        } else if (c == KEY_CLEAR) {
            length = 0;
        } else if ((c == KEY_BACKSPACE || c == KEY_DELETE) && length > 0) {
            length--;
        } else if (c >= ' ' && c < KEY_DELETE && length + 1 < PROMPT_MOST) {
            line[length++] = c;
        }
        line[length] = '\0';
        show(text, line);
    }
    return false;
}

bool prompt_read(const char *text, const struct prompt_words *words, char line[PROMPT_MOST]) {
    struct termios before;
    if (!prompt_is_terminal() || tcgetattr(STDIN_FILENO, &before) != 0) {
        return read_plain(line);
    }
    struct termios raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    bool good = edit(text, words, line);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    printf("\n");
    return good;
}

#else

bool prompt_read(const char *text, const struct prompt_words *words, char line[PROMPT_MOST]) {
    (void)words;
    if (prompt_is_terminal()) {
        printf("%s", text);
        fflush(stdout);
    }
    return read_plain(line);
}

#endif
