# Ctrl-C in the middle of a long search: the best move so far is still answered.
. "$(dirname "$0")/lib.sh"

for mode in MINIMAX ALPHABETA; do
    awk -v mode=$mode 'BEGIN { print 12; print mode; print "X"; print 12
        for (r = 0; r < 12; r++) { line = ""; for (c = 0; c < 12; c++) line = line (c ? " " : "") 1 + (r * 37 + c * 17) % 99; print line }
        for (r = 0; r < 12; r++) print "..X....O...." }' >input.txt
    rm -f output.txt
    sortie move 2>err &
    program=$!
    sleep 0.7
    kill -INT $program
    wait $program
    status=$?
    if [ $status -eq 0 ] && [ "$(wc -l <output.txt)" -eq 13 ] && grep -q '^sortie: interrupted' err; then
        pass
    else
        fail "$mode: status $status, $(cat err)"
    fi
done
finish
