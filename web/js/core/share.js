// Taking things along: links, pictures.
import { download, toast } from './dialogs.js';
import { t, gameName } from './texts.js';
import { Board } from '../board/draw.js';

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
function pictureOf(board) {
  const [width, height] = Board.side(board);
  return Board.draw({ ...board, title: gameName(board) })
    .replace('<svg ', `<svg width="${width}" height="${height}" `)
    .replace(/(<svg [^>]*>)/, `$1<rect width="${width}" height="${height}" fill="#ffffff"/>`);
}

async function savePng(board, name) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([pictureOf(board)], { type: 'image/svg+xml' }));
  await new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: reject, src: address }));
  const canvas = document.createElement('canvas');
  canvas.width = PNG_SIDE;
  canvas.height = Math.round((PNG_SIDE * image.height) / image.width);
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((blob) => download(name + '.png', blob), 'image/png');
}

export { copyLink, pictureOf, savePng };
