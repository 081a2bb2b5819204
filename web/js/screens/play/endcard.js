// What is shown when a game is over: who won and by how much, how the game went, the best and the worst move, what now.
import { $, el, svg } from '../../core/dom.js';
import { t, sideName } from '../../core/texts.js';
import { game, viewAt, whoHas, playerOf } from '../../core/game.js';
import { askText, moveSaid } from '../../core/rules.js';
import { shareOfFirst } from '../../core/values.js';
import { play, goTo, isOver, endWords, refresh, continueGame, goOnWithoutClock } from './play.js';
import { noteWin } from './progress.js';
import { newGame, rematch } from './newgame.js';
import { openShare } from './share.js';
import { go } from '../../core/router.js';
import { menuIndexOf } from '../../core/rules.js';

const LOOK = 3000; // nodes for each position of the game
const GRAPH = { width: 300, height: 64 };

const card = { key: '', shares: [], next: null };

const winnerOf = (view) => (game.lostOnTime >= 0 ? 1 - game.lostOnTime : view.score > 0 ? 0 : view.score < 0 ? 1 : -1);

// "You win by 12", "Beginner wins", a draw; people at one board are named by their sides.
function headline(view) {
  const winner = winnerOf(view);
  const human = game.players.filter((each) => each === 'human').length === 1;
  if (winner < 0) return t('end.draw');
  if (!human) return t('end.wins', { side: sideName(view, winner) });
  return t(whoHas(winner) === 'human' ? 'end.youWin' : 'end.youLose');
}

// Shows the card, or takes it away; called after every change of what is shown.
function drawEnd(view) {
  const place = $('end');
  const over = isOver(view) && game.ply === game.moves.length && game.moves.length > 0;
  place.hidden = !over;
  if (!over) {
    if (!isOver(view)) card.key = '';
    return;
  }
  const key = [game.start, game.moves.join(), game.lostOnTime].join('\n');
  if (key === card.key && place.childElementCount) return;
  if (key !== card.key) Object.assign(card, { key, shares: [], next: null });
  const winner = winnerOf(view);
  const level = game.players.find((each) => each !== 'human');
  if (winner >= 0 && level && whoHas(winner) === 'human') card.next = noteWin(view, level);
  place.replaceChildren(...content(view));
  judge(key);
}

function content(view) {
  const button = (text, onclick, strong) => el(strong ? 'button.strong' : 'button', { onclick }, text);
  return [
    el('h2', headline(view)),
    el('p.soft', { id: 'end-how' }, [endWords(view), t('moves.count', { count: game.moves.length })].join(' · ')),
    el('div', { id: 'end-graph' }),
    el('dl', { id: 'end-moves' }),
    el('div.end-actions',
      card.next ? button(t('end.next', { level: t('level.' + card.next) }), () => playNext(view), true) : null,
      button(t('end.rematch'), rematch, !card.next),
      game.lostOnTime >= 0 ? button(t('end.goOn'), goOnWithoutClock) : null,
      button(t('study.review'), () => go('study', [], { game: 1, review: 1 })), button(t('end.share'), openShare)),
  ];
}

function playNext(view) {
  newGame({ index: Math.max(0, menuIndexOf(view)), size: view.rows, players: game.players.map((each) => (each === 'human' ? each : card.next)), opening: game.opening, minutes: game.minutes });
  refresh();
  continueGame();
}

// Gives every position of the game a quick value, then draws the graph and names the best and the worst move.
async function judge(key) {
  const count = game.moves.length;
  for (let ply = 0; ply <= count; ply++) {
    const view = viewAt(ply);
    if (view.over) card.shares[ply] = view.score > 0 ? 1 : view.score < 0 ? 0 : 0.5;
    else if (card.shares[ply] === undefined) {
      const { best, stopped } = await play.engine.think(askText(game.start, game.moves.slice(0, ply), { nodes: LOOK })).catch(() => ({ stopped: true }));
      if (stopped || card.key !== key || !$('end') || $('end').hidden) return;
      card.shares[ply] = best ? shareOfFirst(view, best.value) : 0.5;
    }
  }
  if (card.key === key) drawGraph();
}

function drawGraph() {
  const { shares } = card;
  const kind = viewAt(0).points ? 'stones' : 'pieces';
  const x = (ply) => (GRAPH.width * ply) / (shares.length - 1);
  const y = (share) => 3 + (GRAPH.height - 6) * (1 - share);
  const points = shares.map((share, ply) => `${x(ply).toFixed(1)},${y(share).toFixed(1)}`).join(' ');
  const graph = svg('svg', { viewBox: `0 0 ${GRAPH.width} ${GRAPH.height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': t('end.graph') },
    svg('rect', { class: `ground ${kind}`, width: GRAPH.width, height: GRAPH.height }),
    svg('path', { class: `area ${kind}`, d: `M0 ${GRAPH.height}L${points.replaceAll(' ', 'L')}L${GRAPH.width} ${GRAPH.height}Z` }),
    svg('path', { class: 'middle', d: `M0 ${GRAPH.height / 2}H${GRAPH.width}` }), svg('polyline', { points }));
  graph.onclick = (event) => {
    const box = graph.getBoundingClientRect();
    goTo(Math.round(((shares.length - 1) * (event.clientX - box.left)) / box.width));
  };
  $('end-graph').replaceChildren(graph);
  drawBest();
}

// The moves of the humans, or of all where none plays, that gained and lost most.
function drawBest() {
  const { shares } = card;
  const own = [];
  game.moves.forEach((move, ply) => {
    const view = viewAt(ply);
    if (game.players.includes('human') && game.players[playerOf(view.toMove, ply)] !== 'human') return;
    const gain = (shares[ply + 1] - shares[ply]) * (view.toMove === 0 ? 1 : -1);
    own.push({ ply: ply + 1, words: moveSaid(view, move), gain });
  });
  if (!own.length) return;
  const best = own.reduce((one, two) => (two.gain > one.gain ? two : one));
  const worst = own.reduce((one, two) => (two.gain < one.gain ? two : one));
  const row = (label, { ply, words }) => el('div', el('dt', label), el('dd', el('button.link', { onclick: () => goTo(ply) }, words)));
  $('end-moves').replaceChildren(row(t('end.best'), best), ...(worst.gain < -0.03 ? [row(t('end.worst'), worst)] : []));
}

export { drawEnd, winnerOf };
