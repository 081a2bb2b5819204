/* The database that analysis boards get from the brain's front doors. A build without SQLite has it in known_absent.c:
 * there is none. */
#ifndef SORTIE_CLI_ANALYSIS_BOARD_H
#define SORTIE_CLI_ANALYSIS_BOARD_H

#include "protocols/gomocup/gomocup.h"

/* Hands it to a brain that is about to begin: the file SORTIE_DATABASE names, or sortie.db in this folder, where it is
 * there, and any other that a board names. */
void board_lend(struct gomocup_options *options);

#endif
