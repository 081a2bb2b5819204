// Pictures of the page for the documents, in build/web/pictures; what they show is checked, how it looks is for people.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { assert, pictures, folderOf, closeBrowser, withPage, text, until } = require('./support.js');

test.before(() => fs.mkdirSync(pictures, { recursive: true }));
test.after(closeBrowser);

const WAR = 'war stake 6 X\n66 76 28 66 11 9\n31 39 50 8 33 14\n80 76 39 59 2 48\n50 73 43 3 13 3\n99 45 72 87 49 4\n80 63 92 28 61 53\n......\n......\n......\n......\n......\n......\n';
const LASER = 'laser 9 1\n000300000\n000000000\n000000300\n000000000\n030000000\n000000000\n000000030\n000300000\n000000000\n';

const LINE = ['A5 Stake', 'C6 Stake', 'B5 Raid', 'D5 Stake', 'E5 Stake', 'D4 Stake', 'D1 Stake', 'B3 Stake', 'A3 Stake'];

async function show(page, start, moves, extra = {}) {
  await page.evaluate(([text, list, more]) => { setGame(text, list); Object.assign(game, more); play.paused = true; refresh(); }, [start, moves, { players: ['human', 'club'], ...extra }]);
}

const shoot = async (page, name) => {
  await page.waitForTimeout(900);
  const file = path.join(folderOf(name), name + '.png');
  await page.screenshot({ path: file });
  assert.ok(fs.statSync(file).size > 10000);
};

// The screens as they are looked at in each light and size. Nothing is below the fold but on a phone.
const SCREENS = {
  start: { hash: '#start', waits: () => document.querySelectorAll('.start-card .board').length >= 3 },
  war: { hash: '#play', start: WAR, moves: LINE },
  laser: { hash: '#play', start: LASER, moves: ['4 4', '0 1', '8 1'] },
  gomoku: { hash: '#play', start: 'gomoku freestyle 15\n', moves: ['H8', 'I9', 'I8', 'G8', 'J9', 'J8', 'H7', 'K10'] },
  end: { hash: '#play', start: 'gomoku freestyle 15\n', moves: ['H8', 'I8', 'I9', 'G7', 'H9', 'G9', 'H10', 'E8', 'H7', 'K10', 'H6'], waits: () => document.querySelector('#end-graph polyline') },
  learn: { hash: '#learn', waits: () => document.querySelector('.learn-card') },
  lesson: { hash: '#learn/war/4', waits: () => document.querySelector('.learn-board .piece') },
  explore: { hash: '#explore', waits: () => explorer.panes.length > 0 },
  study: { hash: '#study', waits: () => document.querySelector('.study-board .board') },
  puzzles: { hash: '#puzzles', waits: () => document.querySelector('#screen-puzzles h1') },
};
const LOOKS = {
  light: { viewport: { width: 1366, height: 768 } },
  dark: { viewport: { width: 1366, height: 768 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
  projector: { viewport: { width: 1920, height: 1080 } },
};

for (const [look, options] of Object.entries(LOOKS)) {
  test(`every screen, ${look}`, async () => {
    for (const [name, { hash, start, moves, waits }] of Object.entries(SCREENS)) {
      await withPage(async (page) => {
        if (start) await show(page, start, moves);
        if (waits) await until(page, waits);
        await shoot(page, `${name}-${look}`);
        const over = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
        assert.ok(over[0] <= 0, `${name} is too wide`);
        if (look !== 'phone') assert.ok(over[1] <= 0, `${name} is too high`);
      }, { ...options, hash, ...(name === 'explore' ? { reducedMotion: 'reduce' } : {}) });
    }
  });
}

test('the pictures of the documents', async () => {
  await withPage(async (page) => {
    await until(page, SCREENS.start.waits);
    await page.waitForTimeout(2500);
    await shoot(page, 'page-start');
    await page.evaluate(() => { location.hash = '#play'; });
    await show(page, WAR, LINE);
    await shoot(page, 'page-war');
    await show(page, SCREENS.gomoku.start, SCREENS.gomoku.moves);
    await shoot(page, 'page-gomoku');
    await page.evaluate(() => { location.hash = '#learn/gomoku/5'; });
    await shoot(page, 'page-learn');
  }, { hash: '#start', viewport: { width: 1366, height: 768 } });
  await withPage(async (page) => {
    await show(page, LASER, ['4 4', '0 1', '8 1']);
    await shoot(page, 'page-laser');
  }, { colorScheme: 'dark', viewport: { width: 1366, height: 768 } });
  await withPage(async (page) => {
    await show(page, WAR, LINE);
    await shoot(page, 'page-phone');
  }, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true });
});

test('the explorer', async () => {
  await withPage(async (page) => {
    await until(page, () => explorer.panes.length > 0 && explorer.counts.worst);
    await page.click('#step-cut');
    assert.match(await text(page, '#step-words'), /2 moves are cut/);
    await shoot(page, 'page-explorer');
  }, { hash: '#explore', reducedMotion: 'reduce' });
});
