#!/usr/bin/env bash
# Builds for Windows with mingw-w64, into build/windows: the programs, sortie.dll with what programs need to use it, a zip
# of all that, and the zip Gomocup takes. The same sources give the same bytes.
set -eu
cd "$(dirname "$0")/.."
version=$(tools/version.sh)
SOURCE_DATE_EPOCH=$(tools/version.sh --time)
export SOURCE_DATE_EPOCH
out=build/windows
cmake -S . -B $out -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG" -DSORTIE_TESTS=OFF -DSORTIE_CUDA=OFF "$@" >/dev/null
programs=(sortie pbrain-sortie sortie-course sortie-task sortie-laser sortie-verify)
cmake --build $out --target "${programs[@]}" sortie_shared 2>&1 | tail -1
rm -rf $out/zip $out/gomocup $out/*.zip

# Everything: programs and library at the top, where Windows looks for a DLL, and the Python module beside them.
mkdir -p $out/zip/include $out/zip/lib $out/zip/examples
for program in "${programs[@]}"; do
    cp "$out/$program.exe" $out/zip/
done
cp $out/sortie.dll $out/zip/
x86_64-w64-mingw32-strip $out/zip/*.exe $out/zip/sortie.dll
cp $out/libsortie.dll.a $out/sortie.def $out/zip/lib/
cp -r include/sortie $out/zip/include/
cp examples/*.c $out/zip/examples/
cp -r python/sortie $out/zip/
find $out/zip -name __pycache__ -prune -exec rm -rf {} +
cp LICENSE CHANGELOG.md share/sortie/gomoku.book $out/zip/
tools/pack.py $out/zip "$out/sortie-$version-windows-x86_64.zip" "sortie-$version"

# Gomocup takes a zip with pbrain-NAME.exe at its top; a name that ends in 64 says that it is of 64 bits.
mkdir -p $out/gomocup
cp $out/zip/pbrain-sortie.exe $out/gomocup/pbrain-sortie64.exe
cp LICENSE share/sortie/gomoku.book $out/gomocup/
tools/pack.py $out/gomocup "$out/pbrain-sortie64-$version.zip"
ls -l $out/zip/*.exe $out/zip/*.dll $out/*.zip
