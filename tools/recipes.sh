#!/usr/bin/env bash
# Fills the recipes of packaging/ with version, address and hash, and reads each as far as this machine can:
#   tools/recipes.sh SOURCE_ARCHIVE FOLDER
# FOLDER gets homebrew/sortie.rb, aur/PKGBUILD and aur/.SRCINFO, conda/recipe.yaml, nix/default.nix.
set -eu
[ $# -eq 2 ] && [ -f "$1" ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
archive=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
version=$(tools/version.sh)
home=$(tools/version.sh --home)
hash=$(sha256sum "$archive" | cut -d ' ' -f 1)

for recipe in homebrew/sortie.rb aur/PKGBUILD aur/SRCINFO conda/recipe.yaml nix/default.nix; do
    mkdir -p "$folder/$(dirname "$recipe")"
    sed -e "s|@VERSION@|$version|g" -e "s|@HOME@|$home|g" -e "s|@SHA256@|$hash|g" \
        -e "s|@SOURCE@|$home/releases/$version/sortie-$version.tar.gz|g" "packaging/$recipe" >"$folder/$recipe"
done
mv "$folder/aur/SRCINFO" "$folder/aur/.SRCINFO"

failed=0
# try WHAT TOOL COMMAND...: with a tool that is not here, that is said.
try() {
    local what=$1 tool=$2
    shift 2
    if ! command -v "$tool" >/dev/null; then
        echo "not checked: $what (no $tool)"
    elif "$@" >"$folder/said" 2>&1; then
        echo "ok: $what"
    else
        echo "FAIL: $what" >&2
        cat "$folder/said" >&2
        failed=1
    fi
    rm -f "$folder/said"
}
# What makepkg --printsrcinfo would say, for the fields a recipe of one package has.
source_info() {
    # shellcheck disable=SC1090,SC2154
    . "$1"
    printf 'pkgbase = %s\n' "$pkgname"
    local field value
    for field in pkgdesc pkgver pkgrel url; do printf '\t%s = %s\n' $field "${!field}"; done
    for field in arch license makedepends depends optdepends source sha256sums; do
        local -n values=$field
        for value in "${values[@]}"; do printf '\t%s = %s\n' $field "$value"; done
        unset -n values
    done
    printf '\npkgname = %s\n' "$pkgname"
}
same_info() { diff <(source_info "$folder/aur/PKGBUILD") "$folder/aur/.SRCINFO"; }

try "no place is left open" grep bash -c "! grep -rnE '@[A-Z0-9]+@' '$folder'"
try "the formula is Ruby" ruby ruby -c "$folder/homebrew/sortie.rb"
try "PKGBUILD is a script" bash bash -n "$folder/aur/PKGBUILD"
try ".SRCINFO says what PKGBUILD says" bash same_info
if ! python3 -c 'import yaml' 2>/dev/null; then
    echo "not checked: the conda recipe (no python3-yaml)"
else
    try "the conda recipe is YAML with what it needs" python3 python3 -c '
import sys, yaml
recipe = yaml.safe_load(open(sys.argv[1]))
assert recipe["context"]["version"] == sys.argv[2] and recipe["source"]["sha256"] == sys.argv[3], recipe
assert {"package", "source", "build", "requirements", "tests", "about"} <= set(recipe)
' "$folder/conda/recipe.yaml" "$version" "$hash"
fi
try "the Nix expression is one" nix-instantiate nix-instantiate --parse "$folder/nix/default.nix"
exit $failed
