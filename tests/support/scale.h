/* How much less a test tries where everything is slower: under a sanitizer, which makes our programs ten to twenty
 * times slower. The one place that knows. */
#ifndef SORTIE_TESTS_SCALE_H
#define SORTIE_TESTS_SCALE_H

#if defined(__SANITIZE_THREAD__)
#define SLOW 20
#elif defined(__SANITIZE_ADDRESS__)
#define SLOW 10
#else
#define SLOW 1
#endif

/* So many rounds of what takes long; at least one. */
#define SCALED(n) (((n) + SLOW - 1) / SLOW)

#endif
