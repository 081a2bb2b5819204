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

cat >swaps.sh <<'END'
while [ ! -e end_game ]; do
    if [ -e "$1.go" ] && read -r team column row <move_file; then
        if [ "$team" != "$1" ]; then echo "$1 $column $row" >.answer && mv .answer move_file; fi
    elif [ -e "$1.go" ]; then
        echo "$1 a 1" >.answer && mv .answer move_file
    fi
    sleep 0.01
done
END

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
[ -n "${SORTIE_SANITIZE:-}" ] || plays agent "folder:sortie agent TEAM --no-swap --nodes 500 --hash 1M" '2.0 +2 +0 +0 +0'
plays swaps "folder:bash $scratch/swaps.sh TEAM" '0.0 +0 +0 +2 +2'
plays mute "folder:sleep 60" '0.0 +0 +0 +2 +2'
plays gone "folder:true" '0.0 +0 +0 +2 +2'
plays babbles "folder:yes" '0.0 +0 +0 +2 +2'
refused "another game" "the referee's folder is for gomoku" sortie match -g laser a=folder:true random --games 2
refused "a bad name" "expected a name without blanks" sortie match -g gomoku 'a b=folder:true' random --games 2

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
