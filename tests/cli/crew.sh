#!/usr/bin/env bash
# Matches, swap maps and grading over the processes of an MPI job: the same results as one process has; a process that dies ends
# the job and leaves a whole store, and --resume plays exactly what is missing.
. "$(dirname "$0")/lib.sh"
if [ ! -e "$SORTIE_BIN/sortie-mpi.so" ] || ! command -v mpirun >/dev/null; then
    exit 0
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
together() { timeout 120 mpirun --oversubscribe -n 3 "$SORTIE_BIN/sortie" "$@" </dev/null; }
rows() { sqlite3 "$1" "select id, first, second, start, points, cause, score, plies, replace(position, char(10), '/'), moves from games order by id"; }

players=(engine:nodes=1500 engine:nodes=300)
sortie match --size 4 --games 24 "${players[@]}" --db one.db -q >one.txt
together match --size 4 --games 24 "${players[@]}" --db many.db -q >many.txt 2>many.err || cat many.err >&2
same "the table" one.txt many.txt
same "every game, every move" <(rows one.db) <(rows many.db)

# programs of others, behind their wardens; they play by the clock
program="program:$SORTIE_BIN/sortie-course"
together match --size 3 --games 4 a="$program" b="$program" --db programs.db -q >many.txt 2>many.err || cat many.err >&2
check "programs" test "$(sqlite3 programs.db "select count(*) from games where cause = 'rules' and plies = 9")" -eq 4

# an SPRT ends when it is decided, whoever is still playing
together match --size 4 --games 400 --sprt 0,200 engine:nodes=3000 random --db sprt.db -q >sprt.txt 2>many.err || cat many.err >&2
check "SPRT over MPI" grep -q "decided for ELO1" sprt.txt

# one dies in the middle
slow=(engine:nodes=20000 engine:nodes=20000)
mpirun --oversubscribe -n 3 "$SORTIE_BIN/sortie" match --size 5 --games 100 "${slow[@]}" --db dead.db -q >dead.txt 2>&1 </dev/null &
job=$!
for _ in $(seq 300); do
    [ "$(sqlite3 -cmd '.timeout 2000' dead.db 'select count(*) from games' 2>/dev/null || echo 0)" -ge 4 ] && break
    sleep 0.1
done
kill_rank $job 2
wait $job
check "the job ends with a failure" test $? -ne 0
played=$(sqlite3 dead.db 'pragma integrity_check; select count(*) from games')
check "the store is whole" test "$(head -1 <<<"$played")" = ok
check "games were played and some are missing" test "$(tail -1 <<<"$played")" -ge 4 -a "$(tail -1 <<<"$played")" -lt 100
rows dead.db >before.txt
together match --resume --db dead.db -q >resumed.txt 2>many.err || cat many.err >&2
check "all games are there" test "$(sqlite3 dead.db 'select count(*) from games')" -eq 100
same "what was there is untouched" before.txt <(rows dead.db | grep -F -x -f before.txt)

# Ctrl-C: the leader prints what was played, and nobody has crashed. mpirun kills whoever needs longer than a second for that, as can
# happen on a busy machine: three tries.
for _ in 1 2 3; do
    rm -f stopped.db
    mpirun --oversubscribe -n 3 "$SORTIE_BIN/sortie" match --size 5 --games 100 "${slow[@]}" --db stopped.db -q >stopped.txt 2>many.err </dev/null &
    job=$!
    for _ in $(seq 300); do
        [ "$(sqlite3 -cmd '.timeout 2000' stopped.db 'select count(*) from games' 2>/dev/null || echo 0)" -ge 2 ] && break
        sleep 0.1
    done
    kill -INT $job
    wait $job
    status=$?
    [ -s stopped.txt ] && break
done
check "Ctrl-C: the job is no success" test $status -ne 0
check "Ctrl-C: the table so far" grep -q "of 100 games played; 'sortie match --resume --db stopped.db' plays the rest" stopped.txt
check "Ctrl-C: the store" test "$(sqlite3 stopped.db "pragma integrity_check; select count(*) from games where cause = 'crash'" | tr '\n' ' ')" = "ok 0 "

# what goes wrong is said once and ends the job
together match --size 4 --games 4 engine:nodes=9 --db few.db >few.txt 2>few.err
check "a bad command line ends the job" test $? -ne 0
check "and is named" grep -q "expected at least two players" few.err

sortie swapmap --depth 2 --games 1 --nodes 100 -o one-map.txt >/dev/null
together swapmap --depth 2 --games 1 --nodes 100 -o many-map.txt >/dev/null 2>many.err || cat many.err >&2
same "the swap map" one-map.txt many-map.txt

# a class: what is judged and kept is the same, and is not judged again
mkdir class alone spread
cp -r "$SORTIE_SOURCE"/examples/class/submissions/{ann,finn,hal} class/
(cd alone && sortie grade ../class --cases "$SORTIE_SOURCE/examples/class/cases" >table.txt 2>&1)
(cd spread && together grade ../class --cases "$SORTIE_SOURCE/examples/class/cases" >table.txt 2>&1)
same "what was judged" <(cut -d, -f1-6 alone/grades.csv) <(cut -d, -f1-6 spread/grades.csv)
same "builds and words" <(grep -v '^ *[0-9a-z]* .*  *[0-9.]* s' alone/table.txt | grep '^    ') <(grep '^    ' spread/table.txt)
judged() { sqlite3 "$1" "select count(*) from results"; }
check "the store has every case" test "$(judged alone/grades.db)" -eq "$(judged spread/grades.db)"
cp spread/grades.csv first.csv
(cd spread && together grade ../class --cases "$SORTIE_SOURCE/examples/class/cases" >again.txt 2>&1)
same "nothing is judged twice" first.csv spread/grades.csv
games=$SORTIE_SOURCE/examples/games
(cd alone && sortie grade "$games/submissions/ben" --single --cases "$games/cases" --db games.db >games.txt 2>&1)
(cd spread && together grade "$games/submissions/ben" --single --cases "$games/cases" --db games.db >games.txt 2>&1)
grep -q '"lost to greedy, 31 to 38 points' alone/grades.csv && pass || fail "ben plays: $(cat alone/grades.csv)"
same "the same games" <(cut -d, -f1-6,10- alone/grades.csv) <(cut -d, -f1-6,10- spread/grades.csv)
finish
