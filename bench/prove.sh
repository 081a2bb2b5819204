#!/usr/bin/env bash
# What the prover does with the fixed set of bench/prove: positions, moves in threats and CPU seconds, and how it ended.
#
#     bench/prove.sh BUILD [POSITION...]                    one build
#     bench/prove.sh BUILD --against OTHER [POSITION...]    two builds in turns, and the ratio of their CPU seconds
#
# Each position has its own number of nodes and runs on one thread: positions and moves are the same each time, on any
# machine. Where another position's store is the guide, the first build makes it, and both get a copy.
set -eu
here=$(cd "$(dirname "$0")" && pwd)/prove
program=$(cd "${1:?expected a folder with the program}" && pwd)/sortie
shift
other=
if [ "${1:-}" = --against ]; then
    other=$(cd "${2:?expected a second folder}" && pwd)/sortie
    shift 2
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
TIMEFORMAT='%U %S'

# run PROGRAM NAME NODES GUIDE: leaves the answer in $scratch/answer and the CPU seconds in $seconds
run() {
    local store=()
    if [ "$4" != - ]; then
        if [ ! -e "$scratch/$4.store" ]; then
            "$program" prove "$here/$4.txt" --claim wins -j1 --time 100000 --store "$scratch/$4.store" >"$scratch/guide"
        fi
        cp "$scratch/$4.store" "$scratch/store"
        store=(--store "$scratch/store")
    fi
    { time "$1" prove "$here/$2.txt" --claim wins -j1 --time 100000 --nodes "$3" "${store[@]}" \
        >"$scratch/answer" 2>/dev/null || [ $? -eq 3 ]; } 2>"$scratch/time"
    seconds=$(awk '{print $1 + $2}' "$scratch/time")
}

# field PATTERN: the number before the pattern in the answer
field() {
    sed -n "s/.*[^0-9]\([0-9][0-9]*\) $1.*/\1/p" "$scratch/answer"
}

printf '%-14s %9s %12s %9s' position positions moves seconds
printf '%s' "${other:+   other s  ratio}"
printf '  end\n'
total=0
total_other=0
while read -r name nodes guide; do
    case $name in '#'* | '') continue ;; esac
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then
        continue
    fi
    if [ "$other" ]; then
        run "$other" "$name" "$nodes" "$guide"
        seconds_other=$seconds
        total_other=$(awk "BEGIN{print $total_other + $seconds}")
    fi
    run "$program" "$name" "$nodes" "$guide"
    total=$(awk "BEGIN{print $total + $seconds}")
    end=$(sed -n 's/^proved: \([A-Z] [a-z]*\).*/\1/p; s/.*: proof number \([0-9a-z]*\), disproof number \([0-9a-z]*\)/open \1 \2/p' \
        "$scratch/answer")
    printf '%-14s %9s %12s %9.2f' "$name" "$(field positions,)" "$(field 'moves in threats')" "$seconds"
    [ "$other" ] && awk "BEGIN{printf \" %9.2f %6.2f\", $seconds_other, $seconds / $seconds_other}"
    printf '  %s\n' "$end"
done <"$here/set.txt"
printf '%-36s %10.2f' total "$total"
[ "$other" ] && awk "BEGIN{printf \" %9.2f %6.2f\", $total_other, $total / $total_other}"
printf '\n'
