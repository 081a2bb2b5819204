/* Loads the library of a wheel where there is no Python to do it, and lets it play a move. */
#include <sortie/sortie.h>
#include <stdio.h>

#ifdef _WIN32
#include <windows.h>
#define OPEN(path) LoadLibraryA(path)
#define FIND(library, name) ((void *)GetProcAddress(library, name))
typedef HMODULE library_handle;
#else
#include <dlfcn.h>
#define OPEN(path) dlopen(path, RTLD_NOW)
#define FIND(library, name) dlsym(library, name)
typedef void *library_handle;
#endif

int main(int count, char **arguments) {
    library_handle library = count == 2 ? OPEN(arguments[1]) : NULL;
    if (!library) {
        fprintf(stderr, "expected a library that can be loaded\n");
        return 2;
    }
    __typeof__(&sortie_position_start) start = FIND(library, "sortie_position_start");
    __typeof__(&sortie_engine_new) make = FIND(library, "sortie_engine_new");
    __typeof__(&sortie_engine_go) go = FIND(library, "sortie_engine_go");
    sortie_position *position = NULL;
    sortie_engine *engine = NULL;
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    sortie_result result = SORTIE_INIT(sortie_result);
    limits.method = SORTIE_ENGINE;
    limits.nodes = 300;
    if (!start || !make || !go || start("gomoku", NULL, &position, NULL) || make(NULL, &engine, NULL) ||
        go(engine, position, &limits, &result, NULL)) {
        fprintf(stderr, "expected a move\n");
        return 1;
    }
    printf("%s\n", result.move);
    return 0;
}
