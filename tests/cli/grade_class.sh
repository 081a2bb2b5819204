# sortie grade: the example class, archives as handed in, commands, points, clocks, the formats it writes.
. "$(dirname "$0")/lib.sh"

# A sanitizer reserves more memory than a submission may have.
memory=${room:-2G}
grade() { sortie grade --memory $memory "$@"; }
# has NAME FILE PATTERN: the file has a line that matches.
has() { grep -qE -- "$3" "$2" && pass || fail "$1: $(cat "$2")"; }

# Whether grading finds a Python 2 here that no test brings: in pyenv and the like it looks at home.
export HOME=$scratch PYENV_ROOT= VIRTUAL_ENV= CONDA_PREFIX=
has_python2() { [ -n "$(find /usr/bin /usr/local/bin /opt -maxdepth 3 -name 'python2*' 2>/dev/null)" ]; }

# The example class, as docs/grading.md grades it.
cp -r "$SORTIE_SOURCE/examples/class" example
[ -x /usr/bin/javac ] || rm -r example/submissions/dan
check "the example class" grade example/submissions -c example/cases --late example/late.csv -j 2 --gradescope scope
has "ann is right" students.csv '^ann,18,18,18,0,0,6,6,6,6,5,5,0,0,0,[0-9.]*,make,,judged,raid,,a Makefile$'
has "ben is a day late" students.csv '^ben,16.2,18,18,1,10,6,6,.*,Python 3[.0-9]*,,judged,homework.py,Python 3[.0-9]*,"reads input.txt, writes output.txt, its name, at the top;'
has "cleo earns parts" students.csv '^cleo,8.4,12,18,2.5,30,4,6,5,6,4,5,.*,"g\+\+, 1 file",,judged,game.cpp,g\+\+ [0-9.]*,'
has "the first difference" grades.csv "^cleo,2,fail,right,wrong,,,.*output.txt line 2: expected 'XXX', found 'XXO'\",1,2,$"
[ ! -d example/submissions/dan ] || has "dan's package" students.csv '^dan,18,18,18,.*main class raid.Homework'
has "finn does not compile" students.csv '^finn,0,.*does not build \(gcc, 1 file ended with status 1\): homework.c:5:12: error'
has "gus crashes" grades.csv '^gus.py,0,fail,wrong,wrong,,crash,.*no output.txt was written \(status 1\),0,2,ValueError: no idea where to play on a board of 2$'
has "hal handed nothing in" students.csv '^hal,0,.*no program found'
has "points of a case" grades.csv '^ann,larger/five,pass,.*,5,5,$'
has "2 before 10" <(cut -d, -f1,2 grades.csv | grep ^ann | tr '\n' ' ') 'ann,0 ann,1 ann,2 ann,10 ann,larger/five'
has "compiler messages on the page" grades.html 'error: .*inputt.* undeclared'
has "standard error on the page" grades.html 'ValueError: no idea where to play'
[ "$(grep -c 'no output.txt was written (status 1)' grades.html)" = 1 ] && pass || fail "gus's failure is explained more than once"
if ! has_python2; then
    has "eva wrote Python 2" students.csv "^eva,,,18,.*written for Python 2 \(homework.py line 6: 'except ERROR, NAME'\)"
    has "eva has no zero" grades.csv '^eva,0,not judged,.*,,2,$'
fi
python3 - scope <<'END' && pass || fail "Gradescope's results"
import json, sys
ann = json.load(open(sys.argv[1] + "/ann/results.json"))
gus = json.load(open(sys.argv[1] + "/gus.py/results.json"))
ben = json.load(open(sys.argv[1] + "/ben/results.json"))
finn = json.load(open(sys.argv[1] + "/finn/results.json"))
assert ann["score"] == 18 and len(ann["tests"]) == 6, ann
assert sum(t["max_score"] for t in ann["tests"]) == 18
assert all(t["status"] == "passed" and "output" not in t for t in ann["tests"])
assert ben["score"] == 16.2 and "1 day late: 10 % off" in ben["output"]
assert all(t["score"] == 0 for t in gus["tests"]) and "ValueError" in gus["tests"][0]["output"]
assert "undeclared" in finn["output"]
END

# The same with one worker, and again from the file alone: the same tables but for the times.
without_times() { cut -d, -f1-7,10- "$1"; }
check "one worker" grade example/submissions -c example/cases --late example/late.csv --db one.db -o one.csv --students s --html h
same "-j1 and -j2 judge alike" <(without_times grades.csv) <(without_times one.csv)
cp grades.csv first.csv
check "again, nothing to do" grade example/submissions -c example/cases --late example/late.csv
same "the file has it all, times too" first.csv grades.csv

# A submission that changes is judged again, alone; --again judges all.
sed -i 's/Stake/stake/' example/submissions/ann/main.c
check "ann hands in again" grade example/submissions -c example/cases
has "ann is wrong now" grades.csv "^ann,0,fail,wrong,right,,,.*found 'A2 stake'"
same "the others keep their times" <(grep -v ^ann first.csv) <(grep -v ^ann grades.csv)
check "judge again" grade example/submissions/ben -c example/cases --single --again --late-free 1
cut -d, -f8 grades.csv | diff - <(grep ^ben first.csv | cut -d, -f8) >/dev/null && fail "--again did not run" || pass

# Archives: zip and tar, a folder within, a zip within a folder as course pages make them; wrapped twice.
mkdir -p hand
cp -r "$SORTIE_SOURCE/examples/class/submissions/ann" pack
tar czf hand/anna.tar.gz pack
tar cf hand/anton.tar -C pack .
python3 - <<'END'
import os, zipfile
def zip_folder(name, folder, inside):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
        for file in os.listdir(folder):
            z.write(folder + "/" + file, inside + file)
zip_folder("hand/Bert, \"B\" <b>.zip", "pack", "deep/deeper/")
os.makedirs("hand/=1+2_onlinetext")
zip_folder("hand/=1+2_onlinetext/work.zip", "pack", "")
with zipfile.ZipFile("hand/evil.zip", "w") as z:
    z.writestr("../../../../../../../../../../../../tmp/sortie-grade-evil", "x")
    z.writestr("/tmp/sortie-grade-evil", "x")
    link = zipfile.ZipInfo("homework.py")
    link.external_attr = 0o120777 << 16
    z.writestr(link, "/etc/passwd")
END
printf 'no archive at all' >hand/broken.zip
ln -s /etc hand/etc
cp -r hand/anna.tar.gz "hand/evil-$(printf '\033[31m')name.tar.gz"
check "archives" grade hand -c "$SORTIE_SOURCE/examples/class/cases" --db hand.db --gradescope scope2 -j 2
cp check.out hand.out
for name in anna anton '"Bert, ""B"" <b>"' "'=1\\+2_onlinetext"; do
    has "$name" students.csv "^$name,18,18,18"
done
has "a hostile archive" students.csv '^evil,0,.*no program found'
has "a broken archive" students.csv '^broken,0,.*cannot be used: cannot be unpacked'
grep -q '^etc' students.csv && fail "a link was graded" || pass
[ ! -e /tmp/sortie-grade-evil ] && pass || fail "an archive wrote outside its folder"
grep -q "$(printf '\033')" hand.out && fail "an escape sequence reached the terminal" || pass
has "a name on the page" grades.html 'Bert, &quot;B&quot; &lt;b&gt;'
grep -q '<b>' grades.html && fail "a name is markup on the page" || pass
for file in scope2/*/results.json; do python3 -m json.tool "$file" >/dev/null && pass || fail "$file is no JSON"; done
check "one archive" grade hand/anna.tar.gz -c "$SORTIE_SOURCE/examples/class/cases" --db hand.db --gradescope single
[ -f single/results.json ] && pass || fail "results.json of a single submission"

# Commands given by the teacher; several .c files; cmake.
mkdir -p class/odd/code class/cmake
cp "$SORTIE_SOURCE"/examples/class/submissions/ann/*.[ch] class/odd/code/
mv class/odd/code/main.c class/odd/code/start.x
printf 'notes' >class/odd/notes.txt
cp "$SORTIE_SOURCE"/examples/class/submissions/ann/*.[ch] class/cmake/
printf 'cmake_minimum_required(VERSION 3.20)\nproject(raid C)\nadd_executable(play main.c board.c)\n' >class/cmake/CMakeLists.txt
flat="$SORTIE_SOURCE/examples/class/cases"
check "--build and --run" grade class/odd --single -c "$flat" --db odd.db \
    --build 'gcc -x c -Icode -o code/raid code/start.x code/board.c' --run code/raid
has "built by the command" students.csv '^odd,18,18,18,.*gcc -x c'
check "--build that fails" grade class/odd --single -c "$flat" --db odd.db --build 'echo "an error of mine" >&2; exit 3'
has "its words" students.csv '^odd,0,.*ended with status 3\): an error of mine",judged,'
if command -v cmake >/dev/null; then
    check "cmake" grade class/cmake --single -c "$flat" --db odd.db
    has "built by cmake" students.csv '^cmake,18,18,18,.*,cmake,,judged,sortie-build/play,'
fi

# Flat cases of the other course; the log earns its share.
mkdir -p flat task
i=30
for file in "$SORTIE_GOLDEN"/sneak/*/input.txt; do
    [ "$(head -c 1 "$file")" = 2 ] || continue
    i=$((i + 1))
    cp "$file" flat/input_$i.txt
    cp "$(dirname "$file")/next_state.txt" flat/next_state_$i.txt
    cp "$(dirname "$file")/traverse_log.txt" flat/traverse_log_$i.txt
    [ $i = 32 ] && break
done
mkdir task/gus
cp "$SORTIE_BIN/sortie-task" task/gus/
printf '#!/bin/sh\n"${0%%/*}/sortie-task" "$@"\nsed -i "5s/,.*/,0,0/" traverse_log.txt\n' >task/gus/run
printf 'case,points,board,log\n*,10,1,4\n' >weights.csv
check "flat pairs" grade task -c flat --points weights.csv --db flat.db
has "the board earns its share" grades.csv '^gus,31,fail,,right,wrong,,.*traverse_log.txt line 5: expected.*,2,10,'

# CPU time: a program that sleeps is not late by it, one that works is; the wall stops a sleeper in the end.
mkdir -p clock/work clock/sleep free/one
printf 'while :; do :; done\n' >clock/work/run.sh
printf 'sleep 1.5\nprintf "B2 Stake\\n...\\n.X.\\n..O\\n" >output.txt\n' >clock/sleep/run.sh
printf '3\nCOMPETITION\nX\n5\n1 2 3\n4 5 6\n7 8 9\n...\n...\n..O\n' >free/one/input.txt
check "the course's clock" grade clock -c free -t 1 --grace 300 --db clock.db
has "working is late" grades.csv '^work,one,fail,.*used more than 1 s of CPU time'
has "sleeping is not" grades.csv '^sleep,one,pass'
check "asleep for too long" grade clock/sleep --single -c free -t 0.4 --grace 0.1 --db clock.db
has "sleeping is late in the end" grades.csv '^sleep,one,fail,.*slept or waited for more than 0.5 s \(0.4 s of CPU time were allowed\)'
check "the wall clock" grade clock/sleep --single -c free -t 1 --clock wall --db clock.db
has "sleeping is late by the wall" grades.csv '^sleep,one,fail,.*no answer within 1 s'

# What is refused, in one line, with nothing touched.
refused "a clock nobody has" "cpu, wall or course" sortie grade hand --clock moon
printf 'case,points\n*,x\n' >bad.csv
refused "points that are none" "bad.csv:2:3: expected points" sortie grade hand -c "$flat" --points bad.csv
printf 'submission,hours\nanna,3\n' >days.csv
refused "a late table without days" "expected a first line with a column 'days'" sortie grade hand -c "$flat" --late days.csv
printf 'case,points\nnine,1\n' >nine.csv
refused "a case nobody has" "nine.csv:2:1: expected the name of a case, found 'nine'" sortie grade hand -c "$flat" --points nine.csv
printf 'something else entirely, and long enough to be looked at' >other.db
refused "another file as results" "other.db: expected a results file" sortie grade hand -c "$flat" --db other.db
mkfifo pipe
refused "a pipe as results" "pipe: expected a results file of sortie grade, it is no regular file" sortie grade hand -c "$flat" --db pipe
finish
