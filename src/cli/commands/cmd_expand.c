#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "prove/core/unfold.h"
#include "system/file.h"

#define MOST_CORE ((size_t)256 << 20)

static void show_progress(void *user, uint64_t bytes) {
    (void)user;
    if (cli_shows_progress()) {
        char line[60];
        snprintf(line, sizeof line, "%.1f MB of the certificate", (double)bytes / 1e6);
        cli_progress(line);
    }
}

/* Makes the certificate of a core and writes it; the exit status. */
static int expand(const char *file, const char *output) {
    char *bytes = NULL;
    size_t length = 0;
    struct error error = {0};
    struct file_out out = {0};
    enum status status = file_read(file, MOST_CORE, &bytes, &length, &error);
    if (status != STATUS_OK) {
        return cli_fail(file, &error, status);
    }
    out.stream = stdout;
    status = output ? file_out_open(&out, output, &error) : STATUS_OK;
    if (status != STATUS_OK) {
        free(bytes);
        return cli_fail(output, &error, status);
    }
    struct unfold result = {.stream = out.stream, .stop = &cli_control()->stop, .progress = show_progress};
    status = unfold_core(bytes, length, &result, &error);
    if (cli_shows_progress()) {
        cli_progress(NULL);
    }
    free(bytes);
    if (status != STATUS_OK) {
        if (output) {
            file_out_abandon(&out);
        }
        return cli_interrupted() ? CLI_INTERRUPTED : cli_fail(file, &error, status);
    }
    status = output ? file_out_commit(&out, &error) : STATUS_OK;
    return status == STATUS_OK ? 0 : cli_fail(output, &error, status);
}

static int run(const struct cli_command *command, int argc, char **argv) {
    const char *output = NULL;
    const char *file = NULL;
    const struct cli_option table[] = {
        {"output", 'o', CLI_STRING, &output, "FILE", "write the certificate there (default: standard output)", 0, 0},
        {0},
    };
    int exit_status;
    if (!cli_parse_file(command, table, argc, argv, &file, &exit_status)) {
        return exit_status;
    }
    return file ? expand(file, output) : cli_usage("expand: expected a core; see sortie expand --help");
}

const struct cli_command cli_expand = {
    .name = "expand",
    .summary = "make the certificate of a proof out of its core",
    .usage = "CORE [-o CERTIFICATE]",
    .details =
        "A core has only the moves of a proof that are hard to find. This finds the others again and writes the\n"
        "whole certificate, which is the same on every machine, as it is made: a few MB of memory are enough.\n"
        "Nothing here has to be trusted: give the certificate to 'sortie verify'. Cores are made by 'sortie prove'\n"
        "(--core CERTIFICATE, and --map).\n"
        "Exits with 0 when the certificate is the one that the core names, with 2 when it is no core.\n",
    .example = "  xz -dc proofs/first-player.core.xz | sortie expand - | sortie verify -\n",
    .run = run,
};
