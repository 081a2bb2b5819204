/* What every subcommand needs: options described by a table (which also writes the help), messages in one
 * form, the interrupt key, and reading positions from files. */
#ifndef SORTIE_CLI_CLI_H
#define SORTIE_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "formats/course.h"
#include "search/limits.h"
#include "sortie/sortie.h"

enum cli_kind {
    CLI_FLAG,   /* bool: given or not */
    CLI_STRING, /* const char * */
    CLI_INT,    /* int of [least, most] */
    CLI_COUNT,  /* uint64_t, with K, M or G (thousands) behind it if you like */
    CLI_SIZE,   /* size_t bytes, with K, M or G (powers of 1024) behind it; a plain number is MiB */
    CLI_SECONDS /* double, more than 0 */
};

struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* 0: no short form */
    enum cli_kind kind;
    void *target;         /* of the kind's type; keeps its value when the option is not given */
    const char *argument; /* what help calls the argument; NULL for a flag */
    const char *help;
    int least; /* CLI_INT: the range; both 0: 1 to INT_MAX */
    int most;
};

/* One subcommand: its place in the table of commands.c and its page of help. */
struct cli_command {
    const char *name;
    const char *summary; /* one line, for `sortie help` */
    const char *usage;   /* after the name: "[-i FILE] [-o FILE]" */
    const char *details; /* paragraphs of help, each line ended by a newline */
    const char *example; /* lines that work when pasted, indented by two blanks */
    int (*run)(const struct cli_command *command, int argc, char **argv);
};

extern const struct cli_command *const cli_commands[]; /* ended by NULL */

/* The games there are, for help: "war (default), laser, gomoku"; `usual` is the one that is the default. */
void cli_game_names(const char *usual, char names[200]);
/* The same for people: "War board, Laser Checkmate and Gomoku". */
void cli_print_titles(FILE *stream);

/* Dispatches `sortie COMMAND ...` and gives the exit status. */
int cli_main(int argc, char **argv);

/* Reads the options (ended by one with name NULL) out of argv[1..]; what is not an option is moved to the front and
 * counted in *operands (argv[0..*operands-1] then). `--help` prints the page. Returns true to go on; otherwise
 * *exit_status is what the process ends with. */
bool cli_parse(const struct cli_command *command, const struct cli_option *options, int argc, char **argv,
               int *operands, int *exit_status);

/* The same for a command that takes one file at most: *file is set when one is given, and kept otherwise. */
bool cli_parse_file(const struct cli_command *command, const struct cli_option *options, int argc, char **argv,
                    const char **file, int *exit_status);

/* Prints "sortie: FILE:LINE:COLUMN: TEXT" (place and file only where known) and returns the exit status of
 * `status`. */
int cli_fail(const char *file, const struct error *error, enum status status);
/* The same where there was no memory for what was to be done. */
int cli_no_memory(void);
/* The same for an error of the public API. */
int cli_refuse(const char *file, const sortie_error *error, sortie_status status);
/* Prints a text on standard output and frees it; returns 0, or 1 where there was no memory for it. */
int cli_print(struct text *text);
/* Prints "sortie: TEXT" and returns 2. */
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "sortie: FILE: warning: TEXT". */
void cli_warn(const char *file, const char *text);

/* Whether it said nothing, because in an MPI job the first process does. */
bool cli_left_to_first(void);

/* How a file is to be read: found by looking unless a format is named, and which of the games it holds, from 1. */
struct cli_source {
    const char *format; /* NULL: found by looking */
    int record;         /* 0: the first */
};
/* The options of every command that reads a position. */
#define CLI_SOURCE_OPTIONS(source)                                                                                     \
    {"format",   0,                                                                                                    \
     CLI_STRING, &(source).format,                                                                                     \
     "NAME",     "take the file as NAME: position, stake, sneak, laser, sgf, psq, lib, pos, offset",                   \
     0,          0},                                                                                                   \
    {                                                                                                                  \
        "record", 0, CLI_INT, &(source).record, "NUMBER", "which game of a file that holds several (default: 1)", 0, 0 \
    }

/* Reads the bytes of a course file or a position; the caller frees them. Prints what is wrong and returns the exit
 * status, 0 when all is well. */
int cli_read_bytes(const char *file, char **bytes, size_t *length);

/* Reads FILE (a course file, a position in sortie's own text or a recorded game) into *request. `source` may be NULL,
 * here and below. `allow_over`: also take a finished game. Prints what is wrong and returns the exit status, 0 when all
 * is well. */
int cli_read_request(const char *file, const struct cli_source *source, bool allow_over,
                     struct course_request *request);

/* The exit status of a command that Ctrl-C kept from its answer, as a shell counts it. */
#define CLI_INTERRUPTED 130

/* The control of the search under way: Ctrl-C asks it to stop once; a second Ctrl-C, moments
 * later, ends the process. */
struct search_control *cli_control(void);
/* The engine of the public API whose search Ctrl-C asks to stop; NULL: none any more. */
void cli_watch(sortie_engine *engine);
/* True once Ctrl-C was pressed. */
bool cli_interrupted(void);
/* Forgets it: in a conversation Ctrl-C ends a search, not the conversation. */
void cli_forget_interrupt(void);

/* All cores and a sensible share of the free memory for searches of so many seconds (0: no limit): what commands use
 * unless told otherwise. Fills in what is still 0. */
void cli_use_machine(sortie_engine_options *options, double seconds);
/* The options every command with an engine has. */
#define CLI_ENGINE_OPTIONS(options)                                                                                    \
    {"threads", 'j', CLI_INT, &(options).threads, "COUNT", "threads of the search (default: all cores)", 1, 256}, {    \
        "hash", 0, CLI_SIZE, &(options).hash_bytes, "SIZE",                                                            \
            "memory of the table (default: a part of the free memory)", 0, 0                                           \
    }

/* Reads a course's file, or a position that is not over. Prints what is odd or wrong and returns the exit status, 0
 * when all is well. */
int cli_read_course(const char *file, const struct cli_source *source, sortie_course **course);

/* Reads a position out of any file sortie knows. Prints what is odd or wrong and returns the exit status, 0 when all is
 * well. */
int cli_read_position(const char *file, const struct cli_source *source, sortie_position **position);

/* Appends a value as people read it: a margin, the chance to win, or how many moves a proved win takes. */
void cli_add_value(struct text *text, const sortie_game_info *info, const sortie_result *line);

/* A number nobody can foresee. */
uint64_t cli_chance(void);

/* The page of a command as a manual page, that of the whole program, and a command's options as words for a shell's
 * completion, each with its help behind a tab. The commands are handed over, so that a program which is one door only
 * is linked without the others and the libraries they need: loading those took 4.5 of 6.8 ms of a course's answer. */
void cli_print_manual(const struct cli_command *command, const struct cli_option *options);
void cli_print_manual_overview(const struct cli_command *const *commands);
void cli_print_words(const struct cli_option *options);

/* Whether progress should be shown: standard error is a terminal. */
bool cli_shows_progress(void);
/* Shows one line of progress over the last one; NULL clears it. */
void cli_progress(const char *line);

#endif
