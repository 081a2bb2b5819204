# Takes the first square that is not a block, and forgets the beams.
board = open("input.txt").read().split()[1:]
for row, line in enumerate(board):
    if "0" in line:
        open("output.txt", "w").write("%d %d" % (row, line.index("0")))
        break
