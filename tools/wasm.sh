#!/usr/bin/env bash
# Compiles the engine inside the page to WebAssembly: build/web/sortie.wasm, or with --threads build/web/sortie-threads.wasm,
# which needs a memory that is shared between workers.
set -eu
cd "$(dirname "$0")/.."
out=build/web
name=sortie
[ "${1-}" != --threads ] || name=sortie-threads
objects=$out/$name.objects
rm -rf "$objects"
mkdir -p "$objects"

# Compiled by a newer clang than Debian's usual one where there is one: Laser Checkmate, Gomoku and large war boards are 4
# to 7% faster with 19 than with 14.
compiler=$(command -v clang-19 || command -v clang)

# Everything the door needs, without the files and processes a browser has not.
mapfile -t sources < <(git ls-files --cached --others --exclude-standard 'src/base/*.c' 'src/certificate/*.c' 'src/system/*.c' 'src/game/*.c' 'src/games/*.c' \
    'src/search/*.c' 'src/engine/*.c' 'src/api/*.c' 'src/formats/*.c' src/protocols/ask.c ':(glob)web/*.c' | sort -u |
    grep -v -e '_windows\.c$' -e '^src/system/\(file\|file_read\|file_out\|standard\|host_[a-z]*\)\.c$' -e '/\(book\|openings\)_installed\.c$' -e '^src/api/proofs/')
flags=(--target=wasm32-wasi -std=gnu17 -DNDEBUG -msimd128 -mbulk-memory -D_GNU_SOURCE -D_WASI_EMULATED_MMAN
    "-DSORTIE_VERSION=\"$(tools/version.sh)\"" -Iweb -Isrc -Iinclude -isystem web/include)
links=(-z,stack-size=4194304 --strip-all)
if [ $name = sortie-threads ]; then
    sources+=(web/threads/threads.c web/threads/threads_enter.S)
    flags+=(-pthread -Wno-unused-command-line-argument)
    # Debian's C library was compiled for one thread, which the linker would refuse: threads.c says what guards it.
    links+=(--shared-memory --import-memory --initial-memory=33554432 --max-memory=1073741824 --no-check-features)
    for function in malloc calloc realloc aligned_alloc posix_memalign free; do links+=("--wrap=$function"); done
fi

# The searches are compiled for speed; what surrounds them, and Laser's widest boards, for size. Linked without -O, so that
# clang does not call a wasm-opt that knows nothing of the features used.
export objects
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -I{} sh -c '
    case {} in
    src/games/laser/kernel/kernel_7.c | src/games/laser/kernel/kernel_16.c | src/games/gomoku/referee/* | src/games/gomoku/book/* | src/games/gomoku/openings/*) level=-Oz ;;
    src/games/* | src/search/*) level=-O3 ;;
    *) level=-Oz ;;
    esac
    "$@" $level -c {} -o "$objects/$(echo {} | tr / _).o"' compile ${CMAKE_C_COMPILER_LAUNCHER-} "$compiler" "${flags[@]}"
clang --target=wasm32-wasi -mexec-model=reactor "$objects"/*.o -lwasi-emulated-mman "${links[@]/#/-Wl,}" -o "$out/$name.wasm.new"
mv "$out/$name.wasm.new" "$out/$name.wasm"
