# A hostile class, graded and matched, as root and as an ordinary user: nothing leaks, nothing is left, the honest keep
# their points. tests/hostile has the programs and what each must come to; each answers LEAKED when it got what it must
# not get. Some are run once more with and without a control group, and where there are no user namespaces.
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
mkdir home class slow cpu cases tmp
echo "$word" >home/secret
echo "$word" >results-of-others.db
mkdir cases/one
printf '3\nCOMPETITION\nX\n5\n1 2 3\n4 5 6\n7 8 9\n...\n...\n..O\n' >cases/one/input.txt
printf '# %s\nA1 Stake 1\n' "$word" >cases/one/values.txt
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
"$hostile" >attacks.tsv # lines of group, name, what it must come to graded, and matched
# attacks_of GROUP: the names of its attacks.
attacks_of() { awk -F'\t' -v group="$1" '$1 == group && $2 != "honest" { print $2 }' attacks.tsv; }
[ "$(wc -l <attacks.tsv)" -gt 100 ] && pass || fail "only $(wc -l <attacks.tsv) attacks"
attacks=
for group in class slow cpu; do
    for attack in $(attacks_of $group); do submit $group $attack $attack; done
    attacks="$attacks $(attacks_of $group)"
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
    find home class slow cpu cases results-of-others.db -printf '%p %y %m %u %s %T@\n' | sort
    stat -c '%n %a %U' / /tmp /etc /usr
    grep -E "^sortie |$scratch" /proc/self/mounts
    find /dev/shm -maxdepth 1 -user "$(id -u)" | sort
    awk '{print $1, $2}' /proc/sysvipc/shm
    find "$TMPDIR"
}
# Processes of programs, or of their sandbox.
strangers() { ps -ww -eo pid=,args= | grep -F -e "$scratch/class/" -e "$scratch/slow/" -e "$scratch/cpu/" -e "$scratch/brains/" | grep -v grep; }
state >state.before

# expected NAME grade|match: what a program of that name must come to; those that are in no table are honest.
expected() {
    awk -F'\t' -v name="$1" -v column=$([ "$2" = grade ] && echo 3 || echo 4) \
        '$2 == name { wanted = $column } END { print wanted ? wanted : "fine" }' attacks.tsv
}

# -- graded --
# grade FOLDER OPTIONS: what came of it is in FOLDER.verdicts.
grade() {
    local folder=$1
    shift
    timeout 300 sortie grade "$folder" --cases cases "$@" --memory 256M -o "$folder.csv" --html "$folder.html" >"$folder.out" 2>&1 ||
        fail "grading ended with status $?: $(cat "$folder.out")"
    python3 - "$folder.csv" >"$folder.verdicts" <<'END'
import csv, sys
for row in csv.DictReader(open(sys.argv[1], errors="replace")):
    print(row["submission"] + "\t" + ("fine" if row["result"] == "pass" else row["fault"] or "wrong") + "\t" + row["first_difference"])
END
}
cpu_limit="--time 0.5 --clock cpu --grace 60"
grade class --time 60 --clock wall
grade slow --time 2 --clock wall
grade cpu $cpu_limit
cat class.verdicts slow.verdicts cpu.verdicts >verdicts
judged() {
    local found
    while IFS=$'\t' read -r name found detail; do
        wanted=$(expected "$name" "$1")
        [ "$wanted" = any ] || [[ "|$wanted|" = *"|$found|"* ]] && pass || fail "$1: $name came to '$found' ($detail), wanted '$wanted'"
    done <verdicts
    for name in $honest $attacks; do
        grep -q "^$name"$'\t' verdicts && pass || fail "$1: $name was not judged"
    done
    grep -q LEAKED "$2" && fail "$1: leaks: $(grep LEAKED "$2")" || pass
}
judged grade verdicts
[ -z "$(strangers)" ] && pass || fail "processes are left after grading: $(strangers)"

# -- matched --
# play OPTIONS PLAYERS: what came of it is in `verdicts`, from match.csv.
play() {
    rm -f results.db
    timeout 500 sortie match random "$@" --gauntlet --rounds 1 --memory 256M -j 2 -q --db results.db >match.out 2>&1 ||
        fail "the match ended with status $?: $(cat match.out)"
    sortie report results.db --csv >match.csv
    python3 - match.csv >verdicts <<'END'
import csv, sys
for row in csv.DictReader(open(sys.argv[1], errors="replace")):
    side = "second" if row["first"] == "random" else "first"
    lost = row["points_" + side] == "0"
    print(row[side] + "\t" + ("fine" if row["ended_by"] == "rules" else row["ended_by"] if lost else "another's fault") + "\t" + row["detail"])
END
}
players=()
for name in $honest $(attacks_of class); do
    players+=("$name=program:$scratch/class/$name/$(cd "class/$name" && ls | grep -v target.txt)")
done
for folder in class/*/; do sed -i "s|^database .*|database $scratch/results.db|" "$folder/target.txt"; done
state >state.before
play "${players[@]}" --size 3 --time-per-move 20
attacks=$(attacks_of class)
judged match match.csv
[ -z "$(strangers)" ] && pass || fail "processes are left after the match: $(strangers)"

# -- nothing is left, nothing is changed --
state >state.after
same "nothing is changed" state.before state.after
kill -0 $victim 2>/dev/null && ! grep -q '^State:.*T' /proc/$victim/status && pass || fail "the victim is gone or stopped"
[ ! -e connected ] && pass || fail "somebody reached the server"


# -- those that take all of a short time, and a few under a clock that counts CPU time --
honest=
attacks=sleeps # the others would only wait as long
play sleeps=program:$scratch/slow/sleeps/sleeps --size 3 --time-per-move 1
judged match match.csv
attacks="cpu-ignored cpu-honest"
play $(for name in $attacks; do echo "$name=program:$scratch/cpu/$name/$name"; done) --size 3 --time-per-move 0.5 --clock cpu --grace 60
judged match match.csv

# -- brains --
mkdir brains
attacks=$(attacks_of brain)
for name in $attacks; do cp "$hostile" brains/$name; done
play $(for name in $attacks; do echo "$name=brain:$scratch/brains/$name"; done) --game gomoku --time-per-move 0.5
judged match match.csv
[ -z "$(strangers)" ] && pass || fail "processes are left after the brains: $(strangers)"

# -- what counts the limits --
# again WAY MEMORY COMMAND...: grades some once more, by this way to run sortie; MEMORY is what it says about that limit.
again() {
    local way=$1 memory=$2 name
    shift 2
    mkdir -p again/class
    cp -r cases cpu/cpu-ignored cpu/cpu-no-wait cpu/cpu-honest class/memory-trimmed class/memory-sockets class/exits-137 again/class
    mv again/class/cases again/
    [ "$(id -u)" -ne 0 ] || chown -R $stranger:$stranger again
    (cd again && timeout 100 "$@" grade class --cases cases $cpu_limit --memory 256M -o csv) >again.out 2>&1 ||
        fail "$way: grading ended with status $?: $(cat again.out)"
    grep -q "^memory of programs: $memory" again.out && pass || fail "$way: memory is not '$memory': $(cat again.out)"
    for name in cpu-ignored,late cpu-no-wait,late cpu-honest,pass memory-trimmed,crash memory-sockets,crash exits-137,pass; do
        grep "^${name%,*}," again/csv | grep -q "${name#*,}" && pass || fail "$way: wanted $name: $(grep "^${name%,*}," again/csv)"
    done
    rm -rf again again.out
}
groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
if [ "$(id -u)" -eq 0 ] && [ -n "$groups" ]; then
    again "root without a control group" watched unshare -m sh -c 'umount -l "$0" && exec sortie "$@"' "$groups"
    # A group that the ordinary user may divide, as systemd lends one.
    group=$groups/hostile-$$
    if mkdir "$group" 2>/dev/null; then
        chown -R $stranger:$stranger "$group"
        memory="counted by the kernel"
        grep -qw memory "$group/cgroup.controllers" || memory=watched
        [ "$memory" != watched ] || echo "no memory controller of version 2 here: in a group that was lent, only time was counted by it"
        again "an ordinary user with a control group" "$memory" \
            bash -c 'echo $$ >"$0/cgroup.procs" && exec setpriv --reuid "$1" --regid "$1" --clear-groups "$2" "${@:3}"' \
            "$group" $stranger "$scratch/ordinary/bin/sortie"
        find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null
        [ ! -d "$group" ] && pass || fail "a control group is left: $(find "$group")"
    fi
fi

# -- where nobody can make user namespaces --
without="$hostile --without-namespaces sortie match random good=program:$scratch/class/first/honest --rounds 1 --size 3"
$without >without.out 2>without.err
status=$?
[ $status -ne 0 ] && [ "$(wc -l <without.err)" -eq 1 ] && grep -q "cannot be locked in.*--unsafe" without.err && pass ||
    fail "without user namespaces: status $status, said $(cat without.err)"
$without --unsafe --db without.db >without.out 2>without.err && grep -q "^sortie: WARNING: no sandbox" without.err && pass ||
    fail "without user namespaces, --unsafe: $(cat without.err)"
sortie report without.db --csv | grep -q ",rules," && pass || fail "--unsafe: $(sortie report without.db --csv)"

if [ -n "${ordinary:-}" ]; then
    wait $ordinary && pass || fail "as an ordinary user: $(cat ordinary.out)"
    left=$(ps -ww -o pid=,args= -u $stranger | grep -F "$scratch")
    [ -z "$left" ] && pass || fail "left by an ordinary user: $left"
    sed 's/^/as an ordinary user: /' ordinary.out
fi
finish
