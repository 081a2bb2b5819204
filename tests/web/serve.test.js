// The page as `sortie serve` gives it: shared memory allowed, the native engine on and off.
'use strict';
const path = require('node:path');
const test = require('node:test');
const { spawn } = require('node:child_process');
const { assert, root, closeBrowser, withPage, text, until, think } = require('./support.js');

let server;
let url;

test.before(async () => {
  server = spawn(path.join(root, 'build', 'sortie'), ['serve', '--port', '0', '--threads', '2', '--page', path.join(root, 'build', 'sortie.html')]);
  url = await new Promise((resolve, reject) => {
    server.stdout.once('data', (line) => resolve(String(line).trim()));
    server.once('exit', () => reject(new Error('the server ended')));
  });
});
test.after(async () => {
  server.kill('SIGINT');
  await closeBrowser();
});

const POSITION = 'gomoku freestyle 15\nH8 H9 I8 G8 I10\n';

test('the native engine plays, is stopped, switched off and on', async () => {
  const asked = [];
  await withPage(async (page) => {
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    assert.strictEqual(await page.evaluate(() => crossOriginIsolated), true);
    await until(page, () => play.engine.native);
    await page.click('#new');
    assert.strictEqual(await text(page, '#native-text'), 'engine of this computer, 2 threads');
    await page.keyboard.press('Escape');
    await page.evaluate((start) => { setGame(start); game.players = ['human', 'human']; refresh(); }, POSITION);
    const move = async (seconds) => {
      await think(page, 'time', seconds);
      await page.evaluate(() => { play.paused = false; continueGame(true); });
    };
    await move(0.3);
    await until(page, () => game.ply === 1 && !play.thinking);
    assert.deepStrictEqual(asked.filter((each) => each === '/api/think').length, 1);
    await move(30);
    await until(page, () => play.thinking);
    await page.waitForTimeout(700);
    const took = await page.evaluate(async () => {
      const from = performance.now();
      document.getElementById('stop').click();
      for (let i = 0; i < 50 && play.thinking; i++) await null;
      while (play.thinking) await new Promise((resolve) => setTimeout(resolve, 1));
      return performance.now() - from;
    });
    assert.ok(took < 100, `stopped after ${took} ms`);
    // The engine is free again for the next search.
    const ply = await page.evaluate(() => game.ply);
    await move(0.3);
    await until(page, (before) => game.ply === before + 1 && !play.thinking, ply);
    // Switched off, the page's own engine answers; stopped through shared memory it keeps its worker.
    const count = asked.filter((each) => each === '/api/think').length;
    await page.click('#new');
    await page.locator('#new-form summary').click();
    await page.uncheck('#native');
    await page.keyboard.press('Escape');
    await move(30);
    await until(page, () => play.engine.pending);
    await page.waitForTimeout(700);
    const same = await page.evaluate(async () => {
      const { worker } = play.engine;
      document.getElementById('stop').click();
      return worker === play.engine.worker;
    });
    assert.ok(same, 'the worker lives on');
    await until(page, () => !play.thinking);
    await move(0.2);
    await until(page, (before) => game.ply > before + 1 && !play.thinking, ply);
    assert.strictEqual(asked.filter((each) => each === '/api/think').length, count);
  }, { url });
});

test('a native engine that is gone is told, and the own one goes on', async () => {
  await withPage(async (page) => {
    await until(page, () => play.engine.native);
    await page.route('**/api/think', (route) => route.fulfill({ status: 503, body: 'the engine is busy with another search\n' }));
    await page.evaluate((start) => { setGame(start); game.players = ['human', 'human']; refresh(); }, POSITION);
    await page.evaluate(() => { window.failed = true; });
    await page.evaluate(() => continueGame(true));
    await until(page, () => document.getElementById('toast').textContent.includes('busy with another search'));
    await page.evaluate(() => { play.engine.useNative = false; });
    await think(page, 'time', 0.1);
    await page.evaluate(() => continueGame(true));
    await until(page, () => game.ply === 1);
  }, { url, quietErrors: true });
});
