#!/usr/bin/env python3
"""A second checker of certificates, written from docs/proofs.md alone and as plainly as can be: it plays every default
through against every stone. It exists to be compared with `sortie verify`: exit status 0, 1 or 2 as there."""
import re
import sys

WON, FORCED, COVER, PAIRING, REFER, NAME, BOUND = range(7)
HEAD = re.compile(rb"sortie proof 1\ngame ([a-z]+ [a-z]+) ([1-9]\d*)\nmove ([XO12])\nclaim ([XO12]) (wins|holds|margin) (0|-?[1-9]\d*)\n")
GAMES = {"gomoku freestyle": ("wins", "holds"), "war stake": ("margin",), "war sneak": ("margin",), "laser standard": ("margin",)}
WAYS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
sys.setrecursionlimit(10000)


class Refused(Exception):
    """A step that does not hold."""


class NoCertificate(Exception):
    """Something else than a certificate."""


def need(condition, what):
    if not condition:
        raise Refused(what)


def crc64(data):
    value = 2**64 - 1
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xC96C5795D7870F42 if value & 1 else 0)
    return value ^ (2**64 - 1)


class Proof:
    """What the head says, and the cursor in the body."""

    def __init__(self, data, at):
        head = HEAD.match(data, at)
        if not head:
            raise NoCertificate("no head")
        self.data, self.game, self.n = data, head[1].decode(), int(head[2])
        self.claim, self.margin = head[5].decode(), int(head[6])
        self.mine, self.count = head[4].decode(), self.n * self.n
        least = 5 if self.game.startswith("gomoku") else 1
        if self.claim not in GAMES.get(self.game, ()) or not least <= self.n <= 15 or len(head[6]) > 9:
            raise NoCertificate("no such claim")
        sides = b"12" if self.game.startswith("laser") else b"XO"
        if head[3] not in sides or head[4] not in sides or (self.claim != "margin" and self.margin != 0):
            raise NoCertificate("no such claim")
        self.hero_moves = head[3] == head[4]
        self.at = head.end()
        self.read_board()
        self.names = []

    def read_board(self):
        token = rb"([1-9]\d*)([XO.])" if self.game.startswith("war") else rb"()([0-3])" if self.game.startswith("laser") else rb"()([XO.])"
        self.values, self.glyphs = [], []
        for _ in range(self.n):
            row = re.compile(token * self.n + rb"\n").match(self.data, self.at)
            if not row:
                raise NoCertificate("no board")
            self.values += [int(value or 1) for value in row.groups()[::2]]
            if max(self.values) >= 4000000:
                raise NoCertificate("a value too large")
            self.glyphs += [glyph.decode() for glyph in row.groups()[1::2]]
            self.at = row.end()

    def byte(self):
        need(self.at < len(self.data), "the end of the file")
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                need(byte > 0 or shift == 7, "a number that could be shorter")
                return value
            need(shift < 35, "a number of more than five bytes")

    def path(self, square, way, most):
        """Up to `most` squares from a square on in a direction, itself not among them."""
        row, column = divmod(square, self.n)
        squares = []
        for _ in range(most):
            row, column = row + WAYS[way][0], column + WAYS[way][1]
            if not (0 <= row < self.n and 0 <= column < self.n):
                break
            squares.append(row * self.n + column)
        return squares


class Gomoku(Proof):
    def __init__(self, data, at):
        super().__init__(data, at)
        self.hero = {i for i, glyph in enumerate(self.glyphs) if glyph == self.mine}
        self.villain = {i for i, glyph in enumerate(self.glyphs) if glyph not in (self.mine, ".")}
        lines = [[square] + self.path(square, way, 4) for square in range(self.count) for way in range(4)]
        self.rows = [set(line) for line in lines if len(line) == 5]
        if any(row <= self.hero or row <= self.villain for row in self.rows):
            raise NoCertificate("the game is over")

    def fives(self, own, other):
        return {(row - own).pop() for row in self.rows if len(row & own) == 4 and not row & other}

    def check(self):
        self.node(self.hero_moves, True)

    def node(self, hero_moves, first):
        """`first`: the node is read for the first time, not played again with another stone."""
        code = self.byte() - self.count
        named = code == NAME
        code = self.byte() - self.count if named else code
        if not hero_moves:
            need(not self.fives(self.villain, self.hero), "the villain makes five")
        if code == REFER:
            self.refer(hero_moves)
        elif code == PAIRING:
            self.pairing(hero_moves)
        elif hero_moves:
            need(code < 0 and code + self.count not in self.hero | self.villain, "no move")
            self.after(code + self.count, True, first)
        else:
            self.replies(code, first)
        if named and first:
            self.names.append((hero_moves, frozenset(self.hero), frozenset(self.villain)))

    def after(self, square, by_hero, first):
        stones = self.hero if by_hero else self.villain
        stones.add(square)
        try:
            if not (by_hero and any(square in row and row <= self.hero for row in self.rows)):
                self.node(not by_hero, first)
        finally:
            stones.remove(square)

    def replies(self, code, first):
        fives = self.fives(self.hero, self.villain)
        if code == WON:
            need(len(fives) > 1, "not won")
        elif code == FORCED:
            need(len(fives) == 1, "not forced")
            self.after(fives.pop(), False, first)
        else:
            need(code == COVER, "no such node")
            self.cover(first)

    def cover(self, first):
        default, start = self.byte(), self.at
        need(default < 2, "one default at most")
        if default:
            self.node(True, first)
        listed = [self.byte() for _ in range(self.byte())]
        empty = set(range(self.count)) - self.hero - self.villain
        need(listed == sorted(set(listed)) and all(square < self.count for square in listed), "no list")
        need(not first or set(listed) <= empty, "a taken square is listed")
        need(empty or self.claim == "holds", "the board is full")
        children = self.at
        for square in sorted(empty - set(listed)):
            need(default, "a reply without an answer")
            self.at = start
            self.after(square, False, False)
        self.at = children
        for square in listed:
            if square in empty:
                self.after(square, False, first)
            else:
                self.skip()

    def skip(self):
        """Passes over a node without checking it: only five in a row needs the board for that."""
        code = self.byte() - self.count
        if code == NAME:
            code = self.byte() - self.count
        if code == REFER:
            self.number()
        elif code == PAIRING:
            pairs = self.byte()
            self.at += 2 * pairs
        elif code < 0:
            self.hero.add(code + self.count)
            if not any(code + self.count in row and row <= self.hero for row in self.rows):
                self.skip()
            self.hero.remove(code + self.count)
        elif code == FORCED:
            self.skip()
        elif code == COVER:
            if self.byte():
                self.skip()
            listed = self.byte()
            self.at += listed
            for _ in range(listed):
                self.skip()

    def pairing(self, hero_moves):
        pairs = [(self.byte(), self.byte()) for _ in range(self.byte())]
        squares = [square for pair in pairs for square in pair]
        need(self.claim == "holds", "pairs do not win")
        need(len(squares) == len(set(squares)) and not set(squares) & (self.hero | self.villain), "no pairs")
        need(all(square < self.count for square in squares), "no squares")
        rows = [row for row in self.rows if not row & self.hero and not any(set(pair) <= row for pair in pairs)]
        weights = [(own, 32 >> len(own)) for own in (row - self.villain - set(squares) for row in rows)]
        threats = [sum(weight for own, weight in weights if square in own) for square in range(self.count)]
        most = 0 if hero_moves else max(threats)
        need(sum(weight for _, weight in weights) + most < 32, "the pairs do not hold")

    def refer(self, hero_moves):
        number = self.number()
        need(number < len(self.names), "no such name")
        side, hero, villain = self.names[number]
        turns = []
        for turn in range(8):
            image = {}
            for square in range(self.count):
                row, column = divmod(square, self.n)
                row, column = (self.n - 1 - row if turn & 1 else row), (self.n - 1 - column if turn & 2 else column)
                image[square] = column * self.n + row if turn & 4 else row * self.n + column
            turns.append({image[i] for i in hero} <= self.hero and self.villain <= {image[i] for i in villain})
        need(side == hero_moves and any(turns), "another position")


class Margins(Proof):
    def __init__(self, data, at):
        super().__init__(data, at)
        laser = self.laser = self.game.startswith("laser")
        self.near = [set() for _ in range(self.count)]
        blocks = {i for i, glyph in enumerate(self.glyphs) if laser and glyph == "3"}
        for square in range(self.count):
            for way in range(8):
                for other in self.path(square, way, 3 if laser else 1 - way % 2):
                    if other in blocks:
                        break
                    self.near[square].add(other)
        self.squares = set(range(self.count)) - blocks
        self.own = [set(), set()]
        for square in self.squares:
            if self.glyphs[square] not in ".0":
                covered = self.near[square] | {square} if laser else {square}
                self.own[self.glyphs[square] != self.mine] |= covered

    def check(self):
        self.node(0 if self.hero_moves else 1, self.own)

    def node(self, side, own):
        code = self.byte() - self.count
        named = code == NAME
        code = self.byte() - self.count if named else code
        free = self.squares - own[0] - own[1]
        live = free.union(*(self.near[square] for square in free))
        weigh = lambda squares: sum(self.values[square] for square in squares)
        settled = weigh(own[0] - live) - weigh(own[1] - live)
        if code == BOUND:
            worst = settled - weigh(live) + (weigh(own[0] & live) if self.laser else 0)
            need(worst >= self.margin, "not certain")
        elif code == REFER:
            number = self.number()
            need(number < len(self.names), "no such name")
            known = self.names[number]
            need(known[0] == side and known[1] == free and settled >= known[4], "another position")
            need(known[2] <= own[0] & live and own[1] & live <= known[3], "a worse position")
        elif side == 0:
            need(code < 0 and code + self.count in free, "no move")
            self.node(1, self.play(side, own, code + self.count))
        else:
            need(code == COVER and free, "no such node")
            for square in sorted(free):
                self.node(0, self.play(side, own, square))
        if named:
            self.names.append((side, free, own[0] & live, own[1] & live, settled))

    def play(self, side, own, square):
        own = [set(own[0]), set(own[1])]
        own[side].add(square)
        if self.laser:
            own[side] |= self.near[square]
        elif self.near[square] & own[side]:
            own[side] |= self.near[square] & own[1 - side]
            own[1 - side] -= self.near[square]
        return own


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    at = 0
    while at < len(data) or at == 0:
        proof = (Gomoku if data[15:26] == b"game gomoku" else Margins)(data, at)
        proof.check()
        need(data[proof.at : proof.at + 8] == crc64(data[at : proof.at]).to_bytes(8, "little"), "the digest")
        at = proof.at + 8
    print("proved")


if __name__ == "__main__":
    try:
        main()
    except Refused as refused:
        sys.exit(f"{sys.argv[1]}: {refused}")
    except (NoCertificate, OSError) as fault:
        print(f"{sys.argv[1]}: {fault}", file=sys.stderr)
        sys.exit(2)
