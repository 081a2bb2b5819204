# A game that the program does not know, added by the list of games alone: every command works for it.
. "$(dirname "$0")/lib.sh"

sortie() { "$SORTIE_BIN/tests/sortie-added" "$@"; }
printf 'connect4 plain 7 6\nD D C\n' >input.txt

[ "$(sortie show)" = "    A B C D E F G
  1 . . . . . . .
  2 . . . . . . .
  3 . . . . . . .
  4 . . . . . . .
  5 . . . O . . .
  6 . . X X . . .
O to move" ] && pass || fail "show: $(sortie show)"
sortie show --svg | grep -q 'viewBox="0 0 404 356".*' && pass || fail "the picture is not seven by six"
sortie show --text | diff - input.txt && pass || fail "text"
[ "$(sortie perft -d 3)" = "perft 1: 7
perft 2: 49
perft 3: 343" ] && pass || fail "perft"

check "a move by time" sortie move --stdout --time 0.1
check "a move by nodes" sortie move --stdout --nodes 2000

# Three in a row, open on both sides: either end wins at once. One move earlier it is a win in two.
printf 'connect4 plain 7 6\nD D C C E E\n' >won.txt
sortie move won.txt --stdout --nodes 2000 | head -1 | grep -qx '[BF]' && pass || fail "the open three is not played"
sortie solve won.txt | grep -qx 'value  win in 1 move for X' && pass || fail "solve: $(sortie solve won.txt)"
# The empty board of 5 x 4 is a draw.
printf 'connect4 plain 5 4\n' >small.txt
sortie solve small.txt --hash 16M >small.out && grep -qx 'value  draw for X' small.out && pass || fail "solve 5 x 4: $(cat small.out)"

program=$SORTIE_BIN/tests/sortie-added
printf 'connect4 plain 7 6\nD D H\n' >wrong.txt
printf 'connect4 plain 17 6\n' >wide.txt
refused "a column that is none" "wrong.txt:2:5: expected a column" "$program" show wrong.txt
refused "a board too wide" "wide.txt:1:16: expected the number of columns" "$program" show wide.txt

check "a match" sortie match engine:nodes=500 random --game connect4 --size 7 --rounds 2 --db c4.db
check "its report" sortie report c4.db -o c4.html
grep -q '"rows": 6, "columns": 7' c4.html && pass || fail "the board of the report"
finish
