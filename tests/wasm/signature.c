/* The bench signature as a WebAssembly program, to be run by node: the same nodes as everywhere. */
#include <stdio.h>
#include <sys/mman.h>

#include "engine/bench.h"

/* Advice about memory, which the C library for WebAssembly does not take. */
int madvise(void *memory, size_t length, int advice) {
    (void)memory, (void)length, (void)advice;
    return 0;
}

int main(void) {
    struct bench_total total;
    struct error error = {0};
    if (bench_run(50000, NULL, NULL, NULL, &total, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    printf("signature %016llx\n", (unsigned long long)total.signature);
    return 0;
}
