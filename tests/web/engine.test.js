// The engine inside the page, without a browser: the levels ranked by matches, the same searches as the program.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { execFileSync } = require('node:child_process');
const assert = require('node:assert');

const root = path.join(__dirname, '..', '..');
let startEngine, LEVELS, levelLimits, levelMove;
test.before(async () => {
  ({ startEngine } = await import('../../web/js/core/module.js'));
  ({ LEVELS, levelLimits, levelMove } = await import('../../web/js/core/levels.js'));
});

// A plain generator with a seed, so that a match is the same every time.
function seeded(state) {
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function newEngine() {
  const lines = [];
  const module = await WebAssembly.compile(fs.readFileSync(path.join(root, 'build', 'web', 'sortie.wasm')));
  const engine = await startEngine(module, (line) => { lines[line.info.line] = line.info; });
  engine.call('web_hash', null, 16);
  return { ...engine, lines };
}

const askText = (start, moves, limits) => [...Object.entries(limits).filter(([, value]) => value).map((each) => each.join(' ')), ...moves.map((move) => 'move ' + move), 'position', start].join('\n');

// One game; the result from the view of the side that moved first at the start.
function playGame(engine, start, levels, chance) {
  const moves = [];
  for (;;) {
    const view = JSON.parse(engine.call('web_view', askText(start, moves, {})));
    if (view.over) return view.score;
    const level = levels[view.toMove];
    engine.lines.length = 0;
    const { best } = JSON.parse(engine.call('web_think', askText(start, moves, levelLimits(level))));
    moves.push(levelMove(level, engine.lines.length > 1 ? engine.lines : [best], chance()));
  }
}

// Starts of all games; those for strong players leave room to differ.
const drawn = (engine, game, size, seeds) => seeds.map((seed) => engine.call('web_start', null, game, 0, size, seed));
const opened = (size, list) => list.map((moves) => `gomoku freestyle ${size}\n${moves}\n`);
const easy = (engine) => [...drawn(engine, 0, 5, [1, 2, 3, 4, 5]), ...drawn(engine, 1, 6, [1, 2, 3, 4, 5]), ...opened(9, ['', 'E5', 'E5 F6', 'D4', 'E5 E6'])];
const hard = (engine) => [...drawn(engine, 0, 6, [1, 2, 3, 4, 5, 6, 7, 8]), ...drawn(engine, 1, 8, [1, 2, 3, 4]), ...opened(15, ['H8 I9 J7', 'H8 H9 J10', 'G7 I9 I8'])];
const PAIRS = [['beginner', 'casual', easy], ['casual', 'club', easy], ['club', 'strong', easy], ['strong', 'expert', hard]];

// Each start is played once with each side; who has more of the two results together has won it.
for (const [weaker, stronger, starts] of PAIRS) {
  test(`${stronger} beats ${weaker}`, async () => {
    const engine = await newEngine();
    const chance = seeded(2026);
    const [weak, strong] = [weaker, stronger].map((name) => LEVELS.find((level) => level.name === name));
    const results = starts(engine).map((start) => Math.sign(playGame(engine, start, [strong, weak], chance) - playGame(engine, start, [weak, strong], chance)));
    const count = (sign) => results.filter((each) => each === sign).length;
    console.log(`${stronger} against ${weaker}: ${count(1)} won, ${count(0)} even, ${count(-1)} lost`);
    assert.ok(count(1) > count(-1), String(results));
  });
}

const POSITIONS = ['war stake 5 X\n20 16 1 32 30\n20 12 2 11 8\n28 48 9 1 1\n20 12 10 6 2\n25 30 23 21 10\n..X..\n.....\n.O...\n.....\n.....\n',
  'laser 8 1\n00030000\n00000000\n00000000\n00000300\n00000000\n00000000\n00300000\n00000000\n', 'gomoku freestyle 15\nH8 H9 I8 G8 I10\n'];

test('the same nodes, values and moves as the program', async () => {
  for (const position of POSITIONS) {
    const engine = await newEngine();
    const { best } = JSON.parse(engine.call('web_think', 'nodes 50000\nposition\n' + position));
    const said = JSON.parse(execFileSync(path.join(root, 'build', 'sortie'), ['move', '-', '--nodes', '50000', '--hash', '16M', '--threads', '1', '--stdout', '--json'], { input: position }).toString());
    assert.deepStrictEqual([best.move, best.value, best.nodes, best.depth], [said.move, said.value, said.nodes, said.depth]);
  }
});

test('the bench signature of the page is that of the program', async () => {
  const engine = await newEngine();
  assert.strictEqual(engine.call('web_bench', null, 50000), fs.readFileSync(path.join(root, 'bench', 'signature'), 'utf8'));
});
