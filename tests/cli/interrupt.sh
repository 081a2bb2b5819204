# Ctrl-C in the middle of a long search. A method of the textbook has one right answer: without it the files that are
# there stay. The engine answers with the best move so far.
. "$(dirname "$0")/lib.sh"

# board SIZE MODE DEPTH
board() {
    awk -v size="$1" -v mode="$2" -v depth="$3" 'BEGIN { print size; print mode; print "X"; print depth
        for (r = 0; r < size; r++) { line = ""
            for (c = 0; c < size; c++) line = line (c ? " " : "") 1 + (r * 37 + c * 17) % 99; print line }
        for (r = 0; r < size; r++) { line = "..X....O...."; print substr(line, 1, size) } }'
}

# interrupted SECONDS COMMAND...: runs it, interrupts it, leaves its status.
interrupted() {
    local seconds=$1 program
    shift
    "$@" >out 2>err &
    program=$!
    sleep "$seconds"
    kill -INT $program
    wait $program
    status=$?
}

for mode in MINIMAX ALPHABETA; do
    board 12 $mode 12 >input.txt
    echo "the answer of yesterday" >output.txt
    interrupted 0.7 sortie move
    if [ $status -eq 130 ] && [ "$(cat output.txt)" = "the answer of yesterday" ] &&
        grep -q '^sortie: interrupted.*nothing is written' err; then
        pass
    else
        fail "$mode: status $status, $(cat err), $(head -1 output.txt)"
    fi
done

# The log of a course stays whole too.
printf '2\nX\n20\n' >input.txt
for _ in 1 2 3 4 5; do echo '7 20 13 4 6'; done >>input.txt
for _ in 1 2 3 4 5; do echo '*****'; done >>input.txt
echo "old state" >next_state.txt
echo "old log" >traverse_log.txt
interrupted 0.7 sortie move
if [ $status -eq 130 ] && [ "$(cat next_state.txt traverse_log.txt)" = "$(printf 'old state\nold log')" ]; then
    pass
else
    fail "log: status $status, $(cat err)"
fi

# Twice: ends at once, and takes the unfinished file with it.
sortie move >out 2>err &
program=$!
sleep 0.3
kill -STOP $program
kill -INT $program
kill -TERM $program
kill -CONT $program
wait $program
status=$?
if [ $status -ge 128 ] && [ "$(cat traverse_log.txt)" = "old log" ]; then pass; else fail "twice: status $status"; fi

# The same signal many times at once, as timeout and mpirun send it, is one interruption.
printf 'gomoku freestyle 15\nH8 I9 J8\n' >game.txt
sortie analyze game.txt -t 60 >out 2>err &
program=$!
sleep 1
for _ in $(seq 200); do kill -INT $program 2>/dev/null; done
wait $program
status=$?
if [ $status -ne 130 ] && grep -q '^depth' out; then pass; else fail "echo: status $status, $(cat out err)"; fi

# With a clock the engine has a move at any time.
board 12 COMPETITION 200 >input.txt
rm -f output.txt
interrupted 0.7 sortie move --time 60
if [ $status -eq 0 ] && [ "$(wc -l <output.txt)" -eq 13 ] && grep -q '^sortie: interrupted.*best move so far' err; then
    pass
else
    fail "engine: status $status, $(cat err)"
fi
if ls -A | grep -q '^\.sortie-'; then fail "left behind: $(ls -A)"; else pass; fi
finish
