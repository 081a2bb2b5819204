"""tools/gomoku/tune.py with a game whose outcome is known: it finds the better numbers, and carries on where it was ended."""
import importlib.util
import json
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
specification = importlib.util.spec_from_file_location("tune", ROOT / "tools" / "gomoku" / "tune.py")
tune = importlib.util.module_from_spec(specification)
specification.loader.exec_module(tune)

# Every knob is a number of the search, starts where the search has it, and within what it may be.
usual = tune.usual_numbers()
assert sorted(usual) == sorted(tune.KNOBS), set(tune.KNOBS) ^ set(usual)
for name, (step, least, most) in tune.KNOBS.items():
    assert step > 0 and least <= usual[name] <= most, name

# Two numbers whose best values are known: the nearer to these, the more points.
BEST = {"razor_base": 90.0, "window": 45.0}


def far(numbers):
    return sum(((numbers[name] - BEST[name]) / tune.KNOBS[name][0]) ** 2 for name in BEST)


def score(options, plus, minus, number):
    return min(1.0, max(0.0, 0.5 + 0.05 * (far(minus) - far(plus))))


with tempfile.TemporaryDirectory() as scratch:
    file = pathlib.Path(scratch) / "state.json"
    whole = pathlib.Path(scratch) / "whole.json"
    words = ["-j", "1", "--only", "razor_base,window", "--rounds"]
    assert tune.main([str(whole), *words, "300"], score) == 0
    found = json.loads(whole.read_text())["numbers"]
    begun = {name: usual[name] for name in BEST}
    assert far(found) < far(begun) / 10, (found, begun)

    # Several rounds at once lead there, too; what fails in one of them ends all.
    several = pathlib.Path(scratch) / "several.json"
    assert tune.main([str(several), *words, "300", "-j", "4"], score) == 0
    state = json.loads(several.read_text())
    assert state["round"] == len(state["scores"]) == 300
    assert far(state["numbers"]) < far(begun) / 10, state["numbers"]

    def score_failing(options, plus, minus, number):
        if number == 20:
            raise SystemExit("the match ended with status 1")
        return score(options, plus, minus, number)

    try:
        tune.main([str(scratch) + "/failing.json", *words, "300", "-j", "4"], score_failing)
        raise AssertionError("expected the failure")
    except SystemExit as end:
        assert end.code == "the match ended with status 1"

    # Ended in the middle and carried on, it does the same.
    class Ended(Exception):
        pass

    def score_until(options, plus, minus, number):
        if number == 120:
            raise KeyboardInterrupt
        return score(options, plus, minus, number)

    assert tune.main([str(file), *words, "300"], score_until) == 0
    assert json.loads(file.read_text())["round"] == 120
    assert tune.main([str(file), *words, "300"], score) == 0
    assert json.loads(file.read_text())["numbers"] == found

try:
    tune.main(["x.json", "--only", "luck"])
    raise AssertionError("expected a refusal")
except SystemExit as end:
    assert end.code == 2
print("1 passed, 0 failed")
