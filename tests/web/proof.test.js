// Certificates on the page: opened or dropped, their positions are known, shown as proved and played at once.
'use strict';
const { test, after } = require('node:test');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { assert, root, pictures, closeBrowser, withPage, pieces, text, until, begin, file } = require('./support.js');

after(closeBrowser);

const certificate = path.join(root, 'tests', 'fuzz', 'seeds', 'gomoku-win.proof');
const head = fs.readFileSync(certificate, 'latin1').split('\n').slice(0, 12);

// What the program itself says about the certificate's position.
function native() {
  const position = ['gomoku freestyle 8', ...head.slice(4)].join('\n') + '\n';
  const answer = execFileSync(path.join(root, 'build', 'sortie'), ['analyze', '-', '--json', '--nodes', '100'], { input: position, env: { ...process.env, SORTIE_PROOFS: certificate } });
  return JSON.parse(answer.toString().trim().split('\n').pop());
}

const said = (page, words) => until(page, (each) => document.getElementById('toast').textContent.includes(each), words);

test('a certificate is opened, shown and played', async () => {
  await withPage(async (page) => {
    const { move } = native();
    await begin(page, 3, 8);
    await page.setInputFiles('#file', certificate);
    await said(page, 'proved positions');
    assert.match(await text(page, '#toast'), /^gomoku-win\.proof: \d+ proved positions\./);
    assert.strictEqual(await pieces(page), head.slice(4).join('').replaceAll('.', '').length);
    fs.mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, 'proof.png') });

    // A hint is the winning move, without a search.
    await page.evaluate(() => { game.players = ['human', 'human']; play.paused = false; refresh(); });
    await page.click('#hint');
    await until(page, () => play.report.startsWith('Hint'));
    assert.match(await text(page, '#report'), new RegExp(`^Hint: ${move}, Black wins in \\d+$`));

    // A side at full strength follows the proof to its end, whatever is answered.
    await page.evaluate(() => { game.players = ['full', 'human']; continueGame(); });
    await until(page, () => !play.thinking && play.report);
    assert.match(await text(page, '#report'), new RegExp(`^The engine plays ${move}: Black wins in \\d+, proved$`));
    for (let i = 0; i < 40 && !/Game over/.test(await text(page, '#status')); i++) {
      await page.locator('#board [data-index]').evaluateAll((squares) => squares.find((each) => !each.querySelector('.piece')).dispatchEvent(new MouseEvent('click', { bubbles: true })));
      await until(page, () => shownView().over || (playerToMove() === 'human' && !play.thinking));
      assert.match(await text(page, '#report'), /proved$/);
    }
    assert.match(await text(page, '#status'), /Black wins/);
  });
});

test('a game under way is kept, and damage is noticed', async () => {
  await withPage(async (page) => {
    await begin(page, 3, 15);
    await page.locator('#board [data-index="112"]').click();
    const damaged = fs.readFileSync(certificate);
    damaged[200] ^= 1;
    await page.setInputFiles('#file', { name: 'damaged.proof', mimeType: '', buffer: damaged });
    await said(page, 'damaged.proof: expected certificates of wins');
    await page.setInputFiles('#file', file('other.proof', 'sortie proof 1\ngame war stake 4\n'));
    await said(page, 'other.proof: expected certificates of wins');
    await page.setInputFiles('#file', certificate);
    await said(page, 'proved positions');
    assert.strictEqual(await pieces(page), 1);
  });
});
