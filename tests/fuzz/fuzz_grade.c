/* What grading reads from teachers and students: tables, games, Python sources, archives. The first byte chooses. */
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "grade/find/grade_source.h"
#include "grade/find/grade_unpack.h"
#include "grade/find/grade_wish.h"
#include "grade/games/grade_game_page.h"
#include "grade/games/grade_values.h"
#include "grade/grade.h"
#include "grade/grade_lms.h"

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
    bool well = one.visibility < GRADE_VISIBILITIES && one.group >= 0 && one.group <= grade.group_count;
    for (int i = 0; i < grade.group_count; i++) {
        well = well && grade.groups[i].bonus >= 0 && grade.groups[i].cap >= 0;
    }
    if (!well) {
        abort();
    }
    free(grade.groups);
    grade_read_late(&grade, bytes, length, ignore_unknown, NULL, &error);
    grade_read_overrides(&grade, bytes, length, ignore_unknown, NULL, &error);
    struct text names = TEXT_EMPTY;
    struct text people = TEXT_EMPTY;
    grade_lms_submitters(bytes, length, "submission_1", &names, &people);
    text_free(&names);
    text_free(&people);
    if (!(one.points >= 0) || !(submission.late_days >= 0)) {
        abort();
    }
}

/* A case's game, and what a results file says of games; where that is believed, it earns what it can at most. */
static void read_game(const char *bytes, size_t length) {
    static const char input[] = "3\n000\n030\n000\n";
    static const char stake[] = "2\nMINIMAX\nX\n1\n1 2\n3 4\n..\n..\n";
    struct course_request request;
    struct grade_game game;
    struct error error;
    bool laser = length % 2;
    if (course_parse(laser ? input : stake, laser ? sizeof input - 1 : sizeof stake - 1, NULL, &request, &error) !=
        STATUS_OK) {
        abort();
    }
    struct text facts = TEXT_EMPTY;
    text_add(&facts, bytes, length);
    bool read = grade_game_read(&game, &request, bytes, length, &error) == STATUS_OK;
    if (read && (game.games < 1 || !game.opponent.kind)) {
        abort();
    }
    if (!read) {
        game = (struct grade_game){.games = 1, .win = 100};
    }
    double share = grade_facts_share(&game, text_string(&facts));
    if (grade_facts_fit(&game, text_string(&facts)) && !(share >= 0 && share <= 1 + 1e-9)) {
        abort();
    }
    struct grade_values values;
    if (grade_values_read(&values, &request, bytes, length, &error) == STATUS_OK) {
        share = grade_values_share(&values, values.items[values.count - 1].value);
        if (values.count < 1 || !(share >= 0 && share <= 1)) {
            abort();
        }
        grade_values_free(&values);
    }
    struct text page = TEXT_EMPTY;
    grade_game_page_add(&game, &request, text_string(&facts), true, &page);
    grade_facts_list(&game, text_string(&facts), &page);
    text_free(&page);
    text_free(&facts);
    course_request_free(&request);
}

static void read_python(const char *bytes, size_t length) {
    struct grade_python_facts facts = {0};
    grade_python_read(bytes, length, &facts);
    text_free(&facts.imports);
}

/* Sources of C and Java, and what a folder says about itself; a copy, because comments are blanked in place. */
static void read_sources(const char *bytes, size_t length) {
    struct grade_source sources[2] = {{0}, {0}};
    struct grade_wish wish = {0};
    struct error error;
    for (int i = 0; i < 2; i++) {
        char *copy = malloc(length + 1);
        if (!copy) {
            abort();
        }
        for (size_t k = 0; k < length; k++) {
            copy[k] = bytes[k] ? bytes[k] : ' ';
        }
        copy[length] = '\0';
        if (i == 0) {
            grade_source_c(copy, length, &sources[i]);
        } else {
            grade_source_java(copy, length, "a/Game.java", &sources[i]);
        }
        grade_source_free(&sources[i]);
        free(copy);
    }
    if (grade_wish_read(bytes, length, &wish, &error) == STATUS_OK && (wish.seconds != 0 || wish.excused)) {
        abort();
    }
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
        switch (data[0] % 5) {
        case 0:
            read_tables(bytes, size - 1);
            break;
        case 1:
            read_python(bytes, size - 1);
            break;
        case 2:
            read_sources(bytes, size - 1);
            break;
        case 3:
            read_game(bytes, size - 1);
            break;
        default:
            read_archive(bytes, size - 1);
            break;
        }
    }
    return 0;
}
