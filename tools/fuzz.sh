#!/usr/bin/env bash
# Runs every fuzz target for some seconds, from the golden inputs: tools/fuzz.sh [SECONDS]
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-10}
cmake --preset fuzz -DSORTIE_TESTS=ON >/dev/null
mapfile -t targets < <(basename -s .c tests/fuzz/fuzz_*.c)
cmake --build build/fuzz --target "${targets[@]}" 2>&1 | tail -1
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
n=0
for file in tests/golden/*/*/input.txt tests/fuzz/seeds/*; do
    [ -f "$file" ] || continue
    n=$((n + 1))
    cp "$file" "$seeds/$n"
done
for target in "${targets[@]}"; do
    mkdir -p "build/fuzz/corpus/$target"
    echo "$target"
    words=()
    [ ! -f "tests/fuzz/$target.dict" ] || words=("-dict=tests/fuzz/$target.dict")
    "build/fuzz/tests/$target" "${words[@]}" -max_total_time="$seconds" -max_len=20000 -timeout=10 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix=build/fuzz/ "build/fuzz/corpus/$target" "$seeds" 2>&1 |
        grep -E 'number_of_executed|ERROR|SUMMARY|Test unit' || true
    [ "${PIPESTATUS[0]}" -eq 0 ] || { echo "fuzz: $target failed"; exit 1; }
done
