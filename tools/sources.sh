#!/usr/bin/env bash
# Lists the source files: what git tracks, or in an unpacked source archive the list it came with.
set -eu
cd "$(dirname "$0")/.."
if [ -f SOURCES ]; then
    cat SOURCES
else
    git ls-files
fi
