# What programs of a match are given and what they see: setup=, file=, show=, their own folder; and matches without a sandbox.
. "$(dirname "$0")/lib.sh"

# play NAME ARGUMENTS...: a match of two games on 3x3 against chance; games.csv has what became of it.
play() {
    rm -f results.db
    sortie match -q "$1" random --size 3 --games 2 --time-per-move 20 "${@:2}" >out 2>err || return 1
    sortie report results.db --csv >games.csv
}
# fine NAME ARGUMENTS... and lost NAME CAUSE ARGUMENTS...: both games ended so.
fine() {
    play "${@:2}" && [ "$(grep -c ',rules,' games.csv)" = 2 ] && pass || fail "$1: $(cat out err games.csv)"
}
lost() {
    play "${@:3}" && [ "$(grep -c "$2" games.csv)" = 2 ] && pass || fail "$1: wanted $2: $(cat out err games.csv)"
}

# A player that plays only when every file named in its arguments says "fit". A dash in front hides a name from sortie: files
# that a command names are shown to the program.
cat >careful.py <<'END'
import sys
for name in sys.argv[1:]:
    if open(name.lstrip("-")).read() != "fit\n":
        sys.exit("unfit")
lines = open("input.txt").read().split("\n")
size = int(lines[0])
rows = [list(row) for row in lines[4 + size:4 + 2 * size]]
row, column = next((r, c) for r in range(size) for c in range(size) if rows[r][c] == ".")
rows[row][column] = lines[2][0]
with open("output.txt", "w") as answer:
    answer.write("%s%d Stake\n" % (chr(65 + column), row + 1) + "".join("".join(r) + "\n" for r in rows))
END
printf 'fit\n' >calibration.txt
mkdir own shared elsewhere
cp careful.py own/
printf 'fit\n' | tee own/beside.txt shared/a.txt elsewhere/data.txt >/dev/null
cp careful.py shared/one.py
cp careful.py shared/two.py

fine "plays at all" "program:python3 careful.py"
lost "sees only itself in the current folder" ',crash,.*status 1' "program:python3 careful.py -$scratch/elsewhere/data.txt"
lost "not even the file beside it" ',crash,.*status 1' "program:python3 careful.py -$scratch/calibration.txt"
fine "what its command names is shown" "program:python3 careful.py elsewhere/data.txt"
fine "files= is copied" "program,file=calibration.txt:python3 careful.py ./calibration.txt"
fine "its own folder is shown" "program:python3 own/careful.py -$scratch/own/beside.txt"
fine "show= shows" "program,show=elsewhere:python3 careful.py -$scratch/elsewhere/data.txt"
printf 'import sys\nopen("made.txt", "w").write("fit\\n")\nopen("again.txt", "a").write("fit\\n")\n' >prepare.py
fine "setup= makes files, once" "program,setup=python3 prepare.py:python3 careful.py made.txt again.txt"
fine "setup= sees the files" "program,file=calibration.txt,setup=cp calibration.txt copy.txt:python3 careful.py copy.txt"
lost "a setup that fails" 'not started,.*setup ended with status 1' "program,setup=false:python3 careful.py"
sortie match -q "one=program:python3 shared/one.py -$scratch/shared/two.py" "two=program:python3 shared/two.py" --size 3 --games 2 \
    --time-per-move 20 --db shared.db >out 2>err
[ "$(sortie report shared.db --csv | grep -c ',crash,')" = 2 ] && pass || fail "one player saw the other: $(cat out err)"
refused "no such file" "nothing.txt: No such file" sortie match "program,file=nothing.txt:true" random --db none.db
refused "an empty setup" "expected the command" sortie match "program,setup=:true" random --db none.db

# A match is carried on from another folder: paths were kept absolute.
rm -f results.db
sortie match -q "program,file=calibration.txt,show=elsewhere:python3 careful.py -calibration.txt -$scratch/elsewhere/data.txt" random \
    --size 3 --games 2 --time-per-move 20 >out 2>err
(cd elsewhere && sortie match --resume --yes --games 4 --db ../results.db -q >out 2>err)
[ "$(sortie report results.db --csv | grep -c ',rules,')" = 4 ] && pass || fail "resume from elsewhere: $(cat elsewhere/out elsewhere/err)"

# With a depth a Stake-Raid program is asked for a search of that depth: many have done nothing else. It is never deeper
# than there are free squares.
cat >textbook.py <<'END'
import subprocess, sys
lines = open("input.txt").read().split("\n")
size = int(lines[0])
free = "".join(lines[4 + size:4 + 2 * size]).count(".")
if lines[1] != sys.argv[1] or int(lines[3]) != min(int(sys.argv[2]), free):
    sys.exit("asked for " + " ".join(lines[1:4]))
subprocess.run([sys.executable, sys.argv[3]], check=True)
END
for mode in "depth=2 ALPHABETA 2" "task=2,depth=3 MINIMAX 3" "task=3,depth=1 ALPHABETA 1"; do
    set -- $mode
    fine "$1 asks for $2 of depth $3" "program,$1:python3 textbook.py $2 $3 careful.py"
done

# Nor in Sneak-Raid, where the file says it by task and depth.
cat >sneaking.py <<'END'
import sys
lines = open(sys.argv[2]).read().split("\n")
rows = [list(row) for row in lines[8:13]]
free = [(r, c) for r in range(5) for c in range(5) if rows[r][c] == "*"]
if lines[0] != "2" or int(lines[2]) != min(4, len(free)):
    sys.exit("task %s of depth %s with %d squares" % (lines[0], lines[2], len(free)))
row, column = free[0]
near = [(r, c) for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        if 0 <= r < 5 and 0 <= c < 5 and rows[r][c] != "*"]
raid = any(rows[r][c] == lines[1] for r, c in near)
rows[row][column] = lines[1]
for r, c in near if raid else []:
    rows[r][c] = lines[1]
open("next_state.txt", "w").write("".join("".join(row) + "\n" for row in rows))
END
sortie match -q "program,task=2,depth=4:python3 sneaking.py" random --variant sneak --games 2 --time-per-move 20 \
    --db sneak.db >out 2>err
[ "$(sortie report sneak.db --csv | grep -c ',rules,')" = 2 ] && pass || fail "depth in Sneak-Raid: $(cat out err)"

# The page shows what a crashed program said.
play "program:sh -c 'echo I am lost >&2; kill -SEGV \$\$'"
sortie report results.db -o page.html >/dev/null && grep -q 'I am lost' page.html && grep -q 'killed by signal 11' page.html && pass ||
    fail "the page is silent about the crash: $(cat games.csv)"

# -- without bubblewrap: refused, and loud with --unsafe --
mkdir bin
for program in /bin/* /usr/bin/*; do
    case $program in */bwrap) ;; *) ln -sf "$program" bin/ ;; esac
done
plain() { PATH=$SORTIE_BIN:$scratch/bin "$@"; }
plain sortie match -q "program:python3 careful.py" random --size 3 --games 2 --db unsafe.db >out 2>err
[ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'cannot be locked in.*bwrap.*--unsafe' err && [ ! -e unsafe.db ] && pass ||
    fail "not refused: $(cat out err; ls)"
plain sortie match -q "program:python3 careful.py" random --size 3 --games 2 --time-per-move 20 --db unsafe.db --unsafe >out 2>err
[ $? = 0 ] && [ "$(grep -c '^sortie: WARNING: no sandbox' err)" = 1 ] && [ "$(sortie report unsafe.db --csv | grep -c ',rules,')" = 2 ] &&
    pass || fail "unsafe: $(cat out err)"
check "builtin players need no sandbox" plain sortie match -q greedy random --size 3 --games 2 --db builtin.db
# Even so a program's folder is made new every time, whatever it did to it, and nothing is left.
export TMPDIR=$scratch/tmp
mkdir tmp
cat >spoil.py <<'END'
import os, sys
here = os.getcwd()
exec(open(sys.argv[1]).read(), {"sys": type("s", (), {"argv": [0], "exit": sys.exit})})
for level in range(300):
    os.mkdir("d"); os.chdir("d")
os.chdir(here)
try:
    os.rename(here, here + "-moved"); os.symlink(os.environ["HOME"], here)
except OSError:
    pass
os.chmod(here + "-moved" if os.path.islink(here) else here, 0)
END
mkdir -m 755 home
stat -c %a home >before
HOME=$scratch/home plain sortie match -q "program:python3 spoil.py $scratch/careful.py" "program:python3 careful.py" --size 3 --games 2 \
    --time-per-move 20 --db spoilt.db --unsafe >out 2>err
[ $? = 0 ] && [ "$(stat -c %a home)" = "$(cat before)" ] && [ -z "$(ls tmp)" ] && pass || fail "unsafe and spoilt: $(cat out err; ls -la tmp home)"
finish
