/* The front page and the way to a subcommand. Apart from cli.c, so that a program that is one door only is
 * linked without all the others. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static void print_overview(FILE *stream) {
    fprintf(stream, "sortie %s plays and solves ", SORTIE_VERSION);
    cli_print_titles(stream);
    fprintf(stream, ".\n\n");
    fprintf(stream, "usage: sortie COMMAND [OPTIONS]\n\nCommands:\n");
    for (int i = 0; cli_commands[i]; i++) {
        fprintf(stream, "  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    }
    fprintf(stream, "  %-10s %s\n", "help", "show this page, or the page of one command");
    fprintf(stream, "\n'sortie COMMAND --help' explains a command; 'sortie --version' names the version.\n");
}

/* The commands as words for a shell's completion. */
static void print_words(void) {
    for (int i = 0; cli_commands[i]; i++) {
        printf("%s\t%s\n", cli_commands[i]->name, cli_commands[i]->summary);
    }
    printf("help\tshow the list of commands, or the page of one\n");
}

static const struct cli_command *find_command(const char *name) {
    for (int i = 0; cli_commands[i]; i++) {
        if (strcmp(cli_commands[i]->name, name) == 0) {
            return cli_commands[i];
        }
    }
    return NULL;
}

int cli_main(int argc, char **argv) {
    if (argc < 2) {
        print_overview(stderr);
        return STATUS_BAD_INPUT;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        printf("sortie %s\n", SORTIE_VERSION);
        return 0;
    }
    bool help = strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    if (help && argc == 2) {
        print_overview(stdout);
        return 0;
    }
    if (help && strcmp(argv[2], "--manual") == 0) {
        cli_print_manual_overview(cli_commands);
        return 0;
    }
    if (help && strcmp(argv[2], "--words") == 0) {
        print_words();
        return 0;
    }
    const struct cli_command *command = find_command(help ? argv[2] : name);
    if (!command) {
        return cli_usage("expected a command, found '%s'; 'sortie help' lists them", help ? argv[2] : name);
    }
    if (help) {
        char help_option[] = "--help";
        char *arguments[] = {argv[2], help_option, NULL};
        return command->run(command, 2, arguments);
    }
    int exit_status = command->run(command, argc - 1, argv + 1);
    /* a helper that fails ends the job, perhaps before the first process has said why */
    return cli_left_to_first() ? 0 : exit_status;
}
