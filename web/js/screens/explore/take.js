// Taking the explorer along: links, a frame for a course's page, the picture, the steps as slides.
import { $ } from '../../core/dom.js';
import { toast, download } from '../../core/dialogs.js';
import { t } from '../../core/texts.js';
import { publicAddress } from '../../core/game.js';
import { copyLink } from '../../core/share.js';
import { addressOf } from '../../core/router.js';
import { explorer, activePane, localStep } from './explorer.js';
import { pictureOfStep, slidesOf } from './exports.js';
import { queryOf } from './link.js';

async function linkTo(state) {
  const query = await queryOf(state);
  return (publicAddress() || location.href.split('#')[0]) + addressOf('explore', [], query);
}

async function copyFrame(state) {
  const link = await linkTo({ ...state, embed: true });
  const text = `<iframe src="${link.replaceAll('&', '&amp;')}" width="960" height="720" title="sortie" loading="lazy" allow="fullscreen"></iframe>`;
  try {
    await navigator.clipboard.writeText(text);
    toast(t('take.embedCopied'));
  } catch {
    download('explorer-frame.html', new Blob([text], { type: 'text/html' }));
  }
}

function startTaking(stateNow) {
  const close = () => { $('explore-take').open = false; };
  const on = (id, run) => {
    $(id).onclick = async () => {
      close();
      if (explorer.panes.length) await run();
    };
  };
  on('explore-link', async () => copyLink(await linkTo(stateNow())));
  on('take-embed', () => copyFrame(stateNow()));
  on('take-svg', () => {
    const pane = activePane();
    download(`tree-${localStep(pane) + 1}.svg`, new Blob([pictureOfStep(pane, localStep(pane))], { type: 'image/svg+xml' }));
  });
  on('take-slides', async () => {
    toast(t('take.making'));
    const { html, from, count } = await slidesOf(activePane(), localStep(activePane()));
    download('slides.html', new Blob([html], { type: 'text/html' }));
    toast(count < activePane().trace.count ? t('take.some', { from: from + 1, to: from + count }) : t('take.made', { count }));
  });
}

export { startTaking };
