#!/usr/bin/env python3
"""Fits the numbers of src/games/gomoku/gomoku_weights.c to records of gomoku-extract, with PyTorch.

usage: train.py OUT.c TRUST EPOCHS RECORDS...

The evaluation learns a mix of the game's result (weight TRUST) and the search's value; the ordering learns the
move that was played. Both come out as integers in the units gomoku_weights.h names. Prints the losses on records
kept aside (every 20th block of 64) before and after rounding.
"""
import itertools
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

KINDS, CELL, HIDDEN, SECOND, UNIT = 13, 64, 32, 32, 200.0
RECORD = 225 * 4 + 12
MOST = 8.0  # of a hidden number
FAR = 7  # squares this far apart and farther are all alike
CODES = list(itertools.combinations_with_replacement(range(KINDS), 4))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = torch.nn.Parameter(torch.randn(256, CELL) * 0.1 + 0.05)
        self.hidden = torch.nn.Linear(2 * CELL, HIDDEN)
        self.second = torch.nn.Linear(HIDDEN, SECOND)
        self.out = torch.nn.Linear(SECOND, 1)
        torch.nn.init.normal_(self.hidden.weight, std=0.1)

    def forward(self, kinds, empty):
        # How often each pair of kinds stands around a square, times their rows: one matrix product.
        rows = kinds.reshape(-1, 4).long()
        counts = torch.zeros(len(rows), 256, device=rows.device, dtype=torch.bfloat16)
        counts.scatter_add_(1, rows, torch.ones_like(rows, dtype=torch.bfloat16))
        swap = torch.arange(256, device=rows.device)
        swap = (swap & 15) << 4 | swap >> 4
        both = torch.cat([self.cell, self.cell[swap]], 1)
        sums = (counts @ both.bfloat16()).float().reshape(len(kinds), 225, 2 * CELL)
        x = (sums.clamp(0, 1) * empty).sum(1) / 64
        x = self.hidden(x).clamp(0, MOST)
        return self.out(F.relu(self.second(x)))[:, 0]


class Policy(torch.nn.Module):
    """A code's number is the sum of its kinds' numbers and one of its own, so that rare codes follow their kinds. The
    last two moves draw the next one to them, by the larger and the smaller of the two coordinates' differences."""

    def __init__(self, codes):
        super().__init__()
        self.register_buffer("codes", codes)
        self.kind = torch.nn.Parameter(torch.zeros(2, KINDS))
        self.own = torch.nn.Parameter(torch.zeros(2, len(codes)))
        self.draw = torch.nn.Parameter(torch.zeros(2, (FAR + 1) * (FAR + 1)))

    def tables(self):
        return self.kind[:, self.codes].sum(2) + self.own

    def forward(self, own, other, away):
        tables = self.tables()
        return tables[0][own] + tables[1][other] + self.draw[0][away[0]] + self.draw[1][away[1]]


def main():
    out_path, trust, epochs = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    raw = np.concatenate([np.fromfile(p, dtype=np.uint8) for p in sys.argv[4:]])
    raw = raw[: len(raw) // RECORD * RECORD].reshape(-1, RECORD)
    tail = raw[:, 900:].copy().view(np.int16)
    keep = tail[:, 3] == 0  # the others are never evaluated
    raw, tail = raw[keep], tail[keep]
    count = len(raw)
    kinds = torch.from_numpy(raw[:, :900].copy()).to(device).reshape(count, 225, 4)
    tail = torch.from_numpy(tail.astype(np.int32)).to(device)
    result = (tail[:, 2].float() + 1) / 2
    target = trust * result + (1 - trust) * torch.sigmoid(tail[:, 1].float() / UNIT)
    move = tail[:, 0].long()
    aside = (torch.arange(count, device=device) // 64) % 20 == 0
    train = torch.nonzero(~aside)[:, 0]
    test = torch.nonzero(aside)[:, 0][:200000]
    print(f"records {count}, kept aside {len(test)}, mean result {result.mean():.3f}", flush=True)

    lookup = np.zeros((16, 16, 16, 16), dtype=np.int64)
    for i, code in enumerate(CODES):
        for p in itertools.permutations(code):
            lookup[p] = i
    lookup = torch.from_numpy(lookup.reshape(-1)).to(device)

    def batch(index):
        k = kinds[index]
        empty = (k[:, :, 0] != 255)
        return torch.where(empty[:, :, None], k, torch.zeros_like(k)), empty

    def code(k):
        k = k.int()
        return lookup[(k[:, :, 0] * 4096 + k[:, :, 1] * 256 + k[:, :, 2] * 16 + k[:, :, 3]).long()]

    square = torch.arange(225, device=device)

    def distance(index, which):
        last = tail[index, 4 + which].long()[:, None]
        down = (torch.div(last, 15, rounding_mode="floor") - square // 15).abs()
        right = (last % 15 - square % 15).abs()
        larger, smaller = torch.maximum(down, right).clamp(max=FAR), torch.minimum(down, right).clamp(max=FAR)
        return torch.where(last < 0, FAR * (FAR + 1) + FAR, larger * (FAR + 1) + smaller)

    def fit(model, loss_of, rate, rounds, size):
        optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-4)
        steps = rounds * (len(train) // size)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=rate, total_steps=max(steps, 2), pct_start=0.1)
        start, step = time.time(), 0
        for epoch in range(rounds):
            order = train[torch.randperm(len(train), device=device)]
            seen = 0.0
            for at in range(0, len(order) - size + 1, size):
                loss = loss_of(model, order[at : at + size])
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                with torch.no_grad():
                    if isinstance(model, Net):
                        model.hidden.weight.clamp_(-4, 4)
                        model.second.weight.clamp_(-4, 4)
                        model.cell.clamp_(-8, 8)
                        model.out.weight.clamp_(-16, 16)
                if step < steps - 1:
                    schedule.step()
                step += 1
                seen += loss.item() if step % 50 == 0 else 0
            if epoch % 4 == 3 or epoch == rounds - 1:
                with torch.no_grad():
                    parts = [loss_of(model, test[a : a + size]) for a in range(0, len(test), size)]
                print(f"  epoch {epoch + 1}: aside {sum(parts).item() / len(parts):.5f}, {time.time() - start:.0f} s", flush=True)

    def net_loss(model, index):
        k, empty = batch(index)
        return F.binary_cross_entropy_with_logits(model(k, empty[:, :, None].float()), target[index])

    def policy_loss(model, index):
        k, empty = batch(index)
        away = distance(index, 0), distance(index, 1)
        logits = model(code(k & 15), code(k >> 4), away).masked_fill(~empty, -1e9)
        return F.cross_entropy(logits, move[index]) + 1e-6 * model.own.square().sum()

    print("evaluation", flush=True)
    net = Net().to(device)
    fit(net, net_loss, 0.004, epochs, 4096)
    print("ordering", flush=True)
    policy = Policy(torch.tensor(CODES, device=device)).to(device)
    fit(policy, policy_loss, 0.02, max(2, epochs // 10), 4096)

    # Rounded as the engine computes it.
    with torch.no_grad():
        cell = (net.cell * 256).round().clamp(-8000, 8000).long()
        hidden = (net.hidden.weight * 1024).round().long()
        hidden_bias = (net.hidden.bias * 2**20).round().long()
        second = (net.second.weight * 1024).round().long()
        second_bias = (net.second.bias * 2**20).round().long()
        out = (net.out.weight[0] * 1024).round().long()
        out_bias = (net.out.bias * 2**20).round().long()
        total, wrong = 0.0, 0.0
        for a in range(0, len(test), 4096):
            index = test[a : a + 4096]
            k, empty = batch(index)
            k = k.int()
            pools = []
            for view in (k, (k & 15) << 4 | k >> 4):
                s = sum(cell[view[:, :, d]] for d in range(4)).clamp(0, 256)
                pools.append((s * empty[:, :, None]).sum(1) >> 4)
            x = torch.cat(pools, 1).double()
            h = (x @ hidden.double().T + hidden_bias).clamp(min=0).long() >> 10
            h = h.clamp(max=int(MOST * 1024) - 1).double()
            h = (h @ second.double().T + second_bias).clamp(min=0).long() >> 10
            v = ((h * out).sum(1) + out_bias).double() / 2**20
            total += F.binary_cross_entropy_with_logits(v, target[index].double(), reduction="sum").item()
            wrong += ((v > 0).double() != (result[index] > 0.5).double())[result[index] != 0.5].double().sum().item()
        print(f"rounded: aside {total / len(test):.5f}, wrong side {wrong / len(test):.4f}", flush=True)
        tables = (policy.tables() * 32).round().clamp(-32000, 32000).long().cpu().numpy()
        tables = tables - tables[:, :1]
        draw = (policy.draw * 32).round().long().cpu().numpy()
        draw = draw - draw[:, -1:]

    cell = cell.cpu().numpy()
    cell = np.array([[cell[own | other << 4] for other in range(KINDS)] for own in range(KINDS)])

    def rows(f, name, values):
        f.write(f"    .{name} =\n        {{")
        line = ""
        for v in values:
            item = f"{v}, "
            if len(line) + len(item) > 108:
                f.write(line.rstrip() + "\n         ")
                line = ""
            line += item
        f.write(line.rstrip(", ") + "},\n")

    with open(out_path, "w") as f:
        f.write("/* Generated by tools/gomoku/train.py; docs/gomoku.md says from which games. */\n")
        f.write('#include "games/gomoku/gomoku_weights.h"\n\n/* clang-format off */\n')
        f.write("const struct gomoku_weights gomoku_weights = {\n")
        rows(f, "attack", tables[0])
        rows(f, "defend", tables[1])
        f.write("    .draw = {\n")
        for last in draw.reshape(2, FAR + 1, FAR + 1):
            f.write("        {\n")
            for row in last:
                f.write("            {" + ", ".join(str(v) for v in row) + "},\n")
            f.write("        },\n")
        f.write("    },\n")
        f.write("    .cell = {\n")
        for own in range(KINDS):
            f.write("        {\n")
            for other in range(KINDS):
                f.write("            {" + ",".join(str(v) for v in cell[own][other]) + "},\n")
            f.write("        },\n")
        f.write("    },\n    .hidden = {\n")
        for row in hidden.cpu().numpy():
            f.write("        {" + ",".join(str(v) for v in row) + "},\n")
        f.write("    },\n")
        rows(f, "hidden_bias", hidden_bias.cpu().numpy())
        f.write("    .second = {\n")
        for row in second.cpu().numpy():
            f.write("        {" + ",".join(str(v) for v in row) + "},\n")
        f.write("    },\n")
        rows(f, "second_bias", second_bias.cpu().numpy())
        rows(f, "out", out.cpu().numpy())
        f.write(f"    .out_bias = {out_bias.item()},\n}};\n/* clang-format on */\n")


main()
