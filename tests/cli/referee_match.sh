# Programs that play through a referee's folder as players of a match.
. "$(dirname "$0")/lib.sh"

# plays NAME PLAYER EXPECTED: a short match against chance; the table's line of NAME must match.
plays() {
    rm -f results.db
    if timeout 60 sortie match -g gomoku -q "$1=$2" random --games 2 --time-per-move 1 >out 2>err &&
        grep -qE "[0-9]\. +$1 +$3" out; then
        pass
    else
        fail "$1: wanted '$3': $(cat out err)"
    fi
}

# Most students' programs write move_file in place, whoever made it.
cat >inplace.sh <<'END'
taken=" "
for square in a1 c1 e1 g1 i1 k1 m1 o1 b3 d3 f3 h3 j3 l3 n3 a5 c5 e5 g5 i5 k5 m5 o5 b7 d7 f7 h7 j7 l7 n7 a9 c9 e9 g9 i9 k9 m9; do
    while [ ! -e "$1.go" ] || { read -r team column row <move_file; [ "$team" = "$1" ]; }; do
        [ -e end_game ] && exit
        sleep 0.01
    done
    taken="$taken$(echo "$column" | tr A-Z a-z)$row "
    case $taken in *" $square "*) continue ;; esac
    echo "$1 ${square%%[0-9]*} ${square#?}" >move_file || exit 1
done
END
rm -f results.db
timeout 60 sortie match -g gomoku -q "inplace=folder:bash $scratch/inplace.sh TEAM" random --games 2 --time-per-move 2 >out 2>err
sortie report results.db --csv >games.csv
[ "$(grep -c 'A1;.*C1;.*E1;.*G1' games.csv)" = 2 ] && pass || fail "move_file written in place: $(cat games.csv out err)"

#                                                                    points won drawn lost faults
# (a program built with a sanitizer needs more address space than a match grants)
[ -n "${SORTIE_SANITIZE:-}" ] || plays agent "folder:sortie agent TEAM --nodes 500 --hash 1M" '2.0 +2 +0 +0 +0'
plays mute "folder:sleep 60" '0.0 +0 +0 +2 +2'
plays gone "folder:true" '0.0 +0 +0 +2 +2'
plays babbles "folder:yes" '0.0 +0 +0 +2 +2'
refused "another game" "the referee's folder is for gomoku" sortie match -g laser a=folder:true random --games 2
refused "a bad name" "expected a name without blanks" sortie match -g gomoku 'a b=folder:true' random --games 2

# -- the swap --
# A folder program as students write it: takes every first stone over, then fills the board row by row. Opens move_file for writing.
cat >taker.py <<'END'
import os, sys, time
me, taken, played = sys.argv[1], set(), 0
while not os.path.exists("end_game"):
    if not os.path.exists(me + ".go"):
        time.sleep(0.005)
        continue
    words = open("move_file").read().split()
    if words and words[0] == me:
        time.sleep(0.005)
        continue
    if words:
        taken.add((words[1].upper(), int(words[2])))
    if len(taken) == 1 and played == 0:
        move = next(iter(taken))
    else:
        move = next((c, r) for r in range(1, 16) for c in "ABCDEFGHIJKLMNO" if (c, r) not in taken)
    taken.add(move)
    played += 1
    with open("move_file", "w") as file:
        file.write("%s %s %d\n" % (me, move[0], move[1]))
END
taker="taker=folder:python3 $scratch/taker.py TEAM"
# took NAME COUNT: the table says so.
took() { grep -qF "$1 took the first stone over in $2 games as second player" out && pass || fail "$1: wanted $2: $(cat out err)"; }

rm -f results.db
timeout 60 sortie match -g gomoku -q "$taker" engine:nodes=300 --games 2 --time-per-move 5 >out 2>err
took taker "1 of 1"
grep -qE '[0-9]\. +taker +0.0 +0 +0 +2 +0' out && pass || fail "no faults, and the engine wins without its first stone: $(cat out err)"
# Carried on: exactly what is missing, under the same rules.
timeout 60 sortie match --resume --yes --games 4 -q >out 2>err
took taker "2 of 2"
sortie report results.db --csv >games.csv
[ "$(grep -cE '^","([A-O][0-9]+);\1;' games.csv)" = 2 ] && [ "$(wc -l <games.csv)" -ge 5 ] && pass || fail "moves: $(cat games.csv)"
sortie report results.db -o page.html >/dev/null && grep -q 'may take the first stone over' page.html &&
    grep -q '"swapped": *true' page.html && pass || fail "the page does not show it"
sortie report results.db --sgf sgf >/dev/null
[ "$(grep -lE 'C\[taken over by Black\]' sgf/*.sgf | wc -l)" = 2 ] && grep -l 'taken over' sgf/*.sgf | xargs grep -L 'PB\[taker\]' >wrong
[ -s wrong ] && fail "SGF: $(head -c 600 sgf/*)" || pass

# Without it, as before.
rm -f results.db
timeout 60 sortie match -g gomoku -q "$taker" engine:nodes=300 --games 2 --time-per-move 5 --no-swap >out 2>err
grep -q 'taker lost by: illegal move 1' out && ! grep -q 'took the first' out && pass || fail "--no-swap: $(cat out err)"

# For players without a word for it the table decides; chance opens by itself here, often on squares worth taking.
rm -f results.db
timeout 60 sortie match -g gomoku -q engine:nodes=300 random:swap=never --swap --games 12 >out 2>err
grep -qE '1\. +engine:nodes=300 +12.0 +12' out && grep -qE 'nodes=300 took the first stone over in [1-5] of 6' out &&
    grep -qF 'random:swap=never took the first stone over in 0 of 6' out && pass || fail "by the table: $(cat out err)"

# A brain whose stone is taken over is told the board anew, its stone now the other side's.
cat >brain.py <<'END'
import sys
taken, board, restarts = set(), None, 0
def play():
    move = next((x, y) for y in range(15) for x in range(14, -1, -1) if (x, y) not in taken)
    taken.add(move)
    print("%d,%d" % move, flush=True)
for line in sys.stdin:
    words = line.split()
    if board is not None and words != ["DONE"]:
        x, y, who = map(int, line.split(","))
        board.append(who)
        taken.add((x, y))
    elif words[0] in ("START", "RESTART"):
        restarts += words[0] == "RESTART"
        taken = set()
        print("OK", flush=True)
    elif words[0] == "BOARD":
        board = []
    elif words[0] == "DONE":
        assert board == [2], board
        print("restarts %d" % restarts, file=sys.stderr, flush=True)
        board = None
        play()
    elif words[0] == "BEGIN":
        play()
    elif words[0] == "TURN":
        taken.add(tuple(map(int, words[1].split(","))))
        play()
END
rm -f results.db
timeout 60 sortie match -g gomoku -q "brain,swap=never:python3 $scratch/brain.py" "$taker" --games 2 --time-per-move 5 >out 2>err
took taker "1 of 1"
! grep -q 'lost by' out && pass || fail "the brain: $(cat out err; sortie report results.db --csv)"
sortie report results.db -o page.html >/dev/null && grep -q 'restarts 1' page.html && pass || fail "the brain was not told"

refused "the swap of another game" "the swap is for gomoku" sortie match -g laser random greedy --swap --games 2
refused "the swap on another board" "the swap is for gomoku" sortie match -g gomoku -s 19 random random --swap --games 2
refused "both" "give --swap or --no-swap" sortie match -g gomoku random random --swap --no-swap --games 2
refused "an unknown choice" "expected table or never" sortie match -g gomoku random random:swap=yes --games 2

# Both agents count the moves as the referee does, also the one that did not move last.
if [ -z "${SORTIE_SANITIZE:-}" ]; then
    mkdir game
    timeout 120 sortie referee A B --folder game --time 5 --pause 0.01 -q --launch \
        'sortie agent A --time 5 --nodes 300 --hash 1M -q' 'sortie agent B --time 5 --nodes 300 --hash 1M -q' >out 2>err
    moves=$(grep -cE '^[AB] ' game/history_file)
    [ "$moves" -gt 5 ] && grep -q " after $moves moves: END" game/A.log && grep -q " after $moves moves: END" game/B.log &&
        pass || fail "$moves moves, but $(cat game/A.log game/B.log out err)"
fi
finish
