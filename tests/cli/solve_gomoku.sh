# sortie solve on Gomoku, where a value is a win, a draw or a loss; and --all --json, which is one JSON object.
. "$(dirname "$0")/lib.sh"

# answer NAME LINE COMMAND...: the first line of the answer.
answer() {
    local name=$1 line=$2
    shift 2
    timeout 60 "$@" >out 2>err
    if [ "$(head -1 out)" = "$line" ]; then pass; else fail "$name: $(cat out err)"; fi
}
printf 'gomoku freestyle 15\nH8 A1 I8 A3 J8 O1 K8 O15\n' >one.txt
answer "a win in one" 'value  win in 1 move for X' sortie solve one.txt
printf 'gomoku freestyle 15\nH8 A1 I8 A3 J8 O1 H9 O15 H10 A15\n' >three.txt
timeout 60 sortie solve three.txt >out
grep -qE '^value  win in at most [2-9] moves for X$' out && pass || fail "a forced win: $(cat out)"
# O has to stop one of two fives of X.
printf 'gomoku freestyle 15\nH8 A1 I8 A3 J8 O1 K8\n' >lost.txt
answer "a loss" 'value  loss in 1 move for O' sortie solve lost.txt

# Nobody can make five any more, with squares left; and where one side still has to be kept from it.
printf 'gomoku freestyle 5\nXXOXX\nOOXOO\nXXOXX\nOOXOO\nOX...\n' >dead.txt
answer "a dead draw" 'value  draw for X' sortie solve dead.txt
answer "a dead draw, --win" 'value  draw for X' sortie solve dead.txt --win

# Endings of a few squares, against every line of play tried out by another program.
python3 - >check.out 2>&1 <<'PYTHON' && pass || fail "endings: $(head -c 500 check.out)"
import random, subprocess
rows = [[(r + i * d, c + i * e) for i in range(5)] for r in range(5) for c in range(5) for d, e in ((0, 1), (1, 0), (1, 1), (1, -1))
        if r + 4 * d < 5 and 0 <= c + 4 * e < 5]
def won(board, side): return any(all(board[s] == side for s in row) for row in rows)
def value(board, side):
    other = "XO"[side == "X"]
    if won(board, other): return -1
    free = [s for s in board if board[s] == "."]
    if not free: return 0
    best = -1
    for square in free:
        board[square] = side
        best = max(best, -value(board, other))
        board[square] = "."
        if best == 1: break
    return best
random.seed(3)
seen, tried = {-1: 0, 0: 0, 1: 0}, 0
while tried < 40:
    empty = random.choice((4, 5, 6))
    squares = [(r, c) for r in range(5) for c in range(5)]
    random.shuffle(squares)
    board = {s: "." for s in squares}
    for i, s in enumerate(squares[empty:]): board[s] = "XO"[i % 2]
    if won(board, "X") or won(board, "O"): continue
    side = "XO"[(25 - empty) % 2]
    wanted = value(board, side)
    if wanted == 0 and seen[0] > 2 * (seen[-1] + seen[1] + 5): continue
    tried += 1
    text = "gomoku freestyle 5\n" + "".join("".join(board[r, c] for c in range(5)) + "\n" for r in range(5))
    out = subprocess.run(["sortie", "solve", "-", "--time", "5", "--hash", "1"], input=text, capture_output=True, text=True).stdout
    found = {"wi": 1, "dr": 0, "lo": -1}.get(out[7:9])
    assert found == wanted, f"{text}wanted {wanted}, found {out}"
    move = out.split("\n")[1].split()[1]
    board[int(move[1:]) - 1, "ABCDE".index(move[0])] = side
    assert -value(board, "XO"[side == "X"]) == wanted, f"{text}{move} does not keep {wanted}"
    seen[wanted] += 1
print(seen)
assert seen[0] > 9 and seen[1] > 4, seen
PYTHON
cat check.out

# Without a limit of one's own it ends by itself, and says what is not known.
answer "an open position" 'value  unknown (not solved) for X' sortie solve --time 0.3 - <<<'gomoku freestyle 15'
timeout 20 sortie solve --help | grep -q 'Gomoku: 60 by default' && pass || fail "the limit is not in the help"

# One JSON object, whatever the game.
printf 'war stake 3 X\n12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n' >war.txt
for file in war.txt dead.txt one.txt; do
    limit=
    [ $file = one.txt ] && limit='--time 0.01' # for each of its 217 moves
    timeout 300 sortie solve $file --all --json $limit >out 2>err
    python3 - out >check.out 2>&1 <<'PYTHON' && pass || fail "$file --all --json: $(tail -c 300 check.out) $(cat err) $(head -c 300 out)"
import json, sys
answer = json.load(open(sys.argv[1]))
moves = answer["moves"]
assert moves and all({"move", "solved", "lower", "upper"} <= set(m) for m in moves), answer
best = next(m for m in moves if m["move"] == answer["move"])
assert best["lower"] >= answer["lower"] and answer["solved"], answer
PYTHON
    [ ! -s err ] && pass || fail "$file: $(cat err)"
done
finish
