#!/usr/bin/env bash
# Makes everything that is put on a release page, from the last commit, into build/release, and tries it:
#   tools/release.sh [PART...]     parts: source linux windows web deb wheels image recipes (all of them)
#   tools/release.sh --twice ...   builds once more in another folder and compares every byte
#   tools/release.sh --quick ...   does not try what was made
# Takes ten minutes on two cores, twice that with --twice; a whole one then tries the pages on a bare Debian (bare.sh). docs/install.md says who the files are for.
set -eu
cd "$(dirname "$0")/.."
usage() {
    sed -n '2,6s/^# //p' "$0" >&2
    exit 2
}
twice=0
try=1
parts=()
for word in "$@"; do
    case $word in
    --twice) twice=1 ;;
    --quick) try=0 ;;
    source | linux | windows | web | deb | wheels | image | recipes) parts+=("$word") ;;
    *) usage ;;
    esac
done
whole=0
[ ${#parts[@]} -gt 0 ] || whole=1 parts=(source linux windows web deb wheels image recipes)
wants() { [[ " ${parts[*]} " == *" $1 "* ]]; }

version=$(tools/version.sh)
home=$(tools/version.sh --home)
commit=$(git rev-parse HEAD) # which both builds are of, whatever is committed meanwhile
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
jobs=$(nproc)
programs=(sortie pbrain-sortie sortie-course sortie-task sortie-laser sortie-verify)
root=$PWD
out=$root/build/release
# What is fetched is fetched once: both builds, and the next release of this tree, use it.
libs=$root/build/libs
tools/version.sh --check
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo "note: what is not committed is not in the release"

# Programs of one file for amd64 or arm64, and the folder that becomes an archive and an image.
build_linux() {
    local debian=$1 name=$2 build=$3 stage=build/stage-$1 program
    shift 3
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG" \
        -DSORTIE_TESTS=OFF -DSORTIE_CUDA=OFF -DSORTIE_STATIC="$libs-$debian" "$@" >/dev/null
    cmake --build "$build" --parallel "$jobs" --target "${programs[@]}" >build/linux.log 2>&1 ||
        { tail -30 build/linux.log >&2; return 1; }
    rm -rf "$stage"
    mkdir -p "$stage/bin" "$stage/share/man/man6" "$stage/share/doc/sortie"
    for program in "${programs[@]}"; do
        "$strip_program" -o "$stage/bin/$program" "$build/$program"
    done
    [ "$debian" != amd64 ] || tools/manual.sh "$PWD/$build/sortie" build/man
    cp build/man/*.6 "$stage/share/man/man6/"
    install -D -m 644 completions/sortie.bash "$stage/share/bash-completion/completions/sortie"
    install -D -m 644 completions/_sortie "$stage/share/zsh/site-functions/_sortie"
    install -D -m 644 completions/sortie.fish "$stage/share/fish/vendor_completions.d/sortie.fish"
    install -D -m 644 -t "$stage/share/sortie" build/sortie.html build/sortie.html.gz build/sortie.html.br
    install -D -m 644 -t "$stage/share/sortie" share/sortie/gomoku.book
    cp -r README.md CHANGELOG.md LICENSE docs "$stage/share/doc/sortie/"
    cp -r "$libs-$debian/copyright" "$stage/share/doc/sortie/copyright"
    tools/pack.py "$stage" "$made/sortie-$version-linux-$name.tar.xz" "sortie-$version"
}

make_linux() {
    strip_program="strip"
    build_linux amd64 x86_64 build # where everybody builds, so that a compiler's cache knows the files
    strip_program=aarch64-linux-gnu-strip
    build_linux arm64 aarch64 build/arm64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake
}

make_windows() {
    tools/windows.sh >/dev/null
    cp build/windows/*.zip "$made/"
}

# The page on its own, and as what a static host serves.
make_web() {
    local site=build/site
    tools/site.sh page >/dev/null # the engine is there by now
    cp build/sortie.html "$made/sortie-$version.html"
    cp docs/board.svg LICENSE $site/
    printf '{"name": "sortie", "version": "%s", "home": "%s", "page": "index.html", "sha256": "%s"}\n' "$version" "$home" \
        "$(sha256sum $site/index.html | cut -d ' ' -f 1)" >$site/release.json
    tools/pack.py $site "$made/sortie-$version-site.tar.gz" site
}

make_deb() {
    tools/deb.sh >build/deb.log 2>&1 || { tail -30 build/deb.log >&2; return 1; }
    cp build/deb/*.deb "$made/"
    rm -f "$made"/*-dbgsym_*.deb
}

make_wheels() {
    if [ -x tools/wheels.sh ]; then
        tools/wheels.sh >build/wheels.log 2>&1 || { tail -30 build/wheels.log >&2; return 1; }
        cp build/wheels/*.whl "$made/"
    fi
}

# The programs and the page, and nothing else: there is no shell in it, and no programs of others to run.
make_image() {
    local debian pairs=()
    for debian in amd64 arm64; do
        rm -rf "build/image-$debian"
        mkdir -p "build/image-$debian/usr" "build/image-$debian/etc"
        cp -r "build/stage-$debian/bin" "build/stage-$debian/share" "build/image-$debian/usr/"
        printf 'root:x:0:0:root:/:/bin/false\nnobody:x:65534:65534:nobody:/work:/bin/false\n' >"build/image-$debian/etc/passwd"
        pairs+=("$debian=build/image-$debian")
    done
    tools/image.py "$made/sortie-$version-oci.tar" "$version" "$home" "${pairs[@]}"
}

make_recipes() {
    rm -rf build/recipes
    tools/recipes.sh "build/sortie-$version.tar.gz" build/recipes >&2
    tools/pack.py build/recipes "$made/sortie-$version-recipes.tar.gz" "sortie-$version-recipes"
}

# What is linked into the files, by Debian's packages: the C library and the compiler's too.
list_packages() {
    query() { dpkg-query -W -f '${Package} ${Version} ${source:Package}\n' "$@"; }
    { cat "$libs-amd64/packages"; query libc6-dev libgcc-12-dev; } >build/linked-x86_64
    { cat "$libs-arm64/packages"; query libc6-dev-arm64-cross libgcc-12-dev-arm64-cross | sed 's/ [a-z0-9-]*$//' |
        sed -e 's/$/ glibc/;/^libgcc/s/glibc$/gcc-12/'; } >build/linked-aarch64
    query mingw-w64-x86-64-dev gcc-mingw-w64-x86-64-win32-runtime gcc-mingw-w64-x86-64-posix-runtime 2>/dev/null \
        >build/linked-windows || true
    query wasi-libc libclang-rt-14-dev-wasm32 >build/linked-page 2>/dev/null || true
}

make_notes() {
    echo "# sortie $version"
    echo
    awk -v wanted="## $version" 'index($0, "## ") == 1 { on = index($0, wanted) == 1; next } on' CHANGELOG.md
    echo
    echo "## Files"
    echo "Which is for whom: docs/install.md. \`sha256sum -c SHA256SUMS\` compares them all."
    echo
    (cd "$made" && find . -maxdepth 1 -type f -printf '%f %s\n' | sort |
        awk 'BEGIN { print "| file | bytes |\n|---|---:|" } { printf "| `%s` | %d |\n", $1, $2 }')
}

# build_tree TREE MADE: everything that is asked for, out of a clean copy of the last commit.
build_tree() (
    tree=$1
    made=$2
    rm -rf "$tree" "$made"
    mkdir -p "$made" "$(dirname "$tree")"
    git clone -q --shared --no-checkout "$root" "$tree"
    cd "$tree"
    git checkout -q --detach "$commit"
    export CCACHE_BASEDIR=$tree # for those who have a compiler cache
    step() { local from=$SECONDS; "$@"; echo "$(printf '%5d s' $((SECONDS - from)))  $*" >&2; }
    tools/dist.sh >/dev/null
    if wants source; then cp "build/sortie-$version.tar.gz" "$made/"; fi
    if wants web || wants linux || wants image; then step tools/web.sh >/dev/null; fi
    if wants web; then step make_web; fi
    if wants linux || wants image; then step make_linux; fi
    if wants windows; then step make_windows; fi
    if wants deb; then step make_deb; fi
    if wants wheels; then step make_wheels; fi
    if wants image; then step make_image; fi
    if wants recipes; then step make_recipes; fi
    list_packages
    tools/sbom.py "$made" "$version" "$home" linux-x86_64:build/linked-x86_64 linux-aarch64:build/linked-aarch64 \
        oci:build/linked-x86_64 oci:build/linked-aarch64 windows:build/linked-windows pbrain:build/linked-windows \
        .html:build/linked-page site:build/linked-page >build/bill.json
    mv build/bill.json "$made/sortie-$version.spdx.json"
    make_notes >build/notes
    mv build/notes "$made/RELEASE_NOTES.md"
    (cd "$made" && sha256sum -- * >../sums && mv ../sums SHA256SUMS)
)

groups=(build web site)
if wants windows; then groups+=(windows); fi
if wants deb; then groups+=(deb); fi
if [ $try = 1 ] || wants linux || wants image || wants wheels; then groups+=(release); fi
tools/deps.sh "${groups[@]}"
for debian in amd64 arm64; do
    if wants linux || wants image; then tools/static_libs.sh $debian "$libs-$debian"; fi
done
build_tree "$root/build/release-tree" "$out"
if [ $twice = 1 ]; then
    again=$(mktemp -d "${TMPDIR:-/var/tmp}/another-place-for-sortie.XXXXXX")
    trap 'rm -rf "$again"' EXIT
    build_tree "$again/tree" "$again/made"
    diff "$out/SHA256SUMS" "$again/made/SHA256SUMS" || { echo "two builds differ" >&2; exit 1; }
    echo "two builds in two folders: the same $(wc -l <"$out/SHA256SUMS") files, byte for byte"
fi
ls -l "$out"
[ $try = 0 ] || tools/release_test.sh "$out"
# What the pages say, from nothing, with this commit: of a whole release, where a system can be made and entered.
if [ $try = 1 ] && [ $whole = 1 ]; then
    if [ "$(id -u)" = 0 ]; then tools/bare.sh; else echo "not tried: a bare Debian. Please run as root: tools/bare.sh"; fi
fi
