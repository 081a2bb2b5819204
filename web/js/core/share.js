// Taking things along: links, pictures.
import { download, toast } from './dialogs.js';
import { t, gameName } from './texts.js';
import { publicAddress } from './game.js';
import { Board } from '../board/draw.js';

const PNG_SIDE = 1200;

// A page on disk or on this machine alone has an address that leads nobody else anywhere.
const isPrivate = () => location.protocol === 'file:' || ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

// Copies a link. From disk it is the part others need, for their own copy of the page, unless a public address is set.
async function copyLink(link) {
  const own = link.startsWith('file:');
  const text = own ? link.slice(link.indexOf('#')) : link;
  try {
    await navigator.clipboard.writeText(text);
    toast(t(own ? 'share.copiedPart' : 'share.copied'));
  } catch {
    history.replaceState(null, '', link.slice(link.indexOf('#')));
    toast(t('share.inAddress')); // the address bar has it
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

export { isPrivate, publicAddress, copyLink, pictureOf, savePng };
