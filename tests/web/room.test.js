// Everything has room: what a screen is for is in sight, in a lecture hall, on a laptop and on a phone, in every language.
'use strict';
const { test, after } = require('node:test');
const { assert, closeBrowser, withPage, until, text, begin, more, file } = require('./support.js');

after(closeBrowser);

const LAPTOP = { viewport: { width: 1366, height: 768 } };
const WAR = 'war stake 3 X\n4 2 3\n5 9 4\n6 2 1\nX..\n..O\n...\n';
const LOST = '(;GM[4]SZ[15];B[hh];W[hg];B[ih];W[ig];B[jh];W[jg];B[kh];W[gh];B[aa];W[lh])';

// What of some elements is not in the window, or cut off by what is around them.
const hidden = (page, selector) => page.evaluate((wanted) => [...document.querySelectorAll(wanted)].filter((each) => each.checkVisibility()).filter((each) => {
  const box = each.getBoundingClientRect();
  for (let around = each.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflowX === 'visible' && around !== document.documentElement) continue;
    const frame = around === document.documentElement ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : around.getBoundingClientRect();
    if (box.left < frame.left - 1 || box.top < frame.top - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) return true;
  }
  return false;
}).map((each) => each.textContent), selector);

for (const locale of ['en-GB', 'de-DE']) {
  test(`on a phone every screen is one touch away: ${locale}`, async () => {
    await withPage(async (page) => {
      assert.strictEqual(await page.locator('.top nav a').count(), 5);
      assert.deepStrictEqual(await hidden(page, '.top nav a, .top .language'), []);
      await page.selectOption('#language', locale === 'en-GB' ? 'de' : 'en');
      await until(page, (before) => document.documentElement.lang !== before, locale.slice(0, 2));
    }, { hash: '#start', locale, viewport: { width: 390, height: 844 }, hasTouch: true });
  });
}

test('before the first move the rules of this game are said, and where to learn them', async () => {
  await withPage(async (page) => {
    await begin(page, 0, 4);
    assert.match(await text(page, '#no-moves'), /numbers are your points.*raid/);
    await begin(page, 1, 4);
    assert.match(await text(page, '#no-moves'), /sneak/);
    const games = await page.evaluate(() => rules.games.length);
    for (let index = 0; index < games; index++) {
      await page.evaluate((each) => { newGame({ index: each, players: ['human', 'human'] }); refresh(); }, index);
      assert.ok((await text(page, '#no-moves p')).length > 60, `game ${index}`);
    }
    await begin(page, 3, 15);
    await page.locator('#board [data-index="112"]').click();
    await until(page, () => game.ply === 1);
    assert.ok(await page.locator('#no-moves').isHidden());
    await begin(page, 3, 15);
    await page.click('#no-moves a');
    await until(page, () => location.hash === '#learn/gomoku/1');
  }, LAPTOP);
});

test('the editor is whole beside the board', async () => {
  await withPage(async (page) => {
    await page.evaluate((start) => { setGame(start, ['A2 Stake', 'A3 Stake', 'C3 Stake']); game.players = ['human', 'human']; refresh(); }, WAR);
    await more(page, 'edit-open');
    assert.deepStrictEqual(await hidden(page, '#edit button, #edit input, #edit select'), []);
  }, LAPTOP);
});

test('a review is whole in the window; what can be done with a move is offered where it can be done', async () => {
  await withPage(async (page) => {
    assert.deepStrictEqual(await page.locator('.study-actions button:visible').allTextContents(), ['Review the game', 'Play from here']);
    await page.setInputFiles('.study-file', file('game.sgf', LOST));
    await page.click('.study-review');
    await until(page, () => document.querySelector('.study-review').textContent === 'Review the game' && document.querySelector('.study-graph polyline'));
    await page.locator('.study-tree button', { has: page.locator('.mark-blunder') }).filter({ hasText: 'A1' }).click();
    assert.deepStrictEqual(await hidden(page, '.study-actions button, .study-verdict, .study-graph, .study-nav button, .study-tree .now'), []);
    assert.deepStrictEqual(await page.locator('.study-actions button:visible').allTextContents(), ['Review the game', 'Play from here', 'Remove from here']);
    assert.match(await text(page, '.study-summary'), /^Black: .*1 blunder.*White: /);
    await page.click('.study-better');
    await until(page, () => !document.querySelector('.study-promote').hidden);
  }, { ...LAPTOP, hash: '#study' });
});

test('the lines of a war board are seen from X like its squares', async () => {
  await withPage(async (page) => {
    await page.setInputFiles('.study-file', file('war.txt', 'war stake 5 O\n' + '66 76 28 66 11\n31 39 50 8 33\n80 76 39 59 2\n50 73 43 3 13\n99 45 72 87 49\nX....\n.....\n..O..\n.....\nX....\n'));
    await until(page, () => document.querySelectorAll('.study-lines li:not([hidden])').length > 1);
    await until(page, () => {
      const rows = [...document.querySelectorAll('.study-lines li:not([hidden]) b')].map((each) => each.textContent);
      const notes = [...document.querySelectorAll('.study-board .note')].map((each) => each.textContent);
      const thought = rows.filter((each) => /^X [+−]\d+$/.test(each));
      return rows.length > 1 && !rows.some((each) => /^O \+/.test(each)) && (thought.length === 0 || thought.every((each) => notes.includes(each.slice(2))));
    });
  }, { ...LAPTOP, hash: '#study' });
});

test('the explorer of a board: one row of choices, the root in sight, the board beside the algorithm', async () => {
  await withPage(async (page) => {
    await until(page, () => explorer.panes.length > 0 && !explorer.busy);
    const tops = await page.evaluate(() => [...document.querySelectorAll('#explore-form button, #explore-form select, #explore-form summary')].filter((each) => each.checkVisibility()).map((each) => Math.round(each.getBoundingClientRect().top)));
    assert.strictEqual(new Set(tops).size, 1, tops.join());
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight');
    assert.deepStrictEqual(await hidden(page, '#tree .node[aria-level="1"], #tree .here, #node-board svg, #variables div'), []);
    await page.click('#explore-tour');
    for (let i = 0; i < 8; i++) {
      await page.waitForTimeout(150);
      assert.deepStrictEqual(await hidden(page, '#tour, #code .now:not(.now ~ .now), #node-board svg'), [], `station ${i + 1}`);
      if (i < 7) await page.click('#tour .strong');
    }
  }, { ...LAPTOP, hash: '#explore?e=war&l=alphabeta&d=2' });
});
