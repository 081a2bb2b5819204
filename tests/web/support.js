// What every test of the page needs: Debian's Chromium, the page opened from disk, and short ways to look at it.
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const { chromium } = require('playwright-core');

const root = path.join(__dirname, '..', '..');
const address = 'file://' + path.join(root, 'build', 'sortie.html');
const golden = path.join(root, 'tests', 'golden');
const pictures = path.join(root, 'build', 'web', 'pictures');
const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

let browser;
const openBrowser = async () => (browser ??= await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags }));
const closeBrowser = async () => {
  if (browser) await browser.close();
  browser = undefined;
};

// Waits for the page, and puts what it shows to tests (`sortie` in main.js) where tests can name it shortly.
const ready = (page) => page.waitForFunction(() => document.body.dataset.ready && Object.assign(globalThis, globalThis.sortie), null, { timeout: 60000 });

// Opens the page in a fresh profile, runs the body, and takes any error on the page for a failure.
async function withPage(body, { hash = '#play', url = address, quietErrors = false, ...options } = {}) {
  const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', acceptDownloads: true, ...options });
  context.setDefaultTimeout(30000);
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && !quietErrors && errors.push(message.text()));
  try {
    await page.goto(url + hash);
    await ready(page);
    await body(page, context);
    assert.deepStrictEqual(errors, []);
  } finally {
    await context.close();
  }
}

const square = (page, index) => page.locator(`#board [data-index="${index}"]`);
const pieces = (page) => page.locator('#board .piece').count();
const text = (page, selector) => page.locator(selector).textContent();
const until = (page, body, argument) => page.waitForFunction(body, argument, { timeout: 30000 });

// Chooses game number `index` of the menu and begins it, with both sides played as told.
async function begin(page, index, size, players = ['human', 'human']) {
  await page.locator('#setup').evaluate((element) => { element.open = true; });
  await page.selectOption('#player-0', 'human');
  await page.selectOption('#player-1', 'human');
  await page.selectOption('#game', String(index));
  await page.fill('#size', String(size));
  await page.click('#new');
  if (await page.locator('#choice').evaluate((dialog) => dialog.open)) await page.click('#choice .strong');
  await until(page, (count) => document.querySelectorAll('#board [data-index]').length === count, size * size);
  for (const side of [0, 1]) if (players[side] !== 'human') await page.selectOption(`#player-${side}`, players[side]);
}

const file = (name, content) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

module.exports = { assert, root, address, golden, pictures, openBrowser, closeBrowser, withPage, ready, square, pieces, text, until, begin, file };
