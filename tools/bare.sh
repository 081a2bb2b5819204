#!/usr/bin/env bash
# Holds the pages to their word on a bare Debian: tools/bare.sh [root|user]... [run|test|install|pages|pip|wheel]...
#
# Makes the smallest Debian there is, with make and git, clones the committed tree into it and does what the pages say:
#   run      make run, with the seconds to the first board
#   test     make test
#   install  make install: into /usr/local as root, into ~/.local as a user, who pastes the line it prints
#   pages    every block of commands of library.md, students.md, teachers.md and gomoku-players.md, pasted
#   pip      pip install . into an environment of Python's own, and a game
#   wheel    the wheel of these sources in a second bare Debian, with Python and no compiler
# First as root, who gets everything installed, then in another system as an ordinary user without sudo, for whom root
# runs the one line that the first attempt asks for. Nothing stays behind but the bare system, a tarball in the cache.
# Needs root and mmdebstrap; takes packages from where this machine takes its own. Run before every release.
set -eu
cd "$(dirname "$0")/.."
usage() {
    sed -n '2s/^# //p' "$0" >&2
    exit 2
}
parts=""
stages=""
for word in "$@"; do
    case $word in
    root | user) parts+=" $word" ;;
    run | test | install | pages | pip | wheel) stages+=" $word" ;;
    *) usage ;;
    esac
done
: "${parts:=root user}" "${stages:=run test install pages pip wheel}"
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
as_root() { inside "$1" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "${proxies[@]}" bash -c "cd && $2"; }
as_user() {
    inside "$1" setpriv --reuid=student --regid=student --init-groups \
        env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/student bash -c "cd && $2"
}

# A fresh system with the committed tree on its disk.
fresh_root() {
    mkdir "$1"
    tar -C "$1" -xpf "$tarball"
    cp /etc/resolv.conf "$1/etc/resolv.conf"
    git bundle create -q "$1/srv/sortie.bundle" HEAD
    as_root "$1" "useradd -m -s /bin/bash student"
}

# What a stage does, as a line for the shell of whoever does it, in the clone.
pages="library students teachers gomoku-players"
play='import sortie; p = sortie.Position.start("gomoku"); print(p.play(sortie.Engine().go(p, nodes=300).move))'
stage_line() {
    case $2 in
    run | test) echo "make $2" ;;
    install)
        [ "$1" = root ] && echo "make install" || echo 'make install PREFIX=$HOME/.local | tee ~/installed'
        ;;
    pages)
        # a user has pasted the line that make install printed
        [ "$1" = root ] || echo 'eval "$(grep "^ *export " ~/installed)" &&'
        # shellcheck disable=SC2028
        echo "for page in $pages; do rm -rf ~/\$page && mkdir ~/\$page &&
            awk '/^\`\`\`sh\$/ { on = 1; next } /^\`\`\`\$/ { on = 0 } on' docs/\$page.md >~/\$page/page.sh &&
            ( cd ~/\$page && bash -e -o pipefail page.sh ) || { echo \"\$page.md failed\"; exit 1; }; done"
        ;;
    pip) echo "rm -rf ~/venv && python3 -m venv ~/venv && ~/venv/bin/pip install . && ~/venv/bin/python -c '$play'" ;;
    esac
}

failed=0
table=""
# note PART STAGE VERDICT SECONDS REMARK
note() { table+="$(printf '%-5s %-8s %-7s %5d s  %s' "$@")"$'\n'; }

# In a log whose lines begin with a time: the seconds from the first step of the build to the first board.
first_board() {
    awk '!from && $2 ~ /^\[/ { from = $1 } / == / { printf "first board after %d s of building", $1 - from; exit }' "$1"
}

# try PART STAGE: in a clone of its own when it is the first.
try() {
    local from=$SECONDS log=$work/$1-$2.log verdict=ok remark=""
    echo "== $1: $2"
    "as_$1" "$work/$1" "{ [ -d sortie ] || git clone -q /srv/sortie.bundle sortie; } && cd sortie && $(stage_line "$@")" \
        2>&1 | while IFS= read -r line; do printf '%(%s)T %s\n' -1 "$line"; done >"$log" || { verdict=FAILED failed=1; }
    [ $verdict = ok ] && tail -3 "$log" || tail -200 "$log"
    [ "$2" != run ] || remark=$(first_board "$log")
    note "$1" "$2" $verdict $((SECONDS - from)) "$remark"
}

# The wheel, made in the first system, in one that has Python and no compiler.
try_wheel() {
    local from=$SECONDS log=$work/$1-wheel.log verdict=ok wheel=""
    echo "== $1: wheel"
    {
        "as_$1" "$work/$1" "cd sortie && rm -rf ~/wheel && python3 -m venv ~/maker &&
            ~/maker/bin/pip wheel . --no-deps -w ~/wheel" &&
            wheel=$(find "$work/$1/root" "$work/$1/home" -path '*/wheel/*.whl') && [ -n "$wheel" ] &&
            fresh_root "$work/second" && as_root "$work/second" "$install_python" && cp "$wheel" "$work/second/srv/" &&
            as_root "$work/second" "! command -v gcc cc clang" &&
            "as_$1" "$work/second" "python3 -m venv venv && venv/bin/pip install --no-index /srv/*.whl &&
                venv/bin/python -c '$play'"
    } >"$log" 2>&1 || { verdict=FAILED failed=1; }
    [ $verdict = ok ] && tail -3 "$log" || cat "$log"
    rm -rf --one-file-system "$work/second"
    note "$1" wheel $verdict $((SECONDS - from)) "$(basename "${wheel:-none}")"
}
install_python="apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv"

set -o pipefail
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
    case $stages in *pip* | *wheel*) as_root "$work/$part" "$install_python" >"$work/installed" 2>&1 ||
        { cat "$work/installed"; exit 1; } ;; esac
    for stage in $stages; do
        if [ "$stage" = wheel ]; then try_wheel "$part"; else try "$part" "$stage"; fi
    done
    rm -rf --one-file-system "${work:?}/$part"
done
printf '%s' "$table"
exit $failed
