#!/usr/bin/env bash
# Holds the README to its word on a bare Debian: tools/bare.sh [root|user] [run|test]
#
# Makes the smallest Debian there is, with make and git, clones the committed tree into it and runs `make run` and
# `make test`: as root, who gets everything installed, then in another as an ordinary user without sudo, for whom root
# runs the one line that the first attempt asks for. Nothing stays behind but the bare system, a tarball in the cache.
# Needs root and mmdebstrap; takes packages from where this machine takes its own.
set -eu
cd "$(dirname "$0")/.."
usage() {
    sed -n '2s/^# //p' "$0" >&2
    exit 2
}
parts=""
commands=""
for word in "$@"; do
    case $word in
    root | user) parts+=" $word" ;;
    run | test) commands+=" $word" ;;
    *) usage ;;
    esac
done
: "${parts:=root user}" "${commands:=run test}"
[ "$(id -u)" -eq 0 ] || { echo "please run as root: a system is made and entered" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "please run: apt-get install -y mmdebstrap" >&2; exit 1; }

. /etc/os-release
suite=${SORTIE_SUITE:-$VERSION_CODENAME}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sortie
tarball=$cache/bare-$suite-$(dpkg --print-architecture).tar
work=$(mktemp -d "${TMPDIR:-/var/tmp}/sortie-bare.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM

# The bare system, made once: delete the tarball to have it made anew.
make_tarball() {
    [ -s "$tarball" ] && return
    echo "making $tarball"
    mkdir -p "$cache"
    local sources=() file
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        [ -s "$file" ] && sources+=("$file")
    done
    apt-config dump | grep -E '^Acquire::(http|https|ForceIPv4|Retries)' >"$work/apt.conf" || true
    mmdebstrap --quiet --variant=minbase --include=make,git,ca-certificates --aptopt="$work/apt.conf" "$suite" \
        "$work/bare.tar" "${sources[@]}"
    mv "$work/bare.tar" "$tarball"
}

# inside ROOT COMMAND...: runs it with ROOT as the whole system. The root is moved, not merely changed: in a chroot the
# kernel refuses the namespaces that the sandbox is made of. All mounts end with the command.
inside() {
    # shellcheck disable=SC2016
    unshare --mount --pid --ipc --fork --kill-child --propagation private -- bash -c '
        set -eu
        root=$1
        shift
        mount --bind "$root" "$root"
        cd "$root"
        mount --rbind /sys sys
        mount --rbind /dev dev
        mount -t tmpfs shm dev/shm
        mount -t proc proc proc
        mkdir -p .outside
        pivot_root . .outside
        cd /
        umount -l /.outside
        rmdir /.outside
        exec "$@"' inside "$@"
}

# A shell line as root, or as the ordinary user, in a home of their own with nothing but a path set.
proxies=()
for name in http_proxy https_proxy no_proxy; do
    [ -z "${!name:-}" ] || proxies+=("$name=${!name}")
done
as_root() { inside "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "${proxies[@]}" bash -c "cd && $2"; }
as_user() {
    inside "$1" setpriv --reuid=student --regid=student --init-groups \
        env -i PATH=/usr/bin:/bin HOME=/home/student bash -c "cd && $2"
}

# A fresh system with the committed tree on its disk.
fresh_root() {
    mkdir "$1"
    tar -C "$1" -xpf "$tarball"
    cp /etc/resolv.conf "$1/etc/resolv.conf"
    git bundle create -q "$1/srv/sortie.bundle" HEAD
    as_root "$1" "useradd -m -s /bin/bash student"
}

failed=0
# try PART COMMAND: one of the README's commands, in a clone of its own when it is the first.
try() {
    local from=$SECONDS log=$work/$1-$2.log verdict=ok
    echo "== $1: make $2"
    "as_$1" "$work/$1" "[ -d sortie ] || git clone -q /srv/sortie.bundle sortie && cd sortie && make $2" >"$log" 2>&1 ||
        { verdict=FAILED failed=1; }
    [ $verdict = ok ] && tail -3 "$log" || cat "$log"
    table+="$(printf '%-5s make %-5s %-7s %5d s' "$1" "$2" $verdict $((SECONDS - from)))"$'\n'
}
table=""

make_tarball
for part in $parts; do
    fresh_root "$work/$part"
    if [ "$part" = user ]; then
        as_user "$work/user" "git clone -q /srv/sortie.bundle sortie && cd sortie && make run" \
            >"$work/asked" 2>&1 || true
        line=$(sed -n 's/^please run: //p' "$work/asked")
        [ -n "$line" ] || { echo "no line to run was given:"; cat "$work/asked"; exit 1; }
        echo "== root: ${line//sudo /}"
        as_root "$work/user" "${line//sudo /}" >"$work/installed" 2>&1 || { cat "$work/installed"; exit 1; }
    fi
    for command in $commands; do
        try "$part" "$command"
    done
    rm -rf --one-file-system "${work:?}/$part"
done
printf '%s' "$table"
exit $failed
