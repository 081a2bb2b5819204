#!/usr/bin/env python3
"""Teaches the Gomoku network by games against itself, one generation after the other.

    tools/gomoku/learn.py FOLDER                       # one generation, with what this machine has
    tools/gomoku/learn.py FOLDER --generations 5 -j 2  # five, on two cores; again to carry on where it was ended

A generation is: games of the best engine so far against itself (gomoku-selfplay), deeper looks at the positions that have
most to teach (gomoku-relabel), records (gomoku-extract), a teacher that goes on learning, a small network that learns from
both (train.py), and a match of the engine with it against the best. If it wins clearly it is the best from then on.

Each step leaves its result in FOLDER/NUMBER under its final name only when it is whole, so that a run that was killed does
the rest; games and training go on from where they were. FOLDER/ledger.md has a line a generation; FOLDER/best.c is the network to commit as src/games/gomoku/eval/network.c.
"""
import argparse
import ctypes
import fcntl
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
NETWORK = "src/games/gomoku/eval/network.c"
NOT_BUILT = ("bench", "docs", "examples", "proofs", "tests")  # folders the programs are built without
HEADING = """# Generations

Positions are those the networks learnt from, fresh ones of this generation in brackets; losses are those on games kept
aside (cross-entropy of the value and of the policy); Elo is against the best before it, with 95%.

| generation | games | positions | looked at again | teacher: value, policy | network: value, policy | games | Elo | |
|---|---|---|---|---|---|---|---|---|
"""


class Stopped(Exception):
    """A step failed; its words say which, and where its log is."""


def say(text):
    print(time.strftime("%H:%M:%S ") + text, flush=True)


def write_whole(path, text):
    """Writes beside the file and renames it."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(text)
    os.replace(beside, path)


# What every program that is started inherits: the folder is theirs until the last of them is gone.
held = []


def hold(folder):
    """One run at a time, and none beside programs of one that was killed."""
    lock = open(folder / "lock", "w")
    os.set_inheritable(lock.fileno(), True)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say(f"waiting for another run in {folder}, or for what one that was killed has left at work")
        fcntl.flock(lock, fcntl.LOCK_EX)
    held.append(lock)


def end_with_parent():
    """A program that is started ends when this one is killed (on Linux; elsewhere it is waited for by hold)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def start(command, **more):
    return subprocess.Popen(list(map(str, command)), pass_fds=[lock.fileno() for lock in held],
                            preexec_fn=end_with_parent, **more)


def run(command, log, **more):
    """Runs a command quietly; its words go to the log."""
    with open(log, "a") as out:
        out.write("$ " + " ".join(map(str, command)) + "\n")
        out.flush()
        done = start(command, stdout=more.pop("stdout", out), stderr=out, **more)
        try:
            done.wait()
        except BaseException:
            done.terminate()
            done.wait()
            raise
    if done.returncode != 0:
        raise Stopped(f"{command[0]} ended with status {done.returncode}: {log}")


def run_all(commands, log):
    """Runs several at once, and waits for all of them also when one fails or the user has enough."""
    with open(log, "a") as out:
        children = []
        try:
            for command, source, target in commands:
                out.write("$ " + " ".join(map(str, command)) + "\n")
                out.flush()
                children.append(start(command, stdin=source, stdout=target or out, stderr=out))
            status = [child.wait() for child in children]
        except BaseException:
            for child in children:
                child.terminate()
                child.wait()
            raise
    if any(status):
        raise Stopped(f"{commands[0][0][0]} ended with status {max(status, key=abs)}: {log}")


def copy_sources(tree, network):
    """What the programs are built from, with that network; with its times, so that a build that was ended goes on."""
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout
    for file in filter(None, files.decode().split("\0")):
        if file.split("/")[0] not in NOT_BUILT:
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, tree / file)
    shutil.copy2(network, tree / NETWORK)


def configure(tree):
    return ["cmake", "-S", tree, "-B", tree / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSORTIE_TESTS=OFF",
            "-DSORTIE_CUDA=OFF", "-DSORTIE_MPI=OFF"]


def network_shape():
    """What train.py has to know of eval/network.h."""
    text = (ROOT / NETWORK).with_name("network.h").read_text()
    return [int(re.search(rf"#define {name} (\d+)", text)[1])
            for name in ("NET_CONV", "NET_VIEW", "NET_REGION_OUT", "NET_HIDDEN_SIZE", "NET_SECOND_SIZE")]


PROGRAMS = ["gomoku-tools", "sortie", "pbrain-sortie"]


class Generation:
    """One generation in its folder."""

    def __init__(self, options, number):
        self.options, self.number = options, number
        self.folder = options.folder / f"{number:03d}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "log"

    def step(self, name, work):
        """Does a step unless its result is there."""
        result = self.folder / name
        if not result.exists():
            say(f"generation {self.number}: {name}")
            work(result)
        return result

    # -- the engine with a network --

    def build(self, network, name):
        """The programs with that network, in a tree of their own."""
        if self.options.tools:
            return self.options.tools
        tree = self.folder / name
        ready = tree / "ready"
        if not ready.exists():
            say(f"generation {self.number}: building {name}")
            copy_sources(tree, network)
            run(configure(tree), self.log)
            run(["cmake", "--build", tree / "build", "-j", self.options.jobs, "--target", *PROGRAMS], self.log)
            ready.touch()
        return tree / "build"

    # -- the steps --

    def play(self, programs):
        """Games in as many files as processes; each carries on where it was ended."""
        o = self.options
        whole = self.folder / "games"
        if whole.exists():
            return whole
        say(f"generation {self.number}: games")
        each = -(-o.games // o.jobs)
        parts = [self.folder / f"games-{i}" for i in range(o.jobs)]
        run_all([([programs / "gomoku-selfplay", part, self.number * 1000 + i, o.nodes, 10**8, each, o.branches,
                   o.branch_nodes, o.rule, o.leaves, o.leaf_nodes, o.more], None, None)
                 for i, part in enumerate(parts)], self.log)
        write_whole(whole, "".join(part.read_text() for part in parts))
        for part in parts:
            part.unlink()
        return whole

    def look_again(self, programs, games):
        """The positions with most to teach, searched deeper."""
        o = self.options
        whole = self.folder / "deeper"
        if whole.exists():
            return whole
        say(f"generation {self.number}: deeper looks")
        own = [line for line in games.read_text().splitlines(True) if line[0] not in "?=~"]
        shares, parts = [], []
        for i in range(o.jobs):
            shares.append(self.folder / f"share-{i}")
            parts.append(self.folder / f"deeper-{i}")
            write_whole(shares[i], "".join(own[i :: o.jobs]))
        sources = [open(share) for share in shares]
        try:
            run_all([([programs / "gomoku-relabel", part, o.shallow_nodes, o.deep_nodes, o.percent], source, None)
                     for part, source in zip(parts, sources)], self.log)
        finally:
            for source in sources:
                source.close()
        write_whole(whole, "".join(part.read_text() for part in parts))
        for file in shares + parts:
            file.unlink()
        return whole

    def extract(self, programs, games, deeper):
        def work(result):
            beside = result.with_name(result.name + ".new")
            with open(beside, "wb") as out, subprocess.Popen(["cat", games, deeper], stdout=subprocess.PIPE) as text:
                run([programs / "gomoku-extract"], self.log, stdin=text.stdout, stdout=out)
            os.replace(beside, result)

        return self.step("records", work)

    def train(self):
        """The teacher goes on from the last generation's, and the small network learns from it and the labels."""
        o = self.options
        first = max(1, self.number - o.window + 1)
        window = [o.folder / f"{i:03d}" / "records" for i in range(first, self.number + 1)]
        before = o.folder / f"{self.number - 1:03d}"
        conv, *shape = network_shape()

        def train(target, epochs, teacher_epochs, *more):
            run([o.python, "-B", ROOT / "tools/gomoku/train.py" if not o.tools else o.tools / "train.py", *more, "--size",
                 o.teacher, "--shape", ",".join(map(str, shape)), target, conv, epochs, teacher_epochs, o.made_up,
                 *window], self.folder / "training")

        def begin(name):
            learning = self.folder / f"{name}.new"
            if not learning.exists() and (before / name).exists():
                shutil.copy(before / name, learning.with_name("copy"))
                os.replace(learning.with_name("copy"), learning)
            return learning

        def teach(result):
            learning = begin(result.name)
            train(self.folder / "nothing", 0, o.teacher_epochs, "--teacher", learning)
            os.replace(learning, result)

        def learn(result):
            student = self.folder / "student.pt"
            learning = begin(student.name)
            beside = result.with_name("new.c")
            more = ["--rate", o.rate] if o.rate else []
            more += ["--from", o.folder / "best.c"] if o.rate and not learning.exists() else []
            train(beside, o.epochs, 0, "--teacher", self.folder / "teacher.pt", "--student", learning, *more)
            os.replace(learning, student)
            os.replace(beside, result)

        self.step("teacher.pt", teach)
        return self.step("network.c", learn)

    def match(self, new, old):
        """Games between the two, until it is clear which is better or as many as asked for are over."""
        o = self.options

        def work(result):
            db = self.folder / "match.db"
            if db.exists():
                command = [new / "sortie", "match", "--resume", "--yes", "--db", db]
            else:
                command = [new / "sortie", "match", f"new=brain:{new}/pbrain-sortie", f"old=brain:{old}/pbrain-sortie",
                           "-g", "gomoku", "--variant", o.rule, "--sprt", f"0,{o.gain}", "--games", o.match_games,
                           "--time-per-move", o.seconds, "--margin", 0.2, "-j", o.jobs, "--seed", self.number, "--db", db]
                command += ["--unsafe"] if o.unsafe else []
            with open(result.with_name("report.new"), "w") as out:
                run(command, self.log, stdout=out)
            os.replace(result.with_name("report.new"), result)

        return self.step("report", work)

    # -- what came of it --

    def outcome(self, report):
        """How the new one did, out of what the match printed: games, Elo, and whether the test was decided for it."""
        text = report.read_text()
        elo = re.search(r"^Elo\s+([^(]*?)\s+\(", text, re.M)
        number = re.match(r"([+-]\d+\.\d)(?: \+- (\d+\.\d))?", elo[1]) if elo else None
        least = float(number[1]) - float(number[2] or math.inf) if number else -math.inf
        row = re.search(r"^ +\d+\. +new +[\d.]+ +(\d+) +(\d+) +(\d+) ", text, re.M)
        words = f"{float(number[1]):+.0f} ±{float(number[2]):.0f}" if number and number[2] else elo[1] if elo else "?"
        return {"least": least, "words": words, "games": sum(map(int, row.groups())) if row else 0,
                "accepted": "decided for ELO1" in text}

    def losses(self):
        """The last losses the teacher and the network printed."""
        found = {}
        part = None
        training = self.folder / "training"
        for line in training.read_text().splitlines() if training.exists() else []:
            part = line if line in ("teacher", "network") else part
            loss = re.search(r"value ([\d.]+), even [\d.]+, policy ([\d.]+)", line)
            if loss and part:
                found[part] = f"{float(loss[1]):.3f}, {float(loss[2]):.3f}"
        return found

    def promotes(self, outcome):
        return outcome["accepted"] or outcome["least"] > 0


def count_lines(path, kinds):
    with open(path) as file:
        return sum(line[0] in kinds for line in file)


def one_generation(options, state):
    """Plays, looks again, learns, and judges; the state says what is the best afterwards."""
    number = state["generation"] + 1
    generation = Generation(options, number)
    best = options.folder / "best.c"
    old = generation.build(best, "old")
    games = generation.play(old)
    deeper = generation.look_again(old, games)
    records = generation.extract(old, games, deeper)
    network = generation.train()
    new = generation.build(network, "new")
    outcome = generation.outcome(generation.match(new, old))
    promoted = generation.promotes(outcome)
    fresh = records.stat().st_size // options.record_size
    window = sum((options.folder / f"{i:03d}" / "records").stat().st_size // options.record_size
                 for i in range(max(1, number - options.window + 1), number + 1))
    losses = generation.losses()
    line = (f"| {number} | {count_lines(games, '-01')} | {window:,} ({fresh:,}) | {count_lines(deeper, '='):,} | "
            f"{losses.get('teacher', '-')} | {losses.get('network', '-')} | {outcome['games']} | "
            f"{outcome['words']} | {'promoted' if promoted else 'kept out'} |\n")
    if promoted:
        write_whole(best, network.read_text())
    state["generation"] = number
    state["ledger"].append(line)
    write_whole(options.folder / "state.json", json.dumps(state, indent=1))
    write_whole(options.folder / "ledger.md", HEADING + "".join(state["ledger"]))
    for name in ("old", "new"):
        shutil.rmtree(generation.folder / name, ignore_errors=True)
    say(f"generation {number}: {outcome['words']} Elo, {'the best from now on' if promoted else 'not better'}")


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0],
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    whole, real = int, float
    parser.add_argument("folder", type=pathlib.Path, help="where everything is kept")
    parser.add_argument("--generations", type=whole, default=1, help="how many more")
    parser.add_argument("-j", "--jobs", type=whole, default=os.cpu_count(), help="processes at once")
    parser.add_argument("--rule", default="freestyle", choices=["freestyle", "exact", "renju", "caro"], help="rule set")
    parser.add_argument("--games", type=whole, default=2000, help="games a generation")
    parser.add_argument("--nodes", type=whole, default=6000, help="a move of them")
    parser.add_argument("--leaves", type=whole, default=3, help="positions of each search that are labelled")
    parser.add_argument("--leaf-nodes", type=whole, default=2500, help="for each of these")
    parser.add_argument("--more", type=whole, default=1, help="times as many for the teacher's word alone")
    parser.add_argument("--branches", type=whole, default=0, help="positions beside each position of a game")
    parser.add_argument("--branch-nodes", type=whole, default=1000, help="for each of these")
    parser.add_argument("--percent", type=whole, default=15, help="of a game's positions are looked at again")
    parser.add_argument("--shallow-nodes", type=whole, default=300, help="to find out which")
    parser.add_argument("--deep-nodes", type=whole, default=200000, help="for each of these")
    parser.add_argument("--window", type=whole, default=4, help="generations whose positions are learnt from")
    parser.add_argument("--teacher", default="96x6", help="width and blocks of the teacher (192x10 on a graphics card)")
    parser.add_argument("--teacher-epochs", type=real, default=1.0, help="times the teacher sees the window")
    parser.add_argument("--epochs", type=real, default=4.0, help="times the network does")
    parser.add_argument("--made-up", type=real, default=0.15, help="share of positions made up for the teacher's word")
    parser.add_argument("--rate", type=real, default=0.0015, help="of learning, from the best network; 0: from nothing")
    parser.add_argument("--match-games", type=whole, default=400, help="games at most against the best")
    parser.add_argument("--seconds", type=real, default=1.0, help="a move of these")
    parser.add_argument("--gain", type=whole, default=20, help="Elo that the match looks for")
    parser.add_argument("--unsafe", action="store_true", help="play where there is no sandbox")
    parser.add_argument("--python", default=sys.executable, help="the Python that has PyTorch")
    parser.add_argument("--tools", type=pathlib.Path, help="take all programs from there (for tests)")
    options = parser.parse_args(arguments)
    if options.epochs <= 0 or options.teacher_epochs <= 0:
        parser.error("expected more than no epochs")
    options.folder = options.folder.resolve()
    options.record_size = 258
    return options


def main(arguments):
    options = parse(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    hold(options.folder)
    best = options.folder / "best.c"
    if not best.exists():
        write_whole(best, (ROOT / NETWORK).read_text())
    kept = options.folder / "state.json"
    state = json.loads(kept.read_text()) if kept.exists() else {"generation": 0, "rule": options.rule, "ledger": []}
    if state["rule"] != options.rule:
        print(f"learn.py: {kept}: expected --rule {state['rule']}, found {options.rule}", file=sys.stderr)
        return 2
    try:
        for _ in range(options.generations):
            one_generation(options, state)
    except Stopped as stopped:
        print(f"learn.py: {stopped}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        say("ended; the same command carries on")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
