#!/usr/bin/env python3
"""An engine for sortie's line protocol (docs/protocol.md) that plays every game: a legal move by chance.

It knows no rules: it has the option Legal, so the manager lists the legal moves with every go. Try it:

    sortie match lines:examples/engine.py random --game laser --time-per-move 1 --games 4
"""

import random
import sys


def say(line):
    print(line, flush=True)  # a manager waits for every line


def choose(words):
    """The move to play, out of the words of a go."""
    legal = words[words.index("legal") + 1 :] if "legal" in words else []
    return random.choice(legal) if legal else "none"


def main():
    position = ""  # kept to show where it is: a better engine would look at it
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        if command == "sortie":
            say("id name chance")
            say("id author a reader of docs/protocol.md")
            say("option name Legal type check default false")
            say("sortieok")
        elif command == "isready":
            say("readyok")
        elif command == "position":
            position = " ".join(words[1:])
        elif command == "go":
            say(f"info string thinking about {position[:60]}")
            say(f"bestmove {choose(words)}")
        elif command == "quit":
            return
        elif command not in ("", "setoption", "newgame", "stop"):
            say(f"error expected a command of the protocol, found {command!r}")


if __name__ == "__main__":
    main()
