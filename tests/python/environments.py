"""sortie.env: planes and masks, batches, and the contracts of Gymnasium and PettingZoo, with or without these."""
import signal
import sys
import time

import numpy as np
import sortie
from sortie.env import AECEnv, BatchEnv, GymEnv, mask, planes

signal.alarm(240)  # what hangs is ended
BOARDS = [
    dict(game="war", size=4),
    dict(game="war", rules="sneak", size=5, random=True),
    dict(game="laser", size=6, random=True),
    dict(game="gomoku", size=9),
    dict(game="gomoku", size=7, random=True),
]


def refusal(call):
    try:
        call()
    except sortie.SortieError as error:
        return str(error)
    raise AssertionError("expected a refusal")


# -- positions in numbers: a game is played by moves and by actions, and both tell the same --
for board in BOARDS:
    chance = np.random.default_rng(3)
    one = sortie.Position.start(board["game"], board.get("rules"), board["size"], 7 if "random" in board else None)
    two = one.copy()
    while not one.is_over:
        legal, moves = one.legal(), one.moves()
        assert [one.action_name(action) for action in legal] == moves and [one.action(move) for move in moves] == legal
        assert sorted(legal) == list(np.flatnonzero(mask(one))) and len(one.mask()) == one.actions
        seen = dict(zip(sortie.plane_names(one.game), planes(one)))
        inks = np.frombuffer(one.board(), np.uint8).reshape(one.rows, one.columns)
        assert (seen["own"] == (inks == 1 + one.to_move)).all() and (seen["other"] == (inks == 2 - one.to_move)).all()
        pick = int(chance.integers(len(legal)))
        one.play(moves[pick])
        two.play_action(legal[pick])
        assert one == two
    assert one.history() == two.history() and one.history_actions() == two.history_actions() and one.legal() == []
    assert not mask(one).any()
war = sortie.Position.parse("2\nALPHABETA\nX\n1\n12 70\n8 22\n.X\nO.\n")
assert war.values() == [12, 70, 8, 22] and war.board() == bytes([0, 1, 2, 0]) and war.actions == 8
assert sortie.plane_names("war") == ["own", "other", "values"] and planes(war)[2].tolist() == [[44, 255], [29, 80]]
for bad in (
    lambda: war.play_action(8),
    lambda: war.play_action(-1),
    lambda: war.play_action(1),
    lambda: war.action_name(8),
    lambda: war.action("B1 Stake"),
    lambda: war.action(""),
):
    assert refusal(bad)
assert sortie.Position.start("gomoku", rows=9, columns=9).rows == 9

# -- batches --
for board in BOARDS:
    with BatchEnv(count=5, **board) as env, BatchEnv(count=5, **board) as twin:
        seen, info = env.reset(seed=4)
        again, _ = twin.reset(seed=4)
        chance = np.random.default_rng(5)
        ended = 0
        alone = [env.position(index) for index in range(5)]
        for _ in range(150):
            assert seen["observation"].shape == (5, *env.shape) and seen["action_mask"].dtype == np.int8
            assert all((seen[key] == again[key]).all() for key in seen)
            for index, position in enumerate(alone):
                assert (planes(position) == seen["observation"][index]).all() and position.to_move == info["to_move"][
                    index
                ]
                assert (mask(position) == seen["action_mask"][index]).all() and env.position(index) == position
            assert env.single_observation_space.contains({key: seen[key][0] for key in seen})
            actions = [chance.choice(np.flatnonzero(row)) for row in seen["action_mask"]]
            for position, action in zip(alone, actions):
                position.play_action(action)
            seen, rewards, terminations, truncations, info = env.step(actions)
            again = twin.step(np.array(actions))[0]
            assert not truncations.any()
            for index, position in enumerate(alone):
                assert terminations[index] == position.is_over
                if position.is_over:
                    ended += 1
                    assert rewards[index] == np.sign(position.score) and info["scores"][index] == position.score
                    alone[index] = env.position(index)
                else:
                    assert rewards[index] == 0
        assert ended >= 5
        before = env.position(0)
        for bad in ([env.actions] * 5, [-1] * 5, [2**40] * 5, [0.5] * 5, [0], np.zeros((5, 1), int)):
            assert refusal(lambda: env.step(bad)) and env.position(0) == before
        assert refusal(lambda: env.position(5)) and len(env) == 5
    assert "closed" in refusal(env.reset if "random" not in board else lambda: env.step([0] * 5))
for bad in (
    lambda: BatchEnv("chess"),
    lambda: BatchEnv("war", 0),
    lambda: BatchEnv("war", 2**40),
    lambda: BatchEnv("war", size=99),
):
    assert refusal(bad)
stays = BatchEnv("war", 2, size=2, restart=False)
for _ in range(4):
    actions, (seen, rewards, over, _, info) = stays.random_step()
assert over.all() and not seen["action_mask"].any() and (stays.random_step()[0] == -1).all()

# At least 100,000 steps a second of the processor, with planes, masks and actions chosen by chance.
for board in (dict(game="gomoku", size=15), dict(game="war", size=5)):
    env = BatchEnv(count=512, **board)
    rates = []
    while len(rates) < 3 and max(rates, default=0) < 100_000:
        begun, steps = time.process_time(), 0
        while time.process_time() - begun < 0.3:
            env.random_step()
            steps += len(env)
        rates.append(steps / (time.process_time() - begun))
    print(board, f"{max(rates):,.0f} steps a second")
    assert max(rates) >= 100_000, rates


# -- PettingZoo's contract --
def playthrough(env, seed):
    """A whole game by chance; everything that was seen and earned."""
    env.reset(seed=seed)
    chance, story, earned = np.random.default_rng(seed), [], {agent: 0.0 for agent in env.possible_agents}
    assert env.agents == env.possible_agents and env.agent_selection == f"player_{env.position.to_move}"
    for agent in env.agent_iter():
        seen, reward, termination, truncation, info = env.last()
        assert agent == env.agent_selection and env.observation_space(agent).contains(seen) and not truncation
        earned[agent] += reward
        story.append((agent, seen["observation"].tobytes(), seen["action_mask"].tobytes(), reward, termination))
        if termination:
            assert not seen["action_mask"].any()
            env.step(None)
            continue
        assert (
            sum(env.rewards.values()) == 0 and agent == f"player_{env.position.to_move}" and seen["action_mask"].any()
        )
        other = env.observe("player_1" if agent == "player_0" else "player_0")
        assert (other["observation"][0] == seen["observation"][1]).all() and not other["action_mask"].any()
        illegal = np.flatnonzero(seen["action_mask"] == 0)
        if len(illegal):
            before = env.position.copy()
            assert refusal(lambda: env.step(illegal[0])) and env.position == before and env.agent_selection == agent
        env.step(chance.choice(np.flatnonzero(seen["action_mask"])))
        assert sum(env.rewards.values()) == 0
    assert not env.agents and sum(earned.values()) == 0
    assert sorted(earned.values()) in ([-1, 1], [0, 0]) and earned["player_0"] == np.sign(env.position.score)
    return story


for board in BOARDS:
    env = AECEnv(**board)
    first = playthrough(env, 11)
    assert playthrough(env, 11) == first == playthrough(AECEnv(**board), 11) != playthrough(env, 12)
    assert all(one[0] != two[0] for one, two in zip(first, first[1:])) and str(env) == "sortie_v1"
margin = AECEnv("war", size=2, margin=True, render_mode="ansi")
margin.reset()
while not margin.position.is_over:
    margin.step(margin.position.legal()[0])
assert margin.rewards["player_0"] == margin.position.score == -margin.rewards["player_1"] and "A" in margin.render()


# -- Gymnasium's contract, with every kind of opponent --
def episode(env, seed):
    chance = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    story, terminated, reward = [], False, 0.0
    while not terminated:
        assert env.observation_space.contains(seen) and env.position.to_move == env.side == info["side"] and reward == 0
        assert (info["action_mask"] == mask(env.position)).all() and (env.action_masks() == info["action_mask"]).all()
        action = chance.choice(np.flatnonzero(info["action_mask"]))
        seen, reward, terminated, truncated, info = env.step(action)
        assert not truncated and isinstance(reward, float)
        story.append((int(action), seen.tobytes(), reward))
    assert env.position.is_over and reward == np.sign(env.position.score) * (1 if env.side == 0 else -1)
    assert "reset" in refusal(lambda: env.step(0))
    return story


def lowest(position):
    return min(position.legal())


mine = sortie.Engine()
for options in (
    dict(opponent="random"),
    dict(opponent="engine", level=3),
    dict(opponent="engine", limits={"nodes": 50}, side=1),
    dict(opponent="engine", level=1, side=None),
    dict(opponent=lowest),
    dict(opponent=lambda position: position.moves()[-1]),
    dict(opponent=mine, level=2, side=None),
):
    for board in BOARDS[::2]:
        with GymEnv(**board, **options) as env:
            first = episode(env, 21)
            if options.get("opponent") is not mine:
                assert episode(env, 21) == first
assert mine.go(war, depth=1).move  # an engine of ours is not closed with the environment
losing = GymEnv("gomoku", size=9, opponent=lowest)
losing.reset()
losing.step(5)
assert losing.step(5)[1:3] == (-1.0, True) and losing.step(5)[4]["illegal"]
strict = GymEnv("gomoku", size=9, opponent=lowest, illegal="refuse")
strict.reset()
strict.step(5)
assert refusal(lambda: strict.step(5)) and refusal(lambda: strict.step(0.5)) and strict.position.played == 2
for bad in (
    dict(opponent="nobody"),
    dict(level=0),
    dict(level=10),
    dict(side=2),
    dict(illegal="x"),
    dict(render_mode="x"),
    dict(game="chess"),
):
    assert refusal(lambda: GymEnv(**bad))
assert "<svg" in GymEnv("gomoku", render_mode="svg").render()

# The engine wins against chance: rewards have the right sign.
with GymEnv("gomoku", size=9, opponent="engine", level=4) as env:
    assert [episode(env, seed)[-1][2] for seed in range(4)] == [-1.0] * 4
print("all good", "with Gymnasium" if "gymnasium" in sys.modules else "with stand-ins")
