/* A bot in fifty lines: plays any of sortie's games against whoever types moves.
 *
 *     cc bot.c $(pkg-config --cflags --libs sortie) -o bot
 *     ./bot gomoku 0.5        # you move first; half a second a move for the bot
 *
 * Each line on standard input is a move in the game's notation; the answer is the bot's move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sortie/sortie.h>

static int fail(const sortie_error *error) {
    fprintf(stderr, "bot: %s\n", error->text);
    return 1;
}

/* Thinks, plays and prints the bot's move. */
static sortie_status answer(sortie_engine *engine, sortie_position *position, double seconds, sortie_error *error) {
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    sortie_result result = SORTIE_INIT(sortie_result);
    limits.method = SORTIE_ENGINE;
    limits.wall_seconds = seconds;
    sortie_status status = sortie_engine_go(engine, position, &limits, &result, error);
    if (status == SORTIE_OK) {
        printf("%s\n", result.move);
        fflush(stdout);
        status = sortie_position_play(position, result.move, error);
    }
    return status;
}

int main(int argc, char **argv) {
    sortie_error error = {0};
    sortie_position *position;
    sortie_engine *engine;
    double seconds = argc > 2 ? atof(argv[2]) : 1;
    if (sortie_position_start(argc > 1 ? argv[1] : "gomoku", NULL, &position, &error) != SORTIE_OK ||
        sortie_engine_new(NULL, &engine, &error) != SORTIE_OK) {
        return fail(&error);
    }
    char line[64];
    while (!sortie_position_is_over(position) && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (sortie_position_play(position, line, &error) != SORTIE_OK) {
            fprintf(stderr, "bot: %s\n", error.text); /* an illegal move: ask again */
            continue;
        }
        if (!sortie_position_is_over(position) && answer(engine, position, seconds, &error) != SORTIE_OK) {
            return fail(&error);
        }
    }
    char *caption = sortie_position_caption(position);
    printf("%s\n", caption ? caption : "");
    sortie_free(caption);
    sortie_engine_free(engine);
    sortie_position_free(position);
    return 0;
}
