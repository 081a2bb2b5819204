#!/usr/bin/env bash
# Runs the suite with coverage counters and prints the share of lines run in each file of src/.
set -eu
cd "$(dirname "$0")/.."
cmake --preset coverage >/dev/null
cmake --build build/coverage 2>&1 | tail -1
(cd build/coverage && ctest --parallel "$(nproc)" >/dev/null) || true
cd build/coverage
find . -name '*.gcda' | grep -v tests/ | while read -r data; do
    gcov -n -o "$(dirname "$data")" "$data" 2>/dev/null
done | awk '/^File .*src\//{file=$2} /^Lines executed/ && file {print $2, $4, file; file=""}' | sed "s/executed://; s|'[^']*src/|src/|; s|'||" | sort -k3
