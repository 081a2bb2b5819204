# A class of submissions that want to stop the grading, forge it or speak through its tables, with honest ones between
# them; as root and as an ordinary user. Everybody has a row, the honest keep their marks, the status is right.
. "$(dirname "$0")/lib.sh"
[ -z "${SORTIE_SANITIZE:-}" ] || exit 0 # a sanitizer takes more memory than a class may have

# As root the second half is this script again, as a user that nobody else is.
stranger=$((60321 + $$ % 4000))
if [ "$(id -u)" -eq 0 ] && [ -z "${HOSTILE_HALF:-}" ]; then
    mkdir -p ordinary/bin ordinary/tests/cli
    cp "$SORTIE_BIN"/sortie "$SORTIE_BIN"/sortie-course ordinary/bin/
    cp "$SORTIE_SOURCE"/tests/cli/grade_hostile.sh "$SORTIE_SOURCE"/tests/cli/lib.sh ordinary/tests/cli/
    chmod 755 . ; chown -R $stranger:$stranger ordinary
    HOSTILE_HALF=1 SORTIE_BIN=$scratch/ordinary/bin SORTIE_SOURCE=$scratch/ordinary TMPDIR=$scratch/ordinary \
        setpriv --reuid $stranger --regid $stranger --clear-groups bash ordinary/tests/cli/grade_hostile.sh >ordinary.out 2>&1 &
    ordinary=$!
fi
trap 'chmod -R u+rwx "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT

mkdir -p class slow fail cases/one cases/two scope
printf '3\nCOMPETITION\nX\n5\n1 2 3\n4 5 6\n7 8 9\n...\n...\n..O\n' >cases/one/input.txt
printf '3\nCOMPETITION\nX\n5\n1 2 3\n4 5 6\n7 9 8\n...\n...\n..O\n' >cases/two/input.txt
answer='printf "B2 Stake\n...\n.X.\n..O\n" >output.txt'

# honest FOLDER NAME: a submission that is right.
honest() { mkdir "$1/$2" && printf '%s\n' "$answer" >"$1/$2/run.sh"; }
# makefile NAME LINE...: a submission whose Makefile has one rule of these lines.
makefile() {
    local name=$1
    shift
    mkdir -p "class/$name"
    { echo 'all:'; printf '\t%s\n' "$@"; } >"class/$name/Makefile"
}

# -- what is handed in --
for number in 1 3 5 7 9; do honest class "honest-$number"; done
# Builds that forge the plan, lock folders, go away, stay, flood.
makefile 2-forge-plan "printf '1\\000make\\000\\000\\000submission\\000\\000/bin/echo\\000' >/scratch/plan" \
    'head -c 65000 /dev/zero | tr "\000" x >>/scratch/plan' "printf '\\000\\000' >>/scratch/plan" 'chmod 0 /scratch'
makefile 2-forge-later "setsid sh -c 'while :; do echo forged >/scratch/plan; done' >/dev/null 2>&1 &" 'true'
makefile 2-lock-all 'chmod 0 . .. /scratch /tmp'
makefile 2-fifo 'mkfifo run main plan'
makefile 2-socket "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"run\")'"
makefile 2-device 'mknod run c 1 5 || true' 'ln -s /dev/zero main'
makefile 2-away 'cd .. && mv submission other && ln -s / submission'
makefile 2-link 'cd .. && mv submission other && ln -s other submission'
makefile 2-gone 'cd .. && rm -r submission'
makefile 2-loops 'ln -s . a; ln -s c b; ln -s b c; ln -s run run; mkdir d; ln -s .. d/up'
makefile 2-copy-engine 'cp /sortie player || cp "$$(command -v sortie-course)" player || cp /usr/*/sortie* player'
makefile 2-copy-parent 'for p in $$PPID 1 2 3; do cp /proc/$$p/exe player-$$p; done; true'
makefile 2-flood 'yes | head -c 100000000'
makefile 2-files 'i=0; while [ $$i -lt 400 ]; do i=$$((i + 1)); mkdir -p d$$i/e; done; seq 1 30000 | xargs touch'
makefile 2-deep 'for i in 1 2 3 4 5 6 7 8 9 10; do mkdir -p a/a/a/a/a/a/a/a/a/a; cd a/a/a/a/a/a/a/a/a/a; done; pwd >run'
makefile 2-spells "@printf 'error: \\033[2J\\302\\2331m\\342\\200\\256 <b>\\r=1+1\\000\\377\\n' >&2; exit 1"
# Trees that are too deep, too many, too large; names; links; rights.
honest class 4-deep
( cd class/4-deep && for ((i = 0; i < 70; i++)); do mkdir d && cd d; done; echo x >x )
honest class 4-sparse && truncate -s 1200M class/4-sparse/data
truncate -s 2G class/4-lone.py
honest class 4-links && ( cd class/4-links && ln -s . a && ln -s c b && ln -s b c && ln -s /etc/passwd homework.py && mkfifo main )
honest class 4-locked && mkdir class/4-locked/no && echo x >class/4-locked/no/x && chmod 0 class/4-locked/no
mkdir class/4-closed && chmod 0 class/4-closed
python3 - "$answer" <<'END'
import io, os, socket, sys, tarfile, zipfile
spell = b"\x1b[2J\x1b]0;t\x07\xc2\x9b1m\xe2\x80\xae"
answer = sys.argv[1].encode() + b"\n"
def put(path, content):
    with open(path, "wb") as file:
        file.write(content)
# Two programs whose names speak, in submissions whose names do.
for name in [b"=cmd|'calc'!A0", b"@SUM(A1)", b"6-esc-" + spell, b"6-two\nlines,18,18", b"6-tab\there", b"6-bad-\xff\xfe", b"6-bom-\xef\xbb\xbf",
             b"6-rlo-\xe2\x80\xaetxt", b"6-sep-\xe2\x80\xa8x", b"6-del-\x7f\x08\x08", b"6-<script>alert(1)<b>", b"6-\"quoted\", yes"]:
    os.mkdir(b"class/" + name)
    put(b"class/" + name + b"/run.sh", answer)
os.mkdir(b"class/6-names")
for name in [spell + b".py", b"a\nb\n9,9,9.py", b"\xe2\x80\xaeyp.py", b"\xff.py"]:
    put(b"class/6-names/" + name, b"print('x')\n")
# What a program says.
os.mkdir("class/6-says")
put("class/6-says/run.sh", b"printf 'A9 \\033[2J\\302\\233\\342\\200\\256<b>=1\\n' >output.txt; printf '\\033[2J\\r\\n=1+1,</pre>\\377\\000x' >&2; exit 1\n")
# One line of ten megabytes; programs called as what runs them.
os.mkdir("class/8-line")
put("class/8-line/homework.py", b"x = '" + b"x" * 10000000 + b"'; import os; os.system('''" + answer + b"''')\n")
os.mkdir("class/8-interpreter")
for name in ["sh", "python3", "make", "env"]:
    put("class/8-interpreter/" + name, b"#!/bin/sh\necho LEAKED >output.txt\n")
    os.chmod("class/8-interpreter/" + name, 0o755)
put("class/8-interpreter/homework.py", b"import os\nos.system('''" + answer + b"''')\n")
# More sources than a command line holds.
os.mkdir("class/8-sources")
put("class/8-sources/main.c", b'#include <stdlib.h>\nint main(void) { return system("printf \\"B2 Stake\\\\n...\\\\n.X.\\\\n..O\\\\n\\" >output.txt"); }\n')
folder = "class/8-sources/" + "y" * 240 + "/" + "z" * 240 + "/"
os.makedirs(folder)
for i in range(95):
    put(folder + "%03d%s.c" % (i, "x" * 235), b"")
# Archives with members that are none.
with zipfile.ZipFile("class/8-zip.zip", "w") as z:
    for name in ["a\nb", "\x1b[2J", "../../up", "/tmp/sortie-grade-up", "C:\\x\\y", "n" * 300, "a/" * 200 + "x", "con", "\u202etxt", " ", "..", "a/../../b"]:
        z.writestr(name, "x")
    z.writestr("run.sh", answer)
with tarfile.open("class/8-tar.tar", "w") as t:
    for kind, name in [(tarfile.FIFOTYPE, "fifo"), (tarfile.CHRTYPE, "zero"), (tarfile.SYMTYPE, "run"), (tarfile.LNKTYPE, "main"), (tarfile.DIRTYPE, "dir\x1b[2J")]:
        member = tarfile.TarInfo(name)
        member.type, member.linkname, member.mode = kind, "/etc/passwd", 0
        t.addfile(member)
    member = tarfile.TarInfo("run.sh")
    member.size = len(answer)
    t.addfile(member, io.BytesIO(answer))
put("class/8-cut.tar.gz", b"\x1f\x8b\x08\x00" + b"\x00" * 100)
put("class/8-bomb.zip", open("class/8-zip.zip", "rb").read()[:-40])
END
if [ "$(id -u)" -eq 0 ]; then mknod class/8-sources/zero c 1 5 2>/dev/null; fi
chmod 700 class cases class/4-deep class/4-sparse # as root these are not for everybody: another way in
entries=$(python3 -c 'import os; print(len(os.listdir("class")))')

# -- graded --
sortie grade class --cases cases --time 20 --clock wall --memory 512M --gradescope scope -j 2 >out.txt 2>err.txt
status=$?
[ $status -eq 0 ] && pass || fail "the class ended with status $status: $(cat -v err.txt)"

cat >checks.py <<'END'
# Reads everything that was written, as its readers would.
import csv, glob, html.parser, json, os, re, sys
count = int(sys.argv[1])
text = {name: open(name, "rb").read() for name in ["out.txt", "err.txt", "grades.csv", "students.csv", "grades.html"]}
text.update({name: open(name, "rb").read() for name in glob.glob("scope/*/results.json")})
hidden = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
for name, content in text.items():
    where = name.encode(errors="backslashreplace")
    shown = content.decode("utf-8")
    if name == "grades.html":
        shown = shown.replace("\t", "")
    found = hidden.search(shown)
    assert not found, (where, found and shown[max(0, found.start() - 40):found.end() + 40])
students = list(csv.DictReader(open("students.csv", encoding="utf-8", newline="")))
cases = list(csv.DictReader(open("grades.csv", encoding="utf-8", newline="")))
assert len(students) == count, (len(students), count)
assert len(cases) == 2 * count, (len(cases), count)
assert len(text["students.csv"].splitlines()) == count + 1 and len(text["grades.csv"].splitlines()) == 2 * count + 1
for row in students + cases:
    assert None not in row and None not in row.values(), row
    for cell in row.values():
        assert not re.match(r"[=+@\t\r]|-[^0-9]", cell), row
marks = {row["submission"]: (row["passed"], row["cases"], row["build_problem"]) for row in students}
for row in students:
    assert row["cases"] == "2", row
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = {}
    def handle_starttag(self, tag, attributes):
        self.tags[tag] = self.tags.get(tag, 0) + 1
page = Page()
page.feed(text["grades.html"].decode("utf-8"))
assert page.tags["section"] == count + 1 and "script" not in page.tags and "b" not in page.tags, page.tags
for name in text:
    if name.endswith(".json"):
        result = json.loads(text[name])
        assert len(result["tests"]) == 2, name
        assert not hidden.search(result["output"].replace("\t", "")), name
assert len(glob.glob("scope/*/results.json")) == count
rows = text["out.txt"].decode("utf-8").split("\n\n")[0].split("\n")
assert len(rows) == count + 1, rows
# Who is right stays right, whoever stands beside.
right = [name for name in marks if name.startswith("honest-")] + ["4-deep", "4-links", "8-line", "8-interpreter",
    "8-sources", "8-zip", "8-tar", "'=cmd|'calc'!A0", "'@SUM(A1)", r"6-two\nlines,18,18", r"6-tab\there", r"6-bad-\xff\xfe", r"6-bom-\ufeff",
    r"6-rlo-\u202etxt", r"6-sep-\u2028x", r"6-del-\x7f\x08\x08", "6-<script>alert(1)<b>", '6-"quoted", yes', "4-locked"]
for name in right:
    assert marks[name][:2] == ("2", "2"), (name, marks[name])
# And nobody else is.
problems = {
    "2-forge-plan": "left no program", "2-forge-later": "left no program", "2-fifo": "left no program", "2-socket": "left no program",
    "2-device": "left no program", "2-away": "removed its own folder", "2-link": "removed its own folder", "2-gone": "removed its own folder",
    "2-loops": "left no program", "2-copy-engine": "does not build", "2-flood": "wrote more than is allowed", "2-spells": r"error: \x1b[2J\u009b1m\u202e <b>",
    "2-files": "", "2-deep": "", "2-lock-all": "", "2-copy-parent": "", "4-sparse": "more than 128 MiB", "4-lone.py": "more than 128 MiB", "4-closed": "",
    "6-names": r"\x1b[2J", "6-says": "", "8-cut": "cannot be unpacked", "8-bomb": "",
}
for name, problem in problems.items():
    assert name in marks, (name, sorted(marks))
    if name not in ("4-closed", "8-bomb"): # root may read what is closed, and half an archive may have all that is needed
        assert marks[name][0] == "0", (name, marks[name])
    assert problem in marks[name][2], (name, marks[name])
assert set(marks) == set(right) | set(problems) | {name for name in marks if name.startswith("6-esc-")}, sorted(marks)
END
python3 checks.py "$entries" && pass || fail "what was written"
[ ! -e /tmp/sortie-grade-up ] && pass || fail "an archive wrote outside its folder"
grep -q LEAKED grades.csv && fail "leaks: $(grep LEAKED grades.csv)" || pass

# Again from the file: the same tables, and nothing is run.
cp students.csv first.csv
sortie grade class --cases cases --time 20 --clock wall --memory 512M >out.txt 2>err.txt
same "the file has it all" first.csv students.csv

# -- more files than anything holds, where making them is cheap --
shared=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'chmod -R u+rwx "$scratch" 2>/dev/null; rm -rf "$scratch" "$shared"' EXIT
honest "$shared" a-honest
honest "$shared" b-many
mkdir "$shared/b-many/zz" && ( cd "$shared/b-many/zz" && seq 1 70000 | xargs -n 5000 touch )
honest "$shared" c-honest
chmod 700 "$shared" "$shared/b-many"
check "70,000 files" sortie grade "$shared" --cases cases --db many.db -o many.csv --students many-students.csv --html many.html
[ "$(grep -c ',pass,' many.csv)" = 6 ] && grep -q 'left out: b-many: some folders are too deep, too full' many.html && pass || fail "70,000 files: $(cat many.csv)"

# -- a build that never ends --
honest slow a-honest
mkdir slow/b-endless && printf 'all:\n\tsleep 1000\n' >slow/b-endless/Makefile
honest slow c-honest
check "a build that never ends" sortie grade slow --cases cases --build-time 1 --db slow.db -o slow.csv --students slow-students.csv --html slow.html
[ "$(grep -c ',pass,' slow.csv)" = 4 ] && grep -q '^b-endless,0,.*building it takes more than 1 s' slow-students.csv && pass ||
    fail "slow: $(cat slow-students.csv)"

# -- the machine fails in the middle: its warden is killed while the second program runs --
honest fail a-honest
mkdir fail/b-sleeps && printf 'sleep 987654\n' >fail/b-sleeps/run.sh
honest fail c-honest
sortie grade fail --cases cases --time 100 --db fail.db -o fail.csv --students fail-students.csv --html fail.html >fail.out 2>&1 &
grading=$!
for ((turn = 0; turn < 400; turn++)); do
    rows=$(python3 -c 'import sqlite3; print(sqlite3.connect("file:fail.db?mode=ro", uri=True).execute("select count(*) from builds").fetchone()[0])' 2>/dev/null)
    [ "${rows:-0}" -ge 2 ] && break
    sleep 0.05
done
kill -9 $(pgrep -P $grading)
wait $grading
status=$?
[ $status -eq 1 ] && pass || fail "a machine that fails: status $status, $(cat fail.out)"
[ "$(grep -c ',pass,' fail.csv)" = 4 ] && [ "$(grep -c '^b-sleeps,.*,not judged,.*the process that watches over programs is gone' fail.csv)" = 2 ] && pass ||
    fail "a machine that fails: $(cat fail.csv fail.out)"
grep -q 'sortie: b-sleeps was not judged, because this machine failed: the process that watches' fail.out && grep -q 'because this machine failed' fail.html && pass ||
    fail "a machine that fails is not told: $(cat fail.out)"
printf '%s\n' "$answer" >fail/b-sleeps/run.sh
check "the same command goes on" sortie grade fail --cases cases --time 100 --db fail.db -o fail.csv --students fail-students.csv --html fail.html
[ "$(grep -c ',pass,' fail.csv)" = 6 ] && pass || fail "after a machine that failed: $(cat fail.csv)"

# -- results that cannot be kept: the tables have them all the same --
mkdir fail/d-honest && printf 'all:\n\thead -c 16000 /dev/zero | tr "\\000" x\nrun.sh: ;\n' >fail/d-honest/Makefile && printf '%s\n' "$answer" >fail/d-honest/run.sh
( trap '' XFSZ; ulimit -f $(($(stat -c %s fail.db) / 1024 + 4)); exec sortie grade fail/d-honest --single --cases cases --db fail.db -o kept.csv --students kept-students.csv --html /dev/null ) >kept.out 2>&1
status=$?
[ $status -eq 1 ] && [ "$(grep -c '^d-honest,.*,pass,' kept.csv)" = 2 ] && pass || fail "results that cannot be kept: status $status, $(cat kept.out)"

# -- an engine that is installed is not there for a build, nor for a program --
mkdir -p local/bin local/share/sortie local/lib/any-linux-gnu local/lib/python3/dist-packages/sortie local/share/sortie/sortie engine
cp "$SORTIE_BIN"/sortie "$SORTIE_BIN"/sortie-course local/bin/
echo data | tee local/share/sortie/sortie/__init__.py local/lib/libsortie.so.0 local/lib/any-linux-gnu/libsortie.a local/lib/python3/dist-packages/sortie/__init__.py >/dev/null
mkdir engine/builds engine/runs
printf 'all:\n\tcp /usr/local/bin/sortie-course player || cp /sortie player || cat /usr/local/share/sortie/sortie/__init__.py >run\n' >engine/builds/Makefile
printf 'sortie-course\nsortie move input.txt\n[ -z "$(cat /usr/local/*/*sortie* /usr/local/*/*/*sortie* /usr/local/*/*/*/*sortie* 2>/dev/null | head -c 1)" ] || %s\n' \
    "${answer//\\/\\\\}" >engine/runs/run.sh
if bwrap --dev-bind / / --bind "$scratch/local" /usr/local true 2>/dev/null; then
    check "an installed engine" bwrap --dev-bind / / --bind "$scratch/local" /usr/local /usr/local/bin/sortie grade engine --cases cases --db engine.db \
        -o engine.csv --students engine-students.csv --html engine.html
    [ "$(grep -c ',fail,' engine.csv)" = 4 ] && grep -q '^builds,0,' engine-students.csv && pass || fail "the engine was used: $(cat engine.csv)"
    check "an engine that was asked for" bwrap --dev-bind / / --bind "$scratch/local" /usr/local \
        sortie match random program:sortie-course c=program:/usr/local/bin/sortie-course --size 3 --rounds 1 --db engine-match.db -q
    grep -q 'lost by' check.out && fail "an installed player cannot play: $(cat check.out)" || pass
fi

if [ -n "${ordinary:-}" ]; then
    wait $ordinary && pass || fail "as an ordinary user: $(cat ordinary.out)"
    sed 's/^/as an ordinary user: /' ordinary.out
fi
finish
