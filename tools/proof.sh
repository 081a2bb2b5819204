#!/usr/bin/env bash
# The first player's win on 15x15: unpacks the certificate, has it checked and leaves it where `make install` takes it from.
# tools/proof.sh BUILD
set -eu
cd "$(dirname "$0")/.."
build=$1
proof=$build/gomoku.proof
trap 'rm -f "$proof.new"' EXIT
echo "unpacking the proof that the first player wins, and checking it without the engine (a minute):"
xz -dc proofs/first-player.proof.xz >"$proof.new"
"$build/sortie-verify" "$proof.new"
mv "$proof.new" "$proof"
printf 'gomoku freestyle 15\nH8 H7\n' | SORTIE_PROOFS=$proof "$build/sortie" analyze - -t 1 -j1 | tee "$proof.new"
grep -q "proved  nodes 0 " "$proof.new"
echo "to play by it: SORTIE_PROOFS=$proof, or make install"
