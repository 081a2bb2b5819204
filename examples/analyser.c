/* An analyser: the best moves of a position of any game, with their lines.
 *
 *     cc analyser.c $(pkg-config --cflags --libs sortie) -o analyser
 *     ./analyser position.txt 3 2.0        # three lines, two seconds
 *
 * The file is a course's input file, a position in sortie's own text or a game record. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sortie/sortie.h>

#define MOST_LINES 10

static int fail(const char *file, const sortie_error *error) {
    if (error->line > 0) {
        fprintf(stderr, "analyser: %s:%d:%d: %s\n", file, error->line, error->column, error->text);
    } else {
        fprintf(stderr, "analyser: %s: %s\n", file, error->text);
    }
    return 2;
}

static void print_line(const sortie_result *line) {
    printf("%-10s %6d%s  depth %2d  ", line->move, line->value,
           line->proved && line->lower == line->upper ? " exact" : "      ", line->depth);
    for (int i = 0; i < line->line_length; i++) {
        printf("%s%s", i ? ", " : "", line->line_moves[i]);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    static char bytes[1 << 20];
    static sortie_result lines[MOST_LINES];
    const char *file = argc > 1 ? argv[1] : "input.txt";
    FILE *stream = fopen(file, "rb");
    size_t length = stream ? fread(bytes, 1, sizeof bytes, stream) : 0;
    if (!stream || ferror(stream)) {
        fprintf(stderr, "analyser: %s: %s\n", file, strerror(errno));
        return 2;
    }
    fclose(stream);
    sortie_error error = {0};
    sortie_position *position;
    if (sortie_position_parse(bytes, length, &position, &error) != SORTIE_OK) {
        return fail(file, &error);
    }
    sortie_engine_options options = SORTIE_INIT(sortie_engine_options);
    options.threads = SORTIE_ALL_CORES;
    options.hash_bytes = SORTIE_SHARE_OF_MEMORY;
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = SORTIE_ENGINE;
    limits.multi_pv = argc > 2 ? atoi(argv[2]) : 3;
    limits.wall_seconds = argc > 3 ? atof(argv[3]) : 1;
    lines[0].size = sizeof lines[0];
    sortie_engine *engine;
    int count;
    if (sortie_engine_new(&options, &engine, &error) != SORTIE_OK ||
        sortie_engine_analyze(engine, position, &limits, lines, MOST_LINES, &count, &error) != SORTIE_OK) {
        return fail(file, &error);
    }
    for (int i = 0; i < count; i++) {
        print_line(&lines[i]);
    }
    sortie_engine_free(engine);
    sortie_position_free(position);
    return 0;
}
