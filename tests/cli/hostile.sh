# A hostile class, graded and matched, as root and as an ordinary user: nothing leaks, nothing is left, the honest keep
# their points. tests/hostile has the programs; each answers LEAKED when it got what it must not get.
. "$(dirname "$0")/lib.sh"
[ -z "${SORTIE_SANITIZE:-}" ] || exit 0 # a sanitizer takes more memory than a class may have; the programs have none in them

# As root the second half is this script again, as a user that nobody else is.
stranger=$((54321 + $$ % 5000))
if [ "$(id -u)" -eq 0 ] && [ -z "${HOSTILE_HALF:-}" ]; then
    mkdir -p ordinary/bin ordinary/tests/cli ordinary/tests/hostile
    cp "$SORTIE_BIN"/sortie "$SORTIE_BIN"/tests/hostile/hostile ordinary/bin/
    cp "$SORTIE_SOURCE"/tests/cli/hostile.sh "$SORTIE_SOURCE"/tests/cli/lib.sh ordinary/tests/cli/
    cp "$SORTIE_SOURCE"/tests/hostile/search.* ordinary/tests/hostile/
    chmod 755 . ; chown -R $stranger:$stranger ordinary
    HOSTILE_HALF=1 SORTIE_BIN=$scratch/ordinary/bin SORTIE_SOURCE=$scratch/ordinary TMPDIR=$scratch/ordinary \
        setpriv --reuid $stranger --regid $stranger --clear-groups bash ordinary/tests/cli/hostile.sh >ordinary.out 2>&1 &
    ordinary=$!
fi

# -- the machine and what is worth attacking on it --
hostile=$SORTIE_BIN/tests/hostile/hostile
[ -x "$hostile" ] || hostile=$SORTIE_BIN/hostile
word=top; word=${word}secret
export HOSTILE_SECRET=$word HOME=$scratch/home TMPDIR=$scratch/tmp
mkdir home class slow cases tmp
echo "$word" >home/secret
echo "$word" >results-of-others.db
mkdir cases/one
printf '3\nCOMPETITION\nX\n5\n1 2 3\n4 5 6\n7 8 9\n...\n...\n..O\n' >cases/one/input.txt
echo "$word" >cases/one/values.txt
sleep 1000 &
victim=$!
python3 - >port 2>/dev/null <<END &
import socket, sys
tcp = socket.socket(); tcp.bind(("127.0.0.1", 0)); tcp.listen()
unix = socket.socket(socket.AF_UNIX); unix.bind("\0hostile-$$"); unix.listen()
print(tcp.getsockname()[1], flush=True)
tcp.accept(); open("connected", "w").close()
END
server=$!
trap 'kill $victim $server 2>/dev/null; wait 2>/dev/null; chmod -R u+rwx "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT
until [ -s port ]; do sleep 0.05; done

# submit FOLDER NAME ATTACK: hands a program in.
submit() {
    mkdir "$1/$2"
    cp "$hostile" "$1/$2/$3"
    cat >"$1/$2/target.txt" <<END
answer $scratch/cases/one/values.txt
case $scratch/cases/one/input.txt
neighbour $scratch/class/first/honest
class $scratch/$1
own $2/$3
database ${4:-$scratch/results-of-others.db}
secret $scratch/home/secret
victim $victim
port $(cat port)
socket hostile-$$
END
}
attacks=$("$hostile" | grep -vx honest)
for attack in $attacks; do
    case $attack in
    sleeps | stops) submit slow $attack $attack ;;
    *) submit class $attack $attack ;;
    esac
done
# The honest: the first, the last, and whoever comes after the worst.
honest="first zz-last $(for name in chmod-read chmod-zero deep-folders fill-disk fork-bomb input-folder kill-all rename-folder; do echo $name-neighbour; done)"
for name in $honest; do submit class $name honest; done
# Two that search everything for the secret.
for ending in sh py; do
    submit class search-$ending honest
    cp "$SORTIE_SOURCE/tests/hostile/search.$ending" class/search-$ending/run.$ending
done
chmod 700 class home cases

# -- what must stay as it is --
state() {
    find home class slow cases results-of-others.db -printf '%p %y %m %u %s %T@\n' | sort
    stat -c '%n %a %U' / /tmp /etc /usr
    grep -E "^sortie |$scratch" /proc/self/mounts
    find /dev/shm -maxdepth 1 -user "$(id -u)" | sort
    awk '{print $1, $2}' /proc/sysvipc/shm
    find "$TMPDIR"
}
# Processes of programs, or of their sandbox.
strangers() { ps -ww -eo pid=,args= | grep -F -e "$scratch/class/" -e "$scratch/slow/" | grep -v grep; }
state >state.before

# expected NAME grade|match: what a program of that name must come to.
expected() {
    case $1 in
    huge-file | flood | flood-errors) echo babbling ;;
    memory-heap | memory-shared | memory-forked | crashes) echo crash ;;
    fork-bomb) echo forking ;;
    sleeps | stops) echo "too late" ;;
    fill-and-stay) [ $2 = match ] && echo babbling || echo fine ;;
    output-folder | output-link | output-pipe | output-socket) [ $2 = match ] && echo "bad answer" || echo "no answer" ;;
    remove-folder) [ $2 = match ] && echo "no answer" || echo wrong ;;
    daemon-writes) echo any ;; # it may spoil its own answer or be ended before
    *) echo fine ;;
    esac
}

# -- graded --
grade() {
    timeout 300 sortie grade "$1" --cases cases --time $2 --clock wall --memory 256M -o "$1.csv" --html "$1.html" >"$1.out" 2>&1 ||
        fail "grading ended with status $?: $(cat "$1.out")"
    python3 - "$1.csv" >"$1.verdicts" <<'END'
import csv, sys
for row in csv.DictReader(open(sys.argv[1], errors="replace")):
    print(row["submission"] + "\t" + ("fine" if row["result"] == "pass" else row["fault"] or "wrong") + "\t" + row["first_difference"])
END
}
grade class 60
grade slow 2
cat class.verdicts slow.verdicts >verdicts
judged() {
    local found
    while IFS=$'\t' read -r name found detail; do
        wanted=$(expected "$name" "$1")
        [ "$wanted" = any ] || [ "$wanted" = "$found" ] && pass || fail "$1: $name came to '$found' ($detail), wanted '$wanted'"
    done <verdicts
    for name in $honest $attacks; do
        grep -q "^$name"$'\t' verdicts && pass || fail "$1: $name was not judged"
    done
    grep -q LEAKED "$2" && fail "$1: leaks: $(grep LEAKED "$2")" || pass
}
judged grade verdicts
[ -z "$(strangers)" ] && pass || fail "processes are left after grading: $(strangers)"

# -- matched --
players=()
for name in $honest $attacks; do
    case $name in
    stops) continue ;; # as sleeps, and each takes its whole time
    sleeps) players+=("$name=program:$scratch/slow/$name/$name") ;;
    *) players+=("$name=program:$scratch/class/$name/$(cd "class/$name" && ls | grep -v target.txt)") ;;
    esac
done
for folder in class/*/; do sed -i "s|^database .*|database $scratch/results.db|" "$folder/target.txt"; done
state >state.before
timeout 500 sortie match random "${players[@]}" --gauntlet --rounds 1 --size 3 --time-per-move 5 --memory 256M -j 2 -q \
    --db results.db >match.out 2>&1 || fail "the match ended with status $?: $(cat match.out)"
sortie report results.db --csv >match.csv
python3 - match.csv >verdicts <<'END'
import csv, sys
for row in csv.DictReader(open(sys.argv[1], errors="replace")):
    side = "second" if row["first"] == "random" else "first"
    lost = row["points_" + side] == "0"
    print(row[side] + "\t" + ("fine" if row["ended_by"] == "rules" else row["ended_by"] if lost else "another's fault") + "\t" + row["detail"])
END
attacks=$(echo "$attacks" | grep -vx stops)
judged match match.csv
[ -z "$(strangers)" ] && pass || fail "processes are left after the match: $(strangers)"

# -- nothing is left, nothing is changed --
state >state.after
same "nothing is changed" state.before state.after
kill -0 $victim 2>/dev/null && ! grep -q '^State:.*T' /proc/$victim/status && pass || fail "the victim is gone or stopped"
[ ! -e connected ] && pass || fail "somebody reached the server"

if [ -n "${ordinary:-}" ]; then
    wait $ordinary && pass || fail "as an ordinary user: $(cat ordinary.out)"
    left=$(ps -ww -o pid=,args= -u $stranger | grep -F "$scratch")
    [ -z "$left" ] && pass || fail "left by an ordinary user: $left"
    sed 's/^/as an ordinary user: /' ordinary.out
fi
finish
