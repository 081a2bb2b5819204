// Every game played to its end, by clicks and by keyboard; engines against each other; stop; take back; the dialogs.
'use strict';
const test = require('node:test');
const { assert, closeBrowser, withPage, square, pieces, text, until, begin, think, more } = require('./support.js');

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
      assert.match(await text(page, '#end h2'), /^(A draw|.* wins)$/);
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
      await begin(page, index, size, ['casual', 'strong']);
      await until(page, () => shownView().over);
      assert.match(await text(page, '#status'), /^Game over/);
    });
  });
}

test('the engine answers, the move is taken back and redone as it was played', async () => {
  await withPage(async (page) => {
    await begin(page, 0, 5, ['human', 'strong']);
    for (const at of [12, 0]) {
      const index = (await page.evaluate((wanted) => ['.'].includes(shownView().cells[wanted][0]), at)) ? at : 24;
      const ply = await page.evaluate(() => game.ply);
      await square(page, index).click();
      if (await page.locator('#choice').evaluate((dialog) => dialog.open)) await page.keyboard.press('Enter');
      await until(page, (before) => game.ply === before + 2 && !play.thinking, ply);
    }
    const shown = () => page.evaluate(() => game.ply);
    await page.click('#undo');
    assert.strictEqual(await shown(), 2);
    await page.click('#undo');
    assert.strictEqual(await shown(), 0);
    assert.strictEqual(await pieces(page), 0);
    assert.ok(await page.locator('#undo').isDisabled());
    await page.click('#redo');
    assert.strictEqual(await shown(), 2);
    await page.click('#redo');
    assert.strictEqual(await shown(), 4);
    assert.ok(await page.locator('#redo').isDisabled());
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
    await think(page, 'time', 60);
    await page.evaluate(() => { game.players = ['full', 'human']; continueGame(); });
    const times = []; // other work on the machine can only make it slower
    for (let round = 0; round < 3; round++) {
      if (round) await page.evaluate(() => { goTo(4); play.paused = false; continueGame(true); });
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
    await think(page, 'time', 0.1);
    await page.evaluate(() => { goTo(4); play.paused = true; refresh(); });
    await page.click('#go');
    await until(page, () => game.ply === 5 && !play.thinking);
    assert.match(await text(page, '#report'), /^The engine plays .*: /);
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
    assert.strictEqual(await text(page, '#board .gain'), '+7'); // 2 for the square, 5 for the flipped one
    assert.strictEqual(await page.locator('#board .turned').count(), 1);
    assert.strictEqual(await text(page, '#player-below .points'), '8');
  });
});

test('a position is edited by hand', async () => {
  await withPage(async (page) => {
    await begin(page, 0, 3);
    await more(page, 'edit-open');
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
    await more(page, 'edit-open');
    await page.check('#brushes input[value=b]');
    await square(page, 0).click();
    await square(page, 1).click();
    await page.click('#edit-done');
    assert.match(await text(page, '#edit-fault'), /expected as many X as O/);
    await page.click('#edit-cancel');
    assert.ok(await page.locator('#edit').isHidden());
  });
});

test('a new game is chosen in its dialog, and remembered', async () => {
  await withPage(async (page) => {
    await page.click('#new');
    await page.selectOption('#game', '3');
    assert.strictEqual(await page.inputValue('#size'), '15');
    await page.selectOption('#opponent', 'casual');
    await page.selectOption('#side', '1');
    await page.selectOption('#opening', 'swap');
    await page.locator('#new-form summary').click();
    await page.fill('#minutes', '5');
    await page.click('#begin');
    await until(page, () => game.ply === 1 && !play.thinking);
    assert.deepStrictEqual(await page.evaluate(() => [game.players, game.opening, game.minutes]), [['casual', 'human'], 'swap', 5]);
    assert.strictEqual(await text(page, '#player-above b'), 'Engine');
    assert.match(await text(page, '#player-above .who .soft'), /casual player$/);
    assert.strictEqual(await text(page, '#player-below b'), 'You');
    await page.click('#new');
    assert.strictEqual(await page.inputValue('#opponent'), 'casual');
    assert.strictEqual(await page.inputValue('#side'), '1');
  });
});

test('the opponent grows with the player: a win leads to the next one', async () => {
  await withPage(async (page) => {
    await page.evaluate(() => { setGame('gomoku freestyle 15\nA1 H8 A2 H9 A3 H10 A4 H11\n'); game.players = ['human', 'first']; play.paused = false; refresh(); });
    await square(page, 60).click();
    await until(page, () => document.querySelector('#end-graph polyline'));
    assert.strictEqual(await text(page, '#end h2'), 'You win!');
    assert.match(await text(page, '#end-moves'), /^Best moveA5/);
    assert.strictEqual(await page.locator('#board .strike').count(), 1);
    await page.click('#end .strong');
    assert.deepStrictEqual(await page.evaluate(() => [game.players, game.moves]), [['human', 'beginner'], []]);
    await page.click('#new');
    await page.selectOption('#game', '0');
    await page.selectOption('#game', '3');
    assert.ok((await page.locator('#opponent option').allTextContents()).includes('Engine, beginner'));
  });
});
