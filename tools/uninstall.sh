#!/usr/bin/env bash
# Removes what an installation wrote, and its own folders: tools/uninstall.sh build/install_manifest.txt
set -eu
manifest=$1
[ -f "$manifest" ] || { echo "expected the list of installed files, $manifest is not there: run make install first" >&2; exit 2; }
folders=()
while IFS= read -r file || [ -n "$file" ]; do
    path=${DESTDIR:-}$file
    rm -f "$path"
    case $(dirname "$path")/ in
        */sortie/*) folders+=("$(dirname "$path")") ;; # ours alone, and what Python has put there
        */bin/) folders+=("${path%/bin/*}/share/sortie") ;;  # made even where nothing is put into it
    esac
done <"$manifest"
[ ${#folders[@]} = 0 ] || printf '%s\n' "${folders[@]}" | sort -ru | while IFS= read -r folder; do
    rm -rf "$folder/__pycache__"
    rmdir "$folder" 2>/dev/null || true # not ours alone, after all
done
