"""The Python module as a course would use it."""
import sortie

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
for bad in (lambda: sortie.Position.start("chess"), lambda: gomoku.play("H8"), lambda: sortie.Position.parse("3\nFLY\n"),
            lambda: engine.go(gomoku, method="magic"), lambda: gomoku.cell(15, 0)):
    try:
        bad()
    except sortie.SortieError:
        continue
    raise AssertionError("expected a refusal")
print("all good")
