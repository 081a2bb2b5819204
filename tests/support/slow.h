/* How much less a test tries where everything is slower: under a sanitizer. */
#ifndef SORTIE_TESTS_SLOW_H
#define SORTIE_TESTS_SLOW_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW 8
#else
#define SLOW 1
#endif

#endif
