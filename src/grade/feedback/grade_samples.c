#include "grade/feedback/grade_samples.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "system/file.h"

/* Larger sources are not looked at, nor deeper folders, nor more files. */
#define MOST_SOURCE ((size_t)1 << 20)
#define MOST_LEVELS 3
#define MOST_SOURCES 400

const enum grade_course grade_sample_courses[] = {GRADE_COURSE_STAKE, GRADE_COURSE_SNEAK, GRADE_COURSE_LASER,
                                                  GRADE_COURSE_ANY};
const char *const grade_course_names[GRADE_COURSES] = {NULL, "stake", "sneak", "laser", "gomoku"};

struct sample {
    enum grade_course course;
    const char *name;
    const char *input;
    bool first; /* one of the two that are tried where it is only asked whether a program answers */
};

#define STAKE_BOARD "1 9 4 2\n7 3 8 5\n6 2 1 9\n4 8 3 7\nX..O\n.X..\n..O.\n....\n"
#define SNEAK_BOARD "3 4 3 1 1\n3 4 3 4 4\n2 2 2 2 1\n2 3 2 2 3\n2 4 4 3 3\n**XXX\nX*XO*\nO*XXO\nXOXOO\nXOOO*\n"

static const struct sample samples[] = {
    {GRADE_COURSE_STAKE, "1-one-move-deep", "4\nMINIMAX\nX\n1\n" STAKE_BOARD, false},
    {GRADE_COURSE_STAKE, "2-minimax", "4\nMINIMAX\nO\n2\n" STAKE_BOARD, true},
    {GRADE_COURSE_STAKE, "3-minimax-three-deep", "3\nMINIMAX\nX\n3\n5 1 6\n2 9 4\n8 3 7\nX..\n.O.\n...\n", false},
    {GRADE_COURSE_STAKE, "4-alphabeta", "4\nALPHABETA\nX\n3\n" STAKE_BOARD, false},
    {GRADE_COURSE_STAKE, "5-an-empty-board", "3\nALPHABETA\nO\n2\n5 5 5\n5 5 5\n5 5 5\n...\n...\n...\n", true},
    {GRADE_COURSE_STAKE, "6-deeper-than-the-game", "3\nALPHABETA\nX\n9\n1 2 3\n4 5 6\n7 8 9\nXOX\nO..\n.OX\n", false},
    {GRADE_COURSE_STAKE, "7-the-last-square", "2\nMINIMAX\nO\n1\n1 2\n3 4\nXX\nO.\n", false},
    {GRADE_COURSE_SNEAK, "1-greedy", "1\nX\n1\n" SNEAK_BOARD, false},
    {GRADE_COURSE_SNEAK, "2-minimax", "2\nX\n2\n" SNEAK_BOARD, true},
    {GRADE_COURSE_SNEAK, "3-alphabeta", "3\nX\n3\n" SNEAK_BOARD, true},
    {GRADE_COURSE_SNEAK, "4-alphabeta-as-O", "3\nO\n3\n" SNEAK_BOARD, false},
    {GRADE_COURSE_SNEAK, "5-deeper-than-the-game",
     "2\nO\n4\n1 2 3 4 5\n6 7 8 9 1\n2 3 4 5 6\n7 8 9 1 2\n3 4 5 6 7\nXXXXX\nOOOOO\nXXXXX\nOO*O*\nXXOOX\n", false},
    {GRADE_COURSE_SNEAK, "6-battle", "4\nX\n1\n1\nO\n3\n2\n" SNEAK_BOARD, false},
    {GRADE_COURSE_LASER, "1-a-free-board", "5\n00000\n00000\n00000\n00000\n00000\n", true},
    {GRADE_COURSE_LASER, "2-blocks", "7\n0000300\n0000000\n0000030\n0000000\n0000000\n0000000\n0030000\n", false},
    {GRADE_COURSE_LASER, "3-in-the-game", "7\n0000300\n0020000\n0000030\n0000010\n0000000\n0000000\n0030000\n", true},
    {GRADE_COURSE_LASER, "4-lines-that-end-in-CRLF", "4\r\n0300\r\n0000\r\n0003\r\n0000\r\n", false},
};

enum status grade_samples_read(enum grade_course course, bool all, struct grade *grade, struct error *error) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof samples / sizeof *samples && status == STATUS_OK; i++) {
        if (samples[i].course == course && (all || samples[i].first)) {
            status = grade_add_case(grade, samples[i].name, samples[i].input, error);
        }
    }
    return status;
}

/* -- which course -- */

struct looking {
    int seen[GRADE_COURSES]; /* words of each */
    int sources;
};

static bool is_source(const char *path) {
    static const char *const endings[] = {".py", ".c", ".h", ".cc", ".cpp", ".hpp", ".cxx", ".java"};
    const char *point = strrchr(path, '.');
    for (size_t i = 0; i < sizeof endings / sizeof *endings && point; i++) {
        if (strcmp(point, endings[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Which courses a source speaks of. */
static void look_into(struct looking *looking, const char *path) {
    static const struct {
        const char *word;
        enum grade_course course;
    } words[] = {
        {"traverse_log", GRADE_COURSE_SNEAK}, {"next_state", GRADE_COURSE_SNEAK}, {"trace_state", GRADE_COURSE_SNEAK},
        {"ALPHABETA", GRADE_COURSE_STAKE},    {"MINIMAX", GRADE_COURSE_STAKE},    {"Stake", GRADE_COURSE_STAKE},
        {"move_file", GRADE_COURSE_GOMOKU},   {"end_game", GRADE_COURSE_GOMOKU},  {"emitter", GRADE_COURSE_LASER},
        {"laser", GRADE_COURSE_LASER},        {"Emitter", GRADE_COURSE_LASER},    {"Laser", GRADE_COURSE_LASER}};
    char *bytes;
    size_t length;
    if (!is_source(path) || looking->sources >= MOST_SOURCES ||
        file_read(path, MOST_SOURCE, &bytes, &length, NULL) != STATUS_OK) {
        return;
    }
    looking->sources++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        looking->seen[words[i].course] += strstr(bytes, words[i].word) != NULL;
    }
    free(bytes);
}

static void look_below(struct looking *looking, const char *path, int levels) { /* NOLINT(misc-no-recursion): bounded */
    struct stat about;
    if (lstat(path, &about) != 0) {
        return;
    }
    if (S_ISREG(about.st_mode)) {
        look_into(looking, path);
    }
    DIR *folder = S_ISDIR(about.st_mode) && levels > 0 ? opendir(path) : NULL;
    struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        char below[PATH_MAX];
        if (entry->d_name[0] != '.' && snprintf(below, sizeof below, "%s/%s", path, entry->d_name) < PATH_MAX) {
            look_below(looking, below, levels - 1);
        }
    }
    if (folder) {
        closedir(folder);
    }
}

enum grade_course grade_samples_guess(const char *path) {
    struct looking looking = {0};
    enum grade_course best = GRADE_COURSE_ANY;
    look_below(&looking, path, MOST_LEVELS);
    for (int course = GRADE_COURSE_ANY + 1; course < GRADE_COURSES; course++) {
        best = looking.seen[course] > looking.seen[best] ? (enum grade_course)course : best;
    }
    return best;
}
