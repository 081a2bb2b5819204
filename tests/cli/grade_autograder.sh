# sortie grade --autograder: the zip Gradescope takes, unpacked and called as Gradescope does, with what an ordinary
# container allows.
. "$(dirname "$0")/lib.sh"

class=$SORTIE_SOURCE/examples/class
has() { grep -qF -- "$3" "$2" && pass || fail "$1: $(cat "$2")"; }
cp -r "$class/cases" cases
printf 'case,points,visibility\n*,2,\nlarger/*,5,hidden\n' >points.csv
make_zip() { sortie grade --autograder "$1" --cases cases --points points.csv --program "$SORTIE_BIN/sortie" "${@:2}"; }

check "the archive" make_zip a.zip --late-free 1 --run "sh 'my run'" --packages 'python3 gcc'
has "what it has is said" check.out 'a.zip has '
touch cases/board-1/* cases 2>/dev/null
TZ=Asia/Tokyo make_zip b.zip --late-free 1 --run "sh 'my run'" --packages 'python3 gcc' >/dev/null 2>&1
cmp -s a.zip b.zip && pass || fail "the same files give other bytes"
python3 - <<'END' && pass || fail "the archive's content"
import zipfile
archive = zipfile.ZipFile("a.zip")
assert archive.testzip() is None
modes = {info.filename: info.external_attr >> 16 & 0o777 for info in archive.infolist()}
assert modes["setup.sh"] == modes["run_autograder"] == modes["sortie/sortie"] == 0o755, modes
assert any(name.startswith("sortie/cases/") and name.endswith("input.txt") for name in modes), modes
assert archive.read("sortie/cases/points.csv") == open("points.csv", "rb").read()
assert b"for package in python3 gcc; do" in archive.read("setup.sh")
run = archive.read("run_autograder")
assert b"'--late-free' '1'" in run and b"'--run' 'sh '\\''my run'\\'''" in run, run
END
case $(file -L "$SORTIE_BIN/sortie" 2>/dev/null) in
*dynamically*) refused "a program that needs libraries" 'needs libraries that .* --program names' sortie grade --autograder c.zip --cases cases ;;
esac
refused "no program" 'expected a program for Linux on x86-64' sortie grade --autograder c.zip --cases cases --program points.csv
refused "cases are looked at" 'sortie: ' sortie grade --autograder c.zip --cases . --program "$SORTIE_BIN/sortie"
refused "a shell's words" "expected names of Ubuntu's packages" make_zip c.zip --packages 'gcc; rm -rf /'
refused "submissions" 'expected no submissions with --autograder, found 1' make_zip c.zip cases

# As Gradescope calls it.
check "the archive for all" make_zip a.zip
[ "$(id -u)" -eq 0 ] || { lacks "Gradescope's container has root"; finish; }
contained() { python3 "$SORTIE_SOURCE/tests/support/contained.py" "$@"; }
contained true || { lacks "no container can be made here"; finish; }
[ -z "${SORTIE_SANITIZE:-}" ] || { lacks "no sanitizer where programs are locked in"; finish; }
chmod 755 "$scratch"
root=$scratch/autograder
export AUTOGRADER=$root
mkdir -p "$root/source" "$root/submission"
python3 - "$root/source" <<'END'
import os, sys, zipfile
archive = zipfile.ZipFile("a.zip")
for info in archive.infolist():
    path = archive.extract(info, sys.argv[1])
    os.chmod(path, info.external_attr >> 16)
END
mkdir tools # nothing is fetched here
printf '#!/bin/sh\nexit 0\n' >tools/apt-get
chmod 755 tools/apt-get
check "setup.sh" env PATH="$PWD/tools:$PATH" bash "$root/source/setup.sh"
cp "$root/source/run_autograder" "$root/"
cp "$class"/submissions/ann/* "$root/submission/"
cat >"$root/submission_metadata.json" <<'END'
{"created_at": "2026-03-03T12:00:00-08:00", "assignment": {"due_date": "2026-03-02T23:00:00-08:00"}, "users": []}
END
check "run_autograder" contained "$root/run_autograder"
python3 - "$root/results/results.json" <<'END' && pass || fail "results: $(cat "$root/results/results.json"; cat check.out)"
import json, sys
results = json.load(open(sys.argv[1]))
tests = results["tests"]
most = sum(test["max_score"] for test in tests)
assert results["score"] == most * 0.9 > 0, results["score"]
assert {test.get("visibility", "visible") for test in tests} == {"visible", "hidden"}
assert results["stdout_visibility"] == "hidden"
assert [entry["name"] for entry in results["leaderboard"]] == ["points", "slowest case (s)"]
assert "1 of" not in results["output"] and "days late" in results["output"], results["output"]
END

# One that reads the answers from where they are.
rm "$root"/submission/* && cat >"$root/submission/homework.py" <<END
import glob, os, shutil
text = "nothing"
for name in glob.glob("$root/source/sortie/cases/**/output.txt", recursive=True) + ["$root/source/sortie/cases/points.csv"]:
    try: text = "LEAKED " + open(name).read()
    except OSError as problem: text = str(problem)
try: open("$root/results/results.json", "w").write("LEAKED")
except OSError: pass
open("output.txt", "w").write(text)
raise SystemExit(text)
END
check "a thief" contained "$root/run_autograder"
grep -q LEAKED "$root/results/results.json" && fail "the answers: $(cat "$root/results/results.json")" || pass
has "it has nothing" "$root/results/results.json" '"score": 0,'
has "what it said" "$root/results/results.json" 'Permission denied'

# Where sortie itself fails there are results all the same.
rm "$root/source/sortie/sortie"
check "without sortie" contained "$root/run_autograder"
has "teachers are told" "$root/results/results.json" '"visibility": "hidden"'
finish
