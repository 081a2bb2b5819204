// Puts the page together.
import { $, confirmLoss, numberIn, toast } from './dialogs.js';
import { t, menuName, sideName, TEXTS, findLanguage, setLanguage, keepLanguage, currentLanguage } from './texts.js';
import { rules, startRules, menuIndexOf, nearestOf } from './rules.js';
import { Engine, findNative } from './engine.js';
import { game, setGame, shownView, recallGame, openLink, freshStart, rememberGame } from './game.js';
import { LEVELS } from './levels.js';
import { play, refresh, continueGame, stopThinking, startPlay, say } from './play.js';
import { startAnalysis } from './analysis.js';
import { startCourse, showCourse } from './course.js';
import { startEdit } from './edit.js';
import { startShare } from './share.js';
import { startExplorer, explore, openStep, stopPlaying } from './explorer.js';
import { startTour, closeTour } from './tour.js';

const SETTINGS = 'sortie.settings';
const KEPT = ['limit-kind', 'limit', 'minutes', 'lines'];
const LIMITS = { time: [0.1, 60, 0.1, 1], depth: [1, 30, 1, 6], nodes: [100, 100000000, 1, 100000] };

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=/?@^_:{|}~';

// Bytes out of text: five digits of base 85 are four bytes; a shorter group at the end is filled up, and its bytes cut.
function fromBase85(text) {
  const worth = new Uint8Array(128);
  for (let i = 0; i < 85; i++) worth[DIGITS.charCodeAt(i)] = i;
  const bytes = new DataView(new ArrayBuffer(Math.ceil(text.length / 5) * 4));
  for (let i = 0; i < text.length; i += 5) {
    let number = 0;
    for (let k = i; k < i + 5; k++) number = number * 85 + (k < text.length ? worth[text.charCodeAt(k)] : 84);
    bytes.setUint32((i / 5) * 4, number);
  }
  return new Uint8Array(bytes.buffer, 0, Math.floor((text.length * 4) / 5));
}

// The engine travels inside the page, packed; it is compiled while it is unpacked.
function unpackModule() {
  const packed = fromBase85($('module').textContent);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { 'Content-Type': 'application/wasm' } }));
}

// -- views --

function showView(name) {
  for (const each of ['board', 'explorer']) {
    $('view-' + each).hidden = each !== name;
    $('tab-' + each).setAttribute('aria-selected', String(each === name));
    $('tab-' + each).tabIndex = each === name ? 0 : -1;
  }
  if (name === 'board') {
    stopPlaying();
    closeTour();
    refresh();
  } else {
    stopThinking();
    play.engine.stop();
  }
}

function startViews() {
  for (const name of ['board', 'explorer']) $('tab-' + name).onclick = () => showView(name);
  document.querySelector('[role=tablist]').onkeydown = (event) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const name = $('view-board').hidden ? 'board' : 'explorer';
    showView(name);
    $('tab-' + name).focus();
  };
}

// -- the new game's form --

function fillMenus() {
  const chosen = $('game').value;
  $('game').replaceChildren(...rules.games.map((each, index) => new Option(menuName(each, rules.games), index)));
  if (chosen) $('game').value = chosen;
  for (const side of [0, 1]) {
    $(`player-${side}`).replaceChildren(new Option(t('player.humanOption'), 'human'),
      ...LEVELS.map(({ name }) => new Option(t('player.engineOption', { level: t('level.' + name) }), name)));
    $(`player-${side}`).value = game.players[side];
  }
  if (play.engine && play.engine.native) $('native-text').textContent = t('setup.native', { threads: play.engine.native.threads });
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

// -- language --

function startLanguage() {
  $('language').replaceChildren(...Object.keys(TEXTS).map((each) => new Option(TEXTS[each].language, each)));
  setLanguage(findLanguage());
  $('language').value = currentLanguage();
  $('language').onchange = () => {
    setLanguage($('language').value);
    keepLanguage();
    fillMenus();
    refresh();
    showCourse();
  };
}

// -- beginning --

// The game of a link, else the kept one, else a fresh board.
async function firstGame() {
  const kept = recallGame();
  const before = JSON.stringify(game);
  try {
    if (await openLink(location.hash)) {
      const old = JSON.parse(before);
      const loses = kept && old.moves.length > 0 && String([old.start, old.moves]) !== String([game.start, game.moves]);
      if (loses && !(await confirmLoss(t('link.replace')))) Object.assign(game, old);
      play.paused = true;
      return;
    }
  } catch (error) {
    toast(t('link.bad', { reason: error.message }));
  }
  if (!kept) setGame(freshStart(0, rules.games[0].usual));
}

async function openStepOfLink() {
  const step = new URLSearchParams(location.hash.slice(1)).get('x');
  if (!step) return;
  showView('explorer');
  await openStep(step);
}

async function begin() {
  startLanguage();
  const module = await unpackModule();
  await startRules(module);
  const engine = new Engine(module, $('worker').textContent);
  startPlay(engine);
  startAnalysis();
  startShare();
  startEdit();
  startCourse((method, depth) => {
    showView('explorer');
    explore(method, depth, { start: game.start, moves: [] });
  });
  startExplorer(new Engine(module, $('worker').textContent));
  startTour();
  startViews();
  startForm();
  recallSettings();
  await firstGame();
  fillMenus();
  refresh();
  showCourse();
  document.body.dataset.ready = 'yes';
  setTimeout(() => engine.worker || engine.spawn(), 200); // so that the first search begins at once
  continueGame();
  addEventListener('hashchange', async () => {
    if (!location.hash.includes('g=')) return;
    stopThinking();
    await firstGame();
    refresh();
    showCourse();
    openStepOfLink();
  });
  addEventListener('pagehide', rememberGame);
  openStepOfLink();
  const native = await findNative();
  if (native) {
    engine.native = native;
    engine.useNative = true;
    $('native-label').hidden = false;
    $('native-text').textContent = t('setup.native', { threads: native.threads });
  }
}

begin().catch((error) => {
  $('fault').hidden = false;
  $('fault').textContent = 'sortie: ' + error.message;
});
