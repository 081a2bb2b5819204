/* A program that speaks the language of its user, named by the argument: prints what the library makes of some texts.
 */
#include <locale.h>
#include <sortie/sortie.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_and_free(const char *name, char *text) {
    printf("%s:\n%s\n", name, text ? text : "out of memory");
    sortie_free(text);
}

static void answer_course(sortie_engine *engine, const char *file) {
    sortie_course *course = NULL;
    sortie_error error = {0};
    if (sortie_course_parse(file, strlen(file), NULL, &course, &error) != SORTIE_OK) {
        printf("refused, line %d, column %d: %s\n", error.line, error.column, error.text);
        return;
    }
    sortie_course_info info = SORTIE_INIT(sortie_course_info);
    sortie_course_about(course, &info, &error);
    printf("%s, %d thousandths of a second\n", info.format, (int)(1000 * info.cpu_seconds_left));
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = SORTIE_ENGINE;
    limits.depth = 3;
    sortie_course_orders orders = SORTIE_INIT(sortie_course_orders);
    orders.limits = &limits;
    char *answer = NULL;
    if (sortie_course_answer(course, engine, &orders, &answer, NULL, &error) == SORTIE_OK) {
        print_and_free("answer", answer);
    }
    sortie_course_free(course);
}

static void look_at(sortie_engine *engine, const char *text) {
    sortie_position *position = NULL;
    sortie_error error = {0};
    if (sortie_position_parse(text, strlen(text), &position, &error) != SORTIE_OK) {
        printf("refused: %s\n", error.text);
        return;
    }
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = SORTIE_ENGINE;
    limits.nodes = 20000;
    sortie_result result = SORTIE_INIT(sortie_result);
    if (sortie_engine_go(engine, position, &limits, &result, &error) == SORTIE_OK) {
        printf("%s %d\n", result.move, result.value);
    }
    print_and_free("counters", sortie_engine_counters(engine));
    print_and_free("picture", sortie_position_svg(position));
    print_and_free("caption", sortie_position_caption(position));
    char *record = NULL;
    if (sortie_position_sgf(position, &record, &error) == SORTIE_OK) {
        print_and_free("record", record);
    }
    sortie_position_free(position);
}

int main(int argc, char **argv) {
    char half[8];
    if (argc != 3 || !setlocale(LC_ALL, argv[1]) || snprintf(half, sizeof half, "%.1f", 0.5) != 3 ||
        half[1] != argv[2][0]) {
        fprintf(stderr, "expected a locale and its decimal separator\n");
        return 2;
    }
    sortie_engine *engine = NULL;
    if (sortie_engine_new(NULL, &engine, NULL) != SORTIE_OK) {
        return 1;
    }
#define BOARD "12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n"
    answer_course(engine, "3\nCOMPETITION\nX\n10.5\n" BOARD);
    answer_course(engine, "3\nCOMPETITION\nX\n1.25e1\n" BOARD);
    answer_course(engine, "3\nCOMPETITION\nX\n10,5\n" BOARD);
    look_at(engine, "gomoku freestyle 15\nH8 H9 I9 G7\n");
    look_at(engine, "(;GM[4]FF[4]SZ[15]KM[6.5];B[hh];W[hi];B[ii])");
    look_at(engine, "war stake 3 X\n1 2 3\n4 5 6\n7 8 9\n...\n...\n...\n");
    sortie_engine_free(engine);
    return 0;
}
