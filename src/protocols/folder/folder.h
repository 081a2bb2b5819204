/* The referee's folder: the files through which a referee and two programs play Gomoku.
 *
 *   move_file     empty before the first move, then the last move: "Group1 E 5"
 *   TEAM.go       there while it is TEAM's turn
 *   end_game      one line, written once the game is over
 *   history_file  all moves, written with end_game
 *
 * Nobody may trust anybody here: files can be missing, empty, half written, huge, or no plain files at all. So
 * nothing in this module blocks, and a file is read up to a fixed length only. Files are written beside and
 * renamed, so that the other side never sees half of one. */
#ifndef SORTIE_PROTOCOLS_FOLDER_FOLDER_H
#define SORTIE_PROTOCOLS_FOLDER_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define FOLDER_SIZE 15 /* the board of the course: 15x15 */
#define FOLDER_SQUARES (FOLDER_SIZE * FOLDER_SIZE)
#define FOLDER_MOST_TEAM 64
#define FOLDER_MOST_NAME (FOLDER_MOST_TEAM + 8)
#define FOLDER_MOST_LINE 200

#define FOLDER_MOVE_FILE "move_file"
#define FOLDER_END_FILE "end_game"
#define FOLDER_HISTORY_FILE "history_file"

struct folder {
    int directory; /* every name is opened below it, so that the current folder does not matter */
    int notify;    /* inotify, or -1: then waiting is polling */
    double poll_seconds;
    bool writable;   /* it was when it was opened */
    int aside;       /* counts what was put aside, for the names */
    uint64_t number; /* of this handle alone, for the names of files that are being written */
};

/* What tells one state of a file from the next without reading it. */
struct folder_stamp {
    bool exists;
    uint64_t device;
    uint64_t inode;
    int64_t size;
    int64_t modified; /* nanoseconds since 1970 */
    int64_t changed;  /* likewise; renaming counts and nobody can set it back */
};

/* What stands in move_file. */
enum folder_content {
    FOLDER_MISSING, /* no such file, or not a plain one */
    FOLDER_EMPTY,   /* nothing but blanks */
    FOLDER_PART,    /* something, but no whole move: half written, or nonsense */
    FOLDER_MOVE     /* a team, a letter and a number */
};

struct folder_line {
    enum folder_content content;
    char team[FOLDER_MOST_TEAM]; /* the first word, where something stands behind it; otherwise "" */
    int square;                  /* row * 15 + column; -1 when it is off the board */
    bool ended;                  /* a line end was read: the writer is done with the line */
};

/* Opens the folder and makes sure that files can be written there: one is, and removed again. `polling`: never
 * use inotify. STATUS_BAD_INPUT for a folder that is missing or read-only, STATUS_FAIL for a full disk. */
enum status folder_open(struct folder *folder, const char *path, bool polling, struct error *error);
void folder_close(struct folder *folder);
/* Whether somebody has removed the folder itself. */
bool folder_gone(const struct folder *folder);

/* Sleeps until something changes in the folder or the time is over. May wake for no reason. */
void folder_wait(struct folder *folder, double seconds);

void folder_stamp(const struct folder *folder, const char *name, struct folder_stamp *stamp);
bool folder_same_stamp(const struct folder_stamp *a, const struct folder_stamp *b);

/* Reads the beginning of a plain file, at most size - 1 bytes, and ends it with a zero. False when it is missing or no
 * plain file. */
bool folder_read(const struct folder *folder, const char *name, char *bytes, size_t size, size_t *length);

/* Replaces a file in one step; a folder of that name is put aside. The error does not name the file. */
enum status folder_put(struct folder *folder, const char *name, const char *text, struct error *error);
/* Makes a file only if there is none, so that nobody's answer is overwritten; one that is there is no error. */
enum status folder_add(struct folder *folder, const char *name, const char *text, struct error *error);
/* Takes a file (whatever it is) away under another name; false when it is not there. */
bool folder_take(struct folder *folder, const char *name, const char *new_name);
/* A folder in the place of the file is removed when it is empty, otherwise put aside. */
void folder_remove(struct folder *folder, const char *name);

/* True for a name that can stand in the line of a move and in a file's name. */
bool folder_good_team(const char *team);
/* "TEAM.go". */
void folder_go_name(const char *team, char name[FOLDER_MOST_NAME]);

/* Reads the first line that is not blank. */
void folder_parse_line(const char *bytes, size_t length, struct folder_line *line);
void folder_read_move(const struct folder *folder, struct folder_line *line);
/* "Group1 E 5" and a line end; `lower`: the letter as the course's referee prints it. */
void folder_move_text(const char *team, int square, bool lower, char text[FOLDER_MOST_LINE]);

/* The wall clock that files are stamped with, in nanoseconds. */
int64_t folder_now(void);

#endif
