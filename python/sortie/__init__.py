"""sortie from Python: positions, moves, the engine and the textbook's searches, over the C library with ctypes alone.

    import sortie
    position = sortie.Position.start("gomoku")
    position.play("H8")
    with sortie.Engine() as engine:
        print(engine.go(position, seconds=1).move)
    position                    # in a notebook: the board as a picture

`sortie.env` has environments for learners (with NumPy). The library is looked for in $SORTIE_LIBRARY, in this package,
in the build folder of the tree it is part of, below the same prefix, and where the system keeps libraries.
"""
from ._engine import ALL_CORES, INFINITY, WIN_VALUE, Engine, Stream, answer
from ._library import SortieError
from ._line import Line, Step
from ._position import Game, Position, add_proofs, games, plane_names, verify, version

__all__ = [
    "ALL_CORES",
    "INFINITY",
    "WIN_VALUE",
    "Engine",
    "Game",
    "Line",
    "Position",
    "SortieError",
    "Step",
    "Stream",
    "add_proofs",
    "answer",
    "games",
    "plane_names",
    "verify",
    "version",
]
__version__ = version()
