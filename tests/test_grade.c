/* Grading, the parts that can be looked at by themselves: which Python, how to build, archives, tables. */
#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
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
#include "grade/grade_lms.h"
#include "grade/grade_store.h"
#include "grade/platform/grade_metadata.h"
#include "grade/platform/grade_roster.h"

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

static bool lists(const struct text *list, const char *name) {
    for (size_t i = 0; i < list->length; i += strlen(list->data + i) + 1) {
        if (strcmp(list->data + i, name) == 0) {
            return true;
        }
    }
    return false;
}

static void test_python_facts(void **state) {
    (void)state;
    static const char source[] = "import os, board.rules as r, deep\nfrom search import (best,\n  worst as w)\n"
                                 "from . import near\n# import other\nx = 'import third'\nimport one; import two\n"
                                 "def f():\n  import inner\n  open(\"Input.txt\")\n";
    static const char *const names[] = {"os",           "board.rules", "deep", "search", "search.best",
                                        "search.worst", ".near",       "one",  "two",    "inner"};
    struct grade_python_facts facts = {0};
    grade_python_read(source, sizeof source - 1, &facts);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!lists(&facts.imports, names[i])) {
            fail_msg("%s is imported", names[i]);
        }
    }
    assert_false(lists(&facts.imports, "other") || lists(&facts.imports, "third") || lists(&facts.imports, "r") ||
                 lists(&facts.imports, "w"));
    assert_true(facts.says == GRADE_SAYS_INPUT && !facts.has_main && !facts.runs);
    text_free(&facts.imports);
}

/* Which sources do something when they are run. */
static void test_python_runs(void **state) {
    (void)state;
    static const struct {
        const char *source;
        bool runs;
    } cases[] = {
        {"def main():\n    print(1)\n", false},
        {"def main():\n    print(1)\nmain()\n", true},
        {"import os\nSIZE = 5\nNAMES = ['a']\nclass A:\n    x = f()\n", false},
        {"\"\"\"Reads a board.\"\"\"\nlines = open('input.txt').readlines()\n", true},
        {"\xef\xbb\xbfmain()\n", true},
        {"@decorate(1)\ndef f(): pass\n", false},
        {"for i in range(3):\n    pass\n", true},
        {"print 'x'\n", true},
        {"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grade_python_facts facts = {0};
        grade_python_read(cases[i].source, strlen(cases[i].source), &facts);
        if (facts.runs != cases[i].runs) {
            fail_msg("runs or not: %s", cases[i].source);
        }
        text_free(&facts.imports);
    }
}

/* -- names that platforms make -- */

static void test_lms_names(void **state) {
    (void)state;
    static const struct {
        const char *name;
        const char *student;
        const char *id;
        const char *file;
    } cases[] = {
        {"doejane_101_202_homework.java", "doejane", "101", "homework.java"},
        {"doejane_LATE_101_202_Homework-1.java", "doejane", "101", "Homework.java"},
        {"doejane_101_202_my_board-12.h", "doejane", "101", "my_board-12.h"},
        {"doejane_101_202_-1.py", "doejane", "101", "-1.py"},
        {"doejane_101_202_a-b.py", "doejane", "101", "a-b.py"},
        {"Jane Doe_12345_assignsubmission_file_", "Jane Doe", "12345", ""},
        {"Jane_Doe_12345_assignsubmission_file_Main.java", "Jane_Doe", "12345", "Main.java"},
        {"Jane Doe_12345_assignsubmission_onlinetext", "Jane Doe", "12345", ""},
        {"homework_1.py", NULL, NULL, NULL},
        {"hw_2_final.py", NULL, NULL, NULL},
        {"_1_2_x.py", NULL, NULL, NULL},
        {"a_1_2_", NULL, NULL, NULL},
        {"_1_assignsubmission_file_", NULL, NULL, NULL},
        {"1_assignsubmission_file_", NULL, NULL, NULL},
        {"", NULL, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grade_lms_name name;
        bool read = grade_lms_read(cases[i].name, &name);
        if (read != (cases[i].student != NULL)) {
            fail_msg("%s: %d", cases[i].name, read);
        }
        if (read) {
            assert_string_equal(name.student, cases[i].student);
            assert_string_equal(name.id, cases[i].id);
            assert_string_equal(name.file, cases[i].file);
        }
    }
}

static void test_lms_metadata(void **state) {
    (void)state;
    static const char metadata[] = "---\nsubmission_12:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '7'\n"
                                   "  - :name: 'John Roe'\r\n  :created_at: 2024\nsubmission_123:\n  - :name: Ann\n";
    struct text names = TEXT_EMPTY;
    struct text people = TEXT_EMPTY;
    assert_true(grade_lms_submitters(metadata, sizeof metadata - 1, "submission_12", &names, &people));
    assert_string_equal(text_string(&names), "Jane Doe and John Roe");
    assert_string_equal(text_string(&people), "Jane Doe\t\t7\nJohn Roe\t\t\n");
    names.length = 0;
    assert_true(grade_lms_submitters(metadata, sizeof metadata - 1, "submission_123", &names, &people));
    assert_string_equal(text_string(&names), "Ann");
    names.length = 0;
    assert_false(grade_lms_submitters(metadata, sizeof metadata - 1, "submission_1", &names, &people));
    text_free(&names);
    text_free(&people);
}

static void test_lms_times(void **state) {
    (void)state;
    assert_true(grade_metadata_time("1970-01-01T00:00:00Z") == 0);
    assert_true(grade_metadata_time("2000-03-01T00:00:00Z") == 951868800);
    assert_true(grade_metadata_time("2018-07-01T14:22:32-07:00") == 1530480152);
    assert_true(fabs(grade_metadata_time("2018-07-01 14:22:32.5+0530") - 1530435152.5) < 1e-6);
    static const char *const none[] = {"", "2018", "2018-13-01T00:00:00Z", "2018-07-01T14:22:32 later", "null"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_true(isnan(grade_metadata_time(none[i])));
    }
    static const struct {
        const char *text;
        double days;
    } late[] = {{"Submitted for grading - 1 day 12 hours late", 1.5}, {"No submission", 0}, {"24:00:00", 1},
                {"Zur Bewertung abgegeben6 Stunden später", 0.25},    {"3 days early", 0},  {"00:00:00", 0},
                {"Submitted for grading - 90 mins late", 0.0625}};
    for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
        assert_true(fabs(roster_late_days(late[i].text) - late[i].days) < 1e-9);
    }
}

/* -- how to build -- */

/* The plan for the files in the scratch folder, called /build. */
static void detect_for(enum grade_course course, struct grade_plan *plan) {
    struct grade_files files;
    struct grade_brief brief = {.course = course};
    int folder = open_scratch();
    assert_true(grade_files_read(&files, folder));
    grade_detect(&files, folder, "/build", &brief, plan);
    grade_files_free(&files);
    close(folder);
}

static void detect(struct grade_plan *plan) {
    detect_for(GRADE_COURSE_ANY, plan);
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

/* The only way, or no way and why. */
static void expect_plan(const char *script, const char *command, const char *problem) {
    struct grade_plan plan;
    detect(&plan);
    assert_int_equal(plan.way_count, *command || *script);
    assert_string_equal(text_string(&plan.ways[0].script), script);
    assert_string_equal(words_of(&plan.ways[0].command), command);
    assert_true(*problem ? strstr(plan.problem, problem) != NULL : !plan.problem[0]);
    grade_plan_free(&plan);
}

/* The files that may be the program, likeliest first, with commas between them. */
static void expect_files(enum grade_course course, const char *files) {
    struct grade_plan plan;
    char found[400] = "";
    detect_for(course, &plan);
    for (int i = 0; i < plan.way_count; i++) {
        size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%s%s", i ? ", " : "", plan.ways[i].file);
    }
    if (strcmp(found, files) != 0) {
        fail_msg("expected %s, found %s, of\n%s", files, found, text_string(&plan.considered));
    }
    grade_plan_free(&plan);
}

static void test_detect_c(void **state) {
    (void)state;
    put("my game.c", "/* main( */ int main(void) { return 0; }\n");
    put("board.c", "int remain(int x);\nint domain;\n");
    put("board.h", "int main(void);\n");
    expect_plan("gcc -O2 -std=gnu17 -I. -o sortie-program 'board.c' 'my game.c' -lm -pthread || "
                "gcc -O2 -std=gnu17 -I. -o sortie-program 'my game.c' -lm -pthread",
                "/build/sortie-program", "");
    put("other.c", "int main() { return 1; }\n");
    expect_files(GRADE_COURSE_ANY, "my game.c, other.c");
    put("main.c", "int\nmain\n(int argc, char **argv) { return 1; }\n");
    expect_files(GRADE_COURSE_ANY, "main.c");
    put("extra.cpp", "int twice(int x) { return 2 * x; }\n");
    expect_plan("gcc -O2 -std=gnu17 -I. -c 'board.c' 'main.c' && g++ -O2 -std=gnu++17 -I. -o sortie-program "
                "'extra.cpp' *.o -lm -pthread || gcc -O2 -std=gnu17 -I. -o sortie-program 'main.c' -lm -pthread",
                "/build/sortie-program", "");
    put("Makefile", "all:\n");
    expect_files(GRADE_COURSE_ANY, ", main.c"); /* make decides; the sources where it cannot */
    put("run.sh", "true\n");
    expect_files(GRADE_COURSE_ANY, "run.sh, main.c");
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
    expect_plan("", "/build/solver.py", "");
    put("tool.py", "if __name__ == '__main__':\n    pass\n");
    expect_files(GRADE_COURSE_ANY, "solver.py, tool.py");
    put("homework.py", "print(1)\n");
    expect_files(GRADE_COURSE_ANY, "homework.py");
    put("sortie.txt", "# as agreed\nmain: tool.py\npython = 3\n");
    expect_files(GRADE_COURSE_ANY, "tool.py");
}

static void test_detect_nothing(void **state) {
    (void)state;
    put("README.txt", "#no program\n");
    expect_plan("", "", "no program found");
    put("start", "#!/bin/sh\n");
    expect_plan("", "/build/start", "");
    put("begin", "#!/bin/sh\n");
    expect_files(GRADE_COURSE_ANY, "begin, start");
    put("main", "#!/bin/sh\n");
    expect_plan("", "/build/main", "");
}

#define READS_AND_WRITES "open('input.txt')\nopen('output.txt', 'w')\n"

/* The program is the file that does what the course expects, wherever others lie and whatever they are written in. */
static void test_which_file(void **state) {
    (void)state;
    put("homework.py", READS_AND_WRITES "m = 'MINIMAX'\n");
    put("competition/Homework.java", "class Homework { public static void main(String[] a) { f(\"input.txt\", "
                                     "\"output.txt\", \"MINIMAX\"); } }\n");
    put("venv/lib/python3.8/site-packages/foo/main.py", READS_AND_WRITES);
    put("env/pyvenv.cfg", "home = /usr/bin\n");
    put("env/bin/homework.py", READS_AND_WRITES);
    put("node_modules/a/main.js", "input.txt output.txt\n");
    put("__MACOSX/._homework.py", READS_AND_WRITES);
    put("tests/test_homework.py", "import homework\n" READS_AND_WRITES);
    put("homework_old.py", READS_AND_WRITES "m = 'MINIMAX'\n");
    expect_files(GRADE_COURSE_STAKE, "homework.py");
}

/* Of several homeworks in one folder the one that is graded. */
static void test_which_homework(void **state) {
    (void)state;
    put("hw1cs561.py", READS_AND_WRITES "m = 'BFS'\n");
    put("hw2cs561.py", READS_AND_WRITES "m = ('MINIMAX', 'ALPHABETA', 'Stake', 'Raid')\n");
    put("hw3cs561.py", "import sys\nsys.argv[2]\nopen('next_state.txt')\nopen('traverse_log.txt')\nmain()\n");
    put("hw4.cpp", "int main() { f(\"input.txt\"); g(\"output.txt\"); laser_fire(); }\n");
    expect_files(GRADE_COURSE_STAKE, "hw2cs561.py");
    expect_files(GRADE_COURSE_SNEAK, "hw3cs561.py");
    expect_files(GRADE_COURSE_LASER, "hw4.cpp");
}

/* Who imports whom goes before names: what only defines functions is no program, and what others import may be. */
static void test_which_imports(void **state) {
    (void)state;
    put("a/minimax.py", "def run():\n    open('input.txt')\n    open('output.txt')\n");
    put("a/start.py", "from minimax import run\nrun()\n");
    expect_files(GRADE_COURSE_STAKE, "a/start.py");
    put("homework.py", READS_AND_WRITES "if __name__ == '__main__': main()\n");
    put("play.py", "import homework\nhomework.main()\n");
    expect_files(GRADE_COURSE_STAKE, "homework.py");
    struct grade_plan plan;
    put("homework.py", READS_AND_WRITES "import a.minimax\n");
    detect(&plan);
    assert_true(lists(&plan.ways[0].modules, "homework.py") && lists(&plan.ways[0].modules, "a/minimax.py") &&
                !lists(&plan.ways[0].modules, "play.py"));
    grade_plan_free(&plan);
}

/* What the sources of a program ask for counts, not what lies beside them. */
static void test_which_python(void **state) {
    (void)state;
    struct grade_plan plan;
    put("homework.py", "import rules\n" READS_AND_WRITES);
    put("rules.py", "x = 1\n");
    put("old_tool.py", "print 'never imported'\n");
    put(".python-version", "3.8.18\n");
    detect(&plan);
    assert_true(plan.ways[0].is_python && plan.ways[0].python == GRADE_PYTHON_ANY);
    assert_string_equal(plan.version, "3.8.18");
    grade_plan_free(&plan);
    put("rules.py", "import sys\nprint >>sys.stderr, 1\n");
    detect(&plan);
    assert_true(plan.ways[0].python == GRADE_PYTHON_2);
    assert_string_equal(plan.ways[0].sign, "rules.py line 2: a print statement");
    grade_plan_free(&plan);
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
        assert_string_equal(text_string(&plan.ways[0].script),
                            "javac -encoding UTF-8 -d sortie-classes -sourcepath './src/' 'src/de/uni/Game.java' || "
                            "javac -encoding UTF-8 -d sortie-classes 'src/de/uni/Board.java' 'src/de/uni/Game.java'");
    } else {
        assert_non_null(strstr(plan.ways[0].problem, "not installed on this machine"));
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
    assert_true(files.list[0].source.has_main);
    assert_string_equal(files.list[0].source.class, "de.uni.game.Game");
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
        assert_int_equal(grade_store_add_results(store, &grade, &i, 1, &error), STATUS_OK);
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
        "PRAGMA user_version=1",
        "UPDATE builds SET why=x'ff'",
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
    *plan = (struct grade_plan){.state = GRADE_BUILD_READY, .folder = "submission/one\nfolder", .way_count = 2};
    text_add(&plan->programs, "old\0older\0", 10);
    text_add_string(&plan->considered, "  10 a.py: at the top\n");
    for (int i = 0; i < 2; i++) {
        struct grade_way *way = &plan->ways[i];
        *way = (struct grade_way){.state = GRADE_BUILD_READY, .how = "make", .python = GRADE_PYTHON_2};
        text_add_string(&way->script, "make\nmake test");
        text_add(&way->command, "/build/a b\0-x\0", 14);
        text_add(&way->modules, "a.py\0", 5);
    }
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
    assert_string_equal(other.folder, plan.folder);
    assert_int_equal(other.way_count, 2);
    const struct grade_way *way = &other.ways[1];
    assert_string_equal(way->how, "make");
    assert_int_equal(way->python, GRADE_PYTHON_2);
    assert_string_equal(text_string(&way->script), "make\nmake test");
    assert_int_equal(way->command.length, 14);
    assert_memory_equal(way->command.data, plan.ways[1].command.data, 14);
    assert_memory_equal(way->modules.data, "a.py", 5);
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
        cmocka_unit_test(test_lms_names),
        cmocka_unit_test(test_lms_metadata),
        cmocka_unit_test(test_lms_times),
        cmocka_unit_test(test_python_facts),
        cmocka_unit_test(test_python_runs),
        IN_SCRATCH(test_detect_c),
        IN_SCRATCH(test_detect_odd_names),
        IN_SCRATCH(test_detect_python),
        IN_SCRATCH(test_which_file),
        IN_SCRATCH(test_which_homework),
        IN_SCRATCH(test_which_imports),
        IN_SCRATCH(test_which_python),
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
