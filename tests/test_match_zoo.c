/* Bad programs, each judged right, and nothing of them left. */
#include <dirent.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
size_t __sanitizer_get_current_allocated_bytes(void); /* of the sanitizer itself */
#endif

#include "base/stopwatch.h"
#include "games/gomoku/rules/gomoku.h"
#include "games/war/rules/war.h"
#include "match/referee.h"

/* Every animal is started with this word behind its kind, so that it can be found in the list of processes. */
static char mark[40];
static struct warden *warden;

/* Processes whose command line holds the mark. */
static int left_running(void) {
    int count = 0;
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        char path[300];
        char line[4096];
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *file = fopen(path, "r");
        size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
        if (file) {
            fclose(file);
        }
        for (size_t i = 0; i + 1 < length; i++) {
            line[i] = line[i] ? line[i] : ' ';
        }
        line[length] = '\0';
        count += strstr(line, mark) != NULL;
    }
    closedir(folder);
    return count;
}

static int open_files(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder)) {
        count++;
    }
    closedir(folder);
    return count;
}

/* Resident memory in KiB of this process and its children (the warden); under the sanitizer, which keeps what was freed
 * for a while, what this process has allocated. */
static long memory_in_use(void) {
#ifdef __SANITIZE_ADDRESS__
    return (long)(__sanitizer_get_current_allocated_bytes() / 1024);
#else
    long total = 0;
    char path[80];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *children = fopen(path, "r");
    long pid = getpid();
    do {
        snprintf(path, sizeof path, "/proc/%ld/statm", pid);
        FILE *file = fopen(path, "r");
        long size = 0;
        long resident = 0;
        if (file && fscanf(file, "%ld %ld", &size, &resident) == 2) {
            total += resident * 4;
        }
        if (file) {
            fclose(file);
        }
    } while (children && fscanf(children, "%ld", &pid) == 1);
    if (children) {
        fclose(children);
    }
    return total;
#endif
}

/* Plays one game of an animal (first side) against chance on 3x3 and gives the record. */
static void play(const char *kind, const struct player_time *time, struct record *record) {
    struct plan plan = {.game = &war_game, .sizes = {3}, .size_count = 1, .seed = 5, .games = 2, .time = *time};
    struct error error = {0};
    char spec[2048];
    plan.limits = warden_usual_limits;
    plan.limits.memory_bytes = 48 << 20;
    snprintf(spec, sizeof spec, "program:%s/zoo/zoo %s %s", ".", kind, mark);
    assert_int_equal(plan_add_player(&plan, spec, &error), STATUS_OK);
    assert_int_equal(plan_add_player(&plan, "random", &error), STATUS_OK);
    assert_int_equal(plan_check(&plan, &error), STATUS_OK);
    struct referee_seat seats[2];
    for (int side = 0; side < 2; side++) {
        const struct player_spec *player = &plan.players[side];
        seats[side] =
            (struct referee_seat){player->kind, player->kind->create(player), side == 0 ? warden : NULL, NULL};
        assert_non_null(seats[side].player);
    }
    struct plan_game game;
    plan_game_at(&plan, 0, &game);
    if (referee_play(&plan, &game, seats, NULL, record, &error) != STATUS_OK) {
        fail_msg("%s: %s", kind, error.text);
    }
    for (int side = 0; side < 2; side++) {
        plan.players[side].kind->destroy(seats[side].player);
    }
    plan_free(&plan);
}

/* Who is meant to be late gets little time; the others get plenty, in case the machine is busy. */
static const struct player_time wall = {.clock = PLAYER_CLOCK_WALL, .per_move = 0.5};
static const struct player_time plenty = {.clock = PLAYER_CLOCK_WALL, .per_move = 20};

static void judged(const char *kind, const struct player_time *time, enum player_fault wanted) {
    struct record record = {0};
    char greeting[60];
    snprintf(greeting, sizeof greeting, "I am %s\n", kind);
    double before = clock_wall();
    play(kind, time, &record);
    double seconds = clock_wall() - before;
    if (record.fault != wanted) {
        fail_msg("%s: judged '%s' (%s), wanted '%s'", kind, player_fault_name(record.fault),
                 text_string(&record.detail), player_fault_name(wanted));
    }
    if (wanted != PLAYER_NO_FAULT) {
        assert_int_equal(record.loser, 0);
        assert_int_equal(record.points, 0);
        assert_true(record.detail.length > 0);
    } else {
        assert_int_equal(record.plies, 9);
        assert_int_equal(record.loser, -1);
    }
    if (wanted != PLAYER_NOT_STARTED && strncmp(text_string(&record.errors[0]), greeting, strlen(greeting)) != 0) {
        fail_msg("%s: its standard error was not kept: '%s'", kind, text_string(&record.errors[0]));
    }
    int left = left_running();
    if (left > 0) {
        fail_msg("%s: %d processes are left", kind, left);
    }
    if (seconds > 60) {
        fail_msg("%s: took %.1f s", kind, seconds);
    }
    record_free(&record);
}

static void animals(void **state) {
    (void)state;
    static const struct {
        const char *kind;
        enum player_fault fault;
    } zoo[] = {
        {"good", PLAYER_NO_FAULT},
        {"status", PLAYER_NO_FAULT},
        {"escape", PLAYER_NO_FAULT},
        {"silent", PLAYER_NO_ANSWER},
        {"detach", PLAYER_NO_ANSWER},
        {"wrong-file", PLAYER_NO_ANSWER},
        {"hop", PLAYER_NO_ANSWER},
        {"empty", PLAYER_NO_ANSWER},
        {"crash", PLAYER_CRASHED},
        {"abort", PLAYER_CRASHED},
        {"fail", PLAYER_CRASHED},
        {"memory", PLAYER_CRASHED},
        {"flood", PLAYER_FLOODED},
        {"flood-stderr", PLAYER_FLOODED},
        {"huge", PLAYER_FLOODED},
        {"fork", PLAYER_FORKED},
        {"sleep", PLAYER_LATE},
        {"stop", PLAYER_LATE},
        {"spin", PLAYER_LATE},
        {"late", PLAYER_LATE},
        {"illegal", PLAYER_ILLEGAL},
        {"raid", PLAYER_ILLEGAL},
        {"rubbish", PLAYER_BAD_ANSWER},
        {"large", PLAYER_BAD_ANSWER},
        {"wrong-board", PLAYER_BAD_ANSWER},
        {"fifo", PLAYER_BAD_ANSWER},
        {"link", PLAYER_BAD_ANSWER},
        {"folder", PLAYER_BAD_ANSWER},
    };
    int files = open_files();
    for (size_t i = 0; i < sizeof zoo / sizeof *zoo; i++) {
        judged(zoo[i].kind, zoo[i].fault == PLAYER_LATE ? &wall : &plenty, zoo[i].fault);
    }
    assert_int_equal(open_files(), files);
}

/* By CPU time: who burns it is late, who sleeps is stopped only after the grace. */
static void cpu_time(void **state) {
    (void)state;
    struct player_time cpu = {.clock = PLAYER_CLOCK_CPU, .per_game = 0.3, .grace = 0.3};
    judged("good", &cpu, PLAYER_NO_FAULT);
    judged("spin", &cpu, PLAYER_LATE);
    judged("sleep", &cpu, PLAYER_LATE);
}

/* The same bad programs over and over: memory and open files stay where they are. */
static void memory_stays_flat(void **state) {
    (void)state;
    static const char *const kinds[] = {"flood", "flood-stderr", "fork", "crash", "good"};
    struct record record = {0};
    int files = 0;
    long before = 0;
    for (int turn = 0; turn < 12; turn++) {
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            play(kinds[i], &wall, &record);
            record_free(&record);
        }
        if (turn == 1) {
            before = memory_in_use();
            files = open_files();
        }
    }
    long growth = memory_in_use() - before;
    if (growth > 512) {
        fail_msg("memory grew by %ld KiB", growth);
    }
    assert_int_equal(open_files(), files);
    assert_int_equal(left_running(), 0);
}

/* As root a program runs under another user and cannot write outside its folder. */
static void nothing_outside(void **state) {
    (void)state;
    if (geteuid() != 0) {
        skip();
    }
    char folder[] = "/tmp/sortie-zoo-XXXXXX";
    assert_non_null(mkdtemp(folder));
    struct record record = {0};
    char kind[80];
    char file[60];
    snprintf(file, sizeof file, "%s/evil", folder);
    snprintf(kind, sizeof kind, "outside %s", file);
    play(kind, &plenty, &record);
    assert_int_equal(record.fault, PLAYER_NO_FAULT);
    assert_int_not_equal(access(file, F_OK), 0);
    record_free(&record);
    rmdir(folder);
}

static void not_started(void **state) {
    (void)state;
    const char *words[] = {"/nonexistent/program", NULL};
    struct warden_report report;
    struct error error = {0};
    assert_int_equal(warden_run(warden, words, &warden_usual_limits, &report, NULL, &error), STATUS_OK);
    assert_int_equal(report.end, WARDEN_NOT_STARTED);
}

/* A program that stays, spoken to through pipes. */
static void conversation(void **state) {
    (void)state;
    const char *words[] = {"/bin/sh", "-c", "while read line; do echo \"you said $line\"; done; echo bye >&2", NULL};
    struct warden_report report;
    struct error error = {0};
    struct text errors = TEXT_EMPTY;
    int to;
    int from;
    char answer[64] = "";
    assert_int_equal(warden_open(warden, words, &warden_usual_limits, &to, &from, &error), STATUS_OK);
    assert_int_equal(write(to, "hello\n", 6), 6);
    assert_int_equal(poll(&(struct pollfd){.fd = from, .events = POLLIN}, 1, 60000), 1);
    assert_int_equal(read(from, answer, sizeof answer - 1), 15);
    assert_string_equal(answer, "you said hello\n");
    assert_true(warden_cpu(warden) > 0.0);
    close(to);
    close(from);
    assert_int_equal(warden_close(warden, 2.0, &report, &errors, &error), STATUS_OK);
    assert_int_equal(report.end, WARDEN_EXITED);
    assert_string_equal(text_string(&errors), "bye\n");
    text_free(&errors);

    /* One that does not want to go. */
    const char *stubborn[] = {"/bin/sh", "-c", "trap '' TERM HUP INT; while :; do sleep 100; done", NULL};
    assert_int_equal(warden_open(warden, stubborn, &warden_usual_limits, &to, &from, &error), STATUS_OK);
    close(to);
    close(from);
    assert_int_equal(warden_close(warden, 0.1, &report, NULL, &error), STATUS_OK);
    assert_int_equal(report.end, WARDEN_KILLED);
}

/* One game of Gomoku of a brain (first side, a shell script) against chance. */
static void brain_judged(const char *script, enum player_fault wanted) {
    struct plan plan = {.game = &gomoku_game, .sizes = {9}, .size_count = 1, .seed = 3, .games = 2};
    struct error error = {0};
    struct record record = {0};
    struct text spec = TEXT_EMPTY;
    plan.time = wanted == PLAYER_LATE ? wall : plenty;
    plan.limits = warden_usual_limits;
    plan.limits.output_bytes = 1 << 20;
    text_addf(&spec, "brain:/bin/sh -c '%s' %s", script, mark);
    assert_int_equal(plan_add_player(&plan, text_string(&spec), &error), STATUS_OK);
    assert_int_equal(plan_add_player(&plan, "random", &error), STATUS_OK);
    assert_int_equal(plan_check(&plan, &error), STATUS_OK);
    struct referee_seat seats[2];
    for (int side = 0; side < 2; side++) {
        const struct player_spec *player = &plan.players[side];
        seats[side] =
            (struct referee_seat){player->kind, player->kind->create(player), side == 0 ? warden : NULL, NULL};
    }
    struct plan_game game;
    plan_game_at(&plan, 0, &game);
    assert_int_equal(referee_play(&plan, &game, seats, NULL, &record, &error), STATUS_OK);
    if (record.fault != wanted || (wanted != PLAYER_NO_FAULT && record.loser != 0)) {
        fail_msg("%s: judged '%s' (%s), wanted '%s'", script, player_fault_name(record.fault),
                 text_string(&record.detail), player_fault_name(wanted));
    }
    assert_int_equal(left_running(), 0);
    for (int side = 0; side < 2; side++) {
        plan.players[side].kind->destroy(seats[side].player);
    }
    record_free(&record);
    text_free(&spec);
    plan_free(&plan);
}

static void brains(void **state) {
    (void)state;
    int files = open_files();
    brain_judged("exit 1", PLAYER_CRASHED);
    brain_judged("echo no", PLAYER_BAD_ANSWER);
    brain_judged("read start; echo OK", PLAYER_CRASHED);
    brain_judged("read start; echo OK; sleep 1000", PLAYER_LATE);
    brain_judged("read start; echo OK; echo MESSAGE hello; echo 99,99; sleep 1000", PLAYER_ILLEGAL);
    brain_judged("read start; echo OK; echo perhaps; sleep 1000", PLAYER_BAD_ANSWER);
    brain_judged("read start; echo OK; while :; do echo MESSAGE again and again and again and again; done",
                 PLAYER_FLOODED);
    assert_int_equal(open_files(), files);
}

static int set_up(void **state) {
    (void)state;
    struct error error;
    snprintf(mark, sizeof mark, "zoo-mark-%d", (int)getpid());
    return warden_start(&warden, &error) == STATUS_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    char folder[600];
    snprintf(folder, sizeof folder, "%s", warden_folder(warden));
    warden_stop(warden);
    return access(folder, F_OK) == 0 ? -1 : 0; /* it must be gone */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(animals),         cmocka_unit_test(cpu_time),    cmocka_unit_test(memory_stays_flat),
        cmocka_unit_test(nothing_outside), cmocka_unit_test(not_started), cmocka_unit_test(conversation),
        cmocka_unit_test(brains),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
