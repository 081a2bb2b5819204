// The two players: the opponent above, you below, each with piece, name, points and clock.
import { $, el } from '../../core/dom.js';
import { t, sideName } from '../../core/texts.js';
import { game, isSwapped, actorAt, whoHas, playerOf } from '../../core/game.js';
import { pointsOf } from '../../core/points.js';
import { Board } from '../../board/draw.js';
import { play, isOver, secondsUsed, minutesEach } from './play.js';

const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

// What stands under the name: the side, and how strong an engine is.
const sideWords = (view, player, side) => [sideName(view, side), game.players[player] !== 'human' && t('level.' + game.players[player])].filter(Boolean).join(' · ');

// The name of a player: "You", "Engine"; two people at one board are told apart by their sides.
function nameOf(player) {
  const who = game.players[player];
  if (who !== 'human') return t('player.engineName');
  return game.players[1 - player] === 'human' ? t('player.person', { number: player + 1 }) : t('player.you');
}

// Who sits below: the human; with two of them or none, who begins.
const below = () => (game.players[0] !== 'human' && game.players[1] === 'human' ? 1 : 0);

const seats = () => [1 - below(), below()];

function pieceOf(view, side) {
  const picture = el('span.sign', { 'aria-hidden': 'true' });
  picture.innerHTML = `<svg viewBox="0 0 48 48" class="board ${Board.kindOf(view)}">${Board.piece(view, side === 0 ? 'a' : 'b', 24, 24)}</svg>`;
  return picture;
}

function drawSides(view) {
  const points = view.margin ? pointsOf(view) : null;
  seats().forEach((player, seat) => {
    const side = isSwapped() ? 1 - player : player;
    const place = $(seat === 0 ? 'player-above' : 'player-below');
    const turn = !isOver(view) && actorAt() === player;
    const key = [view.game, side, nameOf(player), game.players[player], points && points[side], turn, sideName(view, side)].join();
    if (place.dataset.key !== key) {
      place.dataset.key = key;
      place.classList.toggle('turn', turn);
      place.classList.toggle('second', side === 1);
      place.replaceChildren(...[pieceOf(view, side),
        el('span.who', el('b', nameOf(player)), el('span.soft', sideWords(view, player, side))),
        points ? el('span.points', { 'aria-label': t('player.points', { count: points[side] }) }, String(points[side])) : null,
        el('span.clock', { data: { player } })].filter(Boolean));
    }
  });
  drawClocks(view);
  drawBalance(points);
}

function drawClocks(view) {
  for (const clock of document.querySelectorAll('.player .clock')) {
    const player = Number(clock.dataset.player);
    const used = secondsUsed(view, player);
    const late = game.lostOnTime >= 0 && playerOf(game.lostOnTime) === player;
    const text = late ? t('clock.out') : clockText(game.minutes ? Math.max(0, minutesEach() - used) : used);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle('short', Boolean(game.minutes) && minutesEach() - used < 20);
  }
}

// Who has how much of what is taken, as one bar.
function drawBalance(points) {
  const bar = $('balance');
  bar.hidden = !points;
  if (!points) return;
  const whole = points[0] + points[1];
  bar.firstElementChild.style.flexGrow = whole ? points[0] : 1;
  bar.lastElementChild.style.flexGrow = whole ? points[1] : 1;
  bar.classList.toggle('even', !whole);
}

export { drawSides, drawClocks, nameOf, below, whoHas };
