#include "cli/analysis/board.h"

#include <stdlib.h>

#include "analysis/board_store.h"

void board_lend(struct gomocup_options *options) {
    const char *named = getenv("SORTIE_DATABASE");
    options->store = &analysis_board_store;
    options->store_path = named && named[0] ? named : "sortie.db";
}
