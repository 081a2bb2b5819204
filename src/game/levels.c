#include "game/levels.h"

#ifdef SORTIE_LEVELS

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "levels_table.h"

enum { LEVEL_PLAIN, LEVEL_POPCNT, LEVEL_AVX2, LEVEL_AVX512, LEVEL_COUNT };

static const char *const names[LEVEL_COUNT] = {"plain", "popcnt", "avx2", "avx512"};
static int chosen;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* What the processor and the system under it can do. */
static int best_level(void) {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("popcnt") || !__builtin_cpu_supports("sse4.2")) {
        return LEVEL_PLAIN;
    }
    /* AMD before Zen 3 gathers bits (pext) in microcode, some hundred cycles each: what AVX2 wins there is lost again.
     */
    bool slow_gather = __builtin_cpu_is("bdver4") || __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2");
    if (slow_gather || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2")) {
        return LEVEL_POPCNT;
    }
    bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512vl");
    return wide ? LEVEL_AVX512 : LEVEL_AVX2;
}

static void levels_choose(void) {
    const char *wanted = getenv("SORTIE_LEVEL");
    chosen = best_level();
    for (int level = 0; wanted && level < chosen; level++) {
        if (strcmp(wanted, names[level]) == 0) {
            chosen = level;
        }
    }
}

const struct game *game_tuned(const struct game *game) {
    pthread_once(&once, levels_choose);
    for (size_t i = 0; i < sizeof level_table / sizeof level_table[0]; i++) {
        if (level_table[i][0] == game) {
            return level_table[i][chosen];
        }
    }
    return game;
}

const char *game_level_name(void) {
    pthread_once(&once, levels_choose);
    return names[chosen];
}

#else

const struct game *game_tuned(const struct game *game) {
    return game;
}

const char *game_level_name(void) {
    return "plain";
}

#endif
