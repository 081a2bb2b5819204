// Learning a game: its rules in five steps on a small board, each done rather than read, then a few exercises, which
// the engine judges. "#learn" is the choice of a game, "#learn/gomoku/2" its second step.
import { el } from '../../core/dom.js';
import { announce, warn } from '../../core/dialogs.js';
import { t, sideName } from '../../core/texts.js';
import { recall, keep } from '../../core/store.js';
import { addressOf, go } from '../../core/router.js';
import { rules, viewOf, askText, squareOf, differing, movesOn, winningLine } from '../../core/rules.js';
import { pointsOf } from '../../core/points.js';
import { BoardView } from '../../board/view.js';
import { Board } from '../../board/draw.js';
import { icon } from '../../core/icons.js';
import { LESSONS } from './lessons.js';

const LOOK = 60000; // nodes for judging a move of an exercise
const WON = 29000;
const AGAIN = 1400; // milliseconds a wrong move stays

const lesson = { app: null, root: null, game: '', at: 0, moves: [], solved: false, looked: -1, board: null, busy: false, timer: 0 };

const tasksOf = (name) => [...LESSONS[name].steps, ...LESSONS[name].exercises];
const task = () => tasksOf(lesson.game)[lesson.at];
const isExercise = () => lesson.at >= LESSONS[lesson.game].steps.length;

// -- what was done --

const doneOf = (name) => recall('learnt', {})[name] || [];

function noteDone() {
  const learnt = { ...recall('learnt', {}) };
  learnt[lesson.game] = [...doneOf(lesson.game)];
  learnt[lesson.game][lesson.at] = true;
  keep('learnt', learnt);
}

// -- the choice of a game --

function drawChoice() {
  const cards = Object.keys(LESSONS).filter((name) => rules.games.some(({ game }) => game === name)).map((name) => {
    const tasks = tasksOf(name);
    const done = tasks.filter((each, i) => doneOf(name)[i]).length;
    const next = Math.max(0, tasks.findIndex((each, i) => !doneOf(name)[i]));
    const picture = el('div.learn-picture', { 'aria-hidden': 'true' });
    picture.innerHTML = Board.draw({ ...viewOf(tasks[3].start, []), last: -1 });
    const href = addressOf('learn', [name, next + 1]);
    return el('article.learn-card', { 'aria-labelledby': 'learn-' + name }, el('a.learn-open', { href, tabindex: '-1', 'aria-hidden': 'true' }, picture),
      el('div.learn-of', el('h2', { id: 'learn-' + name }, t('game.' + name)), el('p.soft', t('learn.done', { done, all: tasks.length })),
        el('progress', { value: done, max: tasks.length, 'aria-label': t('learn.done', { done, all: tasks.length }) }),
        listOf(name),
        el('a.button.strong', { href, 'aria-label': `${t('game.' + name)}: ${t(words(done, tasks.length))}` }, t(words(done, tasks.length)))));
  });
  lesson.root.replaceChildren(el('div.learn', el('h1', t('screen.learn')), el('p.lead', t('learn.intro')), el('div.learn-cards', cards)));
}

const words = (done, all) => (done === 0 ? 'learn.begin' : done < all ? 'learn.goOn' : 'learn.again');

// Steps and exercises by name, those that were done with a tick.
function listOf(name) {
  const { steps } = LESSONS[name];
  return el('ol.learn-list', tasksOf(name).map((each, i) => el('li', { class: [doneOf(name)[i] ? 'done' : '', i === steps.length ? 'first-exercise' : ''].join(' ') },
    el('a', { href: addressOf('learn', [name, i + 1]) }, el('span.learn-tick', { 'aria-hidden': 'true' }, doneOf(name)[i] ? icon('check') : String(i >= steps.length ? i - steps.length + 1 : i + 1)), t(keyOf(name, i) + '.title')))));
}

// -- one step --

// What the texts of a step are called.
const keyOf = (name, at) => (at < LESSONS[name].steps.length ? `learn.${name}.${at + 1}` : `learn.${name}.x${at - LESSONS[name].steps.length + 1}`);

function drawStep() {
  const place = el('div.learn-board');
  const steps = LESSONS[lesson.game].steps.length;
  const key = keyOf(lesson.game, lesson.at);
  const dots = tasksOf(lesson.game).map((each, i) => el('a', { href: addressOf('learn', [lesson.game, i + 1]), class: [i === lesson.at ? 'now' : '', doneOf(lesson.game)[i] ? 'done' : '', i >= steps ? 'exercise' : ''].join(' '),
    'aria-label': t(i >= steps ? 'learn.exercise' : 'learn.step', { number: i >= steps ? i - steps + 1 : i + 1 }), 'aria-current': i === lesson.at && 'step' }, String(i >= steps ? i - steps + 1 : i + 1)));
  lesson.root.replaceChildren(el('div.learn.lesson',
    el('section.learn-words', { 'aria-label': t('learn.words') },
      el('p', el('a', { href: addressOf('learn') }, t('screen.learn')), ' · ', t('game.' + lesson.game)),
      el('nav.dots', { 'aria-label': t('learn.steps') }, [['rules', dots.slice(0, steps)], ['exercises', dots.slice(steps)]].map(([group, these]) => el('div', el('small.soft', t('learn.' + group)), el('div.row', these)))),
      el('h1', t(key + '.title')), el('p.lead', t(key)),
      el('p.learn-score', { hidden: true }), el('p.learn-said', { role: 'status' }), el('div.row.learn-next')),
    el('section.learn-stage', { 'aria-label': t('stage.label') }, place)));
  lesson.board = new BoardView(place, play, (index) => {
    lesson.looked = index;
    drawBoard();
  });
  Object.assign(lesson, { moves: [], solved: false, busy: false, looked: -1 });
  clearTimeout(lesson.timer);
  drawBoard();
  say(t(isExercise() ? 'learn.find' : 'learn.try', { side: sideName(viewOf(task().start, []), viewOf(task().start, []).toMove) }));
}

const part = (name) => lesson.root.querySelector('.' + name);

function say(text, kind = '') {
  const place = part('learn-said');
  place.textContent = text;
  place.className = 'learn-said ' + kind;
}

function drawBoard() {
  const { start } = task();
  const view = viewOf(start, lesson.moves);
  const board = { ...view, last: -1, changed: [], marks: {} };
  if (lesson.moves.length) {
    const before = viewOf(start, lesson.moves.slice(0, -1));
    board.last = squareOf(before, lesson.moves.at(-1));
    board.changed = view.points ? [] : differing(before, view);
    board.gainSide = before.toMove;
    if (view.margin) board.gain = '+' + (pointsOf(view)[before.toMove] - pointsOf(before)[before.toMove]);
    board.line = winningLine(view);
  } else if (lesson.looked >= 0 && !view.points) {
    const moves = movesOn(view, lesson.looked);
    if (moves.length) for (const index of differing(view, viewOf(start, [moves.at(-1)]))) board.marks[index] = 'preview';
  }
  lesson.board.draw(board);
  const score = part('learn-score');
  score.hidden = !view.margin;
  if (view.margin) score.textContent = pointsOf(view).map((points, side) => `${sideName(view, side)}: ${points}`).join('  ·  ');
}

// A move of the learner: right, or taken back after a moment. Where a square has two moves, the raid is meant.
async function play(index) {
  if (lesson.solved || lesson.busy) return;
  const { start } = task();
  const view = viewOf(start, []);
  const moves = movesOn(view, index);
  if (!moves.length) return say(t('ab'.includes(view.cells[index][0]) ? 'learn.taken' : 'learn.not'), 'wrong');
  const move = moves.at(-1);
  Object.assign(lesson, { moves: [move], busy: true });
  drawBoard();
  const at = lesson.at;
  const isRight = isExercise() ? await judge(view, move) : task().done(view, viewOf(start, [move]), move);
  if (at !== lesson.at || !lesson.moves.length) return;
  lesson.busy = false;
  if (isRight) return right();
  if (isRight === null) return;
  lesson.busy = true;
  say(t(isExercise() ? 'learn.better' : 'learn.wrong'), 'wrong');
  lesson.timer = setTimeout(() => {
    Object.assign(lesson, { moves: [], busy: false });
    drawBoard();
  }, AGAIN);
}

// Whether a move solves the exercise, by the engine's word; null where it could not say.
async function judge(view, move) {
  const { start, goal } = task();
  const after = viewOf(start, [move]);
  say(t('learn.judging'));
  try {
    if (goal === 'win') {
      if (after.over) return (view.toMove === 0 ? after.score : -after.score) > 0;
      const { best } = await lesson.app.engine.think(askText(start, [move], { nodes: LOOK }));
      return Boolean(best) && best.value <= -WON;
    }
    const { best } = await lesson.app.engine.think(askText(start, [], { nodes: LOOK }));
    const own = after.over ? after.score * (view.toMove === 0 ? 1 : -1) : (await lesson.app.engine.think(askText(start, [move], { nodes: LOOK }))).best;
    return after.over ? own >= best.value : (after.toMove === view.toMove ? own.value : -own.value) >= best.value;
  } catch (error) {
    warn(t('play.failed', { reason: error.message }));
    Object.assign(lesson, { moves: [], busy: false });
    drawBoard();
    return null;
  }
}

function right() {
  lesson.solved = true;
  noteDone();
  const steps = LESSONS[lesson.game].steps.length;
  const words = isExercise() ? t('learn.solved') : t(`learn.${lesson.game}.${lesson.at + 1}.done`);
  say(words, 'right');
  announce(words);
  const last = lesson.at === tasksOf(lesson.game).length - 1;
  const next = last ? el('button.strong', { onclick: () => go('play', [], { new: lesson.game }) }, t('learn.play'))
    : el('button.strong', { onclick: () => go('learn', [lesson.game, lesson.at + 2]) }, t(lesson.at === steps - 1 ? 'learn.toExercises' : 'learn.next'));
  part('learn-next').replaceChildren(next, !last && lesson.at >= steps - 1 ? el('button', { onclick: () => go('play', [], { new: lesson.game }) }, t('learn.play')) : '');
  for (const dot of lesson.root.querySelectorAll('.dots .now')) dot.classList.add('done');
  next.prepend(icon('check'));
  next.focus();
}

// -- the screen --

function mount(root, app) {
  Object.assign(lesson, { app, root });
}

function show({ path, again }) {
  const [name, number] = path;
  if (!LESSONS[name]) return drawChoice();
  const at = Math.min(tasksOf(name).length, Math.max(1, Math.trunc(Number(number)) || 1)) - 1;
  Object.assign(lesson, { game: name, at });
  drawStep();
  if (!again) lesson.root.querySelector('h1').focus?.();
}

function hide() {
  clearTimeout(lesson.timer);
  lesson.moves = [];
  lesson.app.engine.stop();
}

export const learnScreen = { name: 'learn', mount, show, hide };
