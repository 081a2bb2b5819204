# sortie grade killed at random moments, and interrupted: nothing that was finished is lost, and the table in the end is
# the one of an undisturbed grading.
. "$(dirname "$0")/lib.sh"

memory=${room:-2G}
mkdir -p class/{ann,bob,cyd,dan} cases
for number in 0 1 2 3 4; do
    printf '3\nCOMPETITION\nX\n5\n1 2 3\n4 5 6\n7 8 %d\n...\n...\n..O\n' $((number + 1)) >cases/$number.in
done
printf '#!/bin/sh\nprintf "B2 Stake\\n...\\n.X.\\n..O\\n" >output.txt\n' >class/ann/run
printf '#!/bin/sh\nprintf "C3 Stake\\n...\\n...\\n..X\\n" >output.txt\n' >class/bob/run
printf '#include <stdio.h>\nint main(void) { return puts("no answer") < 0; }\n' >class/cyd/main.c
printf 'int main(void) { return 0 }\n' >class/dan/main.c
table() { cut -d, -f1-7,10- "$1"; }
grade=(sortie grade class -c cases --memory $memory -j 2)
began=$(date +%s%N)
check "undisturbed" "${grade[@]}" --db whole.db
span=$((($(date +%s%N) - began) / 1500000)) # two thirds of its milliseconds, since a grading goes on where one was killed
span=$((span < 50 ? 50 : span > 900 ? 900 : span))
table grades.csv >wanted.csv
[ "$(grep -c ,pass, wanted.csv)" = 5 ] && pass || fail "the undisturbed grading: $(cat wanted.csv)"

# Kills until there were 20; a grading that comes to its end is compared and begun anew.
RANDOM=20
kills=0
finished=0
for ((turn = 0; turn < 60 && kills < 20; turn++)); do
    rm -f grades.csv
    "${grade[@]}" >/dev/null 2>&1 &
    sleep "0.$(printf '%03d' $((RANDOM % span + 20)))"
    if kill -9 $! 2>/dev/null; then
        kills=$((kills + 1))
    fi
    wait $! 2>/dev/null
    if [ -f grades.csv ]; then
        same "after $kills kills" wanted.csv <(table grades.csv)
        finished=$((finished + 1))
        rm -f grades.db*
    fi
done
[ $kills -eq 20 ] && pass || fail "only $kills kills in $turn turns, $finished gradings finished"
check "the end of it" "${grade[@]}"
same "the same table" wanted.csv <(table grades.csv)

# A row is never half there and never lost: what was judged before a kill keeps its time after it.
rm -f grades.db*
mkdir slow
cp -r class/ann slow/ann
mkdir slow/zoe
printf '#!/bin/sh\nsleep 600\n' >slow/zoe/run
sortie grade slow -c cases --memory $memory -j 1 -t 500 --clock wall >/dev/null 2>&1 &
for ((turn = 0; turn < 600; turn++)); do
    rows=$(python3 -c 'import sqlite3; print(sqlite3.connect("file:grades.db?mode=ro", uri=True).execute("select count(*) from results").fetchone()[0])' 2>/dev/null)
    [ "${rows:-0}" -ge 5 ] && break
    sleep 0.1
done
kill -9 $!
wait $! 2>/dev/null
[ "${rows:-0}" -eq 5 ] && pass || fail "ann's five cases were not written: ${rows:-none}"

# Ctrl-C: the table so far on standard output, the files untouched, and the status that says so.
rm -f grades.csv grades.html students.csv
( trap - INT; exec timeout -s INT 5 sortie grade slow -c cases --memory $memory -t 500 --clock wall ) >so-far.txt 2>said.txt
status=$?
grep -q '^ann  *5.00/5.00  *5/5' so-far.txt && grep -q '^zoe  *0.00/5.00  *-' so-far.txt && pass || fail "the table so far: $(cat so-far.txt)"
grep -q '5 of 10 cases are judged and kept in grades.db' said.txt && pass || fail "what Ctrl-C says: $(cat said.txt)"
[ ! -f grades.csv ] && [ ! -f grades.html ] && [ ! -f students.csv ] && pass || fail "a partial table was written"
[ $status -eq 124 ] && pass || fail "status $status"

# One grading at a time has the file. The second stands in a folder of its own, where it must leave nothing; the first may
# still be writing.
sortie grade slow -c cases --memory $memory -t 500 --clock wall >/dev/null 2>&1 &
for ((turn = 0; turn < 600; turn++)); do
    flock -n grades.db true || break
    sleep 0.1
done
mkdir second
cd second || exit 1
refused "the file is in use" "grades.db: is in use by a grading" \
    sortie grade ../slow -c ../cases --memory $memory -t 500 --clock wall --db ../grades.db
cd ..
kill -9 $!
wait $! 2>/dev/null
finish
