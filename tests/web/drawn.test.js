// How sides and moves are drawn and named, by their shapes and colours; the languages the build finds.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { test, after } = require('node:test');
const { assert, root, closeBrowser, withPage, until, begin, file } = require('./support.js');

after(closeBrowser);

// How light a drawn thing is, 0 to 1: its fill, of a shaded stone the colour in the middle of its shade.
const lightness = (page, selector) => page.locator(selector).first().evaluate((element) => {
  const paint = getComputedStyle(element).fill;
  const shade = /url\("?#([\w-]+)/.exec(paint);
  const colour = shade ? getComputedStyle(document.getElementById(shade[1]).children[1]).stopColor : paint;
  const [red, green, blue] = colour.match(/[\d.]+/g).map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
});

test('X is drawn as a cross and O as a ring, on the board and beside it', async () => {
  await withPage(async (page) => {
    await page.evaluate(() => { setGame('war stake 2 X\n1 2\n3 4\nX.\n.O\n'); game.players = ['human', 'human']; refresh(); });
    for (const place of ['#board', '.player']) {
      assert.strictEqual(await page.locator(`${place} .glyph.first`).first().evaluate((each) => each.tagName), 'path', place);
      assert.strictEqual(await page.locator(`${place} .glyph.second`).first().evaluate((each) => each.tagName), 'circle', place);
    }
  });
});

for (const colorScheme of ['light', 'dark']) {
  test(`black stones are black and white ones white, with numbers that are read on both, ${colorScheme}`, async () => {
    await withPage(async (page) => {
      await page.evaluate(() => { setGame('gomoku freestyle 15\n', ['H8', 'I8']); game.players = ['human', 'human']; refresh(); });
      for (const [side, isDark] of [['first', true], ['second', false]]) {
        for (const place of ['#board', '#player-above, #player-below']) {
          const selector = place.split(', ').map((each) => `${each} .piece.${side}`).join(', ');
          const stone = await lightness(page, selector);
          assert.ok(isDark ? stone < 0.25 : stone > 0.8, `${selector}: ${stone}`);
        }
        const number = await lightness(page, `#board .label.on-piece.${side}`);
        assert.ok(isDark ? number > 0.75 : number < 0.25, `the number on a ${side} stone: ${number}`);
      }
    }, { colorScheme });
  });
}

test('moves of Laser Checkmate have names people read, with the course’s numbers behind them', async () => {
  await withPage(async (page) => {
    await begin(page, 2, 8);
    const index = await page.evaluate(() => squareOf(shownView(), shownView().moves[0]));
    const move = await page.evaluate(() => shownView().moves[0]);
    await page.locator(`#board [data-index="${index}"]`).click();
    await until(page, () => game.ply === 1);
    const said = await page.locator('#moves button').first().textContent();
    assert.strictEqual(said, `${String.fromCharCode(65 + (index % 8))}${Math.floor(index / 8) + 1} (${move})`);
  });
});

test('the bar beside a study takes no room when its value comes', async () => {
  await withPage(async (page) => {
    const where = () => page.locator('.study-board').evaluate((each) => { const { x, y, width } = each.getBoundingClientRect(); return [x, y, width].join(); });
    await page.locator('.study-engine .switch').click();
    await page.setInputFiles('.study-file', file('open.sgf', '(;GM[4]SZ[15];B[hh];W[ig])'));
    await until(page, () => document.querySelectorAll('.study-board .piece').length > 0 || document.querySelectorAll('.study-tree button').length === 2);
    const before = await where();
    await page.locator('.study-engine .switch').click();
    await until(page, () => document.querySelector('.gauge-number').textContent !== '' && document.querySelector('.study-lines li:not([hidden])'));
    assert.strictEqual(await where(), before);
  }, { hash: '#study', viewport: { width: 1366, height: 768 } });
});

test('two engines are watched at the pace that is set', async () => {
  await withPage(async (page) => {
    await begin(page, 0, 3, ['human', 'human']);
    await page.evaluate(() => {
      keep('pace', 500);
      globalThis.seen = [];
      const told = game.players;
      play.listeners.push(() => { if (seen.length < game.ply) seen.push(performance.now()); });
      game.players = told.map(() => 'first');
      continueGame();
    });
    await until(page, () => game.ply >= 5);
    const gaps = await page.evaluate(() => seen.slice(1).map((time, i) => time - seen[i]));
    assert.ok(gaps.every((gap) => gap >= 450), gaps.map(Math.round).join(' '));
  });
});

test('another language is one more file', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sortie-language-'));
  try {
    for (const each of ['web', 'tools', 'CMakeLists.txt']) fs.cpSync(path.join(root, each), path.join(folder, each), { recursive: true });
    fs.mkdirSync(path.join(folder, 'build', 'web'), { recursive: true });
    fs.copyFileSync(path.join(root, 'build', 'web', 'module'), path.join(folder, 'build', 'web', 'module'));
    const english = fs.readFileSync(path.join(root, 'web', 'texts', 'en.js'), 'utf8');
    fs.writeFileSync(path.join(folder, 'web', 'texts', 'fr.js'), english.replace("'language': 'English'", "'language': 'Français'"));
    execFileSync(path.join(folder, 'tools', 'web.sh'), ['page'], { stdio: 'pipe' });
    assert.match(fs.readFileSync(path.join(folder, 'build', 'sortie.html'), 'utf8'), /language:"Français"/);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
