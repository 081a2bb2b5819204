#!/usr/bin/env bash
# The same engine everywhere: the signature on an x86-64 of 2008, on arm64 and on Windows, and how the Windows programs
# behave, under qemu and wine: tools/everywhere_test.sh [x86-64 | arm64 | windows]...
set -u
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- x86-64 arm64 windows
failed=0
check() {
    local name=$1
    shift
    if "$@"; then echo "ok: $name"; else echo "FAIL: $name" >&2; failed=1; fi
}
# signature NAME COMMAND...: the bench of a build must have the expected signature.
signature() {
    local name=$1
    shift
    check "the signature of $name" diff bench/signature <("$@" bench -q 2>/dev/null | tr -d '\r')
}

test_x86_64() {
    for level in plain popcnt avx2 avx512; do # a level the processor lacks is the next lower one
        signature "level $level" env SORTIE_LEVEL=$level build/sortie
    done
    signature "a Core 2 of 2008 (Penryn)" qemu-x86_64 -cpu Penryn build/sortie
}

test_arm64() { # with matches left out, which need libraries of that processor
    cmake -S . -B build/arm64 -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG" -DSORTIE_TESTS=OFF -DSORTIE_CUDA=OFF -DSORTIE_MATCHES=OFF "$@" >/dev/null || return 1
    cmake --build build/arm64 --target sortie pbrain-sortie 2>&1 | tail -1
    signature "arm64" qemu-aarch64 -L /usr/aarch64-linux-gnu build/arm64/sortie
}

test_windows() {
    export WINEPREFIX=$PWD/build/windows/wine WINEDEBUG=-all
    local folder=build/windows/scratch said
    rm -rf "$folder"
    mkdir -p "$folder"
    signature "Windows" wine build/windows/sortie.exe
    said=$(printf 'START 15\r\nINFO timeout_turn 200\r\nBEGIN\r\nTURN 0,0\r\nEND\r\n' |
        wine build/windows/gomocup/pbrain-sortie64.exe 2>/dev/null | tr -d '\r' | grep -v '^MESSAGE\|^DEBUG')
    check "a game through the protocol" grep -qzP '^OK\n\d+,\d+\n\d+,\d+\n$' <(printf '%s\n' "$said")
    # As a manager speaks: one command after the other. Waiting for the next was what failed under wine.
    check "a manager that waits for answers, and time kept back" \
        timeout 300 python3 tests/cli/manager.py 1000 950 wine build/windows/pbrain-sortie.exe
    printf '2\r\nMINIMAX\r\nX\r\n2\r\n3 1\r\n2 5\r\n..\r\n.O\r\n' >"$folder/input.txt"
    check "a course file" env -C "$folder" wine ../sortie-course.exe
    check "is answered byte for byte" diff <(printf 'A2 Stake\n..\nXO\n') "$folder/output.txt"
    printf '2\nFLY\n' >"$folder/bad.txt"
    wine build/windows/sortie.exe move "$folder/bad.txt" >/dev/null 2>"$folder/said"
    check "bad input has status 2" test $? -eq 2
    check "and a message with its place" grep -q 'bad.txt:2:1: ' "$folder/said"
    wine build/windows/sortie.exe match >/dev/null 2>"$folder/said"
    check "a command that is not there has status 2" test $? -eq 2
    check "and says so" grep -q 'not in the Windows version' "$folder/said"
    printf 'H8\nquit\n' | wine build/windows/sortie.exe play -l 2 2>/dev/null | tr -d '\r' >"$folder/game"
    check "play" grep -q '^sortie plays ' "$folder/game"
    local version
    version=$(tools/version.sh)
    check "Gomocup's archive holds the brain at its top" \
        grep -qx pbrain-sortie64.exe <(unzip -Z1 "build/windows/pbrain-sortie64-$version.zip")
    check "and the opening book beside it" grep -qx gomoku.book <(unzip -Z1 "build/windows/pbrain-sortie64-$version.zip")
    check "which the programs find there" grep -q ' positions, digest ' <(wine build/windows/zip/sortie.exe book 2>/dev/null)
    unzip -q "build/windows/sortie-$version-windows-x86_64.zip" -d "$folder"
    test_windows_library "$folder/sortie-$version"
}

# sortie.dll as programs meet it: its exports, and a program that was built with what the zip holds and lies beside it.
test_windows_library() {
    x86_64-w64-mingw32-objdump -p "$1/sortie.dll" | sed -n '/Ordinal\/Name/,$p' | grep -o 'sortie_[a-z_]*' | LC_ALL=C sort -u |
        diff <(LC_ALL=C sort tests/abi/symbols) - >"$1/exports"
    check "sortie.dll exports the API and nothing else" test ! -s "$1/exports"
    check "a program is built with it" x86_64-w64-mingw32-gcc -std=c11 -Wall -Werror -DSORTIE_DLL "-I$1/include" \
        "$1/examples/bot.c" "-L$1/lib" -lsortie -o "$1/bot.exe"
    check "it needs sortie.dll" grep -q 'DLL Name: sortie.dll' <(x86_64-w64-mingw32-objdump -p "$1/bot.exe")
    printf 'H8\nA1\n' | wine "$1/bot.exe" gomoku 0.05 2>/dev/null | tr -d '\r' >"$1/moves"
    check "and plays" test "$(wc -l <"$1/moves")" -eq 3
    # There is no Windows Python here: the module's own search must come upon the file that lies beside it.
    check "the Python module looks for it there" python3 -B - "$1" <<'PYTHON'
import ctypes, os, sys
folder, tried = os.path.abspath(sys.argv[1]), []
def load(name, *rest, **options):
    tried.append(os.path.realpath(name))
    raise OSError
ctypes.CDLL = ctypes.PyDLL = load
sys.path.insert(0, folder)
try:
    import sortie
except ImportError:
    pass
sys.exit(os.path.join(folder, "sortie.dll") not in tried)
PYTHON
}

for where in "$@"; do
    case $where in
    x86-64) test_x86_64 ;;
    arm64) test_arm64 -DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-} ;;
    windows) test_windows ;;
    *) echo "expected x86-64, arm64 or windows, found $where" >&2; exit 2 ;;
    esac
done
exit $failed
