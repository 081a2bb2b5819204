# A student's program before it is handed in: sample cases, what is wrong with it, and nothing left behind.
. "$(dirname "$0")/lib.sh"
mkdir tmp
export TMPDIR=$scratch/tmp

# tried NAME STATUS PATTERN ARGUMENTS...: what `sortie check` says and how it ends.
tried() {
    local name=$1 wanted=$2 pattern=$3 status
    shift 3
    sortie check "$@" ${room:+--memory $room} >told.txt 2>told.err
    status=$?
    if [ $status -eq "$wanted" ] && grep -qE -- "$pattern" told.txt; then
        pass
    else
        fail "$name: status $status, wanted '$pattern'"
        cat told.txt told.err >&2
    fi
    [ -z "$(ls tmp)" ] && pass || fail "$name: left $(ls tmp)"
}

for pair in stake:sortie-course sneak:sortie-task laser:sortie-laser; do
    mkdir "${pair%:*}"
    cp "$SORTIE_BIN/${pair#*:}" "${pair%:*}/main"
    tried "${pair#*:}" 0 '^([0-9]) of \1 sample cases are right$' "${pair%:*}" --course "${pair%:*}"
done

# Explained with the words of diff; the course is found by what the source names.
mkdir homework
cat >homework/homework.py <<END
import os, subprocess, sys
search = os.path.join(os.path.dirname(os.path.abspath(__file__)), "search.txt")
subprocess.run([sys.executable, search, "order", "input.txt"])  # traverse_log.txt and next_state.txt
END
cp "$SORTIE_SOURCE/tests/cli/diff_student.py" homework/search.txt
tried "a wrong order of moves" 1 'mistake +wrong order of moves' homework
grep -qx 'course    sneak' told.txt && pass || fail "the course was not found"
printf 'int main(void) { return nothing; }\n' >homework.c
tried "no program" 1 'nothing.*undeclared' homework.c --course stake

# Lines that end in CRLF, as Laser Checkmate has them: who cannot read them is told.
cat >laser.py <<'END'
lines = open("input.txt", newline="").read().split("\n")
rows = [[int(c) for c in line] for line in lines[1:] if line]
size = len(rows)
def covered(row, column):
    seen = {(row, column)}
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            for step in (1, 2, 3):
                r, c = row + step * down, column + step * right
                if not (0 <= r < size and 0 <= c < size) or rows[r][c] == 3:
                    break
                seen.add((r, c))
    return seen
taken = set()
for row in range(size):
    for column in range(size):
        if rows[row][column] in (1, 2):
            taken |= covered(row, column)
free = [(r, c) for r in range(size) for c in range(size) if rows[r][c] == 0 and (r, c) not in taken]
open("output.txt", "w").write("%d %d" % free[0])
END
tried "CRLF" 1 'the lines of this input end in CRLF' laser.py --course laser
[ "$(grep -c ^right told.txt)" -eq 3 ] && pass || fail "CRLF: the others"
sed -i 's/, newline=""//' laser.py
tried "any line end" 0 '^4 of 4 sample cases' laser.py --course laser

# The same for a class: a page each, which names nobody else.
mkdir -p class/ann class/bob 'class/<i>eve' cases/one
cp homework/* class/bob
cp sneak/main class/ann/main
cp laser.py 'class/<i>eve/main.py'
printf '3\nX\n2\n1 2 3 4 5\n6 7 8 9 1\n2 3 4 5 6\n7 8 9 1 2\n3 4 5 6 7\nXXXXX\nOOOOO\nXXXXX\nOO*O*\nXX**X\n' >cases/one/input.txt
check "a class" sortie grade class --feedback pages ${room:+--memory $room}
check "pages" test -s pages/index.html -a -s pages/ann.html -a -s pages/bob.html -a -s 'pages/<i>eve.html'
check "what is wrong, explained" grep -q 'mistake   wrong order of moves' pages/bob.html
check "and nothing where nothing is" grep -q '1 of 1 cases right' pages/ann.html
! grep -q 'What is wrong' pages/ann.html && ! grep -qE '\b(ann|eve)\b' pages/bob.html && pass || fail "a page says too much"
! grep -q '<i>' pages/*.html && grep -q 'href="%3Ci%3Eeve.html"' pages/index.html && pass || fail "names are not escaped"
rm -r pages
check "again, from what is kept" sortie grade class --feedback pages ${room:+--memory $room}
check "what is kept explains it too" grep -q 'mistake   wrong order of moves' pages/bob.html

refused "no program named" 'check: expected your program' sortie check
refused "an unknown course" "expected stake, sneak or laser for --course, found 'chess'" sortie check laser.py --course chess
refused "a missing program" 'missing: No such file' sortie check missing
refused "Gomoku" 'Gomoku has no sample cases' sortie check laser.py --course gomoku
echo 'print(1)' >plain.py
refused "no course to be seen" 'do not tell the course' sortie check plain.py
finish
