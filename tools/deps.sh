#!/usr/bin/env bash
# Installs what is missing: tools/deps.sh GROUP...   with groups build (programs and tests), docs, proof, paper, cluster, lint,
# portable, web, site, browser, windows, deb, release and everywhere.
set -eu
wanted=()
# need COMMAND-OR-FILE PACKAGE
need() {
    case $1 in
    /*) [ -e "$1" ] || wanted+=("$2") ;;
    *) command -v "$1" >/dev/null 2>&1 || wanted+=("$2") ;;
    esac
}
# need_module MODULE PACKAGE: of the system's Python, for which the packages are
need_module() {
    /usr/bin/python3 -c "import $1" >/dev/null 2>&1 || wanted+=("$2")
}
# The version of clang that Debian's package of that name stands for.
clang_version() {
    apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -1
}
for group in "$@"; do
    case $group in
    build)
        need gcc gcc
        need g++ g++ # classes hand in C++ too, and the header promises to suit it
        need /usr/include/stdio.h libc6-dev
        need cmake cmake
        need make make
        need ninja ninja-build
        need git git
        need xz xz-utils # the tests unpack what a release packs
        need python3 python3
        need_module ensurepip python3-venv # the tests install the wheel, and try the environments for learners
        need_module numpy python3-numpy
        need bwrap bubblewrap
        need /usr/include/cmocka.h libcmocka-dev
        need /usr/include/sqlite3.h libsqlite3-dev
        need /usr/include/archive.h libarchive-dev
        need pkg-config pkgconf
        need /usr/include/microhttpd.h libmicrohttpd-dev
        ;;
    docs)
        need doxygen doxygen
        ;;
    proof)
        need xz xz-utils
        ;;
    paper)
        need python3 python3
        need pdflatex texlive-latex-base
        need /usr/share/texlive/texmf-dist/tex/latex/booktabs/booktabs.sty texlive-latex-recommended
        need /usr/share/texlive/texmf-dist/tex/latex/pgf/frontendlayer/tikz.sty texlive-pictures
        need /usr/share/texmf/tex/latex/lm/lmodern.sty lmodern
        ;;
    cluster)
        need mpirun openmpi-bin
        need mpicc libopenmpi-dev
        ;;
    lint)
        need clang clang
        need clang-format clang-format
        need clang-tidy clang-tidy
        need cppcheck cppcheck
        need mypy mypy
        need /usr/lib/python3/dist-packages/yaml python3-yaml
        ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-x86_64.a >/dev/null 2>&1 ||
            ls /usr/lib/llvm-*/lib/clang/*/lib/*/libclang_rt.fuzzer*.a >/dev/null 2>&1 ||
            wanted+=("libclang-rt-$(clang_version)-dev")
        ;;
    portable)
        need clang clang
        need musl-gcc musl-tools
        ;;
    windows)
        need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
        ;;
    deb)
        need dpkg-buildpackage dpkg-dev
        need dh debhelper
        need fakeroot fakeroot
        need lintian lintian
        ;;
    release)
        need xz xz-utils
        need unzip unzip
        need qemu-aarch64 qemu-user
        need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
        need /usr/aarch64-linux-gnu/include/stdio.h libc6-dev-arm64-cross
        need wine wine
        need mmdebstrap mmdebstrap
        need buildah buildah # only to try the image
        need ruby ruby       # and these the recipes
        need nix-instantiate nix-bin
        need /usr/lib/python3/dist-packages/yaml python3-yaml
        ;;
    everywhere)
        need qemu-x86_64 qemu-user
        need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
        need /usr/aarch64-linux-gnu/include/stdio.h libc6-dev-arm64-cross
        need wine wine # which brings wine64; the other way round it is only recommended
        need unzip unzip
        ;;
    web)
        need openssl openssl
        need python3 python3
        need esbuild esbuild
        need_module fontTools python3-fonttools
        need_module brotli python3-brotli
        need /usr/share/fonts/opentype/inter/Inter-Regular.otf fonts-inter
        need clang clang
        [ -z "$(apt-cache search --names-only '^clang-19$' 2>/dev/null)" ] || need clang-19 clang-19 # faster, not needed
        need wasm-ld lld
        need git git
        need /usr/lib/wasm32-wasi/libc.a wasi-libc
        ls /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a >/dev/null 2>&1 ||
            ls /usr/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a >/dev/null 2>&1 ||
            wanted+=("libclang-rt-$(clang_version)-dev-wasm32")
        ;;
    site)
        need rsvg-convert librsvg2-bin
        need brotli brotli
        ;;
    browser)
        need firefox-esr firefox-esr
        need node nodejs
        need npm npm
        need chromium chromium
        ;;
    esac
done
[ ${#wanted[@]} -eq 0 ] && exit 0
command -v apt-get >/dev/null 2>&1 || { echo "please install: ${wanted[*]}" >&2; exit 1; }
if [ "$(id -u)" -eq 0 ]; then
    as_root=()
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root=(sudo)
else
    echo "please run: sudo apt-get update && sudo apt-get install -y ${wanted[*]}" >&2
    exit 1
fi
echo "installing ${wanted[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null
