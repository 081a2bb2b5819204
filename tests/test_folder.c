/* The referee's folder: the line of a move, the swap, who has won, and whole games between scripted players. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/gomoku/referee/course_rows.h"
#include "protocols/folder/folder_agent.h"
#include "protocols/folder/folder_referee.h"

static int square_of(const char *name) {
    int square = gomoku_parse_square(FOLDER_SIZE, name, strlen(name));
    assert_true(square >= 0);
    return square;
}

/* -- the line of a move -- */

static void assert_line(const char *text, enum folder_content content, const char *team, int square, bool ended) {
    struct folder_line line;
    folder_parse_line(text, strlen(text), &line);
    assert_int_equal(line.content, content);
    assert_string_equal(line.team, team);
    assert_int_equal(line.square, square);
    assert_int_equal(line.ended, ended);
}

static void test_line(void **state) {
    (void)state;
    assert_line("Group1 E 5\n", FOLDER_MOVE, "Group1", square_of("E5"), true);
    assert_line("Group1 e 5\n", FOLDER_MOVE, "Group1", square_of("E5"), true);
    assert_line(" \r\n\n\t Group1\t o   015 \r\nmore\n", FOLDER_MOVE, "Group1", square_of("O15"), true);
    assert_line("a a 1", FOLDER_MOVE, "a", square_of("A1"), false);
    assert_line("a a 1 ", FOLDER_MOVE, "a", square_of("A1"), false);
    assert_line("a p 1\n", FOLDER_MOVE, "a", -1, true);
    assert_line("a a 0\n", FOLDER_MOVE, "a", -1, true);
    assert_line("a a -1\n", FOLDER_MOVE, "a", -1, true);
    assert_line("a a 16\n", FOLDER_MOVE, "a", -1, true);
    assert_line("a a 4294967297\n", FOLDER_MOVE, "a", -1, true);
    assert_line("", FOLDER_EMPTY, "", -1, false);
    assert_line(" \r\n \n", FOLDER_EMPTY, "", -1, false);
    assert_line("Gro", FOLDER_PART, "", -1, false); /* the name may go on */
    assert_line("Group1 ", FOLDER_PART, "Group1", -1, false);
    assert_line("Group1\n", FOLDER_PART, "Group1", -1, true);
    assert_line("Group1 E", FOLDER_PART, "Group1", -1, false);
    assert_line("Group1 E5\n", FOLDER_PART, "Group1", -1, true);
    assert_line("Group1 E five\n", FOLDER_PART, "Group1", -1, true);
    assert_line("Group1 ` -1\n", FOLDER_PART, "Group1", -1, true); /* the course's referee after a late move */
    assert_line("E 5\n", FOLDER_PART, "E", -1, true);
}

static void test_team_names(void **state) {
    (void)state;
    assert_true(folder_good_team("Group1"));
    assert_true(folder_good_team("die-Könige"));
    assert_false(folder_good_team(""));
    assert_false(folder_good_team("two words"));
    assert_false(folder_good_team("../out"));
    assert_false(folder_good_team(".hidden"));
    assert_false(folder_good_team("a123456789b123456789c123456789d123456789e123456789f123456789g123"
                                  "456789"));
}

/* -- the swap -- */

static void test_swap(void **state) {
    (void)state;
    struct folder_game game;
    folder_game_start(&game, FOLDER_RIGHT_RULES);
    assert_true(folder_game_legal(&game, square_of("H8")));
    assert_false(folder_game_legal(&game, -1));
    assert_false(folder_game_legal(&game, FOLDER_SQUARES));
    folder_game_play(&game, square_of("H8"));
    assert_int_equal(folder_game_turn(&game), 1);
    assert_true(folder_game_is_swap(&game, square_of("H8")));
    struct folder_game taken = game;
    folder_game_play(&taken, square_of("H8"));
    assert_true(taken.swapped);
    assert_int_equal(folder_game_turn(&taken), 0);  /* P1 moves again, */
    assert_int_equal(folder_game_first(&taken), 1); /* the stone is P2's, */
    assert_int_equal(taken.position.count, 1);      /* and it is the only one. */
    assert_false(folder_game_legal(&taken, square_of("H8")));
    folder_game_play(&game, square_of("H9"));
    assert_false(game.swapped);
    assert_false(folder_game_legal(&game, square_of("H8"))); /* on the second move only */
    assert_false(folder_game_legal(&game, square_of("H9")));
}

/* -- who has won -- */

/* A full board without three in a row anywhere; `true` is 113 squares, one more than the rest. */
static bool tie_pattern(int square) {
    return (square % FOLDER_SIZE + 2 * (square / FOLDER_SIZE)) % 4 < 2;
}

/* Plays the five squares for P1, with stones of P2 between them that are no row. */
static enum folder_state play_five(enum folder_rules rules, const uint8_t five[5]) {
    struct folder_game game;
    enum folder_state state = FOLDER_GOING;
    int other = -1;
    folder_game_start(&game, rules);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(state, FOLDER_GOING);
        state = folder_game_play(&game, five[(i * 2) % 5]); /* not in order */
        bool on_five = true;
        while (i < 4 && on_five) {
            other++;
            on_five = tie_pattern(other) || memchr(five, other, 5);
        }
        if (i < 4) {
            assert_int_equal(folder_game_play(&game, other), FOLDER_GOING);
        }
    }
    return state;
}

static void test_every_five_wins(void **state) {
    (void)state;
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int fives = 0;
    int unseen = 0;
    for (int square = 0; square < FOLDER_SQUARES; square++) {
        for (int direction = 0; direction < 4; direction++) {
            int column = square % FOLDER_SIZE;
            int row = square / FOLDER_SIZE;
            int last_column = column + 4 * steps[direction][0];
            int last_row = row + 4 * steps[direction][1];
            if (last_column >= FOLDER_SIZE || last_row >= FOLDER_SIZE || last_row < 0) {
                continue;
            }
            uint8_t five[5];
            for (int i = 0; i < 5; i++) {
                five[i] = (uint8_t)((row + i * steps[direction][1]) * FOLDER_SIZE + column + i * steps[direction][0]);
            }
            fives++;
            assert_int_equal(play_five(FOLDER_RIGHT_RULES, five), FOLDER_WON);
            enum folder_state seen = play_five(FOLDER_COURSE_RULES, five);
            bool touches = (direction != 1 && last_column == 14) || (direction != 0 && last_row == 14);
            assert_int_equal(seen, touches ? FOLDER_GOING : FOLDER_WON);
            unseen += seen == FOLDER_GOING;
        }
    }
    assert_int_equal(fives, 572);
    assert_int_equal(unseen, 62);
}

static void test_rows_that_are_none(void **state) {
    (void)state;
    static const char *const names[5] = {"A1", "B15", "C14", "D13", "E12"};
    uint8_t five[5];
    for (int i = 0; i < 5; i++) {
        five[i] = (uint8_t)square_of(names[i]);
    }
    assert_int_equal(play_five(FOLDER_RIGHT_RULES, five), FOLDER_GOING);
    assert_int_equal(play_five(FOLDER_COURSE_RULES, five), FOLDER_WON);
    struct course_rows lines;
    course_rows_make(&lines);
    int phantoms = 0;
    int through = 0;
    for (int i = 0; i < COURSE_ROWS; i++) {
        phantoms += play_five(FOLDER_RIGHT_RULES, lines.squares[i]) == FOLDER_GOING;
        assert_int_equal(play_five(FOLDER_COURSE_RULES, lines.squares[i]), FOLDER_WON);
    }
    for (int square = 0; square < FOLDER_SQUARES; square++) {
        through += lines.through_count[square];
    }
    assert_int_equal(phantoms, 40);
    assert_int_equal(through, 5 * COURSE_ROWS);
}

/* -- whole games -- */

/* A player that plays a list of squares by the protocol. */
struct script {
    const char *path;
    const char *team;
    const int *squares;
    int count;
    bool polling;
    enum folder_news last;
    char end[FOLDER_MOST_LINE];
    struct folder_game game;
};

static void *script_run(void *argument) {
    struct script *script = argument;
    struct folder folder;
    struct error error;
    atomic_bool stop = false;
    if (folder_open(&folder, script->path, script->polling, &error) != STATUS_OK) {
        return NULL;
    }
    struct folder_agent agent = {.folder = &folder, .team = script->team, .limit = 30, .wait = 30, .patience = 30};
    folder_agent_start(&agent, FOLDER_RIGHT_RULES);
    for (int i = 0;; i++) {
        script->last = folder_agent_wait(&agent, -1, &stop, script->end);
        if (script->last != FOLDER_OUR_TURN || i == script->count) {
            break;
        }
        folder_agent_move(&agent, script->squares[i], &error);
    }
    script->game = agent.game;
    folder_close(&folder);
    return NULL;
}

static char path[64];
static const char *const teams[2] = {"Ann", "bob"};

static int make_folder(void **state) {
    (void)state;
    snprintf(path, sizeof path, "/tmp/sortie-folder-XXXXXX");
    return mkdtemp(path) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    static const char *const names[] = {"move_file", "end_game", "history_file", "Ann.go", "bob.go"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s/%s", path, names[i]);
        unlink(name);
    }
    return rmdir(path); /* fails when anything else was left there */
}

/* Ann begins; `second` plays for bob. The verdict is the referee's. */
static void run_scripts(struct script scripts[2], void *(*second)(void *), struct folder_game *game,
                        struct folder_verdict *verdict) {
    pthread_t threads[2];
    struct folder folder;
    struct error error = {0};
    atomic_bool stop = false;
    assert_int_equal(folder_open(&folder, path, scripts[0].polling, &error), STATUS_OK);
    assert_int_equal(pthread_create(&threads[0], NULL, script_run, &scripts[0]), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, second, &scripts[1]), 0);
    struct folder_referee referee = {
        .folder = &folder, .teams = {teams[0], teams[1]}, .limit = 60, .pause = 0, .stop = &stop};
    enum status status = folder_referee_play(&referee, game, verdict, &error);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    folder_close(&folder);
    assert_int_equal(status, STATUS_OK);
}

/* The same by the protocol; both players must have read the same end. */
static void play_scripts(const int *first, int first_count, const int *second, int second_count, bool polling,
                         struct folder_game *game, struct folder_verdict *verdict) {
    struct script scripts[2] = {
        {.path = path, .team = teams[0], .squares = first, .count = first_count, .polling = polling},
        {.path = path, .team = teams[1], .squares = second, .count = second_count, .polling = polling}};
    run_scripts(scripts, script_run, game, verdict);
    char end[2 * FOLDER_MOST_LINE];
    folder_end_text(teams, verdict, end);
    for (int i = 0; i < 2; i++) {
        char line[FOLDER_MOST_LINE + 1];
        snprintf(line, sizeof line, "%s\n", scripts[i].end);
        assert_int_equal(scripts[i].last, FOLDER_GAME_OVER);
        assert_string_equal(line, end);
    }
}

/* Gives each player the squares of a board without a five, the larger half to `larger`. */
static void deal_tie(int squares[2][FOLDER_SQUARES + 1], int counts[2], int larger) {
    for (int square = 0; square < FOLDER_SQUARES; square++) {
        int player = tie_pattern(square) ? larger : 1 - larger;
        squares[player][counts[player]++] = square;
    }
}

static void test_tie(void **state) {
    (void)state;
    int squares[2][FOLDER_SQUARES + 1];
    int counts[2] = {0, 0};
    deal_tie(squares, counts, 0);
    assert_int_equal(counts[0], 113);
    struct folder_game game;
    struct folder_verdict verdict;
    play_scripts(squares[0], counts[0], squares[1], counts[1], false, &game, &verdict);
    assert_int_equal(game.count, 225);
    assert_int_equal(game.state, FOLDER_TIE);
    assert_int_equal(verdict.winner, -1);
    char end[2 * FOLDER_MOST_LINE];
    folder_end_text(teams, &verdict, end);
    assert_string_equal(end, "END: TIE! board full!\n");
}

/* With the stone taken over, 226 moves: Bob owns Ann's first stone and one more of that colour. */
static void test_tie_after_swap(void **state) {
    (void)state;
    int squares[2][FOLDER_SQUARES + 1];
    int counts[2] = {1, 0};
    deal_tie(squares, counts, 1);
    squares[0][0] = squares[1][0];
    struct folder_game game;
    struct folder_verdict verdict;
    play_scripts(squares[0], counts[0], squares[1], counts[1], true, &game, &verdict);
    assert_int_equal(game.count, 226);
    assert_true(game.swapped);
    assert_int_equal(game.state, FOLDER_TIE);
}

static void test_win_and_record(void **state) {
    (void)state;
    int first[6] = {square_of("O15"), square_of("A1"), square_of("A2"),
                    square_of("C1"),  square_of("A4"), square_of("A5")};
    int second[6] = {square_of("O15"), square_of("N14"), square_of("M13"), square_of("L12"), square_of("K11")};
    struct folder_game game;
    struct folder_verdict verdict;
    play_scripts(first, 6, second, 5, false, &game, &verdict);
    assert_int_equal(verdict.winner, 1);
    struct text text = TEXT_EMPTY;
    folder_history_text(teams, &game, &text);
    assert_string_equal(text_string(&text), "Ann o 15\nbob o 15\nAnn a 1\nbob n 14\nAnn a 2\nbob m 13\nAnn c 1\n"
                                            "bob l 12\nAnn a 4\nbob k 11\n");
    char stored[FOLDER_MOST_MOVES * 12];
    size_t length;
    struct folder folder;
    assert_int_equal(folder_open(&folder, path, false, NULL), STATUS_OK);
    assert_true(folder_read(&folder, FOLDER_HISTORY_FILE, stored, sizeof stored, &length));
    assert_string_equal(stored, text_string(&text));
    assert_true(folder_read(&folder, FOLDER_END_FILE, stored, sizeof stored, &length));
    assert_string_equal(stored, "END: bob WINS!  Ann LOSES!  5 in a row!\n");
    folder_close(&folder);
    text_free(&text);
    folder_sgf_text(teams, &game, &verdict, &text);
    assert_non_null(strstr(text_string(&text), "PW[Ann]PB[bob]"));
    assert_non_null(strstr(text_string(&text), "RE[B+]"));
    assert_non_null(strstr(text_string(&text), ";W[oo];AB[oo]C[takes the stone over]PL[W];W[aa];B[nn];W[ab];B[mm]"));
    text_free(&text);
}

/* A player that answers every move of the referee's (whose letters are small) at once, with or without a .go. */
static void *answer_at_once(void *argument) {
    struct script *script = argument;
    struct folder folder;
    struct error error;
    char bytes[FOLDER_MOST_LINE];
    size_t length;
    if (folder_open(&folder, script->path, true, &error) != STATUS_OK) {
        return NULL;
    }
    for (int i = 0; i < script->count;) {
        folder_read(&folder, FOLDER_END_FILE, bytes, sizeof bytes, &length);
        if (length > 0) {
            break;
        }
        folder_read(&folder, FOLDER_MOVE_FILE, bytes, sizeof bytes, &length);
        if (strncmp(bytes, "Ann ", 4) == 0 && islower((unsigned char)bytes[4])) {
            folder_move_text(script->team, script->squares[i++], false, bytes);
            folder_put(&folder, FOLDER_MOVE_FILE, bytes, &error);
        }
    }
    folder_close(&folder);
    return NULL;
}

/* Answers that are there before their .go, at times before the referee has looked at its own file, are seen all the
 * same. */
static void test_answers_at_once(void **state) {
    (void)state;
    int squares[2][FOLDER_SQUARES + 1];
    int counts[2] = {0, 0};
    deal_tie(squares, counts, 0);
    struct script scripts[2] = {{.path = path, .team = teams[0], .squares = squares[0], .count = counts[0]},
                                {.path = path, .team = teams[1], .squares = squares[1], .count = counts[1]}};
    struct folder_game game;
    struct folder_verdict verdict;
    run_scripts(scripts, answer_at_once, &game, &verdict);
    assert_string_equal(verdict.reason, "board full!");
    assert_int_equal(game.state, FOLDER_TIE);
}

/* A referee that begins: the empty move_file, then the first .go. */
static void *begin_game(void *argument) {
    struct folder folder;
    struct error error;
    (void)argument;
    if (folder_open(&folder, path, true, &error) == STATUS_OK) {
        folder_put(&folder, FOLDER_MOVE_FILE, "", &error);
        folder_put(&folder, "Ann.go", "go!\n", &error);
        folder_close(&folder);
    }
    return NULL;
}

/* A program that starts while its referee does never takes its first .go for a leftover. */
static void test_starting_together(void **state) {
    (void)state;
    struct folder folder;
    struct error error;
    assert_int_equal(folder_open(&folder, path, true, &error), STATUS_OK);
    for (int i = 0; i < 500; i++) {
        pthread_t referee;
        assert_int_equal(pthread_create(&referee, NULL, begin_game, NULL), 0);
        for (struct folder_agent agent = {.old_go.exists = true}; !agent.last_move_file.exists;) {
            agent = (struct folder_agent){.folder = &folder, .team = "Ann", .limit = 30};
            folder_agent_start(&agent, FOLDER_RIGHT_RULES);
            assert_false(agent.old_go.exists);
        }
        pthread_join(referee, NULL);
        folder_remove(&folder, "Ann.go");
        folder_remove(&folder, FOLDER_MOVE_FILE);
    }
    folder_close(&folder);
}

/* What lies in the folder from an earlier game is not taken for a turn; a new game is. */
static void test_leftovers(void **state) {
    (void)state;
    struct folder folder;
    struct error error;
    char text[FOLDER_MOST_LINE];
    assert_int_equal(folder_open(&folder, path, false, &error), STATUS_OK);
    folder_put(&folder, FOLDER_MOVE_FILE, "bob h 8\n", &error);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    folder_put(&folder, FOLDER_END_FILE, "END: Ann WINS!  bob LOSES!  old\n", &error);
    folder_put(&folder, "Ann.go", "go!\n", &error);
    atomic_bool stop = false;
    struct folder_agent agent = {.folder = &folder, .team = "Ann", .limit = 0.5, .wait = 0.2, .patience = 0.2};
    folder_agent_start(&agent, FOLDER_RIGHT_RULES);
    assert_int_equal(folder_agent_wait(&agent, -1, &stop, text), FOLDER_SILENCE);
    /* The course's referee begins: it empties move_file and leaves the rest. */
    folder_put(&folder, FOLDER_MOVE_FILE, "", &error);
    assert_int_equal(folder_agent_wait(&agent, -1, &stop, text), FOLDER_SILENCE);
    folder_put(&folder, FOLDER_MOVE_FILE, "bob g 7\n", &error);
    assert_int_equal(folder_agent_wait(&agent, -1, &stop, text), FOLDER_SILENCE);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    folder_put(&folder, "Ann.go", "go!\n", &error);
    assert_int_equal(folder_agent_wait(&agent, -1, &stop, text), FOLDER_OUR_TURN);
    assert_int_equal(agent.player, 1);
    assert_int_equal(agent.game.count, 1);
    assert_int_equal(agent.game.squares[0], square_of("G7"));
    folder_put(&folder, FOLDER_END_FILE, "END: bob WINS!  Ann LOSES!  new\n", &error);
    assert_int_equal(folder_agent_wait(&agent, -1, &stop, text), FOLDER_GAME_OVER);
    assert_string_equal(text, "END: bob WINS!  Ann LOSES!  new");
    folder_close(&folder);
}

/* Started after the referee, with its turn under way. */
static void test_late_start(void **state) {
    (void)state;
    struct folder folder;
    struct error error;
    char text[FOLDER_MOST_LINE];
    assert_int_equal(folder_open(&folder, path, false, &error), STATUS_OK);
    folder_put(&folder, FOLDER_MOVE_FILE, "", &error);
    folder_put(&folder, "Ann.go", "go!\n", &error);
    atomic_bool stop = false;
    struct folder_agent agent = {.folder = &folder, .team = "Ann", .limit = 0.5, .wait = 0.2, .patience = 0.2};
    folder_agent_start(&agent, FOLDER_RIGHT_RULES);
    assert_int_equal(folder_agent_wait(&agent, -1, &stop, text), FOLDER_OUR_TURN);
    assert_int_equal(agent.player, 0);
    folder_close(&folder);
}

/* The other move cannot be found out: first what was seen before the turn, then a guess, are played for it. */
static void test_blind(void **state) {
    (void)state;
    struct folder folder;
    struct error error;
    char text[FOLDER_MOST_LINE];
    atomic_bool stop = false;
    assert_int_equal(folder_open(&folder, path, false, &error), STATUS_OK);
    struct folder_agent agent = {.folder = &folder, .team = "Ann", .limit = 0.5, .wait = 0.1, .patience = 0.1};
    folder_agent_start(&agent, FOLDER_RIGHT_RULES);
    folder_put(&folder, FOLDER_MOVE_FILE, "", &error);
    folder_put(&folder, "Ann.go", "go!\n", &error);
    assert_int_equal(folder_agent_wait(&agent, -1, &stop, text), FOLDER_OUR_TURN);
    assert_int_equal(folder_agent_move(&agent, square_of("H8"), &error), STATUS_OK);
    folder_put(&folder, FOLDER_MOVE_FILE, "", &error);
    /* Nothing was seen: the expected move is played, and gives way to a real one on its square later. */
    agent.patience = 5;
    assert_int_equal(folder_agent_wait(&agent, square_of("J9"), &stop, text), FOLDER_OUR_TURN);
    assert_int_equal(agent.game.squares[1], square_of("J9"));
    assert_int_equal(folder_agent_move(&agent, square_of("H9"), &error), STATUS_OK);
    folder_put(&folder, FOLDER_MOVE_FILE, "bob j 9\n", &error);
    assert_int_equal(folder_agent_wait(&agent, -1, &stop, text), FOLDER_OUR_TURN);
    assert_int_equal(agent.game.count, 4);
    assert_int_equal(agent.game.squares[3], square_of("J9"));
    assert_true(agent.game.squares[1] != square_of("J9"));
    folder_close(&folder);
}

static void test_bad_folders(void **state) {
    (void)state;
    struct folder folder;
    struct error error = {0};
    assert_int_equal(folder_open(&folder, "/nowhere/at/all", false, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "expected a folder"));
    assert_int_equal(folder_open(&folder, "/dev/null", false, &error), STATUS_BAD_INPUT);
    assert_int_equal(folder_open(&folder, "/proc/self", false, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "cannot be written"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_team_names),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_every_five_wins),
        cmocka_unit_test(test_rows_that_are_none),
        cmocka_unit_test_setup_teardown(test_tie, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_tie_after_swap, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_win_and_record, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_answers_at_once, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_starting_together, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_leftovers, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_late_start, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_blind, make_folder, remove_folder),
        cmocka_unit_test(test_bad_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
