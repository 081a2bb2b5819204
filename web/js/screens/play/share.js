// Taking the game along: links, sortie's own text, SGF, pictures, paper.
import { $ } from '../../core/dom.js';
import { download, downloadText } from '../../core/dialogs.js';
import { copyLink, pictureOf, savePng } from '../../core/share.js';
import { game, shownView, gameLink } from '../../core/game.js';
import { sgfOf } from '../../core/rules.js';
import { play, boardShown } from './play.js';

function startShare() {
  $('link').onclick = async () => copyLink(await gameLink());
  $('save-text').onclick = () => downloadText('position.txt', shownView().text);
  $('save-sgf').onclick = () => downloadText('game.sgf', sgfOf(game.start, game.moves));
  $('save-svg').onclick = () => download('position.svg', new Blob([pictureOf(boardShown())], { type: 'image/svg+xml' }));
  $('save-png').onclick = () => savePng(boardShown(), 'position');
  $('print').onclick = () => print();
  play.listeners.push((view) => { $('save-sgf').hidden = view.game !== 'gomoku'; });
}

export { startShare };
