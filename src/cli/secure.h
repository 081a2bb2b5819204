/* What every command that runs other people's programs does first, and the options it has for them. */
#ifndef SORTIE_CLI_SECURE_H
#define SORTIE_CLI_SECURE_H

#include <stdbool.h>
#include <stddef.h>

#include "players/player.h"

/* Makes sure that programs can be locked in, or, when `unsafe`, says loudly that they are not. 0, or the exit status.
 */
int cli_secure(bool unsafe);

/* Prints which kind of limit the programs had; nothing when none was run. */
void cli_secure_report(void);

/* What programs of others are allowed. */
struct cli_programs {
    size_t memory;
    int processes;
    double grace;
    const char *clock;
    bool unsafe;
};

#define CLI_PROGRAMS_USUAL                                                                                             \
    { .memory = (size_t)warden_usual_limits.memory_bytes, .processes = warden_usual_limits.processes, .grace = 10 }
#define CLI_PROGRAMS_OPTIONS(programs, clocks)                                                                         \
    {"clock", 0, CLI_STRING, &(programs).clock, "CLOCK", clocks, 0, 0},                                                \
        {"grace", 0, CLI_SECONDS, &(programs).grace, "SECONDS", "asleep beyond CPU time (default 10)", 0, 0},          \
        {"memory", 0, CLI_SIZE, &(programs).memory, "SIZE", "memory of a program (default 2G)", 0, 0},                 \
        {"processes", 0, CLI_INT, &(programs).processes, "COUNT", "processes of a program (default 64)", 1, 1000}, {   \
        "unsafe", 0, CLI_FLAG, &(programs).unsafe, NULL, "run programs even where there is no sandbox for them", 0, 0  \
    }

/* The limits of a program's run, without its time. */
struct warden_limits cli_programs_limits(const struct cli_programs *programs);

/* The clock that --clock names; without one `usual`. False when that is no clock. */
bool cli_programs_clock(const struct cli_programs *programs, enum player_clock usual, enum player_clock *clock);

#endif
