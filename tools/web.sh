#!/usr/bin/env bash
# Builds build/sortie.html: the page with the engine inside it, one file that opens from disk in any browser.
# The parts of web/js are modules; here they are put one behind the other, each after what it imports, in one scope.
set -eu
cd "$(dirname "$0")/.."
out=build/web
mkdir -p "$out"
version=$(tools/version.sh)
worker_parts=(module worker)
page_parts=(module texts dialogs rules engine levels game values boardview play analysis course edit share tree treeview
    logview explorer tour main)

# The engine: everything the door needs, without the files and processes a browser has not. Compiled by a newer clang
# than Debian's usual one where there is one: Laser Checkmate, Gomoku and large war boards are 4 to 7% faster with 19
# than with 14. The searches are compiled for speed; what surrounds them, and Laser's widest boards, for size. Linked
# without -O, so that clang does not call a wasm-opt that knows nothing of the features used.
build_engine() {
    local sources flags compiler
    compiler=$(command -v clang-19 || command -v clang)
    mapfile -t sources < <(git ls-files --cached --others --exclude-standard 'src/base/*.c' 'src/certificate/*.c' 'src/system/*.c' 'src/game/*.c' 'src/games/*.c' \
        'src/search/*.c' 'src/engine/*.c' 'src/api/*.c' 'src/formats/*.c' src/protocols/ask.c web/*.c | sort -u |
        grep -v -e '_windows\.c$' -e '^src/system/\(file\|file_read\|file_out\|standard\|host_[a-z]*\)\.c$' -e '/book_installed\.c$' -e '^src/api/proofs/')
    flags=(--target=wasm32-wasi -std=gnu17 -DNDEBUG -msimd128 -mbulk-memory -D_GNU_SOURCE -D_WASI_EMULATED_MMAN
        "-DSORTIE_VERSION=\"$version\"" -Iweb -Isrc -Iinclude -isystem web/include)
    rm -rf "$out/objects"
    mkdir -p "$out/objects"
    export out
    printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -I{} sh -c '
        case {} in
        src/games/laser/kernel/kernel_7.c | src/games/laser/kernel/kernel_16.c | src/games/gomoku/referee/* | src/games/gomoku/book/*) level=-Oz ;;
        src/games/* | src/search/*) level=-O3 ;;
        *) level=-Oz ;;
        esac
        "$@" $level -c {} -o "$out/objects/$(echo {} | tr / _).o"' compile "$compiler" "${flags[@]}"
    clang --target=wasm32-wasi -mexec-model=reactor "$out"/objects/*.o -lwasi-emulated-mman \
        -Wl,-z,stack-size=4194304 -Wl,--strip-all -o "$out/sortie.wasm"
    gzip -9 -n -c "$out/sortie.wasm" | in_base_85 >"$out/module"
}

# Four bytes as five digits, the characters that end or begin something in HTML left out; what web/js/main.js reads.
in_base_85() {
    python3 -c "import base64, sys
packed = base64.b85encode(sys.stdin.buffer.read())
sys.stdout.buffer.write(packed.translate(bytes.maketrans(b'&<>\`', b',./:')))"
}

# Modules in one scope: without their imports and exports.
join() {
    local part
    for part in "$@"; do
        sed -e '/^import .*;$/d' -e '/^export {.*};$/d' "web/js/$part.js"
    done
}

# The hash of a script or style, as a content security policy names it.
hash_of() {
    printf "'sha256-%s'" "$(openssl dgst -sha256 -binary "$1" | base64 -w 0)"
}

build_engine
cat web/board.css web/style.css >"$out/style"
join "${worker_parts[@]}" >"$out/worker"
{
    echo "'use strict';"
    cat web/board.js
    join "${page_parts[@]}"
} >"$out/page"
policy="default-src 'none'; script-src 'wasm-unsafe-eval' $(hash_of "$out/page"); style-src $(hash_of "$out/style"); \
worker-src blob:; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'"
POLICY=$policy awk -v out="$out/" '
    function put(file,   line, more) {
        while ((getline line < (out file)) > 0) { printf "%s%s", more ? "\n" : "", line; more = 1 }
        if (file != "module") printf "\n"
    }
    {
        at = match($0, /@(POLICY|STYLE|MODULE|WORKER|PAGE)@/)
        if (!at) { print; next }
        printf "%s", substr($0, 1, at - 1)
        name = substr($0, at + 1, RLENGTH - 2)
        if (name == "POLICY") printf "%s", ENVIRON["POLICY"]
        else put(tolower(name))
        print substr($0, at + RLENGTH)
    }' web/page.html >"$out/page.html"
mv "$out/page.html" build/sortie.html
echo "build/sortie.html: $(wc -c <build/sortie.html) bytes, open it in a browser"
