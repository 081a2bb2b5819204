// What stands above every screen: the mark, the way to the screens, the language.
import { $, el } from './dom.js';
import { t, TEXTS, currentLanguage, setLanguage, keepLanguage } from './texts.js';
import { addressOf, router, retell } from './router.js';

const LINKS = ['play', 'puzzles', 'study', 'explore'];

function drawHeader() {
  const link = (name) => el('a', { href: addressOf(name), data: { goes: name }, 'aria-current': router.current?.screen.name === name && 'page' }, t('screen.' + name));
  const language = el('select', { id: 'language', 'aria-label': t('nav.language') },
    Object.keys(TEXTS).map((each) => el('option', { value: each, selected: each === currentLanguage() }, TEXTS[each].language)));
  language.onchange = async () => {
    setLanguage(language.value);
    keepLanguage();
    drawHeader();
    await retell();
    $('language').focus();
  };
  $('top').replaceChildren(el('a.mark', { href: addressOf('start'), data: { goes: 'start' } }, 'sortie'),
    el('nav', { 'aria-label': t('nav.views') }, LINKS.map(link)), language);
}

export { drawHeader };
