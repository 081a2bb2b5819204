# Certificates by three checkers that share nothing: sortie verify, one in C and one in Python. Small vectors for every code
# and rule of docs/proofs.md, accepted and refused; everything that is shipped; what the prover and the expander make.
. "$(dirname "$0")/lib.sh"

python=$(dirname "$0")/second_checker.py
second=$SORTIE_BIN/tests/second-checker

# says STATUS FILE: what all three say
says() {
    local status=$1 file=$2 name
    name=$(basename "$file" .proof)
    sortie-verify "$file" >out 2>&1
    check "$name: sortie-verify" test $? -eq "$status"
    "$second" "$file" >out 2>&1
    check "$name: the second checker" test $? -eq "$status"
    python3 "$python" "$file" >out 2>&1
    check "$name: the one in Python" test $? -eq "$status"
}

vectors=$SORTIE_GOLDEN/proofs
while read -r status name; do
    says "$status" "$vectors/$name.proof"
done <"$vectors/expected"
check "a vector for each line" test "$(ls "$vectors" | grep -c '\.proof$')" -eq "$(wc -l <"$vectors/expected")"
python3 "$vectors/make.py" again
check "they are what make.py writes" diff -r -x make.py "$vectors" again

for proof in "$SORTIE_SOURCE"/examples/*.proof; do
    says 0 "$proof"
done
printf 'gomoku freestyle 15\nH8 A1 I8 A3 J8 O1 H9 O15\n' | sortie prove - -j1 -o win.proof >/dev/null
sortie prove --core win.proof -o win.core >/dev/null
sortie expand win.core -o again.proof
for proof in win again; do
    check "$proof: the second checker" "$second" $proof.proof
done

# Bytes changed, with the digest made right: the C checkers are of one opinion.
PYTHONPATH=$(dirname "$python") python3 -B - <<'END'
import random

from second_checker import crc64

chance = random.Random(7)
original = open("win.proof", "rb").read()
for i in range(60):
    data = bytearray(original[:-8])
    for _ in range(1 + i % 2):
        data[chance.randrange(300, len(data))] = chance.choice(data[300:2000])
    open(f"changed{i}.proof", "wb").write(data + crc64(data).to_bytes(8, "little"))
END
for i in $(seq 0 59); do
    sortie-verify "changed$i.proof" >/dev/null 2>&1
    first=$?
    "$second" "changed$i.proof" >/dev/null 2>&1
    check "both say the same of changed$i.proof" test $? -eq $first
done
finish
