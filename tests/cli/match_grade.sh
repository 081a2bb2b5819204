# sortie grade: a small class over a few golden cases.
. "$(dirname "$0")/lib.sh"

# A sanitizer reserves more memory than a submission may have.
memory=${room:-2G}

refused "no folder" "expected one folder" sortie grade
refused "no cases" "cases" sortie grade .
mkdir empty
refused "empty folder of cases" "found none" sortie grade . --cases empty
mkdir -p cases/stake cases/sneak
for number in 001 002 003; do
    cp -r "$SORTIE_GOLDEN/stake/$number" cases/stake/
done
# Of the other course: two with a log (minimax and alpha-beta), one battle.
for task in 2 3 4; do
    for file in "$SORTIE_GOLDEN"/sneak/*/input.txt; do
        [ "$(head -c 1 "$file")" = $task ] && break
    done
    cp -r "$(dirname "$file")" cases/sneak/
done
refused "empty folder of submissions" "found none" sortie grade empty --cases cases
mkdir -p bad/one
printf '3\nMINIMAX\nX\n' >bad/one/input.txt
refused "a broken case" "bad/one/input.txt:4:1" sortie grade . --cases bad

# Stake-Raid: a right one, one that answers a wrong move, a crashing, a silent and a missing one.
# A program sees nothing but what was handed in, so each hands sortie-course in.
mkdir -p class/ann class/bob.sh class/cyd.sh class/eve class/nobody
for name in ann bob.sh cyd.sh; do cp "$SORTIE_BIN/sortie-course" class/$name/; done
printf '#!/bin/sh\nexec "${0%%/*}/sortie-course"\n' >class/ann/run
printf '"${0%%/*}/sortie-course"\nsed -i "1s/.*/A1 Stake/" output.txt\n' >class/bob.sh/run.sh
printf '"${0%%/*}/sortie-course"\nsed -i "3s/.*/?/" output.txt\n' >class/cyd.sh/run.sh
printf '#!/bin/sh\nkill -SEGV $$\n' >class/dan
printf 'print("thinking hard")\n' >class/eve/main.py
echo "a text file is no submission" >class/README.txt
chmod +x class/ann/run class/dan
check "a class" sortie grade class --memory $memory --cases cases/stake
grep -c '^ann,00[123],pass,right,right,,,' grades.csv | grep -qx 3 && pass || fail "ann: $(cat grades.csv)"
grep '^bob.sh,001,fail,wrong,right,,,' grades.csv | grep -q "output.txt line 1: expected '.*', found 'A1 Stake'" && pass ||
    fail "bob: $(grep ^bob grades.csv)"
grep '^cyd.sh,001,fail,right,wrong,,,' grades.csv | grep -q "output.txt line 3: expected '.*', found '?'" && pass ||
    fail "cyd: $(grep ^cyd grades.csv)"
grep -q '^dan,001,fail,wrong,wrong,,crash,.*killed by signal 11' grades.csv && pass || fail "dan: $(grep ^dan grades.csv)"
grep -q '^eve,001,fail,wrong,wrong,,no answer,.*no output.txt was written' grades.csv && pass || fail "eve: $(grep ^eve grades.csv)"
grep -q '^nobody,001,fail,wrong,wrong,,not started,.*no program found' grades.csv && pass || fail "nobody"
grep -q README grades.csv && fail "a text file was graded" || pass
grep -q "found &#39;A1 Stake&#39;\|found 'A1 Stake'" grades.html && grep -q 'every case passed' grades.html && pass ||
    fail "the page does not show the difference"

# Sneak-Raid: board, log and battle; a log that goes wrong in its fifth line.
mkdir -p task/fay task/gus
for name in fay gus; do cp "$SORTIE_BIN/sortie-task" task/$name/; done
printf '#!/bin/sh\nexec "${0%%/*}/sortie-task" "$@"\n' >task/fay/run
printf '#!/bin/sh\n"${0%%/*}/sortie-task" "$@"\n[ -f traverse_log.txt ] && sed -i "5s/,.*/,0,0/" traverse_log.txt\n:\n' >task/gus/run
chmod +x task/*/run
check "the other course" sortie grade task --memory $memory --cases cases/sneak -o task.csv --html task.html
[ "$(grep -c '^fay,.*,pass,,right,' task.csv)" = 3 ] && [ "$(grep -c '^fay,.*,pass,,right,right,' task.csv)" = 2 ] && pass ||
    fail "fay: $(cat task.csv)"
[ "$(grep -c '^gus,.*,fail,,right,wrong,,.*traverse_log.txt line 5: expected' task.csv)" = 2 ] && pass ||
    fail "gus: $(cat task.csv)"

# Cases without an answer: sortie works it out; the same marks.
mkdir bare
for folder in cases/stake/*/; do
    mkdir "bare/$(basename "$folder")" && cp "$folder/input.txt" "bare/$(basename "$folder")/"
done
if [ -z "${SORTIE_SANITIZE:-}" ]; then # the leak checker traces its own process, which the sandbox refuses
    check "cases without answers" sortie grade class --memory $memory --cases bare -o bare.csv --html bare.html
    same "the same marks" <(cut -d, -f1-7 grades.csv) <(cut -d, -f1-7 bare.csv)
fi

# COMPETITION leaves the move free: any legal one passes, an illegal one does not.
mkdir -p free/one
printf '3\nCOMPETITION\nX\n5\n1 2 3\n4 5 6\n7 8 9\n...\n...\n..O\n' >free/one/input.txt
mkdir moves
printf 'printf "B2 Stake\\n...\\n.X.\\n..O\\n" >output.txt\n' >moves/legal.sh
printf 'printf "C3 Stake\\n...\\n...\\n..X\\n" >output.txt\n' >moves/taken.sh
check "free cases" sortie grade moves --memory $memory --cases free -o free.csv --html free.html
grep -q '^legal.sh,one,pass,right,' free.csv && grep -q '^taken.sh,one,fail,wrong,.*illegal move' free.csv && pass ||
    fail "free: $(cat free.csv)"
[ -n "${SORTIE_SANITIZE:-}" ] || { mkdir example && cd example && check "the example of the help" sh -ec 'sortie grade --help | sed -n "/^Example/,\$p" | grep "^  " | sh -ex'; }
finish
