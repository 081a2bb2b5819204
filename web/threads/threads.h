/* Threads for WebAssembly: threads.c, and threads_enter.S, where a worker comes in. */
#ifndef SORTIE_WEB_THREADS_H
#define SORTIE_WEB_THREADS_H

#define THREADS_MOST_HELPERS 15
#define THREADS_STACK ((size_t)4 << 20) /* for each helper; as tools/wasm.sh asks for the first thread */
#define THREADS_LOCALS 64               /* bytes of thread-local variables there is room for */

/* What a helper does, once its stack is there: waits to be called, again and again. */
_Noreturn void threads_serve(int index);

/* Makes `memory` what the calling thread's local variables are in. */
void threads_locals(char memory[THREADS_LOCALS]);

#endif
