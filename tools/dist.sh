#!/usr/bin/env bash
# Makes build/sortie-VERSION.tar.gz: the sources as they are in the last commit, the same bytes for the same commit. With
# --test it is unpacked, built and tested on its own.
set -eu
cd "$(dirname "$0")/.."
version=$(tools/version.sh)
name=sortie-$version
mkdir -p build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git archive --prefix="$name/" HEAD | tar -x -C "$folder"
(cd "$folder/$name" && find . -type f | sed 's|^\./||' | LC_ALL=C sort >"$folder/list" && mv "$folder/list" SOURCES)
tar -C "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" -c "$name" |
    gzip -n >"build/$name.tar.gz"
ls -l "build/$name.tar.gz"
if [ "${1-}" = --test ]; then
    cd "$folder/$name"
    cmake --preset release ${SORTIE_DIST_OPTIONS:-} >/dev/null
    cmake --build build 2>&1 | tail -1
    cd build
    ctest --output-on-failure -R "${SORTIE_DIST_TESTS:-.}"
fi
