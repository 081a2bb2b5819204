# A class as classes are (tests/class/make.py), graded with no option: nobody gets a wrong verdict.
. "$(dirname "$0")/lib.sh"

# The machine of the teacher: a Python 2 in pyenv, nothing else at home.
export HOME=$scratch/home PYENV_ROOT= VIRTUAL_ENV= CONDA_PREFIX=
mkdir -p "$HOME/.pyenv/versions/2.7.18/bin"
cp "$SORTIE_SOURCE/tests/class/python2" "$HOME/.pyenv/versions/2.7.18/bin/python2.7"
python3 "$SORTIE_SOURCE/tests/class/make.py" "$scratch" || fail "the class cannot be made"
for course in stake sneak laser; do
    (cd $course && sortie grade submissions >out.txt 2>err.txt) || fail "$course: $(cat $course/err.txt)"
done

cat >compare.py <<'END'
# Everybody's verdict, cases passed, file, interpreter, and what is told, against what must come of it.
import csv, os, re, shutil, sys
def read(file):
    return list(csv.DictReader(open(file, encoding="utf-8", newline="")))
tools = {"javac": "javac", "perl": "perl", "node": "node"}
wrong = count = 0
for wanted in read("expected.csv"):
    if wanted["by"] in tools and not shutil.which(tools[wanted["by"]]):
        continue
    course, name = wanted["course"], wanted["submission"]
    rows = [row for row in read(course + "/students.csv") if row["submission"] == name]
    cases = [row for row in read(course + "/grades.csv") if row["submission"] == name]
    told = " ".join([rows[0]["build_problem"]] + [c["first_difference"] + " " + c["last_words"] for c in cases])
    found = rows[0]
    passed = sum(c["result"] == "pass" for c in cases)
    zero = found["verdict"] == "judged" or found["final"] == ""
    right = (found["verdict"] == wanted["verdict"] and passed == int(wanted["passed"]) and zero and
             (not wanted["file"] or found["file"] == wanted["file"] or found["verdict"] == "machine") and
             (not wanted["by"] or found["interpreter"].startswith(wanted["by"]) or found["verdict"] == "machine") and
             (not wanted["problem"] or re.search(wanted["problem"], told)))
    count += 1
    if not right:
        wrong += 1
        shown = {key: found[key] for key in ("verdict", "file", "interpreter", "why")}
        print("WRONG", dict(wanted), "found", passed, shown, told[:300])
print(count, "submissions,", wrong, "wrong")
sys.exit(wrong > 0 or count < 60)
END
python3 compare.py >compared.txt && pass || fail "$(cat compared.txt)"

# What a class is told: the question and what the machine lacks, each in a line.
grep -q "^sortie: question: which was not judged: which is the program? one.py or two.py" stake/err.txt && pass ||
    fail "no question: $(cat stake/err.txt)"
grep -q "^sortie: warning: this machine lacks bitarray, so py-module was not judged" stake/err.txt && pass ||
    fail "no lack: $(cat stake/err.txt)"
[ "$(grep -vcE 'overloaded|lacks JavaFX, so java-fx .*apt-get install openjfx$|lacks Windows' stake/err.txt)" = 2 ] && pass ||
    fail "more was said: $(cat stake/err.txt)"
grep -q 'program: <code>homework.py</code> · Python 2.7.18' stake/grades.html && pass ||
    fail "the page names no program"

grep -q '^cpp-names,4,.*; compiled as C++11' stake/students.csv && pass || fail "not said how it was compiled"

# --explain tells it as commands; --shell is the sandbox to repeat them in.
cd stake || exit 1
sortie grade submissions --explain py2-tabs >explained.txt 2>&1
grep -q "run by   $HOME/.pyenv/versions/2.7.18/bin/python2.7 /build/submission/homework.py" explained.txt &&
    grep -q 'Python 3 cannot read it (homework.py line .*TabError' explained.txt && pass ||
        fail "--explain: $(cat explained.txt)"
printf 'sh run.sh; cat output.txt; touch /build/x; ls ../../etc/shadow\nexit\n' |
    sortie grade submissions --shell py2-tabs >shell.txt 2>hello.txt
grep -q '^A1 Stake$' shell.txt && grep -q 'Read-only file system' shell.txt && grep -q 'No such file' shell.txt &&
    grep -q "the sandbox of py2-tabs: its files are in /build/submission" hello.txt && pass ||
        fail "--shell: $(cat shell.txt hello.txt)"
refused "a student nobody knows" "nobody handed in as 'zoe'" sortie grade submissions --explain zoe

# Overrides that are wrong are named by line and column; a student cannot excuse himself.
printf 'submission,time\npy3,soon\n' >bad.csv
refused "a time that is none" "bad.csv:2:5: expected seconds" sortie grade submissions --overrides bad.csv
printf 'submission,python\npy3,snake\n' >bad.csv
refused "a Python that is none" "bad.csv:2:5: expected a version of Python" sortie grade submissions --overrides bad.csv
printf 'student,excused,memory\npy3,perhaps,1G\n' >bad.csv
refused "an excuse that is none" "bad.csv:2:5: expected yes or no" sortie grade submissions --overrides bad.csv
refused "a Python without a path" "expected up to 4 of VERSION=PATH" sortie grade submissions --python 2
mkdir -p alone/me && printf 'excused: yes\nmain: a.py\n' >alone/me/sortie.txt && printf 'print(1)\n' >alone/me/a.py
check "a student's own excuse" sortie grade alone --db alone.db
grep -q '^me,0,.*,judged,' students.csv && pass || fail "excused himself: $(cat students.csv)"
sortie grade alone --explain me | grep -q "sortie.txt:1:1: 'excused' is the teacher's to say" && pass ||
    fail "the excuse is not told"

# Without Python 2 nobody who needs it gets a zero; with --python it is there again.
rm -r "$HOME/.pyenv"
if [ -z "$(find /usr/bin /usr/local/bin /opt -maxdepth 3 -name 'python2*' 2>/dev/null)" ]; then
    check "no Python 2" sortie grade submissions/py2-xrange --single --db two.db --students two.csv
    grep -q '^py2-xrange,,,.*written for Python 2 .*--python 2=PATH.*,machine,' two.csv && pass ||
        fail "no Python 2: $(cat two.csv)"
fi
cp "$SORTIE_SOURCE/tests/class/python2" "$scratch/two"
check "--python" sortie grade submissions/py2-xrange --single --db two.db --students two.csv --python 2="$scratch/two"
grep -q '^py2-xrange,4,4,4,.*,judged,homework.py,Python 2.7.18' two.csv && pass || fail "--python: $(cat two.csv)"

# At a terminal it asks, once; the answer is kept among the cases.
mkdir ask && cp -r submissions/which ask/
ask() { script -qec "sortie grade ask --db ask.db --students ask.csv" /dev/null; }
printf '9\n2\n' | ask >asked.txt 2>&1
grep -q '^which,two.py,,,' cases/overrides.csv && grep -q '^which,0,.*,judged,two.py' ask.csv && pass ||
    fail "asked: $(cat asked.txt cases/overrides.csv)"
ask </dev/null >asked.txt 2>&1
grep -q 'which is the program' asked.txt && fail "asked twice: $(cat asked.txt)" || pass
finish
