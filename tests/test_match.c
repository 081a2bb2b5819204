/* Players, plans, the judging of course answers, the store, and whole matches. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "games/laser/rules/laser.h"
#include "games/war/rules/war.h"
#include "match/runner.h"
#include "players/course_turn.h"

/* -- players -- */

static void players_are_parsed(void **state) {
    (void)state;
    struct player_spec spec;
    struct error error;
    assert_int_equal(player_parse("engine:depth=3,threads=2,hash=64,plain", &spec, &error), STATUS_OK);
    assert_ptr_equal(spec.kind, &player_engine);
    assert_int_equal(spec.depth, 3);
    assert_int_equal(spec.threads, 2);
    assert_int_equal(spec.hash_bytes, 64 << 20);
    assert_true(spec.plain);
    assert_string_equal(spec.name, "engine:depth=3,threads=2,hash=64,plain");
    assert_int_equal(player_parse("fast=engine:nodes=2K", &spec, &error), STATUS_OK);
    assert_string_equal(spec.name, "fast");
    assert_int_equal(spec.nodes, 2000);
    assert_int_equal(player_parse("engine:time=0.25,name=ann", &spec, &error), STATUS_OK);
    assert_string_equal(spec.name, "ann");
    assert_true(spec.wall_seconds == 0.25);

    assert_int_equal(player_parse("bo=program,task=2,depth=4:/bin/sh -c 'echo \"a b\"' \"c d\" e\\ f", &spec, &error),
                     STATUS_OK);
    const char *words[10];
    player_command(&spec, words, 9);
    assert_string_equal(words[0], "/bin/sh");
    assert_string_equal(words[1], "-c");
    assert_string_equal(words[2], "echo \"a b\"");
    assert_string_equal(words[3], "c d");
    assert_string_equal(words[4], "e f");
    assert_null(words[5]);
    assert_int_equal(spec.task, 2);
    /* What is kept parses to the same words again. */
    struct player_spec again;
    assert_int_equal(player_parse(spec.text, &again, &error), STATUS_OK);
    assert_memory_equal(again.command, spec.command, sizeof spec.command);

    static const char *const wrong[] = {
        "",        "wizard",     "engine:depth=0", "engine:depth=x", "engine:foo=1",   "program:",
        "=engine", "program:'a", "engine:time=-1", "minimax:depth=", "engine:plain=1", "program:a \"\" b"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (player_parse(wrong[i], &spec, &error) != STATUS_BAD_INPUT) {
            fail_msg("'%s' was taken for a player", wrong[i]);
        }
    }
}

/* -- plans -- */

static struct plan small_plan(const char *const *players, bool gauntlet, int64_t games) {
    struct plan plan = {
        .game = &war_game, .sizes = {4, 3}, .size_count = 2, .gauntlet = gauntlet, .seed = 11, .games = games};
    struct error error;
    plan.limits = warden_usual_limits;
    for (int i = 0; players[i]; i++) {
        assert_int_equal(plan_add_player(&plan, players[i], &error), STATUS_OK);
    }
    assert_int_equal(plan_check(&plan, &error), STATUS_OK);
    return plan;
}

/* Every two players meet as often with each side, from the same starts. */
static void schedule(void **state) {
    (void)state;
    static const char *const players[] = {"random", "greedy", "random", "minimax:depth=1", "random", NULL};
    for (int gauntlet = 0; gauntlet < 2; gauntlet++) {
        struct plan plan = small_plan(players, gauntlet, 60);
        assert_string_equal(plan.players[2].name, "random (2)");
        assert_string_equal(plan.players[4].name, "random (3)");
        int met[5][5] = {{0}};
        int64_t round = plan_round(&plan);
        assert_int_equal(round, gauntlet ? 8 : 20);
        for (int64_t index = 0; index < 3 * round; index++) {
            struct plan_game game;
            struct plan_game other;
            plan_game_at(&plan, index, &game);
            plan_game_at(&plan, index ^ 1, &other);
            assert_int_equal(game.start, index / round);
            assert_int_equal(other.start, game.start);
            assert_int_equal(other.players[0], game.players[1]);
            assert_int_equal(other.players[1], game.players[0]);
            met[game.players[0]][game.players[1]]++;
        }
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                bool meet = i != j && (!gauntlet || i == 0 || j == 0);
                assert_int_equal(met[i][j], meet ? 3 : 0);
            }
        }
        plan_free(&plan);
    }
}

static void starts_come_from_the_seed(void **state) {
    (void)state;
    static const char *const players[] = {"random", "greedy", NULL};
    struct plan plan = small_plan(players, false, 20);
    struct war_position a;
    struct war_position b;
    struct error error;
    assert_int_equal(plan_start(&plan, 2, (struct game_position *)&a, &error), STATUS_OK);
    assert_int_equal(plan_start(&plan, 2, (struct game_position *)&b, &error), STATUS_OK);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(a.size, 4);
    assert_int_equal(plan_start(&plan, 3, (struct game_position *)&b, &error), STATUS_OK);
    assert_int_equal(b.size, 3);
    plan.seed++;
    assert_int_equal(plan_start(&plan, 2, (struct game_position *)&b, &error), STATUS_OK);
    assert_memory_not_equal(&a, &b, sizeof a);
    plan_free(&plan);
}

static void openings(void **state) {
    (void)state;
    static const char *const players[] = {"a=random", "b=program:/bin/true 'x y'", NULL};
    static const char text[] = "war stake 2 X\n1 2\n3 4\n..\n.O\n"
                               "\n"
                               "war stake 2 O\n5 6\n7 8\nX.\n..\n";
    struct plan plan = small_plan(players, false, 4);
    struct error error = {0};
    struct war_position position;
    assert_int_equal(plan_add_openings(&plan, text, strlen(text), &error), STATUS_OK);
    assert_int_equal(plan.opening_count, 2);
    assert_int_equal(plan_start(&plan, 3, (struct game_position *)&position, &error), STATUS_OK);
    assert_int_equal(position.to_move, WAR_O);
    assert_int_equal(position.values[3], 8);

    /* The plan as text and back, openings and all. */
    struct text written = TEXT_EMPTY;
    struct text again = TEXT_EMPTY;
    struct plan copy;
    plan_write(&plan, &written);
    assert_int_equal(plan_read(&copy, text_string(&written), written.length, &error), STATUS_OK);
    plan_write(&copy, &again);
    assert_string_equal(text_string(&written), text_string(&again));
    assert_int_equal(copy.opening_count, 2);
    text_free(&written);
    text_free(&again);
    plan_free(&copy);

    /* Faults are named by their line in the file. */
    static const char broken[] = "war stake 2 X\n1 2\n3 4\n..\n.O\nwar stake 2 O\n5 6\n7 8\nX?\n..\n";
    assert_int_equal(plan_add_openings(&plan, broken, strlen(broken), &error), STATUS_BAD_INPUT);
    assert_int_equal(error.line, 9);
    static const char over[] = "war stake 1 X\n1\nX\n";
    assert_int_equal(plan_add_openings(&plan, over, strlen(over), &error), STATUS_BAD_INPUT);
    assert_int_equal(plan_add_openings(&plan, "war sneak 1 X\n1\n.\n", 18, &error), STATUS_BAD_INPUT);
    plan_free(&plan);
}

/* -- course answers -- */

static void read_war(const char *text, struct war_position *position) {
    struct reader reader;
    struct error error = {0};
    reader_init(&reader, text, strlen(text));
    if (war_game.read((struct game_position *)position, &reader, &error) != STATUS_OK) {
        fail_msg("%s", error.text);
    }
}

static void judge(const struct game *game, const void *position, const char *answer, enum player_fault wanted,
                  const char *move_text) {
    const struct game_position *at = position;
    const struct course_format *course = course_format_of(game, game->variant(at));
    game_move move;
    enum player_fault fault;
    char detail[200];
    course_turn_judge(course, game, at, answer, strlen(answer), &move, &fault, detail, sizeof detail);
    if (fault != wanted) {
        fail_msg("'%s' was judged '%s' (%s)", answer, player_fault_name(fault), detail);
    }
    if (move_text) {
        char text[32];
        game->move_text(at, move, text);
        assert_string_equal(text, move_text);
    } else {
        assert_true(detail[0] != '\0');
    }
}

static void course_answers(void **state) {
    (void)state;
    struct war_position stake;
    read_war("war stake 3 X\n1 2 3\n4 5 6\n7 8 9\nX..\n.O.\n..O\n", &stake);
    judge(&war_game, &stake, "B1 Raid\nXX.\n.X.\n..O\n", PLAYER_NO_FAULT, "B1 Raid");
    judge(&war_game, &stake, "B1 Raid \r\nXX.\r\n.X.  \r\n..O\r\n\r\n", PLAYER_NO_FAULT, "B1 Raid");
    judge(&war_game, &stake, "C1 Stake\nX.X\n.O.\n..O", PLAYER_NO_FAULT, "C1 Stake");
    judge(&war_game, &stake, "B1 Stake\nXX.\n.X.\n..O\n", PLAYER_BAD_ANSWER, NULL); /* that is the raid's board */
    judge(&war_game, &stake, "B1 Raid\nXX.\n.X.\n", PLAYER_BAD_ANSWER, NULL);       /* a row is missing */
    judge(&war_game, &stake, "B1 Raid\nXX.\n.X.\n..O\nx\n", PLAYER_BAD_ANSWER, NULL);
    judge(&war_game, &stake, "B1\nXX.\n.X.\n..O\n", PLAYER_BAD_ANSWER, NULL);
    judge(&war_game, &stake, "b1 Raid\nXX.\n.X.\n..O\n", PLAYER_BAD_ANSWER, NULL);
    judge(&war_game, &stake, "C1 Raid\nX.X\n.O.\n..O\n", PLAYER_ILLEGAL, NULL); /* no own piece beside it */
    judge(&war_game, &stake, "B2 Stake\nX..\n.X.\n..O\n", PLAYER_ILLEGAL, NULL);
    judge(&war_game, &stake, "D1 Stake\nX..\n.O.\n..O\n", PLAYER_ILLEGAL, NULL);
    judge(&war_game, &stake, "pass\n", PLAYER_BAD_ANSWER, NULL);
    judge(&war_game, &stake, " \n", PLAYER_NO_ANSWER, NULL);

    struct war_position sneak;
    read_war("war sneak 5 O\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n"
             "O....\nX....\n.....\n.....\n.....\n",
             &sneak);
    judge(&war_game, &sneak, "OO***\nX****\n*****\n*****\n*****\n", PLAYER_NO_FAULT, "B1 Raid");
    judge(&war_game, &sneak, "O****\nX****\n*****\n*****\n****O\n", PLAYER_NO_FAULT, "E5 Sneak");
    judge(&war_game, &sneak, "OO***\nO****\n*****\n*****\n*****\n", PLAYER_ILLEGAL, NULL); /* flips too much */
    judge(&war_game, &sneak, "O****\nX****\n*****\n*****\n*****\n", PLAYER_ILLEGAL, NULL); /* no move at all */
    judge(&war_game, &sneak, "OO***\nX****\n*****\n*****\n", PLAYER_BAD_ANSWER, NULL);

    struct laser_position laser;
    struct error error;
    struct game_undo undo;
    assert_int_equal(laser_game.start((struct game_position *)&laser, 5, 0, &error), STATUS_OK);
    laser_game.play((struct game_position *)&laser, 0, &undo);
    judge(&laser_game, &laser, "1 2\n", PLAYER_NO_FAULT, "1 2");
    judge(&laser_game, &laser, "0 1\n", PLAYER_ILLEGAL, NULL); /* in the beam of 0 0 */
    judge(&laser_game, &laser, "7 7\n", PLAYER_ILLEGAL, NULL);
    judge(&laser_game, &laser, "1,2\n", PLAYER_BAD_ANSWER, NULL);
    judge(&laser_game, &laser, "1 2\n3 4\n", PLAYER_BAD_ANSWER, NULL);
}

static void ask(const struct game *game, const void *position, const char *wanted) {
    const struct game_position *at = position;
    struct text text = TEXT_EMPTY;
    struct course_question question = {.seconds = 12.5, .task = 3, .depth = 2};
    course_format_of(game, game->variant(at))->ask(at, &question, &text);
    assert_string_equal(text_string(&text), wanted);
    text_free(&text);
}

static void course_questions(void **state) {
    (void)state;
    struct war_position war;
    read_war("war stake 2 O\n1 20\n3 4\nX.\n.O\n", &war);
    ask(&war_game, &war, "2\nCOMPETITION\nO\n12.500\n1 20\n3 4\nX.\n.O\n");
    read_war("war sneak 2 X\n1 20\n3 4\nX.\n.O\n", &war);
    ask(&war_game, &war, "3\nX\n2\n1 20\n3 4\nX*\n*O\n");

    /* The side to move is always 1. */
    struct laser_position laser;
    struct error error;
    struct game_undo undo;
    assert_int_equal(laser_game.start((struct game_position *)&laser, 3, 0, &error), STATUS_OK);
    laser_game.play((struct game_position *)&laser, 0, &undo);
    ask(&laser_game, &laser, "3\n200\n000\n000\n");
    laser_game.play((struct game_position *)&laser, 5, &undo);
    ask(&laser_game, &laser, "3\n100\n002\n000\n");
}

/* -- whole matches -- */

static char database[64];

static void remove_database(void) {
    char side[80];
    unlink(database);
    snprintf(side, sizeof side, "%s-wal", database);
    unlink(side);
    snprintf(side, sizeof side, "%s-shm", database);
    unlink(side);
}

static bool add_game(void *user, const struct record *record) {
    struct text *text = user;
    text_addf(text, "%lld %d %d %d %d %s %d\n%s%s\n", (long long)record->index, record->players[0], record->players[1],
              record->points, record->score, player_fault_name(record->fault), record->plies,
              text_string(&record->position), text_string(&record->moves));
    return true;
}

/* Plays the plan into a new results file and gives the games as one text. */
static void run_match(const struct plan *plan, int concurrency, struct text *games, struct runner_state *state,
                      struct standings *standings) {
    struct store *store;
    struct error error = {0};
    struct runner_options options = {.concurrency = concurrency};
    remove_database();
    assert_int_equal(store_open(&store, database, STORE_NEW, &error), STATUS_OK);
    assert_int_equal(store_put_plan(store, plan, &error), STATUS_OK);
    if (runner_run(plan, store, &options, standings, state, &error) != STATUS_OK) {
        fail_msg("%s", error.text);
    }
    games->length = 0;
    assert_int_equal(store_each(store, plan, true, add_game, games, &error), STATUS_OK);
    store_close(store);
}

/* The same seed and fixed nodes give the same games, whatever the concurrency. */
static void matches_repeat(void **state) {
    (void)state;
    static const char *const players[] = {"engine:nodes=300,hash=1", "random", "greedy", NULL};
    struct plan plan = small_plan(players, false, 24);
    struct text first = TEXT_EMPTY;
    struct text second = TEXT_EMPTY;
    struct runner_state at;
    struct standings standings;
    run_match(&plan, 1, &first, &at, &standings);
    standings_free(&standings);
    run_match(&plan, 3, &second, &at, &standings);
    assert_string_equal(text_string(&first), text_string(&second));
    assert_int_equal(standings.games, 24);
    int results = 0;
    for (int i = 0; i < 3; i++) {
        results += standings.table[i].won + standings.table[i].drawn + standings.table[i].lost;
    }
    assert_int_equal(results, 48);
    standings_free(&standings);
    plan.seed++;
    run_match(&plan, 2, &second, &at, &standings);
    assert_string_not_equal(text_string(&first), text_string(&second));
    standings_free(&standings);
    text_free(&first);
    text_free(&second);
    plan_free(&plan);
}

/* An SPRT ends by itself, at the same pair whatever the concurrency. */
static void sprt_stops(void **state) {
    (void)state;
    static const char *const players[] = {"engine:depth=4,hash=1", "random", NULL};
    struct plan plan = small_plan(players, false, 4000);
    plan.has_sprt = true;
    plan.sprt = (struct rating_sprt){0, 50, 0.05, 0.05};
    struct text games = TEXT_EMPTY;
    double pairs[2] = {0};
    for (int turn = 0; turn < 2; turn++) {
        struct runner_state at;
        struct standings standings;
        run_match(&plan, 1 + 2 * turn, &games, &at, &standings);
        assert_int_equal(at.verdict, RATING_ACCEPT_ELO1);
        assert_true(at.left > 3000);
        for (int i = 0; i < 5; i++) {
            pairs[turn] += at.judged.count[i];
        }
        standings_free(&standings);
    }
    assert_true(pairs[0] == pairs[1]);
    text_free(&games);
    plan_free(&plan);
}

static int count_open_files(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder)) {
        count++;
    }
    closedir(folder);
    return count;
}

static double cpu_seconds(int who) {
    struct rusage use;
    getrusage(who, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* Many fast games: no open file, no process is left behind, and the runner costs less than 2 ms a move. */
static void many_fast_games(void **state) {
    (void)state;
    static const char *const players[] = {"greedy", "random", NULL};
    struct plan plan = small_plan(players, false, 600);
    struct text games = TEXT_EMPTY;
    struct runner_state at;
    struct standings standings;
    int files = count_open_files();
    double before = cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN);
    run_match(&plan, 2, &games, &at, &standings);
    double used = cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN) - before;
    double moves = (double)(standings.table[0].moves + standings.table[1].moves);
    assert_int_equal(standings.games, 600);
    assert_true(moves == 300 * 16 + 300 * 9);
    if (used / moves > 2e-3) {
        fail_msg("%.3f ms a move", 1e3 * used / moves);
    }
    assert_int_equal(count_open_files(), files);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* not even a zombie */
    standings_free(&standings);
    text_free(&games);
    plan_free(&plan);
}

static void no_game_is_stored_twice(void **state) {
    (void)state;
    static const char *const players[] = {"random", "greedy", NULL};
    struct plan plan = small_plan(players, false, 4);
    struct store *store;
    struct error error = {0};
    remove_database();
    assert_int_equal(store_open(&store, database, STORE_NEW, &error), STATUS_OK);
    assert_int_equal(store_put_plan(store, &plan, &error), STATUS_OK);
    struct record records[2] = {{.index = 1, .players = {1, 0}, .points = 2, .loser = -1, .score = 7},
                                {.index = 0, .players = {0, 1}, .loser = 0, .fault = PLAYER_CRASHED}};
    text_add(&records[1].errors[0], "a\0b", 3);
    assert_int_equal(store_add(store, records, 2, &error), STATUS_OK);
    assert_int_equal(store_add(store, records, 1, &error), STATUS_FAIL);
    record_free(&records[1]);
    struct text games = TEXT_EMPTY;
    assert_int_equal(store_each(store, &plan, true, add_game, &games, &error), STATUS_OK);
    assert_string_equal(text_string(&games), "0 0 1 0 0 crash 0\n\n1 1 0 2 7 rules 0\n\n");
    store_close(store);
    assert_int_equal(store_open(&store, database, STORE_NEW, &error), STATUS_BAD_INPUT);
    struct plan copy;
    assert_int_equal(store_open(&store, database, STORE_READ, &error), STATUS_OK);
    assert_int_equal(store_get_plan(store, &copy, &error), STATUS_OK);
    assert_int_equal(copy.games, 4);
    assert_string_equal(copy.players[1].name, "greedy");
    plan_free(&copy);
    store_close(store);
    text_free(&games);
    plan_free(&plan);
}

/* A record survives the way between processes, with zero bytes and all. */
static void records_travel(void **state) {
    (void)state;
    struct record record = {.index = 77, .players = {3, 1}, .points = 1, .plies = 9};
    text_add_string(&record.moves, "A1 Stake;B2 Raid");
    text_add(&record.errors[1], "x\0y", 3);
    struct text bytes = TEXT_EMPTY;
    record_pack(&record, &bytes);
    struct record copy;
    assert_true(record_unpack(&copy, text_string(&bytes), bytes.length));
    assert_int_equal(copy.index, 77);
    assert_string_equal(text_string(&copy.moves), "A1 Stake;B2 Raid");
    assert_int_equal(copy.errors[1].length, 3);
    record_free(&copy);
    for (size_t length = 0; length < bytes.length; length++) {
        assert_false(record_unpack(&copy, text_string(&bytes), length));
    }
    text_free(&bytes);
    record_free(&record);
}

int main(void) {
    snprintf(database, sizeof database, "/tmp/sortie-test-match-%d.db", (int)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(players_are_parsed),
        cmocka_unit_test(schedule),
        cmocka_unit_test(starts_come_from_the_seed),
        cmocka_unit_test(openings),
        cmocka_unit_test(course_answers),
        cmocka_unit_test(course_questions),
        cmocka_unit_test(records_travel),
        cmocka_unit_test(no_game_is_stored_twice),
        cmocka_unit_test(matches_repeat),
        cmocka_unit_test(sprt_stops),
        cmocka_unit_test(many_fast_games),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_database();
    return failed;
}
