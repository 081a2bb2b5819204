#!/usr/bin/env bash
# Tries what tools/release.sh has made, each file as the one who downloads it would: tools/release_test.sh [FOLDER]
# Processors that this machine has not are tried under qemu, Windows under wine; what cannot be tried here is said.
set -u
cd "$(dirname "$0")/.." || exit 1
made=$(realpath "${1:-build/release}")
version=$(tools/version.sh)
signature=$(realpath bench/signature)
work=$(mktemp -d "${TMPDIR:-/tmp}/sortie-release.XXXXXX")
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
cd "$work" || exit 1
failed=0
check() {
    local name=$1
    shift
    if "$@" >said 2>&1; then echo "ok: $name"; else echo "FAIL: $name" >&2; cat said >&2; failed=1; fi
}
# has FILE: whether it was made; what was not is said.
has() { [ -e "$made/$1" ] || { echo "not made: $1"; return 1; }; }

# plays NAME COMMAND...: the program says its version, answers a course's file, and searches the same nodes as anywhere.
plays() {
    local name=$1
    shift
    printf '2\nMINIMAX\nX\n2\n3 1\n2 5\n..\n.O\n' >input.txt
    check "$name says its version" grep -qx "sortie $version" <("$@" --version | tr -d '\r')
    check "$name answers a course's file" diff <(printf 'A2 Stake\n..\nXO\n') <("$@" move --stdout - <input.txt | tr -d '\r')
    check "$name has the signature" diff "$signature" <("$@" bench -q 2>/dev/null | tr -d '\r')
}

test_sums() {
    check "the sums are right" env -C "$made" sha256sum --quiet -c SHA256SUMS
    check "every file has one" diff <(sed 's/^[^ ]*  //' "$made/SHA256SUMS") <(env -C "$made" LC_ALL=C ls | grep -vx SHA256SUMS)
    check "the notes have this version" grep -qx "# sortie $version" "$made/RELEASE_NOTES.md"
    check "and say what is new" test "$(grep -c '^- ' "$made/RELEASE_NOTES.md")" -gt 5
}

# The bill of materials: what SPDX 2.3 demands, and nothing that is named but not described.
test_bill() {
    check "the bill of materials is whole" python3 - "$made" "sortie-$version.spdx.json" <<'PYTHON'
import hashlib, json, os, sys
folder = sys.argv[1]
bill = json.load(open(os.path.join(folder, sys.argv[2])))
assert bill["spdxVersion"] == "SPDX-2.3" and bill["dataLicense"] == "CC0-1.0" and bill["SPDXID"] == "SPDXRef-DOCUMENT"
assert bill["creationInfo"]["creators"] and bill["documentNamespace"].startswith("https://")
known = [each["SPDXID"] for each in bill["packages"] + bill["files"]]
assert len(known) == len(set(known)), "two things have one name"
for package in bill["packages"]:
    assert package["name"] and package["versionInfo"] and package["downloadLocation"] and package["licenseDeclared"], package
for relation in bill["relationships"]:
    assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= {"SPDXRef-DOCUMENT", *known}, relation
left_out = {"SHA256SUMS", "RELEASE_NOTES.md", sys.argv[2]}
assert {each["fileName"][2:] for each in bill["files"]} == set(os.listdir(folder)) - left_out
for each in bill["files"]:
    sums = {one["algorithm"]: one["checksumValue"] for one in each["checksums"]}
    content = open(os.path.join(folder, each["fileName"]), "rb").read()
    assert sums["SHA256"] == hashlib.sha256(content).hexdigest() and sums["SHA1"] == hashlib.sha1(content).hexdigest()
    linked = [one for one in bill["relationships"] if one["spdxElementId"] == each["SPDXID"] and one["relationshipType"] == "STATIC_LINK"]
    assert linked or not any(word in each["fileName"] for word in ("linux-", "windows", "pbrain", "oci")), each["fileName"]
PYTHON
}

test_linux() {
    local name=$1 run=${2-} folder
    has "sortie-$version-linux-$name.tar.xz" || return
    mkdir "$name" && tar -C "$name" -xf "$made/sortie-$version-linux-$name.tar.xz"
    folder=$work/$name/sortie-$version
    check "$name: every program is one file" \
        test -z "$(for program in "$folder"/bin/*; do readelf -d "$program" | grep NEEDED; done)"
    plays "$name" $run "$folder/bin/sortie"
    check "$name: a Gomocup game" grep -qzP '^OK\n\d+,\d+\n\d+,\d+\n$' <(
        printf 'START 15\nINFO timeout_turn 300\nBEGIN\nTURN 0,0\nEND\n' | $run "$folder/bin/pbrain-sortie" |
            grep -v '^MESSAGE\|^DEBUG')
    check "$name: a match" $run "$folder/bin/sortie" match greedy random --games 2 --size 3 --db "$name.db" -q
    check "$name: manual pages" test -s "$folder/share/man/man6/sortie-move.6"
    check "$name: whose libraries are in it" test -s "$folder/share/doc/sortie/copyright/libmicrohttpd-dev"
    $run "$folder/bin/sortie" serve --port 0 >"served-$name" 2>&1 &
    local server=$!
    for _ in $(seq 100); do grep -q http "served-$name" && break; sleep 0.1; done
    check "$name: the page is served" python3 -c \
        'import sys, urllib.request; assert b"sortie" in urllib.request.urlopen(sys.argv[1]).read()' \
        "$(grep -o 'http[^ ]*' "served-$name" | head -1)"
    kill $server
    wait $server 2>/dev/null
}

# With nothing of the system around it, not even a C library.
test_alone() {
    [ -d x86_64 ] && [ "$(id -u)" -eq 0 ] || { echo "not tried: a system without anything (needs root)"; return; }
    mkdir -p alone/tmp && cp "x86_64/sortie-$version/bin/sortie" alone/
    check "it runs where there is nothing else" chroot alone /sortie --version
    check "and plays there" sh -c "printf 'H8\nquit\n' | chroot alone /sortie play -l 2"
}

test_windows() {
    command -v wine >/dev/null || { echo "not tried: Windows (no wine)"; return; }
    export WINEPREFIX=$work/wine WINEDEBUG=-all
    if has "sortie-$version-windows-x86_64.zip"; then
        unzip -q "$made/sortie-$version-windows-x86_64.zip" -d windows
        plays Windows wine "windows/sortie-$version/sortie.exe"
        check "sortie.dll is there" test -s "windows/sortie-$version/sortie.dll"
    fi
    has "pbrain-sortie64-$version.zip" || return
    unzip -q "$made/pbrain-sortie64-$version.zip" -d gomocup
    check "Gomocup's brain plays" grep -qzP '^OK\n\d+,\d+\n\d+,\d+\n$' <(
        printf 'START 15\r\nINFO timeout_turn 500\r\nBEGIN\r\nTURN 0,0\r\nEND\r\n' |
            wine gomocup/pbrain-sortie64.exe 2>/dev/null | tr -d '\r' | grep -v '^MESSAGE\|^DEBUG')
    check "and is smaller than Gomocup's 8 MB" test "$(stat -c %s "$made/pbrain-sortie64-$version.zip")" -lt 8000000
}

test_image() {
    has "sortie-$version-oci.tar" || return
    command -v buildah >/dev/null || { echo "not tried: the image (no buildah)"; return; }
    export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
    local store=(--root "$work/images" --runroot "$work/run") architecture container
    for architecture in amd64 arm64; do
        container=$(buildah "${store[@]}" from --arch $architecture "oci-archive:$made/sortie-$version-oci.tar" 2>said)
        check "the image for $architecture is read" test -n "$container"
        cat said
        [ -n "$container" ] || continue
        if [ $architecture = amd64 ]; then
            check "and runs" grep -q "sortie $version" <(buildah "${store[@]}" run "$container" -- /usr/bin/sortie --version 2>&1)
        else
            folder=$(buildah "${store[@]}" mount "$container")
            check "and runs under qemu" grep -q "sortie $version" <(qemu-aarch64 "$folder/usr/bin/sortie" --version)
            buildah "${store[@]}" umount "$container" >/dev/null
        fi
        buildah "${store[@]}" rm "$container" >/dev/null
    done
}

test_web() {
    has "sortie-$version-site.tar.gz" || return
    mkdir site && tar -C site -xf "$made/sortie-$version-site.tar.gz"
    check "the site is whole" ls site/site/index.html site/site/sortie.wasm site/site/sortie-threads.wasm.gz site/site/worker.js
    check "its page is the one described" grep -q "$(sha256sum site/site/index.html | cut -d ' ' -f 1)" site/site/release.json
    check "and its description is JSON" python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["version"] == sys.argv[2]' \
        site/site/release.json "$version"
}

test_debs() {
    ls "$made"/*.deb >/dev/null 2>&1 || { echo "not made: Debian packages"; return; }
    for package in "$made"/*.deb; do
        check "$(basename "$package") has this version" test "$(dpkg-deb -f "$package" Version)" = "$version"
        dpkg-deb -x "$package" deb
    done
    PATH=$work/deb/usr/bin:$PATH LD_LIBRARY_PATH=$(dirname "$(find deb -name 'libsortie.so.*' | head -1)") plays "the package" sortie
}

test_wheels() {
    local wheel
    ls "$made"/*.whl >/dev/null 2>&1 || { echo "not made: wheels"; return; }
    for wheel in "$made"/*.whl; do
        check "$(basename "$wheel") has this version" grep -q -- "^sortie-$version-" <(basename "$wheel")
        check "and the library in it" grep -qE 'libsortie\.so|sortie\.dll' <(unzip -Z1 "$wheel")
    done
    wheel=$(ls "$made"/*x86_64.whl)
    check "a virtual environment" /usr/bin/python3 -m venv venv
    check "pip installs the wheel" venv/bin/pip install --no-index --quiet "$wheel"
    check "Python plays" venv/bin/python -c '
import sortie
assert sortie.version() == "'"$version"'"
print(sortie.Engine().go(sortie.Position.start("gomoku").play("H8"), nodes=1000))'
}

test_recipes() {
    has "sortie-$version-recipes.tar.gz" || return
    mkdir recipes && tar -C recipes -xf "$made/sortie-$version-recipes.tar.gz"
    check "the recipes name the source archive's hash" test "$(grep -rl "$(sha256sum "$made/sortie-$version.tar.gz" |
        cut -d ' ' -f 1)" recipes | wc -l)" -eq 5
}

# A source archive is one when it can be built: as a distribution would, without tests.
test_source() {
    has "sortie-$version.tar.gz" || return
    tar -xf "$made/sortie-$version.tar.gz"
    check "the source archive has the version" test "$("sortie-$version/tools/version.sh")" = "$version"
    check "lists itself" test -s "sortie-$version/SOURCES"
    check "and has no more than was committed" test -z "$(find "sortie-$version" -name '*.o' -o -name build -o -name .git)"
}

test_sums
test_bill
test_source
test_web
test_linux x86_64
test_linux aarch64 qemu-aarch64
test_alone
test_windows
test_image
test_debs
test_wheels
test_recipes
[ $failed -eq 0 ] && echo "all that was made works"
exit $failed
