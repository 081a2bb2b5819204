/* Reading a roster, and finding whose a submission is. */
#include "grade/platform/grade_roster.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clean.h"
#include "base/number.h"

/* The most of a name or address that is compared. */
#define MOST_KEY 256
#define MOST_STUDENTS 10000

/* -- reading -- */

/* What the columns are called. Moodle translates its own. */
static const char *const no_names[] = {NULL};
static const char *const canvas_names[ROSTER_COLUMNS][3] = {[ROSTER_NAME] = {"Student"},
                                                            [ROSTER_ID] = {"ID"},
                                                            [ROSTER_SCHOOL] = {"SIS User ID"},
                                                            [ROSTER_LOGIN] = {"SIS Login ID"}};
static const char *const moodle_names[ROSTER_COLUMNS][8] = {
    [ROSTER_NAME] = {"Full name", "Vollständiger Name", "Nombre completo", "Nom complet", "Nome completo"},
    [ROSTER_ID] = {"Identifier", "ID", "Identificador", "Identifiant", "Identificativo"},
    [ROSTER_SCHOOL] = {"ID number", "ID-Nummer", "Número de ID", "Numéro d'identification"},
    [ROSTER_LOGIN] = {"Username", "Anmeldename", "Nombre de usuario", "Nom d'utilisateur"},
    [ROSTER_EMAIL] = {"Email address", "E-Mail-Adresse", "Dirección de correo", "Adresse de courriel",
                      "Indirizzo email"},
    [ROSTER_STATUS] = {"Status", "Estado", "Statut", "Stato"},
    [ROSTER_GRADE] = {"Grade", "Bewertung", "Calificación", "Note", "Valutazione"},
    [ROSTER_MAXIMUM] = {"Maximum Grade", "Bestwertung", "Calificación máxima", "Note maximale", "Valutazione massima"},
    [ROSTER_LOCKED] = {"Grade can be changed", "Bewertung kann geändert werden", "La calificación puede ser cambiada",
                       "La note peut être modifiée"},
    [ROSTER_COMMENT] = {"Feedback comments", "Feedback als Kommentar", "Comentarios de retroalimentación",
                        "Commentaires de feedback"}};
static const char *const gradescope_names[ROSTER_COLUMNS][4] = {[ROSTER_NAME] = {"First Name", "Name", "Full Name"},
                                                                [ROSTER_LAST_NAME] = {"Last Name"},
                                                                [ROSTER_ID] = {"Submission ID"},
                                                                [ROSTER_SCHOOL] = {"SID", "Student ID"},
                                                                [ROSTER_EMAIL] = {"Email"},
                                                                [ROSTER_STATUS] = {"Status"},
                                                                [ROSTER_LATENESS] = {"Lateness (H:M:S)"},
                                                                [ROSTER_GRADE] = {"Total Score", "Score"},
                                                                [ROSTER_MAXIMUM] = {"Max Points"}};

static const char *const *names_of(enum grade_platform platform, enum roster_column column) {
    const char *const *names = platform == GRADE_CANVAS   ? canvas_names[column]
                               : platform == GRADE_MOODLE ? moodle_names[column]
                                                          : gradescope_names[column];
    return names[0] ? names : no_names;
}

/* Which platform a first line is of: the one whose telling columns are all there. */
static bool is_of(const struct sheet *sheet, enum grade_platform platform) {
    static const enum roster_column telling[][3] = {[GRADE_CANVAS] = {ROSTER_NAME, ROSTER_ID, ROSTER_NAME},
                                                    [GRADE_MOODLE] = {ROSTER_ID, ROSTER_GRADE, ROSTER_MAXIMUM},
                                                    [GRADE_GRADESCOPE] = {ROSTER_NAME, ROSTER_EMAIL, ROSTER_NAME}};
    for (int i = 0; i < 3; i++) {
        if (sheet_column(sheet, 0, names_of(platform, telling[platform][i])) < 0) {
            return false;
        }
    }
    return true;
}

static enum status find_columns(struct roster *roster, struct error *error) {
    static const enum grade_platform order[] = {GRADE_MOODLE, GRADE_CANVAS, GRADE_GRADESCOPE};
    const struct sheet *sheet = &roster->sheet;
    for (int i = 0; i < 3 && sheet->row_count > 0 && roster->platform == GRADE_NO_PLATFORM; i++) {
        roster->platform = is_of(sheet, order[i]) ? order[i] : GRADE_NO_PLATFORM;
    }
    if (roster->platform == GRADE_NO_PLATFORM) {
        return error_at(error, 1, 1,
                        "expected the first line of a roster: Student,ID,... (Canvas), Identifier,Full name,...,"
                        "Grade,Maximum Grade,... (Moodle) or First Name,Last Name,SID,Email,... (Gradescope)");
    }
    for (int i = 0; i < ROSTER_COLUMNS; i++) {
        roster->columns[i] = sheet_column(sheet, 0, names_of(roster->platform, (enum roster_column)i));
    }
    return STATUS_OK;
}

/* A field of a student, without the blanks around it. */
static void field_of(const struct roster *roster, int row, enum roster_column column, char text[MOST_KEY]) {
    sheet_trimmed(&roster->sheet, row, roster->columns[column], text, MOST_KEY);
}

/* The line of Canvas that has the points instead of a student; others of its kind stand above. */
static bool is_head(const struct roster *roster, int row) {
    char name[MOST_KEY];
    char id[MOST_KEY];
    field_of(roster, row, ROSTER_NAME, name);
    field_of(roster, row, ROSTER_ID, id);
    return roster->platform == GRADE_CANVAS && id[0] == '\0' && (name[0] == '\0' || strstr(name, "Points Possible"));
}

/* The number of a line, to find two that have the same. */
struct numbered {
    char id[64];
    int line;
};

static int by_number(const void *a, const void *b) {
    const struct numbered *first = a;
    const struct numbered *second = b;
    int order = strcmp(first->id, second->id);
    return order != 0 ? order : first->line - second->line;
}

/* Two lines of one number would share a grade. */
static enum status check_ids(const struct roster *roster, struct error *error) {
    struct numbered *all = calloc((size_t)roster->count + 1, sizeof *all);
    enum status status = all ? STATUS_OK : error_machine(error, "out of memory");
    for (int i = 0; i < roster->count && status == STATUS_OK; i++) {
        int row = roster->students[i].row;
        sheet_trimmed(&roster->sheet, row, roster->columns[ROSTER_ID], all[i].id, sizeof all[i].id);
        all[i].line = roster->sheet.rows[row].line;
        if (!all[i].id[0]) {
            status = error_at(error, all[i].line, 1, "expected the platform's number of a student in this line");
        }
    }
    if (status == STATUS_OK) {
        qsort(all, (size_t)roster->count, sizeof *all, by_number);
    }
    for (int i = 1; i < roster->count && status == STATUS_OK; i++) {
        if (strcmp(all[i].id, all[i - 1].id) == 0) {
            status = error_at(error, all[i].line, 1, "expected every '%.60s' once, it stands in line %d too", all[i].id,
                              all[i - 1].line);
        }
    }
    free(all);
    return status;
}

enum status roster_read(struct roster *roster, const char *bytes, size_t length, struct error *error) {
    *roster = (struct roster){.points_row = -1};
    enum status status = sheet_read(&roster->sheet, bytes, length, error);
    status = status == STATUS_OK ? find_columns(roster, error) : status;
    if (status != STATUS_OK) {
        return status;
    }
    roster->students = calloc((size_t)roster->sheet.row_count, sizeof *roster->students);
    if (!roster->students) {
        return error_machine(error, "out of memory");
    }
    for (int row = 1; row < roster->sheet.row_count; row++) {
        char name[MOST_KEY];
        field_of(roster, row, ROSTER_NAME, name);
        if (is_head(roster, row)) {
            roster->points_row = strstr(name, "Points Possible") ? row : roster->points_row;
        } else if (!sheet_is_empty(&roster->sheet, row)) {
            if (roster->count == MOST_STUDENTS) {
                return error_at(error, roster->sheet.rows[row].line, 1, "expected at most %d students", MOST_STUDENTS);
            }
            roster->students[roster->count++] = (struct roster_student){.row = row, .submission = -1};
        }
    }
    return roster->platform == GRADE_GRADESCOPE ? STATUS_OK : check_ids(roster, error);
}

void roster_free(struct roster *roster) {
    sheet_free(&roster->sheet);
    text_free(&roster->questions);
    free(roster->students);
    *roster = (struct roster){0};
}

void roster_name(const struct roster *roster, const struct roster_student *student, char name[256]) {
    char first[MOST_KEY];
    char last[MOST_KEY];
    field_of(roster, student->row, ROSTER_NAME, first);
    field_of(roster, student->row, ROSTER_LAST_NAME, last);
    char *comma = roster->platform == GRADE_CANVAS ? strchr(first, ',') : NULL;
    if (comma) {
        *comma = '\0';
        snprintf(last, sizeof last, "%s", first);
        memmove(first, comma + 1 + strspn(comma + 1, " "), strlen(comma + 1 + strspn(comma + 1, " ")) + 1);
    }
    snprintf(name, 256, "%.120s%s%.120s", first, first[0] && last[0] ? " " : "", last);
}

/* -- matching -- */

/* Letters and digits, small; other bytes (of UTF-8) as they are. Platforms leave out the rest in names of files. */
static void take_key(const char *text, char key[MOST_KEY]) {
    size_t length = 0;
    for (; *text && length + 1 < MOST_KEY; text++) {
        unsigned char c = (unsigned char)*text;
        if (c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')) {
            key[length++] = (char)c;
        } else if (c >= 'A' && c <= 'Z') {
            key[length++] = (char)(c - 'A' + 'a');
        }
    }
    key[length] = '\0';
}

static bool same_key(const char *a, const char *b) {
    char keys[2][MOST_KEY];
    take_key(a, keys[0]);
    take_key(b, keys[1]);
    return keys[0][0] && strcmp(keys[0], keys[1]) == 0;
}

/* The digits at the end of "Participant 12345". */
static const char *digits_of(const char *text) {
    const char *at = text + strlen(text);
    while (at > text && isdigit((unsigned char)at[-1])) {
        at--;
    }
    return at;
}

static bool fits_id(const struct roster *roster, int row, const struct grade_submission *submission) {
    char id[MOST_KEY];
    field_of(roster, row, ROSTER_ID, id);
    const char *number = roster->platform == GRADE_MOODLE ? digits_of(id) : id;
    return submission->platform == roster->platform && number[0] && strcmp(submission->id, number) == 0;
}

/* Whether a line of `people` ("name\taddress\tnumber of the school") has this text in that place. */
static bool has_person(const struct text *people, int place, const char *text) {
    for (const char *line = text_string(people); *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
        const char *at = line;
        for (int i = 0; i < place && at; i++) {
            size_t length = strcspn(at, "\t\n");
            at = at[length] == '\t' ? at + length + 1 : NULL;
        }
        char part[MOST_KEY];
        snprintf(part, sizeof part, "%.*s", at ? (int)strcspn(at, "\t\n") : 0, at ? at : "");
        if (part[0] && (place == 0 ? same_key(part, text) : strcasecmp(part, text) == 0)) {
            return true;
        }
    }
    return false;
}

/* The submission's own name, or that of the file, is a login; an address is one up to its "@", too. */
static bool fits_login(const struct roster *roster, int row, const struct grade_submission *submission) {
    static const enum roster_column columns[] = {ROSTER_LOGIN, ROSTER_EMAIL, ROSTER_SCHOOL};
    for (int i = 0; i < 3; i++) {
        char text[MOST_KEY];
        field_of(roster, row, columns[i], text);
        if (!text[0]) {
            continue;
        }
        if (strcasecmp(submission->name, text) == 0 ||
            has_person(&submission->people, columns[i] == ROSTER_EMAIL ? 1 : 2, text)) {
            return true;
        }
        size_t at = strcspn(text, "@");
        if (at > 0 && text[at] && strlen(submission->name) == at && strncasecmp(submission->name, text, at) == 0) {
            return true;
        }
    }
    return false;
}

static bool fits_name(const struct roster *roster, int row, const struct grade_submission *submission) {
    const struct roster_student student = {.row = row};
    char name[256];
    char other[600];
    roster_name(roster, &student, name);
    char first[MOST_KEY];
    char last[MOST_KEY];
    field_of(roster, row, ROSTER_NAME, first);
    field_of(roster, row, ROSTER_LAST_NAME, last);
    const char *blank = strrchr(name, ' ');
    snprintf(other, sizeof other, "%s%.*s", blank ? blank + 1 : "", blank ? (int)(blank - name) : 0, name);
    return same_key(submission->name, name) || same_key(submission->name, other) ||
           (!last[0] && same_key(submission->name, first)) || has_person(&submission->people, 0, name);
}

static bool fits(const struct roster *roster, int student, const struct grade_submission *submission,
                 enum roster_found how) {
    int row = roster->students[student].row;
    return how == ROSTER_BY_ID      ? fits_id(roster, row, submission)
           : how == ROSTER_BY_LOGIN ? fits_login(roster, row, submission)
                                    : fits_name(roster, row, submission);
}

static void ask_about_student(struct roster *roster, int student, const char *what, const char *a, const char *b) {
    char name[256];
    roster_name(roster, &roster->students[student], name);
    text_addf(&roster->questions, "%.120s, line %d of the roster: %s ('%.120s', '%.120s')\n", name,
              roster->sheet.rows[roster->students[student].row].line, what, a, b);
}

/* What is known of a submission while students are looked for. */
struct claim {
    int owners;  /* students it has been given to */
    int claims;  /* students that fit it in this round */
    bool asked;  /* it is in question, or cannot have another owner */
    int persons; /* how many may own it: several where the platform names the members of a group */
};

/* The submissions a student fits in a round: the first, and another; -1: none. */
static void find_two(const struct roster *roster, const struct grade *grade, const struct claim *claims, int student,
                     enum roster_found how, int found[2]) {
    found[0] = found[1] = -1;
    for (int k = 0; k < grade->submission_count && found[1] < 0; k++) {
        if (!claims[k].asked && fits(roster, student, &grade->submissions[k], how)) {
            found[found[0] >= 0] = k;
        }
    }
}

/* Asks about what more students fit than it has persons; what has all its owners is settled. */
static void settle(struct roster *roster, const struct grade *grade, struct claim *claims) {
    for (int k = 0; k < grade->submission_count; k++) {
        struct claim *claim = &claims[k];
        if (!claim->asked && claim->owners == 0 && claim->claims > claim->persons) {
            text_addf(&roster->questions, "%.200s: %d students of the roster fit\n", grade->submissions[k].name,
                      claim->claims);
        }
        claim->asked = claim->asked || claim->owners >= claim->persons || (claim->claims > 0 && claim->owners == 0);
    }
}

/* One way to find students: gives each the only submission that fits, where it fits nobody else. */
static void match_by(struct roster *roster, const struct grade *grade, struct claim *claims, enum roster_found how) {
    int found[2];
    for (int k = 0; k < grade->submission_count; k++) {
        claims[k].claims = claims[k].owners;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < roster->count; i++) {
            struct roster_student *student = &roster->students[i];
            found[0] = found[1] = -1;
            if (student->found == ROSTER_NONE) {
                find_two(roster, grade, claims, i, how, found);
            }
            for (int k = 0; k < 2 && pass == 0; k++) {
                if (found[k] >= 0) {
                    claims[found[k]].claims++;
                }
            }
            if (pass == 1 && found[1] >= 0) {
                ask_about_student(roster, i, "two submissions fit", grade->submissions[found[0]].name,
                                  grade->submissions[found[1]].name);
            } else if (pass == 1 && found[0] >= 0 && claims[found[0]].claims <= claims[found[0]].persons) {
                student->submission = found[0];
                student->found = how;
                claims[found[0]].owners++;
            }
        }
    }
    settle(roster, grade, claims);
}

static int count_lines(const struct text *text) {
    int count = 0;
    for (size_t i = 0; i < text->length; i++) {
        count += text->data[i] == '\n';
    }
    return count;
}

void roster_match(struct roster *roster, const struct grade *grade) {
    struct claim *claims = calloc((size_t)grade->submission_count + 1, sizeof *claims);
    text_free(&roster->questions);
    roster->questions = TEXT_EMPTY;
    roster->questions.broken = claims == NULL;
    for (int i = 0; i < roster->count; i++) {
        roster->students[i].submission = -1;
        roster->students[i].found = ROSTER_NONE;
    }
    for (int k = 0; k < grade->submission_count && claims; k++) {
        int persons = count_lines(&grade->submissions[k].people);
        claims[k].persons = persons > 1 ? persons : 1;
    }
    for (enum roster_found how = ROSTER_BY_ID; how <= ROSTER_BY_NAME && claims; how++) {
        match_by(roster, grade, claims, how);
    }
    for (int k = 0; k < grade->submission_count && claims; k++) {
        if (!claims[k].asked && claims[k].owners == 0) {
            text_addf(&roster->questions, "%.200s: nobody in the roster fits\n", grade->submissions[k].name);
        }
    }
    free(claims);
}

/* -- lateness -- */

/* How many days a unit has, by how its word begins; 0: none is meant. */
static double days_of_unit(const char *word) {
    static const struct {
        const char *begins;
        double days;
    } units[] = {{"day", 1},          {"tag", 1},        {"día", 1},          {"dia", 1},          {"jour", 1},
                 {"giorn", 1},        {"hour", 1. / 24}, {"stunde", 1. / 24}, {"std", 1. / 24},    {"hora", 1. / 24},
                 {"heure", 1. / 24},  {"or", 1. / 24},   {"min", 1. / 1440},  {"sec", 1. / 86400}, {"sek", 1. / 86400},
                 {"seg", 1. / 86400}, {"year", 365},     {"jahr", 365},       {"año", 365},        {"week", 7},
                 {"woche", 7}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strncasecmp(word, units[i].begins, strlen(units[i].begins)) == 0) {
            return units[i].days;
        }
    }
    return 0;
}

/* Whether a status says that what was handed in is late. */
static bool says_late(const char *text) {
    static const char *const words[] = {"late", "später", "verspätet", "después", "retard", "ritardo"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strstr(text, words[i])) {
            return true;
        }
    }
    return false;
}

double roster_late_days(const char *text) {
    double parts[3];
    if (number_parse_list(text, ':', parts, 3) == 3) {
        double days = parts[0] / 24 + parts[1] / 1440 + parts[2] / 86400;
        return days > 0 && days < 10000 ? days : 0;
    }
    double days = 0;
    for (const char *at = text; says_late(text) && *at;) {
        double number;
        size_t length = number_is_digit(*at) ? number_read(at, strlen(at), &number) : 0;
        at += length ? length : 1;
        if (length) {
            at += strspn(at, " ");
            days += number * days_of_unit(at);
        }
    }
    return days < 10000 ? days : 10000;
}

void roster_lateness(const struct roster *roster, struct grade *grade) {
    for (int i = 0; i < roster->count; i++) {
        const struct roster_student *student = &roster->students[i];
        char text[MOST_KEY];
        field_of(roster, student->row, roster->platform == GRADE_MOODLE ? ROSTER_STATUS : ROSTER_LATENESS, text);
        double days = roster_late_days(text);
        if (student->submission >= 0 && !grade->submissions[student->submission].late_said) {
            double *late = &grade->submissions[student->submission].late_days;
            *late = days > *late ? days : *late;
        }
    }
}
