# sortie grade: points as courses give them: hidden cases, groups with a cap, bonuses for all of a group.
. "$(dirname "$0")/lib.sh"

memory=${room:-2G}
grade() { sortie grade --memory $memory "$@"; }
has() { grep -qE -- "$3" "$2" && pass || fail "$1: $(cat "$2")"; }
lacking() { grep -qE -- "$3" "$2" && fail "$1: $(grep -E -- "$3" "$2")" || pass; }

# ann answers everything; ben knows only boards that begin with 1, and says what he does not know.
mkdir -p class/{ann,ben} cases/{open,easy,secret}
for ((i = 1; i <= 6; i++)); do
    folder=cases/$([ $i -le 2 ] && echo open || { [ $i -le 4 ] && echo easy || echo secret; })
    printf '2\nMINIMAX\nX\n1\n%d %d\n7 8%d\n..\n.O\n' $((i < 4 ? 1 : 9)) 50 $i >$folder/$i.in
    printf 'B1 Raid\n.X\n.X\n' >$folder/$i.out
done
cp cases/open/1.in input.txt
printf '#!/bin/sh\nprintf "B1 Raid\\n.X\\n.X\\n" >output.txt\n' >class/ann/run
cat >class/ben/run <<'END'
#!/bin/sh
sed -n 5,6p input.txt | tr '\n' '/' >numbers
case $(cat numbers) in
1*) printf 'B1 Raid\n.X\n.X\n' >output.txt ;;
*) printf 'A1 Stake\nX.\n.O\n' >output.txt && echo "no idea of $(cat numbers)" >&2 ;;
esac
END
cat >cases/points.csv <<'END'
case,points,move,board,log,visibility,group,bonus,cap
open/*,2,,,,,,3,
easy/*,5,,,,after_published,easy,1,8
secret/*,4,,,,hidden,,,
END
check "points" grade class -c cases --feedback pages --gradescope scope
has "all, a cap, both bonuses" students.csv '^ann,24,24,20,.*,judged,run,[^,]*,[^,]*,4$'
has "one bonus, half of a group" students.csv '^ben,12,12,20,.*,3$'
has "the table" check.out '^ann +24.00/20.00 +6/6'
has "the teacher's list of failures" check.out 'easy/4 \(hidden\), secret/5 \(hidden\), secret/6 \(hidden\): output.txt line 1'
has "a bonus on the page" grades.html '24.00 of 20.00 points, 4 of them a bonus'
has "the visibility of a case" grades.csv '^ben,secret/5,fail,.*,0,4,no idea of 9 50/7 85/,hidden$'
has "that of an open one" grades.csv '^ben,open/1,pass,.*,2,2,,visible$'
# Of hidden cases a student's page has neither name, input, difference nor what the program said.
has "how many are hidden" pages/ben.html '4 hidden cases</td><td>5.00</td><td class="soft">18.00<'
has "a bonus that is missed" pages/ben.html 'Bonus for all of easy</td><td>0.00</td><td class="soft">1.00<'
has "and one that is not" pages/ben.html 'Bonus for all of open/\*</td><td>3.00</td><td class="soft">3.00<'
lacking "the names" pages/ben.html 'secret|easy/'
lacking "the input" pages/ben.html '7 8[3456]|9 50'
lacking "the answer" pages/ben.html 'B1 Raid'
lacking "its words" pages/ben.html 'no idea'
has "its own cases are there" pages/ben.html 'open/2'
python3 - scope/ben/results.json <<'END' && pass || fail "Gradescope's results: $(cat scope/ben/results.json)"
import json, sys
results = json.load(open(sys.argv[1]))
tests = {test["name"]: test for test in results["tests"]}
assert results["score"] == 12 and len(tests) == 8, results
assert "visibility" not in tests["open/1"]
assert tests["easy/4"]["visibility"] == "after_published" and tests["secret/5"]["visibility"] == "hidden"
assert "no idea" not in results["output"] and "no idea" in tests["secret/5"]["output"]
assert tests["bonus: all of open/*"] == {"name": "bonus: all of open/*", "score": 3, "max_score": 3, "status": "passed"}
assert tests["bonus: all of easy"]["visibility"] == "after_published" and tests["bonus: all of easy"]["score"] == 0
END

# Nor has the comment that a learning platform shows.
mkdir moodle
cp -r class/ben "moodle/Ben Poe_11_assignsubmission_file_"
{
    echo 'Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed","Last modified (submission)","Last modified (grade)","Feedback comments"'
    echo '"Participant 11","Ben Poe",ben@x.edu,"Submitted for grading",,20.00,Yes,-,-,'
} >moodle.csv
check "a comment for Moodle" grade moodle -c cases --db moodle.db --roster moodle.csv --export upload.csv
has "the comment" upload.csv 'sortie: 12 of 20 points, 3 of 6 cases passed'
lacking "hidden cases in it" upload.csv 'secret|easy/|expected'
check "points once more" grade class -c cases

# An open case that fails like a hidden one before it still says why.
cp cases/points.csv points.kept
printf 'case,points,hidden\n*,1,yes\nsecret/6,1,no\n' >cases/points.csv
check "hidden but one" grade class -c cases --feedback pages --gradescope scope
has "the column hidden" grades.csv '^ben,open/1,.*,hidden$'
check "a comment for Moodle again" grade moodle -c cases --db moodle.db --roster moodle.csv --export upload.csv -o o.csv
has "the open case in it" upload.csv 'Cases: secret/6: output.txt line 1'
has "the open one is explained" scope/ben/results.json '"secret/6".*no idea of 9 50/7 86/'
has "and on the page" pages/ben.html 'no idea of 9 50/7 86/'
lacking "the others are not" pages/ben.html '7 8[345]'
same "nothing was judged again" <(python3 -c 'print(12)') <(python3 -c 'import sqlite3; print(sqlite3.connect("grades.db").execute("select count(*) from results").fetchone()[0])')

# Where the course leaves the move free, a good move earns more than a bad one: by its value, if the table says so.
mkdir -p free/{ann,ben,cyd,dan} laser/one raid/free
printf '4\n0000\n3333\n3333\n0000\n' >laser/one/input.txt
printf '# as sortie solve --all prints it\n0 0: 4\n0 1 2\n3 3: -4\n' >laser/one/values.txt
for move in ann=0,0 ben=0,1 cyd=3,3 dan=3,0; do printf '#!/bin/sh\necho %s >output.txt\n' "${move#*=}" | tr , ' ' >"free/${move%=*}/run"; done
check "the best move passes" grade free -c laser --db free.db
has "and no other" students.csv '^ben,0,0,1,'
printf 'case,points,by value\n*,8,yes\n' >laser/points.csv
check "by value" grade free -c laser --db free.db
has "the best" grades.csv '^ann,one,pass,.*,8,8,'
has "in proportion" grades.csv '^ben,one,fail,.*"move 0 1 is worth 2, the best, 0 0, is worth 4",6,8,'
has "the worst" grades.csv '^cyd,one,fail,.*is worth -4, the best.*,0,8,'
has "one without a value" grades.csv '^dan,one,fail,.*move 3 0 is none that has a value.*,0,8,'
values() {
    printf "$3" >laser/one/values.txt
    refused "$1" "laser/one/values.txt:$2" grade free -c laser --db free.db
}
values "no move" "2:1: expected a legal move and its value" '0 0 1\n1 0 1\n'
values "no number" "1:5: expected a whole number" '0 0 x\n'
values "twice" "2:1: expected every move once" '0 0 1\n0 0 2\n'
values "nothing" "1:1: expected a line a move" '\n'
printf '2\nCOMPETITION\nX\n9\n1 2\n3 4\n..\n.O\n' >raid/free/input.txt
sortie solve --all raid/free/input.txt | tail -n +6 >raid/free/values.txt
cp "$SORTIE_BIN/sortie-course" free/
check "Stake-Raid, as sortie solve lists it" grade free/sortie-course --single -c raid --db raid.db
has "a best move" grades.csv '^sortie-course,free,pass,right,'

# Without these columns the tables have none either.
printf 'case,points\n*,1\n' >cases/points.csv
check "plain points" grade class -c cases
lacking "a plain table" grades.csv 'visibility|games'
lacking "a plain list" students.csv 'bonus|games'

# Mistakes are named by line and column.
wrong() {
    printf "$3" >wrong.csv
    refused "$1" "wrong.csv:$2" grade class -c cases --points wrong.csv
}
wrong "who sees it" "2:5: expected visible, hidden, after_due_date or after_published, found 'secret'" 'case,points,visibility\n*,1,secret\n'
wrong "yes or no" "2:5: expected yes or no, found 'maybe'" 'case,points,hidden\n*,1,maybe\n'
wrong "a negative bonus" "2:7: expected a bonus" 'case,points,group,bonus\n*,1,g,-1\n'
wrong "a cap" "3:7: expected a cap .*found 'much'" 'case,points,group,cap\n*,1,g,2\n*,1,g,much\n'
wrong "two bonuses" "3:12: expected 2, which line 2 says of group 'g', found 3" 'case,points,group,bonus\nopen/*,1,g,2\neasy/*,1,g,3\n'
wrong "a long name" "2:5: expected a group's name of at most 63 characters" "case,points,group\n*,1,$(printf 'g%.0s' {1..64})\n"
finish
