// Playing: clicks become moves, the engine answers where it is its turn, hints, take back, clocks, the swap.
import { $ } from '../../core/dom.js';
import { make, choose, toast, numberIn, announce } from '../../core/dialogs.js';
import { t, sideName } from '../../core/texts.js';
import { game, shownMoves, shownView, viewAt, playerToMove, playMove, rememberGame } from '../../core/game.js';
import { rewrite } from '../../core/router.js';
import { askText, proofOf, viewOf, movesOn, squareOf, differing, winningLine } from '../../core/rules.js';
import { levelNamed, levelLimits, levelMove } from '../../core/levels.js';
import { statusWords, valueWords, resultWords, shareOfFirst, countWords } from '../../core/values.js';
import { BoardView } from '../../board/view.js';
import { Board } from '../../board/draw.js';

const play = {
  engine: null, // set by main
  board: null, // the BoardView
  thinking: false, // the engine chooses a move for a side
  paused: false, // an engine side waits: after stop, take back, or a look at an earlier move
  hint: null, // {ply, move}
  looked: -1,
  edit: null, // set by edit.js while a position is edited: {onPlay(index), board()}
  extras: () => ({}), // marks and notes of the analysis
  listeners: [], // called after every change of what is shown
  turn: 0, // counts the engine's turns, so that an answer that comes late is dropped
  since: 0, // when the side to move began to think
};

// -- showing --

// The position shown, as board.js draws it.
function boardShown() {
  const view = shownView();
  const board = { ...view, last: -1, changed: [], marks: {}, notes: {} };
  if (game.ply > 0) {
    const before = viewAt(game.ply - 1);
    board.last = squareOf(before, game.moves[game.ply - 1]);
    board.changed = view.points ? [] : differing(before, view);
  }
  for (const index of winningLine(view)) board.marks[index] = 'win';
  const { notes = {}, marks = {}, cells } = play.extras(view);
  Object.assign(board.notes, notes);
  if (cells) board.cells = cells;
  for (const [index, name] of Object.entries(marks)) board.marks[index] = name;
  if (play.hint && play.hint.ply === game.ply) board.marks[squareOf(view, play.hint.move)] = 'hint';
  for (const index of preview(view)) board.marks[index] = 'preview';
  return board;
}

// The squares that the move under the pointer would flip or cover.
function preview(view) {
  if (play.looked < 0 || view.points || view.over || !mayPlay()) return [];
  const moves = movesOn(view, play.looked);
  if (!moves.length) return [];
  return differing(view, viewOf(game.start, [...shownMoves(), moves[moves.length - 1]]));
}

const mayPlay = () => playerToMove() === 'human' || play.paused;

function drawBoard() {
  play.board.draw(play.edit ? play.edit.board() : boardShown());
}

function refresh() {
  const view = shownView();
  drawBoard();
  $('status').textContent = statusWords(view);
  $('undo').disabled = game.ply === 0;
  $('redo').disabled = game.ply === game.moves.length;
  $('hint').disabled = $('go').disabled = view.over;
  $('slider').max = game.moves.length;
  $('slider').value = game.ply;
  $('slider').setAttribute('aria-valuetext', t('moves.at', { ply: game.ply, count: game.moves.length }));
  $('swap').hidden = !maySwap(view) || playerToMove() !== 'human';
  $('stop').hidden = !play.thinking;
  $('go').hidden = play.thinking;
  drawMoves();
  drawSides(view);
  rememberGame();
  for (const listener of play.listeners) listener(view);
}

function drawMoves() {
  const place = $('moves');
  place.replaceChildren(...game.moves.map((move, i) => {
    const button = make('button', move, i === game.ply - 1 ? 'now' : '');
    button.type = 'button';
    button.tabIndex = -1;
    button.onclick = () => goTo(i + 1);
    if (i % 2) return button;
    const pair = document.createDocumentFragment();
    pair.append(make('span', `${i / 2 + 1}.`, 'soft'), button);
    return pair;
  }));
  if (!game.moves.length) place.append(make('span', t('moves.none'), 'soft'));
  const now = place.querySelector('.now');
  if (now) place.scrollTop = Math.max(0, now.offsetTop - place.offsetTop - place.clientHeight / 2);
}

// -- clocks --

const minutesEach = () => Number($('minutes').value) * 60;
const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

function secondsUsed(view, side) {
  const running = !view.over && view.toMove === side && game.ply === game.moves.length && game.moves.length > 0;
  return game.used[side] + (running ? (performance.now() - play.since) / 1000 : 0);
}

const outOfTime = (view) => (minutesEach() ? [0, 1].findIndex((side) => secondsUsed(view, side) >= minutesEach()) : -1);

function drawSides(view) {
  const lost = outOfTime(view);
  $('sides').replaceChildren(...[0, 1].map((side) => {
    const used = secondsUsed(view, side);
    const row = make('div', undefined, 'player' + (!view.over && view.toMove === side ? ' turn' : ''));
    const ink = side === 0 ? 'a' : 'b';
    const sign = make('span', undefined, 'sign');
    sign.innerHTML = `<svg viewBox="0 0 48 48" class="board" aria-hidden="true">${Board.piece(view.points, ink, 24, 24)}</svg>`;
    const who = game.players[side] === 'human' ? t('player.human') : t('player.engine', { level: t('level.' + game.players[side]) });
    row.append(sign, make('b', sideName(view, side)), make('span', who, 'soft'),
      make('span', lost === side ? t('clock.out') : clockText(minutesEach() ? Math.max(0, minutesEach() - used) : used), 'clock'));
    return row;
  }));
}

// -- moves --

// Plays a move and lets the engine answer. A continuation it replaces can be had back.
function makeMove(move) {
  const view = shownView();
  game.used[view.toMove] = secondsUsed(view, view.toMove);
  play.since = performance.now();
  if (location.hash.includes('g=')) rewrite('play'); // it goes on from the link now
  const replaced = playMove(move);
  if (replaced) {
    const ply = game.ply;
    toast(t('moves.replaced'), t('moves.restore'), () => {
      stopThinking();
      game.moves = replaced;
      game.ply = ply - 1;
      play.paused = true;
      refresh();
    });
  }
  play.hint = null;
  const after = shownView();
  announce(t('said.played', { side: sideName(view, view.toMove), move }) + (after.over ? '. ' + resultWords(after) : ''));
  refresh();
  continueGame();
}

const say = (text) => { $('report').textContent = text; };

async function clickSquare(index) {
  if (play.edit) return play.edit.onPlay(index);
  const view = shownView();
  if (view.over || play.thinking || !mayPlay() || outOfTime(view) >= 0) return;
  const moves = movesOn(view, index);
  if (!moves.length) return;
  const ply = game.ply;
  const move = moves.length === 1 ? moves[0]
    : await choose(t('play.which'), moves.map((each) => ({ value: each, text: each, strong: each === moves[moves.length - 1] })));
  if (!move || game.ply !== ply || !shownView().moves.includes(move)) return;
  play.paused = false;
  say('');
  makeMove(move);
}

// The limits set beside the level "full".
function ownLimits() {
  const kind = $('limit-kind').value;
  return { [kind]: numberIn($('limit')) };
}

// Lets the engine play while it is its turn; `force`: one move for whoever is to move.
async function continueGame(force) {
  const view = shownView();
  if (play.edit || play.thinking || view.over || outOfTime(view) >= 0) return;
  const player = playerToMove();
  if (!force && (player === 'human' || play.paused || game.ply < game.moves.length)) return;
  const level = levelNamed(player === 'human' ? 'full' : player);
  if (!force && takeSwap(view)) return;
  play.thinking = true;
  const turn = ++play.turn;
  refresh();
  say(t('play.thinking'));
  let found;
  try {
    found = level.name === 'full' && provedWin(game.start, shownMoves());
    found ||= await play.engine.think(askText(game.start, shownMoves(), levelLimits(level, ownLimits())));
  } catch (error) {
    if (turn === play.turn) say(t('play.failed', { reason: error.message }));
  }
  if (turn !== play.turn) return;
  play.thinking = false;
  if (!found || !found.best) { // it failed, or was stopped before it knew anything
    play.paused = true;
    if (found) say('');
    return refresh();
  }
  const move = levelMove(level, found.lines, Math.random());
  say(t(found.best.proof ? 'play.proved' : 'play.plays', { move, value: valueWords(view, found.best), depth: found.best.depth, nodes: countWords(found.best.nodes) }));
  keepEval(view, game.ply, found.best);
  makeMove(move);
}

// A win that an opened certificate proves is played without a search.
function provedWin(start, moves) {
  const best = proofOf(start, moves);
  return best && best.value > 0 ? { best, lines: [best] } : null;
}

// What the engine thought of a position, for the graph: from the first side's view.
function keepEval(view, ply, info) {
  game.evals[ply] = { share: shareOfFirst(view, info.value), words: valueWords(view, info) };
}

// Ends the engine's thinking without a move.
function stopThinking() {
  if (!play.thinking) return;
  play.turn++;
  play.engine.stop();
  play.thinking = false;
}

// -- the swap of Gomoku --

const maySwap = (view) => game.swapRule && view.game === 'gomoku' && game.ply === 1 && game.moves.length === 1 && !game.swapped;

// The players change colours: the stone is now the second player's, and the first player moves again.
function swapSides(announceIt) {
  game.players.reverse();
  game.used.reverse();
  game.swapped = true;
  toast(announceIt);
  announce(announceIt);
  refresh();
  continueGame();
}

function takeSwap(view) {
  if (!maySwap(view) || view.swap !== 1) return false;
  swapSides(t('swap.engine'));
  return true;
}

// -- going through the game --

function goTo(ply) {
  const to = Math.max(0, Math.min(game.moves.length, ply));
  if (to === game.ply) return;
  stopThinking();
  game.ply = to;
  play.paused = game.ply < game.moves.length || play.paused;
  play.hint = null;
  play.since = performance.now();
  say('');
  announce(to ? t('said.at', { ply: to, move: game.moves[to - 1] }) : t('said.start'));
  refresh();
}

// Takes back so that a human is to move again, where one plays.
function takeBack() {
  stopThinking();
  let to = game.ply - 1;
  while (to > 0 && game.players.includes('human') && game.players[viewAt(to).toMove] !== 'human') to--;
  play.paused = true;
  goTo(to);
}

async function giveHint() {
  const view = shownView();
  if (view.over || play.thinking) return;
  const [start, ply] = [game.start, game.ply];
  $('hint').disabled = true;
  say(t('play.thinking'));
  try {
    const { best, stopped } = provedWin(start, shownMoves()) || await play.engine.think(askText(start, shownMoves(), { time: 1 }));
    if (best && !stopped && game.start === start && game.ply === ply) {
      play.hint = { ply, move: best.move };
      say(t('play.hinted', { move: best.move, value: valueWords(view, best) }));
      announce($('report').textContent);
    }
  } catch (error) {
    say(t('play.failed', { reason: error.message }));
  }
  refresh();
}

function startPlay(engine) {
  play.engine = engine;
  play.board = new BoardView($('board'), clickSquare, (index) => {
    play.looked = index;
    if (!play.edit) drawBoard();
  });
  $('undo').onclick = takeBack;
  $('redo').onclick = () => goTo(game.ply + 1);
  $('hint').onclick = giveHint;
  $('go').onclick = () => {
    play.paused = false;
    continueGame(true);
  };
  $('stop').onclick = () => {
    play.paused = true;
    play.engine.stop();
  };
  $('swap').onclick = () => swapSides(t('swap.human'));
  $('slider').oninput = () => goTo(Number($('slider').value));
  $('moves').onkeydown = (event) => {
    const to = { ArrowLeft: game.ply - 1, ArrowRight: game.ply + 1, Home: 0, End: game.moves.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    goTo(to);
  };
  play.since = performance.now();
  setInterval(() => {
    if (document.hidden) return;
    const view = shownView();
    if (view.over || game.ply < game.moves.length) return;
    drawSides(view);
    if (play.thinking && outOfTime(view) >= 0) stopThinking();
  }, 500);
}

export { play, refresh, drawBoard, goTo, continueGame, stopThinking, startPlay, makeMove, say, keepEval, boardShown };
