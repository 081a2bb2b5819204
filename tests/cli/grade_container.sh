# sortie grade where there are no namespaces, as in an ordinary container, and it is root: programs run as a user of
# their own, who reads no answers, no results and nobody else's files, writes nowhere else and leaves nothing behind.
. "$(dirname "$0")/lib.sh"

contained() { python3 "$SORTIE_SOURCE/tests/support/contained.py" "$@"; }
[ "$(id -u)" -eq 0 ] || { lacks "a container needs root"; finish; }
contained true || { lacks "no container can be made here"; finish; }
[ -z "${SORTIE_SANITIZE:-}" ] || { lacks "no sanitizer where programs are locked in"; finish; }

# The program and the class where nobody else may look; a folder for results that everybody may read, as Gradescope's.
chmod 755 "$scratch"
mkdir -m 700 private
cp "$SORTIE_BIN/sortie" private/
cp -r "$SORTIE_SOURCE/examples/class/cases" private/cases
mkdir -m 755 open open/results
word=$(head -c 12 /dev/urandom | base64 | tr -d '/+=')
echo "$word" >>private/cases/secret.txt
cd private || exit 1
sortie="$scratch/private/sortie"

# Honest programs of four kinds.
mkdir class
cp -r "$SORTIE_SOURCE"/examples/class/submissions/{ann,ben,cleo,hal} class/
honest=$(ls class | wc -l)
# One that searches for the answers, tries to write where it must not, and leaves processes and files behind. What it
# finds goes to a file that everybody may write, which stays.
mkdir class/zed
: >"$scratch/open/found"
chmod 666 "$scratch/open/found"
cat >class/zed/homework.py <<END
import os, socket, subprocess, sys
found = open("$scratch/open/found", "a")
def tell(what): found.write(what + "\n"); found.flush()
def attempt(what, do):
    try:
        if do() is not False: tell("LEAKED " + what)
    except OSError:
        pass
tell("ran as %d" % os.getuid())
if os.getuid() == 0: tell("LEAKED root")
private = "$scratch/private"
attempt("list", lambda: os.listdir(private))
attempt("answers", lambda: open(private + "/cases/board-1/output.txt").read())
attempt("secret", lambda: open(private + "/cases/secret.txt").read())
attempt("results", lambda: open(private + "/grades.db", "rb").read())
attempt("engine", lambda: subprocess.run([private + "/sortie", "--version"]))
attempt("another's files", lambda: open(private + "/class/ann/main.c").read())
attempt("forged results", lambda: open("$scratch/open/results/results.json", "w"))
here = os.path.dirname(os.path.abspath(__file__))
if here != os.getcwd(): # a copy of its own folder is its own
    attempt("own submission", lambda: open(os.path.abspath(__file__), "a"))
    attempt("beside it", lambda: open(here + "/x", "w"))
attempt("shadow", lambda: open("/etc/shadow").read())
attempt("root again", lambda: os.setuid(0))
attempt("network", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
attempt("memory of the grader", lambda: open("/proc/%d/mem" % os.getppid(), "rb").read(1))
attempt("environment of the grader", lambda: open("/proc/%d/environ" % os.getppid(), "rb").read())
attempt("kill the grader", lambda: os.kill(os.getppid(), 9))
attempt("kept a secret", lambda: bool(os.environ.get("CONTAINED_SECRET")) and None)
# Worlds of others, and what an earlier run has left.
for name in os.listdir("/tmp"):
    if name.startswith("sortie-") and os.path.abspath(__file__).find("/" + name + "/") < 0:
        attempt("the world of another", lambda: os.listdir("/tmp/" + name))
for folder in ("/tmp", "/var/tmp", "/dev/shm"):
    if os.path.exists(folder + "/zed-was-here"): tell("LEAKED a file of an earlier run")
    try: open(folder + "/zed-was-here", "w").write("x")
    except OSError: pass
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["zed-sleeps", "1000"])
    os._exit(0)
END
CONTAINED_SECRET=x contained env CONTAINED_SECRET=x "$sortie" grade class -c cases -j 2 --gradescope "$scratch/open/results" >out.txt 2>&1
status=$?
[ $status -eq 0 ] && pass || fail "graded in a container: status $status: $(cat out.txt)"
grep -q 'note: no sandbox (.*): programs run as a user of their own' out.txt && pass || fail "it is not said: $(cat out.txt)"
grep -q '^ran as' "$scratch/open/found" && pass || fail "the search did not run: $(grep zed students.csv)"
grep -q LEAKED "$scratch/open/found" && fail "$(sort "$scratch/open/found" | uniq -c)" || pass
pgrep -f zed-sleeps >/dev/null && { fail "a process was left behind"; pkill -f zed-sleeps; } || pass
ls -d /tmp/sortie-* /tmp/zed-was-here /var/tmp/zed-was-here /dev/shm/zed-was-here 2>/dev/null | grep -q zed && fail "files were left behind" || pass
cp students.csv contained.csv

# Everybody else has what they have in a sandbox.
"$sortie" grade class -c cases --db sandbox.db >sandbox.txt 2>&1
sed -E 's/,[0-9]+\.[0-9]{6},/,,/' contained.csv | grep -v '^zed' | cut -d, -f1-16 >a.csv
sed -E 's/,[0-9]+\.[0-9]{6},/,,/' students.csv | grep -v '^zed' | cut -d, -f1-16 >b.csv
[ "$(wc -l <a.csv)" -eq $((honest + 1)) ] && cmp -s a.csv b.csv && pass || fail "marks differ: $(diff a.csv b.csv)"

# A container of an ordinary user's has few numbers of users.
CONTAINED_USERS=65536 contained "$sortie" grade class/ann --single -c cases --db few.db >few.txt 2>&1
[ $? -eq 0 ] && grep -q '^ann  *18.00/18.00' few.txt && pass || fail "few users: $(cat few.txt)"

# What others could read is refused before anything runs, and Gradescope's teachers are told.
chmod 755 "$scratch/private"
contained "$sortie" grade class/ann --single -c cases --db r.db --gradescope "$scratch/open/told" >refused.txt 2>&1
[ $? -eq 1 ] && grep -q "could read $scratch/private/cases, .*: chmod 700 it" refused.txt && pass || fail "open cases: $(cat refused.txt)"
grep -q 'could read' "$scratch/open/told/results.json" && pass || fail "Gradescope is not told"
chmod 700 "$scratch/private"
chmod 777 "$scratch/open/told"
contained "$sortie" grade class/ann --single -c cases --db r.db --gradescope "$scratch/open/told" >refused.txt 2>&1
[ $? -eq 1 ] && grep -q "could write $scratch/open/told: chmod go-w" refused.txt && pass || fail "open results: $(cat refused.txt)"
finish
