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

# -- recipes, image and bill of materials, out of next to nothing --
echo "no archive" >source.tar.gz
check "the recipes are filled and read" "$tools/recipes.sh" source.tar.gz recipes
check "with the hash" test "$(grep -rl "$(sha256sum source.tar.gz | cut -d ' ' -f 1)" recipes | wc -l)" -eq 5
check "and the version" test "$(grep -rlF "$("$tools/version.sh")" recipes | wc -l)" -eq 5
mkdir -p made whole/usr/bin
echo program >whole/usr/bin/sortie
chmod +x whole/usr/bin/sortie
for turn in 1 2; do
    "$tools/image.py" "image$turn.tar" 1.2.3 https://example.org amd64=whole arm64=whole || fail "image"
    touch whole/usr/bin/sortie
done
check "the image is the same bytes" cmp image1.tar image2.tar
check "its parts are what their hashes say" python3 - image1.tar <<'PYTHON'
import gzip, hashlib, io, json, sys, tarfile
archive = tarfile.open(sys.argv[1])
def read(name): return archive.extractfile(name).read()
def blob(descriptor):
    content = read("blobs/" + descriptor["digest"].replace(":", "/"))
    assert len(content) == descriptor["size"] and "sha256:" + hashlib.sha256(content).hexdigest() == descriptor["digest"]
    return content
assert json.loads(read("oci-layout")) == {"imageLayoutVersion": "1.0.0"}
index = json.loads(blob(json.loads(read("index.json"))["manifests"][0]))
assert [each["platform"]["architecture"] for each in index["manifests"]] == ["amd64", "arm64"]
for each in index["manifests"]:
    manifest = json.loads(blob(each))
    config = json.loads(blob(manifest["config"]))
    plain = gzip.decompress(blob(manifest["layers"][0]))
    assert config["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(plain).hexdigest()]
    layer = tarfile.open(fileobj=io.BytesIO(plain))
    assert layer.getmember("usr/bin/sortie").mode == 0o755 and layer.getmember("tmp").mode == 0o1777
PYTHON
echo page >made/page-linux.tar
printf 'zlib1g-dev 1:1.2.13 zlib\nlibbz2-dev 1.0.8-5+b1 bzip2 (1.0.8-5)\n' >linked
check "a bill of materials" sh -c "'$tools/sbom.py' made 1.2.3 https://example.org linux:linked >bill.json"
check "names what is linked" python3 - bill.json <<'PYTHON'
import json, sys
bill = json.load(open(sys.argv[1]))
linked = {each["relatedSpdxElement"] for each in bill["relationships"] if each["relationshipType"] == "STATIC_LINK"}
found = {each["name"]: (each["versionInfo"], each["licenseDeclared"]) for each in bill["packages"] if each["SPDXID"] in linked}
assert found == {"zlib": ("1:1.2.13", "Zlib"), "bzip2": ("1.0.8-5+b1", "bzip2-1.0.6")}, found
PYTHON
echo 'libnew-dev 1.0 new' >unknown
check "a library without a licence is refused" sh -c "! '$tools/sbom.py' made 1.2.3 https://example.org linux:unknown >/dev/null"

# -- workflows and templates --
if python3 -c 'import yaml' 2>/dev/null; then
    for file in "$SORTIE_SOURCE"/.github/*/*.yml "$SORTIE_SOURCE/CITATION.cff"; do
        check "$(basename "$file") is YAML" python3 -c 'import sys, yaml; assert yaml.safe_load(open(sys.argv[1]))' "$file"
    done
else
    echo "not checked: YAML (no python3-yaml)"
fi
# What a workflow runs is there: a script, or a target of the Makefile.
for script in $(grep -ohE '(tools|\.ci)/[a-z_.]+' "$SORTIE_SOURCE"/.github/workflows/*.yml | sort -u); do
    check "a workflow runs $script" test -x "$SORTIE_SOURCE/$script"
done
for target in $(grep -ohE 'run: make [a-z-]+' "$SORTIE_SOURCE"/.github/workflows/*.yml | cut -d ' ' -f 3 | sort -u); do
    check "a workflow makes $target" grep -qE "^$target:" "$SORTIE_SOURCE/Makefile"
done

# -- the scripts --
for script in "$tools"/*.sh "$SORTIE_SOURCE"/.ci/*; do
    check "$(basename "$script") is a script" bash -n "$script"
done
finish
