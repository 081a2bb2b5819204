// Studies: opened with their variations, reviewed, kept, exported, brought back; the lines of the analysis stay in place.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { test, after } = require('node:test');
const { assert, root, pictures, folderOf, closeBrowser, withPage, until, text, square, begin, more, file } = require('./support.js');

after(closeBrowser);

const LADDER = '(;GM[4]SZ[15]GN[Ladder]C[To begin with];B[hh];W[ig](;B[hi]C[One\nof two];W[hg])(;B[ii];W[gg]C[a \\] b]))';
const at = (page, index) => page.locator(`.study-board [data-index="${index}"]`);
const stones = (page) => page.locator('.study-board .piece').count();
const off = (page) => page.locator('.study-engine .switch').click();

async function importFile(page, name, content) {
  await page.setInputFiles('.study-file', file(name, content));
}

async function exported(page, kind) {
  await page.click('.study-more summary');
  const [download] = await Promise.all([page.waitForEvent('download'), (async () => {
    await page.click('.study-export');
    if (kind) await page.locator('#choice').getByText(kind, { exact: true }).click();
  })()]);
  return { name: download.suggestedFilename(), text: fs.readFileSync(await download.path(), 'utf8') };
}

test('an SGF opens with moves, variations and remarks, and goes out as it came', async () => {
  await withPage(async (page) => {
    await off(page);
    await importFile(page, 'ladder.sgf', LADDER);
    await until(page, () => document.querySelectorAll('.study-tree button').length === 6);
    assert.match(await text(page, '.study-tree'), /To begin with/);
    assert.match(await text(page, '.study-tree .branch'), /I9.*G7.*a \] b/s);
    assert.strictEqual(await page.inputValue('.study-select'), 'Ladder');
    const sgf = await exported(page, 'SGF');
    assert.strictEqual(sgf.name, 'Ladder.sgf');
    const own = await exported(page, 'text');
    assert.strictEqual(own.name, 'Ladder.txt');
    // Both come back as the same study.
    for (const { name, text: content } of [sgf, own]) {
      await importFile(page, name, content);
      await until(page, () => /^Ladder \d$/.test(document.querySelector('.study-select').value));
      const again = await exported(page, 'text');
      assert.strictEqual(again.text.replace(/^= .*/m, ''), own.text.replace(/^= .*/m, ''));
      await page.evaluate(() => document.querySelector('.study-select').value = '');
    }
  }, { hash: '#study' });
});

test('a war board is studied: variations, a remark, export and import, all kept over a reload', async () => {
  await withPage(async (page) => {
    await off(page);
    await importFile(page, 'war.txt', 'war sneak 3 X\n1 2 3\n4 5 6\n7 8 9\nX..\n.O.\n...\n');
    await until(page, () => document.querySelectorAll('.study-board [data-index]').length === 9);
    await at(page, 1).click();
    await at(page, 8).click();
    await page.fill('.study-comment', 'The corner');
    await page.keyboard.press('Tab');
    await page.locator('.study-tree').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.strictEqual(await stones(page), 2);
    await at(page, 3).click(); // another first move
    await until(page, () => document.querySelectorAll('.study-tree .branch').length === 1);
    const { text: content } = await exported(page);
    assert.deepStrictEqual(content.split('\n').slice(2), ['| war sneak 3 X', '| 1 2 3', '| 4 5 6', '| 7 8 9', '| X..', '| .O.', '| ...', '1 B1 Raid', '2 C3 Sneak', '> The corner', '1 A2 Raid', '']);
    await page.reload();
    await until(page, () => document.body.dataset.ready && document.querySelectorAll('.study-tree button').length === 3);
    assert.strictEqual(await stones(page), 3, 'the move that was shown is shown again');
    // Arrow keys walk: up to the variation beside it, home to the start.
    await page.locator('.study-tree').focus();
    await page.keyboard.press('ArrowUp');
    await until(page, () => document.querySelector('.study-tree .now').textContent.startsWith('B1'));
    await page.keyboard.press('End');
    assert.strictEqual(await page.inputValue('.study-comment'), 'The corner');
    await page.keyboard.press('Home');
    assert.strictEqual(await stones(page), 2);
  }, { hash: '#study' });
});

test('a review marks a blunder, says what was better, and one can play on from there', async () => {
  await withPage(async (page) => {
    await off(page);
    // Black has four in a row and plays elsewhere.
    await importFile(page, 'game.sgf', '(;GM[4]SZ[15];B[hh];W[hg];B[ih];W[ig];B[jh];W[jg];B[kh];W[gh];B[aa];W[lh])');
    await page.click('.study-review');
    await until(page, () => document.querySelector('.study-review').textContent === 'Review the game' && document.querySelector('.study-graph polyline'));
    const bad = page.locator('.study-tree button', { has: page.locator('.mark-blunder') });
    assert.ok((await bad.allTextContents()).includes('A1??'));
    await bad.filter({ hasText: 'A1' }).click();
    assert.match(await text(page, '.study-verdict'), /A1 is a blunder\. There was a win: Black wins in 1\./);
    assert.match(await text(page, '.study-better'), /L8/);
    await page.click('.study-better');
    await until(page, () => document.querySelectorAll('.study-tree .branch').length === 1 && document.querySelector('.study-tree .now').textContent === 'L8');
    assert.match(await text(page, '.study-status'), /Black wins/);
    await page.keyboard.press('ArrowLeft');
    await page.click('.study-playHere');
    await until(page, () => document.body.dataset.screen === 'play' && game.moves.length === 8);
  }, { hash: '#study' });
});

test('the graph leads to a move', async () => {
  await withPage(async (page) => {
    await off(page);
    await importFile(page, 'game.sgf', LADDER);
    await page.click('.study-review');
    await until(page, () => document.querySelector('.study-review').textContent === 'Review the game' && document.querySelector('.study-graph polyline'));
    const box = await page.locator('.study-graph svg').boundingBox();
    await page.mouse.click(box.x + box.width - 2, box.y + box.height / 2);
    await until(page, () => document.querySelector('.study-tree .now')?.textContent.startsWith('H7'));
    assert.match(await page.getAttribute('.gauge', 'aria-label'), /Black \d+%|wins/);
  }, { hash: '#study' });
});

test('every click on a line counts while the engine reports, and the focus stays', async () => {
  await withPage(async (page) => {
    await importFile(page, 'open.sgf', '(;GM[4]SZ[15];B[hh];W[ig])');
    await page.locator('.study-tree').focus();
    await page.keyboard.press('End');
    let played = 0;
    for (let i = 0; i < 8; i++) {
      await until(page, () => document.querySelector('.study-lines li:not([hidden]) button:not([hidden])') && !document.querySelector('.study-lines.stale'));
      const before = await page.evaluate(() => study.study.path().length);
      await page.locator('.study-lines li').nth(0).locator('button').nth(0).click({ delay: 120 });
      await until(page, (count) => study.study.path().length > count, before);
      played++;
      if (await page.evaluate(() => study.study.view().over)) break;
      assert.ok(await page.evaluate(() => document.querySelector('.study-lines').contains(document.activeElement)), 'the focus stays on the lines');
    }
    assert.ok(played >= 3);
  }, { hash: '#study' });
});

test('no move is listed twice, and everything speaks of one side', async () => {
  await withPage(async (page) => {
    await importFile(page, 'open.sgf', '(;GM[4]SZ[15];B[hh];W[ig];B[hi];W[hg];B[ih])');
    await page.locator('.study-tree').focus();
    await page.keyboard.press('End');
    await until(page, () => document.querySelectorAll('.study-lines li:not([hidden])').length > 1);
    for (let i = 0; i < 10; i++) {
      const seen = await page.evaluate(() => {
        const rows = [...document.querySelectorAll('.study-lines li:not([hidden])')];
        const moves = rows.map((row) => row.querySelector('button').textContent);
        const notes = moves.map((move) => document.querySelector(`.study-board [data-index="${squareOf(study.study.view(), move)}"] .note`)?.textContent);
        return { moves, values: rows.map((row) => row.querySelector('b').textContent), notes };
      });
      assert.strictEqual(new Set(seen.moves).size, seen.moves.length, String(seen.moves));
      seen.values.forEach((value, k) => {
        const percent = /Black (\d+%)/.exec(value);
        if (percent && seen.notes[k]?.endsWith('%')) assert.ok(Math.abs(parseInt(percent[1], 10) - parseInt(seen.notes[k], 10)) <= 1, `${value} and ${seen.notes[k]}`);
      });
      await page.waitForTimeout(60);
    }
    // A line is seen on the board while it is pointed at.
    const before = await stones(page);
    await page.locator('.study-lines li').nth(0).locator('button').nth(2).hover();
    await until(page, (count) => document.querySelectorAll('.study-board .piece').length === count + 3, before);
    await page.mouse.move(0, 0);
    await until(page, (count) => document.querySelectorAll('.study-board .piece').length === count, before);
  }, { hash: '#study' });
});

test('what is damaged or hostile is refused in a plain line, and the study stays', async () => {
  await withPage(async (page) => {
    await off(page);
    await importFile(page, 'ladder.sgf', LADDER);
    await until(page, () => document.querySelectorAll('.study-tree button').length === 6);
    const refused = async (name, content, words) => {
      await importFile(page, name, content);
      await until(page, (each) => document.getElementById('toast').textContent.includes(each), words);
      assert.strictEqual(await page.inputValue('.study-select'), 'Ladder');
      await page.evaluate(() => document.getElementById('toast').replaceChildren());
    };
    await refused('a.sgf', '(;GM[4];B[hh];W[hh])', 'line 1, column 17: expected an empty square');
    await refused('b.sgf', '(;GM[4];B[hh', "expected a ']'");
    await refused('c.sgf', '(;GM[1];B[hh])', 'game 4, Gomoku');
    await refused('d.txt', '\0\x01\xff', 'd.txt: ');
    await refused('e.txt', 'sortie study\n| gomoku freestyle 15\n1 H8\n3 H9\n', 'line 4: expected a number of moves');
    await refused('f.txt', 'sortie study\n| war stake 2 X\n| 1 2\n| 3 4\n| ..\n| ..\n1 Z9 Stake\n', 'line 7: ');
    await refused('g.sgf', '('.repeat(200000), 'g.sgf: ');
    await refused('h.sgf', 'x'.repeat(1100000), 'larger than 1 MiB');
    // Markup in a name or a remark is text and nothing else.
    await importFile(page, 'x.sgf', '(;GM[4]GN[<img src=x onerror=alert(1)>]C[<b id=evil>bold</b>];B[hh])');
    await until(page, () => document.querySelector('.study-tree').textContent.includes('<b id=evil>'));
    assert.strictEqual(await page.locator('#evil').count(), 0);
  }, { hash: '#study' });
});

test('the proof is played against to its end, and the count goes down', async () => {
  await withPage(async (page) => {
    await page.setInputFiles('.proof-file', path.join(root, 'tests', 'fuzz', 'seeds', 'gomoku-win.proof'));
    await until(page, () => document.querySelector('.proof-count b'));
    const counts = [];
    for (let i = 0; i < 40; i++) {
      if (/has five, as proved/.test(await text(page, '.study-proof'))) break;
      counts.push(Number(await text(page, '.proof-count b')));
      const before = await page.evaluate(() => study.study.path().length);
      const choice = await page.evaluate((number) => {
        const view = study.study.view();
        return squareOf(view, view.moves[(7 * number + 3) % view.moves.length]);
      }, i);
      await at(page, choice).click();
      await until(page, (length) => study.study.path().length >= length + 2 || study.study.view().over, before);
    }
    assert.match(await text(page, '.study-proof'), /has five, as proved/);
    assert.ok(counts.length > 1);
    counts.forEach((count, i) => assert.ok(i === 0 || count < counts[i - 1], String(counts)));
  }, { hash: '#study/proof' });
});

test('a damaged certificate is refused in words', async () => {
  await withPage(async (page) => {
    const whole = fs.readFileSync(path.join(root, 'tests', 'fuzz', 'seeds', 'gomoku-win.proof'));
    const broken = Buffer.from(whole);
    broken[broken.length - 20] ^= 0x55;
    for (const [name, buffer] of [['broken.proof', broken], ['half.proof', whole.subarray(0, whole.length / 2)], ['x.proof', Buffer.from('hello')], ['x.proof.xz', Buffer.from('fd377a585a00', 'hex')]]) {
      await page.setInputFiles('.proof-file', { name, mimeType: 'application/octet-stream', buffer });
      await until(page, (each) => document.querySelector('.proof-fault')?.textContent.startsWith(each + ': '), name);
    }
  }, { hash: '#study/proof' });
});

// For the documents, and for people to look at; light, dark, on a phone and for a projector.
for (const [name, options] of [['page-study', {}], ['study-dark', { colorScheme: 'dark' }], ['study-phone', { viewport: { width: 390, height: 844 } }], ['study-projector', { viewport: { width: 1920, height: 1080 } }]]) {
  test(`picture of a study: ${name}`, async () => {
    await withPage(async (page) => {
      await importFile(page, 'ladder.sgf', '(;GM[4]SZ[15]GN[The ladder];B[hh];W[ig](;B[hi];W[hg](;B[ih]C[Black is ahead here.];W[gi];B[jh];W[gh];B[kh])(;B[gi];W[fj]))(;B[ii];W[gg]))');
      await page.click('.study-review');
      await until(page, () => document.querySelector('.study-review').textContent === 'Review the game' && document.querySelector('.study-graph polyline'));
      await page.locator('.study-tree button', { hasText: 'G9' }).last().click();
      await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
      await until(page, () => document.querySelectorAll('.study-lines li:not([hidden])').length > 0);
      await page.waitForTimeout(1500);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
      fs.mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: path.join(folderOf(name), name + '.png') });
    }, { hash: '#study', ...options });
  });
}

test('the game that is played becomes a study', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 9);
    for (const index of [0, 1, 2]) await square(page, index).click();
    await more(page, 'study-open');
    await until(page, () => document.querySelectorAll('.study-tree button').length === 3);
    assert.strictEqual(await stones(page), 3);
  });
});
