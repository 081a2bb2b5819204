#!/usr/bin/env bash
# Runs every fuzz target, or those named, for some seconds from the golden inputs, and the page's readers where there is
# node; says in a table what each has seen: tools/fuzz.sh [SECONDS [TARGET...]]
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-10}
page_inputs=100000
cmake --preset fuzz -DSORTIE_TESTS=ON >/dev/null
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(basename -s .c tests/fuzz/fuzz_*.c)
cmake --build build/fuzz --target "${targets[@]}" 2>&1 | tail -1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/seeds"
n=0
for file in tests/golden/*/*/input.txt tests/fuzz/seeds/*; do
    [ -f "$file" ] || continue
    n=$((n + 1))
    cp "$file" "$scratch/seeds/$n"
done
failed=0

# row TARGET INPUTS COVERAGE CRASHES
row() { printf '%-16s %10s %13s %8s\n' "$@"; }

# The coverage that libFuzzer tells of in its lines of this kind, the first or the last of them.
coverage() { grep -oE "$1 +cov: [0-9]+" "$log" | grep -oE '[0-9]+$' | "$2" -1 || true; }

row target inputs "new coverage" crashes
for target in "${targets[@]}"; do
    mkdir -p "build/fuzz/corpus/$target"
    words=()
    most=$(sed -n 's/^#define MOST_LENGTH \([0-9]*\).*/\1/p' "tests/fuzz/$target.c") # no more of an input is looked at
    [ ! -f "tests/fuzz/$target.dict" ] || words=("-dict=tests/fuzz/$target.dict")
    longer=$(sed -n 's/^#define TIMES_LONGER \([0-9]*\).*/\1/p' "tests/fuzz/$target.c") # than the others
    log=$scratch/log
    crashes=0
    # -print_funcs=0: names are found by a child, and the leader of a match waits for children
    "build/fuzz/tests/$target" "${words[@]}" -max_total_time="$((seconds * ${longer:-1}))" -max_len="${most:-20000}" -timeout=10 \
        -print_final_stats=1 -print_funcs=0 -artifact_prefix=build/fuzz/ \
        "build/fuzz/corpus/$target" "$scratch/seeds" >"$log" 2>&1 || crashes=1
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    begun=$(coverage INITED head)
    ended=$(coverage '[A-Z]+' tail)
    row "$target" "${inputs:-?}" "$((${ended:-0} - ${begun:-0}))" $crashes
    if [ $crashes -ne 0 ]; then
        failed=1
        grep -aE 'ERROR|SUMMARY|Test unit|runtime error' "$log" || tail -5 "$log"
    fi
done

# The JavaScript around it, over the engine that the page has inside.
page() {
    local wasm=build/web/sortie.wasm
    if [ ! -s $wasm ] || [ -n "$(find src web include -newer $wasm -name '*.[ch]' -print -quit)" ]; then
        tools/deps.sh web && tools/web.sh
    fi >"$scratch/log" 2>&1 || { row page "cannot be built:" "" "" && tail -3 "$scratch/log" && return; }
    if node tests/fuzz/page.mjs $wasm $page_inputs "${SORTIE_SEED:-1}" >"$scratch/log" 2>&1; then
        row page $page_inputs - 0
    else
        failed=1
        row page "?" - 1
        cut -c 1-2000 "$scratch/log"
    fi
}
if [ $# -gt 1 ]; then :; elif command -v node >/dev/null; then page; else row page "no node" - -; fi
[ $failed -eq 0 ] || echo "fuzz: failed"
exit $failed
