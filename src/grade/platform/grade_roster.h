/* Who is in the class, as a platform exports it, and who handed in what:
 *
 *   Canvas      the gradebook's export: Student, ID, SIS User ID, SIS Login ID, Section, assignments "NAME (ID)"
 *   Moodle      the grading worksheet: Identifier, Full name, Email address, Status, Grade, Maximum Grade, ...
 *   Gradescope  the roster, or the grades of an assignment: First Name, Last Name, SID, Email, Submission ID, ... */
#ifndef SORTIE_GRADE_PLATFORM_GRADE_ROSTER_H
#define SORTIE_GRADE_PLATFORM_GRADE_ROSTER_H

#include "grade/grade.h"
#include "grade/platform/grade_sheet.h"

/* The columns that mean something; -1 where the table has none. */
enum roster_column {
    ROSTER_NAME, /* "Doe, Jane" in Canvas, "Jane Doe" elsewhere; or the first name */
    ROSTER_LAST_NAME,
    ROSTER_ID,     /* the platform's own number: "Participant 12345" in Moodle; in Gradescope that of a submission */
    ROSTER_SCHOOL, /* a number of the school's */
    ROSTER_LOGIN,
    ROSTER_EMAIL,
    ROSTER_STATUS,
    ROSTER_LATENESS, /* hours, minutes, seconds */
    ROSTER_GRADE,
    ROSTER_MAXIMUM,
    ROSTER_LOCKED, /* "Grade can be changed" */
    ROSTER_COMMENT,
    ROSTER_COLUMNS
};

enum roster_found { ROSTER_NONE, ROSTER_BY_ID, ROSTER_BY_LOGIN, ROSTER_BY_NAME };

struct roster_student {
    int row;
    int submission; /* -1: handed in nothing */
    enum roster_found found;
};

struct roster {
    enum grade_platform platform;
    struct sheet sheet;
    int columns[ROSTER_COLUMNS];
    int points_row; /* Canvas: "Points Possible"; -1: none */
    struct roster_student *students;
    int count;
    struct text questions; /* what could not be matched, a line each */
};

/* Reads a roster; the message names line and column. */
enum status roster_read(struct roster *roster, const char *bytes, size_t length, struct error *error);
void roster_free(struct roster *roster);

/* Says whose each submission is: by the platform's number in the names of its files, then by login, e-mail address or
 * number of the school, then by name. Where two fit nothing is said, and `questions` has a line. */
void roster_match(struct roster *roster, const struct grade *grade);

/* Sets the late days the platform knows of, for submissions that have none. */
void roster_lateness(const struct roster *roster, struct grade *grade);
/* "2 days 3 hours late", as Moodle has it in several languages, or hours, minutes and seconds: "51:00:00". 0 where
 * nothing is late. */
double roster_late_days(const char *text);

/* A student's name as people say it: "Jane Doe". */
void roster_name(const struct roster *roster, const struct roster_student *student, char name[256]);

/* How grades are filled in. */
struct roster_export {
    const char *assignment; /* Canvas: the name or number of a column; NULL: the only one */
    bool zeros;             /* who handed in nothing gets 0 instead of an empty field */
};
/* Whether there is a column for them; the message says which it could be. */
enum status roster_check_export(const struct roster *roster, const char *assignment, struct error *error);
/* Fills the grades in and writes the table that the platform imports. A message says which column it should be. */
enum status roster_write(struct roster *roster, const struct grade *grade, const struct roster_export *options,
                         struct text *out, struct error *error);

/* Adds who handed in nothing to the table of students, and to the text. */
void roster_add_missing(const struct roster *roster, const struct grade *grade, struct text *csv);
void roster_text(const struct roster *roster, struct text *out);

#endif
