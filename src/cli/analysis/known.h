/* What `sortie analyze --database` does with its database: takes what is known there, and keeps what is found. A build
 * without SQLite has it in absent.c, where there is no such file to open. */
#ifndef SORTIE_CLI_ANALYSIS_KNOWN_H
#define SORTIE_CLI_ANALYSIS_KNOWN_H

#include <stdbool.h>

#include "sortie/sortie.h"

struct known;

/* Opens the database, which is made where there is none. Prints what is wrong and returns the exit status; 0 when all
 * is well. */
int known_open(struct known **out, const char *path);
void known_close(struct known *known); /* NULL is fine */

/* The position that the rest is about. False when there is no memory. */
bool known_begin(struct known *known, const sortie_position *position);

/* The best line without a search, where the database has it as deep, or of as many nodes, as is asked for (0: not by
 * that), or proved. */
bool known_recall(struct known *known, int depth, uint64_t nodes, sortie_result *line);

/* Puts what the database knows deeper into the place of what a search has found, and sorts the lines again; their
 * number stays. `from` says of each whether the database had it. */
void known_improve(struct known *known, sortie_result *lines, int count, bool *from);

/* Keeps the lines of a search: the value of the position, and of the position behind each move. Prints what is wrong
 * and returns the exit status. */
int known_keep(struct known *known, const sortie_result *lines, int count);

#endif
