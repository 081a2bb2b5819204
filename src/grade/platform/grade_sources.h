/* The sources of a class, a folder for each student, as tools that look for copies take them (MOSS, JPlag, compare50):
 * unpacked, without what others wrote, without programs and data. Archives are unpacked in the sandbox; what comes out
 * of it is believed no more than an archive is. */
#ifndef SORTIE_GRADE_PLATFORM_GRADE_SOURCES_H
#define SORTIE_GRADE_PLATFORM_GRADE_SOURCES_H

#include "grade/grade.h"

/* The files that were handed out to everybody: what is like one of them is left out. */
struct grade_skeleton {
    uint64_t *prints; /* owned */
    int count;
};
/* Reads all files below a folder, or one file. */
enum status grade_skeleton_read(struct grade_skeleton *skeleton, const char *path, struct error *error);
void grade_skeleton_free(struct grade_skeleton *skeleton);

struct grade_gathered {
    int students;
    int files;
    int left_out;      /* like one of the skeleton */
    struct text empty; /* whose submission has no source, a line each, and why */
};
/* Writes FOLDER/STUDENT/FILE for everybody. The folder must be new or empty. The caller has one thread and has called
 * warden_secure. */
enum status grade_sources_write(struct grade *grade, const struct grade_options *options,
                                const struct grade_skeleton *skeleton, const char *folder,
                                struct grade_gathered *gathered, struct error *error);

/* The step inside: puts the sources below a folder into one file of the current one. */
#define GRADE_INSIDE_GATHER "gather"
int grade_gather(const char *build);

/* Takes the next file from what a step has left; false at its end, or where it makes no sense. */
struct grade_source_file {
    const char *path;
    const char *bytes;
    size_t length;
};
bool grade_sources_next(const char **at, const char *end, struct grade_source_file *file);
/* A name that means nothing to a shell or a file system: letters, digits, ".", "-" and "_". */
void grade_sources_name(const char *name, char clean[128]);

#endif
