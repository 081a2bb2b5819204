// The page as `sortie serve` gives it: shared memory allowed, the native engine on and off.
'use strict';
const path = require('node:path');
const test = require('node:test');
const { spawn } = require('node:child_process');
const { assert, root, closeBrowser, withPage, ready, text, until, think } = require('./support.js');

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
const OPEN = 'gomoku freestyle 15\nH8 I9\n';

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

test('where the native engine is lent to others, or gone, the own one answers, until it is back', async () => {
  await withPage(async (page) => {
    await until(page, () => play.engine.native);
    await page.evaluate((start) => { setGame(start); game.players = ['human', 'human']; refresh(); }, POSITION);
    await think(page, 'time', 0.1);
    const answered = async (ply) => {
      await page.evaluate(() => continueGame(true));
      await until(page, (wanted) => game.ply === wanted && !play.thinking, ply);
    };
    await page.route('**/api/think', (route) => route.fulfill({ status: 503, body: 'the engine is busy with another search\n' }));
    await answered(1);
    assert.match(await text(page, '#toast'), /lent to another page/);
    assert.strictEqual(await page.evaluate(() => play.engine.away), false);
    await page.unroute('**/api/think');
    await page.route('**/api/*', (route) => route.abort());
    await answered(2);
    assert.match(await text(page, '#toast'), /does not answer/);
    await page.unroute('**/api/*');
    await until(page, () => !play.engine.away && document.getElementById('toast').textContent.includes('is back'));
    let asked = 0;
    page.on('request', (request) => { asked += request.url().endsWith('/api/think'); });
    await answered(3);
    assert.strictEqual(asked, 1);
  }, { url, quietErrors: true });
});

test('a tab that waits has its turn, and the one before it thinks on afterwards', async () => {
  await withPage(async (page, context) => {
    const other = await context.newPage();
    await other.goto(url + '#play');
    await ready(other);
    for (const each of [page, other]) await until(each, () => play.engine.native);
    const ask = (each, seconds) => each.evaluate(async ([start, time]) => {
      const from = performance.now();
      await play.engine.askNative(`time ${time}\nposition\n${start}`, () => {}).catch((error) => { if (!error.busy) throw error; });
      return (performance.now() - from) / 1000;
    }, [OPEN, seconds]);
    const long = ask(page, 9);
    await page.waitForTimeout(4500);
    assert.ok((await ask(other, 0.3)) < 6);
    assert.ok((await long) > 8, 'asked for the rest');
  }, { url, quietErrors: true });
});
