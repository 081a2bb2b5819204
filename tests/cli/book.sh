# The opening book: made, carried on, looked into, refused where it is not in order.
. "$(dirname "$0")/lib.sh"
unset SORTIE_BOOK

extend() { sortie book --extend "$@" --nodes 2K --hash 1M; }

# -- made and carried on --
check "a book is begun" extend my.book --swap2 2 --count 4
check "it is in order" sortie book --book my.book --check
check "positions are searched" test "$(grep -c ' : ' my.book)" -ge 2
cp my.book before.book
check "it is carried on" extend my.book --count 3
effort() { awk '/ : / { for (i = 1; i < NF; i++) if ($i == "=") sum += $(i + 2) } END { print sum }' "$1"; }
check "by three searches" test "$(effort my.book)" -ge $(($(effort before.book) + 6))
sed 's/ = .*//; /^digest/d' before.book | grep -vxFf <(sed 's/ = .*//' my.book) >gone
check "what was in it stays" test ! -s gone
extend all.book --swap --size 11 --count 1 >/dev/null
check "every first stone, images left out" test "$(grep -c '^[A-Z0-9]* = ' all.book)" = 21

# -- of others --
printf '(;FF[4]GM[4]SZ[15]RU[freestyle];B[hh];W[ig];B[jf](;W[gg])(;W[ij]))' >lines.sgf
extend other.book --import lines.sgf --count 1 >/dev/null
check "a game and its variation" test "$(grep -cE ' = ' other.book)" = 5
printf 'gomoku exact 15\nH8 I7\n' >line.txt
extend other.book --import line.txt --count 1 >/dev/null
check "another rule set stands apart" grep -qx 'gomoku exact 15' other.book
refused "what is no game" 'nonsense.txt' sortie book --extend other.book --import nonsense.txt
printf 'war stake 2 X\n1 2\n3 4\n..\n..\n' >war.txt
refused "another game" 'war.txt: expected games of Gomoku' sortie book --extend other.book --import war.txt

# -- looked into --
cat >small.book <<'END'
sortie-book 1
# by hand
gomoku freestyle 15
H8 = 14 2000 : G7 12 H7 3
H8 G7 = 12 1500 : I7 -5 H6 -70
H8 H7 = ?
digest 0
END
small=$(sortie book --book small.book --check 2>&1 | grep -oE '[0-9a-f]{16}')
refused "a digest that is not the lines'" 'small.book:7:8: expected the digest' sortie book --book small.book
sed -i "s/^digest 0/digest $small/" small.book
check "in order with the right one" sortie book --book small.book --check
printf 'gomoku freestyle 15\nH8\n' >position.txt
sortie book --book small.book position.txt >said
check "who is to move, and what stands behind it" grep -q '^O to move, depth 14, 2.0 million nodes here, 3.5 with all' said
check "the better move by what is behind it" grep -qE '^G7 +5 +50\.6% +1\.5 +G7 I7$' said
check "and the other one" grep -qE '^H7 +3 .* H7$' said
printf '(;FF[4]GM[4]SZ[15]RU[freestyle];B[hh];W[ii])' >turned.sgf # an image of H8 G7
check "an image, in another format" grep -qE '^(G9|I7|G7|I9) +-5 ' <(sortie book --book small.book turned.sgf)
check "JSON" grep -q '"move": "G7", "value": 5, "searched": 12,' <(sortie book --book small.book position.txt --json)
printf 'gomoku freestyle 15\nA1\n' >unknown.txt
check "what is not there" grep -qx 'not in the book' <(sortie book --book small.book unknown.txt)
check "by the environment" grep -q '^small.book: 3 positions' <(SORTIE_BOOK=small.book sortie book)
check "the list" test "$(sortie book --book small.book --list | wc -l)" = 3
check "of so many stones" test "$(sortie book --book small.book --list --stones 1 | wc -l)" = 1
refused "none" 'expected --book FILE' env SORTIE_BOOK=off sortie book
refused "a file that is not there" 'none.book' sortie book --book none.book
refused "two things at once" 'one thing to do' sortie book --extend my.book --check
sed 's/H7 3/H8 3/' small.book >bad.book
refused "a move on a stone" 'bad.book:4:22: expected a legal move' sortie book --book bad.book --check
refused "carried on" 'bad.book:4:22' sortie book --extend bad.book

# -- played by: a move that no search would choose shows who chose --
cat >odd.book <<'END'
sortie-book 1
gomoku freestyle 15
D3 = 14 900000 : A1 0
A1 B1 C1 = 14 900000 : O15 3
digest 0
END
odd=$(sortie book --book odd.book --check 2>&1 | grep -oE '[0-9a-f]{16}')
sed -i "s/^digest 0/digest $odd/" odd.book
turn() { printf 'START 15\nINFO timeout_turn 200\n%sTURN 3,2\nEND\n' "$1" | "${@:2}" | tail -1; }
check "a brain plays by it" test "$(turn '' env SORTIE_BOOK=odd.book pbrain-sortie)" = 0,0
check "and so does the command" test "$(turn '' env SORTIE_BOOK=odd.book sortie gomocup)" = 0,0
check "not when told so" test "$(turn '' env SORTIE_BOOK=odd.book sortie gomocup --no-book)" != 0,0
check "not when the environment does" test "$(turn '' env SORTIE_BOOK=off pbrain-sortie)" != 0,0
check "not with so many nodes" test "$(turn $'INFO max_node 100\n' env SORTIE_BOOK=odd.book pbrain-sortie)" != 0,0
check "not by another rule" test "$(turn $'INFO rule 1\n' env SORTIE_BOOK=odd.book pbrain-sortie)" != 0,0
check "not by a file that is not in order" test "$(turn '' env SORTIE_BOOK=bad.book pbrain-sortie)" != 0,0
swap2() { printf 'START 15\nINFO timeout_turn 200\nSWAP2BOARD\n%sDONE\nEND\n' "$1" | SORTIE_BOOK=odd.book pbrain-sortie | tail -1; }
check "swap2 opens by it" grep -qE '^(0|14),(0|14) [0-9,]+ [0-9,]+$' <(swap2 '')
check "and chooses by it" test "$(swap2 $'0,0\n1,0\n2,0\n')" = 14,14
lines() { printf '%sposition start gomoku moves D3\ngo %s\nwait\nquit\n' "$2" "$1" | SORTIE_BOOK=odd.book sortie engine | tail -1; }
check "the line protocol asks it on the clock" test "$(lines 'movetime 200' '')" = 'bestmove A1'
check "not with a depth" test "$(lines 'depth 3' '')" != 'bestmove A1'
check "not when told so" test "$(lines 'movetime 200' $'setoption name Book value 0\n')" != 'bestmove A1'
check "analysis is a search" test "$(printf 'gomoku freestyle 15\nD3\n' | SORTIE_BOOK=odd.book sortie analyze - --nodes 500 -j 1 |
    sed 's/.*pv \([A-O0-9]*\).*/\1/')" != A1

# -- the one that ships --
shipped=$SORTIE_SOURCE/share/sortie/gomoku.book
check "it is in order" sortie book --book "$shipped" --check
check "it is small" test "$(wc -c <"$shipped")" -lt 500000
check "every first stone is searched" test "$(sortie book --book "$shipped" --list --stones 1 | grep -cv '?')" -ge 36
even=$(sortie book --book "$shipped" | sed -n 's/^freestyle 15x15: .* \([0-9]*\) even openings.*/\1/p')
check "a dozen openings for swap2" test "${even:-0}" -ge 12
mkdir -p prefix/bin prefix/share/sortie
cp "$SORTIE_BIN/sortie" prefix/bin/
cp "$shipped" prefix/share/sortie/
if grep -q /proc/self/exe prefix/bin/sortie; then # with nothing but POSIX a program does not know its own place
    check "it is found where it is installed" grep -q ' positions, digest ' <(prefix/bin/sortie book)
    cp small.book prefix/bin/gomoku.book
    check "and beside the program" grep -q ' 3 positions, digest ' <(prefix/bin/sortie book)
fi

# -- interrupted, and killed --
sortie book --extend long.book --swap --nodes 20K --hash 1M >out 2>err &
program=$!
sleep 1.5
kill -INT $program
wait $program
check "Ctrl-C is how it ends without a limit" test $? -eq 0
check "what was searched is kept" grep -q ' : ' long.book
check "in order" sortie book --book long.book --check
for seconds in 1.2 2.6; do
    sortie book --extend long.book --nodes 500 --hash 1M >out 2>err &
    program=$!
    sleep $seconds
    kill -9 $program
    wait $program 2>/dev/null
    check "after kill -9, $seconds s" sortie book --book long.book --check
done
finish
