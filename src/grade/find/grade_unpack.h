/* What a student handed in, laid out in a folder: a folder is copied, a file put there, an archive unpacked.
 *
 * Archives come from strangers. Everything is made below the open target folder, part by part and without following
 * links; names that lead elsewhere, links, devices and pipes are left out; the number of files and their bytes are
 * limited, whatever the archive says about itself. It is meant to run inside the sandbox all the same. */
#ifndef SORTIE_GRADE_FIND_GRADE_UNPACK_H
#define SORTIE_GRADE_FIND_GRADE_UNPACK_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

#define GRADE_UNPACK_MOST_FILES 20000
#define GRADE_UNPACK_MOST_BYTES (128LL << 20)

/* Whether a file's name is that of an archive; *stem is then the length of the name without the ending. */
bool grade_is_archive(const char *name, size_t *stem);

/* Lays out `source` in the empty folder `target`. An archive that lies alone in what came out is unpacked as well,
 * as course pages wrap what students upload. What was left out is said in `notes`, a line each. */
enum status grade_unpack(const char *source, int target, struct text *notes, struct error *error);

/* Copies what lies at `path` as it is to `name` in an open folder of a sandbox, within the same limits: the part of the
 * way that only we may go. STATUS_BAD_INPUT when it is the submission's fault, STATUS_FAIL when it is the machine's. */
enum status grade_hand_over(const char *path, int target, const char *name, struct text *notes, struct error *error);

/* The same for one plain file; the name may be a path. */
enum status grade_hand_over_file(const char *path, int target, const char *name, struct text *notes,
                                 struct error *error);

/* The unpacking of an archive in memory alone, for tests. */
enum status grade_unpack_bytes(const void *bytes, size_t length, int target, struct text *notes, struct error *error);

#endif
