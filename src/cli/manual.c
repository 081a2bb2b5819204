/* The help pages in other clothes: as manual pages, and as words for the shells' completion. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* Prints text as roff takes it literally. */
static void put(const char *text) {
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\'')) {
            printf("\\&");
        }
        if (*text == '\\') {
            printf("\\e");
        } else if (*text == '-') {
            printf("\\-");
        } else {
            putchar(*text);
        }
        line_start = *text == '\n';
    }
}

static void put_header(const char *name, const char *summary) {
    printf(".TH ");
    for (const char *c = name; *c; c++) {
        putchar(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    }
    printf(" 6 \"\" \"sortie %s\" \"Games\"\n.SH NAME\n", SORTIE_VERSION);
    put(name);
    printf(" \\- ");
    put(summary);
    printf("\n");
}

static void put_status(void) {
    printf(".SH EXIT STATUS\n0 for an answer, 2 for bad usage or bad input, 1 for a failure of the machine.\n");
}

void cli_print_manual(const struct cli_command *command, const struct cli_option *options) {
    char name[64];
    snprintf(name, sizeof name, "sortie-%s", command->name);
    put_header(name, command->summary);
    printf(".SH SYNOPSIS\n.B sortie %s\n", command->name);
    put(command->usage);
    printf("\n.SH DESCRIPTION\n");
    put(command->details);
    printf(".SH OPTIONS\n");
    for (const struct cli_option *option = options; option->name; option++) {
        printf(".TP\n\\fB");
        if (option->letter) {
            printf("\\-%c\\fR, \\fB", option->letter);
        }
        printf("\\-\\-");
        put(option->name);
        printf("\\fR%s%s\n", option->argument ? " " : "", option->argument ? option->argument : "");
        put(option->help);
        printf("\n");
    }
    printf(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nshow the page of the command\n");
    put_status();
    if (command->example) {
        printf(".SH EXAMPLE\n.EX\n");
        put(command->example);
        printf(".EE\n");
    }
    printf(".SH SEE ALSO\n.BR sortie (6)\n");
}

void cli_print_manual_overview(const struct cli_command *const *commands) {
    put_header("sortie", "play and solve adversarial board games");
    printf(
        ".SH SYNOPSIS\n.B sortie\n.I COMMAND\n.RI [ OPTIONS ]\n.br\n.B sortie\\-course\n.br\n.B sortie\\-laser\n.br\n"
        ".B sortie\\-task \\-i\n.I FILE\n.br\n.B pbrain\\-sortie\n.SH DESCRIPTION\n.B sortie\nplays and solves ");
    cli_print_titles(stdout);
    printf(
        ". It answers the course files of\nthese "
        "games "
        "byte for byte, finds exact values, and plays matches.\n.PP\n.B sortie\\-course\ntakes no arguments: it reads\n"
        ".I input.txt\nin the current folder and writes\n.IR output.txt .\n.B sortie\\-laser\ndoes the same for Laser "
        "Checkmate alone.\n.B sortie\\-task\nis called with\n.B \\-i\nand writes\n.IR next_state.txt ,\n"
        ".I traverse_log.txt\nand\n.I trace_state.txt\ninto the current folder.\n.B pbrain\\-sortie\nplays Gomoku for "
        "a "
        "Gomocup manager.\n.SH COMMANDS\n");
    for (int i = 0; commands[i]; i++) {
        printf(".TP\n.BR sortie\\-%s (6)\n", commands[i]->name);
        put(commands[i]->summary);
        printf("\n");
    }
    put_status();
    printf(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours on a terminal\n.TP\n.B SORTIE_LEVEL\nuse no more of the "
           "processor "
           "than this: plain, popcnt, avx2 or avx512\n");
}

void cli_print_words(const struct cli_option *options) {
    for (const struct cli_option *option = options; option->name; option++) {
        printf("--%s\t%s\n", option->name, option->help);
    }
    printf("--help\tshow the page of the command\n");
}
