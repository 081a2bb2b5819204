# The Python package as people install it: a wheel with the library inside and an editable install, by pip in a fresh
# environment without a network; and a source archive that has all it takes to build.
. "$(dirname "$0")/lib.sh"
if [ -n "$SORTIE_SANITIZE" ] || [ ! -e "$SORTIE_BIN/libsortie.so" ]; then
    echo "this build has no shared library"
    exit 0
fi
python=$(command -v /usr/bin/python3 || command -v python3)
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
export PYTHONDONTWRITEBYTECODE=1 SOURCE_DATE_EPOCH=1700000000
unset PYTHONPATH SORTIE_LIBRARY
git_status() { git -C "$SORTIE_SOURCE" status --porcelain 2>/dev/null || true; }
git_status >before
cat >play.py <<'END_OF_PLAY'
import sortie, sys
position = sortie.Position.start("gomoku")
with sortie.Engine() as engine:
    for _ in range(4):
        position.play(engine.go(position, nodes=300).move)
assert position.played == 4
print(sortie.__file__, sortie.version())
if "numpy" in sys.argv:
    from sortie.env import BatchEnv
    assert BatchEnv("war", count=3).random_step()[1][0]["observation"].shape[0] == 3
else:
    try:
        import sortie.env
        raise SystemExit("expected no NumPy here")
    except ImportError as error:
        assert "NumPy" in str(error), error
END_OF_PLAY

# The wheel, out of the library that is built already; twice the same bytes; named after what it needs.
check "an environment" "$python" -m venv venv
check "and one with the system's packages" "$python" -m venv --without-pip --system-site-packages system
check "pip builds a wheel" venv/bin/pip wheel "$SORTIE_SOURCE" --no-deps -w wheels --config-settings "build=$SORTIE_BIN"
check "so does the backend alone, from a folder elsewhere" \
    "$python" "$SORTIE_SOURCE/python/backend/sortie_build.py" again --build "$SORTIE_BIN"
wheel=$(echo wheels/sortie-*-py3-none-*.whl)
check "the same bytes" cmp "$wheel" "again/$(basename "$wheel")"
newest=$(readelf -W --version-info "$SORTIE_BIN/libsortie.so" | grep -o 'GLIBC_2\.[0-9]*' | sort -V | tail -1)
case $newest in
*.1[89] | *.[2-9][0-9]) check "the tag says which C library it needs ($newest)" \
    test "${wheel#*manylinux_}" = "2_${newest##*.}_$(uname -m).whl" ;;
esac
check "the wheel has types, license and library" "$python" - "$wheel" <<'END_OF_CHECK'
import sys, zipfile
names = zipfile.ZipFile(sys.argv[1]).namelist()
for wanted in ("sortie/py.typed", "sortie/libsortie.so", "env/__init__.py", "dist-info/LICENSE", "dist-info/RECORD"):
    assert any(name.endswith(wanted) for name in names), wanted
assert not any("pycache" in name for name in names) and len(names) == len(set(names))
END_OF_CHECK
check "pip installs it" venv/bin/pip install "$wheel"
check "pip finds nothing wrong" venv/bin/pip check
check "it plays, without NumPy" env -i sh -c "venv/bin/python play.py >said"
check "from its own folder" grep -q "$PWD/venv/lib/.*/sortie/__init__.py" said
unzipped=$(venv/bin/python -c 'import os, sortie; print(os.path.dirname(os.path.dirname(sortie.__file__)))')
if system/bin/python -c 'import numpy' 2>/dev/null; then
    check "and with NumPy" env -i PYTHONPATH="$unzipped" system/bin/python play.py numpy
fi
check "pip takes it away" venv/bin/pip uninstall -y sortie
check "all of it" test -z "$(find venv -name '*sortie*')"

# An editable install leads into the tree.
check "pip installs the tree itself" venv/bin/pip install -e "$SORTIE_SOURCE" --config-settings "build=$SORTIE_BIN"
check "and it plays" env -i SORTIE_LIBRARY="$SORTIE_BIN/libsortie.so" sh -c "venv/bin/python -B play.py >said"
check "from the tree" grep -q "$SORTIE_SOURCE/python/sortie/__init__.py" said

# The source archive: unpacked, CMake finds every file of the library.
archive() { PYTHONPATH=$1/python/backend "$python" -c 'import sortie_build; print(sortie_build.build_sdist("."))'; }
check "a source archive" archive "$SORTIE_SOURCE"
tar -xzf sortie-*.tar.gz
unpacked=$(echo "$PWD"/sortie-*[0-9])
check "it is prepared" cmake -S "$unpacked" -B unpacked-build -G Ninja -DSORTIE_TESTS=OFF -DSORTIE_MATCHES=OFF \
    -DSORTIE_CUDA=OFF -DSORTIE_MPI=OFF
check "nothing is missing" ninja -C unpacked-build -n sortie_shared
mv sortie-*.tar.gz first.tar.gz
check "and again from what was unpacked" archive "$unpacked"
check "the same bytes" cmp first.tar.gz "$(echo sortie-*.tar.gz)"

git_status >after
same "the tree is as it was" before after
finish
