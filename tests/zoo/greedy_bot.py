"""A Stake-Raid course program in a few lines: takes the move that leaves the best board at once."""

lines = open("input.txt").read().split("\n")
size, me = int(lines[0]), lines[2].strip()
values = [[int(v) for v in line.split()] for line in lines[4:4 + size]]
board = [list(line.strip()) for line in lines[4 + size:4 + 2 * size]]
other = "O" if me == "X" else "X"


def beside(row, column):
    for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
        if 0 <= r < size and 0 <= c < size:
            yield r, c


best = None
for row in range(size):
    for column in range(size):
        if board[row][column] != ".":
            continue
        raid = any(board[r][c] == me for r, c in beside(row, column))
        gain = values[row][column]
        if raid:
            gain += 2 * sum(values[r][c] for r, c in beside(row, column) if board[r][c] == other)
        if best is None or gain > best[0]:
            best = (gain, row, column, raid)

_, row, column, raid = best
board[row][column] = me
if raid:
    for r, c in beside(row, column):
        if board[r][c] == other:
            board[r][c] = me
with open("output.txt", "w") as output:
    print(f"{chr(65 + column)}{row + 1} {'Raid' if raid else 'Stake'}", file=output)
    for line in board:
        print("".join(line), file=output)
