# The pages people follow: every block of commands in them is run as it stands.
. "$(dirname "$0")/lib.sh"
if [ -n "$SORTIE_SANITIZE" ] || [ ! -e "$SORTIE_BIN/libsortie.so" ]; then
    echo "this build has no shared library to follow the pages with"
    exit 0
fi
prefix=$scratch/installed
cmake --install "$SORTIE_BIN" --prefix "$prefix" >/dev/null
libdir=$(dirname "$(find "$prefix" -name libsortie.a)")
export PATH=$prefix/bin:$PATH PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
export PYTHONPATH=$prefix/share/sortie SORTIE_LIBRARY=$libdir/libsortie.so.0
for page in students teachers gomoku-players library proofs proving; do
    mkdir "$page"
    awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$SORTIE_SOURCE/docs/$page.md" >"$page.sh"
    check "$page has commands" test "$(wc -l <"$page.sh")" -gt 3
    check "the commands of $page run" env -C "$page" bash -e -o pipefail "../$page.sh"
done
check "no link of the pages leads nowhere" bash -c '
    cd "$SORTIE_SOURCE" && for page in README.md CONTRIBUTING.md docs/*.md; do
        for target in $(grep -oE "\]\([^)#:]+\)" "$page" | sed "s/^](//; s/)$//"); do
            [ -e "$(dirname "$page")/$target" ] || { echo "$page: $target"; exit 1; }
        done
    done'
finish
