#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "explain/explain.h"
#include "system/file.h"

/* A traversal log of a deep search is long. */
#define MOST_FILE ((size_t)256 << 20)

/* The exit status where the files differ, as diff has it. */
#define DIFFERENT 1

struct files {
    const char *input; /* NULL: input.txt beside the expected file, where there is one */
    char beside[PATH_MAX];
    char *bytes[2]; /* owned: expected, mine */
    size_t lengths[2];
};

/* The last part of a path. */
static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Reads what was asked. Beside the expected file lies an input.txt or not, and it may be of something else: then the
 * explanation does without. A file that was named must be right. */
static int read_input(struct files *files, const char *expected, struct course_request *request, bool *known) {
    if (files->input) {
        int exit_status = cli_read_request(files->input, NULL, false, request);
        *known = exit_status == 0;
        return exit_status;
    }
    char *bytes = NULL;
    size_t length;
    int folder = (int)(base_name(expected) - expected);
    if (snprintf(files->beside, PATH_MAX, "%.*s" COURSE_INPUT_FILE, folder, expected) < PATH_MAX &&
        file_read(files->beside, MOST_FILE, &bytes, &length, NULL) == STATUS_OK) {
        *known = course_parse(bytes, length, NULL, request, NULL) == STATUS_OK;
    }
    free(bytes);
    return 0;
}

static int compare(const struct files *files, char **names, const struct course_request *request) {
    struct text out = TEXT_EMPTY;
    struct explain_pair pair = {.name = base_name(names[1]),
                                .wanted = files->bytes[0],
                                .wanted_length = files->lengths[0],
                                .found = files->bytes[1],
                                .found_length = files->lengths[1],
                                .request = request};
    int line = explain(&pair, &out);
    int exit_status = cli_print(&out);
    return exit_status ? exit_status : line ? DIFFERENT : 0;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct files files = {0};
    const struct cli_option table[] = {
        {"input", 'i', CLI_STRING, &files.input, "FILE", "what was asked (default: input.txt beside EXPECTED)", 0, 0},
        {0},
    };
    int count;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &count, &exit_status)) {
        return exit_status;
    }
    if (count != 2) {
        return cli_usage("diff: expected two files, the expected answer and yours, found %d", count);
    }
    struct course_request request = {0};
    bool known = false;
    exit_status = read_input(&files, argv[0], &request, &known);
    for (int i = 0; i < 2 && exit_status == 0; i++) {
        struct error error = {0};
        enum status status = file_read(argv[i], MOST_FILE, &files.bytes[i], &files.lengths[i], &error);
        exit_status = status == STATUS_OK ? 0 : cli_fail(argv[i], &error, status);
    }
    if (exit_status == 0) {
        exit_status = compare(&files, argv, known ? &request : NULL);
    }
    if (known) {
        course_request_free(&request);
    }
    free(files.bytes[0]);
    free(files.bytes[1]);
    return exit_status;
}

const struct cli_command cli_diff = {
    .name = "diff",
    .summary = "explain the first difference between an answer and the expected one",
    .usage = "EXPECTED MINE [--input FILE]",
    .details =
        "Compares an answer with the one a course expects: a traversal log, a move with its board, or the boards\n"
        "of a battle. For the first wrong line of a log it names the node, its path from the root, alpha and\n"
        "beta, what the textbook does there, and the mistake that looks like that, such as > instead of >= at\n"
        "the cut. Boards are shown side by side. With the input file it also knows the board of every node;\n"
        "blanks at line ends and CRLF do not matter. Exit status 0: no difference, 1: one, 2: bad input.\n",
    .example = "  printf '3\\nX\\n2\\n1 2 3 4 5\\n6 7 8 9 1\\n2 3 4 5 6\\n7 8 9 1 2\\n3 4 5 6 7\\n' >input.txt\n"
               "  printf 'XXXXX\\nOOOOO\\nXXXXX\\nOO*O*\\nXX**X\\n' >>input.txt\n"
               "  sortie move\n"
               "  sed '5s/D5,2/D5,3/' traverse_log.txt >mine.txt\n"
               "  sortie diff traverse_log.txt mine.txt || true\n",
    .run = run,
};
