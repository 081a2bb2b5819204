"""Gymnasium's and PettingZoo's classes where they are installed, stand-ins where not."""
try:
    from gymnasium import Env as GymBase
    from gymnasium.spaces import Box, Dict, Discrete
except ImportError:
    from ._standins import Box, Dict, Discrete, GymBase
try:
    from pettingzoo import AECEnv as AECBase
except ImportError:
    from ._standins import AECBase

__all__ = ["AECBase", "Box", "Dict", "Discrete", "GymBase"]
