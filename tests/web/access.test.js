// For everyone: accessibility checked by axe, both languages, dark and light, motion, analysis in words.
'use strict';
const fs = require('node:fs');
const test = require('node:test');
const { assert, closeBrowser, withPage, ready, square, text, until, begin, more } = require('./support.js');

test.after(closeBrowser);

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

async function check(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  const grave = violations.filter((each) => ['serious', 'critical'].includes(each.impact));
  assert.deepStrictEqual(grave.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`), [], where);
}

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing serious, ${colorScheme}`, async () => {
    await withPage(async (page) => {
      for (const index of [0, 2, 3]) {
        await begin(page, index, index === 3 ? 9 : 5);
        await square(page, 0).click();
        if (await page.locator('#choice').evaluate((dialog) => dialog.open)) await page.keyboard.press('Enter');
        await page.waitForTimeout(1500); // until what the move gained has faded
        await check(page, `game ${index}`);
      }
      for (const [id, where] of [['new', 'new game'], ['more', 'more']]) {
        await page.click('#' + id);
        await check(page, where);
        await page.keyboard.press('Escape');
      }
      for (const id of ['paste', 'share-open', 'edit-open']) {
        await more(page, id);
        await check(page, id);
        await page.keyboard.press('Escape');
      }
      await page.click('#edit-cancel');
      await page.evaluate(() => { setGame('gomoku freestyle 15\nA1 H8 A2 H9 A3 H10 A4 H11\n', ['A5']); play.paused = false; refresh(); });
      await until(page, () => document.querySelector('#end-graph polyline'));
      await check(page, 'the end of a game');
      for (const name of ['start', 'learn', 'learn/gomoku/1']) {
        await page.evaluate((hash) => { location.hash = hash; }, '#' + name);
        await page.waitForSelector(`#screen-${name.split('/')[0]} h1`);
        await check(page, name);
      }
    }, { colorScheme });
  });
}

test('another language is taken at once, kept, and found by that of the browser', async () => {
  await withPage(async (page) => {
    await page.selectOption('#language', 'de');
    assert.strictEqual(await page.evaluate(() => document.documentElement.lang), 'de');
    assert.strictEqual(await text(page, '#status'), 'Du bist am Zug');
    assert.strictEqual(await text(page, '#undo'), 'Zurück');
    await page.reload();
    await ready(page);
    assert.strictEqual(await text(page, '[data-goes=explore] .long'), 'So denkt es');
  });
  await withPage(async (page) => {
    assert.strictEqual(await text(page, '#undo'), 'Zurück');
  }, { locale: 'de-DE' });
});

test('reduced motion moves nothing', async () => {
  await withPage(async (page) => {
    await begin(page, 0, 3);
    await square(page, 0).click();
    await page.waitForSelector('#board .placed .man');
    assert.strictEqual(await page.locator('#board .placed .man').evaluate((element) => getComputedStyle(element).animationName), 'none');
    assert.match(await page.locator('#balance span').first().evaluate((element) => getComputedStyle(element).transitionDuration), /^0m?s$/);
  }, { reducedMotion: 'reduce' });
});
