#!/usr/bin/env bash
# Removes what an installation wrote, and its own folders: tools/uninstall.sh build/install_manifest.txt
set -eu
manifest=$1
[ -f "$manifest" ] || { echo "expected the list of installed files, $manifest is not there: run make install first" >&2; exit 2; }
while IFS= read -r file || [ -n "$file" ]; do
    path=${DESTDIR:-}$file
    rm -f "$path"
    folder=$(dirname "$path")
    if [ "${path%.py}" != "$path" ]; then # what Python compiled beside it goes too
        rm -f "$folder/__pycache__/$(basename "$path" .py)".*.pyc
        rmdir "$folder/__pycache__" 2>/dev/null || true
    fi
    while [[ $folder = */sortie || $folder = */sortie/env ]] && rmdir "$folder" 2>/dev/null; do # empty now
        folder=$(dirname "$folder")
    done
done <"$manifest"
