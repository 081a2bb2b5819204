/* The seam: what operating systems do each in its own way. host_linux.c asks Linux; host_posix.c makes do with what
 * POSIX promises, for all others of its kind; host_windows.c is Windows. Nobody above this room asks a system for more
 * than POSIX has, but the rooms that exist on Linux alone (sandbox, match, grade); tools/lint.sh looks. */
#ifndef SORTIE_SYSTEM_HOST_H
#define SORTIE_SYSTEM_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pollfd;

/* What stands between the paths of a list in the environment: on Windows a colon is part of one. */
#ifdef _WIN32
#define HOST_BETWEEN_PATHS ";"
#else
#define HOST_BETWEEN_PATHS ":"
#endif

/* The processors this process may use: those it is bound to, or fewer where a container allows less time than they
 * have. At least 1. */
int host_processors(void);

/* Bytes that can be taken without pushing other programs out; 0 when unknown. */
size_t host_free_memory(void);

/* The folder of the running program, without a slash at its end; false where the system does not tell. */
bool host_program_folder(char *folder, size_t size);

/* A number nobody can foresee. */
uint64_t host_chance(void);

/* Asks to let the calling thread run for short moments, but soon after it wakes, among threads of the same rank. Needs
 * no right; where the system knows no such thing, nothing changes. */
void host_ask_for_short_slices(void);

/* A descriptor that can be read when something has changed in the folder, or -1 where there is no such thing or no
 * more of it: then whoever waits looks for himself. */
int host_watch_folder(const char *path);

/* As poll, with a time as exact as the system has it. */
int host_poll(struct pollfd *watched, unsigned count, double seconds);

/* Makes a file as mkstemp does that no program started from here inherits. */
int host_make_file(char *pattern);

#endif
