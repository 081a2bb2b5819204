# Looks at every free square: what it covers, less what the other side could cover after it.
DIRECTIONS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


def beam(board, row, column):
    size = len(board)
    squares = {(row, column)}
    for down, right in DIRECTIONS:
        for step in range(1, 4):
            r, c = row + step * down, column + step * right
            if not (0 <= r < size and 0 <= c < size) or board[r][c] == "3":
                break
            squares.add((r, c))
    return squares


with open("input.txt") as file:
    board = file.read().split()[1:]
covered = {"1": set(), "2": set()}
for row, line in enumerate(board):
    for column, sign in enumerate(line):
        if sign in covered:
            covered[sign] |= beam(board, row, column)
free = [(r, c) for r, line in enumerate(board) for c, sign in enumerate(line)
        if sign == "0" and (r, c) not in covered["1"] | covered["2"]]


def worth(move):
    own = beam(board, *move)
    left = [square for square in free if square not in own]
    best = max((len(beam(board, *square) - covered["2"]) for square in left), default=0)
    return len(own - covered["1"]) - best


with open("output.txt", "w") as file:
    file.write("%d %d" % max(free, key=worth))
