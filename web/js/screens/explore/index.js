// The search explorer: minimax and alpha-beta on a position, step by step.
import { el } from '../../core/dom.js';
import { toast } from '../../core/dialogs.js';
import { t, applyTexts } from '../../core/texts.js';
import { rules } from '../../core/rules.js';
import { game, setGame, openLink, freshStart } from '../../core/game.js';
import { MARKUP } from './markup.js';
import { explorer, explore, startExplorer, openStep, stopPlaying, goToStep } from './explorer.js';
import { startTour, closeTour } from './tour.js';

let page = null;

function mount(root, app) {
  const first = !page;
  page ??= el('div', { class: 'explore', html: MARKUP });
  root.append(page);
  applyTexts(page);
  if (!first) return;
  startExplorer(app.newEngine());
  startTour();
}

// "#explore": the position on the board; with x, a step of a link; with file, what the course file asks for.
async function show({ query, again }) {
  if (again) return explorer.tree && goToStep(explorer.step);
  if (query.get('g')) {
    try {
      await openLink(query.get('g'));
    } catch (error) {
      toast(t('link.bad', { reason: error.message }));
    }
  }
  if (!game.start) setGame(freshStart(0, rules.games[0].usual));
  if (query.get('x')) await openStep(query.get('x'));
  else if (query.get('file')) await explore(Number(query.get('method')), Number(query.get('depth')), { start: game.start, moves: [] });
}

function hide() {
  stopPlaying();
  closeTour();
}

export const exploreScreen = { name: 'explore', mount, show, hide };
