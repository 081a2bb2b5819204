#include "crew/backend.h"

#include <stdlib.h>

bool backend_one_of_many(void) {
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    size = size ? size : getenv("PMI_SIZE");
    return size && atoi(size) > 1;
}

bool backend_helps(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    return backend_one_of_many() && rank && atoi(rank) > 0;
}

#if defined(_WIN32) || defined(SORTIE_NO_BACKENDS)

/* There are none for Windows, nor for programs of one file, which cannot load any. */
void *backend_load(const char *name, const char *symbol) {
    (void)name, (void)symbol;
    return NULL;
}

#else

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "system/host.h"

void *backend_load(const char *name, const char *symbol) {
    static const char *const folders[] = {"", "../lib/sortie/"}; /* from the program's own */
    char program[PATH_MAX];
    if (!host_program_folder(program, sizeof program)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[PATH_MAX + 64];
        snprintf(path, sizeof path, "%s/%ssortie-%s.so", program, folders[i], name);
        void *object = access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
        if (object) {
            return dlsym(object, symbol);
        }
    }
    return NULL;
}

#endif
