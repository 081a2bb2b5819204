// The parts of the screen, as elements: made when the screen is mounted, and again in another language.
import { el, svg } from '../../core/dom.js';
import { t } from '../../core/texts.js';
import { recall } from '../../core/store.js';
import { EXAMPLES } from './examples.js';
import { LESSONS } from './lessons.js';
import { MOST_DEPTH } from './link.js';

const button = (id, name, names = '') => el('button' + names, { id }, t(name));
const iconButton = (id, name, sign, names = '') => el('button.icon' + names, { id, 'aria-label': t(name), title: t(name) }, icon(sign));

const wordButton = (id, name, sign, names = '') => el('button.icon.word' + names, { id, 'aria-label': t(name), title: t(name) }, icon(sign), el('span', null, t(name)));

// The signs of the steps' buttons, as drawings: fonts differ in them.
const SIGNS = {
  first: 'M3 2h3v16H3zM18 2v16L7 10z', back: 'M14.5 3L7.5 10l7 7-2 2L3.5 10l9-9z', play: 'M4 1v18l14-9z', pause: 'M4 2h4v16H4zM12 2h4v16h-4z',
  cut: 'M3 15L9 3h3L6 15zM10 17L16 5h3L13 17z', over: 'M3 16V11a7 7 0 0 1 12-4.5l2-2V11h-6.5l2.2-2.2A4.5 4.5 0 0 0 5.5 11v5z',
  next: 'M5.5 3l7 7-7 7 2 2 9-9-9-9z', last: 'M14 2h3v16h-3zM2 2v16l11-8z', whole: 'M8 1h4v5H8zM1 14h4v5H1zM8 14h4v5H8zM15 14h4v5h-4zM9 6h2v8H9zM2 9h16v5h-2v-3H4v3H2z',
  present: 'M2 2h6v2H4v4H2zM18 2h-6v2h4v4h2zM2 18h6v-2H4v-4H2zM18 18h-6v-2h4v-4h2z',
};
const icon = (sign) => svg('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, svg('path', { d: SIGNS[sign] }));
const check = (id, name, checked) => el('label', null, el('input', { id, type: 'checkbox', checked }), ' ', el('span', null, t(name)));

function sourceMenu() {
  const option = (value, text) => el('option', { value }, text);
  return el('select', { id: 'explore-source' },
    el('optgroup', { label: t('source.examples') }, Object.keys(EXAMPLES).map((name) => option(name, t('example.' + name)))),
    el('optgroup', { label: t('source.own') }, option('board', t('source.board')), option('typed', t('source.typed')), option('random', t('source.random'))));
}

// Whether the choice is folded away, so that the tree has the room.
const isNarrow = () => matchMedia('(max-width: 900px)').matches;

// What is searched, and how.
function makeChoice() {
  return el('details.choice-part', { id: 'choice-part', open: !isNarrow() }, el('summary', { id: 'choice-words' }), makeForm(), makeTyped());
}

function makeForm() {
  return el('form.choice', { id: 'explore-form' },
    el('label', null, el('span.hidden', null, t('source.label')), sourceMenu()),
    el('label', { id: 'explore-depth-label' }, el('span', null, t('explore.depth')), ' ', el('input', { id: 'explore-depth', type: 'number', min: 1, max: MOST_DEPTH, step: 1, value: 2 })),
    el('div.lessons', { id: 'lessons', role: 'group', 'aria-label': t('lesson.label') },
      Object.keys(LESSONS).map((name) => el('button', { data: { lesson: name }, 'aria-pressed': 'false' }, t('lesson.' + name)))),
    el('div.row.tools', null, button('explore-tour', 'explore.tour'), button('explore-quiz', 'quiz.begin'), makeTake()));
}

function makeTake() {
  return el('details.take', { id: 'explore-take' }, el('summary', null, t('take.title')),
    el('div.take-list', null, button('explore-link', 'explore.link'), button('take-embed', 'take.embed'), button('take-svg', 'take.svg'), button('take-slides', 'take.slides')));
}

function makeTyped() {
  return el('form.typed', { id: 'typed-form', hidden: true },
    el('label', { for: 'typed-text' }, t('typed.label')),
    el('textarea', { id: 'typed-text', rows: 1, spellcheck: 'false', maxlength: 1 << 20, 'aria-describedby': 'typed-help typed-error' }),
    el('button.strong', { id: 'typed-run' }, t('typed.run')), el('p.soft', { id: 'typed-help' }, t('typed.help')),
    el('p', { id: 'typed-error', role: 'alert', hidden: true }));
}

function makeControls() {
  return el('div.controls', null,
    el('p', { id: 'step-words', 'aria-live': 'polite' }), el('p', { id: 'picked-words', 'aria-live': 'polite', hidden: true }),
    el('input', { id: 'step-slider', type: 'range', min: 0, value: 0, 'aria-label': t('explore.position') }),
    el('div.steps', { role: 'group', 'aria-label': t('explore.steps') },
      iconButton('step-first', 'explore.first', 'first'), iconButton('step-back', 'explore.back', 'back'), iconButton('step-play', 'explore.play', 'play'),
      wordButton('step-next', 'explore.next', 'next', '.strong'), iconButton('step-last', 'explore.last', 'last'),
      wordButton('step-cut', 'explore.nextCut', 'cut'), wordButton('step-over', 'explore.over', 'over'),
      el('output', { id: 'step-count' }),
      el('label.speed', null, el('span', null, t('explore.speed')), ' ', el('input', { id: 'speed', type: 'range', min: 0, max: 6, value: recall('explore.speed', 1) })),
      iconButton('explore-present', 'explore.present', 'present')));
}

function makeSide(log) {
  const part = (id, name, ...children) => el('section', { id, 'aria-label': t(name) }, ...children);
  return el('aside.theatre-side', { 'aria-label': t('explore.side') },
    el('section.theatre-card', { id: 'tour', hidden: true, 'aria-live': 'polite' }), el('section.theatre-card', { id: 'quiz', hidden: true, 'aria-live': 'polite' }),
    part('code-part', 'explore.code', el('h2', null, t('explore.code')), el('pre', { id: 'code', tabindex: '0', 'aria-label': t('explore.code') }), el('div.call', null, el('dl', { id: 'variables' }), el('div', { id: 'node-board' }))),
    part('counts', 'count.title'),
    el('details', { id: 'log-part', open: false }, el('summary', null, t('explore.log')), log.place),
    el('details', { id: 'keys-part' }, el('summary', null, t('explore.keys')), el('p', null, t('explore.keysText'))));
}

function makeOptions() {
  return el('div.row.options', null, check('shadows', 'explore.shadows', recall('explore.shadows', true)), check('leaf-values', 'explore.leafValues', recall('explore.leafValues', true)), check('whole-tree', 'explore.wholeTree', false),
    button('follow', 'explore.follow'));
}

// The whole screen.
function makeParts(log) {
  return el('div.explore', null, el('h1.hidden', null, t('screen.explore')), makeChoice(),
    el('div.about', null, el('p.source', { id: 'source-line' }), makeOptions()), el('p', { id: 'explore-note', 'aria-live': 'polite', hidden: true }),
    el('div.theatre', { id: 'explorer' }, el('div.theatre-tree', null, el('canvas', { id: 'strip', hidden: true, role: 'img', 'aria-label': t('explore.strip') }), el('div.panes', { id: 'tree' })), makeSide(log)), makeControls());
}

export { makeParts, icon, isNarrow };
