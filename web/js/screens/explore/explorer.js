// The search explorer: runs the textbook's search in the engine, then walks through its steps.
import { $ } from '../../core/dom.js';
import { make, numberIn, toast } from '../../core/dialogs.js';
import { t } from '../../core/texts.js';
import { game, shownMoves, gameLink } from '../../core/game.js';
import { askText, viewOf, squareOf } from '../../core/rules.js';
import { countWords } from '../../core/values.js';
import { copyLink } from '../../core/share.js';
import { SearchTree, STEP, KIND, numberSign } from './tree.js';
import { drawTree } from './treeview.js';
import { drawLog, startLog } from './logview.js';
import { Board } from '../../board/draw.js';

const MOST_NODES = 400000;
const MOST_ORDER_WORK = 30000000;
const PAUSES = [2000, 1000, 500, 200, 80, 20, 0]; // by the speed slider, in milliseconds

const explorer = { engine: null, tree: null, step: 0, start: '', moves: [], method: 2, depth: 2, timer: null, run: 0, changed: [] };

// Searches a position and shows the first step, or `step`.
async function explore(method, depth, position = { start: game.start, moves: shownMoves() }, step = 0) {
  stopPlaying();
  const run = ++explorer.run;
  $('explore-method').value = method;
  $('explore-depth').value = depth;
  depth = numberIn($('explore-depth'));
  if (viewOf(position.start, position.moves).over) return note(t('explore.over.game'));
  note(t('play.thinking'));
  const text = askText(position.start, position.moves);
  let answer;
  try {
    answer = await explorer.engine.call('web_explore', text, [method, depth, MOST_NODES]);
  } catch (error) {
    return run === explorer.run && note(t('play.failed', { reason: error.message }));
  }
  if (answer.stopped || run !== explorer.run) return;
  Object.assign(explorer, { ...position, method, depth, answer, tree: new SearchTree(answer.steps, answer.names, method === 2), counts: {} });
  note(answer.cutShort ? t('explore.short', { count: countWords(MOST_NODES) }) : t('explore.done', { move: answer.move, value: answer.value, nodes: countWords(answer.nodes) }));
  $('explorer').hidden = false;
  $('step-slider').max = explorer.tree.count - 1;
  showCounts();
  goToStep(step);
  if (!answer.cutShort) await count(run, text);
}

const note = (text) => { $('explore-note').textContent = text; };

// What the search would have cost otherwise: without cuts, with them, and with the best order of moves.
async function count(run, text) {
  const { depth, method, answer } = explorer;
  explorer.counts[method === 1 ? 'minimax' : 'alphabeta'] = answer.nodes;
  const jobs = [['minimax', 'web_count', [1, depth]], ['alphabeta', 'web_count', [2, depth]], ['ordered', 'web_count_ordered', [depth, MOST_ORDER_WORK]]];
  for (const [name, call, values] of jobs) {
    if (explorer.counts[name] !== undefined) continue;
    showCounts(name);
    const found = await explorer.engine.call(call, text, values).catch(() => ({ nodes: null }));
    if (run !== explorer.run || found.stopped) return;
    explorer.counts[name] = found.nodes;
    showCounts();
  }
}

function showCounts(pending) {
  const { counts } = explorer;
  const rows = ['minimax', 'alphabeta', 'ordered'].map((name) => {
    const row = make('tr');
    const known = counts[name];
    const share = known && counts.minimax ? ` (${((100 * known) / counts.minimax).toFixed(known < counts.minimax ? 1 : 0)}%)` : '';
    row.append(make('th', t('count.' + name)), make('td', name === pending ? '…' : known ? countWords(known) + share : '–'));
    row.dataset.count = name;
    return row;
  });
  const table = make('table');
  const body = make('tbody');
  body.append(...rows);
  table.append(make('caption', t('count.title')), body);
  $('counts').replaceChildren(table);
}

// -- one step --

function goToStep(to) {
  const { tree } = explorer;
  if (!tree) return;
  explorer.step = Math.max(0, Math.min(tree.count - 1, Number(to) || 0));
  const node = tree.get(explorer.step, STEP.node);
  $('step-slider').value = explorer.step;
  $('step-slider').setAttribute('aria-valuetext', t('explore.at', { step: explorer.step + 1, count: tree.count }));
  $('step-words').textContent = stepWords();
  drawTree($('tree'), explorer, goToStep);
  drawNodeBoard(node);
  drawLog(tree, explorer.step, goToStep);
  for (const listener of explorer.changed) listener();
}

function drawNodeBoard(node) {
  const moves = [...explorer.moves, ...explorer.tree.movesTo(node)];
  const view = viewOf(explorer.start, moves);
  const last = moves.length > explorer.moves.length ? squareOf(view, moves[moves.length - 1]) : -1;
  $('node-board').innerHTML = Board.draw({ ...view, last, title: t('explore.boardAt') });
}

// Whether the side to move at the root moves at this depth.
const isMax = (depth) => depth % 2 === 0;

// The step in a sentence.
function stepWords() {
  const { tree, step } = explorer;
  const depth = tree.get(step, STEP.depth);
  const node = tree.get(step, STEP.node);
  const words = {
    node: tree.nameOf(node) || t('explore.root'), depth, who: isMax(depth) ? 'MAX' : 'MIN',
    value: numberSign(tree.get(step, STEP.value)), alpha: numberSign(tree.get(step, STEP.alpha)), beta: numberSign(tree.get(step, STEP.beta)),
  };
  const kind = tree.get(step, STEP.kind);
  if (kind === KIND.cut) {
    return t(isMax(depth) ? 'step.cutMax' : 'step.cutMin', { ...words, left: movesLeft(node) });
  }
  const name = kind === KIND.enter ? 'step.enter' : kind === KIND.leaf ? 'step.leaf' : 'step.back';
  return t(tree.bounds ? name : name + '.plain', words);
}

// How many moves of a node were never looked at.
function movesLeft(node) {
  const view = viewOf(explorer.start, [...explorer.moves, ...explorer.tree.movesTo(node)]);
  return view.moves.length - explorer.tree.children[node];
}

// -- walking --

function stopPlaying() {
  clearTimeout(explorer.timer);
  explorer.timer = null;
  $('step-play').textContent = '▶▶';
  $('step-play').setAttribute('aria-pressed', 'false');
}

function playSteps() {
  if (explorer.timer) return stopPlaying();
  $('step-play').textContent = '❚❚';
  $('step-play').setAttribute('aria-pressed', 'true');
  const go = () => {
    if (explorer.step >= explorer.tree.count - 1) return stopPlaying();
    goToStep(explorer.step + 1);
    explorer.timer = setTimeout(go, PAUSES[Number($('speed').value)]);
  };
  explorer.timer = setTimeout(go, 0);
}

function walk(to) {
  stopPlaying();
  goToStep(to);
}

function startExplorer(engine) {
  explorer.engine = engine;
  $('explore-form').onsubmit = (event) => {
    event.preventDefault();
    explore(Number($('explore-method').value), numberIn($('explore-depth')));
  };
  $('step-first').onclick = () => walk(0);
  $('step-back').onclick = () => walk(explorer.step - 1);
  $('step-next').onclick = () => walk(explorer.step + 1);
  $('step-last').onclick = () => walk(explorer.tree.count - 1);
  $('step-play').onclick = playSteps;
  $('step-over').onclick = () => walk(explorer.tree.stepOver(explorer.step));
  $('step-cut').onclick = () => {
    const to = explorer.tree.nextCut(explorer.step);
    if (to < 0) toast(t('explore.noCut'));
    else walk(to);
  };
  $('step-slider').oninput = () => walk(Number($('step-slider').value));
  $('explore-link').onclick = async () => {
    if (explorer.tree) copyLink(await gameLink('explore', { x: [explorer.method, explorer.depth, explorer.step].join('.') }));
  };
  $('tree').onkeydown = (event) => {
    const to = { ArrowLeft: explorer.step - 1, ArrowRight: explorer.step + 1, Home: 0, End: explorer.tree && explorer.tree.count - 1, ArrowDown: explorer.tree && explorer.tree.stepOver(explorer.step) }[event.key];
    if (to === undefined || !explorer.tree) return;
    event.preventDefault();
    walk(to);
  };
  startLog((step) => walk(step));
}

// "method.depth.step" of a link.
function openStep(text) {
  const parts = /^([12])\.(\d{1,2})\.(\d{1,9})$/.exec(text || '');
  return parts ? explore(Number(parts[1]), Number(parts[2]), undefined, Number(parts[3])) : false;
}

export { explorer, explore, goToStep, startExplorer, openStep, stopPlaying };
