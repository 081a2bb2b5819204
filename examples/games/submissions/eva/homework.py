# Thinks for as long as there are squares to think about, from the second move on.
board = open("input.txt").read().split()[1:]
if any("2" in line for line in board):
    while True:
        pass
open("output.txt", "w").write("%d 0" % (len(board) - 1))
