// Taking the game along: a link, sortie's own text, SGF, pictures, paper.
import { $, el } from '../../core/dom.js';
import { openDialog, download, downloadText } from '../../core/dialogs.js';
import { t } from '../../core/texts.js';
import { keep } from '../../core/store.js';
import { copyLink, pictureOf, savePng, publicAddress, isPrivate } from '../../core/share.js';
import { game, shownView, gameLink } from '../../core/game.js';
import { sgfOf } from '../../core/rules.js';
import { boardShown } from './play.js';

async function openShare() {
  const view = shownView();
  const link = await gameLink();
  const field = el('input', { id: 'share-link', readonly: true, value: link, 'aria-label': t('share.linkField'), onfocus: () => field.select() });
  const button = (id, text, onclick) => el('button', { id, onclick }, text);
  openDialog('share', t('share.title'),
    el('div.row.tight', field, el('button.strong', { id: 'link', onclick: () => copyLink(field.value) }, t('share.link'))),
    isPrivate() ? privateNote(field) : el('p.soft', t('share.inside')),
    el('h3', t('share.save')),
    el('div.row', button('save-text', t('share.text'), () => downloadText('position.txt', view.text)),
      view.game === 'gomoku' ? button('save-sgf', 'SGF', () => downloadText('game.sgf', sgfOf(game.start, game.moves))) : null,
      button('save-svg', 'SVG', () => download('position.svg', new Blob([pictureOf(boardShown())], { type: 'image/svg+xml' }))),
      button('save-png', 'PNG', () => savePng(boardShown(), 'position')),
      button('print', t('share.print'), () => { $('share').close(); print(); })));
}

// A page opened from disk has no address others could follow: it is said, and one can be given.
function privateNote(field) {
  const address = el('input', { id: 'public-address', type: 'url', placeholder: 'https://…/sortie.html', value: publicAddress() });
  address.onchange = async () => {
    keep('address', address.value.trim());
    field.value = await gameLink();
  };
  return el('div.note', el('p', t('share.private')), el('label.field', el('span', t('share.address')), address));
}

export { openShare };
