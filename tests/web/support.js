// What every test of the page needs: Debian's Chromium, or with SORTIE_BROWSER=firefox Debian's Firefox; the page opened
// from disk, and short ways to look at it.
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const { chromium } = require('playwright-core');
const { openFirefox } = require('./firefox.js');

const root = path.join(__dirname, '..', '..');
const address = 'file://' + path.join(root, 'build', 'sortie.html');
const golden = path.join(root, 'tests', 'golden');
const pictures = path.join(root, 'build', 'web', 'pictures');
// With SORTIE_PICTURES=docs those of the documents (page-NAME) are written there.
const folderOf = (name) => (process.env.SORTIE_PICTURES && name.startsWith('page-') ? path.resolve(process.env.SORTIE_PICTURES) : pictures);
const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

let browser;
const inFirefox = process.env.SORTIE_BROWSER === 'firefox';
const openBrowser = async () => (browser ??= await (inFirefox ? openFirefox() : chromium.launch({ executablePath: '/usr/bin/chromium', args: flags })));
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

// Begins game number `index` of the menu, both sides played as told, without the pauses that are there for people.
async function begin(page, index, size, players = ['human', 'human'], more = {}) {
  await page.evaluate((wanted) => {
    keep('pace', 0);
    keep('answer', 0);
    newGame(wanted);
    play.paused = true;
    refresh();
    play.paused = false;
    continueGame();
  }, { index, size, players, ...more });
  await until(page, (count) => document.querySelectorAll('#board [data-index]').length === count, size * size);
}

// Sets how long full strength thinks: { kind: 'time', value: 0.1 }.
const think = (page, kind, value) => page.evaluate((limit) => keep('limit', limit), { kind, value });

// Opens the menu "More" and chooses something in it.
async function more(page, id) {
  await page.click('#more');
  await page.click('#' + id);
}

const file = (name, content) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

module.exports = { assert, inFirefox, root, address, golden, pictures, folderOf, openBrowser, closeBrowser, withPage, ready, square, pieces, text, until, begin, think, more, file };
