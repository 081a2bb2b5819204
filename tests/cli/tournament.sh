# A class of eight plays every game by its submissions: Swiss and round robin, as root and as an ordinary user, killed and
# carried on, and where nothing can be locked in.
. "$(dirname "$0")/lib.sh"
[ -z "${SORTIE_SANITIZE:-}" ] || exit 0 # a sanitizer needs more address space than programs get

# As root all of it once more as an ordinary user, who has nothing but this folder.
ordinary=""
if [ "$(id -u)" = 0 ]; then
    stranger=54321
    mkdir -p ordinary/tests/cli ordinary/bin
    cp "$(dirname "$0")"/{tournament,lib}.sh ordinary/tests/cli/
    cp -r "$(dirname "$0")/../tournament" ordinary/tests/
    cp "$SORTIE_BIN/sortie" ordinary/bin/
    chmod 755 "$scratch"
    chown -R $stranger:$stranger ordinary
    SORTIE_BIN=$scratch/ordinary/bin TMPDIR=$scratch/ordinary HOME=/nonexistent \
        setpriv --reuid $stranger --regid $stranger --clear-groups bash "$scratch/ordinary/tests/cli/tournament.sh" >ordinary.out 2>&1 &
    ordinary=$!
    programs=$scratch/ordinary/tests/tournament
else
    programs=$(cd "$(dirname "$0")/../tournament" && pwd)
fi

# -- the classes: honest, weak, one that cheats, one that is slow --
mkdir -p class/{ann,ben,cai,dan,eve,fay,gus,hal} folders/{ann,ben,cai,dan,eve,fay,gus,hal}
for name in ann ben hal; do cp "$programs/course.py" class/$name/homework.py; done
sed -i 's/CHOICE = "first"/CHOICE = "best"/' class/ann/homework.py
sed -i 's/CHOICE = "first"/CHOICE = "last"/' class/hal/homework.py
cp "$programs/course.c" class/cai/homework.c
cp "$programs/course.c" class/gus/homework.c
cp "$programs/course.sh" class/dan/run
sed 's/rows\[row\]\[column\] = side/return "A1 Stake\\n", "".join("".join(line) + "\\n" for line in rows)/; s/choose(free.*/(0, 99))/' \
    "$programs/course.py" >class/eve/homework.py
(echo 'import time; time.sleep(60)' && cat "$programs/course.py") >class/fay/homework.py
for name in ann ben cai dan eve gus hal; do cp "$programs/gomoku.py" folders/$name/agent.py; done
# Three know one name alone, whatever they are told; one takes every first stone over; one puts all stones on one square.
sed -i 's/^TEAM = .*/TEAM = "Terrance2"/' folders/ben/agent.py
sed -i 's/^TEAM = .*/TEAM_NAME = "Sno_Stu"; TEAM = TEAM_NAME/' folders/gus/agent.py
sed -i 's/^TEAM = .*/TEAM = "G1"/; s/TEAM + ".go"/"G1.go"/' folders/dan/agent.py
sed -i 's/^TAKES_OVER = .*/TAKES_OVER = True/' folders/hal/agent.py
sed -i 's/    move = taken.*/    move = ("A", 1)/' folders/eve/agent.py
(echo 'import time; time.sleep(60)' && cat "$programs/gomoku.py") >folders/fay/agent.py

play() { timeout 300 sortie match -q -j 2 --time-per-move "$seconds" "$@" >out 2>err; }
seconds=3
# rows DB SQL: what a results file holds, a row a line.
rows() {
    python3 -c 'import sqlite3, sys
for row in sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True).execute(sys.argv[2]): print(*row)' "$@" 2>/dev/null
}
# judged NAME DB GAMES: all were played, the honest lost none by a fault, and the two others each by their own.
judged() {
    local name=$1 db=$2 games=$3
    [ "$(rows "$db" 'SELECT count(*) FROM games')" = "$games" ] && pass || fail "$name: not $games games: $(cat out err)"
    for one in ann ben cai dan gus hal; do
        ! grep -q "^$one lost by: " out && pass || fail "$name: $(grep "^$one lost by" out)"
    done
    grep -qE '^eve lost by: (illegal move|bad answer) [0-9]+(, bad answer [0-9]+)?$' out && pass || fail "$name, the one that cheats: $(cat out)"
    grep -qE '^fay lost by: too late [0-9]+$' out && pass || fail "$name, the slow one: $(cat out)"
    [ "$(grep -cE '^ +[0-9]\. .*% +[-+][0-9.]+ \+- ([0-9.]+|\?)$' out)" = 8 ] && pass || fail "$name: standings: $(cat out)"
}

# -- four games, both pairings --
play --class class -s 3 --depth 2 --swiss 2 --db stake.db
judged "Stake-Raid" stake.db 16
if [ "$HOME" != /nonexistent ]; then # the ordinary user plays the first and the last
    play --class class --variant sneak --swiss 2 --db sneak.db
    judged "Sneak-Raid" sneak.db 16
    play --class class -g laser -s 7 --swiss 2 --db laser.db
    judged "Laser Checkmate" laser.db 16
fi
play --class folders -g gomoku --swiss 2 --db gomoku.db
judged "Gomoku" gomoku.db 16
[ "$(rows gomoku.db "SELECT count(*) FROM players WHERE spec LIKE '%folder,team=%'")" = 3 ] && pass ||
    fail "three teams have names of their own: $(rows gomoku.db 'SELECT spec FROM players')"
[ "$(rows gomoku.db "SELECT count(*) FROM games WHERE cause = 'rules'")" -ge 4 ] && pass || fail "Gomoku: $(cat out)"

# -- everybody against everybody, killed and carried on; the estimate comes first --
mkdir few
cp -r class/{ann,ben,cai,dan} few/
sortie match --class few -s 4 --rounds 3 -j 2 --depth 3 --db robin.db >out 2>err &
for ((turn = 0; turn < 1200; turn++)); do
    [ "$(rows robin.db 'SELECT count(*) FROM games')" -ge 3 ] 2>/dev/null && break
    sleep 0.05
done
kill -9 $!
wait $! 2>/dev/null
grep -q '^sortie: 4 players, 36 games, 2 at a time (-j); at most .*--resume carries it on' err && pass || fail "said before: $(cat err)"
rows robin.db 'SELECT id, first, second, score, replace(moves, char(10), " "), ended FROM games ORDER BY id' >before
[ "$(wc -l <before)" -lt 36 ] && pass || lacks "it was over before it was killed"
mv few gone
timeout 300 sortie match --resume --yes -j 2 -q --db robin.db >out 2>err && pass || fail "carried on: $(cat out err)"
rows robin.db 'SELECT id, first, second, score, replace(moves, char(10), " "), ended FROM games ORDER BY id' >after
[ "$(wc -l <after)" = 36 ] && [ "$(rows robin.db "SELECT count(*) FROM games WHERE cause = 'rules'")" = 36 ] && pass ||
    fail "the rest: $(cat out err)"
[ "$(grep -cxFf before after)" = "$(wc -l <before)" ] && pass || fail "a finished game has changed"

# -- where nothing can be locked in --
contained() {
    unshare -Ur sh -c 'for kind in user mnt; do echo 0 >/proc/sys/user/max_${kind}_namespaces || exit 77; done; exec "$@"' sh "$@"
}
if contained true 2>/dev/null; then
    mkdir two teams
    cp -r class/{ann,cai} two/
    cp -r folders/{ann,ben} teams/
    contained sortie match -q --class two -s 3 --depth 2 --rounds 1 --db none.db >out 2>err
    [ $? -eq 1 ] && grep -q 'cannot be locked in.*--unsafe' err && [ ! -e none.db ] && pass || fail "refused: $(cat out err)"
    for kind in two teams; do # a program in Python and one in C; two Python programs, one of which knows one team
        options=(-s 3 --depth 2)
        [ $kind = two ] || options=(-g gomoku --time-per-move 3)
        contained timeout 100 sortie match -q --class $kind "${options[@]}" --rounds 1 --db $kind.db --unsafe >out 2>err
        grep -q '^sortie: WARNING: no sandbox' err &&
            [ "$(rows $kind.db 'SELECT cause, count(*) FROM games')" = "rules 2" ] && pass || fail "--unsafe, $kind: $(cat out err)"
    done
    [ "$(rows teams.db "SELECT count(*) FROM players WHERE spec LIKE '%folder,team=Terrance2,%'")" = 1 ] && pass ||
        fail "--unsafe, a team of its own: $(rows teams.db 'SELECT spec FROM players')"
else
    lacks "no container without namespaces can be made here"
fi
if [ -n "$ordinary" ]; then
    wait $ordinary && pass || fail "as an ordinary user: $(cat ordinary.out)"
fi
finish
