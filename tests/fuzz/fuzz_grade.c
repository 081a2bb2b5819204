/* What grading reads from teachers and students: tables, Python sources, archives. The first byte chooses. */
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "grade/find/grade_python.h"
#include "grade/find/grade_unpack.h"
#include "grade/grade.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore_unknown(void *user, int line, const char *name) {
    (void)user, (void)line, (void)name;
}

static void read_tables(const char *bytes, size_t length) {
    static char case_name[] = "a/1";
    static char name[] = "ann";
    struct grade_case one = {.name = case_name};
    struct grade_submission submission = {.name = name, .path = name};
    struct grade grade = {.cases = &one, .case_count = 1, .submissions = &submission, .submission_count = 1};
    struct error error;
    grade_read_points(&grade, bytes, length, &error);
    grade_read_late(&grade, bytes, length, ignore_unknown, NULL, &error);
    if (!(one.points >= 0) || !(submission.late_days >= 0)) {
        abort();
    }
}

static void read_python(const char *bytes, size_t length) {
    struct grade_python_sign sign;
    grade_python_version(bytes, length, &sign);
    grade_python_imports(bytes, length, "rules");
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place) {
    (void)about, (void)kind;
    return place->level > 0 ? remove(path) : 0;
}

static char folder[] = "/tmp/fuzz-grade-XXXXXX";

static void remove_folder(void) {
    rmdir(folder);
}

/* Nothing may appear outside the folder; what appears inside is removed again. */
static void read_archive(const char *bytes, size_t length) {
    static int target = -1;
    if (target < 0 &&
        (!mkdtemp(folder) || atexit(remove_folder) != 0 || (target = open(folder, O_RDONLY | O_DIRECTORY)) < 0)) {
        abort();
    }
    struct text notes = TEXT_EMPTY;
    struct error error;
    grade_unpack_bytes(bytes, length, target, &notes, &error);
    text_free(&notes);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0) {
        const char *bytes = (const char *)data + 1;
        switch (data[0] % 3) {
        case 0:
            read_tables(bytes, size - 1);
            break;
        case 1:
            read_python(bytes, size - 1);
            break;
        default:
            read_archive(bytes, size - 1);
            break;
        }
    }
    return 0;
}
