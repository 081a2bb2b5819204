// Small boards that move: a game is played on them over and over, slowly. They rest where motion is not wanted, and
// while they are out of sight.
import { el } from '../core/dom.js';
import { viewOf, squareOf, differing, winningLine } from '../core/rules.js';
import { BoardView } from './view.js';

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

// The board after the moves, as it is drawn.
function frameOf(start, moves) {
  const view = viewOf(start, moves);
  if (!moves.length) return { ...view, last: -1, changed: [] };
  const before = viewOf(start, moves.slice(0, -1));
  return { ...view, last: squareOf(before, moves[moves.length - 1]), changed: view.points ? [] : differing(before, view), line: winningLine(view) };
}

// A picture of a board that plays a game: an element with start() and stop(). Not for screen readers: `title` names it.
function movingBoard(start, moves, { pause = 1100, title = '', from = 0 } = {}) {
  const place = el('div.mini', { role: 'img', 'aria-label': title });
  let timer = 0;
  let ply = still() ? moves.length : from;
  let board = null;
  const draw = () => {
    board ??= new BoardView(place, () => {});
    board.draw(frameOf(start, moves.slice(0, ply)));
    board.svg.setAttribute('aria-hidden', 'true');
    board.svg.setAttribute('inert', '');
  };
  const step = () => {
    ply = ply >= moves.length ? from : ply + 1;
    draw();
    timer = setTimeout(step, ply === moves.length ? 3 * pause : pause);
  };
  return Object.assign(place, {
    start() {
      clearTimeout(timer);
      draw();
      if (!still()) timer = setTimeout(step, pause);
    },
    stop: () => clearTimeout(timer),
  });
}

export { movingBoard, frameOf };
