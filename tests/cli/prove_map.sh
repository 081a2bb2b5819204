# The map of the swap: what cannot be asked, and a folder that survives kill -9. (Squares take minutes; test_core has the
# building of proofs, and docs/proving.md the squares.)
. "$(dirname "$0")/lib.sh"

echo text >file
mkdir map
refused "a store that is a file" 'file: cannot be made a folder' sortie prove --map --store file --time 1
refused "squares that are none" "expected --only with squares such as.*found 'G8,P9'" sortie prove --map --only G8,P9
refused "a certificate of the map" 'no --output' sortie prove --map -o map.proof
refused "a position" 'takes no file' sortie prove --map file
xz -dc "$SORTIE_SOURCE/proofs/G8.core.xz" >map/G7.core
refused "a core of another square" 'G7.core: expected a core of this square' sortie prove --map --store map --time 1
head -c 500 map/G7.core >map/G8.core
rm map/G7.core
refused "a core cut off" 'map: damaged' sortie prove --map --store map --time 1

# What a core settles is settled, and its store is made of it where there is none.
xz -dc "$SORTIE_SOURCE/proofs/G8.core.xz" >map/G8.core
sortie prove --map --store map --only A1 --time 0.5 -j1 >out 2>err
check "status" test $? -eq 3
check "a line a square" test "$(grep -cE '^[A-H][1-8] ' out)" -eq 36
check "one is settled" grep -q '^1 of 36 squares settled' out
check "nothing else is said" test ! -s err

# Images of a square are one: B1 is A2 on the map.
rm -r map
sortie prove --map --store map --only B1 --time 0.5 -j1 >out 2>err
check "an image is asked about" test -e map/A2.store
check "and nothing else" test "$(ls map | sort | tr '\n' ' ')" = "A2.store A2.txt "

# Killed, and carried on.
rm -r map
sortie prove --map --store map --only A1 --time 300 -j2 >out 2>err &
program=$!
for _ in $(seq 100); do
    sleep 0.2
    [ -e map/A1.store ] && break
done
sleep 1
kill -KILL $program
wait $program 2>err
check "its store is whole" sortie prove --check-store map/A1.store
check "how it stood is written down" grep -qE '^open: .*searched [0-9]+ s$' map/A1.txt
sortie prove --map --store map --only A1 --time 1 -j2 >out 2>err
check "the next run carries on" test $? -eq 3
check "and says how it stands" grep -qE '^A1 +open: ([0-9]+ of [0-9]+ replies answered; )?searched [0-9]+ s$' out
finish
