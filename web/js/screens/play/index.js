// Playing: the game on the board, against the engine, another person, or to watch. The board on the left as large as
// the window allows; on the right the opponent above, you below, the moves between.
import { $, el } from '../../core/dom.js';
import { warn, confirmLoss, openDialog } from '../../core/dialogs.js';
import { t, sideName, gameName } from '../../core/texts.js';
import { recall, keep } from '../../core/store.js';
import { go, rewrite, router } from '../../core/router.js';
import { rules } from '../../core/rules.js';
import { icon } from '../../core/icons.js';
import { game, shownView, openLink, pendingChoice, playerToMove, gameLink } from '../../core/game.js';
import { BoardView } from '../../board/view.js';
import { play, refresh, drawBoard, continueGame, stopThinking, clickSquare, takeBack, canTakeBack, redo, nextOwn, giveHint, takeChoice, goTo, isOver, mayPlay, checkClock, endWords } from './play.js';
import { drawSides, drawClocks } from './sides.js';
import { movesBox, movesKey, drawMoves } from './moves.js';
import { newGame, openNewGame } from './newgame.js';
import { drawEnd } from './endcard.js';
import { beginEdit, drawEdit, canEdit } from './edit.js';
import { drawCourse, chooseFile, openPaste } from './course.js';
import { openShare } from './share.js';

let ticking = 0;

const action = (id, name, text, onclick, props = {}) => el('button.action', { id, onclick, title: text, ...props }, icon(name), el('span', text));

function mount(root, app) {
  play.engine = app.engine;
  const place = el('div', { id: 'board' });
  root.append(el('div.table',
    el('h1.hidden', { id: 'play-title' }, t('screen.play')),
    el('section.stage', { 'aria-label': t('stage.label') }, place),
    el('section.panel', { 'aria-label': t('panel.label') },
      el('div.player.above', { id: 'player-above' }),
      el('div.middle',
        el('div.balance', { id: 'balance', 'aria-hidden': 'true', hidden: true }, el('span.first'), el('span.second')),
        el('p', { id: 'status' }),
        el('div.choices.row', { id: 'choices', hidden: true }),
        el('p.soft', { id: 'report' }, play.report),
        el('section.card', { id: 'end', hidden: true, 'aria-label': t('end.label') }),
        el('section.card', { id: 'edit', hidden: true, 'aria-label': t('edit.title') }),
        el('section.card', { id: 'course', hidden: true, 'aria-label': t('course.title') }),
        movesBox()),
      el('div.pace', { id: 'pace', hidden: true }, el('label.field', el('span', t('play.pace')), el('input', { id: 'pace-range', type: 'range', min: 0, max: 5, value: paceStep(), oninput: () => keep('pace', PACES[$('pace-range').value]) }))),
      el('div.actions', { role: 'group', 'aria-label': t('panel.actions') },
        action('first', 'first', t('play.first'), () => goTo(0)),
        action('undo', 'undo', t('play.undo'), takeBack), action('redo', 'redo', t('play.redo'), redo),
        action('hint', 'hint', t('play.hint'), giveHint),
        action('go', 'play', t('play.go'), () => { play.paused = false; continueGame(true); }, { class: 'strong' }),
        action('stop', 'stop', t('play.stop'), () => { play.paused = true; play.engine.stop(); }, { class: 'strong' }),
        action('new', 'add', t('play.new'), openNewGame), action('more', 'more', t('play.more'), openMore)),
      el('div.player.below', { id: 'player-below' }))));
  document.removeEventListener('keydown', key);
  document.addEventListener('keydown', key);
  play.board = new BoardView(place, clickSquare, (index) => {
    play.looked = index;
    if (!play.edit) drawBoard();
  });
  play.listeners = [drawStatus, drawActions, drawChoices, drawSides, drawMoves, drawEdit, drawCourse, drawEnd];
}

// The arrow keys go through the game wherever they have nothing else to do.
function key(event) {
  if (router.current?.screen !== playScreen || play.edit || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || document.querySelector('dialog[open]')) return;
  if (event.target.closest('input, textarea, select, [data-index], #moves, nav')) return;
  movesKey(event);
}

// Milliseconds between the moves of two engines, by the slider's step.
const PACES = [4000, 2000, 1000, 500, 200, 0];
const paceStep = () => Math.max(0, PACES.indexOf(recall('pace', 1000)));

// -- what is drawn beside the board --

function statusWords(view) {
  if (isOver(view)) return endWords(view);
  const pending = pendingChoice();
  if (pending?.must && game.players[pending.player] === 'human') return t('status.choose');
  const alone = game.players.filter((each) => each === 'human').length === 1;
  const who = playerToMove();
  if (play.thinking) return t('status.thinking', { level: t('level.' + (who === 'human' ? 'full' : who)) });
  const side = sideName(view, view.toMove);
  if (alone && who === 'human') return t(game.opening === 'swap2' && game.ply < 3 ? 'status.place' : 'status.yours', { side });
  return t('status.toMove', { side });
}

function drawStatus(view) {
  $('status').textContent = statusWords(view);
  $('play-title').textContent = `${t('screen.play')}: ${gameName(view)}`;
}

function drawActions(view) {
  const over = isOver(view);
  const waiting = !over && !play.thinking && playerToMove() !== 'human';
  $('first').hidden = game.players.includes('human');
  $('first').disabled = game.ply === 0;
  $('undo').disabled = !canTakeBack();
  $('redo').disabled = nextOwn(1) < 0;
  $('hint').disabled = !mayPlay(view);
  $('hint').hidden = play.thinking || waiting;
  $('go').hidden = !waiting || Boolean(play.edit);
  $('stop').hidden = !play.thinking;
  $('pace').hidden = game.players.includes('human') || over;
}

// The choice of colours, where it is a human's.
function drawChoices() {
  const pending = pendingChoice();
  const place = $('choices');
  place.hidden = !pending || game.players[pending.player] !== 'human' || play.thinking;
  if (place.hidden) return place.replaceChildren();
  if (place.dataset.key === pending.choices.join() && place.childElementCount) return;
  place.dataset.key = pending.choices.join();
  place.replaceChildren(...pending.choices.map((choice) => el('button', { id: 'choice-' + choice, class: choice === 'swap' ? 'strong' : '', onclick: () => takeChoice(choice) }, t('choice.' + choice))), pending.must ? '' : el('span.soft', t('choice.orPlay')));
}

// -- more --

function openMore() {
  const view = shownView();
  const item = (id, name, text, run) => el('button.item', { id, onclick: () => { dialog.close(); run(); } }, icon(name), text);
  const sound = el('label.check', el('input', { type: 'checkbox', id: 'sound', checked: recall('sound', false), onchange: (event) => keep('sound', event.target.checked) }), el('span', t('play.sound')));
  const numbers = view.points && el('label.check', el('input', { type: 'checkbox', id: 'numbers', checked: recall('numbers', true), onchange: (event) => { keep('numbers', event.target.checked); refresh(); } }), el('span', t('play.numbers')));
  const dialog = openDialog('more-menu', t('play.more'), el('div.items',
    item('open', 'open', t('share.open'), chooseFile), item('paste', 'book', t('share.paste'), openPaste),
    item('share-open', 'share', t('share.title'), openShare),
    canEdit(view) && !isOver(view) ? item('edit-open', 'edit', t('edit.title'), beginEdit) : null,
    game.moves.length ? item('study-open', 'look', t('study.thisGame'), () => go('study', [], { game: 1 })) : null,
    item('explore-open', 'tree', t('screen.explore'), async () => go('explore', [], { g: await packedGame() })),
    !isOver(view) && !play.thinking ? item('engine-move', 'play', t('play.engineMoves'), () => { play.paused = false; continueGame(true); }) : null, numbers, sound));
}

const packedGame = async () => new URLSearchParams((await gameLink('play')).split('?').pop()).get('g');

// -- coming and going --

// The game of a link, else the one on the board, else a fresh one; "#play?new=gomoku" begins that game.
async function show({ query, again }) {
  if (!again && query.get('g')) await takeLink(query.get('g'));
  if (!again && query.get('new')) await beginNamed(query.get('new'));
  if (!game.start) newGame({});
  refresh();
  clearInterval(ticking);
  ticking = setInterval(tick, 250);
  continueGame();
}

function tick() {
  if (document.hidden || play.edit) return;
  const view = shownView();
  if (isOver(view) || game.ply < game.moves.length) return;
  drawClocks(view);
  checkClock();
}

async function beginNamed(name) {
  const index = rules.games.findIndex((each) => each.game === name);
  rewrite('play');
  if (index < 0) return;
  if (game.moves.length && !isOver(shownView())) {
    refresh();
    if (!(await confirmLoss(t('setup.replace')))) return;
  }
  newGame({ index });
}

async function takeLink(packed) {
  stopThinking();
  const before = JSON.parse(JSON.stringify(game));
  try {
    await openLink(packed);
  } catch (error) {
    return warn(t('link.bad', { reason: error.message }));
  }
  const loses = before.moves.length > 0 && String([before.start, before.moves]) !== String([game.start, game.moves]);
  if (loses && !(await confirmLoss(t('link.replace')))) Object.assign(game, before);
  else play.edit = null;
  play.paused = true;
}

function hide() {
  clearInterval(ticking);
  stopThinking();
  play.engine.stop();
}

export const playScreen = { name: 'play', mount, show, hide };
