#include "cli/secure.h"

#include <stdio.h>

#include "cli/cli.h"
#include "match/warden.h"

int cli_secure(bool unsafe) {
    struct text warning = TEXT_EMPTY;
    struct error error = {0};
    enum status status = warden_secure(unsafe, &warning, &error);
    if (warning.length > 0) {
        fprintf(stderr, "sortie: %s\n", text_string(&warning));
    }
    text_free(&warning);
    return status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
}
