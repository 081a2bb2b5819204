#!/usr/bin/env bash
# The main job on the shipped examples: a move for each of the games, with the board before and after.
set -eu
bin=$1
examples=$(cd "$(dirname "$0")/../examples" && pwd)
sortie=$(cd "$bin" && pwd)/sortie
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
for example in "$examples"/*.txt; do
    name=$(basename "$example" .txt)
    echo
    echo "== $name: sortie show examples/$name.txt"
    "$sortie" show "$example"
    limit=()
    [ "$name" = gomoku ] && limit=(--time 1)
    echo "-- sortie move examples/$name.txt" "${limit[@]}"
    "$sortie" move "$example" --json "${limit[@]}" >json
    for file in output.txt next_state.txt; do
        if [ -f $file ]; then
            echo "$file:"
            sed 's/^/    /' $file
        fi
    done
    sed 's/.*\("value.*nodes": [0-9]*\).*/search: \1/' json
    if [ -f traverse_log.txt ]; then
        echo "traverse_log.txt: $(wc -l <traverse_log.txt) lines, the last: $(tail -1 traverse_log.txt)"
    fi
    rm -f ./*.txt
done
echo
echo "These were the files in examples/. Put your own input.txt into a folder and run 'sortie move' there."
echo "To play in the browser: 'make play', or 'make web' and open build/sortie.html (one file, no server needed)."
