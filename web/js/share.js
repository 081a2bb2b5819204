// Taking a position or a game along: links, sortie's own text, SGF, pictures, paper.
import { $, toast, download, downloadText } from './dialogs.js';
import { t, gameName } from './texts.js';
import { game, shownView, gameLink } from './game.js';
import { sgfOf } from './rules.js';
import { play, boardShown } from './play.js';

const PNG_SIDE = 1200;

async function copyLink(link) {
  history.replaceState(null, '', link);
  try {
    await navigator.clipboard.writeText(link);
    toast(t('share.copied'));
  } catch {
    toast(t('share.inAddress')); // the address bar has it in any case
  }
}

// The board as it is seen, in a file of its own: light colours, white ground.
function picture() {
  const board = boardShown();
  const [width, height] = SortieBoard.side(board);
  return SortieBoard.draw({ ...board, title: gameName(board) })
    .replace('<svg ', `<svg width="${width}" height="${height}" `)
    .replace(/(<svg [^>]*>)/, `$1<rect width="${width}" height="${height}" fill="#ffffff"/>`);
}

async function savePng() {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([picture()], { type: 'image/svg+xml' }));
  await new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: reject, src: address }));
  const canvas = document.createElement('canvas');
  canvas.width = PNG_SIDE;
  canvas.height = Math.round((PNG_SIDE * image.height) / image.width);
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((blob) => download('position.png', blob), 'image/png');
}

function startShare() {
  $('link').onclick = async () => copyLink(await gameLink());
  $('save-text').onclick = () => downloadText('position.txt', shownView().text);
  $('save-sgf').onclick = () => downloadText('game.sgf', sgfOf(game.start, game.moves));
  $('save-svg').onclick = () => download('position.svg', new Blob([picture()], { type: 'image/svg+xml' }));
  $('save-png').onclick = savePng;
  $('print').onclick = () => print();
  play.listeners.push((view) => { $('save-sgf').hidden = view.game !== 'gomoku'; });
}

export { startShare, copyLink };
