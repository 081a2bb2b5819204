#!/usr/bin/env bash
# Tries the Debian packages of build/deb.
#   tools/deb_test.sh          unpacks them into a folder and uses what is there
#   tools/deb_test.sh ROOT     installs them in a fresh root (debootstrap --variant=minbase bookworm ROOT), runs the example
#                              of every help page, builds the examples, runs Python, removes all, and looks what is left
set -eu
cd "$(dirname "$0")/.."
mapfile -t packages < <(ls build/deb/*.deb 2>/dev/null | grep -v dbgsym)
[ ${#packages[@]} -gt 0 ] || { echo "expected packages in build/deb: run make deb first" >&2; exit 2; }

# What is tried in both cases: the programs, pkg-config, Python.
cat >build/deb/try.sh <<'END'
set -eu
cd "$(mktemp -d)"
sortie --version
# The page is fetched from the server, which runs until it is told to stop.
try_serve() {
    timeout 60 sh -e example.sh >served 2>/dev/null &
    server=$!
    for turn in $(seq 100); do
        grep -q http served && break
        sleep 0.1
    done
    fetched=0
    python3 -c 'import sys, urllib.request; assert b"sortie" in urllib.request.urlopen(sys.argv[1]).read()' \
        "$(head -1 served)" || fetched=1
    kill $server
    wait $server || :
    return $fetched
}
# The agent needs a referee and somebody to play against; both leave with the game.
try_agent() {
    mkdir -p game
    timeout 300 sortie referee Group1 Other --folder game --time 2 --quiet &
    referee=$!
    timeout 300 sortie agent Other --folder game --time 0.2 >/dev/null &
    other=$!
    sed 's/--time 10/--time 0.2/' example.sh >quick.sh
    timeout 300 sh -e quick.sh && wait $referee && wait $other
}
for command in $(sortie help --words | cut -f 1 | grep -v '^help$'); do
    sortie "$command" --help | sed -n '/^Example:/,$p' | sed 1d >example.sh
    case $command in
    serve) attempt=try_serve ;;
    agent) attempt=try_agent ;;
    *) attempt='sh -e example.sh' ;;
    esac
    $attempt >said 2>&1 || { cat said; echo "the example of $command fails"; exit 1; }
    echo "$command: its example runs"
done
for example in bot analyser; do
    cc "$EXAMPLES/$example.c" $(pkg-config --cflags --libs sortie) -o "$example"
done
printf 'H8\n' | ./bot gomoku 0.05
printf '3\nALPHABETA\nX\n9\n12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n' >input.txt
./analyser input.txt 2
python3 -c 'import sortie; print(sortie.version(), sortie.Engine().go(sortie.Position.load("input.txt"), nodes=100))'
END

if [ $# -eq 0 ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    for package in "${packages[@]}"; do
        dpkg-deb -x "$package" "$folder"
    done
    libdir=$(dirname "$(find "$folder" -name libsortie.a)")
    for page in "$folder"/usr/share/man/man6/*.gz; do
        gzip -t "$page"
    done
    PATH=$folder/usr/bin:$PATH LD_LIBRARY_PATH=$libdir PKG_CONFIG_PATH=$libdir/pkgconfig \
        PYTHONPATH=$folder/usr/lib/python3/dist-packages EXAMPLES=$folder/usr/share/doc/libsortie-dev/examples \
        sh build/deb/try.sh
    exit
fi

# A root of its own and not only a chroot, in which the sandbox could not be set up; /proc and /dev go with the command.
root=$1
in_root() {
    unshare --mount --pid --fork sh -ec 'root=$1; shift
        mount --bind "$root" "$root"
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        cd "$root"
        pivot_root . mnt
        umount -l /mnt
        exec env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"' in_root "$root" "$@"
}
in_root apt-get install -y -qq --no-install-recommends gcc libc6-dev pkgconf python3 bubblewrap >/dev/null 2>&1
listing() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./tmp -o -path ./var/log -o -path ./var/cache \
    -o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -name __pycache__ \) -prune -o -print | LC_ALL=C sort); }
listing >build/deb/before
cp "${packages[@]}" build/deb/try.sh "$root/tmp/"
in_root sh -c 'apt-get install -y -qq --no-install-recommends /tmp/*.deb >/dev/null 2>&1'
in_root env EXAMPLES=/usr/share/doc/libsortie-dev/examples sh /tmp/try.sh
in_root sh -c 'apt-get purge -y -qq --autoremove sortie libsortie-dev python3-sortie libsortie1 >/dev/null 2>&1 && rm -rf /tmp/*'
listing >build/deb/after
diff build/deb/before build/deb/after && echo "nothing is left"
