// Opens the page from disk in Debian's Chromium, lets it play a little of every game, and plays against it.
'use strict';
const assert = require('node:assert');
const test = require('node:test');
const { chromium } = require('playwright-core');

const address = 'file://' + process.argv[2];
const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

async function withPage(hash, body) {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(address + hash);
    await page.waitForFunction(() => document.querySelectorAll('#board button').length > 0);
    await body(page);
    assert.deepStrictEqual(errors, []);
  } finally {
    await browser.close();
  }
}

test('the page plays every game by itself', async () => {
  await withPage('#selftest', async (page) => {
    await page.waitForFunction(() => document.body.dataset.selftest, null, { timeout: 60000 });
    const report = await page.title();
    for (const name of ['War board stake', 'War board sneak', 'Laser Checkmate', 'Gomoku freestyle', 'Gomoku exact']) {
      assert.match(report, new RegExp(name + '[a-z ]* [4-9]|' + name + '[a-z ]* 1[0-9]'));
    }
  });
});

test('a click is answered by the engine, and taken back', async () => {
  await withPage('', async (page) => {
    await page.fill('#time', '0.2');
    await page.locator('#board button').nth(12).click();
    await page.waitForFunction(() => document.getElementById('report').textContent.includes('sortie plays'));
    await page.waitForFunction(() => document.querySelectorAll('#board .second').length > 0);
    assert.strictEqual(await page.locator('#board .first, #board .second').count(), 2);
    await page.click('#undo');
    await page.waitForFunction(() => document.querySelectorAll('#board .first, #board .second').length === 0);
  });
});

test('a course file is opened, a faulty one refused with its place', async () => {
  await withPage('', async (page) => {
    const file = (text) => ({ name: 'input.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.setInputFiles('#file', file('2\nMINIMAX\nX\n2\n3 1\n2 5\n..\n.O\n'));
    await page.waitForFunction(() => document.querySelectorAll('#board button').length === 4);
    await page.setInputFiles('#file', file('2\nMINIMAX\nQ\n2\n3 1\n2 5\n..\n.O\n'));
    await page.waitForFunction(() => document.getElementById('report').textContent.includes('line 3, column 1'));
    assert.strictEqual(await page.locator('#board button').count(), 4);
  });
});
