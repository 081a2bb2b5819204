#!/usr/bin/env bash
# Builds with a sanitizer preset and runs the suite under it: tools/sanitize.sh asan-ubsan|tsan [CTEST OPTIONS]
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
cmake --preset "$preset" >/dev/null
cmake --build "build/$preset" 2>&1 | tail -1
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
cd "build/$preset"
ctest --output-on-failure --parallel "$(nproc)" "$@"
