"""Environments for learners: what they see are NumPy arrays, what they do are actions (whole numbers).

    BatchEnv   many games side by side, both sides played by the caller: the fast one
    GymEnv     one game against an opponent (the engine, chance, a function), as Gymnasium has it
    AECEnv     two agents in turns, as PettingZoo has it

Gymnasium and PettingZoo are used where they are installed; without them the classes have the same methods. An
observation is an array of planes [plane, row, column] from the view of the side to move (`sortie.plane_names` says
which), an action mask has one number an action: 1 where it is legal. A game won is 1, lost -1, drawn 0.
"""
try:
    import numpy as _numpy  # noqa: F401
except ImportError:
    raise ImportError("expected NumPy: sortie.env needs it (pip install numpy, or apt install python3-numpy)") from None

from ._aec import AECEnv
from ._batch import BatchEnv
from ._gym import GymEnv
from ._views import mask, planes

__all__ = ["AECEnv", "BatchEnv", "GymEnv", "mask", "planes"]
