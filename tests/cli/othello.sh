# A second game added by the list of games alone: even sizes only, and a move that is a pass.
. "$(dirname "$0")/lib.sh"

program=$SORTIE_BIN/tests/sortie-added
sortie() { "$program" "$@"; }
printf 'othello plain 4 X\n....\n.OX.\n.XO.\n....\n' >input.txt

[ "$(sortie show)" = "    A B C D
  1 . . . .
  2 . O X .
  3 . X O .
  4 . . . .
X to move" ] && pass || fail "show: $(sortie show)"
sortie show --text | diff - input.txt && pass || fail "text"
sortie show --svg | grep -q '</svg>' && pass || fail "the picture"
[ "$(sortie perft -d 3 | tail -1)" = "perft 3: 44" ] && pass || fail "perft"
check "a move by nodes" sortie move --stdout --nodes 2000
check "an analysis" sortie analyze --depth 4 -n 2

printf 'position start othello size 6\ngo nodes 500\nwait\n' | sortie engine >lines.out
grep -q '^bestmove [A-F][1-6]' lines.out && pass || fail "the line protocol: $(cat lines.out)"

# The second side wins 4 x 4 by eight, whatever is played first. No more memory is used than the search needs.
sortie solve --all --time 60 >solved.out
grep -qx 'value  -8 for X' solved.out && [ "$(grep -c ': -8$' solved.out)" = 4 ] && pass ||
    fail "solve: $(cat solved.out)"

# X can turn nothing, O can: X passes, and that is its only move.
printf 'othello plain 4 X\nOX..\n....\n....\n....\n' >pass.txt
sortie move pass.txt --stdout --nodes 100 >passed.out
head -1 passed.out | grep -qx pass && pass || fail "a pass: $(cat passed.out)"
[ "$(sortie perft pass.txt -d 2 | tail -1)" = "perft 2: 1" ] && pass || fail "lines behind a pass"
printf 'pass\nquit\n' | sortie play pass.txt --side both >played.out 2>&1 && grep -q 'O to move' played.out && pass ||
    fail "a pass that is typed: $(cat played.out)"

printf 'othello plain 5 X\n' >odd.txt
printf 'othello plain 4 X\n....\n.OX\n.XO.\n....\n' >short.txt
printf 'othello plain 4 Y\n....\n.OX.\n.XO.\n....\n' >side.txt
refused "an odd board" 'odd.txt:1:15: expected an even size' "$program" show odd.txt
refused "a row too short" 'short.txt:2:4: expected|short.txt:3:4: expected' "$program" show short.txt
refused "a side that is none" 'side.txt:1:17: expected X or O' "$program" show side.txt
refused "an odd board to play on" 'expected an even board size of 4 to 10, found 5' "$program" play othello --size 5
refused "an odd board for a match" 'expected a board size of 4, 6, 8, 10, found 7' \
    "$program" match engine:nodes=100 random --game othello --size 7 --rounds 1 --db odd.db
refused "no prover" 'prove: there is no prover for Othello' "$program" prove input.txt
refused "no prover, whatever is claimed" 'prove: there is no prover for Othello' "$program" prove input.txt --claim win
{
    echo 'war stake 9 X'
    yes '1 1 1 1 1 1 1 1 1' | head -9
    yes '.........' | head -9
} >wide.txt
refused "a board too large to prove" 'prove: expected a board of at most 8x8' "$program" prove wide.txt

check "a match on two sizes" sortie match engine:nodes=300 random --game othello --size 4,6 --rounds 2 --db othello.db
check "its report" sortie report othello.db -o othello.html
grep -q '"rows": 6, "columns": 6' othello.html && pass || fail "the board of the report"

# A game on the program's list is on the list of the tests: theirs is made from it.
mkdir games
sed 's/^const struct game \*const/extern const struct game guest_game;\n&/; s/&gomoku_game,/& \&guest_game,/' \
    "$SORTIE_SOURCE/src/games/list.c" >games/list.c
check "the list with a guest" cc -std=c17 -I. -I"$SORTIE_SOURCE/src" -I"$SORTIE_SOURCE/tests" \
    -c "$SORTIE_SOURCE/tests/list.c" -o list.o
nm list.o | grep -q ' guest_game$' && nm list.o | grep -q ' othello_game$' && pass || fail "the tests have another list"
for test in allocation api conformance perft search; do
    nm "$SORTIE_BIN/tests/test_$test" | grep -q ' othello_game$' && pass || fail "test_$test has no added games"
done

# Help names the games that there are.
for line in "match --help" "play --help" "help"; do
    # shellcheck disable=SC2086
    sortie $line | grep -qi 'gomoku.*othello' && pass || fail "sortie $line does not name the game"
    # shellcheck disable=SC2086
    "$SORTIE_BIN/sortie" $line | grep -qi 'othello' && fail "sortie $line names a game it does not have" || pass
done
sortie help --manual | grep -q 'Othello' && pass || fail "the manual does not name the game"
finish
