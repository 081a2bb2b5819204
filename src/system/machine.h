/* What the machine has for us: processors and memory, as far as this process may use them. */
#ifndef SORTIE_SYSTEM_MACHINE_H
#define SORTIE_SYSTEM_MACHINE_H

#include <stddef.h>

/* How many threads can run at once: the processors this process is bound to, or fewer where a container allows less
 * time than they have. At least 1. */
int machine_cores(void);

/* The number of this process; 0 where a process cannot be copied by fork. */
long machine_process(void);

/* Bytes that can be taken without pushing other programs out; 0 when unknown. */
size_t machine_free_memory(void);

/* What a table may take by default: a quarter of the free memory, of 64 MiB to 4 GiB, a power of two; and no more than
 * a search of `seconds` on `threads` can fill, where that is known (0: it is not). Memory costs time when it is first
 * touched: two seconds of Gomoku with 4 GiB see a hundredth of the nodes they see with 256 MiB. */
size_t machine_table_share(double seconds, int threads);

/* What a proof may take by default that takes as long as it takes: half of the free memory, of 64 MiB to 6 GiB. */
size_t machine_proof_share(void);

#endif
