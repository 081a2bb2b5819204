#!/usr/bin/env bash
# Installs a build and makes sure it is found: tools/install.sh BUILD PREFIX. Below a prefix where programs, libraries or
# Python modules are not looked for, prints the one line that is needed. With DESTDIR set it only copies, as packages want.
set -eu
build=$1
prefix=$2
cmake --install "$build" --prefix "$prefix"
[ -z "${DESTDIR:-}" ] || exit 0

PATH=$PATH:/usr/sbin:/sbin
manifest=$build/install_manifest.txt
folder_of() { # of the installed file whose path ends so
    local file
    file=$(grep -E "$1\$" "$manifest" | head -1)
    echo "${file%/*}"
}
knows_library() { ldconfig -p 2>/dev/null | grep -qF "=> $libdir/libsortie.so"; }
is_among() { case ":$2:" in *":$1:"*) true ;; *) false ;; esac }

bindir=$(folder_of /bin/sortie)
libdir=$(folder_of '/libsortie\.so\.[0-9]+')
pkgdir=$(folder_of '/sortie\.pc')
module=$(folder_of '/sortie/__init__\.py')
module=${module%/sortie} # the folder it is in
if [ "$(id -u)" = 0 ]; then
    ldconfig 2>/dev/null || true
fi

line=
is_among "$bindir" "$PATH" || line+=" PATH=$bindir:\$PATH"
[ -z "$libdir" ] || knows_library || line+=" LD_LIBRARY_PATH=$libdir\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
if [ -n "$pkgdir" ] && command -v pkg-config >/dev/null; then
    is_among "$pkgdir" "$(env -u PKG_CONFIG_PATH pkg-config --variable pc_path pkg-config)" ||
        line+=" PKG_CONFIG_PATH=$pkgdir\${PKG_CONFIG_PATH:+:\$PKG_CONFIG_PATH}"
fi
if [ -n "$module" ]; then
    python=$(PATH=/usr/bin:/bin:$PATH command -v python3 || true)
    echo "The Python module is in $module."
    { [ -n "$python" ] && is_among "$module" "$("$python" -c 'import sys; print(":".join(sys.path))')"; } ||
        line+=" PYTHONPATH=$module\${PYTHONPATH:+:\$PYTHONPATH}"
fi
[ -z "$line" ] || printf 'To have all of it found there:\n  export%s\n' "$line"
