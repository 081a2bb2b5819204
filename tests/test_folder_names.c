/* Two programs that open one folder at the same time and are both process number 1, each in a sandbox of its own. */
#ifdef __linux__
#include <sched.h>
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "protocols/folder/folder.h"

#define TIMES 500

/* What each does: 0 when all of it went well. */
static int use_folder(const char *path) {
    for (int i = 0; i < TIMES; i++) {
        struct folder folder;
        struct error error = {0};
        if (folder_open(&folder, path, true, &error) != STATUS_OK ||
            folder_put(&folder, "move_file", "A a 1\n", &error) != STATUS_OK) {
            fprintf(stderr, "turn %d: %s\n", i, error.text);
            return 1;
        }
        folder_close(&folder);
    }
    return 0;
}

static int end_of(pid_t child) {
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A process whose child is the first of its own space of numbers, where the system allows that. */
static pid_t start(const char *path) {
    pid_t child = fork();
    if (child == 0) {
#ifdef __linux__
        if (unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) {
            fprintf(stderr, "without sandboxes\n");
        }
#endif
        pid_t inner = fork();
        if (inner == 0) {
            _exit(use_folder(path));
        }
        _exit(end_of(inner));
    }
    return child;
}

static void test_same_process_number(void **state) {
    (void)state;
    char path[] = "/tmp/sortie-folder-XXXXXX";
    assert_non_null(mkdtemp(path));
    pid_t first = start(path);
    pid_t second = start(path);
    int ends[2] = {end_of(first), end_of(second)};
    char file[64];
    snprintf(file, sizeof file, "%s/move_file", path);
    remove(file);
    assert_int_equal(rmdir(path), 0); /* nothing else is left there */
    assert_int_equal(ends[0], 0);
    assert_int_equal(ends[1], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_process_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
