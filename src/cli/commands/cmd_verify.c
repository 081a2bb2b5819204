#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "prove/verify.h"

/* Shows how far the check is; false once Ctrl-C was pressed. */
static bool report_progress(uint64_t bytes, uint64_t steps) {
    if (cli_shows_progress()) {
        char line[80];
        snprintf(line, sizeof line, "%.1f MB read, %.1f million positions", (double)bytes / 1e6, (double)steps / 1e6);
        cli_progress(line);
    }
    return !cli_interrupted();
}

int cli_verify_file(const char *file, bool naive) {
    FILE *in = file ? fopen(file, "rb") : stdin;
    if (!in) {
        return cli_usage("%s: %s", file, strerror(errno));
    }
    char name[300];
    snprintf(name, sizeof name, "sortie: %s", file ? file : "standard input");
    int outcome = verify_stream(in, name, naive, report_progress, stdout, stderr);
    if (cli_shows_progress()) {
        cli_progress(NULL);
    }
    if (outcome == 0 && ferror(in)) { /* there may be more certificates behind what could be read */
        outcome = cli_usage("%s: cannot be read to its end", file ? file : "standard input");
    }
    if (in != stdin) {
        fclose(in);
    }
    return cli_interrupted() ? CLI_INTERRUPTED : outcome;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    bool naive = false;
    const struct cli_option table[] = {
        {"naive", 0, CLI_FLAG, &naive, NULL, "play every default through against every stone: the same answer, later",
         0, 0},
        {0},
    };
    int operands;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (operands == 0) {
        return cli_usage("verify: expected a certificate; see sortie verify --help");
    }
    for (int i = 0; i < operands && exit_status == 0; i++) {
        exit_status = cli_verify_file(strcmp(argv[i], "-") == 0 ? NULL : argv[i], naive);
    }
    return exit_status;
}

const struct cli_command cli_verify = {
    .name = "verify",
    .summary = "check a proof, trusting nothing but the rules",
    .usage = "CERTIFICATE...",
    .details =
        "Checks every step of a certificate and prints what it proves. The checker has its own rules and none of\n"
        "the engine's code: src/prove/verify.c is all there is to trust, and sortie-verify is that file alone.\n"
        "Exits with 0 when everything is proved, with 1 when a step does not hold, with 2 when the file cannot be\n"
        "read or is no certificate.\n",
    .example =
        "  printf 'sortie proof 1\\ngame gomoku freestyle 5\\nmove X\\nclaim X wins 0\\n' >win.proof\n"
        "  printf 'XXXX.\\nOOO..\\n.....\\n.....\\n.....\\n\\4\\171\\172\\217\\213\\272\\360\\175\\362' >>win.proof\n"
        "  sortie verify win.proof\n",
    .run = run,
};
