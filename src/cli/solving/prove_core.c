#include "cli/solving/prove_core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "prove/core/convert.h"
#include "system/file.h"

#define MOST_CERTIFICATE ((size_t)4 << 30)
#define MOST_CORE ((size_t)64 << 20)

static void show_progress(void *user, uint64_t bytes) {
    (void)user;
    if (cli_shows_progress()) {
        char line[60];
        snprintf(line, sizeof line, "%.1f MB of the certificate", (double)bytes / 1e6);
        cli_progress(line);
    }
}

int prove_core(const char *certificate, const char *output) {
    char *bytes = NULL;
    size_t length = 0;
    struct error error = {0};
    struct text core = TEXT_EMPTY;
    struct unfold result;
    if (!output) {
        return cli_usage("prove: --core needs --output");
    }
    enum status status = file_check(output, &error);
    if (status != STATUS_OK) {
        return cli_fail(output, &error, status);
    }
    status = file_read(certificate, MOST_CERTIFICATE, &bytes, &length, &error);
    if (status == STATUS_OK) {
        status = core_convert((const uint8_t *)bytes, length, &cli_control()->stop, show_progress, NULL, &core, &result,
                              &error);
    }
    if (cli_shows_progress()) {
        cli_progress(NULL);
    }
    free(bytes);
    if (status != STATUS_OK) {
        text_free(&core);
        return cli_interrupted() ? CLI_INTERRUPTED : cli_fail(certificate, &error, status);
    }
    status = file_write(output, text_string(&core), core.length, &error);
    if (status == STATUS_OK) {
        printf("core    %zu bytes, %" PRIu64 " moves\n", core.length, result.told);
        printf("proof   %" PRIu64 " moves in %" PRIu64 " bytes\n", result.moves, result.bytes);
        printf("search  %" PRIu64 " wins by threats found, %" PRIu64 " more that were found before and fit\n",
               result.searched, result.adapted);
    }
    text_free(&core);
    return status == STATUS_OK ? 0 : cli_fail(output, &error, status);
}

int prove_learn(const char *path, struct proved *proved) {
    char *bytes = NULL;
    size_t length = 0;
    struct error error = {0};
    struct text records = TEXT_EMPTY;
    struct unfold asked = {.records = &records, .stop = &cli_control()->stop, .progress = show_progress};
    enum status status = file_read(path, MOST_CORE, &bytes, &length, &error);
    status = status == STATUS_OK ? unfold_core(bytes, length, &asked, &error) : status;
    if (cli_shows_progress()) {
        cli_progress(NULL);
    }
    if (status == STATUS_OK) {
        proved_take(proved, text_string(&records), records.length);
        proved_flush(proved);
    }
    text_free(&records);
    free(bytes);
    return status == STATUS_OK ? 0 : cli_interrupted() ? CLI_INTERRUPTED : cli_fail(path, &error, status);
}
