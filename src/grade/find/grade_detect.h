/* How a folder with somebody's program in it is built and run, found by looking at its files. */
#ifndef SORTIE_GRADE_FIND_GRADE_DETECT_H
#define SORTIE_GRADE_FIND_GRADE_DETECT_H

#include <limits.h>
#include <stdbool.h>

#include "base/text.h"
#include "grade/find/grade_source.h"
#include "grade/find/grade_wish.h"

enum grade_kind {
    GRADE_KIND_NONE,
    GRADE_KIND_C,
    GRADE_KIND_CPP,
    GRADE_KIND_JAVA,
    GRADE_KIND_PYTHON,
    GRADE_KIND_SCRIPT, /* run by an interpreter its ending names */
    GRADE_KIND_PROGRAM /* for the machine itself, or with a first line that says what runs it */
};

struct grade_file {
    char *path; /* owned; below the folder */
    enum grade_kind kind;
    struct grade_source source; /* owned */
    bool was_there;             /* before building */
};

struct grade_files {
    struct grade_file *list; /* owned */
    int count;
    bool has_makefile;
    bool has_cmake;
};

/* What came of making a submission ready. */
enum grade_build_state {
    GRADE_BUILD_UNKNOWN,    /* not tried yet */
    GRADE_BUILD_READY,      /* there is something to run; in a plan: as far as can be said before it is built */
    GRADE_BUILD_UNREADABLE, /* what was handed in cannot be used: a broken archive, too large, no rights */
    GRADE_BUILD_NO_PROGRAM, /* nothing in it can be run */
    GRADE_BUILD_QUESTION,   /* several things could be meant, and nothing tells which: the teacher must say */
    GRADE_BUILD_FAILED,     /* building it failed */
    GRADE_BUILD_LACKS_TOOL, /* this machine has not what it needs */
    GRADE_BUILD_STATES
};

/* One way to build and run it. */
struct grade_way {
    enum grade_build_state state; /* READY, or why it cannot be */
    char file[256];               /* the program; "" where a build decides */
    char how[160];                /* "make", "gcc, 3 files", "Python" */
    char why[320];                /* why this file */
    char problem[400];            /* why it is not ready */
    char missing_tool[32];        /* a program needed for it that this machine does not have */
    bool if_unbuilt;              /* only where the way before it cannot be built */
    bool is_python;               /* the command has no interpreter yet */
    bool unread;                  /* no Python there is can read it */
    enum grade_python python;     /* what its sources ask for, and where */
    char sign[160];
    struct text script;  /* for /bin/sh in the folder; empty: nothing to build */
    struct text others;  /* where it fails, tried in turn: what to say of it, and a script, each ended by a zero */
    struct text command; /* the words that run it, each ended by a zero; empty: look again after building */
    struct text modules; /* of Python: the files it consists of, each ended by a zero */
};

/* When what somebody else's compiler has made was last changed, as far as make is told: before everything else, so that
 * it is made anew of the sources that were handed in with it. */
#define GRADE_OLD_TIME 1000000000

#define GRADE_MOST_WAYS 8
struct grade_plan {
    enum grade_build_state state; /* READY when there is at least one way */
    char problem[400];
    char folder[PATH_MAX];  /* where the submission begins below /build */
    char version[16];       /* of Python, that its folder asks for; "" none */
    struct grade_wish wish; /* what its own folder says */
    struct text programs;   /* what could be run before building, paths each ended by a zero */
    struct text considered; /* for people: a line a file that could be the program, likeliest first */
    int way_count;
    struct grade_way ways[GRADE_MOST_WAYS]; /* likeliest first */
};

/* The kind of file by its name and first bytes: enough to know whether it can be a submission by itself. */
enum grade_kind grade_kind_of(int folder, const char *name);

/* Lists what matters in an open folder. */
bool grade_files_read(struct grade_files *files, int folder);
void grade_files_free(struct grade_files *files);

/* Fills the plan for the files in the folder that is open and called `path`. */
void grade_detect(const struct grade_files *files, int folder, const char *path, const struct grade_brief *brief,
                  struct grade_plan *plan);
/* Fills in the command of a way after its script has run, from the files there are now. */
void grade_detect_built(struct grade_files *after, int folder, const char *path, const struct grade_brief *brief,
                        struct grade_plan *plan, int way);
/* Gives a way up, with the reason. */
void grade_way_give_up(struct grade_way *way, enum grade_build_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void grade_way_free(struct grade_way *way);
void grade_plan_free(struct grade_plan *plan);
/* The plan as bytes, and back into an empty one; false when these are none. */
void grade_plan_write(const struct grade_plan *plan, struct text *out);
bool grade_plan_read(struct grade_plan *plan, const struct text *bytes);

/* Whether a program is found on the PATH. */
bool grade_has_tool(const char *name);
/* The Debian package that has a tool; the tool's own name when it is not known. */
const char *grade_package_of(const char *tool);
/* A word for /bin/sh. */
void grade_add_quoted(struct text *script, const char *word);

#endif
