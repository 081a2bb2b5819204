#!/usr/bin/env bash
# Compiles the bench to WebAssembly and compares its signature, run by node, with bench/signature.
set -eu
cd "$(dirname "$0")/.."
out=build/wasm
mkdir -p "$out"
mapfile -t sources < <(git ls-files --cached --others --exclude-standard 'src/base/*.c' 'src/certificate/*.c' 'src/system/*.c' 'src/game/*.c' \
    'src/games/*.c' 'src/search/*.c' src/engine/engine.c src/engine/bench.c web/book.c |
    grep -v -e '_windows\.c$' -e '^src/system/\(file\|file_read\|file_out\|standard\|host_[a-z]*\)\.c$' -e '/book_installed\.c$')
flags=(--target=wasm32-wasi -std=gnu17 -O3 -DNDEBUG -msimd128 -mbulk-memory -D_GNU_SOURCE -D_WASI_EMULATED_MMAN -Isrc -Iweb -Iinclude
    -isystem web/include)
rm -f "$out"/*.o
export out
printf '%s\n' tests/wasm/signature.c "${sources[@]}" | xargs -P "$(nproc)" -I{} sh -c \
    'clang "$@" -c {} -o "$out/$(echo {} | tr / _).o"' compile "${flags[@]}"
clang --target=wasm32-wasi "$out"/*.o -lwasi-emulated-mman -Wl,-z,stack-size=4194304 -o "$out/signature.wasm"
node --no-warnings tests/wasm/run.mjs "$out/signature.wasm" | diff bench/signature -
echo "wasm signature: the same"
