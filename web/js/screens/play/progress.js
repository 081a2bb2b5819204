// The opponent grows with the player: a win against a level makes the next one the usual opponent, in each game.
import { recall, keep } from '../../core/store.js';
import { levelsOf } from '../../core/levels.js';

const keyOf = (view) => 'level.' + view.game;

// The level a player meets in a game when nothing else is chosen: the easiest one at first.
function levelFor(view) {
  const levels = levelsOf(view);
  const reached = recall(keyOf(view), levels[0]);
  return levels.includes(reached) ? reached : levels[0];
}

const levelAfter = (view, level) => levelsOf(view)[levelsOf(view).indexOf(level) + 1] || null;

// Notes a win against a level; gives the level that comes next, or null.
function noteWin(view, level) {
  const next = levelAfter(view, level);
  if (next && levelsOf(view).indexOf(next) > levelsOf(view).indexOf(levelFor(view))) keep(keyOf(view), next);
  return next;
}

export { levelFor, levelAfter, noteWin };
