/* Results files nobody should believe: two thousand of them, each changed by bytes or by SQL, go through everything
 * that reads one. Whatever they hold, they are read or refused; the sanitizers watch. Every
 * second one is also carried on. */
#include <dirent.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "game/registry.h"
#include "match/runner.h"
#include "results/report.h"
#include "system/file.h"

#define MUTANTS_A_KIND 500 /* bytes and SQL, of two files */
#define MOST_BYTES ((size_t)1 << 22)

static char folder[64];
static char original[128];
static char mutant[128];

struct bytes {
    char *at; /* owned */
    size_t length;
};

/* -- originals -- */

/* Plays a small match into `original` and reads it. */
static struct bytes play_original(const char *game, int size, const char *const *players) {
    struct plan plan = {.game = game_find(game, strlen(game)), .seed = 5, .games = 8, .limits = warden_usual_limits};
    struct error error = {0};
    struct store *store;
    struct runner_state state;
    struct standings standings;
    struct runner_options options = {.concurrency = 1};
    struct bytes bytes;
    plan.sizes[plan.size_count++] = size;
    for (int i = 0; players[i]; i++) {
        assert_int_equal(plan_add_player(&plan, players[i], &error), STATUS_OK);
    }
    unlink(original);
    assert_int_equal(plan_check(&plan, &error), STATUS_OK);
    assert_int_equal(store_open(&store, original, STORE_NEW, &error), STATUS_OK);
    assert_int_equal(store_put_plan(store, &plan, &error), STATUS_OK);
    assert_int_equal(runner_run(&plan, store, &options, &standings, &state, &error), STATUS_OK);
    /* Two games are still to be played. */
    plan.games += 2;
    assert_int_equal(store_put_plan(store, &plan, &error), STATUS_OK);
    store_close(store);
    standings_free(&standings);
    plan_free(&plan);
    assert_int_equal(file_read(original, MOST_BYTES, &bytes.at, &bytes.length, &error), STATUS_OK);
    return bytes;
}

/* -- what reads a results file -- */

static void empty_folder(const char *path) {
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char name[512];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && unlink(name) != 0) {
            empty_folder(name);
            rmdir(name);
        }
    }
    if (entries) {
        closedir(entries);
    }
}

static void write_all(struct report *report, enum status *status, struct error *error) {
    struct text text = TEXT_EMPTY;
    char games[160];
    int written;
    snprintf(games, sizeof games, "%s/games", folder);
    report_text(report, &text);
    *status = report_csv(report, &text, error);
    if (*status == STATUS_OK) {
        *status = report_html(report, 100, &text, error);
    }
    if (*status == STATUS_OK) {
        *status = report->plan.game->properties->stones_on_points ? report_sgf(report, games, &written, error)
                                                                  : report_positions(report, games, &written, error);
    }
    empty_folder(games);
    text_free(&text);
}

static enum status read_report(struct error *error) {
    struct store *store = NULL;
    struct report report;
    enum status status = store_open(&store, mutant, STORE_READ, error);
    if (status == STATUS_OK) {
        status = report_open(&report, store, error);
        if (status == STATUS_OK) {
            write_all(&report, &status, error);
            report_close(&report);
        }
        store_close(store);
    }
    return status;
}

/* Carries the match on, as far as taking in what is there and handing out the next game. */
static enum status carry_on(struct error *error) {
    struct store *store = NULL;
    struct plan plan;
    atomic_bool stop = true;
    enum status status = store_open(&store, mutant, STORE_CARRY_ON, error);
    if (status != STATUS_OK) {
        return status;
    }
    status = store_get_plan(store, &plan, error);
    if (status == STATUS_OK) {
        bool commands = false;
        for (int i = 0; i < plan.player_count; i++) {
            commands = commands || plan.players[i].kind->has_command;
        }
        struct standings standings = {0};
        struct runner_state state;
        struct runner_options options = {.concurrency = 1, .stop = &stop};
        if (!commands) {
            status = runner_run(&plan, store, &options, &standings, &state, error);
            standings_free(&standings);
        }
        plan_free(&plan);
    }
    store_close(store);
    return status;
}

/* -- mutations -- */

static void write_mutant(const struct bytes *bytes) {
    struct error error;
    char side[160];
    static const char *const sides[] = {"-wal", "-shm", "-journal"};
    for (int i = 0; i < 3; i++) {
        snprintf(side, sizeof side, "%s%s", mutant, sides[i]);
        unlink(side);
    }
    assert_int_equal(file_write(mutant, bytes->at, bytes->length, &error), STATUS_OK);
}

static void mutate_bytes(struct rng *rng, const struct bytes *original_bytes) {
    struct bytes changed = {malloc(original_bytes->length), original_bytes->length};
    uint32_t length = (uint32_t)changed.length;
    assert_non_null(changed.at);
    memcpy(changed.at, original_bytes->at, length);
    switch (rng_below(rng, 4)) {
    case 0: /* cut off */
        changed.length = rng_below(rng, length);
        break;
    case 1: /* a part of one page over another */
        for (uint32_t n = 1 + rng_below(rng, 200), from = rng_below(rng, length - n), to = rng_below(rng, length - n);
             n; n--) {
            changed.at[to++] = original_bytes->at[from++];
        }
        break;
    default:
        for (uint32_t n = 1 + rng_below(rng, 8); n; n--) {
            changed.at[rng_below(rng, length)] = (char)rng_next(rng);
        }
    }
    write_mutant(&changed);
    free(changed.at);
}

#define PICK(rng, list) (list)[rng_below(rng, (uint32_t)(sizeof(list) / sizeof *(list)))]

static void random_sql(struct rng *rng, char *sql, size_t size) {
    static const char *const columns[] = {"id",           "first",     "second",     "start",         "points",
                                          "cause",        "loser",     "score",      "plies",         "wall_first",
                                          "wall_second",  "cpu_first", "cpu_second", "slowest_first", "slowest_second",
                                          "position",     "moves",     "times",      "detail",        "stderr_first",
                                          "stderr_second"};
    static const char *const values[] = {"NULL",
                                         "-1",
                                         "0",
                                         "1",
                                         "2",
                                         "3",
                                         "127",
                                         "-128",
                                         "255",
                                         "1000000",
                                         "2147483647",
                                         "-2147483648",
                                         "2147483648",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "1e300",
                                         "-1e300",
                                         "9e999",
                                         "0.5",
                                         "''",
                                         "'rules'",
                                         "'crash'",
                                         "';'",
                                         "';;;;'",
                                         "'1;x'",
                                         "'A1;A1'",
                                         "x'00'",
                                         "x'ff00ff'",
                                         "zeroblob(100000)",
                                         "printf('%.*c',70000,';')",
                                         "position||position",
                                         "moves||';'||moves",
                                         "substr(moves,2)",
                                         "'gomoku freestyle 20'||char(10)",
                                         "'</script><script>'",
                                         "char(27)||'[2J'",
                                         "'war stake 26 X'",
                                         "points+1",
                                         "-points",
                                         "id+1",
                                         "first||'x'"};
    static const char *const others[] = {
        "UPDATE meta SET value='%s' WHERE key='games'",
        "UPDATE meta SET value=%s WHERE key='games'",
        "UPDATE meta SET value=%s WHERE key='plan'",
        "UPDATE meta SET value=value||%s WHERE key='plan'",
        "UPDATE meta SET value=replace(value,'seed','size') WHERE key='plan' AND %s IS NOT 7",
        "UPDATE meta SET value=replace(value,'clock none 0','clock wall '||%s) WHERE key='plan'",
        "UPDATE meta SET value=replace(value,'limits ','limits -') WHERE key='plan' AND %s IS NOT 7",
        "UPDATE meta SET value=value||'sprt 5 0 nan '||%s||char(10) WHERE key='plan'",
        "UPDATE meta SET value=value||'opening '||%s||char(10)||'war' WHERE key='plan'",
        "UPDATE meta SET value=value||'size '||%s||char(10) WHERE key='plan'",
        "UPDATE meta SET value=value||'player x'||char(9)||'random'||%s||char(10) WHERE key='plan'",
        "UPDATE meta SET value=replace(value,'player ','player '||char(27)) WHERE key='plan' AND %s IS NOT 7",
        "UPDATE players SET name=%s WHERE id=0",
        "DELETE FROM players WHERE id=%s",
        "DELETE FROM games WHERE id=%s",
        "DELETE FROM meta WHERE key=%s OR key='games'",
        "INSERT INTO games SELECT "
        "%s,first,second,start,points,cause,loser,score,plies,wall_first,wall_second,cpu_first,"
        "cpu_second,slowest_first,slowest_second,position,moves,times,detail,stderr_first,stderr_second,ended FROM "
        "games "
        "WHERE id=1",
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN UPDATE games SET points=%s; END",
        "ALTER TABLE games RENAME TO g; CREATE VIEW games AS SELECT * FROM g WHERE id IS NOT %s",
        "ALTER TABLE games ADD COLUMN more DEFAULT %s",
        "ALTER TABLE games DROP COLUMN times; SELECT %s",
        "CREATE INDEX i ON games(points) WHERE points IS NOT NULL; SELECT %s",
        "DROP TABLE games; CREATE TABLE games(id INTEGER PRIMARY KEY); INSERT INTO games VALUES(%s)",
        ("CREATE TABLE copy AS SELECT * FROM games; DROP TABLE games; ALTER TABLE copy RENAME TO games;"
         "UPDATE games SET points=NULL, id=%s WHERE id=2"),
        "PRAGMA user_version=%s",
        "PRAGMA application_id=%s",
        "UPDATE games SET first=second, second=first, points=%s",
    };
    const char *column = PICK(rng, columns);
    const char *value = PICK(rng, values);
    if (rng_below(rng, 2)) {
        snprintf(sql, size, "UPDATE games SET %s=%s WHERE id%s%u", column, value,
                 rng_below(rng, 2) ? "=" : ">=", rng_below(rng, 8));
    } else {
        /* The template is one of the list above, each with one place for a value. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(sql, size, PICK(rng, others), value);
#pragma GCC diagnostic pop
    }
}

static void mutate_sql(struct rng *rng, const struct bytes *original_bytes) {
    sqlite3 *database;
    write_mutant(original_bytes);
    assert_int_equal(sqlite3_open(mutant, &database), SQLITE_OK);
    sqlite3_exec(database, "PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF", NULL, NULL, NULL);
    for (uint32_t n = 1 + rng_below(rng, 2); n; n--) {
        char sql[1024];
        random_sql(rng, sql, sizeof sql);
        sqlite3_exec(database, sql, NULL, NULL, NULL); /* what a constraint forbids is no mutant */
    }
    sqlite3_close(database);
}

static void try_mutants(const struct bytes *bytes, uint64_t seed) {
    struct rng rng = {seed};
    int taken = 0;
    int refused = 0;
    write_mutant(bytes);
    struct error error = {0};
    assert_int_equal(read_report(&error), STATUS_OK);
    assert_int_equal(carry_on(&error), STATUS_OK);
    for (int i = 0; i < 2 * MUTANTS_A_KIND; i++) {
        (i % 2 ? mutate_sql : mutate_bytes)(&rng, bytes);
        for (int turn = 0; turn < (i % 4 < 2 ? 2 : 1); turn++) { /* carrying on starts a process each time */
            error = (struct error){0};
            enum status status = (turn ? carry_on : read_report)(&error);
            if (status == STATUS_FAIL || (status != STATUS_OK && !error.text[0])) {
                fail_msg("mutant %d: status %d, '%s'", i, status, error.text);
            }
            taken += status == STATUS_OK;
            refused += status != STATUS_OK;
        }
    }
    print_message("%d readings, %d taken, %d refused\n", taken + refused, taken, refused);
    assert_true(taken > MUTANTS_A_KIND / 10 && refused > MUTANTS_A_KIND);
}

static void war_files(void **state) {
    (void)state;
    static const char *const players[] = {"greedy", "random", "minimax:depth=1", NULL};
    struct bytes bytes = play_original("war", 3, players);
    try_mutants(&bytes, 11);
    free(bytes.at);
}

static void gomoku_files(void **state) {
    (void)state;
    static const char *const players[] = {"random", "other=random", NULL};
    struct bytes bytes = play_original("gomoku", 6, players);
    try_mutants(&bytes, 12);
    free(bytes.at);
}

/* Each wrong value by itself, so that a check that goes is missed. */
static void every_value_is_checked(void **state) {
    (void)state;
    static const char *const players[] = {"greedy", "random", NULL};
    static const char *const wrong[] = {
        "UPDATE games SET id=1000 WHERE id=7",
        "UPDATE games SET id=-1 WHERE id=7",
        "UPDATE games SET first=2 WHERE id=3",
        "UPDATE games SET first=-1 WHERE id=3",
        "UPDATE games SET first=second, second=first WHERE id=3",
        "UPDATE games SET start=99 WHERE id=3",
        "UPDATE games SET points=3 WHERE id=3",
        "UPDATE games SET points=-100 WHERE id=3",
        "UPDATE games SET points='x' WHERE id=3",
        "UPDATE games SET points=2-points, score=score WHERE points!=1",
        "UPDATE games SET cause='magic' WHERE id=3",
        "UPDATE games SET cause='crash' WHERE id=3",
        "UPDATE games SET cause='crash', loser=2 WHERE id=3",
        "UPDATE games SET cause='crash', loser=-5 WHERE id=3",
        "UPDATE games SET score=99999999999 WHERE id=3",
        "UPDATE games SET plies=-1 WHERE id=3",
        "UPDATE games SET plies=100000 WHERE id=3",
        "UPDATE games SET wall_first=-1 WHERE id=3",
        "UPDATE games SET cpu_second=9e999 WHERE id=3",
        "UPDATE games SET slowest_first='soon' WHERE id=3",
        "UPDATE games SET times=replace(times,'.','x') WHERE id=3",
        "UPDATE games SET times='' WHERE id=3",
        "UPDATE games SET moves=moves||';A1 Stake' WHERE id=3",
        "UPDATE games SET position='' WHERE id=3",
        "UPDATE games SET position=x'00' WHERE id=3",
        "UPDATE games SET stderr_first='text' WHERE id=3",
        "UPDATE meta SET value='-8' WHERE key='games'",
        "UPDATE meta SET value='9' WHERE key='games'",
        "UPDATE meta SET value='4000000000000' WHERE key='games'",
        "UPDATE meta SET value='6' WHERE key='games'",
        "UPDATE meta SET value=replace(value,'clock none 0','clock wall nan') WHERE key='plan'",
        "UPDATE meta SET value=replace(value,'size 3','size 3000') WHERE key='plan'",
        "UPDATE players SET name='other' WHERE id=1",
        "DELETE FROM players",
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM meta; END",
        "CREATE VIEW v AS SELECT 1",
        "PRAGMA user_version=2",
    };
    struct bytes bytes = play_original("war", 3, players);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sqlite3 *database;
        struct error error = {0};
        write_mutant(&bytes);
        assert_int_equal(sqlite3_open(mutant, &database), SQLITE_OK);
        if (sqlite3_exec(database, wrong[i], NULL, NULL, NULL) != SQLITE_OK || sqlite3_total_changes(database) < 0) {
            fail_msg("%s: %s", wrong[i], sqlite3_errmsg(database));
        }
        sqlite3_close(database);
        if (read_report(&error) != STATUS_BAD_INPUT) {
            fail_msg("believed: %s (%s)", wrong[i], error.text);
        }
    }
    free(bytes.at);
}

/* A game whose moves found no memory is neither sent on nor stored as one without moves. */
static void half_a_record_is_none(void **state) {
    (void)state;
    struct plan plan = {.game = game_find("war", 3), .seed = 5, .games = 2, .limits = warden_usual_limits};
    struct record record = {.players = {0, 1}, .points = 2, .loser = -1, .score = 1, .moves = {.broken = true}};
    struct text packed = TEXT_EMPTY;
    struct error error = {0};
    struct store *store;
    plan.sizes[plan.size_count++] = 3;
    assert_int_equal(plan_add_player(&plan, "greedy", &error), STATUS_OK);
    assert_int_equal(plan_add_player(&plan, "random", &error), STATUS_OK);
    unlink(original);
    assert_int_equal(plan_check(&plan, &error), STATUS_OK);
    assert_int_equal(store_open(&store, original, STORE_NEW, &error), STATUS_OK);
    assert_int_equal(store_put_plan(store, &plan, &error), STATUS_OK);
    assert_int_equal(store_add(store, &record, 1, &error), STATUS_FAIL);
    assert_string_equal(error.text, "out of memory");
    record_pack(&record, &packed);
    assert_true(packed.broken);
    text_free(&packed);
    store_close(store);
    plan_free(&plan);
}

int main(void) {
    snprintf(folder, sizeof folder, "/tmp/sortie-results-XXXXXX");
    if (!mkdtemp(folder)) {
        return 1;
    }
    snprintf(original, sizeof original, "%s/original.db", folder);
    snprintf(mutant, sizeof mutant, "%s/mutant.db", folder);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_is_checked),
        cmocka_unit_test(half_a_record_is_none),
        cmocka_unit_test(war_files),
        cmocka_unit_test(gomoku_files),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    empty_folder(folder);
    rmdir(folder);
    return failed;
}
