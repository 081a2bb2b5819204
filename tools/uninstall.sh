#!/usr/bin/env bash
# Removes what an installation wrote, and its own folders: tools/uninstall.sh build/install_manifest.txt
set -eu
manifest=$1
[ -f "$manifest" ] || { echo "expected the list of installed files, $manifest is not there: run make install first" >&2; exit 2; }
while IFS= read -r file || [ -n "$file" ]; do
    path=${DESTDIR:-}$file
    rm -f "$path"
    folder=$(dirname "$path")
    if [ "$(basename "$folder")" = sortie ]; then
        rmdir "$folder" 2>/dev/null || true # not empty yet
    fi
done <"$manifest"
