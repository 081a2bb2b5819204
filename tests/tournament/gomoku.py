# Plays Gomoku through a referee's folder: fills a row of its own, beginning with the middle ones.
import os
import sys
import time

TEAM = sys.argv[-1]
TAKES_OVER = False
COLUMNS = "ABCDEFGHIJKLMNO"
taken = []
row = sum(map(ord, TEAM)) % 15
while not os.path.exists("end_game"):
    if not os.path.exists(TEAM + ".go"):
        time.sleep(0.005)
        continue
    try:
        words = open("move_file").read().split()
    except OSError:
        continue
    if len(words) == 3 and words[0] == TEAM:  # our own move, not judged yet
        time.sleep(0.005)
        continue
    first = not taken
    if len(words) == 3:
        taken.append((words[1].upper(), int(words[2])))
    squares = [(column, (row + more) % 15 + 1) for more in range(15) for column in COLUMNS]
    move = taken[0] if TAKES_OVER and first and taken else next(square for square in squares if square not in taken)
    taken.append(move)
    with open("move.new", "w") as answer:
        answer.write("%s %s %d\n" % (TEAM, move[0], move[1]))
    os.rename("move.new", "move_file")
