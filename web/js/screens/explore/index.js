// The search explorer: minimax and alpha-beta step by step, on any position of any game and on trees typed by hand.
import { $, el } from '../../core/dom.js';
import { toast, announce, numberIn } from '../../core/dialogs.js';
import { t, gameName, sideName } from '../../core/texts.js';
import { viewOf } from '../../core/rules.js';
import { countWords } from '../../core/values.js';
import { game, shownMoves } from '../../core/game.js';
import { rewrite } from '../../core/router.js';
import { recall, keep } from '../../core/store.js';
import { explorer, load, goToStep, stopPlaying, playSteps, stepsOf, localStep, activePane, valueOfCut, note } from './explorer.js';
import { KIND } from './search.js';
import { numberSign } from './gametree.js';
import { layoutFor, isShownWhole } from './layout.js';
import { TreeView } from './view.js';
import { LogView } from './log.js';
import { makeParts, icon, isNarrow } from './parts.js';
import { drawCode, markCode, keepInSight, drawVariables, drawCounts, drawBoardAt, sidesOf } from './side.js';
import { stepWords, endWords, pictureWords, nodeName } from './words.js';
import { tour, beginTour, drawTour, endTour } from './tour.js';
import { quiz, drawQuiz, askBefore, toggleQuiz, endQuiz, answerByKey } from './quizcard.js';
import { EXAMPLES, OF_LESSON, sourceOf, randomTree } from './examples.js';
import { queryOf, readQuery } from './link.js';
import { drawStrip, nodeOnStrip } from './strip.js';
import { startTaking } from './take.js';

const PAUSES = [2500, 1500, 800, 400, 150, 50, 0]; // by the speed slider, in milliseconds
const ADDRESS_PAUSE = 400;

const screen = { views: [], log: null, picked: -1, wantsWhole: null, typing: false, asked: null, embed: false, shown: false, addressTimer: null, frame: 0, started: false };

// -- what is shown --

function onLoaded() {
  endTour();
  endQuiz();
  screen.picked = -1;
  screen.typing = false;
  screen.wantsWhole = null;
  foldChoice();
  buildPanes();
  fillChoice();
}

// What was chosen is there: on a phone the tree gets the room.
function foldChoice() {
  if (isNarrow()) $('choice-part').open = false;
}

// One frame for every search of the lesson.
function buildPanes() {
  screen.views.forEach((view) => view.end());
  const views = explorer.panes.map((pane, i) => new TreeView('p' + i, { choose: (node) => chooseNode(i, node), open: openMore, resized: drawStep }));
  screen.views = views;
  $('tree').replaceChildren(...explorer.panes.map((pane, i) => {
    const title = el('button.pane-title', { onclick: () => chooseActive(i), 'aria-pressed': String(i === explorer.active) }, t('lesson.pane.' + pane.name));
    return el('section.pane', { data: { pane: pane.name }, 'aria-label': t('lesson.pane.' + pane.name) }, el('header', null, title, el('span.tally', { id: 'tally-' + i })), views[i].element);
  }));
  $('tree').classList.toggle('two', views.length > 1);
  views.forEach((view) => view.measure());
  drawCode($('code'), activePane().trace.method);
  const board = explorer.source.kind === 'board';
  const side = document.querySelector('.explore');
  side.classList.toggle('second-is-max', board && viewOf(explorer.source.start, explorer.source.moves).toMove === 1);
}

function chooseActive(i) {
  explorer.active = i;
  drawCode($('code'), activePane().trace.method);
  document.querySelectorAll('.pane-title').forEach((title, at) => title.setAttribute('aria-pressed', String(at === i)));
  drawStep();
}

// The menus say what is shown.
function fillChoice() {
  const { source, lesson, depth } = explorer;
  $('explore-source').value = screen.typing ? 'typed' : source.example || source.kind;
  $('explore-depth').value = depth;
  $('explore-depth-label').hidden = source.kind !== 'board' || screen.typing;
  $('typed-form').hidden = !screen.typing && !(source.kind === 'typed' && !source.example);
  if (source.kind === 'typed' && !screen.typing) $('typed-text').value = source.text;
  if (!screen.typing) $('typed-error').hidden = true;
  for (const each of $('lessons').children) each.setAttribute('aria-pressed', String(each.dataset.lesson === lesson));
  $('leaf-values').parentElement.hidden = source.kind === 'board';
  $('shadows').parentElement.hidden = lesson === 'minimax' || lesson === 'deepening';
  $('explore-quiz').hidden = explorer.panes.length > 1;
  $('choice-words').textContent = `${source.example ? t('example.' + source.example) : t('source.' + source.kind)} · ${t('lesson.' + lesson)}`;
  drawSourceLine();
}

// Which position is searched; and when the board has moved on since, a way to take it.
function drawSourceLine() {
  const { source } = explorer;
  const words = [el('b', null, source.example ? t('source.exampleIs', { name: t('example.' + source.example) }) : t('source.is.' + source.kind))];
  if (source.kind === 'typed') words.push(' ', el('code', null, source.text.length > 160 ? source.text.slice(0, 160) + '…' : source.text));
  else {
    const view = viewOf(source.start, source.moves);
    words.push(' ', `${gameName(view)} ${view.rows}×${view.columns}, ` + t(source.moves.length ? 'source.toMove' : 'status.toMove', { side: sideName(view, view.toMove), count: source.moves.length }));
  }
  if (source.example) words.push('. ', t(`example.${source.example}.about`));
  if (hasMoved()) words.push(' ', el('span.moved', { id: 'board-moved' }, t('source.moved'), ' ', el('button', { id: 'take-board', onclick: takeBoard }, t('source.take'))));
  $('source-line').replaceChildren(...words);
  $('source-line').hidden = source.kind === 'typed' && !source.example && !screen.embed && !$('typed-form').hidden;
}

// Whether the board shows something else than the board's position that is searched.
function hasMoved() {
  const { source } = explorer;
  if (source.kind !== 'board' || source.example || !game.start) return false;
  return viewOf(source.start, source.moves).text !== viewOf(game.start, shownMoves()).text;
}

const boardSource = () => ({ kind: 'board', start: game.start, moves: [...shownMoves()] });

function takeBoard() {
  if (!game.start || viewOf(game.start, shownMoves()).over) {
    note(t(game.start ? 'explore.over.game' : 'source.none'));
    fillChoice();
    return;
  }
  ask({ source: boardSource() });
}

// -- a step --

// Whether trees are shown whole: where all of them can be read, or where it is wished.
function showsWhole() {
  const { panes } = explorer;
  if (!panes.every(({ tree }) => isShownWhole(tree))) return false;
  if (screen.wantsWhole !== null) return screen.wantsWhole;
  return panes.every(({ tree, trace }, i) => screen.views[i].isReadable(layoutFor(tree, trace, 0, screen.views[i].measures()).box));
}

function sceneOf(i) {
  const pane = explorer.panes[i];
  const step = localStep(pane);
  const view = screen.views[i];
  const room = Math.max(4, Math.min(30, Math.floor((view.width - 80) / 80)));
  const shadows = $('shadows').checked;
  return {
    tree: pane.tree, trace: pane.trace, step, layout: layoutFor(pane.tree, pane.trace, step, { room, open: explorer.open, ...view.measures(), whole: showsWhole() }), fits: screen.wantsWhole === true,
    words: pictureWords(pane.trace, sidesOf()), shadows: shadows && !quiz.on, leafValues: $('leaf-values').checked && explorer.source.kind === 'typed',
    picked: i === explorer.active ? screen.picked : -1, title: `${t('explore.tree')}: ${t('lesson.pane.' + pane.name)}. ${stepWords(pane.trace, step)}`,
  };
}

function drawStep() {
  if (!screen.shown || !explorer.panes.length) return;
  const pane = activePane();
  const step = localStep(pane);
  arrangePanes();
  explorer.panes.forEach((each, i) => {
    screen.views[i].show(sceneOf(i));
    drawTally(i);
  });
  drawSlider();
  $('step-words').setAttribute('aria-live', explorer.timer ? 'off' : 'polite');
  $('step-words').replaceChildren(wordsOfStep(pane.trace, step));
  markCode($('code'), pane.trace, step);
  drawVariables($('variables'), pane.trace, step);
  drawCounts($('counts'));
  drawBoardAt($('node-board'));
  screen.log.show(pane.trace, step, $('log-part').open);
  drawTour($('tour'), () => { endTour(); drawStep(); writeAddress(); });
  drawQuiz($('quiz'), drawStep);
  $('strip').hidden = showsWhole();
  drawWholeChoice();
  screen.frame ||= requestAnimationFrame(drawMeasured);
  $('follow').hidden = screen.views.every((view) => view.follows);
  writeAddress();
}

// A tree that could be shown whole, but too small to be read: the choice is the user's.
function drawWholeChoice() {
  const { wantsWhole } = screen;
  const whole = showsWhole();
  $('whole-tree').checked = whole;
  $('whole-tree').parentElement.hidden = !isShownWhole(activePane().tree) || (whole && wantsWhole === null);
}

// What has to be measured is done once a frame, when everything else stands.
function drawMeasured() {
  screen.frame = 0;
  if (!screen.shown || !explorer.panes.length) return;
  const { tree, trace } = activePane();
  const step = localStep(activePane());
  keepInSight($('code'));
  if (!$('strip').hidden) drawStrip($('strip'), { tree, trace, step });
}

// The sentence of a step; the answer in it can be clicked at the end.
function wordsOfStep(trace, step) {
  if (explorer.panes.length > 1) return raceWords();
  const words = el('span', null, stepWords(trace, step));
  if (step !== trace.count - 1 || trace.bestAt(0, step) < 0) return words;
  const best = trace.bestAt(0, step);
  return el('span', null, words, ' ', el('button.answer', { id: 'answer', onclick: () => chooseNode(explorer.active, best) }, t('explore.answer', { move: trace.tree.saidOf(best) })));
}

// A sentence for each of two searches; at the end, what both found and what it took.
function raceWords() {
  const [one, two] = explorer.panes.map((pane) => ({ ...pane, title: t('lesson.pane.' + pane.name), nodes: countWords(pane.trace.totals.nodes) }));
  if (explorer.step >= stepsOf() - 1) return el('span', null, `${endWords(one.trace)} ${t('explore.race', { one: one.title, first: one.nodes, two: two.title, second: two.nodes })}`);
  return el('span', null, [one, two].map((pane) => el('span.of-pane', null, el('b', null, pane.title + ': '), stepWords(pane.trace, localStep(pane)))));
}

function drawTally(i) {
  const { trace, name } = explorer.panes[i];
  const step = localStep(explorer.panes[i]);
  const counts = trace.countsAt(step);
  const parts = [t('tally.nodes', { count: countWords(counts.nodes) })];
  if (trace.bounds) parts.push(t('tally.cuts', { count: countWords(counts.cuts) }));
  if (trace.method.table) parts.push(t('tally.hits', { count: countWords(counts.hits), saved: countWords(counts.saved) }));
  if (trace.method.deepening) parts.unshift(t('tally.limit', { limit: trace.iterationAt(step) + 1 }));
  if (step === trace.count - 1) parts.push(t('tally.done'));
  $('tally-' + i).textContent = parts.join(' · ');
  $('tally-' + i).dataset.name = name;
}

// Two trees stand beside each other or above each other, whichever shows them larger.
function arrangePanes() {
  const place = $('tree');
  if (explorer.panes.length < 2) return place.classList.remove('above');
  const [{ tree, trace }] = explorer.panes;
  const scale = (width, height) => {
    const { box } = layoutFor(tree, trace, localStep(explorer.panes[0]), { width, shape: height / width });
    return Math.min(width / box.width, height / box.height);
  };
  const [width, height] = [place.clientWidth, place.clientHeight];
  place.classList.toggle('above', scale(width, height / 2) > scale(width / 2, height));
}

function drawSlider() {
  const count = stepsOf();
  $('step-slider').max = count - 1;
  $('step-slider').value = explorer.step;
  const words = t('explore.at', { step: countWords(explorer.step + 1), count: countWords(count) });
  $('step-slider').setAttribute('aria-valuetext', words);
  $('step-count').textContent = words;
  $('step-play').replaceChildren(icon(explorer.timer ? 'pause' : 'play'));
  $('step-play').setAttribute('aria-pressed', String(Boolean(explorer.timer)));
}

// -- choosing in the tree --

// A node that was seen: its last step. One that was not: why, and what it would have been worth.
async function chooseNode(i, node) {
  stopPlaying();
  if (i !== explorer.active) chooseActive(i);
  const { tree, trace } = explorer.panes[i];
  const seen = trace.stateAt(node, trace.count - 1);
  if (seen >= 0) {
    screen.picked = -1;
    $('picked-words').hidden = true;
    return goToStep(seen);
  }
  screen.picked = node;
  drawStep();
  const cutter = trace.prunedBy(node, trace.count - 1);
  const words = { node: nodeName(tree, node), by: cutter >= 0 ? nodeName(tree, cutter) : '–' };
  const value = await valueOfCut(node);
  if (screen.picked !== node) return;
  $('picked-words').hidden = false;
  $('picked-words').textContent = value === null ? t('explore.picked', words) : t('explore.pickedValue', { ...words, value: numberSign(value) });
}

function openMore(node) {
  if (explorer.open.has(node)) explorer.open.delete(node);
  else explorer.open.add(node);
  drawStep();
}

// The brother or sister before or after the current node, as far as it was seen.
function chooseSibling(by) {
  const { tree, trace } = activePane();
  const node = screen.picked >= 0 ? screen.picked : trace.nodeAt(localStep(activePane()));
  const parent = tree.parent[node];
  if (parent < 0) return;
  const at = tree.ordinal(node) + by;
  if (at >= 0 && at < tree.count[parent]) chooseNode(explorer.active, tree.first[parent] + at);
}

// -- walking --

function walk(to) {
  if (!explorer.panes.length) return;
  stopPlaying();
  screen.picked = -1;
  $('picked-words').hidden = true;
  if (to > explorer.step && askBefore(explorer.step + 1, drawStep)) return;
  goToStep(to);
}

const walkActive = (to) => (to < 0 ? toast(t('explore.noCut')) : walk(to));
const nextCut = () => explorer.panes.length && walkActive(activePane().trace.next(localStep(activePane()), KIND.cut, KIND.hit));
const stepOver = () => explorer.panes.length && walk(activePane().trace.stepOver(localStep(activePane())));
const pause = () => PAUSES[Number($('speed').value)];
const play = () => explorer.panes.length && playSteps(pause, () => !askBefore(explorer.step + 1, drawStep));

const KEYS = {
  ArrowRight: () => walk(explorer.step + 1), ArrowLeft: () => walk(explorer.step - 1), PageDown: () => walk(explorer.step + 1), PageUp: () => walk(explorer.step - 1),
  ArrowUp: () => chooseSibling(-1), ArrowDown: () => chooseSibling(1), Home: () => walk(0), End: () => walk(Infinity),
  c: nextCut, o: stepOver, p: play, f: present, '+': () => screen.views.forEach((view) => view.zoom(1.3)), '-': () => screen.views.forEach((view) => view.zoom(1 / 1.3)), 0: follow,
};

function onKey(event) {
  if (!screen.shown || !explorer.panes.length || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest('input, textarea, select, dialog, summary, #log, #code, .top')) return;
  if (answerByKey(event.key, drawStep)) return event.preventDefault();
  const run = Object.hasOwn(KEYS, event.key) && KEYS[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

function follow() {
  screen.views.forEach((view) => view.follow());
  $('follow').hidden = true;
}

// The tree, the algorithm and the steps alone, on the whole screen; the browser's Escape leads back.
function present() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch((error) => toast(error.message));
}

// -- the address --

function addressState() {
  const { source, lesson, depth, step } = explorer;
  return { source, lesson, depth, step, tour: tour.at, embed: screen.embed };
}

// Not at every step: browsers count how often an address changes.
function writeAddress() {
  if (screen.addressTimer || !screen.shown) return;
  screen.addressTimer = setTimeout(async () => {
    screen.addressTimer = null;
    const query = await queryOf(addressState());
    if (screen.shown && explorer.panes.length) rewrite('explore', [], query);
  }, ADDRESS_PAUSE);
}

// -- beginning --

function startChoice() {
  $('explore-form').onsubmit = (event) => {
    event.preventDefault();
    askDepth();
  };
  $('explore-depth').onchange = askDepth;
  $('explore-source').onchange = () => chooseSource($('explore-source').value);
  $('lessons').onclick = (event) => {
    const name = event.target.dataset.lesson;
    if (name) chooseLesson(name);
  };
  $('explore-tour').onclick = () => beginTour().then(writeAddress);
  $('explore-quiz').onclick = () => {
    toggleQuiz();
    foldChoice();
    drawStep();
  };
  $('typed-form').onsubmit = async (event) => {
    event.preventDefault();
    await runTyped();
  };
  $('typed-run').type = 'submit';
  $('typed-text').onkeydown = (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) runTyped();
  };
}

// Loads something else; where that fails the menus go on saying what is shown.
async function ask(order) {
  screen.asked = order;
  const good = await load(order);
  if (!good && !explorer.busy) fillChoice();
  return good;
}

// A changed number is told twice, when Enter is pressed and when the field is left.
function askDepth() {
  const depth = numberIn($('explore-depth'));
  if (explorer.busy ? screen.asked?.depth !== depth : explorer.depth !== depth) ask({ depth });
}

function chooseSource(name) {
  screen.typing = false;
  if (name === 'board') return takeBoard();
  if (name === 'random') return ask({ source: { kind: 'typed', text: randomTree() } });
  if (name === 'typed') {
    screen.typing = true;
    $('choice-part').open = true;
    fillChoice();
    $('typed-text').focus();
    return null;
  }
  return ask({ source: sourceOf(name), depth: EXAMPLES[name].depth || explorer.depth });
}

// An example gives way to the one that shows what the lesson is about; a tree of one's own stays.
function chooseLesson(lesson) {
  const { source } = explorer;
  const isUsual = source.example && Object.values(OF_LESSON).includes(source.example);
  return ask({ lesson, ...(isUsual ? { source: sourceOf(OF_LESSON[lesson]) } : {}) });
}

async function runTyped() {
  screen.typing = true;
  const text = $('typed-text').value;
  const good = await load({ source: { kind: 'typed', text } });
  $('typed-error').hidden = good;
  if (good) return;
  $('typed-error').textContent = $('explore-note').textContent;
  note('');
  markFault(text);
}

// Puts the cursor where the typed tree is wrong.
function markFault(text) {
  const { line, column } = explorer.fault || {};
  if (!line) return;
  const at = text.split('\n').slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  $('typed-text').focus();
  $('typed-text').setSelectionRange(at, Math.min(text.length, at + 1));
}

function startWalking() {
  $('step-first').onclick = () => walk(0);
  $('step-back').onclick = () => walk(explorer.step - 1);
  $('step-next').onclick = () => walk(explorer.step + 1);
  $('step-last').onclick = () => walk(Infinity);
  $('step-play').onclick = play;
  $('step-over').onclick = stepOver;
  $('step-cut').onclick = nextCut;
  $('step-slider').oninput = () => walk(Number($('step-slider').value));
  $('speed').onchange = () => keep('explore.speed', Number($('speed').value));
  $('follow').onclick = follow;
  $('explore-present').onclick = present;
  $('explore-present').hidden = !document.fullscreenEnabled;
  for (const [id, name] of [['shadows', 'explore.shadows'], ['leaf-values', 'explore.leafValues']]) {
    $(id).onchange = () => {
      keep(name, $(id).checked);
      drawStep();
    };
  }
  $('whole-tree').onchange = () => {
    screen.wantsWhole = $('whole-tree').checked;
    screen.views.forEach((view) => { view.follows = true; });
    drawStep();
  };
  $('log-part').ontoggle = drawStep;
  $('strip').onclick = (event) => {
    if (!explorer.panes.length) return;
    const { tree, trace } = activePane();
    const box = $('strip').getBoundingClientRect();
    const seen = trace.stateAt(nodeOnStrip($('strip'), tree, event.clientX - box.left, event.clientY - box.top), trace.count - 1);
    if (seen >= 0) walk(seen);
  };
}

// A line about what goes on, with what can be done about it.
function drawNote(text, offers) {
  const place = $('explore-note');
  const stop = () => {
    explorer.run++;
    explorer.engine.stop();
    explorer.busy = false;
    fillChoice();
    note(t('explore.stopped'));
  };
  const offer = (each) => (each === 'stop' ? el('button', { id: 'explore-stop', onclick: stop }, t('play.stop'))
    : el('button.strong', { id: 'explore-offer', onclick: () => ask({ source: each.source, lesson: each.lesson, depth: each.depth }) }, t('explore.offer', { depth: each.depth, count: countWords(each.nodes) })));
  place.replaceChildren(text, ...offers.flatMap((each) => [' ', offer(each)]));
  place.hidden = !text;
}

function mount(root, app) {
  screen.log = new LogView((step) => walk(step));
  root.append(makeParts(screen.log));
  startChoice();
  startWalking();
  startTaking(addressState);
  if (screen.started) return;
  screen.started = true;
  explorer.engine = app.newEngine();
  explorer.listeners.loaded.push(onLoaded);
  explorer.listeners.step.push(drawStep);
  explorer.listeners.counts.push(() => screen.shown && explorer.panes.length && drawCounts($('counts')));
  explorer.listeners.note.push((text, offers) => screen.shown && drawNote(text, offers));
  document.addEventListener('keydown', onKey);
  document.addEventListener('fullscreenchange', () => document.body.classList.toggle('presenting', screen.shown && Boolean(document.fullscreenElement)));
}

// Nobody waits here for a search. "#explore" shows what was shown, at first an example; what its parameters say is in link.js. "#explore?file=1&method=
// 2&depth=3" is what a course file on the board asks for.
async function show({ query, again }) {
  screen.shown = true;
  if (again) return showAgain();
  screen.embed = query.has('embed') || new URLSearchParams(location.search).has('embed');
  document.body.classList.toggle('embedded', screen.embed);
  if (query.get('file')) return void showFile(query);
  try {
    const asked = await readQuery(query);
    if (asked.tour >= 0) return void beginTour(asked.tour);
    if (asked.source || asked.lesson || !explorer.panes.length) return void showAsked(asked, !query.toString());
  } catch (error) {
    toast(t('link.bad', { reason: error.message }));
    if (!explorer.panes.length) return void showAsked({});
  }
  return showAgain();
}

// What a link asks for. Who asks for nothing sees the example run by itself. A link to a typed tree that is broken, or to
// a tree that is too large, still leaves something to look at.
async function showAsked({ source, lesson, depth, step }, runs = false) {
  const wanted = { source: source || sourceOf(OF_LESSON[lesson] || 'textbook'), lesson: lesson || 'alphabeta', step: step || 0 };
  if (await load({ ...wanted, depth: depth || EXAMPLES[wanted.source.example]?.depth || 2 })) {
    if (runs && !matchMedia('(prefers-reduced-motion: reduce)').matches) playSteps(pause, () => true, 2 * pause());
    return;
  }
  const text = $('explore-note').textContent;
  const offers = [...$('explore-note').children];
  if (wanted.source.kind === 'typed') $('typed-text').value = wanted.source.text;
  if (!explorer.panes.length && (await load({ source: sourceOf('textbook'), lesson: 'alphabeta', step: 0 }))) {
    $('explore-note').replaceChildren(text, ' ', ...offers);
    $('explore-note').hidden = false;
  }
}

async function showFile(query) {
  const lesson = query.get('method') === '1' ? 'minimax' : 'alphabeta';
  await showAsked({ source: { kind: 'board', start: game.start, moves: [] }, lesson, depth: Math.max(1, Math.min(12, Number(query.get('depth')) || 2)), step: 0 });
}

// The same again: after a change of language, or back from another screen.
function showAgain() {
  if (!explorer.panes.length) return;
  const { at, stations } = tour;
  buildPanes();
  fillChoice();
  Object.assign(tour, { at, stations });
  note('');
  drawStep();
}

function hide() {
  stopPlaying();
  screen.shown = false;
  document.body.classList.remove('embedded');
  if (document.body.classList.contains('presenting')) present();
}

export const exploreScreen = { name: 'explore', mount, show, hide };
export { explorer, goToStep };
