"""Learns to play the war board in seconds, with NumPy alone.

    python3 learn.py            # prints how it does against a player that moves by chance, before and after

The policy is linear: every action is described by a few numbers (what its square is worth, whose pieces stand around
it), and the better the weighted sum, the more often it is played. It learns by playing against itself: moves of games
that ended well become more likely (REINFORCE). All games of a batch are stepped together.
"""
import sys

import numpy as np

from sortie.env import BatchEnv

SIZE, GAMES, ROUNDS, RATE = 5, 128, 40, 1.0
FEATURES = ("value", "raid", "won by raid", "own around", "other around", "value around", "in danger")


def around(board):
    """For every square the sum over the squares above, below, left and right of it."""
    total = np.zeros_like(board)
    total[..., 1:, :] += board[..., :-1, :]
    total[..., :-1, :] += board[..., 1:, :]
    total[..., :, 1:] += board[..., :, :-1]
    total[..., :, :-1] += board[..., :, 1:]
    return total


def describe(planes):
    """[game, action, feature]: stakes on all squares, then raids on all squares, as the actions are numbered."""
    own, other, value = (planes[:, plane].astype(np.float32) for plane in (0, 1, 2))
    value = value / 255.0
    empty = 1 - own - other
    near_own, near_other = around(own), around(other)
    danger = value * (near_other > 0)  # a square beside the other's pieces can be raided back
    open_value = around(value * empty)
    kinds = []
    for raid in (0.0, 1.0):
        flipped = around(other * value) * raid
        kinds.append(
            np.stack([value, np.full_like(value, raid), flipped, near_own, near_other, open_value, danger], -1)
        )
    return np.concatenate([kind.reshape(len(planes), -1, len(FEATURES)) for kind in kinds], axis=1)


def chances(weights, described, mask):
    """How likely each action is to be played, by the weights of each game."""
    logits = np.where(mask > 0, np.einsum("gaf,gf->ga", described, weights), -np.inf)
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    return likely / likely.sum(axis=1, keepdims=True)


def draw(likely, chance):
    """One action a game."""
    return (likely.cumsum(axis=1) > chance.random((len(likely), 1))).argmax(axis=1)


def learn_once(env, weights, chance):
    """Plays a batch of games against itself and moves the weights."""
    seen, info = env.reset()
    slopes, movers = [], []
    over = np.zeros(len(env), bool)
    while not over.all():
        described = describe(seen["observation"])
        likely = chances(np.tile(weights, (len(env), 1)), described, seen["action_mask"])
        actions = draw(likely, chance)
        played = described[np.arange(len(env)), actions]
        slopes.append(played - (likely[..., None] * described).sum(axis=1))
        movers.append(1 - 2 * info["to_move"])
        seen, rewards, over, _, info = env.step(actions)
    result = info["scores"] / (np.abs(info["scores"]).mean() + 1e-9)
    result = result - result.mean()  # who moves first has an advantage, which is nobody's merit
    slope = sum((side * result) @ one for side, one in zip(movers, slopes)) / len(env) / len(slopes)
    return weights + RATE * slope


def score_against_chance(env, weights, chance):
    """Won games, drawn ones half, of a batch against a player that moves by chance; it begins every second one."""
    seen, info = env.reset()
    over = np.zeros(len(env), bool)
    learner = np.arange(len(env)) % 2
    while not over.all():
        by_turn = np.where((info["to_move"] == learner)[:, None], weights, 0.0)  # no weights: chance
        likely = chances(by_turn, describe(seen["observation"]), seen["action_mask"])
        seen, rewards, over, _, info = env.step(draw(likely, chance))
    return float(np.mean((1 + rewards * (1 - 2 * learner)) / 2))


def main(rounds=ROUNDS, say=print):
    chance = np.random.default_rng(1)
    weights = np.zeros(len(FEATURES))
    with BatchEnv("war", GAMES, size=SIZE, random=True, restart=False, seed=1) as env, BatchEnv(
        "war", 4 * GAMES, size=SIZE, random=True, restart=False, seed=2
    ) as trial:
        before = score_against_chance(trial, weights, chance)
        say(f"before: {before:.0%} against a player that moves by chance")
        for _ in range(rounds):
            weights = learn_once(env, weights, chance)
        after = score_against_chance(trial, weights, chance)
    say(f"after {rounds * GAMES} games: {after:.0%}")
    for name, weight in zip(FEATURES, weights):
        say(f"  {name:>14} {weight:+.2f}")
    return before, after


if __name__ == "__main__":
    before, after = main()
    sys.exit(0 if after > before else 1)
