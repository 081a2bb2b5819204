"""Stake-Raid in Python 3; the rules are in a module of their own."""
from rules import best_move, play


def main():
    with open("input.txt") as file:
        words = file.read().split()
    size, mode, me = int(words[0]), words[1], words[2]
    depth = 2 if mode == "COMPETITION" else int(words[3])
    values = [int(word) for word in words[4:4 + size * size]]
    squares = "".join(words[4 + size * size:])
    square, raid = best_move(size, values, squares, me, depth)
    after = play(size, squares, square, me, raid)
    with open("output.txt", "w") as file:
        print(f"{chr(65 + square % size)}{square // size + 1} {'Raid' if raid else 'Stake'}", file=file)
        for row in range(size):
            print(after[row * size:(row + 1) * size], file=file)


if __name__ == "__main__":
    main()
