/* How often a test repeats what takes long: less under sanitizers, which are ten to twenty times slower, but at least
 * once. */
#ifndef SORTIE_TESTS_ROUNDS_H
#define SORTIE_TESTS_ROUNDS_H

#ifdef __SANITIZE_ADDRESS__
#define ROUNDS(n) (((n) + 9) / 10)
#elif defined(__SANITIZE_THREAD__)
#define ROUNDS(n) (((n) + 19) / 20)
#else
#define ROUNDS(n) (n)
#endif

#endif
