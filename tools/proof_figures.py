#!/usr/bin/env python3
"""The figures of the proofs, read from the files themselves: proofs/ (the cores and SHA256SUMS) and docs/swapmap.txt.

usage: proof_figures.py [ROOT]               says where a page differs from the files, one line each
       proof_figures.py --tex FOLDER [ROOT]  writes the paper's tables and numbers into that folder (tools/paper.sh)

What is measured and stands in no file (seconds, positions checked) the paper takes from the tables of docs/proving.md.
"""
import glob
import lzma
import os
import re
import sys

FIRST = "first-player"
LETTERS = "ABCDEFGHIJKLMNO"
WORDS = ("none one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
         "seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five twenty-six "
         "twenty-seven twenty-eight twenty-nine thirty thirty-one thirty-two thirty-three thirty-four thirty-five "
         "thirty-six").split()


def crc64(data):
    """The CRC-64 of xz, by which certificates and cores end (docs/proofs.md)."""
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = (byte >> 1) ^ (0xC96C5795D7870F42 if byte & 1 else 0)
        table.append(byte)
    value = 0xFFFFFFFFFFFFFFFF
    for byte in data:
        value = (value >> 8) ^ table[(value ^ byte) & 255]
    return value ^ 0xFFFFFFFFFFFFFFFF


class Core:
    """A file of proofs/, as docs/cores.md tells it."""

    def __init__(self, path):
        self.name = os.path.basename(path)[:-len(".core.xz")]
        self.packed = os.path.getsize(path)
        try:
            with lzma.open(path) as file:
                data = file.read()
        except (lzma.LZMAError, EOFError) as error:
            raise SystemExit(f"{path}: {error}") from None
        self.bytes = len(data)
        if int.from_bytes(data[-8:], "little") != crc64(data[:-8]):
            raise SystemExit(f"{path}: the digest is another one")
        end = data.index(b"\n", data.index(b"\nproof ") + 1)
        lines = data[:end].decode().split("\n")
        self.size = int(lines[1].split()[-1])
        self.to_move, self.hero = lines[2].split()[1], lines[3].split()[1]
        self.rows = lines[4:4 + self.size]
        self.certificate, self.digest = int(lines[-1].split()[1]), lines[-1].split()[2]
        self.read_body(data[end + 1:-8])

    def read_body(self, body):
        """Counts the moves that are told, those of them that are bare, and the nodes won by threats."""
        self.told, self.bare, self.threats, self.first = 0, 0, 0, None
        squares, at = self.size * self.size, 1 if self.to_move != self.hero else 0
        while True:
            shift = 0
            while True:
                self.threats += (body[at] & 127) << shift
                at, shift = at + 1, shift + 7
                if body[at - 1] < 128:
                    break
            if at == len(body):
                return
            if body[at] == squares:
                self.bare, at = self.bare + 1, at + 1
            if self.first is None:
                self.first = name_of(body[at], self.size)
            self.told, at = self.told + 1, at + 1

    def stones(self):
        """The stones in its head, as pairs of a side and a square's name."""
        return [(side, name_of(row * self.size + column, self.size)) for row, line in enumerate(self.rows)
                for column, side in enumerate(line) if side != "."]

    def square(self):
        """The square of the map that it settles; the first player's win settles that of its first move."""
        if self.size != 15:
            return None
        stones = self.stones()
        if not stones and self.to_move == self.hero:
            return image(self.first)
        return image(stones[0][1]) if len(stones) == 1 and stones[0][0] != self.to_move else None

    def winner(self):
        """For whom that square is won: the owner of the stone, or the other side."""
        return "owner" if self.hero == "X" else "other"


def name_of(square, size):
    """A square's name: columns are letters, rows numbers from the top."""
    return f"{LETTERS[square % size]}{square // size + 1}"


def image(square):
    """The image of a square of 15x15 that docs/swapmap.txt has: turned and mirrored, B1 is A2."""
    column, row = LETTERS.index(square[0]), int(square[1:]) - 1
    a, b = sorted((min(column, 14 - column), min(row, 14 - row)))
    return f"{LETTERS[a]}{b + 1}"


def spoken(square):
    """The image that the pages name: those on the edge by its first row."""
    return f"{LETTERS[int(square[1:]) - 1]}1" if square[0] == "A" else square


class Tree:
    """What the files of a tree say."""

    def __init__(self, root):
        self.root = root
        self.cores = {core.name: core for core in map(Core, sorted(glob.glob(os.path.join(root, "proofs/*.core.xz"))))}
        self.sums = dict(reversed(line.split()) for line in self.read("proofs/SHA256SUMS").splitlines())
        lines = [line.split() for line in self.read("docs/swapmap.txt").splitlines() if not line.startswith("#")]
        self.map = {line[0]: (int(line[1]), line[7] if len(line) > 7 else None) for line in lines}
        self.claimed = [square for square, (_, side) in self.map.items() if side and side.endswith("?")]
        self.map = {square: (value, side and side.rstrip("?")) for square, (value, side) in self.map.items()}
        self.settled = {square: side for square, (_, side) in self.map.items() if side}
        self.shipped = {core.square(): core for core in self.cores.values() if core.square()}
        self.unshipped = [square for square in self.settled if square not in self.shipped]

    def read(self, path):
        """The text of a file of the tree."""
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    def table(self, path, header):
        """The rows of a page's table whose first line begins so, as lists of cells."""
        rows, inside = [], False
        for line in self.read(path).splitlines():
            inside = line.startswith(header) or (inside and line.startswith("|"))
            if inside and not line.startswith((header, "|---")):
                rows.append([cell.strip() for cell in line.strip("|").split("|")])
        return rows


# -- pages against files --

class Pages:
    """Collects what the pages say otherwise than the files."""

    def __init__(self, tree):
        self.tree, self.wrong = tree, []

    def says(self, page, pattern, *expected):
        """Sentences of that form are on the page, and their groups are these, wherever they stand."""
        text = re.sub(r"\s+", " ", self.tree.read(page))
        found = list(re.finditer(pattern, text))
        if not found:
            self.wrong.append(f"{page}: expected a sentence like '{pattern}' with {', '.join(map(str, expected))}")
        for match in found:
            for group, value in zip(match.groups(), expected):
                if group.lower() != str(value):
                    self.wrong.append(f"{page}: '{match.group()}': the files say {value}, not {group}")

    def names(self, page, pattern, expected):
        """The same for a list of squares, in any order."""
        match = re.search(pattern, re.sub(r"\s+", " ", self.tree.read(page)))
        named = {image(square) for square in re.findall(r"\b[A-H][1-8]\b", match.group(1))} if match else set()
        if named != set(expected):
            self.wrong.append(f"{page}: '{pattern}' names {sorted(map(spoken, named))}, the files "
                              f"{sorted(map(spoken, expected))}")

    def equal(self, where, said, real):
        """A single figure."""
        if said != real:
            self.wrong.append(f"{where}: says {said}, the files {real}")


def check_first(pages, core):
    """The first player's win, wherever it is told of."""
    megabytes, kilobytes = round(core.certificate / 1e6), round(core.packed / 1e3)
    pages.equal("proofs/first-player.core.xz: first move", core.first, "H8")
    pages.says("README.md", r"whole proof, (\S+) MB, out of the (\S+) moves that are hard to find \((\S+) kB\)",
               megabytes, f"{core.told:,}", kilobytes)
    pages.says("docs/cores.md", r"moves in (\S+) MB; its core has (\S+) in (\S+) kB, (\S+) kB as xz",
               megabytes, f"{core.told:,}", round(core.bytes / 1e3), kilobytes)
    pages.says("docs/cores.md", r"proof (\d+) 0123456789abcdef", core.certificate)
    pages.says("docs/proving.md", r"X wins, by H8\*\* \| (\S+) bytes; core (\S+) kB as xz", f"{core.certificate:,}",
               kilobytes)
    pages.says("docs/proving.md", r"first-player\.core\.xz\), (\S+) bytes", f"{core.packed:,}")
    positions = {row[0].strip("*"): row[2] for row in pages.tree.table("docs/proving.md", "| what | proof")}
    millions = int(positions["15x15: X wins, by H8"].split()[0].replace(",", "")) / 1e6
    pages.says("docs/performance.md", r"first player wins \| (\S+) million positions checked", f"{millions:.1f}")
    pages.says("README.md", r"go through its (\S+) million positions", int(millions))
    pages.says("docs/page.md", r"first player's win on 15x15 \((\S+) MB", megabytes)


def check_map(pages, tree):
    """How many squares are settled, which, and by what."""
    settled, shipped = len(tree.settled), len(tree.shipped)
    pages.equal("docs/swapmap.txt: squares", len(tree.map), 36)
    pages.equal("docs/swapmap.txt: squares with '?'", tree.claimed, tree.unshipped)
    for square, core in tree.shipped.items():
        pages.equal(f"docs/swapmap.txt: {square}", tree.settled.get(square), core.winner())
    pages.says("README.md", r"with the swap, (\S+) are settled by proofs that ship, and (\S+) more by (?:a proof|proofs)",
               WORDS[shipped], WORDS[settled - shipped])
    page = "docs/proving.md"
    pages.names(page, r"The swap map (?:\S+ ){0,3}?((?:[A-H]\d,? (?:and )?)+)are won for their owner",
                [square for square, side in tree.settled.items() if side == "owner"])
    pages.names(page, r"are won for their owner; (.*?) for the other side",
                [square for square, side in tree.settled.items() if side == "other"])
    pages.says(page, r"for the other side: (\S+) of the (\S+)\.", settled, len(tree.map))
    pages.says(page, r"(\S+) squares are open", len(tree.map) - settled)
    if tree.unshipped:
        pages.says(page, r"(\S+) of the (\S+) can be checked by anybody", WORDS[shipped], WORDS[settled])
        pages.says(page, r"The other (\S+?),", WORDS[len(tree.unshipped)])
        pages.names(page, r"The other \w+, (.*?), had (?:a certificate|certificates)", tree.unshipped)


def check_squares(pages, tree):
    """The table of the squares whose cores ship: a row for each, with its sizes."""
    said = {image(row[0]): row for row in tree.table("docs/proving.md", "| square | won for | core")}
    cores = {square: core for square, core in tree.shipped.items() if core.name != FIRST}
    pages.equal("docs/proving.md: rows of the swap map", sorted(said), sorted(cores))
    for square, core in cores.items():
        pages.equal(f"proofs/{core.name}.core.xz: square", spoken(square), spoken(image(core.name)))
        if square in said:
            side = {"owner": "its owner", "other": "the other side"}[core.winner()]
            real = [side, f"{core.bytes:,} bytes", f"{core.packed:,}", f"{core.certificate:,} bytes"]
            pages.equal(f"docs/proving.md: {square}", said[square][1:5], real)


def check_boards(pages, tree):
    """The table of the empty boards smaller than 15x15, and their rows in the table of what is proved."""
    said = {row[0]: row for row in tree.table("docs/proving.md", "| board | first move")}
    proved = {row[0]: row for row in tree.table("docs/proving.md", "| what | proof")}
    boards = {f"{core.size}x{core.size}": core for core in tree.cores.values()
              if core.name != FIRST and not core.stones()}
    pages.equal("docs/proving.md: rows of smaller boards", sorted(said), sorted(boards))
    for board, core in boards.items():
        pages.equal(f"proofs/{core.name}.core.xz: name", core.name, f"board-{core.size}")
        if board in said:
            real = [core.first, f"{core.told:,}", f"{core.bytes:,} bytes", f"{core.packed:,}", f"{core.certificate:,} bytes"]
            pages.equal(f"docs/proving.md: {board}", said[board][1:6], real)
            real = [f"{core.certificate:,} bytes; core {round(core.packed / 1e3)} kB as xz", f"{said[board][6]} positions"]
            pages.equal(f"docs/proving.md: {board} among what is proved",
                        proved.get(f"{board}: X wins, by {core.first}", ["", "", ""])[1:3], real)
    pages.says("README.md", r"On boards of (\d+x\d+) to 14x14 the first player wins, too",
               min(boards, key=lambda board: boards[board].size, default="none"))


def check_sums(pages, tree):
    """SHA256SUMS names certificates of cores that are there, and is sorted."""
    names = [line.split()[1] for line in tree.read("proofs/SHA256SUMS").splitlines()]
    pages.equal("proofs/SHA256SUMS: order", names, sorted(names))
    for name, digest in tree.sums.items():
        pages.equal(f"proofs/SHA256SUMS: core of {name}", name[:-len(".proof")] in tree.cores, True)
        pages.equal(f"proofs/SHA256SUMS: length of {name}", len(digest), 64)


def check(tree):
    """Says what is wrong on the pages; returns the exit status."""
    pages = Pages(tree)
    check_first(pages, tree.cores[FIRST])
    check_map(pages, tree)
    check_squares(pages, tree)
    check_boards(pages, tree)
    check_sums(pages, tree)
    for line in pages.wrong:
        print(line)
    return 1 if pages.wrong else 0


# -- the paper's tables --

def tex(text):
    """What a cell of a page says, for LaTeX."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("**", "")
    text = re.sub(r"(\d+)x(\d+)", r"$\1\\times\2$", text)
    return text.replace("%", r"\%").replace("_", r"\_").replace("#", r"\#")


def listed(names):
    """A list in words."""
    names = list(map(spoken, names))
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1] if names else "none"


def statement(core):
    """What a core proves, in a few words."""
    stones = core.stones()
    if not stones:
        return f"{core.size}x{core.size}, empty: X wins by {core.first}"
    return f"{core.size}x{core.size}, " + " ".join(f"{side} {square}" for side, square in stones) + f": {core.hero} wins"


def in_order(tree):
    """The cores, the first player's first, then by name."""
    return sorted(tree.cores.values(), key=lambda core: (core.name != FIRST, core.name))


def cores_table(tree):
    """Sizes of what ships."""
    lines = [r"\begin{tabular}{@{}lrrrrrr@{}}\toprule",
             r"proved & hard moves & bare & by threats & core & as xz & certificate\\\midrule"]
    for core in in_order(tree):
        lines.append(f"{tex(statement(core))} & {core.told:,} & {core.bare:,} & {core.threats:,} & {core.bytes:,} & "
                     f"{core.packed:,} & {core.certificate:,}\\\\")
    total = [sum(getattr(core, key) for core in tree.cores.values()) for key in ("told", "bare", "threats", "bytes",
                                                                               "packed", "certificate")]
    lines.append(r"\midrule all & " + " & ".join(f"{number:,}" for number in total) + r"\\\bottomrule\end{tabular}")
    return "\n".join(lines) + "\n"


def digests_table(tree):
    """Digests of the certificates: the one in the core's head, and SHA-256 where it is recorded."""
    lines = [r"\begin{tabular}{@{}lll@{}}\toprule", r"certificate & CRC-64 & SHA-256\\\midrule"]
    for core in in_order(tree):
        digest = tree.sums.get(core.name + ".proof", "")
        shown = rf"\texttt{{{digest}}}" if digest else "not recorded yet"
        lines.append(rf"{core.name} & \texttt{{{core.digest}}} & {shown}\\")
    return "\n".join(lines) + "\n" + r"\bottomrule\end{tabular}" + "\n"


def page_table(rows, columns, header):
    """A table of a page; the first column is text, the others are figures."""
    lines = [r"\begin{tabular}{@{}l" + "r" * (len(columns) - 1) + r"@{}}\toprule", header + r"\\\midrule"]
    lines += [" & ".join(tex(row[column]) for column in columns) + r"\\" for row in rows]
    return "\n".join(lines) + "\n" + r"\bottomrule\end{tabular}" + "\n"


def map_picture(tree):
    """The map of the swap on the whole board; the 36 squares that differ are framed, and open ones have their estimate."""
    lines = [r"\begin{tikzpicture}[x=0.6cm,y=-0.6cm,font=\scriptsize]"]
    for row in range(15):
        for column in range(15):
            square = image(name_of(row * 15 + column, 15))
            value, side = tree.map[square]
            fill = {"owner": "black!72", "other": "black!24", None: "white"}[side]
            lines.append(rf"\fill[{fill}] ({column},{row}) rectangle +(1,1);")
            if side:
                mark = r"$\bullet$" if square in tree.shipped else r"$\circ$"
                colour = "white" if side == "owner" else "black"
                lines.append(rf"\node[{colour}] at ({column}+.5,{row}+.5) {{{mark}}};")
            elif column <= row <= 7:
                lines.append(rf"\node[black!60] at ({column}+.5,{row}+.5) {{\tiny ${value}$}};")
    lines.append(r"\foreach \i in {1,...,14} {\draw[black!40,very thin] (0,\i) -- (15,\i) (\i,0) -- (\i,15);}"
                 r"\draw (0,0) rectangle (15,15);")
    steps = "".join(f" -- ({i + 1},{i}) -- ({i + 1},{i + 1})" for i in range(8))
    lines.append(rf"\draw[very thick] (0,0){steps} -- (0,8) -- cycle;")
    for i in range(15):
        lines.append(rf"\node at ({i}+.5,-.5) {{{LETTERS[i]}}}; \node at (-.55,{i}+.5) {{{i + 1}}};")
    return "\n".join(lines) + "\n" + r"\end{tikzpicture}" + "\n"


def numbers(tree):
    """Commands for the figures in the paper's text."""
    core, total = tree.cores[FIRST], tree.cores.values()
    rows = {re.sub(r"[*:].*", "", row[0].lstrip("*")): row for row in tree.table("docs/proving.md", "| what | proof")}
    eight, first = rows["8x8"], rows["15x15"]
    settled = tree.settled.items()
    values = {
        "FirstMoves": f"{core.told:,}", "FirstBare": f"{core.bare:,}", "FirstThreats": f"{core.threats:,}",
        "FirstCore": f"{core.bytes:,}", "FirstPacked": f"{core.packed:,}", "FirstCertificate": f"{core.certificate:,}",
        "FirstDigest": core.digest, "FirstSum": tree.sums.get(FIRST + ".proof", "none"),
        "FirstPositions": first[2].replace(" positions", ""),
        "EightCertificate": eight[1].replace(" bytes", ""), "EightPositions": eight[2].replace(" positions", ""),
        "AllCores": WORDS[len(total)], "AllPacked": f"{sum(c.packed for c in total):,}",
        "AllCertificates": f"{sum(c.certificate for c in total) / 1e9:.2f}",
        "Ratio": f"{core.certificate / core.packed:,.0f}",
        "Settled": WORDS[len(tree.settled)], "Open": WORDS[36 - len(tree.settled)],
        "Shipped": WORDS[len(tree.shipped)], "Unshipped": WORDS[len(tree.unshipped)],
        "Owners": listed([square for square, side in settled if side == "owner"]),
        "Others": listed([square for square, side in settled if side == "other"]),
        "ShippedNames": listed([square for square in tree.settled if square in tree.shipped]),
        "UnshippedNames": listed(tree.unshipped),
    }
    for name in ("Settled", "Shipped"):
        values[name + "Up"] = values[name].capitalize()
    return "".join(rf"\newcommand{{\{name}}}{{{value}}}" + "\n" for name, value in values.items())


def write_tex(tree, folder):
    """Writes all of the paper's tables and numbers."""
    squares = tree.table("docs/proving.md", "| square | won for | core")
    boards = [[row[0], row[1].split(";")[0], row[2]] for row in tree.table("docs/proving.md", "| what | proof")]
    parts = {
        "numbers": numbers(tree), "cores": cores_table(tree), "digests": digests_table(tree), "map": map_picture(tree),
        "measured": page_table(squares, (0, 5, 6, 7), r"square & positions & searched & built and checked"),
        "boards": page_table(boards, (0, 1, 2), r"claim & certificate & checked"),
    }
    os.makedirs(folder, exist_ok=True)
    for name, text in parts.items():
        with open(os.path.join(folder, name + ".tex"), "w", encoding="utf-8") as file:
            file.write(text)
    return 0


def main(arguments):
    """Does what the first line of the usage says, or the second."""
    folder = None
    if arguments[:1] == ["--tex"] and len(arguments) > 1:
        folder, arguments = arguments[1], arguments[2:]
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(__doc__, file=sys.stderr)
        return 2
    tree = Tree(arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    return write_tex(tree, folder) if folder else check(tree)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
