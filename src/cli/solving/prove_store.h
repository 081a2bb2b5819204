/* What is to be said about a store of sortie prove. */
#ifndef SORTIE_CLI_COMMANDS_PROVE_STORE_H
#define SORTIE_CLI_COMMANDS_PROVE_STORE_H

#include "prove/search/ledger.h"

/* Says what a store holds and what of it is no record. Returns the exit status: 0 when it is whole, 1 when something is
 * damaged, 2 when it cannot be read or is no store. */
int prove_check_store(const char *path);

/* One line when part of a store that was just opened had to be skipped. */
void prove_tell_damage(const char *path, const struct ledger_scan *scan);

#endif
