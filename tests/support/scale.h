/* What a test asks for where everything is slower: under a sanitizer, which makes our programs ten to twenty times
 * slower. The one place that knows. */
#ifndef SORTIE_TESTS_SCALE_H
#define SORTIE_TESTS_SCALE_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW 10    /* so much less is tried */
#define PATIENT 20 /* so much longer something may take by the clock */
#else
#define SLOW 1
#define PATIENT 1
#endif

/* So many rounds of what takes long; at least one. */
#define SCALED(n) (((n) + SLOW - 1) / SLOW)

#endif
