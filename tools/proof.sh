#!/usr/bin/env bash
# Makes proofs out of their cores and has them checked without the engine. The first player's win on 15x15 is left where
# `make install` takes it from, and is not made again where it is there already; of all others nothing stays.
# tools/proof.sh BUILD [NAME...]     of proofs/NAME.core.xz; without a name the first player's
# tools/proof.sh BUILD --all         every core
# tools/proof.sh BUILD --sums        every core, and proofs/SHA256SUMS is written anew
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift
sums=proofs/SHA256SUMS
sortie=$build/sortie
first=first-player
proof=$build/gomoku.proof
work=$(mktemp -d)
trap 'rm -rf "$work" "$proof.new"' EXIT

# The certificate of a core on standard output.
expand() { xz -dc "proofs/$1.core.xz" | "$sortie" expand -; }

# The line of SHA256SUMS for what standard input holds.
sum_line() { printf '%s  %s.proof\n' "$(sha256sum | cut -d ' ' -f 1)" "$1"; }

# The digest must be the one that is known, unless all are made anew. (That the certificate is the one its core names was
# seen when it was made.)
compare() {
    if [ -n "$renew" ]; then
        cat "$work/$1.sum" >>"$work/sums"
    elif ! grep -q "  $1.proof\$" "$sums"; then
        echo "$1: $sums has no digest of it yet: $(cat "$work/$1.sum")"
    elif ! grep -qxF -f "$work/$1.sum" "$sums"; then
        echo "$1: the certificate is another one than $sums names" >&2
        return 1
    fi
}

# Makes a certificate and checks it as it comes.
check() {
    echo "$1: made out of its core and checked without the engine:"
    mkfifo "$work/$1.pipe"
    sum_line "$1" <"$work/$1.pipe" >"$work/$1.sum" &
    expand "$1" | tee "$work/$1.pipe" | "$build/sortie-verify" /dev/stdin
    wait
    compare "$1"
}

# The first player's stays, for the engine to play by.
check_first() {
    if [ -z "$renew" ] && [ -e "$proof" ] && sum_line $first <"$proof" | grep -qxF -f - "$sums"; then
        echo "$proof is there already; checking it without the engine:"
        "$build/sortie-verify" "$proof"
    else
        echo "making the proof that the first player wins out of its core, and checking it without the engine:"
        expand $first >"$proof.new"
        "$build/sortie-verify" "$proof.new"
        sum_line $first <"$proof.new" >"$work/$first.sum"
        compare $first
        mv "$proof.new" "$proof"
    fi
    printf 'gomoku freestyle 15\nH8 H7\n' | SORTIE_PROOFS=$proof "$sortie" analyze - -t 1 -j1 | tee "$work/line"
    grep -q "proved  nodes 0 " "$work/line"
    echo "to play by it: SORTIE_PROOFS=$proof, or make install"
}

renew=
[ "${1:-}" != --sums ] || renew=yes
case ${1:-} in
    --all | --sums) set -- $first $(cd proofs && ls -- *.core.xz | sed 's/\.core\.xz$//' | grep -vx $first || true) ;;
    '') set -- $first ;;
esac
for name in "$@"; do
    if [ "$name" = $first ]; then check_first; else check "$name"; fi
done
[ -z "$renew" ] || sort -k 2 "$work/sums" >"$sums"
