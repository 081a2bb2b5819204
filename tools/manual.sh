#!/usr/bin/env bash
# Writes the manual pages from the programs' own help: tools/manual.sh SORTIE FOLDER
set -eu
sortie=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
"$sortie" help --manual >"$folder/sortie.6"
for command in $("$sortie" help --words | cut -f 1); do
    [ "$command" = help ] || "$sortie" "$command" --manual >"$folder/sortie-$command.6"
done
for program in sortie-course sortie-laser sortie-task pbrain-sortie; do
    echo ".so man6/sortie.6" >"$folder/$program.6"
done
