# Thinks about the first square and gives up.
board = open("input.txt").read().split()
raise ValueError("no idea where to play on a board of " + board[0])
