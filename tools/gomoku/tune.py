#!/usr/bin/env python3
"""Tunes the numbers of the Gomoku tree search by games against itself (simultaneous perturbation, SPSA).

    tools/gomoku/tune.py FILE.json                           # goes on until it has done --rounds; again to carry on
    tools/gomoku/tune.py FILE.json --only late_slope,reduce_scale,razor_base --nodes 50000 -j 2

Each round moves all numbers at once, each up or down by chance, plays the tree with these against the one with the opposite
of each (sortie match, whole pairs of even openings), and moves them a little towards the better. As many rounds are under
way at once as there are jobs, each on one core; with one job the same comes out each time. What is printed last,
NAME=VALUE,..., can be given to gomoku-brain, gomoku-counts and gomoku-yardstick as it is; before it goes into
tree_usual_params it has to win a match (tools/strength.sh).
"""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
# How far each number is moved at first, and what it may be. Where it starts is read from the program's own table.
KNOBS = {
    "razor_base": (12, 0, 200), "razor_square": (10, 5, 120), "reverse_margin": (8, 5, 100),
    "reverse_improving": (8, 0, 80), "late_slope": (5, 2, 60), "late_square": (12, 8, 160), "late_halved": (10, 30, 100),
    "futility_base": (15, 10, 200), "futility_margin": (12, 10, 150), "policy_base": (15, 20, 300),
    "policy_margin": (8, 4, 120), "reduce_scale": (10, 20, 140), "reduce_policy": (200, 300, 4000),
    "reduce_history": (600, 800, 12000), "reduce_improving": (20, 0, 250), "reduce_cut": (20, 0, 250),
    "reduce_pv": (20, 0, 250), "reduce_threat": (20, 0, 250), "reduce_answer": (20, 0, 250), "lost_less": (20, 0, 250),
    "answer_more": (8, 90, 160), "singular_margin": (20, 20, 300), "singular_far": (8, 5, 120), "window": (5, 5, 80),
}


def usual_numbers():
    """The numbers of tree_usual_params, out of the source."""
    source = (ROOT / "src/games/gomoku/search/tree.c").read_text()
    table = re.search(r"tree_usual_params = \{(.*?)\};", source, re.S)[1]
    return {name: float(value) for name, value in re.findall(r"\.(\w+) = (-?\d+)", table) if name in KNOBS}


def settings_of(numbers):
    return ",".join(f"{name}={round(value)}" for name, value in sorted(numbers.items()))


def within(name, value):
    _, least, most = KNOBS[name]
    return min(max(value, least), most)


def play(options, plus, minus, number):
    """The share of the points the first of two gets, in whole pairs."""
    db = options.file.with_suffix(f".{number}.db")
    db.unlink(missing_ok=True)
    nodes = [str(options.nodes)] if options.nodes else []
    players = [f"{name}=brain:{options.build}/gomoku-brain {' '.join([settings_of(numbers)] + nodes)}"
               for name, numbers in (("plus", plus), ("minus", minus))]
    command = [options.build / "sortie", "match", *players, "-g", "gomoku", "--variant", options.rule, "--games",
               2 * options.pairs, "--time-per-move", 60 if options.nodes else options.seconds, "--margin", 0.5, "-j", 1,
               "--seed", number + 1, "--db", db, "-q"] + (["--unsafe"] if options.unsafe else [])
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    points = re.search(r"^ +\d+\. +plus +([\d.]+)", done.stdout, re.M)
    if done.returncode != 0 or not points:
        raise SystemExit(f"tune.py: the match ended with status {done.returncode}: {done.stderr.strip()[-300:]}")
    db.unlink(missing_ok=True)
    return float(points[1]) / (2 * options.pairs)


class Rounds:
    """What the threads share: each takes a round, plays it, and moves the numbers by what came of it."""

    def __init__(self, options, state, score_of):
        self.options, self.state, self.score_of = options, state, score_of
        self.begun = state["round"]
        self.lock = threading.Lock()
        self.failure = None  # of a thread: all end

    def begin(self):
        """The next round's number, the way each number is moved, and the numbers moved so and the other way."""
        number = self.begun
        self.begun += 1
        chance = random.Random(self.options.seed * 1000003 + number)
        shrink = (1 + number) ** -0.101  # of the steps tried
        signs = {name: chance.choice((-1, 1)) for name in sorted(self.state["numbers"])}
        tried = {way: {name: within(name, value + way * signs[name] * KNOBS[name][0] * shrink)
                       for name, value in self.state["numbers"].items()} for way in (1, -1)}
        return number, signs, tried

    def learn(self, signs, score):
        """Moves all numbers once: by how much better the way up was than the way down."""
        options, state = self.options, self.state
        rate = options.rate / (1 + state["round"] + options.rounds / 10) ** 0.602 * (1 + options.rounds / 10) ** 0.602
        for name, value in state["numbers"].items():
            step = rate * (2 * score - 1) * signs[name] * KNOBS[name][0]
            state["numbers"][name] = within(name, value + step)
        state["round"] += 1
        state["scores"].append(score)
        keep(options.file, state)
        if state["round"] % 10 == 0:
            print(f"{state['round']} of {options.rounds}: {settings_of(state['numbers'])}", flush=True)

    def work(self):
        while True:
            with self.lock:
                if self.failure or self.begun >= self.options.rounds:
                    return
                number, signs, tried = self.begin()
            score = self.score_of(self.options, tried[1], tried[-1], number)
            with self.lock:
                self.learn(signs, score)

    def work_in_thread(self):
        try:
            self.work()
        except BaseException as failure:  # pylint: disable=broad-except
            with self.lock:
                self.failure = self.failure or failure

    def run(self):
        if self.options.jobs == 1:
            self.work()
            return
        threads = [threading.Thread(target=self.work_in_thread) for _ in range(self.options.jobs)]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        except KeyboardInterrupt as end:
            self.failure = end  # the games under way have heard of it, too
            for thread in threads:
                thread.join()
        if self.failure:
            raise self.failure


def keep(file, state):
    beside = file.with_name(file.name + ".new")
    beside.write_text(json.dumps(state, indent=1))
    os.replace(beside, file)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0],
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("file", type=pathlib.Path, help="where it stands is kept here")
    parser.add_argument("--only", help="these numbers, with commas between (default: all of them)")
    parser.add_argument("--rounds", type=int, default=1000, help="in all")
    parser.add_argument("--pairs", type=int, default=8, help="of games a round")
    parser.add_argument("--nodes", type=int, default=0, help="a move, instead of the clock")
    parser.add_argument("--seconds", type=float, default=0.3, help="a move")
    parser.add_argument("--rate", type=float, default=0.5, help="of learning: steps a round that goes all one way")
    parser.add_argument("--rule", default="freestyle", choices=["freestyle", "exact", "renju", "caro"])
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="rounds at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unsafe", action="store_true", help="play where there is no sandbox")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder with sortie and gomoku-brain")
    options = parser.parse_args(arguments)
    unknown = [name for name in (options.only or "").split(",") if name and name not in KNOBS]
    if unknown:
        parser.error(f"expected names of {', '.join(sorted(KNOBS))}; found {unknown[0]}")
    return options


def main(arguments, score_of=play):
    options = parse(arguments)
    if options.file.exists():
        state = json.loads(options.file.read_text())
    else:
        usual = usual_numbers()
        names = options.only.split(",") if options.only else sorted(KNOBS)
        state = {"round": 0, "numbers": {name: usual[name] for name in names}, "scores": []}
    try:
        Rounds(options, state, score_of).run()
    except KeyboardInterrupt:
        print("ended; the same command carries on")
    print(settings_of(state["numbers"]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
