// The search explorer: every step of every golden log, cuts checked by hand, counts, links, size, the tour.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { assert, golden, closeBrowser, withPage, ready, text, until, file } = require('./support.js');

test.after(closeBrowser);

const logs = fs.readdirSync(path.join(golden, 'sneak')).map((name) => path.join(golden, 'sneak', name)).filter((folder) => fs.existsSync(path.join(folder, 'traverse_log.txt')));
const linesOf = (folder) => fs.readFileSync(path.join(folder, 'traverse_log.txt'), 'utf8').replaceAll('\r', '').trimEnd().split('\n');

// Opens a course file and its search.
async function exploreFile(page, content) {
  await page.setInputFiles('#file', file('input.txt', content));
  await until(page, () => !document.getElementById('course').hidden);
  await page.evaluate(() => { explorer.tree = null; });
  await page.click('#course-explore');
  await until(page, () => explorer.tree);
}

test('every step of every golden log', async () => {
  assert.ok(logs.length > 20);
  await withPage(async (page) => {
    for (const folder of logs) {
      await page.click('[data-goes=play]');
      await exploreFile(page, fs.readFileSync(path.join(folder, 'input.txt'), 'utf8'));
      const shown = await page.evaluate(() => {
        const lines = [explorer.tree.logHeader()];
        for (let step = 0; step < explorer.tree.count; step++) lines.push(explorer.tree.logLine(step));
        return lines;
      });
      assert.deepStrictEqual(shown, linesOf(folder), folder);
    }
  });
});

test('walking through a log by its buttons: board, line and tree follow', async () => {
  const folder = logs.reduce((best, each) => (linesOf(each).length < linesOf(best).length ? each : best));
  const lines = linesOf(folder);
  await withPage(async (page) => {
    await exploreFile(page, fs.readFileSync(path.join(folder, 'input.txt'), 'utf8'));
    for (let step = 0; step < lines.length - 1; step++) {
      assert.strictEqual(await text(page, '#log .now'), lines[step + 1]);
      const [name, depth, value] = lines[step + 1].split(',');
      const here = page.locator('#tree .here');
      assert.ok((await here.textContent()).startsWith(name), `the box of step ${step}`);
      assert.strictEqual((await here.locator('.value').textContent()).replace('−', '-').replace('∞', 'Infinity'), value);
      const moved = await page.locator('#node-board .piece').count();
      assert.strictEqual(moved, (await page.evaluate(() => viewOf(explorer.start, []).cells.filter(([ink]) => 'ab'.includes(ink)).length)) + Number(depth));
      if (step < lines.length - 2) await page.click('#step-next');
    }
    await page.click('#step-back');
    assert.strictEqual(await text(page, '#log .now'), lines[lines.length - 2]);
    await page.click('#step-first');
    assert.strictEqual(await text(page, '#log .now'), lines[1]);
    await page.locator('#log [data-step="3"]').click();
    assert.strictEqual(await text(page, '#log .now'), lines[4]);
  });
});

// By hand: X takes A1 (9); O's best answer is B2 (4), so A1 is worth 5. X takes B1 (2): already O's first answer A1
// gives 2 - 9 = -7 <= 5, so A2 and B2 are not looked at. The same after A2 (3 - 9 = -6) and B2 (4 - 9 = -5).
const TINY = 'war sneak 2 X\n9 2\n3 4\n..\n..\n';

test('cuts checked by hand, with their reasons, and what the order of moves is worth', async () => {
  await withPage(async (page) => {
    await page.evaluate((start) => { setGame(start); refresh(); }, TINY);
    await page.click('[data-goes=explore]');
    await page.click('#explore-run');
    await until(page, () => explorer.tree && explorer.counts.ordered !== undefined);
    const words = [];
    for (const name of ['B1', 'A2', 'B2']) {
      await page.click('#step-cut');
      words.push(await text(page, '#step-words'));
      assert.strictEqual(await page.locator('#tree .coming.cut').count(), 2, `two grey moves after ${name}`);
    }
    assert.deepStrictEqual(words, ['Cut in B1 Sneak (MIN): value −7 ≤ α = 5. 2 moves are not looked at.',
      'Cut in A2 Sneak (MIN): value −6 ≤ α = 5. 2 moves are not looked at.', 'Cut in B2 Sneak (MIN): value −5 ≤ α = 5. 2 moves are not looked at.']);
    assert.strictEqual(await text(page, '#tree .reason'), '✂ −5 ≤ α 5: MAX above has better already');
    await page.click('#step-cut');
    assert.match(await text(page, '#toast'), /No cut/);
    // 1 + 4 + 12 nodes without cuts; 1 + 4 + 3 + 1 + 1 + 1 with them, which no order can better.
    assert.deepStrictEqual(await page.evaluate(() => explorer.counts), { alphabeta: 11, minimax: 17, ordered: 11 });
    assert.match(await text(page, '#explore-note'), /The answer is A1 Sneak, value 5, after 11 nodes/);
    // Minimax has no bounds and no cuts.
    await page.selectOption('#explore-method', '1');
    await page.click('#explore-run');
    await until(page, () => explorer.tree && !explorer.tree.bounds);
    assert.strictEqual(await page.evaluate(() => explorer.tree.nodes), 17);
    assert.strictEqual(await page.locator('#tree .bound').count(), 0);
  });
});

test('over a subtree, by keyboard, by speed, and by a click in the tree', async () => {
  await withPage(async (page) => {
    await page.evaluate((start) => { setGame(start); refresh(); }, TINY);
    await page.click('[data-goes=explore]');
    await page.click('#explore-run');
    await until(page, () => explorer.tree);
    await page.click('#step-next');
    await page.click('#step-over');
    assert.match(await text(page, '#step-words'), /^Back in root \(MAX\): the value is 5/);
    await page.focus('#tree');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    assert.strictEqual(await page.evaluate(() => explorer.step), 1);
    await page.locator('#tree [data-node="1"]').click();
    assert.match(await text(page, '#step-words'), /Back in A1 Sneak/);
    await page.locator('#speed').fill('6');
    await page.click('#step-first');
    await page.click('#step-play');
    await until(page, () => explorer.step === explorer.tree.count - 1 && !explorer.timer);
  });
});

test('a link leads to a step', async () => {
  await withPage(async (page, context) => {
    await page.evaluate((start) => { setGame(start, ['A1']); refresh(); }, TINY);
    await page.click('[data-goes=explore]');
    await page.click('#explore-run');
    await until(page, () => explorer.tree);
    await page.locator('#step-slider').fill('4');
    await page.click('#explore-link');
    await until(page, () => location.hash.includes('x=2.2.4'));
    const words = await text(page, '#step-words');
    const other = await context.newPage();
    await other.goto(page.url());
    await ready(other);
    await until(other, () => explorer.tree && explorer.step === 4);
    assert.strictEqual(await text(other, '#step-words'), words);
  });
});

test('a tree of more than 100,000 nodes stays smooth and small', async () => {
  await withPage(async (page) => {
    await page.evaluate(() => { setGame(startText(1, 5, 7)); refresh(); });
    await page.click('[data-goes=explore]');
    await page.selectOption('#explore-method', '1');
    await page.fill('#explore-depth', '4');
    await page.click('#explore-run');
    await until(page, () => explorer.tree && explorer.tree.nodes > 100000);
    const measure = () => page.evaluate(() => {
      const times = [];
      for (let i = 0; i < 40; i++) {
        const from = performance.now();
        goToStep(Math.floor((explorer.tree.count * ((i * 7919) % 40)) / 40));
        document.getElementById('tree').getBoundingClientRect();
        times.push(performance.now() - from);
      }
      return times.sort((a, b) => a - b)[20];
    });
    const times = [await measure(), await measure(), await measure()];
    assert.ok(Math.min(...times) < 50, `a step takes ${times} ms`);
    assert.ok((await page.locator('#screen-explore *').count()) < 1500);
    // Beyond the limit the beginning is shown, and it is said.
    await page.fill('#explore-depth', '6');
    await page.click('#explore-run');
    await until(page, () => document.getElementById('explore-note').textContent.includes('larger than'));
  });
});

test('the tour', async () => {
  await withPage(async (page) => {
    await page.click('[data-goes=explore]');
    await page.click('#explore-tour');
    const titles = [];
    for (let i = 0; i < 8; i++) {
      await page.waitForSelector(`#tour h2:has-text("${i + 1} / 8")`);
      titles.push(await text(page, '#tour h2'));
      assert.doesNotMatch(await text(page, '#tour p'), /[{}]|undefined/);
      if (i < 7) await page.click('#tour .strong');
    }
    assert.match(titles[6], /A cut/);
    await page.getByText('Close').click();
    assert.ok(await page.locator('#tour').isHidden());
  });
});
