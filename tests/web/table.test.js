// What went wrong at the board once: colours that change hands, taking back, focus, clocks, links, large boards.
'use strict';
const test = require('node:test');
const { assert, closeBrowser, withPage, square, text, until, begin, more } = require('./support.js');

test.after(closeBrowser);

const RAID = 'war stake 3 X\n4 2 3\n5 9 4\n6 2 1\nX..\n.O.\n...\n';
const show = (page, start, moves = [], players = ['human', 'human']) => page.evaluate(([text, list, who]) => { setGame(text, list); game.players = who; play.paused = false; refresh(); }, [start, moves, players]);
const players = (page) => page.evaluate(() => [...document.querySelectorAll('.player b')].map((each) => each.textContent));
const sides = (page) => page.evaluate(() => [...document.querySelectorAll('.player .who .soft')].map((each) => each.textContent.split(' · ')[0]));

test('with the swap the engine opens where neither side is glad of the stone', async () => {
  await withPage(async (page) => {
    for (let i = 0; i < 4; i++) {
      await begin(page, 3, 15, ['first', 'human'], { opening: 'swap' });
      await until(page, () => game.ply === 1 && !play.thinking);
      assert.notStrictEqual(await page.evaluate(() => game.moves[0]), 'H8');
      assert.strictEqual(await page.evaluate(() => shownView().swap), 0, 'a stone that is not worth taking');
    }
  });
});

test('the swap, both ways, and taken back with its colours', async () => {
  await withPage(async (page) => {
    // You begin in the middle: the engine takes the stone, and you move again with the other colour.
    await begin(page, 3, 15, ['human', 'first'], { opening: 'swap' });
    assert.deepStrictEqual(await sides(page), ['White', 'Black']);
    await square(page, 112).click();
    await until(page, () => game.decisions.length === 1 && !play.thinking);
    assert.deepStrictEqual(await sides(page), ['Black', 'White']);
    await square(page, 113).click();
    await until(page, () => game.ply === 3 && !play.thinking);
    await page.click('#undo');
    await page.click('#undo');
    assert.strictEqual(await page.evaluate(() => game.ply), 0);
    assert.deepStrictEqual(await sides(page), ['White', 'Black'], 'the colours of the beginning');
    // The engine begins: you may take its stone, and think again.
    await begin(page, 3, 15, ['first', 'human'], { opening: 'swap' });
    await until(page, () => game.ply === 1 && !play.thinking);
    await page.click('#choice-swap');
    await until(page, () => game.ply === 2 && !play.thinking);
    assert.deepStrictEqual(await sides(page), ['White', 'Black']);
    assert.deepStrictEqual(await players(page), ['Engine', 'You']);
    await page.click('#undo');
    assert.deepStrictEqual(await sides(page), ['Black', 'White']);
    assert.ok(await page.locator('#choice-swap').isVisible(), 'the choice is open again');
  });
});

test('swap2: three stones, then a choice, also of two more stones', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 15, ['human', 'first'], { opening: 'swap2' });
    assert.match(await text(page, '#status'), /three stones/);
    for (const at of [112, 113, 97]) await square(page, at).click();
    await until(page, () => game.decisions.length === 1 && !play.thinking && playerToMove() === 'human');
    assert.ok(['swap', 'stay'].includes(await page.evaluate(() => game.decisions[0].choice)));
    await begin(page, 3, 15, ['first', 'human'], { opening: 'swap2' });
    await until(page, () => game.ply === 3 && !play.thinking);
    await square(page, 0).click();
    assert.strictEqual(await page.evaluate(() => game.ply), 3, 'first the colour is chosen');
    await page.click('#choice-two');
    for (const at of [0, 14]) await square(page, at).click();
    await until(page, () => game.decisions.length === 2 && !play.thinking);
  });
});

test('one square with two kinds of move: asked only where they differ, and Enter takes the one that stands out', async () => {
  await withPage(async (page) => {
    await show(page, 'war stake 3 X\n4 2 3\n5 9 4\n6 2 1\nX..\n..O\n...\n');
    await square(page, 3).click(); // A2 touches an own piece and no other
    await until(page, () => game.ply === 1);
    await show(page, RAID);
    await square(page, 1).click();
    assert.strictEqual(await page.evaluate(() => document.activeElement.textContent), 'B1 Raid');
    assert.match(await page.evaluate(() => document.activeElement.className), /strong/);
    await page.keyboard.press('Enter');
    await until(page, () => game.moves[0] === 'B1 Raid');
  });
});

test('Enter plays the square that has the focus, however it came there; the keyboard sees what a move turns', async () => {
  await withPage(async (page) => {
    await show(page, 'gomoku freestyle 15\n');
    await square(page, 30).evaluate((element) => element.focus());
    await page.keyboard.press('Enter');
    assert.deepStrictEqual(await page.evaluate(() => game.moves), ['A3']);
    await show(page, RAID.replace('stake', 'sneak'));
    await page.locator('#board [tabindex="0"]').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowRight');
    await until(page, () => document.querySelectorAll('#board .mark.preview').length === 2);
    // The mark of the focus lies over all squares and inside the picture.
    assert.strictEqual(await page.locator('#board .focus').getAttribute('visibility'), 'visible');
    assert.ok(await page.evaluate(() => document.querySelector('#board svg').lastElementChild.classList.contains('focus')));
  });
});

test('a new game while a position is edited ends the editing', async () => {
  await withPage(async (page) => {
    await begin(page, 0, 4);
    await more(page, 'edit-open');
    await square(page, 0).click();
    await page.click('#new');
    await page.selectOption('#game', '3');
    await page.selectOption('#opponent', 'human');
    await page.click('#begin');
    await until(page, () => document.querySelectorAll('#board [data-index]').length === 225);
    assert.ok(await page.locator('#edit').isHidden());
    await square(page, 112).click();
    assert.deepStrictEqual(await page.evaluate(() => game.moves), ['H8']);
  });
});

test('who runs out of time loses, and the game may go on without a clock', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 9, ['human', 'human'], { minutes: 1 });
    await square(page, 40).click();
    await page.evaluate(() => { game.used[1] = 59.9; });
    await until(page, () => game.lostOnTime === 1);
    assert.strictEqual(await text(page, '#status'), 'Black wins on time');
    assert.strictEqual(await text(page, '#end h2'), 'Black wins');
    assert.match(await text(page, '#player-above'), /out of time/);
    await square(page, 41).click();
    assert.strictEqual(await page.evaluate(() => game.ply), 1);
    await page.getByText('Go on without a clock').click();
    await square(page, 41).click();
    assert.strictEqual(await page.evaluate(() => game.ply), 2);
  });
});

test('the opening move of the engine stays its own', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 9, ['first', 'human']);
    await until(page, () => game.ply === 1 && !play.thinking);
    assert.ok(await page.locator('#undo').isDisabled(), 'nothing of yours to take back');
    await page.evaluate(() => goTo(0));
    await square(page, 0).click();
    assert.strictEqual(await page.evaluate(() => game.ply), 0, 'it is not your turn');
    await page.click('#go');
    await until(page, () => game.ply === 1 && !play.thinking);
  });
});

test('a link of a page on disk says so, and a public address makes it one for all', async () => {
  await withPage(async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await begin(page, 0, 3);
    await square(page, 0).click();
    await more(page, 'share-open');
    assert.match(await text(page, '#share .note'), /opened from this computer/);
    await page.click('#link');
    await until(page, () => /^Copied: the part/.test(document.getElementById('toast').textContent));
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^#play\?g=/);
    await page.fill('#public-address', 'https://example.org/sortie.html');
    await page.locator('#public-address').blur();
    await until(page, () => document.getElementById('share-link').value.startsWith('https://example.org/sortie.html#play?g='));
  });
});

test('a damaged link is told in plain words', async () => {
  await withPage(async (page) => {
    assert.strictEqual(await text(page, '#toast span'), 'The link holds no game: it is damaged or cut off');
  }, { hash: '#play?g=***' });
});

test('every screen has one main part and a heading that takes the focus', async () => {
  await withPage(async (page) => {
    for (const name of ['start', 'learn', 'puzzles', 'study', 'explore', 'play']) {
      await page.evaluate((each) => { location.hash = '#' + each; }, name);
      await until(page, (each) => document.body.dataset.screen === each && document.title.endsWith('– sortie') && document.activeElement.tagName === 'H1', name);
      assert.strictEqual(await page.evaluate(() => [...document.querySelectorAll('main')].filter((each) => each.checkVisibility()).length), 1, name);
    }
  });
});

test('marks on stones are round', async () => {
  await withPage(async (page) => {
    await show(page, 'gomoku freestyle 9\n', ['E5', 'F5']);
    await page.evaluate(() => { play.hint = { ply: 2, move: 'E6' }; refresh(); });
    assert.deepStrictEqual(await page.evaluate(() => ['.mark', '.last'].map((name) => document.querySelector('#board ' + name).tagName)), ['circle', 'circle']);
  });
});

test('learning: a wrong move is taken back, a right one leads on, an exercise is judged by the engine', async () => {
  await withPage(async (page) => {
    const at = (index) => page.locator(`.learn-board [data-index="${index}"]`);
    await at(0).click();
    assert.match(await text(page, '.learn-said'), /taken/);
    await at(2).click();
    assert.match(await text(page, '.learn-said'), /Not quite/);
    await page.waitForTimeout(1600);
    await at(4).click();
    assert.match(await text(page, '.learn-said'), /You lead/);
    await page.keyboard.press('Enter');
    await until(page, () => location.hash === '#learn/war/3');
    for (const [hash, wrong, good] of [['#learn/war/6', 15, 1], ['#learn/gomoku/6', 0, 41]]) {
      await page.evaluate((each) => { location.hash = each; }, hash);
      await until(page, () => /Find the move/.test(document.querySelector('.learn-said').textContent));
      await at(wrong).click();
      await until(page, () => /better move/.test(document.querySelector('.learn-said').textContent));
      await page.waitForTimeout(1600);
      await at(good).click();
      await until(page, () => /Solved/.test(document.querySelector('.learn-said').textContent));
    }
    await page.evaluate(() => { location.hash = '#learn'; });
    assert.match(await text(page, '.learn-card >> nth=0'), /2 of 8 done/);
  }, { hash: '#learn/war/2' });
});

test('every step of every lesson can be done, and no exercise is without a solution', async () => {
  const fs = require('node:fs');
  const path = require('node:path');
  const { startRules, viewOf, askText, rules } = await import('../../web/js/core/rules.js');
  const { LESSONS } = await import('../../web/js/screens/learn/lessons.js');
  await startRules(await WebAssembly.compile(fs.readFileSync(path.join(__dirname, '..', '..', 'build', 'web', 'sortie.wasm'))));
  for (const [name, { steps, exercises }] of Object.entries(LESSONS)) {
    steps.forEach(({ start, done }, i) => {
      const before = viewOf(start, []);
      assert.ok(before.moves.some((move) => done(before, viewOf(start, [move]), move)), `${name} ${i + 1}`);
    });
    for (const { start, goal } of exercises) {
      const { best } = JSON.parse(rules.engine.call('web_think', askText(start, [], { nodes: 60000 })));
      assert.ok(goal === 'win' ? best.value > 29000 : best.value > 0 && best.lower === best.upper, name + start);
    }
  }
});
