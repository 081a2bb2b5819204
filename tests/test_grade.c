/* Grading, the parts that can be looked at by themselves: which Python, how to build, archives, tables. */
#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/words.h"
#include "grade/find/grade_detect.h"
#include "grade/find/grade_python.h"
#include "grade/find/grade_tree.h"
#include "grade/find/grade_unpack.h"
#include "grade/grade.h"
#include "grade/grade_store.h"

/* -- a scratch folder a test -- */

static char scratch[64];

static int make_scratch(void **state) {
    (void)state;
    snprintf(scratch, sizeof scratch, "/tmp/test-grade-XXXXXX");
    return mkdtemp(scratch) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place) {
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static int remove_scratch(void **state) {
    (void)state;
    return nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *name, const char *content) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    for (char *slash = path + strlen(scratch) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

static int open_scratch(void) {
    int folder = open(scratch, O_RDONLY | O_DIRECTORY);
    assert_true(folder >= 0);
    return folder;
}

/* -- Python -- */

static enum grade_python version(const char *source, int *line) {
    struct grade_python_sign sign;
    enum grade_python found = grade_python_version(source, strlen(source), &sign);
    *line = sign.line;
    return found;
}

static void test_python_versions(void **state) {
    (void)state;
    static const struct {
        const char *source;
        enum grade_python version;
        int line;
    } cases[] = {
        {"print('x')\n", GRADE_PYTHON_ANY, 1},
        {"print ('x')\nprint\nprint\n", GRADE_PYTHON_ANY, 1},
        {"import os\nprint 'x'\n", GRADE_PYTHON_2, 2},
        {"if True: print x\n", GRADE_PYTHON_2, 1},
        {"a = 1; print a\n", GRADE_PYTHON_2, 1},
        {"print >>sys.stderr, 'x'\n", GRADE_PYTHON_2, 1},
        {"# print x\n'''\nprint x\n'''\ns = \"print x\"\nprint(s)\n", GRADE_PYTHON_ANY, 1},
        {"f(\n  print,\n  x)\nobject.print = 1\n", GRADE_PYTHON_ANY, 1},
        {"try:\n  pass\nexcept ValueError, e:\n  pass\n", GRADE_PYTHON_2, 3},
        {"try:\n  pass\nexcept (ValueError, KeyError):\n  pass\n", GRADE_PYTHON_ANY, 1},
        {"try:\n  pass\nexcept ValueError as e:\n  pass\n", GRADE_PYTHON_ANY, 1},
        {"raise ValueError, 'no'\n", GRADE_PYTHON_2, 1},
        {"raise ValueError('no', 1)\n", GRADE_PYTHON_ANY, 1},
        {"if a <> b:\n  pass\n", GRADE_PYTHON_2, 1},
        {"if a < b > c:\n  pass\n", GRADE_PYTHON_ANY, 1},
        {"m = 0777\n", GRADE_PYTHON_2, 1},
        {"m = 0o777 + 00 + 0 + 0.5 + 00.5\n", GRADE_PYTHON_ANY, 1},
        {"exec 'x = 1'\n", GRADE_PYTHON_2, 1},
        {"exec('x = 1')\n", GRADE_PYTHON_ANY, 1},
        {"x = `y`\n", GRADE_PYTHON_2, 1},
        {"for i in xrange(3):\n  pass\n", GRADE_PYTHON_2_NAMES, 1},
        {"d = {}\nfor k in d.iteritems():\n  pass\n", GRADE_PYTHON_2_NAMES, 2},
        {"#!/usr/bin/env python2\nx = 1\n", GRADE_PYTHON_2, 1},
        {"#!/usr/bin/python2.7\nx = 1\n", GRADE_PYTHON_2, 1},
        {"#!/usr/bin/env python3\nprint 'x'\n", GRADE_PYTHON_3_REQUIRED, 1},
        {"print(f'{x}', end='')\nx: int = 3\n", GRADE_PYTHON_ANY, 1},
        {"print 'never closed\n", GRADE_PYTHON_2, 1},
        {"", GRADE_PYTHON_ANY, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int line;
        enum grade_python found = version(cases[i].source, &line);
        if (found != cases[i].version || (found == GRADE_PYTHON_2 && line != cases[i].line)) {
            fail_msg("%s: found %d in line %d, wanted %d in line %d", cases[i].source, (int)found, line,
                     (int)cases[i].version, cases[i].line);
        }
    }
}

static void test_python_imports(void **state) {
    (void)state;
    static const char source[] = "import os, board\nfrom search import best\n# import other\nx = 'import third'\n";
    assert_true(grade_python_imports(source, sizeof source - 1, "board"));
    assert_true(grade_python_imports(source, sizeof source - 1, "search"));
    assert_false(grade_python_imports(source, sizeof source - 1, "other"));
    assert_false(grade_python_imports(source, sizeof source - 1, "third"));
}

/* -- how to build -- */

/* The plan for the files in the scratch folder, called /build. */
static void detect(struct grade_plan *plan) {
    struct grade_files files;
    int folder = open_scratch();
    assert_true(grade_files_read(&files, folder));
    grade_detect(&files, folder, "/build", plan);
    grade_files_free(&files);
    close(folder);
}

/* The words of a command with blanks between them. */
static const char *words_of(const struct text *command) {
    static char words[512];
    size_t length = command->length < sizeof words ? command->length : sizeof words - 1;
    memcpy(words, text_string(command), length);
    words[length] = '\0';
    for (size_t i = 0; i + 1 < length; i++) {
        words[i] = words[i] ? words[i] : ' ';
    }
    return words;
}

static void expect_plan(const char *script, const char *command, const char *problem) {
    struct grade_plan plan;
    detect(&plan);
    assert_string_equal(text_string(&plan.script), script);
    assert_string_equal(words_of(&plan.command), command);
    if (*problem) {
        assert_non_null(strstr(plan.problem, problem));
    } else {
        assert_string_equal(plan.problem, "");
    }
    grade_plan_free(&plan);
}

static void test_detect_c(void **state) {
    (void)state;
    put("my game.c", "/* main( */ int main(void) { return 0; }\n");
    put("board.c", "int remain(int x);\nint domain;\n");
    put("board.h", "int main(void);\n");
    expect_plan("gcc -O2 -std=gnu17 -I. -o sortie-program 'board.c' 'my game.c' -lm -pthread", "/build/sortie-program",
                "");
    put("other.c", "int main() { return 1; }\n");
    expect_plan("", "", "several files have a main function: my game.c, other.c");
    put("main.c", "int\nmain\n(int argc, char **argv) { return 1; }\n");
    expect_plan("gcc -O2 -std=gnu17 -I. -o sortie-program 'board.c' 'main.c' -lm -pthread", "/build/sortie-program",
                "");
    put("extra.cpp", "int twice(int x) { return 2 * x; }\n");
    expect_plan("gcc -O2 -std=gnu17 -I. -c 'board.c' 'main.c' && g++ -O2 -std=gnu++17 -I. -o sortie-program "
                "'extra.cpp' *.o -lm -pthread",
                "/build/sortie-program", "");
    put("Makefile", "all:\n");
    expect_plan("make", "", "");
    put("run.sh", "true\n");
    expect_plan("make", "sh /build/run.sh", "");
}

static void test_detect_odd_names(void **state) {
    (void)state;
    put("-o it's $(touch x).c", "int main(void) { return 0; }\n");
    expect_plan("gcc -O2 -std=gnu17 -I. -o sortie-program './-o it'\\''s $(touch x).c' -lm -pthread",
                "/build/sortie-program", "");
}

static void test_detect_python(void **state) {
    (void)state;
    put("solver.py", "import board\nprint(board.x)\n");
    put("board.py", "x = 1\n");
    expect_plan("", "python3 /build/solver.py", "");
    put("tool.py", "if __name__ == '__main__':\n    pass\n");
    expect_plan("", "python3 /build/tool.py", "");
    put("homework.py", "print(1)\n");
    expect_plan("", "python3 /build/homework.py", "");
}

static void test_detect_nothing(void **state) {
    (void)state;
    put("README.txt", "#no program\n");
    expect_plan("", "", "no program found");
    put("start", "#!/bin/sh\n");
    expect_plan("", "/build/start", "");
    put("begin", "#!/bin/sh\n");
    expect_plan("", "", "several files could be the program: begin, start");
    put("main", "#!/bin/sh\n");
    expect_plan("", "/build/main", "");
}

/* Java is told apart even where no javac is installed; then the plan says so. */
static void test_detect_java(void **state) {
    (void)state;
    put("src/de/uni/Game.java", "package de . uni;\npublic class Game { public static void main(String[] a) {} }\n");
    put("src/de/uni/Board.java", "package de.uni; // main(\nclass Board { String s = \"main(\"; }\n");
    bool here = grade_has_tool("javac") && grade_has_tool("java");
    struct grade_plan plan;
    detect(&plan);
    if (here) {
        assert_string_equal(text_string(&plan.script),
                            "javac -encoding UTF-8 -d sortie-classes 'src/de/uni/Board.java' "
                            "'src/de/uni/Game.java'");
    } else {
        assert_non_null(strstr(plan.problem, "not installed on this machine"));
    }
    grade_plan_free(&plan);
}

static void test_java_package(void **state) {
    (void)state;
    put("Game.java", "package de.uni.game;\npublic class Game { public static void main(String[] a) {} }\n");
    struct grade_files files;
    int folder = open_scratch();
    assert_true(grade_files_read(&files, folder));
    assert_int_equal(files.count, 1);
    assert_true(files.list[0].has_main);
    assert_string_equal(files.list[0].class, "de.uni.game.Game");
    grade_files_free(&files);
    close(folder);
}

/* -- archives -- */

struct member {
    const char *path;
    const char *content; /* NULL: a folder */
    const char *link;    /* of a symbolic link */
    const char *hard;    /* of a hard link */
    mode_t type;         /* 0: by the above */
};

/* Writes a tar archive with the members as they are given. */
static size_t pack(const struct member *members, int count, char *bytes, size_t size) {
    size_t used = 0;
    struct archive *archive = archive_write_new();
    archive_write_set_format_pax_restricted(archive);
    assert_int_equal(archive_write_open_memory(archive, bytes, size, &used), ARCHIVE_OK);
    for (int i = 0; i < count; i++) {
        struct archive_entry *entry = archive_entry_new();
        size_t length = members[i].content ? strlen(members[i].content) : 0;
        archive_entry_set_pathname(entry, members[i].path);
        archive_entry_set_filetype(entry, members[i].type      ? members[i].type
                                          : members[i].link    ? AE_IFLNK
                                          : members[i].content ? AE_IFREG
                                                               : AE_IFDIR);
        archive_entry_set_perm(entry, 0755);
        archive_entry_set_size(entry, (int64_t)length);
        if (members[i].link) {
            archive_entry_set_symlink(entry, members[i].link);
        }
        if (members[i].hard) {
            archive_entry_set_hardlink(entry, members[i].hard);
        }
        archive_write_header(archive, entry);
        if (length > 0 && !members[i].hard) {
            archive_write_data(archive, members[i].content, length);
        }
        archive_entry_free(entry);
    }
    archive_write_close(archive);
    archive_write_free(archive);
    return used;
}

static bool has(const char *path) {
    char whole[512];
    struct stat about;
    snprintf(whole, sizeof whole, "%s/%s", scratch, path);
    return lstat(whole, &about) == 0;
}

static void test_hostile_archive(void **state) {
    (void)state;
    static char bytes[1 << 17];
    static const struct member members[] = {
        {.path = "good/main.c", .content = "int main(void) { return 0; }\n"},
        {.path = "./good/./sub/data.txt", .content = "x"},
        {.path = "/tmp/test-grade-absolute", .content = "x"},
        {.path = "../escape", .content = "x"},
        {.path = "good/../../escape", .content = "x"},
        {.path = "good/..", .content = "x"},
        {.path = "out", .link = "/tmp"},
        {.path = "out/through", .content = "x"},
        {.path = "hard", .hard = "/etc/passwd", .content = ""},
        {.path = "pipe", .type = AE_IFIFO},
        {.path = "device", .type = AE_IFCHR},
        {.path = "good/main.c/below", .content = "x"},
        {.path = "odd\n\x1b[31m\xff name", .content = "x"},
        {.path = "good/main.c", .content = "int main(void) { return 1; }\n"},
    };
    struct text notes = TEXT_EMPTY;
    struct error error = {0};
    int folder = open_scratch();
    size_t length = pack(members, sizeof members / sizeof *members, bytes, sizeof bytes);
    assert_int_equal(grade_unpack_bytes(bytes, length, folder, &notes, &error), STATUS_OK);
    assert_true(has("good/main.c") && has("good/sub/data.txt"));
    assert_false(has("hard") || has("pipe") || has("device") || has("../escape"));
    assert_true(access("/tmp/test-grade-absolute", F_OK) != 0 && access("/tmp/through", F_OK) != 0);
    /* The link was left out, so the name below it became a folder of ours. */
    assert_true(has("out/through"));
    assert_non_null(strstr(text_string(&notes), "leads out of the folder"));
    assert_non_null(strstr(text_string(&notes), "out: a link"));
    text_free(&notes);
    close(folder);
}

static void test_too_many_files(void **state) {
    (void)state;
    static char names[GRADE_UNPACK_MOST_FILES + 1][16];
    struct member *members = calloc(GRADE_UNPACK_MOST_FILES + 1, sizeof *members);
    size_t size = (size_t)(GRADE_UNPACK_MOST_FILES + 10) * 1024;
    char *bytes = malloc(size);
    assert_non_null(members);
    assert_non_null(bytes);
    for (int i = 0; i <= GRADE_UNPACK_MOST_FILES; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        members[i] = (struct member){.path = names[i], .content = ""};
    }
    struct text notes = TEXT_EMPTY;
    struct error error = {0};
    int folder = open_scratch();
    size_t length = pack(members, GRADE_UNPACK_MOST_FILES + 1, bytes, size);
    assert_int_equal(grade_unpack_bytes(bytes, length, folder, &notes, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "more than 20000 files"));
    text_free(&notes);
    free(bytes);
    free(members);
    close(folder);
}

/* A few kilobytes that would become gigabytes. */
static void test_bomb(void **state) {
    (void)state;
    size_t used = 0;
    static char bytes[1 << 21];
    static char zeros[1 << 16];
    struct archive *archive = archive_write_new();
    archive_write_set_format_ustar(archive);
    archive_write_add_filter_xz(archive);
    archive_write_set_filter_option(archive, "xz", "compression-level", "1");
    archive_write_open_memory(archive, bytes, sizeof bytes, &used);
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, "zeros");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, GRADE_UNPACK_MOST_BYTES + (1 << 20));
    archive_write_header(archive, entry);
    for (int64_t left = GRADE_UNPACK_MOST_BYTES + (1 << 20); left > 0; left -= (int64_t)sizeof zeros) {
        archive_write_data(archive, zeros, sizeof zeros);
    }
    archive_entry_free(entry);
    archive_write_close(archive);
    archive_write_free(archive);
    assert_true(used < 1 << 18);
    struct text notes = TEXT_EMPTY;
    struct error error = {0};
    int folder = open_scratch();
    assert_int_equal(grade_unpack_bytes(bytes, used, folder, &notes, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "more than 128 MiB"));
    assert_int_equal(grade_unpack_bytes("no archive", 10, folder, &notes, &error), STATUS_BAD_INPUT);
    assert_int_equal(grade_unpack_bytes(bytes, used / 2, folder, &notes, &error), STATUS_BAD_INPUT);
    text_free(&notes);
    close(folder);
}

static void test_archive_names(void **state) {
    (void)state;
    size_t stem = 0;
    assert_true(grade_is_archive("ann.tar.gz", &stem) && stem == 3);
    assert_true(grade_is_archive("Ann B.ZIP", &stem) && stem == 5);
    assert_false(grade_is_archive(".zip", &stem));
    assert_false(grade_is_archive("game.jar", &stem));
}

/* -- tables -- */

/* Two cases and two submissions to give points and late days to. */
static struct grade_case two_cases[2];
static struct grade_submission two_submissions[2];
static struct grade small_class(void) {
    static char names[4][8] = {"a/1", "b/2", "ann", "bob, jr"};
    static char paths[2][16] = {"/x/ann.zip", "/x/bob, jr"};
    two_cases[0] = (struct grade_case){.name = names[0], .points = 1, .shares = {1, 1, 1}};
    two_cases[1] = (struct grade_case){.name = names[1], .points = 1, .shares = {1, 1, 1}};
    two_submissions[0] = (struct grade_submission){.name = names[2], .path = paths[0]};
    two_submissions[1] = (struct grade_submission){.name = names[3], .path = paths[1]};
    return (struct grade){
        .cases = two_cases, .case_count = 2, .submissions = two_submissions, .submission_count = 2, .late_penalty = 10};
}

static void expect_refused(const char *table, int line, int column, const char *words) {
    struct grade grade = small_class();
    struct error error = {0};
    assert_int_equal(grade_read_points(&grade, table, strlen(table), &error), STATUS_BAD_INPUT);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    assert_non_null(strstr(error.text, words));
}

static void test_points(void **state) {
    (void)state;
    struct grade grade = small_class();
    struct error error = {0};
    static const char table[] = "\xef\xbb\xbf"
                                "Case, Points ,log,move\r\n# all\r\n*,2,,1\r\n,,,\r\n\"b/*\",\"5.5\",3,1\r\n\r\n";
    assert_int_equal(grade_read_points(&grade, table, sizeof table - 1, &error), STATUS_OK);
    assert_true(two_cases[0].points == 2 && two_cases[1].points == 5.5);
    assert_true(two_cases[0].shares[GRADE_MOVE] == 1 && two_cases[0].shares[GRADE_LOG] == 0);
    assert_true(two_cases[1].shares[GRADE_BOARD] == 1 && two_cases[1].shares[GRADE_LOG] == 3);
    expect_refused("case,points\na/1,many\n", 2, 5, "expected points");
    expect_refused("case,points\n\n  c/3,1\n", 3, 3, "the name of a case");
    expect_refused("case,points\na/1\n", 2, 1, "expected a field for 'points'");
    expect_refused("name\na/1\n", 1, 1, "a column 'case'");
    expect_refused("case,points\n\"a/1,1\n", 2, 1, "a quote that ends");
    expect_refused("case,points\na/1,-1\n", 2, 5, "expected points");
    expect_refused("case,points\na/1,nan\n", 2, 5, "expected points");
    expect_refused("", 1, 1, "a column 'case'");
}

static int unknown_line;
static void note_unknown(void *user, int line, const char *name) {
    (void)user;
    assert_string_equal(name, "zoe");
    unknown_line = line;
}

static void test_late(void **state) {
    (void)state;
    struct grade grade = small_class();
    struct error error = {0};
    static const char table[] = "Student,Section,Days\nann.zip,1,1.5\n\"bob, jr\",2,\nzoe,2,4\n";
    assert_int_equal(grade_read_late(&grade, table, sizeof table - 1, note_unknown, NULL, &error), STATUS_OK);
    assert_true(two_submissions[0].late_days == 1.5 && two_submissions[1].late_days == 0);
    assert_int_equal(unknown_line, 4);
}

static void test_partial_credit(void **state) {
    (void)state;
    struct grade grade = small_class();
    struct grade_result results[4] = {
        {.done = true, .marks = {GRADE_RIGHT, GRADE_RIGHT, GRADE_NOT_ASKED}},
        {.done = true, .marks = {GRADE_NOT_ASKED, GRADE_RIGHT, GRADE_WRONG}, .difference = "log"},
        {.done = true, .marks = {GRADE_WRONG, GRADE_RIGHT, GRADE_NOT_ASKED}, .difference = "move"},
    };
    grade.results = results;
    two_cases[1].points = 8;
    two_cases[1].shares[GRADE_LOG] = 3;
    two_submissions[0].late_days = 1.5;
    struct grade_total total;
    grade_sum_up(&grade, 0, &total);
    /* 1 for the first case; of the second the board: 1 of 1 + 3 shares of 8 points; 2 days late, 20 % off. */
    assert_true(total.points == 3 && total.of == 9 && total.penalty == 20);
    assert_true(total.final > 2.399 && total.final < 2.401);
    grade_sum_up(&grade, 1, &total);
    assert_true(total.points == 0.5 && total.done == 1 && total.passed == 0);
    memset(two_cases[0].shares, 0, sizeof two_cases[0].shares);
    assert_true(grade_points(&grade, 1, 0) == 0 && grade_points(&grade, 0, 0) == 1);
}

/* -- the results file -- */

/* A file with the results of the small class in it, in the scratch folder. */
static void write_store(const char *path) {
    struct grade grade = small_class();
    struct grade_store *store;
    struct error error = {0};
    struct grade_result results[4] = {
        {.done = true, .marks = {GRADE_RIGHT, GRADE_RIGHT, GRADE_NOT_ASKED}, .wall_seconds = 0.5},
        {.done = true, .marks = {GRADE_NOT_ASKED, GRADE_RIGHT, GRADE_WRONG}, .difference = "log", .errors = "oh"},
        {.done = true,
         .marks = {GRADE_WRONG, GRADE_WRONG, GRADE_NOT_ASKED},
         .fault = PLAYER_LATE,
         .difference = "late"},
    };
    grade.results = results;
    two_submissions[0].print = 0xfedcba9876543210;
    two_submissions[0].build = (struct grade_build){.state = GRADE_BUILD_READY, .how = "make"};
    text_add_string(&two_submissions[0].build.messages, "cc -o game\n");
    assert_int_equal(grade_store_open(&store, path, &error), STATUS_OK);
    assert_int_equal(grade_store_add_build(store, &two_submissions[0], &error), STATUS_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(grade_store_add_result(store, &grade, i / 2, i % 2, &error), STATUS_OK);
    }
    grade_store_close(store);
    text_free(&two_submissions[0].build.messages);
}

/* Reads it back; the results are the caller's. */
static enum status read_store(const char *path, struct grade *grade, struct error *error) {
    static struct grade_result results[4];
    struct grade_store *store = NULL;
    *grade = small_class();
    two_submissions[0].print = 0xfedcba9876543210;
    memset(results, 0, sizeof results);
    grade->results = results;
    enum status status = grade_store_open(&store, path, error);
    if (status == STATUS_OK) {
        status = grade_store_load(store, grade, error);
        grade_store_close(store);
    }
    for (int i = 0; i < 4; i++) {
        assert_true(results[i].fault < PLAYER_FAULTS && results[i].marks[GRADE_LOG] < GRADE_MARKS);
        assert_true(strlen(results[i].difference) < sizeof results[i].difference);
    }
    return status;
}

static void test_store(void **state) {
    (void)state;
    char path[128];
    struct grade grade;
    struct error error = {0};
    snprintf(path, sizeof path, "%s/grades.db", scratch);
    write_store(path);
    assert_int_equal(read_store(path, &grade, &error), STATUS_OK);
    assert_true(grade_passed(&grade.results[0]) && grade.results[0].wall_seconds == 0.5);
    assert_string_equal(grade.results[1].errors, "oh");
    assert_true(grade.results[2].fault == PLAYER_LATE && !grade.results[3].done);
    assert_string_equal(text_string(&two_submissions[0].build.messages), "cc -o game\n");
    text_free(&two_submissions[0].build.messages);
    /* Another version of a case or of a submission has no results yet. */
    struct grade_store *store;
    struct grade_result results[4] = {0};
    grade = small_class();
    grade.results = results;
    two_submissions[0].print = 0xfedcba9876543210;
    two_cases[0].print = 1;
    assert_int_equal(grade_store_open(&store, path, &error), STATUS_OK);
    assert_int_equal(grade_store_load(store, &grade, &error), STATUS_OK);
    assert_true(!results[0].done && results[1].done);
    grade_store_close(store);
    text_free(&two_submissions[0].build.messages);
}

/* Rows that make no sense, and tables that are not ours. */
static void test_store_disbelieved(void **state) {
    (void)state;
    static const char *const changes[] = {
        "UPDATE results SET move=3",
        "UPDATE results SET board=-1",
        "UPDATE results SET log='x'",
        "UPDATE results SET fault='bored'",
        "UPDATE results SET fault=x'00'",
        "UPDATE results SET wall=-1",
        "UPDATE results SET cpu=1e300",
        "UPDATE results SET cpu='nan'",
        "UPDATE results SET difference=hex(zeroblob(200))",
        "UPDATE results SET errors=x'ff'",
        "UPDATE results SET errors='a'||char(0)||'b'",
        "UPDATE builds SET ready=2",
        "UPDATE builds SET how=hex(zeroblob(100))",
        "UPDATE builds SET messages='text'",
        "UPDATE builds SET messages=zeroblob(2000000)",
        "DROP TABLE answers",
        "CREATE TRIGGER t AFTER INSERT ON results BEGIN DELETE FROM results; END",
        "CREATE TABLE more(x)",
        "PRAGMA user_version=2",
        "PRAGMA application_id=7",
    };
    char path[128];
    snprintf(path, sizeof path, "%s/grades.db", scratch);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sqlite3 *database;
        struct grade grade;
        struct error error = {0};
        unlink(path);
        write_store(path);
        assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
        assert_int_equal(sqlite3_exec(database, changes[i], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(database);
        if (read_store(path, &grade, &error) != STATUS_BAD_INPUT || !error.text[0]) {
            fail_msg("believed after: %s", changes[i]);
        }
        text_free(&two_submissions[0].build.messages);
    }
}

/* Bytes changed anywhere: whatever comes of it, nothing is read out of bounds and the words are one line. */
static void test_store_mutated(void **state) {
    (void)state;
    static char original[1 << 17];
    static char bytes[sizeof original];
    char path[128];
    struct rng rng = {11};
    int refused = 0;
    snprintf(path, sizeof path, "%s/grades.db", scratch);
    write_store(path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(original, 1, sizeof original, file);
    fclose(file);
    assert_true(length > 4096 && length < sizeof original);
    for (int turn = 0; turn < 300; turn++) {
        struct grade grade;
        struct error error = {0};
        memcpy(bytes, original, length);
        for (uint32_t change = rng_below(&rng, 12) + 1; change > 0; change--) {
            bytes[rng_below(&rng, turn % 2 ? 512 : (uint32_t)length)] = (char)rng_next(&rng);
        }
        unlink(path);
        file = fopen(path, "wb");
        assert_non_null(file);
        fwrite(bytes, 1, turn % 10 ? length : rng_below(&rng, (uint32_t)length), file);
        fclose(file);
        if (read_store(path, &grade, &error) != STATUS_OK) {
            assert_true(error.text[0] && !strchr(error.text, '\n'));
            refused++;
        }
        text_free(&two_submissions[0].build.messages);
    }
    assert_true(refused > 50 && refused < 300);
}

/* -- plans on their way -- */

static void fill_plan(struct grade_plan *plan) {
    *plan = (struct grade_plan){.state = GRADE_BUILD_READY, .how = "make", .folder = "submission/one\nfolder"};
    text_add_string(&plan->script, "make\nmake test");
    text_add(&plan->command, "/build/a b\0-x\0", 14);
    text_add(&plan->programs, "old\0older\0", 10);
}

static void test_plan_travels(void **state) {
    (void)state;
    struct grade_plan plan;
    struct grade_plan other;
    struct text bytes = TEXT_EMPTY;
    fill_plan(&plan);
    grade_plan_write(&plan, &bytes);
    assert_true(grade_plan_read(&other, &bytes));
    assert_int_equal(other.state, plan.state);
    assert_string_equal(other.how, plan.how);
    assert_string_equal(other.folder, plan.folder);
    assert_string_equal(text_string(&other.script), text_string(&plan.script));
    assert_int_equal(other.command.length, plan.command.length);
    assert_memory_equal(other.command.data, plan.command.data, plan.command.length);
    assert_int_equal(other.programs.length, plan.programs.length);
    assert_memory_equal(other.programs.data, plan.programs.data, plan.programs.length);
    grade_plan_free(&plan);
    grade_plan_free(&other);
    text_free(&bytes);
}

/* Cut anywhere, or with more behind it, it is none; whatever a byte is changed into is read without harm. */
static void test_plan_disbelieved(void **state) {
    (void)state;
    struct grade_plan plan;
    struct text bytes = TEXT_EMPTY;
    fill_plan(&plan);
    grade_plan_write(&plan, &bytes);
    grade_plan_free(&plan);
    size_t length = bytes.length;
    for (size_t cut = 0; cut < length; cut++) {
        bytes.length = cut;
        assert_false(grade_plan_read(&plan, &bytes));
        grade_plan_free(&plan);
    }
    bytes.length = length;
    text_add_string(&bytes, "more");
    assert_false(grade_plan_read(&plan, &bytes));
    grade_plan_free(&plan);
    bytes.length = length;
    for (size_t i = 0; i < length; i++) {
        char before = bytes.data[i];
        static const char others[] = {'\0', 'x', '9', '\n', '\377'};
        for (size_t k = 0; k < sizeof others; k++) {
            bytes.data[i] = others[k];
            if (grade_plan_read(&plan, &bytes)) {
                assert_true(plan.state > GRADE_BUILD_UNKNOWN && plan.state < GRADE_BUILD_STATES);
            }
            grade_plan_free(&plan);
        }
        bytes.data[i] = before;
    }
    struct text nothing = TEXT_EMPTY;
    assert_false(grade_plan_read(&plan, &nothing));
    grade_plan_free(&plan);
    text_free(&bytes);
}

/* -- words -- */

static void expect_words(const char *line, const char *words, int count) {
    struct text text = TEXT_EMPTY;
    struct error error = {0};
    int found;
    enum status status = words_split(line, &text, &found, &error);
    assert_int_equal(status, words ? STATUS_OK : STATUS_BAD_INPUT);
    if (words) {
        assert_int_equal(found, count);
        for (size_t i = 0; i < text.length; i++) {
            text.data[i] = text.data[i] ? text.data[i] : '|';
        }
        assert_string_equal(text_string(&text), words);
    }
    text_free(&text);
}

static void test_words(void **state) {
    (void)state;
    expect_words("java -cp classes  game.Main ", "java|-cp|classes|game.Main|", 4);
    expect_words("  \t", "", 0);
    expect_words("a 'b c' \"d 'e'\" f\\ g", "a|b c|d 'e'|f g|", 4);
    expect_words("a'b'\"c\"d '\\'", "abcd|\\|", 2);
    expect_words("\"\\\"\"", "\"|", 1);
    expect_words("$HOME `x` *", "$HOME|`x`|*|", 3);
    expect_words("a 'b", NULL, 0);
    expect_words("a \"b", NULL, 0);
    expect_words("a ''", NULL, 0);
}

/* -- handing over -- */

/* A tree that is too deep is cut, a file that is too large is refused, what is no file is left out. */
static void test_hand_over(void **state) {
    (void)state;
    char path[256];
    char deep[256];
    struct text notes = TEXT_EMPTY;
    struct error error = {0};
    put("from/run.sh", "x");
    put("from/two\nlines", "x");
    snprintf(path, sizeof path, "%s/from/pipe", scratch);
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(path, sizeof path, "%s/from/link", scratch);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    snprintf(deep, sizeof deep, "from");
    for (int i = 0; i < 40; i++) {
        strcat(deep, "/d");
    }
    strcat(deep, "/x");
    put(deep, "x");
    int folder = open_scratch();
    snprintf(path, sizeof path, "%s/from", scratch);
    assert_int_equal(grade_hand_over(path, folder, "to", &notes, &error), STATUS_OK);
    assert_true(has("to/run.sh") && has("to/two\nlines"));
    assert_false(has("to/pipe") || has("to/link"));
    assert_non_null(strstr(text_string(&notes), "left out: from: some folders are too deep"));
    snprintf(path, sizeof path, "%s/from/large", scratch);
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(ftruncate(file, (off_t)1 << 30), 0);
    close(file);
    assert_int_equal(grade_hand_over(path, folder, "large", &notes, &error), STATUS_BAD_INPUT);
    assert_string_equal(error.text, "more than 128 MiB");
    snprintf(path, sizeof path, "%s/nothing", scratch);
    assert_int_equal(grade_hand_over(path, folder, "nothing", &notes, &error), STATUS_BAD_INPUT);
    text_free(&notes);
    close(folder);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, make_scratch, remove_scratch)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_python_versions),
        cmocka_unit_test(test_python_imports),
        IN_SCRATCH(test_detect_c),
        IN_SCRATCH(test_detect_odd_names),
        IN_SCRATCH(test_detect_python),
        IN_SCRATCH(test_detect_nothing),
        IN_SCRATCH(test_detect_java),
        IN_SCRATCH(test_java_package),
        IN_SCRATCH(test_hostile_archive),
        IN_SCRATCH(test_too_many_files),
        IN_SCRATCH(test_bomb),
        cmocka_unit_test(test_archive_names),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_partial_credit),
        cmocka_unit_test(test_plan_travels),
        cmocka_unit_test(test_plan_disbelieved),
        cmocka_unit_test(test_words),
        IN_SCRATCH(test_hand_over),
        IN_SCRATCH(test_store),
        IN_SCRATCH(test_store_disbelieved),
        IN_SCRATCH(test_store_mutated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
