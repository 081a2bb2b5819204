// The list of moves, the way through them, and what can be done.
import { $, el } from '../../core/dom.js';
import { t } from '../../core/texts.js';
import { game } from '../../core/game.js';
import { moveSaid } from '../../core/rules.js';
import { addressOf } from '../../core/router.js';
import { goTo } from './play.js';

let shown = []; // the texts of the list, so that only what changed is made anew

function drawMoves(view) {
  const place = $('moves');
  const texts = game.moves.map((move) => moveSaid(view, move));
  if (!place.childElementCount) shown = [];
  let same = 0;
  while (same < shown.length && same < texts.length && shown[same] === texts[same]) same++;
  const list = place.querySelector('ol') || place.appendChild(el('ol'));
  while (list.children.length > Math.floor(same / 2)) list.lastElementChild.remove();
  for (let i = same - (same % 2); i < texts.length; i += 2) {
    list.append(el('li', el('span.soft', `${i / 2 + 1}`), [i, i + 1].filter((ply) => ply < texts.length).map((ply) => moveButton(texts[ply], ply + 1))));
  }
  shown = texts;
  drawInvitation(view, texts.length === 0);
  for (const now of place.querySelectorAll('.now')) now.classList.remove('now');
  const now = place.querySelector(`[data-ply="${game.ply}"]`);
  if (now) {
    now.classList.add('now');
    place.scrollTop = Math.max(0, now.offsetTop - place.clientHeight / 2);
  }
}

// Before the first move: what this game is about, and where it is learnt.
function drawInvitation(view, shows) {
  const place = $('no-moves');
  const key = `rule.${view.game}.${view.rules}`;
  place.hidden = !shows;
  if (!shows || place.dataset.of === key) return;
  place.dataset.of = key;
  const isKnown = t(key) !== key;
  place.replaceChildren(el('p', t(isKnown ? key : 'moves.none')), isKnown ? el('a', { href: addressOf('learn', [view.game, 1]) }, t('rule.learn')) : '');
}

function moveButton(text, ply) {
  const [, name, rest = ''] = /^(\S+) ?(.*)$/.exec(text);
  return el('button', { tabindex: '-1', data: { ply }, onclick: () => goTo(ply) }, name, rest ? el('small', ' ' + rest) : null);
}

function movesKey(event) {
  const to = { ArrowLeft: game.ply - 1, ArrowRight: game.ply + 1, ArrowUp: game.ply - 2, ArrowDown: game.ply + 2, Home: 0, End: game.moves.length }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  goTo(to);
}

const movesBox = () => el('div.moves', { id: 'moves', tabindex: '0', role: 'group', 'aria-label': t('moves.label'), onkeydown: movesKey }, el('div', { id: 'no-moves' }));

export { movesBox, movesKey, drawMoves };
