// What the explorer counts and shows, without a browser: its searches against the golden logs, against a plain second
// implementation and against the engine's own counts; trees typed by hand; layouts; questions.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const assert = require('node:assert');

const root = path.join(__dirname, '..', '..');
const golden = path.join(root, 'tests', 'golden', 'sneak');
const load = (name) => import(path.join(root, 'web', 'js', name));
const explore = (name) => load('screens/explore/' + name);

// Random numbers that are the same every time.
function generator(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomTree(random, depth) {
  if (depth === 0 || random(7) === 0) return String(random(21) - 10);
  return '(' + Array.from({ length: 1 + random(4) }, () => randomTree(random, depth - 1)).join(' ') + ')';
}
const randomText = (random, depth) => (random(2) ? 'min ' : '') + '(' + Array.from({ length: 2 + random(3) }, () => randomTree(random, depth - 1)).join(' ') + ')';

// Alpha-beta and minimax once more, as plainly as can be, on nested lists.
function plain(tree, node, bounds, alpha = -Infinity, beta = Infinity, counts = { nodes: 0, leaves: 0, cuts: 0 }) {
  counts.nodes++;
  const children = tree.childrenOf(node);
  if (!children.length) {
    counts.leaves++;
    return { value: tree.value[node], counts };
  }
  const max = tree.isMax(node);
  let value = max ? -Infinity : Infinity;
  let best = -1;
  for (const child of children) {
    const found = plain(tree, child, bounds, alpha, beta, counts).value;
    if (max ? found > value : found < value) [value, best] = [found, child];
    if (bounds && (max ? value >= beta : value <= alpha)) {
      counts.cuts++;
      break;
    }
    if (max) alpha = Math.max(alpha, value);
    else beta = Math.min(beta, value);
  }
  return { value, counts, best };
}

const only = ({ nodes, leaves, cuts }) => ({ nodes, leaves, cuts });
const rootValue = (trace) => trace.get(trace.count - 1, 2);
const rootBest = (trace) => trace.bestAt(0, trace.count - 1);

let door;
async function engine() {
  const { startEngine } = await load('core/module.js');
  door ??= await startEngine(await WebAssembly.compile(fs.readFileSync(path.join(root, 'build', 'web', 'sortie.wasm'))));
  return door;
}

async function treeOf(start, method, depth, most = 400000) {
  const { GameTree } = await explore('gametree.js');
  const { call, nodes } = await engine();
  const answer = JSON.parse(call('web_tree', 'position\n' + start, method, depth, most));
  return answer.cutShort ? null : GameTree.fromEngine(nodes(), answer.names);
}

const count = async (name, start, ...values) => JSON.parse((await engine()).call(name, 'position\n' + start, ...values));

test('every line of every golden log, counts as the engine and a plain search have them', async () => {
  const { runSearch } = await explore('search.js');
  const { call } = await engine();
  const folders = fs.readdirSync(golden).map((name) => path.join(golden, name)).filter((folder) => fs.existsSync(path.join(folder, 'traverse_log.txt')));
  assert.ok(folders.length > 20);
  for (const folder of folders) {
    const about = JSON.parse(call('web_course', fs.readFileSync(path.join(folder, 'input.txt'), 'utf8')));
    const bounds = about.method !== 'minimax';
    const want = fs.readFileSync(path.join(folder, 'traverse_log.txt'), 'utf8').replaceAll('\r', '').trimEnd().split('\n');
    for (const method of bounds ? [1, 2] : [1]) {
      const tree = await treeOf(about.start, method, about.depth);
      const trace = runSearch(tree, { bounds });
      const lines = [trace.logHeader()];
      for (let step = 0; step < trace.count; step++) lines.push(trace.logLine(step));
      assert.deepStrictEqual(lines, want, folder);
      assert.deepStrictEqual(only(trace.totals), plain(tree, 0, bounds).counts, folder);
      const own = await count('web_count', about.start, bounds ? 2 : 1, about.depth);
      assert.deepStrictEqual(only(trace.totals), only(own), folder);
      assert.strictEqual(rootValue(trace), own.value);
    }
  }
});

test('boards of every game: a tree of alpha-beta’s part is searched as the whole one; the best order costs what the engine says', async () => {
  const { runSearch } = await explore('search.js');
  const { finish } = await explore('gametree.js');
  const boards = [['war stake 3 O\n12 70 61\n8 22 63\n14 88 49\nX..\n.O.\n..X\n', 3], ['war sneak 3 X\n8 2 7\n3 9 4\n1 6 5\nX..\n...\n..O\n', 4],
    ['laser 5 1\n00030\n00000\n03000\n00000\n00300\n', 3], ['gomoku freestyle 7\nD4 D5 E5\n', 2]];
  for (const [start, depth] of boards) {
    const whole = await treeOf(start, 1, depth);
    const part = await treeOf(start, 2, depth);
    assert.ok(whole.complete && !part.complete, start);
    const trace = runSearch(whole, {});
    const again = runSearch(part, {});
    assert.strictEqual(again.count, trace.count);
    for (let step = 0; step < trace.count; step++) assert.strictEqual(again.logLine(step), trace.logLine(step));
    const best = runSearch(finish(whole.orderBestFirst()), {});
    assert.strictEqual(best.totals.nodes, (await count('web_count_ordered', start, depth, 30000000)).nodes);
    assert.strictEqual(rootValue(best), rootValue(trace));
    for (const method of [{ table: true }, { bounds: false, table: true }]) {
      const known = runSearch(whole, method);
      assert.strictEqual(rootValue(known), rootValue(trace));
      assert.strictEqual(rootBest(known), rootBest(trace));
    }
  }
  assert.strictEqual(await treeOf(boards[3][0], 1, 2, 500), null);
});

test('iterative deepening: each iteration is alpha-beta to its depth, with the best move of the last one first', async () => {
  const { runSearch } = await explore('search.js');
  const start = 'war sneak 3 X\n8 2 7\n3 9 4\n1 6 5\nX..\n...\n..O\n';
  const tree = await treeOf(start, 1, 4);
  const trace = runSearch(tree, { deepening: true });
  assert.strictEqual(trace.iterations.length, 4);
  for (let depth = 1; depth <= 4; depth++) {
    const end = depth < 4 ? trace.iterations[depth] - 1 : trace.count - 1;
    const own = await count('web_count', start, 2, depth);
    assert.strictEqual(trace.get(end, 2), own.value, `depth ${depth}`);
    if (depth < 4) assert.strictEqual(trace.nodeAt(trace.iterations[depth] + 1), trace.bestAt(0, end), 'the best move comes first');
  }
  // To depth 1 nothing is known beforehand: the very same steps as the plain search of one ply.
  const one = runSearch(tree, { depth: 1 });
  for (let step = 0; step < one.count; step++) assert.strictEqual(trace.logLine(step), one.logLine(step));
});

test('random typed trees: all searches find the value of minimax, counts agree with a plain search', async () => {
  const { parseTree } = await explore('typed.js');
  const { runSearch } = await explore('search.js');
  const { finish } = await explore('gametree.js');
  const random = generator(7);
  for (let i = 0; i < 300; i++) {
    const tree = parseTree(randomText(random, 2 + random(4)));
    for (const bounds of [true, false]) {
      const want = plain(tree, 0, bounds);
      const trace = runSearch(tree, { bounds });
      assert.deepStrictEqual(only(trace.totals), want.counts);
      assert.strictEqual(rootValue(trace), want.value);
      assert.strictEqual(rootBest(trace), want.best);
      assert.strictEqual(tree.truth[0], want.value);
      for (const step of [0, random(trace.count), trace.count - 1]) assert.ok(trace.countsAt(step).nodes <= want.counts.nodes);
      assert.deepStrictEqual(only(trace.countsAt(trace.count - 1)), want.counts);
    }
    for (const method of [{ table: true }, { deepening: true }, { deepening: true, table: true }]) assert.strictEqual(rootValue(runSearch(tree, method)), tree.truth[0]);
    const best = runSearch(finish(tree.orderBestFirst()), {}).totals.nodes;
    for (const other of [tree, finish(tree.orderWorstFirst())]) assert.strictEqual(rootValue(runSearch(other, {})), tree.truth[0]);
    assert.ok(best <= tree.nodes);
  }
});

test('a transposition table: hits, what they save, and no answer from the other side’s point of view', async () => {
  const { parseTree } = await explore('typed.js');
  const { runSearch, KIND } = await explore('search.js');
  const tree = parseTree('((T:(6 9 7) (8 5 9)) (T (4 12 11)) (U:(3 8 2) T) (U (9 7 6)))');
  const plainTrace = runSearch(tree, {});
  const trace = runSearch(tree, { table: true });
  assert.strictEqual(rootValue(trace), rootValue(plainTrace));
  const hits = [];
  for (let step = 0; step < trace.count; step++) if (trace.kindAt(step) === KIND.hit) hits.push(tree.nameOf(trace.nodeAt(step)));
  assert.deepStrictEqual(hits, ['T', 'U']);
  // By hand: the second T and the second U have three leaves each that need not be looked at again.
  assert.strictEqual(trace.totals.saved, 6);
  assert.strictEqual(trace.totals.nodes + trace.totals.saved, plainTrace.totals.nodes);
  // The same node at a MAX and at a MIN level is not the same position.
  const mixed = parseTree('(T:(1 9) (T 5))');
  assert.strictEqual(rootValue(runSearch(mixed, { table: true })), runSearch(mixed, {}).tree.truth[0]);
  const random = generator(11);
  for (let i = 0; i < 200; i++) {
    const text = `(A:${randomText(random, 3).replace('min ', '')} (A ${randomTree(random, 2)}) (B:${randomText(random, 2).replace('min ', '')} A) (B B ${randomTree(random, 1)}))`;
    const shared = parseTree(text);
    for (const method of [{ table: true }, { bounds: false, table: true }, { table: true, deepening: true }]) assert.strictEqual(rootValue(runSearch(shared, method)), shared.truth[0], text);
  }
});

test('the textbook’s tree by hand: 13 nodes, alpha-beta 11 with the cuts where the textbook has them', async () => {
  const { parseTree } = await explore('typed.js');
  const { runSearch, KIND } = await explore('search.js');
  const tree = parseTree('((3 12 8) (2 4 6) (14 5 2))');
  const trace = runSearch(tree, {});
  assert.deepStrictEqual(only(trace.totals), { nodes: 11, leaves: 7, cuts: 2 });
  const cuts = [];
  for (let step = 0; step < trace.count; step++) if (trace.kindAt(step) === KIND.cut) cuts.push(tree.nameOf(trace.nodeAt(step)));
  assert.deepStrictEqual(cuts, ['B', 'C']); // C at its last leaf, where nothing is left
  const last = trace.count - 1;
  assert.deepStrictEqual(trace.lineAt(last).map((node) => tree.nameOf(node)), ['', 'A', 'A1']);
  assert.deepStrictEqual(['B2', 'B3'].map((name) => tree.nameOf(trace.prunedBy(tree.names.indexOf(name), last))), ['B', 'B']);
  assert.strictEqual(trace.prunedBy(tree.names.indexOf('B1'), last), -1);
});

test('typed trees: every fault is named with its place, nothing else is thrown', async () => {
  const { parseTree, TreeError } = await explore('typed.js');
  const faults = [['', 'endOpen', 1, 1], ['((3 12)', 'endOpen', 1, 8], ['7', 'onlyNumber', 1, 1], ['(3 x)', 'unknownName', 1, 4], ['(3 4))', 'closedTwice', 1, 6],
    ['(3 4] ', 'otherBracket', 1, 5], ['(1 ())', 'empty', 1, 5], ['(1 2.5)', 'unexpected', 1, 4], ['(1\n 2 99999999999)', 'large', 2, 4], ['(a:(1 2) a:(3))', 'nameTwice', 1, 10],
    ['(1 2) 3', 'afterEnd', 1, 7], ['(1 (2 3)@)', 'expectedNumber', 1, 10], ['(1 : 2)', 'expectedNode', 1, 4], ['(1 A:)', 'expectedNode', 1, 6], ['(1 ☃)', 'unexpected', 1, 4], ['(A:(1 A))', 'unknownName', 1, 7],
    ['('.repeat(40), 'deep', 1, 31], [`(${'1 '.repeat(150000)})`, 'many', 1, 200000]];
  for (const [text, code, line, column] of faults) {
    assert.throws(() => parseTree(text), (error) => {
      assert.ok(error instanceof TreeError, text.slice(0, 20) + ': ' + error.stack);
      assert.deepStrictEqual([error.code, error.line, error.column], [code, line, column], text.slice(0, 40));
      return true;
    });
  }
  // Names that double a tree again and again are refused before it is made.
  const doubling = '(' + Array.from({ length: 28 }, (unused, i) => `N${i}:(${i ? `N${i - 1} N${i - 1}` : '1 2'})`).join(' ') + ')';
  assert.throws(() => parseTree(doubling), { code: 'many' });
  for (const [text, nodes, max] of [['(1, 2; 3)', 4, true], ['MIN: [ {1 2} (−3 +4) ]', 7, false], ['max (1 (2 3))', 5, true], ['(é:(1 2) é)', 7, true]]) {
    const tree = parseTree(text);
    assert.deepStrictEqual([tree.nodes, tree.isMax(0)], [nodes, max], text);
  }
  assert.strictEqual(parseTree('((2 3 5)@4 (1 2))').value[1], 4);
  assert.strictEqual(parseTree('((2 3 5)@4 (1 4))').value[2], 3); // the mean
});

test('random trees are trees of every shape there is, and no two the same', async () => {
  const { parseTree } = await explore('typed.js');
  const { randomTree } = await explore('examples.js');
  const random = generator(3);
  const texts = Array.from({ length: 60 }, () => randomTree(random));
  assert.strictEqual(new Set(texts).size, 60);
  const trees = texts.map(parseTree);
  assert.deepStrictEqual([...new Set(trees.map((tree) => tree.deepest))].sort(), [2, 3, 4]);
  for (const tree of trees) assert.ok(tree.leaves[0] <= 16 && tree.value.every((value) => value >= 0 && value <= 15));
});

test('typed trees: any characters give a tree or a named fault', async () => {
  const { parseTree, TreeError } = await explore('typed.js');
  const random = generator(3);
  const pieces = ['(', ')', '[', ']', '{', '}', ' ', '\n', ',', '7', '-3', '−', '12', 'a', 'b:', ':', '@', '@5', 'min', 'T', '.', '\0', '😀', 'ß', '9'.repeat(12), '(1 2)', '(3 4)'];
  let trees = 0;
  for (let i = 0; i < 20000; i++) {
    const text = Array.from({ length: random(14) }, () => pieces[random(pieces.length)]).join('');
    try {
      parseTree(i % 2 ? text : `(${text})`);
      trees++;
    } catch (error) {
      assert.ok(error instanceof TreeError, JSON.stringify(text) + ' ' + error.stack);
      assert.ok(error.line >= 1 && error.column >= 1);
    }
  }
  assert.ok(trees > 300, `${trees} trees`);
});

test('layouts: nothing overlaps, a parent stands over its children, a large tree is drawn in part', async () => {
  const { parseTree } = await explore('typed.js');
  const { runSearch } = await explore('search.js');
  const { layoutFor, MOST_SHOWN } = await explore('layout.js');
  const random = generator(5);
  const trees = Array.from({ length: 60 }, () => parseTree(randomText(random, 2 + random(4))));
  trees.push(await treeOf('war stake 3 O\n12 70 61\n8 22 63\n14 88 49\nX..\n.O.\n..X\n', 1, 2), await treeOf('gomoku freestyle 9\nE5 E6\n', 1, 2));
  for (const tree of trees) {
    const trace = runSearch(tree, {});
    for (const step of [0, random(trace.count), trace.count - 1]) {
      const layout = layoutFor(tree, trace, step, { room: 9, shape: [0.3, 0.7, 2][random(3)] });
      assert.ok(layout.items.length <= MOST_SHOWN);
      assert.ok(layout.itemOf(trace.nodeAt(step)), 'the current node is drawn');
      if (step === trace.count - 1) assert.ok(layout.itemOf(rootBest(trace)), 'so is the answer');
      const rows = new Map();
      for (const item of layout.items) rows.set(item.y, [...(rows.get(item.y) || []), item]);
      for (const row of rows.values()) checkRow(row);
      const { box } = layout;
      for (const { x, y } of layout.items) assert.ok(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height);
    }
  }
});

function checkRow(row) {
  const places = row.map(({ x }) => x).sort((a, b) => a - b);
  for (let i = 1; i < places.length; i++) assert.ok(places[i] - places[i - 1] > 50, `${places[i - 1]} and ${places[i]}`);
}

test('the quiz asks what can be worked out, and its answers are what the search does', async () => {
  const { parseTree } = await explore('typed.js');
  const { runSearch, KIND } = await explore('search.js');
  const { questionAt } = await explore('quiz.js');
  const random = generator(9);
  const kinds = { cut: [0, 0], value: 0 };
  for (let i = 0; i < 100; i++) {
    const trace = runSearch(parseTree(randomText(random, 3 + random(2))), {});
    for (let step = 0; step < trace.count; step++) {
      const question = questionAt(trace, step);
      if (!question) continue;
      assert.ok(question.choices.includes(question.right) && new Set(question.choices).size === question.choices.length);
      if (question.kind === 'value') {
        kinds.value++;
        assert.strictEqual(question.right, trace.get(step, 2));
      } else {
        kinds.cut[question.right]++;
        const entered = trace.tree.childrenOf(question.node).filter((child) => trace.first[child] >= 0).length;
        assert.strictEqual(question.right === 1, trace.kindAt(step) === KIND.cut && entered < trace.tree.count[question.node]);
      }
    }
  }
  assert.ok(kinds.value > 50 && kinds.cut[0] > 50 && kinds.cut[1] > 50, JSON.stringify(kinds));
});

test('work on a tree of 300,000 nodes is done in slices of a few milliseconds', async () => {
  const { GameTree, finishInSlices } = await explore('gametree.js');
  const { searchInParts } = await explore('search.js');
  const { call, nodes } = await engine();
  const start = call('web_start', null, 0, 1, 5, 7);
  const answer = JSON.parse(call('web_tree', 'position\n' + start, 1, 4, 400000));
  assert.ok(answer.nodes > 300000);
  const longest = async (parts) => {
    let most = 0;
    let value;
    for (let done = false; !done;) {
      const from = process.cpuUsage();
      ({ done, value } = parts.next());
      const used = process.cpuUsage(from);
      most = Math.max(most, (used.user + used.system) / 1000);
    }
    return { most, value };
  };
  const grown = await longest(GameTree.grow(nodes(), answer.names));
  const times = [grown.most, (await longest(searchInParts(grown.value, { bounds: false }))).most, (await longest(grown.value.orderBestFirst())).most];
  assert.ok(Math.max(...times) < 50, `the longest parts take ${times.map((time) => time.toFixed(1))} ms`);
  assert.ok(await finishInSlices(searchInParts(grown.value, {})));
  assert.strictEqual(await finishInSlices(searchInParts(grown.value, { bounds: false }), () => true), null);
});
