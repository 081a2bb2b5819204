// Every game played to its end, by clicks and by keyboard; engines against each other; the swap; stop; take back.
'use strict';
const test = require('node:test');
const { assert, closeBrowser, withPage, square, pieces, text, until, begin } = require('./support.js');

test.after(closeBrowser);

const GAMES = [[0, 3, 'Stake-Raid'], [1, 3, 'Sneak-Raid'], [2, 5, 'Laser Checkmate'], [3, 5, 'Gomoku, five or more'], [4, 5, 'Gomoku, exactly five']];

// The first square that can be played, and plays it; with two kinds of move the last of them is chosen.
async function playFirst(page, choose) {
  const index = await page.evaluate(() => {
    const view = shownView();
    return view.over ? -1 : squareOf(view, view.moves[0]);
  });
  if (index < 0) return false;
  const before = await page.evaluate(() => game.ply);
  await choose(index);
  await until(page, () => document.getElementById('choice').open || shownView().over || true);
  if (await page.locator('#choice').evaluate((dialog) => dialog.open)) await page.keyboard.press('Enter');
  await until(page, (ply) => game.ply > ply, before);
  return true;
}

for (const [index, size, name] of GAMES) {
  test(`${name} is played to the end by clicks`, async () => {
    await withPage(async (page) => {
      await begin(page, index, size);
      let moves = 0;
      while (await playFirst(page, (at) => square(page, at).click())) moves++;
      assert.ok(moves > 1);
      assert.match(await text(page, '#status'), /^Game over: (a draw|.* wins)/);
      assert.doesNotMatch(await text(page, '#status'), /leads/);
    });
  });

  test(`${name} is played to the end by keyboard alone`, async () => {
    await withPage(async (page) => {
      await begin(page, index, size);
      await page.locator('#board [tabindex="0"]').focus();
      const walkTo = async (at) => {
        const from = await page.evaluate(() => play.board.at);
        const [down, right] = [Math.floor(at / size) - Math.floor(from / size), (at % size) - (from % size)];
        for (let i = 0; i < Math.abs(down); i++) await page.keyboard.press(down > 0 ? 'ArrowDown' : 'ArrowUp');
        for (let i = 0; i < Math.abs(right); i++) await page.keyboard.press(right > 0 ? 'ArrowRight' : 'ArrowLeft');
        await page.keyboard.press('Enter');
      };
      while (await playFirst(page, walkTo)) {
        assert.strictEqual(await page.evaluate(() => document.activeElement.getAttribute('role')), 'gridcell', 'the focus stays on the board');
      }
      assert.match(await text(page, '#status'), /^Game over/);
    });
  });

  test(`${name} is played by two engines`, async () => {
    await withPage(async (page) => {
      await begin(page, index, size);
      await page.selectOption('#player-0', 'casual');
      await page.selectOption('#player-1', 'strong');
      await until(page, () => shownView().over);
      assert.match(await text(page, '#status'), /^Game over/);
    });
  });
}

test('the engine answers, the move is taken back and redone', async () => {
  await withPage(async (page) => {
    await begin(page, 0, 5, ['human', 'strong']);
    await square(page, 12).click();
    await until(page, () => game.ply === 2 && !play.thinking);
    assert.match(await text(page, '#report'), /^The engine plays .*: /);
    await page.click('#undo');
    assert.strictEqual(await pieces(page), 0);
    assert.strictEqual(await text(page, '#report'), '', 'the old message is gone');
    await page.click('#redo');
    await page.click('#redo');
    assert.strictEqual(await page.evaluate(() => game.ply), 2);
    await page.locator('#slider').fill('1');
    assert.strictEqual(await pieces(page), 1);
  });
});

test('a continuation that is replaced can be had back', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 9);
    for (const at of [0, 1, 2]) await square(page, at).click();
    await page.click('#undo');
    await square(page, 40).click();
    assert.deepStrictEqual(await page.evaluate(() => game.moves), ['A1', 'B1', 'E5']);
    await page.click('#toast button');
    assert.deepStrictEqual(await page.evaluate(() => game.moves), ['A1', 'B1', 'C1']);
  });
});

test('stop ends a long search within 100 ms and leaves the page working', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 15);
    for (const at of [112, 113, 97, 127]) await square(page, at).click();
    await page.fill('#limit', '60');
    const times = []; // other work on the machine can only make it slower
    for (let round = 0; round < 3; round++) {
      await page.evaluate(() => { play.paused = false; });
      await page.click('#go');
      await until(page, () => play.thinking);
      await page.waitForTimeout(400 * (round + 1));
      times.push(await page.evaluate(async () => {
        const from = performance.now();
        document.getElementById('stop').click();
        for (let i = 0; i < 50 && play.thinking; i++) await null;
        while (play.thinking) await new Promise((resolve) => setTimeout(resolve, 1));
        return performance.now() - from;
      }));
    }
    assert.ok(Math.min(...times) < 100, `stopped after ${times} ms`);
    await page.fill('#limit', '0.1');
    const before = await page.evaluate(() => game.ply);
    await page.click('#go');
    await until(page, (ply) => game.ply === ply + 1 && !play.thinking, before);
  });
});

test('the swap, both ways', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 15);
    await page.check('#swap-rule');
    // You begin in the middle: the engine takes the stone, and you move again with the other colour.
    await page.selectOption('#player-1', 'beginner');
    await square(page, 112).click();
    await until(page, () => game.swapped);
    assert.deepStrictEqual(await page.evaluate(() => game.players), ['beginner', 'human']);
    assert.strictEqual(await page.evaluate(() => shownView().toMove), 1);
    await square(page, 113).click();
    await until(page, () => game.ply === 3);
    // The engine begins: you may take its stone.
    await page.click('#new');
    await page.click('#choice .strong');
    await until(page, () => game.ply === 1 && !play.thinking);
    await page.click('#swap');
    await until(page, () => game.ply === 2 && !play.thinking);
    assert.deepStrictEqual(await page.evaluate(() => game.players), ['human', 'beginner']);
  });
});

test('a move shows what it would flip, and flips are marked when it is played', async () => {
  await withPage(async (page) => {
    await page.evaluate(() => { setGame('war sneak 3 X\n1 2 3\n4 5 6\n7 8 9\nX..\n.O.\n...\n'); game.players = ['human', 'human']; refresh(); });
    await square(page, 1).hover();
    await until(page, () => document.querySelectorAll('#board .mark.preview').length === 2);
    await square(page, 1).click();
    await page.mouse.move(0, 0);
    await until(page, () => document.querySelectorAll('#board .changed').length === 1 && document.querySelectorAll('#board .last').length === 1);
    assert.strictEqual(await page.locator('#board .piece.first').count(), 3);
  });
});

test('a position is edited by hand', async () => {
  await withPage(async (page) => {
    await begin(page, 0, 3);
    await page.locator('#edit summary').click();
    await page.check('#brushes input[value=b]');
    await square(page, 4).click();
    await page.check('#brushes input[value=value]');
    await page.fill('#edit-value', '77');
    await square(page, 0).click();
    await page.selectOption('#edit-turn', '1');
    await page.click('#edit-done');
    const lines = (await page.evaluate(() => game.start)).split('\n');
    assert.strictEqual(lines[0], 'war stake 3 O');
    assert.match(lines[1], /^77 /);
    assert.deepStrictEqual(lines.slice(4, 7), ['...', '.O.', '...']);
    // What is no position is refused with a reason, and nothing is lost.
    await begin(page, 3, 5);
    await page.locator('#edit summary').click();
    await page.check('#brushes input[value=b]');
    await square(page, 0).click();
    await square(page, 1).click();
    await page.click('#edit-done');
    assert.match(await text(page, '#report'), /expected as many X as O/);
  });
});
