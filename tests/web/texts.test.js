// Every language of the page is whole: the same texts, with the same places to fill in, and every text that is asked for.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const assert = require('node:assert');

const web = path.join(__dirname, '..', '..', 'web');
const languages = fs.readdirSync(path.join(web, 'texts')).map((name) => name.replace('.js', ''));
const textsOf = async (language) => (await import(path.join(web, 'texts', language + '.js'))).default;
const places = (words) => [...new Set(words.match(/\{\w+\}/g))].sort().join(' ');

function sources(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? sources(path.join(folder, each.name)) : fs.readFileSync(path.join(folder, each.name), 'utf8')));
}

test('every language has every text, with the same places to fill in', async () => {
  assert.ok(languages.length >= 2);
  const english = await textsOf('en');
  for (const language of languages) {
    const texts = await textsOf(language);
    assert.deepStrictEqual(Object.keys(texts).sort(), Object.keys(english).sort(), language);
    const wrong = Object.keys(texts).filter((key) => !texts[key].trim() || places(texts[key]) !== places(english[key]));
    assert.deepStrictEqual(wrong, [], language);
  }
});

test('no key is written twice, and every text asked for by its whole name is there', async () => {
  for (const language of languages) {
    const keys = [...fs.readFileSync(path.join(web, 'texts', language + '.js'), 'utf8').matchAll(/^ {2}'([^']+)':/gm)].map((match) => match[1]);
    assert.deepStrictEqual(keys.filter((key, i) => keys.indexOf(key) !== i), [], language);
  }
  const english = await textsOf('en');
  const asked = sources(path.join(web, 'js')).flatMap((source) => [...source.matchAll(/\bt\('([\w.-]+)'[,)]|data-(?:text|label)="([\w.-]+)"/g)].map((match) => match[1] || match[2]));
  assert.ok(asked.length > 50);
  assert.deepStrictEqual(asked.filter((key) => !(key in english)), []);
});

test('the German page says du throughout', async () => {
  const texts = await textsOf('de');
  assert.deepStrictEqual(Object.keys(texts).filter((key) => /\b(Sie|Ihnen)\b/.test(texts[key])), []);
});
