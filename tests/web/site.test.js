// The page as a folder on a host of files: with and without the headers of isolation, threads, offline, embedded, small.
'use strict';
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const test = require('node:test');
const { assert, root, openBrowser, closeBrowser, withPage, ready, until } = require('./support.js');

const site = path.join(root, 'build', 'site');
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/manifest+json', '.txt': 'text/plain' };
const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

// A host of files, in a folder as GitHub Pages has it: http://127.0.0.1:PORT/sortie/
function serveFiles(headers = {}, types = TYPES) {
  const asked = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url);
    if (request.url === '/embed') {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      return response.end('<!doctype html><iframe src="/sortie/#play" style="width: 1000px; height: 700px"></iframe>');
    }
    const name = request.url.replace(/\?.*/, '').replace(/^\/sortie\//, '') || 'index.html';
    const file = path.join(site, name);
    if (!request.url.startsWith('/sortie/') || !fs.existsSync(file)) {
      response.writeHead(404);
      return response.end('nothing here');
    }
    response.writeHead(200, { 'Content-Type': types[path.extname(name)] || 'application/octet-stream', ...headers });
    response.end(fs.readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve({
    asked, url: `http://127.0.0.1:${server.address().port}/sortie/`,
    close: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }),
  })));
}

test.after(closeBrowser);

const POSITION = 'war stake 6 X\n' + '3 8 1 9 4 7\n'.repeat(6) + '......\n'.repeat(6);
const search = (page, limits) => page.evaluate(async (text) => {
  const { best } = await play.engine.think(text);
  return best;
}, `${limits}\nposition\n${POSITION}`);
const offline = (page) => until(page, () => document.body.dataset.offline);

test('without headers: one thread at first, kept for later; then threads, the same nodes on one, and no network', async () => {
  const host = await serveFiles();
  const context = await (await openBrowser()).newContext();
  try {
    const page = await context.newPage();
    const strangers = [];
    page.on('request', (request) => !/^(blob|data):/.test(request.url()) && !request.url().startsWith(host.url) && strangers.push(request.url()));
    await page.goto(host.url + '#play');
    await ready(page);
    assert.deepStrictEqual(await page.evaluate(() => [crossOriginIsolated, play.engine.threads]), [false, 1]);
    const alone = await search(page, 'nodes 20000');
    await offline(page);
    await page.reload();
    await ready(page);
    const cores = await page.evaluate(() => navigator.hardwareConcurrency);
    assert.deepStrictEqual(await page.evaluate(() => [crossOriginIsolated, play.engine.threads]), [true, Math.min(cores, 8)]);
    const again = await search(page, 'nodes 20000');
    assert.deepStrictEqual([again.move, again.value, again.nodes], [alone.move, alone.value, alone.nodes]);
    await until(page, (count) => play.engine.helpers.length === count, Math.min(cores, 8) - 1);
    assert.ok((await search(page, 'time 0.5')).nodes > 1000);
    await host.close(); // and now without a network
    await page.reload();
    await ready(page);
    assert.ok((await search(page, 'time 0.2')).move);
    await page.goto(host.url + '#puzzles');
    await ready(page);
    await until(page, () => document.querySelector('#screen-puzzles svg'));
    assert.deepStrictEqual(strangers, []);
    assert.deepStrictEqual(host.asked.filter((name) => !fs.existsSync(path.join(site, name.replace('/sortie/', '')))), []);
  } finally {
    await context.close();
    await host.close().catch(() => {});
  }
});

test('with the headers of isolation: threads from the first visit, stopped within 100 ms and asked again', async () => {
  const host = await serveFiles(ISOLATION);
  try {
    await withPage(async (page) => {
      assert.ok(await page.evaluate(() => crossOriginIsolated));
      await search(page, 'time 0.3');
      const took = await page.evaluate(async (text) => {
        const times = [];
        for (let i = 0; i < 5; i++) {
          const thinking = play.engine.think(text);
          await new Promise((resolve) => setTimeout(resolve, 300));
          const from = performance.now();
          play.engine.stop();
          const { stopped } = await thinking;
          if (!stopped) throw new Error('not stopped');
          await play.engine.think(text.replace('time 30', 'nodes 1')); // the worker is free again
          times.push(performance.now() - from);
        }
        return Math.min(...times);
      }, `time 30\nposition\n${POSITION}`);
      assert.ok(took < 100, `${took} ms`);
    }, { url: host.url });
  } finally {
    await host.close();
  }
});

test('a host that knows no WebAssembly, and a page that shows this one in a frame', async () => {
  const host = await serveFiles({}, { ...TYPES, '.wasm': 'application/octet-stream' });
  try {
    const page = await (await openBrowser()).newPage();
    await page.goto(new URL('/embed', host.url).href);
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame.waitForFunction(() => document.body?.dataset.ready && document.querySelector('#board [data-index="0"]'), null, { timeout: 30000 });
    await page.close();
  } finally {
    await host.close();
  }
});

test('what a browser and a network of people look for is there, by relative names', () => {
  const page = fs.readFileSync(path.join(site, 'index.html'), 'utf8');
  const manifest = JSON.parse(fs.readFileSync(path.join(site, 'manifest.webmanifest'), 'utf8'));
  const named = [...page.matchAll(/(?:href|content)="([\w-]+\.(?:png|svg|webmanifest))"/g)].map((match) => match[1]);
  assert.deepStrictEqual(named.sort(), ['card.png', 'icon-180.png', 'manifest.webmanifest']);
  for (const name of [...named, ...manifest.icons.map((icon) => icon.src)]) assert.ok(fs.existsSync(path.join(site, name)), name);
  for (const icon of manifest.icons.filter((each) => each.src.endsWith('.png'))) {
    const bytes = fs.readFileSync(path.join(site, icon.src));
    assert.strictEqual(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, icon.sizes, icon.src);
  }
  assert.deepStrictEqual(manifest.shortcuts.map((each) => each.url), ['./#play', './#puzzles', './#explore']);
  const card = fs.readFileSync(path.join(site, 'card.png'));
  assert.strictEqual(`${card.readUInt32BE(16)}x${card.readUInt32BE(20)}`, '1200x630');
  assert.ok(manifest.icons.some((icon) => icon.purpose === 'maskable') && manifest.start_url === './' && manifest.display === 'standalone');
  assert.ok(!/https?:\/\/(?!www\.w3\.org)/.test(page.replace(/<script>[\s\S]*<\/script>/g, '')), 'no address of another');
});

test('a first visit loads less than 700 KB, packed', () => {
  const sum = ['index.html.gz', 'sortie.wasm.gz'].reduce((total, name) => total + fs.statSync(path.join(site, name)).size, 0);
  assert.ok(sum < 700000, `${sum} bytes`);
});
