// Playing: the game on the board, against the engine, another person, or to watch.
import { toast, confirmLoss } from '../../core/dialogs.js';
import { t, applyTexts } from '../../core/texts.js';
import { rules } from '../../core/rules.js';
import { game, setGame, openLink, freshStart } from '../../core/game.js';
import { el } from '../../core/dom.js';
import { MARKUP } from './markup.js';
import { play, refresh, continueGame, stopThinking, startPlay } from './play.js';
import { startForm, fillMenus, recallSettings } from './setup.js';
import { startCourse, showCourse } from './course.js';
import { startEdit } from './edit.js';
import { startShare } from './share.js';
import { startAnalysis } from '../study/analysis.js';
import { go } from '../../core/router.js';

let page = null;

function mount(root, app) {
  if (page) {
    root.append(page);
    applyTexts(page);
    fillMenus();
    return;
  }
  page = el('div', { class: 'play', html: MARKUP });
  root.append(page);
  applyTexts(page);
  startPlay(app.engine);
  startAnalysis();
  startShare();
  startEdit();
  startCourse((method, depth) => go('explore', [], { file: 1, method, depth }));
  startForm();
  recallSettings();
  fillMenus();
}

// The game of a link, else the one on the board, else a fresh one.
async function show({ query, again }) {
  if (!again && query.get('g')) await takeLink(query.get('g'));
  if (!game.start) setGame(freshStart(0, rules.games[0].usual));
  fillMenus();
  refresh();
  showCourse();
  continueGame();
}

async function takeLink(packed) {
  stopThinking();
  const before = JSON.parse(JSON.stringify(game));
  try {
    await openLink(packed);
  } catch (error) {
    return toast(t('link.bad', { reason: error.message }));
  }
  const loses = before.moves.length > 0 && String([before.start, before.moves]) !== String([game.start, game.moves]);
  if (loses && !(await confirmLoss(t('link.replace')))) Object.assign(game, before);
  play.paused = true;
}

function hide() {
  stopThinking();
  play.engine.stop();
}

export const playScreen = { name: 'play', mount, show, hide };
