#include "system/machine.h"

#if !defined(__wasi__) && !defined(_WIN32)
#include <unistd.h>
#endif

#include "base/assert.h"
#include "system/host.h"

#define LEAST_TABLE ((size_t)64 << 20)
/* About a million nodes a second and thread, two entries of sixteen bytes each. */
#define BYTES_A_SECOND 32e6
#define MOST_TABLE ((size_t)4 << 30)
#define MOST_FOR_PROOF ((size_t)6 << 30)

#ifdef __wasi__ /* a browser's page asks nobody */

int machine_cores(void) {
    return 1;
}

size_t machine_free_memory(void) {
    return 0;
}

#else

int machine_cores(void) {
    return host_processors();
}

size_t machine_free_memory(void) {
    return host_free_memory();
}

#endif

long machine_process(void) {
#if defined(__wasi__) || defined(_WIN32)
    return 0;
#else
    return (long)getpid();
#endif
}

size_t machine_proof_share(void) {
    size_t share = machine_free_memory() / 2;
    return share < LEAST_TABLE ? LEAST_TABLE : share > MOST_FOR_PROOF ? MOST_FOR_PROOF : share;
}

size_t machine_table_share(double seconds, int threads) {
    ASSERT(seconds >= 0);
    ASSERT(threads >= 0);
    size_t wanted = machine_free_memory() / 4;
    double filled = seconds * threads * BYTES_A_SECOND;
    if (seconds > 0 && filled < (double)wanted) {
        wanted = (size_t)filled;
    }
    size_t share = LEAST_TABLE;
    while (share < MOST_TABLE && 2 * share <= wanted) {
        share *= 2;
    }
    return share;
}
