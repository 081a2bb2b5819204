# Gomoku from the outside: positions, SGF, analysis, forced wins, the brain.
. "$(dirname "$0")/lib.sh"

printf 'gomoku freestyle 15\nH8 A1 I8 A3 J8 O1 H9 O15 H10 A15\n' >three.txt
printf 'gomoku freestyle 15\nH8 H9\n' >quiet.txt

# Forced wins are found, or said not to be there.
if [ "$(sortie vcf three.txt | head -1)" = "X wins in 2 moves by fours" ]; then pass; else fail "vcf: $(sortie vcf three.txt)"; fi
if [ "$(sortie vcf quiet.txt)" = "X has no win by fours" ]; then pass; else fail "vcf on a quiet board"; fi
if [ "$(sortie vcf quiet.txt --threats)" = "X has no win by fours and open threes" ]; then pass; else fail "vcf --threats"; fi

# Analysis: as many lines as asked for, the same with the same nodes.
sortie analyze quiet.txt --lines 3 --nodes 5K | sed 's/nps.*pv/pv/' >one.out
sortie analyze quiet.txt --lines 3 --nodes 5K | sed 's/nps.*pv/pv/' >two.out
if [ "$(wc -l <one.out)" -eq 3 ]; then pass; else fail "analyze --lines 3: $(cat one.out)"; fi
same "analyze twice" one.out two.out
if sortie analyze three.txt --nodes 1K | grep -q "wins in 2"; then pass; else fail "analyze a win"; fi

# SGF and sortie's own text say the same.
sortie show three.txt --sgf >three.sgf
sortie show three.sgf --text >again.txt
same "text to SGF and back" three.txt again.txt
if sortie show three.sgf --svg | grep -q '<svg'; then pass; else fail "show --svg"; fi

# Both doors to the protocol.
for program in pbrain-sortie "sortie gomocup"; do
    printf 'START 15\nINFO timeout_turn 50\nBEGIN\nEND\n' | $program | grep -v MESSAGE >said.out
    if [ "$(head -1 said.out)" = OK ] && [ "$(wc -l <said.out)" -eq 2 ]; then pass; else fail "$program: $(cat said.out)"; fi
done
# The input ends in the middle of a command.
if printf 'START 15\nBOARD\n3,3' | pbrain-sortie | grep -q OK; then pass; else fail "end of input inside BOARD"; fi

# Faults: one line, exit status 2.
faulty() {
    printf "$2" >bad.txt
    refused "analyze: $1" "$3" sortie analyze bad.txt
    refused "vcf: $1" "$3" sortie vcf bad.txt
}
faulty "off the board" 'gomoku freestyle 15\nH8 P1\n' 'bad.txt:2:4: .*A1 to O15'
faulty "taken square" 'gomoku freestyle 15\nH8 H8\n' 'bad.txt:2:4: .*empty square'
faulty "size" 'gomoku exact 23\n' 'bad.txt:1:14: .*5 to 22'
faulty "colours out of balance" 'gomoku exact 5\nX....\nX....\n.....\n.....\n.....\n' 'bad.txt:2:1: .*as many X as O'
faulty "game over" 'gomoku freestyle 15\nA1 A2 B1 B2 C1 C2 D1 D2 E1\n' 'over'
faulty "broken SGF" '(;SZ[15];B[hh' 'bad.txt:1:12: '
printf 'war sneak 2 X\n3 1\n2 5\n..\n.O\n' >bad.txt
refused "vcf: another game" 'Gomoku' sortie vcf bad.txt
check "analyze takes every game" grep -q 'line 3 .* exact' <(sortie analyze bad.txt -n 3)
refused "arguments" "no argument" sortie gomocup x

check "a manager that waits for each answer" python3 "$SORTIE_SOURCE/tests/cli/manager.py" $((200 * slow)) $((400 * slow)) pbrain-sortie
finish
