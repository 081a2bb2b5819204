// What holds in every browser: the page from disk begins, is played on, thinks and stops; axe finds nothing anywhere.
'use strict';
const fs = require('node:fs');
const test = require('node:test');
const { assert, closeBrowser, withPage, until } = require('./support.js');

test.after(closeBrowser);

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const SCREENS = ['start', 'play', 'puzzles', 'study', 'explore', 'learn'];
const OPEN = 'gomoku freestyle 15\nH8 I9 J7\n';

test('a square is clicked, the engine answers, a search is stopped at once', async () => {
  await withPage(async (page) => {
    await page.evaluate((start) => { setGame(start); game.players = ['human', 'human']; refresh(); }, OPEN);
    await page.click('#board [data-index="100"]');
    await until(page, () => game.ply === 1);
    const best = await page.evaluate((start) => play.engine.think(`nodes 5000\nposition\n${start}`).then((found) => found.best), OPEN);
    assert.ok(best.nodes >= 5000 && best.move);
    const took = await page.evaluate(async (start) => {
      const times = [];
      for (let i = 0; i < 5; i++) {
        const thinking = play.engine.think(`time 30\nposition\n${start}`);
        await new Promise((resolve) => setTimeout(resolve, 300));
        const from = performance.now();
        play.engine.stop();
        await thinking;
        times.push(performance.now() - from);
      }
      return Math.min(...times);
    }, OPEN);
    assert.ok(took < 100, `${took} ms`);
  });
});

test('the game outlives a reload', async () => {
  await withPage(async (page) => {
    await page.evaluate((start) => { setGame(start); game.players = ['human', 'human']; refresh(); }, OPEN);
    await page.click('#board [data-index="100"]');
    await until(page, () => game.ply === 1);
    await page.reload();
    await until(page, () => document.body?.dataset.ready && Object.assign(globalThis, globalThis.sortie) && game.ply === 1);
  });
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing on any screen, ${colorScheme}`, async () => {
    await withPage(async (page) => {
      await page.evaluate(axe);
      assert.strictEqual(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches), colorScheme === 'dark');
      for (const screen of SCREENS) {
        await page.evaluate((name) => { location.hash = name; }, screen);
        await until(page, (name) => document.querySelector(`#screen-${name}:not([hidden])`)?.children.length > 0, screen);
        await page.waitForTimeout(400); // what moves has come to rest
        const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
          violations.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`)));
        assert.deepStrictEqual(found, [], screen);
      }
    }, { colorScheme });
  });
}
