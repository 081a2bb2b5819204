#!/usr/bin/env bash
# Layout, static checks, and warnings as errors with gcc and clang.
set -eu
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files '*.c' '*.h' | grep -v '^bench/baseline/')
mapfile -t sources < <(git ls-files 'src/*.c' | grep -v '_windows\.c$')

echo "include graph"
mkdir -p build
tools/includes.sh

echo "pages"
tools/docs_check.py
tools/proof_figures.py

echo "clocks" # waits and deadlines are told by the clock that never jumps; only the times of files are compared with the other
if grep -nE 'CLOCK_REALTIME|gettimeofday\(|pthread_cond_timedwait|sem_timedwait|pthread_mutex_timedlock' "${sources[@]}" |
    grep -v '^src/protocols/folder/folder\.c:'; then
    echo "use clock_wall and condition_wait"
    exit 1
fi
echo "headers of Linux" # only behind the seam, and in the rooms that no other system has
mapfile -t linux_headers < <(cd tests/posix && find . -name '*.h' -printf '%P\n')
pattern=$(printf '%s\n' "${linux_headers[@]}" | sed 's/\./\\./' | paste -sd '|')
if git grep -nE "^ *# *include <(linux/.*|asm/.*|$pattern)>|\"/proc/|\"/sys/|__linux__" 'src/*.[ch]' web |
    grep -vE '^src/(system/host_linux\.c|system/file\.c|cli/commands/(cmd_grade|cmd_check|match_class)\.c|(sandbox|match|grade|players|results)/)'; then
    echo "ask src/system/host.h"
    exit 1
fi
echo "what strangers wrote"
tools/clean.sh

echo "Python's types"
mypy --no-error-summary python/sortie python/backend

echo "clang-format"
clang-format --dry-run -Werror "${files[@]}"

compilers=(gcc clang)
if grep -qs '^SORTIE_WERROR:BOOL=ON' build/CMakeCache.txt; then compilers=(clang); fi # gcc has said what it has to say
for compiler in "${compilers[@]}"; do
    echo "$compiler -Werror"
    cmake -S . -B "build/lint-$compiler" -G Ninja -DCMAKE_C_COMPILER=$compiler -DSORTIE_WERROR=ON \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O3 -DSORTIE_LEVELS=OFF -DSORTIE_CUDA=OFF >/dev/null # with assertions
    cmake --build "build/lint-$compiler" --target all gomoku-tools >build/lint.log 2>&1 || { grep -v "^\[" build/lint.log; exit 1; }
done

echo "clang-tidy"
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/lint-clang 2>/dev/null

echo "cppcheck"
cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
    --suppress=missingIncludeSystem -D_GNU_SOURCE -D__x86_64__ -DSORTIE_VERSION='"0"' -Isrc -Iinclude \
    -j "$(nproc)" "${sources[@]}"
echo "lint: clean"
