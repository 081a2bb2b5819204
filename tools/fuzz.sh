#!/usr/bin/env bash
# Runs every fuzz target for some seconds, from the golden inputs: tools/fuzz.sh [SECONDS]
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-10}
cmake --preset fuzz -DSORTIE_TESTS=ON >/dev/null
cmake --build build/fuzz 2>&1 | tail -1
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
n=0
for file in tests/golden/*/*/input.txt tests/fuzz/seeds/*; do
    [ -f "$file" ] || continue
    n=$((n + 1))
    cp "$file" "$seeds/$n"
done
for target in build/fuzz/tests/fuzz_*; do
    [ -x "$target" ] && [ -f "$target" ] || continue
    mkdir -p "build/fuzz/corpus/$(basename "$target")"
    echo "$(basename "$target")"
    "$target" -max_total_time="$seconds" -max_len=20000 -timeout=10 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix=build/fuzz/ "build/fuzz/corpus/$(basename "$target")" "$seeds" 2>&1 |
        grep -E 'number_of_executed|ERROR|SUMMARY|Test unit' || true
    [ "${PIPESTATUS[0]}" -eq 0 ] || { echo "fuzz: $(basename "$target") failed"; exit 1; }
done
