# The database of analysed positions: what goes in and comes out, what is refused, several processes at a time.
. "$(dirname "$0")/lib.sh"

# says NAME PATTERN COMMAND...: succeeds, and prints a line that matches.
says() {
    local name=$1 pattern=$2
    shift 2
    if "$@" >says.out 2>says.err && grep -qE -- "$pattern" says.out; then
        pass
    else
        fail "$name: wanted '$pattern', said: $(cat says.out says.err)"
    fi
}

printf 'gomoku freestyle 15\n' >empty.txt
printf 'gomoku freestyle 15\nH8\n' >h8.txt
printf 'gomoku freestyle 15\nH8 I9\n' >h8i9.txt
printf 'gomoku freestyle 15\nH8 G7\n' >h8g7.txt
printf '(;GM[4]SZ[15];B[hh]C[the middle](;W[ii]LB[ii:a];B[jj])(;W[hg]MA[hg]))' >tree.sgf
printf '(;GM[4]SZ[15]PB[ann]RE[B+];B[hh];W[ii];B[hg])' >game.sgf

# What is not there, or is something else.
refused "no database" 'no.db: cannot be opened' sortie database no.db
refused "nor made by looking" 'no.db: cannot be opened' sortie database no.db h8.txt
refused "nor by forgetting" 'no.db: cannot be opened' sortie database no.db h8.txt --delete
refused "something else" 'h8.txt: expected a database of analysed positions' sortie database h8.txt
refused "not written to either" 'h8.txt: expected a database' sortie database h8.txt --import tree.sgf
refused "no file" 'expected a database' sortie database
refused "two things at once" 'one thing' sortie database my.db h8.txt --delete --comment x
refused "a comment to nothing" 'expected a position' sortie database my.db --comment x
refused "rules of others" 'freestyle, exact, renju or caro' sortie database my.db --import tree.sgf --rules pente

# A tree, a game, remarks.
says "a tree is read" '^4 moves read: 0 values, 1 comments, 2 marks' sortie database my.db --import tree.sgf
says "a game is counted" '1 games kept' sortie database my.db --import game.sgf
says "and only once" '0 games kept' sortie database my.db --import game.sgf
says "what there is" '^6 positions' sortie database my.db
says "by boards" '^gomoku freestyle 15 +6$' sortie database my.db
says "a position" '^the middle$' sortie database my.db h8.txt
says "its moves" '^G7 .* 1 +a$' sortie database my.db h8.txt
says "games through it" '1 game, X won 1' sortie database my.db h8i9.txt
says "turned too" '1 game, X won 1' sortie database my.db h8g7.txt
says "marked moves" '^H7 .*mark$' sortie database my.db h8.txt
check "a comment" sortie database my.db h8i9.txt --comment 'on the diagonal'
says "is read on an image" '^on the diagonal$' sortie database my.db h8g7.txt
check "a mark" sortie database my.db h8i9.txt --mark A1=b --label good
says "is there" '^A1 +.* b$' sortie database my.db h8i9.txt
says "and the label" '^label good$' sortie database my.db h8i9.txt
says "JSON" '^\{"known": true, "games": 1, .*"comment": "on the diagonal", "moves": \[\{"move": ' \
    sortie database my.db h8i9.txt --json
check "JSON is JSON" python3 -m json.tool <(sortie database my.db h8i9.txt --json)
check "of all too" python3 -m json.tool <(sortie database my.db --json)
refused "a square of the board" 'SQUARE=TEXT' sortie database my.db h8i9.txt --mark Z9=b
refused "a long label" 'at most 64 bytes' sortie database my.db h8i9.txt --label "$(printf 'x%.0s' {1..65})"

# Out and in again, through SGF and RenLib.
check "to SGF" sortie database my.db --export out.sgf
check "comments are in it" grep -q 'on the diagonal' out.sgf
check "from SGF" sortie database second.db --import out.sgf
check "to SGF again" sortie database second.db --export again.sgf
same "SGF there and back" out.sgf again.sgf
check "to RenLib" sortie database my.db --export out.lib
check "from RenLib" sortie database third.db --import out.lib
says "has the comments" '^on the diagonal$' sortie database third.db h8i9.txt
says "a part of it" '^[0-9]+ moves written' sortie database my.db h8i9.txt --export part.sgf
check "begins with the position" grep -q '^;B\[hh\];W\[ii\]' part.sgf
says "Piskvork has the best line" 'moves written' sortie database my.db --export out.psq
refused "a name that says no format" 'ends in sgf' sortie database my.db --export out.xyz
refused "nothing is known" 'nothing is known' sortie database my.db --export none.sgf --rules renju
refused "no game" 'h8.txt: expected a recorded game' sortie database my.db --import h8.txt
refused "nor a database made for it" 'h8.txt: expected a recorded game' sortie database none.db --import h8.txt

# Merging, forgetting.
says "a merge knows nothing new" '^0 positions are new, 0 know more' sortie database my.db --merge my.db
says "into a new one" '^6 positions are new' sortie database fourth.db --merge my.db
refused "of something else" 'tree.sgf: expected a database' sortie database my.db --merge tree.sgf
says "one position" '^1 position forgotten' sortie database fourth.db h8.txt --delete
says "what is behind" '^4 positions forgotten' sortie database my.db h8.txt --prune
says "stays" '^2 positions' sortie database my.db

# Several at a time; the first ones make it, and each of them may be the last for a moment.
for round in 1 2 3 4 5 6 7 8 9 10; do
    rm -f many.*
    pids=""
    for i in 1 2 3 4; do
        (for j in 1 2 3 4 5; do printf 'gomoku exact 15\nH%d %c%d\n' "$i" "$(printf "\\x$(printf %x $((65 + j)))")" "$i" |
            sortie database many.db - --comment "$i $j"; done) >many.$i 2>&1 &
        pids="$pids $!"
    done
    wait $pids
    check "round $round without a word: $(cat many.[1-4])" test ! -s many.1 -a ! -s many.2 -a ! -s many.3 -a ! -s many.4
done
says "all of them have written" '^20 positions' sortie database many.db

# What analysis finds goes in, and is not searched again.
printf 'gomoku freestyle 15\nH8 I9 J8\n' >three.txt
printf 'gomoku freestyle 15\nH8 G7 F8\n' >image.txt
says "found" '^depth .* pv' sortie analyze three.txt -n 3 --depth 6 --database found.db
says "kept" '^O to move: .*depth 6' sortie database found.db three.txt
check "three moves are known" test "$(sortie database found.db three.txt --json | grep -o '"move"' | wc -l)" -ge 3
says "and the way there" '^H8' sortie database found.db empty.txt
says "known" 'known  pv' sortie analyze three.txt --depth 6 --database found.db
says "as shallow too" '^depth  6 .*known  pv' sortie analyze image.txt --depth 3 --database found.db
sortie analyze three.txt --depth 7 --database found.db >deeper.out
check "deeper is searched" bash -c "! grep -q known deeper.out"
says "and kept" '^O to move: .*depth 7' sortie database found.db image.txt
sortie analyze three.txt --nodes 300 -n 4 --database found.db --json >improved.json
check "deeper lines take the place of shallow ones" grep -q '"depth": 7.*"known": true' improved.json
check "and no move comes twice" python3 -c 'import json
moves = [json.loads(line)["move"] for line in open("improved.json")]
exit(len(moves) != 4 or len(set(moves)) != 4)'
printf 'gomoku freestyle 15\nH8 A1 I8 B1 J8 C1 K8 E1\n' >won.txt
says "a win" 'wins in 1' sortie analyze won.txt -t 1 --database found.db
says "is settled" 'known  pv' sortie analyze won.txt -t 1 --database found.db
says "other games" '^depth' sortie analyze "$SORTIE_GOLDEN/../../examples/laser-checkmate.txt" --depth 2 --database found.db
refused "no position, no database" 'cannot be read' sortie analyze none.txt --database none.db
refused "no database" 'h8.txt: expected a database' sortie analyze three.txt --nodes 100 --database h8.txt

# A whole tree; the second time all of it is known.
says "each position" '^ *1 H8 +depth' sortie analyze tree.sgf --each --nodes 2K --database each.db
check "as many as there are" test "$(wc -l <says.out)" -eq 5
sortie analyze tree.sgf --each --nodes 2K --database each.db >again.out
check "known" test "$(grep -c known again.out)" -eq 5
says "a line of moves" '^ *3 J8 +depth' sortie analyze three.txt --each --nodes 500
refused "of Gomoku" 'game of Gomoku' sortie analyze "$SORTIE_GOLDEN/../../examples/laser-checkmate.txt" --each
check "values go out" sortie database each.db --export each.sgf
check "and in" sortie database back.db --import each.sgf
says "the same" "$(sortie database each.db h8.txt | head -1 | cut -d, -f1-3)" sortie database back.db h8.txt

finish
