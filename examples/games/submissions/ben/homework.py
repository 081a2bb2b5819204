# Plays the free square nearest to the lower right corner.
def sees(board, row, column):
    for down, right in [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]:
        for step in range(1, 4):
            r, c = row + step * down, column + step * right
            if not (0 <= r < len(board) and 0 <= c < len(board)) or board[r][c] == "3":
                break
            if board[r][c] in "12":
                return True
    return False


board = open("input.txt").read().split()[1:]
free = [(r, c) for r, line in enumerate(board) for c, sign in enumerate(line) if sign == "0" and not sees(board, r, c)]
open("output.txt", "w").write("%d %d" % free[-1])
