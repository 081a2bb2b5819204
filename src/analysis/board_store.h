/* The database of positions as a Gomocup brain lends it to analysis boards. */
#ifndef SORTIE_ANALYSIS_BOARD_STORE_H
#define SORTIE_ANALYSIS_BOARD_STORE_H

#include "protocols/gomocup/gomocup_store.h"

extern const struct gomocup_store analysis_board_store;

#endif
