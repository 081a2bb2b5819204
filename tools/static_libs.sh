#!/usr/bin/env bash
# Fetches the libraries that programs of one file are linked with, as Debian has them, without installing anything:
#   tools/static_libs.sh amd64|arm64 FOLDER
# FOLDER gets include/, lib/, copyright/ and the list `packages` (name, version), which the bill of materials is made of. apt checks
# the signatures; a private state lets it look at another processor's packages.
set -eu
architecture=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
wanted=(libsqlite3-dev libarchive-dev libmicrohttpd-dev zlib1g-dev liblzma-dev libbz2-dev libzstd-dev
    nettle-dev)
command -v apt-get >/dev/null || { echo "expected apt-get: the libraries are taken from Debian" >&2; exit 1; }
[ -s "$folder/packages" ] && exit 0 # delete the folder to have it made anew

work=$(mktemp -d "${TMPDIR:-/tmp}/sortie-libs.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
touch "$work/state/status"
chmod 755 "$work" # where apt drops its rights
ask() {
    (cd "$work" && apt-get -qq -o "Dir::State=$work/state" -o "Dir::State::status=$work/state/status" \
        -o "Dir::Cache=$work/cache" -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" \
        -o APT::Sandbox::User=root "$@")
}
ask update
ask download "${wanted[@]}"
mkdir -p "$folder/include" "$folder/lib"
for package in "$work"/*.deb; do
    dpkg-deb -x "$package" "$work/root"
    dpkg-deb -f "$package" Package Version Source | sed -n 's/^[A-Z][a-z]*: //p' | paste -sd ' ' >>"$work/packages"
done
cp "$work/root/usr/include/"{sqlite3.h,archive.h,archive_entry.h,microhttpd.h} "$folder/include/"
find "$work/root" -name 'lib*.a' -exec cp {} "$folder/lib/" \;
for notice in "$work"/root/usr/share/doc/*/copyright; do # to go with what is linked from it
    [ -e "$notice" ] && mkdir -p "$folder/copyright" && cp "$notice" "$folder/copyright/$(basename "$(dirname "$notice")")"
done
LC_ALL=C sort "$work/packages" >"$folder/packages"
