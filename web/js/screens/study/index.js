// The study: a game or a position looked at at leisure. Its moves are a tree; the engine thinks about whatever is shown; a
// review says what each move cost; everything is kept in the browser and goes out as a file.
import { el, svg } from '../../core/dom.js';
import { t } from '../../core/texts.js';
import { choose, confirmLoss, toast, warn, announce } from '../../core/dialogs.js';
import { game, setGame, openLink, viewAt } from '../../core/game.js';
import { viewOf, movesOn, differentMoves, squareOf, differing, winningLine } from '../../core/rules.js';
import { statusWords, valueShort } from '../../core/values.js';
import { go, rewrite, router } from '../../core/router.js';
import { BoardView } from '../../board/view.js';
import { LinesView, distinctLines, shortMove } from './lines.js';
import { TreeView, markOf } from './treeview.js';
import { Thinker } from './thinker.js';
import { Review, valueOfEnd } from './review.js';
import { drawGraph, drawGauge } from './graph.js';
import { studyOf } from './model.js';
import { state, keepStudy, openStudy, openKept, openLast, freshName } from './state.js';
import { buildMenu, importFile } from './menu.js';
import { ProofPlay } from './proofplay.js';

const ui = {}; // the parts of the screen
const now = { app: null, hovered: null, looked: -1, review: null, thinker: null, proof: null };

// -- building --

const button = (name, props, ...inside) => el('button', { ...props, class: 'study-' + name }, ...(inside.length ? inside : [t('study.' + name)]));
const iconButton = (name, path, onclick) => el('button.icon', { onclick, 'aria-label': t('study.' + name), title: t('study.' + name), class: 'study-' + name },
  svg('svg', { viewBox: '0 0 24 24', width: 20, height: 20, 'aria-hidden': 'true' }, svg('path', { d: path, fill: 'none', stroke: 'currentColor', 'stroke-width': 2.4, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' })));

function mount(root, app) {
  now.app = app;
  now.review ??= new Review(app.engine);
  now.thinker ??= new Thinker(app.engine, drawAnalysis);
  now.proof ??= new ProofPlay(app, { show, play: addMove, changed: draw });
  const engine = el('input.study-on', { type: 'checkbox', role: 'switch', checked: now.thinker.on, 'aria-label': t('study.engine') });
  engine.onchange = () => {
    now.thinker.on = engine.checked;
    draw();
  };
  Object.assign(ui, {
    board: el('div.study-board'), gauge: el('div.gauge', { role: 'img' }, el('div.gauge-fill'), el('span.gauge-number')),
    title: el('h1.hidden'), status: el('p.study-status'), menu: el('div.study-menu'), engine,
    info: el('span.study-info'), lines: el('ol.study-lines'), tree: el('div.study-tree', { tabindex: 0, role: 'group', 'aria-label': t('moves.label') }),
    verdict: el('p.study-verdict'), comment: el('textarea.study-comment', { rows: 1, 'aria-label': t('study.comment'), placeholder: t('study.comment') }),
    graph: el('div.study-graph'), summary: el('p.study-summary', { hidden: true }), review: button('review', { onclick: startReview }), proof: el('div.study-proof', { hidden: true }),
  });
  ui.comment.onchange = () => {
    state.study.at.comment = ui.comment.value.trim();
    keepStudy();
    drawTree();
  };
  ui.perspective = el('p.study-perspective');
  root.append(el('div.study', {},
    el('section.study-stage', { 'aria-label': t('stage.label') }, ui.gauge, ui.board),
    el('section.study-side', { 'aria-label': t('screen.study') },
      ui.title, ui.menu, ui.proof,
      ui.card = el('div.study-card', {}, el('div.study-engine', {}, el('label.switch', {}, engine, el('span', t('study.engine'))), ui.info), ui.lines, ui.perspective),
      el('div.study-card.study-moves', {}, ui.status, ui.tree,
        el('div.study-nav', {}, iconButton('toFirst', 'M6 5v14M18 5l-8 7l8 7', () => show(state.study.root)), iconButton('back', 'M15 5l-8 7l8 7', back), iconButton('next', 'M9 5l8 7l-8 7', next), iconButton('toLast', 'M18 5v14M6 5l8 7l-8 7', () => show(state.study.line().at(-1) || state.study.root)))),
      ui.verdict, ui.comment, ui.summary, ui.graph,
      el('div.study-actions', {}, ui.review, button('playHere', { onclick: playHere }), ui.promote = button('promote', { onclick: promote }), ui.remove = button('remove', { onclick: remove })))));
  now.board = new BoardView(ui.board, clickSquare, (index) => { now.looked = index; drawBoard(); });
  now.lines = new LinesView(ui.lines, hover, (moves) => {
    for (const move of moves) addMove(move, false);
    draw();
  });
  now.tree = new TreeView(ui.tree, show);
  document.removeEventListener('keydown', key);
  document.addEventListener('keydown', key);
  root.ondrop = (event) => {
    event.preventDefault();
    event.stopPropagation(); // it is a study's here, not the board's
    const [dropped] = event.dataTransfer.files;
    if (dropped) importFile(dropped, changed);
  };
}

// -- what the address asks for --

async function showScreen({ path, query, again }) {
  if (!again && query.get('g')) await takeLink(query.get('g'));
  else if (!again && query.get('game')) takeGame();
  else if (!again && query.get('name') && query.get('name') !== state.name) openKept(query.get('name'));
  if (path[0] === 'proof') await now.proof.begin(state.study);
  else now.proof.leave();
  if (!state.study) openLast();
  buildMenu(ui.menu, { changed, takeGame: () => { takeGame(); changed(); }, proof: () => go('study', ['proof']) });
  now.thinker.key = '';
  draw();
  if (!again && query.get('review')) startReview();
}

async function takeLink(packed) {
  const before = JSON.parse(JSON.stringify(game));
  try {
    await openLink(packed);
    takeGame();
  } catch (error) {
    warn(t('link.bad', { reason: error.message }));
  }
  Object.assign(game, before);
}

// The game on the board as a study of its own; at the move that is shown there.
function takeGame() {
  if (!game.start) return;
  const study = studyOf(game.start, game.moves);
  study.at = study.path()[game.ply - 1] || study.root;
  const view = viewAt(0);
  openStudy(study, freshName(t('study.ofGame', { game: t('game.' + view.game), date: new Date().toISOString().slice(0, 10) })));
  rewrite('study', [], { name: state.name });
}

function changed() {
  stopReview();
  now.thinker.key = '';
  if (router.params.path[0] === 'proof') rewrite('study', [], {});
  now.proof.leave();
  if (!state.study) openLast();
  buildMenu(ui.menu, { changed, takeGame: () => { takeGame(); changed(); }, proof: () => go('study', ['proof']) });
  draw();
}

function hide() {
  stopReview();
  now.thinker.stop();
  keepStudy();
}

// -- walking and playing --

function show(node) {
  state.study.at = node;
  now.hovered = null;
  announce(node.parent ? t('said.at', { ply: state.study.path().length, move: node.move }) : t('said.start'));
  draw();
}

const back = () => state.study.at.parent && show(state.study.at.parent);
const next = () => state.study.at.children.length && show(state.study.at.children[0]);

// To the variation beside this one.
function beside(step) {
  const { at } = state.study;
  if (!at.parent) return;
  const { children } = at.parent;
  const other = children[children.indexOf(at) + step];
  if (other) show(other);
}

function key(event) {
  if (router.current?.screen !== studyScreen || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (event.target.matches('input:not([type=checkbox]), textarea, select, [data-index]')) return;
  const act = { ArrowLeft: back, ArrowRight: next, ArrowUp: () => beside(-1), ArrowDown: () => beside(1),
    Home: () => show(state.study.root), End: () => show(state.study.line().at(-1) || state.study.root) }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function addMove(move, drawn = true) {
  stopReview();
  state.study.at = state.study.add(move);
  now.hovered = null;
  keepStudy();
  if (drawn) draw();
}

async function clickSquare(index) {
  const { study } = state;
  const { at } = study;
  const view = study.view();
  const moves = view.over || !now.proof.mayPlay(view) ? [] : differentMoves(study.start, study.moves(), index);
  if (!moves.length) return;
  const move = moves.length === 1 ? moves[0]
    : await choose(t('play.which'), moves.map((each) => ({ value: each, text: each, strong: each === moves.at(-1) })));
  if (!move || state.study !== study || study.at !== at) return;
  addMove(move);
  now.proof.answer();
}

async function playHere() {
  const { study } = state;
  if (game.moves.length && !(await confirmLoss(t('study.givesUp')))) return;
  setGame(study.start, study.moves());
  game.players = ['human', 'human'].map((each, side) => (side === study.view().toMove ? 'human' : 'full'));
  go('play');
}

// Whether a move and all before it are the first of their variations.
const isOnMainLine = (node) => !node.parent || (node.parent.children[0] === node && isOnMainLine(node.parent));

function promote() {
  state.study.promote(state.study.at);
  keepStudy();
  draw();
}

async function remove() {
  const { study } = state;
  if (!study.at.parent || (study.at.children.length && !(await confirmLoss(t('study.removes', { move: study.at.move }))))) return;
  study.remove(study.at);
  keepStudy();
  draw();
}

// -- the review --

async function startReview() {
  if (now.review.running) return stopReview();
  const { study } = state;
  now.thinker.stop();
  ui.review.textContent = t('study.stop');
  let whole = false;
  try {
    whole = await now.review.run(study, (done, all) => {
      ui.info.textContent = t('analysis.reviewing', { ply: done, count: all });
      drawTree();
      drawGraph(ui.graph, study, show);
    });
  } catch (error) {
    toast(t('play.failed', { reason: error.message }));
    now.review.running = null;
  }
  ui.review.textContent = t('study.review');
  if (state.study !== study) return;
  keepStudy();
  if (whole) announce(reviewWords(study));
  draw();
}

function stopReview() {
  now.review.stop();
}

// "Black: 1 blunder, 2 mistakes. White: …"
function reviewWords(study) {
  const side = study.view(study.root).toMove;
  const counts = [{}, {}];
  study.line().forEach((node, i) => {
    const mark = markOf(node);
    if (mark) counts[(side + i) % 2][mark[2]] = (counts[(side + i) % 2][mark[2]] || 0) + 1;
  });
  return counts.map((each, of) => t('review.side', { side: t(`side.${study.view().game}.${of}`),
    words: ['blunder', 'mistake', 'slip'].filter((name) => each[name]).map((name) => t(each[name] === 1 ? `review.one.${name}` : `review.some.${name}`, { count: each[name] })).join(', ') || t('review.clean') })).join(' ');
}

// -- drawing --

function draw() {
  const { study } = state;
  const view = study.view();
  ui.title.textContent = state.name;
  ui.status.textContent = statusWords(view) + (view.swap >= 0 && view.points ? ' · ' + t(view.swap ? 'study.swapTake' : 'study.swapLeave') : '');
  ui.comment.value = study.at.comment;
  ui.promote.hidden = isOnMainLine(study.at);
  ui.remove.hidden = !study.at.parent;
  drawTree();
  now.proof.draw(ui.proof, view);
  const guarded = now.proof.on && now.proof.oracle.ready;
  ui.card.hidden = guarded;
  now.thinker.follow(study, view, Boolean(now.review.running) || guarded);
  drawAnalysis();
  drawGraph(ui.graph, study, show);
  drawSummary();
  now.tree.reveal();
}

// What a review found on the line shown, side by side.
function drawSummary() {
  const { study } = state;
  const line = study.line();
  ui.summary.hidden = Boolean(now.review.running) || !line.length || line.some((node) => node.cost === null);
  ui.summary.textContent = ui.summary.hidden ? '' : reviewWords(study);
}

function drawTree() {
  const { study } = state;
  now.tree.draw(study, study.view(study.root).toMove);
  if (!study.root.children.length && !now.proof.on) ui.tree.append(el('div.study-begin', el('p.soft', t('study.orTake')), ['take', 'import', 'proofPlay'].map(offer)));
  const { at } = study;
  const mark = markOf(at);
  ui.verdict.hidden = !at.better || !mark;
  ui.verdict.replaceChildren();
  if (ui.verdict.hidden) return;
  const line = at.better.line?.length ? at.better.line : [at.better.move];
  ui.verdict.append(el('b', { class: 'mark-' + mark[2] }, t('review.is.' + mark[2], { move: shortMove(study.view(study.root), at.move) })), ' ', at.better.why, ' ', el('button.study-better', { onclick: () => addBetter(line) }, t('review.better', { move: shortMove(study.view(study.root), at.better.move) })));
}

// What the menu has, offered where a study is still empty.
function offer(name) {
  const item = ui.menu.querySelector('.study-items .study-' + name);
  return item && el('button', { onclick: () => item.click() }, item.textContent);
}

// The line that was better, as a variation beside the move.
function addBetter(line) {
  const { study } = state;
  let node = study.at.parent;
  const first = (node = study.add(line[0], node));
  for (const move of line.slice(1)) {
    if (study.view(node).over) break;
    node = study.add(move, node);
  }
  keepStudy();
  show(first);
}

// What the engine says of the position: lines, bar, marks on the board.
function drawAnalysis() {
  const { study } = state;
  const view = study.view();
  const lines = now.proof.on && now.proof.oracle.ready ? [] : now.thinker.lines;
  const best = lines[0];
  if (best) study.at.value = now.thinker.value || study.at.value;
  if (view.over) study.at.value = valueOfEnd(view);
  ui.info.textContent = now.review.running ? ui.info.textContent : now.thinker.words();
  now.lines.draw(view, now.thinker.on ? lines : [], study.moves().join());
  ui.perspective.hidden = !(now.thinker.on && best);
  ui.perspective.textContent = t('study.perspective', { side: t(`side.${view.game}.0`) });
  drawGauge(ui.gauge, view, study.at.value);
  drawBoard();
}

function hover(moves) {
  if (String(moves) === String(now.hovered)) return;
  now.hovered = moves;
  drawBoard();
}

function drawBoard() {
  const { study } = state;
  const view = study.view();
  const board = { ...view, last: -1, changed: [], marks: {}, notes: {} };
  if (study.at.parent) {
    const before = study.view(study.at.parent);
    board.last = squareOf(before, study.at.move);
    board.changed = view.points ? [] : differing(before, view);
  }
  board.line = winningLine(view);
  if (now.hovered) preview(board, view, now.hovered);
  else if (now.thinker.on && !view.over && !ui.card.hidden) {
    distinctLines(now.thinker.lines).forEach((line, i) => {
      const index = squareOf(view, line.move);
      board.notes[index] ??= valueShort(view, line);
      if (i === 0) board.marks[index] = 'best';
    });
  }
  if (!now.hovered && now.looked >= 0 && !view.points && !view.over) {
    const moves = movesOn(view, now.looked);
    if (moves.length) for (const index of differing(view, viewOf(study.start, [...study.moves(), moves.at(-1)]))) board.marks[index] = 'preview';
  }
  now.board.draw(board);
}

// Where a line leads.
function preview(board, view, moves) {
  try {
    const after = viewOf(state.study.start, [...state.study.moves(), ...moves]);
    board.cells = after.cells;
    board.last = -1;
    for (const index of differing(view, after)) board.marks[index] = 'preview';
  } catch {
    // The line is of another position.
  }
}

const studyScreen = { name: 'study', mount, show: showScreen, hide };

export { studyScreen };
