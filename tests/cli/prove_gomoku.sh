# sortie prove on Gomoku: answers, exit statuses, certificates that sortie verify accepts, a store that survives kill -9.
. "$(dirname "$0")/lib.sh"

# answers NAME STATUS LINE COMMAND...: exit status and first line.
answers() {
    local name=$1 wanted=$2 line=$3
    shift 3
    timeout 120 "$@" >out 2>err
    local status=$?
    if [ $status -eq "$wanted" ] && [ "$(head -1 out)" = "$line" ] && [ ! -s err ]; then
        pass
    else
        fail "$name: status $status, $(head -c 300 out err)"
    fi
}

printf 'gomoku freestyle 15\nH8 A1 I8 A3 J8 O1 H9 O15 H10 A15\n' >win.txt
answers "a win" 0 'proved: X wins, X to move' sortie prove win.txt -o win.proof
check "it is accepted" sortie verify win.proof
check "by the program alone" sortie-verify win.proof
printf 'gomoku freestyle 15\nH8 A1 I8 A3 J8 O1 K8\n' >loss.txt
answers "a loss" 0 'proved: X wins, O to move' sortie prove loss.txt -o loss.proof
check "it is accepted" sortie verify loss.proof
echo 'gomoku freestyle 5' >empty5.txt
answers "nobody wins on 5x5" 0 'proved: O holds, X to move' sortie prove empty5.txt -o empty5.proof
check "it is accepted" sortie verify empty5.proof
check "the head" test "$(head -4 win.proof | tail -1)" = "claim X wins 0"

# Open: status 3, numbers instead of an answer, and the file that is there stays.
printf 'gomoku freestyle 15\nH8 G7\n' >open.txt
echo "the proof of yesterday" >open.proof
answers "open" 3 open sortie prove open.txt --nodes 30 -o open.proof
check "open: proof numbers" grep -qE '^X wins: proof number [0-9]+, disproof number [0-9]+$' out
check "open: nothing written" test "$(cat open.proof)" = "the proof of yesterday"
answers "a limit of time" 3 open sortie prove open.txt --time 0.2

# Ctrl-C leaves it open, with the numbers so far.
sortie prove open.txt --time 300 -o open.proof >out 2>err &
program=$!
sleep 1
kill -INT $program
wait $program
status=$?
if [ $status -eq 3 ] && [ "$(head -1 out)" = open ] && [ "$(cat open.proof)" = "the proof of yesterday" ]; then
    pass
else
    fail "Ctrl-C: status $status, $(cat out err)"
fi

# One thread and a limit of nodes: the same each time.
sortie prove open.txt --nodes 60 -j1 | sed 's/, [0-9.]* s$//' >first
sortie prove open.txt --nodes 60 -j1 | sed 's/, [0-9.]* s$//' >second
same "deterministic" first second

# A process that is killed leaves what it has proved; the next one carries on and does less.
echo 'gomoku freestyle 7' >empty7.txt
sortie prove empty7.txt --claim holds -j1 >whole
positions() { sed -n 's/^search  \([0-9]*\) positions.*/\1/p' "$1"; }
printf 'gomoku freestyle 15\nH8 G7\n' >long.txt
sortie prove long.txt --store long.store -j1 --time 300 >out 2>err &
program=$!
for _ in $(seq 100); do
    sleep 0.2
    [ -s long.store ] && [ "$(stat -c %s long.store)" -gt 64 ] && break
done
kill -KILL $program
wait $program 2>err
size=$(stat -c %s long.store)
check "something is kept" test "$size" -gt 64
printf 'torn' >>long.store
answers "carrying on" 3 open sortie prove long.txt --store long.store --nodes 5 -j1
kept=$(sed -n 's/.* \([0-9]*\) positions proved.*/\1/p' out)
check "it knows what was proved" test "$kept" -ge $(((size - 16) / 16 - 1))
sortie prove empty7.txt --claim holds -j1 --store seven.store >out
cp seven.store once.store
sortie prove empty7.txt --claim holds -j1 --store seven.store -o seven.proof >again
check "the second time is shorter" test "$(positions again)" -lt "$(positions whole)"
check "and its proof whole" sortie verify seven.proof

records() { echo $((($(stat -c %s "$1") - 16) / 16)); }

# A core is a guide: to the same position, and to a smaller board, where its move is tried first.
printf 'gomoku freestyle 15\nH8 B2\n' >far.txt
printf 'gomoku freestyle 13\nG7 A1\n' >near.txt
sortie prove far.txt --claim wins -j1 -o far.proof >whole
sortie prove --core far.proof -o far.core >out
sortie prove far.txt --claim wins -j1 --guide far.core >guided
check "a guide to the same position" test "$(positions guided)" -lt $(($(positions whole) / 20))
sortie prove near.txt --claim wins -j1 --guide far.core --store guided.store -o near.proof >guided
move=$(sed -n 's/^move *//p' whole)
along=$(printf "\\x$(printf %x $(($(printf %d "'$move") - 1)))")$((${move#?} - 1))
check "a guide to a smaller board" test "$(sed -n 's/^move *//p' guided)" = "$along"
check "its proof is accepted" sortie verify near.proof
check "the store has what the guide tells" test "$(records guided.store)" -gt 100
refused "no guide" "far.txt:1:1: expected a core of a proof" sortie prove near.txt --guide far.txt
refused "a guide that is not there" 'none.core: cannot be read' sortie prove near.txt --guide none.core
refused "a map with a guide" 'no --guide' sortie prove --map --guide far.core

# The time is also the building's: a search that is done already and a proof that is not, in one line; nothing is written.
for time in 0.03 0.1 0.3 1; do
    sortie prove empty7.txt --claim holds -j1 --store seven.store --time $time -o late.proof >out 2>err
    status=$?
    [ $status -ne 3 ] || ! grep -q '^found' out || break
done
check "not built in time: status" test $status -eq 3 -a ! -e late.proof
check "not built in time: what is known" grep -qE '^found   O holds; its proof was not finished .*builds it out of the store$' out

# A damaged store: what is bad is skipped, the rest stays where it is; --check-store says so.
check "a whole store" sortie prove --check-store seven.store
check "its records" test "$(sortie prove --check-store seven.store)" = "whole: $(records seven.store) records, 0 bad, $(stat -c %s seven.store) bytes"
cp seven.store bad.store
printf '\377\0\377\0' | dd of=bad.store bs=1 seek=100 conv=notrunc 2>err
sortie prove --check-store bad.store >out
check "a damaged store: status" test $? -eq 1
check "what is lost" test "$(head -1 out)" = "damaged: $(($(records seven.store) - 1)) records, 1 bad, $(stat -c %s seven.store) bytes"
check "and where" test "$(tail -1 out)" = 'skipped 16 bytes at byte 96'
sortie prove empty7.txt --claim holds -j1 --store bad.store >out 2>err
check "it is used all the same" test $? -eq 0 -a "$(positions out)" -lt "$(positions whole)"
check "and what was skipped is said" grep -q 'bad.store: 1 bad records skipped' err
check "nothing is cut off" test "$(stat -c %s bad.store)" -ge "$(stat -c %s seven.store)"
refused "no store to check" 'win.txt: expected a store of sortie prove' sortie prove --check-store win.txt
refused "a store that is not there" 'none.store: cannot be opened' sortie prove --check-store none.store

# Two at once on one store: it has what both proved. (Boards of different sizes have nothing in common.)
sortie prove open.txt --nodes 1500 -j1 --store fifteen.store >out
sortie prove open.txt --nodes 1500 -j1 --store both.store >out 2>err &
program=$!
sortie prove empty7.txt --claim holds -j1 --store both.store >again 2>&1
wait $program
check "two at once" test "$(records both.store)" -eq $(($(records fifteen.store) + $(records once.store)))
check "and it is whole" sortie prove --check-store both.store

# What is proved is played at once: the book beside the program.
echo 'gomoku freestyle 15' >threats.txt
echo 'I7 G9 H6 J8 I6 I8 I5 G8 H8 J7' >>threats.txt
sortie prove threats.txt -o threats.proof >out
move=$(sed -n 's/^move *//p' out)
SORTIE_PROOFS=nothing.proof:threats.proof timeout 60 sortie analyze threats.txt --time 20 >out 2>err
check "analyze shows the proof" grep -qE "wins in [0-9]+, proved  nodes 0 .* pv $move$" out
cp threats.proof damaged.proof
printf 'x' | dd of=damaged.proof bs=1 seek=300 conv=notrunc 2>err
SORTIE_PROOFS=damaged.proof timeout 60 sortie analyze threats.txt --nodes 2000 >out 2>err
check "a damaged book is none" bash -c '! grep -q "nodes 0 " out'

# The map of first stones, a moment of it: a line a square, and what was proved is kept for the next run.
timeout 120 sortie prove --map --time 1 --store map.store -j1 >out 2>err
status=$?
if [ $status -eq 3 ] && [ "$(grep -cE '^[A-H][1-8] +(open|won) ?' out)" -eq 36 ] && [ ! -s err ] &&
    grep -qE '^[0-9]+ of 36 squares settled' out; then
    pass
else
    fail "--map: status $status, $(tail -3 out) $(cat err)"
fi
check "the map's store" test -s map.store
refused "a map of a file" 'takes no file' sortie prove --map win.txt

# The agent's choice of the swap: what a certificate says about the first stone counts before the estimate. The certificate is a
# stand-in, whole but proving nothing: the book believes it, and what must be true does not.
python3 - <<'END'
head = b'sortie proof 1\ngame gomoku freestyle 15\nmove O\nclaim X wins 0\nX..............\n' + 14 * (15 * b'.' + b'\n')
data = head + bytes([225 + 2, 1, 1, 225, 0])
digest = 2**64 - 1
for byte in data:
    digest ^= byte
    for _ in range(8):
        digest = digest >> 1 ^ (0xC96C5795D7870F42 if digest & 1 else 0)
open('first.proof', 'wb').write(data + (digest ^ 2**64 - 1).to_bytes(8, 'little'))
END
# second_move PROOFS: what B answers to A's first stone on A1
second_move() {
    rm -rf folder
    mkdir folder
    SORTIE_PROOFS=$1 sortie agent B -f folder -t 5 --nodes 500 -j1 -q >out 2>err &
    agent=$!
    for i in $(seq 0 300); do
        sleep 0.1
        grep -q '^B ' folder/move_file 2>/dev/null && break
        if [ $((i % 60)) -eq 5 ]; then # again, should the agent have begun later than that
            echo "A A 1" >folder/move_file
            touch folder/B.go
        fi
    done
    kill $agent
    wait $agent 2>/dev/null
    cat folder/move_file
}
check "a proved stone is taken over" test "$(second_move first.proof)" = "B A 1"
check "an estimated one is left" test "$(second_move none.proof)" != "B A 1"
cp "$SORTIE_SOURCE/docs/swapmap.txt" map.txt
sortie swapmap --resume map.txt --proofs first.proof >out 2>err
check "the map believes only what is verified" test $? -eq 1
same "and stays as it was" map.txt "$SORTIE_SOURCE/docs/swapmap.txt"
sortie swapmap --resume map.txt --proofs win.proof -o marked.txt >out 2>err
check "a proof of something else marks nothing" test $? -eq 0
same "the same map" map.txt marked.txt

# What cannot be asked.
refused "a store of another game" 'with Gomoku only' sortie prove - --store war.store <<<"$(printf 'war stake 2 X\n1 2\n3 4\n..\n..\n')"
refused "another rule" 'expected the freestyle rule' sortie prove - <<<'gomoku exact 15'
refused "a larger board" 'at most 15x15' sortie prove - <<<'gomoku freestyle 19'
refused "another claim" "expected --claim wins, loses or holds, found 'maybe'" sortie prove win.txt --claim maybe
refused "no store" 'win.txt: expected a store of sortie prove' sortie prove win.txt --store win.txt
refused "no such folder" 'nowhere/x.proof' sortie prove win.txt -o nowhere/x.proof
refused "a store in no folder" 'nowhere/x.store' sortie prove win.txt --store nowhere/x.store
refused "a game that is over" 'over' sortie prove - <<<"$(printf 'gomoku freestyle 15\nA1 B1 A2 B2 A3 B3 A4 B4 A5\n')"

# The fixed set that provers are measured by: the same positions each time, and a proof where there is one.
"$SORTIE_SOURCE/bench/prove.sh" "$SORTIE_BIN" second third-g10 >set.txt 2>err
check "the set is run" test $? -eq 0
check "a line each, head and total" test "$(wc -l <set.txt)" -eq 4
check "and both are proved" test "$(grep -c ' X wins$' set.txt)" -eq 2
"$SORTIE_SOURCE/bench/prove.sh" "$SORTIE_BIN" --against "$SORTIE_BIN" second >again.txt 2>err
same "with as many positions again" <(awk '$1 == "second" {print $2, $3}' set.txt) \
    <(awk '$1 == "second" {print $2, $3}' again.txt)
finish
