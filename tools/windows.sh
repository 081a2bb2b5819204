#!/usr/bin/env bash
# Builds the Windows programs with mingw-w64: build/windows/sortie.exe, pbrain-sortie.exe and the zip Gomocup takes.
set -eu
cd "$(dirname "$0")/.."
cmake -S . -B build/windows -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG" -DSORTIE_TESTS=OFF -DSORTIE_CUDA=OFF "$@" >/dev/null
cmake --build build/windows --target sortie pbrain-sortie sortie-course sortie-task sortie-laser 2>&1 | tail -1
# Gomocup unpacks the archive and looks for pbrain-NAME.exe at its top.
rm -rf build/windows/zip build/windows/pbrain-sortie.zip
mkdir -p build/windows/zip
cp build/windows/pbrain-sortie.exe LICENSE build/windows/zip/
x86_64-w64-mingw32-strip build/windows/zip/pbrain-sortie.exe
(cd build/windows/zip && zip -q -X ../pbrain-sortie.zip pbrain-sortie.exe LICENSE)
ls -l build/windows/*.exe build/windows/pbrain-sortie.zip
