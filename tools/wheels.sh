#!/usr/bin/env bash
# Builds the wheels for Linux (x86-64, arm64) and Windows into build/wheels, the same bytes for the same commit.
#   tools/wheels.sh                  all three
#   tools/wheels.sh --only linux     one of linux, arm64, windows
#   tools/wheels.sh --test           and tries each: pip in a fresh environment, qemu, wine
set -eu
cd "$(dirname "$0")/.."
platforms="linux arm64 windows" try=0
while [ $# -gt 0 ]; do
    case $1 in
    --test) try=1 ;;
    --only)
        platforms=${2-}
        shift
        ;;
    *)
        echo "expected --test or --only PLATFORM, found $1" >&2
        exit 2
        ;;
    esac
    shift
done
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)}"
export SOURCE_DATE_EPOCH PYTHONDONTWRITEBYTECODE=1
python=$(command -v /usr/bin/python3 || command -v python3)
[ "$(uname -m)" = x86_64 ] || { echo "expected an x86-64 machine, found $(uname -m): use pip wheel ." >&2; exit 2; }

toolchain_of() {
    case $1 in
    linux) ;;
    arm64) echo "--toolchain cmake/aarch64.cmake" ;;
    windows) echo "--toolchain cmake/mingw.cmake" ;;
    *)
        echo "expected linux, arm64 or windows, found $1" >&2
        exit 2
        ;;
    esac
}

trap 'rm -rf "$folder"' EXIT
folder=$(mktemp -d)

# try_wheel PLATFORM WHEEL: the native one by pip; the others' library by a small program on the emulator.
try_wheel() {
    case $1 in
    linux)
        "$python" -m venv "$folder/venv"
        "$folder/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$2"
        env -i "$folder/venv/bin/python" -c \
            'import sortie; print(sortie.Engine().go(sortie.Position.start("gomoku"), nodes=300).move)'
        ;;
    arm64)
        "$python" -m zipfile -e "$2" "$folder"
        aarch64-linux-gnu-gcc -O1 -Iinclude tests/python/loader.c -o "$folder/loader" -ldl
        qemu-aarch64 -L /usr/aarch64-linux-gnu "$folder/loader" "$folder/sortie/libsortie.so"
        ;;
    windows)
        "$python" -m zipfile -e "$2" "$folder"
        x86_64-w64-mingw32-gcc -O1 -Iinclude tests/python/loader.c -o "$folder/loader.exe"
        (cd "$folder" && WINEDEBUG=-all WINEPREFIX=$folder/wine wine loader.exe sortie/sortie.dll && wineserver -w)
        ;;
    esac
    rm -rf "${folder:?}"/*
}

mkdir -p build/wheels
for platform in $platforms; do
    options=$(toolchain_of "$platform")
    # shellcheck disable=SC2086 # two words or none
    name=$("$python" python/backend/sortie_build.py build/wheels --build "build/wheels/$platform" $options)
    ls -l "build/wheels/$name"
    if [ $try -eq 1 ]; then
        move=$(try_wheel "$platform" "build/wheels/$name")
        [ "$move" ] || { echo "$name: expected a move" >&2; exit 1; }
        echo "$platform plays $move"
    fi
done
