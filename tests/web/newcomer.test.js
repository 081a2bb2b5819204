// What somebody meets who is here for the first time: the start, the first game, its moves, its end, what is offered next.
'use strict';
const test = require('node:test');
const { assert, closeBrowser, withPage, square, text, until, begin, more } = require('./support.js');

test.after(closeBrowser);

const LAPTOP = { viewport: { width: 1366, height: 768 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const WON = ['H8', 'I8', 'I9', 'G7', 'H9', 'G9', 'H10', 'E8', 'H7', 'K10', 'H6'];
const show = (page, start, moves = [], players = ['human', 'human']) => page.evaluate(([position, list, who]) => { setGame(position, list); game.players = who; play.paused = false; refresh(); }, [start, moves, players]);
const listed = (page) => page.locator('#moves li').allTextContents();

test('a game is not lost by a look at the start: it is one click away, and another one asks first', async () => {
  await withPage(async (page) => {
    assert.strictEqual(await page.locator('.start-continue').count(), 0);
    await page.click('[data-game=gomoku] .start-play');
    await until(page, () => game.start && shownView().game === 'gomoku');
    await square(page, 112).click();
    await until(page, () => game.ply === 2 && !play.thinking);
    await page.click('.top .mark');
    await until(page, () => document.querySelector('.start-continue'));
    assert.match(await text(page, '.start-continue'), /Gomoku · 2 moves/);
    await page.click('[data-game=laser] a[href*=explore]');
    await until(page, () => location.hash.startsWith('#explore') && explorer.panes.length > 0);
    assert.strictEqual(await page.evaluate(() => game.moves.length), 2);
    await page.click('.top .mark');
    await page.click('[data-game=war] .start-play');
    await page.locator('#choice').getByText('Cancel').click();
    assert.deepStrictEqual(await page.evaluate(() => [game.moves.length, shownView().game]), [2, 'gomoku']);
  }, { ...LAPTOP, hash: '#start' });
});

test('every move stands once in the list, whether it came alone or with its answer', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 9);
    const names = [];
    for (const [at, name] of [[40, 'E5'], [41, 'F5'], [31, 'E4'], [32, 'F4']]) {
      await square(page, at).click();
      names.push(name);
      const rows = names.map((each, i) => (i % 2 ? null : `${i / 2 + 1}${each}${names[i + 1] || ''}`)).filter(Boolean);
      assert.deepStrictEqual(await listed(page), rows);
    }
    await page.click('#undo');
    await square(page, 50).click();
    assert.deepStrictEqual(await listed(page), ['1E5F5', '2E4F6']);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.strictEqual(await page.evaluate(() => game.ply), 2, 'the arrow keys go through the game');
    await page.keyboard.press('End');
    assert.strictEqual(await page.evaluate(() => game.ply), 4);
  });
});

test('a question is as large as its words, and none is asked where two moves do the same', async () => {
  await withPage(async (page) => {
    const START = 'war stake 3 X\n4 2 3\n5 9 4\n6 2 1\nX..\n.O.\n...\n';
    await show(page, START);
    await square(page, 1).click();
    await until(page, () => document.getElementById('choice').open);
    assert.ok((await page.locator('#choice').boundingBox()).width < 500);
    await page.keyboard.press('Escape');
    // A raid beside X that touches no O is the stake there.
    const QUIET = 'war stake 3 X\n4 2 3\n5 9 4\n6 2 1\nX..\n...\n..O\n';
    await page.evaluate(() => { location.hash = '#study'; });
    await until(page, () => document.querySelector('.study-file'));
    await page.setInputFiles('.study-file', { name: 'quiet.txt', mimeType: 'text/plain', buffer: Buffer.from(QUIET) });
    await until(page, () => study.name === 'quiet');
    await page.locator('.study-board [data-index="1"]').click();
    assert.strictEqual(await page.locator('#choice').evaluate((dialog) => dialog.open), false);
    await page.evaluate(() => { location.hash = '#puzzles/stake/1'; });
    await until(page, () => puzzle.puzzle?.kind === 'stake');
    const quiet = await page.evaluate(() => {
      const view = viewOf(puzzle.puzzle.start, []);
      const after = (move) => viewOf(puzzle.puzzle.start, [move]).text;
      const move = view.moves.find((each) => each.endsWith('Raid') && after(each) === after(each.replace('Raid', 'Stake')));
      return move ? squareOf(view, move) : -1;
    });
    if (quiet < 0) return;
    await page.locator(`.puzzle-board [data-index="${quiet}"]`).click();
    assert.strictEqual(await page.locator('#choice').evaluate((dialog) => dialog.open), false);
  }, LAPTOP);
});

test('the editor of every game says what there is to say, and no more', async () => {
  await withPage(async (page) => {
    for (let index = 0; index < await page.evaluate(() => rules.games.length); index++) {
      await page.evaluate((each) => { newGame({ index: each, players: ['human', 'human'] }); refresh(); }, index);
      await more(page, 'edit-open');
      assert.doesNotMatch(await text(page, '#edit'), /null|undefined|false/);
      assert.ok(await page.locator('#edit-value').isHidden());
      const value = page.locator('#brushes input[value=value]');
      if (await value.count()) {
        await value.check();
        assert.ok(await page.locator('#edit-value').isVisible());
      }
      await page.click('#edit-cancel');
    }
  }, LAPTOP);
});

test('a won game: who, how, the line with readable numbers, the course of the game, all in sight', async () => {
  await withPage(async (page) => {
    await show(page, 'gomoku freestyle 15\n', WON, ['human', 'club']);
    await until(page, () => document.querySelector('#end-graph polyline'));
    assert.strictEqual(await text(page, '#end h2'), 'You win!');
    assert.match(await text(page, '#end-how'), /^Game over: Black wins · 11 moves$/);
    assert.deepStrictEqual(await page.locator('#board .over text').allTextContents(), ['11', '9', '1', '5', '7']);
    assert.ok(await page.locator('#status').isHidden(), 'said once');
    const inside = await page.evaluate(() => {
      const frame = document.getElementById('end').getBoundingClientRect();
      return [...document.querySelectorAll('#end button')].every((each) => each.getBoundingClientRect().bottom <= frame.bottom + 1);
    });
    assert.ok(inside);
    await more(page, 'numbers');
    assert.strictEqual(await page.locator('#board text.label').count(), 0, 'stones without numbers');
  }, LAPTOP);
});

test('what there is to learn is listed, and ticked off', async () => {
  await withPage(async (page) => {
    assert.strictEqual(await page.locator('.learn-card').count(), 3);
    const first = page.locator('.learn-card >> nth=0');
    assert.strictEqual(await first.locator('.learn-list a').count(), 8);
    assert.strictEqual(await first.locator('.button').textContent(), 'Begin');
    await first.locator('.learn-list a >> nth=3').click();
    await page.locator('.learn-board [data-index="6"]').click();
    await until(page, () => /Three turned/.test(document.querySelector('.learn-said').textContent));
    await page.evaluate(() => { location.hash = '#learn'; });
    await until(page, () => document.querySelector('.learn-list .done'));
    assert.strictEqual(await first.locator('.done').textContent(), 'Several at once');
    assert.strictEqual(await first.locator('.button').textContent(), 'Go on');
  }, { ...LAPTOP, hash: '#learn' });
});

test('a day that never was is today; a damaged link says so where it cannot be overlooked', async () => {
  await withPage(async (page) => {
    await until(page, () => puzzle.puzzle);
    assert.match(await text(page, '.puzzle-title'), /^Puzzle of \d+ [A-Z][a-z]+ 20\d\d$/);
    await page.evaluate(() => { location.hash = '#study?g=zzz'; });
    await until(page, () => document.getElementById('toast').classList.contains('bad'));
    assert.match(await text(page, '#toast'), /damaged or cut off/);
  }, { ...LAPTOP, hash: '#puzzles/daily/2026-99-99' });
});

test('a file that is dropped on a study becomes one', async () => {
  await withPage(async (page) => {
    await until(page, () => document.querySelector('.study-board svg'));
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['(;GM[4]SZ[15];B[hh];W[hg](;B[ih])(;B[gg]))'], 'dropped.sgf'));
      document.querySelector('.study-board').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await until(page, () => study.name === 'dropped');
    assert.strictEqual(await page.evaluate(() => location.hash.split('?')[0]), '#study');
  }, { ...LAPTOP, hash: '#study' });
});

for (const locale of ['en-GB', 'de-DE']) {
  test(`on a phone a new game is chosen from fields one can read: ${locale}`, async () => {
    await withPage(async (page) => {
      await page.click('#new');
      await page.selectOption('#game', '3');
      const cut = await page.evaluate(() => {
        const pen = document.createElement('canvas').getContext('2d');
        return [...document.querySelectorAll('#new-form > .field select')].filter((each) => each.checkVisibility()).filter((each) => {
          pen.font = getComputedStyle(each).font;
          return pen.measureText(each.selectedOptions[0].textContent).width > each.clientWidth - 24;
        }).map((each) => each.selectedOptions[0].textContent);
      });
      assert.deepStrictEqual(cut, []);
    }, { ...PHONE, locale });
  });
}

test('without motion what a move gained is still written', async () => {
  await withPage(async (page) => {
    await show(page, 'war sneak 3 X\n1 2 3\n4 5 6\n7 8 9\nX..\n.O.\n...\n');
    await square(page, 1).click();
    assert.strictEqual(await text(page, '#board .gain'), '+7');
    assert.strictEqual(await page.locator('#board .gain').evaluate((each) => getComputedStyle(each).opacity), '1');
  }, { ...LAPTOP, reducedMotion: 'reduce' });
});

test('the move shown is in sight however long the game is', async () => {
  await withPage(async (page) => {
    const moves = Array.from({ length: 30 }, (unused, i) => `;${i % 2 ? 'W' : 'B'}[${String.fromCharCode(97 + ((i * 2) % 15), 97 + Math.floor((i * 2) / 15) % 15)}]C[A remark]`).join('');
    await page.setInputFiles('.study-file', { name: 'long.sgf', mimeType: 'text/plain', buffer: Buffer.from(`(;GM[4]SZ[15]${moves})`) });
    await until(page, () => study.name === 'long');
    const out = () => page.evaluate(() => {
      const now = document.querySelector('.study-tree .now')?.getBoundingClientRect();
      const frame = document.querySelector('.study-tree').getBoundingClientRect();
      return now && (now.top < frame.top || now.bottom > frame.bottom);
    });
    for (const key of ['End', 'ArrowLeft', 'Home', 'ArrowRight', 'End']) {
      await page.keyboard.press(key);
      assert.ok(!await out(), key);
    }
    await page.evaluate(() => {
      const tree = document.querySelector('.study-tree');
      const height = tree.getBoundingClientRect().height;
      Object.assign(tree.style, { flex: 'none', height: `${height * 0.6}px` });
    });
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    assert.ok(!await out(), 'with less room');
  }, { ...LAPTOP, hash: '#study' });
});

test('who is watched at first knows what to do', async () => {
  await withPage(async (page) => {
    await page.click('#new');
    for (const index of ['0', '2', '3']) {
      await page.selectOption('#game', index);
      await page.selectOption('#opponent', 'watch');
      assert.deepStrictEqual([await page.inputValue('#watched0'), await page.inputValue('#watched1')], ['strong', 'strong']);
    }
  }, LAPTOP);
});
