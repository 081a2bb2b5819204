#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "system/file.h"

static int run(const struct cli_command *command, int argc, char **argv) {
    const char *input = "input.txt";
    const char *output = NULL;
    struct cli_source source = {0};
    bool svg = false;
    bool text_form = false;
    bool sgf = false;
    const struct cli_option table[] = {
        {"svg", 0, CLI_FLAG, &svg, NULL, "draw an SVG picture", 0, 0},
        {"text", 0, CLI_FLAG, &text_form, NULL, "print the position in sortie's own text", 0, 0},
        {"sgf", 0, CLI_FLAG, &sgf, NULL, "print the game as SGF (Gomoku)", 0, 0},
        {"output", 'o', CLI_STRING, &output, "FILE", "write to FILE instead of standard output", 0, 0},
        CLI_SOURCE_OPTIONS(source),
        {0},
    };
    int exit_status;
    if (!cli_parse_file(command, table, argc, argv, &input, &exit_status)) {
        return exit_status;
    }
    sortie_position *position = NULL;
    exit_status = cli_read_position(input, &source, &position);
    if (exit_status != 0) {
        return exit_status;
    }
    char *text = NULL;
    if (sgf && sortie_position_sgf(position, &text, NULL) == SORTIE_BAD_INPUT) {
        sortie_position_free(position);
        return cli_usage("show: --sgf is for games of Gomoku");
    }
    if (!sgf) {
        bool colour = !output && isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
        text = svg         ? sortie_position_svg(position)
               : text_form ? sortie_position_text(position)
                           : sortie_position_drawing(position, colour);
    }
    sortie_position_free(position);
    struct error error = {0};
    enum status status = text ? STATUS_OK : error_machine(&error, "out of memory");
    if (status == STATUS_OK && output) {
        status = file_write(output, text, strlen(text), &error);
    } else if (status == STATUS_OK) {
        fputs(text, stdout);
    }
    sortie_free(text);
    return status == STATUS_OK ? 0 : cli_fail(output, &error, status);
}

const struct cli_command cli_show = {
    .name = "show",
    .summary = "draw a position in the terminal or as SVG",
    .usage = "[FILE] [--svg | --text | --sgf] [-o FILE]",
    .details = "Draws the position of a course file (default input.txt), in colour where standard output is a\n"
               "terminal. Every piece is shown with the value of its square.\n",
    .example = "  printf '2\\nMINIMAX\\nX\\n2\\n3 1\\n2 5\\n..\\n.O\\n' | sortie show -\n",
    .run = run,
};
