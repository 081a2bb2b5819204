// Not in the menu before it has something to show.
import { el } from '../../core/dom.js';
import { t } from '../../core/texts.js';

const mount = (root) => root.append(el('h1', t('screen.puzzles')));

export const puzzlesScreen = { name: 'puzzles', mount, show() {}, hide() {} };
