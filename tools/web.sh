#!/usr/bin/env bash
# Builds build/sortie.html: the page with the engine inside it, one file that opens from disk in any browser.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build/web
version=$(sed -n 's/^project(sortie VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
mapfile -t sources < <(git ls-files 'src/base/*.c' 'src/game/*.c' 'src/games/*.c' 'src/search/*.c' 'src/engine/*.c' 'src/formats/*.c' | grep -v '^src/base/\(file\|standard\).c$')
clang --target=wasm32-wasi -std=gnu17 -O3 -msimd128 -mbulk-memory -mexec-model=reactor -D_GNU_SOURCE \
    -D_WASI_EMULATED_MMAN -DSORTIE_VERSION="\"$version\"" -Isrc -Iinclude -isystem web/include \
    web/web.c "${sources[@]}" -lwasi-emulated-mman -Wl,-z,stack-size=4194304 -Wl,--strip-all -o build/web/sortie.wasm
base64 -w 0 build/web/sortie.wasm >build/web/module
awk '
    function put(file,   line) { while ((getline line < file) > 0) print line; close(file) }
    /@STYLE@/ { print "<style>"; put("web/style.css"); print "</style>"; next }
    /@MODULE@/ { printf "%s", substr($0, 1, index($0, "@MODULE@") - 1); put("build/web/module"); print "</script>"; next }
    /@WORKER@/ { print "<script type=\"text/plain\" id=\"worker\">"; put("web/worker.js"); print "</script>"; next }
    /@PAGE@/ { print "<script>"; put("web/page.js"); print "</script>"; next }
    { print }' web/page.html >build/web/page.html
mv build/web/page.html build/sortie.html
echo "build/sortie.html: $(wc -c <build/sortie.html) bytes, open it in a browser"
