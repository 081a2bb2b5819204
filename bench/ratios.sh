#!/usr/bin/env bash
# CPU-time ratios of the plain reference program (bench/baseline, cc -O2) to sortie on the same boards, a quarter
# full with values 1..99. sortie runs several times, since one run is too short for the clock; the start of the
# process counts on both sides.
set -eu
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cc -O2 -w "$here/baseline/stake_reference.c" -o reference
TIMEFORMAT='%U %S'

# seconds RUNS COMMAND...: CPU seconds of one run
seconds() {
    local runs=$1
    shift
    { time for ((i = 0; i < runs; i++)); do "$@" >answer 2>/dev/null; done; } 2>&1 |
        awk -v runs="$runs" '{print ($1 + $2) / runs}'
}

echo "board                 reference s     sortie s      ratio   same answer"
for name in alphabeta-n10-d4 alphabeta-n15-d3 minimax-n8-d4; do
    board=$here/boards/$name.txt
    slow=$(seconds 1 ./reference "$board")
    cp answer expected
    fast=$(seconds 20 "$bin/sortie" move "$board" --stdout)
    same=$(cmp -s answer expected && echo yes || echo NO)
    awk -v n="$name" -v a="$slow" -v b="$fast" -v s="$same" \
        'BEGIN{printf "%-20s %12.3f %12.5f %9.0fx   %s\n", n, a, b, a / b, s}'
done
for name in alphabeta-n26-d3 alphabeta-n10-d5; do
    fast=$(seconds 5 "$bin/sortie" move "$here/boards/$name.txt" --stdout)
    awk -v n="$name" -v b="$fast" 'BEGIN{printf "%-20s %12s %12.5f\n", n, "-", b}'
done
