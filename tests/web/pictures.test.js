// Pictures of the page for the documents, in build/web/pictures; what they show is checked, how it looks is for people.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { assert, pictures, closeBrowser, withPage, text, until } = require('./support.js');

test.before(() => fs.mkdirSync(pictures, { recursive: true }));
test.after(closeBrowser);

const WAR = 'war stake 6 X\n66 76 28 66 11 9\n31 39 50 8 33 14\n80 76 39 59 2 48\n50 73 43 3 13 3\n99 45 72 87 49 4\n80 63 92 28 61 53\n......\n......\n......\n......\n......\n......\n';
const LASER = 'laser 9 1\n000300000\n000000000\n000000300\n000000000\n030000000\n000000000\n000000030\n000300000\n000000000\n';

async function show(page, start, moves, extra = {}) {
  await page.evaluate(([text, list, more]) => { setGame(text, list); Object.assign(game, more); play.paused = true; refresh(); }, [start, moves, { players: ['human', 'full'], ...extra }]);
}

const shoot = async (page, name) => {
  await page.waitForTimeout(500);
  const file = path.join(pictures, name + '.png');
  await page.screenshot({ path: file });
  assert.ok(fs.statSync(file).size > 10000);
};

async function analyse(page, ready) {
  await page.locator('#setup').evaluate((element) => { element.open = false; });
  await page.locator('#analysis').evaluate((element) => { element.open = true; });
  await page.check('#analyse');
  await until(page, ready);
}

test('war board with analysis', async () => {
  await withPage(async (page) => {
    await show(page, WAR, ['A5 Stake', 'C6 Stake', 'B5 Raid', 'D5 Stake', 'C5 Raid']);
    await analyse(page, () => document.querySelectorAll('#best li').length === 3);
    await shoot(page, 'page-war');
  });
});

test('Laser Checkmate, dark', async () => {
  await withPage(async (page) => {
    await show(page, LASER, ['4 4', '0 1', '8 1']);
    await shoot(page, 'page-laser');
  }, { colorScheme: 'dark' });
});

test('Gomoku with analysis', async () => {
  await withPage(async (page) => {
    await show(page, 'gomoku freestyle 15\n', ['H8', 'I9', 'I8', 'G8', 'J9', 'J8', 'H7', 'K10']);
    await analyse(page, () => analysis.lines.filter(Boolean).length === 3 && (analysis.lines[0].depth > 6 || analysis.finished));
    await shoot(page, 'page-gomoku');
  });
});

test('the explorer', async () => {
  await withPage(async (page) => {
    await until(page, () => explorer.panes.length > 0 && explorer.counts.worst);
    await page.click('#step-cut');
    assert.match(await text(page, '#step-words'), /2 moves are cut/);
    await shoot(page, 'page-explorer');
  }, { hash: '#explore' });
});

test('a phone', async () => {
  await withPage(async (page) => {
    await show(page, WAR, ['A5 Stake', 'C6 Stake', 'B5 Raid']);
    await shoot(page, 'page-phone');
  }, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true });
});
