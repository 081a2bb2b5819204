# A student's Sneak-Raid program with one mistake: diff_student.py MISTAKE INPUT, leaves traverse_log.txt and
# next_state.txt. Without a mistake ("none") it is the textbook's.
import sys

mistake, name = sys.argv[1:]
lines = open(name).read().split("\n")
task, me, cutoff = int(lines[0]), lines[1].strip(), int(lines[2])
values = [[int(word) for word in line.split()] for line in lines[3:8]]
start = [list(line.strip()) for line in lines[8:13]]
other = {"X": "O", "O": "X"}
cutoff += {"deep": 1, "shallow": -1}.get(mistake, 0)
infinity = {"inf": "inf", "big": "99999"}.get(mistake, "Infinity")
log = []


def beside(x, y):
    return [(x + i, y + j) for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0)) if 0 <= x + i < 5 and 0 <= y + j < 5]


def play(board, x, y, side):
    after = [row[:] for row in board]
    after[y][x] = side
    if mistake != "conquer" and any(board[j][i] == side for i, j in beside(x, y)):
        for i, j in beside(x, y):
            if board[j][i] == other[side]:
                after[j][i] = side
    return after


def evaluate(board):
    score = sum((board[y][x] == me) * values[y][x] - (board[y][x] == other[me]) * values[y][x]
                for x in range(5) for y in range(5))
    return -score if mistake == "sign" else score


def spell(number):
    if number in (float("inf"), -float("inf")):
        return infinity if number > 0 else "-" + infinity
    return "%.1f" % number if mistake == "fraction" else str(number)


def write(node, depth, *numbers):
    if mistake == "noroot" and node == "root" and not log:
        return
    depth += mistake == "depth"
    comma = ", " if mistake == "blanks" else ","
    log.append(comma.join([node, str(depth)] + [spell(number) for number in (numbers if task == 3 else numbers[:1])]))


def search(board, node, depth, side, alpha, beta):
    moves = [(x, y) for y in range(5) for x in range(5) if board[y][x] == "*"]
    if mistake == "order":
        moves.sort()
    if depth == cutoff or not moves:
        value = evaluate(board)
        write(node, depth, value, alpha, beta)
        return value
    maximise = (depth % 2 == 0) != (mistake == "minmax")
    value = -float("inf") if maximise else float("inf")
    if mistake != "noentry" or depth == 0:
        write(node, depth, value, alpha, beta)
    for x, y in moves:
        low, high = (-float("inf"), float("inf")) if mistake == "inherit" else (alpha, beta)
        found = search(play(board, x, y, side), "ABCDE"[x] + str(y + 1), depth + 1, other[side], low, high)
        value = max(value, found) if maximise else min(value, found)
        if mistake == "greater":
            cut = value > beta if maximise else value < alpha
        else:
            cut = value >= beta if maximise else value <= alpha
        if task == 3 and cut and mistake != "update":
            write(node, depth, value, alpha, beta)
            return value
        if mistake != "stale":
            alpha, beta = (max(alpha, value), beta) if maximise else (alpha, min(beta, value))
        if mistake != "once":
            write(node, depth, value, alpha, beta)
        if task == 3 and cut or mistake == "early" and depth > 0:
            return value
    return value


search(start, "root", 0, me, -float("inf"), float("inf"))
header = "Node,Depth,Value" + (",Alpha,Beta" if task == 3 else "")
with open("traverse_log.txt", "w") as file:
    file.write("\n".join(([] if mistake == "header" else [header]) + log) + "\n")
