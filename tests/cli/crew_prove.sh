#!/usr/bin/env bash
# Proving over the processes of an MPI job: the answers of one process, certificates that are accepted, a store that is whole
# when a process dies and from which the next job goes on, Ctrl-C, and what is said once.
. "$(dirname "$0")/lib.sh"
if [ ! -e "$SORTIE_BIN/sortie-mpi.so" ] || ! command -v mpirun >/dev/null; then
    exit 0
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
together() { timeout 120 mpirun --oversubscribe -n 3 "$SORTIE_BIN/sortie" "$@" </dev/null; }
proved() { sed -n 's/.*, \([0-9]*\) positions proved.*/\1/p' "$1"; }

# proves NAME LINE FILE: both ways the same answer, and the crew's certificate is accepted
proves() {
    sortie prove "$3" >one.txt
    together prove "$3" -o crew.proof >many.txt 2>many.err || cat many.err >&2
    check "$1: one process" test "$(head -1 one.txt)" = "$2"
    check "$1: three processes" test "$(head -1 many.txt)" = "$2"
    check "$1: accepted" sortie-verify crew.proof
    rm -f crew.proof
}
printf 'gomoku freestyle 15\nI7 G9 H6 J8 I6 I8 I5 G8 H8 J7\n' >threats.txt
proves "threats" 'proved: X wins, X to move' threats.txt
printf 'gomoku freestyle 15\nH8 A1 I8 A3 J8 O1 K8\n' >loss.txt
proves "a loss" 'proved: X wins, O to move' loss.txt
echo 'gomoku freestyle 6' >six.txt
proves "6x6" 'proved: O holds, X to move' six.txt

echo 'gomoku freestyle 7' >seven.txt
# Four processes take the root apart and do its replies; what they proved is in the store, and the next run has it.
timeout 120 mpirun --oversubscribe -n 5 "$SORTIE_BIN/sortie" prove seven.txt --claim holds --store seven.store >many.txt 2>&1 </dev/null
check "the replies of the root" test "$(head -1 many.txt)" = 'proved: O holds, X to move'
sortie prove seven.txt --claim holds -j1 >alone
sortie prove seven.txt --claim holds -j1 --store seven.store >again
records=$((($(stat -c %s seven.store) - 16) / 16))
check "the store has them" test "$records" -gt "$(proved alone)"
check "the next run has them" test "$(proved again)" -ge "$records"

# A limit: open, with status 3 as without MPI, and nothing written.
printf 'gomoku freestyle 15\nH8 G7\n' >open.txt
echo yesterday >open.proof
together prove open.txt --time 1 -o open.proof >many.txt 2>many.err
check "open: status" test $? -eq 3
check "open: numbers" grep -qE '^X wins: proof number [0-9]+, disproof number [0-9]+$' many.txt
check "open: nothing written" test "$(cat open.proof)" = yesterday

# One dies in the middle: the job ends, the store is whole, and the next job begins where it ended.
begin() {
    mpirun --oversubscribe -n 3 "$SORTIE_BIN/sortie" prove open.txt --time 300 --store long.store >out 2>err </dev/null &
    job=$!
    for _ in $(seq 600); do
        [ -s long.store ] && [ "$(stat -c %s long.store)" -gt "$1" ] && break
        sleep 0.1
    done
}
begin 64
kill_rank $job 2
wait $job
check "the job ends with a failure" test $? -ne 0
size=$(stat -c %s long.store)
check "something was kept" test "$size" -gt 64 -a $((size % 16)) -eq 0
together prove open.txt --time 0.5 --store long.store >many.txt 2>many.err
kept=$(sed -n 's/.* \([0-9]*\) positions proved.*/\1/p' many.txt)
check "the next job knows it" test "${kept:-0}" -ge $(((size - 16) / 16))

# Ctrl-C: the leader says what it has. mpirun kills whoever needs longer than a second for that, as can happen on a busy
# machine: three tries.
for _ in 1 2 3; do
    begin "$(stat -c %s long.store)"
    kill -INT $job
    wait $job
    status=$?
    [ -s out ] && break
done
check "Ctrl-C ends the job" test $status -ne 0
check "Ctrl-C: what is known" test "$(head -1 out)" = open
sortie prove open.txt --nodes 2 --store long.store -j1 >out 2>err
check "Ctrl-C: the store" test $? -eq 3 -a $(($(stat -c %s long.store) % 16)) -eq 0

# The map: a line a square, all squares at once.
together prove --map --time 1 --store map.store >out 2>err
check "--map: status" test $? -eq 3
check "--map: squares" test "$(grep -cE '^[A-H][1-8] +(open|won) ?' out)" -eq 36
check "--map: the end" grep -qE '^[0-9]+ of 36 squares settled' out

# What all processes find out alike is said once.
check "help once" test "$(together match --help 2>err | grep -c '^usage:')" -eq 1
together prove --nonsense >out 2>err
check "a bad option: status" test $? -eq 2
check "a bad option once" test "$(grep -c 'unknown option' err)" -eq 1
together grade >out 2>err
check "a bad call once" test "$(grep -c 'expected one folder' err)" -eq 1
finish
