// For everyone: accessibility checked by axe, both languages, dark and light, motion, analysis in words.
'use strict';
const fs = require('node:fs');
const test = require('node:test');
const { assert, closeBrowser, withPage, ready, square, text, until, begin } = require('./support.js');

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
        for (const id of ['analysis', 'share', 'setup']) await page.locator('#' + id).evaluate((element) => { element.open = true; });
        await page.check('#analyse');
        await until(page, () => document.querySelectorAll('#best li').length > 0);
        await check(page, `game ${index}`);
        await page.uncheck('#analyse');
      }
      await page.locator('#edit summary').click();
      await check(page, 'editing');
      await page.click('#edit-cancel');
      await page.click('#paste');
      await check(page, 'a dialog');
      await page.click('#paste-cancel');
      await page.click('[data-goes=explore]');
      await page.click('#explore-tour');
      await page.waitForSelector('#tour .strong');
      await check(page, 'the explorer and its tour');
    }, { colorScheme });
  });
}

test('another language is taken at once, kept, and found by that of the browser', async () => {
  await withPage(async (page) => {
    await page.selectOption('#language', 'de');
    assert.strictEqual(await page.evaluate(() => document.documentElement.lang), 'de');
    assert.strictEqual(await text(page, '#status'), 'X am Zug');
    assert.strictEqual(await text(page, '#undo'), 'Zurück');
    await page.reload();
    await ready(page);
    assert.strictEqual(await text(page, '[data-goes=explore]'), 'So denkt es');
  });
  await withPage(async (page) => {
    assert.strictEqual(await text(page, '#undo'), 'Zurück');
  }, { locale: 'de-DE' });
});

test('the analysis tells exact values, its lines are hovered and played, the game is reviewed', async () => {
  await withPage(async (page) => {
    await page.evaluate(() => { setGame('war sneak 3 X\n5 2 3\n4 9 6\n7 8 1\nX..\n.O.\n...\n'); game.players = ['human', 'human']; refresh(); });
    await page.locator('#analysis summary').click();
    await page.check('#analyse');
    await until(page, () => document.querySelectorAll('#best li').length === 3 && document.querySelectorAll('#best b.exact').length > 0);
    assert.match(await page.locator('#best b').first().textContent(), /^(X|O) wins by \d+$|^a draw$/);
    assert.ok((await page.locator('#board .note').count()) >= 1);
    assert.ok(await page.locator('#bar').isVisible());
    const line = page.locator('#best li').first().locator('button');
    await line.nth(2).hover();
    await until(page, () => document.querySelectorAll('#board .mark.preview').length > 1);
    await line.nth(2).click();
    await until(page, () => game.ply === 3);
    await page.uncheck('#analyse');
    await page.click('#review');
    await until(page, () => game.evals.filter(Boolean).length === 4 && document.querySelector('#graph polyline'));
  });
});

test('a win is told in moves, and the bar agrees', async () => {
  await withPage(async (page) => {
    await page.evaluate(() => { setGame('gomoku freestyle 15\nH8 A1 H9 A2 H10 A15\n'); game.players = ['human', 'human']; refresh(); });
    await page.locator('#analysis summary').click();
    await page.check('#analyse');
    await until(page, () => /^Black wins in \d+$/.test(document.querySelector('#best b')?.textContent));
    assert.match(await page.locator('#bar').getAttribute('aria-label'), /^Black wins in \d+$/);
  });
});

test('reduced motion moves nothing', async () => {
  await withPage(async (page) => {
    await begin(page, 0, 3);
    await square(page, 0).click();
    await page.waitForSelector('#board .last');
    assert.strictEqual(await page.locator('#board .last').evaluate((element) => getComputedStyle(element).animationName), 'none');
    assert.match(await page.locator('#bar div').evaluate((element) => getComputedStyle(element).transitionDuration), /^0s$/);
  }, { reducedMotion: 'reduce' });
});

test('clocks run out', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 9);
    await square(page, 40).click();
    await page.evaluate(() => { document.getElementById('minutes').value = 1; game.used[1] = 59.9; });
    await until(page, () => document.getElementById('sides').textContent.includes('out of time'));
    await square(page, 41).click();
    assert.strictEqual(await page.evaluate(() => game.ply), 1);
  });
});
