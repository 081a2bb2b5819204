/* pbrain-sortie: the Gomoku engine for a Gomocup manager; needs no arguments. */
#include <stdio.h>
#include <unistd.h>

#include "cli/analysis/board.h"
#include "system/standard.h"

static void print_line(void *user, const char *line) {
    (void)user;
    fputs(line, stdout);
    fputc('\n', stdout);
    fflush(stdout);
}

int main(void) {
    standard_begin();
    struct gomocup_options options = {.answer = print_line};
    board_lend(&options);
    return standard_end(gomocup_loop(&options, STDIN_FILENO));
}
