"""Counts nodes, leaves and cut-offs of minimax and alpha-beta as a student's program does, from the rules alone, and
compares them with what `sortie move --stats` says, on random boards of both war games."""
import random
import subprocess
import sys

AROUND = ((-1, 0), (1, 0), (0, -1), (0, 1))


class War:
    """A board is a string; a move gives a new one. Stakes come first, then Raids; Sneak has one move a square."""

    def __init__(self, size, values, sneak):
        self.size, self.values, self.sneak = size, values, sneak
        self.near = []
        for square in range(size * size):
            row, column = divmod(square, size)
            self.near.append([(row + r) * size + column + c for r, c in AROUND
                              if 0 <= row + r < size and 0 <= column + c < size])

    def after(self, board, square, side, raid):
        cells = list(board)
        cells[square] = side
        if raid:
            for other in self.near[square]:
                cells[other] = side if cells[other] != "." else "."
        return "".join(cells)

    def children(self, board, side):
        empty = [square for square, cell in enumerate(board) if cell == "."]
        reach = {square for square in empty if any(board[other] == side for other in self.near[square])}
        if self.sneak:
            return [self.after(board, square, side, square in reach) for square in empty]
        return ([self.after(board, square, side, False) for square in empty] +
                [self.after(board, square, side, True) for square in empty if square in reach])

    def value(self, board, side):
        return sum((value if cell == side else -value) for value, cell in zip(self.values, board) if cell != ".")


class Counter:
    """The search of the textbook over a game, counting as it goes."""

    def __init__(self, game, side, prune):
        self.game, self.side, self.prune = game, side, prune
        self.nodes = self.leaves = self.cutoffs = 0

    def search(self, board, mover, depth, alpha=-10**9, beta=10**9):
        self.nodes += 1
        children = self.game.children(board, mover) if depth else []
        if not children:
            self.leaves += 1
            return self.game.value(board, self.side)
        best = -10**9 if mover == self.side else 10**9
        for child in children:
            value = self.search(child, "O" if mover == "X" else "X", depth - 1, alpha, beta)
            best = max(best, value) if mover == self.side else min(best, value)
            if self.prune and (best >= beta if mover == self.side else best <= alpha):
                self.cutoffs += 1
                return best
            if mover == self.side:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
        return best


def said(text):
    """What sortie counts for a course file."""
    with open("counted.txt", "w") as file:
        file.write(text)
    run = subprocess.run(["sortie", "move", "-i", "counted.txt", "-o", "counted.out", "--log", "counted.log", "--stats"],
                         capture_output=True, text=True, check=True)
    words = dict(line.split(" ", 1) for line in run.stderr.splitlines())
    return tuple(int(words[word]) for word in ("nodes", "leaves", "cutoffs", "value"))


def rows(cells, size, between=""):
    return "".join(between.join(str(cell) for cell in cells[i:i + size]) + "\n" for i in range(0, size * size, size))


def file_of(sneak, size, prune, side, depth, values, board):
    if sneak:
        return f"{3 if prune else 2}\n{side}\n{depth}\n{rows(values, size, ' ')}{rows(board.replace('.', '*'), size)}"
    return f"{size}\n{'ALPHABETA' if prune else 'MINIMAX'}\n{side}\n{depth}\n{rows(values, size, ' ')}{rows(board, size)}"


def main():
    chance = random.Random(5)
    for number in range(24):
        sneak, prune = number % 3 == 0, number % 2 == 0
        size = 5 if sneak else chance.randint(2, 4)
        values = [chance.randint(1, 99) for _ in range(size * size)]
        board = "".join(chance.choice("XO..") for _ in range(size * size))
        if "." not in board:
            continue
        side, depth = chance.choice("XO"), chance.randint(1, 3)
        counter = Counter(War(size, values, sneak), side, prune)
        value = counter.search(board, side, depth)
        expected = (counter.nodes, counter.leaves, counter.cutoffs, value)
        text = file_of(sneak, size, prune, side, depth, values, board)
        if said(text) != expected:
            sys.exit(f"expected nodes, leaves, cut-offs, value {expected}, sortie says {said(text)} of\n{text}")


main()
