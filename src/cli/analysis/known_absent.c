/* sortie analyze and the brain in a build without SQLite: there is no database to open. */
#include "cli/analysis/board.h"
#include "cli/analysis/known.h"

#include <stddef.h>

#include "cli/cli.h"

int known_open(struct known **out, const char *path) {
    (void)path;
    *out = NULL;
    return cli_usage("analyze: --database is not in this build: it needs SQLite");
}

void known_close(struct known *known) {
    (void)known;
}

bool known_begin(struct known *known, const sortie_position *position) {
    (void)known, (void)position;
    return true;
}

bool known_recall(struct known *known, int depth, uint64_t nodes, sortie_result *line) {
    (void)known, (void)depth, (void)nodes, (void)line;
    return false;
}

void known_improve(struct known *known, sortie_result *lines, int count, bool *from) {
    (void)known, (void)lines, (void)count, (void)from;
}

int known_keep(struct known *known, const sortie_result *lines, int count) {
    (void)known, (void)lines, (void)count;
    return 0;
}

void board_lend(struct gomocup_options *options) {
    options->store = NULL;
}
