#!/usr/bin/env python3
"""Test vectors of certificates: every code and rule of docs/proofs.md once accepted, and refused where it is broken.
make.py FOLDER writes them there, each as NAME.proof, and `expected`, a line each: the exit status and the name. What is
committed beside this file is what it writes."""
import os
import sys

GOMOKU = {name: i for i, name in enumerate("WON FORCED COVER PAIRING REFER NAME BOUND".split())}
vectors = []


def crc64(data):
    value = 2**64 - 1
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xC96C5795D7870F42 if value & 1 else 0)
    return (value ^ 2**64 - 1).to_bytes(8, "little")


def certificate(game, move, claim, rows, body):
    """One certificate: the names of codes in the body become bytes."""
    squares = len(rows) ** 2
    head = f"sortie proof 1\ngame {game} {len(rows)}\nmove {move}\nclaim {claim}\n" + "".join(row + "\n" for row in rows)
    data = head.encode() + bytes(squares + GOMOKU[item] if isinstance(item, str) else item for item in body)
    return data + crc64(data)


def add(status, name, *parts):
    vectors.append((status, name, b"".join(parts)))


# 6x6, X to move: E1 makes two fives, A1 one.
open_three = [".XXX..", "......", "......", ".OOO..", "......", "......"]
won = ("gomoku freestyle", "X", "X wins 0", open_three)
add(0, "won", certificate(*won, [4, "WON"]))
add(1, "won-by-one-five", certificate(*won, [0, "WON"]))
add(1, "won-taken-square", certificate(*won, [1, "WON"]))
add(1, "won-without-answer", certificate(*won, [0, "FORCED", 35]))
add(1, "won-cut", certificate(*won, [4, "WON"])[:-9])
add(1, "won-longer-body", certificate(*won, [4, "WON", "WON"]))
add(1, "won-no-such-code", certificate(*won, [4, 36 + 7]))
add(1, "won-bound", certificate(*won, [4, "BOUND"]))
add(1, "won-name-of-name", certificate(*won, ["NAME", "NAME", 4, "WON"]))
add(0, "name-unused", certificate(*won, ["NAME", 4, "NAME", "WON"]))
add(1, "hero-code", certificate(*won, ["COVER", 0, 0]))
five = ("gomoku freestyle", "X", "X wins 0", ["XXXX.", "OOO..", ".....", ".....", "....."])
add(0, "five", certificate(*five, [4]))
add(1, "five-and-more", certificate(*five, [4, "WON"]))
add(1, "five-elsewhere", certificate(*five, [9]))

# 6x6: D1 makes a four, O takes E1, and J8 = square 10 makes another open one.
forced = ("gomoku freestyle", "X", "X wins 0", ["XXX...", ".XXX..", "......", "......", ".OO...", "......"])
add(0, "forced", certificate(*forced, [3, "FORCED", 10, "WON"]))
add(1, "forced-two-fives", certificate(*forced, [10, "FORCED", 3]))
add(1, "forced-no-five", certificate(*forced, [35, "FORCED", 10, "WON"]))
counter = ("gomoku freestyle", "X", "X wins 0", [".XXX..", "......", "OOOO..", "......", "......", "......"])
add(1, "villain-makes-five", certificate(*counter, [4, "WON"]))

# 5x5 with three empty squares, W5 = 22, 23 and 24, where nobody can make five any more; O to move, X holds.
dead = ["XXOXX", "OOXOO", "XXOXX", "OOXOO", "XO..."]
dead = ("gomoku freestyle", "O", "X holds 0", dead)
FULL = ["PAIRING", 0]
last = lambda square: ["COVER", 0, 1, square] + FULL
every = ["COVER", 0, 3, 22, 23, 24]
add(0, "pairing-nothing", certificate(*dead, FULL))
add(0, "cover-every-reply", certificate(*dead, every + [23] + last(24) + [22] + last(24) + [22] + last(23)))
add(1, "cover-reply-missing", certificate(*dead, ["COVER", 0, 2, 22, 23, 23] + last(24) + [22] + last(24)))
add(1, "cover-not-in-order", certificate(*dead, ["COVER", 0, 3, 23, 22, 24, 22] + last(24) + [23] + last(24) + [22] + last(23)))
add(1, "cover-twice", certificate(*dead, ["COVER", 0, 3, 22, 22, 24, 22] + last(24) + [23] + last(24) + [22] + last(23)))
add(1, "cover-taken-square", certificate(*dead, ["COVER", 0, 4, 21, 22, 23, 24] + 4 * FULL))
add(1, "cover-two-defaults", certificate(*dead, ["COVER", 2] + FULL + [0]))
add(0, "cover-default", certificate(*dead, ["COVER", 1, 22] + FULL + [1, 22] + FULL))
add(0, "cover-default-pairs", certificate(*dead, ["COVER", 1] + FULL + [0]))
add(1, "cover-default-fails", certificate(*dead, ["COVER", 1, 22] + FULL + [0]))
nested = ["COVER", 1, 22, "COVER", 0, 2, 23, 24, 24] + FULL + FULL
add(0, "replay-skips-listed", certificate(*dead, nested + [2, 22, 24] + FULL + FULL))
add(1, "replay-fails-below", certificate(*dead, nested + [1, 22] + FULL))
inner = ["COVER", 1, 22, "COVER", 1, 23] + FULL + [1, 23] + FULL
add(0, "default-in-default", certificate(*dead, inner + [2, 22, 23] + FULL + FULL))
add(1, "default-in-default-fails", certificate(*dead, inner + [1, 22] + FULL))
# The inner default answers nothing, since 23 and 24 are listed, and must hold all the same with a stone on 23.
idle = ["COVER", 1, 22, "COVER", 1, 23] + FULL + [2, 23, 24] + FULL + FULL
add(1, "default-in-default-idle", certificate(*dead, idle + [1, 22] + FULL))
add(0, "default-in-default-idle-holds", certificate(*dead, idle + [2, 22, 23] + FULL + FULL))
add(0, "refer-same", certificate(*dead, every + [23, "COVER", 0, 1, 24, "NAME"] + FULL + [22] + last(24) + [23, "COVER", 0, 1, 22, "REFER", 0]))
add(1, "refer-other-position", certificate(*dead, every + [23, "COVER", 0, 1, 24, "NAME"] + FULL + [22] + last(24) + [22, "COVER", 0, 1, 23, "REFER", 0]))
add(1, "refer-no-name", certificate(*dead, every + [23] + last(24) + [22] + last(24) + ["REFER", 0]))
add(1, "refer-itself", certificate(*dead, ["NAME", "REFER", 0]))
add(1, "refer-other-side", certificate(*dead, every + [23, "NAME", "COVER", 0, 1, 24] + FULL + [22] + last(24) + [23, "COVER", 0, 1, 22, "REFER", 0]))
add(1, "refer-longer-number", certificate(*dead, every + [23, "COVER", 0, 1, 24, "NAME"] + FULL + [22] + last(24) + [23, "COVER", 0, 1, 22, "REFER", 128, 0]))
add(1, "refer-endless-number", certificate(*dead, every + [23, "COVER", 0, 1, 24, "NAME"] + FULL + [22] + last(24) + [23, "COVER", 0, 1, 22, "REFER", 128, 128, 128, 128, 128, 0]))
add(1, "refer-large-number", certificate(*dead, ["REFER", 255, 255, 255, 255, 127]))

# After C5, once, X to move, D5 is named; then it stands turned around the board's middle column, or with a stone more.
mirrored = ("gomoku freestyle", "O", "X holds 0", ["XOXOX", "XOXOX", "OXOXO", "XOXOX", ".O.O."])
add(0, "refer-mirrored", certificate(*mirrored, ["COVER", 0, 3, 20, 22, 24, "NAME", 22, *last(24), "PAIRING", 0, "REFER", 0]))
add(1, "refer-not-mirrored", certificate(*mirrored, ["COVER", 0, 3, 20, 22, 24, "NAME", 22, *last(24), "REFER", 0, "REFER", 0]))
more = ["COVER", 0, 3, 22, 23, 24, 23, "COVER", 0, 1, 24, "NAME", *FULL, 22, *last(24)]
add(1, "refer-a-stone-less", certificate(*dead, more + ["REFER", 0]))
two = certificate(*dead, ["NAME", *FULL])
add(0, "two-certificates", two, certificate(*dead, FULL))
add(1, "names-begin-again", two, certificate(*dead, ["REFER", 0]))

full = ["XXOXX", "OOXOO", "XXOXX", "OOXOO", "XOXOX"]
add(0, "full-holds", certificate("gomoku freestyle", "O", "X holds 0", full, ["COVER", 0, 0]))
add(0, "full-holds-default", certificate("gomoku freestyle", "O", "X holds 0", full, ["COVER", 1] + FULL + [0]))
add(1, "full-wins", certificate("gomoku freestyle", "O", "X wins 0", full, ["COVER", 0, 0]))
add(0, "full-hero", certificate("gomoku freestyle", "X", "X holds 0", full, FULL))
add(1, "full-hero-cover", certificate("gomoku freestyle", "X", "X holds 0", full, ["COVER", 0, 0]))
add(1, "pairing-wins", certificate("gomoku freestyle", "O", "X wins 0", dead[3], FULL))

# 5x5, only the first row open: pairs that hold, and such that do not.
rest = ["OOXOO", "XXOXX", "OOXOO", "XXOXX"]
row = ("gomoku freestyle", "O", "X holds 0", ["....."] + rest)
add(0, "pairing-one", certificate(*row, ["PAIRING", 1, 0, 1]))
add(0, "pairing-weight", certificate(*row, FULL))
one_left = ("gomoku freestyle", "O", "X holds 0", ["OOO.."] + rest)
add(0, "pairing-last-two", certificate(*one_left, ["PAIRING", 1, 3, 4]))
three_left = ("gomoku freestyle", "O", "X holds 0", ["OOO..", "XXXOX", "OOO..", "XXXOX", "OOO.."])
add(0, "pairing-light", certificate(*one_left, FULL))
add(1, "pairing-too-heavy", certificate(*three_left, FULL))
add(1, "pairing-taken", certificate(*one_left, ["PAIRING", 1, 2, 3]))
add(1, "pairing-same", certificate(*one_left, ["PAIRING", 1, 3, 3]))
add(1, "pairing-twice", certificate(*row, ["PAIRING", 2, 0, 1, 1, 2]))
add(0, "pairing-hero-moves", certificate("gomoku freestyle", "X", "X holds 0", one_left[3], FULL))
add(1, "pairing-beside", certificate(*one_left, ["PAIRING", 1, 3, 25]))

# War board. 2x2, X to move: what is settled, what is not, a margin that is reached by a raid.
war = ["5X1.", "2.3O"]
add(0, "war-bound", certificate("war stake", "X", "X margin -11", war, ["BOUND"]))
add(1, "war-bound-too-great", certificate("war stake", "X", "X margin -10", war, ["BOUND"]))
over = ["5X1X", "2O3O"]
add(0, "war-over", certificate("war sneak", "O", "X margin 1", over, ["BOUND"]))
add(1, "war-over-too-great", certificate("war sneak", "O", "X margin 2", over, ["BOUND"]))
add(1, "war-over-cover", certificate("war sneak", "O", "X margin 1", over, ["COVER"]))
add(0, "war-raid", certificate("war stake", "X", "X margin -11", war, [1, "COVER", "BOUND"]))
add(0, "war-played", certificate("war stake", "X", "X margin 1", ["5X1X", "2.3O"], [2, "BOUND"]))
add(1, "war-taken", certificate("war stake", "X", "X margin 1", ["5X1X", "2.3O"], [0, "BOUND"]))
add(0, "war-villain", certificate("war stake", "O", "X margin 1", ["5X1X", "2.3X"], ["COVER", "BOUND"]))
add(1, "war-villain-raids", certificate("war stake", "O", "X margin 1", ["5X1X", "2.3O"], ["COVER", "BOUND"]))
add(1, "war-pairing", certificate("war stake", "O", "X margin 1", ["5X1X", "2.3X"], ["PAIRING", 0]))
add(0, "war-refer", certificate("war stake", "O", "X margin -9", ["1.1.", "1.5X"], ["COVER", "NAME", "BOUND", "BOUND", "BOUND"]))
add(0, "laser-bound", certificate("laser standard", "1", "1 margin -8", ["100", "030", "002"], ["BOUND"]))
add(0, "laser-over", certificate("laser standard", "1", "1 margin 0", ["13", "32"], ["BOUND"]))
add(1, "laser-over-too-great", certificate("laser standard", "1", "1 margin 1", ["13", "32"], ["BOUND"]))
add(0, "laser-move", certificate("laser standard", "2", "2 margin 4", ["00", "00"], [0, "BOUND"]))
add(1, "laser-blocked", certificate("laser standard", "2", "2 margin 1", ["30", "00"], [0, "BOUND"]))

# Heads.
def head(status, name, old, new):
    data = certificate(*won, [4, "WON"])[:-8].replace(old, new)
    add(status, name, data + crc64(data))


head(2, "head-wins-7", b"wins 0", b"wins 7")
head(2, "head-wins-minus-0", b"wins 0", b"wins -0")
head(2, "head-wins-00", b"wins 0", b"wins 00")
head(2, "head-size-06", b"freestyle 6", b"freestyle 06")
head(2, "head-two-blanks", b"move X", b"move  X")
head(2, "head-other-line-end", b"move X\n", b"move X\r\n")
head(2, "head-exact", b"freestyle", b"exact")
head(2, "head-margin", b"wins 0", b"margin 0")
head(2, "head-side", b"move X", b"move 1")
head(2, "head-square", b".XXX..", b".XXY..")
head(2, "head-row-short", b".XXX..\n", b".XXX.\n")
head(2, "head-over", b".OOO..", b".OOOOO")
head(2, "head-version", b"proof 1", b"proof 2")
digest = bytearray(certificate(*won, [4, "WON"]))
digest[-1] ^= 1
add(1, "digest", bytes(digest))
for name, value in (("zero", "0"), ("leading-zero", "05"), ("large", "4000000")):
    add(2, f"war-value-{name}", certificate("war sneak", "O", "X margin 1", [value + "X1X", "2O3O"], ["BOUND"]))
add(0, "war-value-greatest", certificate("war sneak", "O", "X margin 1", ["3999999X1X", "2O3O"], ["BOUND"]))
for margin, status in (("-99999999", 0), ("-100000000", 2), ("1000000000", 2), ("999999999", 1), ("-0", 2), ("01", 2), ("+1", 2)):
    add(status, f"war-margin{margin}".replace("+", "-plus-"), certificate("war sneak", "O", f"X margin {margin}", over, ["BOUND"]))
add(2, "laser-sides", certificate("laser standard", "X", "1 margin 0", ["13", "32"], ["BOUND"]))
add(2, "empty", b"")


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for status, name, data in vectors:
        with open(os.path.join(folder, name + ".proof"), "wb") as file:
            file.write(data)
    with open(os.path.join(folder, "expected"), "w") as file:
        file.writelines(f"{status} {name}\n" for status, name, _ in vectors)


main()
