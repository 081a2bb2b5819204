# Knows what to do on an empty board.
board = open("input.txt").read().split()[1:]
if any("2" in line for line in board):
    raise NotImplementedError("the second move")
open("output.txt", "w").write("%d 0" % (len(board) - 1))
