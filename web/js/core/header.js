// What stands above every screen: the mark, the way to the screens, the language.
import { $, el, svg } from './dom.js';
import { t, TEXTS, currentLanguage, setLanguage, keepLanguage } from './texts.js';
import { addressOf, router, retell } from './router.js';
import { icon } from './icons.js';

const LINKS = ['play', 'learn', 'puzzles', 'study', 'explore'];

// The mark, as in web/mark.svg: a way out, and up.
const mark = () => svg('svg', { viewBox: '0 0 32 32', 'aria-hidden': 'true' },
  svg('rect', { width: 32, height: 32, rx: 8, fill: '#1c6b66' }),
  svg('path', { d: 'M7 24C13 24 11 9 25 9M19.5 5.5L25.5 9L21 14.5', fill: 'none', stroke: '#fff', 'stroke-width': 3, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }),
  svg('circle', { cx: 7.5, cy: 24, r: 3.5, fill: '#ffd479' }));

// What a screen is called where there is little room.
const shortly = (name) => (t(`screen.${name}.short`) === `screen.${name}.short` ? null : t(`screen.${name}.short`));

function drawHeader() {
  const link = (name) => el('a', { href: addressOf(name), data: { goes: name }, 'aria-current': router.current?.screen.name === name && 'page' },
    el(shortly(name) ? 'span.long' : 'span', t('screen.' + name)), shortly(name) && el('span.brief', shortly(name)));
  const language = el('select', { id: 'language', 'aria-label': t('nav.language') },
    Object.keys(TEXTS).map((each) => el('option', { value: each, selected: each === currentLanguage() }, TEXTS[each].language)));
  language.onchange = async () => {
    setLanguage(language.value);
    keepLanguage();
    drawHeader();
    await retell();
    $('language').focus();
  };
  $('top').replaceChildren(el('a.mark', { href: addressOf('start'), data: { goes: 'start' }, 'aria-label': 'sortie' }, mark(), el('span', 'sortie')),
    el('nav', { 'aria-label': t('nav.views') }, LINKS.map(link)), el('span.language', icon('globe'), language));
}

export { drawHeader };
