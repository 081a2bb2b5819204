#!/usr/bin/env bash
# Makes proofs out of their cores and has them checked without the engine; says of each in one line what was proved, how
# large it is, how much was checked, and whether its digest is the one that is known. The first player's win on 15x15 is
# left where `make install` takes it from, and is not made again where it is there already; of all others nothing stays.
# tools/proof.sh BUILD [NAME...]     of proofs/NAME.core.xz; without a name the first player's
# tools/proof.sh BUILD --all         every core, and a second checker, written from docs/proofs.md, goes through each as well
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
row='%-30s %9s %13s %13s %11s %7s  %s\n'

# The certificate of a core on standard output.
expand() { xz -dc "proofs/$1.core.xz" | "$sortie" expand -; }

# The line of SHA256SUMS for what standard input holds.
sum_line() { printf '%s  %s.proof\n' "$(sha256sum | cut -d ' ' -f 1)" "$1"; }

# What becomes of a certificate on standard input: its digest, its length, and what each checker says.
check() {
    mkfifo "$work/sum.pipe" "$work/length.pipe" "$work/end.pipe"
    sum_line "$1" <"$work/sum.pipe" >"$work/$1.sum" &
    local sum=$!
    wc -c <"$work/length.pipe" >"$work/$1.length" &
    local length=$!
    tail -c 8 "$work/end.pipe" | od -An -tx1 >"$work/$1.end" &
    local end=$! second=
    local to=("$work/sum.pipe" "$work/length.pipe" "$work/end.pipe")
    if [ -n "$all" ]; then
        mkfifo "$work/second.pipe"
        "$work/second-checker" "$work/second.pipe" >"$work/$1.second" 2>&1 &
        second=$!
        to+=("$work/second.pipe")
    fi
    local good=0
    tee "${to[@]}" | "$build/sortie-verify" /dev/stdin >"$work/$1.said" || good=1
    wait $sum $length $end
    [ -z "$second" ] || wait $second || { cat "$work/$1.second" >&2; good=1; }
    rm -f "$work"/*.pipe
    return $good
}

# What was proved, in the checker's words: the board, its stones, and the claim.
proved() {
    awk '/^proved: / { claim = $0; sub(/^proved: gomoku freestyle /, "", claim); split(claim, part, ", ") }
         /^  / { line++; for (i = 3; i <= length($0); i++) { c = substr($0, i, 1)
                 if (c != ".") stones = stones " " c " " substr("ABCDEFGHIJKLMNO", i - 2, 1) line } }
         END { print part[1] (stones == "" ? ", empty" : "," stones) substr(claim, index(claim, ": ")) }' "$1"
}

# How the digests compare. The CRC-64 that ends a certificate is right, as the checker has seen; it and the length must be
# those that the core names. And SHA-256 must be the one that is known, unless all are made anew.
compare() {
    local named
    named=$(xz -dc "proofs/$1.core.xz" | LC_ALL=C sed -n '/^proof [0-9]* [0-9a-f]*$/{p;q;}') || true
    if [ "$named" != "proof $(cat "$work/$1.length") $(awk '{ for (i = NF; i; i--) printf "%s", $i }' "$work/$1.end")" ]; then
        echo "ANOTHER CERTIFICATE THAN ITS CORE NAMES"
        return 1
    elif [ -n "$renew" ]; then
        cat "$work/$1.sum" >>"$work/sums"
        echo "CRC-64 ok, SHA-256 written"
    elif ! grep -q "  $1.proof\$" "$sums"; then
        echo "CRC-64 ok; SHA-256, not in $sums: $(cut -d ' ' -f 1 "$work/$1.sum")"
    elif grep -qxF -f "$work/$1.sum" "$sums"; then
        echo "CRC-64 ok, SHA-256 ok"
    else
        echo "ANOTHER THAN IN $sums"
        return 1
    fi
}

# Makes a certificate and has it checked as it comes; the first player's stays, for the engine to play by.
make_one() {
    if [ "$1" != $first ]; then
        expand "$1" | check "$1"
    elif [ -z "$renew" ] && [ -e "$proof" ] && sum_line $first <"$proof" | grep -qxF -f - "$sums"; then
        check $first <"$proof"
    else
        expand $first | tee "$proof.new" | check $first && mv "$proof.new" "$proof"
    fi
}

# One line of the table. (Called where a failure is asked for, so `set -e` does nothing in here.)
one() {
    local digest good=0 TIMEFORMAT='%U %S'
    [ ! -t 2 ] || printf '%s ...\r' "$1" >&2
    { time make_one "$1" 2>&3 || good=1; } 3>&2 2>"$work/time"
    [ $good -eq 0 ] || return 1
    digest=$(compare "$1") || good=1
    printf "$row" "$(proved "$work/$1.said")" "$(stat -c %s "proofs/$1.core.xz")" "$(cat "$work/$1.length")" \
        "$(sed -n 's/^checked: \([0-9]*\) positions, .*/\1/p' "$work/$1.said")" \
        "$(sed -n 's/^checked: .*, \([0-9]*\) replayed/\1/p' "$work/$1.said")" \
        "$(awk '{ printf "%.0f", $1 + $2 }' "$work/time")" "$digest"
    return $good
}

renew='' all=''
case ${1:-} in
    --all) all=yes ;;
    --sums) renew=yes ;;
esac
case ${1:-} in
    --all | --sums) set -- $first $(cd proofs && ls -- *.core.xz | sed 's/\.core\.xz$//' | grep -vx $first || true) ;;
    '') set -- $first ;;
esac
checkers="a checker that has nothing of the engine's (src/prove/verify.c)"
if [ -n "$all" ]; then
    ${CC:-cc} -O2 -o "$work/second-checker" tests/second/second_checker.c
    checkers="two that have nothing of the engine's or of each other's (src/prove/verify.c, tests/second/second_checker.c)"
fi
echo "Proofs, made out of their cores in proofs/ and gone through by"
echo "$checkers:"
echo
printf "$row" "proved" "core (xz)" "certificate" "positions" "replayed" "CPU s" "digest"
accepted=0
for name in "$@"; do
    if one "$name"; then
        accepted=$((accepted + 1))
    else
        echo "$name: NOT ACCEPTED"
    fi
done
echo
[ $accepted -eq $# ] || { echo "only $accepted of $# accepted"; exit 1; }
echo "all $# accepted"
[ -z "$renew" ] || sort -k 2 "$work/sums" >"$sums"
[ "$1" = $first ] || exit 0
printf 'gomoku freestyle 15\nH8 H7\n' | SORTIE_PROOFS=$proof "$sortie" analyze - -t 1 -j1 >"$work/line"
grep -q "proved  nodes 0 " "$work/line"
echo "the engine answers H8 H7 by it without a search: $(sed 's/.*\(wins in [0-9]*\).* pv \(.*\)/\2, \1/' "$work/line")"
echo "to play by it: SORTIE_PROOFS=$proof, or make install"
