// Where everybody begins: a card a game with a small board that plays, and from each one click to playing it, learning
// it, and seeing how it is thought about.
import { el } from '../../core/dom.js';
import { t, gameName } from '../../core/texts.js';
import { rules, startText, menuIndexOf } from '../../core/rules.js';
import { game, shownView } from '../../core/game.js';
import { addressOf, go, router } from '../../core/router.js';
import { icon } from '../../core/icons.js';
import { movingBoard } from '../../board/mini.js';
import { chooseFile } from '../play/course.js';

// A short game each, to be watched.
const SHOWN = {
  war: ['war stake 5 X\n12 64 31 8 40\n75 22 18 53 9\n6 47 90 27 35\n58 14 39 81 20\n3 66 25 11 70\n.....\n.....\n.....\n.....\n.....\n',
    'D4 Stake,B3 Stake,C3 Stake,B5 Stake,D2 Stake,B1 Stake,E5 Stake,A2 Stake,C1 Stake,A4 Stake,D3 Raid,C4 Stake,C5 Stake,C2 Stake,B2 Stake,D5 Stake,E2 Raid,E1 Stake,D1 Raid,E3 Stake,E4 Raid,B4 Raid,A1 Stake,A3 Raid,A5 Stake', 9],
  laser: ['laser 7 1\n0000300\n0000000\n0030000\n0000000\n0000030\n0300000\n0000000\n', '4 3,3 0,4 6,1 5,1 1,6 2', 1],
  gomoku: ['gomoku freestyle 9\n', 'E5,F5,F6,D4,E6,D6,E7,B5,E4,H7,E3', 3],
};

let boards = [];
let more = null; // what stands under the cards

// Another game begins; the one under way is only given up with consent.
const begin = (index) => go('play', [], { new: rules.games[index].game });

const isUnderWay = () => game.moves.length > 0 && !shownView().over && game.lostOnTime < 0;

// The games as they are listed, each once, with the number of its first entry.
const gamesListed = () => rules.games.map((each, index) => ({ ...each, index })).filter((each, i, all) => all.findIndex(({ game: name }) => name === each.game) === i);

function cardOf(each) {
  const [start, moves, from] = SHOWN[each.game] || [startText(each.index, each.usual, 1), '', 0];
  const name = gameName(each);
  const board = movingBoard(start, moves ? moves.split(',') : [], { title: t('start.board', { game: name }), from });
  boards.push(board);
  const id = 'start-' + each.game;
  return el('article.start-card', { 'aria-labelledby': id, data: { game: each.game } },
    el('a.start-board', { href: addressOf('play'), tabindex: '-1', 'aria-hidden': 'true', onclick: (event) => { event.preventDefault(); begin(each.index); } }, board),
    el('div.start-words', el('h2', { id }, name), el('p', t(`start.${each.game}`) === `start.${each.game}` ? '' : t(`start.${each.game}`)),
      el('div.row',
        el('button.strong', { class: 'start-play', onclick: () => begin(each.index), 'aria-label': t('start.playNamed', { game: name }) }, t('start.play')),
        el('a.button', { href: addressOf('learn', [each.game, 1]), 'aria-label': t('start.learnNamed', { game: name }) }, t('start.learn')),
        el('a.button', { href: addressOf('explore', [], { e: each.game }), 'aria-label': t('start.exploreNamed', { game: name }) }, t('screen.explore')))));
}

function mount(root) {
  boards = [];
  root.append(el('div.start',
    el('header.start-head', el('h1', t('start.title')), el('p.lead', t('start.lead'))),
    el('div.start-cards', gamesListed().map(cardOf)),
    more = el('div.start-more',
      el('button.start-link', { id: 'course-file', onclick: chooseFile }, icon('open'), el('span', el('b', t('start.course')), el('small', t('start.courseMore')))),
      router.screens.has('puzzles') ? el('a.start-link', { href: addressOf('puzzles', ['daily']) }, icon('hint'), el('span', el('b', t('start.daily')), el('small', t('start.dailyMore')))) : null),
    el('p.start-foot.soft', t('start.foot'))));
}

// The game under way, one click away.
function drawContinue() {
  more.querySelector('.start-continue')?.remove();
  if (!isUnderWay()) return;
  const view = shownView();
  const words = [gameName(view), t('moves.count', { count: game.moves.length })].join(' · ');
  more.prepend(el('a.start-link.start-continue', { href: addressOf('play') }, icon('game'), el('span', el('b', t('start.continue')), el('small', words))));
}

function show() {
  drawContinue();
  for (const board of boards) board.start();
}

function hide() {
  for (const board of boards) board.stop();
}

export const startScreen = { name: 'start', mount, show, hide };
