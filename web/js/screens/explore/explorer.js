// What the explorer shows: a tree, the searches of a lesson on it, and the step they are at. The screen listens.
import { t } from '../../core/texts.js';
import { askText, viewOf, moveSaid } from '../../core/rules.js';
import { countWords } from '../../core/values.js';
import { GameTree, finish, finishInSlices } from './gametree.js';
import { searchInParts } from './search.js';
import { parseTree } from './typed.js';
import { LESSONS, COUNTS, MAY_BE_PARTIAL } from './lessons.js';
import { sourceOf } from './examples.js';

const MOST_NODES = 400000;
const MOST_ORDER_WORK = 30000000;
const SMALL = 20000; // trees up to here are worked on at once

const explorer = {
  engine: null, // a worker of its own
  source: sourceOf('textbook'), lesson: 'alphabeta', depth: 2,
  tree: null, panes: [], // {name, tree, trace}
  active: 0, step: 0, timer: null, run: 0, busy: false,
  fault: null, // of the last tree that could not be shown
  counts: {}, // by name: {nodes, leaves, cuts}; null where it was given up
  open: new Set(), // nodes of which all children are wanted
  listeners: { loaded: [], step: [], counts: [], note: [] },
};

const tell = (what, ...about) => explorer.listeners[what].forEach((listener) => listener(...about));
const note = (text, offers = []) => tell('note', text, offers);

const stepsOf = () => Math.max(...explorer.panes.map(({ trace }) => trace.count));
const localStep = (pane) => Math.min(explorer.step, pane.trace.count - 1);
const activePane = () => explorer.panes[explorer.active];

// -- loading --

// Shows a tree and a lesson from a step on; what is left out stays as it is. True when it is there.
async function load({ source = explorer.source, lesson = explorer.lesson, depth = explorer.depth, step = 0 } = {}) {
  stopPlaying();
  const run = ++explorer.run;
  explorer.busy = true;
  note(t('play.thinking'));
  try {
    const tree = await treeOf(source, lesson, depth, run);
    if (!tree || run !== explorer.run) return false;
    const panes = await searchesOf(tree, LESSONS[lesson], run);
    if (!panes) return false;
    if (tree.nodes > SMALL) await new Promise((resolve) => setTimeout(resolve)); // drawing is a task of its own
    if (run !== explorer.run) return false;
    const keepsCounts = source === explorer.source && depth === explorer.depth && tree.nodes === explorer.tree?.nodes;
    Object.assign(explorer, { source, lesson, depth, tree, panes, active: 0, step: 0, open: new Set(), counts: keepsCounts ? explorer.counts : {} });
    note('');
    tell('loaded');
    goToStep(step);
    countAll(run);
    return true;
  } catch (error) {
    explorer.fault = error;
    if (run === explorer.run) note(error.code ? typedFault(error) : t('play.failed', { reason: error.message }));
    return false;
  } finally {
    if (run === explorer.run) explorer.busy = false;
  }
}

const typedFault = (error) => t('typed.at', { line: error.line, column: error.column, what: t('typed.' + error.code, error.words) });

async function treeOf(source, lesson, depth, run) {
  if (source.kind === 'typed') return parseTree(source.text);
  if (viewOf(source.start, source.moves).over) {
    note(t('explore.over.game'));
    return null;
  }
  const whole = expectedNodes(source, depth) > 4 * MOST_NODES ? 'large' : await growBoard(source, 1, depth, run);
  if (whole !== 'large') return whole;
  if (!MAY_BE_PARTIAL.has(lesson) || expectedNodes(source, depth / 2) > MOST_NODES) return tooLarge(source, lesson, depth, run);
  const part = await growBoard(source, 2, depth, run);
  return part === 'large' ? tooLarge(source, lesson, depth, run) : part;
}

// About how many nodes a tree has, by the moves at its root, so that nobody waits for one that is far too large. At its
// best alpha-beta looks at those of half the depth.
function expectedNodes(source, depth) {
  const { moves } = viewOf(source.start, source.moves);
  let nodes = 1;
  for (let i = 0; i < depth; i++) nodes *= Math.max(1, moves.length - i) ** Math.min(1, depth - i);
  return nodes;
}

// The tree of a board from the engine: a GameTree, null when something else is wanted by now, 'large' when it has too
// many nodes.
async function growBoard(source, method, depth, run) {
  const progress = ({ nodes }) => run === explorer.run && note(t('explore.growing', { count: countWords(nodes) }), ['stop']);
  const answer = await explorer.engine.call('web_tree', askText(source.start, source.moves), [method, depth, MOST_NODES], progress);
  if (answer.stopped || run !== explorer.run) return null;
  if (answer.cutShort) return 'large';
  const tree = await inTurn(GameTree.grow(answer.buffer, answer.names), answer.nodes, run);
  const view = viewOf(source.start, source.moves);
  if (tree && view.numbers) tree.say = (move) => moveSaid(view, move);
  return tree;
}

// Work in parts: at once where there is little of it.
const inTurn = (parts, nodes, run) => (nodes <= SMALL ? finish(parts) : finishInSlices(parts, () => run !== explorer.run));

// Says that a tree is too large, and offers the largest depth that is not.
async function tooLarge(source, lesson, depth, run) {
  note(t('explore.large', { depth, count: countWords(MOST_NODES) }));
  for (let less = depth - 1; less >= 1; less--) {
    const tree = expectedNodes(source, less) > 4 * MOST_NODES ? 'large' : await growBoard(source, 1, less, run);
    if (!tree) return null;
    if (tree === 'large') continue;
    note(t('explore.large', { depth, count: countWords(MOST_NODES) }), [{ source, lesson, depth: less, nodes: tree.nodes }]);
    return null;
  }
  return null;
}

// The searches of a lesson on a tree.
async function searchesOf(tree, list, run) {
  const panes = [];
  for (const { name, method, of } of list) {
    const own = of ? await inTurn(of(tree), tree.nodes, run) : tree;
    const trace = own && (await inTurn(searchInParts(own, method), own.nodes, run));
    if (!trace || run !== explorer.run) return null;
    panes.push({ name, tree: own, trace });
  }
  return panes;
}

// -- what other searches count --

async function countAll(run) {
  const { tree, panes, counts } = explorer;
  for (const pane of panes) counts[pane.name] = pane.trace.totals;
  tell('counts');
  if (!tree.complete) await countPartial(run);
  else {
    for (const each of COUNTS) {
      if (counts[each.name]) continue;
      const [found] = (await searchesOf(tree, [each], run)) || [];
      if (!found) return;
      counts[each.name] = found.trace.totals;
      tell('counts');
    }
  }
  if (explorer.source.kind === 'board') await countByEngine('engine', 'web_count', [3, explorer.depth], run);
}

// Of a tree that alpha-beta's part is known of, the engine counts the rest.
async function countPartial(run) {
  await countByEngine('best', 'web_count_ordered', [explorer.depth, MOST_ORDER_WORK], run);
  await countByEngine('minimax', 'web_count', [1, explorer.depth], run);
}

async function countByEngine(name, call, values, run) {
  const { source, counts } = explorer;
  if (run !== explorer.run || counts[name]) return;
  const found = await explorer.engine.call(call, askText(source.start, source.moves), values).catch(() => ({ nodes: null }));
  if (run !== explorer.run || found.stopped) return;
  counts[name] = found.nodes === null ? null : found;
  tell('counts');
}

// The value of a node that was cut away in a tree of which only a part is here, asked of the engine.
async function valueOfCut(node) {
  const { source, tree, depth, run } = explorer;
  if (tree.truth) return tree.truth[node];
  const moves = [...source.moves, ...tree.movesTo(node)];
  const left = depth - tree.depth[node];
  if (left < 1 || viewOf(source.start, moves).over) return null;
  const found = await explorer.engine.call('web_count', askText(source.start, moves), [2, left]).catch(() => null);
  if (!found || found.stopped || run !== explorer.run) return null;
  return tree.isMax(node) ? found.value : -found.value;
}

// -- walking --

function goToStep(to) {
  if (!explorer.panes.length) return;
  explorer.step = Math.max(0, Math.trunc(Math.min(stepsOf() - 1, Number(to) || 0)));
  tell('step');
}

function stopPlaying() {
  clearTimeout(explorer.timer);
  if (!explorer.timer) return;
  explorer.timer = null;
  if (explorer.panes.length) tell('step');
}

// Walks on by itself; `pause()` is asked for every step, and false from `mayGo()` ends it. `first` is the pause before.
function playSteps(pause, mayGo, first = 0) {
  if (explorer.timer) return stopPlaying();
  if (explorer.step >= stepsOf() - 1) explorer.step = 0;
  const go = () => {
    if (explorer.step >= stepsOf() - 1 || !mayGo()) return stopPlaying();
    explorer.timer = setTimeout(go, pause());
    goToStep(explorer.step + 1);
  };
  explorer.timer = setTimeout(go, first);
  if (first) tell('step');
}

// The board at a node of a board's tree: its view, and the move that led there.
function boardAt(node, tree = explorer.tree) {
  const { source } = explorer;
  if (source.kind !== 'board') return null;
  const moves = [...source.moves, ...tree.movesTo(node)];
  return { view: viewOf(source.start, moves), move: tree.depth[node] ? moves.at(-1) : null };
}

export { explorer, load, goToStep, stopPlaying, playSteps, stepsOf, localStep, activePane, boardAt, valueOfCut, typedFault, note };
