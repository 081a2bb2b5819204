// Puts the page together.
import { $ } from './core/dom.js';
import { TEXTS, t, findLanguage, setLanguage } from './core/texts.js';
import { toast } from './core/dialogs.js';
import { rules, startRules, startText, viewOf, squareOf, movesOn } from './core/rules.js';
import { isSite, loadModule } from './core/unpack.js';
import { keepOffline } from './core/offline.js';
import { Engine, findNative } from './core/engine.js';
import { keep } from './core/store.js';
import { game, setGame, shownView, playerToMove, recallGame, rememberGame } from './core/game.js';
import { startRouter, follow } from './core/router.js';
import { drawHeader } from './core/header.js';
import { Board } from './board/draw.js';
import { startScreen } from './screens/start/index.js';
import { playScreen } from './screens/play/index.js';
import { learnScreen } from './screens/learn/index.js';
import { exploreScreen } from './screens/explore/index.js';
import { studyScreen } from './screens/study/index.js';
import { puzzlesScreen } from './screens/puzzles/index.js';
import { play, refresh, makeMove, continueGame, takeChoice, goTo, boardShown } from './screens/play/play.js';
import { newGame } from './screens/play/newgame.js';
import { startFiles } from './screens/play/course.js';
import { state as study } from './screens/study/state.js';
import { puzzleNow as puzzle } from './screens/puzzles/index.js';
import { explorer, goToStep } from './screens/explore/explorer.js';

const SCREENS = [startScreen, playScreen, learnScreen, exploreScreen, studyScreen, puzzlesScreen];

// The engine for several threads where there may be some; a device that has no room for its memory gets the other one.
async function startModule() {
  if (globalThis.crossOriginIsolated && isSite) {
    try {
      const module = await loadModule(true);
      await startRules(module);
      return module;
    } catch {
      // The other one, then.
    }
  }
  const module = await loadModule(false);
  await startRules(module);
  return module;
}

async function begin() {
  setLanguage(findLanguage());
  const module = await startModule();
  const newEngine = (threads) => new Engine(module, $('worker').textContent, threads);
  const app = { engine: newEngine(), newEngine: () => newEngine(1), native: null };
  recallGame();
  startRouter(SCREENS, app);
  drawHeader();
  $('shades').innerHTML = Board.shades();
  startFiles();
  await follow(true);
  document.body.dataset.ready = 'yes';
  setTimeout(() => app.engine.worker || app.engine.spawn(), 200); // so that the first search begins at once
  addEventListener('pagehide', rememberGame);
  if (isSite) return keepOffline();
  app.native = app.engine.native = await findNative();
  app.engine.useNative = Boolean(app.native);
  app.engine.tell = (what) => toast(t('native.' + what));
  if (app.native) await follow(true);
}

// For tests and the curious: what the console may look at. The page itself asks for nothing here.
globalThis.sortie = { game, setGame, shownView, rules, startText, viewOf, squareOf, movesOn, TEXTS, playerToMove, play, refresh, makeMove, continueGame, takeChoice, goTo, newGame, boardShown, keep, study, puzzle, explorer, goToStep };

begin().catch((error) => {
  $('fault').hidden = false;
  $('fault').textContent = 'sortie: ' + error.message;
});
