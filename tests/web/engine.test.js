// The engine inside the page, without a browser: the levels ranked by matches, the same searches as the program.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { execFileSync } = require('node:child_process');
const assert = require('node:assert');

const { newEngine, match, onePly, words } = require('./levels.js');

const root = path.join(__dirname, '..', '..');
// A sample of the matches that tests/web/levels.js plays in full; the same games every time.
for (const game of ['war', 'laser', 'gomoku']) {
  test(`the levels of ${game} are in order, and the lowest loses to a bot that looks one move ahead`, async () => {
    const engine = await newEngine();
    const names = engine.levels.levelsOf({ game });
    assert.strictEqual(names.at(-1), 'full');
    const bot = match(engine, game, names[0], onePly, 8);
    console.log(`${game}: one ply against ${names[0]}: ${words(bot)}`);
    assert.ok(bot.share > 0.5);
    for (const [i, weak] of names.slice(0, -1).entries()) {
      const result = match(engine, game, weak, names[i + 1], game === 'laser' ? 24 : 10);
      console.log(`${game}: ${names[i + 1]} against ${weak}: ${words(result)}`);
      assert.ok(result.share > 0.5, `${names[i + 1]} against ${weak}`);
    }
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
