#!/usr/bin/env bash
# The version, which stands once, in CMakeLists.txt, and what is made of it.
#   tools/version.sh            the version: 1.0.0
#   tools/version.sh --major    its first number, which is also the one in the library's name
#   tools/version.sh --home     the address of the project, which stands beside it
#   tools/version.sh --time     when it was made: the last commit's time, in seconds, or SOURCE_DATE_EPOCH
#   tools/version.sh --check    whether the files that must repeat the version do so
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(sortie VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo "CMakeLists.txt: expected project(sortie VERSION x.y.z" >&2; exit 1; }

home() { sed -n 's/^project(.* HOMEPAGE_URL "\([^"]*\)".*/\1/p' CMakeLists.txt; }

# repeats FILE WHAT FOUND: a file that has the version in it has this one.
wrong=0
repeats() {
    [ "$3" = "$version" ] && return
    echo "$1: expected $2 $version as in CMakeLists.txt, found ${3:-none}" >&2
    wrong=1
}

check() {
    local major=${version%%.*} file
    repeats CHANGELOG.md "the newest section" "$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -1)"
    repeats packaging/debian/changelog "the newest entry" \
        "$(sed -n '1s/^sortie (\([0-9.]*\)).*/\1/p' packaging/debian/changelog)"
    repeats CITATION.cff version "$(sed -n 's/^version: "\{0,1\}\([0-9.]*\)"\{0,1\}$/\1/p' CITATION.cff)"
    grep -qx "url: $(home)" CITATION.cff || { echo "CITATION.cff: expected url: $(home)" >&2; wrong=1; }
    grep -qx "Homepage: $(home)" packaging/debian/control ||
        { echo "packaging/debian/control: expected Homepage: $(home)" >&2; wrong=1; }
    if [ -e pyproject.toml ] && grep -q '^version *=' pyproject.toml; then
        repeats pyproject.toml version "$(sed -n 's/^version *= *"\([0-9.]*\)"$/\1/p' pyproject.toml)"
    fi
    # The library's name has the first number in it, wherever it is written down.
    for file in packaging/debian/* packaging/debian/*/* tools/deb*.sh python/*.py python/*/*.py; do
        [ -f "$file" ] || continue
        if grep -noE "libsortie(\.so\.)?[0-9]+" "$file" | grep -vE "libsortie(\.so\.)?$major$"; then
            echo "$file: expected libsortie$major and libsortie.so.$major" >&2
            wrong=1
        fi
    done
    exit $wrong
}

case ${1-} in
'') echo "$version" ;;
--major) echo "${version%%.*}" ;;
--home) home ;;
--time) echo "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)}" ;;
--check) check ;;
*) sed -n '2,7s/^# //p' "$0" >&2; exit 2 ;;
esac
