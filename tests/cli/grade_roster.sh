# sortie grade --roster and --export: who is in the class, and grades in the form that Canvas, Moodle and Gradescope
# import, byte for byte what they exported but for the grades.
. "$(dirname "$0")/lib.sh"

memory=${room:-2G}
cases=$SORTIE_SOURCE/examples/class/cases
ann=$SORTIE_SOURCE/examples/class/submissions/ann
grade() { sortie grade --memory $memory -c "$cases" --db grades.db "$@"; }
has() { grep -qF -- "$3" "$2" && pass || fail "$1: $(cat "$2")"; }
hasnt() { grep -qF -- "$3" "$2" && fail "$1: $(cat "$2")" || pass; }

# The program of ann is right in everything. One of a line is wrong in everything.
hand_in() { mkdir -p "$1" && cp "$ann"/* "$1/"; }
wrong() { mkdir -p "$1" && printf 'open("output.txt", "w").write("<b>A1 Stake")\n' >"$1/homework.py"; }

# -- Canvas: by user number, then by login, then by name; late by its mark.
mkdir canvas
for file in "$ann"/*.[ch]; do
    cp "$file" "canvas/doejane_101_20${#file}_$(basename "$file")"
    cp "$file" "canvas/roejohn_LATE_102_30${#file}_$(basename "$file")"
done
wrong canvas/apoe
hand_in "canvas/Zoë Ray"
hand_in canvas/nobody
hand_in canvas/Twin
printf '\xef\xbb\xbfStudent,ID,SIS User ID,SIS Login ID,Section,Homework 1 (77),"Homework ""2"" (78)",Final Score\r\n' >canvas.csv
printf '    Points Possible,,,,,10,100,(read only)\r\n' >>canvas.csv
cat >>canvas.csv <<'END'
"Doe, Jane",101,u1,jane@x.edu,"A; 1",3,,50
"Roe, John",102,u2,john@x.edu,A,4,9,51
"=Poe, ""Amy""",103,u3,apoe@x.edu,A,5,8,52
"Ray, Zoë",104,u4,zr@x.edu,A,,,
"Twin, Al",105,u5,al@x.edu,A,,,
"Lost, Bob",106,u6,bob@x.edu,A,,,
"Twin",107,u7,t7@x.edu,A,,,
"twin",108,u8,t8@x.edu,A,,,
"Student, Test",109,,x,A,,,
END
sed -i '3,$s/$/\r/' canvas.csv
cp canvas.csv before.csv
check "Canvas" grade canvas --roster canvas.csv --assignment 'Homework "2"' --export upload.csv -j 2
cmp -s canvas.csv before.csv && pass || fail "the roster was changed"
{
    printf '\xef\xbb\xbfStudent,ID,SIS User ID,SIS Login ID,Section,"Homework ""2"" (78)"\n    Points Possible,,,,,100\n'
    printf '%s\n' '"Doe, Jane",101,u1,jane@x.edu,"A; 1",100.00' '"Roe, John",102,u2,john@x.edu,A,90.00' \
        '"=Poe, ""Amy""",103,u3,apoe@x.edu,A,0.00' '"Ray, Zoë",104,u4,zr@x.edu,A,100.00' \
        '"Twin, Al",105,u5,al@x.edu,A,' '"Lost, Bob",106,u6,bob@x.edu,A,' '"Twin",107,u7,t7@x.edu,A,' \
        '"twin",108,u8,t8@x.edu,A,' '"Student, Test",109,,x,A,'
} | sed 's/$/\r/' >wanted.csv
cmp wanted.csv upload.csv >check.cmp 2>&1 && pass || fail "the upload for Canvas: $(cat check.cmp; cat upload.csv)"
has "a submission of nobody" check.out "question: nobody: nobody in the roster fits"
has "a submission of two" check.out "question: Twin: 2 students of the roster fit"
has "who handed in nothing" check.out "no submission: Al Twin, Bob Lost, Twin, twin"
has "late by the mark" check.out "1 submission is marked late, but not by how much: a day is counted"
has "is listed" students.csv "Bob Lost,,,18,,"
grep '^Bob Lost,' students.csv | grep -q ',no submission,' && pass || fail "no verdict: $(cat students.csv)"
python3 -c 'import csv; assert len({len(row) for row in csv.reader(open("students.csv"))}) == 1' && pass || fail "columns"
printf 'student,days\nroejohn,3\n' >late.csv
check "the teacher knows better" grade canvas --roster canvas.csv --assignment 78 --export upload.csv --late late.csv --zeros
has "three days" upload.csv '"Roe, John",102,u2,john@x.edu,A,70.00'
has "zeros" upload.csv '"Lost, Bob",106,u6,bob@x.edu,A,0.00'
rm upload.csv
refused "which assignment" '^sortie: canvas.csv:1:1: expected --assignment to name one of: Homework 1, Homework "2"$' \
    grade canvas --roster canvas.csv --export upload.csv
refused "no such assignment" "expected an assignment 'Essay', found: Homework 1" \
    grade canvas --roster canvas.csv --export upload.csv --assignment Essay
refused "an export of nothing" 'needs --roster' grade canvas --export upload.csv
printf 'Name,Age\nJane,7\n' >odd.csv
refused "no roster" '^sortie: odd.csv:1:1: expected the first line of a roster' grade canvas --roster odd.csv
printf 'Student,ID,Section\n"Doe, Jane",1,A\n"Roe, John",1,A\n' >twice.csv
refused "two of a number" "^sortie: twice.csv:3:1: expected every '1' once, it stands in line 2 too" grade canvas --roster twice.csv
printf 'Student,ID,Section\n"Doe, Jane' >open.csv
refused "an open quote" '^sortie: open.csv:2:1: expected a quote' grade canvas --roster open.csv
printf '\xff\xfeS\0t\0' >wide.csv
refused "UTF-16" 'found UTF-16' grade canvas --roster wide.csv

# -- Moodle: by participant, with its own words for late, German and with decimal commas.
hand_in "moodle/Jane Doe_11_assignsubmission_file_"
hand_in "moodle/John Roe_12_assignsubmission_file_"
wrong "moodle/Amy Poe_13_assignsubmission_file_"
mkdir "moodle/Lea Lee_16_assignsubmission_file_" && echo later >"moodle/Lea Lee_16_assignsubmission_file_/notes.txt"
head='Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed","Last modified (submission)","Last modified (grade)","Feedback comments"'
{
    echo "$head"
    echo '"Participant 11","Jane Doe",jane@x.edu,"Submitted for grading",,100.00,Yes,"Monday, 2 March 2026, 10:00 AM",-,'
    echo '"Participant 12","John Roe",john@x.edu,"Submitted for grading - 1 day 3 hours late",,100.00,Yes,"Monday",-,"By hand: well done"'
    echo '"Participant 13","Amy Poe",amy@x.edu,"Submitted for grading",,10.00,Yes,-,-,"sortie: old"'
    echo '"Participant 14","Jane Doe",jane2@x.edu,"No submission",,100.00,Yes,-,-,'
    echo '"Participant 16","Lea Lee",lea@x.edu,"Submitted for grading",,10.00,Yes,-,-,'
    echo '"Participant 15",Ron,ron@x.edu,"No submission",55.00,100.00,No,-,-,'
} >moodle.csv
check "Moodle" grade moodle --roster moodle.csv --export upload.csv
[ "$(head -1 upload.csv)" = "$head" ] && pass || fail "the first line: $(head -1 upload.csv)"
has "a right one" upload.csv '"Participant 11","Jane Doe",jane@x.edu,"Submitted for grading",100.00,100.00,Yes,"Monday, 2 March 2026, 10:00 AM",-,"sortie: 18 of 18 points'
has "two days begun, and the teacher's own words" upload.csv ',80.00,100.00,Yes,"Monday",-,"By hand: well done"'
has "scaled, our words again" upload.csv '"Submitted for grading",0.00,10.00,Yes,-,-,"sortie: 0 of 18 points'
hasnt "no markup" upload.csv '<b>'
hasnt "nothing old" upload.csv 'sortie: old'
has "what does not run, said once" upload.csv 'called run or main; there is notes.txt"'
has "nothing handed in" upload.csv '"No submission",,100.00,Yes,-,-,sortie: no submission'
has "a closed grade stays" upload.csv '"No submission",55.00,100.00,No,-,-,'
has "and that is said" check.out 'Ron: the platform says that this grade cannot be changed'
python3 - <<'END' && pass || fail "the upload for Moodle is no table"
import csv
before, after = (list(csv.reader(open(name, newline=""))) for name in ("moodle.csv", "upload.csv"))
assert len(before) == len(after)
for a, b in zip(before, after):
    assert len(a) == len(b) == 10 and a[:4] == b[:4] and a[5:9] == b[5:9], (a, b)
END
cp upload.csv again.csv
check "what was exported is a roster" grade moodle --roster again.csv --export upload.csv
cmp -s again.csv upload.csv && pass || fail "the second export: $(diff again.csv upload.csv)"

rm -r "moodle/Lea Lee_16_assignsubmission_file_"
printf 'ID;"Vollständiger Name";E-Mail-Adresse;Status;Bewertung;Bestwertung;"Bewertung kann geändert werden";"Feedback als Kommentar"\n' >german.csv
printf 'Teilnehmer/in11;"Jane Doe";jane@x.de;"Zur Bewertung abgegeben2 Tage 1 Stunde später";;"10,00";Ja;\n' >>german.csv
printf 'Teilnehmer/in12;"John Roe";john@x.de;"Zur Bewertung abgegeben";;"10,00";Ja;' >>german.csv
check "Moodle in German" grade moodle --roster german.csv --export upload.csv
has "a decimal comma, three days begun" upload.csv 'später";7,00;"10,00";Ja;sortie: 12.6 of 18'
has "semicolons" upload.csv ';10,00;"10,00";Ja;sortie: 18 of 18'
[ -n "$(tail -c 1 upload.csv)" ] && pass || fail "a line end was added"
has "nobody of that number" check.out 'Amy Poe: nobody in the roster fits'

# -- Gradescope: by submission, by address for groups, with its lateness.
hand_in scope/submission_501
hand_in scope/submission_502
cat >scope/submission_metadata.yml <<'END'
---
submission_501:
  :submitters:
  - :name: Jane Doe
    :email: jane@x.edu
    :sid: '9001'
  - :name: John Roe
    :sid: '9002'
submission_502:
  :submitters:
  - :name: Amy Poe
    :email: amy@x.edu
END
cat >scope.csv <<'END'
First Name,Last Name,SID,Email,Sections,Total Score,Max Points,Status,Submission ID,Submission Time,Lateness (H:M:S),View Count
Jane,Doe,9001,jane@x.edu,,,20.0,Ungraded,501,2026-03-01 10:00:00 -0800,00:00:00,0
John,Roe,9002,john@x.edu,,,20.0,Ungraded,501,2026-03-01 10:00:00 -0800,00:00:00,0
Amy,Poe,9003,amy@x.edu,,,20.0,Ungraded,,2026-03-01 10:00:00 -0800,25:00:01,0
Bob,"Lost, Jr.",9004,bob@x.edu,,,20.0,Missing,,,,
END
check "Gradescope" grade scope --roster scope.csv --export upload.csv
cat >wanted.csv <<'END'
First Name,Last Name,SID,Email,Total Score,Max Points,Status
Jane,Doe,9001,jane@x.edu,18.00,18.00,judged
John,Roe,9002,john@x.edu,18.00,18.00,judged
Amy,Poe,9003,amy@x.edu,14.40,18.00,judged
Bob,"Lost, Jr.",9004,bob@x.edu,,,no submission
END
same "a table of scores" wanted.csv upload.csv

# -- inside an autograder: when it was handed in, and what is due for whom.
cat >metadata.json <<'END'
{"id": 1, "created_at": "2026-03-03T12:00:00.5-08:00",
 "assignment": {"due_date": "2026-03-01T23:00:00Z", "late_due_date": null, "title": "\u00dcbung 1"},
 "users": [{"email": "a@x", "id": 1, "name": "Ann", "assignment": {"due_date": "2026-03-02T12:00:00-08:00"}}],
 "previous_submissions": []}
END
check "the lateness of a submission" grade "$ann" --single --metadata metadata.json --gradescope out
grep -q '"score": 14.4,' out/results.json && pass || fail "an extension: $(head -5 out/results.json)"
sed -i 's/03-02T12:00/03-05T12:00/' metadata.json
check "an extension" grade "$ann" --single --metadata metadata.json --gradescope out
grep -q '"score": 18,' out/results.json && pass || fail "in time: $(head -5 out/results.json)"
sed -i 's/"users": \[/"users": {/' metadata.json
refused "no JSON" '^sortie: metadata.json:3:' grade "$ann" --single --metadata metadata.json
refused "a class has no metadata" 'needs --single' grade scope --metadata metadata.json
finish
