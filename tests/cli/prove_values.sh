# sortie prove on the war board and Laser Checkmate, and sortie verify: what they print, exit statuses, bad files.
. "$(dirname "$0")/lib.sh"

printf 'war stake 4 X\n3 1 4 1\n5 9 2 6\n5 3 5 8\n9 7 9 3\n....\n....\n....\n....\n' >war.txt
if [ -z "$SORTIE_SANITIZE" ]; then
    check "a whole 4x4 war board is proved" sortie prove war.txt --time 2000 -o war.proof
    check "its value is the solver's" grep -q "^value  4 for X" <(sortie solve war.txt)
    check "it is accepted" bash -c 'sortie verify war.proof >told'
    grep '^proved' told >claims
    printf '%s\n' 'proved: war stake 4x4, X to move: X has a margin of at least 4 at the end' \
        'proved: war stake 4x4, X to move: O has a margin of at least -4 at the end' >wanted
    same "both claims are told" wanted claims
    check "with the position" grep -q '^  5\. 9\. 2\. 6\.$' told
else
    cp "$SORTIE_SOURCE/examples/war-4x4.proof" war.proof
fi

for name in war-4x4 laser-8x8; do
    check "examples/$name.proof is accepted" sortie verify "$SORTIE_SOURCE/examples/$name.proof"
    check "and by the program alone" sortie-verify "$SORTIE_SOURCE/examples/$name.proof"
done
check "the war board's example is what the command makes" bash -c \
    'sortie prove "$SORTIE_SOURCE/examples/war-4x4.txt" -o again.proof && cmp again.proof "$SORTIE_SOURCE/examples/war-4x4.proof"'
check "the laser board's example is what the command makes" bash -c \
    'sortie prove "$SORTIE_SOURCE/examples/laser-checkmate.txt" -o again.proof && cmp again.proof "$SORTIE_SOURCE/examples/laser-8x8.proof"'
check "several files, and standard input" bash -c 'sortie verify again.proof - <war.proof | grep -c ^proved | grep -qx 4'
check "every stone played through" sortie verify --naive again.proof

# A second checker, written from the page that describes the format, is of the same opinion, also about bytes changed with
# the digest made right again.
second=$(dirname "$0")/second_checker.py
printf 'gomoku freestyle 8\nD4 A1 E5 H8 D5 A8\n' | sortie prove - --claim wins -o win.proof >/dev/null
echo 'gomoku freestyle 5' | sortie prove - -o draw.proof >/dev/null
for proof in "$SORTIE_SOURCE"/examples/{war-4x4,laser-8x8}.proof win.proof draw.proof; do
    check "both checkers accept $(basename "$proof")" bash -c 'sortie verify "$1" && python3 "$2" "$1"' - "$proof" "$second"
done
PYTHONPATH=$(dirname "$second") python3 -B - <<'END'
import random

from second_checker import crc64

original = open("win.proof", "rb").read()
chance = random.Random(5)
for i in range(16):
    data = bytearray(original[:-8])
    data[chance.randrange(len(data) - 250, len(data))] = chance.choice(data[-250:])
    open(f"changed{i}.proof", "wb").write(data + crc64(data).to_bytes(8, "little"))
END
for i in $(seq 0 15); do
    sortie verify "changed$i.proof" >/dev/null 2>&1
    first=$?
    python3 "$second" "changed$i.proof" >/dev/null 2>&1
    check "both checkers say the same of changed$i.proof" test $? -eq $first
done
if [ -z "$SORTIE_SANITIZE" ]; then
    printf 'gomoku freestyle 8\nD4 A1 E5 H8\n' | sortie prove - --claim wins -j 1 -t 500 -o long.proof >/dev/null
    check "a proof with positions turned is accepted" sortie verify long.proof
fi

# A step that fails: status 1, one line with the place; the first certificate of two still counts as told.
wrong() {
    local name=$1 pattern=$2
    shift 2
    "$@" >out 2>err
    local status=$?
    if [ $status -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE "$pattern" err; then
        pass
    else
        fail "$name: status $status, said $(cat err)"
    fi
}
head -c 3000 again.proof >cut.proof
wrong "a file that ends early" 'cut.proof: byte 3000: the file ends early' sortie verify cut.proof
wrong "the same alone" 'cut.proof: byte 3000: the file ends early' sortie-verify cut.proof
(head -c -8 again.proof; printf '12345678') >digest.proof
wrong "another digest" 'digest.proof: byte [0-9]+: the digest is another one' sortie verify digest.proof
LC_ALL=C sed 's/margin 6$/margin 7/' again.proof >greedy.proof
wrong "a margin too great" 'greedy.proof: byte [0-9]+: ' sortie verify greedy.proof
cat again.proof cut.proof >both.proof
wrong "a second certificate cut" 'ends early' sortie verify both.proof
check "the first one was told" grep -q '^proved' out

refused "no file" 'expected a certificate' sortie verify
refused "a missing file" 'nothing.proof: No such file' sortie verify nothing.proof
refused "a text" 'expected the head of a certificate' sortie verify war.txt
refused "an empty file" 'byte 0: ' sortie verify /dev/null
refused "a folder" 'byte 0: ' sortie verify .
refused "a board too large" 'at most 8x8' sortie prove - <<<"$(printf 'laser 9 1\n'; yes 000000000 | head -9)"
refused "a claim of Gomoku's" 'with Gomoku only' sortie prove war.txt --claim wins

# Given up: status 3, what is known, and the file that is there stays.
echo old >kept.proof
printf 'war stake 8 X\n' >large.txt
for _ in 1 2 3 4 5 6 7 8; do echo '3 1 4 1 5 9 2 6' >>large.txt; done
for _ in 1 2 3 4 5 6 7 8; do echo '........' >>large.txt; done
sortie prove large.txt --time 0.2 -o kept.proof >out 2>err
check "an open value has status 3" test $? -eq 3
check "and its bounds" grep -q '^open: X ends -[0-9]* to [0-9]* ahead' out
check "the file stays" grep -qx old kept.proof
finish
