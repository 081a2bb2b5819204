#!/usr/bin/env python3
"""Trains the network of src/games/gomoku/eval/network.c on records of gomoku-extract, with PyTorch.

usage: train.py [OPTIONS] OUT.c CONV EPOCHS TEACHER-EPOCHS MADE-UP RECORDS...
         --teacher FILE --student FILE --size WIDTHxBLOCKS --from NETWORK.c --shape VIEW,REGION,HIDDEN,SECOND
         --rate NUMBER --scale NUMBER --taught FILE --seconds NUMBER --teacher-seconds NUMBER

eval/network.h describes the network; CONV is its NET_CONV. The vectors of lines come from a network over the line's
squares plus a free correction each, so that rare lines learn from common ones; they are tabulated at the end. The value
learns a mix of the game's result and the search's value, of a branch the search's value alone; the policy learns the
moves the search chose and considered.

With TEACHER-EPOCHS above 0 a larger convolutional network learns the same first, and TAUGHT of what the small one learns
is what that one says. With MADE-UP (a share of all records) so many positions come again with two or four more stones
on random squares near others, and only the teacher's word: a search meets more positions that make no sense than ones
that do. With --teacher the larger network is kept in FILE, and a later run with more records goes on with it, or with
no TEACHER-EPOCHS takes it as it is. With no EPOCHS the teacher alone learns. --student keeps the small network the
same way. What is being learnt is kept beside these files every few minutes, and the same command goes on with it.
--size is the teacher's, 192x10 unless told.

--from starts the small network from one there is, which may have fewer numbers than this one, and wants a lower --rate
(0.0015; 0.004 unless told) so that it keeps what it knows; --shape gives its numbers other sizes than eval/network.h
has. --taught keeps what the teacher says of every record in a file, or takes it from there, so that several networks
learn from it; with no EPOCHS that is all. --seconds and --teacher-seconds end a cycle by the clock instead of by epochs,
of which any number above 0 will do then. The value is written --scale times as large as it was learnt (0.8 unless
told): the margins of the tree search were found with such values. With SORTIE_TRAIN_COMPILED=1 in the environment
torch.compile makes the small network's steps, in two thirds of the time on a graphics card.

Everything comes out as integers; the losses on records of games kept aside (every 20th block of 2048, smaller ones where
there are few) are printed before and after rounding.
"""
import math
import os
import re
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

HALF, CODES = 4, 121  # squares each way; ways to fill them, the border included
LINES = CODES * CODES
VIEW = 32  # numbers of a square for each view
REGION, HIDDEN, SECOND = 8, 32, 32
COMPILED = os.environ.get("SORTIE_TRAIN_COMPILED") == "1"  # by torch.compile, which needs a graphics card to be worth it
FAR = 7  # squares this far apart and farther are all alike
ROW_ONE, MOST = 64, 127 / 64  # of a square's numbers
LAYER_MOST = 2047 / 256
UNIT = 200.0  # values of the search, to a natural unit of log odds
TRUST = 0.6  # of the result, the rest of the search's value
TAUGHT = 0.7  # of the teacher, where there is one
PROVEN = 29000
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
UNKNOWN = 2  # the result of a branch
EVEN = 0.05  # how much the chance of a draw counts
KEPT_EVERY = float(os.environ.get("SORTIE_TRAIN_KEEPS", 300))  # seconds
RECORD = np.dtype([("board", "u1", 225), ("decided", "u1"), ("shares", "u1", 7), ("unused", "u1"),
                   ("move", "<i2"), ("others", "<i2", 7), ("value", "<i2"),
                   ("result", "<i2"), ("last", "<i2", 2)])


def half_tables():
    """For each of the 121 ways to fill half a line: its squares, nearest first (0 empty, 1 own, 2 other, 3 border)."""
    squares = []
    for inside in range(HALF + 1):
        for number in range(3**inside):
            squares.append([number // 3**i % 3 for i in range(inside)] + [3] * (HALF - inside))
    return np.array(squares)


HALVES = half_tables()
OF_PACKED = np.zeros(4**HALF, dtype=np.int64)
for code, cells in enumerate(HALVES):
    OF_PACKED[sum(int(c) << 2 * i for i, c in enumerate(cells))] = code
SWAPPED = np.array([OF_PACKED[sum(int((0, 2, 1, 3)[c]) << 2 * i for i, c in enumerate(cells))] for cells in HALVES])


def permutations():
    """Where each square of a board goes in its eight symmetries."""
    grid = np.arange(225).reshape(15, 15)
    return np.stack([np.rot90(g, k).reshape(-1) for g in (grid, grid.T) for k in range(4)])


def stepped(numbers, one, rounding=torch.floor):
    """What the engine's whole numbers make of them; what is learnt goes through as if nothing had been lost."""
    return numbers + (rounding(numbers.detach() * one) / one - numbers.detach())


class Net(torch.nn.Module):
    def __init__(self, conv):
        super().__init__()
        self.seen = conv  # how many of a square's numbers see their neighbours
        cells = np.concatenate([np.repeat(HALVES, CODES, 0)[:, ::-1], np.tile(HALVES, (CODES, 1))], 1)
        one_hot = np.eye(4, dtype=np.float32)[cells].reshape(LINES, -1)
        back = np.arange(LINES) % CODES * CODES + np.arange(LINES) // CODES
        swap = SWAPPED[np.arange(LINES) // CODES] * CODES + SWAPPED[np.arange(LINES) % CODES]
        self.register_buffer("lines", torch.from_numpy(one_hot.copy()))
        self.register_buffer("back", torch.from_numpy(back))
        self.register_buffer("swap", torch.from_numpy(swap))
        self.mapping = torch.nn.Sequential(torch.nn.Linear(8 * HALF, 256), torch.nn.ReLU(), torch.nn.Linear(256, 256),
                                           torch.nn.ReLU(), torch.nn.Linear(256, VIEW))
        with torch.no_grad():
            self.mapping[4].bias += 0.05
        self.correction = torch.nn.Parameter(torch.zeros(LINES, VIEW))
        self.conv = torch.nn.Parameter(torch.zeros(conv, 3, 3))
        with torch.no_grad():
            self.conv.normal_(0, 0.05)
            self.conv[:, 1, 1] += 0.7
        self.conv_bias = torch.nn.Parameter(torch.zeros(conv))
        self.region = torch.nn.Linear(2 * VIEW, REGION)
        self.hidden = torch.nn.Linear(2 * VIEW + 9 * REGION, HIDDEN)
        self.second = torch.nn.Linear(HIDDEN, SECOND)
        self.out = torch.nn.Linear(SECOND, 1)
        self.even = torch.nn.Linear(SECOND, 1)  # of a draw, in log odds
        self.policy = torch.nn.Linear(2 * VIEW, 2 * VIEW)
        torch.nn.init.normal_(self.policy.weight, std=0.02)
        torch.nn.init.normal_(self.policy.bias, std=0.2)
        self.draw = torch.nn.Parameter(torch.zeros(2, (FAR + 1) * (FAR + 1)))

    def rows(self):
        """The vectors of all lines; a line and the same seen from the other end have the same."""
        rows = self.mapping(self.lines) + self.correction
        return stepped(((rows + rows[self.back]) / 2).clamp(-MOST, MOST), ROW_ONE, torch.round)

    def squares(self, rows, codes, empty):
        """What every square of a batch has: own view, then the other's, each the convolved numbers first."""
        both = torch.cat([rows, rows[self.swap]], 1)
        count = len(codes)
        if COMPILED:
            sums = (both[codes[:, :, 0]] + both[codes[:, :, 1]] + both[codes[:, :, 2]] + both[codes[:, :, 3]])
            sums = sums.reshape(count, 225, 2, VIEW)
        else:
            sums = F.embedding_bag(codes.reshape(-1, 4), both, mode="sum").reshape(count, 225, 2, VIEW)
        sums = sums.clamp(0, MOST) * empty[:, :, None, None]
        seen = sums[..., :self.seen].reshape(count, 15, 15, 2 * self.seen)
        kernel, bias = stepped(self.conv, 64, torch.round), self.conv_bias
        kernel, bias = torch.cat([kernel, kernel]), torch.cat([bias, bias])
        if COMPILED:
            padded = F.pad(seen, (0, 0, 1, 1, 1, 1))
            seen = bias + sum(padded[:, i : i + 15, j : j + 15] * kernel[:, i, j] for i in range(3) for j in range(3))
        else:
            seen = F.conv2d(seen.permute(0, 3, 1, 2), kernel[:, None], bias, padding=1, groups=2 * self.seen)
            seen = seen.permute(0, 2, 3, 1)
        seen = stepped(seen, ROW_ONE).clamp(0, MOST).reshape(count, 225, 2, self.seen) * empty[:, :, None, None]
        return torch.cat([seen, sums[..., self.seen:]], 3).reshape(count, 225, 2 * VIEW)

    def forward(self, rows, codes, empty):
        squares = self.squares(rows, codes, empty)
        count = len(squares)
        regions = squares.reshape(count, 3, 5, 3, 5, 2 * VIEW).sum((2, 4)).reshape(count, 9, 2 * VIEW)
        board = stepped(regions.sum(1) / 64, 256)
        parts = stepped(self.region(stepped(regions / 16, 256)), 256).clamp(0, LAYER_MOST).reshape(count, -1)
        x = stepped(self.hidden(torch.cat([board, parts], 1)), 256).clamp(0, LAYER_MOST)
        x = stepped(self.second(x), 256).clamp(0, LAYER_MOST)
        policy = torch.bmm(squares, stepped(self.policy(board), 256)[:, :, None])[:, :, 0]
        return self.out(x)[:, 0], self.even(x.detach())[:, 0], policy

    def start_from(self, path):
        """Takes over a network that was written before; what it has not got counts for nothing yet."""
        old = read_network(path)
        conv, view = len(old["conv"]), old["rows"].shape[1]
        with torch.no_grad():
            for part in (self.mapping[4].weight, self.mapping[4].bias):
                part[:view] = 0
            self.correction[:, :view] = old["rows"] / ROW_ONE
            self.conv[:] = 0
            self.conv[:, 1, 1] = 1
            self.conv_bias[:] = 0
            self.conv[:conv] = old["conv"].reshape(-1, 3, 3) / 64
            self.conv_bias[:conv] = old["conv_bias"] / 4096
            squares = torch.cat([torch.arange(view), VIEW + torch.arange(view)])
            regions, hidden, second = len(old["region"]), len(old["hidden"]), len(old["second"])
            parts = (2 * VIEW + torch.arange(9)[:, None] * REGION + torch.arange(regions)).reshape(-1)
            inputs = torch.cat([squares, parts])
            for layer, name, rows, columns in (
                    (self.region, "region", torch.arange(regions), squares),
                    (self.hidden, "hidden", torch.arange(hidden), inputs),
                    (self.second, "second", torch.arange(second), torch.arange(hidden)),
                    (self.out, "out", torch.arange(1), torch.arange(second)),
                    (self.even, "even", torch.arange(1), torch.arange(second)),
                    (self.policy, "policy", squares, squares)):
                weight = layer.weight.clone()
                weight[rows] = 0
                weight[rows[:, None], columns[None]] = old[name].reshape(len(rows), len(columns)) / 1024
                layer.weight.copy_(weight)
                layer.bias[rows] = old[name + "_bias"].reshape(-1) / 2**18
            self.draw.copy_(old["draw"] / 32)

    def project(self):
        """Keeps every number where the integers can hold it."""
        with torch.no_grad():
            size = self.conv.abs().sum((1, 2), keepdim=True)
            self.conv *= (3.0 / size).clamp(max=1)
            self.conv_bias.clamp_(-1.4, 1.4)
            for layer in (self.region, self.hidden, self.second, self.policy):
                layer.weight.clamp_(-3.9, 3.9)
            self.out.weight.clamp_(-16, 16)
            self.even.weight.clamp_(-16, 16)


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = torch.nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.second = torch.nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.norms = torch.nn.ModuleList([torch.nn.BatchNorm2d(width) for _ in range(2)])

    def forward(self, x):
        y = F.relu(self.norms[0](self.first(x)))
        return F.relu(x + self.norms[1](self.second(y)))


class Teacher(torch.nn.Module):
    """A residual convolutional network over stones and the last two moves."""

    def __init__(self, width=192, blocks=10):
        super().__init__()
        self.start = torch.nn.Conv2d(5, width, 5, padding=2)
        self.blocks = torch.nn.Sequential(*[Block(width) for _ in range(blocks)])
        self.policy = torch.nn.Conv2d(width, 1, 1)
        self.value = torch.nn.Sequential(torch.nn.Linear(2 * width, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))

    def forward(self, board, last):
        count = len(board)
        planes = torch.zeros(count, 5, 225, device=board.device)
        planes[:, 0], planes[:, 1], planes[:, 4] = board == 1, board == 2, 1
        for i in range(2):
            planes[:, 2 + i].scatter_(1, last[:, i : i + 1].clamp(min=0), (last[:, i : i + 1] >= 0).float())
        planes = planes.reshape(count, 5, 15, 15).contiguous(memory_format=torch.channels_last)
        with torch.autocast(board.device.type, torch.bfloat16, enabled=board.is_cuda):
            x = self.blocks(F.relu(self.start(planes)))
            value = self.value(torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1))
            policy = self.policy(x).reshape(count, 225)
        return value[:, 0].float(), policy.float()


class Batch:
    """Positions in a random symmetry each, with what is to be learnt of them."""

    def __init__(self, board, last, target, wanted, move, known, even, codes=None):
        self.board, self.last, self.target, self.wanted, self.move = board, last, target, wanted, move
        self.known, self.even, self.codes = known, even, codes
        self.empty = board == 0


class Data:
    """Everything lies on the device: boards, labels, and once asked for the lines of every square and direction."""

    def __init__(self, paths, device):
        raw = np.concatenate([np.fromfile(p, dtype=RECORD) for p in paths])
        raw = raw[raw["decided"] == 0]
        self.labelled = torch.from_numpy(raw["move"] >= 0).to(device)
        self.count = len(raw)
        self.device = device

        def put(name, kind):
            return torch.from_numpy(np.ascontiguousarray(raw[name])).to(device).to(kind)

        self.board = put("board", torch.uint8)
        self.move, self.last = put("move", torch.int16), put("last", torch.int16)
        value, result = put("value", torch.float32), put("result", torch.float32)
        self.known = (result != UNKNOWN) & self.labelled
        self.even = (result == 0).float()
        search = torch.sigmoid(value / UNIT)
        mixed = torch.where(self.known, TRUST * (result + 1) / 2 + (1 - TRUST) * search, search)
        self.target = torch.where(value.abs() > PROVEN, (value > 0).float(), mixed)
        others, shares = put("others", torch.int64), put("shares", torch.float32)
        self.wanted = torch.cat([self.wanted_moves(others[at : at + 65536], shares[at : at + 65536],
                                                   self.move[at : at + 65536].long())
                                 for at in range(0, self.count, 65536)])
        self.moves_from = torch.from_numpy(permutations()).to(device)  # new square -> old square
        self.moves_to = torch.argsort(self.moves_from, 1)  # old square -> new square
        self.steps = [down * 23 + right for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))]
        self.inner = (torch.arange(15)[:, None] * 23 + torch.arange(15)[None] + 4 * 24).reshape(-1).to(device)
        self.packed = torch.from_numpy(OF_PACKED).to(device)
        square = torch.arange(225, device=device)
        self.row, self.column = square // 15, square % 15
        self.lines = None

    def wanted_moves(self, others, shares, move):
        """What the policy learns: where the search's nodes went, or the move played and a quarter for those considered."""
        wanted = torch.zeros(len(move), 225, device=self.device)
        known = (others >= 0).float()
        share = 0.25 * known / known.sum(1, keepdim=True).clamp(min=1)
        share = torch.where(shares.sum(1, keepdim=True) > 0, known * shares / 255, share)
        wanted.scatter_add_(1, others.clamp(min=0), share)
        wanted.scatter_add_(1, move.clamp(min=0)[:, None], 1 - share.sum(1, keepdim=True))
        return wanted.half()

    def codes(self, board):
        padded = torch.full((len(board), 23, 23), 3, dtype=torch.int64, device=self.device)
        padded[:, 4:19, 4:19] = board.reshape(-1, 15, 15).long()
        padded = padded.reshape(len(board), -1)
        codes = []
        for step in self.steps:
            halves = [sum(padded[:, self.inner + sign * i * step] << 2 * (i - 1) for i in range(1, HALF + 1))
                      for sign in (-1, 1)]
            codes.append(self.packed[halves[0]] * CODES + self.packed[halves[1]])
        return torch.stack(codes, 2).to(torch.int16)

    def prepare_lines(self):
        """A symmetry moves squares and turns lines; a line's vector is that of the same line turned around."""
        self.lines = torch.cat([self.codes(self.board[at : at + 16384]) for at in range(0, self.count, 16384)])

    def distance(self, last):
        down = (torch.div(last, 15, rounding_mode="floor")[:, None] - self.row).abs()
        right = (last[:, None] % 15 - self.column).abs()
        larger = torch.maximum(down, right).clamp(max=FAR)
        smaller = torch.minimum(down, right).clamp(max=FAR)
        return torch.where(last[:, None] < 0, FAR * (FAR + 1) + FAR, larger * (FAR + 1) + smaller)

    def batch(self, index, symmetry):
        to, source = self.moves_to[symmetry], self.moves_from[symmetry]
        board = self.board[index].gather(1, source)
        last = self.last[index].long()
        last = torch.where(last < 0, last, to.gather(1, last.clamp(min=0)))
        move = to.gather(1, self.move[index].long().clamp(min=0)[:, None])[:, 0]
        wanted = self.wanted[index].gather(1, source).float()
        codes = None
        if self.lines is not None:
            codes = self.lines[index].gather(1, source[:, :, None].expand(-1, -1, 4)).long()
        return Batch(board, last, self.target[index], wanted, move, self.known[index], self.even[index], codes)

    def make_up(self, board):
        """The same positions with one or (every other one) two more stones of each side, on random empty squares near
        others."""
        board = board.clone()
        odd = torch.arange(len(board), device=self.device)[:, None] % 2
        for stones, stone in enumerate((1, 2, 1, 2)):
            near = F.max_pool2d((board > 0).float().reshape(-1, 1, 15, 15), 5, 1, 2).reshape(-1, 225)
            chance = torch.rand_like(near) * near * (board == 0)
            square = chance.argmax(1, keepdim=True)
            kept = board.gather(1, square)
            more = torch.full_like(kept, stone) if stones < 2 else torch.where(odd == 1, stone, kept)
            board.scatter_(1, square, more.to(board.dtype))
            if stones < 2:
                last = torch.cat([square, last], 1) if stones else square
            else:
                last = torch.where(odd == 1, torch.cat([square, last[:, :1]], 1), last)
        return board, last

    def add_made_up(self, index):
        """Appends so many made-up positions; they have no labels yet."""
        made = [self.make_up(self.board[part]) for part in index.split(16384)]
        boards, lasts = torch.cat([m[0] for m in made]), torch.cat([m[1] for m in made]).to(torch.int16)
        more, self.count = len(boards), self.count + len(boards)

        def extend(tensor, tail):
            return torch.cat([tensor, tail.to(tensor.dtype)])

        none = torch.zeros(more, device=self.device)
        self.board, self.last = extend(self.board, boards), extend(self.last, lasts)
        self.move, self.target, self.even = extend(self.move, none), extend(self.target, none), extend(self.even, none)
        self.known, self.labelled = extend(self.known, none), extend(self.labelled, none)
        self.wanted = extend(self.wanted, torch.zeros(more, 225, device=self.device))

    def keep_taught(self, path, records):
        """Writes what was taught, and the records that were made up."""
        save({"target": self.target, "wanted": self.wanted, "board": self.board[records:], "last": self.last[records:]},
             path)

    def take_taught(self, path, records):
        """Takes all that from a file."""
        kept = torch.load(path, map_location=self.device)
        self.board, self.last = torch.cat([self.board, kept["board"]]), torch.cat([self.last, kept["last"]])
        self.target, self.wanted, self.count = kept["target"], kept["wanted"], len(kept["target"])
        more = torch.zeros(self.count - records, device=self.device)
        self.move, self.even, self.known, self.labelled = (
            torch.cat([tensor, more.to(tensor.dtype)])
            for tensor in (self.move, self.even, self.known, self.labelled))

    def be_taught(self, teacher, index, share, size):
        """Labels of these records become `share` the teacher's, and those of records without one its alone."""
        with torch.no_grad():
            for part in index.split(size):
                share_of = torch.where(self.labelled[part], share, 1.0)
                board, last = self.board[part], self.last[part].long()
                value, policy = teacher(board, last)
                policy = policy.masked_fill(board != 0, -1e4).softmax(1)
                self.target[part] = (1 - share_of) * self.target[part] + share_of * torch.sigmoid(value)
                share_of = share_of[:, None]
                self.wanted[part] = ((1 - share_of) * self.wanted[part].float() + share_of * policy).half()

    def losses(self, value, even, policy, draw, batch):
        """Cross-entropy of the value, of the chance of a draw and of the policy, and how often its first move is right."""
        away = [self.distance(batch.last[:, i]) for i in range(2)]
        policy = (policy + draw[0][away[0]] + draw[1][away[1]]).masked_fill(~batch.empty, -1e4)
        value_loss = F.binary_cross_entropy_with_logits(value, batch.target)
        even_loss = F.binary_cross_entropy_with_logits(even, batch.even, weight=batch.known.float())
        policy_loss = -(F.log_softmax(policy, 1) * batch.wanted).sum(1).mean()
        return value_loss, even_loss, policy_loss, (policy.argmax(1) == batch.move).float().mean()


def integers(net, scale=1):
    """All numbers as the engine has them; the value so many times as large."""
    with torch.no_grad():
        def scaled(tensor, one, most):
            return (tensor * one).round().clamp(-most, most).long()

        return {
            "rows": scaled(net.rows(), ROW_ONE, 127),
            "conv": scaled(net.conv.reshape(-1, 9), 64, 127),
            "conv_bias": scaled(net.conv_bias, 4096, 6000),
            "region": scaled(net.region.weight, 1024, 4096),
            "region_bias": scaled(net.region.bias, 2**18, 2**30),
            "hidden": scaled(net.hidden.weight, 1024, 4096),
            "hidden_bias": scaled(net.hidden.bias, 2**18, 2**28),
            "second": scaled(net.second.weight, 1024, 4096),
            "second_bias": scaled(net.second.bias, 2**18, 2**28),
            "out": scaled(net.out.weight[0] * scale, 1024, 16384),
            "out_bias": scaled(net.out.bias * scale, 2**18, 2**28),
            "even": scaled(net.even.weight[0], 1024, 16384),
            "even_bias": scaled(net.even.bias, 2**18, 2**28),
            "policy": scaled(net.policy.weight, 1024, 4096),
            "policy_bias": scaled(net.policy.bias, 2**18, 2**28),
            "draw": scaled(net.draw - net.draw[:, -1:], 32, 32000),
        }


def rounded_forward(net, numbers, codes, empty):
    """The engine's own arithmetic, in doubles that hold whole numbers."""
    n = {name: tensor.double() for name, tensor in numbers.items()}
    count, conv = len(codes), net.seen
    both = torch.cat([n["rows"], n["rows"][net.swap]], 1)
    mask = empty.double()[:, :, None, None]
    sums = both[codes].sum(2).reshape(count, 225, 2, VIEW).clamp(0, 127) * mask
    seen = sums[..., :conv].reshape(count, 15, 15, 2 * conv).permute(0, 3, 1, 2)
    kernel = n["conv"].reshape(conv, 1, 3, 3)
    seen = F.conv2d(seen, torch.cat([kernel, kernel]), torch.cat([n["conv_bias"]] * 2), padding=1, groups=2 * conv)
    seen = (seen / 64).floor().clamp(0, 127).permute(0, 2, 3, 1).reshape(count, 225, 2, conv) * mask
    squares = torch.cat([seen, sums[..., conv:]], 3).reshape(count, 225, 2 * VIEW)
    regions = squares.reshape(count, 3, 5, 3, 5, 2 * VIEW).sum((2, 4)).reshape(count, 9, 2 * VIEW)
    board = (regions.sum(1) / 16).floor()
    parts = ((regions / 4).floor() @ n["region"].T + n["region_bias"]) / 1024
    x = torch.cat([board, parts.floor().clamp(0, 2047).reshape(count, -1)], 1)
    x = ((x @ n["hidden"].T + n["hidden_bias"]) / 1024).floor().clamp(0, 2047)
    x = ((x @ n["second"].T + n["second_bias"]) / 1024).floor().clamp(0, 2047)
    value = ((x * n["out"]).sum(1) + n["out_bias"]) / 2**18
    even = ((x * n["even"]).sum(1) + n["even_bias"]) / 2**18
    weights = ((board @ n["policy"].T + n["policy_bias"]) / 1024).floor()
    policy = ((squares * weights[:, None]).sum(2) / 512).floor() / 32
    return value, even, policy


def number_text(number):
    """A number in digits of which each counts four times the one before; from 60 on a digit is not the last."""
    rest = -2 * number - 1 if number < 0 else 2 * number
    text = ""
    while rest >= 60:
        text += DIGITS[60 + rest % 4]
        rest = rest // 4 - 15
    return text + DIGITS[rest]


def read_network(path):
    """The numbers of a network that was written before."""
    numbers, low = [], []
    with open(path) as f:
        lines = f.readlines()
    told = re.search(r"^ \* Sizes ([\d,]+) scale ([\d.]+) ", "".join(lines), re.M)
    sizes, scale = told.groups() if told else ("32,16,8,32,32", "1")
    for digit in "".join(line.strip()[1:-1] for line in lines if line.startswith('    "')):
        value = DIGITS.index(digit)
        if value >= 60:
            low.append(value - 60)
            continue
        for part in reversed(low):
            value = 4 * (value + 15) + part
        low = []
        numbers.append(-(value + 1) // 2 if value % 2 else value // 2)
    once = CODES * (CODES + 1) // 2
    view, conv, region, hidden, second = (int(part) for part in sizes.split(","))
    shapes = {"rows": (view, once), "conv": (conv, 9), "conv_bias": (conv,), "region": (region, 2 * view),
              "region_bias": (region,), "hidden": (hidden, 2 * view + 9 * region), "hidden_bias": (hidden,),
              "second": (second, hidden), "second_bias": (second,), "out": (second,), "out_bias": (1,),
              "even": (second,), "even_bias": (1,), "policy": (2 * view, 2 * view), "policy_bias": (2 * view,),
              "draw": (2, (FAR + 1) * (FAR + 1))}
    flat, at, network = torch.tensor(numbers, dtype=torch.float32), 0, {}
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        network[name], at = flat[at : at + size].reshape(shape), at + size
    if at != len(flat):
        raise SystemExit(f"train.py: {path}: expected {at} numbers, found {len(flat)}")
    rows = torch.zeros(CODES, CODES, view)
    at = 0
    for i in range(CODES):
        part = network["rows"][:, at : at + CODES - i].T
        rows[i, i:], rows[i:, i] = part, part
        at += CODES - i
    network["rows"] = rows.reshape(LINES, view)
    for name in ("out", "out_bias"):
        network[name] = network[name] / float(scale)
    return network


def network_text(numbers):
    """All numbers one behind the other; the rows number by number, a line's and its mirror image's only once."""
    rows = numbers["rows"].reshape(CODES, CODES, VIEW)
    once = torch.cat([rows[i, i:] for i in range(CODES)]).T
    parts = [once.reshape(-1)] + [tensor.reshape(-1) for name, tensor in numbers.items() if name != "rows"]
    return "".join(number_text(number) for part in parts for number in part.tolist())


def write_network(path, numbers, note, scale):
    kinds = {"rows": "b", "conv": "b", "conv_bias": "h", "region": "h", "hidden": "h", "second": "h", "out": "h",
             "even": "h", "policy": "h", "draw": "h"}
    payload = b"".join(np.ascontiguousarray(t.cpu().numpy()).astype({"b": "<i1", "h": "<i2"}.get(kinds.get(name), "<i4"))
                       .tobytes() for name, t in numbers.items())
    digest = 0xCBF29CE484222325
    for byte in payload:
        digest = (digest ^ byte) * 0x100000001B3 & (1 << 64) - 1
    text = network_text(numbers)
    with open(path, "w") as f:
        conv, regions = len(numbers["conv"]), len(numbers["region"])
        f.write(f"/* Generated by tools/gomoku/train.py; docs/gomoku-network.md says from which games.\n * {note}\n")
        f.write(f" * Sizes {VIEW},{conv},{regions},{HIDDEN},{SECOND} scale {scale:g} (network.h: view, conv, region, hidden, "
                "second). */\n")
        f.write('#include "games/gomoku/eval/network.h"\n\n/* clang-format off */\n')
        f.write(f"const uint64_t gomoku_network_digest = 0x{digest:016x}ULL;\n\nconst char gomoku_network_text[] =\n")
        for at in range(0, len(text), 1000):
            f.write(f'    "{text[at:at + 1000]}"\n')
        f.write("    ;\n/* clang-format on */\n")
    print(f"{path}: {len(payload)} bytes in {len(text)} characters, digest {digest:016x}", flush=True)


def rate_at(part):
    """Of the largest rate, after such a part of a cycle: up to it in a tenth of the cycle, and down to nothing."""
    if part < 0.1:
        return 0.04 + 0.96 * (1 - math.cos(math.pi * part / 0.1)) / 2
    return (1 + math.cos(math.pi * min(1, (part - 0.1) / 0.9))) / 2


def fit(model, data, train, size, epochs, seconds, rate, decay, loss_of, measure, path):
    """One cycle of AdamW over so many epochs, or seconds. How far it has come is kept beside the path, if there is
    one."""
    size = min(size, len(train))
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=decay)
    steps = max(1, int(epochs * (len(train) // size)))
    start, step, spent = time.time(), 0, 0.0
    part = path + ".part" if path else None
    kept = torch.load(part, map_location=train.device) if part and os.path.exists(part) else {}
    if kept.get("steps") == steps and kept.get("seconds") == seconds:
        for name, whole in (("model", model), ("optimiser", optimiser)):
            whole.load_state_dict(kept[name])
        step, spent = kept["step"], kept["spent"]
        print(f"  goes on from step {step}", flush=True)
    kept_at = told_at = time.time()

    def done():
        return (spent + time.time() - start) / seconds if seconds else step / steps

    while done() < 1:
        order = train[torch.randperm(len(train), device=train.device)]
        for at in range(0, len(order) - size + 1, size):
            model.train()
            loss = loss_of(data.batch(order[at : at + size], torch.randint(8, (size,), device=train.device)))
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for group in optimiser.param_groups:
                group["lr"] = rate * rate_at(done())
            optimiser.step()
            if isinstance(model, Net):
                model.project()
            step += 1
            if part and time.time() - kept_at > KEPT_EVERY:
                save({"steps": steps, "seconds": seconds, "step": step, "spent": spent + time.time() - start,
                      "model": model.state_dict(), "optimiser": optimiser.state_dict()}, part)
                kept_at = time.time()
            if done() >= 1 or (time.time() - told_at > seconds / 6 if seconds else step % max(1, steps // 6) == 0):
                told_at = time.time()
                model.eval()
                print(f"  {time.time() - start:.0f} s, epoch {step * size / len(train):.1f}: {measure()}", flush=True)
            if done() >= 1:
                break
    model.eval()


def save(what, path):
    """Writes beside the file and renames it."""
    torch.save(what, path + ".new")
    os.replace(path + ".new", path)


def keep(model, path):
    """Keeps a network that has learnt all."""
    if path:
        save(model.state_dict(), path)
        if os.path.exists(path + ".part"):
            os.remove(path + ".part")


def main():
    global VIEW, REGION, HIDDEN, SECOND
    options = {"--teacher": None, "--student": None, "--size": "192x10", "--from": None, "--taught": None,
               "--shape": f"{VIEW},{REGION},{HIDDEN},{SECOND}", "--rate": "0.004", "--seconds": "0",
               "--teacher-seconds": "0", "--scale": "0.8"}
    arguments = sys.argv[1:]
    while arguments and arguments[0] in options:
        options[arguments[0]], arguments = arguments[1], arguments[2:]
    if len(arguments) < 6:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    teacher_path, student_path = options["--teacher"], options["--student"]
    taught_path = options["--taught"]
    width, blocks = (int(part) for part in options["--size"].split("x"))
    VIEW, REGION, HIDDEN, SECOND = (int(part) for part in options["--shape"].split(","))
    seconds, teacher_seconds = float(options["--seconds"]), float(options["--teacher-seconds"])
    out_path, conv = arguments[0], int(arguments[1])
    epochs, teacher_epochs, made_up = (float(argument) for argument in arguments[2:5])
    start = time.time()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    data = Data(arguments[5:], device)
    records = data.count
    if records < 40:
        print("train.py: expected 40 positions or more to learn from", file=sys.stderr)
        return 1
    aside = (torch.arange(records, device=device) // min(2048, records // 40)) % 20 == 0
    train = torch.nonzero(~aside)[:, 0]
    test = torch.nonzero(aside & data.known)[:, 0][:100000]
    beside = torch.nonzero(aside & data.labelled & ~data.known)[:, 0][:100000]
    test = test if len(test) > 0 else torch.nonzero(aside)[:, 0]
    size = 4096 if len(train) > 100000 else 256
    print(f"records {records}, of games {int(data.known.sum())}, without a label {int((~data.labelled).sum())}, "
          f"kept aside {len(test)} and {len(beside)} of branches, {time.time() - start:.0f} s", flush=True)
    plain = torch.zeros(size, dtype=torch.int64, device=device)

    def measure_on(test, forward):
        with torch.no_grad():
            sums = torch.zeros(4, dtype=torch.float64)
            for at in range(0, len(test), size):
                index = test[at : at + size]
                batch = data.batch(index, plain[: len(index)])
                sums += torch.tensor([part.item() for part in forward(batch)], dtype=torch.float64) * len(index)
            return sums / max(1, len(test))

    def measure(forward):
        v, e, p, hit = measure_on(test, forward)
        text = f"value {v:.5f}, even {e:.4f}, policy {p:.4f}, first move right {hit:.4f}"
        if len(beside) > 0:
            v, e, p, hit = measure_on(beside, forward)
            text += f"; of branches value {v:.5f}, policy {p:.4f}, right {hit:.4f}"
        return text

    goes_on = bool(teacher_path) and os.path.exists(teacher_path)
    if taught_path and os.path.exists(taught_path):
        data.take_taught(taught_path, records)
        train = torch.cat([train, torch.arange(records, data.count, device=device)])
        print(f"taught {len(train)} records, {time.time() - start:.0f} s", flush=True)
    elif teacher_epochs > 0 or goes_on:
        print("teacher", flush=True)
        no_draw = torch.zeros(2, (FAR + 1) * (FAR + 1), device=device)
        teacher = Teacher(width, blocks).to(device).to(memory_format=torch.channels_last)
        if goes_on:
            teacher.load_state_dict(torch.load(teacher_path, map_location=device))

        def teacher_parts(batch):
            value, policy = teacher(batch.board, batch.last)
            return data.losses(value, torch.zeros_like(value), policy, no_draw, batch)

        def teacher_loss(batch):
            value_loss, _, policy_loss, _ = teacher_parts(batch)
            return value_loss + 0.15 * policy_loss

        rate = 0.0012 if goes_on else 0.002
        if teacher_epochs > 0:
            fit(teacher, data, train[data.labelled[train]], size // 2, teacher_epochs, teacher_seconds, rate, 0.02,
                teacher_loss, lambda: measure(teacher_parts), teacher_path)
            keep(teacher, teacher_path)
        if epochs == 0 and not taught_path:
            return 0
        teacher.eval()
        if made_up > 0:
            several = train.repeat(int(made_up) + 1)
            data.add_made_up(several[torch.randperm(len(several), device=device)[: int(len(train) * made_up)]])
            train = torch.cat([train, torch.arange(records, data.count, device=device)])
        data.be_taught(teacher, train, TAUGHT, size)
        print(f"taught {len(train)} records, {time.time() - start:.0f} s", flush=True)
        if taught_path:
            data.keep_taught(taught_path, records)
        if epochs == 0:
            return 0

    else:
        train = train[data.labelled[train]]

    print("network", flush=True)
    data.prepare_lines()
    net = Net(conv)
    if options["--from"]:
        net.start_from(options["--from"])
    net = net.to(device)
    if student_path and os.path.exists(student_path):
        net.load_state_dict(torch.load(student_path, map_location=device))

    forward = torch.compile(net) if COMPILED else net

    def net_parts(batch):
        value, even, policy = (forward if len(batch.board) == 2 * size else net)(net.rows(), batch.codes,
                                                                                 batch.empty.float())
        return data.losses(value, even, policy, net.draw, batch)

    def net_loss(batch):
        value_loss, even_loss, policy_loss, _ = net_parts(batch)
        return value_loss + EVEN * even_loss + 0.15 * policy_loss

    print(f"  at first: {measure(net_parts)}", flush=True)
    rate = float(options["--rate"])
    fit(net, data, train, 2 * size, epochs, seconds, rate, 0.003, net_loss, lambda: measure(net_parts), student_path)
    keep(net, student_path)
    numbers = integers(net)
    draw = numbers["draw"].float() / 32

    def in_integers(batch):
        value, even, policy = rounded_forward(net, numbers, batch.codes, batch.empty)
        return data.losses(value.float(), even.float(), policy.float(), draw, batch)

    measured = measure(in_integers)
    print(f"rounded: {measured}, {time.time() - start:.0f} s", flush=True)
    scale = float(options["--scale"])
    note = f"{records} positions; on those kept aside: {measured.replace('; ', chr(10) + ' * ')}."
    write_network(out_path, integers(net, scale), note, scale)
    return 0


if __name__ == "__main__":
    sys.exit(main())
