# What a release is made with, as far as seconds can tell: one version everywhere, archives that are the same bytes each
# time. `make release` does the whole and tries every file of it.
. "$(dirname "$0")/lib.sh"
tools=$SORTIE_SOURCE/tools
export PYTHONDONTWRITEBYTECODE=1

# -- one version --
check "the files that repeat the version repeat this one" "$tools/version.sh" --check
check "the program has it" test "$(sortie --version | awk '{ print $2 }')" = "$("$tools/version.sh")"
mkdir -p tree/tools tree/packaging/debian tree/python
cp "$tools/version.sh" tree/tools/
for file in CMakeLists.txt CHANGELOG.md CITATION.cff packaging/debian/changelog packaging/debian/control; do
    cp "$SORTIE_SOURCE/$file" "tree/$file"
done
check "a copy is right" tree/tools/version.sh --check
# differs FILE COMMAND: the file, changed so, is named.
differs() {
    cp "tree/$1" kept
    sed -i "$2" "tree/$1"
    ! tree/tools/version.sh --check >said 2>&1 && grep -q "^$1: expected" said
    local status=$?
    cp kept "tree/$1"
    return $status
}
check "an older list of changes" differs CHANGELOG.md 's/^## [0-9.]*/## 0.0.9/'
check "an older package" differs packaging/debian/changelog '1s/([0-9.]*)/(0.0.9)/'
check "an older citation" differs CITATION.cff 's/^version: .*/version: "0.0.9"/'
check "another address" differs CITATION.cff 's|^url: .*|url: https://example.org|'
check "an older library" differs packaging/debian/control 's/libsortie[0-9]/libsortie0/'

# -- the same bytes --
make_folder() { # in another order, at another time, with other rights
    mkdir -p "$1/b"
    for name in "${@:2}"; do echo "$name" >"$1/$name"; done
    ln -s b/two "$1/link"
}
make_folder one a b/two z
make_folder other z b/two a
chmod 600 other/a
touch -d 2001-01-01 other/z other/b
for kind in zip tar tar.gz tar.xz; do
    SOURCE_DATE_EPOCH=1700000000 "$tools/pack.py" one "one.$kind" name || fail "pack $kind"
    SOURCE_DATE_EPOCH=1700000000 TZ=Asia/Tokyo "$tools/pack.py" other "other.$kind" name || fail "pack $kind"
    check "$kind is the same bytes" cmp "one.$kind" "other.$kind"
    echo more >other/a
    SOURCE_DATE_EPOCH=1700000000 "$tools/pack.py" other "other.$kind" name
    check "and others where the content differs" test "$(cmp -s "one.$kind" "other.$kind"; echo $?)" = 1
    echo a >other/a
done
check "what was packed comes out" sh -c 'mkdir out && tar -C out -xf one.tar.xz && diff -r one out/name'

# -- the scripts --
for script in "$tools"/*.sh "$SORTIE_SOURCE"/.ci/*; do
    check "$(basename "$script") is a script" bash -n "$script"
done
finish
