/* What a warden promises: what a program sees, what is kept and what is thrown away, and that a limit counts everything
 * a program started. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/stopwatch.h"
#include "sandbox/warden.h"
#include "sandbox/warden_cgroup.h"
#include "sandbox/warden_folder.h"

static struct warden *warden;
static char folder[] = "/tmp/sortie-test-XXXXXX";

/* Runs a line of shell; what it printed is in *said. */
static void run(const char *line, const struct warden_limits *limits, struct warden_report *report, struct text *said) {
    const char *words[] = {"/bin/sh", "-c", line, NULL};
    struct error error = {0};
    said->length = 0;
    if (warden_run(warden, words, limits ? limits : &warden_usual_limits, report, said, &error) != STATUS_OK) {
        fail_msg("%s: %s", line, error.text);
    }
}

static void says(const char *line, const char *wanted) {
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    run(line, NULL, &report, &said);
    if (strcmp(text_string(&said), wanted) != 0) {
        fail_msg("%s: said '%s', wanted '%s'", line, text_string(&said), wanted);
    }
    text_free(&said);
}

static void show(const struct warden_view *view) {
    struct error error = {0};
    if (warden_show(warden, view, &error) != STATUS_OK) {
        fail_msg("%s", error.text);
    }
}

static void write_file(const char *name, const char *text, mode_t mode) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    chmod(path, mode);
}

/* A folder of this machine at a path of our choice, read-only, private files included. */
static void shows(void **state) {
    (void)state;
    struct warden_view view = {.keep_output = true};
    write_file("private.txt", "for nobody else\n", 0600);
    warden_view_add(&view, folder, "/submission");
    show(&view);
    says("cat /submission/private.txt", "for nobody else\n");
    says("echo x 2>/dev/null >/submission/new || echo refused", "refused\n");
    says("ls / | grep -vE '^(lib.*|nix|gnu)$' | tr '\\n' ' '", "bin dev etc proc sbin scratch submission tmp usr ");
    says("pwd; ls -A; id -un; env | sort | grep -v ^_ | cut -d= -f1 | tr '\\n' ' '",
         "/scratch\nplayer\nHOME LANG PATH PWD TMPDIR USER ");
    show(&(struct warden_view){.keep_output = true});
    says("ls /submission 2>/dev/null || echo gone", "gone\n");
    struct error error = {0};
    struct warden_view nothing = {0};
    warden_view_add(&nothing, "/nowhere/at/all", NULL);
    assert_int_equal(warden_show(warden, &nothing, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "/nowhere/at/all"));
}

/* A build folder is filled in one run and read-only in the next, over any cleaning, until a new one is made. */
static void builds(void **state) {
    (void)state;
    struct error error = {0};
    show(&(struct warden_view){.keep_output = true, .build = WARDEN_BUILD_NEW});
    says("echo made >/build/program; ls /build", "program\n");
    show(&(struct warden_view){.keep_output = true, .build = WARDEN_BUILD_READ});
    assert_int_equal(warden_clean(warden, &error), STATUS_OK);
    says("cat /build/program; echo x 2>/dev/null >/build/program || echo refused", "made\nrefused\n");
    show(&(struct warden_view){.keep_output = true, .build = WARDEN_BUILD_WRITE});
    says("echo more >>/build/program; cat /build/program", "made\nmore\n");
    show(&(struct warden_view){.keep_output = true, .build = WARDEN_BUILD_NEW});
    says("ls -A /build", "");
    show(&(struct warden_view){.keep_output = true});
    says("ls /build 2>/dev/null || echo gone", "gone\n");
}

/* Files go in and out by descriptor; a cleaned world is empty whatever was done to it. */
static void files(void **state) {
    (void)state;
    struct error error = {0};
    struct text text = TEXT_EMPTY;
    struct warden_report report;
    show(&(struct warden_view){.keep_output = true});
    write_file("copied.txt", "copied\n", 0600);
    char path[200];
    snprintf(path, sizeof path, "%s/copied.txt", folder);
    assert_int_equal(warden_put(warden, "put.txt", "put\n", 4, &error), STATUS_OK);
    assert_int_equal(warden_put_copy(warden, "copy.txt", path, &error), STATUS_OK);
    says("cat put.txt copy.txt; mv put.txt got.txt; chmod 0 got.txt; mkdir -p copy/a/b; chmod 0 copy/a copy .",
         "put\ncopied\n");
    assert_int_equal(warden_get(warden, "got.txt", 100, &text, &error), WARDEN_FILE_READ);
    assert_string_equal(text_string(&text), "put\n");
    assert_int_equal(warden_put(warden, "copy", "a file now\n", 11, &error), STATUS_OK);
    says("cat copy", "a file now\n");
    assert_int_equal(warden_get(warden, "nothing", 100, &text, &error), WARDEN_FILE_MISSING);
    run("i=0; while [ $i -lt 500 ]; do mkdir d && chmod 700 d && cd d || exit 1; i=$((i+1)); done; chmod 0 /scratch",
        NULL, &report, &text);
    assert_int_equal(warden_clean(warden, &error), STATUS_OK);
    says("ls -A; stat -c %a .", "700\n");
    text_free(&text);
}

/* A program may burn its time in children, and in children nobody waits for. */
static void time_of_all(void **state) {
    (void)state;
    struct warden_limits limits = warden_usual_limits;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    struct error error = {0};
    limits.cpu_seconds = 0.5;
    limits.wall_seconds = 60;
    run("(while :; do :; done) & (while :; do :; done) & wait", &limits, &report, &said);
    assert_int_equal(report.end, WARDEN_TIMEOUT);
    assert_true(report.wall_seconds < 60);
    assert_true(report.user_seconds >= 0.4);
    text_free(&said);
    const char *words[] = {"/bin/sh", "-c", "(while :; do :; done) & read line", NULL};
    int to;
    int from;
    assert_int_equal(warden_open(warden, words, &warden_usual_limits, &to, &from, &error), STATUS_OK);
    double until = clock_wall() + 60;
    while (warden_cpu(warden) < 0.3 && clock_wall() < until) {
        usleep(20000);
    }
    assert_true(clock_wall() < until);
    close(to);
    close(from);
    assert_int_equal(warden_close(warden, 0.1, &report, NULL, &error), STATUS_OK);
}

/* A program that gets a part of a processor is late by its CPU time alone, however long that takes. */
static void busy_machine(void **state) {
    (void)state;
    enum { OTHERS = 3 };
    cpu_set_t before;
    cpu_set_t one;
    pid_t others[OTHERS];
    size_t processor = 0;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    while (!CPU_ISSET(processor, &before)) {
        processor++;
    }
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(sched_setaffinity(warden_process(warden), sizeof one, &one), 0);
    for (int i = 0; i < OTHERS; i++) {
        others[i] = fork();
        if (others[i] == 0) {
            setsid();  /* where the system shares by sessions each has a share, and the program a quarter */
            for (;;) { /* until it is killed */
            }
        }
    }
    struct warden_limits limits = warden_usual_limits;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    limits.cpu_seconds = 0.5;
    limits.idle_seconds = 0.5;
    run("while :; do :; done", &limits, &report, &said);
    for (int i = 0; i < OTHERS; i++) {
        kill(others[i], SIGKILL);
        waitpid(others[i], NULL, 0);
    }
    assert_int_equal(sched_setaffinity(warden_process(warden), sizeof before, &before), 0);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(report.end, WARDEN_TIMEOUT);
    assert_int_equal(report.late, WARDEN_LATE_CPU);
    assert_true(report.user_seconds >= 0.4);
    assert_true(report.wall_seconds > 0.7);
    assert_true(report.starved_seconds > 0.2);
    text_free(&said);
}

static void asleep(void **state) {
    (void)state;
    struct warden_limits limits = warden_usual_limits;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    limits.cpu_seconds = 5;
    limits.idle_seconds = 0.5;
    run("sleep 60", &limits, &report, &said);
    assert_int_equal(report.end, WARDEN_TIMEOUT);
    assert_int_equal(report.late, WARDEN_LATE_IDLE);
    assert_true(report.wall_seconds >= 0.5);
    text_free(&said);
}

/* System time is not user time: only the latter is limited closely. */
static void calls_of_the_system(void **state) {
    (void)state;
    struct warden_limits limits = warden_usual_limits;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    limits.cpu_seconds = 0.9;
    limits.wall_seconds = 60;
    run("cat /dev/zero >/dev/null & p=$!; sleep 3.5; kill -TERM $p; wait $p; exit $?", &limits, &report, &said);
    assert_int_equal(report.end, WARDEN_EXITED);
    assert_int_equal(report.code, 128 + SIGTERM);
    assert_true(report.user_seconds <= 0.9);
    text_free(&said);
}

static void memory_of_all(void **state) {
    (void)state;
    struct warden_limits limits = warden_usual_limits;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    limits.memory_bytes = 64 << 20;
    limits.wall_seconds = 60;
    run("python3 -c 'import mmap,time\n"
        "keep=[]\n"
        "for i in range(400):\n"
        "  m=mmap.mmap(-1,1<<20); m.write(b\"x\"*(1<<20)); keep.append(m); time.sleep(0.002)\n"
        "time.sleep(100)'",
        &limits, &report, &said);
    if (report.end != WARDEN_MEMORY) {
        fail_msg("shared memory: end %d, code %d: %s", report.end, report.code, text_string(&said));
    }
    text_free(&said);
}

/* Shared memory counts though no process has it mapped; what is given back may be had again. */
static void memory_of_nobody(void **state) {
    (void)state;
    struct warden_limits limits = warden_usual_limits;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    limits.memory_bytes = 128 << 20;
    limits.wall_seconds = 60;
    run("python3 -c 'import mmap,time\n"
        "keep=[]\n"
        "for i in range(50):\n"
        "  m=mmap.mmap(-1,16<<20); m.write(b\"x\"*(16<<20)); m.madvise(mmap.MADV_DONTNEED); keep.append(m)\n"
        "time.sleep(1)'",
        &limits, &report, &said);
    if (report.end != WARDEN_MEMORY) {
        fail_msg("dropped pages: end %d, code %d: %s", report.end, report.code, text_string(&said));
    }
    run("python3 -c 'import mmap\n"
        "for i in range(50):\n"
        "  m=mmap.mmap(-1,16<<20); m.write(b\"x\"*(16<<20)); m.close()'",
        &limits, &report, &said);
    assert_int_equal(report.end, WARDEN_EXITED);
    assert_int_equal(report.code, 0);
    text_free(&said);
}

/* A status is a status and a signal a signal, whatever number they have. */
static void ends(void **state) {
    (void)state;
    static const int numbers[] = {0, 1, 127, 128, 129, 137, 139, 192, 255};
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    struct error error = {0};
    char line[60];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(line, sizeof line, "exit %d", numbers[i]);
        run(line, NULL, &report, &said);
        assert_int_equal(report.end, WARDEN_EXITED);
        assert_int_equal(report.code, numbers[i]);
    }
    run("kill -9 $$", NULL, &report, &said);
    assert_int_equal(report.end, WARDEN_SIGNALLED);
    assert_int_equal(report.code, SIGKILL);
    static const struct {
        const char *words[3];
        int code;
    } causes[] = {{{"no-such-program", NULL}, ENOENT}, {{"/etc/passwd", NULL}, EACCES}, {{"/scratch", NULL}, EACCES}};
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        assert_int_equal(warden_run(warden, causes[i].words, &warden_usual_limits, &report, &said, &error), STATUS_OK);
        assert_int_equal(report.end, WARDEN_NOT_STARTED);
        assert_int_equal(report.code, causes[i].code);
    }
    /* A script that does not say whose it is runs as the shell's, with its words. */
    write_file("plain", "exit $#\n", 0755);
    char path[200];
    snprintf(path, sizeof path, "%s/plain", folder);
    assert_int_equal(warden_put_copy(warden, "plain", path, &error), STATUS_OK);
    const char *script[] = {"./plain", "a", "b", "c", NULL};
    assert_int_equal(warden_run(warden, script, &warden_usual_limits, &report, &said, &error), STATUS_OK);
    assert_int_equal(report.end, WARDEN_EXITED);
    assert_int_equal(report.code, 3);
    text_free(&said);
}

/* What belongs to the sandbox and not to the program cannot be reached; a network there is, and nobody else in it. */
static void nothing_of_the_sandbox(void **state) {
    (void)state;
    show(&(struct warden_view){.keep_output = true});
    says("ls /proc/self/fd | tr '\\n' ' '", "0 1 2 3 "); /* 3 is the list itself */
    says("ls /proc/1/fd >/dev/null 2>&1 || echo refused", "refused\n");
    says("python3 -c 'import socket; a=socket.create_server((\"127.0.0.1\",0)); "
         "b=socket.create_connection(a.getsockname()); c=a.accept()[0]; b.send(b\"loopback\"); print(c.recv(9))'",
         "b'loopback'\n");
    says("cat /proc/1/environ 2>/dev/null | grep . || echo nothing", "nothing\n");
}

/* A program's tasks are its own: its user's others take none of them. */
static void tasks_of_its_own(void **state) {
    (void)state;
    char wanted[40];
    struct warden_limits usual = warden_usual_limits;
    snprintf(wanted, sizeof wanted, "%d\n", usual.processes * 4 + 128);
    show(&(struct warden_view){.keep_output = true});
    says("bash -c 'ulimit -u'", wanted);
}

/* Whatever a program does to its ends of the pipes, ours do not block. */
static void pipes_never_block(void **state) {
    (void)state;
    static char block[1 << 16];
    const char *words[] = {"sleep", "100", NULL};
    struct error error = {0};
    int to;
    int from;
    show(NULL);
    assert_int_equal(warden_open(warden, words, &warden_usual_limits, &to, &from, &error), STATUS_OK);
    alarm(60);
    while (write(to, block, sizeof block) > 0) {
    }
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(read(from, block, 1), -1);
    assert_int_equal(errno, EAGAIN);
    alarm(0);
    close(to);
    close(from);
    assert_int_equal(warden_close(warden, 0, NULL, NULL, &error), STATUS_OK);
}

/* All files of the world together stay below the limit, those in /tmp and /dev/shm included. */
static void disk_of_all(void **state) {
    (void)state;
    struct warden_limits limits = warden_usual_limits;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    struct error error = {0};
    limits.disk_bytes = 8 << 20;
    show(&(struct warden_view){.keep_output = true});
    assert_int_equal(warden_clean(warden, &error), STATUS_OK);
    run("for f in /tmp/a /dev/shm/b c; do head -c 4000000 /dev/zero >$f 2>/dev/null && echo fits; done; echo end",
        &limits, &report, &said);
    assert_string_equal(text_string(&said), "fits\nfits\nend\n");
    text_free(&said);
}

/* Processes of this machine whose command line holds a word. */
static int running(const char *word) {
    char command[200];
    snprintf(command, sizeof command, "grep -lsa '%.3s[%c]%s' /proc/[0-9]*/cmdline | wc -l", word, word[3], word + 4);
    FILE *pipe = popen(command, "r");
    int count = -1;
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

/* Even a warden that is killed takes everything with it. */
static void killed_warden(void **state) {
    (void)state;
    struct error error = {0};
    struct warden *other = NULL;
    char word[60];
    char line[200];
    int to;
    int from;
    snprintf(word, sizeof word, "left-by-%d", (int)getpid());
    assert_int_equal(warden_start(&other, &error), STATUS_OK);
    snprintf(line, sizeof line, "sleep 1000 & setsid sleep 1000 & cd /%s; wait", word);
    const char *words[] = {"/bin/sh", "-c", line, NULL};
    assert_int_equal(warden_open(other, words, &warden_usual_limits, &to, &from, &error), STATUS_OK);
    double until = clock_wall() + 60;
    while (running(word) == 0 && clock_wall() < until) {
        usleep(20000);
    }
    assert_true(running(word) > 0);
    kill(warden_process(other), SIGKILL);
    while (running(word) > 0 && clock_wall() < until) {
        usleep(20000);
    }
    assert_int_equal(running(word), 0);
    close(to);
    close(from);
    warden_stop(other);
}

/* A control group counts what a process whose children nobody waits for has burnt. */
static void group_counts(void **state) {
    (void)state;
    struct cgroup group;
    double user = 0;
    double total = 0;
    if (!cgroup_open(&group, NULL)) {
        skip(); /* none is lent here */
    }
    cgroup_begin(&group, 1 << 30, 100);
    pid_t pid = fork();
    if (pid == 0) {
        cgroup_join(&group);
        signal(SIGCHLD, SIG_IGN);
        for (int i = 0; i < 4; i++) {
            if (fork() == 0) {
                while (clock_cpu() < 0.1) {
                }
                _exit(0);
            }
        }
        pause();
    }
    double until = clock_wall() + 60;
    bool counts = true;
    while (counts && total < 0.3 && clock_wall() < until) {
        usleep(20000);
        counts = cgroup_time(&group, &user, &total);
    }
    cgroup_kill(&group);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    cgroup_close(&group);
    assert_true(!counts || total >= 0.3);
}

/* A tree of the machine's own disk that is too deep for descriptors and closed on the way. */
static void removes_all(void **state) {
    (void)state;
    int top = open(folder, O_RDONLY | O_DIRECTORY);
    int at = dup(top);
    for (int i = 0; i < 700; i++) {
        assert_int_equal(mkdirat(at, "d", 0700), 0);
        int inner = openat(at, "d", O_RDONLY | O_DIRECTORY);
        if (i % 3 == 0) {
            assert_int_equal(symlinkat("/", at, "link"), 0);
            fchmod(at, i == 0 ? 0700 : 0);
        }
        close(at);
        at = inner;
    }
    close(at);
    warden_folder_empty(top);
    close(top);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
}

/* A value of the file system of processes that stays while a sandbox does. */
static void sandbox_name(struct text *name) {
    struct warden_report report;
    run("readlink /proc/self/ns/pid /proc/self/ns/mnt", NULL, &report, name);
    assert_true(name->length > 0);
}

/* One program after the other runs in one sandbox, and finds nothing of those before it: no file, no time. A program
 * that leaves a process behind takes its sandbox along. */
static void stands(void **state) {
    (void)state;
    struct warden_report report;
    struct error error = {0};
    struct text first = TEXT_EMPTY;
    struct text next = TEXT_EMPTY;
    show(&(struct warden_view){.keep_output = true});
    sandbox_name(&first);
    run("for d in /scratch /tmp /dev/shm; do echo x >$d/left || echo no; done; chmod 0 /tmp /dev/shm; chmod 0 .", NULL,
        &report, &next);
    assert_string_equal(text_string(&next), "");
    assert_int_equal(warden_clean(warden, &error), STATUS_OK);
    says("find /scratch /tmp /dev/shm /dev/zero -type f | sort; pwd", "/dev/zero\n/scratch\n");
    run("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done", NULL, &report, &next);
    double used = report.user_seconds;
    assert_true(used > 0.02);
    next.length = 0;
    sandbox_name(&next);
    assert_string_equal(text_string(&first), text_string(&next));
    run("sleep 1000 & exit 3", NULL, &report, &next);
    assert_int_equal(report.code, 3);
    assert_true(report.user_seconds < used / 2);
    next.length = 0;
    sandbox_name(&next);
    assert_string_not_equal(text_string(&first), text_string(&next));
    text_free(&first);
    text_free(&next);
}

/* What it finds in the first process it cannot change: the next run has what it would have had. */
static void first_stays(void **state) {
    (void)state;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    show(&(struct warden_view){.keep_output = true});
    run("prlimit --pid 1 --nofile=1:1; kill -9 1; kill -STOP 1; kill -TERM -1; exit 0", NULL, &report, &said);
    says("ulimit -n; echo runs", "256\nruns\n");
    says(
        "for f in /dev /dev/pts /proc/sys/kernel / /etc /usr; do echo x 2>/dev/null >$f/new && echo $f; done; echo end",
        "end\n");
    text_free(&said);
}

static int set_up(void **state) {
    (void)state;
    struct error error = {0};
    if (!mkdtemp(folder) || warden_start(&warden, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
        return -1;
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    int top = open(folder, O_RDONLY | O_DIRECTORY);
    warden_stop(warden);
    warden_folder_empty(top);
    close(top);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows),
        cmocka_unit_test(stands),
        cmocka_unit_test(first_stays),
        cmocka_unit_test(builds),
        cmocka_unit_test(files),
        cmocka_unit_test(time_of_all),
        cmocka_unit_test(busy_machine),
        cmocka_unit_test(asleep),
        cmocka_unit_test(calls_of_the_system),
        cmocka_unit_test(memory_of_all),
        cmocka_unit_test(memory_of_nobody),
        cmocka_unit_test(ends),
        cmocka_unit_test(nothing_of_the_sandbox),
        cmocka_unit_test(tasks_of_its_own),
        cmocka_unit_test(pipes_never_block),
        cmocka_unit_test(disk_of_all),
        cmocka_unit_test(killed_warden),
        cmocka_unit_test(group_counts),
        cmocka_unit_test(removes_all),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
