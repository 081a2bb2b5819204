# A weak and honest program for all three courses by files: takes the square of the most value, the first or the last.
import sys

CHOICE = "first"


def ends(rows, row, column):
    """The squares beside one."""
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [(r, c) for r, c in near if 0 <= r < len(rows) and 0 <= c < len(rows)]


def choose(squares, value):
    if CHOICE == "best":
        return max(squares, key=value)
    return squares[0 if CHOICE == "first" else -1]


def war(values, rows, side, empty, raids):
    squares = [(r, c) for r in range(len(rows)) for c in range(len(rows)) if rows[r][c] == empty]
    row, column = choose(squares, lambda square: values[square[0]][square[1]])
    rows[row][column] = side
    if raids and any(rows[r][c] == side for r, c in ends(rows, row, column)):
        for r, c in ends(rows, row, column):
            rows[r][c] = side if rows[r][c] != empty else empty
    return "%s%d Stake\n" % (chr(65 + column), row + 1), "".join("".join(line) + "\n" for line in rows)


def covered(rows):
    size, found = len(rows), set()
    for row in range(size):
        for column in range(size):
            if rows[row][column] not in "12":
                continue
            for down, right in [(d, r) for d in (-1, 0, 1) for r in (-1, 0, 1)]:
                for step in range(4):
                    r, c = row + step * down, column + step * right
                    if not (0 <= r < size and 0 <= c < size) or rows[r][c] == "3":
                        break
                    found.add((r, c))
    return found


def main():
    name = sys.argv[2] if len(sys.argv) > 2 and sys.argv[1] == "-i" else "input.txt"
    lines = open(name).read().split("\n")
    if name != "input.txt" or len(sys.argv) > 1:
        values = [[int(value) for value in line.split()] for line in lines[3:8]]
        board = war(values, [list(line) for line in lines[8:13]], lines[1], "*", True)[1]
        open("next_state.txt", "w").write(board)
    elif lines[1] in ("MINIMAX", "ALPHABETA", "COMPETITION"):
        size = int(lines[0])
        values = [[int(value) for value in line.split()] for line in lines[4 : 4 + size]]
        rows = [list(line) for line in lines[4 + size : 4 + 2 * size]]
        open("output.txt", "w").write("".join(war(values, rows, lines[2], ".", False)))
    else:
        rows = lines[1 : 1 + int(lines[0])]
        taken = covered(rows)
        free = [(r, c) for r in range(len(rows)) for c in range(len(rows)) if rows[r][c] == "0" and (r, c) not in taken]
        open("output.txt", "w").write("%d %d\n" % choose(free, lambda square: -abs(square[0] - 3) - abs(square[1] - 3)))


main()
