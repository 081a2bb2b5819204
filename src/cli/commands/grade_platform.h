/* sortie grade and learning platforms: rosters, grades as they are imported, and lateness. */
#ifndef SORTIE_CLI_COMMANDS_GRADE_PLATFORM_H
#define SORTIE_CLI_COMMANDS_GRADE_PLATFORM_H

#include "grade/platform/grade_autograder.h"
#include "grade/platform/grade_roster.h"

/* What submissions are built with. */
#define GRADE_USUAL_PACKAGES "gcc g++ make cmake python3 default-jdk-headless"

struct grade_platform_request {
    const char *roster_file;
    const char *export_file;
    const char *assignment;
    const char *metadata_file;
    bool zeros;
    const char *autograder_file;
    const char *program_file;
    const char *packages;
    const char *sources_folder;
    const char *skeleton;
    struct roster roster; /* read where a file was named */
};

#define GRADE_PLATFORM_OPTIONS(platform)                                                                               \
    {"roster", 0, CLI_STRING, &(platform).roster_file, "FILE", "who is in the class, as Canvas, Moodle or Gradescope", \
     0,        0},                                                                                                     \
        {"export", 0, CLI_STRING, &(platform).export_file, "FILE", "the roster with grades, to be uploaded there",     \
         0,        0},                                                                                                 \
        {"assignment", 0, CLI_STRING, &(platform).assignment, "NAME", "the column of a Canvas gradebook", 0, 0},       \
        {"zeros", 0, CLI_FLAG, &(platform).zeros, NULL, "export 0 for who handed in nothing (default: empty)", 0, 0},  \
        {"autograder",                                                                                                 \
         0,                                                                                                            \
         CLI_STRING,                                                                                                   \
         &(platform).autograder_file,                                                                                  \
         "FILE",                                                                                                       \
         "grade nothing: write an autograder.zip for Gradescope",                                                      \
         0,                                                                                                            \
         0},                                                                                                           \
        {"sources",  0,                                                                                                \
         CLI_STRING, &(platform).sources_folder,                                                                       \
         "FOLDER",   "grade nothing: write everybody's sources, for MOSS or JPlag",                                    \
         0,          0},                                                                                               \
        {"skeleton", 0, CLI_STRING, &(platform).skeleton, "PATH", "what was handed out: not among the sources", 0, 0}, \
        {"program", 0, CLI_STRING, &(platform).program_file, "FILE", "the sortie to pack in it (default: this one)",   \
         0,         0},                                                                                                \
        {"packages", 0,                                                                                                \
         CLI_STRING, &(platform).packages,                                                                             \
         "NAMES",    "of Ubuntu, to install for submissions (default \"" GRADE_USUAL_PACKAGES "\")",                   \
         0,          0},                                                                                               \
    {                                                                                                                  \
        "metadata", 0, CLI_STRING, &(platform).metadata_file, "FILE",                                                  \
            "lateness, from Gradescope's submission_metadata.json", 0, 0                                               \
    }

/* Reads the roster and the metadata, matches the class and takes the lateness from them; 0, or the exit status. */
int grade_platform_read(struct grade_platform_request *request, struct grade *grade, bool single);
/* Writes the grades, and adds to the text and the table of students who handed in nothing; 0, or the exit status. */
int grade_platform_write(struct grade_platform_request *request, const struct grade *grade);
/* What was not matched, or not exported, on standard error. */
void grade_platform_warn(const struct grade_platform_request *request, const struct grade *grade);
/* Writes the archive for Gradescope; 0, or the exit status. */
int grade_platform_pack(const struct grade_platform_request *request, const struct grade_autograder *autograder);
/* Writes everybody's sources; 0, or the exit status. */
int grade_platform_sources(const struct grade_platform_request *request, struct grade *grade,
                           const struct grade_options *options);
void grade_platform_free(struct grade_platform_request *request);

#endif
