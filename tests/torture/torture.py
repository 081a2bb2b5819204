#!/usr/bin/env python3
"""Makes every call of a short run fail, one after the other, and kills it at each of them.

A scenario is a command, what it must leave behind, and the command that comes after it. Each is first run undisturbed,
with its calls counted by kind. Then it is run again and again, with the 1st, the 2nd, ... call of a kind failing
(shim.c does that); every time in a folder of its own. After each such run the command after it is run without faults.

Required of a run with a fault: it ends; it is killed by no signal but ours; with status 0 it has done all of its work;
otherwise the status is 1 and standard error says why in one line; a file it writes is right, as before, or not there;
no unfinished file is left unless it was killed. Required of the run after it: status 0, and the result of an
undisturbed one.
"""
import argparse
import collections
import concurrent.futures
import errno
import glob
import os
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time

KINDS = ("write sync rename open read unlink truncate folder pipe send mount fork thread map memory").split()
CAUSES = {"write": errno.ENOSPC, "sync": errno.EIO, "rename": errno.EIO, "open": errno.EMFILE, "read": errno.EIO,
          "unlink": errno.EIO, "truncate": errno.EIO, "folder": errno.ENOSPC, "pipe": errno.EMFILE,
          "send": errno.ENOBUFS, "mount": errno.ENOMEM, "fork": errno.EAGAIN, "thread": errno.EAGAIN,
          "map": errno.ENOMEM, "memory": errno.ENOMEM, "any": errno.EIO}
# Kind and way of a fault. "any kill" is a kill -9 at each counted call of the system.
FAULTS = [(kind, "once") for kind in KINDS] + [("write", "stays"), ("write", "half"), ("open", "stays"),
                                               ("memory", "stays"), ("write", "torn"), ("any", "kill")]
HANGS_AFTER = 60


# -- scenarios --

class Scenario:
    """`outputs` are the files written whole or not at all; what `result` returns is compared."""
    name = ""
    command = []
    outputs = []
    lines = 1  # of standard error, at most
    statuses = (1,)  # of a run that fails
    silent = ()  # those that need no word of why
    must_fail = ()  # kinds of faults it cannot go on after
    few = 1  # a sample of it is so many times smaller: for what takes long
    also = {}  # points of a fault that a sample has in any case: where faults once were

    def prepare(self, folder):
        """Puts what the command reads into an empty folder."""

    def after(self, folder):
        """The command that follows a fault."""
        return self.command

    def result(self, folder):
        return {name: read(folder, name) for name in self.outputs}

    def said(self, text):
        """Standard output without what differs from run to run."""
        return text


def read(folder, name):
    try:
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    return path


COURSE_FILE = "3\nMINIMAX\nX\n2\n12 70 61\n8 22 63\n14 88 49\n...\n.O.\n...\n"
SNEAK_FILE = ("3\nX\n2\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n"
              "X****\n*****\n**O**\n*****\n****X\n")
WAR = "war stake 3 X\n12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n"


class Match(Scenario):
    name = "match"
    command = ["sortie", "match", "engine:nodes=200", "greedy", "--size", "3", "--games", "4", "--db", "results.db",
               "-q"]
    also = {"any kill": [50, 60, 66, 73], "send once": [1, 4, 7, 10], "memory once": [8, 41, 83, 1091, 1268, 1297]}

    def after(self, folder):
        return self.command + ["--resume"]

    def result(self, folder):
        connection = sqlite3.connect(os.path.join(folder, "results.db"))
        rows = connection.execute("SELECT id,first,second,start,points,cause,loser,score,plies,position,moves,detail "
                                  "FROM games ORDER BY id").fetchall()
        rows += connection.execute("SELECT * FROM meta ORDER BY key").fetchall()
        rows += connection.execute("SELECT * FROM players ORDER BY id").fetchall()
        rows += connection.execute("PRAGMA integrity_check").fetchall()
        connection.close()
        return rows


class Report(Match):
    name = "report"
    command = ["sortie", "report", "results.db", "-o", "page.html"]
    outputs = ["page.html"]
    also = {"memory once": [3, 12, 365, 373, 400, 428, 436, 481, 631, 636, 818]}

    def prepare(self, folder):
        subprocess.run(Match.command, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def after(self, folder):
        return self.command

    def result(self, folder):
        return [Match.result(self, folder), read(folder, "page.html")]


class Grade(Scenario):
    name = "grade"
    command = ["sortie", "grade", "class", "-c", "cases", "-j", "1"]
    few = 4
    also = {"write torn": [46, 61, 68, 76], "open once": [1, 3, 5], "memory once": [1777, 1932, 1934, 1935]}
    outputs = ["grades.csv", "students.csv", "grades.html"]
    lines = 8  # why, a line for each student and table that had to do without, and how far it is
    scripts = {"ann": 'printf "B3 Stake\\n...\\n.X.\\n...\\n" >output.txt', "bob": "exit 3", "cyd": "echo no answer"}

    def prepare(self, folder):
        write(folder, "cases/0.in", COURSE_FILE)
        write(folder, "cases/0.out", "B3 Stake\n...\n.O.\n.X.\n")
        for name, script in self.scripts.items():
            os.chmod(write(folder, "class/%s/run" % name, "#!/bin/sh\n%s\n" % script), 0o755)

    def result(self, folder):
        table = (read(folder, "grades.csv") or b"").decode().splitlines()
        return [line.split(",")[:7] + line.split(",")[9:] for line in table]

    def said(self, text):
        return re.sub(r" +\d+\.\d(?=\n|  )", "", text)


class Prove(Scenario):
    name = "prove"
    position = "gomoku freestyle 9\nE5 A1 F6 A9 E6 B1\n"
    command = ["sortie", "prove", "position.txt", "-j", "1", "--hash", "1M", "-t", "3", "-o", "win.proof",
               "--store", "store"]
    outputs = ["win.proof"]
    silent = (3,)  # left open when there is no memory to search with
    also = {"memory once": [3, 47], "memory stays": [3]}

    def prepare(self, folder):
        write(folder, "position.txt", self.position)

    def said(self, text):
        return "".join(line + "\n" for line in text.splitlines() if not line.startswith("search"))


class ProveStore(Prove):
    """A proof by a full store differs from one by an empty one: both must be right."""
    name = "prove, store"
    position = "gomoku freestyle 7\nD4 A1 D5 A7\n"
    also = {"memory once": [3, 91]}

    def result(self, folder):
        run = subprocess.run(["sortie", "verify", "win.proof"], cwd=folder, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        return [run.returncode, re.sub(rb"checked.*", b"", run.stdout)]

    def said(self, text):
        return "".join(line + "\n" for line in text.splitlines() if line.startswith(("proved", "move")))


class ProveValue(Prove):
    name = "prove, value"
    position = WAR
    command = ["sortie", "prove", "position.txt", "-o", "win.proof"]
    silent = ()


class Verify(Prove):
    name = "verify"
    command = ["sortie", "verify", "win.proof"]
    silent = ()
    must_fail = ("read",)
    statuses = (1, 2)  # 2 is what it says of a file that cannot be read

    def prepare(self, folder):
        Prove.prepare(self, folder)
        subprocess.run(Prove.command, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def said(self, text):
        return text


class Move(Scenario):
    name = "move"
    command = ["sortie", "move"]
    outputs = ["output.txt"]

    def prepare(self, folder):
        write(folder, "input.txt", COURSE_FILE)


class MoveAgain(Move):
    """Over the files of an earlier run, and with a log."""
    name = "move, log"
    outputs = ["next_state.txt", "traverse_log.txt"]
    also = {"memory once": [5, 12]}

    def prepare(self, folder):
        write(folder, "input.txt", SNEAK_FILE)
        for name in self.outputs:
            write(folder, name, "as it was before\n")


class SwapMap(Scenario):
    name = "swapmap"
    command = ["sortie", "swapmap", "-d", "1", "--hash", "1M", "-o", "map.txt"]
    outputs = []  # the map grows square by square

    def after(self, folder):
        there = os.path.exists(os.path.join(folder, "map.txt"))
        return self.command + (["--resume", "map.txt"] if there else [])

    def result(self, folder):
        return read(folder, "map.txt")


class SwapMapGames(SwapMap):
    """The last squares of a map, with games."""
    name = "swapmap, games"
    command = ["sortie", "swapmap", "-d", "1", "-g", "1", "-n", "20", "--hash", "1M", "--resume", "map.txt"]
    also = {"memory once": [1, 12]}

    def prepare(self, folder):
        subprocess.run(["sortie", "swapmap", "-d", "1", "-g", "1", "-n", "20", "--hash", "1M", "-o", "map.txt"],
                       cwd=folder, check=True, stdout=subprocess.DEVNULL)
        lines = read(folder, "map.txt").decode().splitlines(True)
        write(folder, "map.txt", "".join(lines[:-2]))

    def after(self, folder):
        return self.command


class Book(Scenario):
    """An opening book made out of three first stones."""
    name = "book"
    command = ["sortie", "book", "--extend", "my.book", "--import", "games.pos", "--most", "1", "--depth", "2",
               "--hash", "1M"]
    outputs = ["my.book"]

    def prepare(self, folder):
        write(folder, "games.pos", "h8i9\nc4\ne5f6g7\n")

    def said(self, text):
        return re.sub(r", \d+ searched now", "", text)


class Whole(Scenario):
    name = "solve --whole"
    command = ["sortie", "solve", "position.txt", "--whole", "--all", "--map", "maps", "-j", "1", "--on", "plain"]
    outputs = ["maps/position.svg"]

    def prepare(self, folder):
        write(folder, "position.txt", WAR)

    def said(self, text):
        return re.sub(r"(?m)^(passes|memory).*\n", "", text)


class Library(Scenario):
    name = "library"
    command = ["torture_library"]


SCENARIOS = [Match, Report, Grade, Prove, ProveStore, ProveValue, Verify, Move, MoveAgain, SwapMap, SwapMapGames,
             Book, Whole, Library]


# -- running --

class Ended(Exception):
    """The whole is to end."""


class Torture:
    def __init__(self, options):
        self.options = options
        self.base = tempfile.mkdtemp(prefix="torture-")
        build = os.path.abspath(options.build)
        self.environment = dict(os.environ, PATH="%s:%s/tests:%s" % (build, build, os.environ["PATH"]), LC_ALL="C")
        os.environ["PATH"] = self.environment["PATH"]
        self.shim = os.path.join(build, "tests", "torture_shim.so")
        self.number = 0
        self.lock = threading.Lock()

    def new_folder(self, template):
        with self.lock:
            self.number += 1
            number = self.number
        folder = os.path.join(self.base, "run-%d" % number)
        if template:
            shutil.copytree(template, folder)
        else:
            os.mkdir(folder)
        return folder

    def run(self, command, folder, fault=None):
        """Returns status, standard output, standard error; status None: it hangs."""
        environment = dict(self.environment)
        counts = folder + ".counts"
        if fault:
            with open(counts, "wb") as file:
                file.write(bytes(4096))
            kind, number, way = fault
            environment["LD_PRELOAD"] = self.shim
            environment["SORTIE_FAULT"] = "%s:%s:%d:%d:%s" % (counts, kind, number, CAUSES[kind], way)
            if self.options.trace:
                environment["SORTIE_FAULT_TRACE"] = "1"
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=errors, start_new_session=True)
            try:
                status = process.wait(HANGS_AFTER)
            except subprocess.TimeoutExpired:
                status = None
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            said = []
            for file in (out, errors):
                file.seek(0)
                said.append(file.read().decode(errors="replace"))
        return status, said[0], said[1]

    def counts(self, folder):
        with open(folder + ".counts", "rb") as file:
            numbers = struct.unpack("<%dQ" % (len(KINDS) + 2), file.read(8 * (len(KINDS) + 2)))
        return dict(zip(KINDS + ["any", "struck"], numbers))

    def remove(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.exists(folder + ".counts"):
            os.unlink(folder + ".counts")


class Wanted:
    """A scenario's undisturbed run."""
    def __init__(self, torture, scenario):
        self.scenario = scenario
        self.template = torture.new_folder(None)
        scenario.prepare(self.template)
        folder = torture.new_folder(self.template)
        status, said, errors = torture.run(scenario.command, folder, ("any", 0, "count"))
        if status != 0:
            raise Ended("%s: status %s without a fault: %s" % (scenario.name, status, errors))
        self.counts = torture.counts(folder)
        if self.counts["memory"] == 0:
            raise Ended("%s: the shim was not loaded" % scenario.name)
        self.said = scenario.said(said)
        self.result = scenario.result(folder)
        self.files = {name: read(folder, name) for name in scenario.outputs}
        self.before = {name: read(self.template, name) for name in scenario.outputs}
        torture.remove(folder)


def check_fault(torture, wanted, folder, way, kind, outcome):
    """What is wrong with a run that had a fault: a list of words."""
    status, said, errors = outcome
    scenario = wanted.scenario
    wrong = []
    lines = errors.splitlines()
    killed = way in ("kill", "torn")
    if status is None:
        return ["hangs"]
    if status < 0 and not (killed and status == -signal.SIGKILL):
        return ["killed by signal %d" % -status]
    if status == 0 and kind in scenario.must_fail:
        wrong.append("goes on")
    damaged = kind == "read" and "malformed" in errors  # so SQLite says EIO
    if status > 0 and status not in scenario.statuses + scenario.silent and not damaged:
        wrong.append("status %d" % status)
    told = 1 <= len(lines) <= scenario.lines and all(lines)
    if status > 0 and status not in scenario.silent and not told and not torture.options.trace:
        wrong.append("says %d lines" % len(lines))
    if status == 0 and not torture.options.trace:
        if scenario.said(said) != wanted.said:
            wrong.append("status 0, other words")
        try:
            if scenario.result(folder) != wanted.result:
                wrong.append("status 0, other result")
        except sqlite3.Error as error:
            wrong.append("status 0, no result: %s" % error)
    for name in scenario.outputs:
        # A table whose times differ is compared by result() alone.
        if read(folder, name) not in (wanted.files[name], wanted.before[name]) and not isinstance(scenario, Grade):
            if not (status == 0 or killed) or type(scenario).result is Scenario.result:
                wrong.append("%s is neither old nor new" % name)
    if not killed and kind != "unlink":
        left = glob.glob(os.path.join(folder, ".sortie-*"))
        if left:
            wrong.append("leaves an unfinished file")
    return wrong


def check_next(torture, wanted, folder):
    """What is wrong with the run after it."""
    scenario = wanted.scenario
    status, said, errors = torture.run(scenario.after(folder), folder)
    if status != 0:
        return ["then status %s: %s" % (status, errors.strip())]
    wrong = []
    if scenario.result(folder) != wanted.result:
        wrong.append("then another result")
    if scenario.said(said) != wanted.said and not isinstance(scenario, SwapMap):
        wrong.append("then other words")
    return wrong


def one_point(torture, wanted, kind, way, number):
    """Returns (struck, status, what is wrong, what it said)."""
    folder = torture.new_folder(wanted.template)
    try:
        outcome = torture.run(wanted.scenario.command, folder, (kind, number, way))
        struck = torture.counts(folder)["struck"]
        wrong = check_fault(torture, wanted, folder, way, kind, outcome)
        then = check_next(torture, wanted, folder)
        return struck, outcome[0], wrong, then, outcome[2]
    except sqlite3.Error as error:
        return True, None, [], ["then no result: %s" % error], ""
    finally:
        torture.remove(folder)


def left_running(base):
    """Processes of a run that ended."""
    found = []
    for environ in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(environ, "rb") as file:
                if ("SORTIE_FAULT=" + base).encode() in file.read():
                    found.append(int(environ.split("/")[2]))
        except OSError:
            pass
    return found


def choose(options, scenario, kind, way, count):
    """Which of the points 1 to count are tried: all, or the same few every time."""
    if options.point:
        return [options.point]
    points = range(1, count + 1)
    most = max(1, options.sample // scenario.few) if options.sample else count
    if count <= most:
        return list(points)
    chosen = random.Random("%s %s %s" % (scenario.name, kind, way)).sample(points, most)
    return sorted(set(chosen + scenario.also.get(kind + " " + way, [])))


ROW = "%-15s %-12s %7s %7s %7s %7s %7s %7s"


def torment(torture, pool, wanted, kind, way):
    """One line of the table; returns the faults found and the points tried."""
    options = torture.options
    name = wanted.scenario.name
    points = choose(options, wanted.scenario, kind, way, wanted.counts[kind])
    tally = collections.Counter()
    found = collections.defaultdict(list)
    for number, (struck, status, wrong, then, said) in zip(points, pool.map(
            lambda number: one_point(torture, wanted, kind, way, number), points)):
        tally["not reached" if not struck else "carried" if status == 0 else
              "killed" if status == -signal.SIGKILL else "failed"] += 1
        tally["same"] += not then
        for what in wrong + then:
            found[what].append((number, said))
        if options.trace:
            print(said)
    faults = sum(len(numbers) for numbers in found.values())
    print(ROW % (name, kind + " " + way, len(points), tally["failed"] + tally["killed"], tally["carried"],
                 tally["not reached"], tally["same"], faults), flush=True)
    for what, numbers in found.items():
        print("    FAULT: %s: n = %s" % (what, " ".join(str(number) for number, _ in numbers)))
        print("           %s" % " / ".join(numbers[0][1].splitlines()[:3]))
    return faults, len(points)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="folder of the programs")
    parser.add_argument("--sample", type=int, help="points a kind and scenario at most (default: all)")
    parser.add_argument("--scenario", action="append", help="only this one")
    parser.add_argument("--fault", action="append", help='only this one, such as "write once"')
    parser.add_argument("--point", type=int, help="only this call")
    parser.add_argument("--trace", action="store_true", help="show where the fault struck")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    torture = Torture(options)
    began = time.time()
    faults = points = 0
    try:
        print(ROW % ("scenario", "fault", "points", "failed", "went on", "missed", "same", "faults"))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for make in SCENARIOS:
                scenario = make()
                if options.scenario and scenario.name not in options.scenario:
                    continue
                wanted = Wanted(torture, scenario)
                for kind, way in FAULTS:
                    if wanted.counts[kind] and (not options.fault or kind + " " + way in options.fault):
                        more, tried = torment(torture, pool, wanted, kind, way)
                        faults += more
                        points += tried
                left = left_running(torture.base)
                if left:
                    print("    FAULT: processes are left: %s" % left)
                    faults += len(left)
    finally:
        shutil.rmtree(torture.base, ignore_errors=True)
    print("%d points, %d faults, %.0f s" % (points, faults, time.time() - began))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
