// How the engine opens and chooses where colours can change hands: the swap and the swap2 of Gomoku.
import { game, shownMoves, pendingChoice, actorAt, decisionAt } from '../../core/game.js';
import { askText, swapOpening } from '../../core/rules.js';

const LOOK = 20000; // nodes for a position whose colours are to be chosen
const GLANCE = 3000; // and for each opening that is considered
const TRIES = 8;

// Whether there is a swap on a board, and which: it needs the table of first stones.
const swapsOf = (view) => (view.game !== 'gomoku' ? ['free'] : view.rules === 'freestyle' && view.rows === 15 ? ['free', 'swap', 'swap2'] : view.rows >= 9 ? ['free', 'swap2'] : ['free']);

// What the engine chooses here, or null where there is nothing to choose, or it had rather move.
async function choiceOf(engine, view) {
  const pending = pendingChoice();
  if (!pending) return null;
  if (!pending.must) return view.swap === 1 ? 'swap' : null;
  const { best } = await engine.think(askText(game.start, shownMoves(), { nodes: LOOK }));
  return best && best.value < 0 ? 'swap' : 'stay'; // the one who is to move next is better off, or is not
}

// The engine's stones before colours are chosen: where neither side is glad to have them. Null after that.
async function openingMove(engine, view) {
  if (game.opening === 'swap' && game.ply === 0 && swapsOf(view).includes('swap')) return swapOpening(game.start);
  const placing = game.opening === 'swap2' && (game.ply < 3 || (game.ply < 5 && decisionAt(3) === 'two')) && game.players[actorAt()] !== 'human';
  if (!placing) return null;
  if (game.ply < 2 || game.ply === 3) return squareNear(view, 5);
  return evenest(engine, view);
}

// Any free square at most `far` from the middle.
function squareNear(view, far) {
  const middle = (view.rows - 1) / 2;
  const near = view.moves.filter((move) => Math.max(Math.abs(move.charCodeAt(0) - 65 - middle), Math.abs(Number(move.slice(1)) - 1 - middle)) <= Math.min(far, middle));
  return near[Math.floor(Math.random() * near.length)];
}

// Of a few squares the one after which the side to move is nearest to even.
async function evenest(engine, view) {
  let best = null;
  for (let i = 0; i < TRIES; i++) {
    const move = squareNear(view, 6);
    const { best: found, stopped } = await engine.think(askText(game.start, [...shownMoves(), move], { nodes: GLANCE }));
    if (stopped) return best && best.move;
    const far = found ? Math.abs(found.value) : Infinity;
    if (!best || far < best.far) best = { move, far };
  }
  return best.move;
}

export { swapsOf, choiceOf, openingMove };
