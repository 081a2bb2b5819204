# Explaining wrong answers: a student's program with one mistake at a time, and its name must come out.
. "$(dirname "$0")/lib.sh"
student=$SORTIE_SOURCE/tests/cli/diff_student.py

# Equal values cut here, both sides conquer, and there are three levels below the root.
cat >input.txt <<'END'
3
X
3
3 4 3 1 1
3 4 3 4 4
2 2 2 2 1
2 3 2 2 3
2 4 4 3 3
**XXX
X*XO*
O*XXO
XOXOO
XOOO*
END
sortie move >/dev/null
mkdir right && mv traverse_log.txt next_state.txt right && cp input.txt right

# mistake NAME PATTERN: the explanation of the log of that program, with and without the input.
mistake() {
    python3 "$student" "$1" input.txt
    sortie diff right/traverse_log.txt traverse_log.txt >told.txt
    local status=$?
    if [ $status -eq 1 ] && grep -qE -- "$2" told.txt; then pass; else fail "$1: status $status"; cat told.txt >&2; fi
    cp right/traverse_log.txt alone.txt
    mv input.txt away.txt
    sortie diff alone.txt traverse_log.txt >alone.out
    [ $? -eq 1 ] && pass || fail "$1: without the input"
    mv away.txt input.txt
}

python3 "$student" none input.txt
check "the same log" sortie diff right/traverse_log.txt traverse_log.txt
[ ! -s check.out ] && pass || fail "something was said about the same log"
sed -i 's/$/\r/' traverse_log.txt
check "the same log with CRLF" grep -q 'CRLF; that is accepted' <(sortie diff right/traverse_log.txt traverse_log.txt)

mistake greater 'mistake +the cut is at v (>= beta, not at v > beta|<= alpha, not at v < alpha): equal values cut too'
grep -qE '^  path +root > [A-E][1-5] (Raid|Sneak)' told.txt && pass || fail "the path is not told"
grep -qE '^  bounds +alpha -?[0-9I]+.*, beta ' told.txt && pass || fail "the bounds are not told"
grep -qE '^  board +[XO*]{5}$' told.txt && pass || fail "the board is not shown"
mistake early 'mistake +a cut too early'
mistake inf "infinity is 'Infinity'"
mistake big "infinity is 'Infinity'"
mistake fraction 'integers have no point'
mistake blanks 'no blanks around commas'
mistake noroot "the root's line is missing"
mistake noentry 'written on entry, before its children'
mistake once 'written again after every child'
mistake depth 'depth off by 1: the root is at depth 0'
mistake deep 'cut-off depth off by one'
mistake shallow 'cut-off depth off by one'
mistake order 'wrong order of moves'
mistake conquer 'a Raid without conquering'
mistake sign 'wrong sign'
mistake minmax 'MAX and MIN are exchanged'
mistake inherit 'a child inherits alpha and beta'
mistake stale '(MAX raises alpha|MIN lowers beta), and only'
mistake update 'at a cut the line shows the bounds before they are updated'
mistake header 'names of the columns is missing'
sed -i '1s/^3/2/' input.txt
sortie move >/dev/null && mv traverse_log.txt right/ && cp input.txt right/
mistake order 'wrong order of moves'
mistake minmax 'MAX and MIN are exchanged'

# A log that stops, one that goes on, and things that are no log.
head -20 right/traverse_log.txt >short.txt
sortie diff right/traverse_log.txt short.txt | grep -q 'ends before this line' && pass || fail "a log that stops"
(cat right/traverse_log.txt && echo 'A1,1,3') >long.txt
sortie diff right/traverse_log.txt long.txt | grep -q 'the search is over' && pass || fail "a log that goes on"
printf 'Node,Depth,Value\nroot,0,\033[31mred\n' >odd.txt
sortie diff right/traverse_log.txt odd.txt | grep -qF '\x1b[31mred' && pass || fail "what is printed is not clean"
: >empty.txt
sortie diff right/traverse_log.txt empty.txt | grep -q 'is empty' && pass || fail "an empty file"

# Boards, side by side.
printf '3\nMINIMAX\nX\n1\n1 2 3\n4 5 6\n7 8 9\nX..\n.O.\n...\n' >input.txt
printf 'A2 Raid\nX..\nXX.\n...\n' >right/output.txt
cp input.txt right
sortie move --stdout | diff - right/output.txt >/dev/null && pass || fail "the case is not what it should be"
printf 'A2 Raid\nX..\nXO.\n...\n' >output.txt
sortie diff right/output.txt output.txt >told.txt
grep -qE '^  XX\. +XO\. +<- B2$' told.txt && grep -q 'without conquering' told.txt && pass || fail "boards"
printf 'C3 Stake\nX..\n.O.\n..X\n' >output.txt
sortie diff right/output.txt output.txt >told.txt
grep -q "C3 Stake is a legal move and its board is right" told.txt && pass || fail "a worse move"
golden=$SORTIE_GOLDEN/sneak
battle=$(ls -d "$golden"/*/trace_state.txt | head -1)
sed '12s/^./Q/' "$battle" >trace_state.txt
sortie diff "$battle" trace_state.txt | grep -qE "turn +3, player 1's" && pass || fail "the turn of a battle"

# Bad input.
refused "one file" 'diff: expected two files' sortie diff input.txt
refused "no file" 'missing.txt' sortie diff right/output.txt missing.txt
refused "a bad input" '^sortie: odd.txt:1:1: ' sortie diff right/output.txt output.txt --input odd.txt
finish
