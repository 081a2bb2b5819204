// Where everybody begins: the games, each one click from a board.
import { el } from '../../core/dom.js';
import { t, menuName } from '../../core/texts.js';
import { rules } from '../../core/rules.js';
import { setGame, freshStart } from '../../core/game.js';
import { go } from '../../core/router.js';

function begin(index) {
  setGame(freshStart(index, rules.games[index].usual));
  go('play');
}

function mount(root) {
  root.append(el('h1', t('screen.start')), el('div.row', rules.games.map((each, index) =>
    el('button', { onclick: () => begin(index) }, menuName(each, rules.games)))));
}

export const startScreen = { name: 'start', mount, show() {}, hide() {} };
