#!/usr/bin/env bash
# Says where the programs of a build are and how a shell finds them: tools/where.sh BUILD [PREFIX]
set -eu
folder=$(cd "$1" && pwd)
echo "The programs are in $1: $(find "$folder" -maxdepth 1 -type f -perm -u+x -name '*sortie*' ! -name '*.*' \
    -printf '%f\n' | sort | paste -sd ' ')"
[ "$(command -v sortie || true)" != "$folder/sortie" ] || exit 0
printf 'To call them by name: export PATH=%q:$PATH\n' "$folder"
echo "                  or: make install  (into ${2:-/usr/local}; with PREFIX=\$HOME/.local without root)"
