# COMPETITION: always a legal move, never more CPU seconds than the file gives.
. "$(dirname "$0")/lib.sh"

board() { # N SECONDS FILLED
    awk -v n="$1" -v s="$2" -v filled="$3" 'BEGIN {
        srand(n * 7 + filled); print n; print "COMPETITION"; print "X"; print s
        for (r = 0; r < n; r++) { line = ""; for (c = 0; c < n; c++) line = line (c ? " " : "") 1 + int(rand() * 99); print line }
        for (r = 0; r < n; r++) { line = ""; for (c = 0; c < n; c++) line = line (rand() * 100 < filled ? (rand() < .5 ? "X" : "O") : "."); print line }
    }'
}
TIMEFORMAT='%U'
for size in 1 2 5 8 15 26; do
    for seconds in 0.01 0.1 1; do
        for filled in 0 60; do
            rm -f output.txt
            board $size $seconds $filled >input.txt
            if [ "$(sed -n "$((5 + size)),\$p" input.txt | tr -dc . | wc -c)" -eq 0 ]; then continue; fi
            used=$( { time sortie move 2>err; } 2>&1)
            if [ -s output.txt ] && [ "$(wc -l <output.txt)" -eq $((size + 1)) ]; then pass; else fail "no answer for $size $seconds $filled: $(cat err)"; fi
            case $SORTIE_BIN in
            *asan* | *tsan*) ;; # the sanitizers' own start costs more than the smallest budget
            *) if awk -v u="$used" -v s="$seconds" 'BEGIN{exit !(u <= s)}'; then pass; else fail "$size $seconds $filled used $used s"; fi ;;
            esac
        done
    done
done

# The last moves of a game, a process each: what they cost apart from thinking is kept back. A clock that gives each 1.4 times
# the cost of an answer at once is never overdrawn; counted is all CPU time of the process.
cat >last.py <<'END'
import os, random, sys

def spend(text):
    with open("input.txt", "w") as file:
        file.write(text)
    child = os.fork()
    if child == 0:
        os.execvp("sortie-course", ["sortie-course"])
    _, status, use = os.wait4(child, 0)
    if status:
        sys.exit("sortie-course failed")
    return use.ru_utime + use.ru_stime

def file_of(side, left, values, board):
    rows = [" ".join(map(str, values[5 * r:5 * r + 5])) for r in range(5)] + [board[5 * r:5 * r + 5] for r in range(5)]
    return "\n".join(["5", "COMPETITION", side, "%.6f" % left] + rows) + "\n"

random.seed(12)
for game in range(4):
    empties = 9 + 2 * game
    turns = (empties + 1) // 2
    values = [random.randint(1, 99) for _ in range(25)]
    cells = random.sample(range(25), 25)
    board = "".join("." if c in cells[:empties] else random.choice("XO") for c in range(25))
    at_once = sorted(spend(file_of("X", 1e-5, values, board)) for _ in range(9))[-2]
    clock = left = 1.4 * at_once * turns
    while "." in board:
        left -= spend(file_of("X", max(left, 1e-5), values, board))
        board = "".join(open("output.txt").read().split()[2:])
        if "." in board:
            spend(file_of("O", 1e-5, values, board))
            board = "".join(open("output.txt").read().split()[2:])
    print("%d squares: %.1f of %.1f ms left" % (empties, 1e3 * left, 1e3 * clock))
    if left < 0:
        sys.exit(1)
END
case $SORTIE_BIN in
*asan* | *tsan*) ;;
*) check "the last moves on a small clock" python3 last.py ;;
esac
finish
