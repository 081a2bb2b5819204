// Playing: squares become moves, the engine answers where it is its turn, hints, take back, clocks, the choice of colours.
import { choose, toast, warn, announce } from '../../core/dialogs.js';
import { t, sideName } from '../../core/texts.js';
import { recall } from '../../core/store.js';
import { game, shownMoves, shownView, viewAt, playerToMove, actorAt, playerOf, pendingChoice, playMove, rememberGame } from '../../core/game.js';
import { rewrite } from '../../core/router.js';
import { askText, proofOf, viewOf, movesOn, differentMoves, squareOf, differing, winningLine, moveSaid } from '../../core/rules.js';
import { planOf, levelLimits, wildMove } from '../../core/levels.js';
import { valueWords, resultWords, shareOfFirst, countWords } from '../../core/values.js';
import { pointsOf } from '../../core/points.js';
import { knock } from '../../core/sound.js';
import { openingMove, choiceOf } from './colours.js';

const play = {
  engine: null, // set by the screen
  board: null, // the BoardView
  thinking: false, // the engine chooses a move for a side
  paused: false, // an engine's side waits: after stop, take back, or a look at an earlier move
  hint: null, // {ply, move}
  looked: -1,
  edit: null, // set by edit.js while a position is edited: {onPlay(index), board()}
  listeners: [], // called with the view after every change of what is shown
  report: '', // the line under the players
  turn: 0, // counts the engine's turns, so that an answer that comes late is dropped
  since: 0, // when the side to move began to think
};

// -- what is seen --

// The position shown, as board.js draws it.
function boardShown() {
  const view = shownView();
  const board = { ...view, last: -1, changed: [], marks: {}, notes: {} };
  if (game.ply > 0) {
    const before = viewAt(game.ply - 1);
    board.last = squareOf(before, game.moves[game.ply - 1]);
    board.changed = view.points ? [] : differing(before, view);
    board.gainSide = before.toMove;
    if (view.margin) board.gain = '+' + (pointsOf(view)[before.toMove] - pointsOf(before)[before.toMove]);
  }
  board.line = winningLine(view);
  if (view.points && !recall('numbers', true)) board.cells = view.cells.map(([ink]) => [ink, '']);
  if (play.hint && play.hint.ply === game.ply) board.marks[squareOf(view, play.hint.move)] = 'hint';
  for (const index of preview(view)) board.marks[index] = 'preview';
  return board;
}

// The squares that the move under the pointer or the keyboard would flip or cover.
function preview(view) {
  if (play.looked < 0 || view.points || !mayPlay(view)) return [];
  const moves = movesOn(view, play.looked);
  return moves.length ? differing(view, viewOf(game.start, [...shownMoves(), moves[moves.length - 1]])) : [];
}

const isOver = (view) => view.over || game.lostOnTime >= 0;
const mayPlay = (view) => !isOver(view) && !play.thinking && playerToMove() === 'human' && !pendingChoice()?.must;

const drawBoard = () => play.board.draw(play.edit ? play.edit.board() : boardShown());

let keeping = 0;

function refresh() {
  const view = shownView();
  drawBoard();
  for (const listener of play.listeners) listener(view);
  clearTimeout(keeping);
  keeping = setTimeout(rememberGame, 300);
}

function say(text) {
  play.report = text;
  const place = document.getElementById('report');
  if (place) place.textContent = text;
}

// -- clocks --

const minutesEach = () => game.minutes * 60;

// The seconds a player has thought.
function secondsUsed(view, player) {
  const running = !isOver(view) && !play.edit && actorAt() === player && game.ply === game.moves.length && game.moves.length > 0;
  return game.used[player] + (running ? (performance.now() - play.since) / 1000 : 0);
}

// Whose time has run out ends the game; it may go on without a clock.
function checkClock() {
  const view = shownView();
  if (!game.minutes || isOver(view) || game.ply < game.moves.length) return;
  const late = actorAt();
  if (secondsUsed(view, late) < minutesEach()) return;
  game.used[late] = minutesEach();
  stopThinking();
  game.lostOnTime = playerOf(view.toMove) === late ? view.toMove : 1 - view.toMove;
  announce(timeWords(view));
  refresh();
}

const timeWords = (view) => t('result.onTime', { side: sideName(view, 1 - game.lostOnTime) });
const endWords = (view) => (game.lostOnTime >= 0 ? timeWords(view) : resultWords(view));

function goOnWithoutClock() {
  Object.assign(game, { lostOnTime: -1, minutes: 0 });
  play.since = performance.now();
  refresh();
  continueGame();
}

// -- moves --

// Plays a move and lets the engine answer. A continuation it replaces can be had back.
function makeMove(move) {
  const view = shownView();
  const player = actorAt();
  game.used[player] = secondsUsed(view, player);
  play.since = performance.now();
  if (location.hash.includes('g=')) rewrite('play'); // it goes on from the link now
  const decisions = game.decisions;
  const replaced = playMove(move);
  if (replaced) offerBack(replaced, decisions);
  play.hint = null;
  const after = shownView();
  announce(t('said.played', { side: sideName(view, view.toMove), move: moveSaid(view, move) }) + (after.over ? '. ' + resultWords(after) : ''));
  knock(view.toMove ? 0.85 : 1);
  refresh();
  continueGame();
}

function offerBack(replaced, decisions) {
  const ply = game.ply;
  toast(t('moves.replaced'), t('moves.restore'), () => {
    stopThinking();
    Object.assign(game, { moves: replaced, decisions, ply: ply - 1 });
    play.paused = true;
    refresh();
  });
}

async function clickSquare(index) {
  if (play.edit) return play.edit.onPlay(index);
  const view = shownView();
  if (!mayPlay(view)) return;
  const moves = differentMoves(game.start, shownMoves(), index);
  if (!moves.length) return;
  const ply = game.ply;
  const move = moves.length === 1 ? moves[0]
    : await choose(t('play.which'), moves.map((each) => ({ value: each, text: each, strong: each === moves[moves.length - 1] })));
  if (!move || game.ply !== ply || !shownView().moves.includes(move)) return;
  play.paused = false;
  say('');
  makeMove(move);
}

// -- the engine's turns --

// The limits of full strength, as they are set.
function ownLimits() {
  const { kind, value } = recall('limit', { kind: 'time', value: 1 });
  return { [kind]: value };
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Milliseconds a move of the engine is held back at least, so that it can be followed; longer where two engines play.
const paceNow = () => (game.players.includes('human') ? recall('answer', 350) : recall('pace', 1000));

// Lets the engine act while it is its turn; `force`: one move for whoever is to move.
async function continueGame(force) {
  const view = shownView();
  if (play.edit || play.thinking || isOver(view)) return;
  const player = playerToMove();
  if (!force && (player === 'human' || play.paused || game.ply < game.moves.length)) return;
  play.thinking = true;
  const turn = ++play.turn;
  const from = performance.now();
  say('');
  refresh();
  let done;
  try {
    done = await chooseAction(view, player === 'human' ? 'full' : player);
    if (done && !done.stopped) await pause(paceNow() - (performance.now() - from));
  } catch (error) {
    if (turn === play.turn) warn(t('play.failed', { reason: error.message }));
  }
  if (turn !== play.turn) return;
  play.thinking = false;
  if (!done || !(done.move || done.choice)) { // it failed, or was stopped before it knew anything
    play.paused = true;
    return refresh();
  }
  if (done.choice) return takeChoice(done.choice, true);
  if (done.best) tellMove(view, done);
  makeMove(done.move);
}

// What the engine does: {choice} of a colour, or a {move}, with what it thought of the position where it thought.
async function chooseAction(view, player) {
  const choice = await choiceOf(play.engine, view);
  if (choice) return { choice };
  const opening = await openingMove(play.engine, view);
  if (opening) return { move: opening };
  const plan = planOf(player, view);
  const wild = wildMove(plan, view, Math.random);
  if (wild) return { move: wild };
  const found = (player === 'full' && provedWin(game.start, shownMoves())) ||
    (await play.engine.think(askText(game.start, shownMoves(), levelLimits(plan, ownLimits()))));
  return found.best && { move: found.best.move, best: found.best, stopped: found.stopped, full: !plan };
}

// A strong engine says what it thinks; from a weak one it would be a hint.
function tellMove(view, { move, best, full }) {
  keepEval(view, game.ply, best);
  if (!full) return;
  say(t(best.proof ? 'play.proved' : 'play.plays', { move: moveSaid(view, move), value: valueWords(view, best), depth: best.depth, nodes: countWords(best.nodes) }));
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

// -- colours --

// A player has chosen: the colours change hands, stay, or two more stones come first.
function takeChoice(choice, byEngine) {
  game.decisions.push({ ply: game.ply, choice });
  play.paused = false;
  const words = t(`choice.${choice}.${byEngine ? 'engine' : 'human'}`);
  toast(words);
  announce(words);
  refresh();
  continueGame();
}

// -- going through the game --

function goTo(ply) {
  const to = Math.max(0, Math.min(game.moves.length, ply));
  if (to === game.ply) return;
  stopThinking();
  game.ply = to;
  play.paused = true;
  play.hint = null;
  play.since = performance.now();
  say('');
  const before = to && viewAt(to - 1);
  announce(to ? t('said.at', { ply: to, move: moveSaid(before, game.moves[to - 1]) }) : t('said.start'));
  refresh();
}

const chooserAt = (ply) => (ply === 5 ? 0 : 1);
const humanChose = (ply) => game.decisions.some((each) => each.ply === ply) && game.players[chooserAt(ply)] === 'human';

// The next ply in a direction at which a human acts; without humans the next one; -1 where there is none.
function nextOwn(step) {
  const last = game.moves.length;
  const own = (ply) => !game.players.includes('human') || game.players[actorAt(ply)] === 'human' || humanChose(ply);
  for (let to = game.ply + step; to >= 0 && to <= last; to += step) if (own(to) || (step > 0 && to === last)) return to;
  return -1;
}

const canTakeBack = () => humanChose(game.ply) || nextOwn(-1) >= 0;

// Takes back to where a human acts. A choice of colours that was made there is open again.
function takeBack() {
  if (humanChose(game.ply)) return reopen();
  const to = nextOwn(-1);
  if (to < 0) return;
  goTo(to);
  if (humanChose(to)) reopen();
}

// The choice of colours made here is taken back, and what came after it.
function reopen() {
  stopThinking();
  Object.assign(game, { moves: shownMoves(), decisions: game.decisions.filter((each) => each.ply < game.ply) });
  play.paused = false;
  play.hint = null;
  say('');
  announce(t('choice.open'));
  refresh();
}

const redo = () => goTo(nextOwn(1));

async function giveHint() {
  const view = shownView();
  if (!mayPlay(view)) return;
  const [start, ply] = [game.start, game.ply];
  say(t('play.thinking'));
  try {
    const { best, stopped } = provedWin(start, shownMoves()) || await play.engine.think(askText(start, shownMoves(), { time: 1 }));
    if (best && !stopped && game.start === start && game.ply === ply) {
      play.hint = { ply, move: best.move };
      say(t('play.hinted', { move: moveSaid(view, best.move), value: valueWords(view, best) }));
      announce(play.report);
    }
  } catch (error) {
    say('');
    warn(t('play.failed', { reason: error.message }));
  }
  refresh();
}

// A game begins: nothing of the last one is left.
function beginPlaying() {
  stopThinking();
  play.edit = null;
  play.paused = false;
  play.hint = null;
  play.since = performance.now();
  say('');
}

export { play, refresh, drawBoard, goTo, continueGame, stopThinking, makeMove, say, keepEval, boardShown, isOver, mayPlay, endWords, secondsUsed, minutesEach, checkClock, clickSquare, takeBack, canTakeBack, redo, nextOwn, giveHint, takeChoice, goOnWithoutClock, beginPlaying };
