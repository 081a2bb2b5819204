#!/usr/bin/env bash
# Builds the Debian packages into build/deb, from what git tracks (or from a source archive as it is), and has lintian look
# at them.
set -eu
cd "$(dirname "$0")/.."
version=$(tools/version.sh)
rm -rf build/deb
mkdir -p "build/deb/sortie-$version"
tools/sources.sh | tar -c --files-from=- | tar -x -C "build/deb/sortie-$version"
cp -r packaging/debian "build/deb/sortie-$version/debian"
# The page, which needs more to be built than a package's build has.
tools/web.sh >/dev/null
cp build/sortie.html "build/deb/sortie-$version/debian/"
# The library's symbols, from the list the tests check.
{
    echo "libsortie.so.1 libsortie1 #MINVER#"
    sed 's/.*/ &@Base 1.0.0/' tests/abi/symbols
} >"build/deb/sortie-$version/debian/libsortie1.symbols"
(cd "build/deb/sortie-$version" && DEB_BUILD_OPTIONS="parallel=2 nocheck=no" dpkg-buildpackage -us -uc -b -d \
    >../build.log 2>&1) || { tail -30 build/deb/build.log; exit 1; }
lintian --fail-on error build/deb/*.changes
ls -l build/deb/*.deb
