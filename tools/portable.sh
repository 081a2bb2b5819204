#!/usr/bin/env bash
# Other compilers, C libraries and systems: tools/portable.sh [clang|musl|posix|musl-posix]... [-- OPTIONS OF CTEST...]
#
# Builds each as the preset of that name says and runs its quick tests:
#   clang  everything, by clang
#   musl   with musl's C library and no other: the engine, the library, all programs; not the page's server, nor match,
#          referee, report and grade, whose SQLite and libarchive Debian has for glibc alone
#   posix  as on macOS and the BSDs: nothing that POSIX does not promise, without headers that only Linux has
#   musl-posix  both at once, compiled quickly: what .ci/run does
set -eu
cd "$(dirname "$0")/.."
presets=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
    clang | musl | posix | musl-posix) presets+=("$1") ;;
    *) sed -n '2s/^# .*: /usage: /p' "$0" >&2; exit 2 ;;
    esac
    shift
done
[ $# -eq 0 ] || shift
[ ${#presets[@]} -gt 0 ] || presets=(clang musl posix)
jobs=$(nproc)
for preset in "${presets[@]}"; do
    echo "$preset"
    log=build/$preset.log
    mkdir -p build
    { cmake --preset "$preset" -DSORTIE_WERROR=ON && cmake --build "build/$preset" --parallel "$jobs"; } >"$log" 2>&1 ||
        { grep -v '^\[' "$log"; exit 1; }
    (cd "build/$preset" && ctest -L quick --parallel "$jobs" --output-on-failure "$@") >"$log" 2>&1 ||
        { cat "$log"; exit 1; }
    grep 'tests passed' "$log"
    "build/$preset/sortie" bench -q | diff bench/signature -
done
