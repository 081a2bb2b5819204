/* A folder of the machine that programs may write: what they can leave in it, and what comes back to its owner. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sandbox/warden.h"
#include "sandbox/warden_folder.h"

#define TEAM 1234567 /* users that nobody is */
#define OWNER 7654321

static char folder[] = "/tmp/sortie-share-XXXXXX";
static int root; /* the folder, open */

/* Runs a line of shell in a new sandbox that shares the folder, and is shown the file `name` in it; what it printed. */
static void says(const char *line, const char *name, const char *wanted) {
    const char *words[] = {"/bin/sh", "-c", line, NULL};
    struct warden *warden = NULL;
    struct warden_view view = {.keep_output = true};
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    struct error error = {0};
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (name[0]) {
        warden_view_add(&view, path, NULL);
    }
    if (warden_start(&warden, &error) != STATUS_OK || warden_show(warden, &view, &error) != STATUS_OK ||
        warden_share(warden, folder, warden_new_user(), &error) != STATUS_OK ||
        warden_run(warden, words, &warden_usual_limits, &report, &said, &error) != STATUS_OK) {
        fail_msg("%s: %s", line, error.text);
    }
    warden_stop(warden);
    if (strcmp(text_string(&said), wanted) != 0) {
        fail_msg("%s: said '%s', wanted '%s'", line, text_string(&said), wanted);
    }
    text_free(&said);
}

static mode_t mode_of(const char *name) {
    struct stat about;
    assert_int_equal(fstatat(root, name, &about, AT_SYMLINK_NOFOLLOW), 0);
    return about.st_mode & 07777;
}

static void make(const char *name, mode_t mode) {
    int file = openat(root, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(file >= 0);
    assert_int_equal(fchmod(file, mode), 0);
    close(file);
}

/* Files are on the disk at once, without set-id bits; nothing in the folder has rights or is a device. */
static void shares(void **state) {
    (void)state;
    says("grep \" $PWD \" /proc/self/mountinfo | cut -d' ' -f6 | cut -d, -f1-4; pwd >where; cp /bin/true own\n"
         "./own 2>/dev/null || echo does not run; chmod 6755 own 2>/dev/null || echo refused",
         "", "rw,nosuid,nodev,noexec\ndoes not run\nrefused\n");
    assert_int_equal(mode_of("own") & 06000, 0);
    assert_int_equal(faccessat(root, "where", F_OK, 0), 0);
}

/* A program that lies in the folder itself can be run from there. */
static void runs_there(void **state) {
    (void)state;
    make("program", 0755);
    says("cp /bin/echo here; ./here runs", "program", "runs\n");
    unlinkat(root, "program", 0);
}

static void finds_set_id(void **state) {
    (void)state;
    char name[20] = "";
    assert_false(warden_folder_has_set_id(root, name, sizeof name));
    mkdirat(root, "inner", 0755);
    fchmodat(root, "inner", 02755, 0); /* says only whose group new files have */
    assert_false(warden_folder_has_set_id(root, name, sizeof name));
    make("inner/group", 02755);
    assert_true(warden_folder_has_set_id(root, name, sizeof name));
    assert_string_equal(name, "group");
    make("user", 04711);
    fchmodat(root, "inner", 0, 0);
    warden_folder_clear_set_id(root);
    fchmodat(root, "inner", 0700, 0);
    assert_false(warden_folder_has_set_id(root, name, sizeof name));
    assert_int_equal(mode_of("user"), 0711);
    assert_int_equal(mode_of("inner/group"), 0755);
}

static bool is_there(const char *name) {
    struct stat about;
    return fstatat(root, name, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

static uid_t owner_of(const char *name) {
    struct stat about;
    assert_int_equal(fstatat(root, name, &about, AT_SYMLINK_NOFOLLOW), 0);
    return about.st_uid;
}

/* A folder in a folder, a hundred deep, all of the team. */
static void dig(void) {
    int at = dup(root);
    for (int depth = 0; depth < 100; depth++) {
        assert_int_equal(mkdirat(at, "deep", 0700), 0);
        assert_int_equal(fchownat(at, "deep", TEAM, TEAM, 0), 0);
        int next = openat(at, "deep", O_RDONLY | O_DIRECTORY);
        close(at);
        at = next;
    }
    close(at);
}

/* As root: plain files with one name and folders of the team change hands, its other things go, all else stays. */
static void gives(void **state) {
    (void)state;
    if (geteuid() != 0) {
        skip();
    }
    warden_folder_empty(root);
    make("plain", 0644);
    make("set", 06755);
    make("marked", 02644); /* a bit that a change of owner leaves */
    make("first", 0600);
    make("others", 0644);
    assert_int_equal(linkat(root, "first", root, "second", 0), 0);
    assert_int_equal(mkdirat(root, "closed", 0), 0);
    make("closed/inner", 0);
    assert_int_equal(mkfifoat(root, "pipe", 0666), 0);
    assert_int_equal(symlinkat("/etc/shadow", root, "link"), 0);
    assert_int_equal(mknodat(root, "device", S_IFCHR | 0666, 0x103), 0);
    static const char *const made[] = {"plain",        "set",  "marked", "first", "closed",
                                       "closed/inner", "pipe", "link",   "device"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        assert_int_equal(fchownat(root, made[i], TEAM, TEAM, AT_SYMLINK_NOFOLLOW), 0);
    }
    fchmodat(root, "set", 06755, 0);
    dig();
    warden_folder_give(root, TEAM, OWNER, OWNER);
    static const char *const kept[] = {"plain", "set", "marked", "closed", "closed/inner"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        assert_int_equal(owner_of(kept[i]), OWNER);
        assert_int_equal(mode_of(kept[i]) & 06000, 0);
    }
    assert_true(is_there("first") != is_there("second"));
    assert_false(is_there("pipe") || is_there("link") || is_there("device"));
    assert_int_equal(owner_of("others"), geteuid());
    char deep[64 * 5 + 10] = "deep";
    for (int depth = 1; depth < 64; depth++) {
        strcat(deep, "/deep");
    }
    assert_int_equal(owner_of(deep), OWNER);
    strcat(deep, "/deep");
    assert_false(is_there(deep));
}

static int start(void **state) {
    (void)state;
    root = mkdtemp(folder) ? open(folder, O_RDONLY | O_DIRECTORY) : -1;
    return root >= 0 && (geteuid() != 0 || chown(folder, warden_new_user(), (gid_t)-1) == 0) ? 0 : 1;
}

static int stop(void **state) {
    (void)state;
    warden_folder_empty(root);
    return rmdir(folder);
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(shares), cmocka_unit_test(runs_there),
                                              cmocka_unit_test(finds_set_id), cmocka_unit_test(gives)};
    return cmocka_run_group_tests(tests, start, stop);
}
