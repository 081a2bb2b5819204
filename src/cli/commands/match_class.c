#include "cli/commands/match_class.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clean.h"
#include "cli/cli.h"
#include "match/class/class.h"
#include "system/file.h"

#define MOST_TABLE_BYTES ((size_t)16 << 20)

static void show_building(void *user, int number, int count, const char *name) {
    (void)user;
    if (cli_shows_progress()) {
        struct clean_line who;
        char line[160];
        snprintf(line, sizeof line, "building %d of %d: %.80s", number, count, clean_string(&who, name));
        cli_progress(line);
    }
}

static void say_left_out(void *user, const char *name, const char *reason) {
    (void)user;
    struct clean_line who;
    struct clean_line why;
    fprintf(stderr, "sortie: %s does not play: ", clean_string(&who, name));
    fprintf(stderr, "%s\n", clean_string(&why, reason));
}

static void warn_silent(void *user, const char *name, const char *said) {
    (void)user;
    struct clean_line who;
    struct clean_line what;
    fprintf(stderr, "sortie: warning: %s plays, but answered nothing", clean_string(&who, name));
    fprintf(stderr, " when it was tried%s\n", clean_string(&what, said));
}

static void warn_unknown(void *user, int line, const char *name) {
    struct clean_line file;
    struct clean_line who;
    fprintf(stderr, "sortie: %s:%d: ", clean_string(&file, user), line);
    fprintf(stderr, "warning: nobody handed in as '%s'\n", clean_string(&who, name));
}

static int read_overrides(struct grade *grade, const char *file) {
    struct error error = {0};
    char *bytes;
    size_t length;
    enum status status = file_read(file, MOST_TABLE_BYTES, &bytes, &length, &error);
    if (status == STATUS_OK) {
        status = grade_read_overrides(grade, bytes, length, warn_unknown, (void *)file, &error);
        free(bytes);
    }
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

/* The folder beside the results file, absolute. */
static int make_kept(const char *database, char kept[PATH_MAX]) {
    char path[PATH_MAX];
    struct error error = {0};
    snprintf(path, sizeof path, "%s.class", database);
    if (access(database, F_OK) == 0) {
        return cli_fail(database, &error,
                        error_at(&error, 0, 0, "is there already; carry on with --resume or name another file"));
    }
    if ((mkdir(path, 0777) != 0 && errno != EEXIST) || !realpath(path, kept)) {
        return cli_fail(path, &error, error_system(&error, errno, "%s", strerror(errno)));
    }
    return 0;
}

int match_class_add(struct plan *plan, const struct match_class *class) {
    struct error error = {0};
    struct grade grade = {0};
    char self[PATH_MAX];
    char kept[PATH_MAX];
    char secret_class[PATH_MAX];
    char secret_here[PATH_MAX];
    const char *const secrets[] = {realpath(class->folder, secret_class) ? secret_class : "/",
                                   realpath(".", secret_here) ? secret_here : "/", NULL};
    struct class_options options = {
        .build = {.seconds = 60,
                  .build_seconds = 120,
                  .workers = class->workers,
                  .limits = cli_programs_limits(class->programs),
                  .secrets = secrets,
                  .self = self,
                  .stop = &cli_control()->stop},
        .kept = kept,
        .depth = class->depth,
        .progress = show_building,
        .left_out = say_left_out,
        .warned = warn_silent,
    };
    if (!realpath("/proc/self/exe", self)) {
        return cli_usage("match: --class needs /proc");
    }
    enum status status = grade_read_submissions(&grade, class->folder, false, &options.build, &error);
    int exit_status = status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
    if (!exit_status && class->overrides) {
        exit_status = read_overrides(&grade, class->overrides);
    }
    exit_status = exit_status ? exit_status : cli_secure(class->programs->unsafe);
    exit_status = exit_status ? exit_status : make_kept(class->database, kept);
    if (!exit_status) {
        status = class_add_players(plan, &grade, &options, &error);
        cli_progress(NULL);
        exit_status = status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
    }
    grade_free(&grade);
    return exit_status;
}
