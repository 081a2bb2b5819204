// Puzzles: a position with one right move. Wins of Gomoku are played out against the defence that holds out longest; best
// moves of the other games are one move, and what it is worth is shown.
import { el } from '../../core/dom.js';
import { t, sideName } from '../../core/texts.js';
import { choose, toast, announce } from '../../core/dialogs.js';
import { askText, viewOf, movesOn, differentMoves, moveSaid, squareOf, differing, winningLine } from '../../core/rules.js';
import { go, addressOf, router } from '../../core/router.js';
import { BoardView } from '../../board/view.js';
import { Board } from '../../board/draw.js';
import { KINDS, loadPuzzles, record, keepKind, note, stepOf, setStep, nextPuzzle, solvedCount, localDay, isDay, dailyPuzzle } from './puzzles.js';
import { studyOf } from '../study/model.js';
import { openStudy, freshName } from '../study/state.js';

const ui = {};
// What is being solved. `state` is 'ask', 'wait' (the engine answers), 'wrong' or 'done'.
const now = { app: null, all: [], puzzle: null, day: '', moves: [], left: 0, state: 'ask', tries: 0, hints: 0, since: 0, seconds: 0, text: '', looked: -1, hint: null, up: false, shown: null, said: (move) => said(move) };

const starsOf = (count) => '★'.repeat(count);
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
const kindName = (kind) => t('puzzles.kind.' + kind);
const said = (move) => moveSaid(viewOf(now.puzzle.start, []), move);
const viewNow = () => viewOf(now.puzzle.start, now.moves);

// "19 November 2026": a day as people write it.
const dayWords = (day) => new Date(day + 'T12:00').toLocaleDateString(document.documentElement.lang === 'en' ? 'en-GB' : document.documentElement.lang, { day: 'numeric', month: 'long', year: 'numeric' });

// "Gomoku win in 5", "Stake-Raid best move".
const taskName = ({ kind, type, moves }) => (type === 'win' ? t('puzzles.name.win', { game: kindName(kind), moves }) : t('puzzles.name.best', { game: kindName(kind) }));

function mount(root, app) {
  now.app = app;
  Object.assign(ui, {
    sign: el('span.puzzle-sign', { 'aria-hidden': 'true' }), title: el('h1.puzzle-title'), task: el('p.puzzle-task'), stars: el('p.puzzle-stars'), said: el('p.puzzle-said', { role: 'status' }),
    board: el('div.puzzle-board'), actions: el('div.puzzle-actions'), kinds: el('div.puzzle-kinds', { role: 'group', 'aria-label': t('puzzles.kinds') }),
    steps: el('div.puzzle-steps', { role: 'group', 'aria-label': t('puzzles.steps') }), tally: el('p.puzzle-tally'),
  });
  root.append(el('div.puzzle', {}, el('section.puzzle-stage', { 'aria-label': t('stage.label') }, ui.board),
    el('section.puzzle-side', { 'aria-label': t('screen.puzzles') },
      el('div.puzzle-card.puzzle-now', ui.title, ui.stars, el('div.puzzle-ask', ui.sign, ui.task), ui.said, ui.actions),
      el('div.puzzle-card', ui.kinds, ui.steps, ui.tally))));
  now.board = new BoardView(ui.board, clickSquare, (index) => { now.looked = index; drawBoard(); });
}

// #puzzles, #puzzles/daily, #puzzles/daily/2026-11-18, #puzzles/gomoku/3, #puzzles/ID
async function show({ path, again }) {
  now.all = await loadPuzzles();
  if (again && now.puzzle) return draw();
  const [first, second] = path;
  const day = isDay(second || '') ? second : localDay();
  const named = now.all.find((each) => each.id === first);
  if (first === 'daily') begin(dailyPuzzle(now.all, day), day);
  else if (KINDS.includes(first)) {
    if (second >= '1' && second <= '5') setStep(first, Number(second));
    begin(nextPuzzle(now.all, first, stepOf(first), null));
  } else begin(named || nextPuzzle(now.all, record().kind || 'gomoku', stepOf(record().kind || 'gomoku'), null));
}

function hide() {
  if (now.state === 'wait') now.app.engine.stop();
}

// -- solving --

function begin(puzzle, day = '') {
  now.app.engine.stop();
  Object.assign(now, { puzzle, day, moves: [], left: puzzle.moves, state: 'ask', tries: 0, hints: 0, seconds: 0, since: performance.now(), text: '', hint: null, up: false, shown: null });
  draw();
}

function again() {
  Object.assign(now, { moves: [], left: now.puzzle.moves, state: 'ask', text: '', hint: null, shown: null });
  draw();
}

async function clickSquare(index) {
  if (now.state === 'wrong') return again();
  if (now.state !== 'ask') return;
  const { puzzle, moves: before } = now;
  const moves = differentMoves(puzzle.start, before, index);
  if (!moves.length) return;
  const move = moves.length === 1 ? moves[0] : await choose(t('play.which'), moves.map((each) => ({ value: each, text: each, strong: each === moves.at(-1) })));
  if (!move || now.puzzle !== puzzle || now.moves !== before || now.state !== 'ask') return;
  now.hint = null;
  try {
    await (puzzle.type === 'win' ? playWin(move) : playBest(move));
  } catch (error) {
    if (now.puzzle !== puzzle) return;
    Object.assign(now, { state: 'ask', moves: before, text: t('play.failed', { reason: error.message }) });
    draw();
  }
}

// Whether the puzzle on the screen is still the one an answer is about.
const stillAt = (puzzle, moves) => now.puzzle === puzzle && now.moves === moves;

// A move of the winner: the reply that holds out longest, or the end.
async function playWin(move) {
  const { puzzle } = now;
  const moves = (now.moves = [...now.moves, move]);
  const view = viewNow();
  if (view.over) return view.score !== 0 ? solved() : wrong(t('puzzles.notSo'));
  now.state = 'wait';
  now.text = '';
  draw();
  const { moves: left, move: reply } = await now.app.engine.call('web_within', askText(puzzle.start, moves), [now.left - 1, 1]);
  if (!stillAt(puzzle, moves)) return;
  if (!left) return refute(puzzle, moves);
  await new Promise((resolve) => setTimeout(resolve, 350)); // so that the answer is seen coming
  if (!stillAt(puzzle, moves)) return;
  Object.assign(now, { moves: [...moves, reply], left, state: 'ask', text: t('puzzles.goOn', { move: said(reply), left }) });
  announce(now.text);
  draw();
}

// The move does not win in time: what the engine answers.
async function refute(puzzle, moves) {
  const { best } = await now.app.engine.think(askText(puzzle.start, moves, { nodes: 20000 }));
  if (!stillAt(puzzle, moves)) return;
  if (best) now.moves = [...moves, best.move];
  wrong(best ? t('puzzles.refuted', { move: moves.at(-1), reply: best.move, left: now.left }) : t('puzzles.notSo'));
}

// The one move of a board with margins: right when it leads to the same board.
async function playBest(move) {
  const { puzzle } = now;
  const right = viewOf(puzzle.start, [puzzle.move]);
  const moves = (now.moves = [move]);
  const view = viewNow();
  const side = viewOf(puzzle.start, []).toMove;
  if (view.cells.every(([ink], i) => ink === right.cells[i][0])) return solved();
  now.state = 'wait';
  draw();
  const value = view.over ? (side === 0 ? view.score : -view.score) : await exactValue(puzzle, moves, side, view);
  if (!stillAt(puzzle, moves)) return;
  wrong(value === null ? t('puzzles.notSo') : t('puzzles.less', { move: said(move), value: signed(value), lost: puzzle.value - value }));
}

const signed = (value) => (value > 0 ? '+' : value < 0 ? '−' : '') + Math.abs(value);

// What the board is worth to the side that moved, exactly; null where that is not found soon.
async function exactValue(puzzle, moves, side, view) {
  const { best } = await now.app.engine.think(askText(puzzle.start, moves, { goal: 'exact', time: 5 }));
  if (!best || best.lower === undefined || best.lower !== best.upper) return null;
  return view.toMove === side ? best.value : -best.value;
}

function wrong(text) {
  now.tries++;
  Object.assign(now, { state: 'wrong', text });
  announce(text);
  draw();
}

function solved() {
  const { puzzle } = now;
  now.seconds = (performance.now() - now.since) / 1000;
  now.state = 'done';
  now.up = note(puzzle, now.tries || now.hints ? 'help' : 'ok', now.day);
  now.text = puzzle.type === 'win' ? t('puzzles.solvedWin') : t('puzzles.solvedBest', { move: said(puzzle.move), value: signed(puzzle.value), second: signed(puzzle.second) });
  announce(now.text);
  draw();
  ui.actions.querySelector('.puzzle-next')?.focus();
}

// First where, then how: the square of the move, or of the next one.
async function hint() {
  const { puzzle, moves } = now;
  now.hints++;
  let move = puzzle.move;
  if (puzzle.type === 'win' && moves.length) {
    now.state = 'wait';
    draw();
    ({ move } = await now.app.engine.call('web_within', askText(puzzle.start, moves), [now.left, 0]));
    if (!stillAt(puzzle, moves)) return;
    now.state = 'ask';
  }
  if (!move) return draw();
  now.hint = squareOf(viewNow(), move);
  now.text = t('puzzles.hinted', { move: said(move) });
  announce(now.text);
  draw();
}

// The solution, played out.
async function solution() {
  const { puzzle } = now;
  now.hints++;
  now.tries++;
  now.hint = null;
  let moves = (now.moves = []);
  let left = puzzle.moves;
  let move = puzzle.move;
  now.state = 'wait';
  for (;;) {
    moves = now.moves = [...moves, move];
    draw();
    if (puzzle.type === 'best' || viewNow().over) break;
    const answer = await now.app.engine.call('web_within', askText(puzzle.start, moves), [left - 1, 1]);
    if (!stillAt(puzzle, moves) || !answer.moves) return;
    left = answer.moves;
    moves = now.moves = [...moves, answer.move];
    draw();
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (!stillAt(puzzle, moves)) return;
    ({ move } = await now.app.engine.call('web_within', askText(puzzle.start, moves), [left, 0]));
    if (!stillAt(puzzle, moves) || !move) return;
  }
  now.state = 'done';
  now.seconds = 0;
  note(puzzle, 'help', now.day);
  now.text = puzzle.type === 'win' ? t('puzzles.shownWin') : t('puzzles.solvedBest', { move: said(puzzle.move), value: signed(puzzle.value), second: signed(puzzle.second) });
  draw();
}

// "sortie daily 2026-11-18 · Gomoku win in 5 · ★★ in 1:12": how it went, and nothing of the solution.
function resultLine() {
  const { puzzle, day, tries, hints, seconds } = now;
  const parts = [day ? t('puzzles.line.daily', { day }) : t('puzzles.line.puzzle', { id: puzzle.id }), taskName(puzzle)];
  const how = seconds ? t('puzzles.line.in', { time: clock(seconds) }) : t('puzzles.line.shown');
  parts.push(`${starsOf(puzzle.stars)} ${how}`);
  if (seconds && tries) parts.push(t('puzzles.line.tries', { count: tries + 1 }));
  if (seconds && hints) parts.push(t('puzzles.line.hint'));
  return parts.join(' · ');
}

async function share() {
  const line = resultLine();
  try {
    await navigator.clipboard.writeText(line);
    toast(t('puzzles.copied', { line }));
  } catch {
    toast(line);
  }
}

function study() {
  const { puzzle, moves } = now;
  const made = studyOf(puzzle.start, moves);
  made.at = made.root;
  openStudy(made, freshName(taskName(puzzle)));
  go('study');
}

function next() {
  const { kind } = now.puzzle;
  const following = nextPuzzle(now.all, kind, stepOf(kind), now.puzzle.id);
  if (router.params.path.length) history.replaceState(null, '', addressOf('puzzles'));
  begin(following);
}

function chooseKind(kind) {
  keepKind(kind);
  history.replaceState(null, '', addressOf('puzzles', [kind]));
  begin(nextPuzzle(now.all, kind, stepOf(kind), null));
}

function chooseStep(kind, stars) {
  setStep(kind, stars);
  history.replaceState(null, '', addressOf('puzzles', [kind]));
  begin(nextPuzzle(now.all, kind, stars, null));
}

// -- drawing --

function draw() {
  const { puzzle, state } = now;
  const view = viewNow();
  const start = viewOf(puzzle.start, []);
  const side = sideName(start, start.toMove);
  ui.title.textContent = now.day ? t('puzzles.dailyTitle', { day: dayWords(now.day) }) : t('screen.puzzles');
  ui.stars.replaceChildren(el('span.puzzle-shine', { 'aria-label': t('puzzles.ofStars', { count: puzzle.stars }), role: 'img' }, starsOf(puzzle.stars) + '☆'.repeat(5 - puzzle.stars)), ' ', taskName(puzzle));
  ui.task.textContent = puzzle.type === 'win' ? t('puzzles.task.win', { side, moves: now.left, count: now.left }) : t('puzzles.task.best', { side });
  const key = `${start.game} ${start.toMove}`;
  if (ui.sign.dataset.key !== key) {
    ui.sign.dataset.key = key;
    ui.sign.innerHTML = `<svg viewBox="0 0 48 48" class="board ${Board.kindOf(start)}">${Board.piece(start, start.toMove === 0 ? 'a' : 'b', 24, 24)}</svg>`;
  }
  ui.said.textContent = state === 'wait' ? t('play.thinking') : now.text;
  ui.said.className = 'puzzle-said ' + { done: now.seconds ? 'right' : 'shown', wrong: 'wrong' }[state];
  drawActions();
  drawChoices();
  drawBoard(view);
}

function drawActions() {
  const action = (name, run, strong) => el('button', { onclick: run, class: `puzzle-${name}${strong ? ' strong' : ''}` }, t('puzzles.' + name));
  const { state } = now;
  const actions = state === 'done'
    ? [action('next', next, true), action('share', share), action('study', study)]
    : state === 'wrong' ? [action('again', again, true), action('solution', solution)]
      : [action('hint', hint), action('solution', solution), action('skip', next)];
  if (now.up) actions.push(action('harder', () => chooseStep(now.puzzle.kind, stepOf(now.puzzle.kind) + 1), false));
  for (const each of actions) each.disabled = state === 'wait';
  ui.actions.replaceChildren(...actions);
}

function drawChoices() {
  const { puzzle } = now;
  const { streak, best } = record();
  ui.tally.textContent = best ? t('puzzles.streak', { streak, best }) : '';
  ui.kinds.replaceChildren(el('button', { onclick: () => go('puzzles', ['daily']), 'aria-pressed': String(Boolean(now.day)), class: 'puzzle-daily' }, t('puzzles.daily')),
    ...KINDS.map((kind) => {
      const { solved: done, count } = solvedCount(now.all, kind);
      return el('button', { onclick: () => chooseKind(kind), 'aria-pressed': String(!now.day && kind === puzzle.kind) }, kindName(kind), el('span.soft', ` ${done}/${count}`));
    }));
  ui.steps.replaceChildren(...[1, 2, 3, 4, 5].map((stars) => {
    const { solved: done, count } = solvedCount(now.all, puzzle.kind, stars);
    return el('button', { onclick: () => chooseStep(puzzle.kind, stars), 'aria-pressed': String(stars === puzzle.stars), 'aria-label': t('puzzles.step', { stars, done, count }), title: t('puzzles.step', { stars, done, count }) },
      starsOf(stars), el('span.puzzle-done', { 'aria-hidden': 'true' }, el('span', { class: 'puzzle-filled', style: null })));
  }));
  [...ui.steps.querySelectorAll('.puzzle-filled')].forEach((bar, i) => {
    const { solved: done, count } = solvedCount(now.all, puzzle.kind, i + 1);
    bar.style.width = `${(100 * done) / Math.max(1, count)}%`;
  });
}

function drawBoard(view = viewNow()) {
  const { puzzle, moves } = now;
  const board = { ...view, last: -1, changed: [], marks: {}, notes: {} };
  if (moves.length) {
    const before = viewOf(puzzle.start, moves.slice(0, -1));
    board.last = squareOf(before, moves.at(-1));
    board.changed = view.points ? [] : differing(before, view);
  }
  board.line = winningLine(view);
  if (now.hint !== null) board.marks[now.hint] = 'hint';
  if (now.looked >= 0 && !view.points && now.state === 'ask') {
    const here = movesOn(view, now.looked);
    if (here.length) for (const index of differing(view, viewOf(puzzle.start, [...moves, here.at(-1)]))) board.marks[index] = 'preview';
  }
  now.board.draw(board);
}

export const puzzlesScreen = { name: 'puzzles', mount, show, hide };
export { now as puzzleNow, resultLine };
