# sortie grade: downloads of learning platforms as they are, and files that are no programs: nothing vanishes.
. "$(dirname "$0")/lib.sh"

# A sanitizer reserves more memory than a submission may have.
memory=${room:-2G}
grade() { sortie grade --memory $memory "$@"; }
has() { grep -qE -- "$3" "$2" && pass || fail "$1: $(cat "$2")"; }
cases=$SORTIE_SOURCE/examples/class/cases
ann=$SORTIE_SOURCE/examples/class/submissions/ann

# Canvas: every file of everybody in one folder, the student in front. A header and two sources are one program.
mkdir canvas
for file in "$ann"/*.[ch]; do cp "$file" "canvas/doejane_101_20${#file}_$(basename "$file")"; done
cp "$ann/main.c" canvas/roejohn_LATE_102_301_main-1.c
cp "$ann/board.c" canvas/roejohn_LATE_102_302_board.c
cp "$ann/board.h" canvas/roejohn_LATE_102_303_board.h
printf 'int main(void) { return 1; }\n' >canvas/roejohn_LATE_102_300_main.c
printf 'I did it by hand.\n' >canvas/poeamy_103_401_answer.txt
printf '{"cells": []}\n' >canvas/lowe_104_501_homework.ipynb
printf 'Read me.\n' >canvas/notes.txt
if [ -x /usr/bin/javac ]; then
    printf 'public class Homework { public static void main(String[] a) throws Exception {\n%s\n} }\n' \
        'new java.io.PrintWriter("output.txt").close();' >canvas/moejim_105_601_Homework-2.java
fi
check "a download of Canvas" grade canvas -c "$cases" --db canvas.db -j 2
has "flat files are one program" students.csv '^doejane,18,18,18,'
has "a second upload has its name back, a day is late" students.csv '^roejohn,16.2,18,18,1,10,'
has "the first upload is named" check.out 'not graded: roejohn_LATE_102_300_main.c: there is a later upload'
has "a text is told" students.csv '^poeamy,0,.*no program found.*; there is answer.txt'
has "a notebook is told" students.csv '^lowe,0,.*homework.ipynb; a notebook is no program'
has "a stray file is told" check.out 'not graded: notes.txt: neither a source'
[ "$(wc -l <students.csv)" -eq $((5 + $([ -x /usr/bin/javac ] && echo 1 || echo 0))) ] && pass || fail "one line a student: $(cat students.csv)"
[ ! -x /usr/bin/javac ] || { grep '^moejim' students.csv | grep -q 'does not build' && fail "a public class: $(grep ^moejim students.csv)" || pass; }

# Moodle: folders, files without a folder, two students of one name.
mkdir -p "moodle/Jane Doe_11_assignsubmission_file_" "moodle/Jane Doe_12_assignsubmission_file_" \
    "moodle/Jane Doe_11_assignsubmission_onlinetext_"
cp "$ann"/* "moodle/Jane Doe_11_assignsubmission_file_/"
printf 'x = \n' >"moodle/Jane Doe_12_assignsubmission_file_/homework.py"
printf '<p>See the files.</p>' >"moodle/Jane Doe_11_assignsubmission_onlinetext_/onlinetext.html"
for file in "$ann"/*; do cp "$file" "moodle/John Roe_13_assignsubmission_file_$(basename "$file")"; done
check "a download of Moodle" grade moodle -c "$cases" --db moodle.db
has "a folder" students.csv '^Jane Doe,18,18,18,'
has "the other of the same name" students.csv '^Jane Doe \(12\),0,'
has "files without a folder" students.csv '^John Roe,18,18,18,'
has "the online text is told" check.out 'not graded: Jane Doe_11_assignsubmission_onlinetext_: '
printf 'student,days\nJane Doe (12),1\nJohn Roe,1\n' >late.csv
check "late by name" grade moodle -c "$cases" --db moodle.db --late late.csv
has "John is late" students.csv '^John Roe,16.2,18,18,1,10'

# Gradescope: numbered folders, whose names are in a file beside them.
mkdir -p scope/submission_1 scope/submission_12
cp "$ann"/* scope/submission_1/
cp "$ann"/* scope/submission_12/
printf -- '---\nsubmission_1:\n  :submitters:\n  - :name: Jane Doe\n    :email: j@x\n  - :name: John Roe\n' >scope/submission_metadata.yml
check "a download of Gradescope" grade scope -c "$cases" --db scope.db
has "both names" students.csv '^Jane Doe and John Roe,18,18,18,'
has "one that is not in the list" students.csv '^submission_12,18,18,18,'

# A RAR, made here: a stored file in each of its blocks.
mkdir rar
python3 - "$SORTIE_SOURCE/examples/class/submissions/ann" <<'END'
import os, struct, sys, zlib
def block(kind, flags, body, data=b""):
    head = struct.pack("<BHH", kind, flags, 7 + len(body)) + body
    return struct.pack("<H", zlib.crc32(head) & 0xffff) + head + data
out = b"Rar!\x1a\x07\x00" + block(0x73, 0, b"\0" * 6)
for name in sorted(os.listdir(sys.argv[1])):
    data = open(sys.argv[1] + "/" + name, "rb").read()
    body = struct.pack("<IIBIIBBHI", len(data), len(data), 3, zlib.crc32(data), 0x58210000, 20, 0x30, len(name), 0o100644)
    out += block(0x74, 0x8000, body + name.encode(), data)
open("rar/ann.rar", "wb").write(out + block(0x7b, 0x4000, b""))
END
check "a RAR" grade rar -c "$cases" --db rar.db
has "is unpacked" students.csv '^ann,18,18,18,'

# A team's name stays a name where a folder is called so.
mkdir A game
sortie referee A B --folder game --time 1 --first A --launch 'echo A' 'echo B' >referee.out 2>&1
[ "$(cat game/A.log)" = A ] && pass || fail "a team's name: $(cat game/A.log referee.out)"

# A container without namespaces: nothing is run, and Gradescope is told why; --unsafe runs it.
contained() {
    unshare -Ur sh -c 'for kind in user mnt; do echo 0 >/proc/sys/user/max_${kind}_namespaces || exit 77; done; exec "$@"' sh "$@"
}
contained true 2>/dev/null
if [ $? -eq 0 ]; then
    contained sortie grade "$ann" --single -c "$cases" --db c.db --gradescope refused >refused.out 2>&1
    [ $? -eq 1 ] && pass || fail "a container was not refused: $(cat refused.out)"
    has "loudly" refused.out 'cannot be locked in on this machine'
    python3 - <<'END' && pass || fail "results of a refusal: $(cat refused/results.json)"
import json
results = json.load(open("refused/results.json"))
assert results["visibility"] == "hidden" and "cannot be locked in" in results["tests"][0]["output"], results
END
    check "--unsafe" contained sortie grade "$ann" --single --unsafe -c "$cases" --memory $memory --db u.db --gradescope unsafe
    grep -q '"score": 18,' unsafe/results.json && pass || fail "unsafe results: $(cat unsafe/results.json)"
fi
finish
