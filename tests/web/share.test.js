// Nothing is lost on reload; links, texts, SGF and pictures carry the game.
'use strict';
const fs = require('node:fs');
const test = require('node:test');
const { assert, closeBrowser, withPage, ready, square, pieces, text, until, begin, more } = require('./support.js');

test.after(closeBrowser);

async function save(page, selector) {
  await more(page, 'share-open');
  const waiting = page.waitForEvent('download');
  await page.click(selector);
  const saved = await waiting;
  await page.keyboard.press('Escape');
  return { name: saved.suggestedFilename(), bytes: fs.readFileSync(await saved.path()) };
}

for (const [index, size] of [[0, 4], [1, 26], [2, 7], [3, 15], [4, 20]]) {
  test(`reload and link keep game ${index} of size ${size}`, async () => {
    await withPage(async (page, context) => {
      await begin(page, index, size);
      for (let i = 0; i < 3; i++) await page.evaluate((pick) => makeMove(shownView().moves[pick]), 2 * i);
      await page.click('#undo');
      const kept = await page.evaluate(() => JSON.stringify([game.start, game.moves, game.ply, game.players]));
      await page.reload();
      await ready(page);
      assert.strictEqual(await page.evaluate(() => JSON.stringify([game.start, game.moves, game.ply, game.players])), kept);
      await more(page, 'share-open');
      const link = await page.inputValue('#share-link');
      const other = await (await context.browser().newContext()).newPage();
      await other.goto(link);
      await ready(other);
      assert.deepStrictEqual(await other.evaluate(() => [game.start, game.moves, game.ply]), await page.evaluate(() => [game.start, game.moves, game.ply]));
      await other.context().close();
    });
  });
}

test('a broken link is told and a fresh board shown; a good one asks before it replaces a game', async () => {
  await withPage(async (page, context) => {
    assert.match(await text(page, '#toast'), /link holds no game/);
    await begin(page, 3, 9);
    await square(page, 40).click();
    await more(page, 'share-open');
    const link = await page.inputValue('#share-link');
    await page.keyboard.press('Escape');
    await square(page, 41).click();
    await until(page, () => JSON.parse(localStorage.getItem('sortie.game'))?.moves.length === 2); // kept a moment later
    const other = await context.newPage();
    await other.goto(link);
    await other.waitForSelector('#choice[open]');
    await other.click('#choice button:not(.strong)');
    await ready(other);
    assert.strictEqual(await pieces(other), 2);
  }, { hash: '#g=AAAA' });
});

test('text, SGF, SVG and PNG', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 9);
    for (const at of [40, 41, 31]) await square(page, at).click();
    const own = await save(page, '#save-text');
    assert.strictEqual(own.name, 'position.txt');
    assert.strictEqual(own.bytes.toString(), 'gomoku freestyle 9\nE5 F5 E4\n');
    const sgf = await save(page, '#save-sgf');
    assert.match(sgf.bytes.toString(), /^\(;FF\[4\]GM\[4\].*SZ\[9\][^;]*;B\[ee\];W\[fe\];B\[ed\]\)\s*$/s);
    const svg = (await save(page, '#save-svg')).bytes.toString();
    assert.match(svg, /^<svg .*<\/svg>$/s);
    assert.strictEqual(svg.match(/class="piece/g).length, 3);
    const png = (await save(page, '#save-png')).bytes;
    assert.strictEqual(png.subarray(1, 4).toString(), 'PNG');
    assert.ok(png.readUInt32BE(16) >= 1000 && png.length > 5000);
    // What was saved is opened again.
    await begin(page, 3, 15);
    await page.setInputFiles('#file', { name: 'game.sgf', mimeType: 'text/plain', buffer: sgf.bytes });
    await until(page, () => document.querySelectorAll('#board .piece').length === 3);
    // Only Gomoku has SGF.
    await begin(page, 0, 3);
    await more(page, 'share-open');
    assert.strictEqual(await page.locator('#save-sgf').count(), 0);
  });
});

test('on paper the board and the moves remain', async () => {
  await withPage(async (page) => {
    await begin(page, 0, 4);
    await square(page, 0).click();
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.locator('#board svg').isVisible());
    assert.ok(await page.locator('#moves').isVisible());
    for (const selector of ['.top', '#undo']) assert.ok(await page.locator(selector).isHidden(), selector);
  });
});

test('a browser that keeps nothing still plays', async () => {
  await withPage(async (page) => {
    await page.evaluate(() => { Storage.prototype.setItem = () => { throw new Error('no room'); }; });
    await begin(page, 0, 3);
    await square(page, 0).click();
    await until(page, () => game.ply === 1);
  });
});
