#!/usr/bin/env python3
"""A Gomocup manager that speaks to a brain as managers do: one command after the other, with pauses, over pipes.

    manager.py TURN_MS MOST_MS COMMAND...

Plays the beginnings of three games with TURN_MS a move and fails when one takes more than MOST_MS, when nothing comes, or when STOP and END
are not heard while the brain thinks. Prints the slowest move.
"""

import re
import subprocess
import sys
import threading
import time

PATIENCE = 60.0  # for a start under an emulator


class Brain:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.lines = []
        self.news = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            text = line.decode("ascii", "replace").strip()
            if text and not text.startswith(("MESSAGE", "DEBUG")):
                with self.news:
                    self.lines.append(text)
                    self.news.notify()

    def say(self, line):
        self.process.stdin.write(line.encode() + b"\r\n")
        self.process.stdin.flush()

    def hear(self, pattern, seconds=PATIENCE):
        with self.news:
            if not self.news.wait_for(lambda: self.lines, seconds):
                fail(f"expected {pattern} within {seconds:.1f} s, heard nothing")
            line = self.lines.pop(0)
        if not re.fullmatch(pattern, line):
            fail(f"expected {pattern}, heard {line}")
        return line


def fail(text):
    brain.process.kill()
    sys.exit(f"manager: {text}")


def asked(line):
    """The milliseconds from a command to its move."""
    begun = time.monotonic()
    brain.say(line)
    played.append(brain.hear(r"\d+,\d+", turn / 1000 + PATIENCE))
    return (time.monotonic() - begun) * 1000


def ours():
    """A move of the manager's, out of the way."""
    square = next(f"{x},{y}" for y in (0, 14) for x in range(0, 15, 3) if f"{x},{y}" not in played)
    played.append(square)
    return "TURN " + square


turn, most = int(sys.argv[1]), int(sys.argv[2])
brain = Brain(sys.argv[3:])
time.sleep(0.5)
brain.say("ABOUT")
brain.hear("name=.*")
time.sleep(0.2)
brain.say("START 15")
brain.hear("OK")
for info in f"timeout_turn {turn}", "timeout_match 0", "rule 0", "game_type 1":
    brain.say("INFO " + info)
    time.sleep(0.05)
taken = []
for _ in range(3):
    brain.say("RESTART")
    brain.hear("OK")
    played = []
    taken += [asked(ours()), asked(ours())]
    time.sleep(0.1)

# Heard while it thinks: a stop at once, and the end.
brain.say("INFO timeout_turn 60000")
brain.say("RESTART")
brain.hear("OK")
played = []
brain.say(ours())
time.sleep(0.5)
stopped = asked("STOP")
brain.say(ours())
time.sleep(0.5)
brain.say("END")
try:
    brain.process.wait(10)
except subprocess.TimeoutExpired:
    fail("expected the end within 10 s of END")
print(f"of {turn} ms: {', '.join(f'{ms:.0f}' for ms in taken)}; stopped after {stopped:.0f} ms")
if max(taken) > most:
    sys.exit(f"manager: expected every move within {most} ms, one took {max(taken):.0f}")
if stopped > 1000:
    sys.exit(f"manager: expected the move within 1000 ms of STOP, it took {stopped:.0f}")
