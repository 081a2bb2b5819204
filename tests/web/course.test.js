// Course files: the page answers byte for byte as `sortie move` does, on every golden case.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { assert, golden, closeBrowser, withPage, ready, text, until, more, file } = require('./support.js');

test.after(closeBrowser);

const ANSWERS = ['output.txt', 'next_state.txt', 'traverse_log.txt', 'trace_state.txt'];

const cases = (course) => fs.readdirSync(path.join(golden, course)).map((name) => {
  const folder = path.join(golden, course, name);
  const read = (each) => fs.readFileSync(path.join(folder, each), 'utf8').replaceAll('\r', '');
  return { name, folder, input: fs.readFileSync(path.join(folder, 'input.txt'), 'utf8'), files: Object.fromEntries(ANSWERS.filter((each) => fs.existsSync(path.join(folder, each))).map((each) => [each, read(each)])) };
});

for (const course of ['stake', 'sneak']) {
  test(`all golden cases of ${course} are answered byte for byte`, async () => {
    await withPage(async (page) => {
      const all = cases(course);
      const answers = await page.evaluate(async (inputs) => {
        const list = [];
        for (const input of inputs) list.push((await play.engine.call('web_course_answer', input, [])).files);
        return list;
      }, all.map((each) => each.input));
      for (const [i, each] of all.entries()) {
        assert.deepStrictEqual(Object.fromEntries(answers[i].map((answer) => [answer.name, answer.text])), each.files, `${course} ${each.name}`);
      }
    });
  });
}

test('Laser Checkmate is answered with a move of the best margin', async () => {
  await withPage(async (page) => {
    for (const { folder, input, name } of cases('laser').filter((each, i) => i % 6 === 0)) {
      const [answer] = await page.evaluate(async (given) => (await play.engine.call('web_course_answer', given, [])).files, input);
      const values = fs.readFileSync(path.join(folder, 'values.txt'), 'utf8').trim().split('\n').map((line) => line.split(' '));
      const best = Math.max(...values.map((line) => Number(line[2])));
      const value = values.find((line) => line[0] + ' ' + line[1] === answer.text.trim());
      assert.strictEqual(Number(value && value[2]), best, `case ${name}`);
    }
  });
});

test('a file is dropped, its task shown, answered, looked at and saved', async () => {
  const { input, files } = cases('sneak').find((each) => each.files['traverse_log.txt']);
  await withPage(async (page) => {
    await page.evaluate((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], 'input.txt'));
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }));
    }, input);
    await until(page, () => !document.getElementById('course').hidden);
    assert.match(await text(page, '#course-task'), /^input.txt: Sneak-Raid course file\. The file asks for (minimax|alpha-beta), depth \d\.$/);
    await page.click('#course-answer');
    await page.waitForSelector('#course-files details');
    for (const [name, content] of Object.entries(files)) {
      const box = page.locator(`#course-files [data-name="${name}"]`);
      const lines = content.split('\n');
      assert.strictEqual((await box.locator('pre').textContent()).split('\n').slice(0, 400).join('\n'), lines.slice(0, 400).join('\n'));
      const waiting = page.waitForEvent('download');
      await box.locator('button').click();
      const saved = await waiting;
      assert.strictEqual(saved.suggestedFilename(), name);
      assert.strictEqual(fs.readFileSync(await saved.path(), 'utf8'), content);
    }
    await page.click('#course-engine');
    await until(page, () => document.getElementById('course-files')?.textContent.startsWith('The engine would play'));
    // The file is still there after a reload.
    await page.reload();
    await ready(page);
    await until(page, () => !document.getElementById('course').hidden);
  });
});

test('a file is pasted', async () => {
  await withPage(async (page) => {
    await more(page, 'paste');
    await page.fill('#paste-text', '2\r\nALPHABETA\r\nX\r\n2\r\n3 1\r\n2 5\r\n..\r\n.O\r\n');
    await page.click('#paste-ok');
    await until(page, () => !document.getElementById('course').hidden);
    assert.match(await text(page, '#course-task'), /alpha-beta, depth 2/);
    await page.click('#course-answer');
    await page.waitForSelector('#course-files pre');
    assert.strictEqual(await text(page, '#course-files pre'), 'A2 Stake\n..\nXO\n');
  });
});
