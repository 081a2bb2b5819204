// Faults the page once had, each with the test that keeps it away.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { execFileSync } = require('node:child_process');
const { assert, root, closeBrowser, withPage, square, pieces, text, until, begin, think, file } = require('./support.js');

test.after(closeBrowser);

const COURSE = '2\nMINIMAX\nX\n2\n3 1\n2 5\n..\n.O\n';

test('a large file is read or refused, and the page goes on', async () => {
  await withPage(async (page) => {
    const long = `(;GM[4]SZ[15]C[${'a'.repeat(600000)}];B[hh];W[hi])`;
    await page.setInputFiles('#file', file('long.sgf', long));
    await until(page, () => document.querySelectorAll('#board .piece').length === 2);
    await page.setInputFiles('#file', file('huge.txt', 'a'.repeat(3000000)));
    await until(page, () => document.getElementById('toast').textContent.includes('larger than 1 MiB'));
    assert.strictEqual(await pieces(page), 2);
    await page.setInputFiles('#file', file('zeros.txt', '\0'.repeat(1000)));
    await until(page, () => document.getElementById('toast').textContent.includes('zeros.txt: line 1'));
    await square(page, 0).click();
    await until(page, () => game.ply === 1);
  });
});

test('a worker that dies is replaced, and the user is told', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 15);
    for (const at of [112, 113, 97, 127]) await square(page, at).click();
    await think(page, 'time', 30);
    await page.evaluate(() => { game.players = ['full', 'human']; continueGame(); });
    await until(page, () => play.engine.pending);
    await page.evaluate(() => play.engine.worker.onerror(new ErrorEvent('error', { message: 'unreachable' })));
    await until(page, () => !play.thinking);
    assert.match(await text(page, '#toast'), /did not work: unreachable/);
    await think(page, 'time', 0.1);
    await page.click('#go');
    await until(page, () => game.ply === 5 && !play.thinking);
  });
});

test('after a file is opened a new game is one of its kind', async () => {
  await withPage(async (page) => {
    await page.setInputFiles('#file', file('input.txt', '7\n0003000\n0000000\n0100000\n0000000\n0000000\n0000000\n0000000\n'));
    await until(page, () => document.querySelectorAll('#board [data-index]').length === 49);
    await page.click('#new');
    assert.strictEqual(await page.locator('#game option:checked').textContent(), 'Laser Checkmate');
    assert.strictEqual(await page.inputValue('#size'), '7');
    await page.selectOption('#opponent', 'human');
    await page.click('#begin');
    await until(page, () => document.querySelectorAll('#board .piece').length === 0);
    assert.deepStrictEqual(await page.evaluate(() => [shownView().game, shownView().rows]), ['laser', 7]);
  });
});

test('the same file can be opened twice, and a game is not given up without asking', async () => {
  await withPage(async (page) => {
    await page.setInputFiles('#file', file('input.txt', COURSE));
    await until(page, () => document.querySelectorAll('#board [data-index]').length === 4);
    await page.evaluate(() => { game.players = ['human', 'human']; });
    await square(page, 0).click();
    await until(page, () => game.ply === 1);
    await page.setInputFiles('#file', file('input.txt', COURSE));
    await page.locator('#choice').getByText('Cancel').click();
    assert.strictEqual(await page.evaluate(() => game.ply), 1);
    await page.setInputFiles('#file', file('input.txt', COURSE));
    await page.click('#choice .strong');
    await until(page, () => game.ply === 0);
    assert.strictEqual(await pieces(page), 1);
    // A faulty file says where, and changes nothing.
    await page.setInputFiles('#file', file('input.txt', COURSE.replace('\nX\n', '\nQ\n')));
    await until(page, () => document.getElementById('toast').textContent.includes('line 3, column 1'));
    assert.strictEqual(await pieces(page), 1);
  });
});

test('two quick clicks play one stone', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 15, ['human', 'strong']);
    await page.evaluate(() => {
      for (const index of [100, 101, 102]) document.querySelector(`#board [data-index="${index}"]`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
    });
    await until(page, () => game.ply === 2 && !play.thinking);
    assert.strictEqual(await page.locator('#board .piece.first').count(), 1);
  });
});

test('arrow keys in Size keep the game; a new game asks', async () => {
  await withPage(async (page) => {
    await begin(page, 0, 4);
    await square(page, 0).click();
    await until(page, () => game.ply === 1);
    await page.click('#new');
    await page.focus('#size');
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowDown', 'Tab']) await page.keyboard.press(key);
    assert.deepStrictEqual(await page.evaluate(() => [game.ply, shownView().rows]), [1, 4]);
    await page.click('#begin');
    await page.locator('#choice').getByText('Cancel').click();
    assert.deepStrictEqual(await page.evaluate(() => [game.ply, shownView().rows]), [1, 4]);
  });
});

test('numbers out of range are brought into it', async () => {
  await withPage(async (page) => {
    await page.click('#new');
    for (const [selector, given, taken] of [['#limit', '900', '60'], ['#limit', '-3', '0.1'], ['#limit', '', '1'], ['#size', '7.5', '8'], ['#size', '99', '26'], ['#size', '0', '1'], ['#minutes', '1e9', '180']]) {
      await page.locator(selector).evaluate((input, value) => { input.value = value; input.dispatchEvent(new Event('change')); }, given);
      assert.strictEqual(await page.inputValue(selector), taken, `${given} in ${selector}`);
    }
    await page.fill('#size', '7.5');
    await page.click('#begin');
    await until(page, () => shownView().rows === 8);
  });
});

test('messages: none left over, results not leads, Black and White, wins in moves', async () => {
  await withPage(async (page) => {
    await page.evaluate(() => { setGame('war sneak 2 X\n4 3\n2 1\nXX\nO.\n'); game.players = ['human', 'human']; refresh(); });
    assert.strictEqual(await text(page, '#status'), 'X to move');
    await square(page, 3).click();
    await until(page, () => shownView().over);
    assert.strictEqual(await text(page, '#status'), 'Game over: X wins by 10');
    await page.evaluate(() => { setGame('gomoku freestyle 15\nA1 H8 A2 H9 A3 H10 A4 H11\n'); refresh(); });
    assert.strictEqual(await text(page, '#status'), 'Black to move');
    await page.click('#hint');
    await until(page, () => play.report.startsWith('Hint'));
    assert.strictEqual(await text(page, '#report'), 'Hint: A5, Black wins in 1');
    await square(page, 60).click();
    await until(page, () => shownView().over);
    assert.strictEqual(await text(page, '#status'), 'Game over: Black wins');
    assert.strictEqual(await page.locator('#board .strike').count(), 1);
    assert.strictEqual(await text(page, '#report'), '');
  });
});

const LONG = `3\nMINIMAX\nX\n1\n999000000 123456 7\n1 22 333\n4444 55555 1\n...\n.X.\n...\n`;

test('long numbers stay inside their squares, on the page and in the SVG of the program', async () => {
  const folder = fs.mkdtempSync(path.join(root, 'build', 'web', 'svg-'));
  const drawn = execFileSync(path.join(root, 'build', 'sortie'), ['show', '--svg', '-'], { input: LONG }).toString();
  fs.rmSync(folder, { recursive: true });
  await withPage(async (page) => {
    const widest = () => page.evaluate(() => Math.max(...[...document.querySelectorAll('svg text')].filter((each) => /^\d{4,}$/.test(each.textContent)).map((each) => each.getBBox().width)));
    await page.setInputFiles('#file', file('input.txt', LONG));
    await until(page, () => document.querySelectorAll('#board [data-index]').length === 9);
    assert.ok((await widest()) <= 48, 'on the page');
    await page.setContent(drawn);
    assert.ok((await widest()) <= 48, 'in the picture');
  });
});

test('in forced colours pieces, blocks and beams are seen', async () => {
  await withPage(async (page) => {
    await page.setInputFiles('#file', file('input.txt', '5\n00030\n01000\n00000\n00020\n00000\n'));
    await until(page, () => document.querySelectorAll('#board .piece').length === 2);
    const paint = (selector) => page.locator(selector).first().evaluate((element) => {
      const { fill, stroke } = getComputedStyle(element);
      return { fill, stroke };
    });
    const ground = await paint('#board .square.empty');
    for (const selector of ['#board .piece.first', '#board .square.block']) {
      assert.notStrictEqual((await paint(selector)).fill, ground.fill, selector);
    }
    for (const selector of ['#board .piece.second', '#board .beam.first', '#board .beam.second']) {
      assert.notStrictEqual((await paint(selector)).stroke, ground.fill, selector);
    }
    assert.notStrictEqual((await paint('#board .cross')).stroke, (await paint('#board .square.block')).fill);
  }, { forcedColors: 'active' });
});

test('few tab stops, and every stone can be reached and is named', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 15);
    await square(page, 112).click();
    await until(page, () => game.ply === 1);
    const stops = await page.evaluate(() => [...document.querySelectorAll('a, button, input, select, summary, [tabindex]')].filter((each) => each.tabIndex >= 0 && each.checkVisibility() && !each.disabled).length);
    assert.ok(stops <= 16, `${stops} tab stops`);
    await page.locator('#board [tabindex="0"]').focus();
    assert.strictEqual(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'H8, Black, 1, last move');
    await page.keyboard.press('ArrowLeft');
    assert.strictEqual(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'G8, empty');
    await page.keyboard.press('Enter');
    await until(page, () => game.ply === 2);
    assert.strictEqual(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'G8, White, 2, last move');
    assert.strictEqual(await text(page, '#announcer'), 'White plays G8');
  });
});

for (const [name, width, height] of [['portrait', 360, 740], ['landscape', 740, 360], ['small landscape', 568, 320], ['tablet', 820, 1180]]) {
  test(`the board is whole on a phone or tablet: ${name}`, async () => {
    await withPage(async (page) => {
      for (const index of [0, 2, 3]) {
        await begin(page, index, index === 3 ? 15 : 8);
        await page.evaluate(() => scrollTo(0, 0));
        const box = await page.locator('#board svg').boundingBox();
        assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, JSON.stringify(box));
        assert.ok(box.width >= Math.min(width, height) * 0.6, 'not too small either');
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
      }
    }, { viewport: { width, height }, hasTouch: true });
  });
}
