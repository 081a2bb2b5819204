// The form of a new game: which game, how large, who plays, how long the engine thinks.
import { $ } from '../../core/dom.js';
import { confirmLoss, numberIn } from '../../core/dialogs.js';
import { t, menuName, sideName } from '../../core/texts.js';
import { rules, menuIndexOf, nearestOf } from '../../core/rules.js';
import { game, setGame, freshStart } from '../../core/game.js';
import { LEVELS } from '../../core/levels.js';
import { play, refresh, continueGame, stopThinking, say } from './play.js';
import { showCourse } from './course.js';

const SETTINGS = 'sortie.settings';
const KEPT = ['limit-kind', 'limit', 'minutes', 'lines'];
const LIMITS = { time: [0.1, 60, 0.1, 1], depth: [1, 30, 1, 6], nodes: [100, 100000000, 1, 100000] };

function fillMenus() {
  const chosen = $('game').value;
  $('game').replaceChildren(...rules.games.map((each, index) => new Option(menuName(each, rules.games), index)));
  if (chosen) $('game').value = chosen;
  for (const side of [0, 1]) {
    $(`player-${side}`).replaceChildren(new Option(t('player.humanOption'), 'human'),
      ...LEVELS.map(({ name }) => new Option(t('player.engineOption', { level: t('level.' + name) }), name)));
    $(`player-${side}`).value = game.players[side];
  }
  const { native } = play.engine;
  $('native-label').hidden = !native;
  if (native) $('native-text').textContent = t('setup.native', { threads: native.threads });
}

// The form follows the board: the menu names the game that is played.
function followGame(view) {
  const index = menuIndexOf(view);
  const shape = [index, view.rows, game.start].join();
  if (followGame.shape !== shape) {
    followGame.shape = shape;
    $('game').value = index;
    sizeRange();
    $('size').value = view.rows;
  }
  for (const side of [0, 1]) {
    $(`player-${side}-name`).textContent = sideName(view, side);
    $(`player-${side}`).value = game.players[side];
  }
  $('swap-rule-label').hidden = rules.games[$('game').value].game !== 'gomoku';
  $('swap-rule').checked = game.swapRule;
}

function sizeRange() {
  const { sizes, usual } = rules.games[$('game').value];
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

async function newGame() {
  const size = sizeIn();
  if (game.moves.length && !(await confirmLoss(t('setup.replace')))) return;
  stopThinking();
  setGame(freshStart(Number($('game').value), size));
  play.paused = false;
  play.hint = null;
  play.since = performance.now();
  say('');
  showCourse();
  refresh();
  continueGame();
}

function limitRange() {
  const [min, max, step, usual] = LIMITS[$('limit-kind').value];
  Object.assign($('limit'), { min, max, step, defaultValue: String(usual) });
}

function startForm() {
  $('new').onclick = newGame;
  $('game').onchange = () => {
    sizeRange();
    $('size').value = rules.games[$('game').value].usual;
    $('swap-rule-label').hidden = rules.games[$('game').value].game !== 'gomoku';
  };
  $('size').onchange = sizeIn;
  for (const side of [0, 1]) {
    $(`player-${side}`).onchange = () => {
      stopThinking();
      game.players[side] = $(`player-${side}`).value;
      play.paused = false;
      refresh();
      continueGame();
    };
  }
  $('swap-rule').onchange = () => {
    game.swapRule = $('swap-rule').checked;
    refresh();
  };
  $('limit-kind').onchange = () => {
    limitRange();
    $('limit').value = $('limit').defaultValue;
    keepSettings();
  };
  for (const id of ['limit', 'minutes', 'lines']) $(id).addEventListener('change', () => { numberIn($(id)); keepSettings(); });
  $('native').onchange = () => {
    play.engine.useNative = $('native').checked;
    refresh();
  };
  play.listeners.push(followGame);
}

function keepSettings() {
  try {
    localStorage.setItem(SETTINGS, JSON.stringify(KEPT.map((id) => $(id).value)));
  } catch {
    // A browser that keeps nothing.
  }
}

function recallSettings() {
  try {
    JSON.parse(localStorage.getItem(SETTINGS)).forEach((value, i) => { $(KEPT[i]).value = value; });
  } catch {
    // Nothing kept.
  }
  if (!LIMITS[$('limit-kind').value]) $('limit-kind').value = 'time';
  limitRange();
  for (const id of ['limit', 'minutes', 'lines']) numberIn($(id));
}

export { startForm, fillMenus, recallSettings };
