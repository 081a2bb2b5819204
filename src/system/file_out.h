/* What a system's part of system/file.h gives to the part that all have in common. */
#ifndef SORTIE_SYSTEM_FILE_OUT_H
#define SORTIE_SYSTEM_FILE_OUT_H

#include "system/file.h"

/* Renames a finished file over its target. */
enum status file_put_in_place(const struct file_out *out, struct error *error);
/* Removes a file that was begun. */
void file_take_away(const char *temporary);

#endif
