// A new game: which, how large, against whom, with how much time. One dialog; what was chosen is remembered.
import { $, el } from '../../core/dom.js';
import { openDialog, confirmLoss, numberIn } from '../../core/dialogs.js';
import { t, menuName, sideName } from '../../core/texts.js';
import { recall, keep } from '../../core/store.js';
import { rules, menuIndexOf, nearestOf, viewOf } from '../../core/rules.js';
import { game, setGame, freshStart } from '../../core/game.js';
import { levelsOf } from '../../core/levels.js';
import { play, refresh, continueGame, beginPlaying } from './play.js';
import { swapsOf } from './colours.js';
import { levelFor } from './progress.js';

const LIMITS = { time: [0.1, 60, 0.1, 1], depth: [1, 30, 1, 6], nodes: [100, 100000000, 1, 100000] };

// Begins a game: {index of the game in the list, size, players, opening, minutes, start: a text instead of a fresh board}.
function newGame({ index = 0, size, players, opening = 'free', minutes = 0, start, moves = [] }) {
  const entry = rules.games[index];
  setGame(start || freshStart(index, nearestOf(entry.sizes, size || entry.usual)), moves);
  const view = viewOf(game.start, []);
  Object.assign(game, { players: players || ['human', levelFor(view)], minutes, opening: swapsOf(view).includes(opening) ? opening : 'free' });
  beginPlaying();
}

// The same game once more, with the sides changed.
function rematch() {
  const view = viewOf(game.start, []);
  const { players, opening, minutes } = game;
  newGame({ index: Math.max(0, menuIndexOf(view)), size: view.rows, players: [...players].reverse(), opening, minutes });
  refresh();
  continueGame();
}

const field = (label, control, id) => el('label.field', { id: id || null }, el('span', label), control);
const select = (id, options, value) => el('select', { id, value: null }, options.map(([name, text]) => el('option', { value: name, selected: String(name) === String(value) }, text)));

// The opponent and the colour as two fields out of the two players.
const opponentOf = (players) => (players.every((each) => each === 'human') ? 'human' : players.includes('human') ? players.find((each) => each !== 'human') : 'watch');

function openNewGame() {
  const view = viewOf(game.start, []);
  const { native } = play.engine;
  const limit = recall('limit', { kind: 'time', value: 1 });
  const index = Math.max(0, menuIndexOf(view));
  const body = el('form.fields', { id: 'new-form', method: 'dialog' },
    field(t('setup.game'), select('game', rules.games.map((each, i) => [i, menuName(each, rules.games)]), index)),
    field(t('setup.size'), el('input', { id: 'size', type: 'number' })),
    field(t('setup.opponent'), el('select', { id: 'opponent' })),
    field(t('setup.side'), el('select', { id: 'side' }), 'side-field'),
    field(t('setup.engines'), el('span.pair', el('select', { id: 'watched0', 'aria-label': t('setup.engines') + ' 1' }), el('select', { id: 'watched1', 'aria-label': t('setup.engines') + ' 2' })), 'watched-field'),
    field(t('setup.opening'), el('select', { id: 'opening' }), 'opening-field'),
    el('details', el('summary', t('setup.more')),
      field(t('setup.minutes'), el('input', { id: 'minutes', type: 'number', min: 0, max: 180, step: 1, value: game.minutes })),
      field(t('setup.limit'), el('span.pair', el('input', { id: 'limit', type: 'number', 'aria-label': t('setup.limitValue') }),
        select('limit-kind', [['time', t('setup.seconds')], ['depth', t('setup.depth')], ['nodes', t('setup.nodes')]], limit.kind))),
      native ? el('label.check', el('input', { id: 'native', type: 'checkbox', checked: play.engine.useNative }), el('span', { id: 'native-text' }, t('setup.native', { count: native.threads }))) : null),
    el('div.row.end', el('button.strong', { id: 'begin', type: 'submit' }, t('setup.begin'))));
  openDialog('new-game', t('setup.title'), body);
  $('size').value = view.rows;
  fill(game.players, view);
  limitRange(limit.value);
  $('game').onchange = () => {
    $('size').value = rules.games[$('game').value].usual;
    fill(null);
  };
  $('size').onchange = () => { sizeIn(); fill(null); };
  $('opponent').onchange = () => seen();
  $('minutes').onchange = () => numberIn($('minutes'));
  $('limit').onchange = () => keepLimit();
  $('limit-kind').onchange = () => { limitRange(LIMITS[$('limit-kind').value][3]); keepLimit(); };
  if (native) $('native').onchange = () => { play.engine.useNative = $('native').checked; };
  body.onsubmit = (event) => {
    event.preventDefault();
    beginChosen();
  };
}

// The fields that depend on the game: sizes, levels, sides, swaps. What was chosen stays where it can.
function fill(players) {
  const entry = rules.games[$('game').value];
  sizeRange(entry);
  const view = { game: entry.game, rules: entry.rules, rows: Number($('size').value), margin: entry.game !== 'gomoku', sides: ['1', '2'] };
  const watched = players && opponentOf(players) === 'watch';
  const chosen = { opponent: players ? opponentOf(players) : $('opponent').value || levelFor(view), side: players ? String(Math.max(0, players.indexOf('human'))) : $('side').value || '0', opening: $('opening').value || game.opening, watched0: watched ? players[0] : $('watched0').value, watched1: watched ? players[1] : $('watched1').value };
  const levels = levelsOf(view).map((name) => [name, t('player.engine', { level: t('level.' + name) })]);
  const put = (id, options) => {
    const value = options.some(([name]) => name === chosen[id]) ? chosen[id] : id === 'opponent' ? levelFor(view) : id.startsWith('watched') ? options.at(-2)[0] : options[0][0]; // two that know what they do are worth watching
    $(id).replaceChildren(...options.map(([name, text]) => el('option', { value: name, selected: name === value }, text)));
  };
  put('opponent', [...levels, ['human', t('setup.person')], ['watch', t('setup.watch')]]);
  put('side', [['0', t('setup.first', { side: sideName(view, 0) })], ['1', t('setup.second2', { side: sideName(view, 1) })], ['any', t('setup.any')]]);
  put('watched0', levels);
  put('watched1', levels);
  put('opening', swapsOf(view).map((name) => [name, t('opening.' + name)]));
  seen();
}

function seen() {
  const opponent = $('opponent').value;
  $('side-field').hidden = opponent === 'human' || opponent === 'watch';
  $('watched-field').hidden = opponent !== 'watch';
  $('opening-field').hidden = $('opening').options.length < 2;
}

function sizeRange({ sizes, usual }) {
  const steps = new Set(sizes.slice(1).map((size, i) => size - sizes[i]));
  Object.assign($('size'), { min: sizes[0], max: sizes.at(-1), step: steps.size === 1 ? [...steps][0] : 1, defaultValue: String(usual) });
}

// The size typed, or the nearest that the game is played on.
function sizeIn() {
  const typed = numberIn($('size'));
  const size = nearestOf(rules.games[$('game').value].sizes, typed);
  if (size !== typed) $('size').value = size;
  return size;
}

function limitRange(value) {
  const [min, max, step, usual] = LIMITS[$('limit-kind').value] || LIMITS.time;
  Object.assign($('limit'), { min, max, step, defaultValue: String(usual) });
  $('limit').value = value;
  numberIn($('limit'));
}

const keepLimit = () => keep('limit', { kind: $('limit-kind').value, value: numberIn($('limit')) });

function playersChosen() {
  const opponent = $('opponent').value;
  if (opponent === 'human') return ['human', 'human'];
  if (opponent === 'watch') return [$('watched0').value, $('watched1').value];
  const side = $('side').value === 'any' ? Math.floor(Math.random() * 2) : Number($('side').value);
  return side === 0 ? ['human', opponent] : [opponent, 'human'];
}

async function beginChosen() {
  const wanted = { index: Number($('game').value), size: sizeIn(), players: playersChosen(), opening: $('opening').value, minutes: numberIn($('minutes')) };
  keepLimit();
  if (game.moves.length && !shownOver() && !(await confirmLoss(t('setup.replace')))) return;
  $('new-game')?.close();
  newGame(wanted);
  refresh();
  continueGame();
  play.board.focus();
}

const shownOver = () => viewOf(game.start, game.moves).over || game.lostOnTime >= 0;

export { newGame, openNewGame, rematch };
