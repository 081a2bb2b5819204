// Puzzles: solved, failed, hinted at, the daily one, the line to share.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { test, after } = require('node:test');
const { assert, root, pictures, folderOf, closeBrowser, withPage, until, text } = require('./support.js');

after(closeBrowser);

const lines = fs.readFileSync(path.join(root, 'web', 'puzzles.txt'), 'utf8').split('\n').filter((line) => line && line[0] !== '#');
const at = (page, index) => page.locator(`.puzzle-board [data-index="${index}"]`);
const open = (test) => lines.findIndex(test);

// Shows puzzle number `index` of the file.
async function choose(page, index) {
  const id = await page.evaluate((number) => puzzle.all[number].id, index);
  await page.evaluate((each) => { location.hash = '#puzzles/' + each; }, id);
  await until(page, (each) => puzzle.puzzle.id === each, id);
}

// Plays a move on the puzzle's board.
async function move(page, name) {
  const [index, several] = await page.evaluate((each) => {
    const view = viewOf(puzzle.puzzle.start, puzzle.moves);
    const index = squareOf(view, each);
    return [index, view.moves.filter((other) => squareOf(view, other) === index).length > 1];
  }, name);
  await at(page, index).click();
  if (several) await page.locator('#choice').getByText(name, { exact: true }).click();
}

const state = (page, wanted) => until(page, (each) => puzzle.state === each, wanted);
const solution = (line) => line.split(';')[3];

test('a win is played out against the best defence, and counted', async () => {
  await withPage(async (page) => {
    await choose(page, open((line) => line.startsWith('win;3;')));
    assert.match(await text(page, '.puzzle-task'), /to move and win in 3 moves\./);
    await move(page, solution(lines[open((line) => line.startsWith('win;3;'))]));
    for (let i = 0; i < 3; i++) {
      await until(page, () => puzzle.state === 'ask' || puzzle.state === 'done');
      if (await page.evaluate(() => puzzle.state === 'done')) break;
      const next = await page.evaluate(() => JSON.parse(rules.engine.call('web_within', ['', ...puzzle.moves.map((each) => 'move ' + each), 'position', puzzle.puzzle.start].join('\n').trimStart(), puzzle.left, 0)).move);
      await move(page, next);
    }
    await state(page, 'done');
    assert.strictEqual(await text(page, '.puzzle-said'), 'Solved.');
    assert.match(await text(page, '.puzzle-tally'), /In a row: 1/);
    assert.strictEqual(await page.evaluate(() => document.activeElement.className.includes('puzzle-next')), true);
    const before = await page.evaluate(() => puzzle.puzzle.id);
    await page.click('.puzzle-next');
    await until(page, (id) => puzzle.puzzle.id !== id, before);
    await page.reload();
    await until(page, () => document.body.dataset.ready);
    assert.match(await text(page, '.puzzle-tally'), /In a row: 1/, 'the record is kept');
  }, { hash: '#puzzles' });
});

test('a wrong move is refuted and can be taken back; a hint shows the way', async () => {
  await withPage(async (page) => {
    const index = open((line) => line.startsWith('win;4;'));
    await choose(page, index);
    const far = await page.evaluate((right) => {
      const view = viewOf(puzzle.puzzle.start, []);
      return view.moves.find((each) => each !== right && ['A1', 'O15', 'A15', 'O1'].includes(each));
    }, solution(lines[index]));
    await move(page, far);
    await state(page, 'wrong');
    assert.match(await text(page, '.puzzle-said'), new RegExp(`^${far} does not win in 4: [A-O]\\d+ holds\\.$`));
    assert.strictEqual(await text(page, '.puzzle-tally'), '', 'nothing was solved yet');
    await page.click('.puzzle-again');
    await state(page, 'ask');
    await page.click('.puzzle-hint');
    assert.strictEqual(await text(page, '.puzzle-said'), `Look at ${solution(lines[index])}.`);
    assert.strictEqual(await page.locator('.puzzle-board .mark.hint').count(), 1);
    await page.click('.puzzle-solution');
    await state(page, 'done');
    assert.strictEqual(await text(page, '.puzzle-said'), 'That was the solution.');
  }, { hash: '#puzzles' });
});

for (const [kind, words] of [['war stake', 'Stake-Raid'], ['war sneak', 'Sneak-Raid'], ['laser', 'Laser Checkmate']]) {
  test(`a best move of ${words}: the right one, and what another costs`, async () => {
    await withPage(async (page) => {
      const index = open((line) => line.startsWith('best;') && line.includes(`;${kind}`));
      const [, worth, , right] = lines[index].split(';');
      const [value, second] = worth.split(':').map(Number);
      await choose(page, index);
      // Every other move is worth less by at least the margin the file promises.
      const other = await page.evaluate((best) => {
        const view = viewOf(puzzle.puzzle.start, []);
        const board = (each) => viewOf(puzzle.puzzle.start, [each]).cells.map(([ink]) => ink).join('');
        return view.moves.find((each) => board(each) !== board(best));
      }, right);
      await move(page, other);
      await state(page, 'wrong');
      const [, lost] = /leads to [+−]?\d+: (\d+) less than the best/.exec(await text(page, '.puzzle-said'));
      assert.ok(Number(lost) >= value - second);
      await page.click('.puzzle-again');
      await move(page, right);
      await state(page, 'done');
      const sign = (number) => (number > 0 ? '+' : number < 0 ? '−' : '') + Math.abs(number);
      assert.strictEqual(await text(page, '.puzzle-said'), `${await page.evaluate((each) => puzzle.said(each), right)} leads to ${sign(value)}, the next best move to ${sign(second)}.`);
    }, { hash: '#puzzles' });
  });
}

test('the daily one is the same for everybody, another each day, and shared without its solution', async () => {
  await withPage(async (page) => {
    const dayOf = (day) => page.evaluate(async (each) => {
      location.hash = '#puzzles/daily/' + each;
      while (puzzle.day !== each) await new Promise((resolve) => setTimeout(resolve, 10));
      return puzzle.puzzle.id;
    }, day);
    const ids = [];
    for (const day of ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-22']) ids.push(await dayOf(day));
    assert.strictEqual(new Set(ids).size, ids.length);
    assert.strictEqual(await page.evaluate(() => puzzle.puzzle.stars), 5, 'Sunday is hard');
    await dayOf('2026-11-16');
    assert.strictEqual(await page.evaluate(() => puzzle.puzzle.stars), 1, 'Monday is easy');
    assert.strictEqual(await dayOf('2026-11-18'), ids[2]);
    assert.match(await text(page, '.puzzle-title'), /Puzzle of 18 November 2026/);
    await page.evaluate(() => { puzzle.since = performance.now() - 72400; puzzle.left = 1; puzzle.moves = []; });
    // Solved as by a person, whatever kind it is.
    await page.click('.puzzle-hint');
    await page.evaluate(() => { puzzle.hints = 0; puzzle.left = puzzle.puzzle.moves; });
    for (let i = 0; i < 6; i++) {
      await until(page, () => puzzle.state !== 'wait');
      if (await page.evaluate(() => puzzle.state === 'done')) break;
      const next = await page.evaluate(() => (puzzle.moves.length
        ? JSON.parse(rules.engine.call('web_within', [...puzzle.moves.map((each) => 'move ' + each), 'position', puzzle.puzzle.start].join('\n'), puzzle.left, 0)).move : puzzle.puzzle.move));
      await move(page, next);
    }
    await state(page, 'done');
    await page.click('.puzzle-share');
    await until(page, () => document.getElementById('toast').textContent.includes('sortie daily'));
    const shared = (await text(page, '#toast')).replace(/^Copied: /, '');
    assert.match(shared, /^sortie daily 2026-11-18 · (Gomoku win in \d|[\w -]+ best move) · ★{3} in 1:1\d$/);
    assert.ok(!shared.includes(await page.evaluate(() => puzzle.puzzle.move)));
  }, { hash: '#puzzles/daily' });
});

// For the documents, and for people to look at.
for (const [name, hash, options] of [['page-puzzle', '#puzzles/gomoku/3', {}], ['puzzle-dark', '#puzzles/stake/2', { colorScheme: 'dark' }],
  ['puzzle-phone', '#puzzles/laser/2', { viewport: { width: 390, height: 844 } }], ['puzzle-projector', '#puzzles/sneak/4', { viewport: { width: 1920, height: 1080 } }]]) {
  test(`picture of a puzzle: ${name}`, async () => {
    await withPage(async (page) => {
      await until(page, () => document.querySelector('.puzzle-board svg'));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
      fs.mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: path.join(folderOf(name), name + '.png') });
    }, { hash, ...options });
  });
}
