#include "cli/secure.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "sandbox/warden.h"

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

void cli_secure_report(void) {
    const char *words = warden_memory_words();
    if (words) {
        printf("memory of programs: %s\n", words);
    }
}

struct warden_limits cli_programs_limits(const struct cli_programs *programs) {
    struct warden_limits limits = warden_usual_limits;
    limits.memory_bytes = programs->memory;
    limits.processes = programs->processes;
    return limits;
}

bool cli_programs_clock(const struct cli_programs *programs, enum player_clock usual, enum player_clock *clock) {
    const char *name = programs->clock;
    bool cpu = name && strcmp(name, "cpu") == 0;
    bool wall = name && strcmp(name, "wall") == 0;
    *clock = cpu ? PLAYER_CLOCK_CPU : wall ? PLAYER_CLOCK_WALL : usual;
    return !name || cpu || wall;
}
