/* Large blocks of memory on Windows. */
#include <windows.h>

#include "system/pages.h"

void *pages_new(size_t bytes) {
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void pages_free(void *memory, size_t bytes) {
    (void)bytes;
    if (memory) {
        VirtualFree(memory, 0, MEM_RELEASE);
    }
}
