# What make proof and make proofs do and say: tools/proof.sh on a tree with two small cores.
. "$(dirname "$0")/lib.sh"

mkdir -p tree/tools tree/proofs tree/tests/second tree/build
cp "$SORTIE_SOURCE/tools/proof.sh" tree/tools
cp "$SORTIE_SOURCE/tests/second/second_checker.c" tree/tests/second
for program in sortie sortie-verify; do
    ln -s "$SORTIE_BIN/$program" "tree/build/$program"
done
core() { # core NAME MOVES
    printf 'gomoku freestyle 15\n%s\n' "$2" | sortie prove - -j1 -o "$1.proof" >/dev/null
    sortie prove --core "$1.proof" -o "tree/proofs/$1.core" >/dev/null
    xz "tree/proofs/$1.core"
}
core first "H8 A1 I8 A3 J8 O1 H9 O15"
core second "H8 A1 I8 A3 J8 O1 H9 O15 H10 A15"
length=$(wc -c <first.proof)
(cd tree/proofs && sha256sum ../../first.proof | sed 's|\.\./\.\./||') >sums
cp sums tree/proofs/SHA256SUMS

cd tree
check "one is made and checked" bash -c "tools/proof.sh build first >../out"
check "its line has what was proved, its size and its digest" \
    grep -qE "^15x15, O A1 O O1 O A3 X H8 .*: X wins +[0-9]+ +$length +[1-9][0-9]* +[0-9]+ +[0-9]+  CRC-64 ok, SHA-256 ok$" ../out
check "and all of one is one" grep -q '^all 1 accepted$' ../out
check "of another no digest is known" bash -c "tools/proof.sh build second >../out && grep -q 'CRC-64 ok; SHA-256, not in proofs/SHA256SUMS: [0-9a-f]\{64\}$' ../out"
cp proofs/first.core.xz proofs/first-player.core.xz
CC=${CC:-cc} tools/proof.sh build --all >../out 2>&1 # ends where the engine has no answer to H8 H7
check "all of them, by two checkers" grep -q "^two that have nothing of the engine's" ../out
check "each in a line" test "$(grep -c ': X wins ' ../out)" -eq 3
check "and all are accepted" grep -q '^all 3 accepted$' ../out
rm -f proofs/first-player.core.xz build/gomoku.proof
rm build/sortie # one that makes another proof, which holds too
printf '#!/bin/sh\ncat %s/second.proof\n' "$PWD/.." >build/sortie
chmod +x build/sortie
check "another proof is refused" bash -c "! tools/proof.sh build first >../out 2>&1"
check "though it is one" grep -q 'ANOTHER CERTIFICATE THAN ITS CORE NAMES' ../out
ln -sf "$SORTIE_BIN/sortie" build/sortie
sed -i 's/^./x/' proofs/SHA256SUMS
check "another digest is refused" bash -c "! tools/proof.sh build first >../out 2>&1"
check "and named" grep -q 'ANOTHER THAN IN proofs/SHA256SUMS' ../out
cp ../sums proofs/SHA256SUMS
xz -dc proofs/first.core.xz | head -c -9 | xz >cut.xz
mv cut.xz proofs/first.core.xz
check "a damaged core is refused" bash -c "! tools/proof.sh build first >../out 2>&1"
check "in a line" grep -q '^first: NOT ACCEPTED$' ../out
check "and counted" grep -q '^only 0 of 1 accepted$' ../out
check "the others are gone through" bash -c "! tools/proof.sh build first second >../out 2>&1"
check "and counted too" grep -q '^only 1 of 2 accepted$' ../out
check "nor is anything left" test ! -e build/gomoku.proof
cd ..
finish
