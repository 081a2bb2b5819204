// Analysis: the engine thinks about whatever is shown; its lines, values on the squares, the bar and the graph.
import { $ } from '../../core/dom.js';
import { numberIn } from '../../core/dialogs.js';
import { t } from '../../core/texts.js';
import { game, shownMoves, shownView, viewAt } from '../../core/game.js';
import { rules, askText, proofOf, viewOf, squareOf, differing } from '../../core/rules.js';
import { shareOfFirst, valueWords, valueShort, isExact, resultWords, countWords } from '../../core/values.js';
import { play, refresh, drawBoard, goTo, makeMove, keepEval } from '../play/play.js';
import { Board } from '../../board/draw.js';
import { LinesView, distinctLines } from './lines.js';

const ANALYSIS_SECONDS = 600;
const REVIEW_NODES = 20000;

const analysis = { on: false, key: '', running: false, lines: [], hovered: null, reviewing: false };

const currentKey = () => [game.start, shownMoves().join(','), $('lines').value, play.engine.useNative, rules.proofs].join('\n');

// Follows the position shown: starts over when it changed, rests while a side is thinking.
function follow(view) {
  const key = currentKey();
  if (!analysis.on || view.over || play.thinking || play.edit || analysis.reviewing) {
    if (analysis.running) play.engine.stop();
    if (view.over || !analysis.on) analysis.lines = [];
  } else if (key !== analysis.key || !(analysis.running || analysis.finished)) {
    run(view, key);
  }
  show(view);
}

// Games whose search reports on several lines itself think in one go. In the others each move is searched on its own, so
// the time is given in growing portions, and what was learnt in one helps the next.
const portionsOf = (view, lines) => (view.margin && lines > 1 ? [0.4, 1, 3, 10, 30, 100, 300] : [ANALYSIS_SECONDS]);

async function run(view, key) {
  Object.assign(analysis, { key, running: true, finished: false, lines: [] });
  const lines = numberIn($('lines'));
  const proved = proofOf(game.start, shownMoves());
  if (proved) {
    take(view, key, proved);
    Object.assign(analysis, { running: false, finished: true });
    return;
  }
  const text = (time) => askText(game.start, shownMoves(), { time, lines });
  try {
    for (const time of portionsOf(view, lines)) {
      const { stopped } = await play.engine.think(text(time), (info) => take(view, key, info));
      if (analysis.key !== key) return;
      analysis.running = !stopped;
      if (stopped || analysis.lines.every(isExact)) break;
    }
    analysis.finished = analysis.running;
    analysis.running = false;
  } catch (error) {
    if (analysis.key !== key) return;
    Object.assign(analysis, { running: false, finished: true });
    $('thinking').textContent = t('play.failed', { reason: error.message });
    return;
  }
  show(shownView());
}

// Keeps a report, unless an earlier portion of time saw further already.
function take(view, key, info) {
  const known = analysis.lines[info.line];
  if (analysis.key !== key || (known && info.depth < known.depth && !isExact(info))) return;
  analysis.lines[info.line] = info;
  if (info.line === 0) keepEval(view, game.ply, info);
  showSoon();
}

let drawing = false;

// Reports may come by the hundred: one drawing a frame, at most ten a second.
function showSoon() {
  if (drawing) return;
  drawing = true;
  setTimeout(() => requestAnimationFrame(() => {
    drawing = false;
    if (analysis.on) show(shownView());
  }), 100);
}

// One line a move, the best first: while a depth is under way a later line may have overtaken an earlier one.
const linesKnown = () => distinctLines(analysis.lines);

// -- what is seen of it --

function show(view) {
  const lines = analysis.on ? linesKnown() : [];
  const best = lines[0];
  if (best) {
    const speed = best.seconds > 0.01 ? countWords(Math.round(best.nodes / best.seconds / 1000)) : '–';
    $('thinking').textContent = best.proof ? t('analysis.byProof')
      : t('analysis.thinking', { depth: best.depth, nodes: countWords(best.nodes), speed, time: best.seconds.toFixed(1) });
  } else if (!analysis.reviewing) {
    $('thinking').textContent = analysis.on && !view.over ? t('play.thinking') : '';
  }
  analysis.view.draw(view, lines, currentKey());
  drawBar(view, best);
  drawGraph();
  drawBoard();
}

function hover(moves) {
  if (String(moves) === String(analysis.hovered)) return;
  analysis.hovered = moves;
  drawBoard();
}

// Values and marks for the board; while a line is hovered, where it leads.
function extras(view) {
  if (analysis.hovered) {
    try {
      const after = viewOf(game.start, [...shownMoves(), ...analysis.hovered]);
      const marks = {};
      for (const index of differing(view, after)) marks[index] = 'preview';
      return { cells: after.cells, marks };
    } catch {
      return {};
    }
  }
  if (!analysis.on || !$('notes').checked) return {};
  const notes = {};
  const marks = {};
  linesKnown().forEach((line, i) => {
    const index = squareOf(view, line.move);
    notes[index] ??= valueShort(view, line);
    if (i === 0) marks[index] = 'best';
  });
  return { notes, marks };
}

function drawBar(view, best) {
  const known = best ? { share: shareOfFirst(view, best.value), words: valueWords(view, best) } : game.evals[game.ply];
  const end = view.over ? { share: view.score > 0 ? 1 : view.score < 0 ? 0 : 0.5, words: resultWords(view) } : null;
  const shown = end || known;
  $('bar').hidden = !analysis.on && !shown;
  $('bar').firstElementChild.style.height = 100 * (shown ? shown.share : 0.5) + '%';
  $('bar').classList.toggle('stones', view.points);
  $('bar').setAttribute('aria-label', shown ? shown.words : t('analysis.unknown'));
  $('bar').title = shown ? shown.words : '';
}

const GRAPH = { width: 400, height: 70 };

// The values over the game; a click goes to that move.
function drawGraph() {
  const known = game.evals.map((each, ply) => each && { ...each, ply }).filter(Boolean);
  const place = $('graph');
  if (known.length < 2) return place.replaceChildren();
  const x = (ply) => (GRAPH.width * ply) / Math.max(1, game.moves.length);
  const y = (share) => GRAPH.height * (1 - share);
  const points = known.map((each) => `${x(each.ply).toFixed(1)},${y(each.share).toFixed(1)}`).join(' ');
  place.innerHTML = `<svg viewBox="0 0 ${GRAPH.width} ${GRAPH.height}" preserveAspectRatio="none" role="img" aria-label="${Board.escape(t('analysis.graph'))}">` +
    `<path class="middle" d="M0 ${GRAPH.height / 2}H${GRAPH.width}"/><polyline points="${points}"/>` +
    `<path class="here" d="M${x(game.ply)} 0V${GRAPH.height}"/></svg>`;
  place.firstElementChild.onclick = (event) => {
    const box = place.getBoundingClientRect();
    goTo(Math.round((game.moves.length * (event.clientX - box.left)) / box.width));
  };
}

// Gives every position of the game a value, one after the other.
async function review() {
  if (analysis.reviewing) return;
  analysis.reviewing = true;
  const [start, moves] = [game.start, game.moves];
  for (let ply = 0; ply <= moves.length && game.start === start && game.moves === moves && analysis.reviewing; ply++) {
    const view = viewAt(ply);
    $('thinking').textContent = t('analysis.reviewing', { ply, count: moves.length });
    if (view.over) game.evals[ply] = { share: view.score > 0 ? 1 : view.score < 0 ? 0 : 0.5, words: resultWords(view) };
    else {
      const { best, stopped } = await play.engine.think(askText(start, moves.slice(0, ply), { nodes: REVIEW_NODES })).catch(() => ({ stopped: true }));
      if (stopped) break;
      if (best) keepEval(view, ply, best);
    }
    drawGraph();
  }
  analysis.reviewing = false;
  refresh();
}

function startAnalysis() {
  analysis.view = new LinesView($('best'), hover, (moves) => {
    play.paused = true;
    for (const each of moves) makeMove(each);
  });
  play.listeners.push(follow);
  play.extras = extras;
  $('analyse').onchange = () => {
    analysis.on = $('analyse').checked;
    analysis.key = '';
    refresh();
  };
  $('lines').onchange = refresh;
  $('notes').onchange = drawBoard;
  $('review').onclick = review;
}

export { analysis, startAnalysis };
