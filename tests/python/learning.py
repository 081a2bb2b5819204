"""tools/gomoku/learn.py with programs that only pretend: what is kept, what a killed run does again, who is promoted."""
import importlib.util
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEARN = ROOT / "tools" / "gomoku" / "learn.py"

GAME = "1 15 1 112 113:20:97.98 128:-15\n"
TOOLS = {
    # FILE SEED NODES SECONDS GAMES ...
    "gomoku-selfplay": 'i=0; : >"$1"; while [ $i -lt "$5" ]; do printf "1 15 1 112 113:20:97.98 128:-15\\n" >>"$1"; '
                       'i=$((i+1)); done',
    "gomoku-relabel": 'while read -r line; do printf "= 1 113:25:97*80\\n%s\\n" "$line"; done >"$1"',
    "gomoku-extract": 'tr -dc "\\n" | tr "\\n" "x"',
    "sortie": 'if [ -e "$STOP" ]; then exit 1; fi; printf "Gomoku: 40 games of 400 planned\\n\\n'
              'Elo       %s +- 20.0  (...)\\nSPRT      LLR 1 (-2.94, 2.94) after 20 pairs: %s\\n" "$ELO" "$VERDICT"',
    "pbrain-sortie": "true",
}
TRAIN = """import sys
arguments = sys.argv[1:]
open(arguments[arguments.index("--teacher") + 1], "a").write("taught\\n")
print("teacher\\n  1 s, epoch 1.0: value 0.61234, even 0.1, policy 2.01, first move right 0.3")
print("network\\nrounded: value 0.62000, even 0.1, policy 2.20, first move right 0.3, 1 s")
at = 6
open(arguments[at], "w").write("/* a network of " + str(len(arguments) - at - 5) + " records files */\\n")
"""


def make_tools(folder):
    folder.mkdir()
    for name, body in TOOLS.items():
        (folder / name).write_text("#!/bin/sh\n" + body + "\n")
        (folder / name).chmod(0o755 | stat.S_IXUSR)
    (folder / "train.py").write_text(TRAIN)


def learn(folder, tools, elo="+5.0", verdict="not decided yet", more=(), **environment):
    command = [sys.executable, "-B", LEARN, folder, "--tools", tools, "-j", "2", "--games", "5", *more]
    return subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, "ELO": elo, "VERDICT": verdict, "STOP": "/nowhere", **environment})


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    tools, folder = scratch / "tools", scratch / "learning"
    make_tools(tools)

    # One generation that is not clearly better: the best stays.
    done = learn(folder, tools)
    assert done.returncode == 0, done.stderr
    first_best = (folder / "best.c").read_text()
    assert first_best == (ROOT / "src/games/gomoku/eval/network.c").read_text()
    games = (folder / "001" / "games").read_text()
    assert games == GAME * 6, games  # three each by two processes
    deeper = (folder / "001" / "deeper").read_text().splitlines()
    assert len(deeper) == 12 and deeper[0].startswith("= 1 113:25"), deeper
    ledger = (folder / "ledger.md").read_text()
    assert "| 1 | 6 |" in ledger and "0.612, 2.010 | 0.620, 2.200 | 40 | +5 ±20 | kept out |" in ledger, ledger

    # A run that fails in the match does the rest of that generation when it is called again, and nothing twice.
    stop = scratch / "stop"
    stop.touch()
    done = learn(folder, tools, STOP=str(stop))
    assert done.returncode == 1 and "status 1" in done.stderr, done
    assert not (folder / "002" / "report").exists() and (folder / "002" / "network.c").exists()
    taught = (folder / "002" / "teacher.pt").read_text()
    stop.unlink()
    done = learn(folder, tools, elo="+60.0")
    assert done.returncode == 0, done.stderr
    assert (folder / "002" / "teacher.pt").read_text() == taught == "taught\ntaught\n", taught  # it went on from the first
    assert (folder / "best.c").read_text() == "/* a network of 2 records files */\n"
    assert (folder / "ledger.md").read_text().count("promoted |") == 1

    # A test that was decided promotes; the window forgets what is older than it says.
    done = learn(folder, tools, elo="+12.0", verdict="decided for ELO1: a gain", more=["--window", "1"])
    assert done.returncode == 0, done.stderr
    assert (folder / "best.c").read_text() == "/* a network of 1 records files */\n"

    # A folder is of one rule.
    done = learn(folder, tools, more=["--rule", "renju"])
    assert done.returncode == 2 and "expected --rule freestyle" in done.stderr, done.stderr

specification = importlib.util.spec_from_file_location("learn", LEARN)
learn_module = importlib.util.module_from_spec(specification)
sys.dont_write_bytecode = True
specification.loader.exec_module(learn_module)
assert learn_module.parse(["x"]).rule == "freestyle"
print("1 passed, 0 failed")
