"""tools/gomoku/learn.py with programs that only pretend: what is kept, what a killed run does again, who is promoted."""
import importlib.util
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEARN = ROOT / "tools" / "gomoku" / "learn.py"

GAME = "1 15 1 112 113:20:97.98 128:-15\n"
TOOLS = {
    # FILE SEED NODES SECONDS GAMES ...
    "gomoku-selfplay": 'if [ -e "$STOP.games" ]; then echo $$ >>"$STOP.games"; exec sleep 60; fi; i=0; : >"$1"; while [ $i -lt "$5" ]; do printf "1 15 1 112 113:20:97.98 128:-15\\n" >>"$1"; '
                       'i=$((i+1)); done',
    "gomoku-relabel": 'while read -r line; do printf "= 1 113:25:97*80\\n%s\\n" "$line"; done >"$1"',
    "gomoku-extract": 'tr -dc "\\n" | tr "\\n" "x"',
    "sortie": 'if [ -e "$STOP" ]; then exit 1; fi; printf "%s\\n%s\\n\\n'
              'Elo       %s  (...)\\nSPRT      LLR 1 (-2.94, 2.94) after 20 pairs: %s\\n" '
             '"      player   points    won  drawn   lost   faults   score                Elo" '
             '"  2.  new        19.0     15      8     17        0   47.5%     -17.4 +- 160.5" "$ELO" "$VERDICT"',
    "pbrain-sortie": "true",
}
TRAIN = """import os, sys, time
options, arguments = {}, sys.argv[1:]
while arguments[0].startswith("--"):
    options[arguments[0]], arguments = arguments[1], arguments[2:]
if float(arguments[3]) > 0:
    open(options["--teacher"], "a").write("taught\\n")
    print("teacher\\n  1 s, epoch 1.0: value 0.61234, even 0.1, policy 2.01, first move right 0.3")
if float(arguments[2]) > 0:
    open(options["--student"], "a").write("learnt\\n")
    print("network\\nrounded: value 0.62000, even 0.1, policy 2.20, first move right 0.3, 1 s")
    open(arguments[0], "w").write("/* a network of " + str(len(arguments) - 5) + " records files */\\n")
"""


def make_tools(folder):
    folder.mkdir()
    for name, body in TOOLS.items():
        (folder / name).write_text("#!/bin/sh\n" + body + "\n")
        (folder / name).chmod(0o755 | stat.S_IXUSR)
    (folder / "train.py").write_text(TRAIN)


def learn(folder, tools, elo="+5.0 +- 20.0", verdict="not decided yet", more=(), **environment):
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
    done = learn(folder, tools, elo="+60.0 +- 20.0")
    assert done.returncode == 0, done.stderr
    assert (folder / "002" / "teacher.pt").read_text() == taught == "taught\ntaught\n", taught  # it went on from the first
    assert (folder / "best.c").read_text() == "/* a network of 2 records files */\n"
    assert (folder / "ledger.md").read_text().count("promoted |") == 1

    # A test that was decided promotes; the window forgets what is older than it says.
    done = learn(folder, tools, elo="-190.8, error unbounded", verdict="decided for ELO1: a gain", more=["--window", "1"])
    assert done.returncode == 0, done.stderr
    assert (folder / "best.c").read_text() == "/* a network of 1 records files */\n"
    assert "| 40 | -190.8, error unbounded | promoted |" in (folder / "ledger.md").read_text()

    # A folder is of one rule.
    done = learn(folder, tools, more=["--rule", "renju"])
    assert done.returncode == 2 and "expected --rule freestyle" in done.stderr, done.stderr

    # Killed while programs of it are at work, it leaves none of them behind, and the same command does the rest.
    if sys.platform == "linux":
        working = pathlib.Path(str(stop) + ".games")
        working.touch()
        command = [sys.executable, "-B", LEARN, folder, "--tools", tools, "-j", "2", "--games", "5", "--window", "1"]
        loop = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                env={**os.environ, "ELO": "won everything", "VERDICT": "open", "STOP": str(stop)})
        until = time.monotonic() + 60
        while len(working.read_text().split()) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        loop.send_signal(signal.SIGKILL)
        loop.wait()
        left = working.read_text().split()
        assert len(left) == 2, left
        while any(os.path.exists(f"/proc/{child}/exe") for child in left) and time.monotonic() < until:
            time.sleep(0.02)
        assert time.monotonic() < until, left
        working.unlink()
        done = learn(folder, tools, more=["--window", "1"], STOP=str(stop))
        assert done.returncode == 0 and "| 4 | 6 |" in (folder / "ledger.md").read_text(), done.stderr

specification = importlib.util.spec_from_file_location("learn", LEARN)
learn_module = importlib.util.module_from_spec(specification)
sys.dont_write_bytecode = True
specification.loader.exec_module(learn_module)
assert learn_module.parse(["x"]).rule == "freestyle"

# What it copies is all that its programs are built from.
if shutil.which("cmake") and shutil.which("ninja") and (ROOT / ".git").exists():
    with tempfile.TemporaryDirectory() as scratch:
        tree = pathlib.Path(scratch)
        learn_module.copy_sources(tree, ROOT / learn_module.NETWORK)
        configured = subprocess.run(learn_module.configure(tree), capture_output=True, text=True)
        assert configured.returncode == 0, configured.stderr
        made = subprocess.run(["ninja", "-C", tree / "build", "-t", "targets", "all"], capture_output=True, text=True)
        made = {line.rsplit(": ", 1)[0] for line in made.stdout.splitlines()}
        needed = subprocess.run(["ninja", "-C", tree / "build", "-t", "inputs", *learn_module.PROGRAMS],
                                capture_output=True, text=True)
        needed = [file.strip() for file in needed.stdout.splitlines()[1:]]
        missing = [file for file in needed if file not in made and not (tree / "build" / file).exists()]
        assert len(needed) > 100 and not missing, missing
print("1 passed, 0 failed")
