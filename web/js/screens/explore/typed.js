// A tree as exercises write it: ((3 12 8) (2 4 6) (14 5 2)). Numbers are leaves, brackets are nodes; "min" before it
// lets MIN move at the root. A name and a colon before a node name it: T:(3 5); the name alone further on means the
// same position again, as a transposition. (3 5)@4 says what an evaluation of that inner node would be.
import { GameTree, finish } from './gametree.js';

const MOST_NODES = 100000;
const MOST_DEPTH = 30;
const MOST_TEXT = 1 << 20;
const MOST_VALUE = 1000000000;
const CLOSING = { '(': ')', '[': ']', '{': '}' };

// What is wrong with a typed tree and where; `code` and `words` are for the page's texts.
class TreeError extends Error {
  constructor(code, line, column, words = {}) {
    super(`line ${line}, column ${column}: ${code} ${JSON.stringify(words)}`);
    Object.assign(this, { code, line, column, words });
  }
}

// The pieces of the text with their places: brackets, numbers, names, ':' and '@'.
function* tokensOf(text) {
  const pattern = /([\s,;]+)|([()[\]{}])|([-−–+]?\d+(?![\p{L}\p{N}_.]))|([\p{L}_][\p{L}\p{N}_']*)|([:@])/uy;
  let line = 1;
  let start = 0; // of the line
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    const place = { line, column: at - start + 1 };
    if (!found) throw new TreeError('unexpected', place.line, place.column, { found: /^[-−–+]?[\w.]+|^./us.exec(text.slice(at, at + 20))[0] });
    const [whole, blank, bracket, number, word, sign] = found;
    if (blank) {
      for (let i = at; i < at + whole.length; i++) {
        if (text[i] !== '\n') continue;
        line++;
        start = i + 1;
      }
    } else yield { ...place, bracket, number, word, sign, text: whole };
  }
  yield { line, column: text.length - start + 1, end: true, text: '' };
}

const fail = (code, token, words = {}) => {
  throw new TreeError(token.end && code === 'expectedNode' ? 'endOpen' : code, token.line, token.column, { found: token.text, ...words });
};

function numberOf(token) {
  const value = Number(token.number.replace(/^[−–]/, '-'));
  if (Math.abs(value) > MOST_VALUE) fail('large', token);
  return value || 0; // and no -0
}

// Reads nodes with a stack of open brackets, so that no depth of them can overrun anything.
class Parser {
  constructor(text) {
    this.tokens = tokensOf(text);
    this.named = new Map();
    this.open = []; // {children, bracket, name, token}
    this.root = null;
    this.next();
  }

  next() {
    this.token = this.tokens.next().value;
  }

  take() {
    const token = this.token;
    this.next();
    return token;
  }

  parse() {
    const min = this.side();
    while (!this.root) this.step();
    if (!this.token.end) fail(this.token.bracket && !CLOSING[this.token.bracket] ? 'closedTwice' : 'afterEnd', this.token);
    return { node: this.root, rootIsMax: !min };
  }

  side() {
    const word = this.token.word && this.token.word.toLowerCase();
    if (word !== 'max' && word !== 'min') return false;
    this.next();
    if (this.token.sign === ':') this.next();
    return word === 'min';
  }

  step() {
    const token = this.take();
    if (token.number !== undefined) return this.add({ value: numberOf(token), children: [] }, token);
    if (token.word !== undefined) return this.word(token);
    if (token.bracket && CLOSING[token.bracket]) return this.begin(token, '');
    if (token.bracket) return this.finish(token);
    return fail('expectedNode', token);
  }

  begin(token, name) {
    if (this.open.length === MOST_DEPTH) fail('deep', token, { most: MOST_DEPTH });
    this.open.push({ children: [], size: 1, bracket: token.bracket, name, token });
  }

  word(token) {
    if (this.token.sign !== ':') {
      const again = this.named.get(token.word);
      if (!again) fail('unknownName', token);
      return this.add(again, token);
    }
    this.next();
    if (this.named.has(token.word)) fail('nameTwice', token);
    const after = this.take();
    if (after.number !== undefined) {
      const leaf = { value: numberOf(after), children: [], name: token.word };
      this.named.set(token.word, leaf);
      return this.add(leaf, token);
    }
    if (after.bracket && CLOSING[after.bracket]) return this.begin(after, token.word);
    return fail('expectedNode', after);
  }

  finish(token) {
    const frame = this.open.pop();
    if (!frame) fail('closedTwice', token);
    if (CLOSING[frame.bracket] !== token.bracket) fail('otherBracket', token, { expected: CLOSING[frame.bracket] });
    if (!frame.children.length) fail('empty', token);
    const node = { children: frame.children, size: frame.size, name: frame.name, depth: 1 + Math.max(...frame.children.map((each) => each.depth || 0)) };
    if (this.token.sign === '@') {
      this.next();
      const estimate = this.take();
      if (estimate.number === undefined) fail('expectedNumber', estimate);
      node.estimate = numberOf(estimate);
    }
    if (frame.name) {
      if (this.named.has(frame.name)) fail('nameTwice', frame.token, { found: frame.name });
      this.named.set(frame.name, node);
    }
    this.add(node, frame.token);
  }

  // A node that is whole. A name that is used again adds all of its subtree once more.
  add(node, token) {
    const above = this.open.at(-1);
    if (!above) {
      if (!node.children.length) fail('onlyNumber', token);
      this.root = node;
      return;
    }
    if (this.open.length + (node.depth || 0) > MOST_DEPTH) fail('deep', token, { most: MOST_DEPTH });
    above.children.push(node);
    above.size += node.size || 1;
    if (above.size > MOST_NODES) fail('many', token, { most: MOST_NODES });
  }
}

// "A", "B", ... below the root, then "A1", then "A1a": what a node is called that nobody named.
function usualName(parent, depth, ordinal) {
  if (depth % 2 === 0) return parent + (ordinal + 1);
  let letters = '';
  for (let i = ordinal + 1; i > 0; i = Math.floor((i - 1) / 26)) letters = String.fromCharCode((depth === 1 ? 65 : 97) + ((i - 1) % 26)) + letters;
  return parent + letters;
}

// Without an estimate of its own an inner node is worth the mean of its leaves.
function estimate(node) {
  if (!node.children.length) return Object.assign(node, { sum: node.value, count: 1, guess: node.value });
  if (node.guess !== undefined) return node;
  node.children.forEach(estimate);
  node.sum = node.children.reduce((sum, child) => sum + child.sum, 0);
  node.count = node.children.reduce((sum, child) => sum + child.count, 0);
  return Object.assign(node, { guess: node.estimate ?? (Math.round(node.sum / node.count) || 0) });
}

// The tree of a text; throws a TreeError.
function parseTree(text) {
  if (text.length > MOST_TEXT) throw new TreeError('long', 1, 1, { most: MOST_TEXT });
  const { node: root, rootIsMax } = new Parser(text).parse();
  estimate(root);
  const list = [root];
  const labels = [''];
  const parent = [-1];
  const first = [];
  const keys = new Map();
  for (let i = 0; i < list.length; i++) {
    const { children } = list[i];
    first.push(children.length ? list.length : -1);
    children.forEach((child, ordinal) => {
      labels.push(child.name || usualName(list[i].name || labels[i], depthOf(parent, i) + 1, ordinal));
      parent.push(i);
      list.push(child);
    });
  }
  return finish(new GameTree({
    parent: Int32Array.from(parent), first: Int32Array.from(first), count: Int32Array.from(list, (node) => node.children.length),
    name: Int32Array.from(list, (unused, i) => (i === 0 ? -1 : i)), names: labels, value: Int32Array.from(list, (node) => node.guess),
    key: Float64Array.from(list, (node) => keys.get(node) ?? (keys.set(node, keys.size), keys.size - 1)),
    known: new Uint8Array(list.length).fill(1), rootIsMax,
  }).prepare());
}

function depthOf(parent, node) {
  let depth = 0;
  for (let at = parent[node]; at >= 0; at = parent[at]) depth++;
  return depth;
}

export { parseTree, TreeError };
