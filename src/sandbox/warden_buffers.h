/* Memory that the kernel keeps for a program and that shows in none of its processes: the buffers of sockets, pages in
 * pipes, shared memory that nobody has mapped any more. Where no control group counts it, it is kept small, so that
 * what can be seen bounds it. */
#ifndef SORTIE_SANDBOX_WARDEN_BUFFERS_H
#define SORTIE_SANDBOX_WARDEN_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The most of one piece of shared anonymous memory. Of a piece only what is mapped can be seen, be that one page of it:
 * so each counts as this much. */
#define BUFFERS_MOST_SHARED ((uint64_t)16 << 20)
/* What a socket counts as, whatever it holds. */
#define BUFFERS_OF_SOCKET ((uint64_t)512 << 10)

/* A descriptor to a new copy of a filter for bubblewrap, at its beginning; -1 where there is none for this processor.
 * With `keep_small` larger pieces of shared memory and larger buffers of sockets than the above are refused; moving
 * pages between files, pipes and sockets without a copy always is. */
int buffers_filter(bool keep_small);

/* Likewise one that refuses every socket but those of the machine itself, for programs that have no network of their
 * own. */
int buffers_no_network(void);

/* Gives the calling process a network of its own, nothing but a loopback, whose sockets have small buffers. False with
 * errno. */
bool buffers_network(void);

/* Makes a file that reads as zeros without end and takes no memory, in the place of the device: that, mapped, would be
 * memory without a limit. */
bool buffers_make_zero(int folder, const char *name);

/* What the sockets of a process's network count as. */
uint64_t buffers_of_sockets(pid_t process);

#endif
