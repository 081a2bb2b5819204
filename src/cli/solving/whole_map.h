/* Heat maps of solved war boards: the value of every first move, on its square. */
#ifndef SORTIE_CLI_COMMANDS_WHOLE_MAP_H
#define SORTIE_CLI_COMMANDS_WHOLE_MAP_H

#include "formats/course.h"
#include "games/war/whole/whole_solve.h"

/* Finds out, before anything is solved, whether the maps of these files can be written to `folder`, which is made where
 * it is missing. */
enum status whole_map_check(const char *folder, char *const *files, int count, struct error *error);

/* Writes the map of one file's board, whose moves must all have been asked for: FOLDER/NAME.svg. */
enum status whole_map_write(const char *folder, const char *file, const struct course_request *request,
                            const struct whole_board *board, const struct whole_solution *solution,
                            struct error *error);

#endif
