"""Squares are numbered row by row; a board is a string of X, O and dots."""


def beside(size, square):
    row, column = divmod(square, size)
    if row > 0:
        yield square - size
    if row < size - 1:
        yield square + size
    if column > 0:
        yield square - 1
    if column < size - 1:
        yield square + 1


def play(size, squares, square, who, raid):
    after = list(squares)
    after[square] = who
    if raid:
        for other in beside(size, square):
            if after[other] not in (".", who):
                after[other] = who
    return "".join(after)


def moves(size, squares, who):
    empty = [square for square, piece in enumerate(squares) if piece == "."]
    yield from ((square, False) for square in empty)
    for square in empty:
        if any(squares[other] == who for other in beside(size, square)):
            yield square, True


def value_of(size, values, squares, me, to_move, depth):
    if depth == 0 or "." not in squares:
        return sum((value if piece == me else -value) for value, piece in zip(values, squares) if piece != ".")
    choose = max if to_move == me else min
    other = "O" if to_move == "X" else "X"
    return choose(value_of(size, values, play(size, squares, square, to_move, raid), me, other, depth - 1)
                  for square, raid in moves(size, squares, to_move))


def best_move(size, values, squares, me, depth):
    other = "O" if me == "X" else "X"
    return max(moves(size, squares, me), key=lambda move: value_of(
        size, values, play(size, squares, move[0], me, move[1]), me, other, depth - 1))
