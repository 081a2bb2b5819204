# Laser Checkmate from the outside: the course file, its faults, and every command that takes a board.
. "$(dirname "$0")/lib.sh"

board() { cp "$SORTIE_GOLDEN/laser/$1/input.txt" input.txt; }
# The best value of a case's table, and the value of one move in it.
best_of() { sort -k3 -n "$SORTIE_GOLDEN/laser/$1/values.txt" | tail -1 | cut -d' ' -f3; }
value_of() { grep "^$2 " "$SORTIE_GOLDEN/laser/$1/values.txt" | cut -d' ' -f3; }

# The answer of both front doors is a move of the best margin.
for number in 000 013 027 040 059; do
    for program in "sortie move" sortie-laser sortie-course; do
        board $number
        rm -f output.txt
        if $program >said.out 2>&1 && [ "$(wc -l <output.txt)" -eq 1 ] &&
            [ "$(value_of $number "$(cat output.txt)")" = "$(best_of $number)" ]; then
            pass
        else
            fail "$program on case $number: $(cat output.txt said.out)"
        fi
    done
done

# solve --all prints the table.
for number in 005 033 050 059; do
    board $number
    sortie solve input.txt --all >all.out 2>&1
    tail -n +6 all.out | sed 's/://' >found.txt
    same "solve --all on case $number" "$SORTIE_GOLDEN/laser/$number/values.txt" found.txt
    if [ "$(head -1 all.out | tr -s ' ' | cut -d' ' -f2)" = "$(best_of $number)" ]; then pass; else fail "value of $number"; fi
    # --win agrees with the sign, with two threads as with one.
    best=$(best_of $number)
    outcome=draw
    [ "$best" -gt 0 ] && outcome=win
    [ "$best" -lt 0 ] && outcome=loss
    if sortie solve input.txt --win --threads 2 | grep -q "^value  $outcome for 1"; then pass; else fail "--win on $number"; fi
done

# The usual oddities of files are read as if they were not there.
board 033
sortie move --stdout >plain.txt
sed 's/$/  \r/' "$SORTIE_GOLDEN/laser/033/input.txt" | head -c -2 >input.txt
sortie move --stdout >odd.txt
same "CRLF, padded rows, no final line end" plain.txt odd.txt

# Emitters in each other's beams: an answer and a warning.
printf '5\n11020\n00000\n00000\n00000\n00000\n' >input.txt
if sortie move >said.out 2>warned.txt && [ -s output.txt ] && grep -q "each other's beams" warned.txt; then
    pass
else
    fail "emitters in beams: $(cat warned.txt)"
fi
rm -f output.txt

# Faults: one line, exit status 2, nothing written.
faulty() {
    printf "$2" >input.txt
    refused "move: $1" "$3" sortie move --format laser
    refused "sortie-laser: $1" "$3" sortie-laser
}
faulty "short file" '3\n000\n' 'input.txt:3:1: expected row 2'
faulty "short row" '3\n000\n00\n000\n' 'input.txt:3:3: '
faulty "long row" '3\n000\n0000\n000\n' 'input.txt:3:4: '
faulty "other character" '3\n000\n0x0\n000\n' 'input.txt:3:2: .*0 to 3'
faulty "N of 0" '0\n' 'input.txt:1:1: .*1 to 32'
faulty "N beyond 32" '33\n000\n' 'input.txt:1:1: .*1 to 32'
faulty "text behind the board" '2\n00\n00\n0\n' 'input.txt:4:1: '
faulty "no move left" '3\n333\n313\n333\n' 'game is over'
faulty "empty file" '' 'input.txt'
rm -f input.txt
refused "no file" 'input.txt' sortie-laser
refused "arguments" 'no arguments' sortie-laser x

# The other commands take the same file.
board 040
check "show" sortie show input.txt
if sortie show input.txt --svg | grep -q '<svg'; then pass; else fail "show --svg"; fi
if sortie solve input.txt --json | grep -q '"solved": true'; then pass; else fail "solve --json"; fi
printf '7\n0000300\n0000000\n0000030\n0000000\n0000000\n0000000\n0030000\n' >seven.txt
check "perft" sortie perft seven.txt --depth 2
if sortie perft seven.txt --depth 1 | grep -qw 46; then pass; else fail "perft 1 of 7x7: $(sortie perft seven.txt --depth 1)"; fi

# A board far too large to solve still gets its move in time, and Ctrl-C ends a proof with bounds.
{ echo 32; for i in $(seq 32); do echo 00000000000000000000000000000000; done; } >large.txt
check "32x32 in a second" timeout 20 sortie move --input large.txt --time 1 --output large.out
timeout -s INT 2 sortie solve large.txt >bounds.out 2>/dev/null
if grep -q 'not solved' bounds.out; then pass; else fail "interrupted solve: $(cat bounds.out)"; fi

finish
