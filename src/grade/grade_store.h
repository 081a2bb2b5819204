/* The results file of a grading: an SQLite database with one row a build, a case and a worked-out answer, each
 * written in a transaction of its own as soon as it is known. Rows are found again by what was judged, not by when:
 * the fingerprints of the submission (its files, the limits and commands) and of the case are part of the key. So a
 * grading that was interrupted goes on, and a submission or case that has changed is judged again, alone.
 *
 * What the file says is checked: another database, another version or a row that makes no sense is STATUS_BAD_INPUT. */
#ifndef SORTIE_GRADE_GRADE_STORE_H
#define SORTIE_GRADE_GRADE_STORE_H

#include "grade/grade.h"

struct grade_store;

/* Opens or makes the file; one grading at a time may have it. */
enum status grade_store_open(struct grade_store **store, const char *path, struct error *error);
void grade_store_close(struct grade_store *store);

/* Forgets everything about these submissions, so that they are judged again. */
enum status grade_store_forget(struct grade_store *store, const struct grade *grade, struct error *error);
/* Fills in the builds and results that are known already; grade->results must be there. */
enum status grade_store_load(struct grade_store *store, struct grade *grade, struct error *error);

enum status grade_store_add_build(struct grade_store *store, const struct grade_submission *submission,
                                  struct error *error);
/* Writes results in one transaction: `places` are their indices in grade->results. */
enum status grade_store_add_results(struct grade_store *store, const struct grade *grade, const int *places, int count,
                                    struct error *error);
/* The answers worked out for a case that came without. */
enum status grade_store_load_answers(struct grade_store *store, struct grade_case *one, struct error *error);
enum status grade_store_add_answers(struct grade_store *store, const struct grade_case *one, struct error *error);

#endif
