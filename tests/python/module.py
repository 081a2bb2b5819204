"""The Python module as a course would use it."""
import copy as copying
import math
import multiprocessing
import os
import pickle
import signal
import threading
import time

import sortie

signal.alarm(240)  # what hangs is ended

assert sortie.version()
assert [game["name"] for game in sortie.games()][:3] == ["war", "laser", "gomoku"]

FILE = "3\nALPHABETA\nX\n9\n12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n"
position = sortie.Position.parse(FILE)
assert (position.game, position.rules, position.rows, position.columns) == ("war", "stake", 3, 3)
assert position.moves()[4] == "B2 Stake" and len(position.moves()) == 9
assert position.cell(0, 1) == (".", "70")
assert "<svg" in position._repr_svg_() and "X to move" in str(position)
copy = position.copy().play("B2 Stake")
assert copy.score == 22 and position.score == 0 and copy != position
assert copy.undo() == position and sortie.Position.parse(position.text) == position

engine = sortie.Engine()
for method in ("minimax", "alphabeta"):
    found = engine.go(position, method=method, depth=9)
    assert (found.move, found.value) == ("C2 Stake", 169) and found.moves[0] == "C2 Stake", found
lines = engine.analyze(position, lines=3, goal="exact")
assert [line.exact for line in lines] == [True] * 3 and lines[0].move == "C2 Stake" and lines[0].value == 169
steps = []
engine.go(position, method="minimax", depth=2, on_step=steps.append)
assert steps[0].kind == "enter" and steps[0].move == "" and steps[-1].depth == 0
assert sum(step.kind == "leaf" for step in steps) == 9 * 8
assert sortie.answer(FILE) == {"output.txt": "C2 Stake\n...\n..X\n...\n"}

gomoku = sortie.Position.start("gomoku").play("H8").play("I9")
assert engine.go(gomoku, nodes=2000).move in gomoku.moves()
assert sortie.Position.start("war", seed=3) == sortie.Position.start("war", seed=3)
for bad in (
    lambda: sortie.Position.start("chess"),
    lambda: gomoku.play("H8"),
    lambda: sortie.Position.parse("3\nFLY\n"),
    lambda: engine.go(gomoku, method="magic"),
    lambda: gomoku.cell(15, 0),
):
    try:
        bad()
    except sortie.SortieError:
        continue
    raise AssertionError("expected a refusal")


def refusal(call, kind=sortie.SortieError):
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError("expected a refusal")


# Copies of every kind are positions of their own, and each is freed once.
for game in sortie.games():
    for rules in game["rules"] or [None]:
        board = sortie.Position.start(game["name"], rules, seed=5)
        for _ in range(4):
            board.play(board.moves()[0])
        before = board.text
        for make in (copying.copy, copying.deepcopy, lambda one: pickle.loads(pickle.dumps(one)), sortie.Position.copy):
            for _ in range(3):
                other = make(board)
                assert type(other) is sortie.Position and other == board and other.caption == board.caption
                assert other.to_move == board.to_move and other.moves() == board.moves() and other.score == board.score
                other.play(other.moves()[0])
                assert other != board and board.text == before
                del other
assert copying.deepcopy({"a": [board, board]})["a"][0] == board and copying.copy(board).played == 4
for make in (copying.copy, copying.deepcopy, pickle.dumps):
    assert "engine" in refusal(lambda: make(engine), TypeError)

# Numbers that C cannot hold, or that mean nothing.
for bad in (
    lambda: sortie.Position.start("gomoku", size=2**40),
    lambda: sortie.Position.start("gomoku", size=2**32 + 15),
    lambda: sortie.Position.start("war", seed=-1),
    lambda: sortie.Position.start("war", seed=2**64),
    lambda: sortie.Position.start("gomoku", size=-1),
    lambda: gomoku.cell(2**32, 0),
    lambda: gomoku.cell(0, -1),
    lambda: engine.go(gomoku, nodes=-1),
    lambda: engine.go(gomoku, nodes=2**64),
    lambda: engine.go(gomoku, depth=2**32 + 1),
    lambda: engine.go(gomoku, depth=-1),
    lambda: engine.go(gomoku, seconds=-1),
    lambda: engine.go(gomoku, seconds=math.nan),
    lambda: engine.go(gomoku, seconds=math.inf),
    lambda: engine.analyze(gomoku, lines=0, nodes=100),
    lambda: engine.analyze(gomoku, lines=-1),
    lambda: engine.analyze(gomoku, lines=2**32 + 1),
    lambda: sortie.Engine(threads=2**32 + 1),
    lambda: sortie.Engine(threads=-2),
    lambda: sortie.Engine(megabytes=-1),
    lambda: sortie.Engine(megabytes=2**60),
):
    assert "expected" in refusal(bad)
refusal(lambda: engine.go(gomoku, depth=2.5), TypeError)
assert len(engine.analyze(position, lines=10**6, depth=2)) == 9


# One engine for three threads: each gets its turn. A position that others play on meanwhile is searched as it was.
crew = sortie.Engine(threads=2)
found = []


def search_often():
    for _ in range(10):
        found.append(crew.go(gomoku, nodes=3000).move)


def play_and_take_back():
    for _ in range(2000):
        try:
            gomoku.play("A1")
        except sortie.SortieError:  # the other thread has it on the board just now
            continue
        gomoku.undo()


workers = [threading.Thread(target=search_often) for _ in range(3)] + [
    threading.Thread(target=play_and_take_back) for _ in range(2)
]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
assert len(found) == 30 and all(found), found
asked = []


def ask_again(step):
    if not asked:
        asked.append(refusal(lambda: engine.go(position, depth=1)))


engine.go(position, method="minimax", depth=2, on_step=ask_again)
assert "searching already" in asked[0]


# In a child made by fork an engine goes on, with threads of its own.
def in_child(work):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            os._exit(0 if work() else 1)
        except BaseException:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


assert in_child(lambda: crew.go(gomoku, nodes=3000).move in gomoku.moves()) == 0
assert in_child(lambda: [engine.go(gomoku, nodes=2000), crew.go(gomoku, nodes=3000)]) == 0


def give_up_engine():
    global crew
    crew = None
    return True


assert in_child(give_up_engine) == 0
with multiprocessing.get_context("fork").Pool(2) as pool:
    moves = pool.map(sortie.Position.moves, [gomoku, position])
    assert moves == [gomoku.moves(), position.moves()]

# While the parent searches: the child is told, and does not wait for a thread that is not there.
busy = threading.Thread(target=lambda: crew.go(gomoku, seconds=120))
busy.start()
for _ in range(100):  # until the search has begun
    if in_child(lambda: "searching already" in refusal(lambda: crew.go(gomoku, nodes=100))) == 0:
        break
    time.sleep(0.1)
else:
    raise AssertionError("a child made during a search was never told so")
while busy.is_alive():
    crew.stop()
    busy.join(0.05)

# What C has besides: records, the swap, boards of rows and columns, certificates, counters.
record = sortie.Position.start("gomoku").play("H8").play("I9").play("G7")
assert sortie.Position.parse(record.sgf) == sortie.Position.parse(record.sgf, "sgf") == record
assert refusal(lambda: sortie.Position.start("laser").sgf)
assert record.history() == ["H8", "I9", "G7"] and record.swap() is None
assert pickle.loads(pickle.dumps(record)).history() == record.history()
first = sortie.Position.start("gomoku")
assert sortie.Position.start("gomoku").play("H8").swap() is True and first.swap_opening(3) in first.moves()
assert first.swap_opening(3) == first.swap_opening(3) and first.proved() is None
WIN = (
    b"sortie proof 1\ngame gomoku freestyle 5\nmove X\nclaim X wins 0\nXXXX.\nOOO..\n.....\n.....\n.....\n"
    b"\4\171\172\217\213\272\360\175\362"
)
assert sortie.verify(WIN).startswith("proved: gomoku freestyle 5x5, X to move: X wins\n  XXXX.\n")
for bad in (
    lambda: sortie.Position.start("gomoku", size=9, rows=9),
    lambda: sortie.Position.start("gomoku", rows=9, columns=2**33),
    lambda: sortie.Position.start("war\0x"),
    lambda: sortie.add_proofs("gomoku", b"nonsense"),
    lambda: sortie.verify(b"nonsense"),
    lambda: sortie.verify(b""),
    lambda: sortie.verify(WIN[:-1] + b"\0"),
    lambda: sortie.add_proofs("war", b""),
    lambda: sortie.Position.parse("x", "nonsense"),
    lambda: record.play(""),
):
    assert refusal(bad)
assert isinstance(engine.counters(), str) and "idle" in repr(engine) and "gomoku 15x15" in repr(record)
assert {record: 1}[record.copy()] == 1 and record != "H8" and sortie.__version__ == sortie.version()
trouble = pickle.loads(pickle.dumps(sortie.SortieError("expected", 3, 4)))
assert (str(trouble), trouble.line, trouble.column) == ("3:4: expected", 3, 4)
print("all good")
