// A board one can play on: the drawing of board.js in a grid for keyboard and screen reader. Only squares that change are
// drawn again, so that the focus stays where it is. One tab stop; the arrow keys walk, Enter and the space bar play.
import { t, gameName, sideName } from '../core/texts.js';
import { squareName } from '../core/rules.js';
import { Board } from './draw.js';

const SVG = 'http://www.w3.org/2000/svg';

class BoardView {
  // `onPlay(index)` a square was chosen; `onLook(index)` the pointer or the focus is on it, -1 when it left.
  constructor(place, onPlay, onLook) {
    this.place = place;
    this.onPlay = onPlay;
    this.onLook = onLook || (() => {});
    this.shape = '';
    this.at = 0; // the square that has the tab stop
    this.looked = -1;
  }

  // Builds the frame and the empty squares of a board of another shape.
  build(board) {
    const [width, height] = Board.side(board);
    this.place.innerHTML = `<svg class="board" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" role="grid"></svg>`;
    this.svg = this.place.firstElementChild;
    const ground = document.createElementNS(SVG, 'g');
    ground.setAttribute('aria-hidden', 'true');
    ground.classList.add('ground');
    ground.innerHTML = Board.frame(board);
    this.svg.append(...ground.childNodes);
    for (const part of this.svg.children) part.setAttribute('aria-hidden', 'true');
    this.cells = [];
    for (let row = 0; row < board.rows; row++) {
      const line = document.createElementNS(SVG, 'g');
      line.setAttribute('role', 'row');
      for (let column = 0; column < board.columns; column++) {
        const cell = document.createElementNS(SVG, 'g');
        const index = row * board.columns + column;
        cell.setAttribute('role', 'gridcell');
        cell.setAttribute('tabindex', '-1');
        cell.dataset.index = index;
        line.append(cell);
        this.cells.push({ element: cell, drawn: '', words: '' });
      }
      this.svg.append(line);
    }
    this.at = Math.min(this.at, this.cells.length - 1);
    this.cells[this.at].element.setAttribute('tabindex', '0');
    this.listen();
  }

  listen() {
    const indexOf = (event) => {
      const cell = event.target.closest('[data-index]');
      return cell ? Number(cell.dataset.index) : -1;
    };
    this.svg.onclick = (event) => {
      const index = indexOf(event);
      if (index < 0) return;
      this.moveTo(index, false);
      this.onPlay(index);
    };
    this.svg.onpointerover = (event) => event.pointerType !== 'touch' && this.look(indexOf(event));
    this.svg.onpointerleave = () => this.look(-1);
    this.svg.onfocusin = (event) => {
      const index = indexOf(event);
      if (index >= 0 && index !== this.at) this.moveTo(index, false);
      if (event.target.matches(':focus-visible')) this.look(index);
    };
    this.svg.onfocusout = () => this.look(-1);
    this.svg.onkeydown = (event) => this.key(event);
  }

  look(index) {
    if (index === this.looked) return;
    this.looked = index;
    this.onLook(index);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, columns } = this.board;
    const row = Math.floor(this.at / columns);
    const column = this.at % columns;
    const to = {
      ArrowUp: [Math.max(0, row - 1), column],
      ArrowDown: [Math.min(rows - 1, row + 1), column],
      ArrowLeft: [row, Math.max(0, column - 1)],
      ArrowRight: [row, Math.min(columns - 1, column + 1)],
      Home: [row, 0],
      End: [row, columns - 1],
      PageUp: [0, column],
      PageDown: [rows - 1, column],
    }[event.key];
    if (to) this.moveTo(to[0] * columns + to[1], true);
    else if (event.key === 'Enter' || event.key === ' ') this.onPlay(this.at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  moveTo(index, focus) {
    this.cells[this.at].element.setAttribute('tabindex', '-1');
    this.at = index;
    this.cells[index].element.setAttribute('tabindex', '0');
    if (focus) this.cells[index].element.focus();
  }

  // Draws a board: the view of a position with `last`, `changed`, `marks` and `notes` of board.js added; `words(index)`
  // may add to what a screen reader says of a square.
  draw(board, words) {
    const shape = [board.rows, board.columns, board.points, board.numbers].join();
    this.board = board;
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(board);
    }
    this.svg.setAttribute('aria-label', t('board.label', { title: gameName(board) }));
    for (const [index, cell] of this.cells.entries()) {
      const drawn = Board.cell(board, index);
      if (drawn !== cell.drawn) {
        cell.drawn = drawn;
        cell.element.innerHTML = drawn;
      }
      const said = [describe(board, index), words && words(index)].filter(Boolean).join(', ');
      if (said !== cell.words) {
        cell.words = said;
        cell.element.setAttribute('aria-label', said);
      }
    }
  }
}

// "B3, X, 24": every text that is drawn in the square is in its name, in the same order.
function describe(board, index) {
  const [ink, label] = board.cells[index];
  const parts = [squareName(board, index)];
  if (ink === 'a' || ink === 'b') parts.push(sideName(board, ink === 'a' ? 0 : 1));
  else if (ink === '#') parts.push(t('board.block'));
  else if (ink === 'p' || ink === 'q') parts.push(t('board.covered', { side: sideName(board, ink === 'p' ? 0 : 1) }));
  else if (ink === 'r') parts.push(t('board.coveredBoth'));
  else parts.push(t('board.empty'));
  const drawn = [label, board.notes && board.notes[index]].filter(Boolean).join(' ');
  if (drawn) parts.push(drawn);
  if (index === board.last) parts.push(t('board.last'));
  return parts.join(', ');
}

export { BoardView };
